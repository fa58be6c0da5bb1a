"""``quaere keys``: Issue, list and revoke the API keys of the service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer
from pydantic import ValidationError

from quaere.domain.access import USER_RIGHTS, ApiKey, KeyLimits, Right, sorted_rights
from quaere.domain.profile import ProfileName
from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.errors import UsageError
from quaere.faces.cli import options
from quaere.faces.cli.follow import importing
from quaere.faces.cli.groups import Group, grouped
from quaere.faces.cli.help_text import PlainCommand, subcommands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit, say
from quaere.view.layout import columns

if TYPE_CHECKING:
    from quaere.store.keys import Keys

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
        return KeyLimits(
            requests_per_minute=self.requests_per_minute,
            runs_at_a_time=self.runs_at_a_time,
            runs_per_day=self.runs_per_day,
            usd_per_day=self.usd_per_day,
            highest_profile=self.highest_profile,
        )


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = subcommands(app, "keys", "Issue, list and revoke the API keys of the service.")
    group.command("create", cls=PlainCommand, no_args_is_help=True)(grouped(create))
    group.command("list", cls=PlainCommand)(list_)
    group.command("revoke", cls=PlainCommand, no_args_is_help=True)(revoke)


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

    owner = _owner(user, org)
    given = _secret_in(secret_file) if secret_file else None
    if not name.strip():
        raise UsageError("A key needs a name: say what it is for.")
    ends = expires.replace(tzinfo=UTC) if expires else None
    if ends and ends <= datetime.now(UTC):
        raise UsageError(
            f"The key would have expired already: {expires:%Y-%m-%d %H:%M} UTC is over."
        )
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
    head = ("key", "state", "user", "scopes", "last used (UTC)", "expires (UTC)", "name")
    emit(columns([head, *rows]) if rows else "There are no keys.\n")


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
    with importing():
        from quaere.faces.cli.environment import settle
        from quaere.runtime.wiring_store import build_database
        from quaere.store.keys import Keys

    async with build_database(settle()) as database:
        yield Keys(database)


def _owner(user: str, org: str | None) -> Owner:
    try:
        return Owner(user=user, org=org)
    except ValidationError:
        raise UsageError(
            "The id of a user or an organization has 1 to 255 printable characters."
        ) from None


def _secret_in(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MAX_SECRET_BYTES).decode("utf-8", "replace").strip()
    except OSError as error:
        raise UsageError(f"Cannot read {str(path)!r}: {error.strerror or error}.") from error


def _told(key: ApiKey) -> tuple[str, ...]:
    now = datetime.now(UTC)
    state = "revoked" if key.revoked_at else "valid" if key.is_valid(now) else "expired"
    used = f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "never"
    ends = f"{key.expires_at:%Y-%m-%d %H:%M}" if key.expires_at else "never"
    rights = ",".join(sorted_rights(key.scopes))
    return key.prefix, state, key.owner.user, rights, used, ends, key.name
