"""What addresses were told of the caller's runs, and what they were not."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from quaere.faces.server.access import Context, KnownFirst, Reading, Running, Shared
from quaere.runtime.news import ENDED
from quaere.store.webhooks import MAX_LISTED, Webhook, Webhooks

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"], route_class=KnownFirst)


class WebhookState(BaseModel):
    """A webhook: a message to an address about a run that has ended."""

    id: str
    """That of the message, in its header `webhook-id`."""
    run_id: str
    host: str
    """Of the address; the rest of it may be a secret, and is not shown again."""
    attempts: int
    created_at: datetime
    next_at: datetime | None
    """When it is told next; null when it was told or given up."""
    delivered_at: datetime | None
    error: str | None
    """Why it could not be told the last time."""


class WebhookList(BaseModel):
    """Messages about the caller's runs, the latest first."""

    webhooks: tuple[WebhookState, ...]


@router.get("")
async def listed(
    context: Shared,
    caller: Reading,
    *,
    run_id: Annotated[str | None, Query(max_length=64)] = None,
    delivered: bool | None = None,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50,
) -> WebhookList:
    """Return the webhooks of the caller's runs, delivered or not, the latest first."""
    found = await (await _webhooks(context)).of(
        caller.owner, run_id=run_id, delivered=delivered, without=_operators(context), limit=limit
    )
    return WebhookList(webhooks=tuple(_state(context, each) for each in found))


@router.post("/{webhook_id}/redeliver", status_code=HTTPStatus.ACCEPTED)
async def redeliver(webhook_id: str, context: Shared, caller: Running) -> None:
    """Deliver a webhook again, now, even if it was delivered before or given up."""
    webhooks = await _webhooks(context)
    await webhooks.redeliver(webhook_id, caller.owner, without=_operators(context))
    context.app.news.ring(ENDED)


async def _webhooks(context: Context) -> Webhooks:
    return Webhooks(await context.app.database())


def _operators(context: Context) -> tuple[str, ...]:
    """Return the address that the operator is told at, which users are not shown."""
    from quaere.runtime.webhooks import operators  # noqa: PLC0415 (it takes a client of HTTP)

    return operators(context.app.settings)


def _state(context: Context, webhook: Webhook) -> WebhookState:
    return WebhookState(
        id=webhook.id,
        run_id=webhook.run_id,
        host=webhook.host,
        attempts=webhook.attempts,
        created_at=webhook.created_at,
        next_at=webhook.next_at,
        delivered_at=webhook.delivered_at,
        error=context.places.masked(webhook.error) if webhook.error else None,
    )
