"""Rows of ``tool_traces``: creating, finding, locking, deleting them, and their changes of status.

With a trace goes all that is stored about its run, but for what it took.
"""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import JsonValue, ValidationError
from sqlalchemy import (
    Column,
    ColumnElement,
    LargeBinary,
    RowMapping,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    delete,
    false,
    func,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from quaere.domain.events import Event, RunStarted
from quaere.domain.trace import ENDED, TOOL, Owner, Trace, TraceStatus
from quaere.domain.value import encodable
from quaere.errors import SchemaError, TraceConflict, TraceNotFound, UsageError
from quaere.store.db.database import Database, insert_new
from quaere.store.db.schema import (
    jobs,
    owned_row,
    owner_is,
    pages,
    run_events,
    run_sources,
    schedules,
    tool_traces,
)
from quaere.store.run_id import MAX_CANDIDATES, MAX_ID_CHARS, is_prefix, is_run_id
from quaere.store.traces.log import drop_orphans
from quaere.store.usage import keep_usage
from quaere.text.sanitize import quoted
from quaere.version import __version__

logger = logging.getLogger(__name__)

MAX_LISTED = 200
"""Rows of a page of a list at most."""


EXACT = select(tool_traces).where(
    tool_traces.c.user_id == bindparam("user"),
    tool_traces.c.org_id.is_not_distinct_from(bindparam("org", type_=tool_traces.c.org_id.type)),
    tool_traces.c.id == bindparam("trace_id"),
)
"""Selects the trace of an owner that has an id; made once, as it is asked for all the time."""


def exactly(owner: Owner, trace_id: str) -> Mapping[str, str | None]:
    """Return the values for `EXACT`; no trace has an invalid id."""
    known = trace_id if is_run_id(trace_id) else ""
    return {"user": owner.user, "org": owner.org, "trace_id": known}


def beginning(owner: Owner | None, trace_id: str) -> Select[tuple[object, ...]]:
    """Return what selects the trace with that id, first, and those whose id begins with it."""
    found = owned_row(tool_traces, owner, trace_id)
    if is_prefix(trace_id):
        begins = func.substr(tool_traces.c.id, 1, len(trace_id)) == trace_id
        found = or_(found, and_(owner_is(tool_traces, owner), begins))
    shortest = (func.length(tool_traces.c.id), tool_traces.c.id)
    return select(tool_traces).where(found).order_by(*shortest).limit(MAX_CANDIDATES + 1)


async def page(
    database: Database,
    wanted: Select[*tuple[Any, ...]],
    order: tuple[Column[datetime], Column[str]],
    *,
    limit: int,
    after: str | None,
) -> tuple[Sequence[RowMapping], str | None]:
    """Return the rows of one page of a list, the latest first, and what asks for the next page.

    Args:
        database: Where they are.
        wanted: Selects the rows of the whole list, with the columns of ``order``.
        order: Column of the times that they are in the order of, and of their ids.
        limit: Size of the page, `MAX_LISTED` at most.
        after: What was returned with the page before; None for the first.

    Raises:
        UsageError: when ``after`` is nothing that was returned.
        StoreError: when the database cannot be used.
    """
    limit = max(1, min(limit, MAX_LISTED))
    if after is not None:
        wanted = wanted.where(_behind(after, *order))
    latest = wanted.order_by(*(column.desc() for column in order)).limit(limit + 1)
    rows = await database.rows(latest)
    if len(rows) <= limit:
        return rows, None
    moment, row_id = (rows[limit - 1][column.name] for column in order)
    return rows[:limit], f"{moment.isoformat()}~{row_id}"


def _behind(asked: str, moments: Column[datetime], ids: Column[str]) -> ColumnElement[bool]:
    """Return the condition that a row comes after that place, the latest being the first.

    Raises:
        UsageError: when it is nothing that `page` returned.
    """
    text, _, row_id = asked.partition("~")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.utcoffset() != timedelta(0) or not is_run_id(row_id):
        raise UsageError(
            f"Invalid cursor {quoted(asked)}; use the one that the previous page returned."
        )
    return or_(moments < moment, and_(moments == moment, ids < row_id))


def new_trace(
    owner: Owner,
    params: Mapping[str, JsonValue],
    *,
    tool: str = TOOL,
    trace_id: str = "",
    created_at: datetime | None = None,
) -> Trace:
    """Return the first state of the trace of what ``owner`` asks for.

    Raises:
        UsageError: when the id is too long or not printable.
    """
    if trace_id and not is_run_id(trace_id):
        raise UsageError(f"The id of a run may have at most {MAX_ID_CHARS} printable characters.")
    return Trace(
        id=trace_id or str(uuid.uuid4()),
        user_id=owner.user,
        org_id=owner.org,
        tool_name=tool,
        input_params=params,
        created_at=created_at or datetime.now(UTC),
    )


async def begin(connection: AsyncConnection, trace: Trace) -> Trace:
    """Keep ``trace``, and return it as it stands: it may have been there already.

    Raises:
        TraceConflict: when somebody else's trace has its id.
    """
    (begun,) = await begin_together(connection, [trace])
    if isinstance(begun, TraceConflict):
        raise begun
    return begun


async def begin_together(
    connection: AsyncConnection, traces: Sequence[Trace]
) -> list[Trace | TraceConflict]:
    """Keep ``traces``, and return each as it stands, or the conflict if its id is another's."""
    rows = [trace.model_dump() | {"status": str(trace.status)} for trace in traces]
    await insert_new(connection, tool_traces, rows)
    wanted = select(tool_traces).where(tool_traces.c.id.in_([trace.id for trace in traces]))
    found = {row["id"]: row for row in (await connection.execute(wanted)).mappings()}
    return [_begun(trace, found[trace.id]) for trace in traces]


def _begun(trace: Trace, row: RowMapping) -> Trace | TraceConflict:
    if (row["user_id"], row["org_id"]) != (trace.user_id, trace.org_id):
        return TraceConflict(f"The id {trace.id!r} is already in use.")
    return trace_of(row)


def trace_of(row: RowMapping) -> Trace:
    """Return the trace in a row.

    Raises:
        SchemaError: when it is damaged, or another version of Quaere has written it.
    """
    known = {name: value for name, value in row.items() if value is not None}
    try:
        return Trace.model_validate(known)
    except ValidationError as error:
        places = ", ".join(sorted({str(fault["loc"][0]) for fault in error.errors()}))
        raise SchemaError(
            f"The run {row['id']} cannot be read here ({places}): its row is damaged, or another "
            "version of Quaere has written it."
        ) from error


def readable(rows: Iterable[RowMapping]) -> Iterator[Trace]:
    """Yield the traces of ``rows`` that can be read here: the others hide none of them."""
    for row in rows:
        try:
            yield trace_of(row)
        except SchemaError as error:
            logger.warning("%s", error.message)


async def locked(connection: AsyncConnection, owner: Owner, trace_id: str) -> Trace:
    """Return the trace, which nobody else changes until the transaction is over.

    Raises:
        TraceNotFound: when ``owner`` has no such trace.
    """
    wanted = select(tool_traces).where(owned_row(tool_traces, owner, trace_id)).with_for_update()
    row = (await connection.execute(wanted)).mappings().one_or_none()
    if row is None:
        raise TraceNotFound(f"There is no trace {quoted(trace_id)}.")
    return trace_of(row)


async def change(
    connection: AsyncConnection,
    trace: Trace,
    status: TraceStatus,
    changes: Mapping[str, object],
    events: Sequence[Event] = (),
) -> None:
    """Set the status of ``trace``, which is locked, and ``changes`` in its columns.

    Where ``events`` bring the change about, its times are theirs.

    Raises:
        TraceConflict: when it has ended.
    """
    _check_going(trace)
    now = events[-1].moment if events else datetime.now(UTC)
    begun = next((each.moment for each in events if isinstance(each, RunStarted)), trace.started_at)
    told: dict[str, object] = {"started_at": begun or now}
    if status in ENDED:
        told["completed_at"] = now
    if events:
        told["last_seq"] = events[-1].seq
    if events or status is TraceStatus.IN_PROGRESS:  # the run goes on, or has, in this version
        told["graph_version"] = __version__
    await connection.execute(
        update(tool_traces)
        .where(tool_traces.c.id == trace.id)
        .values({"status": str(status), **told, **changes})
    )


def following(trace: Trace, events: Sequence[Event], fence: int | None) -> list[Event]:
    """Return those of ``events`` that ``trace`` does not have yet.

    Raises:
        TraceConflict: when they may not follow, or ``fence`` is not the trace's any more.
    """
    if fence not in {None, trace.fence}:
        raise TraceConflict(f"Another worker has taken over the run {trace.id!r}.")
    fresh = [event for event in events if event.seq > trace.last_seq]
    if fresh:
        _check_going(trace)
    numbers = [event.seq for event in fresh]
    if numbers != [*range(trace.last_seq + 1, trace.last_seq + 1 + len(fresh))]:
        raise TraceConflict(f"Events {numbers} cannot follow event {trace.last_seq}.")
    return fresh


def _check_going(trace: Trace) -> None:
    if trace.status in ENDED:
        raise TraceConflict(f"The run {trace.id!r} has already ended ({trace.status}).")


MAX_TAGS = 20
MAX_TAG_CHARS = 50
MAX_WORDS = 20
"""Words of a search that are looked for; the rest is left out."""


class TraceFilter(TypedDict, total=False):
    """What a trace must have to be listed; what is left out or ``None`` does not matter."""

    tool: str | None
    status: TraceStatus | None
    q: str | None
    """Words that must all be in the question, in any order and in either case."""
    tag: str | None
    pinned: bool | None


def matching(only: TraceFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions that ``only`` sets."""
    tool, status, pinned = only.get("tool"), only.get("status"), only.get("pinned")
    if tool is not None:
        yield tool_traces.c.tool_name == tool
    if status is not None:
        yield tool_traces.c.status == str(status)
    if pinned is not None:
        yield tool_traces.c.pinned.is_(pinned)
    for word in encodable(only.get("q") or "").replace("\0", " ").split()[:MAX_WORDS]:
        yield _asks_for(word)
    if (tag := only.get("tag")) is not None:
        yield _has_tag(tag)


def tags_of(typed: Sequence[str]) -> list[str]:
    """Return the tags that ``typed`` means: in lower case, without spaces around, each once.

    Raises:
        UsageError: when there are too many, or one is too long or cannot be shown.
    """
    tags = list(dict.fromkeys(" ".join(tag.split()).lower() for tag in typed))
    if len(tags) > MAX_TAGS:
        raise UsageError(f"A run may have at most {MAX_TAGS} tags, not {len(tags)}.")
    for tag in tags:
        if not tag or len(tag) > MAX_TAG_CHARS or not tag.isprintable():
            raise UsageError(
                f"A tag must have 1 to {MAX_TAG_CHARS} printable characters, unlike {quoted(tag)}."
            )
    return tags


def _asks_for(word: str) -> ColumnElement[bool]:
    """Return the condition that ``word`` is in the question, in either case."""
    question = tool_traces.c.input_params["question"].as_string()
    # Databases may know no case of letters beyond ASCII.
    spelled = sorted({word, word.lower(), word.upper(), word.capitalize()})
    return or_(*(question.icontains(each, autoescape=True) for each in spelled))


def _has_tag(typed: str) -> ColumnElement[bool]:
    try:
        (tag,) = tags_of([typed])
    except UsageError:
        return false()
    # As it is in the list: in quotes, and with its own quotes escaped.
    return cast(tool_traces.c.tags, Text).contains(json.dumps(tag), autoescape=True)


BATCH = 500
"""Ids in one statement; databases take no number of them."""


def may_go() -> ColumnElement[bool]:
    """Return the condition that a trace may be deleted to save space.

    It is not pinned, its run is neither in progress nor waiting for a worker, and none that is
    scheduled will be compared to it.
    """
    waits = tool_traces.c.id.in_(select(jobs.c.run_id))
    compared = [
        tool_traces.c.id.in_(select(column).where(column.is_not(None)))
        for column in (schedules.c.last_run, schedules.c.baseline, jobs.c.compared_to)
    ]
    return and_(
        not_(or_(tool_traces.c.pinned, *compared)),
        tool_traces.c.status != str(TraceStatus.IN_PROGRESS),
        or_(tool_traces.c.status.in_([str(status) for status in ENDED]), not_(waits)),
    )


async def delete_traces(
    connection: AsyncConnection, condition: ColumnElement[bool]
) -> Sequence[str]:
    """Delete the traces that ``condition`` selects and return their ids; their usage is kept."""
    await keep_usage(connection, condition)
    going = delete(tool_traces).where(condition).returning(tool_traces.c.id)
    gone = (await connection.execute(going)).scalars().all()
    if gone:
        await drop_orphans(connection)
    return gone


async def excess(
    connection: AsyncConnection, mine: ColumnElement[bool], most_bytes: int
) -> list[str]:
    """Return the oldest traces that may go, as many as have to for the rest to be small enough."""
    sizes = await _sizes(connection)
    wanted = select(tool_traces.c.id, may_go().label("may_go")).where(mine)
    oldest = wanted.order_by(tool_traces.c.created_at, tool_traces.c.id)
    rows = (await connection.execute(oldest)).all()
    total = sum(sizes.get(row.id, 0) for row in rows)
    going: list[str] = []
    for row in rows:
        if total <= most_bytes:
            break
        if row.may_go:
            going.append(row.id)
            total -= sizes.get(row.id, 0)
    return going


async def _sizes(connection: AsyncConnection) -> dict[str, int]:
    """Return the bytes of the events and pages of each run."""
    if connection.dialect.name == "postgresql":
        written = func.octet_length(run_events.c.body)
    else:
        written = func.length(cast(run_events.c.body, LargeBinary))
    by_run = select(run_events.c.run_id, func.sum(written)).group_by(run_events.c.run_id)
    sizes = {row[0]: int(row[1]) for row in (await connection.execute(by_run)).all()}
    read = select(run_sources.c.run_id, run_sources.c.page_hash).distinct().subquery()
    by_page = (
        select(read.c.run_id, func.sum(func.length(pages.c.body)))
        .select_from(read.join(pages, pages.c.hash == read.c.page_hash))
        .group_by(read.c.run_id)
    )
    for run_id, size in (await connection.execute(by_page)).all():
        sizes[run_id] = sizes.get(run_id, 0) + int(size)
    return sizes


def batched(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield ``names`` in parts of `BATCH` at most."""
    for first in range(0, len(names), BATCH):
        yield names[first : first + BATCH]
