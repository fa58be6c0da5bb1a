"""Decides whether a run searches on or stops, and why, and what a loop may use of what is left.

That is time to wait, pages to open, tokens for the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from quaere.domain.budget import Remaining
from quaere.domain.model import ModelCall
from quaere.domain.question import Intent, Query
from quaere.domain.report import QueryOutcome
from quaere.domain.value import Value
from quaere.domain.verdict import Continue, Reflection, Stop, StopReason
from quaere.text.tokens import terms

FAILURES_IN_A_ROW = 3
"""Consecutive failed searches after which search counts as degraded (R0.8)."""

FAILED_SHARE = 0.5
"""Share of all queries failing from which search counts as degraded (R0.8)."""

LEAST_ASKED = 4
"""Queries from which that share says anything: the first one and the least that a plan has."""

SETTLED = 2
"""New pieces of evidence in the selection up to which a loop has changed next to nothing. On four
multi-hop question sets the loops after such a one brought no further gold passage."""


BARREN_LOOPS = 2
"""Loops in a row without a finding after which a reasoner that names its findings searches no more.
One may fail for its wording; a second has tried other words."""


CLOSES = 0.5
"""Share of the words that a gap adds to the question from which a text may close it."""


def may_close(gaps: Sequence[str], asked: str, texts: Iterable[str]) -> bool:
    """Return whether one of ``texts`` may close one of ``gaps``, as far as words can tell.

    A gap that says nothing beyond ``asked``, the question, may be closed by anything.
    """
    known = frozenset(terms(asked))
    added = [frozenset(terms(gap)) - known for gap in gaps]
    if not all(added):
        return True
    held = [frozenset(terms(text)) for text in texts]
    return any(len(each & text) >= CLOSES * len(each) for each in added for text in held)


class Standing(Value):
    """What the decision is made on."""

    reflection: Reflection
    remaining: Remaining
    settled: bool
    """Whether the last loop changed next to nothing in the selection."""
    hopeless: bool
    """Whether searching fails so often that there is no use in going on."""
    next_queries: tuple[Query, ...]
    """Proposed queries that are new and within the budget."""
    finishing: bool
    """Whether the search is to end with what is there."""


def is_degraded(outcomes: Sequence[QueryOutcome]) -> bool:
    """Whether searching has failed so often that the answer has to say so (R0.8)."""
    failed = [outcome.failed for outcome in outcomes]
    last = failed[-FAILURES_IN_A_ROW:]
    in_a_row = len(last) == FAILURES_IN_A_ROW and all(last)
    return in_a_row or (len(failed) >= LEAST_ASKED and is_partial(outcomes))


def is_hopeless(outcomes: Sequence[QueryOutcome], last: Sequence[QueryOutcome]) -> bool:
    """Whether searching has failed so often that there is no use in going on (R0.8).

    Where one of ``last``, the outcomes of the last loop, is an answer, what failed with it may be
    answered when it is asked again: queries that go out together fail together.
    """
    return is_degraded(outcomes) and all(outcome.failed for outcome in last)


def is_partial(outcomes: Sequence[QueryOutcome]) -> bool:
    """Whether so many searches have failed that their results are partial at best (R0.8).

    However few there were: an answer that is written from them has to say so.
    """
    failed = sum(outcome.failed for outcome in outcomes)
    return failed > 0 and failed >= FAILED_SHARE * len(outcomes)


def is_settled(*, fresh: int, iteration: int) -> bool:
    """Whether a loop that brought ``fresh`` evidence into the selection changed next to nothing.

    ``iteration`` counts loops from 1; the first look changes everything.
    """
    return iteration > 1 and fresh <= SETTLED


def is_barren(findings: Sequence[int | None], *, answered: bool = False) -> bool:
    """Return whether the last loops, the first look aside, brought no finding.

    Args:
        findings: New ones by loop.
        answered: Whether the reasoner had written an answer before the last loop, although it
            would like to see more: then one loop tells.
    """
    loops = 1 if answered else BARREN_LOOPS
    last = findings[1:][-loops:]
    return len(last) == loops and all(count == 0 for count in last)


def decide(standing: Standing) -> Continue | Stop:
    """Return the next step; sufficient evidence is the first stopping condition (R0.2)."""
    left = standing.remaining
    ends = (
        (standing.reflection.sufficient, StopReason.SUFFICIENT),
        (standing.finishing, StopReason.CANCELLED),
        (left.seconds <= 0, StopReason.TIMEOUT),
        (standing.hopeless, StopReason.DEGRADED),
        (left.iterations == 0, StopReason.MAX_ITERATIONS),
        (left.queries == 0 or left.tokens == 0, StopReason.BUDGET_EXHAUSTED),
        (not _is_promising(standing), StopReason.NO_NEW_INFORMATION),
    )
    for has_come, reason in ends:
        if has_come:
            return Stop(reason=reason)
    return Continue(queries=standing.next_queries)


def _is_promising(standing: Standing) -> bool:
    """Return whether what could be asked next may bring anything new."""
    if standing.settled:
        return any(query.intent is Intent.REFORMULATION for query in standing.next_queries)
    return bool(standing.next_queries)


class Progress(Value):
    """How far a supervised research is after a round."""

    answered: bool
    """Whether every topic is."""
    last: bool = False
    """Whether the supervisor has said that nothing is left once they are."""
    novelty: Annotated[float, Field(ge=0, le=1)] | None = None
    """Share of the round's findings that the earlier notes lack; None where there are none."""
    rounds_left: int
    remaining: Remaining
    """Without what the report takes; no tokens where the money for more calls is spent."""
    hopeless: bool = False
    """Whether searching fails so often that there is no use in going on."""
    finishing: bool
    """Whether the search is to end with what is there."""


