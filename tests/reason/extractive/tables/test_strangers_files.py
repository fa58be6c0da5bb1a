"""Files as strangers have them: rows numbered by no name, codes for names, and bare counts."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read

from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.rows import answer_over_rows, nearly_answered
from quaere.reason.extractive.tables.same_cells import asks_for_same_cells

_HUTS = """\
,hut,town,state,crew,opened,closed,sound,stay_total,stay_winter,grade_no
1,Low Tarn,Orrin,CO,Ada Finch,2001-05-01,2009-10-01,True,40,12,7
2,High Crag,New York,NY,Ada Finch,2001-05-01,2010-10-01,True,30,14,8
3,Far Moss,Hask,CO,Bo Marsh,2002-05-01,2010-10-01,False,20,2,9
4,Salt Fen,Colorado Springs,NY,Cleo Hart,2002-05-01,2009-10-01,True,11,11,10
5,Cold Ness,Brell,WA,Una Wick,2003-05-01,2009-10-01,True,9,1,11"""
HUTS = read(passage_of("mountain-huts.csv", piped(_HUTS)))
_BERTHS = """\
code,harbour,side,cnt
ABC,Orrin Harbour,north,25
DEF,Brell Harbour,south,90
GHI,Hask Harbour,north,4"""
BERTHS = read(passage_of("harbour_traffic-2031-02.csv", piped(_BERTHS)))
_PRICES = """\
Date,Price
2029,18.93
2030,17.06
2031,20.10"""
PRICES = read(passage_of("tin-prices-annual.csv", piped(_PRICES)))
_CREWS = """\
name,ships,homeworld
Ada Finch,"Grebe; Auk",Tarn
Bo Marsh,Auk,Tarn
Cleo Hart,"Eider; Grebe",Moss"""
CREWS = read(passage_of("fenlights.csv", piped(_CREWS.replace('"', ""))))
_DRINKS = """\
location,alcohol
Orrin,12.2
Brell,11.8
Hask,3.5"""
DRINKS = read(passage_of("alcohol-2031.csv", piped(_DRINKS)))


def _text(found: RowsAnswer | None) -> str | None:
    return found.text if found else None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which hut has the most crew?", None),
        ("Which huts are in Colorado?", "Low Tarn, Far Moss (2 of 5 rows of mountain-huts.csv)"),
        (
            "How many huts are in Colorado?",
            "2 (of 5 rows of mountain-huts.csv: Low Tarn, Far Moss)",
        ),
        (
            "How many huts are in New York state?",
            "2 (of 5 rows of mountain-huts.csv: High Crag, Salt Fen)",
        ),
        (
            "How many huts are in Colorado Springs?",
            "1 (of 5 rows of mountain-huts.csv: Salt Fen)",
        ),
        ("How many huts are in New York?", None),  # the state, or the city
        ("Which hut has the longest stay?", "Low Tarn (stay_total: 40)"),
        ("What share of the huts failed?", "20.0 % (1 of 5 in mountain-huts.csv)"),
        ("What is the total grade?", None),
    ],
)
def test_a_file_with_numbered_rows_and_codes(question: str, text: str | None) -> None:
    huts = read(passage_of("mountain-huts.csv", piped(_HUTS.replace("sound", "successful"))))
    assert _text(answer_over_rows(question, huts)) == text


def test_rows_are_called_by_names_where_a_nameless_column_numbers_them() -> None:
    (table,) = HUTS
    assert table.key.head == "hut"
    assert table.called(0) == "Low Tarn"
    (numbered,) = read(passage_of("huts.csv", piped(_HUTS.replace("\n1,", "\n7,", 1))))
    assert numbered.key.head != "hut"  # these are no numbers of rows


def test_rows_that_nothing_but_their_number_calls_have_no_name() -> None:
    tides = "rownames,side,level\n1,north,3\n2,south,4\n3,north,9"
    (table,) = read(passage_of("tides.csv", piped(tides)))
    assert table.is_nameless
    assert table.called(1) == "row 2"


def test_days_of_beginning_and_end_do_not_make_rows_months() -> None:
    found = answer_over_rows("How many huts are there?", HUTS)
    assert found is not None
    assert found.text.startswith("5 ")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which harbour was the busiest in February 2031?", "Brell Harbour (cnt: 90)"),
        ("Which side has the most harbours?", "north (2 of 3 rows of harbour_traffic-2031-02.csv)"),
        ("Which harbour was the busiest in March 2031?", None),
    ],
)
def test_bare_counts_are_of_what_the_file_is_called_after(question: str, text: str | None) -> None:
    assert _text(answer_over_rows(question, BERTHS)) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("In which year was tin at its lowest yearly price?", "2030 (Price: 17.06)"),
        ("Which price is the highest?", None),
    ],
)
def test_the_only_figure_may_be_what_the_file_is_called_after(
    question: str, text: str | None
) -> None:
    assert _text(answer_over_rows(question, PRICES)) == text


def test_what_a_year_has_more_than_another_is_told() -> None:
    question = "By how much did the yearly tin price go up from 2030 to 2031?"
    found = answer_over_rows(question, PRICES)
    assert found is not None
    assert found.text.startswith("3.04 ")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Do Ada Finch and Bo Marsh come from the same planet?", "Yes (homeworld: Tarn)"),
        ("Do Ada Finch and Cleo Hart come from the same planet?", "No (homeworld: Tarn, Moss)"),
        ("Do Ada Finch and Cleo Hart have the same ships?", None),  # both list several
        ("Do Ada Finch and Ivy Lamb come from the same planet?", None),
        ("Do Ada Finch and Bo Marsh like the same planet?", None),
        ("Do Ada Finch and Bo Marsh have the same boss?", None),
    ],
)
def test_what_two_rows_have_is_compared(question: str, text: str | None) -> None:
    assert asks_for_same_cells(question)
    assert _text(answer_over_rows(question, CREWS)) == text


def test_a_name_in_two_words_is_that_of_the_file_and_a_starship_is_a_ship() -> None:
    ships = read(
        passage_of("fenlights.csv", piped(_CREWS.replace('"', "").replace("ships", "tallships")))
    )
    found = nearly_answered("Which Fen Lights sailors have the Grebe among their ships?", ships)
    assert found is not None
    assert found.text.startswith("Ada Finch, Cleo Hart ")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Who drank more in 2031, Orrin or Brell, and by how much?",
            "Orrin (alcohol: 12.2), by 0.4",
        ),
        ("Who drank more in 2031, Orrin or Brell?", "Orrin (alcohol: 12.2)"),
        ("Who drank the most, and by how much?", None),
    ],
)
def test_the_margin_goes_with_a_choice(question: str, text: str | None) -> None:
    assert _text(answer_over_rows(question, DRINKS)) == text


_PLAYERS = """\
rownames,first_name,last_name,team,points,min_price,price,max_price,country,region
1,Ada,Finch,Terns,12,1,5,9,Norway,Norway-North
2,Finch,Ada,Gulls,13,2,4,9,Norway,Norway
3,Bo,Marsh,Terns,9,3,6,9,Chile,Chile"""


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Do Ada Finch and Bo Marsh play for the same team?", "Yes (team: Terns)"),
        ("Do Finch Ada and Bo Marsh play for the same team?", "No (team: Gulls, Terns)"),
        ("Which team does Ada Finch play for?", "Terns"),
        ("How many players are from Norway?", "2 (of 3 rows of players.csv"),
        ("Which player has the lowest price?", "Finch Ada (price: 4)"),
        ("Who has the most points?", "Finch Ada (points: 13)"),
    ],
)
def test_names_in_two_columns_prices_in_three_and_countries_with_regions(
    question: str, start: str
) -> None:
    found = answer_over_rows(question, read(passage_of("players.csv", piped(_PLAYERS))))
    assert found is not None
    assert found.text.startswith(start)


_CREW = """\
First name,Last name,Trade,Town
Ada,Moor,smith,Pell
Bo,Moor,baker,Pell
Cy,Berg,smith,Hask
Di,Lind,cook,Hask
Ed,Berg,smith,Hask"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Do Berg and Lind live in the same town?", "Yes (Town: Hask)"),
        ("Do Moor and Berg live in the same town?", "No (Town: Pell, Hask)"),
        ("Do smith and cook live in the same town?", None),  # nobody is called so
    ],
)
def test_all_of_one_last_name_are_compared_with_all_of_another(
    question: str, text: str | None
) -> None:
    assert _text(answer_over_rows(question, read(passage_of("crew.csv", piped(_CREW))))) == text


