from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.source import Mark, Page, Passage, passage_id
from quaere.index.catalogue import (
    BLOCK_CHARS,
    LONGEST_TABLE,
    Catalogue,
    FileRecord,
    pack,
    table_head,
    text_between,
)
from quaere.index.catalogue_writer import Bundler, CatalogueWriter

URL = "file:///docs/a.md"
LONG = "".join(f"{n} ß東 " for n in range(BLOCK_CHARS // 2))
PAGE = Page(
    url=f"{URL}#row=7",
    title="Tarn",
    text=LONG,
    content_type="text/csv",
    retrieved_at="2026-01-02T03:04:05+00:00",
    published="2025",
    author="Ida Krell",
    language="en",
    marks=(Mark(start=0, label="page 1"), Mark(start=9, label="page 2")),
)


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "catalogue.db")


@pytest.fixture
def rows(tmp_path: Path, spans: list[tuple[int, int]]) -> list[int]:
    ledger = CatalogueWriter(tmp_path / "catalogue.db")
    file = ledger.open_file("/docs/a.md", URL)
    bundler = Bundler(URL)
    bundler.add(Page(url=URL, title="Before", text="Other words. "), [])
    bundler.add(PAGE, [passage(*span) for span in spans])
    added = ledger.add(file, bundler.take())
    bundler.add(Page(url=f"{URL}#row=9", title="After", text="More words."), [])
    assert ledger.add(file, bundler.take()) == []
    ledger.close_file(FileRecord(file, "/docs/a.md", 1, 2, "h", "ok", "", len(spans)))
    ledger.settle()
    ledger.close()
    return [each.row for each in added]


@pytest.fixture
def spans() -> list[tuple[int, int]]:
    edge = BLOCK_CHARS
    return [(0, 10), (edge - 5, edge + 5), (edge, edge + 1), (5, 2 * edge + 7), (edge - 1, edge)]


def passage(start: int, end: int) -> Passage:
    text = LONG[start:end]
    return Passage(
        id=passage_id(PAGE.url, start, text),
        url=PAGE.url,
        title=PAGE.title,
        text=text,
        start=start,
        end=end,
        locator=f"page {start}",
        marks=(Mark(start=start, label="cell 1"), Mark(start=end - 1, label="cell 2")),
        content_hash=PAGE.content_hash,
        retrieved_at=PAGE.retrieved_at,
        published=PAGE.published,
        author=PAGE.author,
    )


def test_passages_come_back_as_they_were(
    rows: list[int], catalogue: Catalogue, spans: list[tuple[int, int]]
) -> None:
    candidates = sorted(catalogue.candidates([*rows, 999]))
    assert [candidate.row for candidate in candidates] == rows
    assert catalogue.passages(candidates) == [passage(*span) for span in spans]


def test_all_passages_of_a_search_are_read_at_once(
    rows: list[int], catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a million passages each statement costs as much as finding the terms does."""
    read: list[str] = []
    inner = Catalogue._all

    def counted(
        self: Catalogue, statement: str, values: tuple[object, ...]
    ) -> list[tuple[Any, ...]]:
        read.append(statement)
        return inner(self, statement, values)

    monkeypatch.setattr(Catalogue, "_all", counted)
    assert len(catalogue.passages(catalogue.candidates(rows))) == len(rows) > 2
    assert len(read) == 2


def test_a_passage_within_a_table_of_a_later_page_has_its_head(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    head, row = "| Pier | Boats |", "| Orrin | 58 |"
    text = f"{LONG * 3}\n\n{head}\n|---|---|\n| Hask | 44 |\n{row}"
    cut = Passage(
        id="", url=URL, title="", text=row, start=text.index(row), end=len(text), table_head=head
    )
    ledger, bundler = CatalogueWriter(tmp_path / "catalogue.db"), Bundler(URL)
    bundler.add(Page(url=URL, title="Before", text="| Other | rows |"), [])
    bundler.add(Page(url=f"{URL}#page=2", title="After", text=text), [cut])
    file = ledger.open_file("/docs/a.md", URL)
    (added,) = ledger.add(file, bundler.take())
    ledger.close_file(FileRecord(file, "/docs/a.md", 1, 2, "h", "ok", "", 1))
    ledger.settle()
    ledger.close()
    (found,) = catalogue.passages(catalogue.candidates([added.row]))
    assert found.table_head == head


@pytest.mark.usefixtures("rows")
def test_pages_come_back_as_they_were(catalogue: Catalogue) -> None:
    assert catalogue.page(PAGE.url) == PAGE
    assert catalogue.page(PAGE.url, PAGE.content_hash) == PAGE


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("url", [f"{URL}#row=8", f"{URL}#", "file:///docs/b.md#row=7", ""])
def test_a_page_that_is_not_there_is_none(catalogue: Catalogue, url: str) -> None:
    assert catalogue.page(url) is None


@pytest.mark.usefixtures("rows")
def test_a_page_whose_text_has_changed_is_none(catalogue: Catalogue) -> None:
    assert catalogue.page(PAGE.url, "0" * 64) is None
    assert catalogue.page(PAGE.url, "no hash") is None


@pytest.mark.usefixtures("rows")
def test_each_page_of_a_file_is_its_own(catalogue: Catalogue) -> None:
    before, after = catalogue.page(URL), catalogue.page(f"{URL}#row=9")
    assert before is not None
    assert after is not None
    assert (before.text, after.text) == ("Other words. ", "More words.")


@given(st.text(st.characters(codec=None), max_size=50), st.integers(0, 3), st.data())
def test_blocks_hold_any_text(text: str, times: int, data: st.DataObject) -> None:
    whole = text * times * 2000
    blocks = pack(whole, 100)
    assert text_between(blocks, 100, 100 + len(whole)) == whole
    begin = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(begin, len(whole)))
    reaching = [block for block in blocks if 100 + begin - BLOCK_CHARS < block[0] < 100 + end]
    assert text_between(reaching, 100 + begin, 100 + end) == whole[begin:end]


@pytest.mark.usefixtures("rows")
def test_the_records_of_a_file_come_back_in_order_unless_they_are_too_many(
    catalogue: Catalogue,
) -> None:
    both = [("#row=7", LONG), ("#row=9", "More words.")]
    assert catalogue.records(URL, 3) == both
    assert catalogue.records(URL, 2) == both
    assert catalogue.records(URL, 1) == []
    assert catalogue.records("file:///docs/b.md", 2) == []
    assert catalogue.count_records(URL) == 2
    assert catalogue.count_records("file:///docs/b.md") == 0


@pytest.mark.usefixtures("rows")
def test_files_of_records_are_those_with_a_first_row(tmp_path: Path, catalogue: Catalogue) -> None:
    assert catalogue.files_of_records(5) == []
    writer = CatalogueWriter(tmp_path / "catalogue.db")
    for name in ("c", "b"):
        url = f"file:///docs/{name}.csv"
        file = writer.open_file(f"/docs/{name}.csv", url)
        bundler = Bundler(url)
        bundler.add(Page(url=f"{url}#row=1", title="Row", text="a: 1; b: 2"), [])
        writer.add(file, bundler.take())
        writer.close_file(FileRecord(file, f"/docs/{name}.csv", 1, 2, "h", "ok", "", 0))
    writer.settle()
    writer.close()
    assert catalogue.files_of_records(5) == ["file:///docs/b.csv", "file:///docs/c.csv"]
    assert catalogue.files_of_records(1) == ["file:///docs/b.csv"]


HEAD = "| Lamp | Lit |\n|---|---|\n"


@pytest.mark.parametrize(
    ("text", "start", "head"),
    [
        pytest.param(f"{HEAD}| Orrin | 1788 |\n| Brell | 1840 |", 42, "| Lamp | Lit |", id="row"),
        pytest.param(f"{HEAD}| Orrin | 1788 |\nBrell was lit.", 41, "", id="no row"),
        pytest.param(f"{HEAD}| Orrin | 1788 |", 0, "", id="the head itself"),
        pytest.param(
            f"{'x' * LONGEST_TABLE}\n\n{HEAD}| Orrin | 1788 |\n| Brell | 1840 |",
            LONGEST_TABLE + 2 + 42,
            "| Lamp | Lit |",
            id="far on",
        ),
        pytest.param(
            f"{HEAD}{'| x |' + chr(10)}" * 1 + "| Orrin | 1788 |\n" * 5000 + "| Brell | 1840 |",
            len(HEAD) + 6 + 17 * 5000,
            "",
            id="too far from the head",
        ),
    ],
)
def test_the_head_of_a_table_is_looked_for_before_a_row(text: str, start: int, head: str) -> None:
    def read(first: int, end: int) -> str:
        assert 0 <= first <= end
        return text[first:end]

    assert table_head(read, start, text[start:]) == head
