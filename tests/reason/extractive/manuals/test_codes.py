"""A code that a machine shows is explained by its entry, and by no other."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.manuals.codes import code_words, find_coded
from quaere.reason.extractive.ranking import Ranking
from quaere.text.languages.language import language_of, speaking

WINCH: Text = (
    "Tern winch",
    (
        "TERN WINCH\n\nERROR CODES\nF05 - Drum blocked. Clear the rope.\n"
        "F08 - Motor too hot. Wait.\n"
        "E1: No oil\n\nLAMP\n\n2 blinks  Low power. Charge it.\n5 blinks  Brake worn.\n\n"
        "F05 and F08 are rare.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does F05 mean?", ["F05 - Drum blocked. Clear the rope."]),
        ("What should I do when F08 is shown?", ["F08 - Motor too hot. Wait."]),
        ("What does E1 mean on the winch?", ["E1: No oil"]),
        ("What do five blinks mean?", ["5 blinks Brake worn."]),
        ("What do 2 blinks mean?", ["2 blinks Low power. Charge it."]),
        ("What does F09 mean?", []),
        ("What do three blinks mean?", []),
        ("What does F05 mean on the boiler?", []),
        ("How often does F05 come up?", []),
        ("What do F05 and F08 mean?", []),
        ("", []),
    ],
)
def test_a_code_has_its_entry(question: str, told: list[str]) -> None:
    assert [line.text for line in find_coded(question, pool(WINCH))] == told


def test_of_two_entries_with_one_code_neither_is_told() -> None:
    pump = ("Pump", "F05 - No water.\nF06 - No power.\n")
    assert find_coded("What does F05 mean?", pool(WINCH, pump)) == ()
    assert find_coded("What does F05 mean?", pool(WINCH, WINCH)) == ()


def test_how_one_asks_about_a_code_need_not_be_said() -> None:
    assert "shown" in code_words("What do I do when F05 is shown?")
    assert not code_words("What is shown at the harbour?")
    assert Ranking(pool(WINCH), "What should I do when F05 is shown?").answers


def test_codes_are_read_in_english_alone() -> None:
    with speaking(language_of("Was bedeutet das?")):
        assert find_coded("What does F05 mean?", pool(WINCH)) == ()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The TX-31L toner lasts 1,900 pages.", True),
        ("A TX-31L toner lasts longer. The TX-31 toner lasts 1,200 pages.", False),
        ("The TX-41L toner lasts 2,400 pages.", False),
        ("The TX-31L toner is black.", False),
        ("The TX-31L toner replaces the TX-31. It lasts 1,900 pages.", True),
    ],
)
def test_a_figure_is_of_the_code_that_is_asked_for(said: str, *, told: bool) -> None:
    question = "How many pages does a TX-31L toner last?"
    read = pool(("Toner", said))
    assert (decide(question, read, Ranking(read, question)).confidence >= SURE) is told
