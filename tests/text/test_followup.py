"""What a follow-up question leaves unsaid, without a model to say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Question, Turn
from quaere.text.followup import MAX_NAMES, leans, left_unsaid

FOUNDER = Turn(
    question="Who founded the Quill Observatory?",
    answer="It was founded in 1902 by Odile Varga. Anselm Pryce had no part in it.",
)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("And when was she born?", "Odile Varga"),
        ("What else did she found?", "Odile Varga"),
        ("Und wann wurde sie geboren?", "Odile Varga"),
        ("What about Hask?", "Quill Observatory, Odile Varga"),
        ("Where did Varga live then?", ""),
        ("What is the tallest mountain, and how high is it?", ""),
        ("So when was Odile Varga born?", ""),
        ("And when did the mill at Orrin close?", ""),
        ("Und wann wurde die alte Mühle in Orrin geschlossen?", ""),
        ("What about the second bridge of Hask?", "Quill Observatory, Odile Varga"),
        ("And what about the second bridge of Hask?", "Quill Observatory, Odile Varga"),
        ("And the second bridge of Hask?", "Quill Observatory, Odile Varga"),
        ("And in Orrin?", "Quill Observatory, Odile Varga"),
        ("And when did Hask leave?", "Quill Observatory, Odile Varga"),
        ("But who designed the second bridge?", "Quill Observatory, Odile Varga"),
        ("And where did she meet Anselm Pryce?", "Odile Varga"),
        ("And how high is it?", "Quill Observatory, Odile Varga"),
        ("Why?", "Quill Observatory, Odile Varga"),
        ("How many arches has the bridge of Tressel Ford?", ""),
        ("When was Odile Varga born?", ""),
    ],
)
def test_a_follow_up_is_about_what_was_named_before(text: str, unsaid: str) -> None:
    assert left_unsaid(text, [FOUNDER]) == unsaid


def test_the_last_turn_counts() -> None:
    later = Turn(question="How high is Mount Sorrel?", answer="1,904 metres [1].")
    assert left_unsaid("Can it be climbed by rail?", [FOUNDER, later]) == "Mount Sorrel"


def test_without_a_name_the_words_of_the_question_help() -> None:
    turn = Turn(question="what do lantern moths eat?", answer="salt lichen.")
    assert left_unsaid("and where do they live?", [turn]) == "lantern moths eat"


@pytest.mark.parametrize(("before", "is_read"), [(1_995, True), (1_996, False)])
def test_only_the_first_two_thousand_characters_of_what_was_said_are_read(
    before: int, *, is_read: bool
) -> None:
    said = f"{('la ' * 665).rjust(before, 'l')}Orrin"
    for turn in (Turn(question=said, answer="Yes."), Turn(question="why?", answer=said)):
        assert (left_unsaid("And how high is it?", [turn]) == "Orrin") is is_read


def test_without_a_conversation_nothing_is_left_unsaid() -> None:
    assert left_unsaid("And when was she born?", []) == ""


@given(st.text(max_size=80), st.text(max_size=300), st.text(max_size=300))
def test_whatever_was_said_it_stays_short(text: str, question: str, answer: str) -> None:
    unsaid = left_unsaid(text, [Turn(question=question, answer=answer)])
    assert unsaid.count(", ") < MAX_NAMES or "," in f"{question}{answer}"
    assert not unsaid or leans(text)


def test_a_question_is_searched_for_with_what_it_leaves_unsaid() -> None:
    assert Question(text="When was she born?", about="Odile Varga").full_text == (
        "Odile Varga: When was she born?"
    )
    assert Question(text="Who?").full_text == "Who?"
