"""What a run may take under the limits of a key, and how it comes into the queue."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer
from tests.services.postgres import Server

from quaere.audit.cited_text import cited_text
from quaere.domain.access import KeyLimits
from quaere.domain.budget import PROFILES, Mode, ProfileName
from quaere.domain.request import RunRequest, RunSpec, Settled
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import (
    NotAllowed,
    NotFound,
    QuotaExceeded,
    StoreError,
    StoreUnavailable,
    TraceConflict,
)
from quaere.runtime import admission
from quaere.runtime.admission import MAX_TOGETHER, Intake
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions, Payer
from quaere.runtime.news import QUEUE, News
from quaere.runtime.settings import Settings
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, tool_traces
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.usage import UsageSums

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
SIMPLE = KeyLimits(highest_profile=ProfileName.SIMPLE)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncGenerator[App]:
    docs = tmp_path / "docs"
    docs.mkdir()
    settings = Settings(data_dir=tmp_path, docs=(docs,))
    async with App.open(settings) as app:
        yield app


async def settled(app: App, key: KeyLimits, **fields: object) -> Settled:
    trace = await app.submit(RunRequest.of(question="Who?", **fields), ANN, limits=key)
    async with (await app.database()).read() as connection:
        wanted = select(jobs.c.request).where(jobs.c.run_id == trace.id)
        body = (await connection.execute(wanted)).scalar_one()
    found = RunSpec.model_validate_json(body).settled
    assert found
    return found


async def test_no_run_is_above_the_highest_profile(app: App) -> None:
    for fields in ({"profile": "deep"}, {"profile": "standard"}, {"mode": Mode.DEEP_RESEARCH}):
        with pytest.raises(NotAllowed):
            await app.submit(RunRequest.of(question="Who?", **fields), ANN, limits=SIMPLE)
    for profile in (ProfileName.SIMPLE, ProfileName.CHAT):
        assert (await settled(app, SIMPLE, profile=profile)).profile is profile


async def test_limits_that_are_asked_for_do_not_lift_the_profile(app: App) -> None:
    wide = {"max_iters": 50, "max_reads": 900, "max_cost_usd": 9.0, "answer_words": 10}
    asked = await settled(app, SIMPLE, profile="simple", limits=wide)
    simple, given = PROFILES[ProfileName.SIMPLE], asked.budgets[ProfileName.SIMPLE]
    assert given == simple.override({"max_cost_usd": 9.0, "answer_words": 10})
    assert asked.limits.get("max_iters") == simple.max_iters


async def test_a_profile_that_planning_chooses_has_the_budget_of_the_highest(app: App) -> None:
    asked = await settled(app, SIMPLE)
    simple = PROFILES[ProfileName.SIMPLE]
    assert asked.profile is None
    for name, budget in asked.budgets.items():
        assert budget.max_iters <= simple.max_iters, name
        assert budget.token_budget <= simple.token_budget, name


async def test_a_run_may_spend_what_is_left_of_the_day(app: App) -> None:
    limits = KeyLimits(usd_per_day=1.0)
    first = await settled(app, limits, profile="simple")
    assert first.budgets[ProfileName.SIMPLE].max_cost_usd == 1.0
    async with (await app.database()).write() as connection:
        await connection.execute(update(tool_traces).values(metrics={"cost_usd": 0.75}))
    second = await settled(app, limits, profile="simple", limits={"max_cost_usd": 0.9})
    assert second.budgets[ProfileName.SIMPLE].max_cost_usd == pytest.approx(0.25)


async def test_a_key_without_limits_changes_nothing(app: App) -> None:
    asked = await settled(app, KeyLimits(), profile="deep", limits={"max_iters": 50})
    assert asked.budgets[ProfileName.DEEP].max_iters == 50


async def test_a_check_that_asks_a_model_is_paid_from_the_same_dollars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bridge.md").write_text("The old bridge of Velling spans 312 metres.")
    text = cited_text("The bridge is the longest one of the valley [1].\n\n[1] bridge.md\n")
    key, folders = Payer(ANN, KeyLimits(usd_per_day=0.00001)), (tmp_path,)
    options = CheckOptions(roots=folders, model="openai:gpt-4o-mini", payer=key)
    async with ModelServer(ChatCompletions()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "lamp-0123456789")
        monkeypatch.setenv("QUAERE_MODEL_BASE_URL", f"openai={server.base_url}/v1")
        monkeypatch.setenv("QUAERE_DATA_DIR", str(tmp_path / "data"))
        async with App.open() as app:
            poor = await app.check(text, options)
            assert (poor.calls, len(server.calls)) == ((), 0), "one call costs more than that"
            rich = replace(options, payer=Payer(ANN, KeyLimits(usd_per_day=1.0)))
            asked = await app.check(text, rich)
            took = sum(call.cost_usd or 0.0 for call in asked.calls)
            usage = UsageSums(await app.database())
            (day,) = await usage.by_day(ANN, date.min, date.max)
            assert (day.runs, day.cost_usd) == (0, pytest.approx(took))
            assert took > 0
            spent = Payer(ANN, KeyLimits(usd_per_day=took))
            with pytest.raises(QuotaExceeded, match="this key allows"):
                await app.check(text, replace(options, payer=spent))
            free = await app.check(text, replace(options, model=None, payer=spent))
            assert free.calls == (), "without a model it costs nothing"
            with pytest.raises(QuotaExceeded):
                await settled(app, KeyLimits(usd_per_day=took))
            ben = Payer(Owner(user="ben"), KeyLimits())
            unpriced = await app.check(text, replace(options, model="openai:moth", payer=ben))
            assert {call.cost_usd for call in unpriced.calls} == {None}
            (day,) = await usage.by_day(ben.owner, date.min, date.max)
            assert day.tokens > 0
            assert day.cost_usd == 0.0, "nobody knows the price of that model"


@dataclass(frozen=True, slots=True)
class CountedJobs(Jobs):
    """Counts the runs of each transaction."""

    sizes: list[int] = field(default_factory=list[int])

    async def submit_together(self, entries: Sequence[Entry]) -> list[Trace | TraceConflict]:
        self.sizes.append(len(entries))
        return await Jobs.submit_together(self, entries)


def entry(name: str, owner: Owner = ANN) -> Entry:
    return Entry.of(owner, RunSpec.of(f"What is {name}?", run_id=name), params={"question": name})


def intake_of(database: Database) -> Intake:
    return Intake(database, DatabaseCarrier(database), News())


async def kept(database: Database) -> tuple[int, int]:
    """How many traces and jobs there are."""
    async with database.read() as connection:
        traces = await connection.execute(select(func.count()).select_from(tool_traces))
        waiting = await connection.execute(select(func.count()).select_from(jobs))
        return traces.scalar_one(), waiting.scalar_one()


@pytest.fixture(params=("sqlite", "postgres"))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'quaere.db'}"
    running: Server = request.getfixturevalue("postgres")
    return running.create()


async def test_runs_that_come_at_once_are_written_together(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Database(url) as database:
        await database.upgrade()
        counted = CountedJobs(database)

        def made(_: Database) -> CountedJobs:
            return counted

        monkeypatch.setattr(admission, "Jobs", made)
        intake = intake_of(database)
        names = [f"run-{number:03}" for number in range(2 * MAX_TOGETHER + 5)]
        added = await asyncio.gather(*(intake.submit(entry(name)) for name in names))
        assert [trace.id for trace in added] == names
        assert await kept(database) == (len(names), len(names))
        assert sum(counted.sizes) == len(names)
        assert max(counted.sizes) == MAX_TOGETHER
        assert len(counted.sizes) <= 4


async def test_only_whose_id_is_anothers_is_refused(url: str) -> None:
    async with Database(url) as database:
        await database.upgrade()
        intake = intake_of(database)
        await intake.submit(entry("first"))
        added = await asyncio.gather(
            *(intake.submit(each) for each in [entry("a"), entry("first", BEN), entry("b")]),
            return_exceptions=True,
        )
        assert [type(each) for each in added] == [Trace, TraceConflict, Trace]
        assert await intake.submit(entry("first")) == await intake.submit(entry("first"))
        assert await kept(database) == (3, 3)


async def test_a_run_that_the_database_refuses_harms_no_other(postgres: Server) -> None:
    async with Database(postgres.create()) as database:
        await database.upgrade()
        intake = intake_of(database)
        refused = replace(entry("high"), priority=1 << 40)  # more than the column takes
        added = await asyncio.gather(
            *(intake.submit(each) for each in [entry("a"), refused, entry("b")]),
            return_exceptions=True,
        )
        assert [isinstance(each, StoreError) for each in added] == [False, True, False]
        assert [each.id for each in added if isinstance(each, Trace)] == ["a", "b"]
        assert await kept(database) == (2, 2)


class Away(DatabaseCarrier):
    """Notes what it is offered; is away where it is to be."""

    def __init__(self, database: Database, *, away: bool = False) -> None:
        super().__init__(database)
        self.offered: list[tuple[str, int]] = []
        self._away = away

    async def offer(self, run_id: str, priority: int) -> None:
        if self._away:
            raise StoreUnavailable("The carrier is away.")
        self.offered.append((run_id, priority))


async def test_what_is_kept_is_offered_and_wakes_those_who_wait(tmp_path: Path) -> None:
    async with Database.file(tmp_path / "quaere.db") as database:
        carrier, news = Away(database), News()
        intake = Intake(database, carrier, news)
        with news.heard(QUEUE) as bell:
            await intake.submit(replace(entry("a"), priority=3))
            async with asyncio.timeout(1.0):
                await bell.wait(60.0)
        assert carrier.offered == [("a", 3)]
        with pytest.raises(TraceConflict):
            await intake.submit(entry("a", BEN))
        one = KeyLimits(runs_at_a_time=1)
        await intake.submit(replace(entry("b", BEN), priority=-1), one)
        with pytest.raises(QuotaExceeded):
            await intake.submit(entry("c", BEN), one)
        assert carrier.offered == [("a", 3), ("b", -1)]
        assert await kept(database) == (2, 2)


async def test_a_carrier_that_is_away_costs_no_run(tmp_path: Path) -> None:
    """It is swept later."""
    async with Database.file(tmp_path / "quaere.db") as database:
        intake = Intake(database, Away(database, away=True), News())
        assert (await intake.submit(entry("a"))).id == "a"
        assert await kept(database) == (1, 1)


async def test_a_run_that_was_given_up_is_offered_again_with_its_priority(tmp_path: Path) -> None:
    async with Database.file(tmp_path / "quaere.db") as database:
        carrier = Away(database)
        intake = Intake(database, carrier, News())
        await intake.submit(replace(entry("a"), priority=3))
        with pytest.raises(NotFound):
            await intake.requeue("a")
        async with database.write() as connection:
            failed = {"status": str(TraceStatus.FAILED), "completed_at": datetime.now(UTC)}
            await connection.execute(update(tool_traces).values(failed))
            await connection.execute(update(jobs).values(given_up_at=datetime.now(UTC)))
        await intake.requeue("a")
        assert carrier.offered == [("a", 3)] * 2


async def test_whoever_is_cut_off_takes_nothing_from_the_others(tmp_path: Path) -> None:
    async with Database(f"sqlite:///{tmp_path / 'quaere.db'}") as database:
        await database.upgrade()
        intake = intake_of(database)
        adding = [asyncio.create_task(intake.submit(entry(name))) for name in ("a", "b", "c")]
        await asyncio.sleep(0)
        adding[1].cancel()
        first, cut, last = await asyncio.gather(*adding, return_exceptions=True)
        assert isinstance(first, Trace)
        assert isinstance(cut, asyncio.CancelledError)
        assert isinstance(last, Trace)
        await intake.aclose()
        assert await kept(database) == (3, 3)  # it was asked for, and is made


async def test_a_file_that_is_locked_is_told_to_all_and_later_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "quaere.db"
    async with Database(f"sqlite:///{path}", busy_s=0.05) as database:
        await database.upgrade()
        intake = intake_of(database)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = await asyncio.gather(
                intake.submit(entry("a")), intake.submit(entry("b")), return_exceptions=True
            )
            other.execute("ROLLBACK")
        assert all(isinstance(each, StoreUnavailable) for each in refused)
        assert (await intake.submit(entry("c"))).id == "c"
        assert await kept(database) == (1, 1)
