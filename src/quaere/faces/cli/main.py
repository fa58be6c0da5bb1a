"""The command line: finds the command that is meant and imports that one alone."""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import entry_points
from types import FrameType, MappingProxyType
from typing import Annotated, NoReturn

import typer
from typer.main import get_command

from quaere.errors import QuaereError
from quaere.faces.cli.exits import ExitCode, exit_code
from quaere.faces.cli.terminal import (
    LOG_FORMAT,
    complain,
    emit,
    settle_streams,
    spare_tracebacks,
)
from quaere.runtime.logs import LogFormat
from quaere.version import __version__

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "ask": "Answer a question from documents or the web, all of it cited.",
        "resume": "Go on with a run that was stopped.",
        "submit": "Ask a question for a worker to answer.",
        "worker": "Make the runs that were submitted.",
        "cancel": "End a run that was submitted.",
        "search": "Ask one query, and show what is found.",
        "check": "Check a text against the sources that it cites.",
        "trace": "Look at what was researched, and how it went.",
        "export": "Write the report of an earlier run in another form.",
        "fetch": "Read one page or file, and show its text.",
        "providers": "List the search services, and what each needs.",
        "index": "Build or refresh the index of folders and files.",
        "db": "Look after the database of traces.",
        "doctor": "Try out what is configured, and say how to mend it.",
    }
)
"""Every command, with its line in ``quaere --help``.

``ask`` lives in the module ``quaere.faces.cli.ask``, whose ``register(app)`` adds it to the
application.
"""

PLUGINS = "quaere.commands"
"""Entry-point group of further commands; each names a module with ``register(app)``."""

EPILOG = """\
Exit codes:

\b
  0    answered, or done
  1    it could not be done; standard error says why
  2    the command, an option, a setting or the question cannot be used
  3    answered, but parts of the question stay open
  4    no evidence found that answers the question
  130  interrupted

An option overrides the environment (QUAERE_DOCS, RESEARCH_MAX_ITERS and so on), which overrides \
the profile.
"""


def main() -> None:
    """Run the command that the process was called with, and exit."""
    signal.signal(signal.SIGTERM, _terminated)
    settle_streams()
    arguments = sys.argv[1:]
    try:
        get_command(application(arguments))(arguments, prog_name="quaere")
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line, with the command that ``arguments`` name; the rest by name only."""
    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(epilog=EPILOG)(_quaere)
    wanted = _command(arguments)
    for name, summary in COMMANDS.items():
        if name == wanted:
            import_module(f"quaere.faces.cli.{name}").register(app)
        else:
            app.command(name, help=summary)(_not_loaded)
    if wanted not in COMMANDS:  # the scan for installed packages takes some 20 ms
        for plugin in entry_points(group=PLUGINS):
            if plugin.name == wanted:
                import_module(plugin.value).register(app)
            else:
                summary = plugin.dist.metadata["Summary"] if plugin.dist else ""
                app.command(plugin.name, help=summary)(_not_loaded)
    return app


def _command(arguments: Sequence[str]) -> str:
    """Return the command that ``arguments`` name; empty for none."""
    words = iter(arguments)
    for word in words:
        if word == "--log-format":
            next(words, "")  # its value
        elif not word.startswith("-"):
            return word
    return ""


def _print_version(wanted: bool) -> None:
    if wanted:
        emit(f"quaere {__version__}\n")
        raise typer.Exit


def _quaere(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show logs, library warnings and tracebacks.")
    ] = False,
    log_format: Annotated[
        LogFormat | None,
        typer.Option("--log-format", help="Write logs, as lines of text or as JSON."),
    ] = None,
) -> None:
    """Deep research whose every sentence can be checked against the page it cites."""
    del version  # answered by its callback
    context.obj = debug
    LOG_FORMAT.set(log_format)
    if not debug:
        spare_tracebacks()
        context.with_resource(_errors_told())


@contextmanager
def _errors_told() -> Generator[None]:
    """Turn an error of ours into one line on standard error and its exit code."""
    try:
        yield
    except QuaereError as error:
        complain(error.message)
        raise typer.Exit(exit_code(error)) from error


def _not_loaded() -> None:
    """Stand in for a command in the list of commands."""


def _terminated(signum: int, frame: FrameType | None) -> NoReturn:
    """Exit by the usual way, which ends the processes that parse files."""
    del frame
    sys.exit(128 + signum)
