"""``quaere fleet``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update
from typer.testing import CliRunner, Result

from quaere.domain.request import Listener, RunSpec
from quaere.domain.trace import Owner
from quaere.faces.cli.main import application
from quaere.store.carriers.database import MAX_ATTEMPTS, DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs
from quaere.store.fleet import Fleet, WorkerReport
from quaere.store.jobs import Jobs
from quaere.store.webhooks import Webhooks

Command = Callable[..., Result]
REPORT = WorkerReport(name="host-1-ab", version="9", places=4, busy=1, ended=7, takeovers=2)


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Run ``quaere fleet`` within this process, over a data folder of the test's own."""

    def run(*arguments: str) -> Result:
        words = ["fleet", *arguments]
        return CliRunner(env={"QUAERE_DATA_DIR": str(tmp_path)}).invoke(
            application(words), words, prog_name="quaere"
        )

    return run


async def given_up(path: Path) -> None:
    """Have a run given up, and a worker report."""
    async with Database.file(path / "quaere.db") as database:
        spec = RunSpec.of("What is a?", run_id="run-a")
        await Jobs(database).submit(Owner(), spec, params={})
        async with database.write() as connection:
            await connection.execute(update(jobs).values(attempts=MAX_ATTEMPTS))
        assert await DatabaseCarrier(database).take("w", lease_s=60.0) is None
        await Fleet(database).report(REPORT)


def test_operators_see_the_fleet_and_have_runs_tried_again(
    command: Command, tmp_path: Path
) -> None:
    asyncio.run(given_up(tmp_path))
    first, _, worker = command("status").stdout.splitlines()
    assert first == "0 unfinished runs; 1 given up."
    assert worker.split()[:5] == ["host-1-ab", "9", "1/4", "7", "2"]
    assert "run-a local" in " ".join(command("failed").stdout.split())
    assert command("requeue", "run-a").exit_code == 0
    assert command("requeue", "run-a").exit_code == 2
    assert command("failed").stdout == "No run was given up.\n"
    now = json.loads(command("status", "--format", "json").stdout)
    assert (now["unfinished"], now["given_up"]) == (1, 0)
    assert now["oldest_waiting_s"] > 0


def test_a_fleet_is_paused_and_a_worker_drained(command: Command, tmp_path: Path) -> None:
    asyncio.run(given_up(tmp_path))
    assert command("pause").exit_code == 0
    assert "Paused." in command("status").stdout
    assert command("resume").exit_code == 0
    assert "Paused." not in command("status").stdout
    assert command("drain", "host-1-ab").exit_code == 0
    assert command("status").stdout.splitlines()[-1].endswith("drains")
    assert command("drain", "nobody").exit_code == 2


async def untold(path: Path) -> str:
    """Have a run cancelled whose end nobody could be told of; return the id of the webhook."""
    async with Database.file(path / "quaere.db") as database:
        listener = Listener(url="https://hooks.example/?token=t0ken")
        spec = RunSpec.of("What is a?", run_id="run-a").model_copy(update={"listener": listener})
        await Jobs(database).submit(Owner(), spec, params={})
        await Jobs(database).cancel(Owner(), "run-a")
        (webhook,) = await Webhooks(database).take()
        await Webhooks(database).failed(webhook, "hooks.example is gone.", final=True)
        return webhook.id


def test_webhooks_that_were_not_delivered_are_seen_and_delivered_again(
    command: Command, tmp_path: Path
) -> None:
    assert command("webhooks").stdout == "All webhooks were delivered.\n"
    name = asyncio.run(untold(tmp_path))
    listed = command("webhooks").stdout
    assert " ".join(listed.split()) == (
        f"{name} run-a hooks.example given up hooks.example is gone."
    ), "a token in the address is not shown"
    assert command("redeliver", name).exit_code == 0
    assert "given up" not in command("webhooks").stdout
    assert command("redeliver", "nothing").exit_code == 2
