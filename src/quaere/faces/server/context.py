"""What a request has at hand: the App, the feeds of runs, and the places of folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from quaere.faces.server.feed import Feeds
from quaere.faces.server.places import Places
from quaere.runtime.app import App


@dataclass(frozen=True, slots=True)
class Context:
    """What the requests of a process share."""

    app: App
    feeds: Feeds
    places: Places
    in_process: bool
    """Whether this process makes runs itself."""


def context_of(request: HTTPConnection) -> Context:
    """Return what the process shares, which is there as long as it serves."""
    return cast("Context", request.app.state.context)


def app_of(connection: HTTPConnection) -> App:
    """Return the App."""
    return context_of(connection).app


def places_of(request: Request) -> Places:
    """Return what hides the paths of this machine."""
    context = getattr(request.app.state, "context", None)
    return context.places if isinstance(context, Context) else Places(())


def request_id_of(connection: HTTPConnection) -> str:
    """Return the id that the request came with or was given."""
    return cast("str", connection.scope.get("quaere.request_id", ""))


Shared = Annotated[Context, Depends(context_of)]
