from __future__ import annotations

import io
import subprocess
import sys

import pytest
from tests.contracts.extractor import FACT
from tests.read.documents import body, web_page

from quaere.domain.source import Page, ReadStatus
from quaere.read.formats import Format
from quaere.read.worker import Problem, Tag, Task, read_frame, serve, write_frame

# Nothing limited here: these tests run the worker's loop in their own process.
TASK = Task(
    url="file:///docs/a.html",
    content_type="",
    retrieved_at="",
    kind=Format.HTML.value,
    max_pages=3,
    cpu_seconds=10_000,
    memory_bytes=2**46,
)


def answers(*tasks: tuple[Task, bytes]) -> list[tuple[Tag, bytes]]:
    """Return what a worker says to these tasks until it is left alone."""
    asked, told = io.BytesIO(), io.BytesIO()
    for task, data in tasks:
        write_frame(asked, Tag.TASK, task.model_dump_json().encode())
        write_frame(asked, Tag.DATA, data)
    asked.seek(0)
    serve(asked, told)
    told.seek(0)
    frames: list[tuple[Tag, bytes]] = []
    while told.tell() < len(told.getvalue()):
        frames.append(read_frame(told))
    return frames


def test_a_task_is_answered_with_its_pages() -> None:
    frames = answers((TASK, web_page(f"<p>{FACT}</p>").encode()))
    assert [tag for tag, _ in frames] == [Tag.STARTED, Tag.PAGE, Tag.DONE]
    assert FACT in Page.model_validate_json(frames[1][1]).text


def test_a_problem_is_told_and_the_next_task_taken() -> None:
    frames = answers((TASK, b" "), (TASK, web_page(f"<p>{FACT}</p>").encode()))
    assert [tag for tag, _ in frames][:3] == [Tag.STARTED, Tag.PROBLEM, Tag.DONE]
    assert Problem.model_validate_json(frames[1][1]).status == ReadStatus.EMPTY
    assert frames[-1][0] is Tag.DONE


def test_no_more_pages_are_told_than_wanted() -> None:
    task = TASK.model_copy(update={"kind": Format.CSV.value})
    frames = answers((task, b"name\n" + b"Pell\n" * 9))
    assert [tag for tag, _ in frames].count(Tag.PAGE) == 3
    assert Problem.model_validate_json(frames[-2][1]).status == ReadStatus.TOO_LARGE


@pytest.mark.parametrize(
    "deed",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('pell.test', 80)",
        "import os; os.system('true')",
        "import subprocess; subprocess.run(['true'])",
    ],
)
def test_a_worker_may_neither_use_the_network_nor_start_programs(deed: str) -> None:
    code = f"import sys\nfrom quaere.read.worker import forbid\nsys.addaudithook(forbid)\n{deed}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert "PermissionError" in done.stderr
    assert "is forbidden while a document is being read" in done.stderr


def test_bodies_reach_a_worker_whole() -> None:
    source = body(web_page(f"<p>{FACT}</p>"), "a.html")
    task = TASK.model_copy(update={"url": source.url, "retrieved_at": source.retrieved_at})
    page = Page.model_validate_json(answers((task, source.data))[1][1])
    assert (page.url, page.retrieved_at) == (source.url, source.retrieved_at)
