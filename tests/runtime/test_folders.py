"""Folders of a service: whose they are, what may be put into them, and what becomes of it."""

from __future__ import annotations

import gzip
import io
import os
import struct
import zipfile
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path

import pytest
from blockbuster import BlockBuster
from tests.read.books import epub
from tests.read.opendocuments import opendocument

from quaere.domain.request import RunRequest
from quaere.domain.source import ReadStatus
from quaere.domain.trace import Owner
from quaere.errors import FileRefused, FolderNotFound, NotAllowed, QuotaExceeded, UsageError
from quaere.runtime.app import App
from quaere.runtime.folders import INCOMING, Folders, IndexStep, operator_folders, safe_name
from quaere.runtime.settings import Settings

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")
NOTE = b"# The mill\n\nThe mill at Orrin was built by Tamsin Wray in 1788.\n"
MB = 1_000_000
Made = Callable[..., Folders]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "Town Records"
    (folder / "old").mkdir(parents=True)
    (folder / "old" / "mill.md").write_bytes(NOTE)
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    return folder


@pytest.fixture
def settings(tmp_path: Path, docs: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "data",
        cache_dir=tmp_path / "cache",
        docs=(docs,),
        max_file_bytes=MB,
        max_folders=3,
        max_folder_files=5,
        max_folder_bytes=2 * MB,
    )


@pytest.fixture
async def app(settings: Settings) -> AsyncGenerator[App]:
    async with App.open(settings) as app:
        yield app


@pytest.fixture
async def folders(app: App) -> Folders:
    return Folders(app.resources, await app.database())


