"""Whether something else of the source fits a sentence better than what the sentence has.

"Adults pay 8 euros in winter. Students pay 5." has both figures, and "students pay 8 euros" is
nearer to the 5: what the sentence says besides stands with that. So it is with dates, times, names
and opposites. It needs no verb of both to be the same, so that it tells something of paraphrases
for which no other rule speaks; but it is a sign alone and no proof.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from quaere.text.dates import Date
from quaere.text.languages.language import cached_by_language, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.align import clause_starts, content
from quaere.verify.ground import ground, is_within
from quaere.verify.likeness import has_opposite, likeness
from quaere.verify.quantities import amounts, in_base

_JOINS: Final = lazy_regex(r",?\s(?:and|but|or)\s|\n")
"""Parts what is said of one thing from what is said of the next, besides the ends of clauses."""
BESIDE: Final = 0.5
"""What a word counts that is in another clause of the same line."""
MOST_THINGS: Final = 60
"""Things of all lines beyond which none is looked at: a table has its own rules."""


class _Place(NamedTuple):
    """Where something stands: its line, the clause of that, and the character."""

    line: int
    clause: int
    start: int


class _Thing(NamedTuple):
    """What may be exchanged for another of its kind."""

    kind: str
    values: frozenset[str]
    """What it is; of a name its words, of which one is enough."""
    start: int
    end: int


class _Standing(NamedTuple):
    """A thing of the source and where it stands."""

    thing: _Thing
    place: _Place


def has_better_fit(said: str, lines: Sequence[str]) -> bool:
    """Return whether something else of its kind fits ``said`` better than a thing that it has.

    Args:
        said: The sentence.
        lines: Those of its sources that come near to it.
    """
    if not is_english():
        return False
    source = _Source(lines)
    if len(source.things) > MOST_THINGS:
        return False
    mine = [*_things(said), *_opposites(said)]
    return any(_is_outdone(thing, said, mine, source) for thing in mine)


class _Source:
    """The things and the words of lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.things: list[_Standing] = []
        self._places: dict[str, list[_Place]] = {}
        for number, line in enumerate(lines):
            starts = _starts(line)
            for word in content(line):
                place = _Place(number, bisect_right(starts, word.start), word.start)
                self._places.setdefault(word.stem, []).append(place)
            self.things += (
                _Standing(each, _Place(number, bisect_right(starts, each.start), each.start))
                for each in _things(line)
            )

    def places(self, stem: str) -> Sequence[_Place]:
        """Return where ``stem`` stands, or else what is like it."""
        return self._places.get(stem) or [*self._like(stem, opposite=False)]

    def standing(self, thing: _Thing) -> Iterator[_Standing]:
        """Yield where ``thing`` stands."""
        if thing.kind == _OPPOSITE:
            yield from (_Standing(thing, at) for s in thing.values for at in self.places(s))
        yield from (each for each in self.things if _is_same(each.thing, thing))

    def rivals(self, thing: _Thing, mine: Sequence[_Thing]) -> Iterator[_Standing]:
        """Yield others of its kind, but those that the sentence has as well."""
        if thing.kind == _OPPOSITE:
            yield from (
                _Standing(thing, at) for s in thing.values for at in self._like(s, opposite=True)
            )
        for each in self.things:
            if each.thing.kind == thing.kind and not any(_is_same(each.thing, m) for m in mine):
                yield each

    def _like(self, stem: str, *, opposite: bool) -> Iterator[_Place]:
        for other, places in self._places.items():
            weight, turned = likeness(stem, other)
            if weight and turned is opposite:
                yield from places


def _is_same(one: _Thing, other: _Thing) -> bool:
    return one.kind == other.kind and not one.values.isdisjoint(other.values)


def _is_outdone(thing: _Thing, said: str, mine: Sequence[_Thing], source: _Source) -> bool:
    """Return whether more words of ``said`` stand with a rival of ``thing`` than with it."""
    held = [*source.standing(thing)]
    words = [w for w in content(said) if w.weight == 1 and not thing.start <= w.start < thing.end]
    beside = [places for word in words if (places := source.places(word.stem))]
    if not held or not beside:
        return False
    return any(
        all(_fit(rival, own, beside) > _fit(own, rival, beside) for own in held)
        for rival in source.rivals(thing, mine)
    )


def _fit(one: _Standing, other: _Standing, beside: Sequence[Sequence[_Place]]) -> float:
    """Return how many words stand with ``one``; what leads in both stands with both."""
    return sum(max(_nearness(place, one, other) for place in places) for places in beside)


def _nearness(place: _Place, one: _Standing, other: _Standing) -> float:
    if place.line != one.place.line or 0 <= place.start - one.place.start < _length(one):
        return 0.0
    leads = other.place.line == place.line and place.start < min(one.place.start, other.place.start)
    return 1.0 if leads or place.clause == one.place.clause else BESIDE


def _length(standing: _Standing) -> int:
    return standing.thing.end - standing.thing.start


_OPPOSITE: Final = "opposite"


def _opposites(said: str) -> Iterator[_Thing]:
    """Yield the words of ``said`` of which an opposite is known."""
    for word in content(said):
        if word.weight == 1 and has_opposite(word.stem):
            yield _Thing(_OPPOSITE, frozenset((word.stem,)), word.start, word.start + 1)


@cached_by_language(maxsize=512)
def _things(text: str) -> Sequence[_Thing]:
    """Return the times, dates, amounts and names of ``text``."""
    known = ground(text)
    found = [*map(_amount, amounts(known)), *map(_date, known.dates)]
    taken = [(each.start, each.end) for each in found]
    for name in known.names:
        words = frozenset(word.stem for word in content(name.text))
        if words and not is_within(name.start, taken):
            found.append(_Thing("name", words, name.start, name.end))
    return found


def _amount(number: Number) -> _Thing:
    value, unit = in_base(number)
    return _Thing(f"amount {unit}", frozenset((f"{value:f}",)), number.start, number.end)


def _date(date: Date) -> _Thing:
    """Return ``date`` as a thing; a year stands against years, a day against days."""
    parts = (date.year, date.month, date.day)
    kind = " ".join(
        name for name, part in zip(("year", "month", "day"), parts, strict=True) if part
    )
    return _Thing(kind, frozenset((f"{parts}",)), date.start, date.end)


def _starts(line: str) -> Sequence[int]:
    """Return where what ``line`` says of one thing after the other begins."""
    joins = (match.start() for match in _JOINS.finditer(line))
    return sorted({*clause_starts(line), *joins})
