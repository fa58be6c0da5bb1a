from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from functools import partial

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body
from tests.read.workbooks import Cell, workbook, zipped
from tests.timing import cpu_s

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract import office
from quaere.read.extract.cell_formats import CellFormat, format_of
from quaere.read.extract.sheets import sheets_page
from quaere.read.extract.xlsx import XlsxExtractor
from quaere.read.formats import Format

BERTHS: list[list[Cell]] = [
    ["Berth", "Length", "Since"],
    ["Heron", 9, (45_000, 0)],
    ["Sorrel", 12.5, (45_001.5, 0)],
]
HEAD, *ROWS = ("| Berth | Length | Since |", "| Heron | 9 | 2023-03-15 |")


class TestXlsxExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> XlsxExtractor:
        return XlsxExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(workbook({"Berths": [*BERTHS, [FACT]]}), "berths.xlsx")


def read(rows: Sequence[Sequence[Cell]], *, merged: Sequence[str] = ()) -> Page:
    data = workbook({"Berths": rows}, codes=["yyyy-mm-dd"], merged=merged)
    return next(XlsxExtractor().extract(body(data, "berths.xlsx")))


def rows_of(page: Page) -> list[str]:
    return [line for line in page.text.split("\n") if line]


def status_of(data: bytes) -> str:
    pages, error = outcome(XlsxExtractor(), body(data, "berths.xlsx"))
    assert not pages
    assert error is not None
    return error.status


@pytest.mark.parametrize(("below", "merged"), [("", []), ("", ["A1:A2", "B1:C1"])])
def test_heads_in_two_rows_are_told_as_one(below: str, merged: list[str]) -> None:
    heads: list[list[Cell]] = [["Port", "Grain", "", "Timber"], [below, "2021", "2022", "2022"]]
    page = read([*heads, ["Pell", 5, 6, 7]], merged=merged)
    assert rows_of(page)[1:] == [
        "| Port | Grain 2021 | Grain 2022 | Timber 2022 |",
        "| Pell | 5 | 6 | 7 |",
    ]


def test_each_sheet_that_is_shown_is_a_heading_with_its_rows() -> None:
    sheets = {"Berths": BERTHS, "Lists": [["secret", "x"]], "Dues": [["Due", "Sum"], ["Berth", 84]]}
    data = workbook(sheets, codes=["yyyy-mm-dd"], hidden=["Lists"], title="Harbour")
    page = next(XlsxExtractor().extract(body(data, "berths.xlsx")))
    assert page.title == "Harbour"
    assert page.author == "Mara Lind"
    assert rows_of(page) == [
        "## Berths",
        HEAD,
        *ROWS,
        "| Sorrel | 12.5 | 2023-03-16 |",
        "## Dues",
        "| Due | Sum |",
        "| Berth | 84 |",
    ]


def test_title_author_date_and_language_are_told() -> None:
    told = "<dc:date/><modified>2024-05-06T07:08:09Z</modified><dc:language>de-DE</dc:language>"
    berths = workbook({"Berths": BERTHS}, title="Harbour")
    known = repacked(berths, "</cp:coreProperties>", f"{told}</cp:coreProperties>")
    (page,) = XlsxExtractor().extract(body(known, Format.XLSX))
    assert (page.title, page.author) == ("Harbour", "Mara Lind")
    assert (page.published, page.language) == ("2024-05-06", "de")


def test_a_citation_names_sheet_and_row() -> None:
    page = read(BERTHS)
    assert page.label_at(page.text.index("Sorrel")) == "Berths row 3"


def test_titles_notes_and_tables_side_by_side_are_told_apart() -> None:
    page = read(
        [
            ["Berths of the north pier"],
            ["Berth", "Length", None, "Month", "Dues"],
            ["Heron", 9, None, "May", 84],
            ["Sorrel", 12, None, "June", 90],
            [],
            ["All lengths in metres."],
        ]
    )
    assert page.text.split("\n")[1:] == [
        "",
        "Berths of the north pier",
        "",
        "| Berth | Length |",
        "| Heron | 9 |",
        "| Sorrel | 12 |",
        "",
        "| Month | Dues |",
        "| May | 84 |",
        "| June | 90 |",
        "",
        "All lengths in metres.",
        "",
    ]


def test_a_total_below_an_empty_row_is_a_row_of_the_table() -> None:
    assert rows_of(read([*BERTHS, [], ["Total", 21.5]]))[-1] == "| Total | 21.5 |  |"


def test_rows_with_empty_ones_between_take_no_longer_each_the_more_there_are() -> None:
    rows: dict[int, dict[int, str]] = {1: {0: "Berth", 1: "Ships"}, 2: {0: "Heron", 1: "9"}}
    rows |= {number: {0: "Total", 1: "21"} for number in range(4, 32_000, 2)}
    work = partial(sheets_page, body(b"", "a.xlsx"), Format.XLSX, [("Berths", rows)])
    assert cpu_s(work, enough_s=1) < 1


def test_a_row_below_another_that_stands_alone_is_no_row_of_its_table() -> None:
    page = read([["Pier", "North"], [], ["Berths", 12]])
    assert "| Pier | North |\n\n| Berths | 12 |" in page.text


def test_rows_and_cells_that_do_not_say_where_they_are_follow_one_another() -> None:
    data = workbook({"Berths": [["Pier", "Ships"], ["North", 12]]}, numbered=False)
    page = next(XlsxExtractor().extract(body(data, "berths.xlsx")))
    assert rows_of(page)[1:] == ["| Pier | Ships |", "| North | 12 |"]
    labels = [page.label_at(page.text.index(word)) for word in ("Pier", "North")]
    assert labels == ["Berths row 1", "Berths row 2"]


