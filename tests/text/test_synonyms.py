from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.synonyms import (
    _COUNTRIES,
    IRREGULAR,
    RELATIONS,
    everyday_words,
    nation_called,
    nations,
    other_spellings,
    related_words,
)
from quaere.text.tokens import stem

WORDS = sorted(set(RELATIONS.split()))
KNOWN = {stem(word) for word in (*WORDS, *IRREGULAR.replace(",", " ").split())}


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("wife", "married"),
        ("director", "filmmaker"),
        ("born", "birthplace"),
        ("mother", "parent"),
        ("prune", "delete"),
        ("unpack", "extract"),
    ],
)
def test_words_of_one_relation_lead_to_each_other(word: str, other: str) -> None:
    assert other in related_words(word)
    assert word in related_words(other)


@pytest.mark.parametrize("word", WORDS)
def test_related_words_have_other_stems_and_stand_once(word: str) -> None:
    related = related_words(word)
    assert related, f"{word} is alone on its line"
    assert len(set(related)) == len(related)
    assert stem(word) not in {stem(other) for other in related}


@pytest.mark.parametrize("line", [line.split() for line in RELATIONS.strip().splitlines()])
def test_a_relation_is_mutual(line: list[str]) -> None:
    for word in line:
        for other in line:
            assert stem(word) == stem(other) or other in related_words(word)


@given(st.text(max_size=20))
def test_unrelated_words_have_none(word: str) -> None:
    if not {stem(word)} & KNOWN:
        assert related_words(word) == ()


def test_a_country_is_known_by_each_of_its_names() -> None:
    assert nations("Great Britain, Britain and Scotland") == ("United Kingdom",)


def test_a_name_stands_for_the_country_that_a_text_of_it_alone_names() -> None:
    for name in _COUNTRIES:
        assert nations(name) == (nation_called(name),)
    assert nation_called("Great Britain and France") is None
    assert nation_called("great britain") is None


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("licence", "license"), ("Licenses", "licences"), ("colour", "color"),
        ("colors", "colours"), ("behaviour", "behavior"), ("organised", "organized"),
        ("organization", "organisation"), ("centre", "center"), ("centers", "centres"),
        ("defence", "defense"), ("catalogue", "catalog"), ("catalogs", "catalogues"),
    ],
)  # fmt: skip
def test_words_are_spelled_in_two_ways(word: str, other: str) -> None:
    assert other in other_spellings(word)


@pytest.mark.parametrize("word", ["hour", "four", "number", "water", "ships", "", "Ärzte"])
def test_most_words_are_spelled_in_one_way(word: str) -> None:
    assert other_spellings(word) == ()


def test_where_it_rained_is_told_by_rainfall() -> None:
    assert "rainfall" in everyday_words("rain")
