"""Runs that are kept: followed from another process, resumed, and drawn on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from tests.store.runs import BEGUN, RUN, failed_run, whole_run
from tests.store.traces.test_spool import PASSAGES

from quaere.domain.events import Event, RunFinished
from quaere.domain.report import AnswerStatus
from quaere.domain.trace import TOOL, Owner, Trace, TraceStatus
from quaere.errors import QuaereError, RunCancelled, SearchError
from quaere.runtime import stored_runs
from quaere.runtime.app import App
from quaere.runtime.news import News
from quaere.runtime.settings import Settings
from quaere.runtime.stored_runs import StoredRun, similar_run
from quaere.runtime.wiring_store import DATABASE_FILE, database_name, spool_folder
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.spool import Head, Spool, Spooled, read
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")


class Kept:
    """What a database has of one run; counts how often it is looked into."""

    def __init__(self, events: Sequence[Event], status: TraceStatus, error: str = "") -> None:
        self.events_, self.status, self.error = list(events), status, error
        self.looks = 0
        self.looked = asyncio.Event()

    async def get_trace(self, owner: Owner, run_id: str) -> Trace:
        return Trace(
            id=run_id,
            user_id=owner.user,
            tool_name="deep_research",
            created_at=BEGUN,
            status=self.status,
            error_message=self.error or None,
        )

    async def with_events(
        self, owner: Owner, run_id: str, *, after: int
    ) -> tuple[Trace, Sequence[Event]]:
        self.looks += 1
        self.looked.set()
        return await self.get_trace(owner, run_id), [e for e in self.events_ if e.seq > after]


def run_of(kept: Kept) -> StoredRun:
    return StoredRun(RUN, ANN, cast("Traces", kept), news=News())


async def followed(run: StoredRun, kept: Kept, *news: Sequence[Event]) -> list[Event]:
    """Return the events of ``run``, which ``news`` bring one after another."""
    seen: list[Event] = []

    async def follow() -> None:
        seen.extend([event async for event in run.events()])

    task = asyncio.create_task(follow())
    await kept.looked.wait()
    for events in news:
        run.news.tell(RUN, events)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await task
    return seen


async def test_a_run_that_is_over_is_read_at_once() -> None:
    kept = Kept(whole_run(), TraceStatus.COMPLETED)
    assert await followed(run_of(kept), kept) == whole_run()
    assert kept.looks == 1


@pytest.mark.parametrize("whole", [whole_run(), failed_run()], ids=["finished", "failed"])
async def test_what_news_bring_is_told_without_another_look(whole: list[Event]) -> None:
    kept = Kept(whole[:2], TraceStatus.IN_PROGRESS)
    told = await followed(run_of(kept), kept, whole[2:3], whole[3:])
    assert told == whole
    assert kept.looks == 1


async def test_news_that_were_told_already_are_told_once() -> None:
    whole = whole_run()
    kept = Kept(whole[:3], TraceStatus.IN_PROGRESS)
    assert await followed(run_of(kept), kept, whole[1:4], whole[2:]) == whole


async def test_a_gap_in_the_news_is_filled_from_what_is_kept() -> None:
    whole = whole_run()
    kept = Kept(whole[:2], TraceStatus.IN_PROGRESS)
    run = run_of(kept)
    task = asyncio.create_task(followed(run, kept, whole[4:6], []))
    await kept.looked.wait()
    kept.events_, kept.status = whole, TraceStatus.COMPLETED
    assert await task == whole
    assert kept.looks == 2


async def test_a_report_is_that_of_its_last_event() -> None:
    kept = Kept(whole_run(), TraceStatus.COMPLETED)
    assert (await run_of(kept).report()).run_id == whole_run()[-1].report.run_id  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("events", "status", "error", "kind", "words"),
    [
        (failed_run(), TraceStatus.FAILED, "", SearchError, "nobody answers"),
        (failed_run(), TraceStatus.CANCELLED, "", RunCancelled, "was cancelled"),
        ([], TraceStatus.FAILED, "it was given up", QuaereError, "it was given up"),
        ([], TraceStatus.FAILED, "", QuaereError, "It has no report"),
    ],
)
async def test_a_run_without_a_report_raises_why(
    events: list[Event], status: TraceStatus, error: str, kind: type[QuaereError], words: str
) -> None:
    with pytest.raises(kind, match=words) as raised:
        await run_of(Kept(events, status, error)).report()
    assert type(raised.value) is kind


Row = tuple[str, str, str, str, str, str, str | None]

QUESTION = "Who built the mill at Orrin?"
NOW = datetime.now(UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with a data folder of their own, in which nothing was ever kept."""
    return Settings(data_dir=tmp_path / "data")


