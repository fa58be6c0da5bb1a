# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own stream open.
"""The engine: runs the loop on a question, within its budget, and hands out events and a report."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Self, cast

from quaere.domain.budget import MAX_LOOPS, Budget, Limits
from quaere.domain.events import (
    Event,
    Phase,
    RunFailed,
    RunFinished,
    RunStarted,
    WarningRaised,
)
from quaere.domain.prices import Prices
from quaere.domain.profile import PROFILES, ProfileName
from quaere.domain.question import MAX_CONTEXT_CHARS, MAX_QUESTION_CHARS, Question
from quaere.domain.report import Report
from quaere.domain.value import encodable
from quaere.errors import QuaereError, QuestionError
from quaere.graphs.context import RunContext
from quaere.graphs.loop import build_loop, recursion_limit
from quaere.graphs.result import to_report
from quaere.graphs.state import LoopState, initial_state
from quaere.ports import (
    Accountable,
    Clock,
    Cutter,
    Preparable,
    Reader,
    Reasoner,
    SearchProvider,
    TermStatistics,
)
from quaere.read.ahead import ReadAhead
from quaere.resilience.clock import SystemClock
from quaere.resilience.meter import Meter
from quaere.search.prepare import prepare
from quaere.store.pages import MemoryPageStore

PREPARING_SHARE = 2 / 3
"""Share of a run's time that bringing an index up to date may take; the rest is for the answer."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Answers questions with what its providers find and its reasoner makes of it.

    One engine serves any number of runs, one after another or side by side; nothing of a run stays
    in it.
    """

    providers: Sequence[SearchProvider]
    reasoner: Reasoner | Accountable
    reader: Reader
    cutter: Cutter
    prices: Prices = field(default_factory=Prices)
    """What models cost, for the ledger of a run."""
    profiles: Mapping[ProfileName, Budget] = field(default_factory=lambda: PROFILES)
    """The named budgets as the operator has them."""
    fallback: Reasoner | None = None
    warming: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to begin while the first search is on its way: imports, connections."""
    closing: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to call when the engine is no longer needed: connections, worker processes."""
    clock: Clock = field(default_factory=SystemClock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Let go of connections and worker processes; runs must be over."""
        for close in self.closing:
            await close()

    async def run(
        self,
        question: str,
        *,
        context: str = "",
        profile: ProfileName | None = None,
        limits: Limits | None = None,
        run_id: str | None = None,
    ) -> Report:
        """Research ``question`` and return the report.

        Args:
            question: What is asked, in any language; at most 20,000 characters.
            context: What the asker needs it for; helps planning.
            profile: The named budget; chosen by planning, else ``standard``, when left out.
            limits: Limits in place of the profile's own.
            run_id: Name of the run; a random one when left out.

        Raises:
            QuestionError: when the question is empty, too long or not text.
            SettingsError: when a limit is out of its range.
            QuaereError: when the run cannot come to a report at all.
        """
        events = self.stream(
            question, context=context, profile=profile, limits=limits, run_id=run_id
        )
        async with aclosing(events):
            async for event in events:
                if isinstance(event, RunFinished):
                    return event.report
        raise QuaereError("The run ended without a report.")

    async def stream(
        self,
        question: str,
        *,
        context: str = "",
        profile: ProfileName | None = None,
        limits: Limits | None = None,
        run_id: str | None = None,
    ) -> AsyncGenerator[Event]:
        """Research ``question`` and yield the run's events; the last one carries the report.

        Takes and raises the same as ``run``. Once the run has started, an error is told as a
        ``RunFailed`` event before it is raised. Closing the generator ends the run.
        """
        run_id = run_id or str(uuid.uuid4())
        seq = 0
        async with aclosing(
            self._events(question, context, profile, limits or {}, run_id)
        ) as events:
            async for event in events:
                seq += 1
                at = self.clock.now().isoformat(timespec="milliseconds")
                yield event.model_copy(update={"run_id": run_id, "seq": seq, "at": at})

    async def _events(
        self,
        question: str,
        context: str,
        profile: ProfileName | None,
        limits: Limits,
        run_id: str,
    ) -> AsyncGenerator[Event]:
        started = self.clock.monotonic()
        asked = _question(question, context)
        state = initial_state(asked, requested=profile, limits=limits, profiles=self.profiles)
        yield RunStarted(question=asked.text, profile=state["profile"], budget=state["budget"])
        warming = asyncio.create_task(self._warm())
        try:
            async with aclosing(self._prepare(state["budget"].max_execution_time_s)) as preparing:
                async for event in preparing:
                    if isinstance(event, WarningRaised):
                        state["warnings"] += (event.warning,)
                    yield event
            run = self._run_context(started)
            async with aclosing(run.ahead), aclosing(_drive(state, run)) as driving:
                async for event in driving:
                    yield event
        except QuaereError as error:
            yield _failed(error, run_id)
            raise
        except Exception as bug:
            logger.exception("bug in run %s", run_id)
            error = QuaereError(f"The run met a bug, {type(bug).__name__}; the log tells where.")
            yield _failed(error, run_id)
            raise error from bug
        finally:
            warming.cancel()
        report = to_report(state, run_id=run_id, seconds=run.elapsed(), reasoner=self.reasoner.name)
        yield RunFinished(phase=Phase.FINALIZING, report=report)

    async def _warm(self) -> None:
        """Warm everything; what fails now fails again when it is needed, and is told then."""
        await asyncio.gather(*(warm() for warm in self.warming), return_exceptions=True)

    async def _prepare(self, seconds: float) -> AsyncGenerator[Event]:
        """Let providers get ready, within their share of the run's ``seconds``."""
        deadline = self.clock.monotonic() + PREPARING_SHARE * seconds
        for provider in self.providers:
            if isinstance(provider, Preparable):
                left = deadline - self.clock.monotonic()
                async with aclosing(prepare(provider, provider.name, left)) as events:
                    async for event in events:
                        yield event

    def _run_context(self, started: float) -> RunContext:
        meter = Meter(self.prices)
        reasoner = self.reasoner
        knowing = [p for p in self.providers if isinstance(p, TermStatistics)]
        return RunContext(
            providers=self.providers,
            reasoner=reasoner.for_run(meter) if isinstance(reasoner, Accountable) else reasoner,
            meter=meter,
            fallback=self.fallback,
            ahead=ReadAhead(self.reader),
            cutter=self.cutter,
            store=MemoryPageStore(),
            clock=self.clock,
            started=started,
            document_share=knowing[0].document_share if knowing else None,
            profiles=self.profiles,
        )


