"""What a supervisor says becomes calls of its tools, each of which is answered once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.team import Delegation
from quaere.graphs.messages import (
    COMPLETE,
    CONDUCT,
    STOPPED,
    THINK,
    Message,
    acknowledged,
    answered,
    conducts,
    spoken,
    stopped,
    unanswered,
)

TOPICS = ("the mill", "the weir")


def test_topics_are_calls_on_one_line_and_empty_ones_are_none() -> None:
    turn = spoken(Delegation(topics=(" the\n mill ", "  ", "the weir")), 3)
    assert turn.id == "supervisor-3"
    assert [(call.id, call.name, call.argument) for call in turn.calls] == [
        ("call-3-1", CONDUCT, "the mill"),
        ("call-3-2", CONDUCT, "the weir"),
    ]


def test_who_calls_the_research_complete_sends_nobody_out() -> None:
    turn = spoken(Delegation(thought="all is known", topics=TOPICS, complete=True), 1)
    assert [(call.name, call.argument) for call in turn.calls] == [
        (THINK, "all is known"),
        (COMPLETE, ""),
    ]
    assert conducts([turn]) == ()
    assert [(each.call, each.text) for each in acknowledged([turn])] == [
        ("call-1-1", "Reflection recorded."),
        ("call-1-2", "The research is complete."),
    ]


@given(
    st.lists(st.tuples(st.lists(st.sampled_from("abc"), max_size=3), st.booleans()), max_size=4),
    st.data(),
)
def test_only_calls_of_the_last_turn_wait_and_each_is_answered_once(
    turns: list[tuple[list[str], bool]], data: st.DataObject
) -> None:
    messages: list[Message] = []
    waiting: tuple[str, ...] = ()
    for number, (topics, thinks) in enumerate(turns, 1):
        said = Delegation(topics=tuple(topics), thought="hm" if thinks else "")
        messages.append(spoken(said, number))
        messages += acknowledged(messages)
        calls = unanswered(messages)
        assert [call.argument for call in calls] == topics
        done = data.draw(st.integers(0, len(calls)))
        messages += [answered(call, "found") for call in calls[:done]]
        waiting = tuple(call.id for call in calls[done:])
        assert len(conducts(messages)) == len(topics)
    assert tuple(call.id for call in unanswered(messages)) == waiting


def test_before_anything_was_said_nothing_waits() -> None:
    assert unanswered([]) == ()
    assert acknowledged([stopped("out of time", 2)]) == []


def test_the_engine_s_own_end_is_told_apart_by_its_turn() -> None:
    first, second = stopped("out of time", 1), stopped("out of time", 2)
    assert first.id != second.id
    assert (first.name, first.text, first.failed) == (STOPPED, "out of time", False)
