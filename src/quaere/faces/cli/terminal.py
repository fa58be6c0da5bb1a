"""Writing to standard output and standard error."""

from __future__ import annotations

import io
import os
import sys
from contextvars import ContextVar
from pathlib import Path
from textwrap import wrap
from time import monotonic
from typing import TextIO

from quaere.errors import QuaereError, cause_of
from quaere.runtime.logs import LogFormat
from quaere.synthesize.inert import visible

LOG_FORMAT: ContextVar[LogFormat | None] = ContextVar("log_format", default=None)
"""What ``--log-format`` asks for in this command."""
DEBUG: ContextVar[bool] = ContextVar("debug", default=False)
"""Whether this command was called with ``--debug``."""


_BEGUN: ContextVar[float] = ContextVar("begun")


def passed_s() -> float:
    """Return the seconds since the command began: what its user has waited, imports and all."""
    return monotonic() - _BEGUN.get(monotonic())


def settle_streams() -> None:
    """Make sure that no character is an encoding error; a command begins with it.

    Output to a file or a pipe is UTF-8, as JSON must be (RFC 8259, section 8.1); a terminal keeps
    its own encoding and shows a replacement character.
    """
    _BEGUN.set(monotonic())
    _fill_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")


def _fill_closed() -> None:
    """Put something in the place of streams that were closed before the command began.

    Python has None for them, and the next file that is opened would have their number. What is
    written to standard error is lost then; to write to standard output fails, as it must.
    """
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 (for all that follows)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def at_terminal() -> bool:
    """Return whether somebody can be asked: on standard error, to answer on standard input."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def emit(text: str) -> None:
    """Write ``text`` to standard output and flush it, so that errors show here and not at exit.

    Raises:
        BrokenPipeError: when the reader has closed the pipe.
        QuaereError: when it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise QuaereError(f"Cannot write to standard output: {cause_of(error)}.") from error


def discard_output() -> None:
    """Send what is still to be written to standard output nowhere.

    Python would try again at exit to write what could not be written, and report it.
    """
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def say(text: str) -> None:
    """Write one line to standard error; in a terminal, broken between words at its width."""
    line, width = visible(text), _columns(sys.stderr)
    lines = wrap(line, width, break_long_words=False, break_on_hyphens=False) if width else [line]
    sys.stderr.write("".join(f"{each}\n" for each in lines or [""]))
    sys.stderr.flush()


def _columns(stream: TextIO) -> int:
    """Return how wide the terminal of ``stream`` is; 0 where it is none, or does not tell."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:  # a stream of a test has no number
        return 0


def complain(message: str) -> None:
    """Write an error or warning to standard error, in one line."""
    say(f"quaere: {message}")