async def _drive(state: LoopState, run: RunContext) -> AsyncGenerator[Event]:
    """Run the loop graph on ``state``, yield its events and leave its last values in ``state``."""
    stream = build_loop().astream(
        state,
        context=run,
        stream_mode=["custom", "values"],
        config={"recursion_limit": recursion_limit(MAX_LOOPS)},
    )
    async with aclosing(cast("AsyncGenerator[tuple[str, object]]", stream)) as chunks:
        async for mode, chunk in chunks:
            if mode == "custom":
                yield cast("Event", chunk)
            else:
                state.update(cast("LoopState", chunk))


def _failed(error: QuaereError, run_id: str) -> RunFailed:
    logger.warning("run %s failed: %s: %s", run_id, error.type, error.message)
    return RunFailed(
        phase=Phase.FINALIZING,
        error_type=error.type,
        message=error.message,
        retryable=error.retryable,
    )


def _question(text: str, context: str) -> Question:
    if not text.strip():
        raise QuestionError("The question is empty. Ask something, for example: who founded Rome?")
    if len(text) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The question has {len(text):,} characters; {MAX_QUESTION_CHARS:,} is the most. "
            "Give long material as a document and ask about it."
        )
    if len(context) > MAX_CONTEXT_CHARS:
        raise QuestionError(
            f"The context has {len(context):,} characters; {MAX_CONTEXT_CHARS:,} is the most."
        )
    if not any(character.isalnum() for character in text):
        raise QuestionError("The question holds no word. Ask in letters or digits.")
    return Question(text=encodable(text), context=context)
