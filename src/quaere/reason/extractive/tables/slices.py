"""What is told whole of a table: a column or a row of a small one, its prices, or its sorts.

"How much do guests pay?" of prices for adults and children; "How much is it for children?" of
prices for members and guests. And where a column tells of which sort each row is, the sorts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import (
    CALCULATED,
    FOUND,
    LEAST_SAID,
    SHOWN,
    Asked,
    RowsAnswer,
    listing,
)
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.lexicon import LEAST, MOST, OF_MONEY
from quaere.reason.extractive.tables.wording import Wording, foremost
from quaere.text.dates import years_in
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stems_of

SIDE_BY_SIDE = 6
"""Rows or columns that are told side by side, at most."""


_COUNTS_THINGS = lazy_regex(
    r"(?i)\bhow many (?!(?:\w+ )?(?:euro|pound|dollar|penny|pence|cent|franc|crown|yen)s?\b)"
)
"""Asks for no price: "How many shops does Best Buy have?"."""


def slice_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return the prices of one row, or of one column, that ``text`` asks for without saying which.

    Where it names neither, those of all; None where more is said than the table tells.

    Raises:
        Undecided: when several rows could be meant.
    """
    prices = _prices(table)
    if not _are_a_list(prices, table) or _COUNTS_THINGS.search(text):
        return None
    asked = Asked(text, table)
    if not _asks_for_prices(text, asked, prices):
        return None
    told = _of_a_row(asked, prices) if asked.held else _of_columns(asked, prices)
    return told if told and asked.is_accounted() else None


def _prices(table: Table) -> list[Column]:
    return [column for column in table.of_type(Type.NUMBER) if may_be_money(column, table)]


def _are_a_list(prices: Sequence[Column], table: Table) -> bool:
    """Whether ``prices`` can be told side by side: a few, of a few rows, and no rates."""
    is_small = 0 < len(prices) <= SIDE_BY_SIDE and len(table.lines) <= SIDE_BY_SIDE
    return is_small and not any("%" in cell for column in prices for cell in column.cells)


def _asks_for_prices(text: str, asked: Asked, prices: Sequence[Column]) -> bool:
    """Whether ``text`` is of money; where each column has that of a year, of some rows or years."""
    if OF_MONEY.isdisjoint(asked.wording.stems):
        return False
    is_of_all = not (asked.held or years_in(text)) and len(asked.table.lines) > 1
    return not (is_of_all and (_are_of_years(prices) or _is_of_other_goods(asked)))


_OF_ENTRY = stems_of("ticket admission entrance")
_SAY_SO = _OF_ENTRY | stems_of(
    "entry entries fare fee visit visitor guest member adult child children student senior family"
    " concession pensioner youth infant person passenger"
)
"""What a list of prices of tickets has somewhere: that they are, or who buys them."""


def _is_of_other_goods(asked: Asked) -> bool:
    """Whether tickets are asked for, and nothing says that the table has prices of tickets."""
    table = asked.table
    told = table.written | table.beside | stems_of(" ".join(table.key.cells).casefold())
    return not _OF_ENTRY.isdisjoint(asked.wording.stems) and _SAY_SO.isdisjoint(told)


def _are_of_years(prices: Sequence[Column]) -> bool:
    """Whether each column has the amounts of one year: rows of these are not a price list."""
    return all(years_in(column.head) for column in prices)


def _of_a_row(asked: Asked, prices: Sequence[Column]) -> RowsAnswer | None:
    """Return what the one row that is named has in each of ``prices``, none of which is."""
    is_of_one = len(asked.rows) == 1 and all(each.is_row for each in asked.held)
    if not is_of_one or len(prices) < 2 or any(map(asked.wording.heads, prices)):
        return None
    (row,) = asked.rows
    told = [column for column in prices if not is_empty(column.cells[row])]
    asked.by += told
    answer = "; ".join(f"{column.head}: {asked.cell(column, row)}" for column in told)
    return asked.answered(DirectKind.NUMBER, answer, [row], CALCULATED)


def _of_columns(asked: Asked, prices: Sequence[Column]) -> RowsAnswer | None:
    """Return what each row has in the one of ``prices`` that is named, or else in all of them."""
    wording, table = asked.wording, asked.table
    named = [column for column in prices if wording.share_left(column) >= LEAST_SAID]
    if len(named) > 1 or table.key in prices:
        return None
    told = named or prices
    asked.by += told
    wording.used.update(wording.head_places(told))
    rows = list(_filled(told[0]))
    answer = "; ".join(f"{table.called(row)}: {_cells(asked, told, row)}" for row in rows)
    return asked.answered(DirectKind.NUMBER, answer, rows, CALCULATED) if rows else None


