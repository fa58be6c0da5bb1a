"""How alike two words are: forms of one, words for one thing, opposites."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.languages.language import languages, speaking
from quaere.verify.likeness import alike as count_alike
from quaere.verify.likeness import has_opposite, is_irregular, likeness, root

WORDS = [
    *("safe", "unsafe", "proper", "improper", "rise", "fall", "rose", "open", "shut", "close"),
    *("boat", "vessel", "known", "unknown", "hope", "hopeful", "hopeless", "port", "import"),
    *("export", "1912", "1913", "invest", "investor", "thick", "thickness", "cover", "uncover"),
]


def alike(a: str, b: str) -> tuple[float, bool]:
    return likeness(root(a), root(b))


@given(st.sampled_from(WORDS), st.sampled_from(WORDS))
def test_likeness_has_two_ways(a: str, b: str) -> None:
    share, opposite = alike(a, b)
    assert alike(b, a) == (share, opposite)
    assert 0 <= share <= 1
    assert alike(a, a) == (1, False)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("rise", "fell"),
        ("open", "shut"),
        ("wins", "lost"),
        ("north", "southern"),
        ("safe", "unsafe"),
        ("regular", "irregular"),
        ("continue", "discontinue"),
        ("trust", "mistrust"),
        ("stop", "nonstop"),
        ("legal", "illegal"),
        ("visible", "invisible"),
        ("known", "unknown"),
        ("hopeful", "hopeless"),
        ("hope", "hopeless"),
    ],
)
def test_opposites_are_alike_though_less_than_words_for_one_thing(a: str, b: str) -> None:
    share, opposite = alike(a, b)
    assert opposite
    assert 0 < share < alike("boat", "vessel")[0] < 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("boat", "vessel"),
        ("shut", "closed"),
        ("rose", "climbed"),
        ("began", "opened"),
        ("invest", "investor"),
        ("kept", "stored"),
    ],
)
def test_words_for_one_thing_and_forms_of_one_word_are_alike(a: str, b: str) -> None:
    share, opposite = alike(a, b)
    assert 0 < share < 1
    assert not opposite


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("port", "import"),
        ("cover", "discover"),
        ("play", "display"),
        ("art", "unart"),
        ("lamp", "bell"),
        ("lamp", "lamb"),
        ("harb", "harbour"),
        ("hope", "hopeful"),
        ("19121", "19122"),
        ("191212", "191213"),
        ("thick", "thickness"),
        ("safe", "insafe"),
    ],
)
def test_words_that_only_look_alike_are_not_opposites(a: str, b: str) -> None:
    assert not alike(a, b)[1]


@pytest.mark.parametrize(
    ("a", "b"), [("lamp", "bell"), ("lamp", "lamb"), ("191212", "191213"), ("inves", "inver")]
)
def test_words_that_have_nothing_to_do_with_each_other_are_not_alike(a: str, b: str) -> None:
    assert likeness(a, b) == (0, False)


@pytest.mark.parametrize(
    ("code", "a", "b", "like"),
    [
        ("de", "bahnbruck", "bruck", True),
        ("nl", "spoorbrug", "orbrug", True),
        ("de", "bahnbruck", "ruck", False),
        ("fr", "bahnbruck", "bruck", False),
        ("de", "geleitet", "leitet", True),
        ("de", "geleit", "leitung", True),
        ("de", "leitung", "geleit", True),
        ("de", "gelei", "lei", False),
        ("de", "beleite", "leitung", False),
        ("fr", "geleitet", "leitet", False),
        ("de", "leitet", "leitete", True),
    ],
)
def test_languages_that_join_words_know_their_parts_and_participles(
    code: str, a: str, b: str, *, like: bool
) -> None:
    with speaking(languages()[code]):
        assert (likeness(a, b)[0] > 0) is like


@pytest.mark.parametrize(
    ("form", "base"),
    [
        *product(("began", "begun"), ("begin",)),
        ("children", "child"),
        ("wrote", "write"),
        ("unknown", "unknow"),
        ("lamps", "lamp"),
    ],
)
def test_irregular_forms_have_the_root_of_their_base(form: str, base: str) -> None:
    assert root(form) == root(base)
    assert root("thickness") != root("thick")


@pytest.mark.parametrize(("word", "other"), [("founded", "find"), ("range", "ring")])
def test_a_word_with_the_stem_of_an_irregular_form_is_another_word(word: str, other: str) -> None:
    assert root(word) != root(other)
    assert not is_irregular(word)


@pytest.mark.parametrize(("word", "known"), [("open", True), ("rose", True), ("lamp", False)])
def test_which_words_have_an_opposite(word: str, *, known: bool) -> None:
    assert has_opposite(root(word)) is known


@pytest.mark.parametrize(
    ("word", "irregular"),
    [("dug", True), ("written", True), ("drove", True), ("walked", False), ("boat", False)],
)
def test_irregular_forms_are_those_that_no_stemmer_reduces(word: str, *, irregular: bool) -> None:
    assert is_irregular(word) is irregular


@pytest.mark.parametrize(("a", "b"), [("careless", "careful"), ("careful", "careless")])
def test_an_ending_turns_a_word_whichever_comes_first(a: str, b: str) -> None:
    assert alike(a, b)[1]


def test_a_prefix_that_turns_no_word_makes_no_opposite() -> None:
    assert not alike("coeffective", "effective")[1]
    assert alike("ineffective", "effective")[1]


def test_stems_are_counted_that_another_text_has_alike_and_opposites_are_not() -> None:
    said = map(root, ("safe", "vessel", "mill"))
    assert count_alike(said, [*map(root, ("unsafe", "boat"))]) == 1
