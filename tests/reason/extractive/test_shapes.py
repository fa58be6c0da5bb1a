"""What is told by its form."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.plain_answers import form_words, is_nowhere, lacks_form

QUAY: Text = (
    "Quay",
    (
        "The quay was built in 1887 by 40,000 hands. For berths call 0555 2217 at noon. The quay"
        " master writes from quay@tarn.example. The number of berths is 112."
    ),
)
LOFT: Text = ("Loft", "The loft has 1,200 sails, made from 1921 to 1934. It is dry.")


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What is the phone number of the quay?", "Call 0555 2217.", False),
        ("What is the phone number of the quay?", "Call +49 (0)30 123-456.", False),
        ("What is the phone number of the quay?", "It has 40,000 sails of 1921.", True),
        ("What is the e-mail address of the quay?", "Write to quay@tarn.example.", False),
        ("What is the e-mail address of the quay?", "Write to the quay.", True),
        ("What is the number of berths?", "There are many.", False),
        ("When does the quay open?", "The hall opened in 1987.", True),
        ("When does the quay open?", "Boats are lent for four weeks.", True),
        ("When does the quay open?", "It opens at 10 and was closed in June 1987.", False),
        ("When does the quay open?", "The quay opens in 2031.", False),
        ("When does the quay open?", "The quay opens at sunrise.", False),
        ("When does the quay open?", "The quay opens on 3 Sept.", False),
        ("When does the quay close?", "Two hours after the last boat.", False),
        ("When does the quay close?", "Tue-Fri 9-17", False),
        ("When did the quay open?", "The quay opened in 1987.", False),
    ],
)
def test_a_number_to_call_and_an_address_have_a_form(
    question: str, sentence: str, lacks: bool
) -> None:
    assert lacks_form(question, sentence) is lacks


def test_where_no_line_has_the_form_the_sources_do_not_say() -> None:
    assert is_nowhere("What is the phone number of the loft?", pool(LOFT))
    assert not is_nowhere("What is the phone number of the loft?", pool(LOFT, QUAY))
    assert not is_nowhere("How many sails has the loft?", pool(LOFT))
    assert not answer("What is the phone number of the loft?", LOFT)


def test_what_has_the_form_answers_and_needs_none_of_the_words_for_it() -> None:
    assert form_words("Which phone number has the quay?") == {"phone", "number"}
    said = answer("What is the phone number for berths at the quay?", QUAY)
    assert said[0].text == "For berths call 0555 2217 at noon."
