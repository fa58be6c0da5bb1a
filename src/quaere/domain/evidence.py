"""Passages that count for the question, and how much."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quaere.domain.value import Value


class Score(Value):
    """Why a passage stands where it stands. ``total`` orders the pool; higher is better."""

    relevance: float = 0.0
    """How well it answers the query that found it, in the query's own terms."""
    inherited: float = 0.0
    """What it takes over from the passage that led to it."""
    named: float = 0.0
    """Bonus when the question, or a passage that leads here, names its title."""
    total: float = 0.0


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
    queries: tuple[str, ...] = ()
    """Texts of the queries that found it, in the order asked."""
    parent: str | None = None
    """Id of the passage that led to it."""
    iteration: Annotated[int, Field(ge=0)] = 0
    """The loop in which it was found first; 0 is the first look."""
