"""Markdown: its words without its markup, each line still marked with its number in the file.

Plain text is read the same way. Comments of configuration files and scripts are told by their words
without the number sign before them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from html.entities import html5
from itertools import accumulate, islice, pairwise, takewhile
from typing import Final

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract import asciidoc
from quaere.read.extract.cards import with_records
from quaere.read.extract.drawn_tables import undrawn, without_leaders, without_margin
from quaere.read.extract.grids import MOST_HEADS, all_heads, with_bars
from quaere.read.extract.page import About, empty, make_page, title_among
from quaere.read.formats import Format, file_name
from quaere.text.clean import clean_text, decode, join_lines
from quaere.text.inline import unescaped
from quaere.text.lazy_regex import lazy_regex
from quaere.text.raised import raised
from quaere.text.tables import cells, is_rule

# A mark weighs some 400 bytes; beyond this many lines only every second, third ... gets one.
_MAX_MARKS = 100_000


class TextExtractor:
    """Reads plain text; the page is called by its first line where that is a heading."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each line.

        Raises:
            ReadError: ``empty`` when there is nothing but white space.
        """
        lines = uncommented(decode(body.data, body.content_type).split("\n"))
        if body.url.endswith(asciidoc.SUFFIXES):
            lines = list(asciidoc.plain(lines))
        plain = without_margin([line.rstrip(_BLANKS) for line in lines])
        shown = with_bars(undrawn(without_leaders(join_lines(plain))))
        text, marks = marked(with_records(shown))
        if not text.strip():
            raise empty(body)
        yield make_page(body, Format.TEXT, text, title=_text_title(lines), marks=marks)


def _text_title(lines: Sequence[str]) -> str:
    """Return the heading that a plain text begins with; empty where it begins with a sentence.

    A heading is marked by number signs, underlined, or a short line of its own.
    """
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    line = lines[first].strip()
    if heading := _HEADING.match(line):
        return heading[2].strip("# \t")
    following = lines[first + 1].strip() if first + 1 < len(lines) else "."
    underlined = _UNDERLINE.match(following) is not None
    alone = not following and " " in line and line[-1:] not in _NO_HEADING_ENDS
    is_short = 3 <= len(line) <= _MAX_TITLE_CHARS and any(map(str.isalpha, line))
    return line if is_short and (underlined or alone) else ""


def marked(lines: Iterable[tuple[int, str]]) -> tuple[str, list[Mark]]:
    """Return numbered lines as one text, and a mark for each line, or every n-th of very many."""
    lines = list(lines)
    step = 1 + len(lines) // _MAX_MARKS
    starts = accumulate((len(line) + 1 for _, line in lines), initial=0)
    marks = [
        Mark(start=start, label=f"line {number}")
        for start, (number, _) in islice(zip(starts, lines, strict=False), 0, None, step)
    ]
    return "\n".join(line for _, line in lines), marks


_MAX_TITLE_CHARS = 80
_NO_HEADING_ENDS = frozenset(".,;:!。，；：！")

# One of an item of a list is indented with it.
_FENCE = lazy_regex(r"[ \t]*(`{3,}(?!.*`)|~{3,})")
_HEADING = lazy_regex(r" {0,3}(#{1,6})[ \t]++(.*)$")
_HEADING_TAG = lazy_regex(r"(?i)\s*<h1(?:\s[^<>]*+)?>(.*)</h1>\s*$")
_UNDERLINE = lazy_regex(r" {0,3}(?:(=+)|(-+))[ \t]*$")
_RULE = lazy_regex(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TABLE_RULE = lazy_regex(r"(?=.*--)[ \t:|-]++$")
_QUOTED = lazy_regex(r" {0,3}(?:>[ \t]?)+")
_BEGINS = lazy_regex(r"\s*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|\||```|~~~|\Z)|    ")
_BEGINS_ALONE = lazy_regex(r"#{1,6}\s|\||```|~~~|\[!\w+\]\s*\Z")
_DEFINITION = lazy_regex(r" {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]*\S+")
_NOTE_ITSELF = lazy_regex(r" {0,3}\[\^([^\[\]\s]{1,60})\]:[ \t]*")
_FIELD = lazy_regex(r"([A-Za-z_][\w-]{0,40})[ \t]*[:=][ \t]*(.*)$")
_YEAR_FIRST = lazy_regex(r"\d{4}-\d\d-\d\d")

# None of these looks further than the next sign of its own kind: the time taken stays linear.
_COMMENT = lazy_regex(r"<!--(?:(?!<!--|-->).)*+-->", re.DOTALL)
_TARGET = r"(?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]\n]*+\])"
_IMAGE = lazy_regex(rf"!\[([^\[\]\n]*+)\]{_TARGET}")
_LINK = lazy_regex(rf"\[([^\[\]\n]++)\]{_TARGET}")
_LINKED_CODE = lazy_regex(
    r"(?<!!)\[([^\[\]\n`]*+(?:`[^\[\]\n`]++`[^\[\]\n`]*+)++)\]"
    r"(?:\((?P<web>https?://|mailto:)?(?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]\n]*+\])",
    re.IGNORECASE,
)
_AUTOLINK = lazy_regex(r"<((?:https?://|mailto:)[^<>\s]++)>")
_TAG = lazy_regex(r"</?[A-Za-z][A-Za-z0-9-]*+(?:\s[^<>\n]*+)?>")
_RAISED = lazy_regex(r"(?i)<sup>([^<>\n]*+)</sup>")
_STRONG = lazy_regex(r"(\*\*|__)(?=[^\s*_])([^\n*_]*[^\s*_])\1(?!\w)")
_EMPHASIS = lazy_regex(r"(?<![\w*_\\])([*_])(?=[^\s*_])([^\n*_]*[^\s*_])\1(?![\w*_])")
_ENTITY = lazy_regex(r"(?<!\\)&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MARKED = lazy_regex(r"[\[<*_`\\&]")
_AS_MARKS = frozenset("|\n*_`[]#\\")
"""What is written as an entity to keep it from being a mark."""
_CODE = re.compile(r"(`{1,3})(?!`)[^`\n]++\1(?!`)")
_CODE_OR_NOTE = re.compile(rf"{_CODE.pattern}|\[\^([^\[\]\s]{{1,60}})\]")
_CODE_OR_LINK = re.compile(
    rf"{_CODE.pattern}|(?<!!)\[[^\[\]\n]++\]\((?:https?://|mailto:)[^()\s]++\)", re.IGNORECASE
)


class MarkdownExtractor:
    """Reads Markdown; title, author and date come from the front matter.

    Without it a heading is the title, as `_title` tells.

    In a file of this machine links to the web stay as they are written, but in headings: where they
    lead may be what is asked for. Of a page of the web their words stay alone.
    """

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each line.

        Raises:
            ReadError: ``empty`` when there are no words.
        """
        source = decode(body.data, body.content_type)
        lines = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source).split("\n")
        fields = _take_front_matter(lines)
        shown = list(_plain(undrawn(without_leaders(lines)), links=body.url.startswith("file:")))
        text, marks = marked((line.number, line.text) for line in shown)
        if not text.strip():
            raise empty(body)
        title = fields.get("title") or _title(shown) or file_name(body.url).rpartition(".")[0]
        yield make_page(body, Format.MARKDOWN, text, title=title, marks=marks, **_about(fields))


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    """In the file, from 1; 0 for the line before the first."""
    text: str
    is_heading: bool = False
    is_code: bool = False


