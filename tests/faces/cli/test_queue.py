"""``quaere submit``, ``quaere worker`` and ``quaere cancel``."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner, Result

from quaere.domain.request import RunSpec
from quaere.domain.team import Strategy
from quaere.faces.cli.main import application
from quaere.store.db.schema import REVISION
from quaere.store.traces.privacy import WITHHELD

Command = Callable[..., Result]

QUESTION = "Who built the mill at Orrin?"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Run ``quaere`` within this process, over a data folder of the test's own."""

    def run(*arguments: str, **settings: str) -> Result:
        return CliRunner(env={"QUAERE_DATA_DIR": str(tmp_path), **settings}).invoke(
            application(arguments), list(arguments), prog_name="quaere"
        )

    return run


def rows(folder: Path, wanted: str) -> list[tuple[str, ...]]:
    connection = sqlite3.connect(folder / "quaere.db")
    try:
        return connection.execute(wanted).fetchall()
    finally:
        connection.close()


def test_a_run_is_asked_for_and_made(command: Command, docs: Path) -> None:
    name = command("submit", QUESTION, "-d", str(docs)).stdout.strip()
    assert command("worker", "--drain").exit_code == 0
    assert "Tamsin Wray" in command("export", name).stdout
    refused = command("cancel", name)
    assert refused.exit_code != 0
    assert "has already ended (completed)" in refused.stderr


def test_a_run_that_waits_is_cancelled(command: Command, docs: Path) -> None:
    name = command("submit", QUESTION, "-d", str(docs)).stdout.strip()
    assert command("cancel", "").exit_code == 2, "no name is not the only run there is"
    assert command("cancel", name[:8]).stdout == "Cancelled.\n"
    assert command("trace", "list", "--status", "cancelled").stdout.startswith(name[:8])


def test_a_run_that_waits_is_told_to_finish(command: Command, docs: Path) -> None:
    name = command("submit", QUESTION, "-d", str(docs)).stdout.strip()
    assert command("cancel", name[:8], "--finish").stdout.startswith("Finishing")
    assert command("worker", "--drain").exit_code == 0
    assert '"stop_reason": "cancelled"' in command("export", name, "--format", "json").stdout


def test_a_submitted_run_builds_on_an_earlier_one_r4_5(command: Command, docs: Path) -> None:
    first = command("submit", QUESTION, "-d", str(docs)).stdout.strip()
    assert command("worker", "--drain").exit_code == 0
    second = command("submit", QUESTION, "-d", str(docs), "--continue", first[:8]).stdout.strip()
    assert command("worker", "--drain").exit_code == 0
    shown = command("export", second, "--format", "json").stdout
    assert f"This continues the run {first}" in shown
    assert command("submit", QUESTION, "--continue", "nothing").exit_code != 0


def test_what_is_private_stays_out_of_the_trace_of_a_run_that_waits(
    command: Command, tmp_path: Path, docs: Path
) -> None:
    """Issue 7: a question is kept for the worker alone, and goes with the end of the run."""
    private = {"QUAERE_STORE_QUESTIONS": "false"}
    command("submit", QUESTION, "-d", str(docs), **private)
    ((params,),) = rows(tmp_path, "SELECT input_params FROM tool_traces")
    assert WITHHELD in params
    assert "Orrin" not in params
    assert command("worker", "--drain", **private).exit_code == 0
    assert rows(tmp_path, "SELECT request FROM jobs") == []
    assert "Tamsin Wray" in command("export").stdout


@pytest.mark.parametrize(
    ("asked", "settings", "strategy"),
    [
        (["--strategy", "supervisor"], {}, Strategy.SUPERVISOR),
        ([], {"QUAERE_STRATEGY": "loop"}, Strategy.LOOP),
        ([], {}, Strategy.AUTO),
    ],
)
def test_a_run_is_made_the_way_that_was_asked_for(
    command: Command, tmp_path: Path, asked: list[str], settings: dict[str, str], strategy: Strategy
) -> None:
    assert command("submit", QUESTION, *asked, **settings).exit_code == 0
    ((request,),) = rows(tmp_path, "SELECT request FROM jobs")
    settled = RunSpec.model_validate_json(request).settled
    assert settled
    assert settled.strategy is strategy


def test_a_deadline_lies_so_many_seconds_ahead(command: Command, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    command("submit", QUESTION, "--within", "90")
    after = datetime.now(UTC)
    ((written,),) = rows(tmp_path, "SELECT deadline FROM jobs")
    deadline = datetime.fromisoformat(written).replace(tzinfo=UTC)
    assert before + timedelta(seconds=90) <= deadline <= after + timedelta(seconds=90)
    assert command("submit", QUESTION).exit_code == 0
    assert rows(tmp_path, "SELECT deadline FROM jobs WHERE deadline IS NULL") == [(None,)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("submit", QUESTION, "--within", "1e20"),
        ("submit", QUESTION, "--within", "inf"),
        ("submit", QUESTION, "--priority", "99999999999999999999"),
        ("worker", "--drain", "--lease", "1e300"),
    ],
)
def test_numbers_that_no_database_takes_are_refused(
    command: Command, arguments: tuple[str, ...]
) -> None:
    refused = command(*arguments)
    assert refused.exit_code == 2
    assert "it must be at most" in refused.stderr


def test_a_worker_does_not_wait_for_a_database_of_a_later_version(
    command: Command, tmp_path: Path
) -> None:
    assert command("db", "upgrade").exit_code == 0
    connection = sqlite3.connect(tmp_path / "quaere.db")
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    refused = command("worker", "--drain")
    assert refused.exit_code == 1
    assert f"later than this Quaere's {REVISION}" in refused.stderr


def test_a_worker_tells_prometheus_what_it_does_r2_5(command: Command, docs: Path) -> None:
    command("submit", QUESTION, "-d", str(docs))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    assert command("worker", "--drain", "--metrics", address).exit_code == 0
    with urlopen(f"http://{address}/metrics", timeout=10) as answer:
        told = answer.read().decode()
    assert 'runs_ended_total{status="completed"} 1.0' in told
    assert "iterations_per_request_count 1.0" in told
    taken = command("worker", "--drain", "--metrics", address)
    assert taken.exit_code == 2
    assert f"Cannot listen on {address}" in taken.stderr
    assert command("worker", "--drain", "--metrics", "9000").exit_code == 2
