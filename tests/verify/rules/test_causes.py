"""What is the cause and what the effect, in two statements."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.causes import causes, invents

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
