from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from quaere.plan.topics import NoteSets, duplicate_of, topic_similarity
from quaere.text.tokens import STOP_WORDS, fold, tokenize

VOCABULARY = [
    "tides",
    "harbour",
    "Ferry",
    "ferries",
    "dyke",
    "peat",
    "of",
    "1861",
    "O'Neill",
    "海の塔",
    "été",
]
TEXTS = (
    st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join)
    | st.text(max_size=40)
    | st.text("aéS'’.,!( 1塔", max_size=40)
)
NAMED = TEXTS.filter(lambda text: text.strip())


@pytest.mark.parametrize(
    ("a", "b", "similarity"),
    [
        ("History of the Tressel ferry", "the tressel ferry: a HISTORY", 1.0),
        ("peat cutting costs", "peat cutting dates", 0.5),
        ("salt works at Varn", "dykes near Tressel", 0.0),
        ("one two three four five", "one two three four six", 3 / 5),
        ("", "", 0.0),
        ("", "salt", 0.0),
        ("who was he", "who was she", 0.5),
        ("\N{SNOWMAN}", "\N{SNOWMAN}", 1.0),
        ("\udc80", "\udc80", 1.0),
    ],
)
def test_similarity_is_the_jaccard_of_words_that_are_no_stop_words(
    a: str, b: str, similarity: float
) -> None:
    assert topic_similarity(a, b) == similarity


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_between_zero_and_one(a: str, b: str) -> None:
    assert topic_similarity(a, b) == topic_similarity(b, a)
    assert 0.0 <= topic_similarity(a, b) <= 1.0


@given(NAMED)
def test_what_is_identical_is_wholly_alike(topic: str) -> None:
    assert topic_similarity(topic, topic) == 1.0
    assert duplicate_of(topic, ["something else", topic], 1.0) == topic


@given(st.permutations(VOCABULARY))
def test_similarity_knows_no_order_of_words(shuffled: list[str]) -> None:
    assert topic_similarity(" ".join(shuffled), " ".join(VOCABULARY)) == 1.0


def test_fr_10_four_words_of_five_in_common_make_a_duplicate() -> None:
    known = ["tidal mill output at Varn", "alder beech cedar dogwood"]
    assert topic_similarity("alder beech cedar dogwood elder", known[1]) == 0.8
    assert duplicate_of("alder beech cedar dogwood elder", known) == known[1]
    assert duplicate_of("alder beech cedar dogwood elder", known, 0.81) is None
    assert duplicate_of("alder beech cedar elder", known) is None, "three of five"


def test_the_topics_of_the_risk_table_stay_apart() -> None:
    known = ["machine learning training data"]
    assert duplicate_of("machine learning training speed", known) is None


def test_the_most_similar_topic_is_named_and_of_equals_the_first() -> None:
    known = ["peat salt dyke ferry", "peat salt dyke", "salt dyke peat"]
    assert duplicate_of("dyke, salt and peat", known, 0.5) == "peat salt dyke"
    assert duplicate_of("anything", [], 0.0) is None


@given(TEXTS, st.lists(TEXTS, max_size=5), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_finds_no_more(
    topic: str, known: list[str], one: float, other: float
) -> None:
    low, high = sorted((one, other))
    if duplicate_of(topic, known, low) is None:
        assert duplicate_of(topic, known, high) is None


def test_fr_09_novelty_is_the_share_of_words_that_the_notes_lack() -> None:
    notes = NoteSets(["The ferry crossed the harbour.", "Peat was cut."])
    assert notes.novelty("A ferry in the harbour, and salt, salt, salt") == 1 / 3
    assert notes.novelty("the harbour FERRY") == 0.0
    assert notes.novelty("salt works") == 1.0
    assert notes.novelty("of the and") == notes.novelty("") == 0.0
    assert NoteSets().novelty("ferry") == 1.0


def test_stop_words_in_notes_and_findings_count_for_nothing() -> None:
    notes = NoteSets(["salt"])
    assert notes.novelty("salt") == notes.novelty("salt " + " ".join(sorted(STOP_WORDS))) == 0.0


@given(st.lists(TEXTS, max_size=5), TEXTS, TEXTS)
def test_adding_notes_never_raises_novelty(notes: list[str], more: str, new: str) -> None:
    sets = NoteSets(notes)
    before = sets.novelty(new)
    sets.add(more)
    assert 0.0 <= sets.novelty(new) <= before <= 1.0
    sets.add(new)
    assert sets.novelty(new) == 0.0


@given(st.lists(TEXTS, max_size=5), TEXTS)
def test_novelty_knows_no_order_and_no_boundaries_of_notes(notes: list[str], new: str) -> None:
    expected = NoteSets(notes).novelty(new)
    assert NoteSets(notes[::-1]).novelty(new) == expected
    assert NoteSets([" ".join(notes)]).novelty(new) == expected


@given(TEXTS, st.integers(1, 3))
def test_words_are_those_of_the_tokenizer(text: str, step: int) -> None:
    """However the work is saved: against the plain definition."""
    tokens = [token.text for token in tokenize(text)]
    own = {fold(token) for token in tokens} - STOP_WORDS
    lacking = own - {fold(token) for token in tokens[::step]}
    novelty = NoteSets(tokens[::step]).novelty(text)
    assert novelty == (len(lacking) / len(own) if own else 0.0)
