"""What several steps see of the state of a run."""

from __future__ import annotations

import pytest
from tests.graphs.world import HOP

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.evidence import Contradiction
from quaere.domain.question import AnswerForm, Checklist, Item, Plan, Query, Question
from quaere.domain.verdict import Continue, NextAction, Reflection, Stop, StopReason
from quaere.errors import ReasonError
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import (
    SHORT_WORDS,
    answer_words,
    gaps_of,
    ids_relied_on,
    plan_of,
    rounds_left,
    state_tokens,
    stop_reason,
    told_of,
    words_wanted,
)
from quaere.graphs.state import LoopState, initial_state, supervisor_state


def state(
    *, form: AnswerForm | None = None, profile: ProfileName | None = None, **fields: object
) -> LoopState:
    made = initial_state(Question(text=HOP, form=form), requested=profile, limits={})
    made.update(fields)  # type: ignore[typeddict-item]
    return made


def test_a_run_without_a_decision_has_gone_wrong() -> None:
    assert stop_reason(state(decision=Stop(reason=StopReason.TIMEOUT))) is StopReason.TIMEOUT
    assert stop_reason(state(decision=Continue(queries=()))) is StopReason.ERROR
    assert stop_reason(state()) is StopReason.ERROR


def test_a_step_that_needs_a_plan_says_that_there_is_none() -> None:
    plan = Plan(refined_question=HOP, checklist=Checklist(), queries=(Query(text="mill"),))
    assert plan_of(state(research_plan=plan)) is plan
    with pytest.raises(ReasonError, match="needs a plan"):
        plan_of(state())


def test_gaps_and_contradictions_are_those_of_the_last_reflection() -> None:
    opposed = Contradiction(ids=(1, 2))
    reflection = Reflection(
        next_action=NextAction.SEARCH_MORE,
        confidence=0.5,
        checklist=Checklist(),
        gaps=("when",),
        contradictions=(opposed,),
    )
    assert gaps_of(state(reflection=reflection)) == ("when",)
    assert told_of(state(reflection=reflection)) == (opposed,)
    assert gaps_of(state()) == told_of(state()) == ()


def test_the_checklist_rests_on_the_evidence_of_all_its_items() -> None:
    items = (Item(id="a", description="who", evidence=("p1", "p2")), Item(id="b", description="x"))
    assert ids_relied_on(state(checklist=Checklist(items=items))) == ("p1", "p2")


@pytest.mark.parametrize(
    ("profile", "form", "words"),
    [
        (ProfileName.STANDARD, None, PROFILES[ProfileName.STANDARD].answer_words),
        (ProfileName.STANDARD, AnswerForm.SHORT, SHORT_WORDS),
        (ProfileName.STANDARD, AnswerForm.TABLE, None),
        (ProfileName.DEEP, None, None),
        (ProfileName.DEEP, AnswerForm.SHORT, None),
        (None, None, PROFILES[ProfileName.STANDARD].answer_words),
    ],
)
def test_an_answer_comes_with_the_evaluation_where_it_is_short_and_plain(
    profile: ProfileName | None, form: AnswerForm | None, words: int | None
) -> None:
    assert answer_words(state(profile=profile, form=form)) == words


def test_a_short_answer_is_short_whatever_the_profile_and_no_longer_than_its_budget() -> None:
    deep = state(profile=ProfileName.DEEP, form=AnswerForm.SHORT)
    assert words_wanted(deep) == SHORT_WORDS
    assert words_wanted(state(profile=ProfileName.DEEP)) == 600
    budget = PROFILES[ProfileName.SIMPLE].override({"answer_words": 20})
    assert words_wanted(state(form=AnswerForm.SHORT, budget=budget)) == 20


def test_a_larger_state_takes_more_tokens() -> None:
    small, large = state(), state(answer="The mill was built of oak. " * 100)
    assert 400 < state_tokens(large) - state_tokens(small) < 1_500


def test_rounds_are_left_as_long_as_the_supervisor_was_not_asked_too_often() -> None:
    made = supervisor_state(
        Question(text=HOP),
        requested=None,
        limits={"max_iters": 3},
        configuration=Configuration(max_researcher_iterations=5),
    )
    left: list[int] = []
    for asked in range(5):
        made["research_iterations"] = asked
        left.append(rounds_left(made))
    assert left == [3, 2, 1, 0, 0]
