"""Rows that are damaged, or that another version has written: told, and no other run suffers."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from sqlalchemy import update
from tests.store.runs import EVIDENCE, whole_run

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, Source
from quaere.errors import SchemaError
from quaere.store.carriers.database import take
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, pages, run_events, run_sources, tool_traces
from quaere.store.jobs import Job, Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Entries, Traces

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")


@pytest.fixture
async def two(traces: Traces) -> Traces:
    """Two runs with a page each; the first one will be damaged."""
    for name in ("damaged", "whole"):
        await traces.create_trace(ANN, {"question": "Who?"}, trace_id=name)
        entries = Entries(
            events=whole_run(run_id=name)[:-1],
            sources=[Source(evidence=EVIDENCE, text=f"The text of {name}.")],
        )
        await traces.update_progress(ANN, name, stage="x", progress=0.5, entries=entries)
    return traces


ROWS: Mapping[str, Mapping[str, object]] = {
    "a status to come": {"status": "dancing"},
    "a state that is none": {"state": [1]},
    "progress beyond its end": {"progress": 7.0},
    "parameters that are none": {"input_params": "who"},
    "a result that is none": {"result": [1]},
    "tags that are none": {"tags": 5},
}


@pytest.mark.parametrize("values", ROWS.values(), ids=ROWS)
async def test_a_row_that_cannot_be_read_hides_no_other(
    two: Traces, values: Mapping[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    async with two.database.write() as connection:
        row = tool_traces.c.id == "damaged"
        await connection.execute(update(tool_traces).where(row).values(values))
    listed = await two.list_traces(ANN)
    assert [trace.id for trace in listed.traces] == ["whole"]
    assert "The run damaged cannot be read here" in caplog.text
    (name,) = values
    for reading in (two.get_trace, two.events, two.sources):
        with pytest.raises(SchemaError, match=f"The run damaged cannot be read.*{name}"):
            await reading(ANN, "damaged")
        await reading(ANN, "whole")
    await two.delete(ANN, "damaged")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"type": "plan_made", "se', "An event of this run is damaged"),
        ('{"type": "from_the_future", "seq": 3}', "another version of Quaere"),
        ("null", "another version of Quaere"),
    ],
)
async def test_an_event_that_cannot_be_read_is_told(two: Traces, body: str, told: str) -> None:
    async with two.database.write() as connection:
        event = (run_events.c.run_id == "damaged") & (run_events.c.seq == 3)
        await connection.execute(update(run_events).where(event).values(body=body))
    with pytest.raises(SchemaError, match=told):
        await two.events(ANN, "damaged")
    assert await two.events(ANN, "damaged", after=3)
    assert await two.events(ANN, "whole")


async def test_a_source_that_cannot_be_read_is_told(two: Traces) -> None:
    mine = run_sources.c.run_id == "damaged"
    async with two.database.write() as connection:
        await connection.execute(update(run_sources).where(mine).values(details={"kind": 5}))
    with pytest.raises(SchemaError, match="The source 1 of this run cannot be read"):
        await two.sources(ANN, "damaged")
    assert await two.sources(ANN, "whole")


async def test_a_page_that_is_cut_off_is_told(two: Traces) -> None:
    async with two.database.write() as connection:
        await connection.execute(update(pages).values(body=b"\x28\xb5\x2f\xfd"))
    with pytest.raises(SchemaError, match="The source 1 of this run cannot be read"):
        await two.sources(ANN, "damaged")


async def test_a_reply_that_another_version_has_taken_is_told(database: Database) -> None:
    """A worker waits for another: it makes other runs, too."""
    await Jobs(database).submit(Entry.of(ANN, RunSpec.of("Who?", run_id="a"), params={}))
    job = await take(database, "a", "w")
    assert isinstance(job, Job)
    async with database.write() as connection:
        reply = json.dumps({"seq": "the third", "voice": "yes"})
        await connection.execute(update(jobs).values(reply=reply))
    with pytest.raises(SchemaError, match="Another version of Quaere has taken the reply"):
        await Jobs(database).given_reply(job)
