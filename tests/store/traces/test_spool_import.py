"""What commands wrote comes into the database: whole, once, whenever it was killed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.store.runs import BEGUN, PASSAGES, RUN, TEXT, failed_run, whole_run

from quaere.domain.events import Event
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import StoreUnavailable
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.spool import LOCK, REFUSED, SUFFIX, Head, Spool, import_spool
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ME = Owner()


def spooled(folder: Path, events: list[Event], run: str = RUN, owner: Owner = ME) -> Spool:
    """Return a file that is being written."""
    params = {"question": "Who built it?"}
    spool = Spool(folder, Head(trace_id=run, owner=owner, created_at=BEGUN, params=params))
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    for event in events:
        spool.append(redactor.take(event))
    return spool


def names(folder: Path) -> list[str]:
    others = (LOCK, "quaere.db")
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(others))


async def test_a_run_that_is_over_comes_in_and_its_file_goes(
    traces: Traces, tmp_path: Path
) -> None:
    spooled(tmp_path, whole_run()).close()
    assert await import_spool(tmp_path, traces, Summary()) == []
    trace = await traces.get_trace(ME, RUN)
    assert (trace.status, trace.created_at) == (TraceStatus.COMPLETED, BEGUN)
    assert trace.question == "Who built it?"
    assert await traces.events(ME, RUN) == tuple(whole_run())
    assert (await traces.sources(ME, RUN))[0].text == TEXT
    assert names(tmp_path) == []
    assert await import_spool(tmp_path, traces, Summary()) == []


async def test_a_run_at_work_comes_in_as_far_as_it_is(traces: Traces, tmp_path: Path) -> None:
    spool = spooled(tmp_path, whole_run()[:5])
    await import_spool(tmp_path, traces, Summary())
    trace = await traces.get_trace(ME, RUN)
    assert (trace.status, trace.last_seq) == (TraceStatus.IN_PROGRESS, 5)
    assert spool.path.exists()
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    for event in whole_run()[5:]:
        spool.append(redactor.take(event))
    spool.close()
    await import_spool(tmp_path, traces, Summary())
    assert (await traces.get_trace(ME, RUN)).status is TraceStatus.COMPLETED
    assert await traces.events(ME, RUN) == tuple(whole_run())


@pytest.mark.parametrize("events", [0, 1, 7])
async def test_a_run_that_was_killed_is_marked_as_interrupted(
    traces: Traces, tmp_path: Path, events: int
) -> None:
    spooled(tmp_path, whole_run()[:events])._file.close()
    await import_spool(tmp_path, traces, Summary())
    trace = await traces.get_trace(ME, RUN)
    assert (trace.status, trace.last_seq) == (TraceStatus.INTERRUPTED, events)
    spooled(tmp_path, whole_run()).close()  # resumed: its events come anew, from the first on
    await import_spool(tmp_path, traces, Summary())
    assert (await traces.get_trace(ME, RUN)).status is TraceStatus.COMPLETED
    assert await traces.events(ME, RUN) == tuple(whole_run())


@pytest.mark.parametrize("events", [whole_run(), failed_run(after=9)], ids=["ends", "fails again"])
async def test_a_failed_run_that_was_resumed_takes_its_failure_back(
    traces: Traces, tmp_path: Path, events: list[Event]
) -> None:
    spooled(tmp_path, failed_run(after=4)).close()
    await import_spool(tmp_path, traces, Summary())
    assert (await traces.get_trace(ME, RUN)).status is TraceStatus.FAILED
    spooled(tmp_path, events).close()
    assert await import_spool(tmp_path, traces, Summary()) == []
    assert await traces.events(ME, RUN) == tuple(events)


async def test_taking_in_twice_at_once_adds_nothing_twice(traces: Traces, tmp_path: Path) -> None:
    runs = [f"run-{number}" for number in range(4)]
    for run in runs:
        spooled(tmp_path, whole_run(run_id=run), run).close()
    await asyncio.gather(*(import_spool(tmp_path, traces, Summary()) for _ in range(3)))
    await import_spool(tmp_path, traces, Summary())
    assert names(tmp_path) == []
    for run in runs:
        assert await traces.events(ME, run) == tuple(whole_run(run_id=run))


async def test_what_cannot_be_taken_is_put_aside_and_told(traces: Traces, tmp_path: Path) -> None:
    await traces.create_trace(Owner(user="somebody else"), {}, trace_id=RUN)
    spooled(tmp_path, whole_run()).close()
    (tmp_path / f"empty{SUFFIX}").write_bytes(b"")
    (problem,) = await import_spool(tmp_path, traces, Summary())
    assert problem.startswith(f"{RUN}{SUFFIX}: The id")
    assert names(tmp_path) == [f"{RUN}{REFUSED}"]
    assert await import_spool(tmp_path, traces, Summary()) == []


async def test_a_folder_that_is_not_there_holds_nothing(traces: Traces, tmp_path: Path) -> None:
    assert await import_spool(tmp_path / "none", traces, Summary()) == []


async def test_a_folder_that_cannot_be_written_is_a_typed_error(
    traces: Traces, tmp_path: Path
) -> None:
    spooled(tmp_path, whole_run()).close()
    (tmp_path / LOCK).mkdir()  # stands for a disk that is read-only, which root would not notice
    with pytest.raises(StoreUnavailable, match="Cannot import the runs"):
        await import_spool(tmp_path, traces, Summary())
    assert names(tmp_path) == [f"{RUN}{SUFFIX}"]


async def test_what_a_later_version_wrote_is_put_aside_and_not_deleted(
    traces: Traces, tmp_path: Path
) -> None:
    """Old and new commands may work in one folder."""
    for run in ("head", "event"):
        spooled(tmp_path, whole_run(run_id=run), run).close()
    head, event = (tmp_path / f"{run}{SUFFIX}" for run in ("head", "event"))
    head.write_text(head.read_text("utf-8").replace('"version":1', '"version":2', 1), "utf-8")
    lines = event.read_text("utf-8").splitlines()
    lines[4] = lines[4].replace('"type":"', '"type":"later_', 1)
    assert "later_" in lines[4]
    event.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    problems = await import_spool(tmp_path, traces, Summary())
    assert [problem.partition(":")[0] for problem in problems] == [event.name, head.name]
    assert all("written by a later version" in problem for problem in problems)
    assert names(tmp_path) == [f"event{REFUSED}", f"head{REFUSED}"]
    assert len(await traces.events(ME, "event")) == 3, "as far as it can be read"
    assert await import_spool(tmp_path, traces, Summary()) == []
