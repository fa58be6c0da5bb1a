"""``quaere serve``: Answer over HTTP, with a page in the browser."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.errors import SettingsError, StoreError
from quaere.faces.cli.help_text import PlainCommand, docs_option
from quaere.faces.cli.terminal import complain, say

if TYPE_CHECKING:
    from quaere.runtime.settings import Access, Settings

NO_KEY = (
    "Nobody could use the service on {host}: it has no API key yet. Make one with "
    "`quaere keys create NAME`, or listen on 127.0.0.1 without QUAERE_AUTH."
)
OPEN = (
    "QUAERE_AUTH=off lets everybody who reaches {host} do everything; it is for 127.0.0.1 alone. "
    "Set QUAERE_AUTH=keys, or proxy where a proxy signs users in."
)
NO_OIDC = "QUAERE_AUTH=oidc needs more libraries: pip install 'quaere[server,oidc]'."
UNTIL_THEN = "Requests are answered with 503 until it can be used."
LOOKED_S = 3.0
"""Seconds that the database may take to answer before the service begins without it."""
MISSING = "`quaere serve` needs more libraries: pip install 'quaere[server]'."


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("serve", cls=PlainCommand)(serve)


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
    start until one exists. Runs are kept in the database (QUAERE_DATABASE_URL) before they are
    made, so that they go on after a restart, here or in another server or worker.
    """
    from quaere.faces.cli.environment import settle
    from quaere.index.scan import resolve_roots

    settings = settle()
    if docs:
        settings = settings.model_copy(update={"docs": tuple(path.absolute() for path in docs)})
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
    from quaere.faces.cli.environment import warn_of_faults
    from quaere.runtime.app import App

    async with App.open(settings) as app:
        await warn_of_faults(app)


async def _look_at_database(settings: Settings) -> None:
    """Say so when the database that was named cannot be used: the service begins and waits for it.

    The one in the data folder is a file of our own, which is not looked at twice.
    """
    from quaere.runtime.wiring_store import build_database

    if settings.database_url is None:
        return
    async with build_database(settings) as database:
        try:
            async with asyncio.timeout(LOOKED_S), database.without_waiting().read():
                return
        except TimeoutError:
            wrong = f"{database.name} does not answer within {LOOKED_S:g} s."
        except StoreError as error:
            wrong = error.message
        complain(f"warning: {wrong} {UNTIL_THEN}")


async def _some_key(settings: Settings, host: str) -> None:
    """Raise SettingsError where nobody has a key."""
    from quaere.runtime.wiring_store import build_database
    from quaere.store.keys import Keys

    async with build_database(settings) as database:
        if not await Keys(database).list():
            raise SettingsError(NO_KEY.format(host=host))
