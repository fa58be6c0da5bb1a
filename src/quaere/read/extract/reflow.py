"""Makes running text of the lines that stand on printed pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quaere.text.tokens import is_stop_word

_HYPHENS = "\x02\ufffe"
"""What PDFium writes for a hyphen at the end of a line."""
_SPLIT_WORD = re.compile(rf"\b(\w++)([{_HYPHENS}]\n?|-\n|- )(\w++)")
_WORD = re.compile(r"\w+(?:-\w+)*")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_AS_WRITTEN = str.maketrans({**_LIGATURES, "\xa0": " "})
_PAIRED_QUOTES = re.compile("‘‘|’’|``")

_EDGE_LINES = 3
"""Running heads and feet are looked for among so many lines at either edge of a page ..."""
_NEIGHBOURS = 10
"""... of so many pages before and behind, for they change with the chapter ..."""
_RETURNS = 0.4
"""... and must return on this share of them, two at least: left and right pages may differ, while
what a few pages in a row share, such as the name above the tables of a balance, is their own."""
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)

_NEARBY_LINES = 3
_FULL = 0.75
"""A line at least this share of the column's width ended at the margin, not on purpose."""
_MIN_WIDTH = 25
_BULLET = re.compile(r"\s*[-–—•‣◦▪·*●■□¨]\s")
_ITEM = re.compile(r"\s*\(?(?:\d{1,3}|[a-zA-Z])[.)]\s")
_FIGURE = r"[-–(]*[$€£¥]?\d[\d.,]*[)%]*"
_ROW_END = re.compile(rf"\s(?:{_FIGURE}|[-–—])\s{_FIGURE}$|\s(?:\(|[$€£¥]\s?){_FIGURE}$")
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’»)\]]*$")


def reflow(pages: Sequence[str]) -> list[str]:
    """Return the text of ``pages``, one for one.

    Words divided at line ends are joined, running heads and feet left out, and lines that end at
    the margin joined with the next. Paragraphs have a blank line between them; rows of a table and
    other short lines follow each other.
    """
    whole = (_SPLIT_WORD.sub(" ", page) for page in pages)
    vocabulary = {word.lower() for page in whole for word in _WORD.findall(page)}
    lined = [_lines(_joined_words(page, vocabulary)) for page in pages]
    return [_joined(list(_paragraphs(lines))) for lines in _without_running_heads(lined)]


def _lines(text: str) -> list[str]:
    text = _PAIRED_QUOTES.sub('"', text.translate(_AS_WRITTEN))
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def _joined_words(text: str, vocabulary: set[str]) -> str:
    """Return ``text`` with divided words whole, for a ``vocabulary`` of those that are not divided.

    A hyphen stays where the document has it elsewhere, or has both parts as words and never as one.
    What comes behind the hyphen in capitals or figures was never one word with what is before it.
    """

    def whole(found: re.Match[str]) -> str:
        first, gap, second = found.groups()
        hyphened, joined = f"{first}-{second}", first + second
        if not second[0].islower() or not first[-1].isalpha():
            return found[0] if gap == "- " else hyphened
        if joined.lower() in vocabulary:
            return joined
        if gap == "- ":  # as in "two- and threefold"
            return found[0]
        is_compound = hyphened.lower() in vocabulary or {first.lower(), second} <= vocabulary
        return hyphened if is_compound else joined

    return _SPLIT_WORD.sub(whole, text)


def _without_running_heads(pages: Sequence[list[str]]) -> Iterator[list[str]]:
    """Yield the lines of each page without those that come back at the edge of its neighbours."""
    heads = [[_shape(line) for line in lines[:_EDGE_LINES]] for lines in pages]
    feet = [[_shape(line) for line in lines[: -_EDGE_LINES - 1 : -1]] for lines in pages]
    for number, lines in enumerate(pages):
        top, bottom = _repeated(heads, number), _repeated(feet, number)
        yield lines[top : max(top, len(lines) - bottom)]


def _shape(line: str) -> str:
    """Return ``line`` with its numbers made alike: page numbers differ from page to page."""
    return _NUMBER.sub("#", line)


def _repeated(edges: list[list[str]], number: int) -> int:
    """Return how many lines from the edge of page ``number`` are running heads."""
    around = (
        edges[max(0, number - _NEIGHBOURS) : number] + edges[number + 1 : number + 1 + _NEIGHBOURS]
    )
    count = 0
    for line in edges[number]:
        if sum(line in edge for edge in around) < max(2, _RETURNS * len(around)):
            break
        count += 1
    return count


def _joined(paragraphs: Sequence[tuple[str, bool]]) -> str:
    parts: list[str] = []
    after_text = False
    for paragraph, is_text in paragraphs:
        parts += ("\n\n" if is_text or after_text else "\n", paragraph)
        after_text = is_text
    return "".join(parts[1:])


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield ``lines`` joined where one goes on in the next; and whether it is running text."""
    parts: list[str] = []
    for number, line in enumerate(lines):
        parts.append(line)
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if not (after and _goes_on(line, after, _width(lines, number))):
            yield " ".join(parts), len(parts) > 1 or _SENTENCE_END.search(line) is not None
            parts = []


def _width(lines: Sequence[str], number: int) -> int:
    """Return the width of the column around line ``number``.

    That is the second longest line: PDFium takes two lines for one now and then.
    """
    near = lines[max(0, number - _NEARBY_LINES) : number + _NEARBY_LINES + 1]
    return sorted(len(line) for line in near)[-2]


def _goes_on(line: str, after: str, width: int) -> bool:
    """Whether ``after`` continues the paragraph of ``line``, and is no new item or table row."""
    if width < _MIN_WIDTH or _BULLET.match(after):
        return False
    ended = _SENTENCE_END.search(line) is not None
    if not ended and is_stop_word(line.rsplit(" ", 1)[-1]):
        return True
    if len(line) + 1 + len(after.split(" ", 1)[0]) < _FULL * width:
        return not ended and after[0].islower() and len(line) > width / 2
    if _ITEM.match(after):
        return not ended
    return after[0].islower() or not _ROW_END.search(line)
