"""Which sources support a checklist item, which contradict it, and in what respect.

Two statements conflict when they name the same things, speak of them in the same words, and differ
in one figure of one unit, in the year of something that happens but once, in a denial or in words
that are opposites. Most real conflicts are put in other words and are not found; a false
alarm would be worse.

Where a reasoner has read a contradiction, the words of two passages that make it are looked for. A
figure often stands apart from what it is of: "Longest stay" over "in days, for guests", and
"Defaults to 30." after that. Where what they differ in has figures, the lines around one are quoted
with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations, product
from typing import Final, NamedTuple

from quaere.domain.evidence import Agreement, Conflict, Contradiction, Difference, Evidence
from quaere.domain.question import Checklist
from quaere.domain.source import Passage
from quaere.evidence.statements import KIN, OPPOSITES, Line, Statement, lines, statement
from quaere.text import dates as date_text
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import containment, jaccard
from quaere.text.tokens import stem, terms


class Requirement(NamedTuple):
    """A checklist item, or the whole question where there is no checklist yet."""

    id: str
    """Empty for the whole question."""
    terms: frozenset[str]
    """Stems of its words."""
    known: frozenset[str]
    """Stems of its words and of the question's."""
    ticked: tuple[str, ...] = ()
    """Ids of the passages that a reasoner has found to satisfy it."""

    def share(self, stems: AbstractSet[str]) -> float:
        """Return the share of its terms that are among ``stems``; 0.0 when it has none."""
        return len(self.terms & stems) / len(self.terms) if self.terms else 0.0

    def is_beyond(self, thing: str) -> bool:
        """Return whether ``thing``, in folded words, says more than question and item do."""
        return any(stem(word) not in self.known for word in thing.split())


def requirements(question: str, checklist: Checklist) -> tuple[Requirement, ...]:
    """Return the items of ``checklist``; the question itself when there are none."""
    asked = frozenset(terms(question))
    if not checklist.items:
        return (Requirement("", asked, asked),)
    found: list[Requirement] = []
    for item in checklist.items:
        own = frozenset(terms(" ".join(item.terms) or item.description))
        found.append(Requirement(item.id, own, own | asked, item.evidence))
    return tuple(found)


def completeness(items: Sequence[Requirement], stems: AbstractSet[str]) -> float:
    """Return how much of ``items`` a passage of these ``stems`` has words for: its mean share."""
    return sum(item.share(stems) for item in items) / len(items) if items else 0.0


SPEAKS = 0.6
"""Share of an item's terms from which a statement is compared with others under that item."""

SUPPORTS = 0.75
"""Share of an item's terms from which a statement supports it without having been ticked."""

SAME_WORDS = 0.6
"""Share of the shorter statement's words that the other has where their figures are compared."""

SAME_SENTENCE = 0.7
"""Jaccard similarity of their words where a denial or an opposite is all the difference."""

MIN_SHARED = 3
"""Words that such sentences share at least."""

TOLERANCE = Decimal("0.05")
"""Share by which two figures may differ: measuring and rounding make as much."""

MOST_ALIKE = 50
"""Statements of one origin on one thing and in one respect that are compared with others."""

EXACT_BELOW = 20
"""Whole numbers of things below this are counted, not measured, and have no tolerance."""


class Comparison(NamedTuple):
    """What a set of evidence says of the items."""

    agreements: tuple[Agreement, ...]
    conflicts: tuple[Conflict, ...]
    others: Mapping[int, int]
    """Number of further origins that say the same, by id of evidence."""
    against: Mapping[int, float]
    """Share of the origins that say otherwise, by id of evidence."""


@dataclass(slots=True)
class _Voice:
    """One piece of evidence, with what it says."""

    id: int
    origin: str
    credible: bool
    text: str
    lines: Sequence[Line]
    covers: list[float] = field(default_factory=list[float])
    """The greatest share of each item's terms in one of its statements."""

    @property
    def side(self) -> Side:
        """It as one side of a contradiction."""
        return Side(self.text, self.lines)


def compare(
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
    origins: Mapping[str, str],
    wanted: Sequence[Requirement],
    credible: Iterable[str],
    told: Iterable[Contradiction] = (),
) -> Comparison:
    """Return who agrees with whom.

    Args:
        evidence: What there is, in any order.
        passages: Its passages, by id.
        origins: Key of the origin of each passage, by id.
        wanted: The items.
        credible: Ids of the passages whose word counts for and against others.
        told: Contradictions that a reasoner has read.
    """
    comparison = _Comparison(evidence, passages, origins, wanted, frozenset(credible))
    return comparison.found(sorted(told, key=lambda each: each.ids))


