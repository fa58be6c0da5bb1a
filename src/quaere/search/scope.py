"""Keeps a run to the sites, dates and languages that the request names.

Services with parameters for it narrow their search by themselves (`quaere.domain.scope`). What they
and all others bring is filtered here, and so is every page that is read:

- Sites: a page counts by the host it ended at. Excluded ones are left out wherever they turn up;
  pages and files that the user named need not be on the list of the only ones.
- Dates: a source counts by the day it was published; where only a year or a month is told, any of
  its days will do. A source that tells no date is kept if the user named it, or if the service
  guarantees the dates of what it finds. Any other is left out.
- Languages: a text counts by its words; one whose language is unclear is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.scope import Bound, Scope, Sites, is_local_file, web_host
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.url import canonical_url, is_on
from quaere.errors import ReadError
from quaere.ports.forwarding import ForwardingProvider, ForwardingReader
from quaere.ports.read import Reader
from quaere.ports.search import Narrowing, Preparable, Progress, SearchProvider
from quaere.search.api import iso_date
from quaere.text.dates import first_and_last_day
from quaere.text.language_detection import detect

_UNCLEAR = "und"
_WORDS = {Bound.SITES: "sites", Bound.DATES: "dates", Bound.LANGUAGES: "languages"}


@dataclass(frozen=True, slots=True)
class Source:
    """What is known of a source when it is judged."""

    urls: tuple[str, ...]
    """Where it is, where it was found, and where its passages are from."""
    published: str = ""
    text: str = ""
    complete: bool = True
    """Whether nothing more can be learnt of it; not so while its page is still to be read."""
    named: bool = False
    """Whether the user named it."""
    guaranteed: frozenset[Bound] = frozenset()
    """What the service that found it guarantees."""


def objection(source: Source, scope: Scope) -> str:
    """Return why ``source`` is out of ``scope``, in words; empty when it is not."""
    return (
        _site_objection(source, scope.sites)
        or _date_objection(source, scope)
        or _language_objection(source, scope.languages)
    )


def _site_objection(source: Source, sites: Sites) -> str:
    if not sites.narrow:
        return ""
    objections = (_address_objection(url, sites, named=source.named) for url in source.urls)
    return next(filter(None, objections), "")


def _address_objection(url: str, sites: Sites, *, named: bool) -> str:
    host = web_host(url)
    if not host:
        return "" if is_local_file(url) else "its address names no site"
    if is_on(host, sites.exclude):
        return f"{host} is excluded"
    if sites.only and not named and not is_on(host, sites.only):
        return f"{host} is not among the sites asked for"
    return ""


def _date_objection(source: Source, scope: Scope) -> str:
    if not scope.dated:
        return ""
    days = _days(source.published)
    if days is None:
        unknown = source.complete and not source.named and Bound.DATES not in source.guaranteed
        return "it has no date of publication" if unknown else ""
    outside = _is_outside(days, scope)
    return f"it was published on {iso_date(source.published)}" if outside else ""


def _is_outside(days: tuple[date, date], scope: Scope) -> bool:
    first, last = days
    early = scope.published_after is not None and last < scope.published_after
    late = scope.published_before is not None and first > scope.published_before
    return early or late


def _days(published: str) -> tuple[date, date] | None:
    """Return the first and the last day that ``published`` may mean; ``None`` for no date."""
    parts = list(map(int, filter(None, iso_date(published).split("-"))))
    return first_and_last_day(*parts) if parts else None


def _language_objection(source: Source, languages: Sequence[str]) -> str:
    if not languages or not source.text or Bound.LANGUAGES in source.guaranteed:
        return ""
    language = detect(source.text)
    return "" if language in {*languages, _UNCLEAR} else f"it is in another language ({language})"


class Scoping:
    """Wraps what a run searches and reads with, so that both keep to ``scope``."""

    def __init__(self, scope: Scope) -> None:
        """Keep to ``scope``."""
        self.scope = scope
        self._named = frozenset(map(canonical_url, scope.urls))
        self._guarantees: dict[str, frozenset[Bound]] = {}

    def provider(self, inner: SearchProvider) -> SearchProvider:
        """Return ``inner`` kept to the scope; it counts and prepares where ``inner`` does.

        What ``inner`` cannot guarantee is told as a warning when it prepares.
        """
        narrows = inner.narrows if isinstance(inner, Narrowing) else frozenset[Bound]()
        self._guarantees[inner.name] = narrows
        return ScopedProvider(inner, self)

    def reader(self, inner: Reader) -> Reader:
        """Return ``inner`` kept to the scope, also behind redirects."""
        return ScopedReader(inner, self)

    def hit_objection(self, hit: Hit) -> str:
        """Return why ``hit`` is out of scope; empty when it is not, or when its page has to tell.

        A hit that came with its text is judged by that.
        """
        return objection(
            Source(
                urls=(hit.url, *(passage.url for passage in hit.passages)),
                published=hit.published,
                text="\n".join(
                    [hit.title, *(p.text for p in hit.passages)] if hit.passages else []
                ),
                complete=bool(hit.passages),
                named=self._is_named(hit),
                guaranteed=self.guaranteed(hit.provider),
            ),
            self.scope,
        )

    def page_objection(self, hit: Hit, page: Page) -> str:
        """Return why ``page``, to which ``hit`` has led, is out of scope; empty when it is not."""
        return objection(
            Source(
                urls=(hit.url, page.url),
                published=page.published or hit.published,
                text=f"{page.title}\n{page.text}",
                named=self._is_named(hit),
                guaranteed=self.guaranteed(hit.provider),
            ),
            self.scope,
        )

    def guaranteed(self, provider: str) -> frozenset[Bound]:
        """Return what the service called ``provider`` guarantees of its hits."""
        return self._guarantees.get(provider, frozenset())

    def _is_named(self, hit: Hit) -> bool:
        return is_local_file(hit.url) or canonical_url(hit.url) in self._named


class ScopedProvider(ForwardingProvider):
    """``inner`` with hits out of scope left out, and those on preferred sites first."""

    def __init__(self, inner: SearchProvider, scoping: Scoping) -> None:
        super().__init__(inner)
        self._scoping = scoping
        self.prepare = partial(self._warned, inner)  # even where ``inner`` has nothing to prepare

    async def _warned(self, inner: SearchProvider, progress: Progress) -> Sequence[RunWarning]:
        """Prepare ``inner`` where it can; also return what it does not guarantee."""
        warnings = await inner.prepare(progress) if isinstance(inner, Preparable) else ()
        return (*warnings, *self._shortfall())

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits within the scope, best first; those preferred lead.

        Raises:
            SearchError: when ``inner`` could not answer.
        """
        found = await self.inner.search(self._narrowed(query), limit=limit)
        kept = [hit for hit in found if not self._scoping.hit_objection(hit)]
        return preferred(kept, self._scoping.scope.sites.prefer)

    def _narrowed(self, query: Query) -> Query:
        """Return ``query`` with what a service may narrow its search by."""
        scope = self._scoping.scope
        if not scope.bounds:
            return query
        sites = Sites(only=scope.sites.only, exclude=scope.sites.exclude)
        asked = scope.model_copy(update={"urls": (), "sites": sites})
        return query.model_copy(update={"scope": asked})

    def _shortfall(self) -> Sequence[RunWarning]:
        """Return a warning that names the bounds which ``inner`` does not guarantee, if any."""
        own_files = self.kinds == frozenset({SourceKind.FOLDER})
        met = frozenset({Bound.SITES}) if own_files else self._scoping.guaranteed(self.name)
        missed = [bound for bound in self._scoping.scope.bounds if bound not in met]
        if not missed:
            return ()
        undated = ""
        if Bound.DATES in missed:
            undated = f"; those without a date were {'kept' if own_files else 'left out'}"
        message = (
            f"{self.name} cannot guarantee the {_listed(missed)} asked for. "
            f"Its results were filtered{undated}."
        )
        return (RunWarning(kind="search", message=message, subject=self.name),)


