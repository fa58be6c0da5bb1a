"""Tables of one measure under many heads, read with a row for each figure.

Rain by month and place, visitors by site and year: "Where did it rain least in May?" asks for a
head, "How much rain did Ashby get in the whole year?" for what a column comes to. English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from quaere.reason.extractive.tables.across import column_kind
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.columns import FIGURES, TOTALS, Column, Table, Type
from quaere.reason.extractive.tables.lexicon import PEOPLE, PLACES, heads_a_measure
from quaere.reason.extractive.tables.scales import UNITS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, word_set
from quaere.text.tokens import stem, words

_SUMMARIES = TOTALS | word_set("all average avg mean median overall year annual season")
"""Words in the heads of what others come to, next to which these are read."""
_FEWEST = 3
"""Columns of figures, at least, for their heads to be one kind of thing."""
_MOST_FIGURES = 600
"""Figures that are read so, at most."""
_NAME = lazy_regex(r"[^\W\d_a-z][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3}")
_SCALE = lazy_regex(
    r"(?i)\((?:in )?(?P<bracketed>[^()]*\b(?:thousand|million|billion)s?\b[^()]*)\)"
    r"|\b(?:(?:are|is|stated) )?in (?P<plain>(?:thousand|million|billion)s?"
    rf"(?: (?:of )?(?:us )?(?:{UNITS}))?)\b"
)
_BY = lazy_regex(r"(?i)\s+(?:by|per|for each)\s[^()]*$")
"""By what a caption says that figures are told apart: "by city and year"."""
_OPENING = lazy_regex(r"(?i)\W*(?:(?:in|at|on|for|during) )?(?:which|what) (?P<noun>[a-z]+)")
_WHOLE = lazy_regex(
    r"(?i)\b(?:in|over|during|for|throughout) (?:the|a) (?:whole|entire|full) ([a-z]+)\b"
    r"|\b(?:all|across all) (?:of )?(?:the |our )?([a-z]+s)\b"
)
"""Asks for what all rows or columns come to."""
_IN_WHICH = lazy_regex(
    r"(?i)^\W*(?:is|was|does|did|has|will) (?:it|there)(?: (?:be|been|rain|rained|snow|snowed))?"
    r" (?P<more>\w+er|more(?: \w+)?|less(?: \w+)?) in (?P<one>[^?]{1,60}?) or (?:in )?"
    r"(?P<other>[^?]{1,60}?)(?P<rest> in [^?]{1,60})?\?*$"
)
"""Asks in which of two places or times there is more: "Is it warmer in Rome or in Oslo in May?"."""
_PLACE: Final = "place"
_MONTHS = {name[:3]: name.capitalize() for name in MONTHS}
"""What heads of three letters are short for."""


@dataclass(frozen=True)
class Unpivoted:
    """A table as it is written, and with a row for each of its figures."""

    wide: Table
    long: Table
    """Its first two columns tell where a figure stands, the third has the figures."""
    heads: tuple[tuple[int, str], ...]
    """Where each figure stands: its row, and what heads its column."""

    def as_written(self, found: RowsAnswer) -> RowsAnswer:
        """Return what was ``found`` among the figures, with their rows and columns."""
        told = [self.heads[self.long.lines.index(line)] for line in found.lines]
        rows = sorted({row for row, _ in told})
        return replace(
            found,
            table=self.wide,
            lines=tuple(self.wide.lines[row] for row in rows),
            columns=frozenset({self.wide.columns[0].head, *(head for _, head in told)}),
        )


def as_of_figures(text: str) -> str:
    """Return ``text`` as it is asked of figures.

    With "total" for what says that all of something is meant, and as a choice what asks whether
    more is in one place or in another.
    """
    text = _IN_WHICH.sub(r"which is \g<more>, \g<one> or \g<other>\g<rest>?", text)
    return _WHOLE.sub(lambda found: f"in total {found[2] or ''}", text)


def unpivoted(text: str, table: Table) -> Iterator[Unpivoted]:
    """Yield ``table`` with a row for each figure, called by what ``text`` does not name of it."""
    key, *others = table.columns
    figures = [c for c in others if _SUMMARIES.isdisjoint(c.said)]
    is_able = key.type in {Type.TEXT, Type.DATE} and _are_filled(figures)
    if is_able and (kind := _kind_of(text, key, figures)):
        named = [_MONTHS.get(c.head.strip(" .").casefold(), c.head) for c in figures]
        heads = Column(1, kind, tuple(named) * len(table.lines))
        keys = replace(key, cells=tuple(cell for cell in key.cells for _ in figures))
        ways = [(keys, heads), (heads, keys)]
        for first, second in reversed(ways) if _names_one(text, key) else ways:
            yield _long(table, figures, first, second)


def _names_one(text: str, column: Column) -> bool:
    """Return whether ``text`` names one cell of ``column``, and so asks for no choice of them."""
    said = frozenset(words(text))
    return sum(said.issuperset(words(cell)) for cell in set(column.filled)) == 1


def _is_named(text: str, column: Column) -> bool:
    return column.stems.issubset(map(stem, words(text)))


def _is_of_times(key: Column) -> bool:
    """Whether the cells of ``key`` are dates, or months or other times by their names."""
    told = [Column(0, cell, ()) for cell in key.filled]
    return key.type is Type.DATE or bool(column_kind(told))


def _are_filled(figures: Sequence[Column]) -> bool:
    """Whether there are several columns of ``figures``, not too many, and none has a gap."""
    cells = [value for column in figures for value in column.values]
    is_able = len(figures) >= _FEWEST and len(cells) <= _MOST_FIGURES and None not in cells
    return is_able and all(column.type is Type.NUMBER for column in figures)


def _kind_of(text: str, key: Column, figures: Sequence[Column]) -> str:
    """Return what the heads of ``figures`` are, in a word; nothing where they are no such things.

    They are years, quarters, months or days, or names, and then what ``text`` asks for.
    """
    if kind := column_kind(figures):
        return kind
    if not all(map(_is_headed_by_a_name, figures)):
        return ""
    if not (_is_of_times(key) or _names_one(text, key) or any(_is_named(text, c) for c in figures)):
        return ""  # rows may be meant as well as heads
    return _noun_for_names(text, key)


def _is_headed_by_a_name(column: Column) -> bool:
    return _NAME.fullmatch(column.head.strip()) is not None and not heads_a_measure(column.stems)


def _noun_for_names(text: str, key: Column) -> str:
    """Return what ``text`` asks for, if it may have such names; else that they are places."""
    asked = _OPENING.match(text)
    noun = asked["noun"].casefold() if asked else ""
    able = (kinds for kinds in (PEOPLE, PLACES) if kinds.isdisjoint(key.stems))
    return noun if any(stem(noun) in kinds for kinds in able) else _PLACE


def _long(table: Table, figures: Sequence[Column], first: Column, second: Column) -> Unpivoted:
    """Return ``table`` with a row for each of its ``figures``, called by the cells of ``first``."""
    places = tuple((row, c.head) for row in range(len(table.lines)) for c in figures)
    values = tuple(c.cells[row] for row in range(len(table.lines)) for c in figures)
    lines = (replace(table.lines[row], text=f"{row}: {head}") for row, head in places)
    measured = Column(2, _measure(table), values, scale=figures[0].scale)
    long = replace(
        table,
        columns=(replace(first, at=0), replace(second, at=1), measured),
        named=table.named - measured.alike,
        lines=tuple(lines),
        totals=(),
        counted=FIGURES,
    )
    return Unpivoted(table, long, places)


def _measure(table: Table) -> str:
    """Return what the figures of ``table`` are of, as its caption, its title or its name says."""
    told = table.title or table.name.rpartition(".")[0].replace("_", " ")
    scale = _SCALE.search(told)
    plain = _BY.sub("", _SCALE.sub(" ", told)).strip(" .")
    return f"{plain} ({scale['bracketed'] or scale['plain']})" if scale else plain
