"""From a query to hits: words it for a service, pages through its results, keeps their text.

No text of a query can break out of its place.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from itertools import chain, islice
from time import monotonic
from typing import TypeVar
from urllib.parse import urlsplit

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope, Sites
from quaere.domain.source import Hit, Page, Passage, ReadStatus, passage_id
from quaere.errors import SearchError, SearchTimeout
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.read import Chunker
from quaere.ports.search import SearchProvider
from quaere.resilience.thread import in_slices, in_thread
from quaere.resilience.timing import Clock, others_time
from quaere.search.api import Api, garbled
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import is_stop_word

MAX_STRICT = 8
"""Words that a source must all have; more than these no source has."""
MAX_LOOSE = 24

_UNSEEN = lazy_regex(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_FIELD_TAG = lazy_regex(r"\[[A-Za-z][A-Za-z0-9 /:_~-]{0,40}\]")
_OPERATOR = frozenset({"AND", "OR", "NOT", "TO"})
_PIECE = lazy_regex(r'"([^"]{1,200})"|(\w(?:[\w.\'’/-]{0,60}\w)?)')
_WORD = lazy_regex(r"\w(?:[\w.'’/-]{0,60}\w)?")


def worded(text: str, *, max_chars: int, max_words: int | None = None) -> str:
    """Return ``text`` for an engine that takes whole questions: on one line and not too long.

    It ends after a word where it has to be cut. Empty when nothing in it can be seen.
    """
    # A word takes two characters at least, so that no more than this can matter.
    words = _UNSEEN.sub(" ", text[: 4 * max_chars]).split()[:max_words]
    line = " ".join(words)
    if len(line) <= max_chars:
        return line
    head, space, _ = line[: max_chars + 1].rpartition(" ")
    return head if space else line[:max_chars]


def keywords(text: str) -> tuple[str, ...]:
    """Return the words that say what ``text`` is about, each once, in order.

    What is in double quotes is one of them, if it is several words; they have no quotes of
    their own. Stop words, operators and the field tags of PubMed's syntax are left out.
    """
    found: dict[str, str] = {}
    for match in _PIECE.finditer(_FIELD_TAG.sub(" ", _UNSEEN.sub(" ", text[:20_000]))):
        phrase, word = match.groups()
        parts = _WORD.findall(phrase) if phrase else [word]
        if len(parts) > 1:
            found.setdefault(" ".join(parts).casefold(), " ".join(parts))
            continue
        for part in filter(_has_content, parts):
            found.setdefault(part.casefold(), part)
        if len(found) >= MAX_LOOSE:
            break
    return tuple(found.values())


def _has_content(word: str) -> bool:
    return word not in _OPERATOR and not is_stop_word(word)


def quoted(words: Iterable[str]) -> tuple[str, ...]:
    """Return ``words`` with quotes round those that are more than letters and digits."""
    return tuple(word if word.isalnum() else f'"{word}"' for word in words)


def _operators(sites: Sites, room: int, places: int) -> str:
    """Return the operators for ``sites`` that fit in so many characters and words."""
    asked = ""
    for operator in filter(None, (_only(sites.only), *(f"-site:{host}" for host in sites.exclude))):
        longer = f"{asked} {operator}".lstrip()
        if len(longer) < room and len(longer.split()) <= places:
            asked = longer
        elif operator.startswith("-"):
            break
    return asked


def _only(hosts: Sequence[str]) -> str:
    listed = " OR ".join(f"site:{host}" for host in hosts)
    return f"({listed})" if len(hosts) > 1 else listed


def with_sites(
    text: str, scope: Scope | None, *, max_chars: int, max_words: int | None = None
) -> str:
    """Return ``text`` worded for an engine, with operators for the sites of ``scope``.

    The operators get at most half of the room. A list of the only sites is sent whole or not at
    all, because half of it would lose sources; of the excluded ones as many are sent as fit.
    """
    room, places = max_chars // 2, (max_words or max_chars) // 2
    asked = _operators(scope.sites, room, places) if scope else ""
    words_left = max_words - len(asked.split()) if max_words else None
    chars_left = max_chars - len(asked) - 1 if asked else max_chars
    said = worded(text, max_chars=chars_left, max_words=words_left)
    return f"{said} {asked}".strip() if said else ""


T = TypeVar("T")

_MAX_URL_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Found:
    """What an answer says of one source."""

    url: str
    title: str
    snippet: str = ""
    published: str = ""
    kind: SourceKind = SourceKind.WEB
    score: float = 0.0
    text: str = ""
    """The source's own text, where the provider returns it."""
    standing: str = ""
    """"Retracted" or "Withdrawn", for a work that no longer stands."""
    incomplete: str = ""
    """Why the list that it is in may lack results; empty for a whole one."""
    full_text: str = ""
    """Where the open full text is, if the service knows a place."""

    @property
    def usable(self) -> bool:
        """Whether it has a title and a web address."""
        return bool(self.title) and is_web_url(self.url)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one request returned."""

    found: tuple[Found, ...]
    listed: int
    """Items in the answer, those among them that could not be used included."""


MAX_LISTED = 200
"""Items of one answer that are read; no service lists more at a time when asked for fewer."""


async def batch(service: str, found: Iterable[Found | None], listed: int) -> Batch:
    """Return what was ``found`` in the ``listed`` items of one answer, without the bad ones.

    The items are read one by one and off the event loop where ``found`` is lazy.

    Raises:
        SearchError: when there are items and not a single good one.
    """
    read = await in_slices(islice(found, MAX_LISTED))
    usable = tuple(each for each in read if each is not None and each.usable)
    if listed and not usable:
        raise garbled(service)
    return Batch(usable, listed)


LATER_PAGES_S = 4.0
"""Seconds from the first request after which no other page is waited for.

