"""What the columns of a table hold, and what its rows are called."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.table_pages import passage_of, read

from quaere.reason.extractive.tables.cell_values import flag_of, is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.wording import foremost


def column(*cells: str, head: str = "thing") -> Column:
    return Column(1, head, cells)


def table(text: str, name: str = "huts.md") -> Table:
    (only,) = read(passage_of(name, text))
    return only


@pytest.mark.parametrize(
    ("cells", "kind", "first"),
    [
        (("4 May 1999", "1998-06-09"), Type.DATE, (1999, 5, 4)),
        (("May 1990", "June 1985"), Type.DATE, (1990, 5, 0)),
        (("1990", "1985"), Type.DATE, (1990, 0, 0)),
        (("4 May", "Mon 9 June"), Type.DATE, (0, 5, 4)),
        (("1999-05-04 18:00", "1998-06-09 7:30 to 9:00"), Type.DATE, (1999, 5, 4)),
        (("4 May 1999, 6:15 pm", "9 June 1998"), Type.DATE, (1999, 5, 4)),
        (("May", "June"), Type.TEXT, None),
        (("1990s", "1980s"), Type.NUMBER, (1990,)),
        (("opened 4 May 1999", "closed 9 June 1998"), Type.TEXT, None),
        (("06:40", "23:59:30"), Type.TIME, (400,)),
        (("6:40 pm", "noon", "closed"), Type.TIME, (1120,)),
        (("9 Uhr", "18.30 Uhr"), Type.TIME, (540,)),
        (("12 am", "8 o’clock"), Type.TIME, (0,)),
        (("yes", "No"), Type.FLAG, None),
        (("✓", "✗"), Type.FLAG, None),
        (("yes", "maybe"), Type.TEXT, None),
        (("1,200 m", "13"), Type.NUMBER, (1200,)),
        (("12 pers", "9"), Type.NUMBER, (12,)),
        (("12 persons", "9"), Type.TEXT, None),
        (("about 12", "9"), Type.TEXT, None),
        (("12 to 14", "9"), Type.TEXT, None),
        (("Sol Reed", "Una Wick"), Type.TEXT, None),
        (("", "-"), Type.TEXT, None),
        (("12", "n/a", "–"), Type.NUMBER, (12,)),
    ],
)
def test_the_type_of_a_column_is_that_of_its_filled_cells(
    cells: tuple[str, ...], kind: Type, first: tuple[int, ...] | None
) -> None:
    told = column(*cells)
    assert told.type is kind
    assert told.values[0] == (first and tuple(map(Decimal, first)))


@pytest.mark.parametrize(("others", "kind"), [(9, Type.NUMBER), (8, Type.TEXT)])
def test_nine_of_ten_cells_make_a_type(others: int, kind: Type) -> None:
    told = column(*["7"] * others, "some say 7")
    assert told.type is kind


@pytest.mark.parametrize(
    ("head", "cells", "kind"),
    [
        ("built", ("1500", "2100"), Type.DATE),
        ("built", ("1499", "1800"), Type.NUMBER),
        ("built", ("1500", "2101"), Type.NUMBER),
        ("built", ("1500", "May 2001"), Type.DATE),
        ("Height (m)", ("1640", "1800"), Type.NUMBER),
        ("price_eur", ("1640", "1800"), Type.NUMBER),
        ("built", ("1640 kg", "1800 kg"), Type.NUMBER),
        ("built", ("1640.5", "1800"), Type.NUMBER),
    ],
)
def test_four_figures_are_a_year_unless_they_measure_or_one_can_be_none(
    head: str, cells: tuple[str, ...], kind: Type
) -> None:
    assert column(*cells, head=head).type is kind


@pytest.mark.parametrize(
    ("head", "cells", "unit", "is_money"),
    [
        ("fare_eur", ("12.50", "7.00"), "EUR", True),
        ("price", ("$12", "$7", "7"), "USD", True),
        ("length (m)", ("12", "7"), "m", False),
        ("length", ("12 km", "7 km", "9 mi"), "km", False),
        ("beds", ("12", "7"), "", False),
        ("beds", ("", "-"), "", False),
    ],
)
def test_the_unit_is_in_the_head_or_in_most_cells(
    head: str, cells: tuple[str, ...], unit: str, *, is_money: bool
) -> None:
    told = column(*cells, head=head)
    assert (told.unit, told.is_money) == (unit, is_money)


@pytest.mark.parametrize(
    ("name", "head", "cell", "may_be"),
    [
        ("budget.csv", "2024", "1200", True),
        ("huts.csv", "2024", "1200", False),
        ("huts.csv", "rent", "1200", True),
        ("huts.csv", "bill (€)", "1200", True),
        ("budget.csv", "2024", "1200 kg", False),
        ("budget.csv", "2024", "Ada Finch", False),
    ],
)
def test_bare_figures_may_be_money_where_the_table_or_the_head_tells_of_sums(
    name: str, head: str, cell: str, *, may_be: bool
) -> None:
    told = table(f"| team | {head} |\n| --- | --- |\n| sails | {cell} |\n| ropes | {cell} |", name)
    assert may_be_money(told.columns[1], told) is may_be


@pytest.mark.parametrize(
    ("cells", "is_code", "has_people"),
    [
        (("KT-1001", "KT-1002"), True, False),
        (("KT-1001", "KT-1001"), False, False),
        (("KT-1001", ""), False, False),
        (("KT-1001", "Orrin"), False, False),
        (("Sol Reed", "Una von Wick"), False, True),
        (("Sol", "Una"), False, False),
        (("Sol Reed", "Una Wick", "7 men"), False, False),
    ],
)
def test_codes_tell_rows_apart_and_names_are_of_people(
    cells: tuple[str, ...], *, is_code: bool, has_people: bool
) -> None:
    told = column(*cells)
    assert (told.is_code, told.has_people) == (is_code, has_people)


def test_half_of_the_cells_make_a_column_of_countries() -> None:
    assert column("Norway", "Sweden", "").has_countries
    assert column("Norway", "Orrin").has_countries
    assert not column("Norway", "Orrin", "Brell").has_countries
    assert not column("", "").has_countries


def test_rows_are_called_by_what_names_them() -> None:
    coded = table("| no | name | beds |\n| H1 | Low Tarn | 12 |\n| H2 | Far Moss | 8 |")
    assert (coded.key.head, coded.called(0)) == ("name", "Low Tarn")
    twice = table("| no | name | beds |\n| H1 | Low Tarn | 12 |\n| H2 | Low Tarn | 8 |")
    assert twice.called(1) == "Low Tarn (H2)"
    nameless = table("| no | beds |\n| H1 | 12 |\n| H2 | 8 |")
    assert (nameless.key.head, nameless.called(1)) == ("no", "H2 (8)")
    plain = table("| hut | beds |\n| Low Tarn | 12 |\n| Far Moss | 8 |")
    assert (plain.key.head, plain.called(1)) == ("hut", "Far Moss")


@pytest.mark.parametrize(
    "text",
    [
        "| hut | beds |\n| Low Tarn | 12 |",
        "| hut |\n| Low Tarn |\n| Far Moss |",
        "| hut | beds |\n| Low Tarn | 12 |\n| Far Moss |",
    ],
)
def test_a_row_a_column_or_a_cell_too_few_is_no_table(text: str) -> None:
    assert read(passage_of("huts.md", text)) == ()


def test_a_table_that_is_cut_short_is_not_read() -> None:
    whole = passage_of("huts.md", "| hut | beds |\n| Low Tarn | 12 |\n| Far Moss | 8 |")
    assert read(whole)
    assert not read(whole.model_copy(update={"end": whole.end + 1}))
    assert not read(whole.model_copy(update={"whole_table": False}))


@given(st.lists(st.integers(-3, 3), max_size=5), st.none() | st.integers(-3, 3))
def test_the_foremost_are_all_that_are_worth_most(worths: list[int], least: int | None) -> None:
    columns = [Column(at, str(worth), ()) for at, worth in enumerate(worths)]
    best = foremost(columns, lambda each: float(each.head), least=least)
    enough = [worth for worth in worths if least is None or max(worths) >= least]
    assert best == [each for each in columns if enough and int(each.head) == max(worths)]


@given(st.text(max_size=6))
def test_a_cell_that_says_nothing_is_neither_yes_nor_no(cell: str) -> None:
    assert not (is_empty(cell) and flag_of(cell) is not None)
    assert flag_of(cell) is flag_of(f" {cell.upper()} ".casefold())


@pytest.mark.parametrize(
    ("head", "cells", "unit", "said"),
    [
        ("nitrate_mg_l", ("3.1", "12"), "mg/l", ("nitrate", "mg", "l")),
        ("pH", ("7.1", "8"), "", ("ph",)),
        ("hire per hour", ("7", "8"), "", ("hire", "per", "hour")),
        ("unitPrice", ("7.1", "8"), "", ("unit", "price")),
        ("Price (£)", ("7.1", "8"), "GBP", ("price",)),
    ],
)
def test_heads_are_read_with_their_units(
    head: str, cells: tuple[str, ...], unit: str, said: tuple[str, ...]
) -> None:
    column = Column(1, head, cells)
    assert column.unit == unit
    assert [word for word in column.said if word in said] == [
        word for word in said if word in column.said
    ]
    assert set(column.said) <= set(said)


def test_what_a_figure_is_told_for_is_not_its_unit() -> None:
    assert Column(0, "Beats per min", ("60", "80")).unit != "min"


@pytest.mark.parametrize(("taxes", "foot"), [(0, 2), (3, 5), (4, 1)])
def test_a_foot_has_five_rows_at_most(taxes: int, foot: int) -> None:
    sums = ("Net total", *(f"Tax {number}" for number in range(taxes)), "Total")
    rows = "".join(f"\n| {name} | 3 |" for name in ("Tar", "Rope", "Oil", *sums))
    bill = table(f"| ware | sum |\n| --- | --- |{rows}")
    assert len(bill.totals) == foot
    assert len(bill.columns[0].cells) == 3 + len(sums) - foot