def _title(shown: Sequence[_Line]) -> str:
    """Return the heading that is the title of the page; empty where none is."""
    first = next((line for line in shown if line.text.strip()), None)
    headings = [line.text for line in shown if line.is_heading]
    return title_among(headings, opens=first is not None and first.is_heading)


def _take_front_matter(lines: list[str]) -> dict[str, str]:
    """Blank the ``---`` or ``+++`` block at the top of ``lines``; return its plain fields."""
    fence = lines[0].rstrip()
    if fence not in ("---", "+++"):
        return {}
    end = next((n for n, line in enumerate(lines[1:200], 1) if line.rstrip() == fence), 0)
    block = lines[1:end]
    # Without a single field it is a rule at the top of an ordinary text.
    if not any(_FIELD.match(line) for line in block):
        return {}
    lines[: end + 1] = [""] * (end + 1)
    found = (match.groups() for line in block if (match := _FIELD.match(line)))
    return {name.lower(): value.strip().strip("\"'") for name, value in found}


def _about(fields: dict[str, str]) -> About:
    date = _YEAR_FIRST.match(fields.get("date", ""))
    language = fields.get("lang") or fields.get("language") or ""
    return About(
        author=fields.get("author", ""), published=date[0] if date else "", language=language[:2]
    )


def _plain(lines: Iterable[str], *, links: bool) -> Iterator[_Line]:
    """Yield what each line shows; of several that show nothing the last."""
    begun = False
    before: _Line | None = None
    for line in _headed(_with_one_head(list(_shown_lines(lines, links=links)))):
        if before and (before.text or (line.text and begun)):
            yield before
            begun = True
        before = line
    if before and before.text:
        yield before


