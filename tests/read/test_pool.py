"""A pool of reading processes: what it hands over, and what it makes of processes of all kinds."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.read.documents import body

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.read import pool as pools
from quaere.read.formats import Format
from quaere.read.pool import Extraction, Stop, WorkerPool
from quaere.read.worker import ANSWER_BYTES_PER_BYTE

SOURCE = body("<p>The ferry sails.</p>", "ferry.html")

BOOT = """
import json, os, sys, time
sys.path[:] = sys.argv[1:]
from quaere.read.worker import Tag, read_frame, write_frame
tasks, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
def page(text, url="file:///a"):
    told = {"url": url, "title": "", "text": text}
    write_frame(answers, Tag.PAGE, json.dumps(told).encode())
def problem(message, status):
    told = {"message": message, "status": status}
    write_frame(answers, Tag.PROBLEM, json.dumps(told).encode())
turn = 0
while True:
    _, task = read_frame(tasks)
    _, data = read_frame(tasks)
    turn += 1
    write_frame(answers, Tag.STARTED)
    BEHAVE
    write_frame(answers, Tag.DONE)
"""
"""A reading process that does one thing for every task; ``turn`` counts the tasks."""


@contextmanager
def pool_of(behave: str, size: int = 1, *, boot: str = BOOT) -> Generator[WorkerPool]:
    made = WorkerPool(size, boot=boot.replace("BEHAVE", behave))
    try:
        yield made
    finally:
        made.close()


def read(
    pool: WorkerPool, *, seconds: float = 20.0, max_pages: int = 9, stop: Stop | None = None
) -> Extraction:
    return pool.read(SOURCE, Format.HTML, seconds=seconds, max_pages=max_pages, stop=stop or Stop())


def texts(read: Extraction) -> list[str]:
    return [page.text for page in read.pages]


def test_a_process_is_told_all_that_bounds_its_task() -> None:
    with pool_of("page(task.decode()); page(data.decode())") as pool:
        task, data = texts(read(pool, seconds=2.5, max_pages=7))
    told = json.loads(task)
    assert data == SOURCE.data.decode()
    assert told["url"] == SOURCE.url
    assert told["content_type"] == SOURCE.content_type
    assert told["retrieved_at"] == SOURCE.retrieved_at
    assert (told["kind"], told["max_pages"], told["cpu_seconds"]) == (str(Format.HTML), 7, 4)
    assert told["memory_bytes"] == pools.MEMORY_BYTES + 5 * len(SOURCE.data)


def test_pages_come_in_their_order_and_a_problem_beside_them() -> None:
    with pool_of("page('a'); problem('half is missing', 'too_large'); page('b')") as pool:
        told = read(pool)
    assert texts(told) == ["a", "b"]
    assert told.problem
    assert (told.problem.message, told.problem.status) == (
        "half is missing",
        ReadStatus.TOO_LARGE,
    )


def test_one_process_reads_one_after_the_other_also_after_a_problem() -> None:
    with pool_of("page(f'{os.getpid()} {turn}'); problem('odd', 'broken')") as pool:
        said = [texts(read(pool))[0].split() for _ in range(3)]
    assert len({process for process, _ in said}) == 1
    assert [turn for _, turn in said] == ["1", "2", "3"]


def test_an_interrupt_at_the_keyboard_does_not_reach_a_process_that_reads() -> None:
    with pool_of("page(str(os.getpgid(0)))") as pool:
        (group,) = texts(read(pool))
    assert int(group) != os.getpgid(0)


def test_a_process_that_has_read_much_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "_TASKS_PER_WORKER", 2)
    with pool_of("page(f'{os.getpid()} {turn}')") as pool:
        said = [texts(read(pool))[0].split() for _ in range(5)]
    assert [turn for _, turn in said] == ["1", "2", "1", "2", "1"]
    assert len({process for process, _ in said}) == 3


@pytest.mark.parametrize(
    "boot",
    [
        "raise SystemExit(3)",
        BOOT.replace("write_frame(answers, Tag.STARTED)", "write_frame(answers, Tag.DONE)"),
        BOOT.replace("write_frame(answers, Tag.STARTED)", "answers.write(b'hello, world'); exit()"),
        BOOT.replace("write_frame(answers, Tag.STARTED)", "page('too early')"),
    ],
    ids=["ends", "is done", "prints", "hurries"],
)
def test_where_no_process_would_begin_that_is_said(boot: str) -> None:
    with pool_of("pass", boot=boot) as pool:
        told = read(pool)
        assert told.problem
        assert told.problem.message == (
            "ferry.html could not be read: no parser process could be started"
        )
        assert read(pool).problem, "and the next one is not waited for"


@pytest.mark.parametrize(
    ("death", "told"),
    [
        ("os._exit(3)", "ferry.html crashed its parser (exit 3); save it in another format"),
        (
            "os.kill(os.getpid(), 11)",
            "ferry.html crashed its parser (exit -11); save it in another format",
        ),
        ("write_frame(answers, Tag.PAGE, b'no page')", "ferry.html crashed its parser (exit -9)"),
        (
            "os.close(answers.fileno()); time.sleep(0.05); os._exit(1)",
            "ferry.html crashed its parser (exit 1)",
        ),
    ],
    ids=["exits", "faults", "babbles", "dies slowly"],
)
def test_what_came_before_a_death_counts(death: str, told: str) -> None:
    with pool_of(f"page('a'); {death}") as pool:
        for _ in range(2):
            extraction = read(pool)
            assert texts(extraction) == ["a"]
            assert extraction.problem
            assert extraction.problem.status is ReadStatus.BROKEN
            assert extraction.problem.message.startswith(told)


def test_a_process_whose_parser_is_out_of_time_by_its_own_clock_has_taken_too_long() -> None:
    with pool_of("os.kill(os.getpid(), 24)") as pool:
        told = read(pool, seconds=7)
    assert told.problem
    assert told.problem.status is ReadStatus.TIMEOUT
    assert "took more than 7 s to read" in told.problem.message


def test_one_that_hangs_is_ended_and_what_it_said_before_counts() -> None:
    with pool_of("page('a'); time.sleep(60)") as pool:
        told = read(pool, seconds=0.3)
    assert texts(told) == ["a"]
    assert told.problem
    assert told.problem.status is ReadStatus.TIMEOUT
    assert "took more than 0.3 s" in told.problem.message


def test_a_reading_that_was_stopped_before_it_began_comes_to_nothing() -> None:
    stop = Stop()
    assert not stop.is_set
    stop.set()
    assert stop.is_set
    with pool_of("time.sleep(60)") as pool:
        told = read(pool, stop=stop)
    assert told.pages == ()
    assert told.problem
    assert told.problem.status is ReadStatus.TIMEOUT
    assert "stopped" in told.problem.message


def test_a_reading_that_is_stopped_in_its_middle_keeps_its_pages() -> None:
    stop = Stop()
    with pool_of("page('a'); time.sleep(60)") as pool:
        pages = pool.pages(SOURCE, Format.HTML, seconds=60, max_pages=9, stop=stop)
        assert next(pages).text == "a"
        stop.set()
        with pytest.raises(ReadError, match="stopped") as raised:
            next(pages)
    assert raised.value.status is ReadStatus.TIMEOUT


def test_a_pool_that_was_closed_starts_anew_when_it_is_used() -> None:
    with pool_of("page(str(os.getpid()))") as pool:
        (first,) = texts(read(pool))
        pool.close()
        assert not Path(f"/proc/{first}").exists()
        (second,) = texts(read(pool))
        (third,) = texts(read(pool))
    assert first != second == third


def test_pages_that_are_not_wanted_end_their_process() -> None:
    with pool_of("[page(str(os.getpid())) for _ in range(100_000)]") as pool:
        pages = pool.pages(SOURCE, Format.HTML, seconds=60, max_pages=9, stop=Stop())
        first = next(pages).text
        pages.close()
        assert not Path(f"/proc/{first}").exists()


def test_no_more_is_taken_than_was_allowed_to_the_byte() -> None:
    size = len(json.dumps({"url": "file:///a", "title": "", "text": "x" * 100}).encode())
    with pool_of("page('x' * 100); page('x' * 100)") as pool:
        for most, count in ((2 * size, 2), (2 * size - 1, 1)):
            pages = pool.pages(
                SOURCE, Format.HTML, seconds=20, max_pages=9, stop=Stop(), most_bytes=most
            )
            assert [next(pages).text for _ in range(count)] == ["x" * 100] * count
            if count == 2:
                assert next(pages, None) is None
            else:
                with pytest.raises(ReadError, match="holds more text than is taken"):
                    next(pages)


def test_a_pool_has_as_many_processes_as_the_machine_may_spare() -> None:
    assert WorkerPool(3).size == 3
    assert 1 <= WorkerPool().size <= 4


@pytest.mark.parametrize(("over", "whole"), [(0, True), (1, False)])
def test_a_larger_document_may_hold_more_text(
    over: int, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "MAX_ANSWER_BYTES", 50)
    empty = len(json.dumps({"url": "file:///a", "title": "", "text": ""}).encode())
    room = 50 + ANSWER_BYTES_PER_BYTE * len(SOURCE.data) - empty
    with pool_of(f"page('x' * {room + over})") as pool:
        told = read(pool)
    assert (texts(told), told.problem is None) == (["x" * room] if whole else [], whole)
