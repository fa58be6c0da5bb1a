"""An engine that keeps what services answer, for its other runs and for other processes."""

from __future__ import annotations

from dataclasses import replace

from quaere.reason.llm.reasoner import ModelReasoner
from quaere.runtime.engine import Engine
from quaere.runtime.settings import Settings
from quaere.store.cache import MEMORY, CacheMode, Keeper, SharedCache


def with_cache(engine: Engine, settings: Settings, mode: CacheMode = CacheMode.USE) -> Engine:
    """Return ``engine`` with its searches and pages kept where ``settings`` say; models if wanted.

    Folders are not kept: their index is as quick, and knows what has changed. Where something must
    not be kept, it is for no longer than this process lives.
    """
    if mode is CacheMode.OFF:
        return engine
    cache = SharedCache(settings.cache_url if settings.stores_all else MEMORY)
    keeper = Keeper(cache, mode)
    reasoner = engine.reasoner
    if settings.cache_models and isinstance(reasoner, ModelReasoner):
        reasoner = reasoner.wrapped(keeper.model)
    return replace(
        engine,
        providers=[keeper.provider(provider) for provider in engine.providers],
        reader=keeper.reader(engine.reader),
        reasoner=reasoner,
        closing=(*engine.closing, cache.aclose),
    )
