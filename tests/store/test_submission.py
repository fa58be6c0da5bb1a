"""Requests that are sent twice, on both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from quaere.domain.trace import Owner
from quaere.errors import IdempotencyConflict, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import idempotency_keys
from quaere.store.submission import RequestKeys

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann", org="mills")


async def test_a_request_that_is_sent_again_begins_no_second_run(database: Database) -> None:
    keys = RequestKeys(database)
    assert await keys.claim(ANN, "k", fingerprint="f", run_id="one") == "one"
    assert await keys.claim(ANN, "k", fingerprint="f", run_id="two") == "one"
    assert await keys.claim(ANN, "other", fingerprint="f", run_id="two") == "two"
    with pytest.raises(IdempotencyConflict):
        await keys.claim(ANN, "k", fingerprint="another", run_id="three")


async def test_keys_of_others_are_others(database: Database) -> None:
    keys = RequestKeys(database)
    owners = [ANN, Owner(user="ann"), Owner(user="mills/ann"), Owner(user="x" * 255, org="y" * 255)]
    for number, owner in enumerate(owners):
        run_id = str(number)
        assert await keys.claim(owner, "k", fingerprint=run_id, run_id=run_id) == run_id


async def test_of_requests_at_the_same_time_one_begins_the_run(database: Database) -> None:
    keys = RequestKeys(database)
    claims = (keys.claim(ANN, "k", fingerprint="f", run_id=str(n)) for n in range(12))
    assert len(set(await asyncio.gather(*claims))) == 1


async def test_a_key_is_forgotten_after_a_day(database: Database) -> None:
    keys = RequestKeys(database)
    await keys.claim(ANN, "k", fingerprint="f", run_id="one")
    async with database.write() as connection:
        old = datetime.now(UTC) - timedelta(hours=24, minutes=1)
        await connection.execute(update(idempotency_keys).values(created_at=old))
    assert await keys.claim(ANN, "k", fingerprint="another", run_id="two") == "two"


async def test_a_key_that_cannot_be_kept_is_refused(database: Database) -> None:
    for odd in ("", "x" * 256, "a\0", "\ud800", "two\nlines"):
        with pytest.raises(UsageError):
            await RequestKeys(database).claim(ANN, odd, fingerprint="f", run_id="one")
