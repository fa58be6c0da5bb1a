"""Text of sources made inert, so that it can be shown but never acts.

Nothing that ``plain`` returns can be read as a citation marker, a link, an HTML tag or a command to
a terminal. It changes a text in the same way every time, so that the text of an answer can be
compared with its source: put both through it. ``escaped`` does the rest for Markdown.
"""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

# ECMA-48 control sequences: colours, cursor movement and similar, with seven-bit or C1 introducer.
_CONTROL_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")

# Controls without a place in a line, and invisible characters: soft hyphen, zero-width
# space, bidirectional marks, embeddings and isolates, word joiner and invisible operators,
# byte order mark, interlinear annotation, tags. The joiners U+200C and U+200D stay, because
# Persian, Indic scripts and emoji are misspelt without them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")

# Brackets that are square or pass for square, and the back-tick that would open a code span.
_OPENING = "[［【〔〖〘〚⁅❲⟦⦋⦍⦏⦗﹇﹝"
_CLOSING = "]］】〕〗〙〛⁆❳⟧⦌⦎⦐⦘﹈﹞"
_LOOK_ALIKE = str.maketrans(
    _OPENING + _CLOSING + "`", "(" * len(_OPENING) + ")" * len(_CLOSING) + "'"
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#|[A-Za-z][A-Za-z0-9]*;)")

_MARKDOWN = re.compile(r"([\\`*_<>|~&$#^\[\]]|(?<=\w):(?=//)|(?<=\bwww)\.)")
_LIST_START = re.compile(r"^(\s*)(?:([-+=])|(\d+)([.)])(?=\s|$))")

# A file on this machine: a path that begins with two slashes may name another one (UNC), which
# would be asked with the reader's credentials.
_LOCAL_FILE = re.compile(r"(?i)file:///(?![/\\]|%2f|%5c)")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
# Everything else that RFC 3986 allows in a URL; brackets, quotes and white space are encoded.
_URL_SAFE = "%:/?#@!$&*+,;=~-._"
# But for those around an IPv6 literal, which are part of the host.
_IPV6 = re.compile(r"(?i)^(https?://)%5B([0-9a-f:.]{2,45})%5D(?=[:/?#]|$)")


def visible(text: str) -> str:
    """Return ``text`` as one line without control sequences, controls or invisible characters."""
    text = _HIDDEN.sub("", _CONTROL_SEQUENCE.sub("", text))
    text = _SURROGATE.sub("\ufffd", text)
    return "".join(" " if char.isspace() else char for char in text).strip()


def plain(text: str) -> str:
    """Return ``text`` as one inert line; square brackets become round ones.

    ``plain(plain(text)) == plain(text)``, and no character of the result is a square bracket.
    """
    text = visible(text).translate(_LOOK_ALIKE)
    text = _ENTITY.sub("& ", _TAG.sub("‹", text))
    return " ".join(text.split())


def escaped(text: str, *, markers: bool = False) -> str:
    """Return one line of ``text`` as Markdown that renders as it reads.

    Args:
        text: One line.
        markers: Whether square brackets are left alone. For an answer only, where every one of
            them belongs to a citation marker.
    """

    def escape(match: re.Match[str]) -> str:
        char = match[0]
        return char if markers and char in "[]" else f"\\{char}"

    text = _MARKDOWN.sub(escape, text)
    return _LIST_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[2] else f"{m[1]}{m[3]}\\{m[4]}", text)


def address(url: str) -> str:
    """Return ``url`` when it names a web page or a file, else the empty string.

    ``javascript:``, ``data:`` and every other scheme are refused, however they are disguised.
    """
    url = visible(url)
    if _DRIVE.match(url):
        return url
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return ""
    if scheme in {"http", "https", "file"}:
        return url
    return "" if ":" in url else url


def link(url: str) -> str:
    """Return ``url`` in a form that is safe in a Markdown link; empty unless http or https."""
    url = address(url)
    if not url.lower().startswith(("http://", "https://")):
        return ""
    return _IPV6.sub(r"\1[\2]", quote(url, safe=_URL_SAFE))


def file_link(url: str) -> str:
    """Return ``url`` in a form that is safe in a link; empty unless it is a file on this machine.

    For documents that stay where their sources are; nobody else can follow it.
    """
    url = address(url)
    return quote(url, safe=_URL_SAFE) if _LOCAL_FILE.match(url) else ""
