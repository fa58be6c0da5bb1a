from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import ANYTHING, BRIDGE, SPOOFS, TOWN, passage

from quaere.verify.calibration import calibration
from quaere.verify.signals import MOST_NAMES, MOST_RIVALS, SIGNALS, measure
from quaere.verify.support import compare

HERE = passage(BRIDGE)
THERE = passage(TOWN)


@pytest.mark.parametrize(
    ("signal", "said", "value"),
    [
        # All four words are held, by two of the three lines.
        ("place_recall", "Tellin; crowns; heavy carts", 1.0),
        ("place_recall", "Tellin; granite", 0.5),
        ("phrase_recall", "It spans 312 metres", 1.0),
        ("phrase_recall", "It spans 312 leagues", 0.5),
        ("phrase_recall", "spans 312", 0.0),
        # "span 312" and "312 metre" are neighbours in the source, "metre long" is not.
        ("pair_recall", "It was spanning the 312 metres long", 2 / 3),
        ("pair_recall", "Bridge", 0.0),
        ("figure_missing", "It spans 312 metres", 0.0),
        ("figure_missing", "It spans 313 metres, not 312", 1.0),
        ("names_missing", "It was built by Maude Tellin", 0.0),
        ("names_missing", "It was built by Pieter Vance with Ilse Marren", 2.0),
    ],
)
def test_each_signal_says_what_is_shared_or_missing(signal: str, said: str, value: float) -> None:
    assert SIGNALS[signal](compare(said, [HERE])) == pytest.approx(value)


def test_two_passages_are_held_together() -> None:
    said = "Maude Tellin and Duke Arno"
    alone, both = (measure(compare(said, cited)) for cited in ([HERE], [HERE, THERE]))
    assert alone["place_recall"] == 0.5
    assert both["place_recall"] == 1.0
    assert alone["names_missing"] == 1.0
    assert both["names_missing"] == 0.0


def test_a_title_holds_the_name_that_its_text_leaves_out() -> None:
    found = measure(compare("Ilse Marren wrote plays", [passage("She wrote plays.")]))
    titled = measure(
        compare("Ilse Marren wrote plays", [passage("She wrote plays.", title="Ilse Marren")])
    )
    assert found["place_recall"] == 0.5
    assert titled["place_recall"] == 1.0


def test_a_long_list_of_unknown_names_counts_as_a_few() -> None:
    said = "It was built by Pieter Vance, Ilse Marren, Tom Orrel, Jan Brock and Ada Finn."
    assert measure(compare(said, [HERE]))["names_missing"] == MOST_NAMES


def test_a_sentence_is_laid_next_to_the_nearest_and_to_four_that_have_half_of_its_words() -> None:
    mills = [f"{who} built the old mill." for who in ("Vance", "Orrel", "Brock", "Finn", "Dunn")]
    near, rain = "Ilse Marren built the north mill.", "Rain fell on the north shore."
    said, text = "Marren built north mills", " ".join((rain, near, *mills))
    assert compare(said, [passage(text)]).rival_lines == (near, *mills[:MOST_RIVALS])
    assert compare(said, [passage(f"{near} {rain}")]).rival_lines == (near,)


def test_the_weights_are_of_the_signals_there_are() -> None:
    assert calibration().weights.keys() == SIGNALS.keys()


@given(ANYTHING | SPOOFS, st.lists(ANYTHING, max_size=2))
def test_any_text_has_signals_and_a_probability(said: str, texts: list[str]) -> None:
    found = measure(compare(said, [passage(text) for text in texts]))
    assert all(value >= 0 for value in found.values())
    assert 0 < calibration().probability(found) < 1
