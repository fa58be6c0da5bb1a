"""Conversations with the service, on both databases (R3.7)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update
from tests.store.runs import ODD, failed_run, whole_run

from quaere.domain.conversation import ChatMessage, ChatRole, NewMessage
from quaere.domain.events import Event, RunFinished
from quaere.domain.report import Report
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import ConversationNotFound, TraceNotFound, UsageError
from quaere.store import conversations as module
from quaere.store.conversations import MAX_TITLE_CHARS, Conversations
from quaere.store.db.database import Database
from quaere.store.db.schema import chat_messages, conversations
from quaere.store.traces import rows
from quaere.store.traces.privacy import WITHHELD, Kept, Privacy
from quaere.store.traces.recorder import TraceLog
from quaere.store.traces.traces import Traces
from quaere.view.reduce import Summary

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")
KEY = "sk-" + "abc123" * 6


@pytest.fixture
def talks(database: Database) -> Conversations:
    return Conversations(database)


def asked(text: str) -> NewMessage:
    return NewMessage(role=ChatRole.USER, content=text)


def answer_of(run_id: str) -> NewMessage:
    return NewMessage(role=ChatRole.ASSISTANT, trace_id=run_id)


async def make(traces: Traces, events: list[Event], owner: Owner = ANN) -> None:
    log = TraceLog(traces, owner, events[0].run_id, Summary())
    await log.append([Kept.model_construct(event=event) for event in events])


def report_of(events: list[Event]) -> Report:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.report


async def messages(talks: Conversations, talk: str) -> tuple[ChatMessage, ...]:
    return (await talks.get(ANN, talk)).messages


async def test_an_answer_is_kept_when_its_run_ends_whoever_reads_it_r3_7(
    talks: Conversations, traces: Traces
) -> None:
    """The run is made after the question was stored; nobody has the conversation open."""
    talk = await talks.start(ANN, "The mill")
    await traces.create_trace(ANN, {}, trace_id="run-1")
    question, waiting = await talks.add(ANN, talk.id, [asked("Who built it?"), answer_of("run-1")])
    assert (question.content, question.status) == ("Who built it?", None)
    assert (waiting.content, waiting.status) == ("", TraceStatus.PENDING)
    events = whole_run(run_id="run-1")
    await make(traces, events)
    report = report_of(events)
    assert report.citations
    _, answer = await messages(talks, talk.id)
    assert (answer.content, answer.citations) == (report.answer, report.citations)
    assert answer.status is TraceStatus.COMPLETED
    (turn,) = (await talks.get(ANN, talk.id)).turns
    assert (turn.question, turn.answer) == ("Who built it?", report.answer)


async def test_an_answer_of_a_run_that_was_faster_is_filled_in_at_once(
    talks: Conversations, traces: Traces
) -> None:
    talk = await talks.start(ANN)
    await traces.create_trace(ANN, {}, trace_id="run-1")
    events = whole_run(run_id="run-1")
    await make(traces, events)
    (answer,) = await talks.add(ANN, talk.id, [answer_of("run-1")])
    assert answer.content == report_of(events).answer


async def test_no_answer_is_lost_between_a_run_that_ends_and_its_message(
    talks: Conversations, traces: Traces
) -> None:
    """Both are written at the same time, in whatever order the database takes them."""
    talk = await talks.start(ANN)
    for number in range(6):
        name = f"run-{number}"
        await traces.create_trace(ANN, {}, trace_id=name)
        events = whole_run(run_id=name)
        await make(traces, events[:-1])
        log = TraceLog(traces, ANN, name, Summary(), events=events[:-1])
        ending = log.append([Kept.model_construct(event=events[-1])])
        await asyncio.gather(talks.add(ANN, talk.id, [answer_of(name)]), ending)
    answers = [message.content for message in await messages(talks, talk.id)]
    assert answers == [report_of(whole_run()).answer] * 6


async def test_a_run_that_failed_leaves_an_answer_that_says_so(
    talks: Conversations, traces: Traces
) -> None:
    talk = await talks.start(ANN)
    await traces.create_trace(ANN, {}, trace_id="run-1")
    await talks.add(ANN, talk.id, [asked("Who?"), answer_of("run-1")])
    await make(traces, failed_run("run-1"))
    stored = await talks.get(ANN, talk.id)
    assert (stored.messages[1].content, stored.messages[1].status) == ("", TraceStatus.FAILED)
    assert stored.turns == ()


async def test_a_conversation_outlives_its_run(talks: Conversations, traces: Traces) -> None:
    talk = await talks.start(ANN)
    await traces.create_trace(ANN, {}, trace_id="run-1")
    await make(traces, whole_run(run_id="run-1"))
    await talks.add(ANN, talk.id, [asked("Who?"), answer_of("run-1")])
    await traces.delete(ANN, "run-1")
    _, answer = await messages(talks, talk.id)
    assert answer.content == report_of(whole_run()).answer
    assert (answer.trace_id, answer.status) == (None, None)


async def test_messages_stay_in_the_order_of_their_coming(talks: Conversations) -> None:
    talk = await talks.start(ANN, f"  a\n title {ODD}" + "x" * 300)
    assert len(talk.title) == MAX_TITLE_CHARS
    for number in range(5):
        await talks.add(ANN, talk.id, [asked(f"{number}a {ODD}"), asked(f"{number}b")])
    said = [message.content[:2] for message in await messages(talks, talk.id)]
    assert said == [f"{number}{part}" for number in range(5) for part in "ab"]


async def test_conversations_are_listed_by_page_the_last_one_added_to_first(
    talks: Conversations,
) -> None:
    made = [await talks.start(ANN, str(number)) for number in range(5)]
    await talks.start(BEN, "other")
    await talks.add(ANN, made[1].id, [asked("again")])
    found: list[str] = []
    after = None
    while True:
        page = await talks.list(ANN, limit=2, after=after)
        found += [talk.title for talk in page.conversations]
        after = page.following
        if after is None:
            break
    assert found == ["1", "4", "3", "2", "0"]
    with pytest.raises(UsageError):
        await talks.list(ANN, after="nonsense")


async def test_a_page_has_as_many_conversations_as_asked_for_within_the_limits(
    talks: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        await talks.start(ANN, str(number))

    async def listed(limit: int) -> tuple[int, bool]:
        page = await talks.list(ANN, limit=limit)
        return len(page.conversations), page.following is not None

    assert await listed(2) == (2, True)
    assert await listed(3) == (3, False)
    assert await listed(0) == (1, True)
    monkeypatch.setattr(rows, "MAX_LISTED", 2)
    assert await listed(3) == (2, True)


async def test_of_a_long_conversation_the_last_messages_are_returned(
    talks: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_MESSAGES", 3)
    talk = await talks.start(ANN)
    for text in "abcd":
        (added,) = await talks.add(ANN, talk.id, [asked(text)])
        assert added.content == text
    assert [message.content for message in await messages(talks, talk.id)] == ["b", "c", "d"]


async def test_a_clock_that_was_put_back_changes_no_order(
    talks: Conversations, database: Database
) -> None:
    talk = await talks.start(ANN)
    await talks.add(ANN, talk.id, [asked("a"), asked("b")])
    ahead = datetime.now(UTC) + timedelta(hours=1)
    async with database.write() as connection:
        later = update(chat_messages).where(chat_messages.c.content == "b")
        await connection.execute(later.values(created_at=ahead))
    third, fourth = await talks.add(ANN, talk.id, [asked("c"), asked("d")])
    assert ahead < third.created_at < fourth.created_at < ahead + timedelta(milliseconds=1)
    assert [message.content for message in await messages(talks, talk.id)] == list("abcd")
    (listed,) = (await talks.list(ANN)).conversations
    assert listed.updated_at == third.created_at
    await talks.add(ANN, talk.id, [])
    assert len(await messages(talks, talk.id)) == 4


async def test_the_conversation_of_a_run_is_found_by_its_owner_alone(
    talks: Conversations, traces: Traces
) -> None:
    await traces.create_trace(ANN, {}, trace_id="run-1")
    talk = await talks.start(ANN)
    assert await talks.of_run(ANN, "run-1") is None
    await talks.add(ANN, talk.id, [asked("Who?"), answer_of("run-1")])
    assert await talks.of_run(ANN, "run-1") == talk.id
    assert await talks.of_run(BEN, "run-1") is None
    assert await talks.of_run(ANN, "run-2") is None


async def test_a_key_in_an_answer_is_not_kept_whatever_else_is(talks: Conversations) -> None:
    careful = replace(
        talks, privacy=Privacy(questions=False, redact=lambda t: t.replace("k3y", "*"))
    )
    talk = await careful.start(ANN)
    answer = NewMessage(role=ChatRole.ASSISTANT, content="It is k3y.")
    (kept,) = await careful.add(ANN, talk.id, [answer])
    assert kept.content == "It is *."
    assert (await careful.rename(ANN, talk.id, "Where is the spy?")).title == WITHHELD


async def test_conversations_of_others_are_not_found(
    talks: Conversations, traces: Traces, database: Database
) -> None:
    talk = await talks.start(ANN, "mine")
    await traces.create_trace(BEN, {}, trace_id="run-b")
    for owner in (BEN, Owner(user="ann"), Owner(user="ann", org="barges")):
        for doing in (
            talks.get(owner, talk.id),
            talks.add(owner, talk.id, [asked("x")]),
            talks.rename(owner, talk.id, "y"),
            talks.delete(owner, talk.id),
        ):
            with pytest.raises(ConversationNotFound):
                await doing
    with pytest.raises(TraceNotFound):
        await talks.add(ANN, talk.id, [asked("x"), answer_of("run-b")])
    for odd in ("", "a\0", "\ud800", "x" * 1000):
        with pytest.raises(ConversationNotFound):
            await talks.get(ANN, odd)
    assert (await talks.get(ANN, talk.id)).messages == ()


async def test_a_conversation_is_renamed_and_deleted_with_its_messages(
    talks: Conversations, database: Database
) -> None:
    talk, other = await talks.start(ANN, "old"), await talks.start(ANN, "other")
    for each in (talk, other):
        await talks.add(ANN, each.id, [asked("x")])
    assert (await talks.rename(ANN, talk.id, "new")).title == "new"
    with pytest.raises(UsageError, match="needs a title"):
        await talks.rename(ANN, talk.id, " \n ")
    assert (await talks.get(ANN, talk.id)).title == "new"
    await talks.delete(ANN, talk.id)
    with pytest.raises(ConversationNotFound):
        await talks.get(ANN, talk.id)
    async with database.read() as connection:
        left = (await connection.execute(select(func.count()).select_from(chat_messages))).scalar()
    assert left == 1


async def test_what_must_not_be_kept_is_not(talks: Conversations) -> None:
    careful = replace(talks, privacy=Privacy(questions=False, pages=False))
    citation = report_of(whole_run()).citations[0]
    assert citation.quote.text
    answer = NewMessage(role=ChatRole.ASSISTANT, content="It did.", citations=(citation,))
    talk = await careful.start(ANN, "Where is the spy?")
    await careful.add(ANN, talk.id, [asked("Where is the spy?"), answer])
    stored = await careful.get(ANN, talk.id)
    assert stored.title == stored.messages[0].content == WITHHELD
    assert (stored.messages[1].content, stored.messages[1].citations[0].quote.text) == (
        "It did.",
        "",
    )


async def test_a_key_in_a_question_is_not_kept(talks: Conversations) -> None:
    talk = await talks.start(ANN, f"Use {KEY}")
    await talks.add(ANN, talk.id, [asked(f"Use {KEY}")])
    assert KEY not in (await talks.get(ANN, talk.id)).model_dump_json()


async def test_conversations_of_long_ago_go_with_their_messages_but_not_what_is_pinned(
    talks: Conversations, traces: Traces, database: Database
) -> None:
    names: list[str] = []
    for name in ("old", "pinned", "new"):
        talk = (await talks.start(ANN, name)).id
        await traces.create_trace(ANN, {}, trace_id=name)
        await talks.add(ANN, talk, [asked("Who built it?"), answer_of(name)])
        names.append(talk)
    await traces.label(ANN, "pinned", pinned=True)
    old, pinned, new = names
    long_ago = update(conversations).where(conversations.c.id.in_([old, pinned]))
    async with database.write() as connection:
        await connection.execute(long_ago.values(updated_at=datetime.now(UTC) - timedelta(days=9)))
    assert await talks.prune(timedelta(days=8)) == 1
    assert {each.id for each in (await talks.list(ANN)).conversations} == {pinned, new}
    async with database.read() as connection:
        kept = (await connection.execute(select(chat_messages.c.conversation_id))).scalars().all()
    assert sorted(kept) == sorted([pinned, new] * 2)
