"""What a request has at hand: the App, the feeds of runs, and the places of folders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection

from quaere.runtime.app import App
from quaere.runtime.redact import Places
from quaere.runtime.settings import Access
from quaere.store.submission import RequestKeys

if TYPE_CHECKING:
    from quaere.faces.server.feed import ChatReaders, Feeds
    from quaere.faces.server.guard import Crowd
    from quaere.faces.server.oidc import Issuer
    from quaere.faces.server.signing import Signer
    from quaere.faces.server.telemetry import ServerMetrics
    from quaere.runtime.folders import Folders


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the requests of a process share."""

    app: App
    feeds: Feeds
    places: Places
    signer: Signer
    access: Access
    metrics: ServerMetrics
    workers: int
    """Runs that this process makes at a time; none where others make them."""
    chats: ChatReaders
    crowd: Crowd
    issuer: Issuer | None = None
    """Who signs users in, where one does."""

    async def folders(self) -> Folders:
        """Return the folders by id.

        Raises:
            SettingsError: when the database cannot be used.
        """
        from quaere.runtime.folders import Folders  # noqa: PLC0415 (most runs search no folder)

        return Folders(self.app.resources, await self.app.database())

    async def request_keys(self) -> RequestKeys:
        """Return the keys that clients have given their requests.

        Raises:
            SettingsError: when the database cannot be used.
        """
        return RequestKeys(await self.app.database())


def context_of(connection: HTTPConnection) -> Context:
    """Return what the process shares, which is there as long as it serves."""
    return cast("Context", connection.app.state.context)


Shared = Annotated[Context, Depends(context_of)]
