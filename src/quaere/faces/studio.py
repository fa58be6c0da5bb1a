"""Both graphs as LangGraph Studio and ``langgraph dev`` run them; ``langgraph.json`` names them.

Settings come from the configuration of the run, and what it leaves out from the environment.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from quaere.domain.events import Event
from quaere.domain.team import Strategy
from quaere.graphs.configuration import Configuration
from quaere.graphs.hosted import Asked, Run, Sitting, build_hosted
from quaere.graphs.langgraph_driver import drive
from quaere.graphs.loop import LOOP
from quaere.graphs.supervisor import SUPERVISOR
from quaere.resilience.clock import SystemClock
from quaere.runtime.engine import Engine
from quaere.runtime.resumable import journaled
from quaere.runtime.settings import Settings, load_settings, own_settings
from quaere.runtime.wiring import build_engine
from quaere.store.recording.journal import Journal

MODELS = ("model", "model_plan", "model_evaluate", "model_write", "model_check")


def _built(configuration: Configuration) -> tuple[Settings, Engine]:
    """Return the settings with the models of ``configuration``, and the engine they make."""
    models = configuration.model_dump(include=set(MODELS))
    settings = load_settings().model_copy(update=models)
    return settings, build_engine(settings, providers=configuration.providers)


def _by(strategy: Strategy) -> Run:
    """Return what runs the engine by ``strategy``."""

    async def run(
        asked: Asked, configuration: Configuration, sitting: Sitting | None
    ) -> AsyncGenerator[Event]:
        # Both look at files, which the development server does not let an event loop do.
        settings, built = await asyncio.to_thread(_built, configuration)
        async with built as engine:
            asking = replace(engine, configuration=configuration, human=sitting, driver=drive)
            if sitting:
                journal = Journal(sitting, SystemClock(), sitting.past)
                asking = journaled(asking, journal, sitting.marks)
            events = asking.stream(
                asked.question,
                context=asked.context,
                profile=configuration.profile,
                limits=settings.limits,
                strategy=strategy,
                run_id=sitting.run_id if sitting else None,
            )
            async with aclosing(events):
                async for event in events:
                    yield event

    return run


_environment = partial(own_settings, Configuration.model_fields)

loop = build_hosted(LOOP, _by(Strategy.LOOP), _environment)
"""Search, read, evaluate, and again."""
supervisor = build_hosted(SUPERVISOR, _by(Strategy.SUPERVISOR), _environment)
"""A supervisor with researchers, each of which is such a loop."""
