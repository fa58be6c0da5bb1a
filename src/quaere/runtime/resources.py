"""What the runs of a process share: connections, limits, breakers, parser processes, caches.

Nothing is imported, connected or started before a run needs it: the folder index needs no web, and
a run without a model needs no client.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError, UsageError
from quaere.index.folder_index import FolderProvider
from quaere.models.plugins import OwnModels
from quaere.ports.read import Body, Reader
from quaere.read.chunker import PassageChunker
from quaere.read.extractor import SafeExtractor
from quaere.read.reader import LocalReader, SchemeReader, read_file
from quaere.resilience.timing import SystemClock
from quaere.runtime.settings import Settings, service_settings
from quaere.text.sanitize import quoted

if TYPE_CHECKING:
    from quaere.models.similarity import CosineEmbedder
    from quaere.ports.model import ChatModel, EntailmentModel
    from quaere.ports.search import SearchProvider
    from quaere.read.api_client import ApiClient
    from quaere.read.fetch import Fetcher, HttpCache
    from quaere.read.guard import ReadPolicy
    from quaere.resilience.breaker import SharedBreakers
    from quaere.resilience.limits import Pace, Pacing
    from quaere.runtime.wiring_models import OpenedModels
    from quaere.search.api import Api, Pairs
    from quaere.search.registry import Registry
    from quaere.store.cache import Cache
    from quaere.store.service_turns import ServiceTurns

logger = logging.getLogger(__name__)

FOLDER = "folder"
NO_FOLDER = "There is no folder to search. Give --docs PATH, or set QUAERE_DOCS."
WEB_HITS = 10
"""Hits that a service is asked for by one query (R4.2)."""
PDF_FACTOR = 10
"""A PDF may be so many times larger than a page: its pictures count, its text does not."""


def url_of(address: str, roots: Sequence[Path]) -> str:
    """Return ``address`` if it is a URL, else that of the file with this path in one of ``roots``.

    The path may begin with the name of the root. It blocks.

    Raises:
        ReadError: when there is no such file.
    """
    if "://" in address:
        return address
    for root in roots:
        inside = root.resolve()
        for path in (root / address, root.parent / address):
            with suppress(OSError, ValueError):  # a name that is too long, or has a zero byte
                if path.is_file() and path.resolve().is_relative_to(inside):
                    return path.absolute().as_uri()
    message = f"{quoted(address)} is neither a URL nor a file in the folders."
    raise ReadError(message, status=ReadStatus.NOT_FOUND)


class Resources:
    """Everything that runs have in common, as one operator's settings have it."""

    def __init__(
        self,
        settings: Settings,
        *,
        providers: Sequence[SearchProvider] = (),
        models: Mapping[str, ChatModel] = MappingProxyType({}),
        turns: Callable[[], Awaitable[ServiceTurns | None]] | None = None,
    ) -> None:
        """Share what ``settings`` name, with providers and models that a caller brings.

        Limits of services hold for all processes that share ``turns``, where there are any, and
        they tell each other what fails.
        """
        self.settings = settings
        self._turns = turns
        self._own_providers = {provider.name: provider for provider in providers}
        self.own_models = OwnModels(models)
        """Those of the caller, and of plug-ins."""
        self._closing = AsyncExitStack()
        self._embedders: dict[str, CosineEmbedder | None] = {}

    @cached_property
    def extractor(self) -> SafeExtractor:
        """The processes that parse pages and files."""
        extractor = SafeExtractor()
        self._closing.push_async_callback(extractor.aclose)
        return extractor

    @cached_property
    def web(self) -> Web:
        """Search services and the one way out to pages."""
        web = Web(self.settings, self._own_providers, self._pace, self._breakers())
        self._closing.push_async_callback(web.aclose)
        return web

    @cached_property
    def cache(self) -> Cache:
        """Answers kept for other runs; in memory where what they hold must not be kept."""
        from quaere.store.cache import MemoryCache, SharedCache

        url = self.settings.cache_url
        in_memory = url.startswith("mem:") or not self.settings.stores_all
        cache: Cache = MemoryCache() if in_memory else SharedCache(url)
        self._closing.push_async_callback(cache.aclose)
        return cache

    @cached_property
    def models(self) -> OpenedModels:
        """Language models, each opened once however many steps and runs name it."""
        from quaere.runtime.wiring_models import OpenedModels

        models = OpenedModels(self.settings, self.own_models)
        self._closing.push_async_callback(models.aclose)
        return models

    def embedder(self, name: str | None) -> CosineEmbedder | None:
        """Return the embedder called ``name``; None where none is named.

        Raises:
            SettingsError: when its name, its key or its extra cannot be used.
        """
        from quaere.runtime.wiring_models import build_embedder

        if not name:
            return None
        if name not in self._embedders:
            self._embedders[name] = build_embedder(self.settings, name)
        return self._embedders[name]

    @cached_property
    def entailment(self) -> EntailmentModel | None:
        """The model that tells whether a claim follows from a text; None where none is named.

        Raises:
            SettingsError: when its name, its key or its extra cannot be used.
        """
        from quaere.runtime.wiring_models import build_entailment

        return build_entailment(self.settings, self.models)

    def folder(self, docs: Sequence[Path] = ()) -> FolderProvider:
        """Return a provider that searches ``docs``, or the folders that the settings name.

        Raises:
            UsageError: when there is nothing to search, or a folder does not exist.
        """
        roots = docs or self.settings.docs
        if not roots:
            raise UsageError(NO_FOLDER)
        return FolderProvider(
            roots,
            cache=self.settings.cache_folder,
            read=self._read_file,
            extractor=self.extractor,
            chunk=PassageChunker(),
        )

    def reader(
        self, roots: Sequence[Path] = (), *, web: bool = True, cached: bool = True
    ) -> Reader:
        """Return what reads the files below ``roots`` and, where ``web`` says so, the web."""
        local = LocalReader(self._read_file, self.extractor, roots=roots)
        readers: dict[str, Reader] = {"file": local}
        if web:
            readers |= self.web.readers(self.extractor, cached=cached)
        return SchemeReader(readers)

    def document(self, address: str, roots: Sequence[Path]) -> Body:
        """Return the file at ``address`` below ``roots``: a URL, or a path in one of them.

        It blocks.

        Raises:
            ReadError: when there is no such file, or it cannot be read.
        """
        url = url_of(address, roots)
        return LocalReader(self._read_file, self.extractor, roots=roots).body(url)

    async def aclose(self) -> None:
        """Let go of connections and processes; runs must be over."""
        await self._closing.aclose()

    def _pace(self, calls: int, per_s: float = 1.0) -> Pace:
        from quaere.resilience.limits import RateLimit, SharedRateLimit

        if self._turns is None:
            return RateLimit(calls, per_s)
        return SharedRateLimit(calls, per_s, self._turns)

    def _breakers(self) -> SharedBreakers | None:
        from quaere.resilience.breaker import SharedBreakers

        return None if self._turns is None else SharedBreakers(self._turns)

    @property
    def _read_file(self) -> Callable[[Path], Body]:
        return partial(read_file, max_bytes=self.settings.max_file_bytes)


