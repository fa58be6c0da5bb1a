"""What rules, notices and minutes allow, forbid, spare and leave to a condition."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.yes_no import YesNo, decide_yes_no
from quaere.text.languages.language import language_of, speaking

SAUNA: Text = (
    "Rules of the Tarnholm sauna",
    (
        "Felt hats below the ears may not be worn. Oils may be poured until dusk. Goats may be tied"
        " up only with the consent of the warden. Bathing robes are included in the price. There"
        " is no boat shed. The kiosk can no longer accept coins. Ladles must not be thrown."
        " Rowers are admitted free of charge. A request by Mr Hask to let ducks in was rejected."
        " Birch twigs are for sale, so they cannot be taken from the pile. Singers who cannot"
        " whistle may bring flutes. Closed on Mondays."
    ),
)
LATER: Text = ("Notes", "Bread is baked in Orrin. The mill grinds rye.")


def decided(question: str) -> YesNo | None:
    return decide_yes_no(question, pool(SAUNA, LATER))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Are felt hats allowed in the sauna?", None),
        ("Can I pour oils in the sauna?", None),
        ("Are bathing robes included at the sauna?", True),
        ("Is there a shed at the sauna?", False),
        ("Can we pay with coins at the kiosk of the sauna?", None),
        ("Does the kiosk accept coins?", False),
        ("Can I throw ladles in the sauna?", False),
        ("Do rowers have to pay at the sauna?", False),
        ("Are ducks allowed in the sauna?", False),
        ("Can I use birch twigs from the pile for sale?", None),
        ("May singers bring flutes to the sauna?", True),
        ("Is the sauna open on Mondays?", False),
    ],
)
def test_a_rule_says_yes_or_no_in_its_own_words(question: str, says: bool | None) -> None:
    found = decided(question)
    assert (found and found.says) is says


def test_what_is_let_on_a_condition_is_told_as_it_stands_and_for_certain() -> None:
    question = "Can I tie up a goat at the sauna?"
    found = decided(question)
    assert found is not None
    assert found.says is None
    first = answer(question, SAUNA, LATER)[0]
    assert first.text.startswith("Goats may be tied up only with the consent")
    assert first.direct is not None
    assert first.direct.is_sure


def test_may_says_of_nobody_who_asks_for_leave_that_it_is_so() -> None:
    assert decided("Does the warden pour oils?") is None


@pytest.mark.parametrize("month", ["May", "June"])
def test_who_does_something_in_may_is_not_told_to_be_the_one_who_may(month: str) -> None:
    boats = ("Boats", f"The grey boat is rowed by Ada Hask in {month}.")
    for question, is_sure in (("Who rows the grey boat?", True), ("Who can row it?", False)):
        direct = answer(question.replace(" it?", " the grey boat?"), boats, LATER)[0].direct
        assert direct is not None
        assert (direct.text, direct.is_sure) == ("Ada Hask", is_sure)


def test_who_is_exempt_does_not_pay_in_spanish() -> None:
    question = "¿Pagan los remeros del puerto?"
    with speaking(language_of(question)):
        text = "Los remeros del puerto están exentos del pago."
        found = decide_yes_no(question, pool(("Puerto", text)))
    assert found is not None
    assert not found.says


def test_a_line_above_a_paragraph_and_bold_words_before_one_head_it() -> None:
    text = "Jetties\nElectric winches may be used. They are loud.\n\nLofts\nOars lie there."
    found = decide_yes_no("Can I use an electric winch on the jetty?", pool(("Rules", text)))
    assert found is not None
    assert found.says
    bold = "**Jetties.** Ropes are grey. Electric winches may be used."
    found = decide_yes_no("Can I use an electric winch on the jetty?", pool(("Rules", bold)))
    assert found is not None
    assert found.says


def test_of_two_conditions_the_one_with_less_besides_leads_and_is_certain() -> None:
    letters: Text = (
        "Letters",
        "If you are ill at sea or lost, the pilot is paid. If you are ill, ring the warden.",
    )
    first = answer("What do I do if I'm ill?", letters)[0]
    assert first.text == "If you are ill, ring the warden."
    assert first.direct is not None
    assert first.direct.is_sure


def test_a_need_from_the_fourth_day_on_is_none_for_two_days() -> None:
    notes: Text = ("Notes", "A note from the healer is needed from the fourth day on.")
    first = answer("Do I need a note for two days in bed?", notes)[0]
    assert first.direct is not None
    assert first.direct.text != "Yes"


def test_what_is_nowhere_at_the_place_asked_about_is_not_certain() -> None:
    mill: Text = ("Orrin", "The steam room is part of the fee; the salt room costs 4 euros.")
    pond: Text = ("Hask", "The pond is open all year.")
    first = answer("How much does the steam room at the pond cost?", mill, pond)[0]
    assert first.direct is not None
    assert not first.direct.is_sure
