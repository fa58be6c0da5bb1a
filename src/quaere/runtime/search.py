"""One step of research alone: the services that can be asked, a query to them, a page read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from quaere.domain.events import Event, WarningRaised
from quaere.domain.question import MAX_QUESTION_CHARS, Query
from quaere.domain.report import RunWarning
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import Hit, Page, Passage
from quaere.domain.value import Outside, Value
from quaere.errors import QuestionError, UsageError
from quaere.ports.search import Preparable, SearchProvider
from quaere.read.chunker import PassageChunker
from quaere.resilience.thread import in_thread
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings, service_settings
from quaere.runtime.wiring import searched, settle
from quaere.search.api import shortened
from quaere.search.fanout import Answer, Failure, Merged, fan_out, merge, prepare, warned
from quaere.search.registry import DEFAULT_PROVIDERS, ProviderInfo

_BASE_URL = "_BASE_URL"


class Listed(Value):
    """A provider and its settings; of their values, only a host is shown."""

    name: str
    description: str
    kinds: tuple[str, ...]
    ready: bool
    needs: tuple[str, ...]
    """Settings that it requires."""
    missing: tuple[str, ...]
    """Required settings that are not set."""
    options: tuple[str, ...]
    """Optional settings."""
    host: Outside
    """Host of its base URL; empty if it has none."""
    default: bool
    """Whether it is used when a command names no provider."""


class Listing(Value):
    """All providers, by name."""

    providers: tuple[Listed, ...]


def listed_providers(resources: Resources) -> Listing:
    """Return all providers, with what they need and whether it is there."""
    settings = resources.settings
    listed = [_folder(settings)]
    listed += [_listed(info, settings) for info in resources.web.registry.infos]
    return Listing(providers=tuple(sorted(listed, key=lambda each: each.name)))


def usual_providers(settings: Settings) -> tuple[str, ...]:
    """Return the search services that are asked where a command names neither one nor a folder."""
    return settings.providers or (() if settings.docs else DEFAULT_PROVIDERS)


def _folder(settings: Settings) -> Listed:
    return Listed(
        name="folder",
        description="Local files and folders; --docs names them as well",
        kinds=("folder",),
        ready=bool(settings.docs),
        needs=("QUAERE_DOCS",),
        missing=() if settings.docs else ("QUAERE_DOCS",),
        options=(),
        host="",
        default=bool(settings.docs),
    )


def _listed(info: ProviderInfo, settings: Settings) -> Listed:
    values = service_settings([*info.needs, *info.options])
    missing = info.missing(values)
    return Listed(
        name=info.name,
        description=info.description,
        kinds=tuple(sorted(info.kinds)),
        ready=not missing,
        needs=info.needs,
        missing=missing,
        options=tuple(info.options),
        host=_host({**info.options, **values}),
        default=info.name in usual_providers(settings),
    )


def _host(values: Mapping[str, str]) -> str:
    """Return the host of the base URL among ``values``, without parts that may be secret."""
    for name, value in values.items():
        if name.endswith(_BASE_URL):
            try:
                return urlsplit(value).hostname or ""
            except ValueError:
                return ""
    return ""


SNIPPET_CHARS = 300
SEARCH_S = 30.0
"""What one query may take; the services' own limits are shorter."""

Told = Callable[[Event], object]
"""Takes the progress of indexing."""


class Seen(Value):
    """Who found a source, and at which place of its own list, from 1."""

    provider: str
    rank: int


class FoundHit(Value):
    """A source that was found, once for all that found it."""

    rank: int
    """Place in the merged list, from 1."""
    provider: str
    """Whose words these are."""
    seen: tuple[Seen, ...]
    kind: str
    url: Outside
    title: Outside
    snippet: Outside
    published: Outside


class FailedProvider(Value):
    """A provider that could not answer: not one that found nothing."""

    provider: str
    error: str
    message: Outside
    retryable: bool


class SearchResult(Value):
    """The results of one query."""

    query: str
    hits: tuple[FoundHit, ...]
    failures: tuple[FailedProvider, ...]
    warnings: tuple[RunWarning, ...]
    asked: int
    """Providers that were asked."""

    @property
    def all_failed(self) -> bool:
        """Whether no provider could answer, which is not an empty result."""
        return len(self.failures) == self.asked


async def look_up(
    resources: Resources, request: RunRequest, limit: int, told: Told | None = None
) -> SearchResult:
    """Return what the providers of ``request`` find for its question, merged into one list.

    Raises:
        QuestionError: when the query is empty or too long.
        UsageError: when a folder does not exist, a provider is unknown, or no hit is asked for.
    """
    if limit < 1:
        raise UsageError(f"limit must be at least 1, not {limit}.")
    spec = settle(resources, RunSpec(request=request))
    query = _query(spec.request.question)
    providers = searched(resources, spec)
    warnings = await _prepared(providers, told)
    outcomes = await fan_out([query], providers, limit=limit, timeout_s=SEARCH_S)
    answers = [each for each in outcomes if isinstance(each, Answer)]
    merged = merge([query], answers)
    return SearchResult(
        query=query.text,
        hits=tuple(_hit(rank, each) for rank, each in enumerate(merged[:limit], 1)),
        failures=tuple(_failure(each) for each in outcomes if isinstance(each, Failure)),
        warnings=(*warnings, *warned(answers)),
        asked=len(outcomes),
    )


async def fetch(
    resources: Resources, url: str, roots: Sequence[Path]
) -> tuple[Page, Sequence[Passage]]:
    """Return the page at ``url`` and its passages; a file is read where it lies below ``roots``.

    Raises:
        ReadError: with the status that tells why there is nothing to read.
    """
    page = await read_page(resources, url, roots)
    return page, await in_thread(lambda: PassageChunker()(page))


async def read_page(resources: Resources, url: str, roots: Sequence[Path]) -> Page:
    """Return the page at ``url`` alone: the passages of a long one take as long as reading it.

    Raises as `fetch`.
    """
    reader = resources.reader(roots)
    return await reader.read(Hit(url=url, title="", provider="fetch", rank=0))


def _query(text: str) -> Query:
    if not text.strip():
        raise QuestionError("The query is empty.")
    if len(text) > MAX_QUESTION_CHARS:
        raise QuestionError(
            f"The query has {len(text):,} characters; the limit is {MAX_QUESTION_CHARS:,}."
        )
    return Query(text=text)


async def _prepared(providers: Iterable[SearchProvider], told: Told | None) -> list[RunWarning]:
    """Let ``providers`` get ready and return what went wrong."""
    warnings: list[RunWarning] = []
    for provider in providers:
        if not isinstance(provider, Preparable):
            continue
        async for event in prepare(provider, provider.name, math.inf):
            if told:
                told(event)
            if isinstance(event, WarningRaised):
                warnings.append(event.warning)
    return warnings


def _hit(rank: int, merged: Merged) -> FoundHit:
    hit = merged.hit
    snippet = hit.snippet or (hit.passage.text if hit.passage else "")
    return FoundHit(
        rank=rank,
        provider=hit.provider,
        seen=tuple(Seen(provider=each.provider, rank=each.rank + 1) for each in merged.sightings),
        kind=hit.kind,
        url=hit.url,
        title=hit.title,
        snippet=shortened(" ".join(snippet.split()), SNIPPET_CHARS),
        published=hit.published,
    )


def _failure(failure: Failure) -> FailedProvider:
    return FailedProvider(
        provider=failure.provider,
        error=failure.error_type,
        message=failure.message,
        retryable=failure.retryable,
    )
