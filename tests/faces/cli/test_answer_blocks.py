"""Tables and lists of an answer in a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from quaere.faces.cli.render import answer_blocks


def shown(answer: str, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        for block in answer_blocks(answer, console):
            console.print(block)
    return [line.rstrip() for line in captured.get().splitlines()]


WIDE = """\
Two mills:
| Mill | What it ground | Since |
| --- | --- | --- |
| Orrin | rye and oats, and in years of hunger the bark of birches as well [1] | 1788 |
| Velling | nothing | 1790 [2] |
That is all."""


def test_a_wide_table_is_wrapped_in_its_cells() -> None:
    assert shown(WIDE, 50) == [
        "Two mills:",
        "| Mill    | What it ground            | Since    |",
        "|---------|---------------------------|----------|",
        "| Orrin   | rye and oats, and in      | 1788     |",
        "|         | years of hunger the bark  |          |",
        "|         | of birches as well [1]    |          |",
        "|---------|---------------------------|----------|",
        "| Velling | nothing                   | 1790 [2] |",
        "That is all.",
    ]


@pytest.mark.parametrize("width", [40, 50, 60, 80, 94, 95, 96, 97, 120])
def test_no_line_of_a_table_is_wider_than_the_terminal(width: int) -> None:
    lines = shown(WIDE, width)
    assert max(map(len, lines)) <= width
    assert any("Velling" in line and "1790 [2]" in line for line in lines) or width < 50
    assert not any(line.startswith("birches") for line in lines)


def test_where_there_is_no_room_a_row_is_a_list_of_its_cells() -> None:
    assert shown(WIDE, 30)[1:5] == [
        "- Mill: Orrin",
        "  What it ground: rye and",
        "  oats, and in years of hunger",
        "  the bark of birches as well",
    ]


def test_a_table_that_fits_is_as_wide_as_it_is() -> None:
    assert shown("| a | b |\n| --- | --- |\n| one | **2** |", 40) == [
        "| a   | b |",
        "|-----|---|",
        "| one | 2 |",
    ]


def test_what_an_item_goes_on_with_begins_under_its_text() -> None:
    answer = "- Rye and oats were ground here in good years.\n12. And in bad ones, it was bark."
    assert shown(answer, 26) == [
        "- Rye and oats were ground",
        "  here in good years.",
        "12. And in bad ones, it",
        "    was bark.",
    ]


def test_code_is_shown_as_it_is() -> None:
    answer = "```\n- a | b\n| a | b |\n```\n[1]"
    assert shown(answer, 60) == answer.split("\n")
