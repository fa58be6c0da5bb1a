"""Whether a run searches on, and what a loop may use of what is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import Remaining
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Intent, Query
from quaere.domain.report import QueryOutcome
from quaere.domain.verdict import Continue, NextAction, Reflection, Stop, StopReason
from quaere.plan.decide import (
    LONGEST_PAUSE_S,
    OUTPUT_TOKENS,
    PROMPT_TOKENS,
    TOKENS_PER_WORD,
    Progress,
    Standing,
    completed,
    decide,
    ending,
    is_barren,
    is_degraded,
    is_hopeless,
    is_partial,
    is_settled,
    left_to_search,
    may_close,
    patience_s,
    pause_s,
    reads_now,
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


REMAINS = st.builds(
    Remaining,
    iterations=st.integers(0, 2),
    queries=st.integers(0, 2),
    reads=st.integers(0, 2),
    tokens=st.integers(0, 2),
    seconds=st.floats(0, 2),
)


@given(left=REMAINS, hopeless=st.booleans(), settled=st.booleans())
def test_a_run_that_is_asked_to_finish_goes_on_for_nothing(
    left: Remaining, hopeless: bool, settled: bool
) -> None:
    case = standing(left=left, hopeless=hopeless, settled=settled, finishing=True)
    assert decide(case) == Stop(reason=StopReason.CANCELLED)
    done = case.model_copy(update={"reflection": standing(sufficient=True).reflection})
    assert decide(done) == Stop(reason=StopReason.SUFFICIENT)


@given(left=REMAINS, hopeless=st.booleans(), settled=st.booleans())
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
    """One outcome a letter: ``x`` failed, ``.`` answered with results, ``0`` found nothing.

    ``?`` found nothing at one provider, and another failed.
    """
    return [
        QueryOutcome(
            query=Query(text=f"q{n}"),
            iteration=0,
            hits=5 if letter == "." else 0,
            error="refused" if letter == "x" else "",
            unheard="refused" if letter == "?" else "",
        )
        for n, letter in enumerate(pattern)
    ]


@pytest.mark.parametrize("pattern", ["xxx", "..xxx", ".....xxx", "x.x.", ".xx.x", "???"])
def test_three_failures_in_a_row_or_half_of_all_degrade_r0_8(pattern: str) -> None:
    assert is_degraded(outcomes(pattern))


@pytest.mark.parametrize("pattern", ["x", "xx", "x.", "x.x"])
def test_of_few_queries_a_share_ends_no_run_but_limits_its_answer_r0_8(pattern: str) -> None:
    assert is_partial(outcomes(pattern))
    assert not is_degraded(outcomes(pattern))


@pytest.mark.parametrize(
    "pattern", ["", ".", "..x", "x..", ".x..x.", "....xx.", "00", "000", "0?00"]
)
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


@pytest.mark.parametrize(
    ("left_s", "providers", "seconds"),
    [(90.0, 1, 90.0), (90.0, 2, 20.0), (8.0, 3, 4.0), (0.0, 2, 0.0), (5.0, 0, 5.0)],
)
def test_one_of_several_is_not_waited_for_to_the_end(
    left_s: float, providers: int, seconds: float
) -> None:
    assert patience_s(left_s=left_s, providers=providers) == seconds


@given(st.floats(0, 3600), st.integers(0, 20))
def test_never_longer_than_what_is_left(left_s: float, providers: int) -> None:
    assert 0 <= patience_s(left_s=left_s, providers=providers) <= left_s


@pytest.mark.parametrize(
    ("left_s", "seconds"), [(0.0, 0.0), (9.0, 6.0), (60.0, 40.0), (90.0, LONGEST_PAUSE_S)]
)
def test_services_that_are_left_alone_are_waited_for_with_a_third_of_the_time_kept(
    left_s: float, seconds: float
) -> None:
    assert pause_s(left_s=left_s) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("left", "loops_left", "now"),
    [(20, 5, 10), (10, 4, 5), (5, 3, 4), (1, 2, 1), (7, 1, 7), (0, 3, 0), (4, 2, 4)],
)
def test_half_of_what_is_left_but_no_fewer_than_four(left: int, loops_left: int, now: int) -> None:
    assert reads_now(left=left, loops_left=loops_left) == now


@given(st.integers(0, 1000), st.integers(0, 100))
def test_never_more_than_is_left(left: int, loops_left: int) -> None:
    assert 0 <= reads_now(left=left, loops_left=loops_left) <= left


def left(tokens: int, usd: float | None = None) -> Remaining:
    return Remaining(iterations=3, queries=3, reads=3, tokens=tokens, seconds=9, usd=usd)


CALL = ModelCall(step="plan", model="m", cost_usd=0.02)


def test_what_judging_and_writing_take_is_kept_back() -> None:
    rest = left_to_search(left(50_000), calls=[CALL], shown_tokens=3_000, answer_words=200)
    assert 0 < rest.tokens < 50_000 - 2 * 3_000
    assert not left_to_search(left(9_000), calls=[], shown_tokens=3_000, answer_words=200).tokens


def test_an_evaluation_and_an_answer_are_reckoned_with_their_prompts() -> None:
    def kept(*, words: int = 0, thinking: int = 0, checked: bool = False) -> int:
        plenty = left(1_000_000)
        rest = left_to_search(
            plenty,
            calls=[],
            shown_tokens=3_000,
            answer_words=words,
            thinking_tokens=thinking,
            checked=checked,
        )
        return plenty.tokens - rest.tokens

    call = 3_000 + PROMPT_TOKENS + OUTPUT_TOKENS
    assert kept() == 2 * call
    assert kept(checked=True) == 3 * call
    assert kept(checked=True, thinking=100) == 3 * call + 300
    long = OUTPUT_TOKENS  # in words, so that the answer takes more than the least
    assert kept(words=long) == call + 3_000 + PROMPT_TOKENS + long * TOKENS_PER_WORD
    assert kept(words=100) == kept()


@pytest.mark.parametrize(("checked", "needed"), [(False, 0.5), (True, 0.75)])
def test_money_is_kept_for_calls_as_dear_as_the_dearest(*, checked: bool, needed: float) -> None:
    calls = [ModelCall(step="plan", model="m", cost_usd=usd) for usd in (0.125, 0.25, None, 0.0625)]

    def tokens(usd: float) -> int:
        rest = left_to_search(
            left(90_000, usd), calls=calls, shown_tokens=0, answer_words=0, checked=checked
        )
        return rest.tokens

    assert tokens(needed) > 0
    assert tokens(needed - 0.001) == 0


def test_calls_that_cost_nothing_need_no_money() -> None:
    rest = left_to_search(left(90_000, 0.0), calls=[], shown_tokens=0, answer_words=0)
    assert rest.tokens > 0


def test_room_for_the_thoughts_of_both_is_kept_back() -> None:
    def tokens(thinking: int) -> int:
        return left_to_search(
            left(50_000), calls=[CALL], shown_tokens=0, answer_words=0, thinking_tokens=thinking
        ).tokens

    assert tokens(0) - tokens(8_000) == 16_000


def test_money_for_two_more_calls_is_kept_back() -> None:
    def tokens(usd: float | None) -> int:
        given_ = left(90_000, usd)
        return left_to_search(given_, calls=[CALL], shown_tokens=0, answer_words=100).tokens

    assert tokens(0.039) == 0
    assert tokens(0.05) > 0
    assert tokens(None) > 0


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.integers(0, 10**4))
def test_never_more_than_there_is_and_never_below_nothing(a: int, b: int, c: int) -> None:
    rest = left_to_search(left(a), calls=[CALL], shown_tokens=b, answer_words=c)
    assert 0 <= rest.tokens <= a
    assert rest.model_copy(update={"tokens": a}) == left(a)


def test_the_check_of_the_answer_is_kept_back_as_well() -> None:
    def tokens(usd: float | None = None, *, checked: bool) -> int:
        return left_to_search(
            left(50_000, usd),
            calls=[CALL],
            shown_tokens=3_000,
            answer_words=0,
            thinking_tokens=1_000,
            checked=checked,
        ).tokens

    assert tokens(checked=False) - tokens(checked=True) >= 3_000 + 1_000
    assert (tokens(0.05, checked=False) > 0, tokens(0.05, checked=True)) == (True, 0)
