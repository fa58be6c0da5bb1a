"""``quaere serve``: Answer over HTTP, with a page in the browser.

``quaere keys``: Issue, list and revoke the API keys of the service.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer
from pydantic import ValidationError

from quaere.domain.access import USER_RIGHTS, ApiKey, KeyLimits, Right, sorted_rights
from quaere.domain.budget import ProfileName
from quaere.domain.trace import Owner
from quaere.domain.value import Value, at_home
from quaere.errors import SettingsError, StoreError, UsageError
from quaere.faces.cli import options
from quaere.faces.cli.groups import Group, beginning_of, grouped
from quaere.faces.cli.options import add_commands, docs_option, subcommands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.tables import table
from quaere.faces.cli.terminal import complain, emit, say

if TYPE_CHECKING:
    from quaere.runtime.settings import Access, Settings
    from quaere.store.keys import Keys


NO_KEY = (
    "Nobody could use the service on {host}: it has no API key yet. Make one with "
    "`quaere keys create NAME`, or listen on 127.0.0.1 without QUAERE_AUTH."
)
OPEN = (
    "QUAERE_AUTH=off lets everybody who reaches {host} do everything; it is for 127.0.0.1 alone. "
    "Set QUAERE_AUTH=keys, or proxy where a proxy signs users in."
)
NO_OIDC = "QUAERE_AUTH=oidc needs more libraries: pip install 'quaere[server,oidc]'."
UNASKED = (
    "note: on {host} no API key is asked for, and everybody is the same user, whatever key they "
    "send. QUAERE_AUTH=keys asks for them."
)
UNTIL_THEN = "Requests are answered with 503 until it can be used."
LOOKED_S = 3.0
"""Seconds that the database may take to answer before the service begins without it."""
MISSING = "`quaere serve` needs more libraries: pip install 'quaere[server]'."


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    add_commands(app, serve=serve)
    group = subcommands(app, "keys", "Issue, list and revoke the API keys of the service.")
    add_commands(group, create=grouped(create), list=list_, revoke=revoke)


def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="Address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port",
            metavar="PORT",
            min=0,
            max=65_535,
            help="Port; 0 for any that is free.",
        ),
    ] = 8000,
    docs: Annotated[
        list[Path] | None,
        docs_option("A folder that users may search; may be repeated. Default: QUAERE_DOCS."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers-in-process",
            metavar="N",
            min=0,
            max=100,
            help="Runs that this process works on at the same time; 0 leaves them to "
            "`quaere worker`.",
        ),
    ] = 4,
) -> None:
    """Answer over HTTP, with a page in the browser.

    On this machine alone it needs no key. On any other address it asks for API keys, and does not
    start until one exists. Runs are saved in the database (QUAERE_DATABASE_URL) before they
    start, so that they go on after a restart, here or in another server or worker.
    """
    from quaere.faces.cli.running import settle
    from quaere.index.scan import resolve_roots
    from quaere.runtime.settings import Access

    settings = settle()
    if docs:
        folders = tuple(at_home(path).absolute() for path in docs)
        settings = settings.model_copy(update={"docs": folders})
    try:
        from quaere.faces.server.service import access_for, make_service
        from quaere.faces.server.serving import listen
        from quaere.faces.server.serving import serve as serve_on
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("quaere"):
            raise
        raise SettingsError(MISSING) from error

    if settings.docs:
        resolve_roots(settings.docs)
    access = access_for(settings, host)
    _check_access(access, settings, host)
    asyncio.run(_look_at_services(settings))
    asyncio.run(_look_at_database(settings))
    if access is Access.OFF and settings.auth is None:
        asyncio.run(_look_at_keys(settings, host))
    with listen(host, port) as opened:
        where = _address(host, opened.getsockname()[1])
        service = make_service(settings, host=host, workers=workers, access=access)
        serve_on(service, opened, lambda: say(f"Quaere answers on {where}\n"))


def _address(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _check_access(access: Access, settings: Settings, host: str) -> None:
    """Raise SettingsError where nobody could use the service, or everybody."""
    from quaere.runtime.settings import Access

    if access is Access.OFF:
        _only_at_home(host)
    elif access is Access.OIDC:
        _some_issuer(settings)
    elif access is Access.KEYS:
        asyncio.run(_some_key(settings, host))


def _only_at_home(host: str) -> None:
    from quaere.faces.server.guard import LOOPBACK

    if host not in LOOPBACK:
        raise SettingsError(OPEN.format(host=host))


def _some_issuer(settings: Settings) -> None:
    """Raise SettingsError where users cannot be signed in."""
    try:
        from quaere.faces.server.oidc import Issuer
    except ModuleNotFoundError as error:
        raise SettingsError(NO_OIDC) from error
    Issuer(settings)


async def _look_at_services(settings: Settings) -> None:
    """Say which of them cannot be used as they are set."""
    from quaere.faces.cli.running import warn_of_faults
    from quaere.runtime.app import App

    async with App.open(settings) as app:
        await warn_of_faults(app)


async def _look_at_database(settings: Settings) -> None:
    """Say so when the database cannot be used: the service begins and waits for it."""
    from quaere.runtime.wiring_store import build_database

    async with build_database(settings) as database:
        try:
            async with asyncio.timeout(LOOKED_S), database.without_waiting().read():
                return
        except TimeoutError:
            wrong = f"{database.name} does not answer within {LOOKED_S:g} s."
        except StoreError as error:
            wrong = error.message
        complain(f"warning: {wrong} {UNTIL_THEN}")


async def _look_at_keys(settings: Settings, host: str) -> None:
    """Say so where there are keys that nobody is going to be asked for."""
    from quaere.runtime.wiring_store import build_database
    from quaere.store.keys import Keys

    async with build_database(settings) as database:
        with suppress(StoreError, TimeoutError):  # said by now
            async with asyncio.timeout(LOOKED_S):
                if await Keys(database.without_waiting()).list():
                    complain(UNASKED.format(host=host))


async def _some_key(settings: Settings, host: str) -> None:
    """Raise SettingsError where nobody has a key."""
    from quaere.runtime.wiring_store import build_database
    from quaere.store.keys import Keys

    async with build_database(settings) as database:
        if not await Keys(database).list():
            raise SettingsError(NO_KEY.format(host=host))


MAX_SECRET_BYTES = 1_000

User = Annotated[
    str | None,
    typer.Option("--user", metavar="ID", help="Only keys of this user. Default: everybody's."),
]


class Issued(Value):
    """A new key, and the secret that is shown this once."""

    key: ApiKey
    secret: str


class Listed(Value):
    """The keys that there are."""

    keys: tuple[ApiKey, ...]


@dataclass(frozen=True, kw_only=True)
class Quotas(Group):
    """How much the key may be used."""

    title: ClassVar[str] = "Limits"

    requests_per_minute: Annotated[
        int | None,
        typer.Option("--requests-per-minute", metavar="N", min=1, help="Requests per minute."),
    ] = None
    runs_at_a_time: Annotated[
        int | None,
        typer.Option(
            "--runs-at-a-time",
            metavar="N",
            min=1,
            help="Runs waiting or in progress at the same time.",
        ),
    ] = None
    runs_per_day: Annotated[
        int | None,
        typer.Option("--runs-per-day", metavar="N", min=1, help="Runs started per day, in UTC."),
    ] = None
    usd_per_day: Annotated[
        float | None,
        typer.Option("--usd-per-day", metavar="USD", min=0, help="Dollars spent per day, in UTC."),
    ] = None
    highest_profile: Annotated[
        ProfileName | None,
        typer.Option("--highest-profile", help="Largest profile that a run may use."),
    ] = None

    def limits(self) -> KeyLimits:
        """Return them as the key has them."""
        return KeyLimits.model_validate(asdict(self))


def create(
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the key is for.")],
    user: Annotated[
        str, typer.Option("--user", metavar="ID", help="User whose runs it gives access to.")
    ] = "local",
    org: Annotated[
        str | None, typer.Option("--org", metavar="ID", help="Organization of the user.")
    ] = None,
    scope: Annotated[
        list[Right] | None,
        typer.Option(
            "--scope", help="What it may do; may be repeated. Default: everything but admin."
        ),
    ] = None,
    quotas: Quotas,
    expires: Annotated[
        datetime | None,
        typer.Option(
            "--expires",
            metavar="DATE",
            help="When it expires, in UTC, such as 2027-01-31 or 2027-01-31T18:00:00. "
            "Default: never.",
        ),
    ] = None,
    secret_file: Annotated[
        Path | None,
        typer.Option(
            "--secret-file",
            metavar="FILE",
            help="Take the secret from this file; nothing is done if a key has it already.",
        ),
    ] = None,
    form: options.Form = ShortFormat.TEXT,
) -> None:
    """Issue a key, and print its secret, which cannot be shown again."""
    from quaere.faces.cli.output import json

    owner, given, ends = _owner(user, org), _secret_in(secret_file), _expiry(expires)
    scopes = USER_RIGHTS if scope is None else frozenset(scope)

    async def created() -> Issued | None:
        async with _opened() as keys:
            if given and await keys.find(given):
                return None
            key, secret = await keys.create(
                owner, name, scopes=scopes, limits=quotas.limits(), expires_at=ends, secret=given
            )
        return Issued(key=key, secret=secret)

    issued = asyncio.run(created())
    if issued is None:
        say("A key with this secret exists.")
    elif form is ShortFormat.JSON:
        emit(json(issued))
    elif given:
        say(f"Created the key {issued.key.prefix}.")
    else:
        say("This secret is shown only once:")
        emit(f"{issued.secret}\n")


def _secret_in(path: Path | None) -> str | None:
    if path is None:
        return None
    return beginning_of(path, MAX_SECRET_BYTES).decode("utf-8", "replace").strip()


def _expiry(day: datetime | None) -> datetime | None:
    """Return ``day`` in UTC.

    Raises:
        UsageError: when it is over.
    """
    ends = day.replace(tzinfo=UTC) if day else None
    if ends and ends <= datetime.now(UTC):
        raise UsageError(f"The key would have expired already, at {ends:%Y-%m-%d %H:%M} UTC.")
    return ends


def list_(*, user: User = None, form: options.Form = ShortFormat.TEXT) -> None:
    """List the keys, latest first, without their secrets."""
    from quaere.faces.cli.output import json

    async def listed() -> tuple[ApiKey, ...]:
        async with _opened() as keys:
            return await keys.list()

    found = [key for key in asyncio.run(listed()) if user in (None, key.owner.user)]
    if form is ShortFormat.JSON:
        emit(json(Listed(keys=tuple(found))))
        return
    rows = [_told(key) for key in found]
    heads = ("key", "state", "user", "scopes", "last used (UTC)", "expires (UTC)", "name")
    emit(table(rows, heads=heads) or "There are no keys.\n")


def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Id or prefix of a key.")],
) -> None:
    """Revoke a key for good; it is refused from the next request."""

    async def revoked() -> ApiKey:
        async with _opened() as keys:
            return await keys.revoke(key)

    emit(f"Revoked {asyncio.run(revoked()).prefix}.\n")


@asynccontextmanager
async def _opened() -> AsyncGenerator[Keys]:
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_store import build_database
    from quaere.store.keys import Keys

    async with build_database(settle()) as database:
        yield Keys(database)


def _owner(user: str, org: str | None) -> Owner:
    try:
        return Owner(user=user, org=org)
    except ValidationError:
        raise UsageError(
            "The id of a user or an organization must have 1 to 255 printable characters."
        ) from None


def _told(key: ApiKey) -> tuple[str, ...]:
    now = datetime.now(UTC)
    state = "revoked" if key.revoked_at else "valid" if key.is_valid(now) else "expired"
    used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
    ends = f"{key.expires_at:%Y-%m-%d %H:%M}" if key.expires_at else "never"
    rights = ",".join(sorted_rights(key.scopes))
    return key.prefix, state, key.owner.user, rights, used, ends, key.name