def _headed(lines: Iterable[_Line]) -> Iterator[_Line]:
    """Yield ``lines`` with underlined ones made headings, and no rules under the rows of a table.

    Both are known by the line that follows.
    """
    before = _Line(0, "")
    for line in lines:
        rule = None if line.is_code else _UNDERLINE.match(line.text)
        if rule and _can_be_heading(before.text):
            signs = "#" if rule[1] else "##"
            yield _Line(before.number, f"{signs} {before.text.strip()}", is_heading=True)
            before = _Line(line.number, "")
        elif before.text and not line.is_code and _TABLE_RULE.match(line.text):
            continue
        else:
            yield before
            is_rule = not line.is_code and _RULE.match(line.text)
            before = _Line(line.number, "") if is_rule else line
    yield before


def _with_one_head(lines: Sequence[_Line]) -> Iterator[_Line]:
    """Yield ``lines`` with the heads of each table in one row.

    What more rows of heads are below its rule become rules, which are not shown.
    """
    at = 0
    while at < len(lines):
        rows = _rows_of_head(lines[at : at + MOST_HEADS + 1])
        heads, used = all_heads(rows) if rows else ([], 1)
        if used > 1:
            told = " | ".join(head.replace("|", "/") for head in heads)
            yield _Line(lines[at].number, f"| {told} |")
            yield lines[at + 1]
        else:
            yield lines[at]
        at += used if used == 1 else used + 1


def _rows_of_head(lines: Sequence[_Line]) -> list[list[str]]:
    """Return the first rows of the table that ``lines`` begin with, if its second is its rule."""
    match lines:
        case [head, rule, *others] if is_rule(rule.text) and not head.is_code:
            told = (cells(line.text) for line in (head, *others))
            return list(takewhile(bool, (each or [] for each in told)))
        case _:
            return []


def _shown_lines(lines: Iterable[str], *, links: bool) -> Iterator[_Line]:
    """Yield what a reader sees of each line, code untouched; a heading keeps its number signs.

    With ``links``, those to the web stay as they are written.
    """
    fence = ""
    lines = list(lines)
    notes = {note[1] for note in map(_NOTE_ITSELF.match, lines) if note}
    for number, line in enumerate(_unquoted(lines), 1):
        if mark := _FENCE.match(line):
            fence = _toggled(fence, mark[1])
            yield _Line(number, "")
        elif fence:
            yield _Line(number, line.rstrip(), is_code=True)
        else:
            told = _without_note_marks(line, notes) if notes else line
            yield _shown_line(number, told, links=links)


def _without_note_marks(line: str, notes: Container[str]) -> str:
    """Return ``line`` without the marks of ``notes``, which look like citations in an answer."""
    if note := _NOTE_ITSELF.match(line):
        line = line[note.end() :]
    return _CODE_OR_NOTE.sub(lambda found: "" if found[2] in notes else found[0], line)


def _shown_line(number: int, line: str, *, links: bool) -> _Line:
    """Return what a reader sees of a line outside of code."""
    if heading := _HEADING.match(line):
        words = _inline(heading[2].rstrip().rstrip("#").rstrip())
        return _Line(number, f"{heading[1]} {words}", is_heading=bool(words))
    if tagged := _HEADING_TAG.match(line):
        words = _inline(tagged[1]).strip()
        return _Line(number, f"# {words}", is_heading=bool(words))
    return _Line(number, "" if _DEFINITION.match(line) else _inline(line.rstrip(), links=links))


def _unquoted(lines: Iterable[str]) -> Iterator[str]:
    """Yield ``lines``, of those of a quoted paragraph the first alone with its mark."""
    fence = before = ""
    for line in lines:
        if mark := _FENCE.match(line):
            fence = _toggled(fence, mark[1])
        yield line if fence else _without_quote_mark(before, line)
        before = line


def _without_quote_mark(before: str, line: str) -> str:
    """Return ``line`` without ">" where it continues the quoted paragraph of the line ``before``.

    A list, a heading, a table and code begin anew, as does what stands below "[!NOTE]".
    """
    above, quoted = _QUOTED.match(before), _QUOTED.match(line)
    if above is None or quoted is None or above[0].count(">") != quoted[0].count(">"):
        return line
    said, told = before[above.end() :].strip(), line[quoted.end() :]
    is_new = not said or _BEGINS.match(told) or _BEGINS_ALONE.match(said)
    return line if is_new else told


