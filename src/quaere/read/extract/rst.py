"""Reads reStructuredText: what its marks show, with headings and tables as Markdown marks them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.grids import with_bars
from quaere.read.extract.markdown import marked
from quaere.read.extract.page import empty, make_page
from quaere.read.formats import Format, file_name
from quaere.text.clean import decode
from quaere.text.layout import indent_of

_ADORNMENT = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"\s*\.\.\s+(?:\|[^|\n]+\|\s+)?([\w:+.-]+?)::(?:\s+(.*))?$")
_DEFINED = re.compile(r"\s*\.\.\s+(?:_|\|)")
_NOTE = re.compile(r"\s*\.\.\s+(\[[^\]\n]+\]\s.*)$")
_EXPLICIT = re.compile(r"\s*\.\.(?:\s|$)")
_FIELD = re.compile(r"\s+:[\w -]+:(?:\s|$)")
_ANONYMOUS = re.compile(r"__ \S")
_OPEN_LINK = re.compile(r"`[^`<>]*$")
_REST_OF_LINK = re.compile(r"\s*+([^`<>]*<[^<>`]+>`__?\S*)\s*")
_LINE_BLOCK = re.compile(r"^(\s*)\|\s+(?=\S)")
_DEEPEST = 6
_UNSHOWN: Final = frozenset(
    ("contents", "toctree", "image", "figure", "raw", "include", "meta", "highlight", "index",
     "currentmodule", "module", "sectnum", "default-role", "role", "tabs", "only")
)  # fmt: skip
"""Directives of which a reader sees no words."""
_CODE: Final = frozenset(
    ("code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "doctest", "testcode",
     "prompt", "console", "math")
)  # fmt: skip
_SAID: Final = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "note": "Note:",
    "warning": "Warning:",
    "important": "Important:",
    "caution": "Caution:",
    "danger": "Danger:",
    "attention": "Attention:",
    "tip": "Tip:",
    "hint": "Hint:",
    "seealso": "See also:",
}
"""What is shown for a directive, before what is given to it."""


class RstExtractor:
    """Reads reStructuredText; the title is the first heading, else the name of the file.

    In a file of this machine links to the web stay, as Markdown writes them.
    """

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each line.

        Raises:
            ReadError: ``empty`` when there are no words.
        """
        lines = [line.rstrip() for line in decode(body.data, body.content_type).split("\n")]
        _pull_up(lines)
        shown = _Reader(lines, links=body.url.startswith("file:")).shown()
        if not any(map(str.strip, shown)):
            raise empty(body)
        text, marks = marked(_numbered(shown))
        heading = next((line.lstrip("# ") for line in shown if _is_heading(line)), "")
        title = heading or file_name(body.url).rpartition(".")[0]
        yield make_page(body, Format.RST, text, title=title, marks=marks)


def _pull_up(lines: list[str]) -> None:
    """Write links that go over two lines on the first of these."""
    for at in range(len(lines) - 1):
        rest = _REST_OF_LINK.match(lines[at + 1]) if "`" in lines[at] else None
        if rest and _OPEN_LINK.search(lines[at].replace("``", "")):
            lines[at] = f"{lines[at]} {rest[1]}"
            lines[at + 1] = lines[at + 1][rest.end() :]


