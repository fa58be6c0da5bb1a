"""How plain text is laid out: paragraphs of code, and labels with what is said of them below.

Code is commands to type, or lines of a program. Manuals list their options as labels, with what is
said of them indented below, or behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import compress, filterfalse, groupby, pairwise, takewhile
from operator import not_
from typing import Final, NamedTuple

from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import STOP_WORDS

PROSE: Final = 0.12
"""Share of stop words among the words of lines from which they are prose: commands have hardly any.
"""

_PROMPT = lazy_regex(r"\s*(?:[$%]\s+\S|>>>\s|PS>\s|C:\\)")
_PROGRAM = lazy_regex(
    r"\s*(?:(?:import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|from\s+[\w.]+\s+import\s|def\s+\w+\(|class\s+\w+[(:]"
    r"|(?:const|let|var|export|alias|set)\s+[\w.$-]+\s*=)"
    r"|[\w.\[\]\"']+\s*(?:=|\+=|:=)\s*\S|[@}\])])|.*(?:[;{]|\)\)?;?|\\)\s*$"
)
_COMMENT = lazy_regex(r"\s*(?:#{1,6}(?:\s|$)|//|[`~\"']{3,}\w*\s*$)")
"""What does not tell whether the lines around it are code: comments, and marks of a block."""
_MARKS = ('"' * 3, "'" * 3)
_DOCUMENTS = lazy_regex(r"[rRuU]?(?P<mark>\"{3}|'{3})")
"""Where a string of several lines begins, which says in words what a program does."""
_LIST_ITEM = lazy_regex(r"\s*(?:[-*+•|]\s|\d{1,3}[.)]\s)")
_SHELL = lazy_regex(r"\s*(?:sudo\s+|\./|~/)?[a-z][\w.+/@-]*(?:\s+\S+)+\s*$")
_ALONE = lazy_regex(r"\s*(?:(?:\./|~/|/)?[a-z][\w.+/@-]*|[~.]?[\w-]{0,80}[/\\][\w./\\-]+)\s*$")
"""A command that is given nothing: "make", "./start", ".venv\\Scripts\\activate"."""
_CALLS = lazy_regex(
    r"\s*(?:sudo\s+)?(?:\./\w|(?:apt|apt-get|brew|bundle|cargo|cat|cd|chmod|cmake|conda|cp|curl|docker"
    r"|echo|gem|git|go|gradle|helm|kubectl|ls|make|mkdir|mv|mvn|ninja|node|npm|npx|pip3?|pnpm"
    r"|python3?|rm|ruby|sh|source|ssh|systemctl|tar|touch|uv|wget|yarn)(?:\s|$))"
)
"""How a line begins that calls what people build, install and start programs with."""
_SIGNS = lazy_regex(r"(?<!\S)-{1,2}[a-zA-Z]|[=|<>${}\\]|\w\(|\w/\w|\w\.\w|[@#]|\"[^\"]*\"\s*$")
_ENDS = lazy_regex(r"(?<!\.\.)[.!?,;:]\s*$")
_ASIDE = lazy_regex(r"\s#\s[^\n]*|\"[^\"\n]*\"|'[^'\n]*'")
"""A comment behind code, or words in quotation marks: what they say is not code."""
_WORD = lazy_regex(r"(?<!\S)[A-Za-z]+(?!\S)")


def is_code(lines: Sequence[str]) -> bool:
    """Return whether the ``lines`` of one paragraph are code rather than prose.

    Each looks like a command or like a line of a program, one has a sign that prose has not, all
    call one program or one of several calls a known one, and they hold no words that join others in
    sentences.
    """
    told = list(filter(_tells, _outside_strings(lines)))
    if not told or not all(map(_may_be_code, told)):
        return False
    if any(map(_PROMPT.match, told)):
        return True
    typed = list(filterfalse(_PROGRAM.match, told))
    if _are_joined("\n".join(typed)):
        return False
    return len(typed) < len(told) or _are_typed(typed)


def _are_typed(lines: Sequence[str]) -> bool:
    """Whether one of ``lines`` gives a command something, and one has a sign that prose has not.

    Or several begin with one word, or one of them with a known program: "make setup" above "make
    test", "cd pump" above "./start". A word alone, such as an address, tells nothing.
    """
    given = list(filterfalse(_ALONE.match, lines))
    if not given or any(map(_SIGNS.search, given)):
        return bool(given)
    are_of_one = len({line.split(maxsplit=1)[0] for line in lines}) == 1
    return len(lines) > 1 and (are_of_one or any(map(_CALLS.match, lines)))


def _outside_strings(lines: Sequence[str]) -> Iterable[str]:
    if not any(mark in line for line in lines for mark in _MARKS):
        return lines
    return compress(lines, map(not_, in_strings(lines)))


def _tells(line: str) -> bool:
    """Whether ``line`` tells if it and those around it are code."""
    return bool(line.strip()) and not _COMMENT.match(line)


def in_strings(lines: Sequence[str]) -> Iterator[bool]:
    """Yield of each of ``lines`` whether it is of a string in which a program says what it does."""
    mark = _open_before(lines)
    for line in lines:
        said = line.strip()
        opens = None if mark else _DOCUMENTS.match(said)
        yield bool(mark or opens)
        if opens is not None:
            mark = "" if opens["mark"] in said[opens.end() :] else opens["mark"]
        elif mark and mark in said:
            mark = ""


def _open_before(lines: Sequence[str]) -> str:
    """Return the mark of a string that has begun before ``lines`` and ends there; else nothing."""
    return next((mark for mark in _MARKS if _is_open_before(lines, mark)), "")


def _is_open_before(lines: Sequence[str], mark: str) -> bool:
    told = [line.strip() for line in lines if mark in line]
    if not told or sum(line.count(mark) for line in told) % 2 == 0:
        return False
    return told[0] == mark or (told[0].endswith(mark) and not told[0].startswith(mark))


def _are_joined(typed: str) -> bool:
    """Whether the words of what may be commands are joined to sentences by others."""
    said = _WORD.findall(_ASIDE.sub(" ", typed).casefold())
    joining = sum(word in STOP_WORDS for word in said)
    return joining > PROSE * len(said)


def _may_be_code(line: str) -> bool:
    if _LIST_ITEM.match(line):
        return False
    if _PROMPT.match(line) or (_PROGRAM.match(line) and not _ends_prose(line)):
        return True
    is_command = _SHELL.match(line) or _ALONE.match(line)
    return is_command is not None and not _ENDS.search(line)


def _ends_prose(line: str) -> bool:
    return line.rstrip().endswith((".", "?", "!"))


DEEPER: Final = 2
"""Columns by which what is said of a label is indented, at least."""
MOST_WORDS: Final = 12
"""Words of a label, at most: a longer line is a sentence that goes on."""
ROOM: Final = 0.8
"""Share of the width of a text below which a line with the next word on it would have stayed: it
ends early because it is a label."""

_OPTION = lazy_regex(r"\s*-{1,2}\w")
_NAME = lazy_regex(r"\s*(?:[A-Za-z]\w*(?:[._]\w+)+|[A-Z][A-Z\d]{2,})\s*")
"""A name of code by itself, such as a setting: "MAX_RUNS", "session.lifetime"."""
_ROW = lazy_regex(r"\s*-{1,2}[\w?]\S*(?: \S+)*(?P<gap> {2,}|\t[ \t]*)(?=\S)")
_ITEM = lazy_regex(r"\s*(?:[-*+•‣◦▪○●■□➢–—·]\s|\(?\d{1,3}[.)]\s|[>|#])")
_STATEMENT = lazy_regex(
    r"\s*(?:(?:(?:return|throw|const|let|var|else|static|await|yield)\b(?=[^\n]*[(){}=<>])"
    r"|(?:if|for|while|switch)\s*\(|#include\b|[\w.:>*&-]+\()[^\n]*[;{}]\s*\Z)"
)
"""A word of programs or a call, and the sign that ends a statement."""
_SIGNATURE = lazy_regex(
    r"\s*(?:(?:async )?def |class |[\w.]+ = )?[\w.]{1,80}\([^()]*+(?:\([^()]*+\)[^()]*+)*+\):?\s*+$"
)
"""How a function or a class is called, however long that is: "drain(tank, speed=3)"."""
_ENDS_EARLY = (":", ";", "!", "?", "|")


class Hanging(NamedTuple):
    """A label, ``text[start:end]``, and where what is said under it ends."""

    start: int
    end: int
    until: int


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def indent(self) -> int:
        return indent_of(self.text)

    @property
    def begin(self) -> int:
        return self.start + len(self.text) - len(self.text.lstrip())

    @property
    def end(self) -> int:
        return self.start + len(self.text.rstrip())


def described(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return, for each of ``lines``, where its label ends and where what is said of it begins.

    Those are rows of options: "-n, --dry-run   only say what would be done". Of all other lines
    both are 0. A line of prose may begin with an option as well: it stands below one that is
    indented alike.
    """
    found: list[tuple[int, int]] = []
    column = 0
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else ""
        is_prose = (
            bool(before.strip()) and indent_of(before) == indent_of(line) and not found[-1][1]
        )
        label, begins = (0, 0) if is_prose else _row(line, column)
        if begins and at + 1 < len(lines) and not _may_follow(lines[at + 1], line, begins):
            label, begins = 0, 0
        column = column_of(line, begins) or column
        found.append((label, begins))
    return found


