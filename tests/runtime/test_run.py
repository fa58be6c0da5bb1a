"""A run in progress: who reads its events, who is replied to, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.faces.cli.samples import remaining, report
from tests.store.runs import numbered

from quaere.domain.events import Event, Phase, PhaseStarted, RunFailed, RunFinished
from quaere.domain.report import EarlierRun
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.domain.trace import Owner
from quaere.errors import RunCancelled, SearchError, UsageError
from quaere.runtime.recorder import TraceRecorder
from quaere.runtime.run import EventLog, Inbox, Kept, LiveRun, spec_of
from quaere.runtime.settings import Settings
from quaere.store.recording.run_file import RunFile

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
SPEC = RunSpec.of("Who?", run_id="run-1")
INQUIRY = Inquiry(kind=InquiryKind.CLARIFICATION, text="Which mill?")
DONE = report().model_copy(update={"run_id": "run-1"})
STEPS = numbered(
    [
        PhaseStarted(phase=Phase.SEARCHING, remaining=remaining()),
        PhaseStarted(phase=Phase.READING, remaining=remaining()),
        RunFinished(phase=Phase.FINALIZING, report=DONE),
    ]
)
EARLIER = EarlierRun(run_id="run-0", question="Who?", completed=datetime(2031, 5, 4, tzinfo=UTC))


async def read(log: EventLog, after: int = 0) -> list[int]:
    return [event.seq async for event in log.read(after)]


@pytest.mark.parametrize(("after", "told"), [(-3, [1, 2, 3]), (0, [1, 2, 3]), (2, [3]), (3, [])])
async def test_a_reader_gets_the_events_after_the_one_that_it_knows(
    after: int, told: list[int]
) -> None:
    log = EventLog()
    reading = asyncio.create_task(read(log, after))
    for number, event in enumerate(STEPS):
        assert log.last == number
        await log.append(event)
        await asyncio.sleep(0)
    assert not reading.done(), "more may come"
    await log.close()
    assert await reading == told
    assert await read(log, after) == told, "whoever comes late reads the same"
    assert log.events == tuple(STEPS)


async def test_readers_that_wait_are_woken_by_the_end() -> None:
    log = EventLog()
    reading = [asyncio.create_task(read(log)) for _ in range(2)]
    await asyncio.sleep(0)
    await log.close()
    assert await asyncio.gather(*reading) == [[], []]


async def test_a_reply_goes_to_who_waits_for_it_once() -> None:
    inbox = Inbox()
    assert not inbox.waits
    asking = asyncio.create_task(inbox.ask(INQUIRY))
    await asyncio.sleep(0)
    assert inbox.waits
    with pytest.raises(UsageError, match=INQUIRY.id):
        inbox.reply("other", Reply())
    inbox.reply(INQUIRY.id, Reply(text="The old one"))
    with pytest.raises(UsageError):
        inbox.reply(INQUIRY.id, Reply(text="The new one"))
    assert await asking == Reply(text="The old one")
    assert not inbox.waits
    with pytest.raises(UsageError, match="; it waits for nothing"):
        inbox.reply(INQUIRY.id, Reply())


async def test_text_that_replies_to_topics_is_read_and_what_wants_none_is_refused() -> None:
    inbox = Inbox()
    shown = Inquiry(kind=InquiryKind.TOPICS, text="Compare them.", topics=("Flax", "Hop"))
    asking = asyncio.create_task(inbox.ask(shown))
    await asyncio.sleep(0)
    with pytest.raises(UsageError, match="cancel the run"):
        inbox.reply_meant(shown.id, Reply(text="no"))
    assert inbox.waits
    inbox.reply_meant(shown.id, Reply(text="2"))
    assert await asking == Reply(topics=("Hop",))


async def test_who_is_not_replied_to_in_time_goes_on_with_nothing() -> None:
    inbox = Inbox(wait_s=0.01)
    assert await inbox.ask(INQUIRY) == Reply()
    assert not inbox.waits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def live(folder: Path, *, file: RunFile | None = None) -> LiveRun:
    settings = Settings(data_dir=folder.parent, trace=False)
    notices: list[str] = []
    return LiveRun(
        SPEC,
        ANN,
        inbox=Inbox(),
        recorder=TraceRecorder(settings, SPEC, ANN, notices.append),
        kept=Kept(file=file),
        notices=notices,
    )


async def steps() -> AsyncGenerator[Event]:
    for event in STEPS:
        yield event


async def hanging() -> AsyncGenerator[Event]:
    yield STEPS[0]
    await asyncio.sleep(3600)


async def failing() -> AsyncGenerator[Event]:
    yield STEPS[0]
    raise SearchError("nobody answers")


async def told(run: LiveRun) -> list[Event]:
    return [event async for event in run.events()]


async def first_event(run: LiveRun) -> None:
    async for _ in run.events():
        return


async def test_a_run_is_over_when_its_report_is_there(folder: Path) -> None:
    run = live(folder)
    assert (run.id, run.owner, run.over, run.resumable) == ("run-1", ANN, False, False)
    run.begin(steps)
    assert await run.report() == DONE
    assert run.over
    assert await told(run) == STEPS
    assert await run.so_far() == tuple(STEPS)
    assert [event.seq async for event in run.events(after=2)] == [3]
    await run.cancel()
    assert await run.report() == DONE, "too late to be cancelled"
    await run.finish()


async def test_a_run_that_fails_says_why(folder: Path) -> None:
    run = live(folder)
    run.begin(failing)
    with pytest.raises(SearchError, match="nobody answers"):
        await run.report()
    assert await told(run) == STEPS[:1]


async def test_a_run_that_is_cancelled_ends_with_that(folder: Path) -> None:
    run = live(folder)
    run.begin(hanging)
    await first_event(run)
    assert not run.over
    await run.cancel()
    with pytest.raises(RunCancelled, match="run-1"):
        await run.report()
    first, last = await told(run)
    assert first == STEPS[0]
    assert isinstance(last, RunFailed)
    assert (last.seq, last.run_id, last.retryable) == (2, "run-1", False)
    assert last.error_type == "run_cancelled"
    assert last.at, "or it ends whenever it is taken into a database"


async def test_a_run_that_is_cancelled_before_its_first_step_ends_all_the_same(
    folder: Path,
) -> None:
    run = live(folder)
    run.begin(hanging)
    await run.cancel()
    async with asyncio.timeout(10):
        last = (await told(run))[-1]
    assert isinstance(last, RunFailed)
    assert last.error_type == "run_cancelled"


async def test_stopping_does_not_wait_for_a_run_whose_loop_ends_before_its_first_step(
    folder: Path,
) -> None:
    run = live(folder)
    run.begin(hanging)
    (task,) = (each for each in asyncio.all_tasks() if each.get_name() == f"run {run.id}")
    task.cancel()  # as the end of the loop does
    async with asyncio.timeout(10):
        await run.stop()
    assert run.over


async def test_a_run_that_is_stopped_can_be_resumed_and_a_cancelled_one_cannot(
    folder: Path,
) -> None:
    run = live(folder, file=RunFile.create(folder / "run-1.run", SPEC))
    run.begin(hanging)
    await first_event(run)
    assert run.resumable
    await run.stop()
    assert run.resumable
    assert len(await told(run)) == 1, "nothing says that it has ended"
    await run.cancel()
    assert not run.resumable


async def test_what_a_run_could_be_resumed_from_is_kept_until_its_report_is_used(
    folder: Path,
) -> None:
    run = live(folder, file=RunFile.create(folder / "run-1.run", SPEC))
    run.begin(steps)
    await run.report()
    assert run.resumable
    run.settle()
    assert not run.resumable
    run.settle()


async def test_a_disk_that_takes_no_more_is_told_of_once(folder: Path) -> None:
    file = RunFile.create(folder / "run-1.run", SPEC)
    run = live(folder, file=file)
    file.trouble = "The disk is full."
    run.begin(steps)
    await run.report()
    (notice,) = run.notices
    assert notice.startswith("resuming the run would repeat some of its steps: The disk is full. ")
    file.close()


async def test_the_search_ends_when_it_is_asked_to(folder: Path) -> None:
    run = live(folder)
    run.begin(hanging)
    assert not run.finishing.is_set()
    await run.finish()
    assert run.finishing.is_set()
    await run.stop()


async def found(run: EarlierRun | None, after_s: float = 0.0) -> EarlierRun | None:
    await asyncio.sleep(after_s)
    return run


@pytest.mark.parametrize(
    ("similar", "earlier"),
    [
        (found(EARLIER), EARLIER),
        (found(None), None),
        (found(EARLIER.model_copy(update={"run_id": "run-1"})), None),
        (None, None),
    ],
)
async def test_a_report_tells_of_an_earlier_run_that_is_another(
    folder: Path,
    similar: Coroutine[None, None, EarlierRun | None] | None,
    earlier: EarlierRun | None,
) -> None:
    run = live(folder)
    run.begin(steps, similar)
    assert (await run.report()).earlier_run == earlier


async def test_the_report_does_not_wait_for_an_earlier_run_for_ever(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quaere.runtime.run.SIMILAR_S", 0.01)
    run = live(folder)
    run.begin(steps, found(EARLIER, 3600))
    assert (await run.report()).earlier_run is None


def test_a_run_belongs_to_who_asks_for_it() -> None:
    request = RunRequest(question="Who?")
    spec = spec_of(request, ANN)
    assert (spec.request, spec.owner, spec.request_id) == (request, ANN, None)
    again = spec.model_copy(update={"request_id": "r-7"})
    assert spec_of(again, Owner()) == again.model_copy(update={"owner": Owner()})
