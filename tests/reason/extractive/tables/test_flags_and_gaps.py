"""Columns of 1 and 0, rows that have nothing in a column, shares of rows, and whether any is so."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

WRECK = read(
    passage_of(
        "tern.csv",
        piped("""\
survived,sex,age,who,cabin,alone,goals
1,female,31,woman,B,True,1
0,male,40,man,,False,0
0,female,,woman,,True,0
1,male,9,child,A,False,1
0,male,22,man,,True,0"""),
    )
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many passengers survived?", "2 (of 5 rows of tern.csv)"),
        ("How many passengers died?", "3 (of 5 rows of tern.csv)"),
        ("How many women survived?", "1 (of 5 rows of tern.csv)"),
        ("How many children survived?", "1 (of 5 rows of tern.csv)"),
        ("How many passengers were not alone?", "2 (of 5 rows of tern.csv)"),
        ("What was the average age of the survivors?", "20 (average of age over 2 of 5"),
        ("How many passengers have no age recorded?", "1 (of 5 rows of tern.csv)"),
        ("How many women have an unknown age?", "1 (of 5 rows of tern.csv)"),
        ("How many passengers have no cabin?", "3 (of 5 rows of tern.csv)"),
        ("What share of the passengers survived?", "40.0 % (2 of 5 in tern.csv)"),
        ("What percentage of the women survived?", "50.0 % (1 of 2 in tern.csv)"),
        ("What share of the survivors were men?", None),
        ("Were there any women who survived?", "Yes (1 of 5 rows of tern.csv)"),
        ("Are there any men who survived?", None),  # none in here is not none at all
        ("How old was the oldest passenger?", "40 (highest age over 5 of 5 rows"),
        ("What is the average age of sailors?", None),
        ("How many goals were there in total?", "2 (sum of goals over 5 of 5"),
        ("How many dogs survived?", None),
    ],
)
def test_rows_are_chosen_by_yes_and_no_and_by_what_they_lack(
    question: str, text: str | None
) -> None:
    found = told(question, WRECK)
    assert found is None if text is None else (found or "").startswith(text)


def test_ones_that_count_are_not_a_yes() -> None:
    games = read(passage_of("games.csv", piped("player,goals\nAda,1\nBo,0\nCleo,1")))
    assert told("How many goals has Bo?", games) == "0"


def test_what_is_paid_is_not_what_a_fee_is() -> None:
    members = read(
        passage_of(
            "club.csv", piped("member,fee,paid\nAda Ox,40,yes\nBo Elm,25,no\nCleo Ash,25,yes")
        )
    )
    assert (told("What is the average fee?", members) or "").startswith("30 (average of fee")
    assert told("Who has not paid?", members) == "Bo Elm (1 of 3 rows of club.csv)"