def _row(line: str, column: int) -> tuple[int, int]:
    """Return where the label of a row ends and what is said begins, after one space at ``column``.

    Both are 0 where ``line`` is none.
    """
    if row := _ROW.match(line):
        return row.start("gap"), row.end()
    is_plain = column < len(line) and "\t" not in line
    is_full = is_plain and line[column - 1] == " " != line[column]
    if _OPTION.match(line) and column > indent_of(line) and is_full:
        return column - 1, column
    return 0, 0


def _may_follow(following: str, line: str, begins: int) -> bool:
    """Whether ``following`` continues what is said from column ``begins``, or is of another."""
    deep = indent_of(following)
    return (
        deep <= indent_of(line)
        or deep >= column_of(line, begins)
        or _OPTION.match(following) is not None
    )


def is_label(line: str, following: str, width: int, *, first: bool) -> bool:
    """Return whether ``line`` is a label, of which ``following``, indented deeper, tells.

    Args:
        line: A line of a text, with its indentation.
        following: The next line.
        width: Columns of the widest line around them.
        first: Whether ``line`` begins a stretch, in which case its own indentation is not known
            and it may be the end of a line of prose.
    """
    said = line.split()
    if not (said and _is_deeper(following, line, first=first)):
        return False
    if is_signature(line):
        return True
    if len(said) > MOST_WORDS:
        return False
    if _OPTION.match(line):
        return True
    if (first and _is_prose(said)) or _is_of_sentence(line, following):
        return False
    return len(line.rstrip()) + 1 + len(following.split(maxsplit=1)[0]) < ROOM * width


