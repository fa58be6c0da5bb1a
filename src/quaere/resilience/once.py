"""Lets all callers that ask the same wait for one answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from quaere.domain.question import Query
from quaere.domain.source import Hit, Page
from quaere.domain.url import canonical_url
from quaere.ports.forwarding import ForwardingProvider, ForwardingReader
from quaere.ports.read import Reader
from quaere.ports.search import SearchProvider
from quaere.resilience.timing import settle

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(slots=True)
class _Call(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class Once(Generic[K, T]):
    """Makes each call once and keeps its outcome.

    A call is cancelled when nobody waits for it any more. One that failed is told to all who
    waited, and made again for the next.
    """

    def __init__(self) -> None:
        self._calls: dict[K, _Call[T]] = {}

    async def get(self, key: K, make: Callable[[], Coroutine[object, object, T]]) -> T:
        """Return what the call of ``key`` gives; ``make`` begins it, if nobody has."""
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = _Call(asyncio.create_task(make()))
        call.waiting += 1
        try:
            return await asyncio.shield(call.task)
        finally:
            call.waiting -= 1
            if not call.waiting:
                await self._let_go(key, call)

    async def _let_go(self, key: K, call: _Call[T]) -> None:
        """Forget a call that brought nothing; end it first if it goes on."""
        task = call.task
        if task.done() and not task.cancelled() and task.exception() is None:
            return
        if self._calls.get(key) is call:
            del self._calls[key]
        await settle([task], 0.0)


class SharedReader(ForwardingReader):
    """``inner`` for one run: a page that was opened is there for all."""

    def __init__(self, inner: Reader) -> None:
        super().__init__(inner)
        self._once: Once[str, Page] = Once()

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none.
        """

        async def fetch() -> Page:
            return await self.inner.read(hit)

        return await self._once.get(canonical_url(hit.url), fetch)


Asked = tuple[tuple[str, ...], ...]


def asked_as(query: Query) -> Asked:
    """Return all of ``query`` that a provider may heed; equal for queries with one answer."""
    return (
        (" ".join(query.text.casefold().split()),),
        query.focus,
        query.faint,
        query.titles,
        query.source_kinds,
        (query.scope.model_dump_json(),) if query.scope else (),
    )


class SharedSearch(ForwardingProvider):
    """``inner`` for one run: a caller that asks what another has asked gets the same answer."""

    def __init__(self, inner: SearchProvider) -> None:
        super().__init__(inner)
        self._once: Once[tuple[Asked, int], Sequence[Hit]] = Once()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, best first.

        Raises:
            SearchError: when the provider could not answer.
        """

        async def ask() -> Sequence[Hit]:
            return await self.inner.search(query, limit=limit)

        return await self._once.get((asked_as(query), limit), ask)
