"""Follow-ups made whole from what was asked and answered before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import AnswerForm, Turn
from quaere.text.follow_ups import form_asked, meant, understood


def whole(text: str, *asked: str, answer: str = "") -> str:
    return meant(text, understood([Turn(question=each, answer=answer) for each in asked]))


@pytest.mark.parametrize(
    ("asked", "text", "read"),
    [
        (
            "What were the sales of Hask Mills in 2031?",
            "And in 2032?",
            "What were the sales of Hask Mills in 2032?",
        ),
        ("What is new in Sluice 2.1.0?", "and 2.0.0", "What is new in Sluice 2.0.0?"),
        ("Combien de ventes en 2031 ?", "Et en 2032 ?", "Combien de ventes en 2032 ?"),
        ("Who runs the Orrin depot?", "What about the Hask depot?", "Who runs the Hask depot?"),
        ("What does the brass valve weigh?", "and the hose", "What does the hose weigh?"),
        ("When was the Orrin mill sold?", "no, I meant the Hask mill", None),
        ("What is the height of the gate?", "And of the wall?", "What is the height of the wall?"),
        ("When is the pool open?", "and on Mondays?", "When is the pool open on Mondays?"),
        ("Where did Odile Varga study?", "And Anselm Pryce?", "Where did Anselm Pryce study?"),
        ("Which boat is the oldest?", "And the fastest?", "Which boat is the fastest?"),
        ("How long is the coast walk?", "and the longest?", "Which walk is the longest?"),
    ],
)
def test_an_ellipsis_repeats_the_last_question_of_something_else(
    asked: str, text: str, read: str | None
) -> None:
    assert whole(text, asked) == (read or "When was the Hask mill sold?")


@pytest.mark.parametrize(
    ("asked", "text", "read"),
    [
        ("How high is the tide gate?", "Is it locked?", "Is the tide gate locked?"),
        ("What are the risks of Lumen?", "Who makes it?", "Who makes Lumen?"),
        ("How big is the garden?", "Is it locked?", "Is the garden locked?"),
        ("How much is the toll?", "Is that per car?", "Is the toll per car?"),
        ("How many rooms has Hask?", "Who is the owner?", "Hask: Who is the owner?"),
        ("When did the ferry sink?", "Where?", "Where did the ferry sink?"),
        ("Why did Odile Varga resign?", "When was that?", "When did Odile Varga resign?"),
    ],
)
def test_a_pronoun_or_bare_word_is_about_the_subject_of_the_last_question(
    asked: str, text: str, read: str
) -> None:
    assert whole(text, asked) == read


def test_it_is_what_the_question_which_was_answered_by() -> None:
    assert whole("Where is it?", "Which is the oldest?", answer="Grebe (1901) [1].") == (
        "Where is Grebe?"
    )


def test_an_ordinal_is_an_item_of_the_last_list() -> None:
    listed = "fill: opens the gate [1]. drain: shuts it [1]. idle: waits [1]."
    asked = "Which modes does Sluice have?"
    assert whole("What does the second one do?", asked, answer=listed) == "What does drain do?"
    assert whole("What does the fifth one do?", asked, answer=listed) == ""


def test_each_turn_is_read_by_those_before_it() -> None:
    asked = ["How many beds has the Orrin ward?", "And the Hask ward?", "why?"]
    assert whole("Who is the head?", "How big is the Orrin ward?", "And the Hask ward?") == (
        "the Hask ward: Who is the head?"
    )
    assert whole("and the Tressel ward?", *asked) == "How many beds has the Tressel ward?"


def test_after_a_question_whether_it_was_understood_the_one_before_is_repeated() -> None:
    asked = ["How much is the toll?", "Is that per car?"]
    assert whole("and the parking fee?", *asked) == "How much is the parking fee?"


@pytest.mark.parametrize(
    "text",
    [
        "Which mill is the oldest?",
        "Who teaches pottery?",
        "When did the mill at Orrin close?",
        "And when did the mill at Orrin close?",
        "thanks",
        "And?",
        "why?",
    ],
)
def test_what_is_whole_or_not_clear_takes_nothing_over(text: str) -> None:
    assert whole(text, "How high is the tide gate?") == ""


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("as a table please", AnswerForm.TABLE),
        ("Can you put that in a list?", AnswerForm.LIST),
        ("make it shorter", AnswerForm.SHORT),
        ("in more detail", AnswerForm.REPORT),
        ("Which table is longer?", None),
    ],
)
def test_an_ask_for_another_form_asks_the_last_question_again(
    text: str, form: AnswerForm | None
) -> None:
    asked = "How high is the tide gate?"
    assert form_asked(text) is form
    assert (whole(text, asked) == asked) is (form is not None)


@given(st.text(max_size=150), st.text(max_size=300), st.text(max_size=300))
def test_whatever_was_said_a_follow_up_can_be_read(text: str, question: str, answer: str) -> None:
    turns = understood([Turn(question=question, answer=answer)] * 2)
    assert len(meant(text, turns)) <= len(text) + len(question) + len(answer) + 60
