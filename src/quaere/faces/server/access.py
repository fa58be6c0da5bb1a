"""The caller of a request: by API key, by what a browser keeps, signed, or as a proxy says."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from pydantic import Field
from starlette.requests import HTTPConnection

from quaere.domain.access import ApiKey, KeyLimits, Right
from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.errors import StoreUnavailable
from quaere.faces.server.context import Context, context_of
from quaere.faces.server.errors import Refused, unknown
from quaere.faces.server.guard import CHAIR, Chair, count_request_of, free
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import data_folder
from quaere.store.keys import MARK, Keys

if TYPE_CHECKING:
    from quaere.faces.server.oidc import Issuer


SESSION_S = 30 * 86_400
SIGNED_IN_S = 12 * 3_600
"""How long a user stays signed in whom an issuer may shut out meanwhile."""
WAY_S = 600
"""How long signing in at the issuer may take."""


class Way(Value):
    """What a browser keeps on its way to the issuer and back."""

    state: str = Field(default_factory=lambda: secrets.token_urlsafe(24))
    nonce: str = Field(default_factory=lambda: secrets.token_urlsafe(24))
    verifier: str = Field(default_factory=lambda: secrets.token_urlsafe(48))
    back: str = "/"
    """Where in the page it goes on."""


class Signer:
    """Signs what browsers keep for us: sessions, and links to shared reports."""

    def __init__(self, secret: str) -> None:
        """Sign with ``secret``."""
        self._sessions = URLSafeTimedSerializer(secret, salt="session")
        self._links = URLSafeSerializer(secret, salt="share")
        self._users = URLSafeTimedSerializer(secret, salt="user")
        self._ways = URLSafeTimedSerializer(secret, salt="way")

    def session(self, key: str) -> str:
        """Return the cookie of a session by the key of that id."""
        return self._sessions.dumps(key)

    def key_of(self, cookie: str) -> str | None:
        """Return the id of the key that a session was begun with; None when it is not valid."""
        return _text(lambda: self._sessions.loads(cookie, max_age=SESSION_S))

    def signed_in(self, user: str) -> str:
        """Return the cookie of a session of a user whom the issuer has signed in."""
        return self._users.dumps(user)

    def user_of(self, cookie: str) -> str | None:
        """Return the user who has signed in; None when the cookie is not valid."""
        return _text(lambda: self._users.loads(cookie, max_age=SIGNED_IN_S))

    def way(self, way: str) -> str:
        """Return the cookie of a browser that goes to the issuer."""
        return self._ways.dumps(way)

    def way_of(self, cookie: str) -> str | None:
        """Return what that cookie was made of; None when it is not valid."""
        return _text(lambda: self._ways.loads(cookie, max_age=WAY_S))

    def link(self, nonce: str) -> str:
        """Return what the link to a shared report ends with."""
        return self._links.dumps(nonce)

    def nonce_of(self, link: str) -> str | None:
        """Return what a link was made for; None when it is not valid."""
        return _text(lambda: self._links.loads(link))


def _text(load: Callable[[], object]) -> str | None:
    try:
        loaded = load()
    except BadSignature:
        return None
    return loaded if isinstance(loaded, str) else None


def signer(settings: Settings) -> Signer:
    """Return the signer of the settings, or by a secret in the data folder, made on first use.

    Reads a file: not for the event loop.

    Raises:
        StoreUnavailable: when the secret can be neither read nor written.
    """
    if settings.secret_key:
        return Signer(settings.secret_key.get_secret_value())
    return Signer(_kept_secret(data_folder(settings) / "server.secret"))


def _kept_secret(path: Path) -> str:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            made = path.with_suffix(f".{secrets.token_hex(4)}")
            made.touch(mode=0o600)
            made.write_text(secrets.token_hex(32), "utf-8")
            try:
                path.hardlink_to(made)  # two servers that begin at once agree on one
            except FileExistsError:
                pass
            finally:
                made.unlink()
        return path.read_text("utf-8")
    except OSError as error:
        reason = error.strerror or error
        raise StoreUnavailable(
            f"Cannot keep the secret of the service at {str(path)!r}: {reason}. Set "
            "QUAERE_SECRET_KEY, or name another folder with QUAERE_DATA_DIR."
        ) from error


COOKIE = "quaere_session"
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

    def need(self, right: Right) -> None:
        """Raise Refused where ``right`` is missing."""
        if not {right, Right.ADMIN} & self.rights:
            message = f"This key may not do that; it needs the scope {right!s}."
            raise Refused(HTTPStatus.FORBIDDEN, "forbidden", message)


async def caller_of(connection: HTTPConnection) -> Caller:
    """Return on whose behalf a request is made.

    Raises:
        Refused: with 401 when nobody is known by what it carries.
    """
    context = context_of(connection)
    if context.access is Access.OFF:
        return Caller(Owner())
    caller = await _known(connection, context)
    chair = connection.scope[CHAIR] = Chair(context.crowd, caller.owner, caller.key)
    return replace(caller, chair=chair)


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
