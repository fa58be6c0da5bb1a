from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.facts import negation
from quaere.text.tokens import stem


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("The mill was never rebuilt.", "rebuilt"),
        ("The mill wasn't rebuilt.", "rebuilt"),
        ("No miller survived.", "miller"),
        ("It closed without warning.", "warning"),
    ],
)
def test_the_word_behind_a_denial_is_denied(sentence: str, denied: str) -> None:
    found = negation(sentence)
    assert found.denies
    assert stem(denied) in found.denied - found.affirmed


@pytest.mark.parametrize(
    "sentence",
    ["The mill was rebuilt.", "Not only the mill was rebuilt.", "Yes, the mill was rebuilt."],
)
def test_what_is_not_denied_is_affirmed(sentence: str) -> None:
    found = negation(sentence)
    assert stem("rebuilt") in found.affirmed
    assert not found.denied


def test_an_answer_of_no_denies_nothing_behind_it() -> None:
    assert not negation("No, the mill is open.").denies


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    found = negation(text)
    assert found.denies or not found.denied
