"""Clients of a service with keys, each with a key of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import httpx

from quaere.domain.access import UNLIMITED, USER_RIGHTS, KeyLimits, Right
from quaere.domain.trace import Owner
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.keys import Keys


def issued(
    settings: Settings,
    user: str,
    *,
    scopes: Collection[Right] = USER_RIGHTS,
    limits: KeyLimits = UNLIMITED,
) -> str:
    """Return the secret of a new key of ``user``."""

    async def create() -> str:
        async with build_database(settings) as database:
            _, secret = await Keys(database).create(
                Owner(user=user), "test", scopes=scopes, limits=limits
            )
        return secret

    return asyncio.run(create())


def client_of(url: str, secret: str) -> httpx.Client:
    """Return a client with the key of that secret."""
    return httpx.Client(base_url=url, timeout=60, headers={"Authorization": f"Bearer {secret}"})
