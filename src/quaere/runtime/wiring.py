"""From settings to a working engine. This is the one place that names concrete adapters.

What only some commands need is imported where it is built: the folder index needs no web, and
indexing needs no graph.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

import platformdirs
from pydantic import ValidationError

from quaere.domain.prices import Prices
from quaere.errors import SettingsError, UsageError
from quaere.index.provider import FolderProvider
from quaere.ports.read import Body, Cutter, Reader
from quaere.ports.search import SearchProvider, TermStatistics
from quaere.read.chunker import PassageCutter
from quaere.read.extractor import SafeExtractor
from quaere.read.files import read_file
from quaere.read.local import LocalReader
from quaere.read.schemes import SchemeReader
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.clock import SystemClock
from quaere.runtime.settings import Settings, own_settings, service_settings
from quaere.runtime.wiring_models import build_embedder, build_models, taped_models

if TYPE_CHECKING:
    from quaere.audit.auditor import Auditor
    from quaere.read.guard import ReadPolicy
    from quaere.reason.llm.reasoner import ModelReasoner
    from quaere.runtime.engine import Engine
    from quaere.search.api import Api, Pairs
    from quaere.search.registry import Registry
    from quaere.store.recording.record import Recorder
    from quaere.store.recording.replay import Replayer

FOLDER = "folder"
WEB_HITS = 10
"""Hits that a service is asked for by one query (R4.2)."""
PDF_FACTOR = 10
"""A PDF may be so many times larger than a page: its pictures count, its text does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What is searched, and what reads and cuts it."""

    providers: Sequence[SearchProvider]
    reader: Reader
    cutter: Cutter = field(default_factory=PassageCutter)
    warming: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to call before they are needed: worker processes take a while to start."""
    closing: Sequence[Callable[[], Awaitable[None]]] = ()
    """What to call when they are no longer needed."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for close in self.closing:
            await close()


def build_engine(
    settings: Settings,
    *,
    docs: Sequence[Path] = (),
    providers: Sequence[str] = (),
    model: str | None = None,
    record: Recorder | None = None,
    replay: Replayer | None = None,
) -> Engine:
    """Return an engine over folders, the web, or both: see `build_sources`.

    It reasons with the models that ``model`` or the settings name, and without one where nobody
    names any, or ``model`` is ``none``; what a model cannot do is done without one.

    ``record`` takes down all that they answer. With ``replay`` nothing but its tape is asked.

    Raises:
        UsageError: when a folder does not exist, or nobody knows a provider.
        SettingsError: when a provider lacks a setting that it needs, or the environment sets one
            that cannot be used.
    """
    if replay:
        taped = Sources(providers=replay.providers, reader=replay.reader)
        return replace(
            _assembled(settings, taped, taped_models(replay)),
            embedder=replay.embedder,
            same_cosine=replay.same_cosine,
            marks=replay.marks,
            clock=replay.clock,
        )
    sources = build_sources(settings, docs=docs, providers=providers)
    models, embedder = build_models(settings, model), build_embedder(settings)
    reasoner = models.reasoner if models else None
    warming = (embedder.warm,) if embedder else ()
    if not record:
        engine = replace(_assembled(settings, sources, reasoner), embedder=embedder)
    else:
        listened = replace(
            sources,
            providers=[record.provider(each) for each in sources.providers],
            reader=record.reader(sources.reader),
        )
        reasoner = reasoner.wrapped(record.model) if reasoner else None
        engine = replace(
            _assembled(settings, listened, reasoner),
            embedder=record.embedder(embedder, settings.embedder_same) if embedder else None,
            marks=record.marks,
            clock=record.clock,
        )
    return replace(
        engine,
        prices=models.prices if models else Prices(),
        warming=(*sources.warming, *(models.warming if models else ()), *warming),
        closing=(*sources.closing, *(models.closing if models else ())),
    )


def _assembled(settings: Settings, sources: Sources, reasoner: ModelReasoner | None) -> Engine:
    """Return an engine over ``sources``; it reasons without a model where ``reasoner`` cannot."""
    # A second of imports that indexing alone can do without.
    from quaere.graphs.configuration import Configuration
    from quaere.runtime.engine import Engine

    knowing = [each for each in sources.providers if isinstance(each, TermStatistics)]
    extractive = ExtractiveReasoner(knowing[0] if knowing else None)
    return Engine(
        providers=sources.providers,
        reasoner=reasoner or extractive,
        fallback=extractive if reasoner else None,
        same_cosine=settings.embedder_same,
        profiles=settings.profiles,
        strategy=settings.strategy,
        configuration=Configuration.from_runnable_config(
            environment=own_settings(Configuration.model_fields)
        ),
        reader=sources.reader,
        cutter=sources.cutter,
    )


def build_sources(
    settings: Settings, *, docs: Sequence[Path] = (), providers: Sequence[str] = ()
) -> Sources:
    """Return what searches and reads folders, the web, or both.

    Folders are searched when ``docs`` or the settings name some. The web is searched by
    ``providers``, or by those of the settings; where neither names any and there is no folder, by
    those that need no key.

    Raises:
        UsageError: when a folder does not exist, or nobody knows a provider.
        SettingsError: when a provider lacks a setting that it needs.
    """
    roots, extractor = docs or settings.docs, SafeExtractor()
    folder = build_folder(settings, roots, extractor=extractor) if roots else None
    named = providers or settings.providers
    if FOLDER in named and not folder:
        raise UsageError("There is no folder to search. Give --docs PATH, or set QUAERE_DOCS.")
    names = [name for name in named if name != FOLDER]
    web = _Web(settings) if names or not folder else None
    searched: list[SearchProvider] = [folder] if folder else []
    searched += web.providers(names) if web else []
    local = LocalReader(_file_reader(settings), extractor, roots=folder.roots if folder else ())
    readers: dict[str, Reader] = {"file": local}
    readers |= web.readers(extractor) if web else {}
    return Sources(
        providers=searched,
        reader=SchemeReader(readers),
        warming=(extractor.warm,) if web and web.opens_pages else (),
        closing=(*(web.closing if web else ()), extractor.aclose),
    )


def build_reading(settings: Settings, roots: Sequence[Path] = ()) -> Sources:
    """Return what reads the web and ``roots``, and searches nothing."""
    web, extractor = _Web(settings), SafeExtractor()
    local = LocalReader(_file_reader(settings), extractor, roots=roots)
    return Sources(
        providers=(),
        reader=SchemeReader({"file": local, **web.readers(extractor)}),
        closing=(*web.closing, extractor.aclose),
    )


def build_auditor(
    settings: Settings,
    roots: Sequence[Path] = (),
    *,
    model: str | None = None,
    max_cost_usd: float | None = None,
) -> Auditor:
    """Return what checks texts against the web and the files of ``roots`` that they cite.

    The embedder of the settings looks again at what words leave in doubt, and then a model where
    ``model`` names one; those of the settings are not asked.

    Raises:
        SettingsError: when ``model`` or the embedder cannot be used.
    """
    from quaere.audit.auditor import Auditor
    from quaere.audit.second_opinion import Judge, JudgeLimits

    sources = build_reading(settings, roots)
    models = build_models(settings, model) if model else None
    limits = JudgeLimits(usd=max_cost_usd)
    return Auditor(
        sources.reader,
        sources.cutter,
        embedder=build_embedder(settings),
        judge=Judge(models.reasoner, models.prices, limits) if models else None,
        closing=(*sources.closing, *(models.closing if models else ())),
    )


def build_service(settings: Settings, name: str) -> Sources:
    """Return the search service called ``name`` alone, of which no search is tried again.

    Raises:
        UsageError: when nobody is called ``name``.
        SettingsError: when it lacks a setting that it needs.
    """
    web = _Web(settings)
    return Sources(providers=(web.provider(name),), reader=SchemeReader({}), closing=web.closing)


def build_folder(
    settings: Settings, docs: Sequence[Path] = (), *, extractor: SafeExtractor | None = None
) -> FolderProvider:
    """Return the provider that searches ``docs``, or the folders that ``settings`` name.

    It gets the text of files from ``extractor``, or from one of its own.

    Raises:
        UsageError: when there is nothing to search, or a folder does not exist.
    """
    roots = docs or settings.docs
    if not roots:
        raise UsageError("There is no folder to search. Give --docs PATH, or set QUAERE_DOCS.")
    return FolderProvider(
        roots,
        cache=cache_folder(settings),
        read=_file_reader(settings),
        extractor=extractor or SafeExtractor(),
        cut=PassageCutter(),
    )


def build_registry(settings: Settings) -> Registry:
    """Return all search services and plug-ins by name, each ready to be made."""
    return _Web(settings).registry


class _Web:
    """The web as one operator lets it be searched and read."""

    def __init__(self, settings: Settings) -> None:
        from quaere.evidence.pool import best_passages
        from quaere.read.cache import HttpCache
        from quaere.read.fetch import Fetcher, FetchLimits
        from quaere.search.provided import ProvidedText
        from quaere.search.registry import Registry, plugins
        from quaere.search.services import infos

        self.closing: list[Callable[[], Awaitable[None]]] = []
        self.opens_pages = False
        self.fetcher = Fetcher(
            _policy(settings),
            FetchLimits(
                deadline_s=settings.fetch_timeout_s,
                max_bytes=settings.max_page_bytes,
                max_pdf_bytes=PDF_FACTOR * settings.max_page_bytes,
            ),
            obey_robots=settings.obey_robots,
            cache=HttpCache(_http_cache(settings)) if _keeps_pages(settings) else None,
        )
        self.closing.append(self.fetcher.aclose)
        keep = ProvidedText(PassageCutter(), best_passages, SystemClock())
        self.registry = Registry([*infos(self._connect, keep), *plugins()])

    def providers(self, names: Sequence[str]) -> list[SearchProvider]:
        """Return the providers called ``names``, or those that need no key, each on its guard."""
        from quaere.resilience.budget import RetryBudget
        from quaere.resilience.limits import RateLimit
        from quaere.resilience.provider import Resilience, ResilientProvider
        from quaere.search.services import DEFAULT_PROVIDERS

        budget = RetryBudget()
        made: list[SearchProvider] = []
        for name in names or DEFAULT_PROVIDERS:
            info = self.registry.info(name)
            self.opens_pages |= not info.with_text
            rate = RateLimit(info.rate.calls, info.rate.per_s) if info.rate else None
            resilience = Resilience(rate=rate, max_hits=WEB_HITS, budget=budget)
            made.append(ResilientProvider(self.provider(name), resilience))
        return made

    def provider(self, name: str) -> SearchProvider:
        """Return the provider called ``name`` without a guard."""
        info = self.registry.info(name)
        return self.registry.make(name, service_settings([*info.needs, *info.options]))

    def readers(self, extractor: SafeExtractor) -> dict[str, Reader]:
        """Return the readers of the web by scheme."""
        from quaere.read.web import WebReader

        reader = WebReader(self.fetcher, extractor)
        return {"http": reader, "https": reader}

    def _connect(
        self, name: str, base_url: str, *, headers: Mapping[str, str], params: Pairs
    ) -> Api:
        from quaere.read.api import ApiClient

        client = ApiClient(name, base_url, headers=headers, params=params)
        self.closing.append(client.aclose)
        return client


def _policy(settings: Settings) -> ReadPolicy:
    from quaere.read.guard import ReadPolicy

    try:
        return ReadPolicy.model_validate(
            {
                "extra_hosts": settings.read_hosts,
                "extra_ports": settings.read_ports,
                "extra_networks": settings.read_networks,
            }
        )
    except ValidationError as error:
        faults = "; ".join(f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors())
        raise SettingsError(
            f"What may be read besides the web cannot be used: {faults}."
        ) from error


def cache_folder(settings: Settings) -> Path:
    """Return where indexes and kept answers lie; it need not be there yet."""
    return settings.cache_dir or Path(platformdirs.user_cache_dir("quaere"))


def _keeps_pages(settings: Settings) -> bool:
    return settings.http_cache and settings.store_pages


def _http_cache(settings: Settings) -> Path:
    """Return the file of kept answers, in a folder that is open to its owner alone."""
    folder = cache_folder(settings).absolute() / "http"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "answers.db"


def _file_reader(settings: Settings) -> Callable[[Path], Body]:
    return partial(read_file, max_bytes=settings.max_file_bytes)
