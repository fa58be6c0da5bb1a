"""A process that researches: what its runs share, and every way to begin, follow and end one.

    async with App.open() as app:
        run = await app.start(RunRequest(question="Who designed the bridge?"))
        async for event in run.events():
            ...
        report = await run.report()

Every caller gets a run that is recorded, cached, metered and resumable, as far as the
operator's settings let it be.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.request import Reuse, RunRequest, RunSpec
from quaere.domain.trace import Owner, Trace
from quaere.errors import QuaereError, UsageError
from quaere.ports.human import Human
from quaere.ports.model import ChatModel
from quaere.ports.search import SearchProvider
from quaere.resilience.timing import SystemClock
from quaere.runtime import stored_runs
from quaere.runtime.news import News, Watch
from quaere.runtime.recorder import TraceRecorder
from quaere.runtime.resources import Resources
from quaere.runtime.run import Asked, Inbox, Kept, LiveRun, Run, spec_of
from quaere.runtime.settings import Settings, load_settings

if TYPE_CHECKING:
    from quaere.audit.cited_text import CitedText
    from quaere.domain.audit import Audit
    from quaere.domain.report import EarlierRun
    from quaere.domain.source import Page, Passage
    from quaere.graphs.flow import Driver
    from quaere.runtime.admission import Estimate, Intake
    from quaere.runtime.check import CheckOptions
    from quaere.runtime.doctor import Diagnosis
    from quaere.runtime.engine import Engine
    from quaere.runtime.search import SearchResult, Told
    from quaere.runtime.wiring import Tap
    from quaere.runtime.worker import Worker, WorkerPolicy
    from quaere.store.carriers import Carrier
    from quaere.store.db.database import Database
    from quaere.store.recording.replay import Replay
    from quaere.store.service_turns import ServiceTurns
    from quaere.store.traces.traces import Traces

logger = logging.getLogger(__name__)

NO_MODELS: Mapping[str, ChatModel] = MappingProxyType({})
LOCAL = Owner()
"""The user of this machine."""
CLOSED = "This App is closed; open another one."
KEY_LEFT_OUT = "a key was left out of the question."
REMEMBERED = 50
"""Runs of this process that are told of from memory when they are over; then their traces tell."""
STOPS_S = 5.0
"""How long runs are given to stop when the App closes."""


class App:
    """What a process shares between its runs. Open one with `App.open` and close it at the end."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        providers: Sequence[SearchProvider] = (),
        models: Mapping[str, ChatModel] = NO_MODELS,
    ) -> None:
        """Open nothing before it is needed.

        Args:
            settings: Those of the environment when left out.
            providers: Search providers of one's own, asked where a request names them or neither
                request nor settings name any.
            models: Language models of one's own, by the name that a request gives them.

        Raises:
            SettingsError: when the environment holds a value that cannot be used.
        """
        self.settings = settings or load_settings()
        self._resources = Resources(
            self.settings, providers=providers, models=models, turns=self._turns
        )
        self.news = News()
        """Of what is written to the database."""
        self._runs: dict[str, LiveRun] = {}
        self._database: Database | None = None
        self._carrier: Carrier | None = None
        self._taking_in: Intake | None = None
        self._exits = AsyncExitStack()
        self._building = asyncio.Lock()
        self._opening = asyncio.Lock()
        self._closed = False

    @property
    def resources(self) -> Resources:
        """What runs share; no longer to be had, by a `UsageError`, once the App is closed."""
        if self._closed:
            raise UsageError(CLOSED)
        return self._resources

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings | None = None,
        *,
        providers: Sequence[SearchProvider] = (),
        models: Mapping[str, ChatModel] = NO_MODELS,
    ) -> AsyncGenerator[Self]:
        """Yield an App, made as by the constructor, which raises the same; close it at the end."""
        async with aclosing(cls(settings, providers=providers, models=models)) as app:
            yield app

    async def aclose(self) -> None:
        """Stop the runs that are not over, which can be resumed, and let go of everything."""
        if stopping := [asyncio.create_task(run.stop()) for run in self._runs.values()]:
            await asyncio.wait(stopping, timeout=STOPS_S)
        self._closed = True
        await self._resources.aclose()
        await self._exits.aclose()

    async def start(
        self,
        request: Asked,
        owner: Owner = LOCAL,
        *,
        human: Human | None = None,
        tap: Tap | None = None,
        driver: Driver | None = None,
    ) -> LiveRun:
        """Begin the run that ``request`` asks for; when this returns, it is on the disk.

        Args:
            request: What is asked: a question with the settings' sources, a request, or a spec
                with a run id of the caller's.
            owner: Whose run it is.
            human: Who is asked what the run has to ask back; `LiveRun.reply` when left out.
            tap: Keeps all answers in place of a file to resume from.
            driver: Makes the steps of the run in place of the plain runner.

        Raises:
            UsageError: when it cannot be asked like this.
            SettingsError: when a limit or a setting cannot be used.
        """
        spec = spec_of(request, owner)
        if spec.run_id in self._runs and not self._runs[spec.run_id].over:
            raise UsageError(f"The run {spec.run_id} is already in progress.")
        spec = await self._with_earlier(spec, owner)
        notices: list[str] = []
        inbox = Inbox()
        async with self._building:
            spec, engine, kept = await asyncio.to_thread(
                self._prepared, spec, tap, human or inbox, notices
            )
        engine = replace(engine, driver=driver) if driver else engine
        return await self._begun(spec, owner, engine, inbox=inbox, kept=kept, notices=notices)

    async def replay(self, request: RunRequest, tape: Replay, owner: Owner = LOCAL) -> LiveRun:
        """Begin a run that is answered from a recording alone.

        Raises:
            UsageError: when it cannot be asked like this.
        """
        from quaere.runtime.wiring import replayed, settle

        request = request.model_copy(update={"reuse": Reuse.NEVER})  # as it was, and no other
        spec = await asyncio.to_thread(settle, self.resources, RunSpec(request=request))
        kept = Kept(tape.recording)
        engine = replayed(spec, tape)
        return await self._begun(spec, owner, engine, inbox=Inbox(), kept=kept, notices=[])

    async def resume(
        self, run_id: str, owner: Owner = LOCAL, *, human: Human | None = None
    ) -> LiveRun:
        """Resume a stopped run of this machine; recorded answers are not asked for again.

        Raises:
            UsageError: when there is none of that id or beginning, or somebody works on it.
            StoreUnavailable: when what is kept of it cannot be read.
        """
        from quaere.runtime.wiring import assemble
        from quaere.store.recording.recording import Journal

        inbox = Inbox()

        def opened() -> tuple[RunSpec, Engine, Kept]:
            file = stored_runs.stopped_run(self.settings, owner, run_id)
            with ExitStack() as failing:
                failing.callback(file.close)
                journal = Journal(file, SystemClock(), file.past())
                engine = assemble(self.resources, file.spec, journal, human or inbox)
                failing.pop_all()
            return file.spec, engine, Kept(journal, file)

        async with self._building:
            spec, engine, kept = await asyncio.to_thread(opened)
        return await self._begun(spec, owner, engine, inbox=inbox, kept=kept, notices=[])

    async def run(self, run_id: str, owner: Owner = LOCAL) -> Run:
        """Return the run of that id, whichever process makes or has made it.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            StoreError: when the database cannot be used.
        """
        live = self._runs.get(run_id)
        if live is not None and live.owner == owner:
            return live
        return await self.run_of(await (await self.traces()).get_trace(owner, run_id), owner)

    async def run_of(self, trace: Trace, owner: Owner = LOCAL) -> Run:
        """Return the run of a trace that was just read, whichever process makes or has made it.

        Raises:
            StoreError: when the database cannot be used.
        """
        live = self._runs.get(trace.id)
        if live is not None and live.owner == owner:
            return live
        return stored_runs.StoredRun(
            trace.id, owner, await self.traces(), self.news, await self.carrier()
        )

    async def submit(
        self,
        request: Asked,
        owner: Owner = LOCAL,
        *,
        priority: int = 0,
        deadline: datetime | timedelta | None = None,
        limits: KeyLimits = UNLIMITED,
    ) -> Trace:
        """Accept a run for a worker to make; when this returns, it is in the database.

        Args:
            request: What is asked: a question with the settings' sources, a request, or a spec
                with a run id of the caller's.
            owner: Whose run it is.
            priority: Runs with a higher one begin first.
            deadline: When to give up, or how long after it was accepted.
            limits: What the key of the owner allows.

        Raises:
            UsageError: when it cannot be asked like this, or nobody may be told of its end there.
            SettingsError: when its end is reported, and there is no key to sign it.
            NotAllowed: when ``limits`` never allow it.
            QuotaExceeded: when ``limits`` do not allow it now.
            StoreError: when it cannot be kept.
        """
        from quaere.runtime.admission import allowed
        from quaere.runtime.engine import checked_question
        from quaere.runtime.redact import privacy_of
        from quaere.runtime.wiring import settle, settled_of
        from quaere.store.submission import Entry

        spec = spec_of(request, owner)
        checked_question(spec.request)
        spec = await self._with_earlier(spec, owner)
        spec = await asyncio.to_thread(settle, self.resources, spec)
        # The process that makes the run has the keys of its models, and may have others.
        settled = settled_of(spec).model_copy(update={"models": None, "embedder": None})
        operator = self.settings.operator_limits
        settled = await allowed(settled, limits, owner, operator, self.database)
        spec = spec.model_copy(update={"settled": settled})
        if listener := spec.listener or self.settings.listener:
            from quaere.runtime.webhooks import checked

            url = checked(self.settings, listener.url)
            spec = spec.model_copy(update={"listener": listener.model_copy(update={"url": url})})
        params = privacy_of(self.settings).params(spec)
        entry = Entry.of(owner, spec, params=params, priority=priority, deadline=deadline)
        return await (await self._intake()).submit(entry, limits)

    async def requeue(self, run_id: str) -> None:
        """Have a run made that was given up.

        Raises:
            NotFound: when no run of that id was given up.
            StoreError: when the database cannot be used.
        """
        await (await self._intake()).requeue(run_id)

    async def _intake(self) -> Intake:
        from quaere.runtime.admission import Intake

        database, carrier = await self.database(), await self.carrier()
        if self._taking_in is None:
            self._taking_in = Intake(database, carrier, self.news)
            self._exits.push_async_callback(self._taking_in.aclose)
        return self._taking_in

    async def worker(self, policy: WorkerPolicy, watch: Watch | None = None) -> Worker:
        """Return a worker that makes submitted runs with what this process shares.

        ``watch`` is called with each event that the worker has kept.

        Raises:
            SettingsError: when the database cannot be used.
        """
        from quaere.runtime.redact import privacy_of
        from quaere.runtime.wiring import assemble, tracing_of
        from quaere.runtime.worker import Worker

        engines = partial(assemble, self.resources)
        privacy = privacy_of(self.settings)
        if tracing := tracing_of(self.settings):
            self._exits.push_async_callback(asyncio.to_thread, tracing.close)
            watch = tracing.beside(watch)
        return Worker(await self.carrier(), engines, policy, privacy, self.news, watch)

    async def tell_webhooks(self) -> None:
        """Tell webhooks of runs that have ended, until cancelled; return at once without a key.

        Raises:
            SettingsError: when the key or the database cannot be used.
        """
        if self.settings.webhook_secret is None:
            return
        from quaere.runtime.webhooks import Courier

        async with Courier.open(self.settings, await self.database(), self.news) as courier:
            await courier.run()

    def stopped(self, owner: Owner = LOCAL) -> list[stored_runs.Stopped]:
        """Return the runs of ``owner`` on this machine that can be resumed, the last one first."""
        return stored_runs.stopped_runs(self.settings, owner)

    async def similar(self, question: str, owner: Owner = LOCAL) -> EarlierRun | None:
        """Return the last run that asked nearly the same and is fresh enough (R4.5).

        Raises:
            StoreError: when the database cannot be used.
        """
        if not self.settings.database_url:
            return await stored_runs.similar_run(self.settings, owner, question)
        from quaere.store.traces.traces import Traces

        traces = Traces(await self.database())
        return await stored_runs.similar_run(self.settings, owner, question, traces)

    async def estimate(
        self, request: RunRequest | str, owner: Owner = LOCAL, limits: KeyLimits = UNLIMITED
    ) -> Estimate:
        """Return what the run may take; no service is asked, and a model needs no key.

        Raises what `submit` does before it keeps the run.
        """
        from quaere.runtime.admission import estimate

        asked = spec_of(request, owner).request
        return await estimate(self.resources, asked, owner, limits, self.database)

    async def check(self, text: CitedText, options: CheckOptions) -> Audit:
        """Return a verdict on every sentence of ``text`` against the sources that it cites.

        Raises:
            QuotaExceeded: when a model is wanted and its payer has no dollars left.
            SettingsError: when the model or the embedder cannot be used.
            StoreError: when there is a payer and the database cannot be used.
            UsageError: when sources should be looked up, and there is no folder to look in.
        """
        from quaere.runtime.check import check

        return await check(self.resources, text, options, self.database)

    async def search(
        self,
        query: str,
        *,
        docs: str | Path | Sequence[str | Path] = (),
        providers: Sequence[str] = (),
        limit: int = 10,
        told: Told | None = None,
    ) -> SearchResult:
        """Return what folders and search services find for one query.

        Args:
            query: What to look for.
            docs: Folders to search; those of the settings when left out.
            providers: Services to ask, by name.
            limit: Most hits to return.
            told: Takes the progress of indexing.

        Raises:
            QuestionError: when the query is empty or too long.
            UsageError: when a folder does not exist, or a provider is unknown.
        """
        from quaere.runtime.search import look_up

        folders = (docs,) if isinstance(docs, str | Path) else tuple(docs)
        request = RunRequest.of(question=query, docs=folders, providers=tuple(providers))
        return await look_up(self.resources, request, limit, told)

    async def fetch(self, url: str, roots: Sequence[Path] = ()) -> tuple[Page, Sequence[Passage]]:
        """Return the page at ``url`` and its passages, read as in a run.

        Raises:
            ReadError: with the status that tells why there is nothing to read.
        """
        from quaere.runtime.search import fetch

        return await fetch(self.resources, url, roots)

    async def doctor(self, *, offline: bool = False) -> Diagnosis:
        """Return what is configured, whether it works, and what to do about it."""
        from quaere.runtime.doctor import diagnose

        return await diagnose(self.resources, offline=offline)

    async def database(self) -> Database:
        """Return the open database.

        Raises:
            SettingsError: when its URL cannot be used, or its driver is not installed.
            UsageError: when the App is closed.
        """
        async with self._opening:
            _ = self.resources  # which are there until the App is closed
            if self._database is None:
                from quaere.runtime.wiring_store import build_database

                database = build_database(self.settings)
                self._database = await self._exits.enter_async_context(database)
            return self._database

    async def _turns(self) -> ServiceTurns | None:
        """Return what processes that share the database know together of services.

        Where none is named, a process is alone with the file in its data folder, unless it has
        opened that, as servers and workers have.
        """
        if self._database is None and not self.settings.database_url:
            return None
        from quaere.store.service_turns import ServiceTurns

        return ServiceTurns(await self.database())

    async def carrier(self) -> Carrier:
        """Return what brings runs to workers; this process hears the news of others from now on.

        Raises:
            SettingsError: when its address cannot be used, or its client is not installed.
        """
        database = await self.database()
        async with self._opening:
            if self._carrier is None:
                from quaere.runtime.wiring_store import build_carrier

                self._carrier = build_carrier(self.settings, database)
                self._exits.push_async_callback(self._carrier.aclose)
                self.news.connect(self._carrier)
                self._exits.push_async_callback(self.news.aclose)
            return self._carrier

    async def traces(self, problem: Callable[[str], object] | None = None) -> Traces:
        """Return the traces, with what was written on this machine since.

        ``problem`` takes what is wrong with files that could not be taken in.

        Raises:
            SettingsError: as `database`.
            StoreError: when the database cannot be used.
        """
        from quaere.runtime.wiring_store import database_name, spool_folder
        from quaere.store.traces.spool import import_spool
        from quaere.store.traces.traces import Traces
        from quaere.view.reduce import Summary

        traces = Traces(await self.database())
        folder, name = spool_folder(self.settings), database_name(self.settings)
        for told in await import_spool(folder, traces, Summary(), database=name):
            if problem:
                problem(told)
        return traces

    async def delete(self, run_id: str, owner: Owner = LOCAL) -> str:
        """Delete a run, its trace and what it could be resumed from; return its whole id.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            StoreError: when the database cannot be used.
        """
        from quaere.runtime.wiring_store import forget_run

        traces = await self.traces()
        trace = await traces.get_trace(owner, run_id)
        await traces.delete(owner, trace.id)
        forget_run(self.settings, trace.id)
        return trace.id

    async def prune(
        self,
        older_than: timedelta | None = None,
        owner: Owner | None = LOCAL,
        *,
        most_bytes: int | None = None,
    ) -> tuple[str, ...]:
        """Delete runs that are older, or too much in all; return their ids.

        See `quaere.store.traces.traces.Traces.prune`. Without an owner, everybody's.

        Raises:
            StoreError: when the database cannot be used.
        """
        from quaere.runtime.wiring_store import forget_run

        gone = await (await self.traces()).prune(owner, older_than, most_bytes=most_bytes)
        for run_id in gone:
            forget_run(self.settings, run_id)
        return gone

    async def _with_earlier(self, spec: RunSpec, owner: Owner) -> RunSpec:
        """Return ``spec`` with what it reuses of an earlier run, where its request says so."""
        request = spec.request
        if spec.reused is not None or (
            request.continues is None and request.reuse is not Reuse.USE
        ):
            return spec
        reused = await stored_runs.reused_from(await self.traces(), owner, request)
        return spec.model_copy(update={"reused": reused})

    def _prepared(
        self, spec: RunSpec, tap: Tap | None, human: Human, notices: list[str]
    ) -> tuple[RunSpec, Engine, Kept]:
        """Return the settled spec, its engine, and what is kept of the run.

        Makes folders and opens files: not for the event loop.
        """
        from quaere.runtime.engine import checked_question
        from quaere.runtime.wiring import assemble, settle, settled_of
        from quaere.runtime.wiring_models import too_tight
        from quaere.store.recording.recording import Journal, Recording

        checked_question(spec.request)
        typed = spec.request
        spec = settle(self.resources, spec)
        if spec.request != typed:
            notices.append(KEY_LEFT_OUT)
        file = None if tap else stored_runs.begun_file(self.settings, spec, notices)
        journal = Journal(file, SystemClock()) if file else None
        with ExitStack() as failing:
            if file:
                failing.callback(file.remove)
            engine = assemble(self.resources, spec, tap or journal, human)
            if tight := too_tight(self.settings, self.resources.models, settled_of(spec)):
                notices.append(tight)
            failing.pop_all()
        recording = tap if isinstance(tap, Recording) else journal
        return spec, engine, Kept(recording or Recording(), file)

    async def _offered(self, question: str, owner: Owner) -> EarlierRun | None:
        """Return what `similar` does; nothing while the database cannot be used."""
        try:
            return await self.similar(question, owner)
        except QuaereError as error:
            logger.info("no earlier run is offered: %s", error.message)
            return None

    async def _begun(
        self,
        spec: RunSpec,
        owner: Owner,
        engine: Engine,
        *,
        inbox: Inbox,
        kept: Kept,
        notices: list[str],
    ) -> LiveRun:
        recorder = await asyncio.to_thread(
            TraceRecorder, self.settings, spec, owner, notices.append
        )
        run = LiveRun(spec, owner, inbox=inbox, recorder=recorder, kept=kept, notices=notices)
        if self._closed:  # while the run was prepared
            await run.stop()
            await asyncio.to_thread(recorder.close, begun=False)
            raise UsageError(CLOSED)
        engine = replace(engine, pages=lambda: recorder.pages, stop_requested=lambda: run.finishing)
        ended = [each for each in self._runs.values() if each.over]
        for each in [self._runs.pop(first.id) for first in ended[:-REMEMBERED]]:
            await each.stop()
        self._runs[spec.run_id] = run
        offers = spec.request.reuse is Reuse.OFFER
        offered = self._offered(spec.request.question, owner) if offers else None
        run.begin(partial(engine.stream, spec), offered)
        return run
