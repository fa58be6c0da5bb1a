"""Every way of naming a cause, and on which side of a figure things are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.verify.rules.causes import causes
from quaere.verify.rules.limits import is_limit, turns_limit

EFFECT_FIRST = (
    "{effect} because {cause}.",
    "{effect} as a result of {cause}.",
    "{effect} due to {cause}.",
    "{effect}, owing to {cause}.",
    "{effect} was caused by {cause}.",
    "{effect} stemmed from {cause}.",
    "{effect} resulted from {cause}.",
    "Because {cause}, {effect}.",
    "Since {cause}, {effect}.",
    "Thanks to {cause}, {effect}.",
)
CAUSE_FIRST = (
    "{cause}, so {effect}.",
    "{cause} and therefore {effect}.",
    "{cause} led to {effect}.",
    "{cause} caused {effect}.",
    "{cause} is the reason for {effect}.",
    "{cause}, which is why {effect}.",
    "{cause} triggered {effect}.",
    "{cause} resulted in {effect}.",
)
WAYS = st.sampled_from((*EFFECT_FIRST, *CAUSE_FIRST))
THINGS = st.lists(
    st.sampled_from(["the frost", "the flood", "the strike", "the famine"]),
    min_size=2,
    max_size=2,
    unique=True,
)


@given(WAYS, WAYS, THINGS)
def test_each_wording_agrees_with_all_others_and_with_none_the_other_way_round(
    one: str, other: str, things: list[str]
) -> None:
    cause, effect = things
    said = one.format(cause=cause, effect=effect)
    assert causes(said, other.format(cause=cause, effect=effect)) == 1
    assert causes(said, other.format(cause=effect, effect=cause)) == -1


ABOVE = ("over {}", "at least {}", "more than {}", "no less than {}", "exceeding {}")
BELOW = ("under {}", "up to {}", "at most {}", "no more than {}", "less than {}", "within {}")


@given(
    st.sampled_from((*ABOVE, *BELOW)),
    st.sampled_from((*ABOVE, *BELOW)),
    st.integers(3, 900),
    st.booleans(),
)
def test_words_before_a_figure_say_on_which_side_of_it_something_is(
    one: str, other: str, figure: int, same: bool
) -> None:
    said = f"Bags of {one.format(figure)} kg are free."
    held = f"Bags of {other.format(figure if same else figure + 1)} kg are free."
    alike = 1 if (one in ABOVE) == (other in ABOVE) else -1
    assert turns_limit(said, held) == (alike if same else 0)


def test_two_figures_of_which_one_is_turned_tell_nothing() -> None:
    held = "Bags over 20 kg and under 90 cm are free."
    assert turns_limit("Bags over 20 kg and under 90 cm are free.", held) == 1
    assert turns_limit("Bags over 20 kg and over 90 cm are free.", held) == 0


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("It may take two days at most.", True),
        ("Up to two fit in.", True),
        ("It must not be higher than two.", True),
        ("It cannot hold more than two.", True),
        ("No more than two fit in.", True),
        ("It is higher than two.", False),
        ("At least two fit in.", False),
    ],
)
def test_a_limit_says_up_to_what_something_may_be(text: str, limits: bool) -> None:
    assert is_limit(text) is limits
