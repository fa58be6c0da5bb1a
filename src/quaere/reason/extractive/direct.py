"""Decides what a question is answered with, in the fewest words that the sources allow."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from quaere.domain.report import DirectKind
from quaere.reason.extractive.answer_kinds import Kind, expected_kind
from quaere.reason.extractive.compare import decide_comparison
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.spans import clear_span
from quaere.reason.extractive.yes_no import decide_yes_no

CERTAIN, BY_QUALITY, BY_OVERLAP = 0.95, 0.65, 0.6
"""Confidence in what two found dates or one sentence decide, in a choice by what fits better, and
in a yes or no by the words that two pages share: their share of right answers on 48 questions."""
SHARE, COVERED, BASE = 5.2, 1.6, -3.1
"""A logistic over the belief that the first line leads and over how much of the question the best
chain covers, fitted on 141 questions of three sets: how likely the lead holds the answer."""
UNDECIDED = 0.3
"""Most confidence in a sentence that is given where yes or no was asked for."""
PRINTED = 0.4
"""Belief in the first line from which words out of it are printed by themselves."""

_SPANS = frozenset({Kind.DATE, Kind.NUMBER, Kind.PERSON, Kind.PLACE})
"""Kinds whose spans are printed; names of other kinds were right in one of six."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A direct answer, the lines that prove it in the order to be read, and how sure it is."""

    kind: DirectKind
    text: str
    lines: tuple[Line, ...]
    confidence: float
    """How likely the answer and its proof are right, from 0 to 1."""


def decide(question: str, pool: Pool, ranking: Ranking) -> Decision:
    """Return what ``question`` is answered with.

    A choice by what is compared, a yes or no by what is asserted, else words of the kind asked for
    where the line that leads is clear. In all other cases the line itself leads.

    Args:
        question: What was asked.
        pool: The evidence, read; it bears on the question.
        ranking: Of its lines, for this question.
    """
    choice = decide_comparison(question, pool)
    if choice.winner:
        sure = CERTAIN if choice.by_value else BY_QUALITY
        return Decision(DirectKind.CHOICE, choice.winner, choice.lines, sure)
    first = ranking.leading[0]
    answer = decide_yes_no(question, pool, first.rated.chain)
    if answer is not None:
        text, sure = "Yes" if answer.says else "No", CERTAIN if answer.certain else BY_OVERLAP
        return Decision(DirectKind.YES_NO, text, answer.lines, sure)
    chain = first.rated.chain
    kind, sure = expected_kind(question), _confidence(ranking)
    if kind in _SPANS and first.share >= PRINTED:
        span = clear_span(kind, question, chain.end.text, ranking.titled(chain))
        if span is not None:
            return Decision(span.kind, span.text, (chain.end,), sure)
    if kind is Kind.YES_NO:
        sure = min(sure, UNDECIDED)
    return Decision(DirectKind.SENTENCE, chain.end.text, choice.lines or (chain.end,), sure)


def _confidence(ranking: Ranking) -> float:
    covered = max(rated.chain.covered for rated in ranking.ranked)
    belief = SHARE * ranking.leading[0].share + COVERED * covered + BASE
    return 1.0 / (1.0 + exp(-belief))
