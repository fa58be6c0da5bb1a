"""The database under its tables: URLs, new files, versions, and what goes wrong."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing, closing, nullcontext
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any
from unittest.mock import AsyncMock

import aiosqlite
import pytest
from sqlalchemy import Connection, event, make_url, text, update
from sqlalchemy.exc import OperationalError
from tests.services.postgres import Server
from tests.store.filled import FILLED

from quaere.domain.trace import Owner
from quaere.errors import (
    SchemaError,
    SettingsError,
    StoreError,
    StoreUnavailable,
    TraceConflict,
    TraceNotFound,
)
from quaere.store.db import postgres as postgres_module
from quaere.store.db import schema
from quaere.store.db.database import Database
from quaere.store.db.schema import REVISION, tool_traces
from quaere.store.db.sqlite import connection as sqlite_connection
from quaere.store.db.sqlite import write_ahead
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ME = Owner()


async def test_a_new_file_is_made_on_first_use_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "quaere 100%.db"
    async with Database.file(path) as database:
        assert await database.version() is None
        assert not path.exists()
        await Traces(database).create_trace(ME, {})
        assert await database.version() == REVISION
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_the_version_of_the_tables_is_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "quaere.db"
    async with Database.file(path) as database:
        await Traces(database).create_trace(ME, {})
    asked = AsyncMock(return_value=REVISION)
    async with Database.file(path) as database:
        monkeypatch.setattr(Database, "version", asked)
        for _ in range(3):
            await Traces(database).create_trace(ME, {})
    assert asked.await_count == 1


async def test_an_empty_postgresql_is_not_filled_behind_its_owners_back(postgres: Server) -> None:
    async with Database(postgres.create()) as database:
        with pytest.raises(SchemaError, match="quaere db upgrade"):
            await Traces(database).create_trace(ME, {})
        await database.upgrade()
        await Traces(database).create_trace(ME, {})


@pytest.mark.parametrize("idle_s", [0.0, 3_600.0], ids=["long after its use", "right after it"])
async def test_a_connection_that_was_lost_while_idle_is_replaced(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, idle_s: float
) -> None:
    monkeypatch.setattr(postgres_module, "IDLE_S", idle_s)
    async with Database(postgres.create(), connect_s=0.0) as database:
        await database.upgrade()
        await Traces(database).create_trace(ME, {})
        assert cut_connections(postgres, database) > 0
        await Traces(database).create_trace(ME, {})
        assert cut_connections(postgres, database) > 0
        assert len((await Traces(database).list_traces(ME)).traces) == 2


async def test_what_is_notified_is_heard_after_a_silence_too(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_module, "LISTENS_S", 0.01)
    async with Database(postgres.create()) as database, asyncio.timeout(30.0):
        await database.upgrade()
        async with aclosing(database.listen("bell")) as heard:
            assert await anext(heard) == ""
            for said in ("one", "two"):
                async with database.write() as connection:
                    await connection.execute(text(f"SELECT pg_notify('bell', '{said}')"))
                assert await anext(heard) == said
            assert cut_connections(postgres, database) > 0
            with pytest.raises(StoreUnavailable):
                await anext(heard)


def cut_connections(postgres: Server, database: Database) -> int:
    """Have the server close all connections to ``database``; return how many there were."""
    name = make_url(database.name).database
    sessions = f"FROM pg_stat_activity WHERE datname = '{name}'"
    return len(postgres.run_sql(f"SELECT pg_terminate_backend(pid, 5000) {sessions}").split())


async def test_a_write_whose_connection_is_lost_as_it_begins_is_made_on_another(
    postgres: Server,
) -> None:
    cuts: list[int] = []

    def cut(*_: object) -> None:
        if not cuts:
            cuts.append(cut_connections(postgres, database))

    async with Database(postgres.create()) as database:
        await database.upgrade()
        await Traces(database).create_trace(ME, {})
        # It comes after the look whether the connection is still there.
        event.listen(database._engine.sync_engine, "checkout", cut)
        await Traces(database).create_trace(ME, {})
        assert len((await Traces(database).list_traces(ME)).traces) == 2
    assert cuts[0] > 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in order", "as in a crash"])
async def test_the_first_write_after_a_restart_is_made(
    postgres: Server, how: signal.Signals
) -> None:
    async with Database(postgres.create()) as database:
        await database.upgrade()
        await asyncio.gather(*(Traces(database).create_trace(ME, {}) for _ in range(5)))
        await asyncio.to_thread(postgres.stop, how)
        writes = [asyncio.create_task(Traces(database).create_trace(ME, {})) for _ in range(5)]
        await asyncio.to_thread(postgres.start)
        await asyncio.gather(*writes)
        assert len((await Traces(database).list_traces(ME)).traces) == 10


async def test_who_stops_in_a_transaction_holds_its_locks_no_longer_than_others_wait(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_module, "LOCKS_S", 1)
    url = postgres.create()
    async with Database(url) as frozen, Database(url) as other:
        await frozen.upgrade()
        made = await Traces(frozen).create_trace(ME, {})
        mine = update(tool_traces).where(tool_traces.c.id == made.id).values(fence=1)

        async def write_as_another() -> None:
            async with other.write() as connection:
                await connection.execute(mine)

        async def stop_in_the_midst() -> None:
            async with frozen.write() as connection:
                await connection.execute(mine.values(fence=2))
                await write_as_another()

        with pytest.raises(StoreUnavailable):
            await stop_in_the_midst()
        assert (await Traces(other).get_trace(ME, made.id)).fence == 1


async def test_an_upgrade_may_take_its_time(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_module, "LOCKS_S", 1)
    upgrade = schema.upgrade

    def upgrade_slowly(connection: Connection) -> None:
        time.sleep(2)
        upgrade(connection)

    monkeypatch.setattr(schema, "upgrade", upgrade_slowly)
    async with Database(postgres.create()) as database:
        await database.upgrade()
        await Traces(database).create_trace(ME, {})


async def test_a_postgresql_without_an_encoding_is_used_as_utf_8(postgres: Server) -> None:
    plain = "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    async with Database(postgres.create(plain)) as database:
        await database.upgrade()
        traces = Traces(database)
        made = await traces.create_trace(ME, {"question": "Wer baute die Mühle?"})
        kept = await traces.get_trace(ME, made.id)
        assert kept.input_params == {"question": "Wer baute die Mühle?"}


async def test_tables_of_an_unknown_version_are_left_alone(database: Database, url: str) -> None:
    unknown = "does not know" if database.sqlite else "quaere db upgrade"
    for version, message in (("0000", unknown), ("9999", "later")):
        async with database.write() as connection:
            await connection.execute(
                text("UPDATE alembic_version SET version_num = :new"), {"new": version}
            )
        async with Database(url) as fresh:
            with pytest.raises(SchemaError, match=message):
                await Traces(fresh).list_traces(ME)
            assert await fresh.version() == version
    async with Database(url) as fresh:
        with pytest.raises(SchemaError, match="later"):
            await fresh.upgrade()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "quaere.db",
        "mysql://a:hush@b/c",
        "postgresql://u:hush@h:port/x",
        "hush://",
        "sqlite://u:hush@h/x.db",
        "sqlite:///x.db?plugin=hush",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(SettingsError, match="is not valid") as caught:
        Database(url)
    assert "hush" not in caught.value.message


def test_the_password_is_not_in_the_name() -> None:
    assert Database("postgres://u:hush@h/x").name == "postgresql://u:***@h/x"
    parameters = "host=/run/db&password=hush&sslpassword=hush"
    assert Database(f"postgres://u@/x?{parameters}").name == "postgresql://u@/x?host=%2Frun%2Fdb"


async def test_nobody_answering_is_a_typed_error() -> None:
    async with Database("postgresql://u:hush@127.0.0.1:9/x", connect_s=0.1) as database:
        with pytest.raises(StoreUnavailable) as caught:
            await Traces(database).list_traces(ME)
    assert "hush" not in caught.value.message
    assert caught.value.retryable


async def test_who_asks_whether_a_server_is_there_now_does_not_wait_for_it() -> None:
    async with Database("postgresql://u:hush@127.0.0.1:1/x", connect_s=3_600.0) as database:
        with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1:1/x"):
            async with asyncio.timeout(30):
                await database.without_waiting().version()


async def test_a_file_that_is_no_database_is_a_typed_error(tmp_path: Path) -> None:
    path = tmp_path / "quaere.db"
    path.write_bytes(b"no database at all, whatever its name says" * 100)
    async with Database.file(path) as database:
        with pytest.raises(StoreError, match="not a database"):
            await Traces(database).list_traces(ME)


async def test_a_folder_that_cannot_be_made_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with Database.file(tmp_path / "file" / "quaere.db") as database:
        with pytest.raises(StoreUnavailable, match=r"Cannot create .*set QUAERE_DATA_DIR"):
            await Traces(database).list_traces(ME)


async def filled(path: Path, revision: str = "0006") -> None:
    """Make a file as an earlier version would have left it, with a row in every table."""
    async with (
        Database.file(path) as database,
        database._write(durable=True) as connection,
    ):
        await connection.run_sync(schema.upgrade, revision)
        await connection.run_sync(FILLED[revision])


async def test_a_file_of_an_earlier_version_is_upgraded_by_who_opens_it(tmp_path: Path) -> None:
    path = tmp_path / "quaere.db"
    path.touch()
    await filled(path)
    async with Database.file(path) as first, Database.file(path) as second:
        read = (Traces(each).get_trace(ME, "run-old") for each in (first, second))
        assert [trace.question for trace in await asyncio.gather(*read)] == ["When?", "When?"]
        assert await first.version() == REVISION


def dumped(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump()]


async def test_an_upgrade_of_a_file_that_fails_leaves_it_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "quaere.db"
    path.touch()
    await filled(path)
    before = dumped(path)
    real = schema.upgrade

    def interrupted(connection: Connection) -> None:
        real(connection)
        raise OSError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "upgrade", interrupted)
        async with Database.file(path) as database:
            with pytest.raises(StoreError, match="No space left"):
                await Traces(database).get_trace(ME, "run-old")
    assert dumped(path) == before
    async with Database.file(path) as database:
        assert (await Traces(database).get_trace(ME, "run-old")).question == "When?"


async def test_two_that_begin_at_once_make_the_tables_once(tmp_path: Path) -> None:
    path = tmp_path / "quaere.db"
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from quaere.domain.trace import Owner\n"
        "from quaere.store.db.database import Database\n"
        "from quaere.store.traces.traces import Traces\n"
        "async def main():\n"
        "    async with Database.file(Path(sys.argv[1])) as database:\n"
        "        await Traces(database).create_trace(Owner(), {})\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    pipe = asyncio.subprocess.PIPE
    running = [await asyncio.create_subprocess_exec(*command, stderr=pipe) for _ in range(2)]
    for process in running:
        _, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()
    async with Database.file(path) as database:
        assert len((await Traces(database).list_traces(ME)).traces) == 2


def test_a_log_is_switched_to_when_others_let_go_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "quaere.db"
    with closing(sqlite3.connect(path, timeout=0)) as switching:
        for busy_s in (0.0, 30.0):
            other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            other.execute("BEGIN IMMEDIATE")
            letting_go = Timer(0.2, other.close)
            letting_go.start()
            refused = pytest.raises(sqlite3.OperationalError, match="locked")
            with refused if busy_s == 0 else nullcontext():
                write_ahead(switching.execute, busy_s)
            letting_go.join()
        assert switching.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_writers_queue_and_readers_wait_for_nobody(traces: Traces) -> None:
    await asyncio.gather(*(traces.create_trace(ME, {"n": n}) for n in range(20)))
    async with traces.database.write():
        listed = await asyncio.wait_for(traces.list_traces(ME, limit=200), 5)
    assert len(listed.traces) == 20


async def test_what_fails_half_way_leaves_nothing(traces: Traces) -> None:
    async def fail(sql: str) -> None:
        async with traces.database.write() as connection:
            await connection.execute(text("DELETE FROM tool_traces"))
            await connection.execute(text(sql))
            raise ZeroDivisionError

    trace = await traces.create_trace(ME, {})
    with pytest.raises(ZeroDivisionError):
        await fail("SELECT 1")
    with pytest.raises(TraceConflict):
        await fail("INSERT INTO run_events VALUES ('none', 1, 'x', '2031-01-01', '{}')")
    with pytest.raises(StoreError):
        await fail("SELECT none FROM nowhere")
    assert await traces.get_trace(ME, trace.id) == trace


async def test_a_cancelled_write_leaves_nothing_and_blocks_nobody(traces: Traces) -> None:
    async def write_slowly() -> None:
        async with traces.database.write() as connection:
            await connection.execute(text("DELETE FROM tool_traces"))
            await asyncio.sleep(60)

    trace = await traces.create_trace(ME, {})
    task = asyncio.create_task(write_slowly())
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(traces.update_progress(ME, trace.id, stage="on", progress=0.5), 5)


def locked(path: Path, held: Event, release: Event) -> None:
    """Hold the write lock of a SQLite file until told to let go."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    held.set()
    release.wait(30)
    connection.execute("COMMIT")
    connection.close()


