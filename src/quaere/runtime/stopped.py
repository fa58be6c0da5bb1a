"""Runs of this machine that were stopped and can be resumed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner
from quaere.errors import TraceNotFound, UsageError
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import runs_folder
from quaere.store.recording.run_file import RunFile
from quaere.store.run_id import resolve_run_id
from quaere.text.sanitize import quoted


@dataclass(frozen=True, slots=True)
class Stopped:
    """A run that was stopped and can be resumed."""

    spec: RunSpec
    stopped: datetime
    answers: int
    """Searches, pages and model calls that it need not make again."""


def stopped_runs(settings: Settings, owner: Owner) -> list[Stopped]:
    """Return the runs that ``owner`` can resume, the last one first, none of them running."""
    found: list[Stopped] = []
    for path in runs_folder(settings).glob("*.run"):
        try:
            stopped = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            file = RunFile.open(path)
        except (FileNotFoundError, UsageError):  # it ended meanwhile, or is running
            continue
        if file.spec.owner == owner:
            found.append(Stopped(file.spec, stopped, file.answers))
        file.close()
    return sorted(found, key=lambda run: run.stopped, reverse=True)


def stopped_run(settings: Settings, owner: Owner, run_id: str) -> RunFile:
    """Return the open file of the run of that id, or the only one whose id begins so.

    Raises:
        UsageError: when ``owner`` has none, several begin so, or somebody works on it.
    """
    ids = [path.stem for path in runs_folder(settings).glob("*.run")]
    file = RunFile.open(run_path(settings, resolve_run_id(run_id, ids)))
    if file.spec.owner != owner:
        file.close()
        raise TraceNotFound(f"No run has the id {quoted(run_id)}.")
    return file


def run_path(settings: Settings, run_id: str) -> Path:
    """Return the file of the run of that id."""
    return runs_folder(settings) / f"{run_id}.run"
