"""What is deleted when room is needed, and what its deletion leaves, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update
from tests.store.runs import EVIDENCE, failed_run, whole_run

from quaere.domain.events import Event, ModelCalled, RunFailed
from quaere.domain.model import ModelCall, Usage
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.trace import Owner, Source
from quaere.store.db.database import Database
from quaere.store.db.schema import schedules as table
from quaere.store.jobs import Jobs
from quaere.store.schedules import Schedules, Timing
from quaere.store.submission import Entry
from quaere.store.traces.privacy import Kept
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Entries, Traces
from quaere.store.usage import UsageSums
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")
NOW = datetime.now(UTC)
CALL = ModelCall(
    step="plan", model="m", usage=Usage(prompt_tokens=90, completion_tokens=10), cost_usd=0.25
)


async def kept(
    traces: Traces, name: str, *, days: float, owner: Owner = ANN, text: str = ""
) -> None:
    """Keep a run of so many days ago that has ended, with a page of its own."""
    begun = NOW - timedelta(days=days)
    await traces.create_trace(owner, {"question": "Who?"}, trace_id=name, created_at=begun)
    events = whole_run(run_id=name)
    source = Source(evidence=EVIDENCE, text=text)
    entries = Entries(events=events[:-1], sources=[source] if text else [])
    await traces.update_progress(owner, name, stage="x", progress=0.5, entries=entries)
    log = TraceLog(traces, owner, name, Summary(), events=events[:-1])
    await log.append([Kept.model_construct(event=events[-1])])


async def left(traces: Traces, owner: Owner = ANN) -> list[str]:
    return [trace.id for trace in (await traces.list_traces(owner)).traces]


async def test_what_is_pinned_is_kept_whatever_its_age_and_size(traces: Traces) -> None:
    for name in ("old", "pinned"):
        await kept(traces, name, days=400)
    await traces.label(ANN, "pinned", pinned=True)
    assert await traces.prune(ANN, timedelta(days=30)) == ("old",)
    assert await traces.prune(ANN, most_bytes=0) == ()
    assert await left(traces) == ["pinned"]


async def test_the_oldest_go_until_the_rest_is_small_enough(traces: Traces) -> None:
    for number in range(5):
        await kept(traces, f"r{number}", days=10 - number)
    await kept(traces, "other", days=99, owner=BEN)
    each = sum(len(event.model_dump_json().encode()) for event in whole_run(run_id="r0"))
    assert await traces.prune(ANN, most_bytes=5 * each) == ()
    assert await traces.prune(ANN, most_bytes=5 * each - 1) == ("r0",)
    assert await traces.prune(ANN, most_bytes=2 * each) == ("r1", "r2")
    assert await left(traces) == ["r4", "r3"]
    assert await traces.prune(None, most_bytes=2 * each) == ("other",)
    assert await left(traces) == ["r4", "r3"]


async def test_pages_count_for_the_runs_that_have_read_them(traces: Traces) -> None:
    letters = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(20_000))
    await kept(traces, "read", days=2, text=letters)
    await kept(traces, "unread", days=3)
    each = sum(len(event.model_dump_json().encode()) for event in whole_run(run_id="unread"))
    assert await traces.prune(ANN, most_bytes=2 * each + 1_000) == ("read", "unread")


async def test_runs_that_go_on_or_wait_are_spared(traces: Traces, database: Database) -> None:
    await traces.create_trace(ANN, {}, trace_id="busy", created_at=NOW - timedelta(days=9))
    await traces.update_progress(ANN, "busy", stage="x", progress=0.1)
    await Jobs(database).submit(Entry.of(ANN, RunSpec.of("Who?", run_id="waiting"), params={}))
    assert await traces.prune(None, timedelta(0), most_bytes=0) == ()


async def test_what_a_scheduled_run_is_compared_to_is_spared(
    traces: Traces, database: Database
) -> None:
    """Else a question that is asked seldom never reports a change."""
    for name, days in (("older", 60), ("answered", 31), ("failed", 30)):
        await kept(traces, name, days=days)
    schedules = Schedules(database)
    asked = await schedules.add(
        ANN, RunRequest.of(question="Who?"), Timing.of("every monday 8:00", "UTC")
    )
    async with database.write() as connection:
        values = {"last_run": "failed", "baseline": "answered"}
        await connection.execute(update(table).values(values))
    assert await traces.prune(None, timedelta(days=7), most_bytes=0) == ("older",)
    await schedules.remove(ANN, asked.id)
    assert await traces.prune(None, timedelta(days=7)) == ("answered", "failed")


async def test_usage_is_summed_by_day_and_owner_and_outlives_its_runs(
    traces: Traces, database: Database
) -> None:
    async def log(name: str, owner: Owner, days: float, events: list[Event]) -> None:
        begun = NOW - timedelta(days=days)
        await traces.create_trace(owner, {}, trace_id=name, created_at=begun)
        await TraceLog(traces, owner, name, Summary()).append(
            [Kept.model_construct(event=event) for event in events]
        )

    def calling(name: str) -> list[Event]:
        events = failed_run(name, after=3)
        called = ModelCalled(phase=events[0].phase, call=CALL)
        made = [*events[:2], called, called, events[-1]]
        return [
            event.model_copy(update={"run_id": name, "seq": seq})
            for seq, event in enumerate(made, 1)
        ]

    failed = calling("failed")
    assert isinstance(failed[-1], RunFailed), "what a run has spent counts, however it ends"
    await log("failed", ANN, 0, failed)
    await log("going", ANN, 0, calling("going")[:-1])
    await log("before", ANN, 1, calling("before"))
    await log("bens", BEN, 0, calling("bens"))
    await traces.create_trace(ANN, {}, tool="other_tool")
    sums, today = UsageSums(database), NOW.date()

    async def told(owner: Owner | None) -> list[tuple[str, int, int, int, float]]:
        days = await sums.by_day(owner, today - timedelta(days=3), today)
        ago = [(today - each.day).days for each in days]
        return [
            (each.owner.user, before, each.runs, each.tokens, each.cost_usd)
            for each, before in zip(days, ago, strict=True)
        ]

    total = [("ann", 0, 2, 400, 1.0), ("ann", 1, 1, 200, 0.5)]
    assert await told(ANN) == total
    assert await told(None) == [total[0], ("ben", 0, 1, 200, 0.5), total[1]]
    assert await told(Owner(user="ann")) == []
    await traces.delete(ANN, "failed")
    assert await traces.prune(ANN, timedelta(hours=20)) == ("before",)
    await traces.cancel(ANN, "going")
    assert await told(ANN) == total
    assert await sums.by_day(ANN, today + timedelta(days=1), today + timedelta(days=2)) == ()