They are fewer than an attempt at a search has, and than others wait for a silent service, or a slow
one that has answered would have found nothing.
"""


async def pages(
    fetch: Callable[[int], Awaitable[Batch]],
    *,
    limit: int,
    size: int,
    most: int,
    uneven: bool = False,
) -> list[Found]:
    """Return up to ``limit`` finds from as many pages of ``size`` as it takes, each source once.

    ``fetch`` gets the number of the page, from 0. At most ``most`` finds are requested, and no page
    after one that was not full. Pages that are ``uneven`` hold more or less than ``size``, so that
    the last one is the first that brings nothing new. A page that fails or is late costs no find of
    those before it: they are returned as an incomplete list.

    Raises:
        SearchError: when the first page fails, or all before the failure were empty.
    """
    found: dict[str, Found] = {}
    wanted = min(limit, most)
    until = monotonic() + LATER_PAGES_S
    for number in range(math.ceil((most if uneven else wanted) / size)):
        before = len(found)
        try:
            page = await (_by(until, fetch, number) if found else fetch(number))
        except SearchError as error:
            if not found:
                raise
            why = f"page {number + 1} of its results is missing: {error.message}"
            return _incomplete(found.values(), why)
        _add(found, page.found)
        is_full = len(found) > before if uneven else page.listed >= min(size, wanted)
        if not is_full or len(found) >= wanted:
            break
    return list(found.values())[:wanted]


async def _by(until: float, fetch: Callable[[int], Awaitable[Batch]], number: int) -> Batch:
    """Return a page that comes before the clock shows ``until``.

    Raises:
        SearchError: when it fails, or there was no time for it.
    """
    left = until - monotonic()
    try:
        if left <= 0:
            raise TimeoutError
        async with others_time(left):
            return await fetch(number)
    except TimeoutError as error:
        raise SearchTimeout("there was no time for it.") from error


def _add(found: dict[str, Found], more: Iterable[Found]) -> None:
    for each in more:
        found.setdefault(by_url(each), each)


def _incomplete(found: Iterable[Found], why: str) -> list[Found]:
    return [replace(each, incomplete=why) for each in found]


async def widening(
    wordings: Sequence[str],
    ask: Callable[[str], Awaitable[Sequence[T]]],
    *,
    limit: int,
    key: Callable[[T], str],
    enough: int | None = None,
) -> list[T]:
    """Search with the ``wordings`` in turn, the narrowest first; return up to ``limit`` finds.

    The next is tried while there are fewer than ``enough``, by default ``limit``. Finds
    with the same ``key`` count once.
    """
    found: dict[str, T] = {}
    for wording in dict.fromkeys(wordings):
        for each in await ask(wording):
            found.setdefault(key(each), each)
        if len(found) >= (limit if enough is None else enough):
            break
    return list(found.values())[:limit]


def by_url(found: Found) -> str:
    """Return the key by which results are deduplicated."""
    return found.url


async def hits(
    provider: str, found: Sequence[Found], query: Query, keep: ProvidedText | None = None
) -> tuple[Hit, ...]:
    """Return ``found`` as the hits of ``provider``, with passages of the text that came along."""
    if keep is None:
        return tuple(_hit(provider, rank, each) for rank, each in enumerate(found))
    made = (_with_text(_hit(provider, n, each), each, query, keep) for n, each in enumerate(found))
    return tuple(await in_slices(made))


class ScholarlyIndex:
    """The base of providers over an index of works that brings text of theirs along."""

    name: str
    kinds = frozenset({SourceKind.SCHOLARLY})
    narrows = frozenset({Bound.DATES})

    def __init__(self, api: Api, keep: ProvidedText) -> None:
        """Ask through ``api``; ``keep`` makes passages of the text."""
        self._api = api
        self._keep = keep

    async def _hits(self, found: Sequence[Found], query: Query) -> Sequence[Hit]:
        return await hits(self.name, found, query, self._keep)


class PagedIndex(ScholarlyIndex, ABC):
    """The base of those whose results come page by page."""

    page_size = 100
    most = 200
    """Results of one query that are asked for, over all pages."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, and at most ``most``; see `SearchProvider`.

        Only when a wording finds nothing is the next one asked.
        """
        size = self.page_size

        async def ask(text: str) -> Sequence[Found]:
            return await pages(
                lambda number: self._page(text, number, min(limit, size), query.scope),
                limit=limit,
                size=size,
                most=self.most,
            )

        wordings = list(filter(None, self._wordings(query)))
        found = await widening(wordings, ask, limit=limit, enough=1, key=by_url)
        return await self._hits(found, query)

    @abstractmethod
    def _wordings(self, query: Query) -> Sequence[str]:
        """Return ``query`` as the service takes it, the narrowest wording first.

        A wording without any words is empty.
        """

    @abstractmethod
    async def _page(self, text: str, number: int, count: int, scope: Scope | None) -> Batch:
        """Request up to ``count`` results of page ``number``, from 0, for ``text`` in ``scope``.

        Raises:
            SearchError: when the answer is not of the documented form, or is an outage.
        """


def _with_text(hit: Hit, found: Found, query: Query, keep: ProvidedText) -> Hit:
    is_open = keep.full_texts and is_web_url(found.full_text)
    return hit.model_copy(
        update={
            "passages": keep.passages(hit, found.text, query.text),
            "full_text": found.full_text if is_open else "",
        }
    )


def _hit(provider: str, rank: int, found: Found) -> Hit:
    return Hit(
        url=found.url,
        title=_title(found),
        snippet=found.snippet,
        provider=provider,
        rank=rank,
        score=found.score,
        kind=found.kind,
        published=found.published,
        incomplete=found.incomplete,
    )


def _title(found: Found) -> str:
    title = found.title
    if found.standing and not title.lower().startswith(found.standing.lower()):
        return f"{found.standing}: {title}"
    return title


def is_web_url(url: str) -> bool:
    """Return whether ``url`` is an http or https URL with a host, of a length that pages have."""
    if len(url) > _MAX_URL_CHARS:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return False


Choose = Callable[[Sequence[Passage], str], Sequence[Passage]]
"""Picks of a page's passages those that fit some words, the best first."""

