"""An engine that keeps what services answer."""

from __future__ import annotations

import pytest
from quaere.runtime.caching import with_cache
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, Shelf, told

from quaere.runtime.settings import Settings
from quaere.store.cache import CacheMode
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


async def test_a_second_run_asks_nobody_r2_5() -> None:
    shelf, model = Shelf(), ScriptedModel(Mind())
    engine = with_cache(thinking(model, shelf), Settings(cache_models=True))
    async with engine:
        first = (await told(engine)).report
        asked, called = len(shelf.asked), len(model.requests)
        second = (await told(engine)).report
    assert second.answer == first.answer
    assert (len(shelf.asked), len(model.requests)) == (asked, called)


async def test_models_are_asked_again_unless_it_is_wanted_otherwise() -> None:
    shelf, model = Shelf(), ScriptedModel(Mind())
    engine = with_cache(thinking(model, shelf), Settings())
    async with engine:
        await told(engine)
        called = len(model.requests)
        await told(engine, HOP)
    assert len(model.requests) == 2 * called
    assert len(shelf.asked) == 1


async def test_without_a_cache_the_engine_is_what_it_was() -> None:
    engine = thinking(ScriptedModel(Mind()))
    assert with_cache(engine, Settings(), CacheMode.OFF) is engine


@pytest.mark.parametrize("setting", ["store_pages", "store_questions"])
async def test_what_must_not_be_kept_stays_in_the_process(setting: str) -> None:
    """Issue 7: a server of the cache that cannot be reached is not even tried."""
    shelf = Shelf()
    nowhere = Settings.model_validate({"cache_url": "redis://127.0.0.1:9/0", setting: False})
    async with with_cache(thinking(ScriptedModel(Mind()), shelf), nowhere) as engine:
        await told(engine)
        asked = len(shelf.asked)
        await told(engine)
    assert len(shelf.asked) == asked
