from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query
from quaere.index.analysis import (
    FAINT_WEIGHT,
    FOCUS_WEIGHT,
    MAX_QUERY_CHARS,
    MAX_TITLES,
    indexer,
    name_words,
    searchable,
    terms,
    title_keys,
    understand,
)

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


def test_a_single_sign_counts_once() -> None:
    assert searchable("第 3").split() == ["第", "3"]


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


@pytest.mark.parametrize(
    ("path", "title", "words"),
    [
        ("/books/annual_report-2023.pdf", "Oss Mills", "books annual report 2023"),
        ("/books/netSales.csv", "Sales of books", "net"),
        ("/x/004_5b4a69cb2ce94f87.txt", "Tides", "004"),
        ("notes.md", "Notes", ""),
        ("/", "", ""),
    ],
)
def test_the_name_of_a_file_is_searched_but_not_its_hash(path: str, title: str, words: str) -> None:
    assert name_words(path, title) == words