WHOLE_CHARS = 3_000
"""A text of this length, an abstract with all its sections, stays one passage."""
MAX_CHARS = 60_000
"""What of a page is kept: some 10,000 words."""


class ProvidedText:
    """Makes passages of provided text."""

    def __init__(
        self, chunk: Chunker, choose: Choose, clock: Clock, *, full_texts: bool = True
    ) -> None:
        self.full_texts = full_texts
        """Whether hits say where the open full text of a work is, so that it can be read, too."""
        self._chunk = chunk
        self._choose = choose
        self._clock = clock

    def passages(self, hit: Hit, text: str, query: str) -> tuple[Passage, ...]:
        """Return ``text``, or what is chosen of it for ``query`` if it is long.

        None at all when there is no text.
        """
        page = _provided(hit, text[:MAX_CHARS], self._clock)
        passages = (
            self._choose(self._chunk(page), query) if len(text) > WHOLE_CHARS else _whole(page)
        )
        return tuple(passage.model_copy(update={"provided": True}) for passage in passages)


class InPassages(ForwardingProvider):
    """A provider that may return a whole page as one passage: it is made into several."""

    def __init__(self, inner: SearchProvider, keep: ProvidedText) -> None:
        """Search with ``inner``, and let ``keep`` choose of a long passage what fits a query."""
        super().__init__(inner)
        self._keep = keep

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits of ``inner``; raises what it raises."""
        found = await self.inner.search(query, limit=limit)
        if not any(map(_has_page, found)):
            return found
        return await in_thread(lambda: [self._cut(hit, query.text) for hit in found])

    def _cut(self, hit: Hit, query: str) -> Hit:
        if not _has_page(hit):
            return hit
        kept = (self._keep.passages(hit, each.text, query) for each in hit.passages)
        return hit.model_copy(update={"passages": tuple(chain.from_iterable(kept))})


def _has_page(hit: Hit) -> bool:
    return any(len(each.text) > WHOLE_CHARS for each in hit.passages)


def snippet_passages(hit: Hit, clock: Clock) -> tuple[Passage, ...]:
    """Return what the search service quoted of the page of ``hit``: one passage, or none."""
    passages = _whole(_provided(hit, hit.snippet, clock))
    return tuple(passage.model_copy(update={"provided": True}) for passage in passages)


def _provided(hit: Hit, text: str, clock: Clock) -> Page:
    return Page(
        url=hit.url,
        title=hit.title,
        text=text,
        status=ReadStatus.PROVIDED,
        retrieved_at=clock.now().astimezone(UTC).isoformat(timespec="seconds"),
        published=hit.published,
    )


def _whole(page: Page) -> Sequence[Passage]:
    text = page.text.strip()
    if not text:
        return ()
    start = page.text.index(text)
    passage = Passage(
        id=passage_id(page.url, start, text),
        url=page.url,
        title=page.title,
        text=text,
        start=start,
        end=start + len(text),
        content_hash=page.content_hash,
        retrieved_at=page.retrieved_at,
        published=page.published,
    )
    return (passage,)
