"""Tables side by side: told apart where several rows have a second label, and nowhere else."""

from __future__ import annotations

import pytest

from quaere.read.extract.pdf_gutters import INDENT, MIN_ROWS, separated
from quaere.read.extract.pdf_lines import Cell, Line

SECOND = 200.0


def cell(text: str, left: float) -> Cell:
    return Cell(text, left, left + 5 * len(text))


def both(name: str, second: float = SECOND) -> Line:
    return Line((cell(f"{name} a", 0), cell("12", 100), cell(f"{name} b", second), cell("13", 320)))


def single(name: str, left: float = 0) -> Line:
    return Line((cell(name, left), cell("12", left + 100)))


WIDE = Line((Cell("A note about all of it", 0, 300),))


def blocks(*lines: Line) -> list[list[str]]:
    return [[line.text for line in block] for block in separated(lines) if block]


def test_two_tables_come_one_after_the_other() -> None:
    rows = [both(name) for name in "xyz"]
    assert blocks(WIDE, *rows, WIDE) == [
        [WIDE.text, "x a 12", "y a 12", "z a 12"],
        ["x b 13", "y b 13", "z b 13", WIDE.text],
    ]


@pytest.mark.parametrize(("rows", "count"), [(MIN_ROWS - 1, 1), (MIN_ROWS, 2)])
def test_a_few_rows_with_a_second_label_are_of_one_table(rows: int, count: int) -> None:
    assert len(blocks(*[both(str.lower(chr(97 + n))) for n in range(rows)])) == count


def test_lines_on_one_side_alone_go_with_that_side() -> None:
    made = blocks(single("first"), both("x"), both("y"), single("right", SECOND), both("z"))
    assert made == [
        ["first 12", "x a 12", "y a 12", "z a 12"],
        ["x b 13", "y b 13", "right 12", "z b 13"],
    ]


@pytest.mark.parametrize(
    ("indent", "left", "right"),
    [(INDENT, "y a 12", "y b 13"), (INDENT + 1, "y a 12 y b", "13")],
)
def test_labels_of_one_table_may_be_indented(indent: float, left: str, right: str) -> None:
    """What begins farther out does not move the gutter, and is left of it."""
    made = blocks(both("x"), both("y", SECOND - indent), both("z"), both("v"))
    assert made == [["x a 12", left, "z a 12", "v a 12"], ["x b 13", right, "z b 13", "v b 13"]]


@pytest.mark.parametrize(
    "line",
    [
        Line((cell("x", 0), cell("12", 100), cell("13", 200), cell("14", 320))),
        Line((cell("x", 0), cell("more", 100), cell("words", 200), cell("14", 320))),
        Line((cell("12", 0), cell("x", 100), cell("14", 320))),
        Line((cell("x", 0), cell("2021", 100), cell("y", 200), cell("2022", 320))),
        Line((cell("x", 0), cell("12", 100), cell("(b)", 200), cell("13", 320))),
    ],
    ids=["figures alone", "words alone", "no first label", "years", "no word"],
)
def test_what_is_no_row_of_two_tables_is_not_cut(line: Line) -> None:
    assert blocks(*[line] * MIN_ROWS) == [[line.text] * MIN_ROWS]


def test_a_line_across_the_gutter_ends_what_is_side_by_side() -> None:
    rows = [both(name) for name in "xyz"]
    made = blocks(*rows, WIDE, *rows)
    assert [len(block) for block in made] == [3, 4 + 3, 3]
    assert made[1][3] == WIDE.text


def test_nothing_is_lost_or_doubled() -> None:
    lines = [WIDE, single("one"), *(both(name) for name in "xyzv"), single("two"), WIDE]
    texts = sorted(cell.text for block in separated(lines) for line in block for cell in line.cells)
    assert texts == sorted(cell.text for line in lines for cell in line.cells)
