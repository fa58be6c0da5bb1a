from __future__ import annotations

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING, BRIDGE

from quaere.verify.ground import Ground, nearest

SOURCE = Ground(BRIDGE)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "It cost crowns and spans 312 metres.",
            "It spans 312 metres and cost 2.4 million crowns.",
        ),
        (
            "Tellin opened the bridge; it spans 312 metres.",
            BRIDGE[: BRIDGE.index(" Heavy")],
        ),
    ],
)
def test_the_nearest_place_is_the_shortest_that_holds_most(said: str, words: str) -> None:
    place = nearest(Ground(said), SOURCE)
    assert BRIDGE[place.start : place.end] == words


def test_nothing_alike_has_no_place() -> None:
    place = nearest(Ground("Nothing alike"), SOURCE)
    assert (place.start, place.end, place.share, place.lines) == (0, 0, 0.0, ())


@given(ANYTHING, ANYTHING)
def test_a_place_lies_in_its_text(said: str, text: str) -> None:
    place = nearest(Ground(said), Ground(text))
    assert 0 <= place.start <= place.end <= len(text)
    assert 0.0 <= place.share <= 1.0