class Ending(Value):
    """Why the research ends."""

    reason: StopReason
    why: str
    """In words, for the trace."""
    truncated: bool = True
    """Whether it is cut short: the supervisor has not called it complete."""


def completed(*, answered: bool) -> Ending:
    """Return the ending of a research that its supervisor calls complete."""
    if answered:
        return Ending(reason=StopReason.SUFFICIENT, why="complete", truncated=False)
    return Ending(reason=StopReason.NO_NEW_INFORMATION, why="complete", truncated=False)


def ending(progress: Progress, *, early: bool, min_novelty: float) -> Ending | None:
    """Return why the research ends, or None when the supervisor should be asked again.

    Args:
        progress: Where it stands.
        early: Whether it may end before a limit is reached (R1.5).
        min_novelty: Novelty of a round below which it does.
    """
    if early and progress.answered and progress.last:
        why = "every topic is answered, and the supervisor wanted no more than these."
        return Ending(reason=StopReason.SUFFICIENT, why=why, truncated=False)
    if progress.finishing:
        return Ending(reason=StopReason.CANCELLED, why="the run was asked to finish.")
    if early and progress.novelty is not None and progress.novelty < min_novelty:
        why = (
            f"the last round brought little that is new: its novelty score is "
            f"{progress.novelty:.2f}, below the threshold of {min_novelty:.2f}."
        )
        return Ending(reason=StopReason.NO_NEW_INFORMATION, why=why)
    return _exhausted(progress)


def _exhausted(progress: Progress) -> Ending | None:
    left = progress.remaining
    if left.seconds <= 0:
        return Ending(reason=StopReason.TIMEOUT, why="time ran out.")
    if progress.hopeless:
        return Ending(reason=StopReason.DEGRADED, why="too many searches failed.")
    if progress.rounds_left == 0:
        return Ending(reason=StopReason.MAX_ITERATIONS, why="the limit of rounds is reached.")
    if left.queries == 0 or left.tokens == 0:
        return Ending(reason=StopReason.BUDGET_EXHAUSTED, why="the budget is used up.")
    return None


LONGEST_S = 20.0
"""Enough for a service that is asked again twice; who takes longer will not answer."""


def patience_s(*, left_s: float, providers: int) -> float:
    """Return the seconds to wait for ``providers`` that search side by side, with ``left_s`` to go.

    Among others a slow one is waited for at most half the time, so that what they found can
    still be used. One alone gets all the time there is.
    """
    return left_s if providers < 2 else min(LONGEST_S, left_s / 2)


LONGEST_PAUSE_S = 40.0
"""Enough for four probes of a service that is left alone for 2, 4, 8 and 16 s: one that fails them
all is away for longer than a question can wait."""


def pause_s(*, left_s: float) -> float:
    """Return the seconds to wait for services that are left alone for a while, all of them.

    At most two thirds of what is left: enough is kept to read what they find and to write.
    """
    return min(LONGEST_PAUSE_S, left_s * 2 / 3)


LEAST = 4
"""Pages that a loop opens when the budget has them: fewer seldom hold an answer."""


def reads_now(*, left: int, loops_left: int) -> int:
    """Return how many of the ``left`` pages to open in this loop, the first of ``loops_left``.

    Half of what is left, so that most is read where the raw question led and something remains for
    what is learned on the way; everything in the last loop.
    """
    return left if loops_left <= 1 else min(left, max(LEAST, -(-left // 2)))


OUTPUT_TOKENS = 4_000
"""What a call may write at most, besides the words of an answer."""
PROMPT_TOKENS = 1_500
"""What a prompt takes besides the passages."""
TOKENS_PER_WORD = 6


def left_to_search(
    left: Remaining,
    *,
    calls: Sequence[ModelCall],
    shown_tokens: int,
    answer_words: int,
    thinking_tokens: int = 0,
    checked: bool = False,
) -> Remaining:
    """Return ``left`` without what one more evaluation, the answer and its check are going to take.

    Money is reckoned by the dearest call so far, for want of anything better. What comes out has no
    tokens when searching on would leave the answer unwritten.

    Args:
        left: What is left of the run's budget.
        calls: Those made so far.
        shown_tokens: What the passages take that a call is shown.
        answer_words: Length of the answer.
        thinking_tokens: What each call may take besides what it writes.
        checked: Whether a model checks the answer.
    """
    calls_kept = 3 if checked else 2
    writing = shown_tokens + PROMPT_TOKENS + max(OUTPUT_TOKENS, answer_words * TOKENS_PER_WORD)
    judging = shown_tokens + PROMPT_TOKENS + OUTPUT_TOKENS
    # The check is shown no more than the passages of the answer, and writes less than a judgement.
    kept = writing + (calls_kept - 1) * judging + calls_kept * thinking_tokens
    tokens = max(0, left.tokens - kept)
    dearest = max((call.cost_usd or 0.0 for call in calls), default=0.0)
    if left.usd is not None and left.usd < calls_kept * dearest:
        tokens = 0
    return left.model_copy(update={"tokens": tokens})
