"""A run keeps to the sites, dates and languages that its asker wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.contracts.search_provider import DOCUMENTS, SearchProviderContract
from tests.contracts.web_provider import Clients
from tests.graphs.misbehaving import OddProvider, refuse_search
from tests.graphs.world import HOP, Desk, Shelf, engine, passage_of, told
from tests.look_alikes import web_engines
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf as Library

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.scope import Bound, Scope, Sites, web_host
from quaere.domain.source import Hit, Page
from quaere.domain.url import is_on
from quaere.errors import ReadError
from quaere.ports.search import Preparable, SearchProvider, TermStatistics
from quaere.resilience.provider import ResilientProvider
from quaere.search.results import with_sites
from quaere.search.scope import Scoping, Source, objection, preferred

pytestmark = pytest.mark.anyio

MOTH = Query(text="lantern moth")
SINCE_2020 = Scope(published_after=date(2020, 1, 1))
GERMAN = "Die Motte lebt an der Küste und frisst die Flechten von den Felsen."
ENGLISH = "The moth lives on the coast and it feeds on the lichen of the cliffs."


def hit(url: str = "https://a.org/1", rank: int = 0, **fields: object) -> Hit:
    return Hit.model_validate(
        {"url": url, "title": "Moth", "provider": "listed", "rank": rank, **fields}
    )


class Listed:
    """Finds the hits that it was given, and remembers what it was asked."""

    def __init__(self, hits: Sequence[Hit] = (), narrows: frozenset[Bound] = frozenset()) -> None:
        self.name = "listed"
        self.kinds = frozenset({SourceKind.WEB})
        self.narrows = narrows
        self.asked: list[Query] = []
        self._hits = hits

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append(query)
        return self._hits[:limit]


class Pages:
    """Reads pages that are there without a web: by the URL that was asked for."""

    def __init__(self, **fields: str) -> None:
        self.asked: list[str] = []
        self._fields = fields

    async def read(self, hit: Hit) -> Page:
        self.asked.append(hit.url)
        return Page.model_validate(
            {"url": hit.url, "title": "Moth", "text": ENGLISH} | self._fields
        )


class Distant(Shelf):
    """Takes a moment, as everything does that is asked over a network."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await asyncio.sleep(0)
        return await super().search(query, limit=limit)


class TestScopedProvider(SearchProviderContract):
    """It is a provider like any other, also where a scope is asked for."""

    scope = Scope(sites=Sites(only=("shelf.test",), exclude=("evil.com",)), languages=("en",))

    @pytest.fixture
    async def provider(self) -> SearchProvider:
        return Scoping(self.scope).provider(Distant(DOCUMENTS))

    @pytest.fixture
    async def unavailable(self) -> SearchProvider:
        return Scoping(self.scope).provider(OddProvider(refuse_search))


def widened(host: str) -> str:
    """Return ``host`` in the full-width letters of East Asian fonts."""
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in host)


# One host in many spellings, and hosts that only look like it.
DISGUISES: tuple[Callable[[str], str], ...] = (
    lambda host: f"https://{host}/",
    lambda host: f"https://{host.upper()}/a",
    lambda host: f"https://{host}./a",
    lambda host: f"http://{host}:80/a",
    lambda host: f"https://{host}:8443/a",
    lambda host: f"https://good.org@{host}/a",
    lambda host: f"https://good.org:good.org@{host}:443/",
    lambda host: f"https://good.org%2f@{host}/",
    lambda host: f"https://www.{host}/a?b=good.org#good.org",
    lambda host: f"https://{host.replace('e', '%65')}/",
    lambda host: f"https://{host.replace('.', '。')}/",
    lambda host: f"https://{widened(host)}/",
    lambda host: f"https:/\\{host}/good.org",
    lambda host: f"  https://{host}\t/",
    lambda host: f"ht\ntps://{host}/",
)
HOSTS = ("evil.com", "bücher.example", "e.co.uk")


@given(st.sampled_from(DISGUISES), st.sampled_from(HOSTS), st.booleans())
def test_no_spelling_lets_an_excluded_host_through(
    disguise: Callable[[str], str], host: str, named: bool
) -> None:
    url = disguise(host)
    out = Scope(sites=Sites(exclude=(host,)))
    assert objection(Source((url,), named=named), out)
    assert objection(Source(("https://good.org/", url), named=named), out)
    only = Scope(sites=Sites(only=(host,)))
    assert not objection(Source((url,)), only)
    assert objection(Source((url,)), Scope(sites=Sites(only=("good.org",))))


