"""Spool files that several processes and databases share: who waits for whom, what stays."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Timer

import pytest
from tests.store.runs import failed_run, numbered, whole_run
from tests.store.traces.test_spool import HEAD, kept_run, write
from tests.store.traces.test_spool_import import ME, names, spooled

from quaere.domain.events import Event, RunFailed
from quaere.domain.trace import TraceStatus
from quaere.errors import RunCancelled, StoreUnavailable
from quaere.store.traces import spool as module
from quaere.store.traces.privacy import Kept
from quaere.store.traces.spool import (
    LOCK,
    SUFFIX,
    Head,
    Spool,
    import_spool,
    lock,
    read,
    waiting,
)
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

RUN = HEAD.trace_id


# Writing


def test_what_a_power_failure_may_cost_is_never_a_whole_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    sync = os.fsync

    def noted(number: int) -> None:
        flushed.append(len(written))
        sync(number)

    monkeypatch.setattr(os, "fsync", noted)
    written: list[Event] = []
    with Spool(tmp_path, HEAD) as spool:
        for kept in kept_run():
            written.append(kept.event)
            spool.append(kept)
    write(tmp_path, kept_run())  # which the file has already
    assert flushed == [at for at, event in enumerate(written, 1) if event.durable]
    assert 0 < len(flushed) < len(written)


def test_who_opens_a_file_waits_a_moment_for_another_that_takes_it_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, kept_run()[:3])
    with path.open("rb+") as other:
        assert lock(other)
        timer = Timer(0.1, other.close)
        timer.start()
        with Spool(tmp_path, HEAD) as spool:
            for kept in kept_run():
                spool.append(kept)
        timer.join()
    assert [each.event for each in read(path).kept] == whole_run()
    monkeypatch.setattr(module, "TRIES", 3)
    monkeypatch.setattr(module, "PAUSE_S", 0.1)
    with path.open("rb+") as other:
        assert lock(other)
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="Another process is writing"):
            Spool(tmp_path, HEAD)
        assert time.monotonic() - began >= 0.29


def test_a_file_that_was_taken_in_meanwhile_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was opened before the other process had deleted it: what it takes would be lost."""
    path = write(tmp_path, kept_run()[:3])
    locked, gone = module.lock, list[bool]()

    def late(file: module.BinaryIO) -> bool:
        if not gone:
            gone.append(True)
            path.unlink()
        return locked(file)

    monkeypatch.setattr(module, "lock", late)
    write(tmp_path, kept_run())
    assert [each.event for each in read(path).kept] == whole_run()


def test_a_failure_ends_a_file_only_where_it_is_the_last_line(tmp_path: Path) -> None:
    failed = [Kept.model_construct(event=event, sources=()) for event in failed_run(after=4)]
    path = write(tmp_path, failed)
    spool = read(path)
    assert spool.failed_at
    assert spool.size == path.stat().st_size
    assert path.read_bytes()[spool.failed_at :].count(b"\n") == 1
    assert b"run_failed" in path.read_bytes()[spool.failed_at :]
    assert read(write(tmp_path / "other", kept_run())).failed_at is None
    assert read(write(tmp_path / "none", [])).failed_at is None


# Whose a file is


def spooled_for(folder: Path, database: str, run_id: str) -> None:
    head = HEAD.model_copy(update={"trace_id": run_id, "database": database})
    Spool(folder, head).close()


async def test_a_file_waits_for_its_own_database(traces: Traces, tmp_path: Path) -> None:
    for database, run_id in (("", "mine"), ("postgresql://far:5432/x", "theirs")):
        spooled_for(tmp_path, database, run_id)
    (tmp_path / f"torn{SUFFIX}").write_bytes(b'{"version": 1')
    assert [path.stem for path in waiting(tmp_path)] == ["mine", "torn"]
    assert [path.stem for path in waiting(tmp_path, "postgresql://far:5432/x")] == [
        "theirs",
        "torn",
    ]
    assert await import_spool(tmp_path, traces, Summary()) == []
    assert names(tmp_path) == [f"theirs{SUFFIX}"]
    assert [each.id for each in (await traces.list_traces(ME)).traces] == ["mine"]
    await import_spool(tmp_path, traces, Summary(), database="postgresql://far:5432/x")
    assert names(tmp_path) == []


