"""``quaere mcp``: Serve assistants over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from quaere.errors import UsageError
from quaere.faces.cli import options
from quaere.faces.cli.follow import importing
from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.terminal import emit, say
from quaere.faces.mcp.clients import Assistant


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = typer.Typer(rich_markup_mode=None)
    group.callback(invoke_without_command=True)(serve)
    group.command("install", cls=PlainCommand, no_args_is_help=True)(install)
    app.add_typer(group, name="mcp")


def serve(
    context: typer.Context,
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    model: options.Model = None,
) -> None:
    """Serve assistants over the Model Context Protocol.

    The server speaks on standard input and output. An assistant starts it itself: `quaere mcp
    install` writes this command into the configuration of one. Its tools research a question,
    follow and end such runs, search, read a page, and check a text against its sources. Logs go to
    standard error, as does what cannot be used of its models, search services and folders.
    """
    if context.invoked_subcommand is not None:
        return
    with importing():
        from quaere.faces.cli.running import settle
        from quaere.runtime.app import App
    settings = settle().model_copy(update=_given(docs, provider, model))
    if find_spec("mcp") is None:
        raise UsageError('The MCP server needs the package "mcp": pip install "quaere[mcp]".')
    with importing():
        from quaere.faces.cli.running import warn_of_faults
        from quaere.faces.mcp.server import serve_stdio

    async def run() -> None:
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        for signum in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # on Windows, where Python's own handling stays
                asyncio.get_running_loop().add_signal_handler(signum, _end, ended, signum)
        async with App.open(settings) as app:
            await warn_of_faults(app)
            serving = asyncio.create_task(serve_stdio(app))
            await asyncio.wait([serving, ended], return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            # A thread waits for the next line of standard input, and nothing can interrupt it.
            os._exit(128 + ended.result())
        await serving

    asyncio.run(run())


def install(
    assistant: Annotated[Assistant, typer.Argument(metavar="ASSISTANT", help="Which assistant.")],
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    model: options.Model = None,
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env",
            metavar="NAME[=VALUE]",
            help="An environment variable for the server, such as a key; without a value, that "
            "of this shell is written into the file. May be repeated.",
        ),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Name of the server in the assistant.")
    ] = "quaere",
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Another configuration file than the usual."),
    ] = None,
    show: Annotated[
        bool, typer.Option("--print", help="Print the configuration and change nothing.")
    ] = False,
) -> None:
    """Write this server into the configuration of an assistant.

    Whatever else is in the file stays, and a copy of the file as it was is kept next to it, with
    .bak at the end of its name. For claude-code the file is .mcp.json in the current folder. The
    assistant has to be restarted. It does not pass on the variables of this shell: name those that
    the server needs with --env.
    """
    with importing():
        from quaere.faces.mcp.clients import config_file, enter, launch, with_server

    started = launch(_arguments(docs, provider, model), _variables(env or ()))
    if show:
        emit(with_server(assistant, "", name, started))
        return
    path = file or config_file(assistant)
    backup = enter(assistant, path, name, started)
    say(f"{path} has the server {name}. Restart {assistant}.")
    if backup:
        say(f"What it was before is in {backup}.")


def _given(
    docs: options.Docs, provider: options.Providers, model: options.Model
) -> dict[str, object]:
    """Return the settings that options replace."""
    given = {
        "docs": tuple(path.absolute() for path in docs or ()),
        "providers": tuple(provider or ()),
        "model": model,
    }
    return {name: each for name, each in given.items() if each}


def _arguments(
    docs: options.Docs, provider: options.Providers, model: options.Model
) -> tuple[str, ...]:
    """Return the options with which an assistant starts the server, as words."""
    return (
        *_repeated("--docs", (str(path.absolute()) for path in docs or ())),
        *_repeated("--provider", provider or ()),
        *_repeated("--model", (model,) if model else ()),
    )


def _repeated(option: str, values: Iterable[str]) -> Iterable[str]:
    return (word for value in values for word in (option, value))


def _variables(given: Iterable[str]) -> dict[str, str]:
    """Return the variables by name.

    Raises:
        UsageError: when one has no value, here or in the environment.
    """
    from quaere.runtime.settings import service_settings

    found: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        found |= {name: value} if equals else service_settings([name])
        if not found.get(name):
            raise UsageError(f"The variable {name!r} has no value; give it as {name}=VALUE.")
    return found


def _end(ended: asyncio.Future[int], signum: int) -> None:
    if not ended.done():
        ended.set_result(signum)