def test_the_strongest_is_told_by_strength_and_not_by_how_much_is_drunk() -> None:
    beers = read(passage_of("beers.csv", piped("beer,abv\nGrebe,0.08\nAuk,0.05\nEider,0.07")))
    strongest = answer_over_rows("What is the strongest beer, by alcohol?", beers)
    assert strongest is not None
    assert strongest.text == "Grebe (abv: 0.08)"
    assert answer_over_rows("Which location has the strongest beer?", DRINKS) is None


def test_a_day_is_told_where_its_hour_is_next_to_it() -> None:
    trips = "voyage,date,hour\nGrebe,2031-05-01,08:30\nAuk,2031-06-01,09:15"
    found = answer_over_rows("When did Grebe leave?", read(passage_of("voyages.csv", piped(trips))))
    assert found is not None
    assert found.text == "2031-05-01"


def test_nothing_below_zero_is_how_many_there_are() -> None:
    flows = "item,2031\nPayments of staff tax,(61)\nSale of oars,12"
    tables = read(passage_of("flows.csv", piped(flows)))
    assert answer_over_rows("How many payments of staff tax were there in 2031?", tables) is None


@pytest.mark.parametrize("repeated", ["Do a and b ", "and by how much ", "the same ", "1 2 3 "])
def test_hostile_questions_take_no_time(repeated: str) -> None:
    question = f"Do Ada and {repeated * (900 // len(repeated))}"
    began = time.process_time()
    answer_over_rows(question, CREWS)
    asks_for_same_cells(repeated * 20_000)
    assert time.process_time() - began < 2.0


def test_what_one_can_have_is_called_so_somewhere_in_the_table() -> None:
    forms = "vendor,how it is held to a form\ntern,format\ngannet,none"
    vendors = read(passage_of("vendors.csv", piped(forms)))
    assert answer_over_rows("What formats can I export to?", vendors) is None
    huts = answer_over_rows("Which huts can I use in Brell?", HUTS)
    assert huts is not None
    assert huts.text.startswith("Cold Ness")