async def test_where_nothing_waits_nothing_is_locked(traces: Traces, tmp_path: Path) -> None:
    spooled_for(tmp_path, "postgresql://far:5432/x", "theirs")
    await import_spool(tmp_path, traces, Summary())
    assert not (tmp_path / LOCK).exists()


# Taking in


async def test_who_takes_in_waits_for_another_that_does_and_not_for_ever(
    traces: Traces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spooled(tmp_path, whole_run()).close()
    monkeypatch.setattr(module, "WAIT_S", 0.2)
    with (tmp_path / LOCK).open("ab") as other:
        assert lock(other)
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="Another process is importing"):
            await import_spool(tmp_path, traces, Summary())
        assert 0.19 <= time.monotonic() - began < 10
        assert names(tmp_path) == [f"{RUN}{SUFFIX}"]
        monkeypatch.setattr(module, "WAIT_S", 20.0)
        taking = asyncio.create_task(import_spool(tmp_path, traces, Summary()))
        await asyncio.sleep(0.1)
        assert not taking.done()
    assert await taking == []
    assert names(tmp_path) == []


async def test_what_is_being_written_is_not_put_aside_however_it_looks(
    traces: Traces, tmp_path: Path
) -> None:
    """Its writer may be in the middle of a line of a form that this version does not know."""
    spool = spooled(tmp_path, whole_run()[:2])
    with spool.path.open("ab") as file:
        file.write(b'{"event": {"type": "later"}}\n')
    assert await import_spool(tmp_path, traces, Summary()) == []
    assert names(tmp_path) == [f"{RUN}{SUFFIX}"]
    assert (await traces.get_trace(ME, RUN)).last_seq == 2
    spool.close()
    (problem,) = await import_spool(tmp_path, traces, Summary())
    assert "only a part was imported" in problem


async def test_a_file_that_its_writer_withdrew_is_no_problem(
    traces: Traces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for run_id in ("gone", "there"):
        spooled(tmp_path, whole_run(run_id=run_id), run_id).close()
    find = module.waiting

    def waits(folder: Path, database: str = "") -> dict[Path, Head | None]:
        found = find(folder, database)
        (folder / f"gone{SUFFIX}").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(module, "waiting", waits)

    def head(_: Path) -> Head:
        return Head.model_construct(database="")

    monkeypatch.setattr(module, "_head", head)
    assert await import_spool(tmp_path, traces, Summary()) == []
    assert [each.id for each in (await traces.list_traces(ME)).traces] == ["there"]


def cancelled_run(after: int) -> list[Event]:
    message = "it was cancelled"
    end = RunFailed(error_type=RunCancelled("").type, message=message, retryable=False)
    return numbered([*whole_run()[:after], end])


@pytest.mark.parametrize(
    ("ended", "resumed", "status"),
    [
        (failed_run(after=4), whole_run()[:5], TraceStatus.INTERRUPTED),
        (failed_run(after=4), whole_run()[:7], TraceStatus.INTERRUPTED),
        (failed_run(after=4), failed_run(after=4), TraceStatus.FAILED),
        (failed_run(after=4), whole_run()[:3], TraceStatus.FAILED),
        (cancelled_run(4), whole_run()[:7], TraceStatus.INTERRUPTED),
        (cancelled_run(4), cancelled_run(4), TraceStatus.CANCELLED),
        (cancelled_run(4), [], TraceStatus.CANCELLED),
        (whole_run(), whole_run(), TraceStatus.COMPLETED),
    ],
    ids=[
        "in place of its failure",
        "beyond its failure",
        "the same failure",
        "not yet beyond it",
        "beyond its cancellation",
        "the same cancellation",
        "only begun",
        "the same end",
    ],
)
async def test_a_run_that_has_ended_goes_on_only_where_its_file_goes_further(
    traces: Traces,
    tmp_path: Path,
    ended: Sequence[Event],
    resumed: Sequence[Event],
    status: TraceStatus,
) -> None:
    spooled(tmp_path, [*ended]).close()
    await import_spool(tmp_path, traces, Summary())
    spooled(tmp_path, [*resumed]).close()
    assert await import_spool(tmp_path, traces, Summary()) == []
    trace = await traces.get_trace(ME, RUN)
    assert trace.status is status
    goes_on = status is TraceStatus.INTERRUPTED
    assert await traces.events(ME, RUN) == tuple(resumed if goes_on else ended)
