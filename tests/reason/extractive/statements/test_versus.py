"""Which of two lines of a statement is more, and when neither is told."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.statements.versus import find_versus

SALES: Text = (
    "TERN_2031_10K",
    (
        "| Sales by segment (in millions) | Year ended May 31, 2031 | Year ended May 31, 2030 |\n"
        "| --- | --- | --- |\n"
        "| Ferry Lines | $3,700 | $3,172 |\n"
        "| Cargo Docks | 4,349 | 3,563 |\n"
        "| Total net sales | 8,049 | 6,735 |"
    ),
)


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which Tern segment sold more in 2031, Ferry Lines or Cargo Docks?", "Cargo Docks"),
        ("Which segment sold less in 2030, Ferry Lines or Cargo Docks?", "Ferry Lines"),
        ("Which segment had higher net sales in 2031, Ferry Lines or Cargo Docks?", "Cargo Docks"),
        ("Which Plover segment sold more in 2031, Ferry Lines or Cargo Docks?", None),
        ("Which segment sold more in 2029, Ferry Lines or Cargo Docks?", None),
        ("Which segment sold more, Ferry Lines or Cargo Docks?", None),
        ("Which segment sold more tickets in 2031, Ferry Lines or Cargo Docks?", None),
        ("Which segment sold more in 2031, Ferry Lines or Boat Yards?", None),
    ],
)
def test_the_row_with_more_is_told(question: str, winner: str | None) -> None:
    found = find_versus(question, pool(SALES))
    assert (found and found.winner) == winner


@pytest.mark.parametrize("repeated", ["which sold more ", "a or b, ", " ", "in 2031 ", ", or "])
def test_hostile_questions_take_no_time(repeated: str) -> None:
    question = f"Which sold more in 2031, a or b{repeated * (50_000 // len(repeated))}"
    began = time.process_time()
    find_versus(question, pool(SALES))
    assert time.process_time() - began < 2.0
