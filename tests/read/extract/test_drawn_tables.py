"""Tables that are drawn with lines in plain text and in Markdown."""

from __future__ import annotations

import time

import pytest
from tests.read.documents import body

from quaere.read.extract.drawn_tables import undrawn, without_margin
from quaere.read.extract.markdown import MarkdownExtractor, TextExtractor

BERTHS = [
    "Berths, from May:",
    "+--------+--------+----------+",
    "| Berth  | Length | Per week |",
    "+--------+--------+----------+",
    "| Heron  | 9 m    | 84.00    |",
    "| Sorrel | 12 m   | 110.00   |",
    "+--------+--------+----------+",
    "Ask Nils.",
]
ROWS = ["| Berth | Length | Per week |", "| Heron | 9 m | 84.00 |", "| Sorrel | 12 m | 110.00 |"]


def rows(lines: list[str]) -> list[str]:
    """Return the rows that are shown of ``lines``, without the rules between them."""
    return [line for line in undrawn(lines) if line and set(line) != {"|", "-"}]


@pytest.mark.parametrize(("texts", "is_margin"), [(2, False), (3, True)])
def test_bars_are_a_margin_unless_one_line_in_four_has_another(texts: int, is_margin: bool) -> None:
    lines = [" |  moor(boat | None)", " |", *[" |  Ties it to the pier."] * texts]
    assert (without_margin(lines) != lines) is is_margin


def test_rows_keep_their_lines_and_what_is_drawn_around_them_is_left_empty() -> None:
    assert undrawn(BERTHS) == [
        "Berths, from May:",
        "",
        ROWS[0],
        "|---|---|---|",
        *ROWS[1:],
        "",
        "Ask Nils.",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        [
            "┌────────┬────────┬──────────┐",
            "│ Berth  │ Length │ Per week │",
            "├────────┼────────┼──────────┤",
            "│ Heron  │ 9 m    │ 84.00    │",
            "│ Sorrel │ 12 m   │ 110.00   │",
            "└────────┴────────┴──────────┘",
        ],
        [
            "╔════════╦════════╦══════════╗",
            "║ Berth  ║ Length ║ Per week ║",
            "╠════════╬════════╬══════════╣",
            "║ Heron  ║ 9 m    ║ 84.00    ║",
            "╟────────╫────────╫──────────╢",
            "║ Sorrel ║ 12 m   ║ 110.00   ║",
            "╚════════╩════════╩══════════╝",
        ],
        [
            " Berth  | Length | Per week",
            "--------+--------+----------",
            " Heron  | 9 m    |    84.00",
            " Sorrel | 12 m   |   110.00",
        ],
        [
            "Berth | Length | Per week",
            "---|:--:|---",
            "Heron | 9 m | 84.00",
            "Sorrel | 12 m | 110.00",
        ],
        [
            "|--------+--------+----------|",
            "| Berth  | Length | Per week |",
            "|--------+--------+----------|",
            "| Heron  | 9 m    | 84.00    |",
            "| Sorrel | 12 m   | 110.00   |",
            "|--------+--------+----------|",
        ],
        [
            "    +--------+--------+------+",
            "    | Berth  | Length | Per  |",
            "    |        |        | week |",
            "    +========+========+======+",
            "    | Heron  | 9 m    | 84.00|",
            "    +--------+--------+------+",
            "    | Sorrel | 12     |110.00|",
            "    |        | m      |      |",
            "    +--------+--------+------+",
        ],
        [
            "+------+------+--------+",
            "|Berth |Length|Per week|",
            "+------+------+--------+",
            "|Heron |   9 m|   84.00|",
            "|Sorrel|  12 m|  110.00|",
            "+------+------+--------+",
        ],
    ],
    ids=["boxes", "double", "query", "bare Markdown", "Org", "cells over two lines", "narrow"],
)
def test_a_table_has_the_same_rows_however_it_is_drawn(lines: list[str]) -> None:
    assert rows(lines) == ROWS


