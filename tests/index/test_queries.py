from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query
from quaere.index.queries import (
    FAINT_WEIGHT,
    FOCUS_WEIGHT,
    MAX_QUERY_CHARS,
    MAX_TITLES,
    understand,
)

WORDS = st.text(max_size=30)


def test_terms_count_by_what_the_query_says_of_them() -> None:
    query = Query(
        text="Which harbours did the engineer design?",
        focus=("Ida Krell",),
        faint=("engineer", "unheard"),
    )
    assert understand(query).weights == {
        "harbour": 1.0,
        "engin": FAINT_WEIGHT,
        "design": 1.0,
        "ida": FOCUS_WEIGHT,
        "krell": FOCUS_WEIGHT,
    }


def test_what_is_both_focus_and_faint_is_focus() -> None:
    query = Query(text="Tarn mills", focus=("Tarn",), faint=("Tarn", "mills"))
    assert understand(query).weights == {"tarn": FOCUS_WEIGHT, "mill": FAINT_WEIGHT}


def test_of_stop_words_alone_they_are_what_is_looked_for() -> None:
    assert list(understand(Query(text="The Who")).weights) == ["the", "who"]
    assert list(understand(Query(text="the of", focus=("Tarn",))).weights) == ["tarn"]


@pytest.mark.parametrize("text", ["?!", "\x00", "…", "🦋"])
def test_of_no_words_nothing_is_looked_for(text: str) -> None:
    assert understand(Query(text=text)).weights == {}


def test_titles_are_looked_up_whole_and_by_their_terms() -> None:
    (title,) = understand(Query(text="x", titles=("The Mills of Tarn",))).titles
    assert title.keys == ("the mills of tarn", "mills of tarn")
    assert title.terms == ("mill", "tarn")
    (title,) = understand(Query(text="x", titles=("The Who",))).titles
    assert title.terms == ("the", "who")


def test_overlong_queries_are_cut() -> None:
    long = "word " * MAX_QUERY_CHARS
    query = Query(text=f"{long} late", focus=(long, "late"), titles=("t",) * 100)
    wanted = understand(query)
    assert list(wanted.weights) == ["word"]
    assert len(wanted.titles) == MAX_TITLES


@given(
    text=st.text(min_size=1).filter(str.strip),
    focus=st.lists(WORDS, max_size=3),
    faint=st.lists(WORDS, max_size=3),
    titles=st.lists(WORDS, max_size=3),
)
def test_any_query_is_understood(
    text: str, focus: list[str], faint: list[str], titles: list[str]
) -> None:
    query = Query(text=text, focus=tuple(focus), faint=tuple(faint), titles=tuple(titles))
    wanted = understand(query)
    assert wanted == understand(query)
    assert all(weight in (1.0, FOCUS_WEIGHT, FAINT_WEIGHT) for weight in wanted.weights.values())
    assert len(wanted.titles) == len(titles)
