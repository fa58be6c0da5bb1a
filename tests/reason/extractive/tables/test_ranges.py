"""Rows that stand for stretches of amounts, and columns that are set against each other."""

from __future__ import annotations

from decimal import Decimal

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables import ranges
from quaere.reason.extractive.tables.ranges import stretch_of

_POST = """\
Weight (kg),Inland,Abroad,Days
Up to 2,£4.20,£9.50,3
2.1 to 5,£6.10,£14.00,3
5.1-20,£9.90,£31.00,5
Over 20,£18.00,,9"""
_STORE = """\
Ware,In store,Minimum,Price (£)
Tar,4,6,12.50
Rope,9,5,3.20
Lamp oil,6,6,8.00"""
POST = read(passage_of("parcels.md", piped(_POST)))
STORE = read(passage_of("store.csv", piped(_STORE)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does a parcel of 3 kg cost abroad?", "£14.00"),
        ("How many days for a parcel of 25 kg?", "9 days"),
        ("How many days for a parcel of 25?", "9 days"),
        ("What does a parcel of 2 kg cost inland?", "£4.20"),
        ("What does a parcel of 5.05 kg cost inland?", None),
        ("What does a parcel of 3 kg cost by air?", None),
    ],
)
def test_an_amount_is_in_the_row_of_its_stretch(question: str, answer: str | None) -> None:
    assert told(question, POST) == answer


def test_no_cell_is_read_as_a_stretch_for_a_question_without_an_amount(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []

    def seen(cell: str, _: str) -> None:
        looked_at.append(cell)

    monkeypatch.setattr(ranges, "stretch_of", seen)
    assert told("Who keeps the parcels?", POST) is None
    assert not looked_at
    told("What does a parcel of 4.5 kg cost inland?", POST)
    assert looked_at


def test_a_time_in_another_unit_is_in_no_row() -> None:
    rows = "Years of service,Days of leave\nless than 2,20\n2 to 9,25"
    table = read(passage_of("leave.md", piped(rows)))
    assert told("How many days of leave do I get after 4 years?", table) == "25"
    assert told("How many days of leave do I get after 4 months?", table) is None
    assert told("How many days of leave do I get after 4 months, a year?", table) is None


def test_an_amount_at_the_end_of_one_stretch_and_the_beginning_of_the_next_is_in_neither() -> None:
    met = read(passage_of("parcels.md", piped(_POST.replace("2.1", "2").replace("5.1", "5"))))
    assert told("What does a parcel of 5 kg cost inland?", met) is None
    assert told("What does a parcel of 4 kg cost inland?", met) == "£6.10"


@pytest.mark.parametrize(
    ("cell", "held", "left"),
    [
        ("less than 2 years", 1, 2),
        ("Under 16", 15, 16),
        ("up to 10", 10, 11),
        ("> 4", 5, 4),
        ("65 and over", 65, 64),
        ("10+", 10, 9),
        ("3–7", 7, 8),
        ("£5 to £9.99", 5, 10),
        ("12", 12, 13),
    ],
)
def test_stretches_are_worded_in_many_ways(cell: str, held: int, left: int) -> None:
    stretch = stretch_of(cell)
    assert stretch is not None
    assert stretch.holds(Decimal(held))
    assert not stretch.holds(Decimal(left))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does a letter of 20 g cost?", "£1.10"),
        ("What does a letter of 0.3 kg cost?", "£2.40"),
        ("What does a letter of 3 kg cost?", "£6.00"),
    ],
)
def test_units_of_one_kind_are_told_in_each_other(question: str, answer: str) -> None:
    rows = "Letter,Price\nup to 50 g,£1.10\n51 g to 1 kg,£2.40\nover 1 kg,£6.00"
    assert told(question, read(passage_of("letters.md", piped(rows)))) == answer


