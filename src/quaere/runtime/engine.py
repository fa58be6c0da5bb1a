"""The engine: researches a question within its budget, and hands out events and a report."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cache

from quaere.domain.budget import PROFILES, Budget, ProfileName
from quaere.domain.events import (
    Event,
    Phase,
    RunFailed,
    RunFinished,
    RunStarted,
    WarningRaised,
)
from quaere.domain.model import Prices
from quaere.domain.question import MAX_CONTEXT_CHARS, MAX_QUESTION_CHARS, Question
from quaere.domain.report import Report
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.team import Strategy
from quaere.domain.value import encodable
from quaere.errors import QuaereError, QuestionError
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Driver, run_flow
from quaere.graphs.strategies import AnyResearch, answer_nothing, by_loop, by_supervisor
from quaere.models.meter import Meter
from quaere.plan.delegation import choose_strategy, known_cosine
from quaere.ports.human import Human
from quaere.ports.model import Embedder, EntailmentModel
from quaere.ports.read import Chunker, MemoryPageStore, PageStore, Reader
from quaere.ports.reason import Accountable, Reasoner
from quaere.ports.search import Preparable, SearchProvider, TermStatistics
from quaere.read.batch import PrefetchingReader
from quaere.reason.extractive.questions.parts import topics_of
from quaere.resilience.once import SharedReader, SharedSearch
from quaere.resilience.thread import computed
from quaere.resilience.timing import Clock, SystemClock
from quaere.runtime.logs import logged_as, run_logged
from quaere.search.fanout import prepare
from quaere.text.asking_again import asks_nothing, form_asked
from quaere.text.follow_ups import whole_question
from quaere.view.reduce import Progress, closing_line, with_figures

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
    chunker: Chunker
    prices: Prices = field(default_factory=Prices)
    """What models cost, for the ledger of a run."""
    profiles: Mapping[ProfileName, Budget] = field(default_factory=lambda: PROFILES)
    """The named budgets as the operator has them."""
    fallback: Reasoner | None = None
    embedder: Embedder | None = None
    """Tells how near texts are in meaning; words alone do where there is none."""
    same_cosine: float | None = None
    """Cosine from which two topics are the same to the embedder; when left out, what is known of
    it."""
    entailment: EntailmentModel | None = None
    """Tells whether a claim follows from a text."""
    strategy: Strategy = Strategy.AUTO
    """How runs are put together whose request does not say."""
    configuration: Configuration = field(default_factory=Configuration)
    """How a supervisor researches."""
    human: Human | None = None
    """Who is asked what a supervisor has to ask, where the configuration lets it ask."""
    driver: Driver = run_flow
    """Runs the graph of a run; LangGraph's where a server shows its steps."""
    warming: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to begin while the first search is on its way: imports, connections."""
    closing: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to end with the run."""
    marks: str = ""
    """Word that marks page text as data in prompts; every run draws its own when it is empty."""
    pages: Callable[[], PageStore] = MemoryPageStore
    """Makes the store that holds the text of a run."""
    stop_requested: Callable[[], asyncio.Event] = asyncio.Event
    """Makes what is set when the search of a run is to end."""
    clock: Clock = field(default_factory=SystemClock)

    async def run(self, spec: RunSpec) -> Report:
        """Make the run of ``spec`` and return its report.

        Raises:
            QuestionError: when the question is empty, too long or not text.
            SettingsError: when a limit is out of its range.
            QuaereError: when the run cannot come to a report at all.
        """
        async with aclosing(self.stream(spec)) as events:
            async for event in events:
                if isinstance(event, RunFinished):
                    return event.report
        raise QuaereError("The run ended without a report.")

    async def stream(self, spec: RunSpec) -> AsyncGenerator[Event]:
        """Make the run of ``spec`` and yield its events; the last one carries the report.

        Raises the same as ``run``. Once the run has started, an error is told as a ``RunFailed``
        event before it is raised. Closing the generator ends the run.
        """
        seq = 0
        run_id, progress, begun = spec.run_id, Progress(), self.clock.monotonic()
        stream = self._told(self._doing(spec), run_id)
        last: Event | None = None
        try:
            async with aclosing(logged_as(run_id, stream)) as events:
                async for told in events:
                    seq += 1
                    at = self.clock.now().isoformat(timespec="milliseconds")
                    event = told.model_copy(update={"run_id": run_id, "seq": seq, "at": at})
                    if isinstance(event, RunFinished):
                        event = with_figures(progress, event)
                    progress, last = progress.after(event), event
                    yield event
        finally:  # also where it is cancelled, or goes on elsewhere
            log_end(spec, progress, last, self.clock.monotonic() - begun)

    def _doing(self, spec: RunSpec) -> AsyncGenerator[Event]:
        if spec.checked_text is None:
            return self._researching(self._research(spec), spec.run_id)
        from quaere.runtime.check import checking

        return checking(self, spec)

    async def _told(self, doing: AsyncGenerator[Event], run_id: str) -> AsyncGenerator[Event]:
        """Yield the events of ``doing``; an error is told as the last one before it is raised."""
        try:
            async with aclosing(doing) as events:
                async for event in events:
                    yield event
        except QuaereError as error:
            yield _failed(error, run_id)
            raise
        except Exception as bug:
            logger.exception("bug in run %s", run_id)
            error = QuaereError(f"Internal error ({type(bug).__name__}); see the log.")
            yield _failed(error, run_id)
            raise error from bug

    async def _researching(self, research: AnyResearch, run_id: str) -> AsyncGenerator[Event]:
        started = self.clock.monotonic()
        state = research.state
        yield RunStarted(
            question=state["question"].text,
            read_as=state["question"].whole,
            profile=state["profile"],
            budget=state["budget"],
        )
        run = self._run_context(started, shared=research.shared)
        try:
            asked = state["question"]
            if asks_nothing(asked.text, follows=bool(asked.conversation)):
                answer_nothing(state)
            else:
                async with aclosing(self._driving(research, run)) as driving:
                    async for event in driving:
                        yield event
        finally:
            await asyncio.gather(*(close() for close in self.closing))
        seconds, reasoner = run.elapsed(), self.reasoner.name
        # Runs that work side by side come to their end in the same turn of the event loop.
        report = await computed(
            lambda: research.report(run_id=run_id, seconds=seconds, reasoner=reasoner)
        )
        yield RunFinished(phase=Phase.FINALIZING, report=report)

    async def _driving(self, research: AnyResearch, run: RunContext) -> AsyncGenerator[Event]:
        """Get everything ready, then run the graph; its last values are in the state."""
        state = research.state
        warming = asyncio.create_task(self._warm())
        try:
            async with aclosing(self._prepare(state["budget"].max_execution_time_s)) as preparing:
                async for event in preparing:
                    if isinstance(event, WarningRaised):
                        state["warnings"] += (event.warning,)
                    yield event
            async with aclosing(run.ahead), aclosing(research.drive(run, self.driver)) as driving:
                async for event in driving:
                    yield event
        finally:
            warming.cancel()

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

    def _for_run(self, meter: Meter) -> Reasoner:
        if isinstance(self.reasoner, Accountable):
            return self.reasoner.for_run(meter, self.marks)
        return self.reasoner

    def _research(self, spec: RunSpec) -> AnyResearch:
        """Return the way that the run takes."""
        asked = checked_question(spec.request)
        request = spec.settled or spec.request
        profile, limits = request.profile, request.limits
        strategy = request.strategy or self.strategy
        single_pass = spec.settled is not None and profile in spec.settled.single_pass
        topics = topics_of(asked.text) if strategy is Strategy.AUTO else ()
        chosen = choose_strategy(strategy, profile, topics, single_pass=single_pass)
        if chosen is Strategy.LOOP:
            return by_loop(asked, profile, limits, self.profiles)
        configuration = self.configuration
        if self.human is None:
            silent = {"allow_clarification": False, "approve_plan": False}
            configuration = configuration.model_copy(update=silent)
        return by_supervisor(asked, profile, limits, self.profiles, configuration)

    def _run_context(self, started: float, *, shared: bool = False) -> RunContext:
        meter, knowing = Meter(self.prices), statistics_of(self.providers)
        providers, reader = self._sharing() if shared else (self.providers, self.reader)
        return RunContext(
            providers=providers,
            reasoner=self._for_run(meter),
            reasoner_on=self._for_run,
            asks_models=isinstance(self.reasoner, Accountable),
            meter=meter,
            fallback=self.fallback,
            ahead=PrefetchingReader(reader, self.clock.now),
            chunker=self.chunker,
            store=self.pages(),
            clock=self.clock,
            started=started,
            document_share=cache(knowing.document_share) if knowing else None,
            profiles=self.profiles,
            human=self.human,
            stop_requested=self.stop_requested(),
            embedder=self.embedder,
            entailment=self.entailment,
            same_cosine=self.same_cosine or known_cosine(self.embedder.name)
            if self.embedder
            else None,
        )

    def _sharing(self) -> tuple[Sequence[SearchProvider], Reader]:
        """Return what searches and reads where several researchers ask for the same."""
        return [SharedSearch(each) for each in self.providers], SharedReader(self.reader)


