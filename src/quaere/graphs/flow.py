"""A graph of steps, declared as data, the plain runner that drives it, and what a step emits.

`quaere.graphs.langgraph_driver` builds LangGraph's graph from the same declaration.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Generic, Protocol, TypeVar, cast, get_args, get_origin
from typing import get_type_hints as hints_of

from quaere.domain.events import (
    Event,
    EvidenceCompacted,
    ModelCalled,
    Phase,
    PhaseStarted,
    WarningRaised,
)
from quaere.domain.model import ModelCall
from quaere.domain.report import RunWarning
from quaere.domain.source import Passage
from quaere.domain.verdict import Stop
from quaere.evidence.pool import passage_tokens
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.state import LoopState
from quaere.ports.read import PageStore
from quaere.text.languages.language import language_of, speaking

S = TypeVar("S", bound=LoopState)
S_contra = TypeVar("S_contra", bound=LoopState, contravariant=True)
Goal_co = TypeVar("Goal_co", bound=str, covariant=True)

END = "__end__"

Update = dict[str, object]
"""New values of the state by key; what has a reducer is added to what is there."""


@dataclass(frozen=True)
class Command(Generic[Goal_co]):
    """What a node returns that chooses the next node itself, like LangGraph's class of the name."""

    goto: Goal_co
    update: Update


@dataclass(frozen=True, slots=True)
class Runtime:
    """What a node gets besides the state, whichever driver runs it."""

    context: RunContext
    emit: Callable[[Event], None]
    """Sends an event to those who watch the run, at once."""
    driver: Driver
    """Runs a graph inside a node."""
    configuration: Configuration = field(default_factory=Configuration)


class Node(Protocol[S_contra]):
    """One step: takes the state and returns what it changes."""

    async def __call__(self, state: S_contra, runtime: Runtime, /) -> Update | Command[str]:
        """Return the update of the state, with the next node where the node chooses it."""
        ...


@dataclass(frozen=True)
class Branch(Generic[S_contra]):
    """A choice between nodes."""

    choose: Callable[[S_contra], str]
    """Returns a key of ``targets``."""
    targets: Mapping[str, str]
    """Nodes, or `END`, by the name of the choice."""


@dataclass(frozen=True, eq=False)
class Flow(Generic[S]):
    """A graph: what follows a node is an edge, a branch, or the node's own `Command`."""

    name: str
    state: type[S]
    nodes: Mapping[str, Node[S]]
    """The first one is where the graph starts."""
    edges: Mapping[str, str]
    max_steps: int
    """More steps than any run takes; beyond it the graph goes in circles."""
    branches: Mapping[str, Branch[S]] = field(default_factory=dict[str, Branch[S]])
    checkpointed: bool = True
    """Whether LangGraph may keep its state between steps, inside a graph that it keeps."""

    def __post_init__(self) -> None:
        """Check that every node leads somewhere, in one way.

        Raises:
            ValueError: when one does not, or leads to what is not a node.
        """
        for name in {*self.nodes, *self.edges, *self.branches}:
            ways = list(filter(None, (self._edge(name), self._branch(name), self.goals(name))))
            goals = ways[0] if len(ways) == 1 else ()
            if not goals or not {name, *goals} <= {*self.nodes, END}:
                raise ValueError(f"{self.name}: {name} does not lead to one of its nodes")

    @property
    def start(self) -> str:
        """The first node."""
        return next(iter(self.nodes))

    def goals(self, name: str) -> tuple[str, ...]:
        """Return where the `Command` of a node may lead; nothing for a node that gives none."""
        node = self.nodes.get(name)
        returned: object = hints_of(node).get("return") if node else None
        if get_origin(returned) is not Command:
            return ()
        return cast("tuple[str, ...]", get_args(get_args(returned)[0]))

    def after(self, name: str, state: S) -> str:
        """Return what follows the node, once ``state`` has taken in its update."""
        if name in self.edges:
            return self.edges[name]
        branch = self.branches[name]
        return branch.targets[branch.choose(state)]

    def _edge(self, name: str) -> tuple[str, ...]:
        return (self.edges[name],) if name in self.edges else ()

    def _branch(self, name: str) -> tuple[str, ...]:
        return tuple(self.branches[name].targets.values()) if name in self.branches else ()