def store(settings: Settings, *rows: Row) -> None:
    """Write ``rows`` as the database keeps them."""
    assert settings.data_dir
    settings.data_dir.mkdir(exist_ok=True)
    with closing(sqlite3.connect(settings.data_dir / DATABASE_FILE)) as connection:
        columns = "id, user_id, tool_name, status, input_params, completed_at, result, created_at"
        connection.execute(f"CREATE TABLE IF NOT EXISTS tool_traces ({columns})")
        for row in rows:
            connection.execute("INSERT INTO tool_traces VALUES (?,?,?,?,?,?,?,?)", (*row, row[5]))
        connection.commit()


def row(
    run_id: str = "a",
    *,
    user: str = "ann",
    tool: str = TOOL,
    status: str = "completed",
    question: str = QUESTION,
    ended: datetime = NOW,
    came_to: str | None = "answered",
) -> Row:
    asked, result = json.dumps({"question": question}), json.dumps({"status": came_to})
    end = ended.isoformat()
    return run_id, user, tool, status, asked, end, result if came_to else None


def spool(
    settings: Settings,
    run_id: str = "spooled",
    *,
    owner: Owner = ANN,
    question: str = QUESTION,
    begun: datetime = NOW,
    failed: bool = False,
    nothing: bool = False,
) -> None:
    """Leave a run in the folder where runs wait for the database."""
    head = Head(
        trace_id=run_id,
        created_at=begun,
        params={"question": question},
        owner=owner,
        database=database_name(settings),
    )
    redactor = TraceRedactor(Privacy(), PASSAGES.__getitem__)
    with Spool(spool_folder(settings), head) as written:
        for event in failed_run(run_id) if failed else whole_run(run_id=run_id):
            written.append(redactor.take(_without_evidence(event) if nothing else event))


def _without_evidence(event: Event) -> Event:
    if not isinstance(event, RunFinished):
        return event
    report = event.report.model_copy(update={"status": AnswerStatus.NO_EVIDENCE})
    return event.model_copy(update={"report": report})


async def found(settings: Settings, question: str = QUESTION, owner: Owner = ANN) -> str | None:
    earlier = await similar_run(settings, owner, question)
    return earlier.run_id if earlier else None


async def test_nothing_is_offered_where_nothing_was_kept(settings: Settings) -> None:
    assert await found(settings) is None


async def test_a_run_that_asked_nearly_the_same_is_offered(settings: Settings) -> None:
    store(settings, row())
    assert await found(settings) == "a"
    assert await found(settings, "who built the mill at Orrin") == "a"
    assert await found(settings, "Who built the weir at Sket?") is None


@pytest.mark.parametrize(
    "other",
    [
        row(user="ben"),
        row(tool="check_text"),
        row(status="failed"),
        row(question="Who sold the ferry at Sket?"),
        row(ended=NOW - timedelta(days=4000)),
        row(came_to="no_evidence"),
    ],
)
async def test_runs_of_others_or_of_another_kind_are_not_offered(
    settings: Settings, other: Row
) -> None:
    store(settings, other)
    assert await found(settings) is None


async def test_the_last_one_is_offered_wherever_it_is(settings: Settings) -> None:
    hour = timedelta(hours=1)
    store(settings, row("old", ended=NOW - 3 * hour), row("newer", ended=NOW - 2 * hour))
    assert await found(settings) == "newer"
    spool(settings, "waiting", begun=NOW - hour)
    assert await found(settings) == "waiting"
    store(settings, row("newest", ended=NOW))
    assert await found(settings) == "newest"


async def test_of_an_open_database_and_what_waits_for_it_the_last_one_is_offered(
    settings: Settings,
) -> None:
    async with App.open(settings) as app:
        traces = await app.traces()
        kept = await traces.create_trace(ANN, {"question": QUESTION})
        await traces.complete_trace(ANN, kept.id, {"status": "answered"}, {})

        async def found(question: str = QUESTION, owner: Owner = ANN) -> str | None:
            earlier = await similar_run(settings, owner, question, traces)
            return earlier.run_id if earlier else None

        assert await found() == kept.id
        assert await found("Who sold the ferry at Sket?") is None
        assert await found(owner=BEN) is None
        spool(settings, "older", begun=NOW - timedelta(hours=1))
        assert await found() == kept.id
        spool(settings, "newer", begun=datetime.now(UTC) + timedelta(hours=1))
        assert await found() == "newer"


