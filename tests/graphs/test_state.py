# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own stream open.
"""What a run remembers, and what its supervisor has said."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from tests.graphs.reasoners import Insatiable, something_new
from tests.graphs.samples import kinds_of, samples
from tests.graphs.world import DOCUMENTS, HOP, Desk, Shelf, Still, engine

from quaere.domain.budget import PROFILES, ProfileName, Spend
from quaere.domain.evidence import Agreement, Conflict, Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import Query, Question
from quaere.domain.team import Delegation, Topic
from quaere.domain.verdict import Reflection, StopReason
from quaere.errors import SettingsError
from quaere.graphs.langgraph_driver import MessagesState, langgraph_of
from quaere.graphs.loop import LOOP
from quaere.graphs.state import (
    COMPLETE,
    CONDUCT,
    STOPPED,
    THINK,
    LoopState,
    Message,
    acknowledgements,
    answered,
    end_message,
    grow,
    initial_state,
    research_calls,
    supervisor_turn,
    unanswered_calls,
)

pytestmark = pytest.mark.anyio


async def states(
    documents: Mapping[str, str] = DOCUMENTS, *, with_text: bool = True
) -> list[LoopState]:
    """Return the state after every step of a run of three loops over ``documents``."""
    asked = engine(
        Shelf(documents, with_text=with_text),
        reasoner=Insatiable(something_new),
        reader=Desk(documents),
        clock=Still(),
    )
    start = initial_state(Question(text=HOP), requested=None, limits={"max_iters": 3})
    stream = cast(
        "AsyncIterator[LoopState]",
        langgraph_of(LOOP).astream(start, context=asked._run_context(0.0), stream_mode="values"),
    )
    return [state async for state in stream]


def size(value: object) -> int:
    """Return the bytes that ``value`` takes in a checkpoint."""
    return len(JsonPlusSerializer().dumps_typed(value)[1])


async def test_the_state_holds_handles_and_no_page_text() -> None:
    padding = " ".join(f"Herring barrel {n} was weighed." for n in range(400))
    pages = {title: f"{text} {padding}" for title, text in DOCUMENTS.items()}
    history = await states(pages, with_text=False)
    last = history[-1]
    handles = sum(size(evidence) for evidence in last["pool"])
    read = sum(len(pages[title]) for title in {evidence.title for evidence in last["pool"]})
    assert read > 60_000
    assert handles < 520 * len(last["pool"])
    for state in history:
        rest = {key: value for key, value in state.items() if key != "pool"}
        assert size(rest) < 45_000
        assert "Herring barrel 399 was weighed." not in repr(state)


def back_from_a_checkpoint(value: object, serializer: JsonPlusSerializer) -> object:
    """Return what a checkpoint makes of ``value``; its lists are what tuples were."""
    back: object = serializer.loads_typed(serializer.dumps_typed(value))
    return tuple(cast("list[object]", back)) if isinstance(back, list) else back


async def test_every_value_comes_back_from_a_checkpoint_as_it_was() -> None:
    allowed = kinds_of(LoopState)
    assert Evidence in allowed
    assert StopReason in allowed
    strict = JsonPlusSerializer(allowed_msgpack_modules=allowed)
    for state in await states(with_text=False):
        for key, value in state.items():
            back = back_from_a_checkpoint(value, strict)
            assert back == value, key
            assert type(back) is type(value), key


KINDS = sorted(kinds_of(MessagesState), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_value_of_every_kind_comes_back_with_all_it_holds_r1_6(kind: type) -> None:
    strict = JsonPlusSerializer(allowed_msgpack_modules=KINDS)
    found = list(samples(kind))
    assert found
    for value in found:
        back = back_from_a_checkpoint(value, strict)
        assert back == value
        assert type(back) is kind
        assert repr(back) == repr(value), "to the last of its parts"
        if not isinstance(value, str):
            barred = JsonPlusSerializer(allowed_msgpack_modules=[]).loads_typed(
                strict.dumps_typed(value)
            )
            assert not isinstance(barred, kind), "what is not on the list is not made"


def test_the_kinds_that_only_a_model_or_a_team_bring_are_among_them_r1_6() -> None:
    assert {Agreement, Conflict, Delegation, ModelCall, Reflection, Topic} <= set(KINDS)
    full = [value for value in samples(Reflection) if isinstance(value, Reflection)]
    assert any(value.findings and value.metadata for value in full)


async def test_what_grows_keeps_all_that_it_held_r0_2() -> None:
    history = await states()
    assert len(history) == 1 + 4 * 3 + 3
    for before, after in pairwise(history):
        for key in ("outcomes", "considered", "opened", "warnings", "steps", "degradations"):
            assert after[key][: len(before[key])] == before[key], key
        known = [evidence.id for evidence in before["pool"]]
        assert [evidence.id for evidence in after["pool"]][: len(known)] == known
        assert after["spend"].iterations - before["spend"].iterations in {0, 1}
        assert after["spend"].queries >= before["spend"].queries
        assert after["spend"].tokens >= before["spend"].tokens
    assert history[-1]["spend"].iterations == 3


async def test_every_source_is_counted_once() -> None:
    last = (await states())[-1]
    for key in ("considered", "opened"):
        assert len(last[key]) == len(set(last[key])) > 0
    assert set(last["opened"]) <= set(last["considered"])


def test_a_run_starts_with_the_raw_question_and_nothing_else() -> None:
    state = initial_state(Question(text=HOP), requested=None, limits={})
    assert state["pending"] == (Query(text=HOP),)
    assert state["spend"] == Spend()
    assert state["profile"] is ProfileName.STANDARD
    assert state["budget"] == PROFILES[ProfileName.STANDARD]


def test_limits_take_the_place_of_the_profiles() -> None:
    state = initial_state(
        Question(text=HOP), requested=ProfileName.DEEP, limits={"max_iters": 2, "max_queries": None}
    )
    assert state["budget"].max_iters == 2
    assert state["budget"].max_queries == PROFILES[ProfileName.DEEP].max_queries


def test_profiles_are_those_of_the_operator_r3_1() -> None:
    own = {**PROFILES, ProfileName.CHAT: PROFILES[ProfileName.CHAT].override({"max_reads": 1})}
    state = initial_state(
        Question(text=HOP), requested=ProfileName.CHAT, limits={"max_iters": 3}, profiles=own
    )
    assert (state["budget"].max_reads, state["budget"].max_iters) == (1, 3)


def test_a_limit_out_of_its_range_is_named() -> None:
    with pytest.raises(SettingsError, match="max_iters"):
        initial_state(Question(text=HOP), requested=None, limits={"max_iters": 0})


def test_what_a_checkpoint_made_a_list_grows_like_a_tuple() -> None:
    assert grow([1, 2], (3,)) == grow((1, 2), [3]) == (1, 2, 3)
    assert grow((), ()) == ()


TOPICS = ("the mill", "the weir")


def test_topics_are_calls_on_one_line_and_empty_ones_are_none() -> None:
    turn = supervisor_turn(Delegation(topics=(" the\n mill ", "  ", "the weir")), 3)
    assert turn.id == "supervisor-3"
    assert [(call.id, call.name, call.argument) for call in turn.calls] == [
        ("call-3-1", CONDUCT, "the mill"),
        ("call-3-2", CONDUCT, "the weir"),
    ]


def test_who_calls_the_research_complete_sends_nobody_out() -> None:
    turn = supervisor_turn(Delegation(thought="all is known", topics=TOPICS, complete=True), 1)
    assert [(call.name, call.argument) for call in turn.calls] == [
        (THINK, "all is known"),
        (COMPLETE, ""),
    ]
    assert research_calls([turn]) == ()
    assert [(each.call, each.text) for each in acknowledgements([turn])] == [
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
        messages.append(supervisor_turn(said, number))
        messages += acknowledgements(messages)
        calls = unanswered_calls(messages)
        assert [call.argument for call in calls] == topics
        done = data.draw(st.integers(0, len(calls)))
        messages += [answered(call, "found") for call in calls[:done]]
        waiting = tuple(call.id for call in calls[done:])
        assert len(research_calls(messages)) == len(topics)
    assert tuple(call.id for call in unanswered_calls(messages)) == waiting


def test_before_anything_was_said_nothing_waits() -> None:
    assert unanswered_calls([]) == ()
    assert acknowledgements([end_message("out of time", 2)]) == []


def test_the_engine_s_own_end_is_told_apart_by_its_turn() -> None:
    first, second = end_message("out of time", 1), end_message("out of time", 2)
    assert first.id != second.id
    assert (first.name, first.text, first.failed) == (STOPPED, "out of time", False)
