"""What the exit code of the command says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType

from quaere.errors import QuaereError, UsageError


class ExitCode(IntEnum):
    """Exit codes, as ``quaere --help`` tells them."""

    ANSWERED = 0
    """The question was answered; for other commands: done."""
    ERROR = 1
    """It could not be done; standard error says why."""
    USAGE = 2
    """The command, an option, a setting or the question cannot be used as given."""
    INSUFFICIENT = 3
    """There is an answer, but parts of the question stay open."""
    NO_EVIDENCE = 4
    """Nothing was found that answers the question."""
    INTERRUPTED = 130
    """Ctrl-C: 128 + SIGINT, as shells have it."""


BY_STATUS: Mapping[str, ExitCode] = MappingProxyType(
    {
        "answered": ExitCode.ANSWERED,
        "insufficient": ExitCode.INSUFFICIENT,
        "no_evidence": ExitCode.NO_EVIDENCE,
    }
)
"""Exit codes of a run that came to a report, by the report's status."""


def exit_code(error: QuaereError) -> ExitCode:
    """Return the exit code of a command that ended in ``error``."""
    return ExitCode.USAGE if isinstance(error, UsageError) else ExitCode.ERROR