def is_signature(line: str) -> bool:
    """Return whether ``line`` is how a function or a class is called, and nothing else."""
    return _SIGNATURE.match(line) is not None


def is_statement(line: str) -> bool:
    """Return whether ``line`` is a statement of a program: "return fail(code);"."""
    return _SIGNATURE.match(line) is not None or _STATEMENT.match(line) is not None


def _is_deeper(following: str, line: str, *, first: bool) -> bool:
    indent = 0 if first else indent_of(line)
    return bool(following.strip()) and indent_of(following) - indent >= DEEPER


def _is_of_sentence(line: str, following: str) -> bool:
    """Whether ``line`` ends as a sentence or a part of one does, or goes on in ``following``."""
    if line.rstrip().endswith(_ENDS_EARLY):
        return True
    may_go_on = _ITEM.match(line) is not None or len(line.split()) > MOST_WORDS // 2
    return may_go_on and following.lstrip()[0].islower()


def indent_of(line: str) -> int:
    """Return the column at which ``line`` begins."""
    return column_of(line, len(line) - len(line.lstrip()))


def column_of(line: str, at: int) -> int:
    """Return the column at which the character ``at`` of ``line`` is shown: tabs fill up to 8."""
    return len(line[:at].expandtabs())


def _is_prose(said: Sequence[str]) -> bool:
    return any(word.casefold().strip(".,") in STOP_WORDS for word in said)


def hanging(text: str) -> list[Hanging]:
    """Return the labels of ``text`` in order; those of one that is part of another come later."""
    apart = _set_apart(text)
    if "\n  " not in text and "\n\t" not in text:
        return apart
    lines = _numbered(text)
    width = max(len(line.text) for line in lines)
    rows = described([line.text for line in lines])
    found = (
        _of_row(lines[at:], *row) if row[1] else _of_label(lines, rows, at, width)
        for at, row in enumerate(rows)
    )
    return sorted([*apart, *filter(None, found)])


