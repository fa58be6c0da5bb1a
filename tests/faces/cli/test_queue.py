"""Questions in the queue: submitted, cancelled, scheduled, and the workers of them."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest
from sqlalchemy import update
from tests.faces.cli.conftest import Command

from quaere.domain.request import Listener, RunSpec
from quaere.domain.team import Strategy
from quaere.domain.trace import Owner
from quaere.errors import StoreUnavailable
from quaere.store.carriers.database import MAX_ATTEMPTS, DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import REVISION, jobs
from quaere.store.fleet import Fleet, WorkerReport
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.privacy import WITHHELD
from quaere.store.webhooks import Webhooks

QUESTION = "Who built the mill at Orrin?"


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


def test_a_worker_tells_at_once_that_it_waits_for_its_database(
    command: Command, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = command("submit", QUESTION, "-d", str(docs)).stdout.strip()

    async def away(_: Jobs) -> None:
        raise StoreUnavailable("Cannot use the database.")

    with monkeypatch.context() as patch:
        patch.setattr(Jobs, "waiting", away)
        worker = command("worker", "--drain")
    assert "warning: Cannot use the database. The worker waits for it." in worker.stderr
    assert "Tamsin Wray" in command("export", name).stdout


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
    assert f"Cannot listen on {address}: Address already in use." in taken.stderr
    assert command("worker", "--drain", "--metrics", "9000").exit_code == 2


REPORT = WorkerReport(name="host-1-ab", version="9", places=4, busy=1, ended=7, takeovers=2)


async def given_up(path: Path) -> None:
    """Have a run given up, and a worker report."""
    async with Database.file(path / "quaere.db") as database:
        spec = RunSpec.of("What is a?", run_id="run-a")
        await Jobs(database).submit(Entry.of(Owner(), spec, params={}))
        async with database.write() as connection:
            await connection.execute(update(jobs).values(attempts=MAX_ATTEMPTS))
        assert await DatabaseCarrier(database).take("w", lease_s=60.0) is None
        await Fleet(database).report(REPORT)


def test_a_run_that_waits_is_counted_as_one(command: Command) -> None:
    command("submit", "What is a?")
    assert command("fleet", "status").stdout.startswith("1 unfinished run, the oldest for ")


def test_operators_see_the_fleet_and_have_runs_tried_again(
    command: Command, tmp_path: Path
) -> None:
    asyncio.run(given_up(tmp_path))
    first, _, worker = command("fleet", "status").stdout.splitlines()
    assert first == "0 unfinished runs; 1 given up."
    assert worker.split()[:5] == ["host-1-ab", "9", "1/4", "7", "2"]
    assert "run-a local" in " ".join(command("fleet", "failed").stdout.split())
    told = json.loads(command("fleet", "failed", "-f", "json").stdout)
    assert [each["run_id"] for each in told["runs"]] == ["run-a"]
    assert command("fleet", "requeue", "run-a").exit_code == 0
    assert command("fleet", "requeue", "run-a").exit_code == 2
    assert command("fleet", "failed").stdout == "No run was given up.\n"
    now = json.loads(command("fleet", "status", "--format", "json").stdout)
    assert (now["unfinished"], now["given_up"]) == (1, 0)
    assert now["oldest_waiting_s"] > 0


def test_a_fleet_is_paused_and_a_worker_drained(command: Command, tmp_path: Path) -> None:
    asyncio.run(given_up(tmp_path))
    assert command("fleet", "pause").stdout == "Paused.\n"
    assert "Paused." in command("fleet", "status").stdout
    assert command("fleet", "resume").stdout == "Resumed.\n"
    assert "Paused." not in command("fleet", "status").stdout
    assert command("fleet", "drain", "host-1-ab").stdout == "It exits when its runs have ended.\n"
    assert command("fleet", "status").stdout.splitlines()[-1].endswith("drains")
    assert command("fleet", "drain", "nobody").exit_code == 2


async def untold(path: Path) -> str:
    """Have a run cancelled whose end nobody could be told of; return the id of the webhook."""
    async with Database.file(path / "quaere.db") as database:
        listener = Listener(url="https://hooks.example/?token=t0ken")
        spec = RunSpec.of("What is a?", run_id="run-a").model_copy(update={"listener": listener})
        await Jobs(database).submit(Entry.of(Owner(), spec, params={}))
        await Jobs(database).cancel(Owner(), "run-a")
        (webhook,) = await Webhooks(database).take()
        await Webhooks(database).failed(webhook, "hooks.example is gone.", final=True)
        return webhook.id


def test_webhooks_that_were_not_delivered_are_seen_and_delivered_again(
    command: Command, tmp_path: Path
) -> None:
    assert command("fleet", "webhooks").stdout == "All webhooks were delivered.\n"
    name = asyncio.run(untold(tmp_path))
    listed = command("fleet", "webhooks").stdout
    assert " ".join(listed.split()) == (
        f"{name} run-a hooks.example given up hooks.example is gone."
    ), "a token in the address is not shown"
    told = command("fleet", "webhooks", "-f", "json").stdout
    (webhook,) = json.loads(told)["webhooks"]
    assert (webhook["id"], webhook["host"], webhook["next_at"]) == (name, "hooks.example", None)
    assert "t0ken" not in told
    assert command("fleet", "redeliver", name).exit_code == 0
    assert "given up" not in command("fleet", "webhooks").stdout
    assert command("fleet", "redeliver", "nothing").exit_code == 2


def test_questions_are_scheduled_listed_and_removed(command: Command) -> None:
    assert command("schedule", "list").stdout == "No question is scheduled.\n"
    added = command(
        "schedule",
        *("add", "every monday 8:00", "When", "was", "the", "weir", "rebuilt?"),
        *("--zone", "Europe/Berlin"),
    )
    assert added.exit_code == 0
    name = added.stdout.strip()
    listed = command("schedule", "list").stdout.splitlines()[1].split()
    assert listed[:5] == [name, "every", "monday", "8:00", "Europe/Berlin"]
    assert " ".join(listed).endswith("When was the weir rebuilt?")
    (told,) = json.loads(command("schedule", "list", "-f", "json").stdout)["schedules"]
    assert (told["id"], told["times"], told["zone"]) == (name, "every monday 8:00", "Europe/Berlin")
    assert told["question"] == "When was the weir rebuilt?"
    assert command("schedule", "remove", name).stdout == "Removed.\n"
    assert command("schedule", "remove", name).exit_code == 2
    assert command("schedule", "list").stdout == "No question is scheduled.\n"


def test_what_cannot_be_scheduled_is_refused_at_once(command: Command) -> None:
    for wrong in (
        ("add", "sometimes", "When was it?"),
        ("add", "every hour", "When was it?", "--zone", "Mars/Olympus"),
        ("add", "every hour", "When was it?", "--webhook", "https://hooks.example/"),
        ("add", "every hour", " "),
    ):
        assert command("schedule", *wrong).exit_code == 2
    assert command("schedule", "list").stdout == "No question is scheduled.\n"
