"""Signs that sources say what a sentence says, one function each.

All look at words alone; none knows what they mean. ``SIGNALS`` names those that are weighed
together, by ``quaere.verify.support``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from quaere.text.similarity import containment
from quaere.verify.facts import missing_figures, missing_names
from quaere.verify.ground import Ground, Line, Place, ground, under_lead_in
from quaere.verify.quantities import MOST_FIGURES, explained
from quaere.verify.table_cells import Placed, placed

RIVAL = 0.5
"""Share of its words from which a sentence of a source is laid next to a sentence, too."""
MOST_RIVALS = 4
MOST_NAMES = 3
"""Names missing that count; a list of many is wrong in one way, not in many."""


@dataclass(frozen=True)
class Pair:
    """A sentence and what it cites."""

    claim: Ground
    sources: Sequence[Ground]
    """The whole of every text cited."""
    contexts: Sequence[Ground]
    """What stands around each: its title and date."""
    places: Sequence[Place]
    """The place of each that comes nearest to the sentence."""
    lead_ins: Sequence[str]
    """What leads in the list with which each begins; empty where none does."""
    table_heads: Sequence[str]
    """The head of the table in the middle of which each begins; empty where none does."""

    @property
    def held(self) -> Sequence[Ground]:
        """The sources and what stands around them."""
        return (*self.sources, *self.contexts)

    @property
    def near_grounds(self) -> Sequence[Ground]:
        """The nearest places, each taken apart."""
        return [
            ground(source.text[place.start : place.end])
            for source, place in zip(self.sources, self.places, strict=True)
        ]

    @property
    def near_lines(self) -> Sequence[str]:
        """The sentences of the nearest places."""
        return [
            self._told(number, line)
            for number, place in enumerate(self.places)
            for line in place.lines
        ]

    @cached_property
    def rival_lines(self) -> Sequence[str]:
        """The same, and the other sentences of the sources that have as much of the sentence."""
        near = self.near_lines
        others = (
            (len(self.claim.terms & (line.terms | _led(line, told))), told)
            for number, source in enumerate(self.sources)
            for line in source.lines
            for told in (self._told(number, line),)
        )
        least = RIVAL * len(self.claim.terms)
        ranked = sorted(others, key=lambda each: -each[0])[: MOST_RIVALS + len(near)]
        return (*near, *(text for n, text in ranked if n >= least and text not in near))

    def _told(self, number: int, line: Line) -> str:
        """Return what ``line`` of source ``number`` says where it stands."""
        source, (start, end) = self.sources[number], line.span
        return under_lead_in(source, source.text[start:end], start, self.lead_ins[number])

    @cached_property
    def placed(self) -> Placed:
        """Where its figures are in tables of the sources."""
        return placed(self.claim.text, zip(self.sources, self.table_heads, strict=True))

    @cached_property
    def near(self) -> frozenset[str]:
        """Stems of what the nearest places and the titles say."""
        lines = (line.terms for place in self.places for line in place.lines)
        return frozenset[str]().union(*lines, *(context.terms for context in self.contexts))

    @cached_property
    def terms(self) -> frozenset[str]:
        """Stems of all that the sources and what stands around them say."""
        return frozenset[str]().union(*(held.terms for held in self.held))

    @cached_property
    def figures_missing(self) -> tuple[str, ...]:
        """Figures and dates of the sentence that are in none of the sources."""
        missing = tuple(missing_figures(self.claim, self.held))
        if not missing or self.placed is Placed.FITTING:
            return ()
        if len(missing) > MOST_FIGURES:
            return missing
        known = explained(self.claim, self.near_grounds, self.held)
        return tuple(figure for figure in missing if figure not in known)

    @cached_property
    def names_missing(self) -> tuple[str, ...]:
        """Names of the sentence that are in none of the sources."""
        return tuple(missing_names(self.claim, self.held))


def _led(line: Line, told: str) -> frozenset[str]:
    """Return the stems of ``told``, ``line`` where it stands, if that adds what leads it in."""
    return ground(told).terms if len(told) > line.span.end - line.span.start else frozenset()


def place_recall(pair: Pair) -> float:
    """Return the share of the sentence's words that the nearest places hold together."""
    return containment(pair.claim.terms, pair.near)


def phrase_recall(pair: Pair) -> float:
    """Return the share of its runs of three words that stand somewhere in the sources."""
    held = frozenset[str]().union(*(source.phrases for source in pair.held))
    return containment(pair.claim.phrases, held)


def pair_recall(pair: Pair) -> float:
    """Return the share of its neighbouring content words that are neighbours in the sources."""
    held = frozenset[str]().union(*(source.pairs for source in pair.held))
    return containment(pair.claim.pairs, held)


def figure_missing(pair: Pair) -> float:
    """Return 1.0 when one of its figures or dates is in none of the sources."""
    return float(bool(pair.figures_missing))


def names_missing(pair: Pair) -> float:
    """Return how many of its names are in none of the sources, counted up to MOST_NAMES."""
    return float(min(MOST_NAMES, len(pair.names_missing)))


SIGNALS: Mapping[str, Callable[[Pair], float]] = MappingProxyType(
    {
        signal.__name__: signal
        for signal in (
            place_recall,
            phrase_recall,
            pair_recall,
            figure_missing,
            names_missing,
        )
    }
)
"""Every signal that is weighed, by name."""


def measure(pair: Pair) -> dict[str, float]:
    """Return every signal of ``pair``, by name."""
    return {name: signal(pair) for name, signal in SIGNALS.items()}
