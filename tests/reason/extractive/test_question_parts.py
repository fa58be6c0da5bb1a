from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.reason.extractive.question_parts import (
    Comparison,
    aspects,
    comparison,
    descriptions,
    questions,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Who founded the works? When did they burn down?",
            ("Who founded the works?", "When did they burn down?"),
        ),
        (
            "1) Name the keepers 2) Describe the lamp",
            ("Name the keepers", "Describe the lamp"),
        ),
        (
            "the keepers of the lamp; the fire of 1932",
            ("the keepers of the lamp", "the fire of 1932"),
        ),
        (
            "Who ground the lens and in which town did they live?",
            ("Who ground the lens", "in which town did they live"),
        ),
        ("Who ground the lens and the mirror?", ("Who ground the lens and the mirror?",)),
        ("Who ground the lens?", ("Who ground the lens?",)),
        ("镜片是谁磨的？工厂什么时候烧毁？", ("镜片是谁磨的？", "工厂什么时候烧毁？")),
    ],
)
def test_a_question_is_split_where_it_asks_anew(text: str, parts: tuple[str, ...]) -> None:
    assert questions(text) == parts


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Compare brass with iron on weight", Comparison("brass", "iron", "weight")),
        ("brass versus iron", Comparison("brass", "iron", "")),
        (
            "What is the difference between a lens and a mirror?",
            Comparison("a lens", "a mirror", ""),
        ),
        (
            "Which film came out first, Harbour Lights or The Ninth Wheel?",
            Comparison("Harbour Lights", "The Ninth Wheel", "Which film came out first"),
        ),
        (
            "Who was born later Ada Brandt or Odile Varga?",
            Comparison("Ada Brandt", "Odile Varga", "Who was born later"),
        ),
        (
            "Between Ada Brandt and Odile Varga, who was older?",
            Comparison("Ada Brandt", "Odile Varga", "who was older"),
        ),
        (
            "Are both Ada Brandt and Odile Varga from the same country?",
            Comparison("Ada Brandt", "Odile Varga", "from the same country"),
        ),
        ("How do brass and iron differ in weight?", Comparison("brass", "iron", "weight")),
        ("How does brass differ from iron?", Comparison("brass", "iron", "")),
        ("What distinguishes brass from iron?", Comparison("brass", "iron", "")),
        (
            "What trade do Ada Brandt and Odile Varga have in common?",
            Comparison("Ada Brandt", "Odile Varga", ""),
        ),
        (
            "The Drentse and the Entlebucher are both which kind of animal?",
            Comparison("Drentse", "Entlebucher", ""),
        ),
    ],
)
def test_what_is_set_against_each_other(question: str, compared: Comparison) -> None:
    assert comparison(question) == compared


@pytest.mark.parametrize(
    "question",
    [
        "Who founded the works?",
        "Is brass heavy?",
        "",
        "Why do salt and brass react?",
        "How does one get from Tarnholm to Brell?",
        "Which film did Ada Brandt and Jon Hask both direct?",
        "How do I start and stop the works in different ways?",
    ],
)
def test_not_every_question_compares(question: str) -> None:
    assert comparison(question) is None


def test_a_question_that_begins_with_a_description_has_it() -> None:
    assert descriptions("the founder of Quill Observatory") == ("the founder of Quill Observatory",)


def test_the_members_of_an_enumeration_are_aspects() -> None:
    assert aspects("Summarize the costs, main risks, and benefits of canal tunnels.") == (
        "costs",
        "main risks",
        "benefits",
    )


def test_an_enumeration_of_names_lists_no_aspects() -> None:
    assert aspects("What do Ada Brandt, Odile Varga, and Jon Hask share?") == ()


@pytest.mark.parametrize("word", ["compare a and ", "a, b and ", "who or ", "; ", "1) ", "is a "])
def test_hostile_wordings_take_no_time(word: str) -> None:
    text = word * (20_000 // len(word))
    work = lambda: (questions(text), comparison(text), aspects(text))  # noqa: E731
    assert cpu_s(work, enough_s=1) <= 1


@given(st.text(max_size=300))
def test_no_part_is_empty_when_something_is_asked(text: str) -> None:
    parts = questions(text)
    assert parts
    assert len(parts) == 1 or all(part.strip() for part in parts)
