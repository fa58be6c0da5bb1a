"""Item 17 of issue 21: an article of PubMed Central is read whole where it is open."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from tests.look_alikes.libraries import full_texts
from tests.look_alikes.server import Fault, LookAlikeServer, Reply
from tests.look_alikes.shelf import WORKS

from quaere.domain.source import Hit, Page
from quaere.domain.url import FULL_TEXT, part_of, pmc_url
from quaere.read.api_client import ApiClient
from quaere.read.extractor import SafeExtractor
from quaere.read.reader import ArchiveReader

pytestmark = pytest.mark.anyio

MOTH, CLOSED = WORKS[:2]
OPEN = pmc_url(f"PMC{MOTH.number}")
SITE = "what its site says"


class Pages:
    """Reads every page as the same words, and notes which."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    async def read(self, hit: Hit) -> Page:
        self.opened.append(hit.url)
        return Page(url=hit.url, title=hit.title, text=SITE)


@pytest.fixture
async def server() -> AsyncGenerator[LookAlikeServer]:
    async with LookAlikeServer(full_texts(WORKS[:1], closed=WORKS[1:2])) as server:
        yield server


@pytest.fixture
async def archive(server: LookAlikeServer) -> AsyncGenerator[ApiClient]:
    client = ApiClient("europe_pmc", server.base_url, timeout_s=2.0)
    yield client
    await client.aclose()


def hit(url: str) -> Hit:
    return Hit(url=url, title="Lantern moth", provider="test", rank=0)


@pytest.mark.parametrize(
    "url",
    [
        OPEN,
        f"https://www.ncbi.nlm.nih.gov/pmc/articles/PMC{MOTH.number}/",
        f"https://europepmc.org/article/PMC/PMC{MOTH.number}",
    ],
)
async def test_an_open_article_is_read_from_the_archive(
    url: str, archive: ApiClient, server: LookAlikeServer
) -> None:
    pages = Pages()
    with SafeExtractor() as extractor:
        page = await ArchiveReader(pages, archive, extractor).read(hit(url))
    assert (page.url, page.title) == (url, "Lantern moth")
    assert "## Results\n\nOf forty moths all glow." in page.text
    assert page.retrieved_at
    assert part_of(page.url, provided=False) == FULL_TEXT
    assert [asked.path for asked in server.asked] == [f"PMC{MOTH.number}/fullTextXML"]
    assert not pages.opened


@pytest.mark.parametrize(
    "instead",
    [None, Fault.CUT, Fault.STALLED, Reply(b"<html>", "text/html"), Reply(b"", status=500)],
    ids=["not open", "cut", "stalled", "no article", "failed"],
)
async def test_where_the_archive_has_none_the_page_itself_is_read(
    instead: Fault | Reply | None, archive: ApiClient, server: LookAlikeServer
) -> None:
    server.instead = instead
    url = pmc_url("PMC9") if instead is None else OPEN
    pages = Pages()
    with SafeExtractor() as extractor:
        page = await ArchiveReader(pages, archive, extractor).read(hit(url))
    assert (page.text, pages.opened) == (SITE, [url])


@pytest.mark.parametrize(
    "url",
    [
        f"https://pubmed.ncbi.nlm.nih.gov/{MOTH.number}/",
        f"https://europepmc.org/article/MED/{MOTH.number}",
        f"https://doi.org/{MOTH.doi}",
        f"https://dx.doi.org/{MOTH.doi.upper()}",
    ],
)
async def test_a_record_and_a_doi_lead_to_the_open_article_which_is_cited(
    url: str, archive: ApiClient, server: LookAlikeServer
) -> None:
    pages = Pages()
    with SafeExtractor() as extractor:
        page = await ArchiveReader(pages, archive, extractor).read(hit(url))
    assert page.url == OPEN
    assert "Of forty moths all glow." in page.text
    assert part_of(page.url, provided=False) == FULL_TEXT
    assert [asked.path for asked in server.asked] == ["search", f"PMC{MOTH.number}/fullTextXML"]
    assert not pages.opened


@pytest.mark.parametrize(
    "url",
    [
        f"https://doi.org/{CLOSED.doi}",
        f"https://pubmed.ncbi.nlm.nih.gov/{CLOSED.number}/",
        "https://doi.org/10.5555/nobody.knows.it",
    ],
)
async def test_the_page_of_a_work_that_is_not_open_is_read(
    url: str, archive: ApiClient, server: LookAlikeServer
) -> None:
    pages = Pages()
    with SafeExtractor() as extractor:
        page = await ArchiveReader(pages, archive, extractor).read(hit(url))
    assert (page.url, page.text, pages.opened) == (url, SITE, [url])
    assert [asked.path for asked in server.asked] == ["search"]


@pytest.mark.parametrize(
    "listed",
    [
        b"{}",
        b"[]",
        b'{"resultList": {"result": [{"pmid": "9", "pmcid": "PMC9", "isOpenAccess": "Y"}]}}',
        b'{"resultList": {"result": [{"pmid": "4100", "pmcid": "../x", "isOpenAccess": "Y"}]}}',
    ],
    ids=["nothing", "no listing", "another article", "no id"],
)
async def test_a_listing_that_is_none_of_the_article_leads_nowhere(
    listed: bytes, archive: ApiClient, server: LookAlikeServer
) -> None:
    server.instead = Reply(listed, "application/json")
    url, pages = f"https://pubmed.ncbi.nlm.nih.gov/{MOTH.number}/", Pages()
    with SafeExtractor() as extractor:
        page = await ArchiveReader(pages, archive, extractor).read(hit(url))
    assert (page.text, pages.opened) == (SITE, [url])
    assert len(server.asked) == 1


async def test_nobody_is_asked_for_full_texts_where_the_operator_does_not_want_them(
    archive: ApiClient, server: LookAlikeServer
) -> None:
    url, pages = f"https://doi.org/{MOTH.doi}", Pages()
    with SafeExtractor() as extractor:
        await ArchiveReader(pages, archive, extractor, looks_up=False).read(hit(url))
    assert (server.asked, pages.opened) == ([], [url])


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/PMC4100",
        f"https://journal.example/{MOTH.doi}",
        'https://doi.org/10.5555/a"b',
        "https://evil.org/",
    ],
)
async def test_nothing_else_is_asked_of_the_archive(
    url: str, archive: ApiClient, server: LookAlikeServer
) -> None:
    pages = Pages()
    with SafeExtractor() as extractor:
        await ArchiveReader(pages, archive, extractor).read(hit(url))
    assert not server.asked
    assert pages.opened == [url]