@given(st.text(max_size=40), st.booleans())
def test_whatever_passes_names_a_host_that_may_be_used(text: str, exclude: bool) -> None:
    sites = Sites(exclude=("evil.com",)) if exclude else Sites(only=("good.org",))
    for url in (text, f"https://{text}", f"https://good.org{text}", f"https://{text}evil.com/"):
        host = web_host(url)
        if objection(Source((url,)), Scope(sites=sites)):
            continue
        if not host:
            assert url.lstrip().lower().startswith("file:")
        else:
            assert not is_on(host, sites.exclude)
            assert not sites.only or is_on(host, sites.only)


DAYS = st.dates(date(1990, 1, 1), date(2030, 12, 31))


@given(DAYS, DAYS, DAYS, st.sampled_from([4, 7, 10]))
def test_a_date_counts_when_any_day_that_it_may_mean_does(
    day: date, first: date, last: date, shown: int
) -> None:
    assume(first <= last)
    scope = Scope(published_after=first, published_before=last)
    told = day.isoformat()[:shown]
    fits = first.isoformat()[:shown] <= told <= last.isoformat()[:shown]
    assert (not objection(Source(("https://a.org/",), told), scope)) is fits


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (Source(("https://a.org/",)), False),
        (Source(("https://a.org/",), complete=False), True),
        (Source(("https://a.org/",), named=True), True),
        (Source(("https://a.org/",), guaranteed=frozenset({Bound.DATES})), True),
        (Source(("https://a.org/",), guaranteed=frozenset({Bound.LANGUAGES})), False),
        (Source(("https://a.org/",), "2019", named=True), False),
        (Source(("https://a.org/",), "2019", guaranteed=frozenset({Bound.DATES})), False),
    ],
)
def test_what_becomes_of_a_source_without_a_date(source: Source, *, kept: bool) -> None:
    assert (not objection(source, SINCE_2020)) is kept


@pytest.mark.parametrize(
    ("text", "languages", "kept"),
    [
        (ENGLISH, ("en",), True),
        (GERMAN, ("en",), False),
        (GERMAN, ("en", "de"), True),
        ("4711", ("en",), True),
        ("", ("en",), True),
    ],
)
def test_a_text_counts_by_its_words(text: str, languages: tuple[str, ...], *, kept: bool) -> None:
    scope = Scope(languages=languages)
    assert (not objection(Source(("https://a.org/",), text=text), scope)) is kept
    trusted = Source(("https://a.org/",), text=text, guaranteed=frozenset({Bound.LANGUAGES}))
    assert not objection(trusted, scope)


async def test_hits_out_of_scope_are_left_out_and_the_rest_ranked_anew() -> None:
    text = passage_of("Moth", GERMAN, "https://a.org/de")
    found = [
        hit("https://evil.com/1", 0, published="2024"),
        hit("https://a.org/old", 1, published="2019-12-31"),
        hit("https://a.org/new", 2, published="2020-01-01"),
        hit("https://a.org/de", 3, published="2024", passages=(text,)),
        hit("https://a.org/undated", 4),
        hit(
            "https://a.org/other",
            5,
            published="2024",
            passages=(passage_of("Moth", ENGLISH, "https://evil.com/copied"),),
        ),
    ]
    scope = SINCE_2020.model_copy(
        update={"sites": Sites(exclude=("evil.com",)), "languages": ("en",)}
    )
    kept = await Scoping(scope).provider(Listed(found)).search(MOTH, limit=9)
    assert [(each.url, each.rank) for each in kept] == [
        ("https://a.org/new", 0),
        ("https://a.org/undated", 1),
    ]


async def test_a_service_is_told_the_bounds_and_nothing_else() -> None:
    inner = Listed()
    asked = Scope(
        urls=("https://a.org/",),
        sites=Sites(prefer=("b.org",), only=("a.org",)),
        languages=("de",),
    )
    await Scoping(asked).provider(inner).search(MOTH, limit=3)
    assert inner.asked[0].scope == Scope(sites=Sites(only=("a.org",)), languages=("de",))
    await Scoping(Scope(sites=Sites(prefer=("b.org",)))).provider(inner).search(MOTH, limit=3)
    assert inner.asked[1] == MOTH