def _toggled(fence: str, mark: str) -> str:
    """Return the fence that is open after ``mark``: a block ends at its own kind only."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence


def _can_be_heading(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("#", "    ", ">", "|", "- ", "* "))


def _inline(line: str, *, links: bool = False) -> str:
    """Return ``line`` without the marks of links, images, emphasis and tags, except in code."""
    if not _MARKED.search(line):
        return line
    line = _LINKED_CODE.sub(lambda link: link[0] if links and link["web"] else link[1], line)
    kept = _CODE_OR_LINK if links else _CODE
    parts: list[str] = []
    at = 0
    for whole in kept.finditer(line):
        parts += (_words(line[at : whole.start()]), whole[0])
        at = whole.end()
    parts.append(_words(line[at:]))
    return "".join(parts).rstrip()


def _words(text: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _RAISED.sub(lambda found: raised(found[1]), text)
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    if "&" in text:
        text = clean_text(_ENTITY.sub(_character, text))
    return unescaped(text)


def _character(entity: re.Match[str]) -> str:
    """Return the character that ``entity`` stands for, or ``entity`` where that may be a mark."""
    name = entity[0][1:]
    told = unescape(entity[0]) if name[0] == "#" or name in html5 else entity[0]
    return entity[0] if clean_text(told) in _AS_MARKS else told


_BLANKS: Final = " \t\r\f\v\u00a0"
FEWEST: Final = 3
"""Lines of comments below each other from which a file has comments rather than headings."""
MOST: Final = 0.5
"""Share of the lines with a number sign that have another right above or below them, from which
these are comments: headings have text between them."""
SAID: Final = 4
"""Words of a line without a space after its sign from which it is a sentence."""

_SIGNED = re.compile(r"[ \t]*#")
_REMARK = re.compile(r"(?P<indent>[ \t]*)#+(?P<space> ?)(?P<said>.*)")
_NO_WORDS = re.compile(r"\W*")
_DIRECTIVE = re.compile(r"#(?:!|(?:include|define|undef|if|ifdef|ifndef|elif|else|endif|pragma)\b)")
"""What follows the sign in a program: "#!/bin/sh", "#include <stdio.h>"."""
_SETTING = re.compile(
    r"\s*(?:[\w.-]+\s*=.*|[a-z][\w.-]*:\s+\S+|[\w.-]+\s+\S+"
    r"|(?:_*[^\W_]+[._-]\w|[A-Za-z][a-z]+[A-Z])[\w.-]*\s+\S+(?:\s+\S+){1,4})"
)
"""A name and what it is set to: "deny = 3", "port: 22", "Tunnel no", "tls-cert-file our.crt"."""
_ASSIGNED = re.compile(r"\w+(?:[._]\w+)+\s*=\s*\S")
_GAP = re.compile(r"\S(?: {2,}|\t)\S")
_ENDS: Final = (".", ":", ";", ",", "!", "?", ")")


def uncommented(lines: Sequence[str]) -> list[str]:
    """Return ``lines`` with comments as text, where a file has comments and no headings.

    Settings that are commented out stay as they are: they are not in force.
    """
    if not _has_comments(lines):
        return list(lines)
    return list(_shown(lines))


def _has_comments(lines: Sequence[str]) -> bool:
    marked = [_SIGNED.match(line) is not None for line in lines]
    beside = [a and b for a, b in pairwise((False, *marked, False))]
    together = sum(above or below for above, below in pairwise(beside))
    return together >= FEWEST and together >= MOST * sum(marked)


def _shown(lines: Sequence[str]) -> Iterator[str]:
    before = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        comment = _REMARK.fullmatch(line)
        if comment and _says(comment, before):
            before = comment["said"]
            is_over = following.strip() and not following.lstrip().startswith("#")
            yield f"{comment['indent']}{before}".rstrip() + ("\n" if is_over else "")
        else:
            before = ""
            yield line


def _says(comment: re.Match[str], before: str) -> bool:
    """Whether ``comment`` tells something, or parts what others tell; ``before`` is the last."""
    said = comment["said"]
    if _NO_WORDS.fullmatch(said):
        return not said.strip() or bool(comment["space"]) or "#" in said
    goes_on = bool(before) and not before.endswith(_ENDS)
    if _DIRECTIVE.match(comment[0].lstrip()) or _is_setting(said, goes_on=goes_on):
        return False
    count, ends = len(said.split()), said.endswith(_ENDS)
    if comment["space"]:
        return any((goes_on, ends, count > 1))
    is_sentence = count >= SAID and not _GAP.search(said)
    return any((is_sentence, before and ends, said[0].isspace()))


def _is_setting(said: str, *, goes_on: bool) -> bool:
    """Whether ``said`` is a setting; a sentence that ``goes_on`` may look like one."""
    if _ASSIGNED.match(said):
        return True
    if said.endswith(_ENDS) or (goes_on and len(said.split()) >= SAID):
        return False
    return _SETTING.fullmatch(said) is not None
