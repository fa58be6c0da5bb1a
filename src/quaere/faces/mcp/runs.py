"""Runs of the research tools: on whose behalf they are started, found and followed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from quaere.domain.access import UNLIMITED, KeyLimits, Right
from quaere.domain.events import (
    Event,
    InquiryAnswered,
    InquiryRaised,
    RunFailed,
    RunFinished,
)
from quaere.domain.request import RunRequest
from quaere.domain.team import Inquiry, Reply
from quaere.domain.tool import ToolProgress
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import QuaereError, TraceConflict, TraceNotFound, UsageError
from quaere.faces.mcp.forms import RunStatus, StatusOutput
from quaere.faces.tool import CallState
from quaere.runtime.app import LOCAL, App
from quaere.runtime.check import Payer
from quaere.runtime.run import Inbox, LiveRun, Run
from quaere.runtime.stored_runs import StoredRun
from quaere.synthesize.inert import visible


class Visitor(Protocol):
    """The user on whose behalf a tool is called."""

    @property
    def owner(self) -> Owner:
        """Whose runs they see."""
        ...

    @property
    def limits(self) -> KeyLimits:
        """What their key allows them."""
        ...

    @property
    def roots(self) -> Sequence[Path]:
        """Folders and files that a text of theirs may cite."""
        ...

    def need(self, right: Right) -> None:
        """Raise NotAllowed where they lack ``right``."""
        ...

    def masked(self, text: str) -> str:
        """Return ``text``, plain or JSON, as they may see it."""
        ...

    async def searched(self) -> Sequence[Path]:
        """Return the folders in which sources may be looked up for a text of theirs.

        Raises:
            StoreError: when the database cannot be used.
        """
        ...

    async def located(self, address: str) -> tuple[str, Sequence[Path]]:
        """Return the URL that ``address`` stands for, and the folders that it may lie in.

        Raises:
            QuaereError: when it names a folder that they may not use.
        """
        ...


@dataclass(frozen=True, slots=True)
class LocalUser:
    """The user of this machine, who may do everything and sees paths as they are."""

    roots: Sequence[Path]
    owner: Owner = LOCAL
    limits: KeyLimits = UNLIMITED

    def need(self, right: Right) -> None:
        """Allow everything."""
        del right

    def masked(self, text: str) -> str:
        """Return ``text`` unchanged."""
        return text

    async def searched(self) -> Sequence[Path]:
        """Return all that they may cite."""
        return self.roots

    async def located(self, address: str) -> tuple[str, Sequence[Path]]:
        """Return ``address`` itself."""
        return address, self.roots


Send = Callable[[float, str], Awaitable[None]]
"""Takes progress from 0 to 1 and a line of text."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a call may take, and how often it gives a sign of life."""

    hand_back_s: float = 45.0
    """When a call hands back a run that goes on: many clients give up after 60 seconds."""
    heartbeat_s: float = 8.0
    """Without news, progress is told after so long."""
    reply_s: float = 300.0
    """How long a run waits for what it asks the user; then it goes on as it has proposed."""