async def sent(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


def unpacking_to(size: int) -> bytes:
    """Return a Word document whose text unpacks to ``size`` bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w>" + b" " * size + b"</w>")
    return made.getvalue()


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    body = zlib.compress(os.urandom(8 * 25))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


async def indexed(folders: Folders, owner: Owner, folder_id: str) -> IndexStep:
    steps = [step async for step in folders.index(owner, folder_id)]
    assert steps[-1].finished
    assert not any(step.finished for step in steps[:-1])
    return steps[-1]


async def test_files_are_uploaded_indexed_asked_and_deleted(folders: Folders, app: App) -> None:
    made = await folders.create(ANN, "  My\n notes \u202e")
    assert (made.name, made.read_only, made.files) == ("My notes", False, None)
    added = await folders.add_file(ANN, made.id, "mill.md", sent(NOTE[:9], b"", NOTE[9:]))
    assert (added.path, added.bytes, added.status) == ("mill.md", len(NOTE), None)
    step = await indexed(folders, ANN, made.id)
    assert (step.done, step.total, step.warnings) == (1, 1, ())
    (file,) = (await folders.files(ANN, made.id)).files
    assert (file.status, file.passages > 0) == (ReadStatus.OK, True)
    found = await folders.get(ANN, made.id)
    assert (found.files, found.failed, found.passages) == (1, 0, file.passages)
    path = await folders.path_of(ANN, made.id)
    run = await app.start(RunRequest(question="Who built the mill at Orrin?", docs=(path,)), ANN)
    assert "Tamsin Wray" in (await run.report()).answer
    await folders.delete_file(ANN, made.id, "mill.md")
    assert (await folders.files(ANN, made.id)).files == ()
    await folders.delete(ANN, made.id)
    assert not path.exists()
    with pytest.raises(FolderNotFound):
        await folders.get(ANN, made.id)


async def test_nothing_of_a_deleted_folder_stays_in_any_index(
    folders: Folders, app: App, settings: Settings, docs: Path
) -> None:
    """Folders that were searched together have an index together."""
    secret = b"The cellar of the mill holds quicksilverish barrels.\n"
    made = await folders.create(ANN, "cellar")
    await folders.add_file(ANN, made.id, "cellar.txt", sent(secret))
    path = await folders.path_of(ANN, made.id)
    await app.search("cellar", docs=[path])
    await app.search("cellar", docs=[path, docs])
    await app.search("mill", docs=[docs])
    catalogues = [*settings.cache_dir.glob("*/catalogue.db")] if settings.cache_dir else []
    assert len(catalogues) == 3
    await folders.delete(ANN, made.id)
    assert len([one for one in catalogues if one.exists()]) == 1
    hits = await app.search("mill", docs=[docs])
    assert hits.hits


async def test_folders_of_others_are_not_found(folders: Folders) -> None:
    made = await folders.create(ANN, "mine")
    await folders.add_file(ANN, made.id, "mill.md", sent(NOTE))
    for owner in (BEN, Owner(user="ann"), Owner(user="ann", org="barges")):
        assert [each.read_only for each in await folders.list(owner)] == [True]
        assert made.id not in await folders.roots(owner)
        for doing in (
            folders.get(owner, made.id),
            folders.path_of(owner, made.id),
            folders.files(owner, made.id),
            folders.add_file(owner, made.id, "x.md", sent(NOTE)),
            folders.delete_file(owner, made.id, "mill.md"),
            folders.delete(owner, made.id),
            anext(folders.index(owner, made.id)),
        ):
            with pytest.raises(FolderNotFound):
                await doing
    assert [file.path for file in (await folders.files(ANN, made.id)).files] == ["mill.md"]


@pytest.mark.parametrize(
    "folder_id", ["", ".", "..", "../x", "/etc", "a/b", "a\0", "\ud800", "%2e", "x" * 999]
)
async def test_an_id_is_no_path(folders: Folders, folder_id: str) -> None:
    await folders.create(ANN, "mine")
    with pytest.raises(FolderNotFound):
        await folders.path_of(ANN, folder_id)


async def test_an_operators_folder_is_read_by_all_and_changed_by_none(
    folders: Folders, docs: Path
) -> None:
    (folder,) = await folders.list(BEN)
    assert (folder.id, folder.name, folder.read_only) == ("town-records", "Town Records", True)
    assert await folders.path_of(ANN, folder.id) == docs
    for doing in (
        folders.add_file(ANN, folder.id, "x.md", sent(NOTE)),
        folders.delete_file(ANN, folder.id, "torn.pdf"),
        folders.delete(ANN, folder.id),
    ):
        with pytest.raises(NotAllowed):
            await doing
    assert [file.path for file in (await folders.files(ANN, folder.id)).files] == [
        "old/mill.md",
        "torn.pdf",
    ]


async def test_no_path_of_this_machine_is_told(folders: Folders, tmp_path: Path) -> None:
    """Names of files, reasons and warnings are those within the folder."""
    step = await indexed(folders, BEN, "town-records")
    listed = await folders.files(BEN, "town-records")
    assert [(file.path, file.status) for file in listed.files] == [
        ("old/mill.md", ReadStatus.OK),
        ("torn.pdf", ReadStatus.BROKEN),
    ]
    assert [warning.subject for warning in step.warnings] == ["torn.pdf"]
    told = step.model_dump_json() + listed.model_dump_json()
    told += "".join(folder.model_dump_json() for folder in await folders.list(BEN))
    assert "torn.pdf" in told
    assert str(tmp_path) not in told


async def test_files_are_listed_by_page(folders: Folders) -> None:
    made = await folders.create(ANN, "many")
    for name in ("e.md", "b.md", "d.md", "a.md", "c.md"):
        await folders.add_file(ANN, made.id, name, sent(NOTE))
    found: list[str] = []
    after: str | None = ""
    while after is not None:
        page = await folders.files(ANN, made.id, after=after, limit=2)
        assert page.total == 5
        found += [file.path for file in page.files]
        after = page.following
    assert found == ["a.md", "b.md", "c.md", "d.md", "e.md"]


async def refused(folders: Folders, name: str, *chunks: bytes) -> str:
    made = (await folders.list(ANN))[-1]
    with pytest.raises(FileRefused) as error:
        await folders.add_file(ANN, made.id, name, sent(*chunks))
    root = await folders.path_of(ANN, made.id)
    assert str(root) not in error.value.message
    assert not [*(root / INCOMING).glob("*")], "nothing of it stays"
    return error.value.status


async def test_what_lies_about_its_kind_or_unpacks_to_too_much_is_refused(
    folders: Folders,
) -> None:
    await folders.create(ANN, "mine")
    other_archive = unpacking_to(10).replace(b"word/document", b"some/document")
    small = gzip.compress(b" " * (3 * MB))
    assert len(small) < 10_000
    assert await refused(folders, "note.txt", png()) == ReadStatus.UNSUPPORTED
    assert await refused(folders, "note.md", other_archive) == ReadStatus.UNSUPPORTED
    assert await refused(folders, "note.md.gz", small) == ReadStatus.TOO_LARGE
    assert await refused(folders, "bomb.docx", unpacking_to(60 * MB)) == ReadStatus.TOO_LARGE
    bomb = opendocument("text", " " * 60 * MB)
    assert await refused(folders, "bomb.odt", bomb) == ReadStatus.TOO_LARGE
    assert (
        await refused(folders, "torn.pptx", b"PK\x03\x04ppt/presentation.xml") == ReadStatus.BROKEN
    )
    assert await refused(folders, "torn.epub", epub({"a.xhtml": ""})[:-9]) == ReadStatus.BROKEN
    assert await refused(folders, "a.zip", NOTE) == ReadStatus.UNSUPPORTED
    assert await refused(folders, "a.md", b"") == ReadStatus.EMPTY
    assert await refused(folders, "a.md", b"a" * MB, b"b") == ReadStatus.TOO_LARGE


async def test_an_upload_without_end_is_cut_where_it_is_too_large(folders: Folders) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += 65_536
            yield b"word " * 13_107 + b"\n"

    made = await folders.create(ANN, "mine")
    with pytest.raises(FileRefused):
        await folders.add_file(ANN, made.id, "a.txt", endless())
    assert taken <= MB + 2 * 65_536


async def test_an_upload_that_breaks_off_leaves_what_was_there(folders: Folders) -> None:
    made = await folders.create(ANN, "mine")
    await folders.add_file(ANN, made.id, "mill.md", sent(NOTE))

    async def broken() -> AsyncIterator[bytes]:
        yield b"# Half"
        raise ConnectionResetError

    with pytest.raises(Exception, match="Cannot keep"):
        await folders.add_file(ANN, made.id, "mill.md", broken())
    root = await folders.path_of(ANN, made.id)
    assert (root / "mill.md").read_bytes() == NOTE
    assert not [*(root / INCOMING).glob("*")]
    await folders.add_file(ANN, made.id, "mill.md", sent(b"# Whole\n\nAnew.\n"))
    assert (root / "mill.md").read_bytes() == b"# Whole\n\nAnew.\n"


async def test_an_upload_goes_on_while_others_end(folders: Folders) -> None:
    made = await folders.create(ANN, "mine")

    async def slow() -> AsyncIterator[bytes]:
        yield NOTE[:10]
        await folders.add_file(ANN, made.id, "quick.md", sent(NOTE))
        yield NOTE[10:]

    assert (await folders.add_file(ANN, made.id, "slow.md", slow())).bytes == len(NOTE)


async def test_what_an_upload_left_that_never_ended_is_gone_after_a_day(folders: Folders) -> None:
    made = await folders.create(ANN, "mine")
    left = await folders.path_of(ANN, made.id) / INCOMING / "left"
    left.mkdir(parents=True)
    (left / "half.md").write_bytes(NOTE[:10])
    os.utime(left, (0, 0))
    await folders.add_file(ANN, made.id, "mill.md", sent(NOTE))
    assert not left.exists()


async def test_a_folder_and_a_user_have_their_share(folders: Folders) -> None:
    made = await folders.create(ANN, "first")
    for number in range(2):
        await folders.add_file(ANN, made.id, f"{number}.txt", sent(b"words " * 150_000))
    assert await refused(folders, "2.txt", b"words " * 150_000) == ReadStatus.TOO_LARGE
    for number in range(3):
        await folders.add_file(ANN, made.id, f"small{number}.txt", sent(NOTE))
    assert await refused(folders, "one-more.txt", NOTE) == ReadStatus.TOO_LARGE
    await folders.add_file(ANN, made.id, "0.txt", sent(NOTE))  # in place of one that is there
    await folders.create(ANN, "second")
    await folders.create(ANN, "third")
    with pytest.raises(QuotaExceeded) as error:
        await folders.create(ANN, "fourth")
    assert error.value.retry_after > 0
    await folders.create(BEN, "his first")
    with pytest.raises(UsageError):
        await folders.create(BEN, " \u200b\n")


async def test_the_event_loop_is_not_blocked(folders: Folders) -> None:
    """Whoever uploads or lists does not hold up the streams of others."""
    made = await folders.create(ANN, "mine")
    guard = BlockBuster()
    guard.activate()
    try:
        await folders.add_file(ANN, made.id, "mill.md", sent(NOTE))
        await indexed(folders, ANN, made.id)
        await folders.files(ANN, made.id)
        await folders.list(ANN)
        await folders.roots(ANN)
        await folders.delete(ANN, made.id)
    finally:
        guard.deactivate()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("mill.md", "mill.md"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ann\\notes.txt", "notes.txt"),
        (".bashrc", "bashrc"),
        ("...a.txt. ", "a.txt"),
        ("a\0b\u202etxt.md", "abtxt.md"),
        ("two\nlines.md", "two lines.md"),
        ("half\ud800.md", "half_.md"),
        ('q"*?.md', "q___.md"),
        ("e\u0301.md", "é.md"),
        ("灯" * 100 + ".pdf", "灯" * 65 + ".pdf"),
        ("x" * 400, "x" * 200),
    ],
)
def test_names_of_files_are_cleaned(given: str, kept: str) -> None:
    assert safe_name(given) == kept
    assert safe_name(kept) == kept


@pytest.mark.parametrize(
    "name", ["", ".", "..", "/", "a/", "\u200b", "node_modules", "x.zip", "~$mill.md"]
)
def test_names_that_leave_nothing_are_refused(name: str) -> None:
    with pytest.raises(FileRefused):
        safe_name(name)


async def test_only_the_name_of_a_file_in_the_folder_deletes_it(
    folders: Folders, tmp_path: Path
) -> None:
    made = await folders.create(ANN, "mine")
    await folders.add_file(ANN, made.id, "mill.md", sent(NOTE))
    outside = tmp_path / "outside.md"
    outside.write_bytes(NOTE)
    upwards = "../../../outside.md"
    assert (await folders.path_of(ANN, made.id) / upwards).resolve() == outside
    for path in ("", ".", "..", INCOMING, upwards, str(outside), "none.md", "mill.md/", "a\0"):
        with pytest.raises(FolderNotFound):
            await folders.delete_file(ANN, made.id, path)
    assert outside.exists()


def test_ids_of_operators_folders_do_not_depend_on_their_order(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "Docs!", tmp_path / "b" / "docs", tmp_path / "灯", tmp_path / "x.md"]
    ids = operator_folders(paths)
    assert set(ids.values()) == set(paths)
    assert ids == dict(operator_folders(paths[::-1]))
    assert {"folder", "x-md"} < set(ids)
    assert sum(name.startswith("docs-") for name in ids) == 2