async def test_a_run_that_waits_for_the_database_is_its_owners(settings: Settings) -> None:
    spool(settings)
    assert await found(settings) == "spooled"
    assert await found(settings, owner=BEN) is None


async def test_a_run_without_a_report_is_not_offered(settings: Settings) -> None:
    spool(settings, failed=True)
    assert await found(settings) is None


async def test_a_run_that_found_nothing_is_not_offered(settings: Settings) -> None:
    spool(settings, "empty", nothing=True)
    assert await found(settings) is None


async def test_of_the_runs_that_wait_only_those_that_asked_alike_are_read(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        spool(settings, f"other-{number}", question=f"Who sold ferry {number} at Sket?")
    spool(settings, "older", begun=NOW - timedelta(hours=2))
    spool(settings, "found-nothing", begun=NOW, nothing=True)
    spool(settings, "last", begun=NOW - timedelta(hours=1))
    opened = list[str]()

    def noting(path: Path) -> Spooled:
        opened.append(path.stem)
        return read(path)

    monkeypatch.setattr(stored_runs, "read", noting)
    assert await found(settings) == "last"
    assert opened == ["found-nothing", "last"]


async def test_a_run_whose_result_was_not_kept_is_offered(settings: Settings) -> None:
    store(settings, row(came_to=None))
    assert await found(settings) == "a"


async def test_the_file_is_not_looked_into_where_another_database_is_used(
    settings: Settings,
) -> None:
    store(settings, row())
    other = settings.model_copy(update={"database_url": None})
    assert await found(other) == "a"
    shared = Settings(
        data_dir=settings.data_dir, database_url=SecretStr("postgresql://db.example/runs")
    )
    assert await found(shared) is None


async def test_an_end_without_a_zone_is_in_utc(settings: Settings) -> None:
    store(settings, row(ended=NOW.replace(tzinfo=None)))
    earlier = await similar_run(settings, ANN, QUESTION)
    assert earlier
    assert earlier.completed == NOW


@pytest.mark.parametrize(
    "damage",
    [
        ("a", "ann", TOOL, "completed", "{", NOW.isoformat(), None),
        ("a", "ann", TOOL, "completed", json.dumps({"question": QUESTION}), "yesterday", None),
        ("a", "ann", TOOL, "completed", "{}", NOW.isoformat(), None),
    ],
)
async def test_rows_that_cannot_be_read_offer_nothing(settings: Settings, damage: Row) -> None:
    store(settings, damage)
    assert await found(settings) is None


async def test_a_file_that_is_no_database_offers_nothing(settings: Settings) -> None:
    assert settings.data_dir
    settings.data_dir.mkdir()
    (settings.data_dir / DATABASE_FILE).write_bytes(b"no database" * 100)
    assert await found(settings) is None


@given(
    user=st.from_regex(r"[a-z]{1,8}(:[a-z0-9]{1,8})?@", fullmatch=True) | st.just(""),
    host=st.sampled_from(["db.example", "DB.example"]),
    port=st.sampled_from(["", ":5432"]),
    scheme=st.sampled_from(["postgresql", "postgresql+asyncpg"]),
    query=st.sampled_from(["", "?ssl=require"]),
)
def test_a_database_has_one_name_however_it_is_reached(
    user: str, host: str, port: str, scheme: str, query: str
) -> None:
    url = f"{scheme}://{user}{host}{port}/runs{query}"
    assert (
        database_name(Settings(database_url=SecretStr(url))) == "postgresql://db.example:5432/runs"
    )


def test_databases_are_told_apart(tmp_path: Path) -> None:
    here = Settings(data_dir=tmp_path)
    own = Settings(
        data_dir=tmp_path, database_url=SecretStr(f"sqlite:///{tmp_path}/{DATABASE_FILE}")
    )
    other = Settings(data_dir=tmp_path, database_url=SecretStr(f"sqlite:///{tmp_path}/other.db"))
    port = Settings(database_url=SecretStr("postgresql://db.example:6000/runs"))
    assert database_name(here) == database_name(own) == ""
    assert database_name(other) == f"sqlite:///{tmp_path}/other.db"
    assert database_name(port) == "postgresql://db.example:6000/runs"
    assert database_name(Settings(database_url=SecretStr("nonsense"))) == "(not valid)"