class Teller:
    """Tells the client of a call how far it is, at least as often as a heartbeat."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._shown = 0.0
        self._said = "Starting"
        self._begun = self._told = time.monotonic()

    async def tell(self, progress: float, message: str) -> None:
        """Send ``message`` with a value from 0 to 1 that is above all before it.

        The protocol asks that the value rise with every notification.
        """
        above = self._shown + (1 - self._shown) / 1000
        self._shown = progress if progress > self._shown else above
        self._said, self._told = message, time.monotonic()
        await self._send(self._shown, visible(message))

    async def beat(self, every_s: float) -> None:
        """Repeat what was told last, with the time, whenever nothing was told for ``every_s``."""
        while True:
            await asyncio.sleep(max(0.0, self._told + every_s - time.monotonic()))
            if time.monotonic() - self._told >= every_s:
                said = self._said
                await self.tell(self._shown, f"{said} ({time.monotonic() - self._begun:.0f} s)")
                self._said = said


class Runs:
    """The runs of an open App, by their owners."""

    def __init__(self, app: App, *, queued: bool = False, pace: Pace | None = None) -> None:
        """Begin runs in ``app``.

        Args:
            app: Makes the runs, and stays open.
            queued: Whether workers make them; otherwise the App does.
            pace: How long calls may take.
        """
        self.app = app
        self.pace = pace or Pace()
        self._queued = queued
        self._limits = dict[asyncio.Timeout, asyncio.AbstractEventLoop]()
        self._handing_back = False
        self._inboxes = dict[str, Inbox]()
        self._settling = set[asyncio.Task[None]]()

    async def begin(self, request: RunRequest, owner: Owner, limits: KeyLimits = UNLIMITED) -> Run:
        """Begin the run that ``request`` asks for, within what the key of ``owner`` allows.

        Raises:
            UsageError: when it cannot be asked like this.
            QuotaExceeded: when ``limits`` do not allow it now.
            StoreError: when it cannot be kept.
        """
        if self._queued:
            trace = await self.app.submit(request, owner, limits=limits)
            return await self.app.run_of(trace, owner)
        inbox = Inbox(self.pace.reply_s)
        return self._settled_at_end(await self.app.start(request, owner, human=inbox), inbox)

    def payer(self, owner: Owner, limits: KeyLimits) -> Payer | None:
        """Return who pays for the models that a check asks; nobody in the process of its user."""
        return Payer(owner, limits) if self._queued else None

    async def find(self, run_id: str, owner: Owner) -> Run:
        """Return a run of ``owner``; one that stopped with an earlier process goes on.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            UsageError: when it stopped and cannot go on.
            StoreError: when the database cannot be used.
        """
        run = await self.app.run(run_id, owner)
        run = await self.app.run(run.id, owner)  # the first may have been given its beginning
        if self._queued or isinstance(run, LiveRun) or await _ending(run):
            return run
        try:
            inbox = Inbox(self.pace.reply_s)
            resumed = await self.app.resume(run.id, owner, human=inbox)
            return self._settled_at_end(resumed, inbox)
        except TraceNotFound:  # nothing was kept to go on from
            await self._check_not_interrupted(run)
            return run
        except UsageError:  # another process makes it
            return run

    async def _check_not_interrupted(self, run: Run) -> None:
        trace = await (await self.app.traces()).get_trace(run.owner, run.id)
        if trace.status is TraceStatus.INTERRUPTED:
            raise UsageError(
                f"The run {run.id} was interrupted, and nothing was kept to continue it. Ask the "
                "question again."
            )

    async def follow(
        self,
        run: Run,
        seconds: float,
        teller: Teller,
        *,
        replied: Collection[Inquiry] | None = None,
    ) -> Inquiry | None:
        """Report the progress of ``run`` until it ends or ``seconds`` have passed.

        Returns:
            What it asks back, as soon as it waits for a reply and is not among ``replied``; never
            where that is left out.

        Raises:
            StoreError: when the run is made elsewhere and the database cannot be used.
        """
        state, limit = CallState(), asyncio.timeout(seconds)
        try:
            async with limit, aclosing(run.events()) as events:
                self._limits[limit] = asyncio.get_running_loop()
                if self._handing_back:  # told before this call followed its run
                    self._expire(limit)
                async for event in events:
                    state = state.after(event)
                    if progress := state.report(event):
                        await teller.tell(progress.progress, progress.message)
                    if inquiry := await _asked(run, event, replied):
                        return inquiry
        except TimeoutError:
            if not limit.expired():
                raise
        finally:
            self._limits.pop(limit, None)
        return None

    async def reply(self, run: Run, inquiry: Inquiry, reply: Reply) -> None:
        """Answer what ``run`` asks; one that has waited long enough has gone on without.

        Raises:
            StoreError: when the run is made elsewhere and the database cannot be used.
        """
        inbox = self._inboxes.get(run.id)
        with suppress(UsageError, TraceConflict):
            if inbox:
                inbox.reply(inquiry.id, reply)
            else:
                await run.reply(inquiry.id, reply)

    def hand_back(self) -> None:
        """Let all calls that follow a run, now or later, return at once; from any thread."""
        self._handing_back = True
        for limit, loop in self._limits.copy().items():
            loop.call_soon_threadsafe(self._expire, limit)

    def _expire(self, limit: asyncio.Timeout) -> None:
        if limit in self._limits:
            limit.reschedule(asyncio.get_running_loop().time())

    def _settled_at_end(self, run: LiveRun, inbox: Inbox) -> Run:
        """Have ``run`` forget what it could be resumed from, once its report is kept."""
        self._inboxes[run.id] = inbox
        task = asyncio.create_task(_settle(run))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)
        task.add_done_callback(lambda _: self._inboxes.pop(run.id, None))
        return run


async def _settle(run: LiveRun) -> None:
    with suppress(QuaereError):  # stopped or failed: it can be resumed
        await run.report()
        await asyncio.to_thread(run.settle)


async def _asked(run: Run, event: Event, replied: Collection[Inquiry] | None) -> Inquiry | None:
    """Return what ``run`` asks by ``event`` and waits for; it asks each kind once at most."""
    if replied is None or not isinstance(event, InquiryRaised) or event.inquiry in replied:
        return None
    asked = event.inquiry
    told = await run.so_far()
    over = any(isinstance(each, InquiryAnswered) and each.kind is asked.kind for each in told)
    return None if over else asked


async def _ending(run: Run) -> Event | None:
    """Return the event that ended ``run``; None while it goes on."""
    events = await run.so_far()
    last = events[-1] if events else None
    return last if isinstance(last, RunFinished | RunFailed) else None


async def status_of(run: Run) -> StatusOutput:
    """Return how ``run`` stands now.

    Raises:
        StoreError: when the database cannot be used.
    """
    state, shown = CallState(), ToolProgress(stage="", message=BEGUN, progress=0.0)
    events = await run.so_far()
    for event in events:
        state = state.after(event)
        shown = state.report(event) or shown
    status, message = await _standing(run, events)
    return StatusOutput(
        run_id=run.id,
        status=status,
        stage=shown.stage,
        message=message or shown.message,
        progress=state.progress,
        iteration=state.iteration,
        queries=state.queries,
    )


async def _standing(run: Run, events: tuple[Event, ...]) -> tuple[RunStatus, str]:
    match events[-1] if events else None:
        case RunFinished():
            return RunStatus.COMPLETED, ""
        case RunFailed(error_type="run_cancelled", message=message):
            return RunStatus.CANCELLED, message
        case RunFailed(message=message):
            return RunStatus.FAILED, message
        case last:
            return await _so_far(run, begun=last is not None)


BEGUN = "The run has begun."
"""The message of a run that has no other yet."""
_ENDED = {
    TraceStatus.CANCELLED: (RunStatus.CANCELLED, "The run was cancelled."),
    TraceStatus.FAILED: (RunStatus.FAILED, "The run failed."),
}
"""How runs end that a worker makes, and what is told where it left no message."""


async def _so_far(run: Run, *, begun: bool) -> tuple[RunStatus, str]:
    """Return how a run stands whose events do not end it.

    What ends a run that a worker makes from outside leaves no event: its trace alone knows.
    """
    told = "" if begun else BEGUN
    if not isinstance(run, StoredRun):
        return RunStatus.WORKING, told
    trace = await run.traces.get_trace(run.owner, run.id)
    if trace.status in _ENDED:
        status, message = _ENDED[trace.status]
        return status, trace.error_message or message
    if trace.status is TraceStatus.PENDING:
        return RunStatus.QUEUED, "The run is waiting for a worker."
    return RunStatus.WORKING, told
