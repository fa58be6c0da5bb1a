"""The HTTP application: an App, its routes and what documents them, its page, and its workers."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from prometheus_client import CollectorRegistry
from pydantic import JsonValue, TypeAdapter
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.domain.events import Event, RunEvent
from quaere.errors import QuaereError
from quaere.faces.server import errors
from quaere.faces.server.access import Context
from quaere.faces.server.feed import ChatReaders, Feeds, Framed
from quaere.faces.server.guard import LOOPBACK, Crowd, Guard, Hosts, RateHeaders
from quaere.faces.server.routes import (
    about,
    agents,
    answers,
    chat,
    checks,
    folders,
    openai,
    operating,
    runs,
    schedules,
    session,
    sockets,
    webhooks,
)
from quaere.faces.server.routes.mcp import McpEndpoint
from quaere.faces.server.signing import signer
from quaere.faces.server.telemetry import Observed, ServerMetrics
from quaere.faces.wire.parts import event_frame, sse
from quaere.resilience.timing import begin, end
from quaere.runtime.app import App
from quaere.runtime.folders import operator_folders
from quaere.runtime.metrics import RunMetrics
from quaere.runtime.own_data import keep_within
from quaere.runtime.redact import Places
from quaere.runtime.schedules import ask_scheduled
from quaere.runtime.settings import Access, Settings
from quaere.runtime.worker import WorkerPolicy
from quaere.version import __version__

if TYPE_CHECKING:
    from quaere.faces.server.oidc import Issuer


STATIC = Path(__file__).with_name("static")
ASSETS = "/assets/"
"""Files below it have a hash of what they hold in their names."""
PRIVATE = re.compile(r"/(?:v1|jobs|metrics)(?:/|$)")
"""Paths whose answers are for one caller; no browser keeps them when that one has signed out."""
FOR_EVER = b"public, max-age=31536000, immutable"
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Quaere</title>
<h1>Quaere answers</h1>
<p>Its page was not built: run <code>make web</code> in the checkout of its source, and after it
<code>pip install</code> again if you installed it from there.</p>
<p>The service is complete without it: see <a href="/openapi.json">openapi.json</a>.</p></html>"""


class Lasting:
    """Lets browsers keep what never changes under its name, and ask anew for other files."""

    def __init__(self, inner: ASGIApp) -> None:
        """Say how long the answers of ``inner`` last."""
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                names = {name for name, _ in message["headers"]}
                if b"cache-control" not in names:
                    lasts = (b"cache-control", _lasts(scope["path"]))
                    message["headers"] = [*message["headers"], lasts]
            await send(message)

        await self._inner(scope, receive, told if scope["type"] == "http" else send)


def _lasts(path: str) -> bytes:
    if PRIVATE.match(path):
        return b"no-store"
    return FOR_EVER if path.startswith(ASSETS) else b"no-cache"


class CompressedAssets:
    """Packs the files of the page: a slow connection has them in a third of the time.

    Nothing else is packed. The length of an answer that holds both a secret and words of others
    would give the secret away.
    """

    def __init__(self, inner: ASGIApp) -> None:
        """Pack what ``inner`` answers."""
        self._plain = inner
        self._packed = GZipMiddleware(inner, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        of_the_page = scope["type"] == "http" and scope["path"].startswith(ASSETS)
        await (self._packed if of_the_page else self._plain)(scope, receive, send)


def serve_page(service: FastAPI) -> None:
    """Let ``service`` show the page at every path that is nothing else."""
    service.add_middleware(Lasting)
    if (STATIC / "index.html").exists():
        service.add_middleware(CompressedAssets)
        service.frontend("/", directory=STATIC)
        return

    async def not_built() -> HTMLResponse:
        return HTMLResponse(NOT_BUILT)

    service.add_api_route("/", not_built, include_in_schema=False)


ALLOWED_HEADERS = (
    *("Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"),
    *("Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"),
)
"""Of requests that pages of other sites make, where the operator lets them."""
EXPOSED_HEADERS = (
    *("X-Request-Id", "X-Quaere-Run-Id", "X-Quaere-Conversation-Id", "Location", "Retry-After"),
    *("RateLimit", "RateLimit-Policy"),
)
ROUTERS = (
    *(answers.router, runs.router, runs.shared_router, sockets.router, chat.router, folders.router),
    *(checks.router, session.router, about.router, answers.tools_router, schedules.router),
    *(webhooks.router, operating.router, session.data_router, about.health_router, openai.router),
    *(openai.responses_router, agents.router),
)
DESCRIPTION = """Deep research whose every sentence can be checked against the page it cites.

`POST /v1/runs` starts a run, and its events show its progress: any number of readers can follow,
and resume from any event. Callers see only what is their own; what belongs to others does not exist
for them."""

JSON, PROBLEM, STREAM = "application/json", "application/problem+json", "text/event-stream"
SENT_EVENT: dict[str, JsonValue] = {
    "type": "object",
    "title": "ServerSentEvent",
    "properties": {name: {"type": "string"} for name in ("event", "id", "data")},
}
"""What each server-sent event has; ``data`` is JSON."""
_DOCUMENT: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])


