"""``quaere index``: Build or refresh the index of folders and files."""

from __future__ import annotations

import math
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from quaere.domain.events import IndexProgress, WarningRaised
from quaere.domain.report import RunWarning
from quaere.domain.value import Value
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import Watcher, importing, watching
from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.ports.search import Preparable
from quaere.search.fanout import prepare
from quaere.synthesize.inert import visible
from quaere.view.layout import counted


class Broken(Value):
    """A file that could not be read."""

    path: str
    reason: str


class Summary(Value):
    """The outcome of a refresh."""

    files: int
    """Files of a known format, including the broken ones."""
    passages: int
    broken: tuple[Broken, ...]
    notes: tuple[str, ...]
    """What else was skipped."""
    seconds: float


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("index", cls=PlainCommand, no_args_is_help=True)(index)


def index(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH", help="Files and folders to index.")
    ],
    *,
    form: options.Form = ShortFormat.TEXT,
    quiet: options.Quiet = False,
) -> None:
    """Build or refresh the index of folders and files.

    Only new, changed and deleted files take time. Files that cannot be read are listed with the
    reason and are not an error; the exit code is 1 when nothing could be indexed.
    """
    title = f"indexing {', '.join(map(str, paths))}"
    with watching(title, quiet=quiet) as watcher:
        with importing():
            from quaere.faces.cli.running import in_app, settle

        summary = in_app(settle(), lambda app: refresh(app.resources.folder(paths), watcher))
    if form is ShortFormat.JSON:
        emit(f"{summary.model_dump_json(indent=2)}\n")
    else:
        emit(told(summary))
    raise typer.Exit(ExitCode.ANSWERED if summary.passages else ExitCode.ERROR)


async def refresh(provider: Preparable, watcher: Watcher) -> Summary:
    """Prepare ``provider`` while ``watcher`` shows its progress, and return a summary."""
    started = monotonic()
    indexing: IndexProgress | None = None
    broken: list[Broken] = []
    notes: list[str] = []
    async for event in prepare(provider, "folder", math.inf):
        watcher.show(event)
        match event:
            case IndexProgress():
                indexing = event
            case WarningRaised(warning=RunWarning(subject="", message=message)):
                notes.append(message)
            case WarningRaised(warning=RunWarning(subject=subject, message=message)):
                broken.append(Broken(path=subject, reason=message))
            case _:
                pass
    return Summary(
        files=indexing.total if indexing else 0,
        passages=indexing.passages if indexing else 0,
        broken=tuple(broken),
        notes=tuple(notes),
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
