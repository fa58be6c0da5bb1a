from __future__ import annotations

from pathlib import Path

import pytest
from tests.verify.samples import passage

from quaere.audit.cited_text import CitedSource
from quaere.audit.sources import (
    BEST,
    AuditLimits,
    LocalFiles,
    ReadSource,
    SourceTexts,
    located,
    read_sources,
)
from quaere.domain.audit import CheckedSource
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.read.batch import Reading
from quaere.read.chunker import PassageChunker
from quaere.text.tokens import terms


def cited(address: str, *, listed: bool = True) -> CitedSource:
    return CitedSource(1, ("3",), address, "A title", listed)


@pytest.fixture
def local(tmp_path: Path) -> LocalFiles:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a b.md").write_text("x")
    (tmp_path / "one.txt").write_text("x")
    (tmp_path / "report.md").write_text("x")
    return LocalFiles((tmp_path / "notes", tmp_path, tmp_path / "one.txt"), tmp_path / "report.md")


@pytest.mark.parametrize(
    "address", ["notes/a b.md", "a b.md", "a%20b.md", "notes/a%20b.md#part", "./notes/a b.md"]
)
def test_a_path_is_looked_for_in_every_folder(local: LocalFiles, address: str) -> None:
    url = located(cited(address), local)
    assert isinstance(url, str)
    assert url.startswith("file:///")
    assert url.endswith("a%20b.md")


@pytest.mark.parametrize("address", ["notes/a b.md", "notes/a%20b.md#part"])
def test_a_path_may_begin_with_the_name_of_its_folder(local: LocalFiles, address: str) -> None:
    alone = LocalFiles(local.folders[:1])
    assert located(cited(address), alone) == (local.folders[0] / "a b.md").as_uri()
    elsewhere = located(cited(f"others/{address}"), alone)
    assert isinstance(elsewhere, CheckedSource)


def test_a_file_that_is_named_alone_is_found_by_its_name(local: LocalFiles) -> None:
    alone = LocalFiles((local.folders[2],), None)
    assert located(cited("one.txt"), alone) == local.folders[2].as_uri()


@pytest.mark.parametrize(
    ("title", "address"),
    [
        ("a b.md", "b.md"),
        ("T. Wray, The mill, in a b.md", "b.md"),
        ("The mill, folder:notes/a b.md, lines 3-9", "b.md"),
        ('The mill, folder:notes/it\'s "so" (draft).md, row 7', ""),
        ("The mill, notes/a b.md, page 2", "b.md"),
        ('notes/it\'s "so" (draft).md', ""),
        (f"{'x' * 5_000} a b.md", "b.md"),
    ],
)
def test_the_name_of_a_listed_file_may_have_spaces(
    local: LocalFiles, title: str, address: str
) -> None:
    (local.folders[0] / 'it\'s "so" (draft).md').write_text("x")
    (local.folders[1] / "b.md").write_text("another")
    url = located(CitedSource(1, ("3",), address, title, True), local)
    assert isinstance(url, str)
    assert url.endswith(("/a%20b.md", "/it%27s%20%22so%22%20%28draft%29.md"))


def test_what_the_service_calls_by_its_folder_is_looked_for_in_that_folder(tmp_path: Path) -> None:
    for folder in ("Alder", "birch", "My Notes (2024)"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mill.md").write_text("x")
    local = LocalFiles((tmp_path / "Alder", tmp_path / "birch", tmp_path / "My Notes (2024)"))
    named = {"alder": "Alder", "birch": "birch", "my-notes-2024": "My Notes (2024)"}
    for folder, found in (*named.items(), ("other-name", "Alder")):
        there = (tmp_path / found / "mill.md").as_uri()
        assert located(cited(f"folder:{folder}/mill.md"), local) == there
    for address in ("folder:birch/gone.md", "folder:birch/", "folder:birch"):
        assert isinstance(located(cited(address), local), CheckedSource)


def test_web_addresses_are_left_to_the_guard(local: LocalFiles) -> None:
    assert located(cited("http://10.0.0.1/x"), local) == "http://10.0.0.1/x"


@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        (cited("report.md"), ReadStatus.REFUSED, "a text cannot be its own source"),
        (cited("notes/../report.md"), ReadStatus.REFUSED, "a text cannot be its own source"),
        (cited("gone.md"), ReadStatus.NOT_FOUND, "there is no file gone.md in the folders that"),
        (cited("x" * 5_000), ReadStatus.NOT_FOUND, "there is no file"),
        (cited("a\0b.md"), ReadStatus.NOT_FOUND, "there is no file"),
        (cited(""), ReadStatus.NOT_FOUND, "the text gives no address for [3]"),
        (cited("", listed=False), ReadStatus.NOT_FOUND, "the text lists no source [3]"),
    ],
)
def test_a_source_that_is_nowhere_says_why(
    local: LocalFiles, source: CitedSource, status: ReadStatus, reason: str
) -> None:
    found = located(source, local)
    assert isinstance(found, CheckedSource)
    assert found.status is status
    assert found.reason.startswith(reason)
    assert found.url == ""


