"""Sends a hit to the reader for the scheme of its URL."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Reader


class SchemeReader:
    """Reads each hit with the reader that knows its scheme; refuses every other scheme."""

    def __init__(self, readers: Mapping[str, Reader]) -> None:
        """Read with ``readers``, by scheme in lower case."""
        self._readers = dict(readers)

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: when nobody reads its scheme, or its reader cannot read it.
        """
        try:
            scheme = urlsplit(hit.url).scheme
        except ValueError:
            scheme = ""
        if scheme not in self._readers:
            known = ", ".join(sorted(self._readers))
            message = f"{hit.url:.200} is not read: its scheme is none of {known}."
            raise ReadError(message, status=ReadStatus.REFUSED)
        return await self._readers[scheme].read(hit)