def test_a_title_over_all_columns_stands_before_the_heads() -> None:
    drawn = ["+---------------------+", "|       Berths        |", *BERTHS[1:-1]]
    assert rows(drawn) == ["Berths", *ROWS]


@pytest.mark.parametrize("heads", [["Berth", "Length"], ["", "2023", "2024"]])
def test_heads_with_two_things_to_say_are_no_title(heads: list[str]) -> None:
    rule = "+------" * len(heads) + "+"
    table = [heads, ["Heron", *["9 m"] * (len(heads) - 1)], ["Sorrel", *["12 m"] * len(heads[1:])]]
    drawn = ["|" + "|".join(f" {cell:<5}" for cell in row) + "|" for row in table]
    assert rows([rule, drawn[0], rule, *drawn[1:], rule]) == [
        f"| {' | '.join(row)} |" for row in table
    ]


def test_a_row_under_a_rule_of_its_own_is_no_part_of_the_one_above() -> None:
    drawn = [*BERTHS[1:-1], "| Total  |        | 194.00   |", BERTHS[1]]
    assert rows(drawn) == [*ROWS, "| Total |  | 194.00 |"]


@pytest.mark.parametrize(
    ("above", "below"), [(["Prices |"], []), ([], ["| a note that no bar closes"])]
)
def test_a_line_with_a_bar_on_one_side_is_no_row(above: list[str], below: list[str]) -> None:
    assert rows([*above, *BERTHS[1:-1], *below]) == [*above, *ROWS, *below]


def test_a_bar_within_a_cell_parts_nothing() -> None:
    drawn = [*BERTHS[1:4], "| A|B    | 9 m    | 84.00    |", "| Heron  | 1 m    | 4.00     |"]
    assert rows(drawn)[1] == "| A/B | 9 m | 84.00 |"


@pytest.mark.parametrize(
    "lines",
    [
        ["+--------+     +------+", "| client | --> | host |", "+--------+     +------+"],
        ["+---+---+", "| A | B |", "+---+---+"],
        ["| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |"],
        ["2 + 3", "-----", "5"],
        ["+--------------+", "| Mind the gap |", "| and the step |", "| to the shore |", "+----+"],
    ],
    ids=["boxes with an arrow", "one row", "Markdown", "a sum", "a notice"],
)
def test_pictures_and_what_has_bars_already_stay_as_they_are(lines: list[str]) -> None:
    assert undrawn(lines) == lines


def test_pages_of_text_and_of_markdown_have_the_rows_at_their_lines() -> None:
    text = next(TextExtractor().extract(body("\n".join(BERTHS), "berths.txt")))
    fenced = "\n".join(["# Harbour", "", "```", *BERTHS, "```"])
    markdown = next(MarkdownExtractor().extract(body(fenced, "berths.md")))
    for page, line in ((text, 6), (markdown, 9)):
        assert ROWS[2] in page.text
        assert page.label_at(page.text.index(ROWS[2])) == f"line {line}"


def test_a_long_line_that_is_nearly_a_rule_is_told_quickly() -> None:
    began = time.process_time()
    undrawn(["╔" + "═" * 100_000 + "x", "+" + "-+" * 50_000 + "x"])
    assert time.process_time() - began < 1.0


def test_a_bar_down_the_left_is_a_margin_and_no_table() -> None:
    beside = ["class Pump", " |  Empties tanks.", " |", " |  depth (default: 7)", " |    in metres"]
    assert without_margin(beside) == [
        "class Pump",
        "    Empties tanks.",
        "",
        "    depth (default: 7)",
        "      in metres",
    ]
    assert without_margin(ROWS) == ROWS
    assert without_margin(beside[:3]) == beside[:3]
    text = next(TextExtractor().extract(body("\n".join(beside), "pump.txt"))).text
    assert "|" not in text


@pytest.mark.parametrize(
    "lines",
    [
        ["cat words \\", "  | tr a b \\", "  | sort \\", "  | uniq -c"],
        ["expr = number", "     | name", "     | call", "     | group"],
    ],
)
def test_bars_of_a_command_or_a_grammar_are_no_margin(lines: list[str]) -> None:
    assert without_margin(lines) == lines
