"""PubMed, against a look-alike of the E-utilities."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest
from bench.eutils import Record
from tests.contracts.search_provider import titles
from tests.contracts.web_provider import KEEP, KEY, MOTH, WebProviderContract
from tests.look_alikes import libraries
from tests.look_alikes.libraries import BAD_ARTICLES, record_of
from tests.look_alikes.server import Answer, Asked, LookAlikeServer, Reply, as_json
from tests.look_alikes.shelf import Shelf
from tests.look_alikes.web_engines import Extra

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SearchError
from quaere.ports.search import SearchProvider
from quaere.resilience.limits import RateLimit
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.search.api import parse_xml
from quaere.search.pubmed import PubMed, read_records

RECORDS = tuple(record_of(work) for work in Shelf().works)
STUDY = Record(
    "31415926",
    "Salt-tolerant <i>lichen</i> and CO<sub>2</sub>: a &lt;trial&gt;",
    (
        ("BACKGROUND", "Lichen <b>grows</b> slowly &amp; quietly."),
        ("METHODS:", "We watched (n = 12) for p &lt; 0.05."),
        ("UNLABELLED", "Nothing else happened."),
        ("RESULTS", ""),
    ),
    pub_date="<Year>2020</Year><Month>Nov</Month>",
    article_date="<Year>2020</Year><Month>11</Month><Day>09</Day>",
    mesh=("Lichens", "Carbon Dioxide"),
    ids=(("doi", "10.5555/study.1"), ("pmc", "PMC7654321"), ("pii", "S0")),
)


def test_only_records_with_a_pmid_in_plain_digits_are_read() -> None:
    numbers = ("not a number", "\u0664\u0662", "", "9000002")
    articles = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{number}</PMID></MedlineCitation></PubmedArticle>"
        for number in numbers
    )
    root = parse_xml("pubmed", f"<PubmedArticleSet>{articles}</PubmedArticleSet>".encode())
    assert list(read_records(root)) == ["9000002"]


class TestPubMed(WebProviderContract):
    service = "pubmed"
    most = 100
    gives_text = True
    many = 80
    bad_items = BAD_ARTICLES

    def answer(self, extra: Extra = ()) -> Answer:
        return libraries.pubmed(RECORDS, extra)

    def make(self, base_url: str, timeout_s: float = 5.0) -> SearchProvider:
        sent = {"tool": "quaere", "api_key": KEY}
        api = self.clients.connect("pubmed", base_url, params=sent, timeout_s=timeout_s)
        return PubMed(api, KEEP, RateLimit(10_000))

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        """R4.2"""
        query = Query(text="Does salt-tolerant lichen grow with the moth?")
        await provider.search(query, limit=7)
        narrow, wide, records = server.asked
        assert narrow.path == wide.path == "esearch.fcgi"
        assert narrow.params["term"] == '"salt-tolerant" AND lichen AND grow AND moth'
        assert wide.params["term"] == '"salt-tolerant" OR lichen OR grow OR moth'
        assert (narrow.params["retmax"], narrow.params["sort"]) == ("7", "relevance")
        assert records.path == "efetch.fcgi"
        assert "4100" in records.params["id"].split(",")

    @pytest.mark.parametrize(
        ("text", "term"),
        [
            ('lichen[ti] AND "2019:2021"[dp]', 'lichen[ti] AND "2019:2021"[dp]'),
            ("(lichen OR moss) AND salt", "(lichen OR moss) AND salt"),
            ("lichen[Title/Abstract]  AND\n2020[pdat]", "lichen[Title/Abstract] AND 2020[pdat]"),
            ('"salt lichen[tiab] AND (moth', "salt lichen[tiab] AND moth"),
            ("lichen[MeSH Terms:noexp])", "lichen[MeSH Terms:noexp]"),
            ("lichen[ti] AND x]", "lichen ti AND x"),
        ],
    )
    async def test_its_own_syntax_is_asked_as_it_stands(
        self, provider: SearchProvider, server: LookAlikeServer, text: str, term: str
    ) -> None:
        """R4.2: queries in PubMed syntax; what is left open in one is taken away, not closed."""
        await provider.search(Query(text=text), limit=3)
        assert {a.params["term"] for a in server.asked if a.path.startswith("esearch")} == {term}

    @pytest.mark.parametrize(
        ("years", "found"), [("2019:2020", []), ("2021", ["Lantern moth"]), ("2020:2022", None)]
    )
    async def test_years_and_titles_can_be_asked_for(
        self, provider: SearchProvider, years: str, found: Sequence[str] | None
    ) -> None:
        query = Query(text=f"lantern[ti] AND {years}[dp]")
        hits = await provider.search(query, limit=5)
        assert titles(hits) == (["Lantern moth"] if found is None else found)

    async def test_a_very_long_question_is_cut(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        text = " ".join(f"word{n}" for n in range(3_000))
        await provider.search(Query(text=text), limit=3)
        await provider.search(Query(text=f"{text}[tiab] AND moth"), limit=3)
        assert max(len(asked.params.get("term", "")) for asked in server.asked) <= 1_500

    async def test_what_a_record_says(self) -> None:
        hit = await self.only_hit(STUDY)
        assert hit.url == "https://pubmed.ncbi.nlm.nih.gov/31415926/"
        assert hit.title == "Salt-tolerant lichen and CO2: a <trial>"
        assert hit.kind is SourceKind.PUBMED
        assert hit.published == "2020-11-09"
        assert hit.full_text == "https://pmc.ncbi.nlm.nih.gov/articles/PMC7654321/"
        assert hit.snippet == (
            "J Imag Biol. 2020-11-09. doi:10.5555/study.1. PMC7654321. "
            "MeSH: Lichens; Carbon Dioxide. Background: Lichen grows slowly & quietly. "
            "Methods: We watched (n = 12) for p < 0.05. Nothing else happened."
        )
        assert hit.passage is not None
        assert hit.passage.text == (
            "Background: Lichen grows slowly & quietly.\n\n"
            "Methods: We watched (n = 12) for p < 0.05.\n\nNothing else happened."
        )

    @pytest.mark.parametrize(
        ("xml", "published"),
        [
            ("<Year>1998</Year>", "1998"),
            ("<Year>1998</Year><Month>Dec</Month>", "1998-12"),
            ("<Year>1998</Year><Month>12</Month><Day>7</Day>", "1998-12-07"),
            ("<Year>1998</Year><Season>Spring</Season>", "1998"),
            ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", "1998-12"),
            ("<MedlineDate>1975-1976</MedlineDate>", "1975"),
            ("<MedlineDate>Spring 2001</MedlineDate>", "2001"),
            ("<MedlineDate>none</MedlineDate>", ""),
            ("<Year>1998</Year><Month>Feb</Month><Day>30</Day>", "1998-02"),
        ],
    )
    async def test_dates_of_every_form(self, xml: str, published: str) -> None:
        hit = await self.only_hit(Record("7", "Salt lichen", pub_date=xml))
        assert hit.published == published

    async def test_a_record_without_an_abstract_is_left_to_be_read(self) -> None:
        hit = await self.only_hit(Record("7", "Salt lichen"))
        assert hit.passage is None
        assert hit.snippet == "J Imag Biol. 2021-05-03."

    async def test_a_retracted_publication_shows(self) -> None:
        record = Record("7", "Salt lichen", types=("Journal Article", "Retracted Publication"))
        assert (await self.only_hit(record)).title == "Retracted: Salt lichen"

    @pytest.mark.parametrize(
        ("kind", "title", "told"),
        [
            ("RetractionIn", "Retracted: Salt lichen", "Retraction in: J Oss. 2022;4:2 (PMID 8)."),
            ("ExpressionOfConcernIn", "Salt lichen", "Expression of concern in: J Oss. 2022;4:2"),
            ("CommentIn", "Salt lichen", "J Imag Biol."),
        ],
    )
    async def test_notices_against_it_show(self, kind: str, title: str, told: str) -> None:
        source = "<RefSource>J Oss. 2022;4:2</RefSource><PMID>8</PMID>"
        corrections = f'<CommentsCorrections RefType="{kind}">{source}</CommentsCorrections>'
        hit = await self.only_hit(Record("7", "Salt lichen", corrections=corrections))
        assert hit.title == title
        assert hit.snippet.startswith(told)

    async def test_a_title_that_says_so_itself_is_left_alone(self) -> None:
        record = Record("7", "RETRACTED: Salt lichen", types=("Retracted Publication",))
        assert (await self.only_hit(record)).title == "RETRACTED: Salt lichen"

    async def test_a_chapter_of_a_book(self) -> None:
        chapter = """<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>4100</PMID><Book>