_PARAGRAPH = lazy_regex(r"[^\n]+(?:\n[^\n]+)*+")
_OPTION_ALONE = lazy_regex(r"-[\w?](?:,? \S+)?|--[\w-]+(?:[ =]\S+)?")
_HEADING = lazy_regex(r"#{1,6} ")


class _Sort(Enum):
    """What a paragraph is."""

    OPTION = auto()
    """An option by itself."""
    HEADING = auto()
    TEXT = auto()


def _set_apart(text: str) -> list[Hanging]:
    """Return the options that are paragraphs by themselves, as a web page lists them.

    What is said of them are the paragraphs below, up to the next options or a heading.
    """
    if "\n\n" not in text or "-" not in text:
        return []
    runs = ((sort, list(run)) for sort, run in groupby(_PARAGRAPH.finditer(text), key=_sort))
    return [
        Hanging(options[0].start(), options[-1].end(), below[-1].end())
        for (first, options), (second, below) in pairwise(runs)
        if (first, second) == (_Sort.OPTION, _Sort.TEXT) and not text[below[0].start()].isspace()
    ]


def _sort(paragraph: re.Match[str]) -> _Sort:
    """Return what ``paragraph`` is."""
    if _OPTION_ALONE.fullmatch(paragraph[0]):
        return _Sort.OPTION
    return _Sort.HEADING if _HEADING.match(paragraph[0]) else _Sort.TEXT


def _of_label(
    lines: Sequence[_Line], rows: Sequence[tuple[int, int]], at: int, width: int
) -> Hanging | None:
    """Return the label that the line ``at`` ends, with what is said below; None where it is none.

    ``width`` are the columns of the widest line.
    """
    line, below = lines[at], _below(lines, at)
    if not below or not is_label(line.text, lines[below].text, width, first=at == 0):
        return None
    begun, last = _first_of_label(lines, rows, at), lines[-1]
    until = _until(lines[below:], last.start + len(last.text))
    return Hanging(begun.begin, line.end, until)


def _of_row(lines: Sequence[_Line], label: int, begins: int) -> Hanging:
    """Return the label of the row that the first of ``lines`` begins, with all that is said of it.

    The lines below that are indented like the words in the row belong to it.
    """
    first, *below = lines
    column = column_of(first.text, begins)
    deep = takewhile(lambda line: line.indent >= column and bool(line.text.strip()), below)
    until = max((line.end for line in deep), default=first.end)
    return Hanging(first.begin, first.start + label, until)


def _below(lines: Sequence[_Line], at: int) -> int:
    """Return the line that may describe the label ``at``; a blank one may come after an option.

    Or after a name of code. It is 0 for the last line.
    """
    if at + 1 == len(lines):
        return 0
    is_typed = _OPTION.match(lines[at].text) or _NAME.fullmatch(lines[at].text)
    is_apart = is_typed and not lines[at + 1].text.strip()
    return min(at + 2, len(lines) - 1) if is_apart else at + 1


def _numbered(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for line in text.split("\n"):
        lines.append(_Line(start, line))
        start += len(line) + 1
    return lines


def _first_of_label(lines: Sequence[_Line], rows: Sequence[tuple[int, int]], at: int) -> _Line:
    """Return the first line of the label that ends at ``at``: options stand below each other."""
    while at and not rows[at - 1][1] and _goes_on(lines[at - 1], lines[at]):
        at -= 1
    return lines[at]


def _goes_on(before: _Line, line: _Line) -> bool:
    if not before.text.strip() or before.indent != line.indent:
        return False
    both_options = _OPTION.match(before.text) and _OPTION.match(line.text)
    return before.text.rstrip().endswith(",") or bool(both_options)


def _until(below: Sequence[_Line], end: int) -> int:
    """Return where the lines end that are indented as deep as the first of ``below``, or deeper."""
    depth = below[0].indent
    last = below[0].end
    for line in below:
        if line.text.strip() and line.indent < depth:
            return last
        last = line.end if line.text.strip() else last
    return end


def label_over(labels: Sequence[Hanging], place: int) -> Hanging | None:
    """Return the innermost of ``labels`` under which ``place`` is."""
    over = [label for label in labels if label.end <= place < label.until]
    return over[-1] if over else None
