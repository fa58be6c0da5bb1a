"""Figures that a reader counts in a list, reads in a name, or sets next to another entry."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage, sentence

from quaere.domain.report import Ruling, Support
from quaere.verify.accounted import unaccounted
from quaere.verify.repair import verify_sentence
from quaere.verify.second_opinion import apply_rulings

KEEPER = """mode12
  - the lamp turns without a keeper
  - the horn sounds at dusk,
    and again at midnight
  - the log is written by hand

mode50
  - the horn is off
"""
SETTINGS = """Suggested settings (all may be changed):

- `DAY_WATCH_MAX_ROUNDS=2`
- `DAY_WATCH_SECONDS=20`
- `NIGHT_WATCH_MAX_ROUNDS=6`
- `NIGHT_WATCH_SECONDS=150` (as before)
- `LAMP_OIL_LIMIT=1500000`
"""
DUTY = "No boat is towed unless its load exceeds 40 crates. Crews of fewer than 9 stay ashore."


def left(text: str, source: str, figure: str) -> tuple[str, ...]:
    return unaccounted([figure], text, [source], [])


@pytest.mark.parametrize(
    ("text", "source", "figure"),
    [
        ("Mode 12 brings back three habits of old keepers.", KEEPER, "three"),
        ("In mode 12 the log is written by hand.", KEEPER, "12"),
        ("A night watch takes 7.5 times as long.", SETTINGS, "7.5"),
        ("A night watch takes 130 seconds more.", SETTINGS, "130"),
        ("A load must exceed 40 crates, that is at least 41.", DUTY, "41"),
        ("Crews of 8 or fewer stay ashore.", DUTY, "8"),
        ("Die Last muss mindestens 41 Kisten betragen.", DUTY, "41"),
    ],
)
def test_what_a_list_a_name_or_a_bound_gives_is_accounted_for(
    text: str, source: str, figure: str
) -> None:
    assert left(text, source, figure) == ()


@pytest.mark.parametrize(
    ("text", "source", "figure"),
    [
        ("Mode 12 brings back four habits of old keepers.", KEEPER, "four"),
        ("Mode 12 lasts 3 hours.", KEEPER, "3"),
        ("In mode 13 the log is written by hand.", KEEPER, "13"),
        ("In mode 5 the horn is off.", KEEPER, "5"),
        ("A night watch takes 8.5 times as long.", SETTINGS, "8.5"),
        ("A load of 41 crates is towed.", DUTY, "41"),
        ("A load of at most 41 crates is towed.", DUTY, "41"),
        ("A load of at least 39 crates is towed.", DUTY, "39"),
        ("Crews of 10 or fewer stay ashore.", DUTY, "10"),
    ],
)
def test_another_figure_is_not(text: str, source: str, figure: str) -> None:
    assert left(text, source, figure) == (figure,)


def test_items_of_two_lists_and_of_an_inner_one_are_counted_apart() -> None:
    source = (
        "Rules:\n\n1. Sail.\n   - by day\n   - by night\n2. Row.\n\n"
        "Tools:\n\n- oars\n- ropes\n- a lamp\n"
    )
    assert left("There are two rules.", source, "two") == ()
    assert left("There are three tools.", source, "three") == ()
    assert left("There are five of them.", source, "five") == ("five",)


def test_a_model_is_believed_of_them_and_words_alone_are_not() -> None:
    written = sentence("Mode 12 brings back three habits of old keepers.", 1)
    outcome = verify_sentence(written, {1: passage(KEEPER, title="Modes")})
    assert outcome.sentence is None or not outcome.sentence.support.holds
    ruled = apply_rulings([outcome], {0: Ruling(support=Support.SUPPORTED, evidence=1)})[0]
    assert ruled.sentence is not None
    assert ruled.sentence.support is Support.SUPPORTED
