"""Amounts with another span of time to them."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.rates import has_other_rate
from quaere.verify.support import weigh

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


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The pumps are checked weekly.", True),
        ("The pumps are checked once a week.", True),
        ("The pumps are checked every month.", False),
        ("The pumps are checked once a month.", False),
        ("The pumps are checked.", False),
    ],
)
def test_what_is_done_monthly_is_not_done_weekly(said: str, other: bool) -> None:
    assert has_other_rate(said, ["The pumps are checked monthly."]) is other
    assert weigh(said, [passage("The pumps are checked monthly.")]).support.holds is not other
