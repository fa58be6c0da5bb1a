"""What a real server process logs of requests and of the runs that they ask for (R3.10)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from pydantic import JsonValue
from tests.faces.server.served import DOCS, QUESTION, Process, write_docs

Line = Mapping[str, JsonValue]

FIGURES = {
    *("loops", "queries", "failed_queries", "poor_queries", "searches", "fetches"),
    *("evidence_pooled", "evidence_selected", "stop_reason", "status", "stage_seconds", "seconds"),
    *("llm_calls", "tokens", "cost_usd"),
}
KEY = "sk-proj-" + "a1B2c3D4" * 6


def logged(form: str, place: Path) -> list[str]:
    """Return what a process logs that answers, fails at and cancels a question."""
    process = Process(
        ("--docs", str(write_docs(place / "docs"))),
        {
            "QUAERE_DATA_DIR": str(place / "data"),
            "QUAERE_CACHE_DIR": str(place / "cache"),
            "QUAERE_LOG_FORMAT": form,
        },
    )
    process.start()
    try:
        with httpx.Client(base_url=process.url, timeout=60) as client:
            asked = {"task": f"{QUESTION} My key is {KEY}."}
            client.post("/run", json=asked, headers={"X-Request-Id": "r-answered"})
            begun = client.post(
                "/v1/runs",
                json={"question": QUESTION, "model": "openai:gpt-5"},
                headers={"X-Request-Id": "r-failed"},
            ).json()
            client.get(begun["events_url"])
            waits = {"question": QUESTION, "strategy": "supervisor", "approve_plan": True}
            begun = client.post("/v1/runs", json=waits, headers={"X-Request-Id": "r-stopped"})
            path = begun.headers["Location"]
            until = time.monotonic() + 60
            while (
                "inquiry_raised"
                not in client.get(f"{path}/events", headers={"Accept": "application/json"}).text
                and time.monotonic() < until
            ):
                time.sleep(0.05)
            client.post(f"{path}/cancel")
            client.get(f"{path}/events")
    finally:
        process.stop()
    return process.said


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """Lines of a process that logs JSON."""
    return [json.loads(line) for line in logged("json", tmp_path_factory.mktemp("json"))]


def test_the_id_that_an_answer_has_is_in_the_log(lines: list[Line]) -> None:
    ids = {str(line["request_id"]) for line in lines if line.get("route") == "/health/ready"}
    assert ids
    for each in ids:  # and not what is put in the place of keys
        assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", each)


def ends(lines: list[Line], request_id: str) -> list[Line]:
    return [line for line in lines if "loops" in line and line.get("request_id") == request_id]


def test_each_request_has_one_line_with_what_its_run_took_r3_10(lines: list[Line]) -> None:
    (end,) = ends(lines, "r-answered")
    assert end.keys() >= FIGURES
    assert end["status"] == "answered"
    assert end["stop_reason"]
    assert isinstance(end["loops"], int)
    assert end["loops"] >= 1
    assert end["searches"]
    stages = end["stage_seconds"]
    assert isinstance(stages, dict)
    assert {"searching", "verifying"} <= stages.keys()
    (asked,) = [line for line in lines if line.get("request_id") == "r-answered" and line != end]
    assert asked["run_id"] == end["run_id"]
    assert (asked["method"], asked["route"], asked["status"]) == ("POST", "/run", 200)


@pytest.mark.parametrize("how", ["failed", "stopped"])
def test_a_run_without_a_report_has_the_line_too_r3_10(lines: list[Line], how: str) -> None:
    (end,) = ends(lines, f"r-{how}")
    assert end.keys() >= FIGURES
    assert end["status"] == how
    assert end["run_id"]
    assert bool(end["stop_reason"]) == (how == "failed")


def test_no_line_holds_a_question_a_page_or_a_key_r3_10(lines: list[Line]) -> None:
    said = json.dumps(lines)
    assert KEY not in said
    assert QUESTION not in said
    for text in DOCS.values():
        for sentence in re.split(r"(?<=\.)\s+|\n+", text):
            assert len(sentence) < 12 or sentence not in said


def test_as_text_the_line_names_request_and_run_as_well_r3_10(tmp_path: Path) -> None:
    (end,) = [line for line in logged("text", tmp_path) if "request_id=r-answered loops=" in line]
    assert re.search(r" run_id=[0-9a-f-]{36}$", end)
    assert "stage_seconds={" in end
