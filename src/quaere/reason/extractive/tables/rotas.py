"""Rotas: who is on duty and who is not, where days head the columns, and who does what in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.reason.extractive.tables.columns import Column
from quaere.reason.extractive.tables.lexicon import named
from quaere.reason.extractive.tables.wording import Condition, Wording

_ASK = named("who how which is are was were does do did will")
_WHO = named("who whom whose")
_WORKING = named("work works working in available duty there here")
_RESTING = named("off free away absent")
_NO_DUTY = named("off free x - – — rest leave holiday away none")
"""What a cell says of somebody who is not on duty; an empty one says the same."""


def of_duty(wording: Wording, *, of_row: bool) -> Iterator[Condition]:
    """Yield whose cell under the day that is named has a duty, or has none, as is asked.

    Args:
        wording: The question.
        of_row: Whether it names a row: who has that duty on a day is then in its cell.
    """
    day = _day_asked(wording)
    if day is None:
        return
    off, working = _places(wording, _RESTING), _places(wording, _WORKING)
    is_of_duty = not of_row if wording.words[0] in _WHO else bool(off or working)
    if not is_of_duty:
        return
    denied = wording.deniers(off or working)
    wording.used.update(wording.heads(day), off, working, denied)
    yield Condition(day, _rows(day, working=bool(off) == bool(denied)), is_value=True)


def _day_asked(wording: Wording) -> Column | None:
    """Return the one day of a rota that is named by what opens as a question; None without one."""
    named_days = [day for day in wording.table.days if wording.heads(day)]
    if len(named_days) != 1 or not wording.table.is_rota or wording.words[0] not in _ASK:
        return None
    return named_days[0]


def _places(wording: Wording, said: frozenset[str]) -> list[int]:
    return [at for at, word in enumerate(wording.words) if word in said and at not in wording.used]


def _rows(column: Column, *, working: bool) -> frozenset[int]:
    told = enumerate(column.cells)
    return frozenset(row for row, cell in told if working == _is_duty(cell))


def _is_duty(cell: str) -> bool:
    plain = cell.strip().casefold()
    return bool(plain) and plain not in _NO_DUTY and "off" not in plain.split()


def in_roles(columns: Sequence[Column], row: int) -> str:
    """Return who is what in ``row``: "Ada Finch (Primary), Bo Marsh (Backup)"."""
    told = [(column.cells[row].strip(), column.head) for column in columns]
    return ", ".join(f"{who} ({head})" for who, head in told if who)
