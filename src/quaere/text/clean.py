"""From bytes to clean text: in whatever encoding, with nothing in it that a reader cannot see.

A parser, a terminal or a model would see it. Words that the end of a line divides are put together.
Python's codec registry is never asked for a name that a page chose: it holds codecs that are not
charsets (base64, zlib, idna) and some that only exist on one platform (mbcs).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Container, Sequence

from quaere.text.lazy_regex import lazy_regex

MAX_TITLE_CHARS = 300

_BREAKS = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
# Control characters; soft hyphens and zero-width spaces, which hide a word from a search; the
# direction marks that reorder what is shown (Unicode TR 36, "Trojan Source"); letters of no width;
# tag characters and the selectors of rare forms of a character, in which whole texts can be hidden.
_UNSEEN = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
)
_PAIRED = "[\u200c\u200d]{2,}|[\ufe00-\ufe0f]{2,}"
"""Zero-width joiners, which Persian and Indic spelling needs, and selectors of emoji stand alone;
more in a row hide something, but for one joiner that was typed twice."""
_FIXED_SPACES = "\u00a0\u2007\u202f"
_SURROGATES = "\ud800-\udfff"
_UNCLEAN = lazy_regex(f"[{_BREAKS}{_UNSEEN}{_FIXED_SPACES}{_SURROGATES}]|{_PAIRED}")
_ASCII_UNCLEAN = bytes(range(128)).translate(None, bytes(range(32, 127)) + b"\t\n")
"""Of ASCII the same: looked for without a pattern, as a text that has none is the rule."""
_RULES = (
    # What makes letters bold or underlined on a terminal, in manuals formatted for one.
    (lazy_regex(r"\x1b\[[\d;]*m|[^\n]\x08"), ""),
    (lazy_regex(f"\r\n?|[{_BREAKS}]"), "\n"),
    (lazy_regex(f"[{_UNSEEN}]"), ""),
    (lazy_regex("(?<![\u200c\u200d])([\u200c\u200d])\\1{1,2}(?![\u200c\u200d])"), r"\1"),
    (lazy_regex(_PAIRED), ""),
    (lazy_regex(f"[{_FIXED_SPACES}]"), " "),
    (lazy_regex(f"[{_SURROGATES}]"), "\ufffd"),
)


def clean_text(text: str) -> str:
    r"""Return ``text`` with ``\n`` as its only line break and nothing invisible in it.

    Spaces that forbid a line break become plain ones; lone surrogates, which no encoding can carry,
    become U+FFFD.
    """
    # By far the most frequent two, which need no pattern.
    text = text.replace("\r\n", "\n").replace("\u00a0", " ")
    if text.isascii():
        encoded = text.encode()
        if len(encoded.translate(None, _ASCII_UNCLEAN)) == len(encoded):
            return text
    elif not _UNCLEAN.search(text):
        return text
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


def clean_line(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    """Return ``text`` clean, on one line and at most ``limit`` characters long."""
    # The cut comes first: a title of a megabyte is not worth cleaning whole.
    line = " ".join(clean_text(text[: limit * 8]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


WORD = lazy_regex(r"\w+(?:-\w+)*")
_END = lazy_regex(r"(?P<before>.*\s)(?P<half>[\w-]*\w)\u2010$")
_START = lazy_regex(r"\s*(?P<rest>\w+)")
_HYPHEN = str.maketrans("\u2010", "-")


def undivided(first: str, second: str, vocabulary: Container[str]) -> str:
    """Return the word that a line ends within, after ``first``.

    The hyphen stays where the ``vocabulary``, in lower case, has the word with it, or has both
    parts as words and never as one. What comes after it in capitals or figures was never one word
    with what is before it.
    """
    hyphened, joined = f"{first}-{second}", first + second
    if not (second[0].islower() and first[-1].isalpha()):
        return hyphened
    if joined.lower() in vocabulary:
        return joined
    is_compound = hyphened.lower() in vocabulary or (
        first.lower() in vocabulary and second in vocabulary
    )
    return hyphened if is_compound else joined


def join_lines(lines: Sequence[str]) -> list[str]:
    """Return as many lines, those words whole that a typeset hyphen (U+2010) divides.

    A manual page has it where ``man`` ended a line within a word. The word goes to the line on
    which it ends, so that every line keeps its number.
    """
    if not any(line.endswith("\u2010") for line in lines):
        return list(lines)
    found = list(lines)
    vocabulary = _vocabulary(lines)
    for at in range(len(found) - 1):
        end, start = _END.match(found[at]), _START.match(found[at + 1])
        if end and start:
            word = undivided(end["half"], start["rest"], vocabulary)
            below = found[at + 1]
            found[at] = end["before"].rstrip()
            found[at + 1] = below[: start.start("rest")] + word + below[start.end("rest") :]
    return found


def _vocabulary(lines: Sequence[str]) -> frozenset[str]:
    """Return the words of ``lines`` in lower case, but for the halves of those that are divided."""
    whole = (_END.sub(r"\g<before>", line) for line in lines)
    said = (word for line in whole for word in WORD.findall(line.translate(_HYPHEN)))
    return frozenset(word.lower() for word in said)


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
_LABEL = lazy_regex(r"[A-Za-z0-9][A-Za-z0-9._:-]{1,39}")
_IN_HEADER = lazy_regex(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_IN_TEXT = re.compile(
    rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{2,40})", re.IGNORECASE
)
# What is not declared and still met with: Windows' code pages and the charsets of East Asia.
_LIKELY = [
    *("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp874", "koi8_r"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949"),
]
_CENTRAL = lazy_regex("[^\\W\\d][¹³¼¾¿£¥ªº\ufffd]|[¹³¼¾£¥\ufffd][^\\W\\d]")
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
