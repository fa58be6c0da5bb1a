"""A graph declared as data: what a declaration may say, and how the plain runner follows it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import pytest
from tests.graphs.team import TWO, Led, team
from tests.graphs.world import HOP, PLAIN, engine

from quaere.domain.budget import PROFILES, Spend
from quaere.domain.events import Event, Phase, PhaseStarted
from quaere.domain.question import Question
from quaere.domain.report import RunWarning
from quaere.domain.team import Delegation
from quaere.graphs.configuration import Configuration
from quaere.graphs.flow import (
    END,
    Branch,
    Command,
    Emitter,
    Flow,
    Node,
    Runtime,
    Update,
    merged,
    run_flow,
)
from quaere.graphs.state import LoopState, SupervisorState, initial_state, supervisor_state
from quaere.graphs.strategies import Research, by_loop
from quaere.graphs.supervisor import SUPERVISOR, added

pytestmark = pytest.mark.anyio


def start() -> LoopState:
    return initial_state(Question(text=HOP), requested=None, limits={})


def runtime(events: list[Event] | None = None) -> Runtime:
    context = engine()._run_context(0.0)
    return Runtime(context, (events if events is not None else []).append, run_flow)


async def count(state: LoopState, runtime: Runtime) -> Update:
    return {"spend": Spend(iterations=1)}


async def warn(state: LoopState, runtime: Runtime) -> Update:
    return {"warnings": (RunWarning(kind="read", message="gone", subject="page"),)}


async def choose(state: LoopState, runtime: Runtime) -> Command[Literal["count", "__end__"]]:
    over = state["spend"].iterations == 3
    return Command(goto="__end__" if over else "count", update={"truncated": over})


def flow(
    nodes: dict[str, Node[LoopState]],
    edges: dict[str, str],
    branches: dict[str, Branch[LoopState]] | None = None,
    max_steps: int = 9,
) -> Flow[LoopState]:
    return Flow("test", LoopState, nodes, edges, max_steps, branches=branches or {})


def ignore(_state: LoopState) -> None:
    pass


async def test_updates_are_added_where_the_state_says_so_and_put_in_place_elsewhere() -> None:
    noted: list[int] = []
    circle = flow(
        {"count": count, "warn": warn, "choose": choose}, {"count": "warn", "warn": "choose"}
    )
    begun = start()
    last = await run_flow(
        circle, begun, runtime(), lambda state: noted.append(state["spend"].iterations)
    )
    assert last["spend"].iterations == len(last["warnings"]) == 3
    assert last["truncated"]
    assert noted == [1, 1, 1, 2, 2, 2, 3, 3, 3], "the state is shown after every step"
    assert begun == start(), "and the one it started from is left alone"


async def test_a_branch_sees_the_state_with_the_update_of_its_node() -> None:
    enough = Branch[LoopState](
        lambda state: "more" if state["spend"].iterations < 4 else "enough",
        {"more": "count", "enough": END},
    )
    last = await run_flow(flow({"count": count}, {}, {"count": enough}), start(), runtime(), ignore)
    assert last["spend"].iterations == 4


async def test_a_graph_that_goes_in_circles_is_stopped() -> None:
    with pytest.raises(RecursionError, match="more than 9 steps"):
        await run_flow(flow({"count": count}, {"count": "count"}), start(), runtime(), ignore)


@pytest.mark.parametrize(
    ("edges", "branches"),
    [
        ({"count": "warn"}, {}),
        ({"count": "warn", "warn": "nowhere"}, {}),
        ({"count": "warn", "warn": END, "nobody": "count"}, {}),
        ({"count": "warn", "warn": END}, {"warn": Branch[LoopState](lambda _: "on", {"on": END})}),
        ({"count": "warn"}, {"warn": Branch[LoopState](lambda _: "on", {"on": "nowhere"})}),
    ],
    ids=["no-way-out", "to-nowhere", "from-nowhere", "two-ways-out", "branch-to-nowhere"],
)
def test_a_declaration_that_leads_nowhere_is_refused(
    edges: dict[str, str], branches: dict[str, Branch[LoopState]]
) -> None:
    with pytest.raises(ValueError, match="does not lead to one of its nodes"):
        flow({"count": count, "warn": warn}, edges, branches)


def test_a_command_to_what_is_no_node_is_refused() -> None:
    with pytest.raises(ValueError, match="choose does not lead"):
        flow({"choose": choose}, {})


async def test_events_arrive_while_their_step_is_still_at_work() -> None:
    released = asyncio.Event()

    async def wait(state: LoopState, runtime: Runtime) -> Update:
        Emitter(Phase.READING, state, runtime).begin("waiting")
        await released.wait()
        return {"answer": "done"}

    research = _research(flow({"wait": wait}, {"wait": END}))
    events = research.drive(engine()._run_context(0.0))
    first = await asyncio.wait_for(anext(events), 2)
    assert isinstance(first, PhaseStarted)
    assert research.state["answer"] == ""
    released.set()
    assert [event async for event in events] == []
    assert research.state["answer"] == "done"


async def test_a_step_that_never_waits_lets_its_events_be_taken_before_the_next_one() -> None:
    taken: list[int] = []

    async def tell(state: LoopState, runtime: Runtime) -> Update:
        taken.append(len(seen))
        Emitter(Phase.READING, state, runtime).begin()
        return {}

    seen: list[Event] = []
    both = flow({"first": tell, "second": tell}, {"first": "second", "second": END})
    async for event in _research(both).drive(engine()._run_context(0.0)):
        seen.append(event)  # noqa: PERF401 - the steps look at it meanwhile
    assert taken == [0, 1]


async def test_closing_a_run_ends_the_step_at_work() -> None:
    ended = asyncio.Event()

    async def hang(state: LoopState, runtime: Runtime) -> Update:
        Emitter(Phase.READING, state, runtime).begin()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()
        return {}

    events = _research(flow({"hang": hang}, {"hang": END})).drive(engine()._run_context(0.0))
    await anext(events)
    await events.aclose()
    assert ended.is_set()


async def test_an_error_of_a_step_is_that_of_the_run_behind_its_events() -> None:
    async def fail(state: LoopState, runtime: Runtime) -> Update:
        Emitter(Phase.READING, state, runtime).begin()
        raise KeyError("lost")

    events = _research(flow({"fail": fail}, {"fail": END})).drive(engine()._run_context(0.0))
    assert isinstance(await anext(events), PhaseStarted)
    with pytest.raises(KeyError, match="lost"):
        await anext(events)


async def test_what_research_adds_is_all_that_it_has_changed() -> None:
    """What only grows leaves the graph inside as what it adds, or it would be there twice."""
    asked = team(Led([HOP, PLAIN], Delegation(complete=True)))
    before = supervisor_state(
        Question(text=TWO), requested=None, limits={}, configuration=Configuration()
    )
    context = asked._run_context(asked.clock.monotonic(), shared=True)
    history: list[SupervisorState] = [before]
    own = replace(runtime(), context=context)
    await run_flow(SUPERVISOR, before, own, history.append)
    after = history[-1]
    assert merged(before, added(before, after), SupervisorState) == after
    assert after["spend"] != before["spend"]
    assert len(after["messages"]) > len(before["messages"])


def _research(declared: Flow[LoopState]) -> Research[LoopState]:
    return replace(by_loop(Question(text=HOP), None, {}, PROFILES), flow=declared)