@dataclass(slots=True, kw_only=True)
class _Process:
    """What one server process has from its start to its end."""

    settings: Settings
    access: Access
    workers: int
    metrics: ServerMetrics
    run_metrics: RunMetrics
    endpoint: McpEndpoint = field(default_factory=McpEndpoint)
    feeds: Feeds | None = None

    @asynccontextmanager
    async def lifespan(self, service: FastAPI) -> AsyncGenerator[None]:
        """Serve until the server stops; why it cannot is left in the state of ``service``."""
        async with AsyncExitStack() as exits:
            try:
                await exits.enter_async_context(self._opened(service))
            except QuaereError as error:  # uvicorn keeps what is raised to itself
                service.state.failed = error
                raise
            yield

    @asynccontextmanager
    async def _opened(self, service: FastAPI) -> AsyncGenerator[None]:
        """Open the App and let its workers work, until the server stops."""
        places = await asyncio.to_thread(places_of_settings, self.settings)
        async with AsyncExitStack() as exits:
            app = await exits.enter_async_context(App.open(self.settings))
            issuer = self._issuer()
            if issuer:
                exits.push_async_callback(issuer.aclose)
            self.feeds = Feeds(framed_by(places))
            context = service.state.context = Context(
                crowd=Crowd(),
                app=app,
                feeds=self.feeds,
                places=places,
                signer=await asyncio.to_thread(signer, self.settings),
                access=self.access,
                workers=self.workers,
                metrics=self.metrics,
                chats=ChatReaders(self.settings.chat_abandoned_s),
                issuer=issuer,
            )
            await exits.enter_async_context(self.endpoint.open(context))
            tasks = [
                self.metrics.measure_lag(),
                keep_within(app),
                app.tell_webhooks(),
                ask_scheduled(app),
                context.crowd.dismiss(app.database),
            ]
            if self.workers:
                policy = WorkerPolicy(concurrency=self.workers)
                worker = await app.worker(policy, self.run_metrics.watch)
                self.run_metrics.follow(worker)
                tasks.append(worker.run())
            for task in tasks:
                exits.push_async_callback(end, begin(task))
            yield
            self.feeds.close()

    def _issuer(self) -> Issuer | None:
        if self.access is not Access.OIDC:
            return None
        from quaere.faces.server.oidc import Issuer  # noqa: PLC0415 (an extra)

        return Issuer(self.settings)

    def stop(self) -> None:
        """End all streams, so that the process can stop."""
        self.endpoint.hand_back()
        if self.feeds:
            self.feeds.close()


