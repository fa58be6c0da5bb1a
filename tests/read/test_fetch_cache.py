"""Answers are kept as long as their servers allow."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tests.misbehaving.server import ARTICLE, Behaviour, Request, Site, answer, page, serving

from quaere.read.fetch import Fetcher, HttpCache
from quaere.read.guard import ReadPolicy

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def caching(path: Path, behaviour: Behaviour) -> AsyncGenerator[tuple[Site, Fetcher]]:
    async with serving({"/page": behaviour}) as site:
        policy = ReadPolicy(extra_hosts=frozenset({site.host}), extra_ports=frozenset({site.port}))
        fetcher = Fetcher(policy, obey_robots=False, cache=HttpCache(path / "http.db"))
        try:
            yield site, fetcher
        finally:
            await fetcher.aclose()


async def requests_of_two_fetches(path: Path, behaviour: Behaviour) -> list[Request]:
    async with caching(path, behaviour) as (site, fetcher):
        for _ in range(2):
            fetched = await fetcher.fetch(f"{site.url}/page")
            assert fetched.body.data == ARTICLE
    return site.requests


async def test_a_fresh_answer_is_not_asked_for_again(tmp_path: Path) -> None:
    behaviour = page(ARTICLE, "Cache-Control: max-age=60")
    assert len(await requests_of_two_fetches(tmp_path, behaviour)) == 1


@pytest.mark.parametrize("header", ["Cache-Control: no-store", "Cache-Control: max-age=0", "X: y"])
async def test_an_answer_that_must_not_be_kept_is_asked_for_again(
    tmp_path: Path, header: str
) -> None:
    assert len(await requests_of_two_fetches(tmp_path, page(ARTICLE, header))) == 2


async def test_a_stale_answer_is_checked_and_kept_if_unchanged(tmp_path: Path) -> None:
    async def unchanged(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.headers.get("if-none-match") == '"v1"':
            behave = answer(b"", 'ETag: "v1"', status=304)
        else:
            behave = page(ARTICLE, 'ETag: "v1"', "Cache-Control: max-age=0")
        await behave(request, writer)

    first, second = await requests_of_two_fetches(tmp_path, unchanged)
    assert "if-none-match" not in first.headers
    assert second.headers["if-none-match"] == '"v1"'


async def test_failures_are_not_kept_as_pages(tmp_path: Path) -> None:
    async with caching(tmp_path, page(ARTICLE, "Cache-Control: max-age=60")) as (site, fetcher):
        url = f"{site.url}/page"
        await fetcher.fetch(url)
        fetched = await fetcher.fetch(url)
        assert fetched.body.content_type.startswith("text/html")
        assert "content-length" not in fetched.headers


async def test_a_file_that_another_process_has_locked_costs_neither_answer_nor_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    behaviour = page(ARTICLE, "Cache-Control: max-age=60")
    async with caching(tmp_path, behaviour) as (site, fetcher):
        await fetcher.fetch(f"{site.url}/page?first")
        with closing(sqlite3.connect(tmp_path / "http.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            fetched = await fetcher.fetch(f"{site.url}/page")
            other.execute("ROLLBACK")
    assert fetched.body.data == ARTICLE
    assert [r for r in caplog.records if r.exc_info or r.levelno > logging.INFO] == []
