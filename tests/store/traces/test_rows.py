"""What becomes of a trace before any database is asked: who is refused, what follows on what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from tests.store.runs import whole_run

from quaere.domain.events import Event
from quaere.domain.trace import ENDED, TOOL, Owner, Trace, TraceStatus
from quaere.errors import TraceConflict, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import tool_traces
from quaere.store.traces.rows import (
    MAX_TAG_CHARS,
    MAX_TAGS,
    MAX_WORDS,
    TraceFilter,
    begin,
    change,
    exactly,
    following,
    locked,
    matching,
    new_trace,
    page,
    tags_of,
)

ANN, BEN = Owner(user="ann", org="mill"), Owner(user="ben")
AT = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
EVENTS = whole_run()


def trace(**fields: object) -> Trace:
    made = new_trace(ANN, {"question": "Who?"}, trace_id="run-1", created_at=AT)
    return made.model_copy(update=fields)


def numbers(events: Sequence[Event]) -> list[int]:
    return [event.seq for event in events]


def test_what_is_asked_for_begins_as_its_owners() -> None:
    made = new_trace(ANN, {"question": "Who?"})
    assert (made.user_id, made.org_id, made.tool_name) == ("ann", "mill", TOOL)
    assert (made.status, made.question) == (TraceStatus.PENDING, "Who?")
    assert abs((datetime.now(UTC) - made.created_at).total_seconds()) < 60
    assert made.id != new_trace(ANN, {}).id
    named = new_trace(BEN, {}, tool="check", trace_id="x" * 64, created_at=AT)
    assert (named.id, named.tool_name, named.created_at) == ("x" * 64, "check", AT)


@pytest.mark.parametrize("odd", ["x" * 65, "a\n", "\ud800"])
def test_an_id_that_cannot_be_kept_is_refused(odd: str) -> None:
    with pytest.raises(UsageError, match="64 printable"):
        new_trace(ANN, {}, trace_id=odd)
    assert exactly(ANN, odd) == {"user": "ann", "org": "mill", "trace_id": ""}


def test_a_trace_is_asked_for_by_its_owner_and_its_id() -> None:
    assert exactly(BEN, "run-1") == {"user": "ben", "org": None, "trace_id": "run-1"}


@pytest.mark.anyio
async def test_a_page_ends_at_a_moment_and_an_id(database: Database) -> None:
    async with database.write() as connection:
        for name in ("run~1", "run~2"):
            await begin(connection, new_trace(ANN, {}, trace_id=name, created_at=AT))
    order = (tool_traces.c.created_at, tool_traces.c.id)
    rows, following = await page(database, select(tool_traces), order, limit=1, after=None)
    assert [row["id"] for row in rows] == ["run~2"]
    assert following == "2031-05-04T12:00:00+00:00~run~2"
    rows, following = await page(database, select(tool_traces), order, limit=1, after=following)
    assert ([row["id"] for row in rows], following) == (["run~1"], None)


def test_events_that_are_there_already_are_left_out() -> None:
    assert numbers(following(trace(last_seq=2), EVENTS[:4], None)) == [3, 4]
    assert following(trace(last_seq=2), EVENTS[:2], None) == []
    assert numbers(following(trace(), EVENTS[:1], 0)) == [1]


@pytest.mark.parametrize("first", [1, 3])
def test_events_that_leave_a_gap_are_refused(first: int) -> None:
    with pytest.raises(TraceConflict, match="cannot follow event 0"):
        following(trace(), EVENTS[first : first + 2], None)
    with pytest.raises(TraceConflict, match="cannot follow event 1"):
        following(trace(last_seq=1), [EVENTS[1], EVENTS[3]], None)


@pytest.mark.parametrize(("fence", "is_refused"), [(None, False), (2, False), (1, True), (3, True)])
def test_who_knows_another_fence_writes_nothing(fence: int | None, *, is_refused: bool) -> None:
    taken_over = trace(fence=2)
    if is_refused:
        with pytest.raises(TraceConflict, match="Another worker"):
            following(taken_over, EVENTS[:1], fence)
    else:
        assert following(taken_over, EVENTS[:1], fence)


@pytest.mark.parametrize("status", TraceStatus)
def test_nothing_new_follows_on_the_end(status: TraceStatus) -> None:
    over = trace(status=status, last_seq=2)
    assert following(over, EVENTS[:2], None) == []
    if status in ENDED:
        with pytest.raises(TraceConflict, match=f"already ended .{status}"):
            following(over, EVENTS[:3], None)
    else:
        assert numbers(following(over, EVENTS[:3], None)) == [3]


@pytest.mark.anyio
async def test_a_trace_that_is_begun_twice_is_the_first_and_anothers_id_is_taken(
    database: Database,
) -> None:
    async with database.write() as connection:
        first = await begin(connection, trace())
        again = await begin(connection, trace(input_params={"question": "When?"}))
        assert first == again
        for other in (BEN, Owner(user="ann"), Owner(user="ben", org="mill")):
            with pytest.raises(TraceConflict, match="already in use"):
                await begin(connection, new_trace(other, {}, trace_id="run-1"))


@pytest.mark.anyio
async def test_times_are_those_of_the_events_that_bring_a_change_about(database: Database) -> None:
    async with database.write() as connection:
        await begin(connection, trace())
        held = await locked(connection, ANN, "run-1")
        await change(connection, held, TraceStatus.IN_PROGRESS, {"progress": 0.5}, EVENTS[:3])
        going = await locked(connection, ANN, "run-1")
        assert (going.status, going.progress) == (TraceStatus.IN_PROGRESS, 0.5)
        assert (going.last_seq, going.started_at) == (3, EVENTS[0].moment)
        assert going.completed_at is None
        await change(connection, going, TraceStatus.COMPLETED, {}, EVENTS[3:5])
        over = await locked(connection, ANN, "run-1")
        assert (over.last_seq, over.started_at) == (5, EVENTS[0].moment)
        assert over.completed_at == EVENTS[4].moment
        with pytest.raises(TraceConflict, match="already ended"):
            await change(connection, over, TraceStatus.FAILED, {})


@pytest.mark.anyio
async def test_without_events_a_change_happens_now(database: Database) -> None:
    async with database.write() as connection:
        await begin(connection, trace())
        held = await locked(connection, ANN, "run-1")
        await change(connection, held, TraceStatus.CANCELLED, {})
        over = await locked(connection, ANN, "run-1")
    assert over.last_seq == 0
    for moment in (over.started_at, over.completed_at):
        assert moment
        assert abs((datetime.now(UTC) - moment).total_seconds()) < 60


@given(st.lists(st.text("aB ", min_size=1, max_size=4).filter(str.strip), max_size=8))
def test_tags_are_small_trimmed_and_each_once_in_their_order(typed: list[str]) -> None:
    kept = tags_of(typed)
    assert kept == list(dict.fromkeys(kept))
    assert [tag.split() for tag in kept] == list(
        map(list, dict.fromkeys(tuple(tag.lower().split()) for tag in typed))
    )
    assert tags_of(kept) == kept


def test_a_run_has_twenty_tags_at_most_of_which_none_counts_twice() -> None:
    typed = [str(n) for n in range(MAX_TAGS)]
    assert tags_of([*typed, " 0 "]) == typed
    with pytest.raises(UsageError, match="20 tags, not 21"):
        tags_of([*typed, "more"])


def test_a_tag_has_fifty_printable_characters_at_most() -> None:
    assert tags_of(["x" * MAX_TAG_CHARS]) == ["x" * MAX_TAG_CHARS]
    for odd in ("x" * (MAX_TAG_CHARS + 1), "", "  ", "a\0"):
        with pytest.raises(UsageError, match="1 to 50 printable"):
            tags_of(["fine", odd])


@pytest.mark.parametrize(
    ("only", "conditions"),
    [
        (TraceFilter(), 0),
        (TraceFilter(tool=None, status=None, q=None, tag=None, pinned=None), 0),
        (TraceFilter(tool="check"), 1),
        (TraceFilter(status=TraceStatus.FAILED), 1),
        (TraceFilter(pinned=False), 1),
        (TraceFilter(tag="mill"), 1),
        (TraceFilter(tag=""), 1),
        (TraceFilter(q="mill  Orrin"), 2),
        (TraceFilter(q="mill\0Orrin"), 2),
        (TraceFilter(q="x " * (MAX_WORDS + 5)), MAX_WORDS),
        (TraceFilter(q="mill", tag="old", pinned=True, tool="check"), 4),
    ],
)
def test_everything_that_is_asked_for_has_to_hold(only: TraceFilter, conditions: int) -> None:
    assert len(list(matching(only))) == conditions
