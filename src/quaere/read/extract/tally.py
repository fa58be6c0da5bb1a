"""Counts what became of the records of one body, and says so at its end."""

from __future__ import annotations

from quaere.ports import Body
from quaere.read.extract.page import broken, empty, name_of

_TOLD = 3


class Tally:
    """The records read and lost so far."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._good = 0
        self._lost = 0
        self._told: list[str] = []

    def good(self) -> None:
        """Count a record that was read."""
        self._good += 1

    def lost(self, place: str, why: object) -> None:
        """Count a record at ``place`` that could not be read; the first few are named."""
        self._lost += 1
        if len(self._told) < _TOLD:
            self._told.append(f"{place}: {why}")

    def close(self) -> None:
        """Say what is missing, if anything is.

        Raises:
            ReadError: ``broken`` when records were lost, ``empty`` when there were none.
        """
        if self._lost:
            more = "; ..." if self._lost > len(self._told) else ""
            raise broken(
                self._body,
                f"was read but for {self._lost} of {self._lost + self._good} records"
                f" ({'; '.join(self._told)}{more}); correct these",
            )
        if not self._good:
            raise empty(self._body)

    @property
    def name(self) -> str:
        """What to call the body."""
        return name_of(self._body)
