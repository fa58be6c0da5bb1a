"""Log lines: they name their run, are JSON on request, and give nothing away (R0.13, R3.10)."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from tests.graphs.world import DOCUMENTS, HOP, engine

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner
from quaere.runtime.engine import Engine
from quaere.runtime.logs import LogFormat, configure, logged_as
from quaere.runtime.wiring import Tap, tapped
from quaere.runtime.worker import Worker, WorkerPolicy
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry

pytestmark = pytest.mark.anyio

KEY = "sk4f8Kq2Zr7Lm9Tx3Wb6Vn1"


Configure = Callable[..., io.StringIO]


@pytest.fixture
def configured() -> Generator[Configure]:
    """Return what sets up logging as a process of its own would, and says where lines go."""
    root = logging.getLogger()
    level = root.level
    removed: list[logging.Handler] = []

    def configure_alone(level: int, form: LogFormat = LogFormat.JSON, **rest: Any) -> io.StringIO:
        removed.extend(root.handlers)
        root.handlers.clear()
        written = io.StringIO()
        configure(level, form, stream=written, **rest)
        return written

    yield configure_alone
    root.handlers[:] = removed
    root.setLevel(level)


def lines(written: io.StringIO) -> list[dict[str, object]]:
    """Return the JSON objects that were logged by the engine and its steps."""
    found = [json.loads(line) for line in written.getvalue().splitlines()]
    return [line for line in found if str(line["logger"]).startswith("quaere")]


async def test_what_a_worker_says_of_a_run_names_it(configured: Configure, tmp_path: Path) -> None:
    written = configured(logging.INFO)
    policy = WorkerPolicy(concurrency=2, drain=True)

    def made(spec: RunSpec, tap: Tap) -> Engine:
        return tapped(engine(), spec, tap)

    async with Database.file(tmp_path / "quaere.db") as database:
        for name in ("run-a", "run-b"):
            spec = RunSpec.of(HOP, run_id=name, limits={"max_iters": 1})
            await Jobs(database).submit(Entry.of(Owner(user="ann"), spec, params={}))
        worker = Worker(DatabaseCarrier(database), made, policy)
        await asyncio.wait_for(worker.run(), 60)
    told = [line for line in lines(written) if " begins, attempt 1" in str(line["message"])]
    assert sorted((line["run_id"], line["message"]) for line in told) == [
        ("run-a", "run run-a begins, attempt 1"),
        ("run-b", "run run-b begins, attempt 1"),
    ]


async def test_every_phase_and_the_end_have_a_line_r0_13(configured: Configure) -> None:
    written = configured(logging.INFO)
    report = await engine().run(RunSpec.of(HOP, run_id="run-a", limits={"max_iters": 2}))
    told = lines(written)
    assert {line["run_id"] for line in told} == {"run-a"}
    phases = [line["phase"] for line in told if "phase" in line]
    assert phases[:3] == ["searching", "reading", "planning"]
    assert phases[-3:] == ["synthesizing", "verifying", "finalizing"]
    for line in told[:-1]:
        if "phase" in line:
            assert {"iteration", "tokens_left", "results"} <= line.keys()
    last = told[-1]
    assert last["stop_reason"] == report.stop_reason
    assert last["loops"] == report.iterations
    assert last["queries"] == report.spend.queries
    assert last["evidence_selected"] == len(report.evidence)
    assert last["stage_seconds"] == dict(report.figures.stage_seconds)
    assert last["fetches"] == {}


async def test_no_line_holds_page_text_r3_10(configured: Configure) -> None:
    written = configured(logging.DEBUG)
    await engine().run(RunSpec.of(HOP))
    said = "\n".join(json.dumps(line) for line in lines(written))
    assert said
    assert not [text for text in DOCUMENTS.values() if text.split(". ")[0] in said]


async def test_runs_side_by_side_keep_their_ids(configured: Configure) -> None:
    written = configured(logging.INFO)
    one = engine()
    await asyncio.gather(one.run(RunSpec.of(HOP, run_id="a")), one.run(RunSpec.of(HOP, run_id="b")))
    told = lines(written)
    for run_id in ("a", "b"):
        own = [line for line in told if line["run_id"] == run_id]
        assert [line.get("phase") for line in own].count("planning") == 1
    assert {line["run_id"] for line in told} == {"a", "b"}


async def test_whoever_takes_the_events_stays_outside(configured: Configure) -> None:
    async def steps() -> AsyncGenerator[int]:
        for number in range(2):
            logging.getLogger("quaere.inside").info("step")
            yield number

    written = configured(logging.INFO)
    async for _ in logged_as("run-a", steps()):
        logging.getLogger("quaere.outside").info("taken")
    assert [(line["logger"], line["run_id"]) for line in lines(written)] == [
        ("quaere.inside", "run-a"),
        ("quaere.outside", ""),
    ] * 2


def _redacted(text: str) -> str:
    return text.replace(KEY, "***")


@pytest.mark.parametrize("form", LogFormat)
def test_secrets_are_taken_out_of_lines_and_tracebacks(
    form: LogFormat, configured: Configure
) -> None:
    written = configured(logging.INFO, form, redact=_redacted)
    try:
        raise ValueError(KEY)
    except ValueError:
        logging.getLogger("quaere.x").exception("bad key %s", KEY)
    assert KEY not in written.getvalue()
    assert written.getvalue().count("***") >= 2


@pytest.mark.slow
@pytest.mark.parametrize("given", [["--log-format", "json"], []])
def test_the_command_line_writes_json_on_request(given: list[str], tmp_path: Path) -> None:
    (tmp_path / "hask.md").write_text(DOCUMENTS["Hask"], "utf-8")
    homes = {f"QUAERE_{name}_DIR": str(tmp_path / name) for name in ("CACHE", "DATA")}
    rest = ["--docs", str(tmp_path / "hask.md")]
    done = subprocess.run(
        [sys.executable, "-m", "quaere", *given, "ask", "What does Hask sell?", *rest],
        env={**os.environ, **homes},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in {0, 3}, done.stderr
    logged = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert bool(logged) is bool(given)
    if given:
        assert len({line["run_id"] for line in logged if line["run_id"]}) == 1
        assert str(logged[-1]["message"]).startswith("run ended") or any(
            str(line["message"]).startswith("run ended") for line in logged
        )
