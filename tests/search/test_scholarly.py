"""The providers of scholarly works, against look-alikes of their services."""

from __future__ import annotations

import pytest
from tests.contracts.search_provider import DOCUMENTS
from tests.contracts.web_provider import KEY, MOTH, WebProviderContract
from tests.look_alikes import libraries
from tests.look_alikes.libraries import BAD_ENTRIES, BAD_WORKS, feed
from tests.look_alikes.server import Answer, LookAlikeServer, Reply, as_json
from tests.look_alikes.shelf import WORKS, Shelf
from tests.look_alikes.web_engines import Extra

from quaere.domain.question import Query, SourceKind
from quaere.ports.search import SearchProvider

PAPER = Query(text="Are there salt-lichen papers on the moth?")


class TestEuropePmc(WebProviderContract):
    service = "europe_pmc"
    most = 100
    gives_text = True
    bad_items = BAD_WORKS

    def answer(self, extra: Extra = ()) -> Answer:
        return libraries.europe_pmc(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(PAPER, limit=5)
        first, second = (asked.params for asked in server.asked)
        assert first["query"] == '"salt-lichen" AND papers AND moth'
        assert second["query"] == '"salt-lichen" OR papers OR moth'
        assert first["pageSize"] == "5"

    async def test_what_a_hit_says(self, provider: SearchProvider) -> None:
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.url == "https://europepmc.org/article/MED/4100"
        assert hit.kind is SourceKind.PUBMED
        assert "Journal of Imaginary Biology. 2021-05-03. doi:10.5555/vessel.4100." in hit.snippet
        assert hit.passage is not None
        text = f"Background: {DOCUMENTS['Lantern moth']}\n\nResults: It glows."
        assert hit.passage.text == text

    async def test_an_open_work_says_where_its_full_text_is(self, provider: SearchProvider) -> None:
        found = {hit.url[-4:]: hit.full_text for hit in await provider.search(PAPER, limit=9)}
        assert found["4100"] == "https://pmc.ncbi.nlm.nih.gov/articles/PMC4100/"
        assert all(bool(text) is (int(number) % 2 == 0) for number, text in found.items())

    @pytest.mark.parametrize(
        "told",
        [
            {"pubTypeList": {"pubType": ["Retracted Publication", "Journal Article"]}},
            {
                "commentCorrectionList": {
                    "commentCorrection": [{"type": "Retraction in", "reference": "J Oss. 2022;1"}]
                }
            },
        ],
        ids=["type", "notice"],
    )
    async def test_a_retraction_shows(
        self, provider: SearchProvider, server: LookAlikeServer, told: dict[str, object]
    ) -> None:
        item = {"id": "PPR7", "source": "PPR", "title": "Moths <i>in</i> salt.", **told}
        server.instead = as_json({"resultList": {"result": [item]}})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.title == "Retracted: Moths in salt"
        assert hit.kind is SourceKind.SCHOLARLY
        assert ("Retraction in: J Oss. 2022;1" in hit.snippet) is ("commentCorrectionList" in told)


class TestArxiv(WebProviderContract):
    service = "arxiv"
    gives_text = True
    many = 70
    bad_items = BAD_ENTRIES

    def answer(self, extra: Extra = ()) -> Answer:
        return libraries.arxiv(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(PAPER, limit=5)
        (asked,) = server.asked
        assert asked.params == {
            "search_query": 'all:"salt-lichen" OR all:"papers" OR all:"moth"',
            "start": "0",
            "max_results": "5",
            "sortBy": "relevance",
            "sortOrder": "descending",
        }

    async def test_what_a_hit_says(self, provider: SearchProvider) -> None:
        (hit,) = await provider.search(MOTH, limit=1)
        assert (hit.url, hit.title) == ("https://arxiv.org/abs/2105.04100v2", "Lantern moth")
        assert hit.full_text == "https://arxiv.org/pdf/2105.04100v2"
        assert hit.kind is SourceKind.SCHOLARLY

    async def test_an_error_entry_is_an_error(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        entry = (
            "<entry><id>http://arxiv.org/api/errors#incorrect_id_format</id><title>Error</title>"
            "<summary>incorrect id format for x</summary></entry>"
        )
        server.instead = Reply(feed([entry]))
        assert "incorrect id format" in (await self.failure(provider)).message

    async def test_a_withdrawn_preprint_shows(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        entry = (
            "<entry><id>http://arxiv.org/abs/math/0101001v3</id><title>Moths</title>"
            '<a:comment xmlns:a="http://arxiv.org/schemas/atom">This paper has been withdrawn'
            "</a:comment></entry>"
        )
        server.instead = Reply(feed([entry]))
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.title == "Withdrawn: Moths"
        assert hit.url == "https://arxiv.org/abs/math/0101001v3"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    async def test_entities_are_not_expanded(
        self, provider: SearchProvider, server: LookAlikeServer, encoding: str
    ) -> None:
        bomb = (
            f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaa">'
            '<!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/hostname">]>'
            '<feed xmlns="http://www.w3.org/2005/Atom"><title>&b;&x;</title></feed>'
        )
        server.instead = Reply(bomb.encode(encoding))
        assert "entities" in (await self.failure(provider)).message


class TestOpenAlex(WebProviderContract):
    service = "openalex"
    gives_text = True
    many = 150
    bad_items = BAD_WORKS

    def answer(self, extra: Extra = ()) -> Answer:
        return libraries.openalex(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(PAPER, limit=5)
        first, second = (asked.params for asked in server.asked)
        assert first["search"] == '"salt-lichen" papers moth'
        assert second["search"] == '"salt-lichen" OR papers OR moth'
        assert (first["per-page"], first["page"], first["api_key"]) == ("5", "1", KEY)

    async def test_one_request_when_anything_is_found(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        await provider.search(MOTH, limit=5)
        assert len(server.asked) == 1

    async def test_hits_are_known_by_their_doi(self, provider: SearchProvider) -> None:
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.url == f"https://doi.org/{WORKS[0].doi}"

    @pytest.mark.parametrize(
        ("place", "ids", "url"),
        [
            ({"is_oa": True, "pdf_url": "https://a.example/7.pdf"}, {}, "https://a.example/7.pdf"),
            ({"is_oa": True, "landing_page_url": "https://a.example/7"}, {}, "https://a.example/7"),
            (
                {"is_oa": True, "pdf_url": "https://a.example/7.pdf"},
                {"pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/417"},
                "https://pmc.ncbi.nlm.nih.gov/articles/PMC417/",
            ),
            ({"is_oa": False, "pdf_url": "https://a.example/7.pdf"}, {}, ""),
            ({"is_oa": True, "pdf_url": "javascript:alert(1)"}, {}, ""),
            (None, {}, ""),
        ],
        ids=["pdf", "page", "archive", "closed", "no address", "none"],
    )
    async def test_an_open_work_says_where_its_full_text_is(
        self,
        provider: SearchProvider,
        server: LookAlikeServer,
        place: object,
        ids: dict[str, str],
        url: str,
    ) -> None:
        item = {"display_name": "Moths", "doi": "https://doi.org/10.5555/7", "ids": ids}
        server.instead = as_json({"results": [{**item, "best_oa_location": place}]})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.full_text == url
        assert "best_oa_location" in server.asked[0].params["select"].split(",")

    async def test_a_work_with_a_pmid_is_of_pubmed_r4_4(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        ids = {"pmid": "https://pubmed.ncbi.nlm.nih.gov/29456894", "doi": "10.5555/7"}
        item = {"display_name": "Moths", "doi": "https://doi.org/10.5555/7", "ids": ids}
        server.instead = as_json({"results": [item]})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.url == "https://pubmed.ncbi.nlm.nih.gov/29456894/"
        assert hit.kind is SourceKind.PUBMED
        assert "ids" in server.asked[0].params["select"].split(",")

    async def test_a_retraction_shows(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        item = {"id": "https://openalex.org/W7", "display_name": "Moths", "is_retracted": True}
        server.instead = as_json({"results": [item]})
        (hit,) = await provider.search(MOTH, limit=1)
        assert (hit.title, hit.url) == ("Retracted: Moths", "https://openalex.org/W7")
        assert hit.passage is None

    async def test_an_abstract_with_far_places_is_no_burden(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        index = {"glows": [10**15], "It": [-1, True], "never": ["x"]}
        item = {"id": "https://o.example/W7", "display_name": "M", "abstract_inverted_index": index}
        server.instead = as_json({"results": [item]})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.passage is not None
        assert hit.passage.text.endswith("glows")


class TestCrossref(WebProviderContract):
    service = "crossref"
    gives_text = True
    many = 150
    bad_items = BAD_WORKS

    def answer(self, extra: Extra = ()) -> Answer:
        return libraries.crossref(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(PAPER, limit=5)
        (asked,) = server.asked
        assert asked.params["query.bibliographic"] == "salt-lichen papers moth"
        assert (asked.params["rows"], asked.params["offset"]) == ("5", "0")

    @pytest.mark.parametrize(
        ("parts", "published"),
        [
            ([[2020]], "2020"),
            ([[2020, 2]], "2020-02"),
            ([[2020, 2, 31]], "2020-02"),
            ([[None]], ""),
        ],
    )
    async def test_dates_may_lack_parts(
        self, provider: SearchProvider, server: LookAlikeServer, parts: object, published: str
    ) -> None:
        server.instead = works_list({"issued": {"date-parts": parts}})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.published == published

    async def test_sections_and_markup_of_jats(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        jats = (
            "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title><jats:p>To "
            "see if <jats:italic>p</jats:italic> &lt; 0.05 &amp; more.</jats:p></jats:sec>"
        )
        server.instead = works_list({"abstract": jats})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.passage is not None
        assert hit.passage.text == "Aims: To see if p < 0.05 & more."

    @pytest.mark.parametrize(
        ("kind", "title"),
        [
            ("retraction", "Retracted: Moths"),
            ("withdrawal", "Withdrawn: Moths"),
            ("correction", "Moths"),
        ],
    )
    async def test_a_retraction_shows(
        self, provider: SearchProvider, server: LookAlikeServer, kind: str, title: str
    ) -> None:
        server.instead = works_list({"updated-by": [{"type": kind, "DOI": "10.5555/r"}]})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.title == title

    async def test_an_odd_doi_is_an_address(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = works_list({"DOI": "10.1002/(SICI)1097<1::AID-X>3.0.CO;2-#"})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.url == "https://doi.org/10.1002/(SICI)1097%3C1::AID-X%3E3.0.CO;2-%23"


class TestSemanticScholar(WebProviderContract):
    service = "semantic_scholar"
    gives_text = True
    many = 150
    bad_items = BAD_WORKS

    def answer(self, extra: Extra = ()) -> Answer:
        return libraries.semantic_scholar(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(PAPER, limit=5)
        (asked,) = server.asked
        assert asked.params["query"] == "salt lichen papers moth"
        assert (asked.params["limit"], asked.params["offset"]) == ("5", "0")
        assert asked.headers["x-api-key"] == KEY

    @pytest.mark.parametrize(
        ("ids", "url"),
        [
            ({"ArXiv": "2105.00007", "DOI": "10.5/7"}, "https://arxiv.org/abs/2105.00007"),
            ({"PubMed": "77", "DOI": "10.5555/7"}, "https://pubmed.ncbi.nlm.nih.gov/77/"),
            ({"PubMed": "77", "ArXiv": "2105.00007"}, "https://pubmed.ncbi.nlm.nih.gov/77/"),
            ({"DOI": "10.5555/7"}, "https://doi.org/10.5555/7"),
            ({"CorpusId": 7}, "https://s2.example/7"),
            (None, "https://s2.example/7"),
        ],
    )
    async def test_hits_bear_the_best_known_address(
        self, provider: SearchProvider, server: LookAlikeServer, ids: object, url: str
    ) -> None:
        paper = {"title": "Moths", "url": "https://s2.example/7", "externalIds": ids}
        server.instead = as_json({"total": 1, "offset": 0, "data": [paper]})
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.url == url
        assert (hit.kind is SourceKind.PUBMED) is ("pubmed" in url)


def works_list(item: dict[str, object]) -> Reply:
    return as_json({"message": {"items": [{"DOI": "10.5555/7", "title": ["Moths"], **item}]}})
