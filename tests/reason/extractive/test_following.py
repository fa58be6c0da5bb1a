from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.following import follow

FILM: Text = (
    "Tin Lanterns",
    (
        "Tin Lanterns is a 1931 film directed by Jakob Orlen and starring Mira Solt. It was shot in"
        " Brell."
    ),
)
DIRECTOR: Text = (
    "Jakob Orlen",
    (
        "Jakob Orlen (6 June 1899, Hask – 2 November 1964, Tarnholm) filmed. He was the son"
        " of Emil Orlen and Ida Vance."
    ),
)
FATHER: Text = ("Emil Orlen", "Emil Orlen was a locksmith. He was born in Dunmere.")
MOTHER: Text = ("Ida Vance", "Ida Vance kept bees. She was the daughter of Otto Vance, a miller.")
STAR: Text = ("Mira Solt", "Mira Solt was an actress who was born in Brell and died in Hask.")
SHELF = (FILM, STAR, DIRECTOR, FATHER, MOTHER)


def reached(question: str, *texts: Text) -> list[str]:
    read = pool(*texts)
    return [read.passages[one.owner].title for one in follow(question, read)][:1]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Where did the director of the film Tin Lanterns die?", "Jakob Orlen"),
        ("Where was Jakob Orlen's father born?", "Emil Orlen"),
        ("When was the father of the director of Tin Lanterns born?", "Emil Orlen"),
    ],
)
def test_relations_lead_from_page_to_page(question: str, title: str) -> None:
    assert reached(question, *SHELF) == [title]


@pytest.mark.parametrize(
    "question",
    [
        "Where did Jakob Orlen die?",
        "Who is the director of Tin Lanterns?",
        "Where did the director of Brass Lanterns die?",
        "Wo starb der Regisseur von Tin Lanterns?",
    ],
)
def test_without_a_relation_to_something_known_there_is_nowhere_to_go(question: str) -> None:
    assert reached(question, *SHELF) == []


def test_without_the_page_there_is_nowhere_to_go() -> None:
    assert reached("Where was Jakob Orlen's father born?", FILM, DIRECTOR) == []


def test_who_is_asked_for_is_told_on_the_page_before() -> None:
    question = "Who is the maternal grandfather of Jakob Orlen?"
    assert "Ida Vance" in reached(question, *SHELF)
    assert "Otto Vance" in answer(question, *SHELF)[0].text


def test_of_what_that_page_tells_the_line_with_such_an_answer_leads() -> None:
    tanner: Text = (
        "Emil Orlen",
        (
            "Emil Orlen (born 1 May 1870) was a Norse tanner, the father of Jakob Orlen. Orlen was"
            " born in Dunmere, by the sea."
        ),
    )
    first, *_ = answer("What is the place of birth of Jakob Orlen's father?", DIRECTOR, tanner)
    assert first.text == "Orlen was born in Dunmere, by the sea."


def test_the_page_that_relations_lead_to_answers() -> None:
    first, *others = answer("Where was Jakob Orlen's father born?", *SHELF)
    assert first.text.endswith("He was born in Dunmere.")
    assert first.direct is not None
    assert first.direct.confidence >= 0.6
    assert any("son of Emil Orlen" in each.text for each in others)


def test_an_initial_more_is_the_same_name() -> None:
    wife: Text = ("Ada Brandt", "Ada Brandt was the wife of the mayor Karl F. Brandt.")
    husband: Text = ("Karl Brandt", "Karl Brandt was born in Hask.")
    assert reached("Where was Ada Brandt's husband born?", wife, husband) == ["Karl Brandt"]


@pytest.mark.parametrize(("between", "titles"), [(10, ["Jakob Orlen"]), (11, [])])
def test_a_name_far_from_the_word_for_the_relation_is_of_something_else(
    between: int, titles: list[str]
) -> None:
    film: Text = ("Tin Lanterns", f"The film was directed {'slowly ' * between}by Jakob Orlen.")
    question = "Where did the director of the film Tin Lanterns die?"
    assert reached(question, film, DIRECTOR) == titles
