"""Reads articles of PubMed Central as Europe PMC gives them: whole, without the site around them.

The archive's own pages are made for browsers and turn programs away. A record of PubMed holds the
abstract alone, and a DOI mostly leads to a page that is closed: of both the archive is asked which
article it is. Of articles that are not open it gives nothing; their pages are read as any other.
"""

from __future__ import annotations

import logging
from datetime import UTC
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field, ValidationError

from quaere.domain.source import Hit, Page
from quaere.domain.url import doi_of, host_of, pmc_url, pmcid_of, pmid_of
from quaere.errors import ReadError, SearchError
from quaere.ports.read import Body, Reader
from quaere.read.reader import join_pages
from quaere.resilience.timing import SYSTEM_CLOCK

if TYPE_CHECKING:
    from quaere.read.api_client import ApiClient
    from quaere.read.extractor import SafeExtractor

logger = logging.getLogger(__name__)

_ARCHIVES = ("nih.gov", "europepmc.org")
_RESOLVERS = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})


class _Record(BaseModel):
    """An article, as a search of the archive lists it (``resultType=lite``)."""

    pmid: str = ""
    doi: str = ""
    pmcid: str = ""
    open_access: Annotated[Literal["Y", "N"], Field(alias="isOpenAccess")] = "N"


class _Records(BaseModel):
    result: tuple[_Record, ...] = ()


class _Listing(BaseModel):
    """What a search of the archive answers."""

    results: Annotated[_Records, Field(alias="resultList")] = _Records()


class ArchiveReader:
    """Reads articles of PubMed Central by their id, and everything else with another reader."""

    def __init__(
        self, pages: Reader, archive: ApiClient, extractor: SafeExtractor, *, looks_up: bool = True
    ) -> None:
        """Ask ``archive``, the REST service of Europe PMC, before ``pages``.

        Args:
            pages: Reads what the archive does not give.
            archive: The service.
            extractor: Reads what it gives.
            looks_up: Whether it is asked which article a record of PubMed or a DOI is of, too.
        """
        self._pages = pages
        self._archive = archive
        self._extractor = extractor
        self._looks_up = looks_up

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``; of an open article in the archive, its full text.

        Raises:
            ReadError: with the status that says why there is no text.
        """
        if pmcid := _article(hit.url):
            url = hit.url
        else:
            pmcid = await self._open_article(hit.url) if self._looks_up else ""
            url = pmc_url(pmcid)
        if pmcid and (page := await self._full_text(url, pmcid)):
            return page
        return await self._pages.read(hit)

    async def _open_article(self, url: str) -> str:
        """Return the id of the open article whose record or DOI ``url`` is; empty for none."""
        pmid, doi = pmid_of(url), doi_of(url) if host_of(url) in _RESOLVERS else ""
        if not pmid and (not doi or '"' in doi):
            return ""
        query = f"EXT_ID:{pmid} AND SRC:MED" if pmid else f'DOI:"{doi}"'
        wanted = (("query", query), ("format", "json"), ("resultType", "lite"), ("pageSize", "1"))
        try:
            data = await self._archive.get("search", wanted)
            found = _Listing.model_validate_json(data).results.result
        except (SearchError, ValidationError) as error:
            logger.info("no article found for %s: %s", pmid or doi, type(error).__name__)
            return ""
        return next((each.pmcid for each in found if _is_open(each, pmid, doi)), "")

    async def _full_text(self, url: str, pmcid: str) -> Page | None:
        """Return the article ``pmcid`` under the address ``url``; None where it is not open."""
        try:
            data = await self._archive.get(
                f"{pmcid}/fullTextXML", headers={"Accept": "application/xml"}
            )
            body = Body(
                data=data,
                url=url,
                content_type="application/xml",
                retrieved_at=SYSTEM_CLOCK.now().astimezone(UTC).isoformat(timespec="seconds"),
            )
            found = await self._extractor.read(body)
        except (SearchError, ReadError) as error:
            logger.info("no full text of %s: %s", pmcid, error.message)
            return None
        return join_pages(found.pages) if found.pages else None


def _article(url: str) -> str:
    """Return the id of the article at ``url``, an address of the archive; else empty."""
    host = host_of(url)
    known = any(host == name or host.endswith(f".{name}") for name in _ARCHIVES)
    return pmcid_of(url) if known else ""


def _is_open(record: _Record, pmid: str, doi: str) -> bool:
    """Return whether ``record`` is the one that was asked for, and its full text can be had."""
    is_it = record.pmid == pmid if pmid else record.doi.lower() == doi
    return is_it and record.open_access == "Y" and pmc_url(record.pmcid) != ""
