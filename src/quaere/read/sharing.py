"""Lets the researchers of one run open a page once that several of them want."""

from __future__ import annotations

from quaere.domain.source import Hit, Page
from quaere.domain.url import canonical_url
from quaere.ports.forwarding import ForwardingReader
from quaere.ports.read import Reader
from quaere.resilience.once import Once


class SharedReader(ForwardingReader):
    """``inner`` for one run: a page that was opened is there for all."""

    def __init__(self, inner: Reader) -> None:
        super().__init__(inner)
        self._once: Once[str, Page] = Once()

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none.
        """

        async def fetch() -> Page:
            return await self.inner.read(hit)

        return await self._once.get(canonical_url(hit.url), fetch)