def _filled(column: Column) -> Iterator[int]:
    """Yield the rows in which ``column`` has something."""
    return (row for row, cell in enumerate(column.cells) if not is_empty(cell))


def _cells(asked: Asked, columns: Sequence[Column], row: int) -> str:
    """Return what ``row`` has in ``columns``, with their heads where there are several."""
    if len(columns) == 1:
        return asked.cell(columns[0], row)
    told = (column for column in columns if not is_empty(column.cells[row]))
    return ", ".join(f"{asked.cell(column, row)} ({column.head})" for column in told)


FEWEST = 2
"""Things that make a list."""
_ASKS = lazy_regex(
    r"(?i)\W*(?:which|what)\s+(?:(?:different|kinds? of|sorts? of|types? of)\s+)?"
    r"(?P<things>[a-z][\w-]*(?:\s[a-z][\w-]*)?)\s+"
    r"(?:are\s+(?:there|listed)|exist|(?P<now>are\s+(?:available|on offer|offered)"
    r"|do\s+(?:you|we|they)\s+(?:have|offer|sell|stock|run)))\W*\Z"
)
_GONE = lazy_regex(
    r"(?i)\W*(?:no|none|not? .*|0|taken|(?:fully )?booked|full|reserved|occupied|let|closed"
    r"|cancell?ed|unavailable|sold(?: out)?|out(?: of stock)?|discontinued)\W*"
)
"""A cell that says that there is none, or none left."""


def things_asked(text: str) -> frozenset[str]:
    """Return the stems of what ``text`` asks to be listed, "Which makes are there?"; else none."""
    asks = _ASKS.match(text)
    return stems_of(asks["things"]) if asks else frozenset()


def distinct_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return each different cell of the one column of ``table`` that is of what ``text`` asks.

    None where it asks what can be had, and a row tells of something that cannot.
    """
    things, asks = things_asked(text), _ASKS.match(text)
    if asks and asks["now"] and _says_gone(table):
        return None
    columns = [column for column in table.columns if things and column.stems == things]
    return _listed(columns[0], table) if len(columns) == 1 else None


OPENING = 6
"""Words within which a question says of which column it asks for the sorts."""
_WHICH = word_set("which what")
_TELLS_ORDER = MOST | LEAST | word_set("first last best worst next")


def sorts_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return each different cell of the column whose head ``text`` asks for, in the plural.

    "Which towns did the passengers come from?", where no rows are told apart and none leads.

    Raises:
        Undecided: when several columns could be meant.
    """
    asked = Asked(text, table)
    column = _column_of_sorts(asked.wording) if _asks_for_several(asked) else None
    if column is None:
        return None
    asked.by.append(column)
    asked.wording.used.update(asked.wording.heads(column))
    return _listed(column, table) if asked.is_accounted() else None


def _asks_for_several(asked: Asked) -> bool:
    """Whether "which" asks for several of all that there are, and for none that leads."""
    said = asked.wording.words
    if not _WHICH.issuperset(said[:1]) or asked.held:
        return False
    return _TELLS_ORDER.isdisjoint(said) and _are_several(said[1:OPENING])


def _column_of_sorts(wording: Wording) -> Column | None:
    """Return the one column of sorts whose head is said in the opening, the longest one."""
    able = [column for column in wording.table.columns if _tells_sorts(column, wording)]
    able = foremost(able, lambda column: float(len(column.stems)))
    return able[0] if len(able) == 1 else None


def _tells_sorts(column: Column, wording: Wording) -> bool:
    """Whether ``column`` tells of which sort rows are, and all of its head is said."""
    is_of_sorts = column.groups_rows and column.type is Type.TEXT
    is_asked = not column.stems.isdisjoint(wording.stems[1:OPENING])
    return is_of_sorts and is_asked and wording.share_left(column) == 1.0


def _are_several(said: Sequence[str]) -> bool:
    """Whether one of the words ``said`` is in the plural."""
    return any(word.endswith("s") and not word.endswith("ss") for word in said)


def _says_gone(table: Table) -> bool:
    return any(_GONE.fullmatch(cell) for column in table.columns for cell in column.cells)


def _listed(column: Column, table: Table) -> RowsAnswer | None:
    rows = list[int]()
    seen = {""}
    for row, cell in enumerate(column.cells):
        if (said := cell.strip().casefold()) not in seen:
            seen.add(said)
            rows.append(row)
    if not FEWEST <= len(rows) <= SHOWN:
        return None
    return RowsAnswer(
        kind=DirectKind.NAME,
        text=listing([column.cells[row] for row in rows]),
        table=table,
        lines=tuple(table.lines[row] for row in rows),
        columns=frozenset(each.head for each in table.columns),
        confidence=FOUND,
        fit=len(column.stems),
    )