def test_the_file_itself_is_told_by_its_url_too(local: LocalFiles) -> None:
    assert local.itself
    found = located(cited(local.itself.as_uri()), local)
    assert isinstance(found, CheckedSource)


def test_no_shelf_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert isinstance(located(cited("a.md"), LocalFiles()), CheckedSource)


def test_the_passages_that_fit_are_found_and_stay_in_order() -> None:
    passages = [passage(f"Stone {n} of the wall is grey.", start=100 * n) for n in range(40)]
    passages[30] = passage("The bell was cast by Lena Harrow.", start=3_000)
    best = ReadSource(passages).best(terms("Lena Harrow cast the bell"))
    assert len(best) == BEST
    assert passages[30] in best
    assert [each.start for each in best] == sorted(each.start for each in best)
    assert ReadSource(passages[:2]).best(["x"]) == passages[:2]
    assert ReadSource(passages).best(["nowhere"]) == passages[:BEST]


class Books:
    """Reads pages by their URL; every other one is gone."""

    def __init__(self, **pages: str) -> None:
        self._pages = {f"https://a.test/{name}": text for name, text in pages.items()}

    async def read(self, hit: Hit) -> Page:
        text = self._pages.get(hit.url)
        if text is None:
            raise ReadError("HTTP 404", status=ReadStatus.NOT_FOUND)
        return Page(url=hit.url, title="Its own title", text=text, retrieved_at="2031-05-04")


def numbered(*names: str, title: str = "") -> list[CitedSource]:
    return [
        CitedSource(number, (str(number),), f"https://a.test/{name}" if name else "", title, True)
        for number, name in enumerate(names, 1)
    ]


async def read(
    sources: list[CitedSource], *, max_reads: int = 50, told: list[Reading] | None = None
) -> SourceTexts:
    return await read_sources(
        sources,
        Books(mill="The mill was built in 1788.", dam="The dam held.", empty="   "),
        PassageChunker(),
        local=LocalFiles(),
        limits=AuditLimits(max_reads=max_reads),
        on_reading=told.append if told is not None else None,
    )


@pytest.mark.anyio
async def test_what_was_read_is_told_by_number_with_what_it_holds() -> None:
    told: list[Reading] = []
    found = await read(numbered("mill", "gone", "dam"), told=told)
    assert [source.number for source in found.sources] == [1, 2, 3]
    assert sorted(found.volumes) == [1, 3]
    mill, gone, _ = found.sources
    assert (mill.status, mill.url, mill.title) == (
        ReadStatus.OK,
        "https://a.test/mill",
        "Its own title",
    )
    assert mill.characters == len("The mill was built in 1788.")
    assert (mill.retrieved_at, bool(mill.content_hash), mill.reason) == ("2031-05-04", True, "")
    assert (gone.status, gone.url, gone.characters) == (ReadStatus.NOT_FOUND, "", 0)
    assert "404" in gone.reason
    assert len(told) == 3


@pytest.mark.anyio
async def test_the_title_that_the_text_gives_goes_before_that_of_the_page() -> None:
    (mill,) = (await read(numbered("mill", title="The old mill"))).sources
    assert mill.title == "The old mill"


@pytest.mark.anyio
async def test_a_source_without_a_word_is_empty() -> None:
    found = await read(numbered("empty"))
    (empty,) = found.sources
    assert (empty.status, empty.reason) == (ReadStatus.EMPTY, "it holds no text")
    assert not found.volumes


@pytest.mark.anyio
async def test_no_more_are_read_than_may_be_and_those_cited_first_before_the_others() -> None:
    found = await read(numbered("", "mill", "dam", "mill"), max_reads=2)
    assert sorted(found.volumes) == [2, 3]
    nowhere, _, _, left = found.sources
    assert nowhere.status is ReadStatus.NOT_FOUND, "what has no address takes nobody's place"
    assert (left.status, left.reason) == (
        ReadStatus.REFUSED,
        "the limit of 2 sources was reached",
    )
