"""Makes the pages of one body's records, and tells at the end which records were lost."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.extract.records import Field, render
from quaere.read.sniff import Kind

_TOLD = 3


class RecordPages:
    """Makes a page of each record of ``body``, with the fragment and mark ``noun`` and number."""

    def __init__(self, body: Body, kind: Kind, noun: str) -> None:
        self._body, self._kind, self._noun = body, kind, noun
        self._name = name_of(body)
        self._good = self._lost = 0
        self._told: list[str] = []

    def page(self, number: int, fields: Iterable[Field]) -> Page | None:
        """Return the page of record ``number``; None when none of its fields has a value."""
        record = render(fields)
        if not record.text:
            return None
        self._good += 1
        place = f"{self._noun} {number}"
        return make_page(
            self._body,
            self._kind,
            record.text,
            title=record.title or f"{self._name} {place}",
            fragment=f"{self._noun}={number}",
            marks=(Mark(start=0, label=place),),
            author=record.author,
            published=record.published,
            language=record.language,
        )

    def lose(self, place: str, why: object) -> None:
        """Count the record at ``place`` as one that could not be read."""
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
