"""A real Prometheus scrapes a real service, and its alerts fire and resolve (R0.13).

The rules and the scrape configuration are those of deploy/observe, with a second in place of each
minute, and with addresses on loopback in place of names that Docker knows.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
import yaml
from tests.faces.server.served import write_docs
from tests.services.missing import go_without

ROOT = Path(__file__).parents[2]
OBSERVE = ROOT / "deploy" / "observe"
PATIENCE_S = 150.0
PERIODS = re.compile(r"(?<=for: )\d+m\b|(?<=\[)\d+[mh](?=\])")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Settings of server and worker: one database, a search service that nobody runs."""
    return {
        "PATH": "",
        "HOME": str(tmp_path),
        "QUAERE_DATA_DIR": str(tmp_path / "data"),
        "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
        "QUAERE_DOCS": str(write_docs(tmp_path / "docs")),
        "QUAERE_PROVIDERS": "searxng",
        "SEARXNG_BASE_URL": f"http://127.0.0.1:{free_port()}",
        "PYTHONUNBUFFERED": "1",
    }


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return int(opened.getsockname()[1])


def in_seconds(period: re.Match[str]) -> str:
    number, unit = int(period[0][:-1]), period[0][-1]
    return f"{number * (60 if unit == 'h' else 1)}s"


def configured(folder: Path, jobs: dict[str, int]) -> Path:
    """Write rules and configuration into ``folder``; return the latter's path."""
    rules = (OBSERVE / "alerts.yml").read_text("utf-8")
    (folder / "alerts.yml").write_text(PERIODS.sub(in_seconds, rules))
    config = yaml.safe_load((OBSERVE / "prometheus.yml").read_text("utf-8"))
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    assert {job["job_name"] for job in config["scrape_configs"]} == jobs.keys()
    for job in config["scrape_configs"]:
        del job["dns_sd_configs"]
        job.pop("authorization", None)  # loopback needs no key
        job["static_configs"] = [{"targets": [f"127.0.0.1:{jobs[job['job_name']]}"]}]
    path = folder / "prometheus.yml"
    path.write_text(yaml.safe_dump(config))
    return path


@contextmanager
def running(*command: str, env: dict[str, str] | None = None) -> Generator[None]:
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def eventually(holds: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with suppress(httpx.TransportError, httpx.HTTPStatusError):  # it may be starting still
            if holds():
                return
        time.sleep(0.5)
    pytest.fail(f"not within {PATIENCE_S:g} s: {what}")


def firing(prometheus: str) -> set[str]:
    answer = httpx.get(f"{prometheus}/api/v1/alerts").raise_for_status()
    told = answer.json()["data"]["alerts"]
    return {each["labels"]["alertname"] for each in told if each["state"] == "firing"}


@pytest.mark.slow
def test_alerts_of_a_stopped_worker_and_a_failing_service_fire_and_resolve(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    program = shutil.which("prometheus") or go_without(
        "Prometheus is not installed; `make promtool` installs it on Debian"
    )
    served, watched, asked = free_port(), free_port(), free_port()
    config = configured(tmp_path, {"quaere-server": served, "quaere-worker": watched})
    quaere = (sys.executable, "-m", "quaere")
    worker = (*quaere, "worker", "--metrics", f"127.0.0.1:{watched}")
    server = (*quaere, "serve", "--port", str(served))
    watching = (
        *(program, f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'series'}"),
        f"--web.listen-address=127.0.0.1:{asked}",
    )
    prometheus = f"http://127.0.0.1:{asked}"

    def scraped(job: str) -> bool:
        query = {"query": f'up{{job="{job}"}}'}
        answer = httpx.get(f"{prometheus}/api/v1/query", params=query).raise_for_status()
        found = answer.json()["data"]["result"]
        return [each["value"][1] for each in found] == ["1"]

    def ask() -> bool:
        task = {"task": f"What is new, {time.monotonic()}?"}
        httpx.post(f"http://127.0.0.1:{served}/run", json=task, timeout=60).raise_for_status()
        return "SearchFails" in firing(prometheus)

    with running(*server, env=environment), running(*watching):
        with running(*worker, env=environment):
            eventually(lambda: scraped("quaere-server"), "the server is scraped")
            eventually(lambda: scraped("quaere-worker"), "the worker is scraped")
            eventually(lambda: "ProcessDown" not in firing(prometheus), "all are up")
            eventually(ask, "an alert of the search service that is down")
        eventually(lambda: "ProcessDown" in firing(prometheus), "an alert of the stopped worker")
        with running(*worker, env=environment):
            eventually(
                lambda: firing(prometheus).isdisjoint({"ProcessDown", "SearchFails"}),
                "the end of both alerts",
            )
