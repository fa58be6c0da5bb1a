"""What asks for the last answer once more is told from what asks anything new."""

from __future__ import annotations

import time

import pytest

from quaere.domain.question import AnswerForm, Turn
from quaere.text.asking_again import asks_again, asks_nothing, form_asked
from quaere.text.follow_ups import whole_question

MOTHS = Turn(question="what do lantern moths eat?", answer="salt lichen.")
TOWER = Turn(question="Wie hoch ist der Turm?", answer="58 Meter.")
POPULATION = [
    Turn(question="How many inhabitants does Vienna have?", answer="2,005,760."),
    Turn(question="And Graz?", answer="303,270."),
]
GRAZ = "How many inhabitants does Graz have?"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("as a table please", AnswerForm.TABLE),
        ("Can you put that in a list?", AnswerForm.LIST),
        ("make it shorter", AnswerForm.SHORT),
        ("In short?", AnswerForm.SHORT),
        ("in more detail", AnswerForm.REPORT),
        ("Kurz gesagt?", AnswerForm.SHORT),
        ("Und in einem Satz?", AnswerForm.SHORT),
        ("Bitte als Tabelle", AnswerForm.TABLE),
        ("ausführlicher bitte", AnswerForm.REPORT),
        ("Which table is longer?", None),
        ("make a table of the mills", None),
        ("Wie kurz ist das Seil?", None),
    ],
)
def test_an_ask_for_another_form_alone_asks_the_last_question_again(
    text: str, form: AnswerForm | None
) -> None:
    assert form_asked(text) is form
    assert (whole_question(text, [MOTHS]) == MOTHS.question) is (form is not None)


@pytest.mark.parametrize(
    "text",
    [
        "Who says so?",
        "And who says that?",
        "How sure are you?",
        "Are you sure about that?",
        "Is that true?",
        "Show me the sentence",
        "Can you show me the exact words, please?",
        "What is your source?",
        "Sources?",
        "Where did you read that?",
        "How do you know?",
        "Wer sagt das?",
        "Wie sicher ist das?",
        "Bist du dir sicher?",
        "Zeig mir den Satz",
        "Was ist deine Quelle dafür?",
        "Woher weißt du das?",
        "Stimmt das?",
    ],
)
def test_what_asks_on_what_an_answer_rests_asks_the_last_question_again(text: str) -> None:
    assert asks_again(text)
    assert whole_question(text, [TOWER]) == TOWER.question


@pytest.mark.parametrize(
    "text",
    [
        "What is the source?",
        "And the source of the Hask?",
        "Who wrote it?",
        "How reliable is it?",
        "Is it safe?",
        "Ist das sicher?",
        "Show me the mills",
        "Where is the passage?",
        "Who says that the mill burned?",
        "Are you sure that the mill burned?",
        "Woher kommt das?",
        "Wo steht das Haus?",
        "How certain is the forecast?",
    ],
)
def test_what_asks_about_the_world_is_a_question_of_its_own(text: str) -> None:
    assert not asks_again(text)


@pytest.mark.parametrize(
    "between", ["Show me the sentence", "How sure are you?", "Thanks!", "Ok, thank you very much"]
)
def test_a_question_after_it_goes_on_from_the_one_before(between: str) -> None:
    assert asks_nothing(between) or whole_question(between, POPULATION) == GRAZ
    said = [*POPULATION, Turn(question=between, answer="303,270.")]
    assert whole_question("And Linz?", said) == "How many inhabitants does Linz have?"
    assert whole_question("In short?", said) == GRAZ


@pytest.mark.parametrize("text", ["thanks", "Danke!", "Ok, got it.", "Alles klar, vielen Dank"])
def test_thanks_ask_nothing(text: str) -> None:
    assert asks_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Hello!", "Thank you for your help.", "Thanks, that's very helpful. Bye!", "Bye bye"),
        *(
            "Tschüss",
            "Merci beaucoup !",
            "¡Muchas gracias!",
            "Dank je wel",
            "谢谢你！",
            "ありがとう。",
        ),
    ],
)
def test_thanks_greetings_and_goodbyes_ask_nothing_at_any_time(text: str) -> None:
    assert asks_nothing(text, follows=False)


@pytest.mark.parametrize("text", ["Nice", "Super!", "Cool", "Many", "Gut", "Cheers", "Good Night"])
def test_a_word_of_assent_may_be_looked_up_where_nothing_was_said_before(text: str) -> None:
    assert asks_nothing(text)
    assert not asks_nothing(text, follows=False)


@pytest.mark.parametrize(
    "text", ["Hello Kitty", "Hi-fi?", "Bonjour tristesse", "Bye, and who built it?", "Hello, who?"]
)
def test_a_word_of_greeting_in_a_question_asks(text: str) -> None:
    assert not asks_nothing(text)


@pytest.mark.parametrize("text", ["Thanks to whom?", "What is good?", "Is it fine?", "?"])
def test_a_question_with_a_word_of_thanks_asks(text: str) -> None:
    assert not asks_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "and ",
        "please, ",
        "show me ",
        "thanks ",
        "thank you ",
        "so ",
        " ",
        "!",
        "the ",
        "give that ",
    ],
)
def test_long_text_is_read_in_no_time(text: str) -> None:
    begun = time.process_time()
    for end in ("", "x", "!"):
        long = text * (50_000 // len(text)) + end
        assert not asks_again(long)
        assert not asks_nothing(long)
    assert time.process_time() - begun < 1
