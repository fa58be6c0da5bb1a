"""What holds of two things: their countries are read; any other words must be on both pages."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.comparisons.both import of_both
from quaere.reason.extractive.questions.parts import comparison

TIDES: Text = ("Low Tides", "Low Tides is a 2003 documentary about dredgers. It was shot in Perth.")


def says(question: str, *texts: Text) -> tuple[bool, bool] | None:
    compared = comparison(question)
    assert compared is not None
    found = of_both(question, compared, pool(*texts), lambda _: None)
    return found and (found.says, found.is_read)


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        ("Night Ferries is an Australian documentary.", (False, True)),
        ("Night Ferries is a Danish-American documentary.", (True, False)),
        ("Night Ferries is an Australian documentary. It won an American prize.", (False, True)),
        ("Night Ferries is a documentary from Denmark.", (False, True)),
        ("Night Ferries is a documentary about a Danish painter.", (False, False)),
        ("Night Ferries is a documentary by the Danish novelist Var.", (False, False)),
        ("Night Ferries is a documentary released in Denmark.", (False, False)),
        ("Night Ferries is an English-language documentary.", (False, False)),
        ("Night Ferries, cut in Sweden, is a documentary of American makers.", (True, False)),
    ],
)
def test_of_another_country_than_the_one_asked_for_is_a_no(
    opening: str, said: tuple[bool, bool]
) -> None:
    lights = ("Low Tides", "Low Tides is an American documentary about dredgers.")
    asked = "Are Low Tides and Night Ferries both American documentaries?"
    assert says(asked, lights, ("Night Ferries", opening)) == said


@pytest.mark.parametrize(
    "question",
    [
        "Do Low Tides and Night Ferries both have American directors?",
        "Are Low Tides and Night Ferries both about American football?",
        "Are Low Tides and Night Ferries both English-language documentaries?",
    ],
)
def test_a_country_that_is_not_that_of_the_thing_itself_denies_nothing(question: str) -> None:
    said = says(question, TIDES, ("Night Ferries", "Night Ferries is a Danish documentary."))
    assert said is None or not said[1]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Do the Tern and the Eider both have a motor?", (True, True)),
        ("Do the Tern and the Gannet both have a motor?", (False, True)),
        ("Do the Tern and the Gannet both have a keel?", None),
        ("Do the Tern and the Skua both have a motor?", None),
    ],
)
def test_what_both_have_is_read_from_their_rows(
    question: str, said: tuple[bool, bool] | None
) -> None:
    rows = "| Boat | Motor |\n|---|---|\n| Tern | yes |\n| Gannet | no |\n| Eider | yes |\n"
    assert says(question, ("Boats", rows)) == said