@pytest.mark.parametrize("cell", ["", "some", "7 to 3", "1, 2 or 3", "2 boats of 4 men in 3 days"])
def test_what_is_no_stretch_stands_for_nothing(cell: str) -> None:
    assert stretch_of(cell) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which wares are below the minimum?", "Tar"),
        ("How many wares in store are above their minimum level?", "1"),
        ("Is the rope above its minimum?", "Yes"),
        ("Is the lamp oil above its minimum?", "No"),
        ("Which wares have fewer than 5 in store?", "Tar"),
        ("Which wares are at or below the minimum?", "Tar, Lamp oil"),
        ("Which wares are at or above the minimum?", "Rope, Lamp oil"),
        ("Which wares are below the minimum in Orrin?", None),
    ],
)
def test_one_column_is_set_against_another(question: str, answer: str | None) -> None:
    found = told(question, STORE)
    assert (found and found.partition(" (")[0]) == answer


def test_a_price_is_not_set_against_a_bound_of_pieces() -> None:
    store = read(passage_of("store.csv", piped(_STORE.replace("Price (£)", "Unit price"))))
    found = told("Which wares are below the minimum?", store)
    assert found == "Tar (1 of 3 rows of store.csv)"


_SWIMS = """\
Swim,Adult,Junior (4–15),Over 65
Morning,£4.20,£2.10,£3.00
All day,£6.50,£3.80,£4.60"""
_NAILS = """\
Nail,Code,Price,From 10 pieces,From 100 pieces
Copper nail 40 mm,N1,2.00,1.80,1.50
Iron nail 12 mm,N2,1.00,0.90,0.80"""
SWIMS = read(passage_of("swims.md", piped(_SWIMS)))
NAILS = read(passage_of("price_list.md", piped(_NAILS)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much is the all day swim for a 70 year old?", "£4.60"),
        ("How much is the all day swim for a 9 year old?", "£3.80"),
        ("How much is the all day swim for a 40 year old?", "£6.50"),
        ("What do 3 juniors pay for the morning swim?", "£6.30 (3 × £2.10)"),
        ("How much is the all day swim for a 9 stone dog?", None),
    ],
)
def test_an_age_is_of_the_column_whose_head_it_falls_into(
    question: str, answer: str | None
) -> None:
    assert told(question, SWIMS) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the price each for 20 pieces of copper nail 40 mm?", "1.80"),
        ("What do 20 pieces of copper nail 40 mm cost?", "36 (20 × 1.80)"),
        ("What do 300 pieces of iron nail 12 mm cost?", "240 (300 × 0.80)"),
        ("What do 5 pieces of iron nail 12 mm cost?", "5 (5 × 1.00)"),
    ],
)
def test_a_price_from_so_many_pieces_on_is_that_of_so_many(question: str, answer: str) -> None:
    """The 12 pieces of another question are no "12 mm", either."""
    assert told(question, NAILS) == answer


_METERS = """\
Site,Power 2022 (MWh),Power 2023 (MWh),Gas 2022 (MWh),Gas 2023 (MWh)
Quay,410.5,380.0,905,840
Hall,96.3,101.8,155,149
Depot,210.0,,88,92"""
METERS = read(passage_of("meters.csv", piped(_METERS)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Which site used more power in 2023 than in 2022?",
            "Hall (1 of 3 rows of meters.csv)",
        ),
        (
            "Which sites used less gas in 2023 than in 2022?",
            "Quay, Hall (2 of 3 rows of meters.csv)",
        ),
        (
            "By how much did power at the quay go down from 2022 to 2023?",
            "30.50 MWh (Quay: Power 2022 (MWh) 410.5, Power 2023 (MWh) 380.0)",
        ),
        (
            "How much did gas in the depot rise between 2022 and 2023?",
            "4 MWh (Depot: Gas 2022 (MWh) 88, Gas 2023 (MWh) 92)",
        ),
        ("Which site used more water in 2023 than in 2022?", None),
        ("By how much did power at the depot go down from 2022 to 2023?", None),
    ],
)
def test_two_columns_of_one_thing_are_set_against_each_other(
    question: str, answer: str | None
) -> None:
    assert told(question, METERS) == answer
