"""``quaere index``: brings the index of folders up to date."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from quaere.domain.events import WarningRaised
from quaere.domain.report import RunWarning
from quaere.domain.value import Value
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import Watcher, importing, watching
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.ports.search import Preparable
from quaere.search.prepare import prepare
from quaere.synthesize.inert import visible
from quaere.view.layout import counted
from quaere.view.reduce import Progress


class Broken(Value):
    """A file that could not be read."""

    path: str
    reason: str


class Summary(Value):
    """What a refresh came to."""

    files: int
    """Files that are worth opening, the broken ones included."""
    passages: int
    broken: tuple[Broken, ...]
    notes: tuple[str, ...]
    """What else was left out."""
    seconds: float


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("index", no_args_is_help=True)(index)


def index(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files and folders.")],
    *,
    form: options.Form = ShortFormat.TEXT,
    quiet: options.Quiet = False,
) -> None:
    """Build or refresh the index of folders and files.

    Only what is new, changed or gone takes time. A file that cannot be read is named with its
    reason and is no error; the exit code is 1 when nothing at all could be indexed.
    """
    debug = bool(context.obj)
    title = f"indexing {', '.join(map(str, paths))}"
    with watching(title, quiet=quiet, logging=debug) as watcher:
        with importing():
            from quaere.faces.cli.environment import settle
            from quaere.runtime.wiring import build_folder

        provider = build_folder(settle(debug=debug), paths)
        summary = asyncio.run(refresh(provider, watcher))
    if form is ShortFormat.JSON:
        emit(f"{summary.model_dump_json(indent=2)}\n")
    else:
        emit(told(summary))
    raise typer.Exit(ExitCode.ANSWERED if summary.passages else ExitCode.ERROR)


async def refresh(provider: Preparable, watcher: Watcher) -> Summary:
    """Let ``provider`` get ready while ``watcher`` shows it, and sum up."""
    started = monotonic()
    progress = Progress()
    warnings: list[RunWarning] = []
    async for event in prepare(provider, "folder", math.inf):
        progress = progress.after(event)
        watcher.show(event, progress)
        if isinstance(event, WarningRaised):
            warnings.append(event.warning)
    indexing = progress.indexing
    return Summary(
        files=indexing.total if indexing else 0,
        passages=indexing.passages if indexing else 0,
        broken=tuple(Broken(path=w.subject, reason=w.message) for w in warnings if w.subject),
        notes=tuple(w.message for w in warnings if not w.subject),
        seconds=round(monotonic() - started, 3),
    )


def told(summary: Summary) -> str:
    """Return ``summary`` as lines for a person."""
    counts = (
        counted(summary.files, "file"),
        counted(summary.passages, "passage"),
        f"{len(summary.broken):,} broken",
        f"{summary.seconds:.1f} s",
    )
    lines = [", ".join(counts)]
    lines += [f"  broken: {visible(b.path)}: {visible(b.reason)}" for b in summary.broken]
    lines += [f"  note: {visible(note)}" for note in summary.notes]
    return "\n".join(lines) + "\n"
