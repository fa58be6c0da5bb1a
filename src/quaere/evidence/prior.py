"""What a place in the results of a search is worth, whatever stands in the passage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.source import Passage
from quaere.domain.url import canonical_url

FIRST = 0.1
"""Worth of the first place; what covers a whole question scores about 0.6."""

HALF = 10
"""Places from the first on after which it is half as much."""


def priors(passages: Iterable[Passage], considered: Sequence[str]) -> dict[str, float]:
    """Return what the places of their sources are worth to ``passages``, by id.

    Args:
        passages: Passages of any sources.
        considered: Canonical URLs in the order in which searches have brought them: what the
            question itself found comes first, best first. A source that is not there counts 0.
    """
    worth = {url: place_worth(place) for place, url in enumerate(considered)}
    return {passage.id: worth.get(canonical_url(passage.url), 0.0) for passage in passages}


def place_worth(place: int) -> float:
    """Return the worth of a place, from 0: ``FIRST`` at the most, falling towards 0."""
    return FIRST * HALF / (HALF + place)
