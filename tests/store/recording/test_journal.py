"""A run that is stopped anywhere goes on with nothing asked twice (R4.5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

import pytest
from tests.contracts.human import CLARIFICATION, REPLIES, TOPICS, HumanContract
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, TIMED, Shelf

from quaere.domain.events import RunFinished
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import Report
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit
from quaere.domain.team import Inquiry, Reply
from quaere.errors import ContractError, ModelError, QuaereError, SearchError
from quaere.models.guard import FallbackModel
from quaere.ports.human import Human
from quaere.resilience.timing import SystemClock
from quaere.runtime.engine import Engine
from quaere.runtime.wiring import tapped
from quaere.store.recording.entries import RECORDED, ModelAnswer, Recorded, Search
from quaere.store.recording.recording import Journal, JournalClock
from quaere.testing import CutOff, ModelDouble, QueueModel, ScriptedEmbedder, ScriptedModel

pytestmark = pytest.mark.anyio

CHANGING = {"run_id", "seconds", "steps", "calls"} | TIMED


class Stopped(BaseException):
    """The process is gone."""


@dataclass
class Kept:
    """Keeps answers as text, as a file does, and ends the process after so many."""

    lines: list[str] = field(default_factory=list[str])
    stop_after: int = 1_000_000

    async def append(self, recorded: Recorded) -> None:
        """Keep it; die in the act when it is time."""
        if len(self.lines) >= self.stop_after:
            raise Stopped
        self.lines.append(recorded.model_dump_json())

    def past(self) -> list[Recorded]:
        return [RECORDED.validate_json(line) for line in self.lines]


class Pages(Shelf):
    """A shelf whose documents have to be opened."""

    def __init__(self) -> None:
        super().__init__(with_text=False)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return (await super().search(query, limit=limit))[:1]


def world(model: ModelDouble) -> tuple[Engine, Pages]:
    pages = Pages()
    return thinking(model, pages, fallback=False), pages


SPEC = RunSpec.of(HOP, run_id="r", profile="deep").model_copy(update={"marks": "0a1b2c3d"})


async def report_of(engine: Engine) -> Report:
    async with aclosing(engine.stream(SPEC)) as events:
        async for event in events:
            if isinstance(event, RunFinished):
                return event.report
    raise AssertionError


async def test_wherever_a_run_is_stopped_it_ends_as_if_it_had_not_been() -> None:
    model = ScriptedModel(Mind())
    engine, pages = world(model)
    kept = Kept()
    whole = await report_of(tapped(engine, SPEC, Journal(kept, SystemClock())))
    answers = len(kept.lines)
    asked = len(model.requests) + len(pages.asked)
    assert answers > asked > 4
    for stop in range(answers):
        part = Kept(stop_after=stop)
        first, second = ScriptedModel(Mind()), ScriptedModel(Mind())
        engine, pages = world(first)
        # Only a check that is stopped costs the answer nothing: it is the last to be asked.
        checking = isinstance(kept.past()[stop].answer, ModelAnswer) and stop == answers - 1
        with nullcontext() if checking else pytest.raises((Stopped, QuaereError)):
            await report_of(tapped(engine, SPEC, Journal(part, SystemClock())))
        assert len(part.lines) == stop
        kept_calls = sum(isinstance(each.answer, Search | ModelAnswer) for each in part.past())
        on_their_way = len(first.requests) + len(pages.asked) - kept_calls
        part.stop_after = 1_000_000
        engine, more = world(second)
        again = await report_of(tapped(engine, SPEC, Journal(part, SystemClock(), part.past())))
        assert again.model_dump(exclude=CHANGING) == whole.model_dump(exclude=CHANGING)
        assert len(again.calls) == len(whole.calls), "what was paid before the stop counts"
        repeated = len(first.requests) + len(second.requests) - len(model.requests)
        repeated += len(pages.asked) + len(more.asked) - (asked - len(model.requests))
        assert repeated == on_their_way <= 2, "only calls that were on their way are made again"


async def test_what_is_kept_is_never_asked_and_errors_come_back_as_they_were() -> None:
    class Failing(Shelf):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            await super().search(query, limit=limit)
            raise SearchError("down", retry_after=3.0)

    kept, query = Kept(), Query(text="Hask")
    failing = Failing()
    for _ in range(2):
        shelf = Journal(kept, SystemClock(), kept.past()).provider(failing)
        with pytest.raises(SearchError, match="down") as caught:
            await shelf.search(query, limit=3)
        assert caught.value.retry_after == 3.0
    assert len(failing.asked) == 1
    model = QueueModel(ModelError("overloaded"))
    request = ModelRequest(step="plan", messages=(), max_output_tokens=5)
    for _ in range(2):
        journal = Journal(kept, SystemClock(), kept.past())
        with pytest.raises(ModelError, match="overloaded"):
            await journal.model(model).complete(request)
    assert len(model.requests) == 1


async def test_an_answer_serves_as_often_as_it_was_given() -> None:
    kept, shelf, query = Kept(), Shelf(), Query(text="Hask")
    journal = Journal(kept, SystemClock())
    for _ in range(2):
        await journal.provider(shelf).search(query, limit=3)
    journal = Journal(kept, SystemClock(), kept.past())
    assert journal.left == 2
    for _ in range(3):
        await journal.provider(shelf).search(query, limit=3)
    assert len(shelf.asked) == 3
    assert journal.left == 0


async def test_a_stream_that_is_left_early_is_left_there_again() -> None:
    kept = Kept()
    request = ModelRequest(step="synthesize", messages=(), max_output_tokens=500)
    model = QueueModel("One two three four five six seven eight nine ten.", piece_chars=4)
    stream = Journal(kept, SystemClock()).model(model).stream(request)
    async with aclosing(cast("AsyncGenerator[str | Completion]", stream)) as pieces:
        assert await anext(pieces) == "One "
    journal = Journal(kept, SystemClock(), kept.past())
    again = [piece async for piece in journal.model(model).stream(request)]
    assert again[0] == "One "
    assert isinstance(again[-1], Completion)
    assert len(model.requests) == 1


async def test_a_stream_that_breaks_off_breaks_off_there_again() -> None:
    kept = Kept()
    request = ModelRequest(step="synthesize", messages=(), max_output_tokens=500)
    model = QueueModel(CutOff("One two.", ModelError("the line is dead")))
    for _ in range(2):
        journal = Journal(kept, SystemClock(), kept.past())
        pieces = aiter(journal.model(model).stream(request))
        assert await anext(pieces) == "One two."
        with pytest.raises(ModelError, match="the line is dead"):
            await anext(pieces)
    assert len(model.requests) == len(kept.lines) == 1


async def test_a_call_that_is_cancelled_is_not_kept() -> None:
    kept = Kept()
    slow = ScriptedModel(Mind(), latency_s=30)
    request = ModelRequest(step="plan", messages=(), max_output_tokens=5)
    call = asyncio.create_task(Journal(kept, SystemClock()).model(slow).complete(request))
    await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert kept.lines == []


class Told:
    """A clock that says what it is told."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2031, 5, 4, tzinfo=UTC)


