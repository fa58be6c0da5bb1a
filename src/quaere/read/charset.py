"""Bytes to text, whatever encoding their sender declares.

Python's codec registry is never asked for a name that a page chose: it holds codecs that are not
charsets (base64, zlib, idna) and some that only exist on one platform (mbcs).
"""

from __future__ import annotations

import codecs
import re

from quaere.read.clean import clean_text

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Text codecs by the name codecs.lookup() gives them. Where browsers read a label as a superset of
# what it names, so do we (WHATWG Encoding Standard, section 4.2). UTF-7 is left out as there.
_CODECS = {
    "utf-8": "utf-8",
    "utf-8-sig": "utf-8",
    "utf-16": "utf-16-le",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
    "utf-32-le": "utf-32-le",
    "utf-32-be": "utf-32-be",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "big5hkscs": "big5hkscs",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "euc_jp": "euc_jp",
    "iso2022_jp": "iso2022_jp",
    "euc_kr": "cp949",
    "cp949": "cp949",
    **{name: name for name in ("koi8-r", "koi8-u", "mac-roman", "mac-cyrillic")},
    **{f"iso8859-{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp{n}": f"cp{n}" for n in (437, 850, 852, 855, 866, 874, *range(1250, 1259))},
}
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{1,39}")
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_IN_TEXT = re.compile(
    rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{2,40})", re.IGNORECASE
)
# What is not declared and still met with: Windows' code pages and the charsets of East Asia.
_LIKELY = [
    *("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp874", "koi8_r"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949"),
]
_CENTRAL = re.compile("[^\\W\\d][¹³¼¾¿£¥ªº\ufffd]|[¹³¼¾£¥\ufffd][^\\W\\d]")
"""Signs inside words: how Polish and Czech letters look when they are read as Western ones."""
_META_BYTES = 4096
_SAMPLE_BYTES = 65_536
_FALLBACK = "cp1252"


def codec_of(label: str) -> str | None:
    """Return the codec that reads the charset ``label``; None for an unknown charset."""
    if not _LABEL.fullmatch(label):
        return None
    try:
        return _CODECS.get(codecs.lookup(label).name)
    except LookupError:
        return None


def decode(data: bytes, content_type: str = "") -> str:
    """Return the text of ``data``, clean (see ``clean_text``); never raises.

    Tried in turn: byte order mark, UTF-8, the charset that ``content_type`` declares, the one that
    the first bytes declare (``<meta charset>``, ``<?xml encoding>``), and what the bytes look like.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return clean_text(data[len(bom) :].decode(name, "replace"))
    labels = _declared(data, content_type)
    for name in (*_unmarked_unicode(data), *_escaped(data, labels), "utf-8", *labels):
        try:
            return clean_text(data.decode(name))
        except UnicodeDecodeError:
            continue
    return clean_text(data.decode(_guess(data, labels), "replace"))


def is_wide(data: bytes) -> bool:
    """Whether ``data`` looks like text of two or four bytes a character."""
    return data.startswith(tuple(bom for bom, _ in _BOMS[1:])) or bool(_unmarked_unicode(data))


def _declared(data: bytes, content_type: str) -> list[str]:
    """Return the codecs that the header and the first bytes name, in this order."""
    found = _IN_HEADER.findall(content_type)
    found += [label.decode("ascii") for label in _IN_TEXT.findall(data[:_META_BYTES])]
    return [name for label in found if (name := codec_of(label))]


def _unmarked_unicode(data: bytes) -> list[str]:
    """Return UTF-16 in the byte order that the zero bytes of Latin text give away."""
    head = data[:_META_BYTES]
    half = len(head) // 2
    if half and head[1::2].count(0) > 0.4 * half and not head[::2].count(0) > 0.1 * half:
        return ["utf-16-le"]
    if half and head[::2].count(0) > 0.4 * half and not head[1::2].count(0) > 0.1 * half:
        return ["utf-16-be"]
    return []


def _escaped(data: bytes, labels: list[str]) -> list[str]:
    """Return ISO-2022-JP where it is declared and used: its bytes are valid UTF-8 as well."""
    return [name for name in labels if name == "iso2022_jp" and b"\x1b" in data]


def _guess(data: bytes, labels: list[str]) -> str:
    """Return the codec to decode with, losses accepted, when none decodes ``data`` whole."""
    if labels:
        return labels[0]
    # A few broken bytes in a text that is otherwise UTF-8 are not a reason to misread all of it.
    text = data[:_SAMPLE_BYTES].decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if broken <= sum(character > "\x7f" for character in text) - broken:
        return "utf-8"
    return _look(data) or _FALLBACK


def _look(data: bytes) -> str | None:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to import, and seldom needed

    sample = data[:_SAMPLE_BYTES]
    best = from_bytes(sample, cp_isolation=_LIKELY).best()
    if best is None:
        return None
    # Statistics cannot tell the two apart, and Western text is by far the more common.
    if best.encoding == "cp1250" and not _CENTRAL.search(sample.decode("cp1252", "replace")):
        return "cp1252"
    return best.encoding
