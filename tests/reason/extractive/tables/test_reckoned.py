"""What is left of a capacity, differences of goals, and ranks by points (R0.12)."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

COURSES = read(
    passage_of(
        "courses.csv",
        piped("course,seats,booked\nPottery,10,7\nYoga,16,16\nChoir,30,22\nFirst Aid,12,12"),
    )
)
LEAGUE = read(
    passage_of(
        "league.md",
        "| Team | Won | Drawn | Lost | Goals for | Goals against | Points |\n"
        "| Otters | 12 | 1 | 5 | 790 | 655 | 25 |\n| Comets | 9 | 3 | 6 | 701 | 690 | 21 |\n"
        "| Larks | 2 | 2 | 15 | 560 | 759 | 6 |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many places are left in Pottery?", "3 (seats: 10, booked: 7)"),
        ("Which courses are fully booked?", "Yoga, First Aid (2 of 4 rows of courses.csv)"),
        ("Which courses still have free places?", "Pottery, Choir (2 of 4 rows of courses.csv)"),
        ("Which course has the most free seats?", "Choir (seats left: 8)"),
        ("Is Yoga full?", "Yes"),
        ("Is Choir fully booked?", "No"),
        ("Are there any places left in Yoga?", "No"),
    ],
)
def test_what_is_left_is_worked_out(question: str, answer: str) -> None:
    assert told(question, COURSES) == answer


def test_nothing_is_left_where_more_is_taken_than_there_is() -> None:
    wrong = read(passage_of("courses.csv", piped("course,seats,booked\nPottery,7,10\nYoga,16,9")))
    assert told("How many places are left in Yoga?", wrong) is None


def test_full_is_what_a_cell_says_where_one_does() -> None:
    told_so = read(passage_of("days.csv", piped("day,moon\n2024-05-01,full\n2024-05-08,half")))
    assert told("When is the moon full?", told_so) == "2024-05-01"


def test_rooms_are_no_stock_of_which_some_may_be_left() -> None:
    inns = read(passage_of("inns.csv", piped("Inn,Rooms,Booked\nSwan,20,18\nMill,8,2")))
    assert told("How many rooms are left at the Swan?", inns) is None
    assert told("Which inn has the most rooms left?", inns) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the goal difference of the Comets?", "11 (Goals for: 701, Goals against: 690)"),
        ("Which team let in the fewest goals?", "Otters (Goals against: 655)"),
        ("Which team drew most often?", "Comets (Drawn: 3)"),
        ("Which team lost the most games?", "Larks (Lost: 15)"),
        ("Who won the league?", "Otters (1 of 3 rows of league.md)"),
        ("Which team came last?", "Larks (1 of 3 rows of league.md)"),
        ("Who won the cup?", None),
        ("Which team came last but one?", None),
        ("Which team was first in goals scored?", None),
        ("Which team has the worst goal difference?", None),
    ],
)
def test_a_league_is_read_by_its_points(question: str, answer: str | None) -> None:
    assert told(question, LEAGUE) == answer


def test_what_was_conceded_is_taken_from_goals_where_it_is_goals() -> None:
    keen = read(
        passage_of(
            "keen.csv",
            piped("Player,Goals scored,Penalties conceded\nAda,12,3\nBo,8,0"),
        )
    )
    assert told("What is the goal difference of Ada?", keen) is None


def test_most_often_asks_for_a_count_and_not_for_its_worth() -> None:
    buyers = read(passage_of("buyers.csv", piped("customer,order value\nAda,900\nBo,100")))
    assert told("Which customer ordered most often?", buyers) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who won?", "Ada Finch (1 of 3 rows of heats.csv)"),
        ("Who won once?", None),
        ("Who has never won?", "Cleo Hart (1 of 3 rows of heats.csv)"),
    ],
)
def test_who_won_so_often_or_never_is_not_who_leads(question: str, answer: str | None) -> None:
    heats = read(
        passage_of(
            "heats.csv",
            piped("Driver,Wins,Losses,Points\nAda Finch,4,1,66\nBo Marsh,1,4,51\nCleo Hart,0,5,40"),
        )
    )
    assert told(question, heats) == answer


def test_games_by_their_days_are_no_league() -> None:
    games = read(
        passage_of(
            "games.csv",
            piped("Date,Opponent,Won,Lost,Points\n2024-01-03,Hares,3,1,9\n2024-02-04,Moles,2,2,7"),
        )
    )
    assert told("Who won?", games) is None
    assert told("Which opponent won?", games) is None


def test_which_place_asks_for_its_column_and_not_for_room() -> None:
    tanks = read(passage_of("tanks.csv", piped("tank,capacity,place\nA,100,yard\nB,200,barn")))
    assert told("Which place has the most space?", tanks) == "barn (capacity: 200)"


def test_open_places_are_what_a_column_of_that_head_says() -> None:
    nooks = read(passage_of("nooks.csv", piped("branch,seats,open places\nOrrin,40,3\nHask,60,12")))
    assert told("How many open places does Orrin have?", nooks) == "3"
    assert told("Which branch has the most open places?", nooks) == "Hask (open places: 12)"


def test_who_has_left_is_not_who_has_some_left() -> None:
    ropes = read(
        passage_of("ropes.csv", piped("item,owner,left\nRope,Ada Finch,3\nOar,Bo Marsh,0"))
    )
    assert told("Who has left?", ropes) is None
    assert told("Which items are there left?", ropes) == "Rope (1 of 2 rows of ropes.csv)"


def test_rows_that_no_column_puts_in_order_have_no_winner() -> None:
    mixed = read(
        passage_of(
            "league.md",
            "| Team | Won | Lost | Points |\n| Comets | 9 | 6 | 21 |\n| Otters | 12 | 5 | 25 |",
        )
    )
    assert told("Who won the league?", mixed) is None
