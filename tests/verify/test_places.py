from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import ANYTHING, BRIDGE

from quaere.verify.ground import Ground
from quaere.verify.places import carriers, nearest

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


def test_rare_words_choose_the_lines_that_carry_a_sentence() -> None:
    lines = [{"bridge", "old"}, {"bridge", "new"}, {"tellin", "salt"}, {"bridge", "salt"}]
    assert carriers(frozenset({"tellin", "bridge"}), [*map(frozenset, lines)], 2) == [2, 0]


def test_a_line_that_adds_words_goes_before_one_that_repeats() -> None:
    lines = [{"tellin", "bridge"}, {"tellin", "bridge"}, {"long", "river"}, {"long", "river"}]
    claim = frozenset({"tellin", "bridge", "long", "river"})
    assert carriers(claim, [*map(frozenset, lines)], 3) == [0, 2, 1]


@given(
    st.frozensets(st.sampled_from("abcdef")),
    st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=6),
    st.integers(0, 8),
)
def test_carriers_are_different_lines(
    claim: frozenset[str], lines: list[frozenset[str]], count: int
) -> None:
    found = carriers(claim, lines, count)
    assert len(found) == len(set(found)) == min(count, len(lines))