class _Comparison:
    def __init__(
        self,
        evidence: Sequence[Evidence],
        passages: Mapping[str, Passage],
        origins: Mapping[str, str],
        wanted: Sequence[Requirement],
        credible: frozenset[str],
    ) -> None:
        self.wanted = wanted
        self.voices = {
            each.id: _Voice(
                each.id,
                origins[each.passage],
                each.passage in credible,
                passages[each.passage].text,
                lines(passages[each.passage].title, passages[each.passage].text),
            )
            for each in sorted(evidence, key=lambda each: each.id)
        }
        self.ticked = {each.passage: each.id for each in evidence}
        self.speaking = [self._speaking(item) for item in wanted]
        self.allies = self._allies()

    def _speaking(self, item: Requirement) -> list[tuple[_Voice, Statement]]:
        """Return the statements that speak to ``item``, and remember how much of it they cover."""
        found: list[tuple[_Voice, Statement]] = []
        for voice in self.voices.values():
            shares = list(_shares(item, voice.lines))
            voice.covers.append(max((share for share, _ in shares), default=0.0))
            found += ((voice, said) for share, said in shares if share >= SPEAKS)
        return found

    def _allies(self) -> dict[int, frozenset[str]]:
        """Return the credible origins, other than its own, that say the same as each voice.

        They say the same when both address one item and share a name or figure that the item does
        not have.
        """
        allies: defaultdict[int, set[str]] = defaultdict(set)
        for item, speaking in zip(self.wanted, self.speaking, strict=True):
            for ids in _tellers(item, speaking).values():
                heard = {self.voices[i].origin for i in ids if self.voices[i].credible}
                for i in ids:
                    allies[i] |= heard - {self.voices[i].origin}
        return {i: frozenset(others) for i, others in allies.items()}

    def found(self, told: Sequence[Contradiction]) -> Comparison:
        conflicts = (
            *(
                conflict
                for item, speaking in zip(self.wanted, self.speaking, strict=True)
                for conflict in self._conflicts(item, speaking)
            ),
            *self._judged(told),
        )
        return Comparison(
            agreements=tuple(
                self._agreement(place, item, [c for c in conflicts if c.item == item.id])
                for place, item in enumerate(self.wanted)
            ),
            conflicts=conflicts,
            others={i: len(self.allies.get(i, ())) for i in self.voices},
            against=self._against(conflicts),
        )

    def _against(self, conflicts: Iterable[Conflict]) -> dict[int, float]:
        """Return the share of the credible origins that say otherwise, by id of evidence."""
        against: defaultdict[int, set[str]] = defaultdict(set)
        for conflict in conflicts:
            for one, other in ((conflict.left, conflict.right), (conflict.right, conflict.left)):
                if self.voices[other].credible and self.voices[one].origin != (
                    self.voices[other].origin
                ):
                    against[one].add(self.voices[other].origin)
        return {
            i: len(origins) / (len(origins) + 1 + len(self.allies.get(i, ())))
            for i, origins in against.items()
        }

    def _conflicts(
        self, item: Requirement, speaking: Sequence[tuple[_Voice, Statement]]
    ) -> Iterator[Conflict]:
        """Yield the conflicts under ``item``, of two pieces of evidence one of each kind."""
        seen: set[tuple[int, int, Difference]] = set()
        for (one, said), (other, replied) in _pairs(speaking):
            left, right = sorted((one, other), key=self._rank)
            for what, note in differences(said, replied):
                if (left.id, right.id, what) in seen:
                    continue
                seen.add((left.id, right.id, what))
                words = note if left is one else (note[1], note[0])
                says = (said, replied) if left is one else (replied, said)
                yield Conflict(
                    item=item.id,
                    left=left.id,
                    right=right.id,
                    what=what,
                    note=ENGLISH_REASONS.against.format(one=words[0], other=words[1]),
                    left_says=says[0].text,
                    right_says=says[1].text,
                )

    def _judged(self, told: Iterable[Contradiction]) -> Iterator[Conflict]:
        """Yield the conflicts that were told, also within one document.

        Each is under the item that was named, else under the one to which both speak most.
        """
        for each in told:
            if not self.voices.keys() >= set(each.ids) or not self.wanted:
                continue
            left, right = sorted((self.voices[i] for i in each.ids), key=self._rank)
            item = self._item_of(each, left, right)
            left_says, right_says = opposing(left.side, right.side, item.terms, each.what)
            yield Conflict(
                item=item.id,
                left=left.id,
                right=right.id,
                what=Difference.JUDGED,
                note=each.what,
                left_says=left_says,
                right_says=right_says,
            )

    def _item_of(self, told: Contradiction, left: _Voice, right: _Voice) -> Requirement:
        shared = [min(both) for both in zip(left.covers, right.covers, strict=True)]
        nearest = self.wanted[shared.index(max(shared))]
        return next((item for item in self.wanted if item.id == told.item), nearest)

    def _rank(self, voice: _Voice) -> tuple[bool, int, int]:
        return (not voice.credible, -len(self.allies.get(voice.id, ())), voice.id)

    def _agreement(self, place: int, item: Requirement, conflicts: Sequence[Conflict]) -> Agreement:
        weaker = {conflict.right for conflict in conflicts}
        stronger = {conflict.left for conflict in conflicts}
        supports = sorted((self._in_favour(place, item) | stronger) - weaker)
        return Agreement(
            item=item.id,
            supports=tuple(supports),
            contradicts=tuple(sorted(weaker)),
            origins=len({self.voices[i].origin for i in supports}),
        )

    def _in_favour(self, place: int, item: Requirement) -> set[int]:
        """Return the evidence that ticked ``item`` or speaks to enough of it."""
        ticked = {self.ticked[key] for key in item.ticked if key in self.ticked}
        return ticked | {v.id for v in self.voices.values() if v.covers[place] >= SUPPORTS}


