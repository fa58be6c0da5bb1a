"""Code told from prose by how it is written."""

from __future__ import annotations

import pytest

from quaere.text.code_lines import is_code
from quaere.text.sentences import sentences


@pytest.mark.parametrize(
    "text",
    [
        "weir init --gates 4\nweir gates list",
        "$ weir open\n$ weir shut",
        "from weir import Gate\nGate(9).open()",
        "import weir",
        "# the first gate\nweir open north --now",
        "export WEIR_GATES=4   # what is left of the old ones\nweir start &",
        '```sh\nweir say "it is the end of the day"\n```',
    ],
)
def test_commands_and_programs_are_code(text: str) -> None:
    assert is_code(text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "the weir is open\nwhen the river is high",
        "# The weir",
        "- weir open --now",
        "weir and lock",
        "from the weir to the lock",
        "It holds nine gates.",
        "",
    ],
)
def test_prose_headings_and_items_are_not(text: str) -> None:
    assert not is_code(text.split("\n"))


def test_each_line_of_code_stands_alone() -> None:
    text = "Type this:\n\nweir init --gates 4\nweir gates list\nweir open\n\nthe water\nthen rises"
    told = [text[span.start : span.end] for span in sentences(text)]
    assert told == [
        "Type this:",
        "weir init --gates 4",
        "weir gates list",
        "weir open",
        "the water\nthen rises",
    ]


def test_a_heading_with_a_number_is_one_line() -> None:
    text = "### 2. Gates (north)\n\nThere are nine. They open."
    told = [text[span.start : span.end] for span in sentences(text)]
    assert told == ["### 2. Gates (north)", "There are nine.", "They open."]
