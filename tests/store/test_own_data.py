"""Everything that is held of one user is deleted, and nothing of others, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select
from tests.store.runs import EVIDENCE, TEXT, whole_run

from quaere.domain.conversation import ChatRole, NewMessage
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.trace import Owner, Source
from quaere.store.conversations import Conversations
from quaere.store.db.database import Database
from quaere.store.db.schema import metadata
from quaere.store.jobs import Jobs
from quaere.store.keys import Keys
from quaere.store.own_data import erase
from quaere.store.schedules import Schedules, Timing
from quaere.store.submission import Entry, RequestKeys
from quaere.store.traces.traces import Entries, Traces

pytestmark = pytest.mark.anyio

ANN, BEN, OTHER_ANN = Owner(user="ann", org="mills"), Owner(user="ben"), Owner(user="ann")


async def fill(database: Database, owner: Owner, name: str) -> None:
    """Put something of ``owner`` into every table that has owners."""
    traces = Traces(database)
    await traces.create_trace(owner, {"question": "Who?"}, trace_id=name)
    entries = Entries(
        events=whole_run(run_id=name), sources=[Source(evidence=EVIDENCE, text=f"{TEXT}{name}")]
    )
    await traces.update_progress(owner, name, stage="x", progress=0.5, entries=entries)
    await traces.create_trace(owner, {}, trace_id=f"gone-{name}")
    await traces.delete(owner, f"gone-{name}")
    await Jobs(database).submit(
        Entry.of(owner, RunSpec.of("Who?", run_id=f"job-{name}"), params={})
    )
    talks = Conversations(database)
    talk = await talks.start(owner, "x")
    await talks.add(owner, talk.id, [NewMessage(role=ChatRole.USER, content="Who?")])
    await Keys(database).create(owner, "laptop")
    request = RunRequest.of(question="Who?")
    await Schedules(database).add(owner, request, Timing.of("every monday 8:00", "UTC"))
    await RequestKeys(database).claim(owner, "k", fingerprint="f", run_id=name)


async def counts(database: Database) -> dict[str, int]:
    async with database.read() as connection:
        found: dict[str, int] = {}
        for table in metadata.sorted_tables:
            counted = await connection.execute(select(func.count()).select_from(table))
            found[table.name] = counted.scalar_one()
    return found


async def test_all_of_one_user_goes_and_nothing_of_others(database: Database) -> None:
    await fill(database, BEN, "ben")
    await fill(database, OTHER_ANN, "other")
    before = await counts(database)
    without_rows = {name for name, count in before.items() if not count}
    assert without_rows <= {
        "answers",
        "folders",
        "key_requests",
        "run_answers",
        "service_limits",
        "switches",
        "webhooks",
        "workers",
    }
    await fill(database, ANN, "ann")
    assert await erase(database, ANN) == ("ann", "job-ann")
    assert await counts(database) == before
    assert await erase(database, ANN) == ()