def test_the_time_of_a_run_goes_on_where_it_stopped() -> None:
    told = Told()
    clock = JournalClock(told)
    told.seconds += 2
    assert clock.monotonic() == 2
    clock.reach(40.0, live=False)
    told.seconds += 5  # going over what is kept takes its time, too
    clock.reach(50.0, live=True)
    assert clock.monotonic() == 50.0
    told.seconds += 1
    assert clock.monotonic() == 51.0
    clock.reach(3.0, live=False)
    assert clock.monotonic() == 51.0


async def test_what_an_embedder_said_is_not_asked_again() -> None:
    kept, pairs = Kept(), [("salt", "brine"), ("salt", "moth")]
    embedder = ScriptedEmbedder(lambda _, b: float(b == "brine"))
    for _ in range(2):
        journal = Journal(kept, SystemClock(), kept.past())
        assert list(await journal.embedder(embedder).similarities(pairs)) == [1.0, 0.0]
    assert embedder.asked == pairs
    failing = ScriptedEmbedder(lambda _a, _b: 0.0, error=ModelError("down"))
    for _ in range(2):
        journal = Journal(kept, SystemClock(), kept.past())
        with pytest.raises(ModelError, match="down"):
            await journal.embedder(failing).similarities(pairs[:1])
    assert failing.asked == pairs[:1]


