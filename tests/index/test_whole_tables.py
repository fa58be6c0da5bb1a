"""Whole tables out of what an index keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.index.folders import SOURCES, write

from quaere.domain.question import Intent, Query
from quaere.domain.source import Page, Passage
from quaere.index.folder_index import FolderIndex
from quaere.index.whole_tables import MOST_ROWS, Record, page_of_records, tables_of

BOATS = "boat,mast_m,leaks,note\nHern,12,no,\nSkua,9,yes,needs tar; soon\nTern,7,,new\n"
LAMPS = (
    "# Lamps\n\nAll of them.\n\n## North\n\n| Lamp | Lit |\n|---|---|\n| Orrin | 1788 |\n"
    "| Skarrow | 1812 |\n\nAnd more.\n\n## South\n\n| Lamp | Lit |\n|---|---|\n| Brell | 1840 |\n"
    "| Esk | 1851 |\n"
)


def indexed(tmp_path: Path, files: dict[str, str]) -> FolderIndex:
    index = FolderIndex([write(tmp_path / "docs", files)], cache=tmp_path / "cache")
    index.refresh(SOURCES)
    return index


def tables(index: FolderIndex, question: str) -> list[Passage]:
    hits = index.search(Query(text=question, intent=Intent.TABLE), limit=5)
    return [passage for hit in hits for passage in hit.passages]


def test_records_come_back_as_a_table_with_their_empty_cells(tmp_path: Path) -> None:
    (table,) = tables(indexed(tmp_path, {"boats.csv": BOATS}), "Which boat leaks?")
    assert table.text == (
        "| boat | mast_m | leaks | note |\n| Hern | 12 | no |  |\n"
        "| Skua | 9 | yes | needs tar; soon |\n| Tern | 7 |  | new |"
    )
    assert (table.whole_table, table.locator) == (True, "rows 1-3")
    assert table.table_head == "| boat | mast_m | leaks | note |"


def test_a_quoted_row_is_at_its_offset_on_the_page_of_its_file(tmp_path: Path) -> None:
    index = indexed(tmp_path, {"boats.csv": BOATS})
    (table,) = tables(index, "Which boat leaks?")
    page = index.page(table.url, table.content_hash)
    assert page is not None
    assert page.text[table.start : table.end] == table.text
    assert page.label_at(page.text.index("Skua")) == "row 2"
    assert index.page(table.url, "0" * 64) is None


def test_each_table_of_a_page_is_one_with_what_is_over_it(tmp_path: Path) -> None:
    index = indexed(tmp_path, {"lamps.md": LAMPS})
    north, south = tables(index, "Which lamp was lit first?")
    assert "Orrin" in north.text
    assert "Brell" not in north.text
    assert "North" in north.headings
    assert "South" in south.headings
    page = index.page(north.url, north.content_hash)
    assert page is not None
    assert page.text[north.start : north.end] == north.text


def test_a_table_of_records_is_found_though_no_word_of_the_question_is_in_it(
    tmp_path: Path,
) -> None:
    index = indexed(tmp_path, {"boats.csv": BOATS})
    assert not index.search(Query(text="Which vessel is tallest?"), limit=5)
    assert tables(index, "Which vessel is tallest?")


def test_of_a_table_that_is_too_large_no_row_is_read_and_that_is_said(tmp_path: Path) -> None:
    rows = "".join(f"B{n},{n}\n" for n in range(MOST_ROWS + 1))
    index = indexed(tmp_path, {"boats.csv": f"boat,mast\n{rows}"})
    (table,) = tables(index, "Which boat has the longest mast?")
    assert table.text == "boats.csv has 501 rows, and no more than 500 are read as a whole"
    assert index.page(table.url) is None


def test_a_table_of_as_many_rows_as_are_read_is_read(tmp_path: Path) -> None:
    rows = "".join(f"B{n},{n}\n" for n in range(MOST_ROWS))
    (table,) = tables(indexed(tmp_path, {"boats.csv": f"boat,mast\n{rows}"}), "boat mast")
    assert table.text.count("\n") == MOST_ROWS


@pytest.mark.parametrize(
    "texts",
    [
        ["name: Hern; mast: 12", "A boat of the north.\n\nIt leaks."],
        ["name: Hern; mast: 12"],
        ["name: Hern", "name: Skua"],
    ],
    ids=["prose among them", "one row", "one column"],
)
def test_records_that_are_no_table_make_none(texts: list[str]) -> None:
    records = [Record(f"#row={n}", text) for n, text in enumerate(texts, 1)]
    assert page_of_records("file:///boats.csv", records) is None


def test_a_field_that_few_records_have_keeps_its_place() -> None:
    texts = ["a: 1; c: 3", "a: 1; b: 2; c: 3", "b: 2; c: 3"]
    records = [Record(f"#row={n}", text) for n, text in enumerate(texts, 1)]
    page = page_of_records("file:///t.csv", records)
    assert page is not None
    assert page.text == "| a | b | c |\n| 1 |  | 3 |\n| 1 | 2 | 3 |\n|  | 2 | 3 |"


def test_what_looks_like_a_field_in_one_of_many_records_is_none() -> None:
    texts = ["boat: Hern; note: tar; see: page 4", *["boat: Skua; note: new"] * 39]
    records = [Record(f"#row={n}", text) for n, text in enumerate(texts, 1)]
    page = page_of_records("file:///t.csv", records)
    assert page is not None
    assert page.text.startswith("| boat | note |\n| Hern | tar; see: page 4 |\n")


def test_a_head_with_one_row_is_no_table() -> None:
    page = Page(url="file:///a.md", title="A", text="| Lamp | Lit |\n| Orrin | 1788 |\n")
    assert not list(tables_of(page))
