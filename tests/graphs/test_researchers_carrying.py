"""When the answer of the only researcher is the run's, and what becomes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.graphs.world import HOP, PLAIN

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import AnswerForm, Checklist, Question
from quaere.domain.team import Delegation, Topic
from quaere.domain.verdict import NextAction, Reflection
from quaere.graphs.configuration import Configuration
from quaere.graphs.researchers import Finding, carried_answer, for_whole, is_whole, wants_no_more
from quaere.graphs.state import SupervisorState, initial_state, supervisor_state

LAST = Delegation(topics=(PLAIN,), last=True)


def led(
    *,
    delegation: Delegation | None = None,
    form: AnswerForm | None = None,
    profile: ProfileName | None = None,
    **fields: object,
) -> SupervisorState:
    made = supervisor_state(
        Question(text=HOP, form=form),
        requested=profile,
        limits={},
        configuration=Configuration(),
    )
    made["delegation"] = delegation
    made.update(fields)  # type: ignore[typeddict-item]
    return made


def passage(number: int, key: str) -> Evidence:
    return Evidence(id=number, passage=key, url=key, title=key, score=Score(total=1.0))


def finding(topic: str = HOP, answer: str = "Varga [2], and more [1].") -> Finding:
    state = initial_state(Question(text=topic), requested=None, limits={})
    state["pool"] = (passage(1, "a"), passage(2, "b"))
    state["reflection"] = Reflection(
        next_action=NextAction.FINALIZE, confidence=0.9, checklist=Checklist(), answer=answer
    )
    return Finding(topic, state, ())


POOL = (passage(7, "b"), passage(8, "a"), passage(9, "c"))


@pytest.mark.parametrize(
    ("topics", "delegation", "is_it"),
    [
        ((HOP,), None, True),
        ((HOP.upper(),), None, True),
        ((PLAIN,), None, False),
        ((PLAIN,), LAST, True),
        ((PLAIN,), LAST.model_copy(update={"last": False}), False),
        ((HOP, PLAIN), LAST, False),
        ((), LAST, False),
    ],
)
def test_one_topic_is_the_whole_if_it_is_the_question_or_the_supervisor_said_so(
    topics: tuple[str, ...], delegation: Delegation | None, *, is_it: bool
) -> None:
    state = led(delegation=delegation, dispatched_topics=topics)
    assert is_whole(topics, state) is is_it


def test_what_builds_on_an_earlier_topic_is_not_the_whole() -> None:
    assert not is_whole((HOP,), led(topics=(Topic(text=PLAIN),)))


def test_no_more_is_wanted_once_every_topic_that_was_named_is_out() -> None:
    two = Delegation(topics=("one", "two"), last=True)
    assert not wants_no_more(led(delegation=two, dispatched_topics=("one",)))
    assert wants_no_more(led(delegation=two, dispatched_topics=("two", "one")))
    assert wants_no_more(led(delegation=two, dispatched_topics=("one",), skipped_topics=("two",)))
    assert not wants_no_more(led())


def test_the_only_researcher_writes_as_long_an_answer_as_the_run() -> None:
    budget = PROFILES[ProfileName.DEEP]
    standard = PROFILES[ProfileName.STANDARD].answer_words
    assert for_whole(budget, led()).answer_words == standard
    assert for_whole(budget, led(profile=ProfileName.DEEP)) == budget, "a step of its own writes it"
    assert for_whole(budget, led(form=AnswerForm.TABLE)) == budget


def test_the_answer_cites_by_the_ids_of_the_run() -> None:
    assert carried_answer([finding()], POOL, led()) == "Varga[7], and more[8]."


def test_nothing_is_carried_that_is_not_the_whole_or_not_sure() -> None:
    found = finding()
    assert carried_answer([finding(PLAIN)], POOL, led()) == ""
    assert carried_answer([found, finding(PLAIN)], POOL, led()) == ""
    assert carried_answer([], POOL, led()) == ""
    assert carried_answer([replace(found, error="late")], POOL, led()) == ""
    assert carried_answer([found], POOL, led(profile=ProfileName.DEEP)) == ""
    unsure = finding()
    reflection = unsure.state["reflection"]
    assert reflection
    more = {"next_action": NextAction.SEARCH_MORE}
    unsure.state["reflection"] = reflection.model_copy(update=more)
    assert carried_answer([unsure], POOL, led()) == ""
    unsure.state["reflection"] = None
    assert carried_answer([unsure], POOL, led()) == ""