async def test_a_statement_cancelled_in_its_midst_lets_go_of_the_file(tmp_path: Path) -> None:
    """What is cancelled may leave a cursor behind, here in the traceback that is kept."""
    async with Database(f"sqlite:///{tmp_path / 'quaere.db'}", busy_s=0.5) as database:
        await database.upgrade()
        counts = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        executing = asyncio.Event()

        async def write() -> None:
            async with database.write() as connection:
                await connection.execute(text("CREATE TABLE seen (number INTEGER)"))
                executing.set()
                await connection.execute(text(f"{counts} WHERE i % 200000 = 0 LIMIT 9"))

        task = asyncio.create_task(write())
        await executing.wait()
        await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as kept:
            await task
        assert (await Traces(database).create_trace(ME, {})).status
        assert kept.value.__traceback__


async def test_a_connection_that_nobody_waits_for_any_longer_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[sqlite3.Connection] = []
    connect, opening, let_go = sqlite3.connect, Event(), Event()

    def slowly(path: str, *, check_same_thread: bool, **given: Any) -> sqlite3.Connection:
        del check_same_thread  # it is looked at from here as well
        opening.set()
        let_go.wait(10)
        made.append(connect(path, check_same_thread=False, **given))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", slowly)
    wanted = sqlite_connection(str(tmp_path / "quaere.db"), timeout=1.0)
    waiting = asyncio.create_task(_opened(wanted))
    await asyncio.to_thread(opening.wait, 10)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    let_go.set()
    await asyncio.to_thread(vars(wanted)["_thread"].join, 10)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        made[0].execute("SELECT 1")


