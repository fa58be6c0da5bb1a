"""Which row of a table a question puts first, by which column, and which way round."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.domain.report import SURE
from quaere.reason.extractive.tables.across import asks_across
from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.rows import nearly_answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which product is the heaviest?", "Chain (weight_kg: 30 kg)"),
        ("Which product is the lightest?", "Dinghy rope (weight_kg: 2 kg)"),
        ("Which product is the most expensive?", "Chain (price_eur: 90 EUR)"),
        ("Which product is the least expensive?", "Dinghy rope (price_eur: 15 EUR)"),
        ("Which product has the fastest delivery?", "Dinghy rope (delivery_days: 1 days)"),
        ("Which product has the longest shelf life?", "Anchor, Chain (shelf_life_days: 900 days)"),
        ("Which trip is the shortest?", "Skarrow Bay (length_km: 5 km)"),
        ("Who earns the most?", "Una Wick (salary_eur: 72000 EUR)"),
        ("Who earns the least?", "Cleo Hart (salary_eur: 28000 EUR)"),
        ("Who is the best paid employee?", "Una Wick (salary_eur: 72000 EUR)"),
        ("Who was hired first?", "Una Wick (hired: 2004-09-01)"),
        ("Who was hired most recently?", "Cleo Hart (hired: 2021-01-10)"),
        ("Which task had the highest cost in 2023?", "Tar the hull (cost_2023: 100)"),
        ("Which task cost least in 2023?", "Splice ropes (cost_2023: 20)"),
        ("Which tasks cost the most in 2024?", "Tar the hull (cost_2024: 120)"),
        ("Which is due earlier, T-1 or T-2?", "Tar the hull (due: 2024-03-01)"),
        ("Which is heavier, the Oar or the Buoy?", "Buoy (weight_kg: 4 kg)"),
        ("Which plant is the most popular?", None),
        ("Which trip is the deepest?", None),
    ],
)
def test_an_adjective_goes_by_the_column_that_tells_it(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which plant is watered most often?", "Fern (watering_every_days: 3 days)"),
        ("Which plant is watered least often?", "Aloe (watering_every_days: 21 days)"),
        ("Which plant needs watering most frequently?", "Fern (watering_every_days: 3 days)"),
        ("Which plant is repotted most often?", None),
    ],
)
def test_the_most_often_is_after_the_fewest_days(question: str, answer: str | None) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the oldest?", "Una Wick (age: 58)"),
        ("Who is the youngest employee?", "Bo Marsh (age: 29)"),
        ("Who is the newest employee?", "Cleo Hart (hired: 2021-01-10)"),
        ("Who is the oldest employee in Orrin?", "Ada Finch (age: 44)"),
    ],
)
def test_the_youngest_goes_by_age_and_the_newest_by_when_they_came(
    question: str, answer: str
) -> None:
    assert told(question) == answer


def test_when_people_were_hired_does_not_say_who_is_oldest() -> None:
    crew = read(
        passage_of("crew.csv", "| employee | hired |\n| Ada Finch | 2012 |\n| Bo Marsh | 2019 |")
    )
    assert told("Who is the oldest employee?", crew) is None
    assert told("Who is the newest employee?", crew) == "Bo Marsh (hired: 2019)"


def test_what_was_built_first_is_oldest() -> None:
    huts = read(passage_of("huts.csv", "| hut | built |\n| Low Tarn | 1931 |\n| Moss | 1890 |"))
    assert told("Which hut is the oldest?", huts) == "Moss (built: 1890)"
    assert told("Which hut is the youngest?", huts) == "Low Tarn (built: 1931)"


def test_rows_that_lead_by_one_of_two_columns_alone_are_not_told() -> None:
    rows = "| hut | width_m | breadth_m |\n| Tarn | 3 | 9 |\n| Moss | 4 | {} |"
    apart = read(passage_of("huts.csv", rows.format(7)))
    alike = read(passage_of("huts.csv", rows.format(11)))
    assert told("Which hut is the widest?", apart) is None
    assert told("Which hut is the widest?", alike) == "Moss (width_m: 4 m)"


@pytest.mark.parametrize("asked", ["is the oldest", "was refitted last", "was refitted first"])
def test_the_most_years_since_something_are_not_taken_for_the_latest(asked: str) -> None:
    boats = read(
        passage_of("boats.md", "| Boat | Years since refit |\n| Heron | 4 |\n| Sorrel | 11 |")
    )
    assert told(f"Which boat {asked}?", boats) is None


def test_one_row_leads_nothing() -> None:
    assert told("Which product in zone 3 is the heaviest?") is None


SERVICES = read(
    passage_of(
        "service.csv",
        "| Thing | Keeper | Last service | Next service | Rent |\n"
        "| Horn | Ada Finch | 2020-02-01 | 2031-05-01 | 40 |\n"
        "| Lamp | Bo Marsh | 2021-03-01 | 2030-01-09 | 90 |\n"
        "| Winch | Una Wick | 2019-08-01 | | 15 |",
    )
)


def test_what_is_next_is_the_first_in_the_column_that_says_so() -> None:
    first = "Lamp (Next service: 2030-01-09; 1 of 3 rows have none)"
    assert told("Which thing has its service next?", SERVICES) == first
    assert told("Which thing is due next?", SERVICES) == first
    undated = read(passage_of("log.csv", "| Thing | Date |\n| Horn | 2031 |\n| Lamp | 2030 |"))
    assert told("Which thing is due next?", undated) is None


def test_who_leads_is_told_by_the_column_of_people_though_not_surely() -> None:
    berths = read(
        passage_of(
            "berths.csv",
            "| Berth | Tenant | Rent | Since |\n| 4 | Fam. Wick | 84 | 2011 |\n"
            "| 5 | vacant | 72 | |\n| 6 | Cleo Hart | 20 | 1998 |\n| 7 | Una Lamb | 95 | 2020 |",
        )
    )
    assert told("who has rented the longest", berths) is None
    near = nearly_answered("who has rented the longest", berths)
    assert near is not None
    assert near.text == "Cleo Hart (Since: 1998; 1 of 4 rows have none)"
    assert near.confidence < SURE


BOATS = read(
    passage_of(
        "boats.md",
        "| Name | Built | Maker |\n| Merganser | 2014 | Stelling |\n"
        "| Smew | 2019 | Filby & Sons |\n| Old Tom | 1988 | Stelling |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who made the Smew?", "Filby & Sons"),
        ("Which boats were made by Stelling?", "Merganser, Old Tom (2 of 3 rows of boats.md)"),
        ("When was the Smew made?", "2019"),
        ("Which boat was made first?", "Old Tom (Built: 1988)"),
    ],
)
def test_who_made_something_is_told_by_its_maker(question: str, answer: str) -> None:
    assert told(question, BOATS) == answer


SPENT = "Team,Q1,Q2,Q3\nSails,1200,900,1500\nRopes,400,650,300\nMasts,70,80,"


@pytest.mark.parametrize(
    ("heads", "question", "answer"),
    [
        ("Q1,Q2,Q3", "In which quarter did the sails spend the most?", "Q3 (Sails: 1500)"),
        ("Q1,Q2,Q3", "Which quarter was the lowest for the ropes?", "Q3 (Ropes: 300)"),
        ("Q1,Q2,Q3", "In which month did the sails spend the most?", None),
        ("Q1,Q2,Q3", "In which quarter did the oars spend the most?", None),
        ("Q1,Q2,Q3", "In which quarter did the masts spend the most?", None),
        ("Jan,Feb,March", "Which month was the best for the sails?", "March (Sails: 1500)"),
        ("Jan,Feb,March", "Which month was the worst for the sails?", "Feb (Sails: 900)"),
        ("2021,2022,2023", "Which year was the best for the ropes?", "2022 (Ropes: 650)"),
        ("Week 1,Week 2,Week 3", "Which week was the worst for the ropes?", "Week 3 (Ropes: 300)"),
        ("Mon,Tue,Wed", "Which day was the best for the sails?", "Wed (Sails: 1500)"),
        ("H1,H2,Notes", "Which half was the best for the ropes?", "H2 (Ropes: 650)"),
    ],
)
def test_one_of_several_columns_alike_leads(heads: str, question: str, answer: str | None) -> None:
    spent = read(passage_of("spent.csv", piped(SPENT.replace("Q1,Q2,Q3", heads))))
    assert told(question, spent) == answer


@pytest.mark.parametrize(
    ("heads", "question", "answer"),
    [
        ("In store,Price (£)", "Which ware do we have the most of?", "Rope (In store: 9)"),
        ("In store,Price (£)", "What do we have the least of?", "Tar (In store: 4)"),
        ("Weight,Price (£)", "What do we have the most of?", None),
    ],
)
def test_what_we_have_most_of_is_told_by_what_is_in_store(
    heads: str, question: str, answer: str | None
) -> None:
    wares = f"Ware,{heads}\nTar,4,12.50\nRope,9,3.20\nLamp oil,6,8.00"
    assert told(question, read(passage_of("wares.csv", piped(wares)))) == answer


@pytest.mark.parametrize(
    ("head", "question", "answer"),
    [
        ("Month end", "Which month had the most rain?", "2031-02-28 (Rain: 80 mm)"),
        ("Day", "Which month had the most rain?", None),
        ("Day", "Which day had the most rain?", "2031-02-28 (Rain: 80 mm)"),
    ],
)
def test_a_single_day_is_the_month_only_where_it_stands_for_one(
    head: str, question: str, answer: str | None
) -> None:
    rain = f"{head},Rain (mm)\n2031-01-31,60\n2031-02-28,80\n2031-03-31,40"
    assert told(question, read(passage_of("rain.csv", piped(rain)))) == answer


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("In which quarter did the sails spend the most?", True),
        ("Which day was the best for the sails?", True),
        ("In which quarter does the fee fall due?", False),
        ("On what day does the ferry to Hask run?", False),
        ("Which team spent the most?", False),
    ],
)
def test_only_the_quarter_or_the_day_of_the_most_is_looked_for_across(
    question: str, asks: bool
) -> None:
    assert asks_across(question) is asks


def test_columns_alike_that_have_as_much_are_all_named() -> None:
    spent = read(passage_of("spent.csv", piped("Team,Q1,Q2,Q3\nSails,12,9,12\nRopes,4,6,5")))
    assert told("Which quarter was the best for the sails?", spent) == "Q1, Q3 (Sails: 12)"


def test_a_word_with_a_capital_in_a_name_of_two_puts_no_row_first() -> None:
    keepers = "| keeper | years |\n| Ida Holt | 19 |\n| Bo Lind | 5 |"
    tables = read(passage_of("keepers.csv", keepers))
    assert told("Which keeper has the most years?", tables) == "Ida Holt (years: 19 years)"
    assert told("Which keeper has the Most Years?", tables) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which Product Has The Highest Price?",
        "WHICH PRODUCT HAS THE HIGHEST PRICE?",
        "Which product has the Highest price?",
        "Which product is Dearest?",
    ],
)
def test_capitals_elsewhere_hide_no_superlative(question: str) -> None:
    assert told(question) == "Chain (price_eur: 90 EUR)"


SALES = read(passage_of("gigs.csv", piped("concert,tickets,sold\nHolst,300,20\nBrahms,200,180")))
FAIR = read(
    passage_of("fair.csv", piped("Team,Points,Penalty points\nRooks,37,3\nHares,35,9\nFoxes,30,1"))
)


VENUES = read(
    passage_of(
        "venues.csv", piped("venue,capacity seated,capacity standing\nHall,100,300\nBarn,50,80")
    )
)


@pytest.mark.parametrize(
    ("question", "table", "answer"),
    [
        ("What is the capacity of the Hall?", VENUES, None),
        (
            "Which place has the largest capacity standing?",
            VENUES,
            "Hall (capacity standing: 300)",
        ),
        ("Which concert sold the most tickets?", SALES, None),
        ("Which concert has the most tickets?", SALES, "Holst (tickets: 300)"),
        ("Which team has the fewest penalty points?", FAIR, "Foxes (Penalty points: 1)"),
        ("Which team has the most penalty points?", FAIR, "Hares (Penalty points: 9)"),
        ("Which team has the most points?", FAIR, "Rooks (Points: 37)"),
    ],
)
def test_a_row_is_asked_for_by_the_whole_head_and_told_by_its_name(
    question: str, table: tuple[Table, ...], answer: str | None
) -> None:
    assert told(question, table) == answer
