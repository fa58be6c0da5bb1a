"""What all commands do alike when they write."""

from __future__ import annotations

import io
import os
import sys
import warnings
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType

from quaere.errors import QuaereError
from quaere.runtime.logs import LogFormat
from quaere.synthesize.inert import visible

LOG_FORMAT: ContextVar[LogFormat | None] = ContextVar("log_format", default=None)
"""What ``--log-format`` asks for in this command."""


def settle_streams() -> None:
    """Let no character that a stream cannot encode end the command.

    What goes to a file or a pipe is UTF-8, as JSON has to be (RFC 8259, section 8.1); a terminal
    keeps its own encoding and shows a replacement.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def emit(text: str) -> None:
    """Write ``text`` to standard output, now: a closed pipe is noticed here, not at exit."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What could not be written would be tried again, and complained of, when Python ends.
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise QuaereError(f"Cannot write to standard output: {error.strerror}.") from error


def say(text: str) -> None:
    """Write one line to standard error."""
    sys.stderr.write(f"{visible(text)}\n")
    sys.stderr.flush()


def complain(message: str) -> None:
    """Say in one line on standard error what went wrong."""
    say(f"quaere: {message}")


def spare_tracebacks() -> None:
    """Show warnings of libraries to nobody, and a defect of ours in one line."""
    warnings.simplefilter("ignore")
    sys.excepthook = _report_defect


def _report_defect(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    del trace
    complain(f"internal error: {kind.__name__}: {error} (quaere --debug shows where)")
