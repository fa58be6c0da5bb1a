"""Earlier runs that asked the same, as they are found in the files of the data folder (R4.5)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from tests.store.runs import failed_run, whole_run
from tests.store.traces.test_spool import PASSAGES

from quaere.domain.events import Event, RunFinished
from quaere.domain.report import AnswerStatus
from quaere.domain.trace import TOOL, Owner
from quaere.runtime.earlier import similar_run
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import DATABASE_FILE, database_name, spool_folder
from quaere.store.traces.privacy import Privacy, TraceRedactor
from quaere.store.traces.spool import Head, Spool

pytestmark = pytest.mark.anyio

Row = tuple[str, str, str, str, str, str, str | None]

QUESTION = "Who built the mill at Orrin?"
ANN, BEN = Owner(user="ann"), Owner(user="ben")
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
