"""A run in progress: its events, its report, and how the user may still steer it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, cast

from quaere.domain.events import Event, Phase, RunEvent, RunFailed, RunFinished
from quaere.domain.report import EarlierRun, Report
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.team import Inquiry, Reply
from quaere.domain.trace import Owner
from quaere.errors import QuaereError, RunCancelled, UsageError
from quaere.ports.human import Human
from quaere.resilience.timing import SystemClock
from quaere.runtime.logs import request_being_served
from quaere.runtime.recorder import TraceRecorder
from quaere.store.recording.recording import Recording
from quaere.store.recording.run_file import RunFile

Asked: TypeAlias = RunRequest | RunSpec | str
"""What a run may be asked for by: text is a question, of which the settings say all else."""
SIMILAR_S = 5.0
"""How long the end of a run waits for the search for an earlier one."""
DO_WITHOUT = "Set QUAERE_RESUMABLE=off to run without resume files."


class Run(Protocol):
    """A run as the user sees it, whichever process makes it."""

    @property
    def id(self) -> str:
        """The name of the run and of its trace."""
        ...

    @property
    def owner(self) -> Owner:
        """Whose run it is."""
        ...

    def events(self, *, after: int = 0) -> AsyncGenerator[RunEvent]:
        """Yield the events after the one numbered ``after``, as they come, to the last one.

        Any number of readers may follow; one that stops reading does not end the run.

        Raises:
            StoreError: when the run is made elsewhere and the database cannot be used.
        """
        ...

    async def so_far(self) -> tuple[RunEvent, ...]:
        """Return the events until now, without waiting for more.

        Raises:
            StoreError: when the run is made elsewhere and the database cannot be used.
        """
        ...

    async def report(self) -> Report:
        """Wait for the end of the run and return its report.

        Raises:
            RunCancelled: when the run was cancelled or stopped.
            QuaereError: when the run came to no report.
        """
        ...

    async def cancel(self) -> None:
        """End the run without a report, and forget what it could be resumed from."""
        ...

    async def finish(self) -> None:
        """End the search and have the answer written from what is there.

        Raises:
            UsageError: when another process makes the run that is not a worker.
        """
        ...

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        """Answer what the run has asked back.

        Raises:
            UsageError: when it waits for no such reply, nothing can be made of the reply, or
                another process makes the run that is not a worker.
        """
        ...


class Inbox:
    """A `quaere.ports.human.Human` who replies through ``Run.reply``."""

    def __init__(self, wait_s: float | None = None) -> None:
        """Wait ``wait_s`` seconds for each reply; without end when left out."""
        self._wait_s = wait_s
        self._waiting: dict[str, tuple[Inquiry, asyncio.Future[Reply]]] = {}

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Wait for the reply to ``inquiry`` and return it; an empty one when none came in time."""
        reply = asyncio.get_running_loop().create_future()
        self._waiting[inquiry.id] = inquiry, reply
        try:
            async with asyncio.timeout(self._wait_s):
                return await reply
        except TimeoutError:
            return Reply()
        finally:
            del self._waiting[inquiry.id]

    @property
    def waits(self) -> bool:
        """Whether a reply is waited for."""
        return bool(self._waiting)

    def reply(self, inquiry_id: str, reply: Reply) -> None:
        """Answer the inquiry of that id with ``reply`` as it is.

        Raises:
            UsageError: when nothing waits under that id.
        """
        self._asked(inquiry_id)[1].set_result(reply)

    def reply_meant(self, inquiry_id: str, reply: Reply) -> None:
        """Answer the inquiry of that id with what ``reply`` comes to; see `Inquiry.meant`.

        Raises:
            UsageError: when nothing waits under that id, or nothing can be made of the reply.
        """
        inquiry, waiting = self._asked(inquiry_id)
        waiting.set_result(inquiry.meant(reply))

    def _asked(self, inquiry_id: str) -> tuple[Inquiry, asyncio.Future[Reply]]:
        asked = self._waiting.get(inquiry_id)
        if asked is None or asked[1].done():
            known = ", ".join(map(repr, self._waiting)) or "nothing"
            raise UsageError(f"The run does not wait for {inquiry_id!r}; it waits for {known}.")
        return asked


