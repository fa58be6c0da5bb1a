"""One base for every policy that stands around a port: what it does not change, it passes on.

A policy (retry, cache, recording, metering ...) subclasses the base of its port and overrides what
it changes. What a port may do besides its duty, such as preparing an index, comes through as well,
so policies can be put around each other in any order.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial

from quaere.domain.model import Completion, ModelRequest, Traits
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page
from quaere.ports.model import ChatModel, Embedder, thinking_tokens, traits_of
from quaere.ports.read import Reader
from quaere.ports.search import (
    Narrowing,
    Preparable,
    Progress,
    SearchProvider,
    TermStatistics,
)


class ForwardingProvider:
    """A `SearchProvider` that passes everything on to ``inner``.

    It is `Preparable` and `Narrowing` and knows `TermStatistics` where ``inner`` is and does. A
    policy that changes the last two overrides ``_prepare`` and ``_document_share``, which are
    called only then.
    """

    def __init__(self, inner: SearchProvider) -> None:
        self.inner = inner
        self.name = inner.name
        self.kinds = inner.kinds
        # On the instance: methods of the class would claim what inner cannot do.
        if isinstance(inner, Preparable):
            self.prepare = partial(self._prepare, inner)
        if isinstance(inner, TermStatistics):
            self.document_share = partial(self._document_share, inner)
        if isinstance(inner, Narrowing):
            self.narrows = inner.narrows

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return what ``inner`` finds; raises what it raises."""
        return await self.inner.search(query, limit=limit)

    async def _prepare(self, inner: Preparable, progress: Progress) -> Sequence[RunWarning]:
        return await inner.prepare(progress)

    def _document_share(self, inner: TermStatistics, word: str) -> float:
        return inner.document_share(word)


class ForwardingReader:
    """A `Reader` that passes everything on to ``inner``."""

    def __init__(self, inner: Reader) -> None:
        self.inner = inner

    async def read(self, hit: Hit) -> Page:
        """Return the page that ``inner`` reads; raises what it raises."""
        return await self.inner.read(hit)


class ForwardingModel:
    """A `ChatModel` that passes everything on to ``inner``."""

    def __init__(self, inner: ChatModel) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        """The name of ``inner``."""
        return self.inner.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and completion may have together."""
        return self.inner.context_tokens

    @property
    def thinking_tokens(self) -> int:
        """Output tokens that a call may take beyond those that it asks for."""
        return thinking_tokens(self.inner)

    @property
    def traits(self) -> Traits:
        """What is known of ``inner``."""
        return traits_of(self.inner)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return what ``inner`` answers; raises what it raises."""
        return await self.inner.complete(request)

    def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield what ``inner`` writes; raises what it raises."""
        return self.inner.stream(request)


class ForwardingEmbedder:
    """An `Embedder` that passes everything on to ``inner``."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        """The name of ``inner``."""
        return self.inner.name

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return what ``inner`` says; raises what it raises."""
        return await self.inner.similarities(pairs)
