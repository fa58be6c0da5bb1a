"""Reads every page of a corpus of hostile pages, and tells which did harm.

    python bench/hostile.py ../shared/corpora --tripwire --json hostile.json

For each page: how it ended against what is expected, seconds, growth of memory (worker processes
included), and the longest the event loop was held up: by the clock, and by processor time, which
leaves out what other processes do to a busy machine. So are its seconds judged: by those without
the ones that the loop waited for a processor, or by the processor time of all processes where that
is more. With ``--tripwire`` (root, and nobody else on port 9 of loopback) it is also told whether a
parser opened a connection of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from quaere.domain.source import Hit, Page
from quaere.errors import ReadError
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher, FetchLimits
from quaere.read.guard import ReadPolicy
from quaere.read.reader import WebReader
from watch import Watch, watching

TRIPWIRE = 9
CONTROL = "plain-ok"
MAX_BUSY_S = 0.05
STATUSES: Mapping[str, frozenset[str]] = {
    "bad_encoding": frozenset({"broken", "unsupported"}),
    "bad_http": frozenset({"broken"}),
    "blocked": frozenset({"refused"}),
    "connection": frozenset({"broken", "unreachable"}),
    "http_status": frozenset({"broken", "empty", "not_found", "blocked_by_site"}),
    "parse_error": frozenset({"broken", "empty"}),
    "rate_limited": frozenset({"blocked_by_site"}),
    "redirect_loop": frozenset({"broken"}),
    "truncated": frozenset({"broken"}),
    "unsupported_encoding": frozenset({"unsupported"}),
    "unsupported_type": frozenset({"unsupported", "empty"}),
}
"""Our statuses for the corpus's classes of error; a class that is missing here has its own name."""


class Expected(TypedDict):
    """What a page must lead to."""

    outcome: str
    error_class: NotRequired[list[str]]
    must_contain: NotRequired[list[str]]
    must_not_contain: NotRequired[list[str]]
    max_seconds: float
    max_rss_delta_mb: float
    max_title_chars: NotRequired[int]


class Case(TypedDict):
    """What is used of a line of the manifest."""

    id: str
    path: str
    expect: Expected


class Result(TypedDict):
    """How one page ended."""

    id: str
    status: str
    seconds: float
    grown_mb: float
    lag_ms: float
    busy_ms: float
    faults: list[str]


def load_cases(corpora: Path) -> list[Case]:
    """Return the cases of the manifest."""
    lines = (corpora / "hostile_pages" / "manifest.jsonl").read_text("utf-8").splitlines()
    return [cast("Case", json.loads(line)) for line in lines]


@asynccontextmanager
async def served(
    corpora: Path, port: int, log: Path | None, deadline_s: float
) -> AsyncGenerator[WebReader]:
    """Serve the corpus on ``port``, and yield a reader that may read it."""
    script, pages = corpora / "tools" / "serve_hostile.py", corpora / "hostile_pages"
    arguments = ["--port", str(port)]
    if log:
        arguments += ["--trip", str(TRIPWIRE), "--log", str(log)]
    server = await asyncio.create_subprocess_exec(
        sys.executable, str(script), str(pages), *arguments
    )
    policy = ReadPolicy(extra_hosts=frozenset({"127.0.0.1"}), extra_ports=frozenset({port}))
    fetcher = Fetcher(policy, FetchLimits(deadline_s=deadline_s))
    reader = WebReader(fetcher, SafeExtractor())
    try:
        await listening(port)
        yield reader
    finally:
        await reader.aclose()
        server.kill()
        await server.wait()


async def listening(port: int) -> None:
    """Wait until somebody listens on ``port`` of loopback.

    Raises:
        TimeoutError: when nobody does for half a minute.
    """
    for _ in range(300):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError("the server did not start")


