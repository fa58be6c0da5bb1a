"""When a supervisor is asked again, and why not (R1.5)."""

from __future__ import annotations

import pytest

from quaere.domain.budget import Remaining
from quaere.domain.verdict import StopReason
from quaere.plan.decide import Progress, completed, ending

LEFT = Remaining(iterations=2, queries=5, reads=5, tokens=9_999, seconds=60.0)
OPEN = Progress(answered=False, novelty=0.5, rounds_left=2, remaining=LEFT, finishing=False)


def _spent(**nothing: float) -> Progress:
    return OPEN.model_copy(update={"remaining": LEFT.model_copy(update=nothing)})


def test_what_is_open_and_brings_something_new_goes_on() -> None:
    assert ending(OPEN, early=True, min_novelty=0.15) is None


@pytest.mark.parametrize(
    ("progress", "reason"),
    [
        (_spent(seconds=0.0), StopReason.TIMEOUT),
        (OPEN.model_copy(update={"hopeless": True}), StopReason.DEGRADED),
        (OPEN.model_copy(update={"rounds_left": 0}), StopReason.MAX_ITERATIONS),
        (_spent(queries=0), StopReason.BUDGET_EXHAUSTED),
        (_spent(tokens=0), StopReason.BUDGET_EXHAUSTED),
        (OPEN.model_copy(update={"finishing": True, "novelty": 0.0}), StopReason.CANCELLED),
    ],
)
def test_a_limit_cuts_the_research_short(progress: Progress, reason: StopReason) -> None:
    for early in (True, False):
        over = ending(progress, early=early, min_novelty=0.15)
        assert over
        assert (over.reason, over.truncated) == (reason, True)


def test_next_to_nothing_new_ends_it_only_where_it_may_end_early() -> None:
    stale = OPEN.model_copy(update={"novelty": 0.149})
    over = ending(stale, early=True, min_novelty=0.15)
    assert over
    assert over.truncated
    assert "0.15, below the threshold of 0.15" in over.why
    assert ending(stale, early=False, min_novelty=0.15) is None


def test_a_round_at_the_threshold_is_new_enough_and_one_with_no_novelty_at_all_is_not() -> None:
    for novelty, goes_on in ((0.15, True), (0.0, False)):
        progress = OPEN.model_copy(update={"novelty": novelty})
        assert (ending(progress, early=True, min_novelty=0.15) is None) is goes_on


def test_a_limit_is_named_after_what_the_time_and_the_services_did() -> None:
    nothing = LEFT.model_copy(update={"seconds": 0.0, "queries": 0, "tokens": 0})
    late = OPEN.model_copy(update={"remaining": nothing, "hopeless": True, "rounds_left": 0})
    spent = nothing.model_copy(update={"seconds": 1.0})
    failed = late.model_copy(update={"remaining": spent})
    at_limit = failed.model_copy(update={"hopeless": False})
    without_budget = at_limit.model_copy(update={"rounds_left": 1})
    cuts = [
        ending(progress, early=False, min_novelty=0.0)
        for progress in (late, failed, at_limit, without_budget)
    ]
    assert [cut and cut.reason for cut in cuts] == [
        StopReason.TIMEOUT,
        StopReason.DEGRADED,
        StopReason.MAX_ITERATIONS,
        StopReason.BUDGET_EXHAUSTED,
    ]


def test_answered_topics_are_not_the_end_unless_the_supervisor_said_so_before() -> None:
    assert not Progress.model_validate(OPEN.model_dump(exclude={"last", "hopeless"})).last
    open_ = OPEN.model_copy(update={"answered": False, "last": True})
    assert ending(open_, early=True, min_novelty=0.15) is None


def test_the_first_round_has_nothing_to_be_compared_with() -> None:
    first = OPEN.model_copy(update={"novelty": None})
    assert ending(first, early=True, min_novelty=1.0) is None


def test_what_was_all_that_was_wanted_is_sufficient_even_when_it_says_nothing_new() -> None:
    done = OPEN.model_copy(update={"answered": True, "last": True, "novelty": 0.0})
    over = ending(done, early=True, min_novelty=0.15)
    assert over
    assert (over.reason, over.truncated) == (StopReason.SUFFICIENT, False)
    assert ending(done, early=False, min_novelty=0.15) is None
    more = done.model_copy(update={"last": False, "novelty": 1.0})
    assert ending(more, early=True, min_novelty=0.15) is None, "the supervisor may want more"


@pytest.mark.parametrize(
    ("answered", "reason"),
    [(True, StopReason.SUFFICIENT), (False, StopReason.NO_NEW_INFORMATION)],
)
def test_complete_is_sufficient_only_when_all_is_answered(
    reason: StopReason, *, answered: bool
) -> None:
    over = completed(answered=answered)
    assert (over.reason, over.truncated) == (reason, False)
