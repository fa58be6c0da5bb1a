"""Which topics are researched, by whom, in which depth and with what share of the budget.

Topics are compared with one another, and findings with what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from quaere.domain.budget import Budget, ProfileName, Remaining
from quaere.domain.team import Strategy
from quaere.models.similarity import MINILM, known_as
from quaere.text.facts import stated_facts
from quaere.text.similarity import jaccard
from quaere.text.tokens import STOP_WORDS, words

DUPLICATE = 0.75
"""Similarity from which a topic repeats another one (R1.5)."""

Similarity = Callable[[str, str], float]
"""How alike two topics are, 0 to 1."""

_MARKS = '.,;:!?()[]"'


def topic_similarity(a: str, b: str) -> float:
    """Return how alike two topics are, 0 to 1: the Jaccard similarity of their word sets."""
    return jaccard(_topic_words(a), _topic_words(b))


def duplicate_of(
    topic: str,
    known: Sequence[str],
    threshold: float = DUPLICATE,
    similarity: Similarity = topic_similarity,
) -> str | None:
    """Return the most similar of the ``known`` topics that ``topic`` repeats, or None.

    Of equally similar ones it is the first.

    Args:
        topic: What is proposed.
        known: What was dispatched, or proposed before.
        threshold: Similarity from which a topic repeats another one, 0 to 1.
        similarity: How alike ``topic`` and another one are, 0 to 1.
    """
    rated = [(similarity(topic, other), other) for other in known]
    best = max(rated, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] >= threshold else None


class NoteSets:
    """The words of all notes taken so far, kept as a set, so that new ones are quickly compared.

    The notes are not cut off at some length: without the oldest ones, what they say would count
    as new when it is found again.
    """

    def __init__(self, notes: Iterable[str] = ()) -> None:
        self._words: set[str] = set()
        for note in notes:
            self.add(note)

    def add(self, text: str) -> None:
        """Take ``text`` into the notes."""
        self._words |= _distinct_words(text)

    def novelty(self, new: str) -> float:
        """Return the share, 0 to 1, of the distinct words of ``new`` that the notes lack.

        It is 0.0 when ``new`` has none, and 1.0 for any that has some while there are no notes.
        """
        own = _distinct_words(new)
        return len(own - self._words) / len(own) if own else 0.0


def _topic_words(topic: str) -> frozenset[str]:
    """Return what ``topic`` is compared by, also where it has only stop words or only signs."""
    return _distinct_words(topic) or frozenset(words(topic)) or frozenset(topic.split())


def _distinct_words(text: str) -> frozenset[str]:
    """Return the words of ``text`` without stop words.

    White space ends every word, so what separates two of them is looked at once however often
    it comes; and most of that is one word whose letters need no tokenizer. Together this takes a
    quarter of the time in a long text.
    """
    found: set[str] = set()
    others: list[str] = []
    for chunk in set(text.split()):
        bare = chunk.strip(_MARKS)
        if bare.isalpha() and bare.isascii():
            found.add(bare.lower())
        else:
            others.append(chunk)
    return frozenset(found.union(words(" ".join(others)))) - STOP_WORDS


_SAME: Mapping[str, float] = MappingProxyType({MINILM: 0.92})
"""By what an embedder is known as: the lowest cosine at which the pairs that are found the same are
so as often as by words, in every collection of one half of the pairs (``quaere eval duplicates``).
"""

Cosines = Mapping[tuple[str, str], float]
"""The cosine of pairs of topics."""


def known_cosine(embedder: str) -> float | None:
    """Return the cosine from which two topics are the same; None where nobody measured it."""
    return _SAME.get(known_as(embedder))


def pairs_to_compare(proposed: Sequence[str], dispatched: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of topics that `quaere.plan.delegation.screen` may have to compare."""
    return [
        (topic, other)
        for place, topic in enumerate(proposed)
        for other in (*dispatched, *proposed[:place])
    ]


def meant_similarity(cosines: Cosines, same: float) -> Similarity:
    """Return a similarity that is that of the words or that of the meaning, whichever is higher.

    A cosine of ``same`` counts as `DUPLICATE` does among words, one of 1 as the same words, and
    those between and below in proportion. It counts only for topics with the same figures, dates
    and denials: to an embedder a figure of 2019 is nearly one of 2020.
    """

    def similarity(a: str, b: str) -> float:
        by_words = topic_similarity(a, b)
        cosine = cosines.get((a, b))
        if cosine is None:
            return by_words
        by_meaning = _among_words(cosine, same)
        # What is stated is looked up last: it takes a hundred times as long as all the rest.
        return (
            by_meaning if by_meaning > by_words and stated_facts(a) == stated_facts(b) else by_words
        )

    return similarity


