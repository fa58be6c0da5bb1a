"""Cached answers of services, shared by runs: searches, pages and, on request, model calls.

The entries are in the memory of the process, or in Redis for several processes. Errors are never
cached, and if the cache fails, the service is asked.
"""

from __future__ import annotations

import logging
import warnings
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query, SourceKind
from quaere.domain.request import Cached
from quaere.domain.source import Hit, Page
from quaere.domain.value import text_hash
from quaere.errors import cause_of
from quaere.ports.forwarding import ForwardingModel, ForwardingProvider, ForwardingReader
from quaere.ports.model import ChatModel, released
from quaere.ports.read import Reader
from quaere.ports.search import SearchProvider
from quaere.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from cashews import Cache as Backend
    from cashews.exceptions import CacheError

VERSION = "1"
"""Part of every key; increase it when the format of the entries changes."""

HOUR, DAY = 3_600.0, 86_400.0
KEPT_S = {
    SourceKind.NEWS: 0.5 * HOUR,
    SourceKind.WEB: 12 * HOUR,
    SourceKind.DOCS: 1 * DAY,
    SourceKind.GOV: 1 * DAY,
    SourceKind.STANDARDS: 7 * DAY,
    SourceKind.PUBMED: 7 * DAY,
    SourceKind.SCHOLARLY: 7 * DAY,
}
"""Seconds that search results are cached: the shortest of the provider's kinds counts."""
NOTHING_KEPT_S = 300.0
"""Seconds that an empty result is cached."""
PAGE_KEPT_S = 12 * HOUR
MODEL_KEPT_S = 30 * DAY
ENTRIES = 2_000
"""Kept in memory at most; beyond, what was used least recently goes."""
CONNECT_S = 0.5
"""Timeout for connecting to a cache server: asking the service itself takes no longer."""

logger = logging.getLogger(__name__)

# Every run delimits page text with a random word; otherwise equal prompts must have equal keys.
_MARKS = lazy_regex(r"\bdata-[0-9a-f]{8}\b")
_T = TypeVar("_T")
_HITS: TypeAdapter[tuple[Hit, ...]] = TypeAdapter(tuple[Hit, ...])
_PAGE = TypeAdapter(Page)
_COMPLETION = TypeAdapter(Completion)


class Cache(Protocol):
    """A store of texts by key with a time to live."""

    @property
    def trouble(self) -> str:
        """Why it was not available the last time; empty where it was never missed."""
        ...

    async def get(self, key: str) -> str | None:
        """Return the text; None when there is none or the cache is not available."""
        ...

    async def set(self, key: str, text: str, seconds: float) -> None:
        """Store the text; do nothing when the cache is not available."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class SharedCache:
    """A `Cache` in Redis, by cashews: ``redis://host:port/0``.

    Redis should have a memory limit and the policy ``allkeys-lru``.
    """

    def __init__(self, url: str) -> None:
        """Use the cache at ``url``. Nothing is imported or connected before the first use."""
        self._url = url
        self._backend: Backend | None = None
        self.trouble = ""
        """Why the server could not be used the last time."""

    async def get(self, key: str) -> str | None:
        """Return the text; None when there is none or the cache is not available."""
        from cashews.exceptions import CacheError

        try:
            found: object = await self._opened().get(key)
        except CacheError as error:
            self._note("read from", error)
            return None
        return found if isinstance(found, str) else None

    async def set(self, key: str, text: str, seconds: float) -> None:
        """Store the text; do nothing when the cache is not available."""
        from cashews.exceptions import CacheError

        try:
            await self._opened().set(key, text, expire=seconds)
        except CacheError as error:
            self._note("write to", error)

    def _note(self, doing: str, error: CacheError) -> None:
        cause = error.__cause__  # the library's own error says nothing
        self.trouble = cause_of(cause if isinstance(cause, Exception) else error).rstrip(".")
        logger.warning("cannot %s the cache: %s", doing, self.trouble)

    async def aclose(self) -> None:
        """Close connections."""
        backend, self._backend = self._backend, None
        if backend is not None:
            with warnings.catch_warnings():  # the library uses a deprecated name of its client
                warnings.simplefilter("ignore", DeprecationWarning)
                await backend.close()

    def _opened(self) -> Backend:
        if self._backend is None:
            from cashews import Cache as Backend

            self._backend = Backend()
            self._backend.setup(self._url, suppress=False, socket_connect_timeout=CONNECT_S)
        return self._backend


@dataclass(frozen=True, slots=True)
class Keeper:
    """A cache and how to use it."""

    cache: Cache
    mode: Cached = Cached.USE

    def provider(self, inner: SearchProvider) -> SearchProvider:
        """Return ``inner`` with its results cached; folders are not cached."""
        off = self.mode is Cached.OFF or SourceKind.FOLDER in inner.kinds
        return inner if off else CachedProvider(inner, self)

    def reader(self, inner: Reader) -> Reader:
        """Return ``inner`` with web pages cached."""
        return inner if self.mode is Cached.OFF else CachedReader(inner, self)

    def model(self, inner: ChatModel) -> ChatModel:
        """Return ``inner`` with its answers cached."""
        return inner if self.mode is Cached.OFF else CachedModel(inner, self)

    async def get(self, key: str, form: TypeAdapter[_T]) -> _T | None:
        """Return what is cached, unless the cache should be refreshed or has another ``form``."""
        if self.mode is not Cached.USE or (text := await self.cache.get(key)) is None:
            return None
        try:
            return form.validate_json(text)
        except ValidationError:  # written by another version, or something else
            return None

    async def cached(
        self, key: str, form: TypeAdapter[_T], seconds: float, ask: Callable[[], Awaitable[_T]]
    ) -> _T:
        """Return what is cached, else what ``ask`` brings, to be cached for ``seconds``."""
        if (found := await self.get(key, form)) is not None:
            return found
        brought = await ask()
        await self.cache.set(key, form.dump_json(brought).decode(), seconds)
        return brought


def cache_key(kind: str, *parts: str) -> str:
    """Return the key of ``parts``, which is the same in every process."""
    return f"quaere:{VERSION}:{kind}:{text_hash(chr(0).join(parts))}"


def kept_s(kinds: frozenset[SourceKind]) -> float:
    """Return how many seconds the results of a provider of ``kinds`` are cached."""
    return min((KEPT_S[kind] for kind in kinds if kind in KEPT_S), default=HOUR)


class CachedProvider(ForwardingProvider):
    """``inner``, whose results are kept."""

    def __init__(self, inner: SearchProvider, keeper: Keeper) -> None:
        super().__init__(inner)
        self._keeper = keeper

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return what is kept, else what ``inner`` finds; raises what it raises."""
        asked = query.model_copy(update={"purpose": "", "parent": None, "item": None, "places": 0})
        key = cache_key("search", self.name, str(limit), asked.model_dump_json())
        hits = await self._keeper.get(key, _HITS)
        if hits is not None:
            return hits
        found = tuple(await self.inner.search(query, limit=limit))
        if any(hit.incomplete for hit in found):
            return found  # what is missing may be there the next time
        seconds = kept_s(self.kinds) if found else NOTHING_KEPT_S
        await self._keeper.cache.set(key, _HITS.dump_json(found).decode(), seconds)
        return found


