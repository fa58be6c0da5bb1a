"""Two cells of a table set against each other, and what is worked out of several."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.pairs import pair_asked
from quaere.reason.extractive.tables.rows import answer_over_rows

_FEES = """\
Berth,Summer,Winter,Over 12 m
By the day,£14.00,£9.50,£21.00
By the week,£80.00,£52.00,£118.00
By the year,£1250.00,,£1900.00"""
_CUP = """\
Pos,Crew,P,W,D,L,Pts
1,Brell Oars,6,5,0,1,15
2,Orrin Eight,6,4,1,1,13
3,Hask Lads,6,1,2,3,5"""
_STORE = """\
Ware,In stock,Price (£),Shelf
Tar,4,12.50,A
Lamp oil,20,3.20,B
Rope,0,30.00,B"""
_SPENT = """\
Team,Q1,Q2,Q3
Sails,1200,900,1500
Ropes,400,650,300"""
TABLES = read(
    passage_of("mooring_fees.txt", piped(_FEES)),
    passage_of("rowing_cup.html", piped(_CUP), 2),
    passage_of("store.csv", piped(_STORE), 3),
    passage_of("spending_2024.xlsx", piped(_SPENT), 4),
    passage_of("towns.csv", piped("Town,People\nHask,400\nBrell,900\nOrrin,650"), 5),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "How much dearer is a berth by the week than by the day in summer?",
            "£66 (Summer: By the week £80.00, By the day £14.00)",
        ),
        (
            "How much cheaper is a berth by the day in winter than in summer?",
            "£4.50 (By the day: Winter £9.50, Summer £14.00)",
        ),
        (
            "What is the difference between summer and winter for a berth by the week?",
            "£28 (By the week: Summer £80.00, Winter £52.00)",
        ),
        (
            "How many points was Brell Oars ahead of Hask Lads?",
            "10 (Pts: Brell Oars 15, Hask Lads 5)",
        ),
        (
            "How many points is Hask Lads behind Orrin Eight?",
            "8 (Pts: Hask Lads 5, Orrin Eight 13)",
        ),
        (
            "How many fewer points did Orrin Eight get than Brell Oars?",
            "2 (Pts: Orrin Eight 13, Brell Oars 15)",
        ),
        (
            "How much more did the sails spend in Q3 than in Q2?",
            "600 (Sails: Q3 1500, Q2 900)",
        ),
        (
            "How much more did the ropes spend in Q3 than in Q2?",
            "-350 (Ropes: Q3 300, Q2 650)",
        ),
        (
            "By how much is winter less expensive than summer for a berth by the week?",
            "£28 (By the week: Winter £52.00, Summer £80.00)",
        ),
        (
            "By how much is summer less cheap than winter for a berth by the week?",
            "£28 (By the week: Summer £80.00, Winter £52.00)",
        ),
        (
            "How much dearer is tar on shelf A than lamp oil?",
            "£9.30 (Price (£): Tar 12.50, Lamp oil 3.20)",
        ),
        ("How much bigger is Brell than Hask?", "500 (People: Brell 900, Hask 400)"),
        ("How much dearer is a berth by the year in winter than in summer?", None),
        ("How much dearer is a berth at Orrin in summer than in winter?", None),
        ("How many points was Brell Oars ahead of Skarrow?", None),
        ("How much warmer is a berth by the day in summer than in winter?", None),
    ],
)
def test_two_cells_are_apart_by_so_much(question: str, answer: str | None) -> None:
    assert told(question, TABLES) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is a berth by the day dearer in summer than in winter?", "Yes"),
        ("Is a berth by the week cheaper in summer than in winter?", "No"),
        ("Is a berth by the week less expensive in winter than in summer?", "Yes"),
        ("Is a berth by the week less expensive in summer than in winter?", "No"),
        ("Is a berth by the week more expensive in summer than in winter?", "Yes"),
        ("Is a berth by the year dearer in winter than in summer?", None),
        ("Is Brell bigger than Hask?", "Yes"),
        ("Did Orrin Eight win more races than they lost?", None),
        ("Did Orrin Eight win more games than they lost?", "Yes"),
        ("Did Hask Lads win more games than they lost?", "No"),
        ("Did the ropes spend more in Q1 than in Q2?", "No"),
        ("Did the ropes spend more in Q1 than the sails?", "No"),
    ],
)
def test_which_of_two_cells_is_more_decides_a_yes_or_no(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, TABLES)
    assert (found and found.text) == answer
    assert found is None or found.kind is DirectKind.YES_NO


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What do three tins of tar cost?", None),
        ("What does it cost for 3 tar?", "£37.50 (3 × £12.50)"),
        ("How much are five lamp oils?", "£16 (5 × £3.20)"),
        ("How much does it cost for 2 lamp oils in 2024?", None),
        ("What is the stock of tar worth?", "£50 (4 × £12.50)"),
        (
            "What is all the stock worth?",
            "£114 (In stock × Price (£) over 3 rows of store.csv)",
        ),
        ("What is the stock of chain worth?", None),
    ],
)
def test_figures_of_a_row_are_multiplied(question: str, answer: str | None) -> None:
    assert told(question, TABLES) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which crew came second?", "Orrin Eight"),
        ("Which crew finished last?", "Hask Lads"),
        ("How many points did the Orrin Eight finish with?", "13"),
        ("How many games did Hask Lads draw?", "2"),
    ],
)
def test_a_league_has_ranks_and_letters(question: str, answer: str) -> None:
    assert (told(question, TABLES) or "").partition(" (1 of")[0] == answer


@pytest.mark.parametrize(
    "question", ["How much is the tar?", "Is the tar black?", "How much more is there?"]
)
def test_other_questions_set_nothing_against_each_other(question: str) -> None:
    assert pair_asked(question) is None
