"""The trace service, on both databases (R4.3)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import JsonValue, ValidationError
from sqlalchemy import func, select, update
from tests.store.runs import EVIDENCE, ODD, PASSAGE, TEXT, failed_run, whole_run

from quaere.domain.events import Event, RunFailed
from quaere.domain.trace import TOOL, Owner, Source, Trace, TraceStatus
from quaere.errors import SchemaError, TraceConflict, TraceNotFound, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import findings, pages, run_citations, run_events, tool_traces
from quaere.store.jobs import Jobs
from quaere.store.traces.privacy import Kept
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Entries, Traces
from quaere.version import __version__
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ME = Owner(user="7", org="mills")
ODD_IDS = ["", "~", "nonsense\0", "nonsense\ud800", "nonsense\n", "nonsense" * 1250, "%", "'"]
OTHERS = [Owner(user="8", org="mills"), Owner(user="7", org="barges"), Owner(user="7")]


async def kept(traces: Traces, events: list[Event], owner: Owner = ME) -> Trace:
    """Keep a run and return its trace."""
    trace = await traces.create_trace(owner, {"question": "Who?"}, trace_id=events[0].run_id)
    await TraceLog(traces, owner, trace.id, Summary()).append(
        [Kept.model_construct(event=e) for e in events]
    )
    return await traces.get_trace(owner, trace.id)


async def log(
    traces: Traces,
    owner: Owner,
    trace_id: str,
    events: Sequence[Event],
    *,
    sources: Sequence[Source] = (),
    fence: int | None = None,
) -> None:
    """Add ``events`` to the log of a run."""
    entries = Entries(events=events, sources=sources, fence=fence)
    await traces.update_progress(owner, trace_id, stage="on", progress=0.5, entries=entries)


async def test_a_trace_goes_its_way_from_pending_to_completed(traces: Traces) -> None:
    """R4.3: create, update progress, complete, get; every column of the document."""
    made = await traces.create_trace(ME, {"question": f"Who? {ODD}", "max_iterations": 10})
    assert (made.status, made.progress, made.tool_name) == (TraceStatus.PENDING, 0.0, TOOL)
    assert made.graph_version is None
    state: dict[str, JsonValue] = {
        "refined_question": ODD,
        "checklist": [{"id": "1", "satisfied": True}],
    }
    await traces.update_progress(ME, made.id, stage=f"search {ODD}", progress=0.3, state=state)
    going = await traces.get_trace(ME, made.id)
    assert (going.status, going.progress) == (TraceStatus.IN_PROGRESS, 0.3)
    assert going.graph_version == __version__
    assert going.current_stage == f"search {ODD}".replace("\0", "\ufffd")
    assert going.started_at is not None
    assert going.completed_at is None
    await traces.complete_trace(ME, made.id, {"answer": ODD}, {"llm_calls": 12})
    done = await traces.get_trace(ME, made.id)
    assert (done.status, done.progress) == (TraceStatus.COMPLETED, 1.0)
    assert done.input_params == {"question": f"Who? {ODD}", "max_iterations": 10}
    assert (done.state, done.result, done.metrics) == (state, {"answer": ODD}, {"llm_calls": 12})
    assert done.created_at <= (done.started_at or made.created_at) <= datetime.now(UTC)
    assert done.completed_at is not None
    assert done.completed_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("ending", "status"), [("fail", TraceStatus.FAILED), ("cancel", TraceStatus.CANCELLED)]
)
async def test_what_has_ended_is_changed_no_more(
    traces: Traces, ending: str, status: TraceStatus
) -> None:
    trace = await traces.create_trace(ME, {})
    if ending == "fail":
        await traces.fail_trace(ME, trace.id, f"it broke {ODD}")
    else:
        await traces.cancel(ME, trace.id)
    ended = await traces.get_trace(ME, trace.id)
    assert ended.status is status
    assert bool(ended.error_message) is (ending == "fail")
    with pytest.raises(TraceConflict, match="has already ended"):
        await traces.update_progress(ME, trace.id, stage="on", progress=0.5)
    with pytest.raises(TraceConflict, match="has already ended"):
        await traces.complete_trace(ME, trace.id, {}, {})
    assert await traces.get_trace(ME, trace.id) == ended


@pytest.mark.parametrize("other", OTHERS, ids=["another user", "another organization", "none"])
async def test_nobody_else_can_see_or_touch_it(traces: Traces, other: Owner) -> None:
    """R4.3: every method is checked by owner."""
    trace = await kept(traces, whole_run()[:4])
    attempts = [
        traces.get_trace(other, trace.id),
        traces.events(other, trace.id),
        traces.sources(other, trace.id),
        traces.update_progress(other, trace.id, stage="x", progress=1),
        traces.complete_trace(other, trace.id, {}, {}),
        traces.fail_trace(other, trace.id, "x"),
        traces.cancel(other, trace.id),
        traces.interrupt(other, trace.id),
        traces.reopen(other, trace.id),
        log(traces, other, trace.id, whole_run()[4:5]),
        traces.delete(other, trace.id),
    ]
    for attempt in attempts:
        with pytest.raises(TraceNotFound):
            await attempt
    with pytest.raises(TraceConflict):
        await traces.create_trace(other, {}, trace_id=trace.id)
    assert (await traces.list_traces(other)).traces == ()
    assert await traces.prune(other, timedelta(0)) == ()
    assert await traces.get_trace(ME, trace.id) == trace


async def test_creating_twice_is_creating_once(traces: Traces) -> None:
    first = await traces.create_trace(ME, {"question": "a"}, trace_id="run-1")
    assert await traces.create_trace(ME, {"question": "b"}, trace_id="run-1") == first


async def test_an_id_that_no_database_takes_is_refused(traces: Traces) -> None:
    for odd in ("x" * 65, "a\0b", "\ud800"):
        with pytest.raises(UsageError, match="64"):
            await traces.create_trace(ME, {}, trace_id=odd)


@pytest.mark.parametrize("name", ["", "a\0", "x" * 256, "a\n"])
def test_an_owner_has_a_name_that_every_database_takes(name: str) -> None:
    with pytest.raises(ValidationError):
        Owner(user=name)
    with pytest.raises(ValidationError):
        Owner(org=name)


async def test_a_list_comes_in_pages_the_latest_first(traces: Traces) -> None:
    """R4.3: list by user and tool, with paging; equal times lose and repeat nobody."""
    now = datetime(2031, 1, 1, tzinfo=UTC)
    for number in range(7):
        await traces.create_trace(
            ME, {}, trace_id=f"run-{number}", created_at=now + timedelta(hours=number // 2)
        )
    await traces.create_trace(ME, {}, tool="other_tool", trace_id="other")
    await traces.create_trace(OTHERS[0], {}, trace_id="foreign")
    seen: list[str] = []
    following = None
    while True:
        page = await traces.list_traces(ME, tool=TOOL, limit=3, following=following)
        seen += [trace.id for trace in page.traces]
        following = page.following
        if following is None:
            break
        assert len(page.traces) == 3
    assert seen == ["run-6", "run-5", "run-4", "run-3", "run-2", "run-1", "run-0"]
    assert len((await traces.list_traces(ME)).traces) == 8
    await traces.cancel(ME, "run-3")
    cancelled = await traces.list_traces(ME, status=TraceStatus.CANCELLED)
    assert [trace.id for trace in cancelled.traces] == ["run-3"]
    with pytest.raises(UsageError, match="Invalid cursor"):
        await traces.list_traces(ME, following="nonsense")


async def test_the_beginning_of_an_id_is_enough_where_it_is_the_only_one(traces: Traces) -> None:
    for name in ("abcd-1", "abcd-22", "abcd-21", "abcd-2", "%_%_%"):
        await traces.create_trace(ME, {}, trace_id=name)
    assert (await traces.get_trace(ME, "abcd-1")).id == "abcd-1"
    assert (await traces.get_trace(ME, "abcd-22")).id == "abcd-22"
    assert (await traces.get_trace(ME, "abcd-2")).id == "abcd-2"
    assert (await traces.get_trace(ME, "%_%_")).id == "%_%_%"
    for wanted in ("abcd", "abc", "", "none-of-them", "____", "abcd\0-1", "\ud800" * 5):
        with pytest.raises(TraceNotFound):
            await traces.get_trace(ME, wanted)
    with pytest.raises(TraceNotFound, match="begins with 'abcd': abcd-1, abcd-2, abcd-21, abcd-22"):
        await traces.get_trace(ME, "abcd")


@pytest.mark.parametrize("odd", ODD_IDS)
async def test_an_odd_id_finds_nothing_and_is_told_briefly(traces: Traces, odd: str) -> None:
    for alike in ("nonsense?", "nonsense\ufffd", "nonsense"):
        await traces.create_trace(ME, {}, trace_id=alike)
    for asked in (
        traces.get_trace(ME, odd),
        traces.events(ME, odd),
        traces.sources(ME, odd),
        traces.delete(ME, odd),
        traces.reopen(ME, odd),
        traces.cancel(ME, odd),
        log(traces, ME, odd, whole_run()),
        Jobs(traces.database).cancel(ME, odd),
    ):
        with pytest.raises(TraceNotFound) as told:
            await asked
        assert len(told.value.message) < 250
    assert len((await traces.list_traces(ME)).traces) == 3


@pytest.mark.parametrize(
    "odd",
    [
        *ODD_IDS,
        "2026-01-01",
        "2026-01-01~",
        "2026-01-01T00:00:00~x",
        "2026-01-01T00:00:00+02:00~x",
        "0001-01-01~x",
        "0001-01-01T00:00:00+23:59~x",
        "9999-12-31T23:59:59-23:59~x",
        "2026-01-01T00:00:00+00:00~",
        "2026-01-01T00:00:00+00:00~\0",
        "2026-01-01T00:00:00+00:00~\ud800",
        f"2026-01-01T00:00:00+00:00~{'x' * 10_000}",
    ],
)
async def test_a_place_that_no_page_gave_is_refused(traces: Traces, odd: str) -> None:
    with pytest.raises(UsageError, match="Invalid cursor") as told:
        await traces.list_traces(ME, following=odd)
    assert len(told.value.message) < 300


async def test_every_place_in_time_that_a_page_may_give_is_taken(traces: Traces) -> None:
    for moment in ("0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00"):
        assert (await traces.list_traces(ME, following=f"{moment}~x")).traces == ()


async def test_the_log_gives_back_every_event_as_it_was(traces: Traces) -> None:
    events = whole_run(ODD)
    trace = await kept(traces, events)
    assert await traces.events(ME, trace.id) == tuple(events)
    assert await traces.events(ME, trace.id, after=3) == tuple(events[3:])
    assert trace.last_seq == len(events)


@pytest.mark.parametrize("progress", [-0.1, 1.1, 7.0, float("nan")])
async def test_progress_beyond_its_ends_is_refused_and_leaves_the_trace_readable_r4_3(
    traces: Traces, progress: float
) -> None:
    trace = await traces.create_trace(ME, {})
    with pytest.raises(UsageError, match="from 0 to 1"):
        await traces.update_progress(ME, trace.id, stage="searching", progress=progress)
    assert (await traces.list_traces(ME)).traces == (trace,)


@pytest.mark.parametrize("key", ["type", "no_such_field"])
async def test_events_of_another_version_are_told_of(
    traces: Traces, database: Database, key: str
) -> None:
    trace = await kept(traces, whole_run())
    first = (run_events.c.run_id == trace.id) & (run_events.c.seq == 1)
    async with database.write() as connection:
        body = (await connection.execute(select(run_events.c.body).where(first))).scalar_one()
        other = json.dumps({**json.loads(body), key: "moon_seen"})
        await connection.execute(update(run_events).where(first).values(body=other))
    with pytest.raises(SchemaError, match="another version"):
        await traces.events(ME, trace.id)
    assert await traces.events(ME, trace.id, after=1)


async def test_a_log_has_no_gap_and_no_event_twice(traces: Traces) -> None:
    events = whole_run()
    trace = await traces.create_trace(ME, {})
    await log(traces, ME, trace.id, events[:3])
    await log(traces, ME, trace.id, events[1:5])  # the first two are there already
    with pytest.raises(TraceConflict, match="cannot follow"):
        await log(traces, ME, trace.id, events[6:8])
    with pytest.raises(TraceConflict, match="cannot follow"):
        await log(traces, ME, trace.id, [events[5], events[7]])
    kept_events = await traces.events(ME, trace.id)
    assert [event.seq for event in kept_events] == [1, 2, 3, 4, 5]


async def test_who_was_fenced_off_writes_no_more(traces: Traces) -> None:
    trace = await traces.create_trace(ME, {})
    await log(traces, ME, trace.id, whole_run()[:2], fence=trace.fence)
    taken = await traces.reopen(ME, trace.id)
    assert taken.fence == trace.fence + 1
    with pytest.raises(TraceConflict, match="Another worker"):
        await log(traces, ME, trace.id, whole_run()[2:3], fence=trace.fence)
    await log(traces, ME, trace.id, whole_run()[2:3], fence=taken.fence)


async def test_a_failed_run_that_is_reopened_loses_its_failure(traces: Traces) -> None:
    trace = await kept(traces, failed_run(after=4))
    assert trace.status is TraceStatus.FAILED
    assert trace.error_message == "nobody answers"
    again = await traces.reopen(ME, trace.id)
    assert (again.status, again.last_seq) == (TraceStatus.IN_PROGRESS, 4)
    assert (again.error_message, again.completed_at) == (None, None)
    events = await traces.events(ME, trace.id)
    assert not any(isinstance(event, RunFailed) for event in events)
    await log(traces, ME, trace.id, whole_run()[4:-1])
    last = Entries(events=whole_run()[-1:])
    await traces.complete_trace(ME, trace.id, {}, {}, entries=last)
    await traces.complete_trace(ME, trace.id, {}, {}, entries=last)
    with pytest.raises(TraceConflict, match="completed"):
        await traces.reopen(ME, trace.id)


async def test_the_columns_follow_the_events(traces: Traces, database: Database) -> None:
    trace = await kept(traces, whole_run())
    assert (trace.status, trace.progress) == (TraceStatus.COMPLETED, 1.0)
    assert trace.result is not None
    assert trace.result["answer"]
    assert trace.metrics["total_iterations"] == 2
    assert trace.started_at == datetime(2031, 5, 4, 12, 0, 1, tzinfo=UTC)
    async with database.read() as connection:
        for table in (run_citations, findings):
            rows = await connection.execute(select(func.count()).select_from(table))
            assert rows.scalar_one() > 0, table.name


async def test_a_text_is_kept_once_and_goes_with_its_last_run(
    traces: Traces, database: Database
) -> None:
    """R0.7: raw text is in the store; equal text takes its room once."""
    source = Source(evidence=EVIDENCE, text=TEXT, end=len(TEXT), content_hash="c" * 64)
    again = source.model_copy(
        update={"evidence": EVIDENCE.model_copy(update={"passage": "ffff", "id": 2})}
    )
    for run in ("run-1", "run-2"):
        await traces.create_trace(ME, {}, trace_id=run)
        await log(traces, ME, run, whole_run(run_id=run)[:1], sources=[source, again])
        await log(traces, ME, run, whole_run(run_id=run)[1:2], sources=[source])
    assert [each.text for each in await traces.sources(ME, "run-1")] == [TEXT, TEXT]
    assert (await traces.sources(ME, "run-2"))[0] == source

    async def texts() -> int:
        async with database.read() as connection:
            return (await connection.execute(select(func.count()).select_from(pages))).scalar_one()

    assert await texts() == 1
    await traces.delete(ME, "run-1")
    assert await texts() == 1
    assert await traces.sources(ME, "run-2")
    await traces.delete(ME, "run-2")
    assert await texts() == 0
    assert PASSAGE.text == TEXT


async def test_deleting_leaves_nothing_behind(traces: Traces, database: Database) -> None:
    trace = await kept(traces, whole_run())
    await traces.delete(ME, trace.id)
    with pytest.raises(TraceNotFound):
        await traces.delete(ME, trace.id)
    async with database.read() as connection:
        for table in (tool_traces, run_events, run_citations, findings):
            rows = await connection.execute(select(func.count()).select_from(table))
            assert rows.scalar_one() == 0, table.name


async def test_every_row_names_user_and_organization_and_lists_keep_them_apart_r4_3(
    traces: Traces, database: Database
) -> None:
    owners = [ME, *OTHERS]
    for number, owner in enumerate(owners):
        await traces.create_trace(owner, {"question": "Who?"}, trace_id=f"run-{number}")
        await traces.create_trace(owner, {}, tool="other_tool", trace_id=f"other-{number}")
    await traces.update_progress(OTHERS[0], "run-1", stage="searching", progress=0.5)
    await traces.complete_trace(OTHERS[1], "run-2", {"answer": "x"}, {"llm_calls": 1})
    await traces.fail_trace(OTHERS[2], "run-3", "it broke")
    for number, owner in enumerate(owners):
        (listed,) = (await traces.list_traces(owner, tool=TOOL)).traces
        assert listed == await traces.get_trace(owner, f"run-{number}")
        assert (listed.user_id, listed.org_id) == (owner.user, owner.org)
    async with database.read() as connection:
        columns = (tool_traces.c.id, tool_traces.c.user_id, tool_traces.c.org_id)
        rows = (await connection.execute(select(*columns))).all()
    assert {(row.id, row.user_id, row.org_id) for row in rows} == {
        (f"{kind}-{number}", owner.user, owner.org)
        for number, owner in enumerate(owners)
        for kind in ("run", "other")
    }


async def test_pruning_goes_by_age_to_the_minute_and_not_by_order(traces: Traces) -> None:
    ages = {"fresh": 0.0, "inside": 30 * 24 - 0.1, "outside": 30 * 24 + 0.1, "ancient": 9_000.0}
    now = datetime.now(UTC)
    for name, hours in ages.items():
        begun = now - timedelta(hours=hours)
        await traces.create_trace(ME, {}, trace_id=name, created_at=begun)
    await traces.create_trace(ME, {}, trace_id="future", created_at=now + timedelta(days=400))
    assert await traces.prune(ME, timedelta(days=30)) == ("ancient", "outside")
    assert await traces.prune(ME, timedelta(days=30)) == ()
    left = {trace.id for trace in (await traces.list_traces(ME)).traces}
    assert left == {"fresh", "inside", "future"}
    assert await traces.prune(ME, timedelta(0)) == ("fresh", "inside")


async def test_pruning_takes_the_old_and_spares_who_is_at_work(
    traces: Traces, database: Database
) -> None:
    """Issue 7: retention."""
    for name in ("old", "new", "busy"):
        await traces.create_trace(ME, {}, trace_id=name)
    await traces.create_trace(OTHERS[0], {}, trace_id="foreign")
    await traces.update_progress(ME, "busy", stage="searching", progress=0.2)
    async with database.write() as connection:
        long_ago = datetime.now(UTC) - timedelta(days=40)
        await connection.execute(
            update(tool_traces).where(tool_traces.c.id != "new").values(created_at=long_ago)
        )
    assert await traces.prune(ME, timedelta(days=30)) == ("old",)
    assert {trace.id for trace in (await traces.list_traces(ME)).traces} == {"new", "busy"}
    assert await traces.prune(None, timedelta(days=30)) == ("foreign",)
    assert (await traces.list_traces(OTHERS[0])).traces == ()


async def test_questions_of_runs_that_found_nothing_are_left_out(traces: Traces) -> None:
    results: dict[str, dict[str, JsonValue]] = {
        "Who built it?": {"status": "answered"},
        "Who sold it?": {"status": "no_evidence"},
        "Who saw it?": {},
    }
    for question, result in results.items():
        made = await traces.create_trace(ME, {"question": question})
        await traces.complete_trace(ME, made.id, result, {})
    asked = await traces.completed_questions(ME, limit=9)
    assert {each.question for each in asked} == {"Who built it?", "Who saw it?"}
