"""Amounts with another span of time to them."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.rates import has_other_rate

PUMP = "Model A delivers 36 litres a minute and needs oil every month."


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The pump delivers 36 litres an hour.", True),
        ("The pump delivers 36 litres per minute.", False),
        ("The pump delivers 36 litres.", False),
        ("The pump delivers 40 litres an hour.", False),
    ],
)
def test_an_amount_belongs_to_its_span_of_time(said: str, other: bool) -> None:
    assert has_other_rate(said, [PUMP]) is other


def test_another_line_may_have_the_rate() -> None:
    assert not has_other_rate("It delivers 36 litres an hour.", [PUMP, "It was 36 litres an hour."])


def test_languages_have_their_own_words_for_it() -> None:
    with speaking(languages()["es"]):
        assert has_other_rate("Cada mes hay 900 visitas.", ["Recibe 900 visitas al año."])
    with speaking(languages()["fr"]):
        assert not has_other_rate("900 visites par mois.", ["900 visites par an."])
