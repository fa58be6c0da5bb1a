"""Runs that can be resumed: every answer they get is kept until they are over."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self, cast

from quaere.domain.budget import Limits
from quaere.domain.events import Event, RunFinished
from quaere.errors import UsageError
from quaere.graphs.configuration import Configuration
from quaere.reason.llm.reasoner import ModelReasoner
from quaere.resilience.clock import SystemClock
from quaere.runtime.caching import with_cache
from quaere.runtime.engine import Engine
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import build_engine
from quaere.runtime.wiring_models import NO_MODEL, SETTING_OF, named_models
from quaere.runtime.wiring_store import runs_folder
from quaere.search.earlier import EarlierEvidence
from quaere.store.cache import CacheMode
from quaere.store.recording.journal import Journal
from quaere.store.recording.run_file import Begun, RunFile, RunRequest
from quaere.text.sanitize import quoted


@dataclass(frozen=True, slots=True)
class ResumableRun:
    """One run with its file."""

    engine: Engine
    file: RunFile

    @classmethod
    def begin(cls, settings: Settings, request: RunRequest) -> Self:
        """Return a new run.

        Raises:
            UsageError: as `quaere.runtime.wiring.build_engine`.
            StoreUnavailable: when its file cannot be made.
        """
        # Under another environment it goes on as it was begun: other models, limits or topics
        # would ask what nobody has answered, and pay for it.
        named = named_models(settings, request.model)
        embedder = settings.embedder or NO_MODEL
        request = request.model_copy(update={"models": named, "embedder": embedder})
        engine = engine_of(settings, request)
        request = request.model_copy(update={"begun": _begun(engine)})
        return cls._with(engine, RunFile.create(_path(settings, request.run_id), request))

    @classmethod
    def resume(cls, settings: Settings, run_id: str) -> Self:
        """Return the run called ``run_id``, which goes on where it was stopped.

        Raises:
            UsageError: when there is none, or somebody works on it.
        """
        if not run_id or Path(run_id).name != run_id:
            raise UsageError(
                f"{quoted(run_id)} is no name of a run; `quaere resume` lists those there are."
            )
        file = RunFile.open(_path(settings, run_id))
        return cls._with(engine_of(settings, file.request), file)

    @classmethod
    def _with(cls, engine: Engine, file: RunFile) -> Self:
        journal = Journal(file, SystemClock(), file.past())
        return cls(journaled(engine, journal, file.request.marks), file)

    async def stream(self) -> AsyncGenerator[Event]:
        """Yield the events of the run, from the first on; after the last, `done` is to be called.

        Raises:
            UsageError: before the first event, when it cannot be asked like this; the file goes,
                too, since it never can.
            QuaereError: as `quaere.runtime.engine.Engine.stream`; the file stays, and the run
                can be resumed.
        """
        request = self.file.request
        events = self.engine.stream(
            request.question,
            context=request.context,
            profile=request.profile,
            limits=cast("Limits", request.limits),
            strategy=request.strategy,
            run_id=request.run_id,
        )
        begun = over = False
        try:
            async with aclosing(events):
                async for event in events:
                    begun, over = True, isinstance(event, RunFinished)
                    yield event
        except UsageError:
            if not begun:
                self.file.remove()
            raise
        finally:
            if not over:
                self.file.close()

    def done(self) -> None:
        """Remove the file: the report is where it belongs.

        Until then the run can be resumed, since whoever takes the report may be killed over it.
        """
        self.file.remove()


@dataclass(frozen=True, slots=True)
class Stopped:
    """A run that was stopped and can be resumed."""

    request: RunRequest
    stopped: datetime
    answers: int
    """Searches, pages and model calls that it need not make again."""


def stopped_runs(settings: Settings) -> list[Stopped]:
    """Return the runs that can be resumed, the last one first; those at work are left out."""
    found: list[Stopped] = []
    for path in runs_folder(settings).glob("*.run"):
        try:
            stopped = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            file = RunFile.open(path)
        except (FileNotFoundError, UsageError):  # it ended meanwhile, or is at work
            continue
        found.append(Stopped(file.request, stopped, file.answers))
        file.close()
    return sorted(found, key=lambda run: run.stopped, reverse=True)


def journaled(engine: Engine, journal: Journal, marks: str) -> Engine:
    """Return ``engine`` for one run whose answers go through ``journal``."""
    reasoner = engine.reasoner
    if isinstance(reasoner, ModelReasoner):
        reasoner = reasoner.wrapped(journal.model)
    return replace(
        engine,
        providers=[journal.provider(provider) for provider in engine.providers],
        reader=journal.reader(engine.reader),
        reasoner=reasoner,
        embedder=journal.embedder(engine.embedder) if engine.embedder else None,
        clock=journal.clock,
        marks=marks,
    )


def engine_of(settings: Settings, request: RunRequest) -> Engine:
    """Return the engine that ``request`` asks for.

    Raises:
        UsageError: as `quaere.runtime.wiring.build_engine`.
        SettingsError: when it was begun with what this version cannot use.
    """
    model = request.model
    changes: dict[str, object] = {
        "http_cache": settings.http_cache and request.cache is CacheMode.USE
    }
    if request.models is not None:
        model = None if request.models else NO_MODEL
        changes |= {SETTING_OF[step]: name for step, name in request.models.items()}
    if request.embedder is not None:
        changes["embedder"] = request.embedder
    engine = build_engine(
        settings.model_copy(update=changes),
        docs=request.docs,
        providers=request.providers,
        model=model,
    )
    engine = _as_begun(with_cache(engine, settings, request.cache), request.begun)
    if request.earlier is None:
        return engine
    lent = EarlierEvidence(request.earlier.passages, told=request.earlier.told)
    return replace(engine, providers=(lent, *engine.providers))


def _begun(engine: Engine) -> Begun:
    return Begun(
        configuration=engine.configuration.model_dump(mode="json"),
        budgets=dict(engine.profiles),
        same_cosine=engine.same_cosine,
    )


def _as_begun(engine: Engine, begun: Begun | None) -> Engine:
    """Return ``engine`` with what a run was ``begun`` with, where that is known."""
    if begun is None:
        return engine
    return replace(
        engine,
        configuration=Configuration.from_runnable_config({"configurable": begun.configuration}),
        profiles={**engine.profiles, **begun.budgets},
        same_cosine=begun.same_cosine,
    )


def _path(settings: Settings, run_id: str) -> Path:
    return runs_folder(settings) / f"{run_id}.run"
