"""Text that is read line by line: settings of a configuration file, and entries of a log.

A line sets a name to a value (``port = 80``, ``port: 80``, ``listen 80;``), or opens what is set
under a name: a section, or a block that is indented or in braces. Formats are not told apart: what
they have in common suffices to know where a line ends and what is over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from quaere.text.layout import is_code
from quaere.text.lazy_regex import lazy_regex

FEWEST: Final = 2
"""Lines of a paragraph that set something or head a section, or entries of a log, at least."""
TYPED: Final = 0.5
"""Share of the names of settings, at least, that are written as names in programs are."""

_WORD = r"[A-Za-z_@$][\w.@/$-]{0,80}"
_KIND = r"(?:ENV|ARG|export|set|const|let|var|final|static|public|private|readonly|val|def)"
_PAIR = lazy_regex(
    rf"\s*(?:-\s+)?(?:{_KIND}\s+){{0,3}}[\"']?(?P<name>{_WORD}(?:\s[\w-]{{1,30}}){{0,2}})[\"']?"
    r"(?::\s?[A-Za-z][\w\[\], .|]{0,40}(?=\s=\s))?"
    r"\s{0,20}(?P<sign>=>|[:+?]=|=(?![=~])|:(?=\s|$))\s*(?P<value>.*)$"
)
"""May tell its type as well: "LIMIT: Final[int] = 5"."""
_DIRECTIVE = lazy_regex(
    rf"\s*(?P<name>{_WORD})\s+(?P<value>[^\s;{{}}][^;{{}}]{{0,200}});\s*(?:#.*)?$"
)
_CAMEL = lazy_regex(r"\s*(?P<name>[A-Z][a-z]+(?:[A-Z][a-z0-9]*+)++)\s+(?P<value>\S.{0,200})$")
_CAPITALS = lazy_regex(
    r"(?P<name>[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z][A-Z0-9]{2,}(?=\t))\s+(?P<value>\S{1,80})$"
)
_SHORT = lazy_regex(
    r"(?P<name>[a-z][a-z\d]*(?:[_-][a-z\d]+)*)\s+(?P<value>\d[\w.]*|yes|no|on|off|true|false)$"
)
_OPENER = lazy_regex(r"\s*(?P<name>[^\s{};][^{};]{0,120}?)\s{0,20}\{\s*$")
_INLINE = lazy_regex(r"\s*(?P<name>[^\s{};=:][^{};=:]{0,120}?)\s{0,20}\{(?P<value>[^{}]*)\}\s*$")
"""A block on one line: "events { connections 8; }"."""
_DEFINED = lazy_regex(
    rf"\s*(?:(?:async|export|pub|public|private|abstract|final|static)\s+){{0,3}}"
    rf"(?:class|def|enum|fn|func|function|impl|interface|struct|trait|type)\s+(?P<name>{_WORD})"
    r".*[:{]\s*$"
)
_BY_SIGN = (
    ("{", (_INLINE,)),
    ("=", (_PAIR,)),
    (":", (_PAIR,)),
    (";", (_DIRECTIVE,)),
    ("", (_CAPITALS, _SHORT, _CAMEL)),
)
"""How a line may set something that has the sign: most lines of prose have none of them."""
_SECTION = lazy_regex(r"\s*\[{1,2}(?P<name>[^\[\]]{1,80})\]{1,2}\s*(?:#.*)?$")
_ITEM = lazy_regex(r"\s*-\s+\S.*$")
_CLOSER = lazy_regex(r"\s*[})\]]+[;,]?\s*$")
_REMARK = lazy_regex(r"\s*(?:#|//|;|--\s|/\*|\*(?:\s|/|$)|$)")
_BEHIND = lazy_regex(r"(?:^|(?<=\s))(?:#|//|--)\s.*$")
"""A remark after a value."""
_QUOTED = lazy_regex(r"(?P<mark>[\"'])(?P<said>[^\"']*)(?P=mark)$")
_IS_TYPED = lazy_regex(r"[a-z$@_]|\w*[A-Z_]{2}|\w+[._/@$-]\w|[A-Z][a-z]+[A-Z]")
_UNSIGNED = lazy_regex(r"\s*#+(?=\w)")
"""What comments a setting out, where no space is before its name."""
_IS_NAME = lazy_regex(r"\w[._]\w")
_OPENS = ("", "{", "[", "(", "|", ">", "|-", ">-", "|+")
"""Values that are told in the lines below."""
_LOGGED = lazy_regex(
    r"\s*[\[(]?(?:\d{4}[-/]\d\d?[-/]\d\d?[T ,]\s?\d\d?:\d\d"
    r"|[A-Z][a-z]{2}\s{1,2}\d{1,2} \d\d:\d\d:\d\d\s"
    r"|\d\d?/[A-Z][a-z]{2}/\d{4}:\d\d:|\d\d:\d\d:\d\d[\s.,]|\S{1,40} - \S{1,40} \[\d\d?/)"
)
"""How an entry begins: with a day and a time, as of syslog and of web servers too."""


class Setting(NamedTuple):
    """What a line of a configuration file or a program sets."""

    start: int
    """Where in the text the line begins, without its indentation."""
    name: str
    value: str
    """As it is written, without quotation marks and what ends the line; empty for what is opened.
    """
    over: tuple[str, ...]
    """Names of the sections and blocks around it, the widest first."""
    in_force: bool = True
    """Whether it is not commented out."""


def are_settings(lines: Sequence[str]) -> bool:
    """Return whether the ``lines`` of one paragraph are settings, each by itself."""
    names, heads = list[str](), 0
    for line in lines:
        if _REMARK.match(line):
            continue
        if parts := _parts(line):
            names.append(parts[0])
        elif not _is_of_list(line):
            return False
        else:
            heads += _SECTION.match(line) is not None
    if not names or len(names) + heads < FEWEST:
        return False
    return sum(_IS_TYPED.match(name) is not None for name in names) >= TYPED * len(names)


def sets(line: str) -> bool:
    """Return whether ``line`` is a setting wherever it stands: "max_runs = 5", "#port 80"."""
    bare = _in_force(line)
    if "=" in bare and (found := _PAIR.match(bare)):
        return found["sign"] != ":" and _IS_NAME.search(found["name"]) is not None
    if ";" in bare and _DIRECTIVE.match(bare):
        return "_" in bare
    is_pair = len(bare.split(maxsplit=2)) == 2
    return is_pair and any(kind.match(bare) for kind in (_CAPITALS, _SHORT))


def are_logged(lines: Sequence[str]) -> bool:
    """Return whether ``lines`` are entries of a log, of which some may have lines of their own."""
    if not _LOGGED.match(lines[0]):
        return False
    count = sum(_LOGGED.match(line) is not None for line in lines)
    return count >= FEWEST and count >= TYPED * len(lines)


def without_time(line: str) -> str:
    """Return what an entry of a log says after its day and time; any other ``line`` as it is."""
    time = _LOGGED.match(line)
    return line[time.end() :].partition(" ")[2] if time else line


def settings(text: str) -> Iterator[Setting]:
    """Yield what the settings and the programs in ``text`` set and open, with the names over it."""
    opened: list[tuple[int, str]] = []
    start = 0
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        if are_settings(lines) or is_code(lines):
            yield from _read(lines, start, opened)
        else:
            yield from _among(lines, start)
        start += len(paragraph) + 2


def _among(lines: Sequence[str], start: int) -> Iterator[Setting]:
    """Yield the settings among lines of other kinds."""
    for line in lines:
        bare = _in_force(line)
        parts = _parts(bare) if sets(line) else None
        if parts is not None:
            begins = start + len(line) - len(line.lstrip())
            yield Setting(begins, *parts, over=(), in_force=bare == line)
        start += len(line) + 1


def _read(lines: Sequence[str], start: int, opened: list[tuple[int, str]]) -> Iterator[Setting]:
    """Yield what ``lines`` set; ``opened`` are the columns and the names of what is open."""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if section := _SECTION.match(line):
            opened[:] = [(-1, section["name"].strip())]
        elif _CLOSER.match(line):
            _close(opened, indent)
        elif parts := _parts(line):
            at = indent + _item_mark(line)
            _close(opened, at)
            yield Setting(start + indent, *parts, over=tuple(name for _, name in opened))
            if not parts[1]:
                opened.append((at, parts[0]))
        start += len(line) + 1


def _close(opened: list[tuple[int, str]], column: int) -> None:
    """Take from ``opened`` what a line at ``column`` is no longer within."""
    while opened and opened[-1][0] >= column:
        opened.pop()


def _item_mark(line: str) -> int:
    """Return the width of the mark of an item that ``line`` begins with."""
    said = line.lstrip()
    return len(said) - len(said[1:].lstrip()) if said.startswith("- ") else 0


def _in_force(line: str) -> str:
    """Return ``line`` without what comments it out."""
    sign = _UNSIGNED.match(line) if "#" in line else None
    return line[sign.end() :] if sign else line


def _is_of_list(line: str) -> bool:
    return any(kind.match(line) for kind in (_SECTION, _ITEM, _CLOSER))


def _parts(line: str) -> tuple[str, str] | None:
    """Return the name and the value that ``line`` sets; the value of an opened block is empty."""
    if opened := _DEFINED.match(line) or ("{" in line and _OPENER.match(line)):
        return opened["name"].rstrip(" :="), ""
    kinds = chain.from_iterable(kinds for sign, kinds in _BY_SIGN if sign in line)
    found = next(filter(None, (kind.match(line) for kind in kinds)), None)
    return (found["name"], _bare(found["value"])) if found else None


def _bare(value: str) -> str:
    """Return ``value`` without a remark after it, what ends it, and quotation marks around it."""
    said = value if value[:1] in "\"'" else _BEHIND.sub("", value)
    said = said.strip().rstrip(",;").rstrip()
    if said in _OPENS:
        return ""
    quoted = _QUOTED.match(said)
    return quoted["said"] if quoted else said
