"""A service that is killed, restarted or stopped: readers go on where they were."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from tests.faces.server.served import QUESTION, Frame, Process, frames_of, write_docs


@pytest.fixture
def process(tmp_path: Path) -> Generator[Process]:
    write_docs(tmp_path / "docs")
    made = Process(
        ("--docs", str(tmp_path / "docs")),
        {
            "QUAERE_DATA_DIR": str(tmp_path / "data"),
            "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
        },
    )
    made.start()
    try:
        yield made
    finally:
        if made.running:
            made.stop(signal.SIGKILL)


def read_until(process: Process, path: str, after: int, count: int) -> list[Frame]:
    """Return the frames of a stream until ``count`` logged ones are there, or it ends."""
    text = ""
    url = f"{process.url}{path}"
    with httpx.stream("GET", url, params={"after": after}, timeout=30) as stream:
        for part in stream.iter_text():
            text += part
            logged = [frame for frame in frames_of(text) if frame.id is not None]
            if len(logged) >= count:
                return logged[:count]
    return [frame for frame in frames_of(text) if frame.id is not None]


@pytest.mark.slow
def test_a_service_that_is_killed_again_and_again_goes_on_and_readers_resume(
    process: Process,
) -> None:
    run = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION}).json()
    seen: list[Frame] = []
    for place in (2, 5, 9):
        seen += read_until(process, run["events_url"], len(seen), place - len(seen))
        process.stop(signal.SIGKILL)
        process.start()
    seen += read_until(process, run["events_url"], len(seen), 1_000)
    assert [frame.id for frame in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].event == "run_finished"
    assert "Ada Finch" in json.loads(seen[-1].data)["report"]["answer"]
    whole = read_until(process, run["events_url"], 0, 1_000)
    assert [frame.event for frame in whole] == [frame.event for frame in seen]


@pytest.mark.slow
def test_a_reader_that_was_at_any_event_when_the_service_was_killed_goes_on(
    process: Process,
) -> None:
    """One run for each number of an event, read as far as that when all of them lose the server."""
    asked = {"question": QUESTION, "reuse": "never"}
    first = httpx.post(f"{process.url}/v1/runs", json=asked).json()["events_url"]
    whole = len(read_until(process, first, 0, 1_000))
    assert whole > 10
    urls = [
        httpx.post(f"{process.url}/v1/runs", json=asked).json()["events_url"] for _ in range(whole)
    ]
    places = range(1, whole + 1)

    def read(place: int) -> list[Frame]:
        return read_until(process, urls[place - 1], 0, place)

    with ThreadPoolExecutor(whole) as readers:
        before = [*readers.map(read, places)]
    process.stop(signal.SIGKILL)
    process.start()
    for place, url, seen in zip(places, urls, before, strict=True):
        # One run may have an event less than another: indexing is told of by the clock.
        assert len(seen) == place or seen[-1].event == "run_finished"
        told = [*seen, *read_until(process, url, len(seen), 1_000)]
        assert [frame.id for frame in told] == list(range(1, len(told) + 1))
        assert told[-1].event == "run_finished"
        assert told == read_until(process, url, 0, 1_000)


@pytest.mark.slow
def test_a_run_is_killed_after_each_of_its_events_and_goes_on(
    process: Process, tmp_path: Path
) -> None:
    """One run for each number of an event, and the service killed when that event has come.

    Each is read to its end before the next one begins: one that dies five times is given up.
    """
    asked = {"question": QUESTION, "reuse": "never"}
    first = httpx.post(f"{process.url}/v1/runs", json=asked).json()["events_url"]
    whole = len(read_until(process, first, 0, 1_000))
    assert whole > 10
    stopped_at: list[int] = []
    for place in range(1, whole):
        run = httpx.post(f"{process.url}/v1/runs", json=asked).json()
        url = run["events_url"]
        seen = read_until(process, url, 0, place)
        process.stop(signal.SIGKILL)
        assert len(seen) == place
        stopped_at.append(last_event(tmp_path / "data" / "quaere.db", run["run_id"]))
        process.start()
        told = [*seen, *read_until(process, url, len(seen), 1_000)]
        assert [frame.id for frame in told] == list(range(1, len(told) + 1))
        assert [frame.event for frame in told].count("run_started") == 1
        assert told[-1].event == "run_finished"
        assert "Ada Finch" in json.loads(told[-1].data)["report"]["answer"]
        assert told == read_until(process, url, 0, 1_000)
    # How far a run gets before its reader has the event depends on what else the machine does.
    assert sum(last < whole for last in stopped_at) >= 3, "the runs were over when killed"


def last_event(database: Path, run_id: str) -> int:
    """Return the number of the last event of a run that is in the file."""
    with closing(sqlite3.connect(database)) as connection:
        wanted = "select max(seq) from run_events where run_id = ?"
        return connection.execute(wanted, (run_id,)).fetchone()[0]


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, 3])
def test_a_check_outlives_the_service_that_made_it(process: Process, place: int) -> None:
    text = "The tide mill at Carrow was built in 1781 by Ada Finch [1].\n\n[1] tides.md\n"
    asked = {"text": text, "folders": ["docs"], "async": True}
    accepted = httpx.post(f"{process.url}/v1/checks", json=asked)
    events = accepted.json()["events_url"]
    seen = read_until(process, events, 0, place)
    process.stop(signal.SIGKILL)
    process.start()
    seen += read_until(process, events, len(seen), 1_000)
    assert [frame.id for frame in seen] == list(range(1, len(seen) + 1))
    assert [frame.event for frame in seen].count("text_checked") == 1
    told = httpx.get(f"{process.url}{accepted.headers['location']}").json()
    assert [each["verdict"] for each in told["sentences"]] == ["quoted"]


@pytest.mark.slow
def test_a_stopped_service_ends_its_streams_in_time_and_hands_runs_back(process: Process) -> None:
    run = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION}).json()
    waiting = httpx.post(f"{process.url}/v1/runs", json={"question": "And who else?"}).json()
    with httpx.stream("GET", f"{process.url}{run['events_url']}", timeout=30) as stream:
        lines = stream.iter_lines()
        next(lines)
        begun = time.monotonic()
        took = process.stop()
        for _ in lines:
            pass
    assert took < 10
    assert time.monotonic() - begun < 10
    process.start()
    for each in (run, waiting):
        told = read_until(process, each["events_url"], 0, 1_000)
        assert told[-1].event == "run_finished"


def test_a_service_off_loopback_wants_a_key_first(tmp_path: Path) -> None:
    started = Process(("--host", "0.0.0.0"), {"QUAERE_DATA_DIR": str(tmp_path)})  # noqa: S104
    with pytest.raises(AssertionError, match="quaere keys create"):
        started.start()
    open_to_all = Process(
        ("--host", "0.0.0.0"),  # noqa: S104
        {"QUAERE_DATA_DIR": str(tmp_path), "QUAERE_AUTH": "off"},
    )
    with pytest.raises(AssertionError, match=r"127\.0\.0\.1 alone"):
        open_to_all.start()


def test_a_port_that_is_taken_is_told(process: Process, tmp_path: Path) -> None:
    second = Process((), {"QUAERE_DATA_DIR": str(tmp_path / "other")}, port=process.port)
    with pytest.raises(AssertionError, match="Cannot listen"):
        second.start()
