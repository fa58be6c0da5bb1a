"""R3.4: a hit of the web, fetched and extracted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import pytest
from tests.misbehaving.server import Behaviour, Site, answer, page, redirect
from tests.read.test_fetch import NOISE, web

from quaere.domain.source import Hit, ReadStatus
from quaere.errors import ReadError
from quaere.read.extractor import SafeExtractor
from quaere.read.web import WebReader

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def reading(routes: Mapping[str, Behaviour]) -> AsyncGenerator[tuple[Site, WebReader]]:
    async with web(routes) as (site, fetcher):
        reader = WebReader(fetcher, SafeExtractor())
        try:
            yield site, reader
        finally:
            await reader.aclose()


def hit(url: str) -> Hit:
    return Hit(url=url, title="A hit", provider="test", rank=0)


async def test_a_page_carries_its_text_and_the_url_it_was_read_from() -> None:
    async with reading({"/old": redirect("/new"), "/new": page()}) as (site, reader):
        read = await reader.read(hit(f"{site.url}/old"))
    assert "rises by four metres in spring" in read.text
    assert "Tides" in read.title
    assert read.url == f"{site.url}/new"
    assert read.status is ReadStatus.OK
    assert read.retrieved_at
    assert read.content_type == "text/html"


async def test_the_records_of_a_table_are_one_page_with_marks() -> None:
    table = answer(b"harbour,depth\nTarn,4 m\nOss,7 m\n", "Content-Type: text/csv")
    async with reading({"/depths.csv": table}) as (site, reader):
        read = await reader.read(hit(f"{site.url}/depths.csv"))
    assert read.url == f"{site.url}/depths.csv"
    assert read.label_at(read.text.index("Tarn")) == "row 1"
    assert read.label_at(read.text.index("Oss")) == "row 2"


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (answer(NOISE), "unsupported"),
        (page(b"<html><body></body></html>"), "empty"),
        (answer(b"{", "Content-Type: application/json"), "broken"),
    ],
)
async def test_what_cannot_be_read_is_typed(behaviour: Behaviour, expected: str) -> None:
    async with reading({"/page": behaviour}) as (site, reader):
        with pytest.raises(ReadError) as caught:
            await reader.read(hit(f"{site.url}/page"))
    assert caught.value.status == expected


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://127.0.0.9/", "not a url", ""])
async def test_what_may_not_be_read_is_refused(url: str) -> None:
    async with reading({}) as (_, reader):
        with pytest.raises(ReadError) as caught:
            await reader.read(hit(url))
    assert caught.value.status == "refused"