async def _opened(connection: aiosqlite.Connection) -> object:
    return await connection


async def test_who_locks_the_file_is_waited_for_and_not_forever(tmp_path: Path) -> None:
    """Issue 7: SQLite locked by an outsider."""
    path = tmp_path / "quaere.db"
    held, release = Event(), Event()
    async with Database(f"sqlite:///{path}", busy_s=0.3) as hasty, Database.file(path) as patient:
        trace = await Traces(patient).create_trace(ME, {})
        await Traces(hasty).get_trace(ME, trace.id)
        outsider = Thread(target=locked, args=(path, held, release), daemon=True)
        outsider.start()
        assert await asyncio.to_thread(held.wait, 30)
        with pytest.raises(StoreUnavailable, match="locked"):
            await Traces(hasty).cancel(ME, trace.id)
        waiting = asyncio.create_task(Traces(patient).create_trace(ME, {}, trace_id="patient"))
        await asyncio.sleep(0.5)
        assert not waiting.done()
        assert (await Traces(patient).get_trace(ME, trace.id)) == trace  # readers wait for nobody
        release.set()
        await asyncio.to_thread(outsider.join)
        assert (await waiting).id == "patient"
        with pytest.raises(TraceNotFound):
            await Traces(hasty).get_trace(ME, "nobody")


