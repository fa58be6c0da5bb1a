"""The sentence that leads in a list or a table."""

from __future__ import annotations

import pytest

from quaere.domain.lead_ins import LONGEST_LEAD_IN, LONGEST_LIST, lead_in_over
from quaere.domain.source import Passage

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
