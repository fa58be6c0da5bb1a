"""Passages that count for the question, and how much."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Annotated, cast

from pydantic import Field, model_validator

from quaere.domain.url import source_keys
from quaere.domain.value import MessageText, PageText, Share, Value

NEUTRAL = 0.5
"""A part of a score that is unknown."""


class SiteKind(StrEnum):
    """The kind of site that a source comes from."""

    FOLDER = "folder"
    """A document of the user's own."""
    GOVERNMENT = "government"
    STANDARDS = "standards"
    JOURNAL = "journal"
    """Peer-reviewed work, at its publisher or in an index of such work."""
    PREPRINT = "preprint"
    UNIVERSITY = "university"
    ENCYCLOPEDIA = "encyclopedia"
    DOCUMENTATION = "documentation"
    NEWS = "news"
    FORUM = "forum"
    SOCIAL = "social"
    UNKNOWN = "unknown"


class Score(Value):
    """Why a passage stands where it stands; higher is better.

    ``total`` is the sum of the first five and orders the pool by what is asked. ``weighed`` is
    ``total`` with the parts from ``quality`` on, by the formula in `quaere.evidence.weights`.
    """

    relevance: float = 0.0
    """How much of the question's weight its words carry."""
    named: float = 0.0
    """Bonus when the question names its title."""
    inherited: float = 0.0
    """What it takes over from the passage that leads to it, where that makes it stand higher."""
    prior: float = 0.0
    """What its place in the results of a search adds, where word frequencies are unknown."""
    meaning: float = 0.0
    """What its nearness in meaning to the question adds, where there is an embedder."""
    total: float = 0.0
    quality: Share = NEUTRAL
    """How far its source can be relied on."""
    recency: Share = NEUTRAL
    """How well its date suits what the question needs."""
    completeness: Share = 0.0
    """How much of the checklist it has words for."""
    corroboration: Share = 0.0
    """From 0, nobody else says so, towards 1 with every independent origin that does."""
    contradiction: Share = 0.0
    """Share of the independent origins that say otherwise."""
    weighed: float = 0.0


class Lead(Value):
    """Something that a passage names and the question does not: where to look next."""

    name: Annotated[str, Field(min_length=1)]
    passage: str
    """Id of the passage that names it."""
    strength: float
    """How promising it is: the passage's score times how near the name stands to what is asked."""
    covered: tuple[str, ...] = ()
    """Words of the question that the passage, with what leads to it, covers already."""


class Evidence(Value):
    """One passage in the pool of a run. The text stays in the page store, under ``passage``."""

    id: Annotated[int, Field(ge=1)]
    """Given once, when the passage enters the pool, and never changed."""
    passage: str
    """Id of the passage in the page store."""
    url: str
    title: str
    locator: str = ""
    score: Score
    parent: str | None = None
    """Id of the passage that led to it."""
    iteration: Annotated[int, Field(ge=0)] = 0
    """The loop in which it was found first; 0 is the first look."""
    site: SiteKind = SiteKind.UNKNOWN
    remarks: tuple[str, ...] = ()
    """What speaks for and against its source, in words."""
    origin: Annotated[int, Field(ge=1)] | None = None
    """Lowest id among the evidence of the same independent origin; None before that is known."""

    @property
    def source(self) -> frozenset[str]:
        """What it shares with others of its source, as a reasoner that reads them tells it."""
        return source_keys(self.title, self.url)


def of_same_sources(ids: Collection[int], evidence: Iterable[Evidence]) -> tuple[int, ...]:
    """Return ``ids`` with all else of ``evidence`` that is from the same sources.

    A model that says a source bears on the answer names one of its passages, often the first, but
    has read them all.
    """
    entries = list(evidence)
    keys = frozenset[str]().union(*(entry.source for entry in entries if entry.id in ids))
    others = (entry.id for entry in entries if not keys.isdisjoint(entry.source))
    return tuple(dict.fromkeys((*ids, *others)))


class Difference(StrEnum):
    """How two statements contradict each other."""

    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    JUDGED = "judged"
    """A reasoner has read them so."""


class Contradiction(Value):
    """Two pieces of evidence in which a reasoner reads what cannot both be right."""

    ids: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]
    """Ids of the evidence, the lower one first."""
    item: str = ""
    """Id of the checklist item that both speak to; empty where it is not told."""
    what: str = ""
    """In what they differ, in a few words; empty where it is not told."""

    @model_validator(mode="before")
    @classmethod
    def _of_a_pair(cls, value: object) -> object:
        """Take a pair of ids, as runs that were begun before version 3 of the events have it."""
        return {"ids": cast("object", value)} if isinstance(value, (list, tuple)) else value


class Conflict(Value):
    """Two pieces of evidence that cannot both be right.

    Of different origins, unless a reasoner has read it.
    """

    item: str
    """Id of the checklist item that both speak to; empty when there is no checklist."""
    left: Annotated[int, Field(ge=1)]
    """Id of the evidence that more speaks for."""
    right: Annotated[int, Field(ge=1)]
    what: Difference
    note: MessageText
    """Both statements' words for it: "1902" against "1904"; or what a reasoner calls it."""
    left_says: PageText = ""
    """The sentence of the evidence that more speaks for; empty in logs before version 3."""
    right_says: PageText = ""


class Agreement(Value):
    """Who supports an answer to a checklist item and who contradicts it, by ids of evidence."""

    item: str
    """Id of the checklist item; empty when there is no checklist."""
    supports: tuple[int, ...] = ()
    contradicts: tuple[int, ...] = ()
    origins: Annotated[int, Field(ge=0)] = 0
    """Independent origins among those that support it."""
