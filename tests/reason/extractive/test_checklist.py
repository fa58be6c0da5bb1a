from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import BORN, checklist

from quaere.domain.question import Question
from quaere.reason.extractive.checklist import (
    MAX_ITEMS,
    build_checklist,
    item_kind,
)
from quaere.reason.extractive.questions.kinds import Kind
from quaere.text.languages.language import languages, speaking


def test_a_factual_question_asks_for_the_fact_and_its_links() -> None:
    items = checklist(BORN).items
    assert [item.id for item in items] == ["answer", "link-1"]
    assert items[0].description == BORN
    assert "the founder of Quill Observatory" in items[1].description


def test_a_side_of_a_comparison_is_named_in_full() -> None:
    items = checklist("Compare the toll of a car and of a lorry").items
    assert [item.description for item in items[1:]] == [
        "What the sources say about the toll of a car",
        "What the sources say about the toll of a lorry",
    ]


def test_several_questions_are_several_items() -> None:
    items = checklist("Who founded the works? When did they burn down?").items
    assert [item.description for item in items] == [
        "Who founded the works?",
        "When did they burn down?",
    ]
    assert [item_kind(item) for item in items] == [Kind.PERSON, Kind.DATE]


def test_a_comparison_has_an_item_for_each_side() -> None:
    items = checklist("Which film came out first, Harbour Lights or The Ninth Wheel?").items
    sides = [item for item in items if item.id.startswith("side")]
    assert [side.description for side in sides] == [
        "The date for Harbour Lights",
        "The date for The Ninth Wheel",
    ]
    assert [item_kind(side) for side in sides] == [Kind.DATE, Kind.DATE]


def test_aspects_that_are_asked_for_are_items() -> None:
    items = checklist("Summarize the costs, main risks, and benefits of canal tunnels.").items
    assert [item.id for item in items[1:4]] == ["aspect-1", "aspect-2", "aspect-3"]
    assert items[2].description.startswith("Main risks")


@pytest.mark.parametrize(
    "question",
    ["?", "Astrolabe", "什么是光合作用？", "Why does a canal tunnel leak?", "Does it need a key?"],
)
def test_what_asks_for_one_thing_has_one_item(question: str) -> None:
    """Nothing is added to reach a number: nobody asked for it."""
    assert [item.description for item in checklist(question).items] == [question]


def test_a_long_question_is_described_by_whole_words() -> None:
    (item,) = checklist(f"Why does {'the old lamp room, ' * 20}leak?").items
    assert item.description.endswith(" lamp room, the …")
    assert len(item.description) <= 302


@given(st.text(min_size=1, max_size=300))
def test_one_to_seven_items_with_ids_of_their_own(text: str) -> None:
    """R4.2."""
    asked = Question(text=text)
    items = build_checklist(asked).items
    assert 1 <= len(items) <= MAX_ITEMS
    assert len({item.id for item in items}) == len(items)
    assert build_checklist(asked).items == items


def test_what_decides_a_comparison_is_named_in_the_language_of_the_question() -> None:
    asked = "Welcher Turm ist älter, der Hexenturm oder der Pulverturm?"
    with speaking(languages()["de"]):
        made = build_checklist(Question(text=asked))
        sides = [item for item in made.items if item.id.startswith("side")]
        assert [side.description for side in sides] == [
            "Der Hexenturm: das Datum",
            "Der Pulverturm: das Datum",
        ]
        assert {item_kind(side) for side in sides} == {Kind.DATE}
