"""Of a table of journeys the row is read that goes from here to there."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.tables.legs import find_leg
from quaere.text.languages.language import language_of, speaking

VOYAGE: Text = (
    "Voyage",
    (
        "# Voyage\n\n| Day | From | Departs | To | Arrives | Boat | Berth | Price |\n"
        "|---|---|---|---|---|---|---|---|\n"
        "| 1 | Orrin | 07:10 | Brell | 11:40 | Auk | 12 | £9 |\n"
        "| 2 | Brell | 09:05 | Skarrow | 15:30 | Tern | 4 | £14 |\n"
        "| 4 | Skarrow | 20:15 | Orrin | 05:50 | Eider | 7 | £21 |\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When do I arrive in Brell?", "11:40"),
        ("What time do I get to Skarrow?", "15:30"),
        ("When does the boat from Brell to Skarrow leave?", "09:05"),
        ("When does the boat leave Skarrow?", "20:15"),
        ("Which berth do I have from Brell to Skarrow?", "4"),
        ("Which boat goes to Orrin?", "Eider"),
        ("How much is the boat from Orrin to Brell?", "£9"),
        ("When do I arrive in Norway?", None),
        ("When does the boat from Orrin to Skarrow leave?", None),
        ("When does the captain leave Skarrow?", None),
        ("Which cabin do I have to Brell?", None),
        ("Where is Brell?", None),
        ("", None),
    ],
)
def test_a_journey_is_read_by_its_ends(question: str, told: str | None) -> None:
    found = find_leg(question, pool(VOYAGE))
    assert (found.text if found else None) == told


def test_the_row_proves_it() -> None:
    read, question = pool(VOYAGE), "When do I arrive in Brell?"
    decision = decide(question, read, Ranking(read, question))
    assert (decision.text, decision.lines[0].values[4]) == ("11:40", "11:40")


@pytest.mark.parametrize(
    "question",
    [
        "When does the boat from Brell to Orrin leave?",
        "Which boat goes from Brell to Orrin?",
        "Which boat goes to Brell from Skarrow?",
        "On which day do I go from Skarrow to Brell?",
    ],
)
def test_the_way_back_is_another_journey(question: str) -> None:
    read = pool(VOYAGE)
    assert decide(question, read, Ranking(read, question)).confidence < SURE


def test_another_table_has_no_journeys() -> None:
    goods = ("Goods", "| Item | From | Price |\n|---|---|---|\n| Oar | Brell | £9 |\n")
    assert find_leg("How much is the boat from Brell?", pool(goods)) is None


def test_journeys_are_read_in_english_alone() -> None:
    with speaking(language_of("Wann komme ich in Brell an?")):
        assert find_leg("When do I arrive in Brell?", pool(VOYAGE)) is None