@given(st.lists(st.sampled_from(["a.org", "b.org", "c.org"]), max_size=8))
def test_preferred_sites_come_first_and_nothing_else_changes(hosts: list[str]) -> None:
    found = [hit(f"https://{h}/{n}", n, score=9.0 - n) for n, h in enumerate(hosts)]
    ordered = preferred(found, ("b.org",))
    urls = [each.url for each in found]
    liked = [url for url in urls if "b.org" in url]
    assert [each.url for each in ordered] == liked + [url for url in urls if url not in liked]
    assert [(each.rank, each.score) for each in ordered] == [(e.rank, e.score) for e in found]


async def said(provider: SearchProvider) -> Sequence[RunWarning]:
    assert isinstance(provider, Preparable)
    return await provider.prepare(lambda _done, _total, _passages: None)


WHOLE = Scope(sites=Sites(only=("a.org",)), published_after=date(2020, 1, 1), languages=("en",))


async def test_what_a_service_cannot_guarantee_is_told_once() -> None:
    (warning,) = await said(Scoping(WHOLE).provider(Listed()))
    assert (warning.kind, warning.subject) == ("search", "listed")
    assert warning.message == (
        "listed cannot guarantee the sites, dates and languages asked for. "
        "Its results were filtered; those without a date were left out."
    )
    able = Listed(narrows=frozenset({Bound.SITES, Bound.DATES}))
    (warning,) = await said(Scoping(WHOLE).provider(ResilientProvider(able)))
    assert warning.message == (
        "listed cannot guarantee the languages asked for. Its results were filtered."
    )
    assert await said(Scoping(WHOLE).provider(Listed(narrows=frozenset(Bound)))) == ()
    assert await said(Scoping(Scope(sites=Sites(prefer=("a.org",)))).provider(Listed())) == ()


class Folder(Listed):
    """Prepares and counts, as the folder index does."""

    def __init__(self) -> None:
        super().__init__([hit("file:///notes/a.txt")])
        self.kinds = frozenset({SourceKind.FOLDER})

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        progress(1, 1, 1)
        return [RunWarning(kind="index", message="One file was skipped.")]

    def document_share(self, word: str) -> float:
        return 0.5 if word == "moth" else 0.0


async def test_folders_are_named_by_the_asker_whatever_the_sites() -> None:
    scoped = Scoping(WHOLE).provider(Folder())
    assert [each.url for each in await scoped.search(MOTH, limit=3)] == ["file:///notes/a.txt"]
    skipped, warning = await said(scoped)
    assert skipped.kind == "index"
    assert warning.message == (
        "listed cannot guarantee the dates and languages asked for. "
        "Its results were filtered; those without a date were kept."
    )
    assert isinstance(scoped, TermStatistics)
    assert scoped.document_share("moth") == 0.5
    assert not isinstance(Scoping(WHOLE).provider(Listed()), TermStatistics)


async def refusal(scoping: Scoping, pages: Pages, found: Hit) -> str:
    with pytest.raises(ReadError) as caught:
        await scoping.reader(pages).read(found)
    assert caught.value.status == "refused"
    return caught.value.message


async def test_a_page_out_of_scope_is_not_even_asked_for() -> None:
    pages = Pages()
    scoping = Scoping(Scope(sites=Sites(only=("a.org",))))
    told = await refusal(scoping, pages, hit("https://b.org/x"))
    assert told == (
        "https://b.org/x is outside the scope of this run: b.org is not among the sites asked for."
    )
    assert pages.asked == []


async def test_a_redirect_out_of_scope_is_refused() -> None:
    scoping = Scoping(Scope(sites=Sites(only=("a.org",))))
    assert "b.org is not" in await refusal(scoping, Pages(url="https://b.org/"), hit())
    excluding = Scoping(Scope(urls=("https://a.org/1",), sites=Sites(exclude=("b.org",))))
    assert "b.org is excluded" in await refusal(excluding, Pages(url="https://b.org/"), hit())
    inside = await scoping.reader(Pages(url="https://www.a.org/")).read(hit())
    assert inside.url == "https://www.a.org/"


async def test_a_page_that_the_asker_named_may_lead_elsewhere() -> None:
    scoping = Scoping(Scope(urls=("https://A.org/1?utm_source=x",), sites=Sites(only=("c.org",))))
    page = await scoping.reader(Pages(url="https://b.org/")).read(hit())
    assert page.url == "https://b.org/"


