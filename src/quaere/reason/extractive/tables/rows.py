"""Answers over all rows of a table: which leads, which hold, how many and how much.

Every word of a question has to be accounted for by the table, and of two tables or columns that
fit alike none is chosen: what is asked for and is not there is not answered. A table that sets
things side by side, each in a column, is turned: each thing has a row then.

Of two tables one of which has the key of the other (orders with the number of a customer in each)
each row is read with the one that its key calls, so that one question may go over both: "Which town
did the kettle go to?".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, permutations
from typing import NamedTuple

from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.tables.about import about_answer, asks_about_table
from quaere.reason.extractive.tables.across import across_answer, asks_across, day_answer
from quaere.reason.extractive.tables.among_others import (
    asks_for_the_same,
    asks_likewise,
    neighbour_answer,
    row_named,
    same_answer,
    share_answer,
)
from quaere.reason.extractive.tables.as_listed import end_answer, set_aside
from quaere.reason.extractive.tables.asked import FOUND, SHOWN, TIMES, Blank, RowsAnswer
from quaere.reason.extractive.tables.calculated import LEVELS
from quaere.reason.extractive.tables.cell import asks_for_another_row
from quaere.reason.extractive.tables.columns import TOTALS, Column, Table, Type
from quaere.reason.extractive.tables.existence import existence_answer
from quaere.reason.extractive.tables.groups import compare_answer, each_answer, group_answer
from quaere.reason.extractive.tables.lexicon import (
    LEAST,
    MOST,
    PEOPLE,
    PLACES,
    base_of,
    degrees,
)
from quaere.reason.extractive.tables.margins import BY_HOW_MUCH, with_margin
from quaere.reason.extractive.tables.modes import asks_for_a_mode, mode_answer
from quaere.reason.extractive.tables.of_others import are_no_such, are_of_others
from quaere.reason.extractive.tables.opening import opening_answer
from quaere.reason.extractive.tables.pairs import pair_answer, pair_asked
from quaere.reason.extractive.tables.periods import listed_days, names_a_stretch, periods_in
from quaere.reason.extractive.tables.products import (
    asks_for_a_product,
    product_answer,
    worth_answer,
)
from quaere.reason.extractive.tables.reading import Reading
from quaere.reason.extractive.tables.reckoned import with_reckoned
from quaere.reason.extractive.tables.same_cells import asks_for_same_cells, same_cells_answer
from quaere.reason.extractive.tables.shares import counted_share
from quaere.reason.extractive.tables.slices import (
    distinct_answer,
    slice_answer,
    sorts_answer,
)
from quaere.reason.extractive.tables.timetables import (
    asks_for_a_time,
    asks_how_long,
    lasting_answer,
    time_answer,
)
from quaere.reason.extractive.tables.unpivoted import as_of_figures, unpivoted
from quaere.reason.extractive.tables.whole import tables_seen
from quaere.reason.extractive.tables.wording import Undecided, row_nouns
from quaere.text.languages.language import cached_by_language, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, stems_of, words

SPARED = 2
"""Words that may be left of a question whose row and column are named all the same."""
NEARLY = SURE - 0.1
"""Confidence in an answer to such a question."""
MOST_TABLES = 4
"""Tables of a page that are each told with what they answer, at most."""
MOST_JOINS = 12
"""Pairs of tables that are read as one, at most."""
LONGEST = 1_000
"""Characters of a question over rows, at most: a table has to account for each of its words."""
_ELSEWHERE = frozenset({Kind.REASON, Kind.MANNER})
_ALSO = lazy_regex(
    r"(?i)^(?P<main>[^?]+?),? and (?:(?:by|at|on) )?(?P<what>when|where|whom?|which days?)"
    r"(?: (?:was|were|is|are|did|do|does) (?:it|that|this|he|she|they|those))?"
    r"(?: (?:in|there|due|open|work|run|available|on))?\s*\?*$"
)
"""Asks for one thing more of the row that is asked for: "and when?"."""
_Way = Callable[[Table], RowsAnswer | None]
"""Reads a question in one way for a table."""
_OF_SOME_ROWS: Sequence[Callable[[str, Table], RowsAnswer | None]] = (
    opening_answer,
    slice_answer,
    distinct_answer,
    mode_answer,
)
"""Ways that a few rows of a table show to be open to a question."""
_OUTCOME = lazy_regex(
    r"(?i)\W*what (?:(?:happens|happened|becomes|became)\b|(?:should|must|ought)\b.*\bbe\W*$)"
)
"""Asks for an outcome: no column of a table is of that, whatever heads it."""


def asks_of_rows(question: str) -> bool:
    """Return whether the rows of a table might answer ``question``. English alone."""
    asked = last_question(question)
    if not is_english() or len(asked) > LONGEST or _OUTCOME.match(asked):
        return False
    return expected_kind(question) not in _ELSEWHERE or asks_for_a_mode(asked)


def table_query(question: str, seen: Pool, kinds: Collection[SourceKind]) -> tuple[Query, ...]:
    """Return a query for whole tables where ``question`` may be over the rows of one.

    Args:
        question: What was asked.
        seen: What the question itself has found: rows of a table that tells of all that is asked
            for, or nothing at all, for heads and cells are often in other words.
        kinds: Kinds of source that can be searched.
    """
    if SourceKind.FOLDER not in kinds or not asks_of_rows(question):
        return ()
    if seen.passages and not _may_be_of(last_question(question), tables_seen(seen)):
        return ()
    return (
        Query(
            text=f"table: {question}",
            intent=Intent.TABLE,
            purpose="the rows of the table that it is about",
            source_kinds=(SourceKind.FOLDER,),
        ),
    )


def _may_be_of(text: str, tables: Sequence[Table]) -> bool:
    """Whether ``text`` may be over the rows of one of the ``tables`` that were seen, or of another.

    What is first of all is seldom in a row that the words of the question find, be they in others.
    """
    if pair_asked(text) is not None or any(_tells_of(text, table) for table in tables):
        return True
    return bool(tables) and any(map(_is_superlative, text.split()))


def _is_superlative(word: str) -> bool:
    """Whether ``word`` asks what is first; in a name, as in "Best Buy", it does not."""
    plain = word.strip(",;:?")
    return plain.islower() and (plain in MOST | LEAST or base_of(plain, "est") in degrees())


def _is_worked_out(text: str) -> bool:
    """Whether ``text`` asks for what two cells or more come to, in words that none of them has."""
    ways = (
        asks_for_a_time,
        asks_how_long,
        asks_across,
        asks_for_a_product,
        asks_likewise,
        asks_about_table,
        asks_for_same_cells,
    )
    if any(asks(text) for asks in ways):
        return True
    return pair_asked(text) is not None or _ALSO.match(text) is not None


def _tells_of(text: str, table: Table) -> bool:
    """Whether each word of ``text`` may be about ``table``, of which some rows are known."""
    text, is_written = set_aside(text, table)
    if is_written or _is_worked_out(text):
        return True
    long = (each.long for each in unpivoted(text, table))
    try:
        readable = (turned(table) or with_reckoned(table), *long)
        if any(Reading(as_of_figures(text), each).may_be_answered() for each in readable):
            return True
        return any(way(text, table) is not None for way in _OF_SOME_ROWS)
    except Undecided:
        return True


def answer_over_rows(question: str, tables: Sequence[Table]) -> RowsAnswer | None:
    """Return what one of the ``tables`` answers; None where none does, or two do differently."""
    found = _answer(question, tuple(tables))
    return None if found and are_of_others(last_question(question), found) else found


@cached_by_language(maxsize=16)  # what settles a question is written out right afterwards
def _answer(question: str, tables: tuple[Table, ...]) -> RowsAnswer | None:
    if not asks_of_rows(question):
        return None
    text = last_question(question)
    pair = pair_asked(text)
    if pair is not None:
        compared = _answered_alike(text, partial(pair_answer, pair), tables)
        if compared or not pair.whether:
            return compared
    if (margin := BY_HOW_MUCH.search(text)) is not None:
        main = partial(_answered, f"{text[: margin.start()]}?")
        return (found := _answered_alike(text, main, tables)) and with_margin(found)
    also = _ALSO.match(text)
    if also is None:
        return _answered_alike(text, partial(_answered, text), tables) or _over_two(text, tables)
    found = _answered_alike(text, partial(_answered, also["main"]), tables)
    return _with(also["what"].casefold(), found) if found else None


def nearly_answered(question: str, tables: Sequence[Table]) -> RowsAnswer | None:
    """Return the cell of the row that ``question`` names, where a few words of it are in no table.

    These may tell no more than the others do, or ask for something else: the answer is not sure.
    """
    if not asks_of_rows(question):
        return None
    text = last_question(question)
    found = _answered_alike(text, partial(_nearly, text), tables)
    if found is None or are_no_such(text, found):
        return None
    return replace(found, confidence=NEARLY)


def _nearly(text: str, table: Table) -> RowsAnswer | None:
    text, _ = set_aside(text, table)
    if row_named(text, table) or asks_for_another_row(text):
        return None
    ways = (partial(opening_answer, spare=SPARED), partial(_read, spare=SPARED))
    found = (_tried(partial(way, text), table) for way in ways)
    return next(filter(None, found), None) or _of_rows_called_otherwise(text, table)


def _of_rows_called_otherwise(text: str, table: Table) -> RowsAnswer | None:
    """Return what ``table`` answers if its rows are what a noun of ``text`` says.

    Nothing in it says so: they are cars in mpg.csv, and may be so where all else fits.
    """
    for noun in row_nouns(text, table):
        called = replace(table, named=table.named | {noun})
        if _counts_all(text, called):
            continue
        found = _tried(partial(_answered, text), called)
        if found is not None and not _lists_all(found):
            return found
    return None


def _lists_all(found: RowsAnswer) -> bool:
    """Whether all rows are listed one after another: "What do apples cost?" of any goods."""
    is_whole = len(found.lines) == len(found.table.lines)
    return is_whole and found.kind is DirectKind.NUMBER and "; " in found.text


def _counts_all(text: str, table: Table) -> bool:
    """Whether all rows of ``table`` are counted, and nothing else is said."""
    try:
        asked = Reading(text, table)
        return not asked.held and asked.counts_rows()
    except Undecided:
        return False


def _answered_alike(text: str, way: _Way, tables: Sequence[Table]) -> RowsAnswer | None:
    """Return what ``tables`` answer to ``text`` in one ``way``; None where none does.

    Nor where two do differently, but for tables of one page: the one whose title has more of the
    question is meant, or else each.
    """
    told = (_tried(way, table) for table in tables)
    return _undisputed(list(filter(None, told)), frozenset(map(stem, words(text))))


def _over_two(text: str, tables: Sequence[Table]) -> RowsAnswer | None:
    """Return what rows of one table and those of another that they name answer together.

    None where many tables name rows of others: which are meant is hard to tell, and slow.
    """
    joined = list(islice(joins(tables), MOST_JOINS + 1))
    if len(joined) > MOST_JOINS:
        return None
    told = ((each, _tried(partial(_read, text), each.table)) for each in joined)
    both = (each.with_both(found) for each, found in told if found)
    return _undisputed(list(filter(None, both)), frozenset())


def _with(what: str, found: RowsAnswer) -> RowsAnswer:
    """Return ``found`` with when, where or who its one row is, if one column alone tells that."""
    table = found.table
    told = [column for column in table.columns if _tells(column, what, table)]
    told = [column for column in told if column.head not in found.columns]
    if not 1 <= len(found.lines) <= SHOWN or len(told) != 1:
        return found
    rows = [table.lines.index(line) for line in found.lines]
    cells = [told[0].cells[row] for row in rows]
    text = f"{found.text}, {cells[0]}"
    if len(rows) > 1:
        each = zip(map(table.called, rows), cells, strict=True)
        text = ", ".join(f"{name} ({cell})" for name, cell in each)
    columns = found.columns | {told[0].head}
    return replace(found, text=text, columns=columns) if all(cells) else found


def _tells(column: Column, what: str, table: Table) -> bool:
    if what.startswith(("when", "which")):
        return column.type in TIMES or bool(listed_days(column))
    if what == "where":
        return not PLACES.isdisjoint(column.stems)
    return column is not table.key and (column.has_people or not PEOPLE.isdisjoint(column.alike))


def blank_cell(question: str, tables: Sequence[Table]) -> Blank | None:
    """Return the empty cell that ``question`` asks for; None where a table answers, or none asks.

    What other rows have in that column, or that row in others, is then no answer.
    """
    if not asks_of_rows(question) or answer_over_rows(question, tables) is not None:
        return None
    text = last_question(question)
    return next((blank for table in tables if (blank := _blank(text, table))), None)


def _blank(text: str, table: Table) -> Blank | None:
    try:
        return Reading(text, table).blank()
    except Undecided:
        return None


def _undisputed(found: Sequence[RowsAnswer], said: frozenset[str]) -> RowsAnswer | None:
    """Return the answer that fits best to a question with the stems ``said``."""
    leading = _best(found, lambda answer: answer.fit)
    if _differ(leading) and _are_of_one_page(leading):
        leading = _best(leading, lambda answer: len(answer.table.entitled & said))
    if _differ(leading):
        return _of_each(leading)
    return leading[0] if leading else None


def _differ(found: Sequence[RowsAnswer]) -> bool:
    """Whether ``found`` say different things: two copies of a table differ in their names alone."""
    return len({answer.text.replace(answer.table.name, "") for answer in found}) > 1


def _best(found: Sequence[RowsAnswer], worth: Callable[[RowsAnswer], float]) -> list[RowsAnswer]:
    best = max(map(worth, found), default=0)
    return [answer for answer in found if worth(answer) == best]


def _are_of_one_page(found: Sequence[RowsAnswer]) -> bool:
    """Whether each of ``found`` is of a table of the same page, with a title of its own."""
    pages = {answer.table.pool.passages[answer.lines[0].owner].url for answer in found}
    titles = {answer.table.title for answer in found}
    return len(pages) == 1 and len(titles) == len(found) and all(titles)


def _is_cell(found: RowsAnswer) -> bool:
    is_told = found.kind in {DirectKind.NAME, DirectKind.NUMBER, DirectKind.DATE}
    return is_told and len(found.lines) == 1 and found.confidence == FOUND


def _of_each(found: Sequence[RowsAnswer]) -> RowsAnswer | None:
    """Return the cells that were ``found`` in one row each of tables of one page, with titles.

    None where they are of several pages or too many tables, or no cells of one row.
    """
    is_told = _are_of_one_page(found) and all(map(_is_cell, found))
    if len(found) > MOST_TABLES or not is_told:
        return None
    return replace(
        found[0],
        text="; ".join(f"{answer.text} ({answer.table.title})" for answer in found),
        lines=tuple(line for answer in found for line in answer.lines),
        columns=frozenset[str]().union(*(answer.columns for answer in found)),
    )


def _answered(text: str, table: Table) -> RowsAnswer | None:
    """Return what ``table`` answers in the first way that it does."""
    text, is_written = set_aside(text, table)
    if is_written and (found := _tried(partial(end_answer, text), table)):
        return found
    if asks_for_the_same(text):
        return same_answer(text, table)
    for way in (same_cells_answer, about_answer, counted_share, share_answer):
        if (told := way(text, table)) is not None:
            return told
    if row_named(text, table):
        return neighbour_answer(text, table, as_written=is_written)
    return _answered_in_any_way(text, table)


def _answered_in_any_way(text: str, table: Table) -> RowsAnswer | None:
    """Return what ``table`` answers in the first of the ways that are tried in turn."""
    ways = (
        distinct_answer,
        sorts_answer,
        time_answer,
        lasting_answer,
        opening_answer,
        across_answer,
        day_answer,
        worth_answer,  # before a column that counts the stock is read
        _over_periods,
        existence_answer,
        compare_answer,
        each_answer,
        group_answer,
        mode_answer,
        _read,
        product_answer,
        slice_answer,
        _over_figures,
    )
    return next(filter(None, (_tried(partial(way, text), table) for way in ways)), None)


def _read(text: str, table: Table, *, spare: int = 0) -> RowsAnswer | None:
    by_columns = turned(table)
    reading = Reading(text, by_columns or with_reckoned(table), spare=spare)
    found = reading.looked_up() if spare else reading.answer()
    return as_written(found, table) if found and by_columns else found


def _over_periods(text: str, table: Table) -> RowsAnswer | None:
    """Return what one row comes to over the months, days or quarters that head its columns."""
    periods = periods_in(table)
    tells_total = any(not TOTALS.isdisjoint(column.said) for column in table.columns)
    if not periods or (tells_total and not names_a_stretch(text)):
        return None
    found = Reading(text, _with_a_row_each(table, periods)).summed()
    return as_written(found, table) if found else None


def _over_figures(text: str, table: Table) -> RowsAnswer | None:
    """Return what single figures of a table of one measure answer, each read as a row."""
    plain = as_of_figures(text)
    for each in unpivoted(text, table):
        if found := _tried(partial(_of_figures, plain), each.long):
            return each.as_written(found)
    return None


def _of_figures(text: str, long: Table) -> RowsAnswer | None:
    reading, measured = Reading(text, long), long.columns[-1]
    adds_up = LEVELS.isdisjoint(measured.stems) and bool(reading.wording.heads(measured))
    return None if reading.asks_for_a_sum and not adds_up else reading.answer()


def _tried(way: _Way, table: Table) -> RowsAnswer | None:
    try:
        return way(table)
    except Undecided:
        return None


_OF_TRAITS = stems_of("feature property specification spec characteristic criterion detail")
_FEWEST = 2
"""Things, at least, that are set side by side."""


def turned(table: Table) -> Table | None:
    """Return ``table`` with a row for each of its columns; None where it is not so laid out."""
    first, *things = table.columns
    is_of_traits = not first.head.strip() or not _OF_TRAITS.isdisjoint(first.stems)
    if len(things) < _FEWEST or not (is_of_traits and all(c.type is Type.TEXT for c in things)):
        return None
    return _with_a_row_each(table, things)


def _with_a_row_each(table: Table, things: Sequence[Column]) -> Table:
    """Return ``table`` with a row for each of ``things``, and a column for each of its rows."""
    first = table.columns[0]
    names = Column(0, "model", tuple(column.head for column in things))
    traits = (
        Column(at + 1, cell, tuple(column.cells[at] for column in things))
        for at, cell in enumerate(first.cells)
    )
    # Until it is told, the head of its column stands for the line of each thing.
    lines = tuple(replace(table.lines[0], text=column.head) for column in things)
    return replace(
        table,
        columns=(names, *traits),
        lines=lines,
        totals=(),
        named=table.named | first.stems,
        by_columns=True,
        counted="columns",
    )


def as_written(found: RowsAnswer, table: Table) -> RowsAnswer:
    """Return what was ``found`` in a ``table`` read by its columns, with the rows as they are."""
    first, *things = table.columns
    rows = zip(table.lines, first.cells, strict=True)
    told = {line.text for line in found.lines}
    heads = {first.head, *(column.head for column in things if column.head in told)}
    lines = tuple(line for line, trait in rows if trait in found.columns)
    return replace(found, table=table, lines=lines or table.lines, columns=frozenset(heads))


_PLACES = stems_of("rank ranking position pos place no nr")


class Joined(NamedTuple):
    """A table with what another one tells of its rows."""

    table: Table
    """The first, with the columns of the other to the right of its own, and its names for keys."""
    other: Table
    rows: tuple[int, ...]
    """The row of the other table for each of its own."""

    def with_both(self, found: RowsAnswer) -> RowsAnswer | None:
        """Return what was ``found`` with its rows of both tables; None if it needs no other."""
        added = self.table.columns[-self.table.joined :]
        if found.columns.isdisjoint(each.head for each in (self.other.columns[0], *added)):
            return None
        own = [self.table.lines.index(line) for line in found.lines]
        more = dict.fromkeys(self.other.lines[self.rows[row]] for row in own)
        return replace(found, lines=(*found.lines, *more))


def joins(tables: Sequence[Table]) -> Iterator[Joined]:
    """Yield each of ``tables`` with each other one of which it has the key, if that tells more."""
    for own, other in permutations(tables, 2):
        keys = _of_keys(own, other)
        heads = {column.head for column in own.columns}
        more = [column for column in other.columns[1:] if column.head not in heads]
        if len(keys) == 1 and more:
            yield _joined(own, other, keys[0], more)


def _of_keys(own: Table, other: Table) -> list[Column]:
    """Return the columns of ``own`` that hold the key of ``other``, and of it alone.

    Where both tables number or rank their own rows, neither calls rows of the other.
    """
    key = other.columns[0]
    return [c for c in own.columns if c.stems == key.stems and _holds(c, key)]


def _holds(column: Column, key: Column) -> bool:
    """Whether each cell of ``column`` is one of ``key``, and by that calls one row."""
    is_key = len(set(key.filled)) == len(key.cells) and key.type not in TIMES
    are_numberings = all(map(_is_numbering, (column, key)))
    return is_key and not are_numberings and frozenset(key.cells).issuperset(column.cells)


def _is_numbering(column: Column) -> bool:
    is_place = column.type is Type.NUMBER and not column.stems.isdisjoint(_PLACES)
    return is_place or column.is_ordinal


def _joined(own: Table, other: Table, column: Column, more: Sequence[Column]) -> Joined:
    places = {cell: row for row, cell in enumerate(other.columns[0].cells)}
    rows = tuple(places[cell] for cell in column.cells)
    columns = list(own.columns)
    columns[columns.index(column)] = replace(column, cells=tuple(map(other.called, rows)))
    columns += (_joined_column(at, each, rows) for at, each in enumerate(more, len(columns)))
    table = replace(
        own,
        columns=tuple(columns),
        joined=len(more),
        named=own.named | other.named,
        name=own.name if own.name == other.name else f"{own.name} with {other.name}",
        totals=(),
    )
    return Joined(table, other, rows)


def _joined_column(at: int, column: Column, rows: Sequence[int]) -> Column:
    """Return ``column`` of another table as the column ``at``, with its cells of ``rows``."""
    return Column(at, column.head, tuple(column.cells[row] for row in rows))