_Said = tuple[_Voice, Statement]


def _shares(item: Requirement, said: Iterable[Line]) -> Iterator[tuple[float, Statement]]:
    """Yield the statements of lines close to ``item``, each with the share that it covers."""
    for line in said:
        if item.share(line.stems) >= SPEAKS and (made := statement(line.text, line.topic)):
            yield item.share(made.stems), made


def _tellers(item: Requirement, speaking: Iterable[_Said]) -> dict[str, set[int]]:
    """Return who tells each thing that ``item`` does not have."""
    tellers: defaultdict[str, set[int]] = defaultdict(set)
    for voice, said in speaking:
        for thing in filter(item.is_beyond, said.telling):
            tellers[thing].add(voice.id)
    return tellers


def _pairs(speaking: Sequence[_Said]) -> Iterator[tuple[_Said, _Said]]:
    """Yield the pairs of statements of different origins that might differ in something."""
    pairs = {
        (min(pair), max(pair))
        for by_origin in _alike(speaking)
        for ones, others in combinations(by_origin.values(), 2)
        for pair in product(ones, others)
    }
    for one, other in sorted(pairs):
        yield speaking[one], speaking[other]


def _alike(speaking: Sequence[_Said]) -> Iterable[Mapping[str, Sequence[int]]]:
    """Return the places of statements that share a subject and a handle, by their origin."""
    buckets = defaultdict[tuple[str, str], defaultdict[str, list[int]]](lambda: defaultdict(list))
    for place, (voice, said) in enumerate(speaking):
        for subject_and_handle in product(said.subjects, _handles(said)):
            alike = buckets[subject_and_handle][voice.origin]
            if len(alike) < MOST_ALIKE:
                alike.append(place)
    return buckets.values()


def _handles(said: Statement) -> set[str]:
    """Return what another statement has to share with ``said`` to differ from it in something."""
    handles = {*said.figures, *said.events, *(said.stems & OPPOSITES.keys()), *said.denied}
    handles |= {OPPOSITES[stem] for stem in said.stems & OPPOSITES.keys()}
    return handles if said.denies else handles | said.affirmed


def differences(a: Statement, b: Statement) -> Iterator[tuple[Difference, tuple[str, str]]]:
    """Yield in what ``a`` and ``b`` contradict each other, with the words of both."""
    if not a.lead or not b.lead or a.terms & KIN != b.terms & KIN:
        return
    yield from _in_figures(a, b)
    yield from _in_dates(a, b)
    if a.lead == b.lead and a.subjects == b.subjects and a.years == b.years:
        yield from _in_words(a, b)


def _in_figures(a: Statement, b: Statement) -> Iterator[tuple[Difference, tuple[str, str]]]:
    if a.years != b.years or a.denies != b.denies or not _is_same_topic(a, b):
        return
    for key in sorted(a.figures.keys() & b.figures.keys()):
        one, other = a.figures[key], b.figures[key]
        if not _is_same_amount(one.value, other.value):
            yield (
                Difference.NUMBER,
                (a.text[one.start : one.end], b.text[other.start : other.end]),
            )


def _is_same_amount(one: Decimal, other: Decimal) -> bool:
    whole = one == one.to_integral_value() and other == other.to_integral_value()
    if whole and max(abs(one), abs(other)) < EXACT_BELOW:
        return one == other
    return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))


def _in_dates(a: Statement, b: Statement) -> Iterator[tuple[Difference, tuple[str, str]]]:
    if a.denies or b.denies or not _is_same_topic(a, b):
        return
    for verb in sorted(a.events.keys() & b.events.keys()):
        one, other = a.events[verb], b.events[verb]
        if not date_text.agrees(one, other):
            yield Difference.DATE, (a.text[one.start : one.end], b.text[other.start : other.end])


