"""``quaere mcp`` as assistants start it: a process that speaks on its standard streams."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from tests.faces.cli.conftest import MILL
from tests.faces.mcp.served import ASSISTANT, ERAS, HELLO, data_of, links_of
from tests.misbehaving.server import Site, serving, stall

from quaere.domain.trace import TraceStatus
from quaere.faces.mcp.forms import ResearchOutput, RunStatus, StatusOutput
from quaere.runtime.app import LOCAL, App
from quaere.runtime.settings import Settings

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

QUESTION = "Who built the mill at Orrin?"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of the process, with a folder of its own and notes to search."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "mill.md").write_text(MILL)
    return {
        "PATH": os.environ["PATH"],
        "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
        "QUAERE_DATA_DIR": str(tmp_path / "data"),
        "QUAERE_DOCS": str(notes),
    }


def command(environment: Mapping[str, str], *arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-m", "quaere", "mcp", *arguments], env=dict(environment)
    )


@pytest.mark.parametrize("era", ERAS)
async def test_a_question_is_answered_over_the_streams_of_a_process(
    environment: dict[str, str], era: str
) -> None:
    told: list[float] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with Client(command(environment), mode=era, client_info=ASSISTANT) as client:
        called = await client.call_tool(
            "deep_research", {"question": QUESTION}, progress_callback=tell
        )
        report = await client.read_resource(links_of(called)[0])
        prompts = (await client.list_prompts()).prompts
        templates = (await client.list_resource_templates()).resource_templates
    assert "Tamsin Wray" in data_of(called, ResearchOutput).answer
    assert "Tamsin Wray" in getattr(report.contents[0], "text", "")
    assert told
    assert [prompt.name for prompt in prompts][:2] == ["research", "compare"]
    assert len(templates) == 3


@asynccontextmanager
async def stalled() -> AsyncGenerator[Site]:
    """A search service that takes questions and answers none."""
    async with serving({"/search": stall()}) as site:
        yield site


def asking(environment: dict[str, str], site: Site) -> dict[str, str]:
    return {
        **environment,
        "QUAERE_DOCS": "",
        "QUAERE_PROVIDERS": "searxng",
        "SEARXNG_BASE_URL": site.url,
        "QUAERE_READ_HOSTS": "127.0.0.1",
    }


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until another process has brought about what ``holds`` looks for."""
    async with asyncio.timeout(30):
        while not await holds():  # noqa: ASYNC110 - it is in another process
            await asyncio.sleep(0.1)


async def reached(site: Site) -> None:
    async def asked() -> bool:
        return bool(site.requests)

    await until(asked)


async def statuses(environment: Mapping[str, str]) -> list[TraceStatus]:
    data = Path(environment["QUAERE_DATA_DIR"])
    async with App.open(Settings(data_dir=data)) as app:
        return [trace.status for trace in (await (await app.traces()).list_traces(LOCAL)).traces]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cancels_its_call_cancels_the_run(
    environment: dict[str, str], era: str
) -> None:
    async with stalled() as site, Client(command(asking(environment, site)), mode=era) as client:
        calling = asyncio.create_task(client.call_tool("deep_research", {"question": QUESTION}))
        await reached(site)
        calling.cancel()
        with suppress(asyncio.CancelledError):
            await calling

        async def cancelled() -> bool:
            return await statuses(environment) == [TraceStatus.CANCELLED]

        await until(cancelled)


async def test_a_run_goes_on_in_the_next_process_after_the_client_left(
    environment: dict[str, str],
) -> None:
    async with stalled() as site:
        async with Client(command(asking(environment, site))) as client:
            started = await client.call_tool("research_start", {"question": QUESTION})
            assert not getattr(started, "is_error", True)
            run_id = json.loads(json.dumps(started.structured_content))["run_id"]
            await reached(site)
        assert await statuses(environment) != [TraceStatus.CANCELLED]
        async with Client(command(asking(environment, site))) as client:
            status = await client.call_tool("research_status", {"run_id": run_id})
            assert data_of(status, StatusOutput).status is RunStatus.WORKING
            gone = await client.call_tool("research_cancel", {"run_id": run_id})
            assert data_of(gone, StatusOutput).status is RunStatus.CANCELLED


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_it_although_the_client_has_not_closed_its_stream(
    environment: dict[str, str], signum: signal.Signals, code: int
) -> None:
    with _process(environment) as process:
        begun = time.monotonic()
        process.send_signal(signum)
        assert process.wait(10) == code
        assert time.monotonic() - begun < 5


def test_the_end_of_its_input_ends_it(environment: dict[str, str]) -> None:
    with _process(environment) as process:
        assert process.stdin
        process.stdin.close()
        assert process.wait(10) == 0


def _process(environment: dict[str, str], *arguments: str) -> subprocess.Popen[bytes]:
    """Return the process once it has answered."""
    process = subprocess.Popen(
        [sys.executable, "-m", "quaere", "mcp", *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "quaere"
    return process


def test_a_client_that_is_killed_ends_it_without_a_word(
    environment: dict[str, str],
) -> None:
    with _process(environment) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}\n')
        process.stdin.flush()
        time.sleep(0.5)  # its answer finds nobody
        process.stdin.close()
        assert process.wait(10) == 0
        assert process.stderr.read() == b""


HALF_AN_EMOJI = """{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"said": "\\ud83d"}}"""


@pytest.mark.parametrize(
    ("line", "answered"),
    [
        ("this is no JSON", None),
        ("[" * 100_000, None),
        ("[]", None),
        ('{"id": 7}', 7),
        (HALF_AN_EMOJI, 7),
    ],
    ids=["words", "deep", "list", "no method", "half an emoji"],
)
def test_a_line_that_is_no_message_is_answered(
    environment: dict[str, str], line: str, answered: int | None
) -> None:
    with _process(environment) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{line}\n".encode())
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(10) == 0
    assert answer["id"] == answered
    assert answer["error"]["message"].startswith("The message could not be read: ")


def test_logs_go_to_standard_error_alone(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quaere", "--debug", "mcp"],
        env=environment,
        input=json.dumps(HELLO).encode() + b"\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [HELLO["id"]]
    assert done.stderr
