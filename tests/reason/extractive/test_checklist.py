from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import BORN, CHEESE, SHELF, Text, checklist, pool

from quaere.domain.question import Question
from quaere.reason.extractive.answer_kinds import Kind
from quaere.reason.extractive.checklist import (
    MAX_ITEMS,
    MIN_ITEMS,
    build_checklist,
    facets,
    item_kind,
)

CANALS: tuple[Text, ...] = (
    ("Canal tunnels", "A canal tunnel needs puddled clay. Boats cross a canal tunnel by legging."),
    ("Digging", "Every canal tunnel was dug from vertical shafts and lined with puddled clay."),
    ("Shafts", "In a canal tunnel the vertical shafts let in air."),
)


def test_a_factual_question_asks_for_the_fact_and_its_links() -> None:
    items = checklist(BORN, *SHELF).items
    assert [item.id for item in items] == ["answer", "link-1", "thing-1"]
    assert items[0].description == f"The place: {BORN}"
    assert "the founder of Quill Observatory" in items[1].description
    assert items[2].description.startswith("Quill Observatory: ")


def test_several_questions_are_several_items() -> None:
    items = checklist("Who founded the works? When did they burn down?").items
    assert [item.description for item in items[:2]] == [
        "The person: Who founded the works?",
        "The date: When did they burn down?",
    ]


def test_a_comparison_has_an_item_for_each_side() -> None:
    items = checklist("Which film came out first, Harbour Lights or The Ninth Wheel?").items
    sides = [item for item in items if item.id.startswith("side")]
    assert [side.description.split(":")[0] for side in sides] == [
        "Harbour Lights",
        "The Ninth Wheel",
    ]
    assert [item_kind(side) for side in sides] == [Kind.DATE, Kind.DATE]


def test_a_broad_question_takes_facets_from_the_first_look() -> None:
    question = Question(text="How does a canal tunnel work?")
    found = facets(question, pool(*CANALS))
    assert {"puddled clay", "vertical shafts"} <= set(found)
    items = build_checklist(question, pool(*CANALS)).items
    assert any(item.description.startswith("Puddled clay: ") for item in items)


def test_facets_come_from_passages_on_the_question_alone() -> None:
    assert facets(Question(text="How does a canal tunnel work?"), pool(CHEESE)) == ()


def test_adverbs_and_very_short_words_are_no_facets() -> None:
    told = pool(
        ("Digging", "A canal tunnel was slowly dug by men with ale."),
        ("Boats", "Boats cross a canal tunnel slowly, and men drink ale."),
    )
    words = {
        word for facet in facets(Question(text="A canal tunnel"), told) for word in facet.split()
    }
    assert words.isdisjoint({"slowly", "men", "ale", "dug"})


def test_aspects_that_are_asked_for_are_items() -> None:
    items = checklist("Summarize the costs, main risks, and benefits of canal tunnels.").items
    assert [item.id for item in items[1:4]] == ["aspect-1", "aspect-2", "aspect-3"]
    assert items[2].description.startswith("Main risks")


@pytest.mark.parametrize("question", ["?", "Astrolabe", "什么是光合作用？", "Was ist Messing?"])
def test_short_questions_have_three_items_all_the_same(question: str) -> None:
    assert len(checklist(question).items) == MIN_ITEMS


def test_a_short_question_asks_what_its_subject_is() -> None:
    descriptions = [item.description for item in checklist("Astrolabe").items]
    assert "What is Astrolabe?" in descriptions
    descriptions = [item.description for item in checklist("?").items]
    assert "What the question is about" in descriptions


@given(st.text(min_size=1, max_size=300), st.lists(st.text(max_size=100), max_size=3))
def test_three_to_seven_items_with_ids_of_their_own(text: str, texts: list[str]) -> None:
    """R4.2."""
    asked = Question(text=text)
    first_look = pool(*((f"t{n}", t) for n, t in enumerate(texts)))
    items = build_checklist(asked, first_look).items
    assert MIN_ITEMS <= len(items) <= MAX_ITEMS
    assert len({item.id for item in items}) == len(items)
    assert build_checklist(asked, first_look).items == items
