"""R6.3: before and after, above and below, first and last have the side that the source has."""

from __future__ import annotations

import pytest

from quaere.verify.align import stems
from quaere.verify.clash import laid
from quaere.verify.rules.order_words import has_other_order

MODEL = "It is read after the words and before the model."


def is_turned(said: str, held: str) -> bool:
    return has_other_order(laid(said, held, stems([held])))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("The inn closed before the war.", "The inn closed after the war."),
        ("The inn closed before the war.", "The war began before the inn closed."),
        ("Before the war the inn closed.", "After the war the inn closed."),
        (
            "Two weeks before the fair the inn closed.",
            "Two weeks after the fair the inn closed.",
        ),
        ("The mill stands above the weir.", "The mill stands below the weir."),
        ("The mill stands upstream of the weir.", "The mill lies downstream of the weir."),
        ("The inn is open until May.", "The inn is open since May."),
        ("Dogs stay outside the inn.", "Dogs stay inside the inn."),
        ("At least 4 crews sail.", "At most 4 crews sail."),
        ("It was built in 40 BC.", "It was built in 40 AD."),
        ("It was the first mill in town.", "It was the last mill in town."),
        ("It turns clockwise.", "It turns anti-clockwise."),
        ("It is read after the model.", MODEL),
    ],
)
def test_a_word_of_order_on_the_other_side_is_noticed_from_either_end(said: str, held: str) -> None:
    assert is_turned(said, held)
    assert is_turned(held, said) or held == MODEL
    assert not is_turned(said, said)
    assert not is_turned(held, held)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("The inn closed before the war.", "The war began after the inn closed."),
        ("The mill stands above the weir.", "The weir lies below the mill."),
        ("The mill stands upstream of the weir.", "The weir lies downstream of the mill."),
        ("The inn closed after two weeks.", "The inn closed before the fair."),
        ("It turns clockwise.", "It turns clockwise or anti-clockwise."),
        ("It is read before the model.", MODEL),
        ("It is read after the words.", MODEL),
    ],
    ids=["exchanged", "above", "upstream", "how long", "both", "the one", "the other"],
)
def test_what_is_told_from_the_other_end_or_of_both_is_no_turn(said: str, held: str) -> None:
    assert not is_turned(said, held)
