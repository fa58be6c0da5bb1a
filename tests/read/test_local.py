"""Reading files of this machine, and only those that are to be searched."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from quaere.domain.source import Hit, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.dispatch import SniffingExtractor
from quaere.read.files import read_file
from quaere.read.local import LocalReader

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
from quaere.read.extract.dispatch import SniffingExtractor
from quaere.read.local import LocalReader

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