<BookTitle>Moths of Oss</BookTitle><PubDate><Year>2018</Year></PubDate></Book>
<ArticleTitle>Lantern moths</ArticleTitle><Abstract><AbstractText>They glow.</AbstractText>
</Abstract></BookDocument></PubmedBookArticle></PubmedArticleSet>"""
        (hit,) = await self.with_records(chapter)
        assert (hit.title, hit.published) == ("Lantern moths", "2018")
        assert hit.snippet == "Moths of Oss. 2018. They glow."

    async def test_records_keep_the_order_of_the_search(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        hits = await provider.search(Query(text="lantern moth lichen"), limit=2)
        ids = next(a.params["id"] for a in server.asked if a.path == "efetch.fcgi").split(",")
        assert [hit.url.split("/")[3] for hit in hits] == ids

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ({"error": "API rate limit exceeded", "limit": "3"}, "API rate limit exceeded"),
            (
                {"header": {}, "esearchresult": {"ERROR": "Search Backend failed: timed out"}},
                "Search Backend failed: timed out",
            ),
        ],
    )
    async def test_an_error_in_the_body_is_an_error_in_its_words(
        self, provider: SearchProvider, server: LookAlikeServer, body: object, words: str
    ) -> None:
        server.instead = as_json(body)
        failure = await self.failure(provider)
        assert failure.retryable
        assert words in failure.message

    @pytest.mark.parametrize(
        "xml",
        [
            "<PubmedArticleSet></PubmedArticleSet>",
            "<PubmedArticleSet><PubmedArticle>",
            "<html>busy</html>",
            '<!DOCTYPE a [<!ENTITY x "y">]><PubmedArticleSet>&x;</PubmedArticleSet>',
        ],
    )
    async def test_records_that_do_not_come_are_an_error(self, xml: str) -> None:
        with pytest.raises(SearchError, match="pubmed"):
            await self.with_records(xml)

    async def test_requests_keep_the_pace(self, server: LookAlikeServer) -> None:
        """R4.5: requests and not searches are counted, for each search makes two or three."""
        api = self.clients.connect("pubmed", server.base_url, params={"tool": "quaere"})
        provider = PubMed(api, KEEP, RateLimit(3, per_s=0.2))
        begun = time.monotonic()
        await asyncio.gather(*(provider.search(MOTH, limit=1) for _ in range(3)))
        assert len(server.asked) == 6
        assert time.monotonic() - begun >= 0.2

    async def test_the_wait_for_a_turn_is_no_time_of_the_service(
        self, server: LookAlikeServer
    ) -> None:
        """R4.5: many runs that share a limit wait, and find what they search."""
        api = self.clients.connect("pubmed", server.base_url, params={"tool": "quaere"})
        slow = PubMed(api, KEEP, RateLimit(1, per_s=0.4), at_once=1)
        provider = ResilientProvider(slow, Resilience(attempt_timeout_s=0.3))
        found = await asyncio.gather(*(provider.search(MOTH, limit=1) for _ in range(3)))
        assert all(found)

    async def test_a_search_that_has_begun_goes_before_others(
        self, server: LookAlikeServer
    ) -> None:
        api = self.clients.connect("pubmed", server.base_url, params={"tool": "quaere"})
        provider = PubMed(api, KEEP, RateLimit(1, per_s=0.02), at_once=1)
        await asyncio.gather(*(provider.search(MOTH, limit=1) for _ in range(3)))
        paths = [asked.path for asked in server.asked]
        assert paths == ["esearch.fcgi", "efetch.fcgi"] * 3

    async def only_hit(self, record: Record) -> Hit:
        async with LookAlikeServer(libraries.pubmed([record])) as server:
            (hit,) = await self.make(server.base_url).search(Query(text="lichen"), limit=1)
        return hit

    async def with_records(self, xml: str) -> Sequence[Hit]:
        """Search when the ids are found and ``xml`` comes for their records."""
        search = self.answer()

        def answer(asked: Asked) -> Reply:
            return Reply(xml.encode()) if asked.path == "efetch.fcgi" else search(asked)

        async with LookAlikeServer(answer) as other:
            return await self.make(other.base_url).search(MOTH, limit=1)
