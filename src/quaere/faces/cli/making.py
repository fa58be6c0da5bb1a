"""Makes a run for a command: begins it, shows it, and says how to have it again if it stops."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from quaere.domain.events import Event, ModelCalled
from quaere.domain.report import Report
from quaere.domain.request import Reuse
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.errors import QuaereError, UsageError
from quaere.faces.cli.follow import Watcher
from quaere.faces.cli.terminal import complain, say
from quaere.resilience.timing import SystemClock
from quaere.runtime.app import App
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings
from quaere.store.recording.cassette import Recorder, Replay, read_cassette, write_cassette
from quaere.view.reduce import Progress

Begin = Callable[[App], Awaitable[LiveRun]]


def make(
    settings: Settings,
    begin: Begin,
    watcher: Watcher,
    note: Callable[[Event], object],
    *,
    quiet: bool = False,
) -> tuple[LiveRun, Report]:
    """Return the run that ``begin`` begins, and its report.

    ``watcher`` and ``note`` have its events. A run that is stopped says how it can be resumed.

    Raises:
        QuaereError: when it came to no report.
    """

    async def made() -> tuple[LiveRun, Report]:
        async with App.open(settings) as app:
            run = await begin(app)
            with _told(run):
                offer = run.spec.request.reuse is Reuse.OFFER
                similar = asyncio.create_task(app.similar(run.spec.request.question))
                report = await _follow(run, watcher, note, quiet=quiet)
                if offer and (before := await similar):
                    say(
                        f"Nearly the same was asked on {before.completed:%Y-%m-%d}, in the run "
                        f"{before.run_id}; --reuse searches what was read then, too."
                    )
                return run, report

    return asyncio.run(made())


async def _follow(
    run: LiveRun, watcher: Watcher, note: Callable[[Event], object], *, quiet: bool
) -> Report:
    progress = Progress()
    told = 0
    failed: set[str] = set()
    async for event in run.events():
        progress = progress.after(event)
        watcher.show(event, progress)
        if isinstance(event, ModelCalled) and event.call.error and event.call.model not in failed:
            failed.add(event.call.model)
            complain(f"warning: {event.call.model} failed: {event.call.error}")
        for notice in run.notices[told:]:
            if not (quiet and notice.endswith("=false.")):  # what the operator has chosen
                complain(f"warning: {notice}")
        told = len(run.notices)
        note(event)
    return await run.report()


@contextmanager
def _told(run: LiveRun) -> Generator[None]:
    try:
        yield
    except (asyncio.CancelledError, KeyboardInterrupt, SystemExit, QuaereError):
        if run.resumable:
            say(f"The run was stopped. To continue it, run: quaere resume {run.id}\n")
        raise


@contextmanager
def handing_over(run: LiveRun) -> Generator[None]:
    """Keep what ``run`` could be resumed from until its report is written within."""
    try:
        yield
    except BrokenPipeError:  # the reader has seen enough
        run.settle()
        raise
    except BaseException:
        if run.resumable:
            say(f"To get the report again, run: quaere resume {run.id}\n")
        raise
    run.settle()


def hand_in(settings: Settings, *, wanted: bool) -> None:
    """Bring the trace into a database that others look at, too; one's own file can wait."""
    if not (wanted and settings.trace and settings.database_url):
        return

    async def taken() -> None:
        async with App.open(settings) as app:
            await app.traces(lambda problem: complain(f"warning: {problem}"))

    try:
        asyncio.run(taken())
    except QuaereError as error:
        complain(f"warning: the trace waits on this machine. {error.message}")


def check_terminal() -> None:
    """Check that a person can be asked.

    Raises:
        UsageError: when standard input or standard error is not a terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "--approve-plan needs a terminal; standard input and standard error must be one."
        )


class AtTerminal:
    """A `quaere.ports.human.Human` who sits at the terminal."""

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Show ``inquiry`` on standard error and return what is typed in."""
        if inquiry.kind is InquiryKind.CLARIFICATION:
            say(inquiry.text)
            return Reply(text=await _line("Your answer (Enter to skip): "))
        say("Proposed topics:")
        for number, topic in enumerate(inquiry.topics, 1):
            say(f"  {number}. {topic}")
        typed = await _line("Enter to approve, numbers to keep (1,3), or other topics (a; b): ")
        return Reply(topics=chosen(typed, inquiry.topics))


def chosen(typed: str, topics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ``topics`` whose numbers were ``typed``, or the topics that were typed instead."""
    parts = [part.strip() for part in typed.replace(",", ";").split(";") if part.strip()]
    if parts and all(part.isdecimal() for part in parts):
        kept = [int(part) for part in parts]
        return tuple(dict.fromkeys(topics[n - 1] for n in kept if 0 < n <= len(topics)))
    return tuple(dict.fromkeys(part for part in map(str.strip, typed.split(";")) if part))


async def _line(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


@contextmanager
def recording(path: Path | None) -> Generator[Recorder | None]:
    """Yield a recorder, and write its recording to ``path`` however the run ends.

    Yields None when ``path`` is None.

    Raises:
        QuaereError: when the file cannot be written.
    """
    if path is None:
        yield None
        return
    recorder = Recorder(SystemClock())
    try:
        yield recorder
    finally:
        write_cassette(path, recorder.cassette)


def replaying(path: Path | None) -> Replay | None:
    """Return the recording in ``path``; None when ``path`` is None.

    Raises:
        CassetteError: when it is unreadable, damaged, of a newer version, or not a cassette.
    """
    return Replay(read_cassette(path)) if path else None
