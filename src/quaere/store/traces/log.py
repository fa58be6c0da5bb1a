"""Rows of a run in addition to its trace: events, sources, citations and findings."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from pydantic import ValidationError
from sqlalchemy import RowMapping, and_, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.conversation import ChatRole
from quaere.domain.events import RUN_EVENT, Event, RunEvent, RunFinished
from quaere.domain.report import Report
from quaere.domain.trace import Source
from quaere.domain.value import text_hash
from quaere.errors import SchemaError
from quaere.store.db.database import insert_new
from quaere.store.db.schema import (
    chat_messages,
    findings,
    pages,
    run_citations,
    run_events,
    run_sources,
    value_of,
)

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LEVEL = 10


def event_row(run_id: str, event: Event) -> dict[str, object]:
    """Return the row of ``run_events`` for ``event``."""
    return {
        "run_id": run_id,
        "seq": event.seq,
        "type": getattr(event, "type", type(event).__name__),
        "at": event.moment,
        "body": event.model_dump_json(),
    }


async def add_to_log(
    connection: AsyncConnection, run_id: str, events: Sequence[Event], sources: Sequence[Source]
) -> None:
    """Store ``events`` that the run does not have yet, their ``sources``, and a report."""
    if events:
        await connection.execute(insert(run_events), [event_row(run_id, e) for e in events])
    await keep_sources(connection, run_id, sources)
    for event in events:
        if isinstance(event, RunFinished):
            await keep_report(connection, run_id, event.report)


async def keep_sources(connection: AsyncConnection, run_id: str, sources: Sequence[Source]) -> None:
    """Store ``sources`` of the run, each passage once, and their texts, each text once."""
    if not sources:
        return
    texts = {text_hash(source.text): source.text for source in sources if source.text}
    now = datetime.now(UTC)
    rows = [
        {"hash": key, "chars": len(texts[key]), "body": packed(texts[key]), "created_at": now}
        for key in sorted(texts)  # in a fixed order, or two transactions could deadlock
    ]
    await insert_new(connection, pages, rows)
    await insert_new(connection, run_sources, [_source_row(run_id, each) for each in sources])


async def sources_of(connection: AsyncConnection, run_id: str) -> tuple[Source, ...]:
    """Return the sources of the run, by the number of their evidence."""
    wanted = (
        select(run_sources, pages.c.body)
        .join(pages, pages.c.hash == run_sources.c.page_hash, isouter=True)
        .where(run_sources.c.run_id == run_id)
        .order_by(run_sources.c.topic, run_sources.c.evidence, run_sources.c.passage)
    )
    return tuple(_source(row) for row in (await connection.execute(wanted)).mappings())


async def keep_report(connection: AsyncConnection, run_id: str, report: Report) -> None:
    """Store the citations and findings of ``report``, replacing earlier ones of the run."""
    await connection.execute(delete(run_citations).where(run_citations.c.run_id == run_id))
    await connection.execute(delete(findings).where(findings.c.run_id == run_id))
    citations: list[Mapping[str, object]] = [
        {
            "run_id": run_id,
            "id": citation.id,
            "evidence": citation.evidence,
            "passage": citation.quote.passage,
            "url": citation.url,
            "title": citation.title,
            "type": citation.type,
            "location": citation.location,
            "quote": citation.quote.text,
            "start": citation.quote.start,
            "end": citation.quote.end,
        }
        for citation in report.citations
    ]
    found: list[Mapping[str, object]] = [
        {
            "run_id": run_id,
            "number": number,
            "item": sentence.item,
            "statement": sentence.text,
            "support": str(sentence.support),
            "probability": sentence.probability,
            "evidence": list(sentence.evidence),
        }
        for number, sentence in enumerate(report.sentences, 1)
        if sentence.evidence
    ]
    for table, rows in ((run_citations, citations), (findings, found)):
        if rows:
            await connection.execute(insert(table), rows)
    await fill_answers(connection, run_id, report)


async def fill_answers(connection: AsyncConnection, run_id: str, report: Report) -> None:
    """Put the answer of the run into the conversations that wait for it."""
    waits = and_(chat_messages.c.trace_id == run_id, chat_messages.c.content == "")
    citations = [citation.model_dump(mode="json") for citation in report.citations]
    await connection.execute(
        update(chat_messages)
        .where(waits, chat_messages.c.role == str(ChatRole.ASSISTANT))
        .values(content=report.answer, citations=citations)
    )


async def last_report(connection: AsyncConnection, run_id: str) -> Report | None:
    """Return the report that the run has ended with, if it has."""
    event = await last_event(connection, run_id, "run_finished")
    return event.report if isinstance(event, RunFinished) else None


async def last_event(connection: AsyncConnection, run_id: str, *kinds: str) -> Event | None:
    """Return the last event of the run that is of one of these ``kinds``, if there is one."""
    wanted = (
        select(run_events.c.body)
        .where(run_events.c.run_id == run_id, run_events.c.type.in_(kinds))
        .order_by(run_events.c.seq.desc())
        .limit(1)
    )
    body = (await connection.execute(wanted)).scalar_one_or_none()
    return None if body is None else event_of(body)


def event_of(body: str) -> RunEvent:
    """Return an event from the JSON that is stored of it.

    Raises:
        SchemaError: when another version of Quaere has written it, and this one cannot read it, or
            it is damaged.
    """
    try:
        return RUN_EVENT.validate_json(body)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise SchemaError("An event of this run is damaged: it is cut off.") from error
        raise SchemaError(
            "This run was made by another version of Quaere, whose events this one cannot read. "
            "Install the later of the two."
        ) from error


async def drop_event(connection: AsyncConnection, run_id: str, kind: str) -> int:
    """Delete the last event of the run if it is of that ``kind``; return how many were deleted."""
    last = select(func.max(run_events.c.seq)).where(run_events.c.run_id == run_id)
    gone = await connection.execute(
        delete(run_events).where(
            run_events.c.run_id == run_id,
            run_events.c.seq == last.scalar_subquery(),
            run_events.c.type == kind,
        )
    )
    return gone.rowcount


async def drop_orphans(connection: AsyncConnection) -> None:
    """Delete the texts that no run refers to."""
    if connection.dialect.name == "postgresql":
        # Until the transaction ends, no new reference to a text that is being deleted can appear.
        await connection.execute(text("LOCK TABLE pages IN SHARE ROW EXCLUSIVE MODE"))
    used = select(run_sources.c.page_hash).where(run_sources.c.page_hash == pages.c.hash)
    await connection.execute(delete(pages).where(~used.exists()))


def _source_row(run_id: str, source: Source) -> dict[str, object]:
    evidence = source.evidence
    return {
        "run_id": run_id,
        "passage": evidence.passage,
        "evidence": evidence.id,
        "topic": source.topic,
        "url": evidence.url,
        "title": evidence.title,
        "locator": evidence.locator,
        "start": source.start,
        "end": source.end,
        "content_hash": source.content_hash,
        "page_hash": text_hash(source.text) if source.text else None,
        "retrieved_at": source.retrieved_at,
        "published": source.published,
        "provided": source.provided,
        "details": evidence.model_dump(mode="json"),
    }


def _source(row: RowMapping) -> Source:
    """Return the source in a row.

    Raises:
        SchemaError: when it or its text is damaged, or another version of Quaere has written it.
    """
    body = row["body"]
    try:
        text_of_page = "" if body is None else unpacked(body)
        return value_of(row, Source, evidence=row["details"], text=text_of_page)
    except (zstd.ZstdError, ValueError) as error:
        raise SchemaError(
            f"The source {row['evidence']} of this run cannot be read here: it is damaged, or "
            "another version of Quaere has written it."
        ) from error


def packed(text: str) -> bytes:
    """Return ``text`` compressed, in one zstd frame."""
    return zstd.compress(_encoded(text), _LEVEL)


def unpacked(body: bytes) -> str:
    """Return the exact text in ``body``.

    Raises:
        ZstdError: when it was not made by `packed`.
    """
    return zstd.decompress(body).decode("utf-8", "surrogatepass")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
