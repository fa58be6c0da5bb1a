from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quaere.domain.source import Page, Passage, passage_id
from quaere.index.catalogue import Catalogue, FileRecord, State
from quaere.index.catalogue_writer import SETTLE, Bundler, CatalogueWriter, Indexable
from quaere.index.scan import FileStat

URL = "file:///docs/a.md"


@pytest.fixture
def ledger(tmp_path: Path) -> CatalogueWriter:
    return CatalogueWriter(tmp_path / "catalogue.db")


def page(text: str, place: str = "", title: str = "Tarn") -> tuple[Page, list[Passage]]:
    url = f"{URL}{place}"
    page = Page(url=url, title=title, text=text)
    half = len(text) // 2
    spans = [(0, half), (half, len(text))]
    passages = [
        Passage(
            id=passage_id(url, start, text[start:end]),
            url=url,
            title=title,
            text=text[start:end],
            start=start,
            end=end,
        )
        for start, end in spans
    ]
    return page, passages


def add(
    ledger: CatalogueWriter, *pages: tuple[Page, list[Passage]], path: str = "/docs/a.md"
) -> tuple[int, list[Indexable]]:
    bundler = Bundler(URL)
    for page, passages in pages:
        bundler.add(page, passages)
    file = ledger.open_file(path, URL)
    return file, ledger.add(file, bundler.take())


def close(ledger: CatalogueWriter, file: int, passages: int, path: str = "/docs/a.md") -> None:
    ledger.close_file(FileRecord(file, path, 1, 2, "h", "ok", "", passages))


def test_terms_get_what_the_passages_say(ledger: CatalogueWriter) -> None:
    file, passages = add(ledger, page("abcd", "#row=1"), page("efgh", "#row=2", title="Oss"))
    assert passages == [
        Indexable(1, file, "Tarn", "ab", "docs"),
        Indexable(2, file, "Tarn", "cd", "docs"),
        Indexable(3, file, "Oss", "ef", "docs"),
        Indexable(4, file, "Oss", "gh", "docs"),
    ]
    assert list(ledger.indexable(file)) == passages


def test_nothing_is_seen_before_the_commit(ledger: CatalogueWriter, tmp_path: Path) -> None:
    other = Catalogue(tmp_path / "catalogue.db")
    file, _ = add(ledger, page("abcd"))
    close(ledger, file, 2)
    assert other.page(URL) is None
    ledger.commit()
    assert other.page(URL) is not None


def test_what_was_not_committed_is_gone_after_a_crash(
    ledger: CatalogueWriter, tmp_path: Path
) -> None:
    add(ledger, page("abcd"))
    ledger.close()
    assert CatalogueWriter(tmp_path / "catalogue.db").in_state(State.READING) == []


def test_a_file_is_live_once_the_terms_agree(ledger: CatalogueWriter, tmp_path: Path) -> None:
    other = Catalogue(tmp_path / "catalogue.db")
    file, _ = add(ledger, page("abcd"))
    ledger.commit()
    assert ledger.in_state(State.READING) == [file]
    close(ledger, file, 2)
    ledger.commit()
    assert ledger.in_state(State.PENDING) == [file]
    assert (other.files(), ledger.passages()) == ({}, 0)
    ledger.settle()
    assert ledger.in_state(State.LIVE) == [file]
    assert ledger.passages() == 2
    record = FileRecord(file, "/docs/a.md", 1, 2, "h", "ok", "", 2)
    assert other.files() == {"/docs/a.md": record}


def test_a_leaving_file_goes_with_all_that_hangs_on_it(
    ledger: CatalogueWriter, tmp_path: Path
) -> None:
    gone, _ = add(ledger, page("abcd"), page("x", "#row=2"))
    kept, _ = add(ledger, page("efgh"), path="/docs/b.md")
    close(ledger, gone, 4)
    close(ledger, kept, 2, "/docs/b.md")
    ledger.settle()
    ledger.mark(gone, State.LEAVING)
    ledger.settle()
    ledger.close()
    with closing(sqlite3.connect(tmp_path / "catalogue.db")) as database:
        counts = [
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own
            for table in ("files", "pages", "blocks", "passages")
        ]
    assert counts == [1, 1, 1, 2]


def test_rows_are_never_used_twice(ledger: CatalogueWriter, tmp_path: Path) -> None:
    file, _ = add(ledger, page("abcd"))
    ledger.mark(file, State.LEAVING)
    ledger.settle()
    ledger.close()
    again, passages = add(CatalogueWriter(tmp_path / "catalogue.db"), page("abcd"))
    assert again > file
    assert [passage.row for passage in passages] == [3, 4]


def test_touching_keeps_the_text(ledger: CatalogueWriter, tmp_path: Path) -> None:
    file, _ = add(ledger, page("abcd"))
    close(ledger, file, 2)
    ledger.settle()
    ledger.touch(file, FileStat("/docs/a.md", 10, 20), "")
    ledger.commit()
    record = Catalogue(tmp_path / "catalogue.db").files()["/docs/a.md"]
    assert (record.size, record.mtime_ns, record.hash) == (10, 20, "h")


def test_names_that_are_no_text_are_kept(ledger: CatalogueWriter, tmp_path: Path) -> None:
    path = "/docs/caf\udce9.md"
    file = ledger.open_file(path, URL)
    ledger.close_file(FileRecord(file, path, 1, 2, "", "broken", f"{path} is broken", 0))
    ledger.settle()
    catalogue = Catalogue(tmp_path / "catalogue.db")
    assert list(catalogue.files()) == [path]
    assert catalogue.failures() == [(path, "/docs/caf?.md is broken")]


def test_a_damaged_catalogue_is_an_error(ledger: CatalogueWriter, tmp_path: Path) -> None:
    ledger.close()
    (tmp_path / "catalogue.db").write_bytes(b"garbage" * 1000)
    with pytest.raises(sqlite3.DatabaseError):
        CatalogueWriter(tmp_path / "catalogue.db")


def test_what_is_settled_is_found_without_a_look_at_every_file(
    ledger: CatalogueWriter, tmp_path: Path
) -> None:
    del ledger
    with closing(sqlite3.connect(tmp_path / "catalogue.db")) as database:
        for change in (each for each in SETTLE.split(";") if "files" in each):
            plan = database.execute(f"EXPLAIN QUERY PLAN {change}").fetchall()
            assert not [row[3] for row in plan if row[3].startswith("SCAN")]


def test_a_file_that_was_not_read_well_is_stamped_without_its_time(
    ledger: CatalogueWriter, tmp_path: Path
) -> None:
    good, _ = add(ledger, page("abcd"))
    bad, _ = add(ledger, path="/docs/b.pdf")
    close(ledger, good, 2)
    ledger.close_file(FileRecord(bad, "/docs/b.pdf", 3, 4, "", "broken", "is torn", 0))
    ledger.commit()
    ledger.settle()
    catalogue = Catalogue(tmp_path / "catalogue.db")
    assert catalogue.stamps() == {"/docs/a.md": (1, 2, good), "/docs/b.pdf": (3, None, bad)}
    assert catalogue.files_among([bad]) == {"/docs/b.pdf": catalogue.files()["/docs/b.pdf"]}
    assert catalogue.count_files() == (2, 1)
