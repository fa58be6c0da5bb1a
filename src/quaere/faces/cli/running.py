"""Runs work for a command in an App of its settings: a question is followed and may ask back."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from quaere.domain.events import Event, ModelCalled
from quaere.domain.model import NOT_WAITED_FOR, ModelCall
from quaere.domain.report import Report
from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.errors import QuaereError, SettingsError, UsageError
from quaere.faces.cli.follow import Watcher
from quaere.faces.cli.terminal import DEBUG, LOG_FORMAT, at_terminal, complain, say
from quaere.runtime.logs import configure
from quaere.runtime.settings import Settings, load_settings
from quaere.store.run_id import SHORT_ID_CHARS

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.runtime.run import LiveRun

T = TypeVar("T")

PARTS = ("model", "search", "folder")
"""What requests need and may name others of."""


def settle() -> Settings:
    """Return the settings, and configure logging to standard error.

    Progress and report say what matters to a person, so nothing is logged unless
    ``QUAERE_LOG_LEVEL``, ``QUAERE_LOG_FORMAT``, ``--log-format`` or ``--debug`` asks for it.

    Raises:
        SettingsError: when an environment variable has an invalid value.
    """
    settings = load_settings()
    wanted = LOG_FORMAT.get()
    level = logging.CRITICAL
    if DEBUG.get():
        level = logging.DEBUG
    elif "log_level" in settings.model_fields_set:
        level = _level(settings.log_level)
    elif wanted or "log_format" in settings.model_fields_set:
        level = logging.INFO
    configure(level, wanted or settings.log_format, redact=Redactor(settings))
    return settings


def in_app(settings: Settings, work: Callable[[App], Awaitable[T]]) -> T:
    """Return what ``work`` returns, which has an App of ``settings`` until it ends.

    Raises:
        SettingsError: when a setting cannot be used.
        Exception: what ``work`` raises.
    """
    from quaere.runtime.app import App

    async def worked() -> T:
        async with App.open(settings) as app:
            return await work(app)

    return asyncio.run(worked())


class Redactor:
    """Takes secrets out of a line; what knows them is made when a line is written first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, text: str) -> str:
        """Return ``text`` without secrets."""
        return self._message(text)

    @cached_property
    def _message(self) -> Callable[[str], str]:
        from quaere.runtime.redact import privacy_of  # loads every service's description

        return privacy_of(self._settings).message


def _level(name: str) -> int:
    levels = logging.getLevelNamesMapping()
    if name.upper() not in levels:
        raise SettingsError(f"Invalid QUAERE_LOG_LEVEL {name!r}; use one of {', '.join(levels)}.")
    return levels[name.upper()]


async def warn_of_faults(app: App) -> None:
    """Say which models, search services and folders cannot be used as they are set; ask none.

    It goes to standard error. The server begins all the same: a request may name others.
    """
    from quaere.runtime.doctor import CHECKS, diagnose

    checks = {part: CHECKS[part] for part in PARTS}
    diagnosis = await diagnose(app.resources, offline=True, checks=checks)
    for found in diagnosis.findings:
        if not found.sound:
            named = f"folder {found.name} " if found.part == "folder" and found.name else ""
            complain(f"warning: {named}{found.message}")


Begin: TypeAlias = "Callable[[App], Awaitable[LiveRun]]"


def run_to_report(
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

    async def made(app: App) -> tuple[LiveRun, Report]:
        run = await _begun(begin, app)
        with _told(run):
            report = await follow(run, watcher, note, quiet=quiet)
            if before := report.earlier_run:
                say(
                    f"Nearly the same was asked on {before.completed:%Y-%m-%d}, in the run "
                    f"{before.run_id[:SHORT_ID_CHARS]}; --reuse searches what was read then, too."
                )
            return run, report

    return in_app(settings, made)


async def _begun(begin: Begin, app: App) -> LiveRun:
    """Return the run that ``begin`` begins; one that is stopped meanwhile can be resumed, too."""
    beginning = asyncio.ensure_future(begin(app))
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        with suppress(QuaereError), _told(await beginning):  # or it could not begin
            raise
        raise


def _tell_once(call: ModelCall, failed: set[str]) -> None:
    """Warn of a ``call`` that failed, unless its model is among those that have ``failed``."""
    if call.error in {"", NOT_WAITED_FOR} or call.model in failed:
        return
    known = call.error.startswith(f"{call.model} ")
    complain(f"warning: {call.error}" if known else f"warning: {call.model} failed: {call.error}")
    failed.add(call.model)


async def follow(
    run: LiveRun, watcher: Watcher, note: Callable[[Event], object], *, quiet: bool
) -> Report:
    """Show and note the events of ``run``, and warn of what goes wrong; return its report.

    Raises:
        QuaereError: when it came to no report.
    """
    told = 0
    failed: set[str] = set()
    async for event in run.events():
        watcher.show(event)
        if isinstance(event, ModelCalled):
            _tell_once(event.call, failed)
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
            say("")  # after what the terminal shows of Ctrl-C, or of a question, on its line
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

    try:
        in_app(settings, lambda app: app.traces(lambda each: complain(f"warning: {each}")))
    except QuaereError as error:
        complain(f"warning: the trace is still on this machine only. {error.message}")


def approved(strategy: Strategy | None) -> Strategy:
    """Return the strategy of a run with approval of its topics, which only a supervisor has.

    Raises:
        UsageError: when another one was asked for, or there is no terminal to ask at.
    """
    if not at_terminal():
        raise UsageError(
            "--approve-plan needs a terminal; standard input and standard error must be one."
        )
    if strategy is Strategy.LOOP:
        raise UsageError(
            "--approve-plan cannot be combined with --strategy loop: a loop has no topics."
        )
    return Strategy.SUPERVISOR


class AtTerminal:
    """A `quaere.ports.human.Human` who sits at the terminal."""

    def __init__(self, aside: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """Ask within ``aside()``, which takes away what is drawn on the terminal meanwhile."""
        self._aside = aside

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Show ``inquiry`` on standard error and return what is typed in."""
        with self._aside():
            return await self._reply(inquiry)

    async def _reply(self, inquiry: Inquiry) -> Reply:
        if inquiry.kind is InquiryKind.CLARIFICATION:
            say(inquiry.text)
            return inquiry.reply_of(await _line("Your answer (Enter to skip): "))
        say("Proposed topics:")
        for number, topic in enumerate(inquiry.topics, 1):
            say(f"{number}. {topic}")
        while True:
            typed = await _line("Enter to approve, numbers to keep (1,3), or other topics (a; b): ")
            try:
                return inquiry.reply_of(typed)
            except UsageError as error:
                say(str(error))


class NobodyThere:
    """A `quaere.ports.human.Human` where there is no terminal: the run goes on without a reply."""

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Say on standard error that ``inquiry`` is not answered; return an empty reply."""
        say(f"Nobody can be asked here; going on without an answer to: {inquiry.text}")
        return Reply()


async def _line(prompt: str) -> str:
    """Return what is typed after ``prompt``.

    A thread that reads is not ended by Ctrl-C, and the command would wait for it: a line is read
    once it is there, where the loop can watch the terminal. Windows' cannot.
    """
    sys.stderr.write(prompt)
    sys.stderr.flush()
    loop, there = asyncio.get_running_loop(), asyncio.Event()
    try:
        typed = sys.stdin.fileno()
        loop.add_reader(typed, there.set)
    except (NotImplementedError, OSError):
        return (await asyncio.to_thread(sys.stdin.readline)).strip()
    try:
        await there.wait()
    finally:
        loop.remove_reader(typed)
    return sys.stdin.readline().strip()