class Understood:
    """A `quaere.ports.human.Human` whose replies are read as `Inquiry.meant` does."""

    def __init__(self, inner: Human) -> None:
        self.inner = inner

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Return what the reply of ``inner`` to ``inquiry`` comes to.

        Raises:
            UsageError: when nothing can be made of it, or none of the topics is wanted.
        """
        return inquiry.meant(await self.inner.ask(inquiry))


class EventLog:
    """The events of a run in this process, for any number of readers."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._closed = False
        self._news = asyncio.Condition()

    async def append(self, event: Event) -> None:
        """Add ``event`` and wake the readers."""
        async with self._news:
            self._events.append(event)
            self._news.notify_all()

    async def close(self) -> None:
        """Let the readers end."""
        async with self._news:
            self._closed = True
            self._news.notify_all()

    async def read(self, after: int) -> AsyncGenerator[Event]:
        """Yield the events numbered above ``after``, until the log is closed and read."""
        place = max(0, after)  # numbers begin at 1 and have no gaps
        while True:
            while place < len(self._events):
                yield self._events[place]
                place += 1
            async with self._news:
                if self._closed and place >= len(self._events):
                    return
                if place >= len(self._events):
                    await self._news.wait()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events until now."""
        return tuple(self._events)

    @property
    def last(self) -> int:
        """Number of the last event, 0 before the first."""
        return len(self._events)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a run while it is made."""

    recording: Recording = field(default_factory=Recording)
    file: RunFile | None = None
    """What it can be resumed from."""


