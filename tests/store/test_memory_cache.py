from __future__ import annotations

import pytest

from quaere.store.memory_cache import MemoryCache

pytestmark = pytest.mark.anyio


async def test_what_is_over_is_gone() -> None:
    now = [100.0]
    cache = MemoryCache(now=lambda: now[0])
    await cache.set("a", "one", 10.0)
    now[0] = 109.9
    assert await cache.get("a") == "one"
    now[0] = 110.0
    assert await cache.get("a") is None
    await cache.set("a", "two", 10.0)
    assert await cache.get("a") == "two"


async def test_what_was_used_least_recently_makes_room() -> None:
    cache = MemoryCache(2)
    await cache.set("a", "one", 60.0)
    await cache.set("b", "two", 60.0)
    assert await cache.get("a") == "one"
    await cache.set("c", "three", 60.0)
    assert [await cache.get(key) for key in "abc"] == ["one", None, "three"]
    await cache.set("a", "four", 60.0)
    await cache.set("d", "five", 60.0)
    assert [await cache.get(key) for key in "acd"] == ["four", None, "five"]


async def test_closing_forgets_all() -> None:
    cache = MemoryCache()
    await cache.set("a", "one", 60.0)
    await cache.aclose()
    assert await cache.get("a") is None
