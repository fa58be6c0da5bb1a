"""Markdown: its words without its markup, each line still marked with its number in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quaere.domain.source import Page
from quaere.ports import Body
from quaere.read.charset import decode
from quaere.read.extract.page import About, empty, make_page
from quaere.read.extract.text import marked
from quaere.read.sniff import Kind, file_name

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)$")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|(-+))[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TABLE_RULE = re.compile(r"(?=.*--)[ \t:|-]++$")
_DEFINITION = re.compile(r" {0,3}\[[^\]]{1,200}\]:[ \t]*\S+")
_FIELD = re.compile(r"([A-Za-z_][\w-]{0,40})[ \t]*[:=][ \t]*(.*)$")
_YEAR_FIRST = re.compile(r"\d{4}-\d\d-\d\d")

# None of these looks further than the next sign of its own kind: the time taken stays linear.
_COMMENT = re.compile(r"<!--(?:(?!<!--|-->).)*+-->", re.DOTALL)
_TARGET = r"(?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]\n]*+\])"
_IMAGE = re.compile(rf"!\[([^\[\]\n]*+)\]{_TARGET}")
_LINK = re.compile(rf"\[([^\[\]\n]++)\]{_TARGET}")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]++)>")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*+(?:\s[^<>\n]*+)?>")
_STRONG = re.compile(r"(\*\*|__)(?=[^\s*_])([^\n*_]*[^\s*_])\1(?!\w)")
_EMPHASIS = re.compile(r"(?<![\w*_\\])([*_])(?=[^\s*_])([^\n*_]*[^\s*_])\1(?![\w*_])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKED = re.compile(r"[\[<*_`\\]")
_CODE = re.compile(r"(`{1,3})(?!`)[^`\n]++\1(?!`)")


class MarkdownExtractor:
    """Reads Markdown; title, author and date come from the front matter, else the first heading."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each line.

        Raises:
            ReadError: ``empty`` when there are no words.
        """
        source = decode(body.data, body.content_type)
        lines = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source).split("\n")
        fields = _take_front_matter(lines)
        shown = list(_plain(lines))
        text, marks = marked((line.number, line.text) for line in shown)
        if not text.strip():
            raise empty(body)
        heading = next((line.text.lstrip("# ") for line in shown if line.is_heading), "")
        title = fields.get("title") or heading or file_name(body.url).rpartition(".")[0]
        yield make_page(body, Kind.MARKDOWN, text, title=title, marks=marks, **_about(fields))


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    """In the file, from 1; 0 for the line before the first."""
    text: str
    is_heading: bool = False


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


def _plain(lines: Iterable[str]) -> Iterator[_Line]:
    """Yield what each line shows; of several that show nothing the last."""
    fence, begun = "", False
    waiting = _Line(0, "")
    for number, line in enumerate(lines, 1):
        if mark := _FENCE.match(line):
            fence = _toggled(fence, mark[1])
            shown = _Line(number, "")
        elif fence:
            shown = _Line(number, line.rstrip())
        elif (rule := _UNDERLINE.match(line)) and _can_be_heading(waiting.text):
            signs = "#" if rule[1] else "##"
            waiting = _Line(waiting.number, f"{signs} {waiting.text.strip()}", is_heading=True)
            shown = _Line(number, "")
        elif _TABLE_RULE.match(line) and waiting.text:
            continue
        else:
            shown = _shown(number, line)
        if waiting.text or (shown.text and begun):
            yield waiting
            begun = True
        waiting = shown
    if waiting.text:
        yield waiting


def _toggled(fence: str, mark: str) -> str:
    """Return the fence that is open after ``mark``: a block ends at its own kind only."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence


def _shown(number: int, line: str) -> _Line:
    """Return what a reader sees of ``line``; a heading keeps its number signs."""
    if heading := _HEADING.match(line):
        words = _inline(heading[2].rstrip().rstrip("#").rstrip())
        return _Line(number, f"{heading[1]} {words}", is_heading=bool(words))
    if _RULE.match(line) or _DEFINITION.match(line):
        return _Line(number, "")
    return _Line(number, _inline(line.rstrip()))


def _can_be_heading(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("#", "    ", ">", "|", "- ", "* "))


def _inline(line: str) -> str:
    """Return ``line`` without the marks of links, images, emphasis and tags, except in code."""
    if not _MARKED.search(line):
        return line
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(line):
        parts += (_words(line[at : code.start()]), code[0])
        at = code.end()
    parts.append(_words(line[at:]))
    return "".join(parts).rstrip()


def _words(text: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    return _ESCAPE.sub(r"\1", text)