async def test_what_is_no_cosine_is_kept_as_the_error_that_it_is() -> None:
    kept, lying = Kept(), ScriptedEmbedder(lambda _a, _b: 1.5)
    for _ in range(2):
        journal = Journal(kept, SystemClock(), kept.past())
        with pytest.raises(ContractError, match="outside -1 to 1"):
            await journal.embedder(lying).similarities([("a", "b")])
    assert lying.asked == [("a", "b")]


async def test_models_in_a_row_are_kept_apart_when_they_are_asked_the_same() -> None:
    kept = Kept()
    request = ModelRequest(step="plan", messages=(), max_output_tokens=5)
    down = QueueModel(ModelError("down"), name="test:down")
    spare = QueueModel("spare", name="test:spare")
    for _ in range(2):
        journal = Journal(kept, SystemClock(), kept.past())
        row = FallbackModel([journal.model(spare), journal.model(down)])
        assert (await row.complete(request)).text == "spare"
        with pytest.raises(ModelError, match="down"):
            await journal.model(down).complete(request)
    assert (len(down.requests), len(spare.requests)) == (1, 1)


class Person:
    """Replies after a while, in the time of ``clock``."""

    def __init__(self, clock: Told | None = None) -> None:
        self.clock = clock or Told()
        self.asked: list[Inquiry] = []

    async def ask(self, inquiry: Inquiry) -> Reply:
        self.asked.append(inquiry)
        self.clock.seconds += 3_600
        return REPLIES[inquiry.kind]


class TestJournaledHuman(HumanContract):
    @pytest.fixture
    async def human(self) -> Human:
        return Journal(Kept(), SystemClock()).human(Person())


async def test_nobody_is_asked_the_same_inquiry_twice_r1_6() -> None:
    kept, person = Kept(), Person()
    for _ in range(2):
        human = Journal(kept, SystemClock(), kept.past()).human(person)
        assert await human.ask(TOPICS) == REPLIES[TOPICS.kind]
    assert person.asked == [TOPICS]
    journal = Journal(kept, SystemClock(), kept.past())
    await journal.human(person).ask(CLARIFICATION)
    assert person.asked == [TOPICS, CLARIFICATION], "another inquiry is asked"


async def test_the_time_of_a_reply_is_not_the_run_s() -> None:
    clock, kept = Told(), Kept()
    journal = Journal(kept, clock)
    clock.seconds += 2
    seen: list[float] = []

    class Looking(Person):
        async def ask(self, inquiry: Inquiry) -> Reply:
            reply = await super().ask(inquiry)
            seen.append(journal.clock.monotonic())
            return reply

    await journal.human(Looking(clock)).ask(TOPICS)
    assert seen == [2.0], "it stands still meanwhile"
    clock.seconds += 1
    assert journal.clock.monotonic() == 3.0
    assert [recorded.at for recorded in kept.past()] == [2.0]


async def test_an_inquiry_without_a_reply_is_put_again() -> None:
    class Gone(Person):
        async def ask(self, inquiry: Inquiry) -> Reply:
            await asyncio.sleep(60)
            raise AssertionError

    kept = Kept()
    waiting = asyncio.create_task(Journal(kept, SystemClock()).human(Gone()).ask(TOPICS))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    person = Person()
    await Journal(kept, SystemClock(), kept.past()).human(person).ask(TOPICS)
    assert person.asked == [TOPICS]
