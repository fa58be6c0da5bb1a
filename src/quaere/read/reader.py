"""Readers, which turn hits into pages: from files, from the web, from an archive, and by scheme.

A local file is read whatever kind its name refers to. Articles of PubMed Central are read as Europe
PMC gives them: whole, without the site around them. The archive's own pages are made for browsers
and turn programs away. A record of PubMed holds the abstract alone, and a DOI mostly leads to a
page that is closed: of both the archive is asked which article it is. Of articles that are not open
it gives nothing; their pages are read as any other.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError

from quaere.domain.source import Hit, Mark, Page, ReadStatus
from quaere.domain.url import doi_of, host_of, pmc_url, pmcid_of, pmid_of, url2pathname
from quaere.errors import ReadError, SearchError
from quaere.ports.read import Body, Extractor, Reader
from quaere.resilience.thread import in_thread
from quaere.resilience.timing import SYSTEM_CLOCK

if TYPE_CHECKING:
    from quaere.read.api_client import ApiClient
    from quaere.read.extractor import SafeExtractor
    from quaere.read.fetch import Fetcher


MAX_FILE_BYTES = 50_000_000
_GZIP_MAGIC = b"\x1f\x8b"

# Opening a FIFO waits for its writer, and a device may do anything; O_NONBLOCK keeps open() short
# until fstat() has told what it is. Both flags are absent on Windows, which has neither.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

_FAILURES = {
    errno.ENOENT: (ReadStatus.NOT_FOUND, "is gone; index the folder again"),
    errno.ENOTDIR: (ReadStatus.NOT_FOUND, "is gone; index the folder again"),
    errno.EACCES: (ReadStatus.REFUSED, "may not be read; change its permissions or leave it out"),
    errno.EPERM: (ReadStatus.REFUSED, "may not be read; change its permissions or leave it out"),
    errno.ELOOP: (ReadStatus.REFUSED, "is a symbolic link that leads back to itself; remove it"),
    errno.ENAMETOOLONG: (ReadStatus.NOT_FOUND, "has a name too long for the file system"),
    errno.EISDIR: (ReadStatus.REFUSED, "is a folder, not a file"),
    errno.ENXIO: (ReadStatus.REFUSED, "is not a regular file; leave it out"),
}


def read_file(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> Body:
    """Return the bytes of the file at ``path`` under its ``file://`` URL.

    Symbolic links are followed; ``retrieved_at`` is the time of the file's last change. Of a file
    whose name ends in ``.gz``, the bytes are those that were compressed.

    Raises:
        ReadError: ``not_found``, ``refused`` (no permission, no regular file), ``too_large`` (over
            ``max_bytes``), ``empty``, or ``broken`` for a failing disk or damaged compression.
    """
    try:
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            _check(path, status, max_bytes)
            data = file.read(max_bytes + 1)
    except ValueError as error:
        message = f"{path!s:.200} is not a valid path: {error}"
        raise ReadError(message, status=ReadStatus.NOT_FOUND) from error
    except OSError as error:
        raise _failure(path, error) from error
    if len(data) > max_bytes:
        raise _too_large(path, len(data), max_bytes)
    if path.suffix.lower() == ".gz" and data.startswith(_GZIP_MAGIC):
        data = _unpacked(path, data, max_bytes)
    if not data:
        raise ReadError(f"{path} is empty", status=ReadStatus.EMPTY)
    changed = datetime.fromtimestamp(status.st_mtime, tz=UTC)
    return Body(
        data=data,
        url=path.absolute().as_uri(),
        retrieved_at=changed.isoformat(timespec="seconds"),
    )


def _unpacked(path: Path, data: bytes, max_bytes: int) -> bytes:
    """Return what ``data`` was before it was compressed, unpacked up to what is allowed."""
    from quaere.read.content_encoding import gzip_decoder  # noqa: PLC0415 - with all decoders

    unpacked, codec = bytearray(), gzip_decoder()
    try:
        for piece in codec.feed(data):
            unpacked += piece
            if len(unpacked) > max_bytes:
                raise _too_large(path, len(unpacked), max_bytes)
        codec.finish()
    except ReadError as error:
        if error.status is not ReadStatus.BROKEN:
            raise
        message = f"{path} is incomplete or not a gzip file; compress it again"
        raise ReadError(message, status=ReadStatus.BROKEN) from error
    return bytes(unpacked)


def _check(path: Path, status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        message = f"{path} is not a regular file; leave it out"
        raise ReadError(message, status=ReadStatus.REFUSED)
    if status.st_size > max_bytes:
        raise _too_large(path, status.st_size, max_bytes)


def _too_large(path: Path, size: int, max_bytes: int) -> ReadError:
    message = (
        f"{path} holds {size / 1e6:,.1f} MB, more than the {max_bytes / 1e6:,.1f} MB allowed; "
        "split it or raise the limit"
    )
    return ReadError(message, status=ReadStatus.TOO_LARGE)


def _failure(path: Path, error: OSError) -> ReadError:
    default = (ReadStatus.BROKEN, f"cannot be read: {error.strerror or error}")
    status, reason = _FAILURES.get(error.errno or 0, default)
    return ReadError(f"{path} {reason}", status=status)


MAX_RECORDS = 20_000
MAX_RECORD_CHARS = 8_000_000
"""Records of a table that are joined into one page, and the text after which no more are; an index
takes all of them, one by one."""


class LocalReader:
    """Reads ``file:`` URLs inside the folders to be searched, and no others.

    A hit may come from a service on the web, which must not be able to open any file it names.
    """

    def __init__(
        self, read: Callable[[Path], Body], extractor: Extractor, *, roots: Iterable[Path]
    ) -> None:
        """Load files below ``roots`` with ``read`` and extract their text with ``extractor``."""
        self._read, self._extractor = read, extractor
        self._roots = [root.resolve() for root in roots]

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``, or the one record of a table that its fragment names.

        Of a table as a whole it is the first `MAX_RECORDS` records, or `MAX_RECORD_CHARS` of them.

        Raises:
            ReadError: when the file is not below the roots or has no text.
        """
        return await in_thread(lambda: self._page(hit.url))

    def body(self, url: str) -> Body:
        """Return what is in the file at ``url``. It blocks.

        Raises:
            ReadError: when the file is not below the roots or cannot be read.
        """
        return self._read(self._path(url))

    def _page(self, url: str) -> Page:
        path = self._path(url)
        pages: list[Page] = []
        left = MAX_RECORD_CHARS
        for page in self._extractor.extract(self._read(path)):
            if page.url == url:
                return page
            if len(pages) < MAX_RECORDS and left > 0:
                pages.append(page)
                left -= len(page.text)
            elif "#" not in url:
                break
        if not pages:
            raise ReadError(f"{path} holds no text.", status=ReadStatus.EMPTY)
        return join_pages(pages)

    def _path(self, url: str) -> Path:
        try:
            parts = urlsplit(url)
            path = Path(url2pathname(parts.path))
            inside = any(path.resolve().is_relative_to(root) for root in self._roots)
        except (ValueError, OSError, RuntimeError) as error:
            raise ReadError(
                f"{url:.200} is not a valid file URL: {error}.", status=ReadStatus.NOT_FOUND
            ) from error
        if parts.scheme != "file" or parts.netloc or not inside:
            raise ReadError(
                f"{url:.200} is outside the folders to be searched.", status=ReadStatus.REFUSED
            )
        return path


