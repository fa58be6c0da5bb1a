"""What search providers need of an HTTP client; ``build`` hands one in for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

Pairs = Mapping[str, str] | Sequence[tuple[str, str]]


class Api(Protocol):
    """Requests to one service, below the base URL that an operator may set.

    All methods raise ``SearchTimeout`` when the answer did not come in time and ``SearchError`` for
    every other failure: with the HTTP ``status`` where there is one, with ``retry_after`` where the
    service asks for a wait, and not ``retryable`` for a bad key or a request that it rejects. No
    key is in any message.
    """

    @property
    def name(self) -> str:
        """Of the service, for messages."""
        ...

    async def get(
        self, path: str = "", params: Pairs = (), *, headers: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the body of ``path``; empty for 204."""
        ...

    async def get_json(
        self, path: str = "", params: Pairs = (), *, headers: Mapping[str, str] | None = None
    ) -> object:
        """Return the parsed JSON body of ``path``."""
        ...

    async def post_json(
        self,
        path: str,
        payload: object,
        params: Pairs = (),
        *,
        headers: Mapping[str, str] | None = None,
    ) -> object:
        """Send ``payload`` as JSON to ``path`` and return the parsed answer."""
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...
