"""Nothing at rest holds what is not to be kept, once a run is over (issue 7, item 7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, Shelf
from tests.services.postgres import Server

from quaere.domain.question import Query
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import SettingsError
from quaere.runtime.engine import Engine
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import Worker, WorkerPolicy
from quaere.store.carriers.database import MAX_ATTEMPTS, DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import metadata
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.log import unpacked
from quaere.store.traces.privacy import Privacy
from quaere.store.traces.traces import Traces
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

OWNER = Owner(user="ann")
NEED = "for the gala of Mirabel Quenneville"
ON_THE_PAGE = "Its main mirror measures 90 centimetres"
SECRETS = (HOP, "founder of the Quill Observatory", "Mirabel Quenneville", ON_THE_PAGE)
PRIVATE = Privacy(pages=False, questions=False)

Held = Callable[[], Awaitable[bytes]]
End = Callable[[Database, Privacy], Awaitable[None]]


class Slow(Shelf):
    """Finds one page at a time, and takes its time over every search but the first."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        found = await super().search(query, limit=limit)
        await asyncio.sleep(0.0 if len(self.asked) == 1 else 60.0)
        return found[:1]


def engine(shelf: type[Shelf], spec: RunSpec, tap: Tap) -> Engine:
    if spec.request.models.general == "missing":
        raise SettingsError("There is no key for that model.")
    return tapped(thinking(ScriptedModel(Mind()), shelf()), spec, tap)


def worker(database: Database, privacy: Privacy, shelf: type[Shelf] = Shelf) -> Worker:
    policy = WorkerPolicy(concurrency=1, lease_s=5.0, drain=True)
    return Worker(DatabaseCarrier(database), partial(engine, shelf), policy, privacy)


async def submit(database: Database, privacy: Privacy, model: str | None = None) -> None:
    spec = RunSpec.of(HOP, run_id="a", context=NEED, models={"general": model})
    await Jobs(database).submit(Entry.of(OWNER, spec, params=privacy.params(spec)))


async def at_work(database: Database, privacy: Privacy) -> asyncio.Task[None]:
    """Have a worker begin the run, and return it when the run has been told something."""
    await submit(database, privacy)
    working = asyncio.create_task(worker(database, privacy, Slow).run())
    while ON_THE_PAGE not in await rows(database):  # noqa: ASYNC110 - the worker adds them
        await asyncio.sleep(0.05)
    return working


async def completed(database: Database, privacy: Privacy) -> None:
    await submit(database, privacy)
    await worker(database, privacy).run()


async def failed(database: Database, privacy: Privacy) -> None:
    await submit(database, privacy, model="missing")
    await worker(database, privacy).run()


async def cancelled_at_work(database: Database, privacy: Privacy) -> None:
    working = await at_work(database, privacy)
    await Jobs(database).cancel(OWNER, "a")
    await working


async def given_up(database: Database, privacy: Privacy) -> None:
    leaving = await at_work(database, privacy)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    for _ in range(MAX_ATTEMPTS):
        await DatabaseCarrier(database).take("dead", lease_s=-60.0)
    await worker(database, privacy).run()


ENDS: Mapping[End, TraceStatus] = {
    completed: TraceStatus.COMPLETED,
    failed: TraceStatus.FAILED,
    cancelled_at_work: TraceStatus.CANCELLED,
    given_up: TraceStatus.FAILED,
}


@pytest.fixture(params=["sqlite", "postgres"])
async def place(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncGenerator[tuple[Database, Held]]:
    """A database, and what gives all of its bytes: of the files, or of the rows of a server."""
    if request.param == "sqlite":
        url, files = f"sqlite:///{tmp_path / 'q.db'}", tmp_path
    else:
        running: Server = request.getfixturevalue("postgres")
        url, files = running.create(), None
    async with Database(url) as database:
        await database.upgrade()

        async def held() -> bytes:
            if files:
                return b"".join(file.read_bytes() for file in files.iterdir())
            return (await rows(database)).encode("utf-8", "surrogatepass")

        yield database, held


async def rows(database: Database) -> str:
    """Return all rows of all tables, with the texts of pages as they were."""
    told: list[str] = []
    async with database.read() as connection:
        for table in metadata.sorted_tables:
            for row in (await connection.execute(select(table))).mappings():
                told.append(str(dict(row)))
                if table.name == "pages":
                    told.append(unpacked(row["body"]))
    return "\n".join(told)


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
async def test_a_run_of_a_worker_leaves_nothing_private(
    place: tuple[Database, Held], end: End
) -> None:
    """While the database is still open: the log of SQLite is read, too."""
    database, held = place
    await end(database, PRIVATE)
    assert (await Traces(database).get_trace(OWNER, "a")).status is ENDS[end]
    found = await held()
    assert [secret for secret in SECRETS if secret.encode() in found] == []


async def test_what_may_be_kept_is_found_by_looking_for_it(place: tuple[Database, Held]) -> None:
    """Else the test above might look in the wrong place."""
    database, held = place
    await completed(database, Privacy())
    found = await held() + (await rows(database)).encode()
    assert [secret for secret in SECRETS if secret.encode() not in found] == []
