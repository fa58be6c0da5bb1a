"""One folder of data under two databases, one after the other: nothing moves, nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.faces.cli.conftest import Command
from tests.services.postgres import Server
from typer.testing import Result

from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import DATABASE_FILE, database_name, spool_folder
from quaere.store.traces.spool import SUFFIX, read

QUESTION = "Who built the mill at Orrin?"


@pytest.fixture
def command(command: Command) -> Command:
    """Run ``quaere`` on a database, and wait for it to succeed."""

    def run(*arguments: str, database: str = "") -> Result:
        done = command(*arguments, QUAERE_DATABASE_URL=database)
        assert done.exit_code == 0, done.stderr
        return done

    return run


def asked(command: Command, docs: Path, database: str = "") -> str:
    """Ask, and return the id of the run."""
    done = command("ask", QUESTION, "-d", str(docs), "-f", "json", "-q", database=database)
    return str(json.loads(done.stdout)["run_id"])


def listed(command: Command, database: str = "") -> set[str]:
    found = json.loads(command("trace", "list", "-f", "json", database=database).stdout)
    return {trace["id"] for trace in found["traces"]}


def in_file(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as connection:
        return {run_id for (run_id,) in connection.execute("SELECT id FROM tool_traces")}


def test_a_switch_of_databases_moves_nothing_and_loses_nothing(
    command: Command, docs: Path, tmp_path: Path, postgres: Server
) -> None:
    """Runs that the file had not taken in yet used to go to whichever database came next."""
    url = postgres.create()
    taken_in = asked(command, docs)
    assert listed(command) == {taken_in}
    waiting = asked(command, docs)
    assert in_file(tmp_path) == {taken_in}

    command("db", "upgrade", database=url)
    assert listed(command, url) == set()
    later = asked(command, docs, url)
    assert listed(command, url) == {later}

    assert listed(command) == {taken_in, waiting} == in_file(tmp_path)
    assert listed(command, url) == {later}
    assert not list((tmp_path / "events").glob(f"*{SUFFIX}"))


def test_a_database_that_is_away_gets_its_own_runs_later(
    command: Command, docs: Path, tmp_path: Path, postgres: Server
) -> None:
    away = "postgresql://quaere:a-secret@127.0.0.1:9/quaere"
    waiting = asked(command, docs, away)
    assert listed(command) == set()
    (file,) = (tmp_path / "events").glob(f"*{SUFFIX}")
    head = read(file).head
    assert head is not None
    assert (head.trace_id, head.database) == (waiting, "postgresql://127.0.0.1:9/quaere")
    assert "a-secret" not in file.read_text()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgres://me@DB.example/q", "postgresql://db.example:5432/q"),
        ("postgresql+psycopg://me:s@cr/et@db.example:5432/q?sslmode=x", None),
        ("postgresql://me:s%40c@db.example:6543/q?sslmode=x", "postgresql://db.example:6543/q"),
        ("postgresql+psycopg://other@db.example/q", "postgresql://db.example:5432/q"),
        ("sqlite:////elsewhere/q.db", "sqlite:////elsewhere/q.db"),
        ("no url", "(not valid)"),
        ("", ""),
    ],
)
def test_a_database_has_one_name_however_it_is_written(url: str, name: str | None) -> None:
    found = database_name(Settings(database_url=SecretStr(url) if url else None))
    assert name is None or found == name
    assert "s@c" not in found
    assert "me" not in found


def test_the_file_in_the_data_folder_is_the_same_by_url(tmp_path: Path) -> None:
    url = SecretStr(f"sqlite:///{tmp_path / DATABASE_FILE}")
    settings = Settings(database_url=url, data_dir=tmp_path)
    assert database_name(settings) == ""
    assert spool_folder(settings) == tmp_path / "events"