async def play(reader: WebReader, port: int, case: Case, held_s: float = MAX_BUSY_S) -> Result:
    """Read one page; the event loop may be held for ``held_s`` of processor time."""
    hit = Hit(url=f"http://127.0.0.1:{port}{case['path']}", title="", provider="bench", rank=0)
    begun = time.perf_counter()
    async with watching() as watch:
        try:
            page, status = await reader.read(hit), "ok"
        except ReadError as error:
            page, status = None, str(error.status)
    seconds = time.perf_counter() - begun
    faults = [*_content_faults(case["expect"], page, status)]
    faults += _cost_faults(case["expect"], seconds, watch, held_s)
    return Result(
        id=case["id"],
        status=status,
        seconds=round(seconds, 2),
        grown_mb=round(watch.grown_mb, 1),
        lag_ms=round(max(watch.lags_s, default=0) * 1e3, 1),
        busy_ms=round(max(watch.busy_s, default=0) * 1e3, 1),
        faults=faults,
    )


def _content_faults(expect: Expected, page: Page | None, status: str) -> list[str]:
    """Return what is wrong with how the reading ended."""
    if page is None:
        classes = expect.get("error_class", [])
        fitting = {status for name in classes for status in STATUSES.get(name, {name})}
        if expect["outcome"] == "extract" or status not in fitting:
            return [f"ended as {status}"]
        return []
    text = f"{page.title}\n{page.text}"
    found = [f"lacks {part!r}" for part in expect.get("must_contain", []) if part not in text]
    found += [f"holds {part!r}" for part in expect.get("must_not_contain", []) if part in text]
    if expect["outcome"] == "refuse":
        found.append("was not refused")
    if len(page.title) > expect.get("max_title_chars", len(page.title)):
        found.append("has a long title")
    return found


def _cost_faults(expect: Expected, seconds: float, watch: Watch, held_s: float) -> list[str]:
    found: list[str] = []
    own_s = seconds - watch.kept_waiting_s
    if own_s > expect["max_seconds"]:
        found.append(
            f"took {own_s:.1f} s, besides {watch.kept_waiting_s:.1f} s without a processor"
        )
    if watch.grown_mb > expect["max_rss_delta_mb"]:
        found.append(f"took {watch.grown_mb:.0f} MB")
    if max(watch.busy_s, default=0) > held_s:
        found.append(f"held the event loop for {max(watch.busy_s) * 1e3:.0f} ms")
    return found


async def measure(
    corpora: Path, log: Path | None, deadline_s: float, held_s: float
) -> list[Result]:
    """Play every case, one after the other, once a page has warmed the workers up."""
    cases, port = load_cases(corpora), free_port()
    async with served(corpora, port, log, deadline_s) as reader:
        for case in cases:
            if case["id"] == CONTROL:
                await play(reader, port, case)
        return [await play(reader, port, case, held_s) for case in cases]


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return cast("tuple[str, int]", server.getsockname())[1]


def report(results: Sequence[Result]) -> str:
    """Return the results as a table, the failed ones marked."""
    lines = [
        f"{'FAIL' if result['faults'] else 'ok':4} {result['id']:24} {result['status']:11}"
        f"{result['seconds']:6.1f} s {result['grown_mb']:6.1f} MB"
        f" loop {result['busy_ms']:5.1f} ms ({result['lag_ms']:.0f} by the clock)"
        f" {'; '.join(result['faults'])}"
        for result in results
    ]
    failed = sum(bool(result["faults"]) for result in results)
    return "\n".join([*lines, f"{len(results) - failed} of {len(results)} as expected"])


def main() -> None:
    """Measure and write the figures; exit with 1 when a page did harm."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--deadline", type=float, default=12.0, help="seconds for a page")
    parser.add_argument(
        "--held", type=float, default=MAX_BUSY_S, help="seconds of processor time of the event loop"
    )
    parser.add_argument("--tripwire", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.jsonl" if options.tripwire else None
        results = asyncio.run(measure(options.corpora, log, options.deadline, options.held))
        fell_for_it = log is not None and "TRIPWIRE" in log.read_text("utf-8")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    print(report(results))
    if fell_for_it:
        print("something connected to the tripwire")
    sys.exit(fell_for_it or any(result["faults"] for result in results))


if __name__ == "__main__":
    main()
