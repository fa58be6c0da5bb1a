"""Words that say one thing of two from either end."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.test_clash import kind

from quaere.text.languages.language import language_of, speaking
from quaere.verify.clash import Kind
from quaere.verify.rules.converses import ends_alike, is_relation

RACE = "The Herons beat the Otters, who had lost to the Swans in May."


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("The Otters lost to the Herons.", 1),
        ("The Otters beat the Herons.", -1),
        ("The Swans beat the Otters in May.", 1),
        ("The Otters met the Herons.", 0),
    ],
)
def test_who_beats_and_who_loses_are_told_from_either_end(said: str, way: int) -> None:
    assert ends_alike(said, RACE) == way


@pytest.mark.parametrize(
    ("said", "held", "way"),
    [
        ("Zinc took the place of lead.", "The firm replaced lead with zinc.", 1),
        ("Lead took the place of zinc.", "The firm replaced lead with zinc.", -1),
        ("Ida Wolk was succeeded by Per Aas.", "Per Aas succeeded Ida Wolk.", 1),
        ("Per Aas worked for Ida Wolk.", "Ida Wolk hired Per Aas as a clerk.", 1),
        ("The Wolks' son Per was a pupil of Ida Aas.", "Per Wolk was a teacher of Ida Aas.", -1),
    ],
)
def test_relations_have_two_ends(said: str, held: str, way: int) -> None:
    assert ends_alike(said, held) == way


def test_the_other_end_is_no_opposite_and_an_exchange_is_found() -> None:
    held = "In 2011 the Herons defeated the Otters."
    assert kind("In 2011 the Otters lost to the Herons.", held) is None
    assert kind("In 2011 the Herons lost to the Otters.", held) is Kind.EXCHANGED
    assert kind("Ada is the mother of Tom.", "Tom is the child of Ada.") is None


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("The Geese beat the Swans.", 1),
        ("The Swans beat the Geese.", -1),
        ("The Terns lost to the Storks.", 1),
    ],
)
def test_each_of_several_relations_ends_where_the_next_one_begins(said: str, way: int) -> None:
    held = "The Herons beat the Otters, the Geese beat the Swans, and the Storks beat the Terns."
    assert ends_alike(said, held) == way


WAYS = (
    (
        ("beat", "defeated", "won against", "was ahead of", "overcame"),
        ("lost to", "was beaten by", "was defeated by", "finished behind"),
    ),
    (
        ("succeeded", "took over from", "followed", "was the successor of", "came after"),
        ("preceded", "was the predecessor of", "made way for", "was followed by"),
    ),
    (
        ("hired", "employed", "appointed", "engaged"),
        ("worked for", "was hired by", "was appointed by"),
    ),
    (
        ("is the mother of", "was a teacher of", "is the uncle of"),
        ("is the son of", "was a pupil of", "is the niece of"),
    ),
    (
        ("includes", "contained", "consists of", "comprises"),
        ("is part of", "was a part of", "is included in"),
    ),
)
TWO = st.lists(
    st.sampled_from(["Odile", "Anselm", "Tamsin", "Joss"]), min_size=2, max_size=2, unique=True
)
EVERY = [
    (relation, one, other)
    for relation, (first, second) in enumerate(WAYS)
    for one, other in product(first, second)
]


@given(st.sampled_from(EVERY), TWO)
def test_what_is_told_from_the_other_end_is_the_same(
    told: tuple[int, str, str], two: list[str]
) -> None:
    (_, one, other), (a, b) = told, two
    assert ends_alike(f"{a} {one} {b}.", f"{b} {other} {a}.") == 1
    assert ends_alike(f"{a} {one} {b}.", f"{a} {other} {b}.") == -1
    assert ends_alike(f"{a} {other} {b}.", f"{a} {one} {b}.") == -1


@given(st.sampled_from(EVERY), TWO)
def test_what_is_told_from_the_same_end_is_the_same_where_its_ends_are(
    told: tuple[int, str, str], two: list[str]
) -> None:
    (_, one, other), (a, b) = told, two
    for way in (one, other):
        assert ends_alike(f"{a} {way} {b}.", f"{a} {way} {b}.") == 1
        assert ends_alike(f"{a} {way} {b}.", f"{b} {way} {a}.") == -1


@given(st.sampled_from(EVERY), st.sampled_from(EVERY), TWO)
def test_relations_of_two_kinds_say_nothing_of_each_other(
    one: tuple[int, str, str], other: tuple[int, str, str], two: list[str]
) -> None:
    a, b = two
    if one[0] != other[0]:
        assert ends_alike(f"{a} {one[1]} {b}.", f"{b} {other[2]} {a}.") == 0


@pytest.mark.parametrize(
    ("said", "held", "way"),
    [
        ("Odile beat Joss.", "Odile beat Joss, and Joss beat Odile.", 0),
        ("Odile beat Joss.", "Tamsin beat Anselm.", 0),
        ("Odile beat.", "Joss beat Odile.", 0),
        ("Odile beat Joss.", "Odile met Joss.", 0),
        ("Odile beat Joss.", "Odile, who was ill, met Tamsin, but Joss lost to Odile in May.", 1),
        ("Odile beat Joss.", "The race (in May) was long; Joss beat Odile (by a length).", -1),
        ("Copper came after tin.", "The smith replaced tin by copper.", 1),
        ("Tin came after copper.", "The smith replaces tin with copper.", -1),
        ("Copper came after tin.", "The smith replaced tin. He had copper.", 0),
        ("ODILE BEAT JOSS.", "Joss Lost To Odile.", 1),
        ("Odile, the captain, beat Joss.", "Joss beat the captain.", -1),
    ],
)
def test_the_ends_are_those_that_are_next_to_the_words(said: str, held: str, way: int) -> None:
    assert ends_alike(said, held) == way


def test_nothing_is_told_of_other_languages() -> None:
    with speaking(language_of("Wann wurde die Mühle gebaut?")):
        assert ends_alike("Odile beat Joss.", "Joss beat Odile.") == 0


def test_words_of_relations_are_known_by_their_stems() -> None:
    assert is_relation("beat")
    assert not is_relation("meet")