_BETWEEN = "\n\n"


def join_pages(pages: Sequence[Page]) -> Page:
    """Return the page of a document, or the records of a table joined into one page.

    Raises:
        IndexError: when ``pages`` is empty.
    """
    first = pages[0]
    if len(pages) == 1:
        return first
    starts = accumulate((len(page.text) + len(_BETWEEN) for page in pages), initial=0)
    marks = [
        Mark(start=start + mark.start, label=mark.label)
        for start, page in zip(starts, pages, strict=False)
        for mark in page.marks
    ]
    url, _, _ = first.url.partition("#")
    text = _BETWEEN.join(page.text for page in pages)
    return first.model_copy(update={"url": url, "text": text, "marks": tuple(marks)})


class SchemeReader:
    """Reads each hit with the reader that knows its scheme; refuses every other scheme."""

    def __init__(self, readers: Mapping[str, Reader]) -> None:
        """Read with ``readers``, by scheme in lower case."""
        self._readers = dict(readers)

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: when its scheme is unsupported, or its reader fails.
        """
        try:
            scheme = urlsplit(hit.url).scheme
        except ValueError:
            scheme = ""
        if scheme not in self._readers:
            known = ", ".join(sorted(self._readers))
            wrong = "has an unsupported scheme" if ":" in hit.url else "is not a URL"
            message = f"{hit.url:.200} {wrong}; supported are {known}."
            raise ReadError(message, status=ReadStatus.REFUSED)
        return await self._readers[scheme].read(hit)


class WebReader:
    """Fetches a hit's page through the guard and extracts its text in a worker process."""

    def __init__(self, fetcher: Fetcher, extractor: SafeExtractor) -> None:
        self._fetcher = fetcher
        self._extractor = extractor

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``, under the URL that its redirects ended at.

        Raises:
            ReadError: with the status that says why there is no text.
        """
        fetched = await self._fetcher.fetch(hit.url)
        reading = await self._extractor.read(fetched.body)
        if not reading.pages:
            message = f"{hit.url:.200} holds no text."
            raise reading.problem or ReadError(message, status=ReadStatus.EMPTY)
        return join_pages(reading.pages)

    async def aclose(self) -> None:
        """Close every connection and end the worker processes."""
        await self._fetcher.aclose()
        self._extractor.close()


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
