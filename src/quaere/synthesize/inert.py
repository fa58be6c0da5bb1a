"""Text of sources made inert, so that it can be shown but never acts.

Nothing that ``plain`` returns can be read as a citation marker, a link, an HTML tag or a command to
a terminal. It changes a text in the same way every time, so that the text of an answer can be
compared with its source: put both through it. ``inline`` does the same to a sentence of an answer,
which keeps its code, its bold words and those of its brackets that nothing can come of; ``block``
to lines of code. ``escaped`` does the rest for Markdown. What the user's own documents say may act:
``standing`` leaves it as it is, but for what would pass for a citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import quote, urlsplit

from quaere.text.inline import Form, outside_code, stretches
from quaere.text.lazy_regex import lazy_regex

# ECMA-48 control sequences: colours, cursor movement and similar, with seven-bit or C1 introducer.
_CONTROL_SEQUENCE = lazy_regex(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")

# Controls without a place in a line, and invisible characters: soft hyphen, zero-width
# space, bidirectional marks, embeddings and isolates, word joiner and invisible operators,
# byte order mark, interlinear annotation, tags and variation selectors. The joiners U+200C and
# U+200D stay, because Persian, Indic scripts and emoji are misspelt without them.
_HIDDEN = lazy_regex(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_SURROGATE = lazy_regex("[\ud800-\udfff]")
_WHITE = lazy_regex(r"\s")

# Brackets that are square or pass for square, and the back-tick that would open a code span.
_OPENING = "[［【〔〖〘〚⁅❲⟦⦋⦍⦏⦗﹇﹝"
_CLOSING = "]］】〕〗〙〛⁆❳⟧⦌⦎⦐⦘﹈﹞"
_LOOK_ALIKE = str.maketrans(
    _OPENING + _CLOSING + "`", "(" * len(_OPENING) + ")" * len(_CLOSING) + "'"
)
_TAG = lazy_regex(r"<(?=[A-Za-z/!?])")
_ENTITY = lazy_regex(r"&(?=#|[A-Za-z][A-Za-z0-9]*;)")

# Brackets around words, "[sic]". Before an opening bracket or a colon they could begin a link, and
# behind "!" a picture; figures alone in them would pass for a marker.
_OPENS = re.escape(_OPENING)
_AROUND_WORDS = lazy_regex(
    rf"(?<!!)\[(?=[^\W\d_]|…|\.\.\.)([^{_OPENS}{re.escape(_CLOSING)}\n]{{1,100}})\](?![(:{_OPENS}])"
)
_FIGURES = lazy_regex(rf"[{_OPENS}](\s*\d[\d\s,;–-]*)[{re.escape(_CLOSING)}]")
_BAR = lazy_regex(r"(?<!\\)\|")
_LABEL = lazy_regex(r": ")
_FENCE = lazy_regex(r"`{3,}|~{3,}")
MARKER = lazy_regex(r"\[(\d+)\]")
"""A marker in an answer: the number of a citation."""
_MARKS = {Form.PLAIN: ("", ""), Form.STRONG: ("**", "**")}

_KEPT = 512
"""Sentences whose inert form is kept: each is shown again with every one that follows it."""

_MARKDOWN = lazy_regex(r"([\\`*_<>|~&$#^\[\]]|(?<=\w):(?=//)|(?<=\bwww)\.)")
_LIST_START = lazy_regex(r"^(\s*)(?:([-+=])|(\d+)([.)])(?=\s|$))")

# A file on this machine: a path that begins with two slashes may name another one (UNC), which
# would be asked with the reader's credentials.
_LOCAL_FILE = lazy_regex(r"(?i)file:///(?![/\\]|%2f|%5c)")
_DRIVE = lazy_regex(r"^[A-Za-z]:[\\/]")
# Everything else that RFC 3986 allows in a URL; brackets, quotes and white space are encoded.
_URL_SAFE = "%:/?#@!$&*+,;=~-._"
# But for those around an IPv6 literal, which are part of the host.
_IPV6 = lazy_regex(r"(?i)^(https?://)%5B([0-9a-f:.]{2,45})%5D(?=[:/?#]|$)")


def visible(text: str, *, indented: bool = False) -> str:
    """Return ``text`` as one line without control sequences, controls or invisible characters.

    Args:
        text: What to show.
        indented: Whether blanks before it stay.
    """
    indent = len(text) - len(text.lstrip(" ")) if indented else 0
    text = _HIDDEN.sub("", _CONTROL_SEQUENCE.sub("", text))
    text = _SURROGATE.sub("\ufffd", text)
    return " " * indent + _WHITE.sub(" ", text).strip()


def one_line(text: str) -> str:
    """Return ``text``, a quote, as one line that shows every visible character of it.

    For forms that escape what has a meaning in them.
    """
    return " ".join(visible(text).split())


def plain(text: str) -> str:
    """Return ``text`` as one inert line; square brackets become round ones.

    ``plain(plain(text)) == plain(text)``, and no character of the result is a square bracket.
    """
    return " ".join(_defused(visible(text)).split())


@lru_cache(maxsize=_KEPT)
def inline(text: str) -> str:
    """Return ``text``, a sentence of an answer, as one inert line.

    As ``plain``, but code keeps all of its characters, and square brackets around words stay.
    Outside code no brackets are left around figures alone. Doing it twice changes nothing more.
    """
    return outside_code(one_line(text), _inert)


def standing(text: str) -> str:
    """Return ``text``, a sentence of the user's own document, as it is there, on one line.

    Only brackets around figures alone become round ones outside code: they would pass for a
    marker. Whatever else has a meaning in an output form is escaped there.
    """
    return outside_code(one_line(text), lambda part: _FIGURES.sub(r"(\1)", part))


def above_code(text: str, form: Callable[[str], str]) -> str:
    """Return the first line of ``text`` in that ``form``, and code below it in its own lines."""
    first, _, below = text.partition("\n")
    shown = form(first)
    return f"{shown}\n{block(below)}" if shown and below else shown


def stands_in(text: str, source: str) -> bool:
    """Return whether ``source`` holds ``text``, which may have been through ``standing``.

    Of words after a label, "--strict: Refuse it", it may hold the label in another place.
    """
    said, held = _rounded(text), _rounded(source)
    if said in held:
        return True
    parts = ((said[: at.start()], said[at.end() :]) for at in _LABEL.finditer(said))
    return any(label in held and words in held for label, words in parts)


def _rounded(text: str) -> str:
    return _FIGURES.sub(r"(\1)", one_line(text))


def _inert(text: str) -> str:
    """Return ``text``, which holds no code, so that it cannot act."""
    parts: list[str] = []
    end = 0
    for match in _AROUND_WORDS.finditer(text):
        parts += (_defused(text[end : match.start()]), f"[{_defused(match[1])}]")
        end = match.end()
    return "".join((*parts, _defused(text[end:])))


def _defused(text: str) -> str:
    return _ENTITY.sub("& ", _TAG.sub("‹", text.translate(_LOOK_ALIKE)))


def block(text: str) -> str:
    """Return ``text`` as inert lines of code, which no mark in them can end; possibly empty."""
    lines = (
        _FENCE.sub(lambda marks: "'" * len(marks[0]), visible(line, indented=True))
        for line in text.expandtabs(4).splitlines()
    )
    return "\n".join(lines).strip("\n")


def literal(text: str) -> str:
    """Return ``text``, whatever it is, as one line of Markdown that renders as it reads."""
    return escaped(plain(text))


def escaped(text: str, *, markers: bool = False) -> str:
    """Return one line of ``text`` as Markdown that renders as it reads.

    Args:
        text: One line.
        markers: Whether citation markers, code and bold words stay what they are. For an answer
            only.
    """
    text = _answer_escaped(text) if markers else _escaped(text)
    return _LIST_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[2] else f"{m[1]}{m[3]}\\{m[4]}", text)


def escaped_cell(text: str) -> str:
    """Return a cell of an answer, escaped as ``escaped`` does it: a bar ends one even in code."""
    return _BAR.sub(r"\\|", escaped(text, markers=True))


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _answer_escaped(text: str) -> str:
    return "".join(
        f"`{words}`" if form is Form.CODE else _beside_markers(words).join(_MARKS[form])
        for form, words in stretches(text)
    )


def _beside_markers(text: str) -> str:
    parts = MARKER.split(text)
    return "".join(f"[{part}]" if place % 2 else _escaped(part) for place, part in enumerate(parts))


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
