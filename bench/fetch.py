"""How fast pages are fetched and read from a server that takes its time.

    python bench/fetch.py --json fetch.json

A server in a process of its own answers each of 100 made-up articles after 200 ms; 50 are on their
way at once. Measured: this project's fetcher alone, fetcher and extraction in two worker processes,
and beside them aiohttp and httpx2 with nothing added, and a plain httpx2 and trafilatura loop. For
each: pages a second, processor time of this process a page, the 99th percentile and the maximum of
the event loop's lag, and growth of memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypedDict

import aiohttp
import httpx2
import trafilatura

from hostile import free_port, listening
from quaere.domain.source import Hit
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher, FetchLimits
from quaere.read.guard import ReadPolicy
from quaere.read.pool import WorkerPool
from quaere.read.reader import WebReader
from watch import quantile, watching

PAGES = 100
AT_ONCE = 50
DELAY_S = 0.2
WORKERS = 2
PARAGRAPHS = 60
SEED = 7
VOCABULARY = """
    harbour tide gate bell lichen moth cliff spray basalt winter keeper lamp letter engine boat
    council paper mill river bridge market stone rope anchor chart ledger storm season
"""
WORDS = VOCABULARY.split()

Read = Callable[[str], Awaitable[object]]


class Figures(TypedDict):
    """What one way of reading costs."""

    pages_per_s: float
    cpu_ms_per_page: float
    lag_p99_ms: float
    lag_max_ms: float
    busy_max_ms: float
    grown_mb: float


def article(number: int) -> bytes:
    """Return a made-up article of some 50 kB with the furniture of a page around it."""
    chance = random.Random(SEED + number)  # noqa: S311 - made-up text
    links = "".join(f'<li><a href="/p{n}">{chance.choice(WORDS)}</a></li>' for n in range(200))
    paragraphs = "".join(
        f"<p>{' '.join(chance.choices(WORDS, k=90)).capitalize()}.</p>" for _ in range(PARAGRAPHS)
    )
    return (
        f"<html><head><title>Article {number}</title></head><body><nav><ul>{links}</ul></nav>"
        f"<article><h1>Article {number}</h1>{paragraphs}</article><footer>{links}</footer></body>"
    ).encode()


def serve(port: int) -> None:
    """Answer every request for an article after ``DELAY_S``."""
    pages = {f"/p{number}": article(number) for number in range(PAGES)}
    serve_pages(port, pages, delay_s=DELAY_S)


def serve_pages(port: int, pages: Mapping[str, bytes], *, delay_s: float = 0.0) -> None:
    """Serve ``pages``, HTML by path, each after ``delay_s`` seconds; nothing else is found."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode()
                body = pages.get(path, b"")
                await asyncio.sleep(delay_s if body else 0)
                writer.write(
                    b"HTTP/1.1 %d X\r\nContent-Type: text/html; charset=utf-8\r\n"
                    b"Content-Length: %d\r\n\r\n" % (200 if body else 404, len(body)) + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        await asyncio.start_server(answer, "127.0.0.1", port, backlog=2 * AT_ONCE)
        await asyncio.Event().wait()

    asyncio.run(run())


async def measure(read: Read, site: str) -> Figures:
    """Read all pages, once as many as are on their way at once have started every worker."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with places:
            await read(f"{site}/p{number}")

    await asyncio.gather(*(one(number) for number in range(AT_ONCE)))
    async with watching() as watch:
        begun, busy = time.perf_counter(), time.process_time()
        await asyncio.gather(*(one(number) for number in range(PAGES)))
        seconds, cpu_s = time.perf_counter() - begun, time.process_time() - busy
    return Figures(
        pages_per_s=round(PAGES / seconds, 1),
        cpu_ms_per_page=round(cpu_s / PAGES * 1e3, 2),
        lag_p99_ms=round(quantile(watch.lags_s, 0.99) * 1e3, 1),
        lag_max_ms=round(max(watch.lags_s) * 1e3, 1),
        busy_max_ms=round(max(watch.busy_s) * 1e3, 1),
        grown_mb=round(watch.grown_mb, 1),
    )


@asynccontextmanager
async def our_fetcher(port: int) -> AsyncGenerator[Fetcher]:
    """Yield a fetcher that may read the server on ``port``."""
    policy = ReadPolicy(extra_hosts=frozenset({"127.0.0.1"}), extra_ports=frozenset({port}))
    fetcher = Fetcher(policy, FetchLimits(per_host=AT_ONCE))
    yield fetcher
    await fetcher.aclose()


async def compare(port: int) -> dict[str, Figures]:
    """Measure every way of reading."""
    site = f"http://127.0.0.1:{port}"
    results: dict[str, Figures] = {}
    async with our_fetcher(port) as fetcher:
        results["fetch"] = await measure(fetcher.fetch, site)
    async with our_fetcher(port) as fetcher:
        reader = WebReader(fetcher, SafeExtractor(WorkerPool(WORKERS)))
        results["fetch and extract"] = await measure(
            lambda url: reader.read(Hit(url=url, title="", provider="bench", rank=0)), site
        )
        await reader.aclose()
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as session:

        async def with_aiohttp(url: str) -> None:
            async with session.get(url) as response:
                await response.read()

        results["aiohttp alone"] = await measure(with_aiohttp, site)
    async with httpx2.AsyncClient(trust_env=False) as client:
        results["httpx2 alone"] = await measure(client.get, site)

        async def with_trafilatura(url: str) -> None:
            trafilatura.extract((await client.get(url)).text)

        results["httpx2 and trafilatura"] = await measure(with_trafilatura, site)
    return results


def main() -> None:
    """Measure and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    port = free_port()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(port,))
    server.start()
    try:
        asyncio.run(listening(port))
        results = asyncio.run(compare(port))
    finally:
        server.terminate()
        server.join()
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", "utf-8")
    for name, figures in results.items():
        print(f"{name:24}", "  ".join(f"{key} {value}" for key, value in figures.items()))


if __name__ == "__main__":
    main()