async def test_a_page_tells_its_date_and_its_language() -> None:
    scoping = Scoping(SINCE_2020.model_copy(update={"languages": ("en",)}))
    assert "it was published on 2019-03" in await refusal(
        scoping, Pages(published="2019-03"), hit()
    )
    assert "it has no date" in await refusal(scoping, Pages(), hit())
    dated = hit(published="2021")
    assert (await scoping.reader(Pages()).read(dated)).text == ENGLISH
    assert "another language (de)" in await refusal(scoping, Pages(text=GERMAN), dated)


async def test_the_dates_that_a_service_guarantees_hold_for_pages_that_tell_none() -> None:
    scoping = Scoping(SINCE_2020)
    scoping.provider(Listed(narrows=frozenset({Bound.DATES})))
    assert (await scoping.reader(Pages()).read(hit())).text == ENGLISH
    assert "2019" in await refusal(scoping, Pages(published="2019"), hit())


NAMES = st.sampled_from([f"site-{n}.example" for n in range(40)])


@given(
    st.text(max_size=600),
    st.lists(NAMES, max_size=30, unique=True),
    st.lists(NAMES, max_size=30, unique=True),
    st.sampled_from([(400, 50), (500, None), (1_500, None)]),
)
def test_sites_become_operators_within_the_room_of_an_engine(
    text: str, only: list[str], exclude: list[str], room: tuple[int, int | None]
) -> None:
    scope = Scope(sites=Sites(only=tuple(only), exclude=tuple(exclude)))
    max_chars, max_words = room
    worded = with_sites(text, scope, max_chars=max_chars, max_words=max_words)
    assert len(worded) <= max_chars
    assert max_words is None or len(worded.split()) <= max_words
    if "site:" not in text:
        named = [each.strip("()") for each in worded.split() if each.strip("(").startswith("site:")]
        assert named in ([], [f"site:{host}" for host in only])


def test_engines_are_told_the_sites_in_their_own_words() -> None:
    several = Scope(sites=Sites(only=("a.org", "b.org"), exclude=("c.a.org",)))
    assert (
        with_sites("moth", several, max_chars=99) == "moth (site:a.org OR site:b.org) -site:c.a.org"
    )
    one = Scope(sites=Sites(only=("a.org",)))
    assert with_sites("moth", one, max_chars=99) == "moth site:a.org"
    assert with_sites(" \x00 ", one, max_chars=99) == ""
    assert with_sites("lantern moth", None, max_chars=12) == "lantern moth"


@pytest.mark.parametrize(
    ("name", "scope", "sent"),
    [
        ("brave", Scope(languages=("de",)), {"search_lang": "de"}),
        ("brave", Scope(languages=("ja",)), {}),  # called jp there
        ("brave", Scope(languages=("de", "fr")), {}),
        ("searxng", Scope(languages=("de",)), {"language": "de"}),
    ],
)
async def test_a_language_that_a_service_only_prefers_is_sent_all_the_same(
    name: str, scope: Scope, sent: dict[str, str]
) -> None:
    clients = Clients()
    answer = {"brave": web_engines.brave, "searxng": web_engines.searxng}[name]
    async with LookAlikeServer(answer(Library())) as server, aclosing(clients):
        settings = {"BRAVE_API_KEY": "k", f"{name.upper()}_BASE_URL": server.base_url}
        provider = clients.registry().make(name, settings)
        await provider.search(MOTH.model_copy(update={"scope": scope}), limit=3)
        asked = server.asked[0].params
    assert {k: v for k, v in asked.items() if k in {"search_lang", "language"}} == sent


async def test_a_run_keeps_to_its_scope_from_search_to_citation() -> None:
    """What leads out of scope is told, once a provider or page, and cited nowhere."""
    elsewhere = Shelf({"Odile Varga": "Odile Varga was born in Dunmere in 1861."}, name="elsewhere")
    inside = Shelf(with_text=False)
    scoping = Scoping(Scope(sites=Sites(exclude=("elsewhere.test",)), languages=("en",)))
    copied = [
        found.model_copy(update={"url": f"https://elsewhere.test/{found.rank}"})
        for found in await elsewhere.search(Query(text=HOP + " Odile Varga"), limit=9)
    ]
    providers = [scoping.provider(each) for each in (inside, Listed(copied))]
    run = await told(engine(*providers, reader=scoping.reader(Desk())), HOP)
    assert "Tressel Ford" in run.report.answer
    assert "Dunmere" not in run.report.answer
    assert not [c for c in run.report.citations if "elsewhere" in c.url]
    assert [w.subject for w in run.report.warnings] == ["shelf", "listed"]
