# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own stream open.
"""The state of a run: what it starts from, and how little it holds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from enum import Enum
from itertools import pairwise
from typing import cast, get_args, get_type_hints

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from tests.graphs.reasoners import Insatiable, something_new
from tests.graphs.world import DOCUMENTS, HOP, Desk, Shelf, Still, engine

from quaere.domain.budget import Spend
from quaere.domain.evidence import Evidence
from quaere.domain.profile import PROFILES, ProfileName
from quaere.domain.question import Query, Question
from quaere.domain.value import Value
from quaere.domain.verdict import StopReason
from quaere.errors import SettingsError
from quaere.graphs.loop import build_loop
from quaere.graphs.state import LoopState, grow, initial_state

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
        build_loop().astream(start, context=asked._run_context(0.0), stream_mode="values"),
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
    assert handles < 500 * len(last["pool"])
    for state in history:
        rest = {key: value for key, value in state.items() if key != "pool"}
        assert size(rest) < 45_000
        assert "Herring barrel 399 was weighed." not in repr(state)


def types_of(schema: object) -> set[type]:
    """Return the values and names of values that can stand in a state of ``schema``."""
    found: set[type] = set()

    def visit(kind: object) -> None:
        for part in get_args(kind):
            visit(part)
        if not isinstance(kind, type) or kind in found or not issubclass(kind, Value | Enum):
            return
        found.add(kind)
        for field in kind.model_fields.values() if issubclass(kind, Value) else ():
            visit(field.annotation)

    for hint in get_type_hints(schema).values():
        visit(hint)
    return found


async def test_every_value_comes_back_from_a_checkpoint_as_it_was() -> None:
    allowed = types_of(LoopState)
    assert Evidence in allowed
    assert StopReason in allowed
    strict = JsonPlusSerializer(allowed_msgpack_modules=allowed)
    for state in await states(with_text=False):
        for key, value in state.items():
            back: object = strict.loads_typed(strict.dumps_typed(value))
            if isinstance(back, list):
                back = tuple(cast("list[object]", back))
            assert back == value, key
            assert type(back) is type(value), key


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
