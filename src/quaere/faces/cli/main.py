"""The command line: finds the command that was called and imports no other."""

from __future__ import annotations

import re
import signal
import sys
import warnings
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import Annotated, NamedTuple, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from quaere.errors import SettingsError
from quaere.faces import cli
from quaere.faces.cli.exits import ExitCode, errors_reported, hide_tracebacks
from quaere.faces.cli.terminal import DEBUG, LOG_FORMAT, emit, settle_streams
from quaere.ports.plugins import in_words, plugin, summaries
from quaere.runtime.logs import LogFormat
from quaere.version import __version__

_COMMAND = re.compile(r"^``quaere (\w+)``: (.+\.)$", re.MULTILINE)
"""Line of the docstring of a module that has a command: its name and its summary."""

PLUGINS = "quaere.commands"
"""Entry-point group of further commands; each names a module with ``register(app)``."""

MAX_WRONG_LETTERS = 2
"""Letters by which a word may differ from a command and still be that command mistyped."""
_OWN_OPTIONS = frozenset({"--version", "--debug", "--log-format", "--help", "-h"})

EPILOG = """\
Without a command, a question of two words or more, or with a "?", is asked: quaere why is it so

Exit codes:

\b
  0    answered, or done
  1    failed, or no search service answered; standard error says why
  2    the command, an option, a setting or the question is not valid, or the folders hold
       nothing to read
  3    answered, but parts of the question stay open
  4    no evidence found that answers the question
  5    with --strict: a model that was named was not used throughout
  130  interrupted
  141  what reads its output has gone, as head does

An option overrides the environment (QUAERE_DOCS, RESEARCH_MAX_ITERS and so on), which overrides \
the profile. What a command gives goes to standard output, be it only the word that it is done; \
progress, notes, questions and errors go to standard error. With --format json or brief, an error \
is printed as JSON on standard output as well.
"""


def main() -> None:
    """Run the command that the process was called with, and exit."""
    signal.signal(signal.SIGTERM, _terminated)
    settle_streams()
    arguments = with_command(sys.argv[1:])
    try:
        get_command(application(arguments))(arguments, prog_name="quaere")
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)


class Command(NamedTuple):
    """What is known of a command before its module is imported."""

    module: str
    summary: str


