"""``quaere mcp``: Serve assistants over the Model Context Protocol.

What is in the configuration file of an assistant stays there: JSON is read and written whole, of
TOML only the tables of the server are replaced. A file that cannot be read is left alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, cast

import platformdirs
import typer

from quaere.domain.value import at_home
from quaere.errors import QuaereError, UsageError, cause_of
from quaere.faces.cli import options
from quaere.faces.cli.options import add_commands
from quaere.faces.cli.terminal import emit
from quaere.synthesize.inert import visible

STARTUP_S = 60
"""What Codex gives the server to start; by default 10 seconds, which a cold disk may take."""

Table = dict[str, object]

_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LINE_END = re.compile(r"(?<=\n)")


class Assistant(StrEnum):
    """An assistant that starts MCP servers."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    VSCODE = "vscode"
    CODEX = "codex"


@dataclass(frozen=True, slots=True)
class Launch:
    """How an assistant starts the server."""

    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def entry(self) -> Table:
        """The entry of the server as most assistants have it."""
        entry: Table = {"command": self.command, "args": list(self.arguments)}
        return {**entry, "env": dict(self.environment)} if self.environment else entry


def launch(arguments: Sequence[str], environment: Mapping[str, str]) -> Launch:
    """Return how to start ``quaere mcp`` with ``arguments``, from wherever an assistant does."""
    script = Path(sys.executable).with_name("quaere")
    found = script.is_file()
    command = str(script if found else Path(sys.executable))
    own = ("mcp",) if found else ("-m", "quaere", "mcp")
    return Launch(command, (*own, *arguments), environment)


def config_file(assistant: Assistant) -> Path:
    """Return where ``assistant`` reads its servers from.

    Claude Code reads those of a project from the folder that it is started in.
    """
    match assistant:
        case Assistant.CLAUDE_DESKTOP:
            return _settings_folder("Claude") / "claude_desktop_config.json"
        case Assistant.CLAUDE_CODE:
            return Path.cwd() / ".mcp.json"
        case Assistant.CURSOR:
            return Path.home() / ".cursor" / "mcp.json"
        case Assistant.VSCODE:
            return _settings_folder("Code") / "User" / "mcp.json"
        case Assistant.CODEX:
            return Path.home() / ".codex" / "config.toml"


def _settings_folder(app: str) -> Path:
    return platformdirs.user_config_path(app, appauthor=False, roaming=True)


def with_server(assistant: Assistant, text: str, name: str, started: Launch) -> str:
    """Return the configuration ``text`` of ``assistant`` with the server called ``name``.

    Raises:
        UsageError: when ``text`` is not such a configuration.
    """
    if assistant is Assistant.CODEX:
        return _toml_with_server(text, name, started)
    key = "servers" if assistant is Assistant.VSCODE else "mcpServers"
    typed: Table = {"type": "stdio"} if assistant is Assistant.VSCODE else {}
    config = _json_object(text)
    servers = config.setdefault(key, {})
    if not isinstance(servers, dict):
        raise UsageError(f'"{key}" is not an object')
    cast("Table", servers)[name] = {**typed, **started.entry}
    return f"{json.dumps(config, indent=2, ensure_ascii=False)}\n"


def enter(assistant: Assistant, path: Path, name: str, started: Launch) -> Path | None:
    """Enter the server into the file at ``path``; return the copy of what it held before, if any.

    Nothing is written, and None returned, when the file has that very entry.

    Raises:
        UsageError: when the file is not a configuration that can be changed.
        QuaereError: when it cannot be read or written.
    """
    path = path.resolve()  # a link to a file elsewhere stays one
    try:
        return _rewrite(path, lambda before: with_server(assistant, before, name, started))
    except UsageError as error:
        raise UsageError(
            f"Cannot change {str(path)!r}: {error.message}. It was left as it is; --print shows "
            "what to add by hand."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"Cannot change {str(path)!r}: it is not UTF-8.") from error
    except OSError as error:
        raise QuaereError(f"Cannot change {str(path)!r}: {cause_of(error)}.") from error


def _rewrite(path: Path, change: Callable[[str], str]) -> Path | None:
    """Change the text at ``path``, if that changes anything; return the copy of what it was."""
    before = path.read_text("utf-8-sig") if path.exists() else ""
    after = change(before)
    if after == before:
        return None
    backup = path.with_name(f"{path.name}.bak") if before else None
    if backup:
        shutil.copy2(path, backup)
    _replace(path, after)
    return backup