class LiveRun:
    """A `Run` that this process makes. Made by `quaere.runtime.app.App`."""

    def __init__(
        self,
        spec: RunSpec,
        owner: Owner,
        *,
        inbox: Inbox,
        recorder: TraceRecorder,
        kept: Kept,
        notices: list[str],
    ) -> None:
        self.spec = spec
        self._owner = owner
        self.notices = notices
        """What the user should know besides the run, such as that it leaves no trace."""
        self._recording = kept.recording
        self._search: asyncio.Task[EarlierRun | None] | None = None
        self._inbox = inbox
        self._recorder = recorder
        self._file = kept.file
        self._log = EventLog()
        self._error: QuaereError | None = None
        self._report: Report | None = None
        self._cancelled = False
        self._task: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()

    @property
    def id(self) -> str:
        """The name of the run and of its trace."""
        return self.spec.run_id

    @property
    def owner(self) -> Owner:
        """Whose run it is."""
        return self._owner

    @property
    def resumable(self) -> bool:
        """Whether the run could be resumed if it stopped now."""
        return self._file is not None and self._file.path.exists()

    @property
    def over(self) -> bool:
        """Whether the run has come to its end."""
        return self._task is not None and self._task.done()

    def begin(
        self,
        stream: Callable[[], AsyncGenerator[Event]],
        similar: Coroutine[None, None, EarlierRun | None] | None = None,
    ) -> None:
        """Begin to make the run.

        Args:
            stream: Yields its events.
            similar: Finds an earlier run for the report to tell of.
        """
        if similar:
            self._search = asyncio.create_task(similar)
        self._task = asyncio.create_task(self._make(stream), name=f"run {self.id}")
        # Stopping waits for the first step; a task that the end of a loop cancels never takes it.
        self._task.add_done_callback(lambda _: self._begun.set())

    def events(self, *, after: int = 0) -> AsyncGenerator[RunEvent]:
        """Yield the events after the one numbered ``after``; see `Run.events`."""
        return cast("AsyncGenerator[RunEvent]", self._log.read(after))

    async def so_far(self) -> tuple[RunEvent, ...]:
        """Return the events until now; see `Run.so_far`."""
        return cast("tuple[RunEvent, ...]", self._log.events)

    async def report(self) -> Report:
        """Wait for the end of the run and return its report; see `Run.report`."""
        if self._task:
            await asyncio.wait([self._task])
        if self._report is not None:
            return self._report
        if self._error is not None:
            raise self._error
        how = "cancelled" if self._cancelled else "stopped before it had a report"
        raise RunCancelled(f"The run {self.id} was {how}.")

    async def cancel(self) -> None:
        """End the run without a report; see `Run.cancel`."""
        self._cancelled = not self.over
        await self.stop()
        self.settle()

    @property
    def finishing(self) -> asyncio.Event:
        """Set when the search is to end."""
        return self._recording.finishing

    async def finish(self) -> None:
        """End the search and have the answer written from what is there.

        When this returns, the run would finish as well if it were stopped and resumed.
        """
        if not self.over:
            await self._recording.finish()

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        """Answer what the run has asked back; see `Run.reply`."""
        self._inbox.reply_meant(inquiry_id, reply)

    def settle(self) -> None:
        """Forget what the run could be resumed from: its report is where it belongs.

        Until then a process that is killed while it handles the report can get it again.
        """
        if self._file is not None:
            self._file.remove()
            self._file = None

    async def stop(self) -> None:
        """Stop making the run, which can be resumed if it was not over."""
        if self._task and not self._task.done():
            # A task that is cancelled before its first step never comes to its last.
            await self._begun.wait()
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._file is not None:
            self._file.close()

    async def _make(self, stream: Callable[[], AsyncGenerator[Event]]) -> None:
        """Make the run to its end; whatever stops it, the log is closed and the trace is told."""
        self._begun.set()
        try:
            async with aclosing(stream()) as events:
                async for event in events:
                    await self._take(event)
        except QuaereError as error:
            self._error = error
        finally:
            if self._search:
                self._search.cancel()
            if self._cancelled:
                await self._take(self._cancellation())
            await asyncio.to_thread(self._recorder.close, begun=self._log.last > 0)
            await self._log.close()

    async def _take(self, event: Event) -> None:
        """Keep and show ``event``: both, even if the run is cancelled in between.

        What was kept but never shown would leave its number to the event that ends the run.
        """
        taking = asyncio.ensure_future(self._kept_and_shown(event))
        try:
            await asyncio.shield(taking)
        except asyncio.CancelledError:
            await asyncio.wait([taking])
            raise

    async def _kept_and_shown(self, event: Event) -> None:
        if isinstance(event, RunFinished):
            event = await self._with_earlier(event)
        if self._recorder.keeps:
            event = await asyncio.to_thread(self._recorder.keep, event)
        else:  # nothing is written, and a thread would cost more than looking for keys does
            event = self._recorder.keep(event)
        if isinstance(event, RunFinished):
            self._report = event.report
        if self._file is not None and self._file.trouble:
            self._note_trouble(self._file.trouble)
        await self._log.append(event)

    async def _with_earlier(self, event: RunFinished) -> RunFinished:
        """Return the end of the run with an earlier run that asked nearly the same, if any."""
        if self._search is None:
            return event
        await asyncio.wait([self._search], timeout=SIMILAR_S)
        found = self._search.result() if self._search.done() else None
        if found is None or found.run_id == self.id:
            return event
        return event.with_earlier(found)

    def _note_trouble(self, trouble: str) -> None:
        told = f"resuming the run would repeat some of its steps: {trouble} {DO_WITHOUT}"
        if told not in self.notices:
            self.notices.append(told)

    def _cancellation(self) -> RunFailed:
        """Return the event that ends a cancelled run."""
        error = RunCancelled(f"The run {self.id} was cancelled.")
        return RunFailed(
            run_id=self.id,
            seq=self._log.last + 1,
            at=SystemClock().now().isoformat(timespec="milliseconds"),
            phase=Phase.FINALIZING,
            error_type=error.type,
            message=error.message,
            retryable=False,
        )


def spec_of(request: Asked, owner: Owner) -> RunSpec:
    """Return the spec of a run that ``owner`` asks for, by the request that is being served.

    Raises:
        UsageError: when ``request`` is nothing that can be asked.
    """
    match cast("object", request):
        case RunSpec() as spec:
            pass
        case RunRequest() as asked:
            spec = RunSpec(request=asked)
        case str(question):
            spec = RunSpec(request=RunRequest.of(question=question))
        case other:
            raise UsageError(
                "Ask with the question as text, a RunRequest or a RunSpec, not with "
                f"{type(other).__name__}; RunRequest.of(question=..., docs=[...]) makes one."
            )
    asked_by = spec.request_id or request_being_served()
    return spec.model_copy(update={"owner": owner, "request_id": asked_by})
