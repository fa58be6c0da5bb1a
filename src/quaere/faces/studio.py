"""Both graphs as LangGraph Studio and ``langgraph dev`` run them; ``langgraph.json`` names them.

Settings come from the configuration of the run, and what it leaves out from the environment.
"""

from __future__ import annotations

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
from quaere.runtime.resumable import journaled
from quaere.runtime.settings import load_settings, own_settings
from quaere.runtime.wiring import build_engine
from quaere.store.recording.journal import Journal

MODELS = ("model", "model_plan", "model_evaluate", "model_write", "model_check")


def _by(strategy: Strategy) -> Run:
    """Return what runs the engine by ``strategy``."""

    async def run(
        asked: Asked, configuration: Configuration, sitting: Sitting | None
    ) -> AsyncGenerator[Event]:
        models = configuration.model_dump(include=set(MODELS))
        settings = load_settings().model_copy(update=models)
        async with build_engine(settings, providers=configuration.providers) as engine:
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