def commands() -> dict[str, Command]:
    """Return every command by its name, in alphabetical order.

    A command is in a module of this package whose docstring has a line for it like ``quaere ask``'s
    first one, and whose ``register(app)`` adds it to the application. It is found without being
    imported.
    """
    found: dict[str, Command] = {}
    for module in (path for folder in cli.__path__ for path in Path(folder).glob("*.py")):
        docstring = module.read_text("utf-8").partition('"""')[2].partition('"""')[0]
        for name, summary in _COMMAND.findall(docstring):
            found[name] = Command(module.stem, summary)
    return dict(sorted(found.items()))


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the command line, with the command that ``arguments`` name; the rest by name only."""
    app = typer.Typer(
        cls=_Commands,
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "obj": tuple(arguments)},
    )
    app.callback(epilog=EPILOG)(_quaere)
    wanted, known = _command(arguments), commands()
    _add_own(app, wanted, known)
    if wanted not in known:  # the scan for installed packages takes some 20 ms
        _add_installed(app, wanted, known)
    return app


def _add_own(app: typer.Typer, wanted: str, known: Mapping[str, Command]) -> None:
    """Add the commands of this package, in alphabetical order."""
    meant = known[wanted].module if wanted in known else ""
    if meant:
        import_module(f"{cli.__name__}.{meant}").register(app)
    for name, command in known.items():
        if command.module != meant:
            app.command(name, help=command.summary)(_not_loaded)
    app.registered_commands.sort(key=lambda each: each.name or "")


def _add_installed(app: typer.Typer, wanted: str, known: Mapping[str, Command]) -> None:
    """Add the commands that packages bring along; none takes the place of what is there."""
    for name, summary in summaries(PLUGINS).items():
        if name in known:
            continue
        if name == wanted:
            _register(app, name)
        else:
            app.command(name, help=summary)(_not_loaded)


def _register(app: typer.Typer, name: str) -> None:
    """Add a command that a package brings along; one that cannot be loaded says so when called."""
    try:
        _registered(app, name)
    except SettingsError as error:
        broken = error

        def failed() -> NoReturn:
            raise broken

        anything = {"ignore_unknown_options": True, "allow_extra_args": True}
        app.command(name, context_settings=anything)(failed)


def _registered(app: typer.Typer, name: str) -> None:
    """Add a command that a package brings along.

    Raises:
        SettingsError: when it cannot be added.
    """
    module = plugin(PLUGINS, name, ModuleType)
    try:
        module.register(app)
    except Exception as error:  # code of others may raise anything
        raise SettingsError(
            f"Plug-in {name} of {PLUGINS} cannot be added: {in_words(error)}."
        ) from error


_UNSPACED = "\u3040"
"""The first of the kana, after which come the characters of Chinese."""


def with_command(arguments: Sequence[str]) -> list[str]:
    """Return ``arguments`` with "ask" before a question that was typed without a command.

    A question has two words or more, in quotes or not, or a question mark, or is in Chinese or
    Japanese, which put no spaces between words, and does not begin with a command, nor with what
    may be one mistyped. An option that no other command has asks, too.
    """
    place = _beginning(arguments)
    rest = arguments[place:]
    asks = rest and (rest[0].startswith("-") or _is_question(rest))
    return [*arguments[:place], *(["ask"] if asks else []), *rest]


def _beginning(arguments: Sequence[str]) -> int:
    """Return how many of ``arguments`` are options of ``quaere`` itself, and their values."""
    place = 0
    while place < len(arguments) and arguments[place].partition("=")[0] in _OWN_OPTIONS:
        place += 2 if arguments[place] == "--log-format" else 1
    return min(place, len(arguments))


def _is_question(words: Sequence[str]) -> bool:
    """Return whether ``words``, the first of them no option, begin with a question."""
    if len(words[0].split()) > 1 or words[0].endswith(("?", "？", "؟")):
        return True
    is_alone = len(words) < 2 or words[1].startswith("-")
    if is_alone and max(words[0], default="") < _UNSPACED:
        return False
    known = {*commands(), *summaries(PLUGINS)}
    return words[0] not in known and not any(_may_mean(words[0], name) for name in known)


def _may_mean(word: str, command: str) -> bool:
    """Return whether ``word`` may be ``command`` mistyped: "serach", but not "is" for "db"."""
    from rapidfuzz.distance import OSA  # needed for unknown words alone

    wrong = min(MAX_WRONG_LETTERS, (len(command) - 1) // 2)
    return OSA.distance(word.lower(), command, score_cutoff=wrong) <= wrong


def _command(arguments: Sequence[str]) -> str:
    """Return the command that ``arguments`` name; empty for none."""
    place = _beginning(arguments)
    return arguments[place] if place < len(arguments) else ""


class _Commands(TyperGroup):
    """The commands; what is wrong with their arguments is told in plain words."""

    def invoke(self, ctx: typer.Context) -> object:  # pyright: ignore[reportIncompatibleMethodOverride] (Click's are private)
        """Run the command that was called."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")  # pydantic's own words
            raise

    def get_command(self, ctx: typer.Context, cmd_name: str) -> object:  # pyright: ignore[reportIncompatibleMethodOverride] (Click's are private)
        """Return the command ``cmd_name``; a word that is like none may be a question."""
        found = super().get_command(ctx, cmd_name)
        is_word = cmd_name.isalnum() and not get_close_matches(cmd_name, self.commands)
        if found is None and is_word:
            ctx.fail(f"No such command {cmd_name!r}. To ask it: quaere ask {cmd_name}")
        return found


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
    arguments: tuple[str, ...] = context.obj
    DEBUG.set(debug)
    LOG_FORMAT.set(log_format)
    if not debug:
        warnings.simplefilter("ignore")
        hide_tracebacks()
    context.with_resource(errors_reported(arguments, debug=debug))


def _not_loaded() -> None:
    """Stand for a command in the list of commands."""


def _terminated(signum: int, frame: FrameType | None) -> NoReturn:
    """Exit in the regular way, which also ends the processes that parse files."""
    del frame
    sys.exit(128 + signum)
