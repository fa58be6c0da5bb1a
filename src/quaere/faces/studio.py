"""Both graphs as LangGraph Studio and ``langgraph dev`` run them; ``langgraph.json`` names them.

Settings come from the configuration of the run, and what it leaves out from the environment.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import cache, partial

from quaere.domain.events import Event
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.team import Strategy
from quaere.graphs.configuration import Configuration
from quaere.graphs.langgraph_driver import (
    Asked,
    HostedConfiguration,
    HostedRun,
    Run,
    build_hosted,
    drive,
)
from quaere.graphs.loop import LOOP
from quaere.graphs.supervisor import SUPERVISOR
from quaere.resilience.timing import SystemClock
from quaere.runtime.app import App
from quaere.runtime.settings import own_settings
from quaere.store.recording.recording import Journal

MODELS = {
    "model": "general",
    "model_plan": "plan",
    "model_evaluate": "evaluate",
    "model_write": "write",
    "model_check": "check",
}
"""Field of `quaere.domain.request.ModelChoice` by field of the configuration."""


def _by(strategy: Strategy) -> Run:
    """Return what runs the engine by ``strategy``."""

    async def run(
        asked: Asked, configuration: HostedConfiguration, hosted: HostedRun | None
    ) -> AsyncGenerator[Event]:
        spec = RunSpec(request=_request(asked, configuration, strategy))
        tap = None
        if hosted:
            spec = spec.model_copy(update={"run_id": hosted.run_id, "marks": hosted.marks})
            tap = Journal(hosted, SystemClock(), hosted.past)
        app = await _app()
        made = await app.start(spec, human=hosted, tap=tap, driver=drive)
        try:
            async for event in made.events():
                yield event
            await asyncio.to_thread(made.settle)
        finally:
            await made.stop()

    return run


def _request(asked: Asked, configuration: HostedConfiguration, strategy: Strategy) -> RunRequest:
    """Return the request that the form of Studio makes."""
    models = {field: getattr(configuration, name) for name, field in MODELS.items()}
    return RunRequest.of(
        question=asked.question,
        context=asked.context,
        conversation=tuple(asked.conversation),
        strategy=strategy,
        profile=configuration.profile,
        providers=configuration.providers,
        models=models,
        supervision=configuration.model_dump(
            mode="json", include={*Configuration.model_fields} - {*MODELS}, exclude_unset=True
        ),
        language=configuration.language,
        form=configuration.form,
        scope={
            "urls": configuration.urls,
            "sites": {
                "only": configuration.sites,
                "prefer": configuration.prefer_sites,
                "exclude": configuration.exclude_sites,
            },
            "published_after": configuration.published_after,
            "published_before": configuration.published_before,
            "languages": configuration.source_languages,
        },
        reuse=configuration.reuse,
    )


@cache
def _opening() -> asyncio.Lock:
    return asyncio.Lock()


async def _app() -> App:
    """Return the App of this process; opening reads settings, which is not for the event loop."""
    async with _opening():
        if not _APPS:
            _APPS.append(await asyncio.to_thread(App))
    return _APPS[0]


_APPS: list[App] = []
_environment = partial(own_settings, Configuration.model_fields)

loop = build_hosted(LOOP, _by(Strategy.LOOP), _environment)
"""Search, read, evaluate, and again."""
supervisor = build_hosted(SUPERVISOR, _by(Strategy.SUPERVISOR), _environment)
"""A supervisor with researchers, each of which is such a loop."""