class Driver(Protocol):
    """Runs a graph from a state to its end."""

    async def __call__(
        self, flow: Flow[S], state: S, runtime: Runtime, note: Callable[[S], None]
    ) -> S:
        """Return the last state; ``note`` is given the state after every step.

        Raises:
            RecursionError: when the graph goes in circles.
        """
        ...


async def run_flow(flow: Flow[S], state: S, runtime: Runtime, note: Callable[[S], None]) -> S:
    """Run ``flow`` node by node in this task: the driver that needs nothing but this module.

    Raises:
        RecursionError: when ``flow`` goes in circles.
    """
    name = flow.start
    for _ in range(flow.max_steps):
        returned = await step(flow.nodes[name], state, runtime)
        update = returned.update if isinstance(returned, Command) else returned
        state = merged(state, update, flow.state)
        note(state)
        name = returned.goto if isinstance(returned, Command) else flow.after(name, state)
        if name == END:
            return state
        await asyncio.sleep(0)  # watchers take the events of a step that never waited
    raise RecursionError(f"{flow.name} took more than {flow.max_steps} steps.")


async def step(node: Node[S], state: S, runtime: Runtime) -> Update | Command[str]:
    """Return what ``node`` makes of ``state``, working in the language of the question."""
    with speaking(language_of(state["question"].full_text)):
        return await node(state, runtime)


def merged(state: S, update: Update, schema: type[S]) -> S:
    """Return ``state`` with ``update`` in it, by the reducers that ``schema`` declares."""
    values = cast("Update", state)
    reducers = reducers_of(schema)
    taken = {
        key: reducers[key](values[key], value) if key in reducers else value
        for key, value in update.items()
    }
    return cast("S", {**values, **taken})


@cache
def reducers_of(schema: type[LoopState]) -> Mapping[str, Callable[[object, object], object]]:
    """Return the keys to which updates are added, with the function that adds them."""
    hints = hints_of(schema, include_extras=True).items()
    return {key: hint.__metadata__[0] for key, hint in hints if get_origin(hint) is Annotated}


logger = logging.getLogger(__name__)


class Emitter:
    """Stamps phase, loop and counts on a step's events and sends them."""

    def __init__(self, phase: Phase, state: LoopState, runtime: Runtime) -> None:
        self._send = runtime.emit
        self._failed: set[str] = set()
        budget, done = state["budget"], state["spend"].iterations
        under_way = not isinstance(state["decision"], Stop)
        self._remaining = runtime.context.remaining(state)
        self._stamp: dict[str, Phase | int] = {
            "phase": phase,
            "loop": min(done + under_way, budget.max_iters),
            "max_loops": budget.max_iters,
            "sources_considered": len(state["considered"]),
            "sources_read": len(state["opened"]),
        }

    def begin(self, message: str = "") -> None:
        """Announce the phase and what is left of the budget, as an event and in the log."""
        fields = {
            "phase": str(self._stamp["phase"]),
            "iteration": self._stamp["loop"],
            "tokens_left": self._remaining.tokens,
            "results": self._stamp["sources_considered"],
        }
        logger.info(
            "phase=%(phase)s iteration=%(iteration)d tokens_left=%(tokens_left)d "
            "results=%(results)d",
            fields,
            extra={"fields": fields},
        )
        self.emit(PhaseStarted(message=message, remaining=self._remaining))

    def count(self, **figures: int) -> None:
        """Correct the numbers of sources, or the loop, for the events that follow."""
        self._stamp.update(figures)

    def emit(self, event: Event) -> None:
        """Send ``event``."""
        self._send(event.model_copy(update=self._stamp))

    def called(self, call: ModelCall) -> None:
        """Send ``call``, which has just ended."""
        retried = call.attempt > 1 or call.step in self._failed
        self.emit(ModelCalled(call=call, retried=retried))
        (self._failed.add if call.error else self._failed.discard)(call.step)

    def compacted(self, shown: Mapping[str, Passage], store: PageStore) -> None:
        """Send by how much passages were shortened for a step, where they were."""
        whole = {key: store.passage(key) for key in shown}
        cut = sum(len(shown[key].text) < len(whole[key].text) for key in shown)
        if cut:
            before, after = (passage_tokens(each.values()) for each in (whole, shown))
            self.emit(EvidenceCompacted(passages=cut, tokens_before=before, tokens_after=after))

    def warn(self, warnings: Iterable[RunWarning]) -> None:
        """Send one event for each warning."""
        for warning in warnings:
            self.emit(WarningRaised(warning=warning))
