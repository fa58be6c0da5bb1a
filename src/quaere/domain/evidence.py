"""Passages that count for the question, and how much."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quaere.domain.value import Value


class Score(Value):
    """Why a passage stands where it stands. ``total`` orders the pool; higher is better."""

    relevance: float = 0.0
    """How much of the question's weight its words carry."""
    named: float = 0.0
    """Bonus when the question names its title."""
    inherited: float = 0.0
    """What it takes over from the passage that leads to it, where that makes it stand higher."""
    prior: float = 0.0
    """What its place in the results of a search adds, where nobody knows how common words are."""
    total: float = 0.0


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
