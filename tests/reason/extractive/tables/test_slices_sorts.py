"""What there is of a sort, where a column tells of which each row is."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import pool
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.domain.question import Question
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.reasoner import _over_rows
from quaere.reason.extractive.tables.slices import things_asked

_BOATS = read(
    passage_of(
        "boats.csv",
        piped("boat,harbour,rig\nAuk,Orrin,sloop\nTeal,Brell,yawl\nGrebe,Orrin,sloop\nSmew,Brell,"),
    )
)


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("Which harbours are there?", "Orrin, Brell"),
        ("What rigs do you have?", "sloop, yawl"),
        ("What kinds of rigs are there?", "sloop, yawl"),
        ("Which boats are there?", "Auk, Teal, Grebe, Smew"),
        ("Which anchors are there?", None),
        ("Which harbours are there in Brell?", None),
        ("", None),
    ],
)
def test_each_thing_of_a_column_is_listed_once(question: str, listed: str | None) -> None:
    assert told(question, _BOATS) == listed


@pytest.mark.parametrize(
    ("question", "rows", "listed"),
    [
        ("Which rooms are available?", "Red,free\nBlue,taken", None),
        ("Which rooms do you have?", "Red,4\nBlue,0", None),
        ("Which rooms are available?", "Red,not yet\nBlue,yes", None),
        ("Which rooms are there?", "Red,free\nBlue,taken", "Red, Blue"),
        ("Which rooms are available?", "Red,4\nBlue,3\nred,5", "Red, Blue"),
    ],
)
def test_what_cannot_be_had_is_not_listed_as_available(
    question: str, rows: str, listed: str | None
) -> None:
    table = read(passage_of("rooms.csv", piped(f"room,state\n{rows}")))
    assert told(question, table) == listed


def test_a_list_of_them_all_goes_before_the_column_of_a_table() -> None:
    question = "Which harbours are there?"
    page = "# Coast\n\n## Harbours\n\n- Orrin\n- Brell\n- Skarrow\n"
    assert things_asked(question) == {"harbour"}
    assert len(find_list(question, pool(("Coast", page)))) == 3
    asked = Question(text=question)
    assert _over_rows(asked, _BOATS, pool(("Coast", page))) is None
    assert _over_rows(asked, _BOATS, pool(("Coast", "There are harbours."))) is not None
