"""Whether the figures and words of a sentence are in those rows and cells that it names.

A row and its neighbour have nearly the same words, and every figure of a table is somewhere in it.
What tells whether "lz4 compresses at 4500 MB/s" holds is the cell in the row of the one name and in
the column of the other. So a row is about the cell that labels it alone, as "label: words" is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from quaere.text.dates import Date
from quaere.text.inline import unmarked
from quaere.text.languages.language import cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.text.similarity import containment
from quaere.text.tables import cells, is_rule
from quaere.verify.align import content, stems
from quaere.verify.ground import Ground, ground
from quaere.verify.parts import Part, common, elements, segments
from quaere.verify.quantities import amounts, caption_scales, is_among, is_equal

Place = tuple[int, int]
"""Row and column of a cell."""


class _Table(NamedTuple):
    """A table: what names its columns and rows, and the figures in its cells."""

    columns: tuple[Part, ...]
    names: Sequence[Part]
    """The first cell of each row."""
    rows: tuple[Part, ...]
    numbered: Sequence[Sequence[Number]]
    """The figures in what names each row."""
    figures: Sequence[tuple[Place, Number]]


class Placed(Enum):
    """Where the figures of a sentence are in the tables of its sources."""

    OPEN = "open"
    """In none, or in cells that it does not name."""
    FITTING = "fitting"
    """Each in the one cell that it names by row and column."""
    ELSEWHERE = "elsewhere"
    """One of them in other cells only than those that it names."""
    OPPOSED = "opposed"
    """The same, where it names one cell alone."""


def placed(said: str, sources: Iterable[tuple[Ground, str]]) -> Placed:
    """Return where the figures of ``said`` stand; those outside of tables are not looked at.

    Args:
        said: A sentence.
        sources: Each text it cites, with the head of the table in whose middle it begins.
    """
    sources = tuple(sources)
    tables = [*chain.from_iterable(_tables(source.text, head) for source, head in sources)]
    if not tables:
        return Placed.OPEN
    told = [*chain.from_iterable(_counted(ground(_prose(each.text))) for each, _ in sources)]
    whole = _naming(said)
    ways = {
        _place(number, _naming(part), whole, tables)
        for part in segments(said)
        for number in _counted(ground(part))
        if not (is_among(number, told) or _labels(tables, number, whole))
    }
    return _first_of(_GRAVEST, ways)


def _first_of(order: Iterable[Placed], ways: Collection[Placed]) -> Placed:
    return next((way for way in order if way in ways), Placed.OPEN)


_GRAVEST: Final = (Placed.ELSEWHERE, Placed.OPPOSED, Placed.OPEN, Placed.FITTING)
"""What one figure comes to holds for its sentence before what another does."""


def _naming(text: str) -> Part:
    """Return what may name a row or a column: words, and what a figure counts or measures."""
    return elements(text) | frozenset(word.stem for word in content(text))


def _counted(text: Ground) -> Iterator[Number]:
    """Yield the amounts of ``text``, and its years; the figure of a name, as "HM-5", is none."""
    yield from (n for n in amounts(text) if not _IN_A_NAME.search(text.text[: n.start]))
    yield from (n for n in text.numbers if any(_is_year(n, date) for date in text.dates))


def _is_year(number: Number, date: Date) -> bool:
    return date.start <= number.start < date.end and number.value == date.year


def _labels(tables: Iterable[_Table], number: Number, said: Part) -> bool:
    """Return whether ``number`` belongs to the name of a row that ``said`` names."""
    return any(
        is_among(number, table.numbered[row])
        for table in tables
        for row in _named(table.rows, said)
    )


def _place(number: Number, part: Part, whole: Part, tables: Iterable[_Table]) -> Placed:
    """Return where ``number``, in a ``part`` of a sentence, stands."""
    return _first_of(_LIGHTEST, {_place_in(table, number, part, whole) for table in tables})


_LIGHTEST: Final = (Placed.FITTING, Placed.ELSEWHERE, Placed.OPPOSED)
"""What one table comes to holds before what another does."""


def _place_in(table: _Table, number: Number, part: Part, whole: Part) -> Placed:
    at = {place for place, other in table.figures if is_equal(number, other)}
    named = _named_cells(table, part, whole)
    if not (at and named):
        return Placed.OPEN
    is_there, is_one = not at.isdisjoint(named), len(named) == 1
    return _PLACED[is_there, is_one]


_PLACED: Final = MappingProxyType(
    {
        (True, True): Placed.FITTING,
        (True, False): Placed.OPEN,
        (False, True): Placed.OPPOSED,
        (False, False): Placed.ELSEWHERE,
    }
)
"""By whether a figure is in a cell that is named, and whether one alone is."""


def _named_cells(table: _Table, part: Part, whole: Part) -> set[Place]:
    """Return the cells with figures that a ``part`` of a sentence names by row, column or both.

    What it leaves out is taken from the ``whole`` sentence.
    """
    rows = _called(table, part, whole) or _named(table.rows, part) or _named(table.rows, whole)
    columns = _named(table.columns, part) or _named(table.columns, whole)
    if not (rows or columns):
        return set()
    return {
        (row, column)
        for (row, column), _ in table.figures
        if _fits(row, rows) and _fits(column, columns)
    }


def _fits(at: int, named: frozenset[int]) -> bool:
    return not named or at in named


def _called(table: _Table, part: Part, whole: Part) -> frozenset[int]:
    """Return the one row whose whole name a sentence has, where its ``part`` names no other.

    A name with commas in it is in several parts.
    """
    rows = {n: name for n, name in enumerate(table.names) if name and name <= whole}
    longest = [n for n, name in rows.items() if not any(name < other for other in rows.values())]
    if len(longest) != 1:
        return frozenset()
    others = part - rows[longest[0]]
    is_of_another = any(common(others, name) for name in table.names)
    return frozenset[int]() if is_of_another else frozenset(longest)


@cached_by_language(maxsize=1024)
def _named(labels: tuple[Part, ...], said: Part) -> frozenset[int]:
    """Return which of ``labels`` are named by what not all of them have.

    Of two of which one has all that is named of the other, and more, it is that one. It is asked
    of a whole sentence for each of its figures.
    """
    apart = _told_apart([common(said, label) for label in labels])
    told = frozenset(filter(None, apart))
    most = {each for each in told if not any(each < other for other in told)}
    return frozenset(n for n, each in enumerate(apart) if each in most)


def _told_apart(hits: Sequence[Part]) -> Sequence[Part]:
    """Return ``hits`` without what all of them have, where they are several."""
    if len(hits) < 2:
        return hits
    shared = frozenset[str].intersection(*hits)
    return [each - shared for each in hits]


@cached_by_language(maxsize=256)
def _tables(text: str, head: str) -> tuple[_Table, ...]:
    """Return the tables of ``text``, the first below ``head`` where it begins within one."""
    return tuple(_table(rows) for rows in _grids([head, *text.splitlines()]) if len(rows) > 2)


def _grids(lines: Iterable[str]) -> Iterator[list[list[str]]]:
    """Yield the rows of each table of ``lines``, its head first."""
    rows: list[list[str]] = []
    for line in chain(lines, [""]):
        row = cells(line)
        if row is None and rows:
            yield rows
            rows = []
        elif row is not None and not is_rule(line):
            rows.append(row)


def _table(grid: Sequence[Sequence[str]]) -> _Table:
    head, *rows = grid
    figures = [*_figures_of(head, rows)]
    columns = (frozenset[str](), *map(elements, head[1:]))
    numbered = [tuple(_counted(ground(row[0]))) for row in rows]
    names = [_naming(row[0]) for row in rows]
    return _Table(columns, names, tuple(map(_label, rows)), numbered, figures)


def _figures_of(
    head: Sequence[str], rows: Iterable[Sequence[str]]
) -> Iterator[tuple[Place, Number]]:
    """Yield the figures of ``rows``, but for those of their names, each with its place."""
    for place, row in enumerate(rows):
        for column, cell in enumerate(row[1:], 1):
            for number in _told_in(cell, head[column] if column < len(head) else ""):
                yield (place, column), number


def _told_in(cell: str, head: str) -> Iterator[Number]:
    """Yield the figures of ``cell``, and what each comes to in a column of "(million euros)"."""
    for number in _counted(ground(cell)):
        yield number
        for scale in caption_scales([head]):
            yield replace(number, value=number.value * scale, unit=_unit_in(head) or number.unit)


def _unit_in(head: str) -> str:
    """Return the unit that a column with ``head`` is in; empty where it names none."""
    told = _IN_HEAD.search(head)
    return next((n.unit for n in ground(f"1 {told['unit']}").numbers), "") if told else ""


_IN_A_NAME: Final = lazy_regex(r"[^\W\d_]-$")
_IN_HEAD: Final = lazy_regex(
    r"(?i)\((?:in )?(?:thousand|million|billion)s? (?:of )?(?P<unit>[^\W\d]+)\)"
)


def _label(row: Sequence[str]) -> Part:
    """Return what names ``row``: its first cell, and the others that have no figure."""
    others = (cell for cell in row[1:] if not any(_counted(ground(cell))))
    return frozenset[str]().union(elements(row[0]), *map(elements, others))


def _prose(text: str) -> str:
    """Return ``text`` without the rows of its tables."""
    return "\n".join(line for line in text.splitlines() if cells(line) is None)


_LABEL: Final = lazy_regex(r"\s*\W{0,2}(?P<label>[^\n:|.]{1,40}):\s+(?P<told>\S.+)\Z", re.DOTALL)
_CODE: Final = lazy_regex(r"\s*`(?P<name>[^`\s]{3,})`\s*\Z")
MORE: Final = 0.3
"""How much more another row must hold of what is said of a label than the label's own, as a
share of its words."""


def is_of_another_label(said: str, sources: Iterable[Ground]) -> bool:
    """Return whether ``said`` gives a label the words of another row.

    The label precedes a colon, as in "label: words", or is a name in code that one cell is made of.
    """
    rows = tuple(chain.from_iterable(map(_rows, sources)))
    parted = _labelled(said) or _named_in_code(said, rows)
    if parted is None or not all(parted):
        return False
    label, told = parted
    shares: dict[bool, float] = {}
    for row in rows:
        is_own, share = _share_in(row, label, told)
        shares[is_own] = max(share, shares.get(is_own, 0.0))
    return len(shares) == 2 and shares[True] + MORE <= shares[False]


_LIST: Final = lazy_regex(
    r"\s*\W{0,3}(?P<label>[^\n:|.,()]{1,40})(?:\((?P<more>[^\n:|()]{1,40})\))?"
    r":\s+(?P<told>[^:]+)\Z"
)


def is_of_another_list(said: str, sources: Iterable[Ground]) -> bool:
    """Return whether ``said`` has the label of one list, and else what is in another alone.

    As in "Present: Firth, Pell. Apologies: Reed", of which "Reed was present" has both.
    """
    lists = _lists_in(sources)
    every = stems([said])
    named = [(label, match) for match in lists if (label := _label_in(every, match))]
    if len(named) != 1 or ground(said).denies:
        return False
    label, here = named[0]
    rest = frozenset(word.stem for word in content(said) if word.weight == 1) - label
    told = [stems([match["told"]]) for match in lists if match is not here]
    is_there = bool(rest) and any(map(rest.issubset, told))
    return is_there and rest.isdisjoint(stems([here["told"]]))


def _lists_in(sources: Iterable[Ground]) -> list[re.Match[str]]:
    """Return the labels and words of the lines that list something after a label."""
    lines = (each.text[slice(*line.span)] for each in sources for line in each.lines)
    return list(filter(None, (_LIST.match(unmarked(line)) for line in lines)))


def _label_in(own: frozenset[str], heading: re.Match[str]) -> frozenset[str]:
    """Return the stems of the label of a list that are all in ``own``, or of its brackets."""
    labels = (stems([heading[group]]) for group in ("label", "more") if heading[group])
    return next((label for label in labels if label and label <= own), frozenset[str]())


def _labelled(said: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the stems of the label of ``said``, as in "label: words", and of the words."""
    found = _LABEL.match(unmarked(said))
    return (ground(found["label"]).terms, ground(found["told"]).terms) if found else None


def _named_in_code(
    said: str, rows: Iterable[Sequence[str]]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the stems of the one cell in code that ``said`` names, and those of the rest of it."""
    names = {match["name"] for cell in chain.from_iterable(rows) if (match := _CODE.match(cell))}
    found = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]
    if len(found) != 1:
        return None
    label = ground(found[0]).terms
    return label, ground(unmarked(said)).terms - label


def _share_in(
    row: Sequence[str], label: frozenset[str], told: frozenset[str]
) -> tuple[bool, float]:
    """Return whether ``row`` is that of ``label``, and what share of ``told`` it has besides."""
    own = next((n for n, cell in enumerate(row) if ground(cell).terms == label), None)
    others = [cell for n, cell in enumerate(row) if n != own]
    return own is not None, containment(told, ground(" ".join(others)).terms)


def _rows(source: Ground) -> Iterator[Sequence[str]]:
    """Yield the cells of every row of ``source`` with more than one, but for those of heads."""
    lines = source.text.splitlines()
    for line, below in pairwise([*lines, ""]):
        if len(row := cells(line) or ()) > 1 and not (is_rule(line) or is_rule(below)):
            yield row