class ScopedReader(ForwardingReader):
    """``inner``, of which pages out of scope are refused."""

    def __init__(self, inner: Reader, scoping: Scoping) -> None:
        super().__init__(inner)
        self._scoping = scoping

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: ``refused`` when the hit, or the page it ended at, is out of scope; and what
                ``inner`` raises.
        """
        if reason := self._scoping.hit_objection(hit):
            raise _refused(hit, reason)
        page = await self.inner.read(hit)
        if reason := self._scoping.page_objection(hit, page):
            raise _refused(hit, reason)
        return page


def preferred(hits: Sequence[Hit], sites: tuple[str, ...]) -> tuple[Hit, ...]:
    """Return ``hits`` with those on ``sites`` first, otherwise in the given order, ranked anew.

    The scores keep their order: they still give the place of each hit.
    """
    ordered = sorted(hits, key=lambda hit: not is_on(web_host(hit.url), sites)) if sites else hits
    scores = [hit.score for hit in hits]
    return tuple(
        hit.model_copy(update={"rank": rank, "score": score})
        for rank, (hit, score) in enumerate(zip(ordered, scores, strict=True))
    )


def _refused(hit: Hit, reason: str) -> ReadError:
    message = f"{hit.url:.200} is outside the scope of this run: {reason}."
    return ReadError(message, status=ReadStatus.REFUSED)


def _listed(bounds: Iterable[Bound]) -> str:
    *before, last = (_WORDS[bound] for bound in bounds)
    return f"{', '.join(before)} and {last}" if before else last
