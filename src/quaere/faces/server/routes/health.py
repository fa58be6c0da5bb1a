"""Whether the process lives and can serve."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from quaere.errors import StoreError, StoreUnavailable
from quaere.faces.server.access import Administering
from quaere.faces.server.context import Context, Shared
from quaere.faces.server.refused import Refused
from quaere.store.jobs import Jobs

PROBE_S = 3.0
"""Seconds that the database may take to answer a probe, which is itself waited for for seconds."""

router = APIRouter(tags=["service"])


class Alive(BaseModel):
    """That the process answers."""

    status: str = "ok"


@router.get("/health/live")
async def live() -> Alive:
    """Answer, as long as the process can."""
    return Alive()


@router.get("/health/ready")
async def ready(context: Shared) -> Alive:
    """Answer with 200 once requests can be served: the database is there, with its tables."""
    if context.feeds.closing.is_set():
        message = "The server is stopping."
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "stopping", message, retryable=True)
    try:
        await _waiting(context)
    except StoreError:
        message = "The database cannot be used now."
        headers = {"Retry-After": "2"}
        raise Refused(
            HTTPStatus.SERVICE_UNAVAILABLE, "not_ready", message, retryable=True, headers=headers
        ) from None
    return Alive()


@router.get("/metrics", response_class=Response)
async def metrics(context: Shared, caller: Administering) -> Response:
    """Return what the process has counted, for Prometheus."""
    del caller
    try:
        waiting = await _waiting(context)
    except StoreError:  # what was counted can be read all the same
        waiting = None
    return Response(context.metrics.text(context.feeds, waiting), media_type=CONTENT_TYPE_LATEST)


async def _waiting(context: Context) -> int:
    """Return how many runs wait. A probe asks again soon, and gives up before retries would end.

    Raises:
        StoreError: when the database cannot be used now.
    """
    database = await context.app.database()
    asked = asyncio.create_task(Jobs(database.without_waiting()).waiting())
    asked.add_done_callback(lambda task: task.cancelled() or task.exception())
    await asyncio.wait({asked}, timeout=PROBE_S)
    if asked.done():
        return asked.result()
    asked.cancel()  # not waited for: the driver has a server that hangs told of it, for ten seconds
    raise StoreUnavailable(f"{database.name} does not answer within {PROBE_S:g} s.")
