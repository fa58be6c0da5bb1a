from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import Remaining
from quaere.domain.question import Checklist, Intent, Query
from quaere.domain.report import QueryOutcome
from quaere.domain.verdict import Continue, NextAction, Reflection, Stop, StopReason
from quaere.plan.decide import (
    Standing,
    decide,
    is_barren,
    is_degraded,
    is_hopeless,
    is_partial,
    is_settled,
    may_close,
)

NEXT = (Query(text="another way to ask"),)
PLENTY = Remaining(iterations=3, queries=5, reads=5, tokens=1000, seconds=30.0)


def standing(
    *,
    sufficient: bool = False,
    left: Remaining = PLENTY,
    settled: bool = False,
    hopeless: bool = False,
    next_queries: tuple[Query, ...] = NEXT,
    finishing: bool = False,
) -> Standing:
    action = NextAction.FINALIZE if sufficient else NextAction.SEARCH_MORE
    return Standing(
        reflection=Reflection(next_action=action, confidence=0.5, checklist=Checklist()),
        remaining=left,
        settled=settled,
        hopeless=hopeless,
        next_queries=next_queries,
        finishing=finishing,
    )


def without(**spent: float) -> Remaining:
    return PLENTY.model_copy(update=spent)


def test_goes_on_with_the_next_queries_while_there_is_something_to_gain() -> None:
    assert decide(standing()) == Continue(queries=NEXT)


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (standing(sufficient=True), StopReason.SUFFICIENT),
        (standing(left=without(seconds=0.0)), StopReason.TIMEOUT),
        (standing(hopeless=True), StopReason.DEGRADED),
        (standing(left=without(iterations=0)), StopReason.MAX_ITERATIONS),
        (standing(left=without(queries=0)), StopReason.BUDGET_EXHAUSTED),
        (standing(left=without(tokens=0)), StopReason.BUDGET_EXHAUSTED),
        (standing(next_queries=()), StopReason.NO_NEW_INFORMATION),
        (standing(settled=True), StopReason.NO_NEW_INFORMATION),
    ],
)
def test_every_way_to_stop_has_its_reason(case: Standing, reason: StopReason) -> None:
    assert decide(case) == Stop(reason=reason)


def reasons_of(*cases: Standing) -> list[StopReason]:
    reasons: list[StopReason] = []
    for case in cases:
        step = decide(case)
        assert isinstance(step, Stop)
        reasons.append(step.reason)
    return reasons


def test_of_several_reasons_to_stop_the_first_is_given() -> None:
    """What cannot be helped goes before what could have been given more room."""
    nothing = without(seconds=0.0, iterations=0, queries=0, tokens=0)
    late = without(iterations=0, queries=0)
    spent = without(queries=0)
    assert reasons_of(
        standing(left=nothing, hopeless=True, next_queries=(), sufficient=True, finishing=True),
        standing(left=nothing, hopeless=True, next_queries=(), finishing=True),
        standing(left=nothing, hopeless=True, next_queries=()),
        standing(left=late, hopeless=True, next_queries=()),
        standing(left=late, next_queries=()),
        standing(left=spent, next_queries=()),
        standing(next_queries=()),
    ) == [
        StopReason.SUFFICIENT,
        StopReason.CANCELLED,
        StopReason.TIMEOUT,
        StopReason.DEGRADED,
        StopReason.MAX_ITERATIONS,
        StopReason.BUDGET_EXHAUSTED,
        StopReason.NO_NEW_INFORMATION,
    ]


@pytest.mark.parametrize(
    ("findings", "answered", "barren"),
    [
        ([], False, False),
        ([0, 0], False, False),  # the first look is no loop
        ([0, 0, 0], False, True),
        ([3, 0, 0], False, True),
        ([3, 0, 1], False, False),
        ([3, 1, 0], False, False),
        ([3, 1, 0, 0], False, True),
        ([3, 0, 0, 1], False, False),
        ([3, 0, None], False, False),  # nobody counted
        ([0], True, False),
        ([3, 0], True, True),
        ([3, 1], True, False),
        ([3, 0, 1], True, False),
    ],
)
def test_a_run_is_barren_after_two_loops_without_a_finding_or_one_once_it_has_an_answer(
    findings: list[int | None], answered: bool, barren: bool
) -> None:
    assert is_barren(findings, answered=answered) is barren


def test_nobody_has_an_answer_unless_it_is_said() -> None:
    assert not is_barren([3, 0])


def test_a_settled_run_still_asks_again_in_other_words_r0_8() -> None:
    reworded = (Query(text="another wording", intent=Intent.REFORMULATION),)
    assert decide(standing(settled=True, next_queries=reworded)) == Continue(queries=reworded)


@pytest.mark.parametrize(
    ("fresh", "iteration", "settled"),
    [(0, 1, False), (0, 2, True), (2, 2, True), (3, 2, False)],
)
def test_a_loop_that_changes_next_to_nothing_settles_the_run(
    fresh: int, iteration: int, settled: bool
) -> None:
    assert is_settled(fresh=fresh, iteration=iteration) is settled


