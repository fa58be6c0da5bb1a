from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body
from tests.timing import cpu_s

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.records import CsvExtractor


class TestCsvExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> CsvExtractor:
        return CsvExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(f'name,cars,remark\r\nPell,11,"{FACT}"\r\nTarn,7,\r\n', "ports.csv")


def read(text: str, name: str = "ports.csv") -> list[Page]:
    return list(CsvExtractor().extract(body(text, name)))


def test_each_record_is_a_page_with_its_row() -> None:
    pages = read("name,cars\nPell,11\nTarn,7\n")
    assert [page.text for page in pages] == ["name: Pell; cars: 11", "name: Tarn; cars: 7"]
    assert [page.title for page in pages] == ["Pell", "Tarn"]
    assert pages[1].url == "file:///docs/ports.csv#row=2"
    assert pages[1].marks == (Mark(start=0, label="row 2"),)
    assert pages[1].content_type == "text/csv"


def test_a_record_without_a_name_is_called_by_its_row() -> None:
    assert read("port,cars\nPell,11\n")[0].title == "ports.csv row 1"


@pytest.mark.parametrize(
    "text",
    [
        "port;cars\nPell;11,5\nTarn;7,0\n",
        "port\tcars\nPell\t11,5\nTarn\t7,0\n",
        "port|cars\nPell|11,5\nTarn|7,0\n",
        'port,cars\nPell,"11,5"\nTarn,"7,0"\n',
    ],
)
def test_the_delimiter_is_found(text: str) -> None:
    assert [page.text for page in read(text)] == ["port: Pell; cars: 11,5", "port: Tarn; cars: 7,0"]


def test_quoted_cells_may_hold_delimiters_quotes_and_lines() -> None:
    pages = read('port,remark\nPell,"one, ""two""\nthree"\nTarn,four\n')
    assert [page.text for page in pages] == [
        'port: Pell; remark: one, "two"\nthree',
        "port: Tarn; remark: four",
    ]


def test_a_header_of_years_is_a_header() -> None:
    assert read("port,2019,2020\nPell,11,12\n")[0].text == "port: Pell; 2019: 11; 2020: 12"


def test_heads_in_two_rows_are_told_as_one() -> None:
    pages = read("Port,Grain,,Timber\n,2021 (t),2022 (t),2022 (t)\nPell,5,6,7\n")
    assert [page.text for page in pages] == [
        "Port: Pell; Grain 2021 (t): 5; Grain 2022 (t): 6; Timber 2022 (t): 7"
    ]
    over = read(",Grain,,Timber\nPort,2021,2022,2022\nPell,5,6,7\n")
    assert over[0].text == "Port: Pell; Grain 2021: 5; Grain 2022: 6; Timber 2022: 7"


@pytest.mark.parametrize(
    "rows",
    ["Port,Grain,\n,5,6\n", "Port,Grain,\nPell,few,many\n", "Port,Grain,Timber\n,few,many\n"],
)
def test_a_first_record_is_not_taken_for_heads(rows: str) -> None:
    assert len(read(rows)) == 1


def test_a_first_row_that_begins_with_a_number_is_data() -> None:
    pages = read("1,Pell\n2,Tarn\n")
    assert [page.text for page in pages] == [
        "column 1: 1; column 2: Pell",
        "column 1: 2; column 2: Tarn",
    ]


def test_missing_and_surplus_cells_are_kept_apart() -> None:
    pages = read("port,cars\nPell\nTarn,7,new\n")
    assert [page.text for page in pages] == ["port: Pell", "port: Tarn; cars: 7; column 3: new"]


def test_empty_rows_are_counted_but_not_shown() -> None:
    pages = read("port,cars\n,\nPell,11\n")
    assert [page.url.partition("#")[2] for page in pages] == ["row=2"]


def test_a_malformed_record_costs_no_other_record() -> None:
    text = 'port,cars\nPell,11\n"Ostrow,4\nTarn,7\n"Quay"x,3\nLind,2\n'
    pages, error = outcome(CsvExtractor(), body(text, "ports.csv"))
    assert [page.text for page in pages] == [
        "port: Pell; cars: 11",
        "port: Tarn; cars: 7",
        "port: Lind; cars: 2",
    ]
    assert error is not None
    assert error.status == ReadStatus.BROKEN
    assert "2 of 5 records" in error.message
    assert "line 3" in error.message


@pytest.mark.parametrize("text", ["", "\n\n", "port,cars\n", ",\n,\n"])
def test_a_table_without_records_is_empty(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        read(text)
    assert caught.value.status == ReadStatus.EMPTY


def test_quotes_that_never_close_take_no_more_than_linear_time() -> None:
    hostile = body("a,b\n" + '"\n"x,y\n' * 20_000, "quotes.csv")
    pages, _ = outcome(CsvExtractor(), hostile)
    assert cpu_s(lambda: outcome(CsvExtractor(), hostile), enough_s=4) <= 4
    assert len(pages) < 40_001


CELL = st.text(st.characters(codec="ascii", exclude_categories=["C"]), min_size=1).filter(
    lambda text: text == text.strip()
)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6))
def test_what_a_csv_writer_writes_comes_back(rows: list[tuple[str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([("first", "second"), *rows])
    pages = read(out.getvalue())
    assert [page.text for page in pages] == [f"first: {a}; second: {b}" for a, b in rows]


def test_a_head_over_several_columns_may_be_written_over_each() -> None:
    rows = "Site,2023,2023,2024,2024\n,Gas,Peat,Gas,Peat\nMill,4,1,5,2\n"
    (page,) = read(rows)
    assert "2023 Gas: 4" in page.text
    assert "2024 Peat: 2" in page.text


def test_columns_of_one_name_are_told_apart() -> None:
    (page,) = read("Pier,Time,Keeper,Time\nMole 3,06:40,Ada,21:15\n")
    assert page.text == "Pier: Mole 3; Time: 06:40; Keeper: Ada; Time (2): 21:15"