class CachedReader(ForwardingReader):
    """``inner``, whose pages of the web are kept."""

    def __init__(self, inner: Reader, keeper: Keeper) -> None:
        super().__init__(inner)
        self._keeper = keeper

    async def read(self, hit: Hit) -> Page:
        """Return the page that is kept, else that of ``inner``; raises what it raises."""
        if not hit.url.startswith(("http://", "https://")):
            return await self.inner.read(hit)
        key = cache_key("page", hit.url)
        return await self._keeper.cached(key, _PAGE, PAGE_KEPT_S, partial(self.inner.read, hit))


class CachedModel(ForwardingModel):
    """``inner``, whose answers are kept."""

    def __init__(self, inner: ChatModel, keeper: Keeper) -> None:
        super().__init__(inner)
        self._keeper = keeper

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer that is kept, else that of ``inner``; raises what it raises."""
        key = _model_key(self.name, request)
        asked = partial(self.inner.complete, request)
        return await self._keeper.cached(key, _COMPLETION, MODEL_KEPT_S, asked)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield the answer that is kept in one piece, else what ``inner`` writes."""
        key = _model_key(self.name, request)
        kept = await self._keeper.get(key, _COMPLETION)
        if kept is not None:
            yield kept.text
            yield kept
            return
        async with released(self.inner.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Completion):
                    await self._keeper.cache.set(key, piece.model_dump_json(), MODEL_KEPT_S)
                yield piece


def _model_key(model: str, request: ModelRequest) -> str:
    return cache_key("model", model, _MARKS.sub("data-", request.model_dump_json()))


class MemoryCache:
    """A `Cache` of texts. To be used from one event loop.

    A process that works for one command alone has nothing in it; a library for caching would take
    two fifths of a second of it to import.
    """

    def __init__(self, entries: int = ENTRIES, now: Callable[[], float] = monotonic) -> None:
        """Keep the ``entries`` used last, by the clock ``now``, which counts seconds."""
        self._most = entries
        self._now = now
        self._kept: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self.trouble = ""

    async def get(self, key: str) -> str | None:
        """Return the text; None when there is none, or its time is over."""
        found = self._kept.get(key)
        if found is None:
            return None
        text, until = found
        if until <= self._now():
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return text

    async def set(self, key: str, text: str, seconds: float) -> None:
        """Keep the text for ``seconds``."""
        self._kept[key] = text, self._now() + seconds
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    async def aclose(self) -> None:
        """Forget all."""
        self._kept.clear()