@given(
    left=st.builds(
        Remaining,
        iterations=st.integers(0, 2),
        queries=st.integers(0, 2),
        reads=st.integers(0, 2),
        tokens=st.integers(0, 2),
        seconds=st.floats(0, 2),
    ),
    hopeless=st.booleans(),
    settled=st.booleans(),
)
def test_a_run_that_is_asked_to_finish_goes_on_for_nothing(
    left: Remaining, hopeless: bool, settled: bool
) -> None:
    case = standing(left=left, hopeless=hopeless, settled=settled, finishing=True)
    assert decide(case) == Stop(reason=StopReason.CANCELLED)
    done = case.model_copy(update={"reflection": standing(sufficient=True).reflection})
    assert decide(done) == Stop(reason=StopReason.SUFFICIENT)


@given(
    left=st.builds(
        Remaining,
        iterations=st.integers(0, 2),
        queries=st.integers(0, 2),
        reads=st.integers(0, 2),
        tokens=st.integers(0, 2),
        seconds=st.floats(0, 2),
    ),
    hopeless=st.booleans(),
    settled=st.booleans(),
)
def test_sufficient_is_the_first_stopping_condition_r0_2(
    left: Remaining, hopeless: bool, settled: bool
) -> None:
    case = standing(sufficient=True, left=left, hopeless=hopeless, settled=settled)
    assert decide(case) == Stop(reason=StopReason.SUFFICIENT)


@given(
    left=st.builds(
        Remaining,
        iterations=st.integers(0, 2),
        queries=st.integers(0, 2),
        reads=st.integers(0, 2),
        tokens=st.integers(0, 2),
        seconds=st.floats(0, 2),
    )
)
def test_never_goes_on_beyond_a_limit(left: Remaining) -> None:
    if isinstance(decide(standing(left=left)), Continue):
        assert min(left.iterations, left.queries, left.tokens, left.seconds) > 0


def outcomes(pattern: str) -> list[QueryOutcome]:
    """One outcome a letter: ``x`` failed, ``.`` answered with results, ``0`` found nothing."""
    return [
        QueryOutcome(
            query=Query(text=f"q{n}"),
            iteration=0,
            hits=5 if letter == "." else 0,
            error="refused" if letter == "x" else "",
        )
        for n, letter in enumerate(pattern)
    ]


@pytest.mark.parametrize("pattern", ["xxx", "..xxx", ".....xxx", "x.x.", ".xx.x"])
def test_three_failures_in_a_row_or_half_of_all_degrade_r0_8(pattern: str) -> None:
    assert is_degraded(outcomes(pattern))


@pytest.mark.parametrize("pattern", ["x", "xx", "x.", "x.x"])
def test_of_few_queries_a_share_ends_no_run_but_limits_its_answer_r0_8(pattern: str) -> None:
    assert is_partial(outcomes(pattern))
    assert not is_degraded(outcomes(pattern))


@pytest.mark.parametrize("pattern", ["", ".", "..x", "x..", ".x..x.", "....xx.", "00", "000"])
def test_fewer_failures_and_empty_results_do_not_degrade(pattern: str) -> None:
    assert not is_degraded(outcomes(pattern))


@pytest.mark.parametrize(
    ("pattern", "last", "hopeless"),
    [
        ("xxx", 3, True),
        ("..xxx", 3, True),
        (".xxx", 1, True),
        (".xxx.", 5, False),  # queries that went out together; one was answered
        (".xxxx.", 2, False),
        ("x.", 1, False),
    ],
)
def test_no_run_is_given_up_whose_last_loop_was_answered_in_part_r0_8(
    pattern: str, last: int, hopeless: bool
) -> None:
    asked = outcomes(pattern)
    assert is_hopeless(asked, asked[-last:]) is hopeless


ASKED = "Who founded the observatory?"


@pytest.mark.parametrize(
    ("gap", "text", "may"),
    [
        ("a further independent source", "Odile Varga founded it.", False),
        ("corroboration by an independent source", "An independent paper says so.", False),
        ("a further independent source", "An independent source says so.", True),
        ("what the mirror measures", "The mirror measures 90 centimetres.", True),
        ("who founded the observatory", "It rained.", True),
        ("mirror lens dome telescope", "The mirror and its lens.", True),
        ("mirror lens dome telescope", "The mirror was dear.", False),
        ("der Preis des Spiegels", "The mirror was dear.", False),
    ],
)
def test_a_text_may_close_a_gap_if_it_has_half_of_what_the_gap_adds(
    gap: str, text: str, may: bool
) -> None:
    """A gap that adds nothing to the question may be closed by anything."""
    assert may_close([gap], ASKED, ["It snowed.", text]) is may


def test_nothing_closes_a_gap_that_nobody_has_named() -> None:
    assert not may_close([], ASKED, ["The mirror measures 90 centimetres."])
    assert not may_close(["what the mirror measures"], ASKED, [])