def _is_same_topic(a: Statement, b: Statement) -> bool:
    """Return whether both are about the same and share most words of the shorter one.

    One names all that the other names; only if both name the same things, two at least, may
    one be about the one and one about the other: "X founded Y" and "Y was founded by X".
    """
    shorter, longer = sorted((a, b), key=lambda each: len(each.terms))
    if a.lead == b.lead:
        same = a.subjects <= b.subjects or b.subjects <= a.subjects
    else:
        same = a.subjects == b.subjects
    return same and containment(shorter.terms, longer.terms) >= SAME_WORDS


def _in_words(a: Statement, b: Statement) -> Iterator[tuple[Difference, tuple[str, str]]]:
    if any(_is_opposite(a, b, stem) for stem in a.terms & OPPOSITES.keys()):
        yield Difference.OPPOSITE, (a.text, b.text)
    elif a.denies != b.denies and _is_same_but(a, b, set()):
        denying, affirming = (a, b) if a.denies else (b, a)
        if (denying.denied - denying.affirmed) & affirming.affirmed:
            yield Difference.NEGATION, (a.text, b.text)


def _is_opposite(a: Statement, b: Statement, one: str) -> bool:
    """Return whether ``b`` has the opposite of ``one`` in place of it, and both affirm."""
    other = OPPOSITES[one]
    apart = other in b.terms and other not in a.terms and one not in b.terms
    return apart and not (a.denies or b.denies) and _is_same_but(a, b, {one, other})


def _is_same_but(a: Statement, b: Statement, apart: set[str]) -> bool:
    one, other = a.terms - apart, b.terms - apart
    enough = len((a.stems & b.stems) - apart) >= MIN_SHARED and one & other
    return bool(enough) and jaccard(one, other) >= SAME_SENTENCE


MOST_LINES: Final = 40
"""Sentences of a passage that are looked through."""
TOGETHER: Final = 3
"""Lines in a row that are quoted as one, with a figure in them."""
EACH_LINE: Final = 0.02
"""What a line more costs, as a share of all that a pair may be worth by its words."""

_FIGURE: Final = lazy_regex(r"\d+(?:[.,]\d+)*")


class Side(NamedTuple):
    """A passage that says one of two things."""

    text: str
    lines: Sequence[Line]
    """Its sentences, in order."""


class _Stretch(NamedTuple):
    """Lines in a row."""

    text: str
    stems: frozenset[str]
    figures: frozenset[str]
    length: int


def opposing(left: Side, right: Side, wanted: AbstractSet[str], what: str) -> tuple[str, str]:
    """Return the words of each that are most likely to contradict each other; empty without any.

    They have the figures of ``what``, share the most words, and have the most of those wanted.

    Args:
        left: One side.
        right: The other.
        wanted: Stems of what the contradiction is about.
        what: What they differ in, in the words of who has read both.
    """
    figures = _figures(what)
    sought = wanted | set(terms(what))

    def worth(pair: tuple[_Stretch, _Stretch]) -> float:
        one, other = pair
        told = len(figures & (one.figures | other.figures)) / max(1, len(figures))
        both = bool(figures & one.figures) and bool(figures & other.figures)
        about = len(sought & one.stems) + len(sought & other.stems)
        cost = EACH_LINE * (one.length + other.length)
        return (
            told + both + jaccard(one.stems, other.stems) + about / max(1, 2 * len(sought)) - cost
        )

    pairs = product(_stretches(left, figures), _stretches(right, figures))
    best = max(pairs, key=worth, default=None)
    return (best[0].text, best[1].text) if best else ("", "")


def _stretches(side: Side, figures: AbstractSet[str]) -> list[_Stretch]:
    """Return each line of ``side``, and the lines in a row of which one has one of ``figures``."""
    placed = list(_placed(side.text, side.lines[:MOST_LINES]))
    found: list[_Stretch] = []
    for length in range(1, TOGETHER + 1):
        for first in range(len(placed) - length + 1):
            run = placed[first : first + length]
            text = side.text[run[0][1] : run[-1][1] + len(run[-1][0].text)]
            held = _figures(text)
            if length == 1 or figures & held:
                stems = frozenset[str]().union(*(line.stems for line, _ in run))
                found.append(_Stretch(text, stems, held, length))
    return found


def _placed(text: str, lines: Iterable[Line]) -> Iterator[tuple[Line, int]]:
    """Yield each of ``lines``, which are in ``text`` in this order, with where it begins."""
    end = 0
    for line in lines:
        start = text.find(line.text, end)
        if start >= 0:
            yield line, start
            end = start + len(line.text)


def _figures(text: str) -> frozenset[str]:
    return frozenset(each.replace(",", "") for each in _FIGURE.findall(text))
