"""Readers: of files on this machine, of the web, and by scheme."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.misbehaving.server import Behaviour, Site, answer, page, redirect
from tests.read.test_fetch import NOISE, web

from quaere.domain.source import Hit, Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extractor import SafeExtractor, SniffingExtractor
from quaere.read.reader import (
    MAX_RECORDS,
    LocalReader,
    SchemeReader,
    WebReader,
    join_pages,
    read_file,
)

pytestmark = pytest.mark.anyio

BARGES = "barge,launched\nKittiwake,1811\nPlover,1824\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "hask notes 100%.md").write_text("# Hask\n\nHask sells wool.\n")
    (folder / "barges.csv").write_text(BARGES)
    (folder / "empty.md").write_text("")
    (tmp_path / "secret.txt").write_text("the key is under the mat")
    (folder / "way out.md").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def reader(root: Path) -> LocalReader:
    return LocalReader(read_file, SniffingExtractor(), roots=[root])


def hit(url: str) -> Hit:
    return Hit(url=url, title="", provider="folder", rank=0)


async def test_a_file_is_read_whatever_is_in_its_name(reader: LocalReader, root: Path) -> None:
    url = (root / "hask notes 100%.md").as_uri()
    page = await reader.read(hit(url))
    assert (page.url, page.title) == (url, "Hask")
    assert "Hask sells wool." in page.text


async def test_a_record_of_a_table_is_read_by_its_url(reader: LocalReader, root: Path) -> None:
    url = (root / "barges.csv").as_uri()
    records = SniffingExtractor().extract(read_file(root / "barges.csv"))
    second = [page.url for page in records][1]
    page = await reader.read(hit(second))
    assert "Plover" in page.text
    assert "Kittiwake" not in page.text
    assert "Kittiwake" in (await reader.read(hit(url))).text


@pytest.mark.parametrize(
    "url",
    [
        "https://hask.test/notes.md",
        "ftp://hask.test/notes.md",
        "hask notes 100%.md",
        "",
        "data:text/plain,hask",
        "file:///etc/passwd",
        "file:///etc/../etc/passwd",
        "file://[",
        "file:///%00",
        "file:///" + "x" * 9_000,
        "file://other.host/notes.md",
    ],
    ids=lambda url: url[:20],
)
async def test_whatever_is_not_in_the_folder_is_not_read(reader: LocalReader, url: str) -> None:
    with pytest.raises(ReadError) as caught:
        await reader.read(hit(url))
    assert caught.value.status in {ReadStatus.REFUSED, ReadStatus.NOT_FOUND}
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("way", ["../secret.txt", "way%20out.md", "..%2Fsecret.txt"])
async def test_no_way_leads_out_of_the_folder(reader: LocalReader, root: Path, way: str) -> None:
    with pytest.raises(ReadError) as caught:
        await reader.read(hit(f"{root.as_uri()}/{way}"))
    assert caught.value.status == ReadStatus.REFUSED


async def test_without_folders_nothing_is_read(root: Path) -> None:
    reader = LocalReader(read_file, SniffingExtractor(), roots=[])
    with pytest.raises(ReadError):
        await reader.read(hit((root / "barges.csv").as_uri()))


async def test_a_root_may_be_one_file(root: Path) -> None:
    reader = LocalReader(read_file, SniffingExtractor(), roots=[root / "barges.csv"])
    assert "Kittiwake" in (await reader.read(hit((root / "barges.csv").as_uri()))).text
    with pytest.raises(ReadError):
        await reader.read(hit((root / "hask notes 100%.md").as_uri()))


@pytest.mark.parametrize(
    ("name", "status"), [("gone.md", ReadStatus.NOT_FOUND), ("empty.md", ReadStatus.EMPTY)]
)
async def test_a_file_without_text_tells_why(
    reader: LocalReader, root: Path, name: str, status: ReadStatus
) -> None:
    with pytest.raises(ReadError) as caught:
        await reader.read(hit((root / name).as_uri()))
    assert caught.value.status == status


async def test_the_loop_runs_on_while_a_file_hangs(root: Path) -> None:
    go = threading.Event()

    def read(path: Path) -> Body:
        go.wait()
        return read_file(path)

    reader = LocalReader(read, SniffingExtractor(), roots=[root])
    task = asyncio.create_task(reader.read(hit((root / "barges.csv").as_uri())))
    await asyncio.sleep(0.01)
    assert not task.done()
    go.set()
    assert "Kittiwake" in (await task).text


def test_a_file_that_hangs_for_ever_does_not_hold_up_the_end(root: Path) -> None:
    program = f"""
