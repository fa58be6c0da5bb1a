"""How a command ends: its exit code, and what it says when it fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict, cast

import typer

from quaere.errors import QuaereError, UsageError, named
from quaere.faces.cli.terminal import complain, discard_output, emit

if TYPE_CHECKING:
    from quaere.domain.report import Report, RunWarning


class ExitCode(IntEnum):
    """Exit codes, as listed by ``quaere --help``."""

    ANSWERED = 0
    """The question was answered; for other commands: success."""
    ERROR = 1
    """The command failed, or no search service answered; standard error says why."""
    USAGE = 2
    """The command, an option, a setting or the question is not valid, or the folders hold nothing
    to read."""
    INSUFFICIENT = 3
    """There is an answer, but parts of the question stay open."""
    NO_EVIDENCE = 4
    """No evidence was found that answers the question."""
    DEGRADED = 5
    """With --strict: a model that was named was not used throughout."""
    INTERRUPTED = 130
    """Ctrl-C: 128 + SIGINT, the convention of shells."""
    UNREAD = 141
    """Nobody reads any longer what is printed: 128 + SIGPIPE, the same convention."""


BY_STATUS: Mapping[str, ExitCode] = MappingProxyType(
    {
        "answered": ExitCode.ANSWERED,
        "insufficient": ExitCode.INSUFFICIENT,
        "no_evidence": ExitCode.NO_EVIDENCE,
    }
)
"""Exit codes of a run that ended with a report, by the status of the report."""


DOCTOR = "`quaere doctor` asks each service by itself and says what to do."


def ending(report: Report, *, strict: bool) -> ExitCode:
    """Return the exit code of a command that ended with ``report``.

    If nothing could be searched, standard error says so: that is not the same as finding nothing.
    """
    if report.status == "no_evidence" and (hindrance := _hindrance(report)):
        code, message = hindrance
        complain(message)
        return code
    if strict and any(each.instead for each in report.degradations):
        return ExitCode.DEGRADED
    return BY_STATUS[report.status]


def _hindrance(report: Report) -> tuple[ExitCode, str] | None:
    """Return what kept the run of ``report`` from searching anything, if something did."""
    if report.unsearched:
        return ExitCode.ERROR, f"{report.unsearched} {DOCTOR}"
    searched = set(report.figures.searches)
    if searched <= {"folder"} and (empty := _warning(report, "empty")):
        return ExitCode.USAGE, empty.message
    if searched == {"given"} and _unread(report):
        why = _warning(report, "read")
        told = f" {named(why.subject, why.message)}" if why else ""
        return ExitCode.ERROR, f"None of the pages that --url names could be read.{told}"
    return None


def _warning(report: Report, kind: str) -> RunWarning | None:
    """Return the first warning of its ``kind``."""
    return next((each for each in report.warnings if each.kind == kind), None)


def _unread(report: Report) -> bool:
    """Return whether pages were to be read and none was."""
    from quaere.view.describe import READABLE

    fetches = report.figures.fetches
    return bool(fetches) and READABLE.isdisjoint(fetches)


MACHINE_FORMATS = frozenset({"json", "brief"})
"""Values of ``--format`` with which an error is printed as JSON on standard output, too."""


class NotSaved(QuaereError):
    """A report could not be written to its file; it was printed on standard output instead."""


class ErrorBody(TypedDict):
    """What went wrong, as every face tells it (R0.3)."""

    type: str
    message: str
    retryable: bool


def exit_code(error: QuaereError) -> ExitCode:
    """Return the exit code of a command that ended with ``error``."""
    return ExitCode.USAGE if isinstance(error, UsageError) else ExitCode.ERROR


def wants_json(arguments: Sequence[str]) -> bool:
    """Return whether ``arguments`` ask for a format that a program reads: JSON or brief.

    The arguments need not be valid: an error in them is reported in that format as well.
    """
    asked = ""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        if word == "--":
            break
        if name == "--format":
            asked = value if equals else following
        elif word.startswith(("-f", "-qf")):  # -q is the only short flag without a value
            asked = word.partition("f")[2] or following
    return asked in MACHINE_FORMATS


def error_body(error: BaseException) -> ErrorBody | None:
    """Return what ``error`` tells a program; None when it is a regular way to end."""
    if isinstance(error, NotSaved | typer.Exit | BrokenPipeError):
        return None
    if isinstance(error, QuaereError):
        return ErrorBody(type=error.type, message=error.message, retryable=error.retryable)
    if isinstance(error, KeyboardInterrupt | SystemExit | typer.Abort):
        message = "The command was interrupted before it finished."
        return ErrorBody(type="interrupted", message=message, retryable=True)
    message_of = getattr(error, "format_message", None)
    if callable(message_of):  # Typer's own: an unknown option, a value that is not valid
        message = cast("Callable[[], str]", message_of)()
        return ErrorBody(type="usage_error", message=message, retryable=False)
    return ErrorBody(type="internal_error", message=defect_message(error), retryable=False)


def defect_message(error: BaseException) -> str:
    """Return what to say of an error that nobody foresaw."""
    name = type(error).__name__
    return f"Internal error ({name}): {error}. Run with `quaere --debug` to see the traceback."


@contextmanager
def errors_reported(arguments: Sequence[str], *, debug: bool) -> Generator[None]:
    """Report an error of the command within, and end it with the exit code for it.

    One line goes to standard error; with ``--format json`` or ``brief``, ``{"error": …}`` goes to
    standard output, where a program expects the report. With ``debug``, errors of this package keep
    their tracebacks.
    """
    try:
        yield
    except BrokenPipeError as error:
        discard_output()
        raise typer.Exit(ExitCode.UNREAD) from error
    except BaseException as error:
        body = error_body(error)
        if body and wants_json(arguments):
            _print(body)
        if not isinstance(error, QuaereError) or debug:
            raise
        complain(error.message)
        raise typer.Exit(exit_code(error)) from error


def _print(body: ErrorBody) -> None:
    from json import dumps

    with suppress(QuaereError, BrokenPipeError):  # standard output is what failed
        emit(f"{dumps({'error': body})}\n")


def report_defect(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """Report in one line an error that nobody foresaw; for `sys.excepthook`."""
    del kind, trace
    complain(defect_message(error))


def hide_tracebacks() -> None:
    """Report errors that nobody foresaw in one line, without a traceback."""
    sys.excepthook = report_defect
