"""Something else of a source that fits a sentence better than what the sentence has."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.rivals import MOST_THINGS, has_better_fit

FERRY = (
    "The ferry to Sandoy leaves every hour in summer, and three times a day in winter.",
    "Mr Lindt wants to pay for the pier out of the reserve, and Ms Tamm seconded the motion.",
    "The pier was built in 1921. The lamp on its head was lit by gas in 1934.",
)


@pytest.mark.parametrize(
    ("said", "better"),
    [
        pytest.param("In winter Sandoy has three ferries a day.", False, id="its own season"),
        pytest.param("In summer Sandoy has three ferries a day.", True, id="the other season"),
        pytest.param("It was Lindt's wish to use the reserve.", False, id="its own name"),
        pytest.param("It was Tamm's wish to use the reserve.", True, id="another name"),
        pytest.param("Gas burned in the lamp in 1934.", False, id="its own year"),
        pytest.param("Gas burned in the lamp in 1921.", True, id="another year"),
        pytest.param("Gas burned in the lamp in 1950.", False, id="a year that is not there"),
        pytest.param("It was in 1921.", False, id="nothing stands with it"),
        pytest.param("The pier of 1921 has had a lamp lit by gas since 1934.", False, id="both"),
    ],
)
def test_what_stands_with_something_else_speaks_against_a_sentence(
    said: str, *, better: bool
) -> None:
    lines = [line for text in FERRY for line in text.replace(". ", ".\n").splitlines()]
    assert has_better_fit(said, lines) is better


def test_what_leads_in_two_figures_stands_with_both() -> None:
    line = ["Days with headache fell by 4.1 with velotrin and by 2.6 with placebo."]
    assert not has_better_fit("With placebo there were 2.6 fewer days with headache.", line)
    assert has_better_fit("With placebo there were 4.1 fewer days with headache.", line)


def test_no_long_table_is_looked_at() -> None:
    rows = [f"Hall {n}: {n}00 euros for the lamp of the gate" for n in range(1, MOST_THINGS + 2)]
    assert not has_better_fit("The lamp of the gate cost 900 euros in hall 8.", rows)


def test_other_languages_are_left_alone() -> None:
    lines = ["Erwachsene zahlen 8 Euro.", "Studenten mit Ausweis zahlen 5 Euro."]
    with speaking(languages()["de"]):
        assert not has_better_fit("Studenten mit Ausweis zahlen 8 Euro.", lines)