def _among_words(cosine: float, same: float) -> float:
    """Return the share of words in common that ``cosine`` stands for."""
    if cosine < same:
        return DUPLICATE * max(0.0, cosine) / same
    return 1.0 if same == 1 else DUPLICATE + (1 - DUPLICATE) * (cosine - same) / (1 - same)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A topic that says again what another one asks for."""

    topic: str
    repeats: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Screening:
    """The decision on each proposed topic, by its place in the proposal."""

    admitted: tuple[int, ...]
    refused: dict[int, Refusal]
    postponed: tuple[int, ...]
    """Those that are new, but too many at once."""


def screen(
    proposed: Sequence[str],
    dispatched: Sequence[str],
    *,
    threshold: float,
    at_once: int,
    similarity: Similarity = topic_similarity,
) -> Screening:
    """Return which of ``proposed`` should be researched now.

    What repeats a dispatched topic, or an earlier one of the proposal, is refused before the rest
    is cut down to ``at_once`` (R1.2).
    """
    fresh: list[int] = []
    refused: dict[int, Refusal] = {}
    for place, topic in enumerate(proposed):
        known = [*dispatched, *(proposed[other] for other in fresh)]
        repeated = duplicate_of(topic, known, threshold, similarity)
        if repeated is None:
            fresh.append(place)
        else:
            refused[place] = Refusal(topic, repeated, similarity(topic, repeated))
    return Screening(tuple(fresh[:at_once]), refused, tuple(fresh[at_once:]))


LEAST_SOURCES = 10
"""Sources that a researcher may keep. With six, one in thirty questions of three hops lost a gold
passage that ten still show."""
REPORT_SHARE = 0.2
"""Share of tokens, money and time that is kept for the report."""
FINDING_WORDS = 60
"""Length of what a researcher writes about its topic."""


def split(
    budget: Budget,
    left: Remaining,
    *,
    topics: int,
    rounds_left: int,
    tool_calls: int,
    paid: int = 0,
) -> Budget:
    """Return the budget of each of ``topics`` researchers that work side by side.

    Half of what is left goes to this round and the rest to those after it; all of it in the last.
    Time is not divided, for they share it.

    Args:
        budget: Of the whole run.
        left: What is left of it.
        topics: Researchers of this round, one at least, and no more than queries are left.
        rounds_left: Rounds that may follow, this one included.
        tool_calls: Searches that one researcher may make.
        paid: Searches of each that were made before: it begins with them, and they are not made
            again.
    """
    share = 1.0 if rounds_left <= 1 else 0.5
    kept = share * (1 - REPORT_SHARE)
    queries = max(1, min(tool_calls, left.queries // topics))
    reads = min(-(-int(left.reads * share) // topics), left.reads // topics)
    return budget.model_copy(
        update={
            "max_iters": queries,
            "max_queries": queries + paid,
            "max_sources": min(
                budget.max_sources, max(LEAST_SOURCES, budget.max_sources // topics)
            ),
            "max_reads": reads,
            "max_execution_time_s": max(0.1, left.seconds * kept),
            "token_budget": int(left.tokens * kept) // topics,
            "max_cost_usd": None if left.usd is None else left.usd * kept / topics,
            "answer_words": min(FINDING_WORDS, budget.answer_words),
        }
    )


LEAST_TOPICS = 2
DISTINCT = 0.5
"""Similarity from which two topics would be searched for with much the same words."""


def is_team_work(topics: Sequence[str]) -> bool:
    """Return whether ``topics`` are several that one can research without knowing the others."""
    distinct: list[str] = []
    for topic in topics:
        if all(topic_similarity(topic, other) < DISTINCT for other in distinct):
            distinct.append(topic)
    return len(distinct) >= LEAST_TOPICS


def choose_strategy(
    requested: Strategy,
    profile: ProfileName | None,
    topics: Sequence[str],
    *,
    single_pass: bool = False,
) -> Strategy:
    """Return how to research: as requested, and left to the engine, with a team where it pays.

    Args:
        requested: By the caller.
        profile: The profile that was asked for; one that planning may yet find starts no team.
        topics: Into which the question falls apart.
        single_pass: Whether the operator has switched looping off, which researchers would do.
    """
    if single_pass:
        return Strategy.LOOP
    if requested is not Strategy.AUTO:
        return requested
    deep = profile is ProfileName.DEEP
    return Strategy.SUPERVISOR if deep and is_team_work(topics) else Strategy.LOOP


def choose_tier(requested: ProfileName | None, detected: ProfileName | None) -> ProfileName:
    """Return the profile: as requested, else as planning found, else standard (R0.6)."""
    return requested or detected or ProfileName.STANDARD