async def test_a_full_disk_is_a_typed_error_and_loses_nothing(tmp_path: Path) -> None:
    """Issue 7: what was accepted before is there after."""
    program = (
        "import asyncio, resource, signal, sys\n"
        "from pathlib import Path\n"
        "from quaere.domain.trace import Owner\n"
        "from quaere.errors import StoreUnavailable\n"
        "from quaere.store.db.database import Database\n"
        "from quaere.store.traces.traces import Traces\n"
        "async def main():\n"
        "    path = Path(sys.argv[1])\n"
        "    async with Database.file(path) as database:\n"
        "        traces = Traces(database)\n"
        "        await traces.create_trace(Owner(), {})\n"
        "        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "        limit = path.with_name('quaere.db-wal').stat().st_size + 300_000\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "        accepted = 1\n"
        "        try:\n"
        "            for _ in range(1000):\n"
        "                await traces.create_trace(Owner(), {'question': 'x' * 50_000})\n"
        "                accepted += 1\n"
        "        except StoreUnavailable as error:\n"
        "            print(accepted, error.message)\n"
        "        assert len((await traces.list_traces(Owner(), limit=200)).traces) == accepted\n"
        "asyncio.run(main())\n"
    )
    path = tmp_path / "quaere.db"
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program, str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    accepted, _, message = done.stdout.partition(" ")
    assert "full" in message or "I/O error" in message
    async with Database.file(path) as database:
        assert len((await Traces(database).list_traces(ME, limit=200)).traces) == int(accepted)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in order", "as in a crash"])
