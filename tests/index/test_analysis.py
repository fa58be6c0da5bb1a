from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.index.analysis import indexer, searchable, terms, title_keys

MIXED = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("abc ABC éÉ ﬁ Ⅷ 東京都は ไทย 한국 d'Arc's 3,014.5 - _ ı İ ß\u0301\u00ad"),
    ),
    max_size=60,
)


def test_terms_are_stems_without_stop_words_each_once() -> None:
    assert terms("What are the cities of the Running foxes, and which foxes run?") == [
        "citi",
        "run",
        "fox",
    ]


def test_stop_words_are_kept_on_demand() -> None:
    assert terms("Who is the Who?") == []
    assert terms("Who is the Who?", stop_words=True) == ["who", "is", "the"]


@pytest.mark.parametrize("text", ["What's Krell's", "the aren't of Krell", "Krell s"])
def test_what_an_apostrophe_leaves_over_is_no_term(text: str) -> None:
    assert terms(text) == ["krell"]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Café Übermut", "cafe ubermut"),
        ("cafe\u0301", "café"),
        ("ＶＩＩＩ ﬁsh", "viii fish"),
        ("ВЕЛИКИЙ", "великий"),
        ("the U.S. and the U.K.", "US UK"),
        ("a US bank", "u.s. bank"),
    ],
)
def test_case_accents_and_forms_do_not_matter(written: str, asked: str) -> None:
    assert set(terms(asked)) <= set(indexer().analyze(searchable(written)))


def test_unspaced_scripts_are_found_by_pairs_and_single_signs() -> None:
    stored = indexer().analyze(searchable("私は東京都に住む"))
    assert set(terms("東京")) == {"東京"}
    assert {"東京", "京都"} <= set(stored)
    assert set(terms("住")) <= set(stored)
    assert "東都" not in stored


def test_only_the_dots_inside_acronyms_go() -> None:
    assert searchable("In the U.S.A. e.g. Tarn. I. Krell") == "In the USA eg Tarn. I. Krell"


@given(MIXED)
def test_every_term_of_a_text_finds_it(text: str) -> None:
    assert set(terms(text, stop_words=True)) <= set(indexer().analyze(searchable(text)))


@given(st.text(st.characters(codec=None), max_size=40))
def test_no_text_is_refused(text: str) -> None:
    terms(text)
    indexer().analyze(searchable(text))
    title_keys(text)


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("Ida Krell", ["ida krell"]),
        ("  IDA   krell! ", ["ida krell"]),
        ("The Tarn", ["the tarn", "tarn"]),
        ("A Tarn (novel)", ["a tarn novel", "tarn novel", "a tarn", "tarn"]),
        ("“Tarn”: Mills & More", ["tarn mills more"]),
        ("The", ["the"]),
        ("!?", []),
        ("", []),
        ("é" * 600, []),
    ],
)
def test_title_keys(title: str, keys: list[str]) -> None:
    assert title_keys(title) == keys


@given(MIXED)
def test_a_title_key_is_its_own_key(title: str) -> None:
    for key in title_keys(title):
        assert key in title_keys(key)