class Web:
    """The web as one operator lets it be searched and read."""

    def __init__(
        self,
        settings: Settings,
        own: Mapping[str, SearchProvider],
        pacing: Pacing,
        breakers: SharedBreakers | None = None,
    ) -> None:
        """Search with the services of the registry and a caller's ``own`` providers.

        ``pacing`` makes the limits of services, and ``breakers`` tell other processes of services
        that fail.
        """
        from quaere.evidence.pool import best_passages
        from quaere.resilience.retry import RetryBudget
        from quaere.search.registry import Registry, beside, infos, plugins
        from quaere.search.results import ProvidedText

        self._settings = settings
        self._closing = AsyncExitStack()
        self._own = own
        self._pacing = pacing
        self._breakers = breakers
        self._guarded: dict[str, SearchProvider] = {}
        self._retries = RetryBudget()
        keep = ProvidedText(
            PassageChunker(), best_passages, SystemClock(), full_texts=settings.full_text
        )
        self._keep = keep
        services = infos(self._connect, keep, pacing)
        self.registry: Registry = Registry(beside(services, plugins()))

    @cached_property
    def fetcher(self) -> Fetcher:
        """The one way out to pages."""
        from quaere.read.fetch import Fetcher, FetchLimits

        settings = self._settings
        keeps = settings.http_cache and settings.store_pages
        fetcher = Fetcher(
            read_policy(settings),
            FetchLimits(
                deadline_s=settings.fetch_timeout_s,
                max_bytes=settings.max_page_bytes,
                max_pdf_bytes=PDF_FACTOR * settings.max_page_bytes,
            ),
            obey_robots=settings.obey_robots,
            cache=_http_cache(settings) if keeps else None,
        )
        self._closing.push_async_callback(fetcher.aclose)
        return fetcher

    def providers(self, names: Sequence[str]) -> list[SearchProvider]:
        """Return the providers called ``names``, each on its guard.

        Without names they are the caller's own, or else the services that need no key.

        Every run is given the same ones: a service has one rate limit and one breaker. When one
        fails, those that the settings fall back on are asked, if they are not anyway (R0.8).

        Raises:
            UsageError: when nobody is called so.
            SettingsError: when a provider lacks a setting that it needs.
        """
        from quaere.resilience.provider import FallbackProvider

        wanted = self.wanted(names)
        made = [self._on_guard(name) for name in wanted]
        spare = [name for name in self._settings.provider_fallbacks if name not in wanted]
        others = [self._on_guard(name) for name in spare]
        return [FallbackProvider(each, others) if others else each for each in made]

    def wanted(self, names: Sequence[str]) -> Sequence[str]:
        """Return ``names``, without any the caller's own, or else the services that need no key."""
        from quaere.search.registry import DEFAULT_PROVIDERS

        return tuple(names) or tuple(self._own) or DEFAULT_PROVIDERS

    def check_names(self, names: Sequence[str]) -> None:
        """Raise UsageError where nobody is called so; whether it has its key is not looked at."""
        for name in names:
            if name not in self._own:
                self.registry.info(name)

    def opens_pages(self, names: Sequence[str]) -> bool:
        """Whether hits of the providers called ``names`` have to be opened to be read."""
        asked = (*self.wanted(names), *self._settings.provider_fallbacks)
        listed = [name for name in asked if name not in self._own]
        return any(not self.registry.info(name).with_text for name in listed)

    def provider(self, name: str) -> SearchProvider:
        """Return the provider called ``name`` without a guard: no search is tried again.

        Raises:
            UsageError: when nobody is called ``name``.
            SettingsError: when it lacks a setting that it needs.
        """
        if name in self._own:
            return self._own[name]
        info = self.registry.info(name)
        return self.registry.make(name, service_settings([*info.needs, *info.options]))

    def readers(self, extractor: SafeExtractor, *, cached: bool = True) -> dict[str, Reader]:
        """Return the readers of the web by scheme."""
        from quaere.read.reader import ArchiveReader, WebReader

        pages = WebReader(self.fetcher if cached else self.fetcher.uncached(), extractor)
        reader = ArchiveReader(pages, self._archive, extractor, looks_up=self._settings.full_text)
        return {"http": reader, "https": reader}

    @cached_property
    def _archive(self) -> ApiClient:
        """Europe PMC, which gives the full texts of PubMed Central."""
        from quaere.read.api_client import ApiClient
        from quaere.search.registry import EUROPE_PMC

        setting = EUROPE_PMC.base_url_setting
        base_url = service_settings([setting]).get(setting, EUROPE_PMC.base_url)
        client = ApiClient(
            EUROPE_PMC.provider.name, base_url, max_bytes=self._settings.max_page_bytes * PDF_FACTOR
        )
        self._closing.push_async_callback(client.aclose)
        return client

    async def aclose(self) -> None:
        """Close every connection."""
        await self._closing.aclose()

    def _on_guard(self, name: str) -> SearchProvider:
        if name not in self._guarded:
            self._guarded[name] = self._guard(name)
        return self._guarded[name]

    def _guard(self, name: str) -> SearchProvider:
        from quaere.resilience.provider import Resilience, ResilientProvider
        from quaere.search.results import InPassages

        info = None if name in self._own else self.registry.info(name)
        rate = self._pacing(info.rate.calls, info.rate.per_s) if info and info.rate else None
        resilience = Resilience(rate=rate, max_hits=WEB_HITS, budget=self._retries)
        shared = None if name in self._own else self._breakers
        guarded = ResilientProvider(self.provider(name), resilience, shared=shared)
        return InPassages(guarded, self._keep)

    def _connect(
        self, name: str, base_url: str, *, headers: Mapping[str, str], params: Pairs
    ) -> Api:
        from quaere.read.api_client import ApiClient

        client = ApiClient(name, base_url, headers=headers, params=params)
        self._closing.push_async_callback(client.aclose)
        return client


def _http_cache(settings: Settings) -> HttpCache | None:
    """Return the kept answers, in a folder that is open to its owner alone.

    Where there can be no such folder nothing is kept: pages can be read all the same.
    """
    from quaere.read.fetch import HttpCache

    folder = settings.cache_folder.absolute() / "http"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        logger.warning("pages are not cached for other runs: %s", error)
        return None
    return HttpCache(folder / "answers.db")


def read_policy(settings: Settings) -> ReadPolicy:
    """Return what may be asked for besides the public web."""
    from quaere.read.guard import ReadPolicy

    return ReadPolicy.model_validate(
        {
            "extra_hosts": settings.read_hosts,
            "extra_ports": settings.read_ports,
            "extra_networks": settings.read_networks,
        }
    )