def _replace(path: Path, text: str) -> None:
    """Write ``text`` to ``path``, all of it or nothing, for the eyes that it had before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, made)
        Path(made).replace(path)
    finally:  # where it has not taken its place
        Path(made).unlink(missing_ok=True)


def _json_object(text: str) -> Table:
    try:
        config: object = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise UsageError(f"it is not plain JSON ({error})") from error
    if not isinstance(config, dict):
        raise UsageError("it is not a JSON object")
    return cast("Table", config)


def _toml_with_server(text: str, name: str, started: Launch) -> str:
    before = _toml(text)
    servers = before.get("mcp_servers", {})
    if not isinstance(servers, dict):
        raise UsageError('"mcp_servers" is not a table')
    rest = _without_tables(text, ("mcp_servers", name)).rstrip()
    after = "\n\n".join(filter(None, (rest, _toml_table(name, started)))) + "\n"
    if _others(after, name) != _others(text, name):
        raise UsageError(f"it has the server {name} in a form that cannot be replaced")
    return after


def _others(text: str, name: str) -> Table | None:
    """Return what the configuration holds besides the server; None when it is not valid."""
    try:
        config = _toml(text)
    except UsageError:
        return None
    servers = cast("Table", config.pop("mcp_servers", {}))
    return {**config, "mcp_servers": {key: each for key, each in servers.items() if key != name}}


def _toml(text: str) -> Table:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise UsageError(f"it is not TOML ({error})") from error


def _without_tables(text: str, place: tuple[str, ...]) -> str:
    """Return ``text`` without the table at ``place`` and those below it."""
    kept: list[str] = []
    inside = False
    for line in _LINE_END.split(text):
        if line.lstrip().startswith("[") and (header := _header(line)):
            inside = header[: len(place)] == place
        if not inside:
            kept.append(line)
    return "".join(kept)


def _header(line: str) -> tuple[str, ...]:
    """Return the keys that lead to the table that ``line`` begins; none where it begins none."""
    try:
        left: Table = tomllib.loads(line)
    except ValueError:
        return ()
    keys: list[str] = []
    while left:
        key, inner = next(iter(left.items()))
        keys.append(key)
        left = cast("Table", inner[0] if isinstance(inner, list) else inner)
    return tuple(keys)


def _toml_table(name: str, started: Launch) -> str:
    lines = [
        f"[mcp_servers.{_key(name)}]",
        f"command = {_string(started.command)}",
        f"args = [{', '.join(map(_string, started.arguments))}]",
        f"startup_timeout_sec = {STARTUP_S}",
    ]
    if started.environment:
        pairs = (f"{_key(key)} = {_string(value)}" for key, value in started.environment.items())
        lines.append(f"env = {{ {', '.join(pairs)} }}")
    return "\n".join(lines)


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _string(name)


def _string(text: str) -> str:
    """Return ``text`` as a basic string of TOML, whose escapes JSON's are among.

    But for DEL, which JSON leaves as it is.
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = typer.Typer(rich_markup_mode=None)
    group.callback(invoke_without_command=True)(serve)
    add_commands(group, install=install)
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
    standard error; they name the models, search services and folders that cannot be used.
    """
    if context.invoked_subcommand is not None:
        return
    from quaere.faces.cli.running import settle
    from quaere.runtime.app import App

    settings = settle().model_copy(update=_given(docs, provider, model))
    if find_spec("mcp") is None:
        raise UsageError('The MCP server needs the package "mcp": pip install "quaere[mcp]".')
    from quaere.faces.cli.running import warn_of_faults
    from quaere.faces.mcp.stdio import serve_stdio

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
        typer.Option(
            "--file", metavar="FILE", help="Configuration file to change instead of the usual one."
        ),
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
    from quaere.index.scan import resolve_roots

    started = launch(_arguments(docs, provider, model), _variables(env or ()))
    if show:
        emit(with_server(assistant, "", name, started))
        return
    if docs:
        resolve_roots(docs)
    path = file or config_file(assistant)
    backup = enter(assistant, path, name, started)
    emit(f"{visible(str(path))} now has the server {name}. Restart {assistant}.\n")
    if backup:
        emit(f"Its previous version is in {visible(str(backup))}.\n")


def _given(
    docs: options.Docs, provider: options.Providers, model: options.Model
) -> dict[str, object]:
    """Return the settings that options replace."""
    given = {
        "docs": tuple(at_home(path).absolute() for path in docs or ()),
        "providers": tuple(provider or ()),
        "model": model,
    }
    return {name: each for name, each in given.items() if each}


def _arguments(
    docs: options.Docs, provider: options.Providers, model: options.Model
) -> tuple[str, ...]:
    """Return the options with which an assistant starts the server, as words."""
    return (
        *_repeated("--docs", (str(at_home(path).absolute()) for path in docs or ())),
        *_repeated("--provider", provider or ()),
        *_repeated("--model", (model,) if model else ()),
    )


def _repeated(option: str, values: Iterable[str]) -> Iterable[str]:
    return (word for value in values for word in (option, value))


def _variables(given: Iterable[str]) -> dict[str, str]:
    """Return the variables by name.

    Raises:
        UsageError: when one has no name, or no value here or in the environment.
    """
    from quaere.runtime.settings import service_settings

    found: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not _VARIABLE.fullmatch(name):
            raise UsageError(f"{name!r} is not the name of a variable; write --env NAME=VALUE.")
        found |= {name: value} if equals else service_settings([name])
        if not found.get(name):
            raise UsageError(f"The variable {name!r} has no value; give it as {name}=VALUE.")
    return found


def _end(ended: asyncio.Future[int], signum: int) -> None:
    if not ended.done():
        ended.set_result(signum)