async def test_a_server_that_is_started_again_is_waited_for(
    postgres: Server, how: signal.Signals
) -> None:
    """Issue 7: PostgreSQL restarted under load; what was accepted is there."""
    async with Database(postgres.create()) as database:
        await database.upgrade()
        traces = Traces(database)
        accepted = [(await traces.create_trace(ME, {})).id]

        async def submit() -> None:
            for _ in range(40):
                try:
                    accepted.append((await traces.create_trace(ME, {})).id)
                except StoreUnavailable:
                    continue
                await asyncio.sleep(0.02)

        load = [asyncio.create_task(submit()) for _ in range(2)]
        await asyncio.sleep(0.2)
        await asyncio.to_thread(postgres.stop, how)
        await asyncio.to_thread(postgres.start)
        await asyncio.gather(*load)
        listed = {trace.id for trace in (await traces.list_traces(ME, limit=200)).traces}
    assert len(accepted) > 50
    assert listed >= set(accepted)


async def test_a_statement_of_sqlite_takes_one_turn_of_its_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = 0
    take: Callable[..., Awaitable[object]] = vars(aiosqlite.Connection)["_execute"]

    async def counted(connection: aiosqlite.Connection, *doing: object) -> object:
        nonlocal turns
        turns += 1
        return await take(connection, *doing)

    async with Database.file(tmp_path / "turns.db") as database:
        async with database.read():
            pass  # the tables and the connection are made
        monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
        async with database.read() as connection:
            rows = (await connection.execute(text("SELECT 1 UNION SELECT 2 ORDER BY 1"))).all()
            none = await connection.execute(text("SELECT 1 AS one WHERE 1 = 0"))
            assert (rows, none.all(), [*none.keys()]) == ([(1,), (2,)], [], ["one"])
    assert turns <= 6, "begin, two statements, commit, and what the pool does"


async def test_changed_and_returned_rows_are_told(tmp_path: Path) -> None:
    async with Database.file(tmp_path / "rows.db") as database, database.write() as connection:
        await connection.execute(text("CREATE TABLE boats (name TEXT, tons INT)"))
        many = [{"name": name, "tons": tons} for name, tons in (("Eel", 12), ("Pike", 40))]
        await connection.execute(text("INSERT INTO boats VALUES (:name, :tons)"), many)
        raised = await connection.execute(text("UPDATE boats SET tons = tons + 1"))
        assert raised.rowcount == 2
        sold = text("DELETE FROM boats WHERE tons > 20 RETURNING name")
        assert (await connection.execute(sold)).scalar_one() == "Pike"
        with pytest.raises(OperationalError):
            await connection.execute(text("SELECT weight FROM boats"))
        assert (await connection.execute(text("SELECT count(*) FROM boats"))).scalar_one() == 1


async def test_a_server_that_takes_connections_and_says_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres_module, "OPENS_S", 2)
    with socket.create_server(("127.0.0.1", 0), backlog=10) as silent:
        url = f"postgresql://ann:pw@127.0.0.1:{silent.getsockname()[1]}/runs"
        async with asyncio.timeout(30), Database(url, connect_s=0.0) as database:
            with pytest.raises(StoreUnavailable, match="timeout"):
                await database.version()


FULL = """
import asyncio, resource, sys
from quaere.errors import StoreUnavailable
from quaere.store.db.database import Database

async def main():
    async with Database(sys.argv[1]) as database:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        try:
            await database.upgrade()
        except StoreUnavailable as error:
            print(error.message)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limits")
def test_a_file_for_which_there_is_no_room_is_told(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'quaere.db'}"
    told = subprocess.run(
        [sys.executable, "-c", FULL, url], capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout.endswith("quaere.db: disk I/O error; the disk may be full.\n")
