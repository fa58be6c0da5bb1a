"""The supervisor: a brief, rounds of researchers on topics, then one report on all they found.

As in the loop the raw question is searched first, for what is said of its parts together, and that
may be all that is needed. The rounds are a graph inside the graph, so that their end is not the end
of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from quaere.domain.budget import MAX_LOOPS
from quaere.graphs.flow import END, Branch, Flow, Runtime, Update, reducers_of
from quaere.graphs.nodes.collect import collect
from quaere.graphs.nodes.evaluate import evaluate
from quaere.graphs.nodes.plan import approve, clarify, follow_names, is_answered, write_brief
from quaere.graphs.nodes.read import read
from quaere.graphs.nodes.search import search
from quaere.graphs.nodes.supervisor import dispatch, supervisor, supervisor_tools
from quaere.graphs.nodes.synthesize import synthesize
from quaere.graphs.nodes.verify import verify
from quaere.graphs.state import SupervisorState

STEPS_PER_ROUND = 3
STEPS_ONCE = 15
"""With a question that is asked back, after which the brief is written once more, and with names
that are followed."""


def _after_brief(state: SupervisorState) -> str:
    if is_answered(state["opening"]):
        return "evaluate"
    return "clarify" if state["clarification"] else "approve"


RESEARCH = Flow(
    "research",
    SupervisorState,
    nodes={
        "supervisor": supervisor,
        "dispatch": dispatch,
        "supervisor_tools": supervisor_tools,
    },
    edges={"supervisor": "dispatch", "dispatch": "supervisor_tools"},
    max_steps=STEPS_PER_ROUND * MAX_LOOPS,
)
"""Rounds of supervisor and researchers."""


async def research(state: SupervisorState, runtime: Runtime) -> Update:
    """Run rounds of research until they end, and return what they have added."""
    after = await runtime.driver(RESEARCH, state, runtime, _pass)
    return added(state, after)


SUPERVISOR = Flow(
    "supervisor",
    SupervisorState,
    nodes={
        "search": search,
        "read": read,
        "collect": collect,
        "follow": follow_names,
        "write_brief": write_brief,
        "evaluate": evaluate,
        "clarify": clarify,
        "approve": approve,
        "research": research,
        "synthesize": synthesize,
        "verify": verify,
    },
    edges={
        "search": "read",
        "read": "collect",
        "collect": "follow",
        "evaluate": "synthesize",
        "clarify": "write_brief",
        "approve": "research",
        "research": "synthesize",
        "synthesize": "verify",
        "verify": END,
    },
    branches={
        "write_brief": Branch(
            _after_brief, {name: name for name in ("evaluate", "clarify", "approve")}
        )
    },
    max_steps=STEPS_ONCE,
)
"""A brief, which the person may be asked about, rounds of research unless the first look holds the
answer, and one report."""


def added(before: SupervisorState, after: SupervisorState) -> Update:
    """Return what has to be added to ``before`` to have ``after``."""
    old, new = cast("Update", before), cast("Update", after)
    update = {key: value for key, value in new.items() if value is not old.get(key)}
    for key in reducers_of(SupervisorState).keys() - {"spend"}:
        update[key] = tuple(_listed(new[key])[len(_listed(old[key])) :])
    update["spend"] = after["spend"] - before["spend"]
    return update


def _listed(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value)


def _pass(_state: SupervisorState) -> None:
    pass
