from __future__ import annotations

import asyncio
import io
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body, pdf, web_page, word

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read import extractor as extractor_module
from quaere.read.extractor import MAX_PAGES, SafeExtractor
from quaere.read.formats import Format
from quaere.read.pool import Stop, WorkerPool
from quaere.read.worker import ANSWER_BYTES_PER_BYTE, MAX_ANSWER_BYTES

pytestmark = pytest.mark.anyio

PAGE = body(web_page(f"<p>{FACT}</p>"), "ferry.html")
SLOW = body(web_page("<p>word <a href=/x>link</a></p>" * 16_000), "slow.html")
"""Takes its parser some seconds: just below the size from which pages are taken whole."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")


def children(parent: int) -> set[int]:
    """Return the processes that ``parent`` has started and that have not ended."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, owner = stat.read_text().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue
        if int(owner) == parent and state != "Z":
            found.add(int(stat.parent.name))
    return found


def wait_until_gone(processes: set[int], seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while alive := {pid for pid in processes if Path(f"/proc/{pid}").exists()}:
        assert time.monotonic() < deadline, f"{alive} still run"
        time.sleep(0.02)


@pytest.fixture
def safe() -> Iterator[SafeExtractor]:
    with SafeExtractor(WorkerPool(1)) as extractor:
        yield extractor


class TestSafeExtractorOnCheapFormats(ExtractorContract):
    @pytest.fixture
    def extractor(self, safe: SafeExtractor) -> SafeExtractor:
        return safe

    @pytest.fixture
    def body(self) -> Body:
        return body(f"# Ferries\n\n{FACT}\n", "ferries.md")


@pytest.mark.parametrize(
    "source",
    [PAGE, body(pdf([[FACT]]), "a.pdf"), body(word([FACT]), "a.docx")],
    ids=["html", "pdf", "docx"],
)
def test_hostile_formats_are_read_in_a_worker(safe: SafeExtractor, source: Body) -> None:
    (page,) = safe.extract(source)
    assert FACT in page.text
    assert page.url == source.url


def test_what_an_extractor_raises_comes_through(safe: SafeExtractor) -> None:
    pages, error = outcome(safe, body("<html></html>", "a.html"))
    assert not pages
    assert error is not None
    assert error.status == ReadStatus.EMPTY
    assert FACT in next(safe.extract(PAGE)).text


@needs_proc
def test_no_process_starts_before_it_is_needed_and_none_is_left(safe: SafeExtractor) -> None:
    before = children(os.getpid())
    assert next(safe.extract(body(FACT))).text == FACT
    assert children(os.getpid()) == before
    list(safe.extract(PAGE))
    list(safe.extract(PAGE))
    started = children(os.getpid()) - before
    assert len(started) == 1
    safe.close()
    wait_until_gone(started)


def test_what_takes_too_long_is_ended_and_the_next_is_read() -> None:
    pool = WorkerPool(1)
    try:
        begun = time.monotonic()
        read = pool.read(SLOW, Format.HTML, seconds=0.2, max_pages=9, stop=Stop())
        assert read.problem is not None
        assert read.problem.status == ReadStatus.TIMEOUT
        assert "slow.html took more than 0.2 s" in read.problem.message
        assert time.monotonic() - begun < 30  # a busy machine may be long in starting the process
        again = pool.read(PAGE, Format.HTML, seconds=20, max_pages=9, stop=Stop())
        assert FACT in again.pages[0].text
    finally:
        pool.close()


def test_what_takes_too_much_memory_is_ended_and_the_next_is_read(safe: SafeExtractor) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        paragraphs = "<w:p/>" * 7_000_000
        archive.writestr("word/document.xml", f"<w:d xmlns:w='urn:x'>{paragraphs}</w:d>")
    assert len(out.getvalue()) < 100_000
    _, error = outcome(safe, body(out.getvalue(), "bomb.docx"))
    assert error is not None
    assert error.status == ReadStatus.TOO_LARGE
    assert "memory" in error.message
    assert FACT in next(safe.extract(PAGE)).text


@needs_proc
def test_a_worker_that_dies_while_it_reads_is_a_broken_file() -> None:
    pool = WorkerPool(1)
    before = children(os.getpid())
    try:
        pool.read(PAGE, Format.HTML, seconds=20, max_pages=9, stop=Stop())
        (worker,) = children(os.getpid()) - before
        threading.Timer(0.2, os.kill, (worker, signal.SIGSEGV)).start()
        read = pool.read(SLOW, Format.HTML, seconds=20, max_pages=9, stop=Stop())
        assert read.problem is not None
        assert read.problem.status == ReadStatus.BROKEN
        assert "crashed" in read.problem.message
    finally:
        pool.close()


@needs_proc
def test_a_worker_that_died_idle_is_replaced_without_a_word(safe: SafeExtractor) -> None:
    before = children(os.getpid())
    list(safe.extract(PAGE))
    (worker,) = children(os.getpid()) - before
    os.kill(worker, signal.SIGKILL)
    wait_until_gone(set())
    assert FACT in next(safe.extract(PAGE)).text


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_owner_however_it_ends(how: signal.Signals) -> None:
    code = (
        "import sys, threading\n"
        "from quaere.read.pool import Stop, WorkerPool\n"
        "from tests.read.test_extractor import PAGE, SLOW, Format\n"
        "pool = WorkerPool(2)\n"
        "pool.read(PAGE, Format.HTML, seconds=20, max_pages=9, stop=Stop())\n"
        "print('ready', flush=True)\n"
        "pool.read(SLOW, Format.HTML, seconds=20, max_pages=9, stop=Stop())\n"
    )
    root = Path(__file__).parents[2]
    owner = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert owner.stdout is not None
    with owner.stdout as output:
        assert output.readline() == b"ready\n"
        workers = children(owner.pid)
        assert workers
        owner.send_signal(how)
        owner.wait(timeout=20)
        wait_until_gone(workers)


async def test_reading_leaves_the_event_loop_free(safe: SafeExtractor) -> None:
    reading = asyncio.create_task(safe.read(PAGE))
    ticks = 0
    while not reading.done():
        await asyncio.sleep(0.005)
        ticks += 1
    assert ticks > 1
    assert FACT in (await reading).pages[0].text


async def test_bodies_are_read_side_by_side_and_in_turn(safe: SafeExtractor) -> None:
    read = await asyncio.gather(*(safe.read(source) for source in [PAGE, body(FACT), PAGE, PAGE]))
    assert all(FACT in extraction.pages[0].text for extraction in read)


@needs_proc
async def test_an_ordinary_page_does_not_wait_for_large_ones_that_came_before(
    safe: SafeExtractor,
) -> None:
    await safe.warm()
    ended: list[str] = []

    async def read(source: Body, name: str) -> None:
        await safe.read(source)
        ended.append(name)

    large = [asyncio.create_task(read(SLOW, "large")) for _ in range(3)]
    await asyncio.sleep(0)
    await read(PAGE, "ordinary")
    assert ended.count("large") <= 1, "one was being read"
    for task in large:
        task.cancel()
    await asyncio.wait(large)


@needs_proc
async def test_a_large_page_does_not_wait_for_ordinary_ones_that_come_long_after_it(
    safe: SafeExtractor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extractor_module, "monotonic", itertools.count(step=60).__next__)
    await safe.warm()
    larger = body(web_page("<p>word</p>" * 2_000), "larger.html")
    ended: list[str] = []

    async def read(source: Body, name: str) -> None:
        await safe.read(source)
        ended.append(name)

    await asyncio.gather(read(larger, "first"), read(larger, "larger"), read(PAGE, "ordinary"))
    assert ended == ["first", "larger", "ordinary"]


async def test_what_waits_for_its_turn_ends_when_the_extractor_is_closed(
    safe: SafeExtractor,
) -> None:
    tasks = [asyncio.create_task(safe.read(SLOW)) for _ in range(3)]
    await asyncio.sleep(0.1)
    await safe.aclose()
    async with asyncio.timeout(10):
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert any(isinstance(each, asyncio.CancelledError) for each in ended)


async def test_one_worker_that_was_warmed_is_enough_for_quick_pages() -> None:
    before = children(os.getpid())
    with SafeExtractor(WorkerPool(2)) as extractor:
        await extractor.warm()
        warmed = children(os.getpid()) - before
        assert len(warmed) == 1
        readings = await asyncio.gather(*(extractor.read(PAGE) for _ in range(4)))
        assert all(FACT in reading.pages[0].text for reading in readings)
        assert children(os.getpid()) - before == warmed
    wait_until_gone(warmed)


@needs_proc
def test_another_worker_starts_when_the_first_takes_long() -> None:
    before = children(os.getpid())
    with SafeExtractor(WorkerPool(2)) as extractor:
        slow = threading.Thread(target=lambda: list(extractor.extract(SLOW)))
        slow.start()
        while not children(os.getpid()) - before:
            time.sleep(0.01)
        (page,) = extractor.extract(PAGE)
        assert FACT in page.text
        assert len(children(os.getpid()) - before) == 2
        slow.join()


READING = """
import os, struct, sys, time
sys.path[:] = sys.argv[1:]
from quaere.read.worker import Tag, read_frame, write_frame
tasks, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
while True:
    read_frame(tasks)
    read_frame(tasks)
    write_frame(answers, Tag.STARTED)
    {answer}
"""
"""A reading process that is none of ours."""
UNHURRIED = READING.replace("{answer}", "time.sleep(0.05); write_frame(answers, Tag.DONE)")
"""It takes as long for each page."""


@needs_proc
async def test_another_worker_starts_when_the_short_waits_for_the_first_add_up() -> None:
    before = children(os.getpid())
    with SafeExtractor(WorkerPool(2, boot=UNHURRIED)) as extractor:
        await asyncio.gather(*(extractor.read(PAGE) for _ in range(20)))
        assert len(children(os.getpid()) - before) == 2


async def test_a_reading_that_is_cancelled_ends_at_once(safe: SafeExtractor) -> None:
    before = children(os.getpid())
    await safe.read(PAGE)
    workers = children(os.getpid()) - before
    slow = asyncio.create_task(safe.read(SLOW))
    await asyncio.sleep(0.1)
    begun = time.monotonic()
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert time.monotonic() - begun < 1
    wait_until_gone(workers)
    assert FACT in (await safe.read(PAGE)).pages[0].text


async def test_pages_that_were_read_are_kept_beside_the_problem(safe: SafeExtractor) -> None:
    read = await safe.read(body('{"text": "first"}\n{"text"\n{"text": "third"}\n', "a.jsonl"))
    assert [page.text for page in read.pages] == ["first", "third"]
    assert read.problem is not None
    assert read.problem.status == ReadStatus.BROKEN


async def test_a_data_set_is_not_taken_for_a_page(safe: SafeExtractor) -> None:
    source = body("name\n" + "Pell\n" * (MAX_PAGES + 1), "a.csv")
    read = await safe.read(source)
    assert len(read.pages) == MAX_PAGES
    assert read.problem is not None
    assert read.problem.status == ReadStatus.TOO_LARGE
    assert sum(1 for _ in safe.extract(source)) == MAX_PAGES + 1


def test_a_closed_extractor_can_still_read_what_needs_no_worker(safe: SafeExtractor) -> None:
    safe.close()
    assert next(safe.extract(body(FACT))).text == FACT
    with pytest.raises(ReadError):
        list(safe.extract(body("", "a.md")))


ANNOUNCED = "answers.write(struct.pack('>cI', b'P', 2**32 - 1)); answers.flush()"
PAGE_AFTER_PAGE = """
    page = b'{"url": "a", "title": "", "text": "' + b"x" * 60_000_000 + b'"}'
    while True:
        write_frame(answers, Tag.PAGE, page)
"""


@pytest.mark.parametrize("answer", [ANNOUNCED, PAGE_AFTER_PAGE], ids=["announced", "many"])
def test_a_process_that_sends_more_than_it_may_is_killed(answer: str) -> None:
    pool = WorkerPool(1, boot=READING.replace("{answer}", answer.strip()))
    before = children(os.getpid())
    try:
        reading = pool.read(PAGE, Format.HTML, seconds=60, max_pages=9, stop=Stop())
        assert reading.problem is not None
        assert reading.problem.status == ReadStatus.TOO_LARGE
        assert reading.problem.message.startswith("ferry.html holds more text than")
        taken = sum(len(page.text) for page in reading.pages)
        assert taken <= MAX_ANSWER_BYTES + ANSWER_BYTES_PER_BYTE * len(PAGE.data)
        assert children(os.getpid()) == before, "it is gone before anything else is read"
    finally:
        pool.close()


BARGE = "Kittiwake of the upper creek; built by the Quarrie family"
LONG = body("name,built\n" + f"{BARGE},1907\n" * 10_000, "long.csv")


@needs_proc
def test_a_table_is_read_while_its_records_are_taken(safe: SafeExtractor) -> None:
    before = children(os.getpid())
    pages = safe.extract(LONG)
    assert BARGE in next(pages).text
    (worker,) = children(os.getpid()) - before
    time.sleep(0.3)
    written = re.search(r"wchar: (\d+)", Path(f"/proc/{worker}/io").read_text())
    assert written
    assert int(written[1]) < 1_000_000, "it runs ahead of who takes its pages"
    assert sum(1 for _ in pages) == 9_999


@needs_proc
def test_a_worker_whose_pages_are_not_taken_to_the_end_is_ended(safe: SafeExtractor) -> None:
    before = children(os.getpid())
    pages = safe.extract(LONG)
    next(pages)
    started = children(os.getpid()) - before
    assert started
    del pages
    wait_until_gone(started)
    assert FACT in next(safe.extract(PAGE)).text


def test_the_time_of_a_task_stands_still_while_its_pages_are_not_taken() -> None:
    pool = WorkerPool(1)
    try:
        pages = pool.pages(LONG, Format.CSV, seconds=2, max_pages=10**6, stop=Stop())
        next(pages)
        time.sleep(2.2)
        assert sum(1 for _ in pages) == 9_999
        stuck = pool.pages(SLOW, Format.HTML, seconds=0.2, max_pages=9, stop=Stop())
        with pytest.raises(ReadError, match=r"took more than 0\.2 s"):
            next(stuck)
    finally:
        pool.close()


@needs_proc
def test_long_lines_are_read_in_a_worker_whose_time_is_limited(safe: SafeExtractor) -> None:
    before = children(os.getpid())
    (page,) = safe.extract(body("word " * 10_000, "a.md"))
    assert page.text.startswith("word word")
    assert len(children(os.getpid()) - before) == 1