def statistics_of(providers: Sequence[SearchProvider]) -> TermStatistics | None:
    """Return the first of ``providers`` that knows how often words occur; None without one."""
    return next((each for each in providers if isinstance(each, TermStatistics)), None)


def log_end(spec: RunSpec, progress: Progress, last: Event | None, seconds: float = 0.0) -> None:
    """Log the one line in which a run ends, with its figures and the request that asked for it."""
    fields = closing_line(progress, last, seconds)
    if spec.request_id:
        fields = {"request_id": spec.request_id, **fields}
    said = " ".join(f"{name}={value}" for name, value in fields.items())
    with run_logged(spec.run_id):
        logger.info("run ended: %s", said, extra={"fields": fields})


def _failed(error: QuaereError, run_id: str) -> RunFailed:
    logger.warning("run %s failed: %s: %s", run_id, error.type, error.message)
    return RunFailed(
        phase=Phase.FINALIZING,
        error_type=error.type,
        message=error.message,
        retryable=error.retryable,
    )


def checked_question(request: RunRequest) -> Question:
    """Return the question of ``request`` as a run takes it.

    Raises:
        QuestionError: when it is empty, too long or not text.
    """
    text = request.question
    _refuse_unreadable(text, request.context)
    text = encodable(text)
    whole = whole_question(text, request.conversation)
    return Question(
        text=text,
        context=request.context,
        language=request.language,
        form=request.form or (form_asked(text) if request.conversation else None),
        conversation=request.conversation,
        whole=whole if whole != text else "",
    )


def _refuse_unreadable(text: str, context: str) -> None:
    if not text.strip():
        raise QuestionError("The question is empty. Ask something, for example: who founded Rome?")
    if len(text) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The question has {len(text):,} characters; the limit is {MAX_QUESTION_CHARS:,}. "
            "Put long material into a document and ask about it."
        )
    if len(context) > MAX_CONTEXT_CHARS:
        raise QuestionError(
            f"The context has {len(context):,} characters; the limit is {MAX_CONTEXT_CHARS:,}."
        )
    if not any(character.isalnum() for character in text):
        raise QuestionError("The question contains no letters or digits.")
