"""What two texts must have in common to mean the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.facts import deny_alike, name_words, negation, stated_facts, undenied_in_code
from quaere.text.tokens import stem


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the harvest of 1903", "the harvest of 1904"),
        ("a wall of 3 km", "a wall of 3 miles"),
        ("opened on 4 May 1891", "opened in 1891"),
        ("towns with a mill", "towns without a mill"),
    ],
)
def test_one_plain_fact_more_or_less_is_another_statement(a: str, b: str) -> None:
    assert stated_facts(a) != stated_facts(b)


def test_the_words_around_them_do_not_count() -> None:
    assert stated_facts("the harvest of 1903 in Hask") == stated_facts(
        "how much was reaped in 1903"
    )
    assert stated_facts("") == stated_facts("salt")


def test_names_are_told_by_their_words() -> None:
    assert name_words("the mill that Ada Brandt built") == {"ada", "brandt"}
    assert name_words("the mill") == frozenset()


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("The mill was never rebuilt.", "rebuilt"),
        ("The mill wasn't rebuilt.", "rebuilt"),
        ("No miller survived.", "miller"),
        ("It closed without warning.", "warning"),
        ("It does not anticipate paying a dividend.", "paying"),
        ("It isn't expected to open.", "open"),
        ("It is not able to currently swim.", "swim"),
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


@pytest.mark.parametrize(("between", "is_denied"), [(4, True), (5, False)])
def test_a_denial_reaches_over_four_words_without_content(between: int, is_denied: bool) -> None:
    found = negation(f"not {'the ' * between}mill")
    assert ("mill" in found.denied, "mill" in found.affirmed) == (is_denied, not is_denied)


def test_what_softens_a_denial_is_affirmed_where_it_has_content() -> None:
    assert negation("No fewer mills").affirmed == {stem("fewer"), stem("mills")}
    assert negation("Not only mills").affirmed == {stem("mills")}


def test_two_sentences_deny_alike_where_both_or_neither_deny() -> None:
    assert deny_alike("It never shut.", "No mill stood.")
    assert deny_alike("It shut.", "A mill stood.")
    assert not deny_alike("It shut.", "No mill stood.")


def test_an_answer_of_no_denies_nothing_behind_it() -> None:
    assert not negation("No, the mill is open.").denies


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    found = negation(text)
    assert found.denies or not found.denied


@pytest.mark.parametrize("code", ["NO_TIDES", "https://no-tides.example/not", "use_no_ropes"])
def test_a_name_of_code_denies_nothing(code: str) -> None:
    assert not negation(f"Gully honours {code} in its log.").denies
    assert negation(f"Gully does not honour {code} in its log.").denies
    assert len(undenied_in_code(code)) == len(code)
