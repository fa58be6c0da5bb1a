from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere_evals.attribution import carriers


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
