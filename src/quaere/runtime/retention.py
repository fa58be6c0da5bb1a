"""Deletes old runs from time to time, as the operator's settings say."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from quaere.errors import StoreError
from quaere.runtime.app import App

EVERY_S = 3600.0

logger = logging.getLogger(__name__)


async def keep_within(app: App, *, every_s: float = EVERY_S) -> None:
    """Delete what is older or more than the settings keep, now and every ``every_s`` seconds.

    Returns at once where the settings keep everything. A database that cannot be used is tried
    again the next time.
    """
    days, most_bytes = app.settings.keep_days, app.settings.keep_bytes
    if days is None and most_bytes is None:
        return
    age = None if days is None else timedelta(days=days)
    while True:
        await _prune(app, age, most_bytes)
        await asyncio.sleep(every_s)


async def _prune(app: App, age: timedelta | None, most_bytes: int | None) -> None:
    try:
        gone = await app.prune(age, None, most_bytes=most_bytes)
    except StoreError as error:
        logger.warning("old runs could not be deleted: %s", error.message)
        return
    if gone:
        logger.info("deleted %d old runs", len(gone))
