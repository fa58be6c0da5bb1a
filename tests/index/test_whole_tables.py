"""Whole tables out of what an index keeps."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.index.folders import SOURCES, write

from quaere.domain.question import Intent, Query
from quaere.domain.source import Mark, Page, Passage
from quaere.index.folder_index import TABLES, FolderIndex
from quaere.index.whole_tables import (
    MOST_CHARS,
    MOST_ROWS,
    Record,
    page_of_records,
    tables_of,
    too_large,
)

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


def test_a_dozen_files_of_records_are_all_looked_at(tmp_path: Path) -> None:
    files = {f"boats_{n}.csv": BOATS for n in range(12)}
    assert len(tables(indexed(tmp_path, files), "Who was hired last?")) == len(files)


def test_of_more_files_of_records_than_there_is_room_for_that_of_a_row_found_comes(
    tmp_path: Path,
) -> None:
    files = {f"boats_{n}.csv": BOATS for n in range(TABLES + 1)}
    index = indexed(tmp_path, {**files, "quays.csv": "quay,depth\nOss,4\nPell,7\n"})
    assert "quays.csv" in [table.title for table in tables(index, "How deep is the quay of Oss?")]


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
    assert table.text == "boats.csv has 10,001 rows, and no more than 10,000 are read as a whole"
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


def lamps(rows: int, width: int = 1) -> str:
    return "| Lamp | Lit |\n|---|---|\n" + f"| {'x' * width} | 1788 |\n" * rows


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (lamps(1), 0),
        (lamps(2), 1),
        (lamps(2).rstrip(), 1),
        (lamps(2).replace("|---|---|\n", ""), 1),
        (lamps(MOST_ROWS), 1),
        (lamps(MOST_ROWS + 1), 0),
        (lamps(2) + lamps(2), 1),
        (f"{lamps(2)}\n{lamps(2)}", 2),
        (f"{lamps(1)}\n{lamps(1)}", 0),
        (lamps(2, MOST_CHARS // 2 - 100), 1),
        (lamps(2, MOST_CHARS // 2), 0),
        (f"{lamps(2)}{'x' * (MOST_CHARS - len(lamps(2)))}", 1),
        (f"{lamps(2)}{'x' * (MOST_CHARS - len(lamps(2)) + 1)}", 0),
        ("No table.", 0),
    ],
)
def test_tables_of_two_rows_or_more_are_read_as_far_as_they_are_not_too_large(
    text: str, count: int
) -> None:
    assert len(list(tables_of(Page(url="file:///a.md", title="A", text=text)))) == count


def test_a_table_is_read_up_to_its_very_limits_of_characters() -> None:
    text = lamps(2, 1)
    longest = text.rstrip().replace("x", "x" * (MOST_CHARS - len(text.rstrip()) + 1), 1)
    for page_text, count in ((longest, 1), (longest.replace("x", "xx", 1), 0)):
        page = Page(url="file:///a.md", title="A", text=page_text)
        assert len(list(tables_of(page))) == count


def test_a_table_knows_where_it_is_and_which_marks_are_its_own() -> None:
    text = f"Before.\n{lamps(2)}After.\n"
    starts = [at for at in range(len(text)) if at == 0 or text[at - 1] == "\n"]
    marks = tuple(Mark(start=at, label=f"line {n}") for n, at in enumerate(starts[:-1], 1))
    (table,) = tables_of(
        Page(url="file:///a.md", title="A", text=text, marks=marks, author="Orla Finn")
    )
    assert text[table.start : table.end] == table.text == lamps(2).rstrip()
    assert table.locator == "lines 2-5"
    assert [mark.label for mark in table.marks] == ["line 2", "line 3", "line 4", "line 5"]
    assert (table.author, table.table_head, table.whole_table) == (
        *("Orla Finn", "| Lamp | Lit |"),
        True,
    )


def test_a_table_whose_head_has_no_mark_is_where_its_first_row_is() -> None:
    records = [Record(f"#row={n}", f"boat: B{n}; mast: {n}") for n in (1, 2, 3)]
    page = page_of_records("file:///a%20t.csv", records)
    assert page is not None
    (table,) = tables_of(page)
    assert [page.text[mark.start :][:6] for mark in page.marks] == ["| B1 |", "| B2 |", "| B3 |"]
    assert table.locator == "rows 1-3"
    assert (page.title, page.url) == ("a t.csv", "file:///a%20t.csv")


@pytest.mark.parametrize(
    ("count", "made"), [(1, False), (2, True), (10_000, True), (10_001, False)]
)
def test_two_to_ten_thousand_records_make_a_table(count: int, *, made: bool) -> None:
    records = [Record(f"#row={n}", f"boat: B{n}; mast: {n}") for n in range(count)]
    assert (page_of_records("file:///t.csv", records) is not None) is made


def test_records_of_more_characters_than_are_read_as_a_whole_make_no_table() -> None:
    def made(width: int) -> Page | None:
        texts = ["boat: Hern; note: new", f"boat: Skua; note: {'x' * width}"]
        return page_of_records(
            "file:///t.csv", [Record(f"#row={n}", t) for n, t in enumerate(texts)]
        )

    short = made(1)
    assert short is not None
    widest = MOST_CHARS - len(short.text) + 1
    assert made(widest) is not None
    assert made(widest + 1) is None


def test_what_stands_for_a_table_that_is_too_large_holds_no_row() -> None:
    told = too_large("file:///docs/old%20boats.csv", 12_345)
    assert told.text == "old boats.csv has 12,345 rows, and no more than 10,000 are read as a whole"
    assert (told.title, told.start, told.end) == ("old boats.csv", 0, len(told.text))
    assert told.whole_table


def test_a_name_that_ends_in_another_is_a_field_of_its_own() -> None:
    texts = ["mast: 1; mast height: 2", "mast: 3; mast height: 4"]
    page = page_of_records("file:///t.csv", [Record(f"#row={n}", t) for n, t in enumerate(texts)])
    assert page is not None
    assert page.text == "| mast | mast height |\n| 1 | 2 |\n| 3 | 4 |"


@pytest.mark.parametrize(
    "text", ["Prose. It has; boat: Skua; mast: 9", "boat: Skua\nmast: 9; mast: 9", "Prose alone."]
)
def test_a_record_that_is_not_of_fields_alone_makes_no_table(text: str) -> None:
    records = [Record("#row=1", "boat: Hern; mast: 12"), Record("#row=2", text)]
    records.append(Record("#row=3", "boat: Tern; mast: 7"))
    assert page_of_records("file:///t.csv", records) is None


@pytest.mark.parametrize(
    ("before", "after", "beside"),
    [
        ("Machines of the north mole.", "Ask Nils.", "Machines of the north mole."),
        ("Shifts", "E = early, L = late", "Shifts\nE = early, L = late"),
        ("# Shifts", "", ""),
        ("Long. " * 100, "", ""),
    ],
)
def test_a_table_has_what_is_written_right_beside_it(before: str, after: str, beside: str) -> None:
    text = f"Old.\n\n{before}\n\n| Name | Mon |\n| Ada | E |\n| Bo | L |\n\n{after}\n\nNew."
    (only,) = tables_of(Page(url="file:///a.txt", title="", text=text))
    assert only.beside == beside


def test_tables_of_a_small_folder_are_looked_at_whatever_they_say(tmp_path: Path) -> None:
    index = indexed(tmp_path, {"lamps.md": LAMPS, "boats.csv": BOATS})
    assert len(tables(index, "Who came third?")) == 3


def test_tables_of_many_pages_are_those_of_what_is_found(tmp_path: Path) -> None:
    files = {f"note_{n}.md": f"# Note {n}\n\nNothing.\n" for n in range(60)}
    index = indexed(tmp_path, {**files, "lamps.md": LAMPS})
    assert tables(index, "Who came third?") == []
    assert len(tables(index, "When was the lamp Orrin lit?")) == 2


def test_of_a_page_with_more_tables_than_there_is_room_for_those_with_most_words_come(
    tmp_path: Path,
) -> None:
    log = "# Log\n\n" + "\n".join(
        f"How many lamps a deep limit has in {n}.\n\n"
        f"| lamp | lit |\n|---|---|\n| Orrin | {n} |\n| Brell | 4 |\n"
        for n in range(30)
    )
    budget = "# Budget\n\n| limit | plain | deep |\n|---|---|---|\n| lamps | 4 | 9 |\n"
    budget += "| oars | 5 | 8 |\n"
    index = indexed(tmp_path, {"log.md": log, "z.md": budget})
    found = tables(index, "How many lamps has a deep limit?")
    assert "Budget" in [each.title for each in found]
    assert len(found) == TABLES


def test_beside_long_tables_others_are_left_unread_and_that_is_said(tmp_path: Path) -> None:
    heads = "boat," + ",".join(f"berth{n}" for n in range(6)) + "\n"
    cells = ",".join("x" * 40 for _ in range(6))
    count = 2 * MOST_CHARS // (5 * len(cells))  # two fifths of what there is room for
    files = {
        f"boats {name}.csv": heads + "".join(f"{name}{n},{cells}\n" for n in range(count))
        for name in "abc"
    }
    files["skiffs.csv"] = BOATS  # there is room for what is short
    found = tables(indexed(tmp_path, files), "Which boat has the longest berth0?")
    read = [each.text for each in found if each.text.startswith("|")]
    said = [each.text for each in found if not each.text.startswith("|")]
    assert len(read) == 3
    assert any("Skua" in text for text in read)
    assert len(said) == 1
    assert said[0].endswith("was not read as a whole, as other tables were, which are long")
