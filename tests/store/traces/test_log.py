"""Rows of a run besides its trace: each once, replaced when told anew, gone with the last use."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlalchemy import RowMapping, Table, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from tests.store.runs import EVIDENCE, RUN, whole_run

from quaere.domain.events import RunFinished
from quaere.domain.report import Report, Sentence
from quaere.domain.trace import Owner, Source
from quaere.store.db.database import Database, insert_new
from quaere.store.db.schema import chat_messages, findings, pages, run_citations, run_events
from quaere.store.traces.log import (
    add_to_log,
    drop_event,
    drop_orphans,
    fill_answers,
    keep_report,
    keep_sources,
    last_report,
    sources_of,
)
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
EVENTS = whole_run()


@pytest.fixture(autouse=True)
async def _run(traces: Traces) -> None:
    await traces.create_trace(ANN, {"question": "Who?"}, trace_id=RUN)


async def count(connection: AsyncConnection, table: Table) -> int:
    counted = select(func.count()).select_from(table)
    return (await connection.execute(counted)).scalar_one()


async def rows(connection: AsyncConnection, table: Table) -> Sequence[RowMapping]:
    return (await connection.execute(select(table))).mappings().all()


def source(number: int, text: str = "", topic: str = "") -> Source:
    evidence = EVIDENCE.model_copy(update={"id": number, "passage": f"passage-{number}"})
    return Source(
        evidence=evidence,
        topic=topic,
        text=text,
        start=3,
        end=9,
        content_hash="c" * 64,
        retrieved_at="2031",
        published="1788",
        provided=True,
    )


def report() -> Report:
    (finished,) = (event for event in EVENTS if isinstance(event, RunFinished))
    return finished.report


async def test_sources_come_back_as_they_were_by_topic_and_number(database: Database) -> None:
    kept = [source(2, "Two."), source(1, "One.", topic="b"), source(1, "One."), source(3)]
    kept[1] = kept[1].model_copy(
        update={"evidence": kept[1].evidence.model_copy(update={"passage": "other"})}
    )
    async with database.write() as connection:
        await keep_sources(connection, RUN, kept)
        await keep_sources(connection, RUN, [source(2, "Two again.")])  # of the same passage
        await keep_sources(connection, RUN, [])
        found = await sources_of(connection, RUN)
        assert await sources_of(connection, "other") == ()
    assert found == (kept[2], kept[0], kept[3], kept[1])


async def test_a_text_is_kept_once_with_its_length_until_nobody_refers_to_it(
    database: Database,
) -> None:
    async with database.write() as connection:
        await keep_sources(connection, RUN, [source(1, "Mühle"), source(2, "Mühle"), source(3)])
        (page,) = await rows(connection, pages)
        assert page["chars"] == 5
        await insert_new(connection, pages, [{**page, "hash": "unused"}])
        assert await count(connection, pages) == 2
        await drop_orphans(connection)
        (left,) = await rows(connection, pages)
    assert left["hash"] == page["hash"]


async def test_what_has_a_key_already_is_not_inserted_again(database: Database) -> None:
    async with database.write() as connection:
        await keep_sources(connection, RUN, [source(1, "One.")])
        (page,) = await rows(connection, pages)
        await insert_new(connection, pages, [{**page, "chars": 99}])
        await insert_new(connection, pages, [])
        assert await rows(connection, pages) == [page]


async def test_a_log_brings_its_report(database: Database) -> None:
    async with database.write() as connection:
        await add_to_log(connection, RUN, EVENTS[:-1], [])
        assert await last_report(connection, RUN) is None
        assert await count(connection, findings) == 0
        await add_to_log(connection, RUN, EVENTS[-1:], [])
        assert await last_report(connection, RUN) == report()
        assert await count(connection, run_events) == len(EVENTS)
        assert await count(connection, findings) > 0
        await add_to_log(connection, RUN, [], [])


async def test_a_report_replaces_the_one_before(database: Database) -> None:
    cited = report()
    sentences = (
        Sentence(text="It leads in."),
        Sentence(text="It was built.", evidence=(2, 1), item="a", probability=0.75),
    )
    told = cited.model_copy(update={"sentences": sentences, "citations": cited.citations[:1]})
    async with database.write() as connection:
        await keep_report(connection, RUN, cited)
        await keep_report(connection, RUN, told)
        (finding,) = await rows(connection, findings)
        (citation,) = await rows(connection, run_citations)
        await keep_report(connection, RUN, told.model_copy(update={"citations": ()}))
        assert await count(connection, run_citations) == 0
    assert (finding["number"], finding["statement"]) == (2, "It was built.")
    assert (finding["item"], finding["evidence"]) == ("a", [2, 1])
    assert finding["probability"] == 0.75
    of = cited.citations[0]
    assert (citation["id"], citation["url"], citation["quote"]) == (of.id, of.url, of.quote.text)
    assert (citation["start"], citation["end"]) == (of.quote.start, of.quote.end)


async def test_an_answer_goes_where_one_is_waited_for_and_nowhere_else(
    database: Database, traces: Traces
) -> None:
    await traces.create_trace(ANN, {"question": "When?"}, trace_id="other")

    def message(name: str, role: str, content: str = "", run: str = RUN) -> dict[str, object]:
        return {
            "id": name,
            "conversation_id": "talk",
            "user_id": "ann",
            "role": role,
            "content": content,
            "citations": [],
            "trace_id": run,
            "created_at": EVENTS[0].moment,
        }

    said = [
        message("asked", "user"),
        message("waits", "assistant"),
        message("told", "assistant", "There already."),
        message("other", "assistant", run="other"),
    ]
    async with database.write() as connection:
        await connection.execute(insert(chat_messages), said)
        await fill_answers(connection, RUN, report())
        found = {row["id"]: row for row in await rows(connection, chat_messages)}
    assert {name: row["content"] for name, row in found.items()} == {
        "asked": "",
        "waits": report().answer,
        "told": "There already.",
        "other": "",
    }
    assert len(found["waits"]["citations"]) == len(report().citations)
    assert found["asked"]["citations"] == []


async def test_only_the_last_event_is_dropped_and_only_if_it_is_of_the_kind(
    database: Database,
) -> None:
    async with database.write() as connection:
        await add_to_log(connection, RUN, EVENTS, [])
        kinds = [row["type"] for row in await rows(connection, run_events)]
        assert await drop_event(connection, RUN, kinds[0]) == 0
        assert await drop_event(connection, "other", kinds[-1]) == 0
        assert await drop_event(connection, RUN, kinds[-1]) == 1
        assert await count(connection, run_events) == len(EVENTS) - 1
