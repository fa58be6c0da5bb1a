"""The works that a look-alike of a service finds: fictional, and the same for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.contracts.search_provider import DOCUMENTS

from quaere.text.similarity import Bm25
from quaere.text.tokens import terms


@dataclass(frozen=True)
class Work:
    number: int
    title: str
    text: str
    day: str = "2021-05-03"

    @property
    def url(self) -> str:
        return f"https://library.example/works/{self.number}"

    @property
    def doi(self) -> str:
        return f"10.5555/vessel.{self.number}"


WORKS = tuple(Work(4100 + at, *pair) for at, pair in enumerate(DOCUMENTS.items()))
REPORTS = tuple(
    Work(7000 + n, f"Report {n}", f"Report {n} counts the basking turtles of Oss.", "2019-11-30")
    for n in range(260)
)
"""Enough for several pages; only a query for turtles finds them."""


class Shelf:
    """Finds works as search engines do: by any of the words, the best first."""

    def __init__(self, works: Iterable[Work] = (*WORKS, *REPORTS)) -> None:
        self.works = tuple(works)
        self._bm25 = Bm25([terms(f"{work.title} {work.text}") for work in self.works])

    def within(self, first: str = "", last: str = "", languages: Sequence[str] = ()) -> Shelf:
        """Keep to days, as YYYY-MM-DD, and languages; all works are in English."""
        if languages and "en" not in languages:
            return Shelf(())
        kept = (w for w in self.works if (first or w.day) <= w.day <= (last or w.day))
        return Shelf(kept) if first or last else self

    def operated(self, text: str) -> tuple[str, Shelf]:
        """Take the operators for sites out of ``text``, and keep to what they ask for."""
        only, without = (
            re.findall(r"(?<!-)\bsite:([\w.-]+)", text),
            re.findall(r"-site:(\S+)", text),
        )
        plain = re.sub(r"\(?-?site:[\w.-]+\)?(?: OR )?", " ", text)
        host = "library.example"
        out = (only and host not in only) or host in without
        return plain, Shelf(()) if out else self

    def find(self, text: str, start: int, count: int) -> Sequence[Work]:
        scores = self._bm25.scores(terms(text[:2_000]))
        best = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
        return [self.works[at] for at in best if scores[at] > 0][start : start + count]