def test_a_cell_that_is_merged_over_rows_is_said_in_each() -> None:
    rows: list[list[Cell]] = [["Pier", "Berth"], ["North", "Heron"], [None, "Sorrel"]]
    assert rows_of(read(rows, merged=["A2:A3"]))[-1] == "| North | Sorrel |"


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("", 0.1 + 0.2, "0.3"),
        ("General", 1234.5, "1234.5"),
        ("0.00", 4.5, "4.50"),
        ("#,##0", 42_000, "42,000"),
        ("0.0%", 0.125, "12.5%"),
        ('"£"#,##0.00', 9.85, "£9.85"),
        ("[$€-407] #,##0.00;[Red]-[$€-407] #,##0.00", -9.5, "-€9.50"),
        ("#,##0.00\\ [$€-407]", 9.5, "9.50 €"),
        ("dd/mm/yyyy;@", 45_000, "2023-03-15"),
        ("d mmm yyyy h:mm", 45_000.75, "2023-03-15 18:00"),
        ("h:mm AM/PM", 0.78125, "18:45"),
        ("[h]:mm", 1.5, "36:00"),
        ("yyyy-mm-dd", -3, "-3"),
        ('0" days"', 12, "12"),
        ("# ?/8", 0.5, "0.5"),
        ("0.00E+00", 1.5e-7, "1.5e-07"),
        ("0", 2.5, "3"),
        ("0.00", 1.005, "1.01"),
        ("0%", 0.125, "13%"),
        ("0", 1e300, f"1{'0' * 300}"),
        ("0.0", float("inf"), "inf"),
        (f"0.{'0' * 5_000}", 1.5, f"1.5{'0' * 29}"),
        ("mmm", 45_000, "2023-03-15"),
        ("[$-409]mmmm", 45_000, "2023-03-15"),
        ("yyyy-mm-dd", 2_958_465, "9999-12-31"),
        ("yyyy-mm-dd h:mm", 2_958_465.9999999, "9999-12-31 23:59"),
        ("mm:ss", 205 / 86_400, "00:03:25"),
        ("[mm]:ss", 1.5, "36:00"),
        ("[mm]:ss", 5_405 / 86_400, "1:30:05"),
        ("[Magenta]0.0", 3.25, "3.3"),
    ],
)
def test_numbers_are_shown_as_the_sheet_shows_them(code: str, value: float, shown: str) -> None:
    assert CellFormat(code).shown(value) == shown


@pytest.mark.parametrize(
    ("numbers", "value", "shown"),
    [
        ((0, 11, 12, 13, 48, 49), 1234.5, "1234.5"),
        ((1,), 1234.6, "1235"),
        ((2,), 1234.5, "1234.50"),
        ((3, 37, 38), 1234.6, "1,235"),
        ((4, 39, 40), 1234.5, "1,234.50"),
        ((9,), 0.123, "12%"),
        ((10,), 0.123, "12.30%"),
        ((14, 15, 16, 17), 45_000.75, "2023-03-15"),
        ((18, 19, 20, 21), 45_000.75, "18:00"),
        ((22,), 45_000.75, "2023-03-15 18:00"),
        ((46,), 1.5, "36:00"),
    ],
)
def test_formats_that_no_file_spells_out(
    numbers: tuple[int, ...], value: float, shown: str
) -> None:
    assert {number: format_of(number, {}).shown(value) for number in numbers} == dict.fromkeys(
        numbers, shown
    )


def test_a_file_may_spell_out_a_known_format_and_count_days_since_1904() -> None:
    assert format_of(14, {}).shown(43_538, since_1904=True) == "2023-03-15"
    assert format_of(14, {}).shown(2_957_003, since_1904=True) == "9999-12-31"
    assert format_of(14, {}).shown(2_957_004, since_1904=True) == "2957004"
    assert format_of(14, {14: "0.0"}).shown(3) == "3.0"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (workbook({"Empty": []}), "empty"),
        (workbook({"Berths": BERTHS})[:-40], "broken"),
        (zipped({"xl/workbook.xml": "<workbook"}), "broken"),
    ],
    ids=["nothing", "cut", "no XML"],
)
def test_what_cannot_be_read_is_refused(data: bytes, status: str) -> None:
    assert status_of(data) == status


def test_one_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "MAX_PART_BYTES", 100)
    assert status_of(workbook({"Berths": BERTHS})) == "too_large"


def test_areas_that_overlap_go_over_no_more_rows_than_a_workbook_has_cells() -> None:
    rows = [[f"row {number}", number] for number in range(20_000)]
    data = workbook({"A": rows}, merged=["A1:A9999999"] * 20_000)
    document = body(data, "a.xlsx")
    assert cpu_s(lambda: list(XlsxExtractor().extract(document)), enough_s=8) < 8


def test_a_number_that_no_row_has_is_none() -> None:
    data = workbook({"A": [["North", 140]]})
    longest = repacked(data, 'r="1"', f'r="{"9" * 5000}"')
    assert "| North | 140 |" in next(XlsxExtractor().extract(body(longest, "a.xlsx"))).text


def repacked(data: bytes, old: str, new: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert any(old in part for part in parts.values())
    return zipped({name: part.replace(old, new) for name, part in parts.items()})