import asyncio, threading
from pathlib import Path
from quaere.domain.source import Hit
from quaere.read.extractor import SniffingExtractor
from quaere.read.reader import MAX_RECORDS, LocalReader

root = Path({str(root)!r})
reader = LocalReader(lambda path: threading.Event().wait(), SniffingExtractor(), roots=[root])
hit = Hit(url=(root / "barges.csv").as_uri(), title="", provider="folder", rank=0)

async def main():
    try:
        await asyncio.wait_for(reader.read(hit), 0.05)
    except TimeoutError:
        print("late")

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=True
    )
    assert done.stdout == "late\n"


async def test_a_table_is_read_whole_where_no_record_is_named(
    reader: LocalReader, root: Path
) -> None:
    page = await reader.read(hit((root / "barges.csv").as_uri()))
    assert page.url == (root / "barges.csv").as_uri()
    assert "Kittiwake" in page.text
    assert "Plover" in page.text


class Told:
    def __init__(self, text: str) -> None:
        self.text = text

    async def read(self, hit: Hit) -> Page:
        return Page(url=hit.url, title="", text=self.text)


async def test_every_scheme_has_its_reader() -> None:
    reader = SchemeReader({"file": Told("disk"), "https": Told("web")})
    assert (await reader.read(hit("file:///a"))).text == "disk"
    assert (await reader.read(hit("HTTPS://harbour.example/"))).text == "web"


@pytest.mark.parametrize("url", ["ftp://harbour.example", "javascript:alert(1)", "", "http://[::1"])
async def test_what_nobody_reads_is_refused(url: str) -> None:
    with pytest.raises(ReadError) as caught:
        await SchemeReader({"file": Told("disk")}).read(hit(url))
    assert caught.value.status == "refused"


async def test_what_is_no_url_at_all_is_called_so() -> None:
    with pytest.raises(ReadError, match=r"^mill\.md is not a URL; supported are file\.$"):
        await SchemeReader({"file": Told("disk")}).read(hit("mill.md"))


@asynccontextmanager
async def reading(routes: Mapping[str, Behaviour]) -> AsyncGenerator[tuple[Site, WebReader]]:
    async with web(routes) as (site, fetcher):
        reader = WebReader(fetcher, SafeExtractor())
        try:
            yield site, reader
        finally:
            await reader.aclose()


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
    (first, second) = read.marks
    assert (first.label, second.label) == ("row 1", "row 2")
    assert "Tarn" in read.text[first.start : second.start]
    assert "Oss" in read.text[second.start :]


@pytest.mark.parametrize("texts", [["Tarn"], ["Tarn", "Oss, 7 m", "", "Hask"]])
def test_each_mark_of_joined_pages_stands_where_it_stood_in_its_own(texts: list[str]) -> None:
    pages = [
        Page(
            url=f"https://harbours.example/depths.csv#{n}",
            title="Depths",
            text=text,
            marks=(Mark(start=0, label=f"row {n}"), Mark(start=len(text), label=f"end of {n}")),
        )
        for n, text in enumerate(texts)
    ]
    joined = join_pages(pages)
    begun, ended = joined.marks[::2], joined.marks[1::2]
    assert [joined.text[a.start : b.start] for a, b in zip(begun, ended, strict=True)] == texts
    assert [mark.label for mark in begun] == [f"row {n}" for n in range(len(texts))]
    assert ("#" in joined.url) is (len(texts) == 1)


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
async def test_the_web_reader_refuses_what_is_not_on_the_public_web(url: str) -> None:
    async with reading({}) as (_, reader):
        with pytest.raises(ReadError) as caught:
            await reader.read(hit(url))
    assert caught.value.status == "refused"


async def test_a_table_is_read_within_limits_and_each_record_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("name,built\n" + "".join(f"mill {n},{n}\n" for n in range(60_000)))
    reader = LocalReader(read_file, SniffingExtractor(), roots=[tmp_path])
    tracemalloc.start()
    try:
        page = await reader.read(hit(path.as_uri()))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
    assert len(page.marks) == MAX_RECORDS
    last = await reader.read(hit(f"{path.as_uri()}#row=60000"))
    assert "mill 59999" in last.text
