"""The headings over a place of a text."""

from __future__ import annotations

import pytest

from quaere.domain.headings import (
    LONGEST_LEAD_IN,
    LONGEST_LIST,
    headings_over,
    lead_in_over,
    plain_headings,
)
from quaere.domain.source import Passage

TEXT = (
    "# gully\n\n## Options\n\n### keep\n\nDays.\n\n### level\n\nHow much.\n\n## Errors\n\nNone.\n"
)


@pytest.mark.parametrize(
    ("before", "headings"),
    [
        ("## Options", ""),
        ("Days", "## Options\n### keep"),
        ("### level", "## Options\n### keep"),
        ("How much", "## Options\n### level"),
        ("None", "## Errors"),
    ],
)
def test_a_heading_ends_those_of_its_level_and_below(before: str, headings: str) -> None:
    assert headings_over(TEXT, TEXT.index(before)) == headings


def test_a_heading_that_begins_a_text_is_over_it() -> None:
    assert headings_over("## Options\n\nDays.\n", 12) == "## Options"


def test_a_place_is_reached_in_steps_as_at_once() -> None:
    at, path = 0, ""
    for end in (at for at in range(len(TEXT)) if TEXT[at - 1] == "\n"):
        path = headings_over(TEXT, end, path, start=at)
        at = end
        assert path == headings_over(TEXT, end)


def test_the_words_of_headings_have_no_marks() -> None:
    assert plain_headings("## Options\n### keep") == "Options\nkeep"


LEAD = "These need no key:"
ITEMS = "- one\n  of several\n- two\n\n- three"


@pytest.mark.parametrize(
    "text",
    [
        f"Some do. {LEAD}\n\n{ITEMS}",
        f"Above.\n\n{LEAD}\n{ITEMS}",
        f"{LEAD}\n1. one\n2) two\n- three",
        f"{LEAD}\n\n| name |\n|---|\n| one |\n- three",
    ],
)
def test_the_sentence_above_the_list_leads_in_each_item(text: str) -> None:
    assert lead_in_over(text, text.index("- three")) == LEAD


@pytest.mark.parametrize(
    "text",
    [
        f"No colon here.\n\n{ITEMS}",
        f"{LEAD}\n\nA paragraph.\n\n{ITEMS}",
        f"{'so ' * LONGEST_LEAD_IN}:\n\n{ITEMS}",
        "\n- ".join([LEAD, *["far"] * LONGEST_LIST, "three"]),
    ],
)
def test_without_a_sentence_with_a_colon_right_above_it_nothing_leads_in(text: str) -> None:
    assert lead_in_over(text, text.index("- three")) == ""


def test_what_is_no_item_is_not_led_in() -> None:
    assert lead_in_over(f"{LEAD} three", len(LEAD) + 1) == ""


def test_a_stretch_keeps_its_lead_in_while_all_before_it_is_items() -> None:
    text = f"{ITEMS}\n\nThese do:\n\n- four"
    passage = Passage(id="a", url="a", title="", text=text, start=0, end=len(text), lead_in=LEAD)
    assert passage.stretch(text.index("- two"), len(text)).lead_in == LEAD
    assert passage.stretch(text.index("- four"), len(text)).lead_in == "These do:"
    assert passage.stretch(text.index("These"), len(text)).lead_in == ""
