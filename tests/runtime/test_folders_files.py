"""Files of a service's folders: reading them, their limits to the byte, and what lists say."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from tests.runtime.test_folders import ANN, BEN, MB, NOTE, indexed, sent

from quaere.domain.source import ReadStatus
from quaere.errors import FileRefused, FolderNotFound
from quaere.runtime import folders as module
from quaere.runtime.app import App
from quaere.runtime.folders import INCOMING, Folder, Folders, operator_folders, safe_name
from quaere.runtime.settings import Settings

pytestmark = pytest.mark.anyio

PRICES = b"plank,price\noak,7\nelm,5\n"
HOUR_S = 3_600.0


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "Town Records"
    folder.mkdir()
    (folder / "mill.md").write_bytes(NOTE)
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    return folder


@pytest.fixture
async def folders(tmp_path: Path, docs: Path) -> AsyncGenerator[Folders]:
    settings = Settings(
        data_dir=tmp_path / "data",
        cache_dir=tmp_path / "cache",
        docs=(docs,),
        max_file_bytes=MB,
        max_folders=3,
        max_folder_files=2,
        max_folder_bytes=2 * MB,
    )
    async with App.open(settings) as app:
        yield Folders(app.resources, await app.database())


@pytest.fixture
async def mine(folders: Folders) -> Folder:
    return await folders.create(ANN, "mine")


# Reading


async def test_the_text_of_a_file_comes_under_an_address_without_a_path(
    folders: Folders, mine: Folder
) -> None:
    await folders.add_file(ANN, mine.id, "mill.md", sent(NOTE))
    page = await folders.text(ANN, mine.id, "mill.md")
    assert page.url == f"folder:{mine.id}/mill.md"
    assert "built by Tamsin Wray" in page.text
    assert (await folders.text(BEN, "town-records", "mill.md")).text == page.text


async def test_a_record_of_a_table_is_read_alone(folders: Folders, mine: Folder) -> None:
    await folders.add_file(ANN, mine.id, "prices.csv", sent(PRICES))
    record = await folders.text(ANN, mine.id, "prices.csv", place="row=1")
    assert record.url == f"folder:{mine.id}/prices.csv#row=1"
    assert "oak" in record.text
    assert "elm" not in record.text
    whole = await folders.text(ANN, mine.id, "prices.csv")
    assert "oak" in whole.text
    assert "elm" in whole.text


async def test_what_cannot_be_read_says_why_and_not_where_it_is(
    folders: Folders, tmp_path: Path
) -> None:
    with pytest.raises(FileRefused) as refused:
        await folders.text(BEN, "town-records", "torn.pdf")
    assert refused.value.status == ReadStatus.BROKEN
    assert str(tmp_path) not in refused.value.message


async def test_a_file_is_had_as_it_was_uploaded(folders: Folders, mine: Folder) -> None:
    await folders.add_file(ANN, mine.id, "mill.md", sent(NOTE))
    assert (await folders.original(ANN, mine.id, "mill.md")).read_bytes() == NOTE


@pytest.mark.parametrize("path", ["none.md", "", ".", "../mill.md", f"{INCOMING}/x.md"])
async def test_only_a_file_that_is_listed_is_read(
    folders: Folders, mine: Folder, path: str
) -> None:
    root = await folders.path_of(ANN, mine.id)
    (root / INCOMING).mkdir()
    (root / INCOMING / "x.md").write_bytes(NOTE)
    (root.parent / "mill.md").write_bytes(NOTE)
    for doing in (folders.text(ANN, mine.id, path), folders.original(ANN, mine.id, path)):
        with pytest.raises(FolderNotFound, match="There is no file"):
            await doing


async def test_files_of_others_are_not_read(folders: Folders, mine: Folder) -> None:
    await folders.add_file(ANN, mine.id, "mill.md", sent(NOTE))
    for doing in (folders.text(BEN, mine.id, "mill.md"), folders.original(BEN, mine.id, "mill.md")):
        with pytest.raises(FolderNotFound):
            await doing


# Limits


def text_of(size: int) -> bytes:
    return (b"word " * (size // 5 + 1))[:size]


async def refusal(folders: Folders, folder: Folder, name: str, content: bytes) -> str:
    with pytest.raises(FileRefused) as refused:
        await folders.add_file(ANN, folder.id, name, sent(content))
    assert refused.value.status == ReadStatus.TOO_LARGE
    return refused.value.message


async def test_a_file_may_be_as_large_as_allowed_and_no_larger(
    folders: Folders, mine: Folder
) -> None:
    assert (await folders.add_file(ANN, mine.id, "a.txt", sent(text_of(MB)))).bytes == MB
    said = await refusal(folders, mine, "b.txt", text_of(MB + 1))
    assert said == "'b.txt' is larger than the 1 MB allowed; split it."


async def test_a_folder_may_be_as_full_as_allowed_and_no_fuller(
    folders: Folders, mine: Folder
) -> None:
    await folders.add_file(ANN, mine.id, "a.txt", sent(text_of(MB)))
    await folders.add_file(ANN, mine.id, "b.txt", sent(text_of(MB)))
    assert await refusal(folders, mine, "c.txt", NOTE) == (
        "The folder already holds 2 files, the most it may."
    )
    await folders.add_file(ANN, mine.id, "b.txt", sent(text_of(MB)))  # in the place of itself
    await folders.delete_file(ANN, mine.id, "b.txt")
    root = await folders.path_of(ANN, mine.id)
    (root / "b.txt").write_bytes(text_of(MB + 5))
    assert await refusal(folders, mine, "a.txt", text_of(MB - 4)) == (
        "The folder may hold at most 2 MB in all."
    )
    await folders.add_file(ANN, mine.id, "a.txt", sent(text_of(MB - 5)))


async def test_a_long_name_of_a_folder_is_cut(folders: Folders) -> None:
    assert (await folders.create(ANN, "n" * 200)).name == "n" * 200
    assert (await folders.create(ANN, "m" * 201)).name == "m" * 200


def test_a_suffix_that_leaves_no_room_is_cut_with_the_name() -> None:
    assert safe_name("a." + "x" * 400) == "a." + "x" * 198
    assert safe_name("a" + "." + "x" * 198) == "a." + "x" * 198
    assert safe_name("ab" + "." + "x" * 198) == "a." + "x" * 198
    assert safe_name("a" * 10 + "." + "x" * 199) == ("a" * 10 + "." + "x" * 199)[:200]


def test_two_folders_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    first, second = sorted(operator_folders([tmp_path / "a" / "docs", tmp_path / "b" / "docs"]))
    assert re.fullmatch("docs-[0-9a-f]{6}", first)
    assert re.fullmatch("docs-[0-9a-f]{6}", second)
    assert list(operator_folders([tmp_path / "docs", tmp_path / "docs"])) == ["docs"]


async def test_operators_folders_of_one_name_are_shown_by_what_tells_them_apart(
    tmp_path: Path,
) -> None:
    paths = (tmp_path / "a" / "Notes", tmp_path / "b" / "Notes", tmp_path / "Alone")
    for path in paths:
        path.mkdir(parents=True)
    settings = Settings(data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", docs=paths)
    async with App.open(settings) as app:
        first, second, alone = await Folders(app.resources, await app.database()).list(ANN)
    assert (alone.id, alone.name) == ("alone", "Alone")
    assert [first.name, second.name] == [first.id, second.id]
    assert first.name != second.name


async def test_a_folder_of_a_user_is_told_apart_from_one_of_the_operator(folders: Folders) -> None:
    shared, *_ = await folders.list(ANN)
    made = await folders.create(ANN, shared.name)
    assert made.name == f"{shared.name} (2)"


async def test_a_folder_is_the_services_alone(folders: Folders, mine: Folder) -> None:
    assert (await folders.path_of(ANN, mine.id)).stat().st_mode & 0o777 == 0o700


async def test_what_is_known_of_a_file_that_was_just_written_is_told(
    folders: Folders, docs: Path
) -> None:
    """The index doubts the time of such a file, and looks into it once more."""
    ahead = time.time() + 60
    os.utime(docs / "mill.md", (ahead, ahead))
    await indexed(folders, BEN, "town-records")
    mill, _ = (await folders.files(BEN, "town-records")).files
    assert mill.status is ReadStatus.OK


async def test_what_another_upload_has_begun_today_stays(folders: Folders, mine: Folder) -> None:
    incoming = await folders.path_of(ANN, mine.id) / INCOMING
    for name, age_h in (("today", 23), ("before", 25)):
        (incoming / name).mkdir(parents=True)
        begun = time.time() - age_h * HOUR_S
        os.utime(incoming / name, (begun, begun))
    await folders.add_file(ANN, mine.id, "mill.md", sent(NOTE))
    assert [path.name for path in incoming.iterdir()] == ["today"]


# Lists


async def test_a_page_has_as_many_files_as_asked_for_within_the_limits(
    folders: Folders, mine: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = await folders.path_of(ANN, mine.id)
    for name in "abcd":
        (root / f"{name}.md").write_bytes(NOTE)

    async def page(limit: int, after: str = "") -> tuple[list[str], str | None]:
        found = await folders.files(ANN, mine.id, after=after, limit=limit)
        assert found.total == 4
        return [file.path[0] for file in found.files], found.following

    assert await page(4) == (["a", "b", "c", "d"], None)
    assert await page(3) == (["a", "b", "c"], "c.md")
    assert await page(3, "c.md") == (["d"], None)
    assert await page(0) == (["a"], "a.md")
    monkeypatch.setattr(module, "MAX_LISTED", 2)
    assert await page(9) == (["a", "b"], "b.md")


async def test_what_the_index_knows_of_a_folder_is_counted(folders: Folders) -> None:
    (before,) = await folders.list(BEN)
    assert (before.files, before.failed, before.passages) == (None, 0, 0)
    assert [file.status for file in (await folders.files(BEN, before.id)).files] == [None, None]
    await indexed(folders, BEN, before.id)
    (after,) = await folders.list(BEN)
    assert (after.files, after.failed, after.passages) == (2, 1, 1)
    assert await folders.get(BEN, before.id) == after
    mill, torn = (await folders.files(BEN, before.id)).files
    assert (mill.status, mill.passages, mill.reason) == (ReadStatus.OK, 1, "")
    assert (torn.status, torn.passages) == (ReadStatus.BROKEN, 0)
    assert torn.reason


@pytest.mark.parametrize("longer", [True, False], ids=["another size", "the same size"])
async def test_of_a_file_that_was_changed_nothing_is_known_yet(
    folders: Folders, docs: Path, *, longer: bool
) -> None:
    hour_ago = time.time() - 3600
    os.utime(docs / "mill.md", (hour_ago, hour_ago))  # the time of a fresh file tells nothing
    await indexed(folders, BEN, "town-records")
    changed = NOTE + b"More.\n" if longer else NOTE.replace(b"1788", b"1799")
    facts = (docs / "mill.md").stat()
    (docs / "mill.md").write_bytes(changed)
    at = facts.st_mtime_ns if longer else facts.st_mtime_ns + 10**9
    os.utime(docs / "mill.md", ns=(at, at))
    mill, torn = (await folders.files(BEN, "town-records")).files
    assert (mill.status, mill.passages, mill.bytes) == (None, 0, len(changed))
    assert torn.status is ReadStatus.BROKEN


async def test_a_folder_that_is_away_is_listed_and_cannot_be_indexed(
    folders: Folders, docs: Path
) -> None:
    shutil.rmtree(docs)
    (folder,) = await folders.list(BEN)
    assert (folder.name, folder.files) == ("Town Records", None)
    with pytest.raises(FolderNotFound, match="'town-records' is not available at the moment"):
        await anext(folders.index(BEN, folder.id))


async def test_a_folder_whose_files_are_gone_already_is_deleted(
    folders: Folders, mine: Folder
) -> None:
    shutil.rmtree(await folders.path_of(ANN, mine.id))
    await folders.delete(ANN, mine.id)
    assert [each.read_only for each in await folders.list(ANN)] == [True]
