"""Whether a sentence denies what its sources affirm, or affirms what they deny."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from quaere.verify.ground import Ground, Line


class Opposition(StrEnum):
    """How a sentence stands against its sources, in words."""

    DENIES = "denies what its source affirms"
    AFFIRMS = "affirms what its source denies"
    DENIES_ALONE = "denies something where its source denies nothing"
    """A weaker sign: the source may say it in words that are no denial."""


def opposition(
    claim: Ground, sources: Sequence[Ground], lines: Iterable[Line]
) -> Opposition | None:
    """Return how ``claim`` opposes ``sources``, None when it does not.

    A word counts when it stands right behind a denial on one side, without one on the other, and
    nowhere in the sources as the claim has it.

    Args:
        claim: The sentence.
        sources: The whole of what it cites.
        lines: The sentences of ``sources`` that come nearest to it.
    """
    lines = tuple(lines)
    if (claim.denied - claim.affirmed) & _only_affirmed(lines, sources):
        return Opposition.DENIES
    if (claim.affirmed - claim.denied) & _only_denied(lines, sources):
        return Opposition.AFFIRMS
    if claim.denies and not any(source.may_deny for source in sources):
        return Opposition.DENIES_ALONE
    return None


def _only_affirmed(lines: Iterable[Line], sources: Iterable[Ground]) -> frozenset[str]:
    """Return the stems that ``lines`` affirm and ``sources`` nowhere deny."""
    affirmed = frozenset[str]().union(*(line.affirmed for line in lines))
    return affirmed.difference(*(source.denied for source in sources))


def _only_denied(lines: Iterable[Line], sources: Iterable[Ground]) -> frozenset[str]:
    """Return the stems that ``lines`` deny and ``sources`` nowhere affirm."""
    denied = frozenset[str]().union(*(line.denied for line in lines))
    return denied.difference(*(source.affirmed for source in sources))
