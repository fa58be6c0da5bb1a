"""Causes and effects, steps, and words of order in two aligned statements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.languages.language import languages, speaking
from quaere.verify.align import stems
from quaere.verify.clash import aligned_to_line
from quaere.verify.rules.order import causes, has_other_order, invents, turns_steps
from quaere.verify.rules.quantifiers import is_limit, turns_limit

FLOOD = "The cellar was flooded because the pump had failed."


@pytest.mark.parametrize(
    ("said", "way"),
    [
        ("The pump had failed, so the cellar was flooded.", 1),
        ("Because the pump failed, the cellar was flooded.", 1),
        ("The failing pump was the reason for the flooded cellar.", 1),
        ("The pump failed because the cellar was flooded.", -1),
        ("The flooded cellar caused the pump to fail.", -1),
        ("The cellar was flooded and the pump failed.", 0),
        ("The roof leaked because a tile had slipped.", 0),
    ],
)
def test_cause_and_effect_are_told_apart_however_they_are_worded(said: str, way: int) -> None:
    assert causes(said, FLOOD) == way


@pytest.mark.parametrize(
    ("code", "said", "held", "way"),
    [
        ("de", "Der Keller lief voll, weil die Pumpe ausfiel.",
         "Die Pumpe ausfiel, deshalb lief der Keller voll.", 1),
        ("de", "Die Pumpe ausfiel, weil der Keller voll lief.",
         "Die Pumpe ausfiel, deshalb lief der Keller voll.", -1),
        ("es", "La bomba falló porque el sótano se inundó.",
         "El sótano se inundó porque la bomba falló.", -1),
        ("fr", "La cave fut inondée parce que la pompe lâcha.",
         "La pompe lâcha parce que la cave fut inondée.", 0),
    ],
)  # fmt: skip
def test_languages_have_their_own_words_for_it(code: str, said: str, held: str, way: int) -> None:
    with speaking(languages()[code]):
        assert causes(said, held) == way


@pytest.mark.parametrize(
    ("said", "held", "way"),
    [
        ("Rust and rain caused the leak.", "The leak caused rust.", -1),
        ("The leak caused rust and rain.", "The leak caused rust.", 1),
        ("The mill stopped because the weir broke.", "The mill broke because the weir stopped.", 0),
    ],
)
def test_what_is_on_both_sides_alike_tells_no_way(said: str, held: str, way: int) -> None:
    assert causes(said, held) == way


@pytest.mark.parametrize(
    ("said", "line", "is_invented"),
    [
        (
            "The mill stopped because the weir broke.",
            "After the weir broke, the mill stopped.",
            True,
        ),
        ("The breach led to a loss of fish.", "The weir broke; that year fewer fish came.", True),
        ("The mill stopped after the weir broke.", "The weir broke, and the mill stopped.", False),
        # Whatever says why is enough, be it in other words or of something else.
        ("The mill stopped because the weir broke.", "The breach forced the mill to stop.", False),
        ("The mill stopped because the weir broke.", "The weir broke, stopping the mill.", False),
        ("The mill stopped because the weir broke.", "The mill stopped since it broke.", False),
        ("The mill stopped because the weir broke.", "The mill stopped as well as the saw.", True),
    ],
)
def test_a_cause_is_invented_where_no_line_says_why(
    said: str, line: str, is_invented: bool
) -> None:
    assert invents(said, [line]) is is_invented


def test_one_line_of_several_may_say_why_and_other_languages_are_left_alone() -> None:
    lines = ["The weir broke.", "For that reason the mill stopped."]
    assert not invents("The mill stopped because the weir broke.", lines)
    with speaking(languages()["de"]):
        assert not invents("The mill stopped because the weir broke.", lines[:1])


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


@pytest.mark.parametrize(
    ("said", "held", "turns"),
    [
        ("First soak the reeds, then split them.", "Split the reeds after soaking them.", False),
        ("First split the reeds, then soak them.", "Split the reeds after soaking them.", True),
        ("Guests eat first and pay afterwards.", "Guests pay before they eat.", True),
        ("Guests pay first and eat afterwards.", "Guests pay before they eat.", False),
        ("Guests pay before they eat.", "Each guest eats, and only then pays.", True),
        ("The nave was painted before the choir.", "The nave was painted first, the choir next.",
         False),
        ("The choir was painted before the nave.", "The nave was painted first, the choir next.",
         True),
        ("Before they eat, guests pay.", "Guests eat first and pay afterwards.", True),
        ("Guests eat before they pay.", "Guests pay before they eat.", False),
        ("Guests eat and drink.", "Guests pay first and eat afterwards.", False),
    ],
)  # fmt: skip
def test_steps_are_turned_where_the_first_comes_second(said: str, held: str, turns: bool) -> None:
    # Two sentences with "before" or "after" are left to the rule for these words.
    assert turns_steps(said, held) is turns


def test_steps_are_told_in_english_alone() -> None:
    with speaking(languages()["de"]):
        assert not turns_steps("Guests eat first, then pay.", "Guests pay before they eat.")


MODEL = "It is read after the words and before the model."


def is_turned(said: str, held: str) -> bool:
    return has_other_order(aligned_to_line(said, held, stems([held])))


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
        ("The bridge was shut until the ferry ran.", "The ferry ran since the bridge was shut."),
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
