"""Lists what there is of a sort where a column of a table tells of which each row is."""

from __future__ import annotations

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import FOUND, SHOWN, RowsAnswer, listing
from quaere.reason.extractive.tables.columns import Column, Table
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stems_of

LEAST = 2
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


def _says_gone(table: Table) -> bool:
    return any(_GONE.fullmatch(cell) for column in table.columns for cell in column.cells)


def _listed(column: Column, table: Table) -> RowsAnswer | None:
    rows = list[int]()
    seen = {""}
    for row, cell in enumerate(column.cells):
        if (said := cell.strip().casefold()) not in seen:
            seen.add(said)
            rows.append(row)
    if not LEAST <= len(rows) <= SHOWN:
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