def _numbered(shown: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers but rules of tables, of several empty ones the last."""
    for number, line in enumerate(shown, 1):
        if is_table_rule(line):
            continue
        if line or (number < len(shown) and shown[number]):
            yield number, line


def _is_heading(line: str) -> bool:
    return line.startswith("#") and line.lstrip("#").startswith(" ")


class _Heading(NamedTuple):
    """A heading: the line of its words, how it is adorned, and the lines that it takes."""

    at: int
    style: str
    lines: range


@dataclass(slots=True)
class _Reader:
    """Reads the lines of a file from first to last."""

    lines: Sequence[str]
    links: bool
    inline: Inline = field(init=False)
    levels: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.inline = Inline(self.lines, links=self.links)
        self.levels = {}

    def shown(self) -> list[str]:
        """Return what a reader sees of each line; as many lines as there are."""
        headings = list(_headings(self.lines))
        self.levels = _levels(headings)
        shown = with_bars(with_ruled_rows(self.lines))
        taken = {heading.lines.start: heading for heading in headings}
        at = 0
        while at < len(shown):
            if heading := taken.get(at):
                self._head(heading, shown)
                at = heading.lines.stop
            else:
                at = self._read(at, shown)
        return shown

    def _head(self, heading: _Heading, shown: list[str]) -> None:
        signs = "#" * self.levels[heading.style]
        words = self.inline.plain(self.lines[heading.at].strip())
        for at in heading.lines:
            shown[at] = ""
        shown[heading.at] = f"{signs} {words}" if words else ""

    def _read(self, at: int, shown: list[str]) -> int:
        """Write what is shown of the line ``at``, or of the block that it begins; return the next.

        Code is shown as it is.
        """
        line = shown[at]
        if _EXPLICIT.match(line) or _ANONYMOUS.match(line):
            return self._explicit(at, shown)
        shown[at] = self._text(line)
        if line.endswith("::"):
            return _end_of_block(self.lines, at)
        return at + 1

    def _text(self, line: str) -> str:
        if line.strip() == "::":
            return ""
        line = line.removesuffix(":") if line.endswith("::") else line
        is_row = line.startswith("|") and line.endswith("|")
        return self.inline.shown(line if is_row else _LINE_BLOCK.sub(r"\1- ", line))

    def _explicit(self, at: int, shown: list[str]) -> int:
        """Write what is shown of a directive, a comment, a note or a target; return the next line.

        What is said in a directive is read as all other text; code stays.
        """
        end, line = _end_of_block(self.lines, at), self.lines[at]
        directive = None if _DEFINED.match(line) else _DIRECTIVE.match(line)
        if note := _NOTE.match(line):
            shown[at] = self.inline.shown(note[1])
            return at + 1
        if directive is None or directive[1] in _UNSHOWN:
            shown[at:end] = [""] * (end - at)
            return end
        name, given = directive[1], directive[2] or ""
        is_code = name in _CODE
        told = "" if is_code else self._told(name, given)
        shown[at] = f"{line[: len(line) - len(line.lstrip())]}{told}" if told else ""
        after = at + 1
        while after < end and _FIELD.match(self.lines[after]):
            shown[after] = ""
            after += 1
        return end if is_code else after

    def _told(self, name: str, given: str) -> str:
        said = _SAID.get(name, "")
        words = self.inline.shown(given)
        if not words and said and said[-1] != ":":
            return ""
        return f"{said} {words}".strip()


def _end_of_block(lines: Sequence[str], at: int) -> int:
    """Return the line after the block that is indented below the line ``at``."""
    own = indent_of(lines[at])
    end = last = at + 1
    while end < len(lines) and (not lines[end].strip() or indent_of(lines[end]) > own):
        end += 1
        last = end if lines[end - 1].strip() else last
    return last


def _headings(lines: Sequence[str]) -> Iterator[_Heading]:
    at = 0
    while at < len(lines):
        heading = _overlined(lines, at) or _underlined(lines, at)
        if heading:
            yield heading
        at = heading.lines.stop if heading else at + 1


def _overlined(lines: Sequence[str], at: int) -> _Heading | None:
    """Return the heading between two rules of which the line ``at`` is the first."""
    rule = _ADORNMENT.match(lines[at])
    if rule is None or at + 2 >= len(lines) or not _may_head(lines[at + 1].strip()):
        return None
    is_closed = lines[at + 2] == lines[at]
    return _Heading(at + 1, rule[1] * 2, range(at, at + 3)) if is_closed else None


def _underlined(lines: Sequence[str], at: int) -> _Heading | None:
    """Return the heading whose words are in the line ``at``, which a rule underlines."""
    line = lines[at]
    if at + 1 >= len(lines) or indent_of(line) or not _may_head(line):
        return None
    rule = _ADORNMENT.match(lines[at + 1])
    before = lines[at - 1] if at else ""
    is_apart = not before.strip() or _EXPLICIT.match(before) or _ADORNMENT.match(before)
    if rule is None or not is_apart or len(lines[at + 1]) + 2 < len(line):
        return None
    return _Heading(at, rule[1], range(at, at + 2))


def _may_head(line: str) -> bool:
    return bool(line) and not _ADORNMENT.match(line) and not _EXPLICIT.match(line)


def _levels(headings: Sequence[_Heading]) -> dict[str, int]:
    """Return how deep headings of each style are, in the order in which the styles come.

    The first heading is the title of the page if no other is like it; else it heads a section.
    """
    styles = Counter(heading.style for heading in headings)
    first = headings[0].style if headings else ""
    top = 1 if styles[first] == 1 else 2
    return {style: min(depth, _DEEPEST) for depth, style in enumerate(styles, top)}


_LITERAL = re.compile(r"``([^`\n]+)``")
_LINK = re.compile(r"`([^`<>\n]+?)\s*<([^<>`\n]+)>`__?")
_NAMED = re.compile(r"`([^`\n]+)`__?(?!\w)")
_ROLE = re.compile(r":([\w:+-]{1,80}):`!?~?([^`<\n]+?)(?:\s*<[^`\n]*>)?`")
_SUBSTITUTED = re.compile(r"\|([^|\s](?:[^|\n]*[^|\s])?)\|(?:__?)?")
_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]*[^\s*\\])\*(?![\w*])")
_REFERENCE = re.compile(r"(?<![\w`])(\w[\w.-]{0,200}?)__?(?![\w`])")
_ESCAPE = re.compile(r"\\([^\w\s])")
_LEADING_FIELD = re.compile(r":([A-Z][\w -]{0,40}): ")
_REPLACED = re.compile(r"\s*\.\.\s+\|([^|\n]+)\|\s+replace::\s+(.+)$")
_SUBSTITUTION = re.compile(r"\s*\.\.\s+\|([^|\n]+)\|\s")
_TARGET = re.compile(r"\s*\.\.\s+_`?([^:`\n]+)`?:")
_TO_WEB = re.compile(r"(?:https?://|mailto:)[^()\s]+")
_PLAIN_ROLES = frozenset(("doc", "ref", "term", "pep", "rfc", "emphasis", "strong", "title", "sup"))


class Inline:
    """Shows lines of one file, whose targets and substitutions are known."""

    def __init__(self, lines: Iterable[str], *, links: bool) -> None:
        """Look for what the ``lines`` define.

        Args:
            lines: All lines of the file.
            links: Whether links to the web stay, as Markdown writes them.
        """
        self._links = links
        self._targets: set[str] = set()
        self._words: dict[str, str] = {}
        for line in lines:
            self._define(line)

    def _define(self, line: str) -> None:
        if not line.lstrip().startswith(".."):
            return
        if target := _TARGET.match(line):
            self._targets.add(target[1].casefold())
        if named := _SUBSTITUTION.match(line):
            replaced = _REPLACED.match(line)
            self._words[named[1]] = replaced[2] if replaced else ""

    def plain(self, line: str) -> str:
        """Return the words of ``line`` without any marks but those of code."""
        return self._shown(line, links=False)

    def shown(self, line: str) -> str:
        """Return what a reader sees of ``line``: code in back-ticks, and links as Markdown's."""
        return self._shown(line, links=self._links)

    def _shown(self, line: str, *, links: bool) -> str:
        parts: list[str] = []
        at = 0
        for code in _LITERAL.finditer(line):
            parts += (self._prose(line[at : code.start()], links=links), f"`{code[1]}`")
            at = code.end()
        parts.append(self._prose(line[at:], links=links))
        return "".join(parts).rstrip()

    def _prose(self, text: str, *, links: bool) -> str:
        """Return ``text``, which has no code, as it is shown."""
        text = _SUBSTITUTED.sub(self._substituted, text)
        text = _LINK.sub(lambda found: _linked(found, links=links), text)
        text = _NAMED.sub(r"\1", _ROLE.sub(_of_role, text))
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
        text = _REFERENCE.sub(self._referred, text) if "_" in text else text
        return _ESCAPE.sub(r"\1", _LEADING_FIELD.sub(r"\1: ", text, count=1))

    def _substituted(self, found: re.Match[str]) -> str:
        return self._words.get(found[1], found[0])

    def _referred(self, found: re.Match[str]) -> str:
        return found[1] if found[1].casefold() in self._targets else found[0]


def _linked(found: re.Match[str], *, links: bool) -> str:
    words, address = found[1].strip(), found[2]
    return f"[{words}]({address})" if links and _TO_WEB.fullmatch(address) else words


def _of_role(found: re.Match[str]) -> str:
    """Return the words of a role: of code in back-ticks."""
    is_plain = found[1].rpartition(":")[2] in _PLAIN_ROLES
    return found[2] if is_plain else f"`{found[2]}`"


_COLUMNS_RULE = re.compile(r"=+(?: +=+)+")
_RULE_RUN = re.compile(r"=+")
_MOST_TABLE_LINES = 500
"""Lines between two rules, at most: more are not a table."""


def with_ruled_rows(lines: Sequence[str]) -> list[str]:
    """Return ``lines``, the rows between rules such as ``=== ===`` with bars between their cells.

    There are as many as before, the rules among them as they were: citations tell a line's number.
    A row without a first cell continues the one before it.
    """
    shown = list(lines)
    rules = [at for at, line in enumerate(lines) if _COLUMNS_RULE.fullmatch(line)]
    for first, last in pairwise(rules):
        if last - first <= _MOST_TABLE_LINES and lines[first] == lines[last]:
            _write_rows(first, last, shown)
    return shown


def is_table_rule(line: str) -> bool:
    """Return whether ``line`` is a rule over several columns."""
    return _COLUMNS_RULE.fullmatch(line) is not None


def _write_rows(first: int, last: int, shown: list[str]) -> None:
    """Write the rows of ``shown`` between two rules, unless none is there."""
    starts = [run.start() for run in _RULE_RUN.finditer(shown[first])]
    row = 0
    for at in range(first + 1, last):
        if not shown[at].strip():
            continue
        cells = _cells(shown[at], starts)
        if row and not cells[0]:
            shown[row] = _joined(shown[row], cells)
            shown[at] = ""
        else:
            shown[at], row = _barred(cells), at


def _cells(line: str, starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], max(len(line), starts[-1])]
    return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _barred(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(row: str, cells: Sequence[str]) -> str:
    """Return ``row`` with what continues each of its cells."""
    before = [cell.strip() for cell in row.strip("| ").split(" | ")]
    if len(before) != len(cells):
        return row
    return _barred([f"{one} {more}".strip() for one, more in zip(before, cells, strict=True)])
