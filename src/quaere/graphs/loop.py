"""The loop: search, read, collect, evaluate, and again; then synthesize and verify.

The raw question is searched and read before anything is planned, so that the plan is made on what
is there. Where a model plans, the strongest names that this has brought up are searched as well.
From the second loop on, evaluating proposes the queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from quaere.domain.budget import MAX_LOOPS
from quaere.domain.verdict import Continue
from quaere.graphs.flow import END, Branch, Flow, Node
from quaere.graphs.nodes.collect import collect
from quaere.graphs.nodes.evaluate import evaluate
from quaere.graphs.nodes.plan import follow, plan
from quaere.graphs.nodes.read import read
from quaere.graphs.nodes.search import search
from quaere.graphs.nodes.synthesize import synthesize
from quaere.graphs.nodes.verify import verify
from quaere.graphs.state import LoopState

STEPS_PER_LOOP = 4
STEPS_ONCE = 8
"""Planning and writing, and the names of the first look, which are looked for once."""


def _after_collect(state: LoopState) -> str:
    """The plan is made once."""
    return "evaluate" if state["research_plan"] else "follow"


def _after_evaluate(state: LoopState) -> str:
    return "again" if isinstance(state["decision"], Continue) else "enough"


_SEARCHING: Mapping[str, Node[LoopState]] = {
    "search": search,
    "read": read,
    "collect": collect,
    "follow": follow,
    "plan": plan,
    "evaluate": evaluate,
}
_SEARCHING_EDGES = {"search": "read", "read": "collect", "plan": "evaluate"}


def _searching(then: str) -> Mapping[str, Branch[LoopState]]:
    """Return the choices of the loop; ``then`` is the node that follows it."""
    return {
        "collect": Branch(_after_collect, {"follow": "follow", "evaluate": "evaluate"}),
        "evaluate": Branch(_after_evaluate, {"again": "search", "enough": then}),
    }


LOOP = Flow(
    "quaere",
    LoopState,
    nodes={**_SEARCHING, "synthesize": synthesize, "verify": verify},
    edges={**_SEARCHING_EDGES, "synthesize": "verify", "verify": END},
    branches=_searching(then="synthesize"),
    max_steps=STEPS_PER_LOOP * MAX_LOOPS + STEPS_ONCE,
)

RESEARCHER = Flow(
    "researcher",
    LoopState,
    nodes=_SEARCHING,
    edges=_SEARCHING_EDGES,
    branches=_searching(then=END),
    max_steps=STEPS_PER_LOOP * MAX_LOOPS + STEPS_ONCE,
    # One that was over when its supervisor was cut off would have nothing left to do afterwards,
    # and nothing to hand over.
    checkpointed=False,
)
"""The loop without its end: what it finds is written up by the supervisor."""

GOING_ON = replace(RESEARCHER, nodes={"evaluate": evaluate, **_SEARCHING})
"""The same for a researcher whose first look is taken and planned on: it begins by weighing it."""
