"""What a request has at hand, such as the App, and who has made it.

The caller is known by API key, by what a browser keeps, signed, or as a proxy says.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from quaere.domain.access import ApiKey, KeyLimits, Right, sorted_rights
from quaere.domain.trace import Owner
from quaere.faces.server.errors import Refused, unknown
from quaere.faces.server.guard import CHAIR, Chair, count_request_of, free
from quaere.faces.server.signing import Signer
from quaere.runtime.app import App
from quaere.runtime.redact import Places
from quaere.runtime.settings import Access, Settings
from quaere.store.keys import MARK, Keys
from quaere.store.submission import RequestKeys

if TYPE_CHECKING:
    from quaere.faces.server.feed import ChatReaders, Feeds
    from quaere.faces.server.guard import Crowd
    from quaere.faces.server.oidc import Issuer
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


COOKIE = "quaere_session"
CALLER = "quaere.caller"
"""Of a scope: the `Caller`, once it is known."""
WAY_COOKIE = "quaere_sign_in"
_ALL = frozenset(Right)


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a request is made, and what it may do."""

    owner: Owner
    rights: frozenset[Right] = _ALL
    limits: KeyLimits = field(default_factory=KeyLimits)
    key: str = ""
    """Id of the key; empty without one."""
    chair: Chair = field(default_factory=free)
    """Its right to one more stream, to be checked before a run is begun for one."""

    def need(self, *rights: Right) -> None:
        """Raise Refused where one of ``rights`` is missing."""
        for right in sorted_rights(rights):
            if not {right, Right.ADMIN} & self.rights:
                message = f"This key may not do that; it needs the scope {right!s}."
                raise Refused(HTTPStatus.FORBIDDEN, "forbidden", message)


async def caller_of(connection: HTTPConnection) -> Caller:
    """Return on whose behalf a request is made, which is found out once.

    Raises:
        Refused: with 401 when nobody is known by what it carries.
    """
    context = context_of(connection)
    if context.access is Access.OFF:
        return Caller(Owner())
    if found := cast("Caller | None", connection.scope.get(CALLER)):
        return found
    caller = await _known(connection, context)
    chair = connection.scope[CHAIR] = Chair(context.crowd, caller.owner, caller.key)
    seated = connection.scope[CALLER] = replace(caller, chair=chair)
    return seated


async def _known(connection: HTTPConnection, context: Context) -> Caller:
    if context.access is Access.PROXY:
        return _named_by_proxy(connection, context.app.settings)
    if context.issuer and (signed_in := await _signed_in(connection, context, context.issuer)):
        return signed_in
    keys = Keys(await context.app.database())
    found = await _key_of(connection, context.signer, keys)
    if found is None:
        raise unknown()
    if most := found.limits.requests_per_minute:
        await count_request_of(connection, keys.database, found.id, most)
    return Caller(found.owner, frozenset(found.scopes), found.limits, found.id)


async def _key_of(connection: HTTPConnection, signer: Signer, keys: Keys) -> ApiKey | None:
    """Return the key of a request: the one in its headers, else the one its cookie stands for."""
    if secret := _secret(connection):
        return await keys.find(secret)
    known = signer.key_of(connection.cookies.get(COOKIE, ""))
    return await keys.get(known) if known else None


async def _signed_in(connection: HTTPConnection, context: Context, issuer: Issuer) -> Caller | None:
    """Return the user whom the issuer has signed in; None where an API key may be given."""
    secret = _secret(connection)
    if secret.startswith(MARK):
        return None
    if secret:
        owner = await issuer.owner_of(secret)
    elif user := context.signer.user_of(connection.cookies.get(COOKIE, "")):
        owner = Owner(user=user)
    else:
        return None
    admin = owner.user in context.app.settings.oidc_admins
    return Caller(owner, _ALL if admin else _ALL - {Right.ADMIN})


def _secret(connection: HTTPConnection) -> str:
    kind, _, value = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    return connection.headers.get("x-api-key", "").strip()


def _named_by_proxy(connection: HTTPConnection, settings: Settings) -> Caller:
    # A proxy that adds its header to one that a client has sent leaves both.
    named = connection.headers.getlist(settings.proxy_user_header)
    name = named[0].strip() if len(named) == 1 else ""
    if not name or len(name) > 255 or not name.isprintable():
        raise unknown()
    return Caller(Owner(user=name), _ALL - {Right.ADMIN})


class KnownFirst(APIRoute):
    """A route that takes in nothing of a body before it knows whose request it is.

    FastAPI reads a body, and puts files that are uploaded on the disk, before it asks for anything
    that a route depends on.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[None, None, Response]]:
        """Return the handler, after the caller is known."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            await caller_of(request)
            return await inner(request)

        return handler


def with_right(right: Right) -> Callable[[Request], Coroutine[None, None, Caller]]:
    """Return what admits callers that have ``right``, for ``Depends``."""

    async def allowed(request: Request) -> Caller:
        caller = await caller_of(request)
        caller.need(right)
        return caller

    return allowed


Reading = Annotated[Caller, Depends(with_right(Right.READ))]
Running = Annotated[Caller, Depends(with_right(Right.RUN))]
Checking = Annotated[Caller, Depends(with_right(Right.CHECK))]
Folding = Annotated[Caller, Depends(with_right(Right.FOLDERS))]
Administering = Annotated[Caller, Depends(with_right(Right.ADMIN))]