def make_service(
    settings: Settings, *, host: str = "127.0.0.1", workers: int = 2, access: Access | None = None
) -> FastAPI:
    """Return the application for a server that listens on ``host``.

    Args:
        settings: Those of its App.
        host: Where the server listens, which decides under which names it may be asked.
        workers: Runs that this process makes at a time; none where others make them.
        access: How users are known; by the settings and the host when left out.
    """
    registry = CollectorRegistry()
    process = _Process(
        settings=settings,
        access=access or access_for(settings, host),
        workers=workers,
        metrics=ServerMetrics(registry),
        run_metrics=RunMetrics(registry),
    )
    service = FastAPI(
        title="Quaere",
        version=__version__,
        description=DESCRIPTION,
        license_info={"name": "Apache-2.0"},
        lifespan=process.lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=operation_id,
        responses={
            "4XX": {"model": errors.Problem, "description": "The request was refused."},
            "5XX": {"model": errors.Problem, "description": "The service failed."},
        },
    )
    service.state.stop, service.state.failed = process.stop, None
    errors.install(service)
    for router in ROUTERS:
        service.include_router(router)
    service.router.routes.append(Route("/mcp", process.endpoint))
    describe(service)
    service.add_middleware(RateHeaders)
    service.add_middleware(Observed, metrics=process.metrics)
    if settings.server_origins:
        service.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.server_origins),
            allow_methods=["GET", "POST", "PATCH", "DELETE"],
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
        )
    service.add_middleware(
        Guard, hosts=Hosts.of(host, settings.server_names, settings.server_origins)
    )
    serve_page(service)
    return service


def framed_by(places: Places) -> Framed:
    """Return what makes the bytes of an event, without paths that ``places`` hides."""

    def framed(event: Event) -> bytes:
        told = event_frame(cast("RunEvent", event))
        return sse(replace(told, data=places.masked(str(told.data))))

    return framed


def access_for(settings: Settings, host: str) -> Access:
    """Return how users are known: as the settings say, else not at all on loopback alone."""
    return settings.auth or (Access.OFF if host in LOOPBACK else Access.KEYS)


def places_of_settings(settings: Settings) -> Places:
    """Return what hides the folders of the operator and those of users."""
    named = [
        *operator_folders(settings.docs).items(),
        ("data-of-the-service", settings.data_folder),
        ("cache-of-the-service", settings.cache_folder),
    ]
    return Places(named, [settings.data_folder / "folders"])


def operation_id(route: APIRoute) -> str:
    """Return the name of an operation, such as ``runs_create``, by which clients call it."""
    return f"{route.tags[0]}_{route.name}" if route.tags else route.name


def document(service: FastAPI) -> dict[str, JsonValue]:
    """Return the document of ``service``, OpenAPI 3.1."""
    made = get_openapi(
        title=service.title,
        version=service.version,
        description=service.description,
        routes=service.routes,
        license_info=service.license_info,
        tags=service.openapi_tags,
    )
    made["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "An API key, `qk_...`."},
        "session": {"type": "apiKey", "in": "cookie", "name": "quaere_session"},
    }
    made["security"] = [{"key": []}, {"session": []}, {}]
    for methods in made["paths"].values():
        for operation in methods.values():
            operation["summary"] = _summary(operation["description"])
            for status, response in operation["responses"].items():
                _correct(status, response.get("content", {}))
    return _DOCUMENT.validate_python(made)


def _summary(description: str) -> str:
    """Return what an operation does in a line: the name of its function would tell "Listed"."""
    return " ".join(description.partition("\n\n")[0].split()).removesuffix(".")


def _correct(status: str, content: dict[str, JsonValue]) -> None:
    """Name the media types that FastAPI cannot know of in the ``content`` of a response."""
    if status[:1] in {"4", "5"} and JSON in content:
        told = json.dumps(content[JSON])
        if told.endswith('/Problem"}}'):
            content[PROBLEM] = content.pop(JSON)
        else:  # that of another protocol, before which ours may refuse
            content[PROBLEM] = {"schema": {"$ref": "#/components/schemas/Problem"}}
    if STREAM in content:
        content[STREAM] = {"schema": SENT_EVENT}


def describe(service: FastAPI) -> None:
    """Let ``service`` show its document at ``/openapi.json``."""

    def made() -> dict[str, JsonValue]:
        service.openapi_schema = service.openapi_schema or document(service)
        return service.openapi_schema

    async def openapi_json() -> JSONResponse:
        return JSONResponse(await asyncio.to_thread(made))  # a second of work, once

    service.openapi = made
    service.add_api_route("/openapi.json", openapi_json, include_in_schema=False)
