"""Rows under years: which are read, what is over them, and in what unit."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import pool

from quaere.reason.extractive.statements.rows import (
    CAPTION_WORDS,
    LineItem,
    Statement,
    StatementRow,
    label_stems,
    rows_of_years,
    squashed,
    stems,
    wordings_of,
)

ROWS = "| Sales | 5,000 | (4.50) |\n| Assets: | | |\n| Cash at bank | 12 | — |"


def rows(
    head: str, *, above: str = "", first: str = "2022", second: str = "2021", body: str = ROWS
) -> list[StatementRow]:
    """Return the rows of a table under ``head`` with a column of each of two years."""
    table = f"{above}| {head} | {first} | {second} |\n|---|---|---|\n{body}"
    return rows_of_years(pool(("ORME_2022_10K", table)))


def row(head: str = "Orme Works", *, body: str = ROWS, above: str = "") -> StatementRow:
    """Return the first of them."""
    return rows(head, body=body, above=above)[0]


def test_a_row_is_read_with_its_years_section_and_document() -> None:
    sales, cash = rows("Orme Works", above="In thousands of pounds, as follows.\n\n")
    assert (sales.label, dict(sales.values)) == ("Sales", {2022: "5,000", 2021: "(4.50)"})
    assert dict(sales.heads) == {2022: "2022", 2021: "2021"}
    assert (sales.section, cash.section) == ("", "Assets:")
    assert sales.caption == "In thousands of pounds, as follows. Orme Works"
    assert "ORME_2022_10K" in sales.document
    assert not sales.repeats
    assert cash.said_stems >= {"cash", "bank", "asset"}
    assert cash.label_stems == {"cash", "at", "bank"}


def test_amounts_are_to_scale_and_a_dash_is_zero() -> None:
    sales, cash = rows("Orme Works (in thousands)")
    assert (sales.amount(2022), sales.amount(2021)) == (5_000_000, -4_500)
    assert (sales.places(2022), sales.places(2021)) == (0, 2)
    assert (cash.amount(2021), cash.places(2021)) == (0, 0)
    assert [cash.holds(year) for year in (2022, 2021, 2020)] == [True, True, False]


@pytest.mark.parametrize(
    ("cell", "holds"),
    [("-", True), ("$ —", True), ("nil", True), ("Nil", True), ("", False), ("see note", False)],
)
def test_a_cell_without_a_figure_has_no_amount_but_for_a_dash(cell: str, *, holds: bool) -> None:
    assert row(body=f"| Sales | 7 | {cell} |").holds(2021) is holds


@pytest.mark.parametrize(
    ("head", "scale"),
    [
        ("Orme", 1),
        ("Orme (in thousands)", 1_000),
        ("Orme, Thousands of pounds", 1_000),
        ("Orme (in Millions)", 1_000_000),
        ("Orme, billions", 1_000_000_000),
        ("Orme ('000)", 1_000),
        ("Orme (000s)", 1_000),
        ("Orme ($000s)", 1_000),
        ("Orme, in £000", 1_000),
        ("Orme, No. 1000", 1),
    ],
)
def test_amounts_are_told_in_the_unit_over_the_table(head: str, scale: int) -> None:
    assert row(head).scale == scale
    assert row(head).amount(2022) == 5_000 * scale


def test_the_unit_may_stand_over_the_columns() -> None:
    (sales, _) = rows("Orme", first="2022 (in millions)", second="2021 (in millions)")
    assert sales.amount(2022) == 5_000_000_000


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        ("| Diluted earnings per share | 1.20 | 1.10 |", True),
        ("| Basic, per common share | 1.20 | 1.10 |", True),
        ("| Weighted shares outstanding | 90 | 80 |", True),
        ("| Margin | 12% | 11% |", True),
        ("| Margin | 12 | 11% |", True),
        ("| Earnings per share: | | |\n| Diluted | 1.20 | 1.10 |", True),
        ("| Sales | 12 | 11 |", False),
    ],
)
def test_what_is_per_share_or_in_percent_is_not_scaled(body: str, *, plain: bool) -> None:
    read = row("Orme (in thousands)", body=body)
    assert read.is_plain is plain
    assert read.scale == (1 if plain else 1_000)


@pytest.mark.parametrize(
    ("above", "body", "sign"),
    [
        ("", "| Sales | $ 7 | 6 |", "$"),
        ("", "| Sales | 7 | £6 |", "£"),
        ("In € thousands.\n\n", "| Sales | 7 | 6 |", "€"),
        ("In thousands of dollars.\n\n", "| Sales | 7 | 6 |", "$"),
        ("In thousands.\n\n", "| Sales | 7 | 6 |", ""),
    ],
)
def test_the_currency_is_that_of_its_cells_or_of_what_is_over_it(
    above: str, body: str, sign: str
) -> None:
    assert row(above=above, body=body).currency == sign


@pytest.mark.parametrize(
    ("head", "statement"),
    [
        ("Consolidated balance sheets", Statement.BALANCE),
        ("Statement of financial position", Statement.BALANCE),
        ("Statements of cash flows", Statement.CASH),
        ("Income statement", Statement.INCOME),
        ("Statements of operations", Statement.INCOME),
        ("Profit and loss statement", Statement.INCOME),
        ("Statements of comprehensive income", None),
        ("Statements of shareholders' equity", None),
        ("Orme Works", None),
    ],
)
def test_the_statement_is_told_from_what_is_over_the_table(
    head: str, statement: Statement | None
) -> None:
    assert row(head).statement is statement


@pytest.mark.parametrize(
    ("head", "first", "derived"),
    [
        ("Balance sheet", "2022", False),
        ("Balance sheet of the parent", "2022", True),
        ("Balance sheet, pro forma", "2022", True),
        ("Balance sheet", "2022 as reclassified", True),
    ],
)
def test_a_table_about_a_part_or_a_change_is_derived(
    head: str, first: str, *, derived: bool
) -> None:
    assert rows(head, first=first)[0].is_derived is derived


@pytest.mark.parametrize(
    ("head", "year"),
    [
        ("2022", 2022),
        ("May 31, 2022", 2022),
        ("FY22", 2022),
        ("52 weeks ended May 2022", 2022),
        ("41 weeks ended May 2022", 2022),
        ("40 weeks ended May 2022", None),
        ("13 weeks ended May 2022", None),
        ("Three months ended May 2022", None),
        ("Quarter to May 2022", None),
        ("Q1 2022", None),
        ("2022 vs 2021", None),
        ("Change", None),
    ],
)
def test_a_column_is_of_the_one_year_that_heads_it(head: str, year: int | None) -> None:
    read = rows("Orme", first=head, second="2019")[0]
    assert set(read.values) == {2019} | ({year} if year else set())
    assert read.values[2019] == "(4.50)"
    assert year is None or (read.values[year], read.heads[year]) == ("5,000", head)


def test_a_table_without_a_year_has_no_rows() -> None:
    assert rows("Orme", first="Change", second="Q1 2022") == []


def test_of_two_columns_of_one_year_the_first_is_read() -> None:
    first, _ = rows("Orme", first="May 2022", second="2022 restated")
    assert (dict(first.values), first.repeats) == ({2022: "5,000"}, True)


def test_rows_that_lack_a_cell_and_heads_are_passed_over() -> None:
    body = "| Sales | 7 | 6 |\n| Short | 5 |\n| Long | 4 | 3 | 2 |\n| Cash | 9 | 8 |"
    assert [each.label for each in rows("Orme", body=body)] == ["Sales", "Cash"]


def test_a_long_line_above_a_table_says_nothing_of_its_unit() -> None:
    def above(count: int) -> StatementRow:
        return row(above=f"Thousands {' '.join(['word'] * (count - 1))}\n\n")

    assert above(CAPTION_WORDS).scale == 1_000
    assert above(CAPTION_WORDS + 1).scale == 1
    assert above(CAPTION_WORDS + 1).caption == "Orme Works"


def test_a_head_that_tells_the_unit_needs_no_line_above() -> None:
    read = row("Orme (in millions)", above="In thousands, as follows.\n\n")
    assert (read.caption, read.scale) == ("Orme (in millions)", 1_000_000)


def test_each_table_of_a_passage_has_decimals_of_its_own() -> None:
    english = "| Brell | 2022 | 2021 |\n|---|---|---|\n| Sales | 1,200 | 1,100.5 |"
    german = "| Orme | 2022 | 2021 |\n|---|---|---|\n| Sales | 1.200 | 1.100,5 |"
    read = rows_of_years(pool(("Two", f"{english}\n\nAnd the other one.\n\n{german}")))
    assert [(each.amount(2022), each.amount(2021)) for each in read] == [(1_200, 1_100.5)] * 2


@pytest.mark.parametrize(
    ("word", "in_name", "about"),
    [
        ("orm", True, True),
        ("10k", True, True),
        ("or", False, False),
        ("work", False, True),
        ("may", False, True),
        ("brell", False, False),
    ],
)
def test_a_row_is_about_what_names_its_document_or_heads_its_table(
    word: str, *, in_name: bool, about: bool
) -> None:
    read = rows("Orme Works", first="May 2022")[0]
    assert (read.is_in_name(word), read.is_about(word)) == (in_name, about)


def test_what_is_left_over_is_told_from_its_label() -> None:
    assert row(body="| Other assets | 7 | 6 |").is_other
    assert not row(body="| Assets | 7 | 6 |").is_other


def test_a_label_is_compared_without_numbers_links_and_what_is_in_brackets() -> None:
    assert label_stems("Sale-of 12 boats and the nets") == stems("sale boats nets")
    assert row(body="| Shares (par 1 each) | 7 | 6 |").label_stems == {"share"}
    assert squashed("BEST_BUY 2019") == "bestbuy2019"


def test_wordings_of_one_meaning_are_told_once() -> None:
    item = LineItem("sales", None, ("net sales", "sales net", "sales of boats"))
    assert wordings_of(item) == (stems("net sales"), stems("sales boats"))


def test_rows_of_sheets_are_read_with_their_years() -> None:
    sheet = "column 1: Total debt; 2022: 5,275.3; 2021: 4,941.7"
    (debt,) = rows_of_years(pool(("orme.csv", sheet)))
    assert (debt.label, dict(debt.values)) == ("Total debt", {2022: "5,275.3", 2021: "4,941.7"})
    assert debt.amount(2021) == 4941.7


@pytest.mark.parametrize(
    "record",
    [
        "Group: Music; Item: Scores; 2022: 420; 2021: 388",  # the group is no label of the figures
        "2022: 420; 2021: 388",
        "Item: Scores; Price: 420",
    ],
)
def test_records_without_one_label_before_years_are_no_rows_of_statements(record: str) -> None:
    assert rows_of_years(pool(("orme.csv", record))) == []
