"""Lines of a page from where its letters are: words, cells, figures, marks of notes, signs."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.read.extract.pdf_lines import (
    CELL,
    INDENT,
    MIN_ROWS,
    SAME_LINE,
    SPACE,
    Cell,
    Letter,
    Line,
    in_lines,
    lines_of,
    separated,
)

HEIGHT, WIDTH = 10.0, 5.0
WORD, COLUMN = 3.0, 20.0
"""Gaps between two words and between two cells, in points."""


def printed(
    text: str, *, left: float = 50.0, bottom: float = 100.0, height: float = HEIGHT, gap: float = 0
) -> list[Letter]:
    """Return ``text`` as letters; " " is a gap between words, and "|" one between cells."""
    letters: list[Letter] = []
    for char in text:
        if char in " |":
            left += WORD if char == " " else COLUMN
            continue
        letters.append(Letter(char, left, left + WIDTH, bottom, bottom + height))
        left += WIDTH + gap
    return letters


def cells(letters: Sequence[Letter]) -> list[str]:
    (line,) = lines_of(letters)
    return [cell.text for cell in line.cells]


def told(text: str) -> list[str]:
    return cells(printed(text))


@given(
    st.lists(
        st.lists(st.text("abcxyz", min_size=1, max_size=6), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    ),
    st.randoms(use_true_random=False),
)
def test_letters_in_any_order_are_read_by_line_cell_and_word(
    rows: list[list[str]], chance: random.Random
) -> None:
    letters = [
        letter
        for number, row in enumerate(rows)
        for letter in printed("|".join(row), bottom=500.0 - 12 * number)
    ]
    chance.shuffle(letters)
    lines = lines_of(letters)
    assert [[cell.text for cell in line.cells] for line in lines] == rows
    for line in lines:
        assert line.text == " ".join(cell.text for cell in line.cells)
        for cell in line.cells:
            assert "".join(letters[index].text for index in cell.indices) == cell.text
    read = "".join(letter.text for letter in in_lines(letters))
    assert read == "".join(f"{' '.join(row)} \n" for row in rows)


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        (SPACE * HEIGHT - 0.1, ["ab"]),
        (SPACE * HEIGHT + 0.1, ["a b"]),
        (CELL * HEIGHT - 0.1, ["a b"]),
        (CELL * HEIGHT + 0.1, ["a", "b"]),
    ],
)
def test_how_wide_a_gap_is_tells_letters_words_and_cells_apart(gap: float, text: list[str]) -> None:
    letters = [*printed("a"), *printed("b", left=50 + WIDTH + gap)]
    assert cells(letters) == text
    said = "".join(letter.text for letter in in_lines(letters))
    assert said == f"{' '.join(text)} \n"


def test_words_that_are_spaced_out_stay_words() -> None:
    assert cells(printed("STATEMENTS", gap=2.0)) == ["STATEMENTS"]
    assert cells(printed("SUMS", gap=2.0)) == ["S U M S"], "too few letters to tell"


@pytest.mark.parametrize(("off", "count"), [(-0.1, 1), (0.1, 2)])
def test_letters_are_of_one_line_if_their_middles_are_near(off: float, count: int) -> None:
    lower = 100 - SAME_LINE * HEIGHT - off
    letters = [*printed("a"), *printed("b", left=80, bottom=lower)]
    assert len(lines_of(letters)) == count


def test_what_is_not_printed_is_of_no_line() -> None:
    assert not Letter("a").is_printed
    letters = [
        Letter(" "),
        *printed("a"),
        Letter("\n"),
        Letter(" ", 60, 63, 100, 110),
        Letter("x", 60, 60, 100, 110),
    ]
    (line,) = lines_of(letters)
    assert line.indices == (1,)
    assert lines_of([]) == []


@pytest.mark.parametrize(
    ("mark", "text"),
    [("1", "Sales (1)"), ("a", "Sales (a)"), ("(2)", "Sales (2)"), ("TM", "SalesTM")],
)
def test_the_mark_of_a_note_is_told_from_a_digit(mark: str, text: str) -> None:
    base = printed("Sales")
    raised = printed(mark, left=base[-1].right, bottom=104, height=5)
    assert cells([*base, *raised]) == [text]
    lowered = printed("2", left=base[-1].right, bottom=101, height=5)
    assert cells([*base, *lowered]) == ["Sales2"]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("Net sales|1,234|(5.6)", ["1,234", "(5.6)"]),
        ("Net sales|$|1,234", ["$1,234"]),
        ("Net sales|(|56|)", ["(56)"]),
        ("Margin|12.5|%|—", ["12.5%", "—"]),
        ("Net sales|1.234.567,89|1 234", ["1.234.567,89", "1 234"]),
        ("Net sales|n/a|nil|12x", ["n/a", "nil", "12x"]),
        ("Net sales|about 12|words", []),
        ("12|apples|13", ["13"]),
    ],
)
def test_the_figures_of_a_row_are_what_its_cells_end_with(text: str, figures: list[str]) -> None:
    (line,) = lines_of(printed(text))
    assert [cell.text for cell in line.figures] == figures
    assert line.is_row is bool(figures)


@pytest.mark.parametrize(
    "figures",
    [
        ["12.5", "13.5", "14.5"],
        ["1,234", "5,678"],
        ["12%", "13%"],
        ["(12)", "(13)", "14"],
        ["$12", "$13"],
    ],
)
def test_figures_that_stand_close_together_are_told_apart(figures: list[str]) -> None:
    assert told(f"Sales|{' '.join(figures)}") == ["Sales", *figures]


@pytest.mark.parametrize("text", ["12 *", "12 **", "12 (a)", "12 %", "12 )", "12 x", "( 12 )"])
def test_what_belongs_to_a_figure_may_stand_apart_from_it(text: str) -> None:
    assert Cell(text, 0, 10).is_figure
    assert not Cell(f"{text} ", 0, 10).is_figure


def test_words_between_figures_and_thousands_leave_them_together() -> None:
    assert told("Sales|12 apples 13") == ["Sales", "12 apples 13"]
    assert told("Sales|1 234 567") == ["Sales", "1 234 567"]


def test_a_sign_stands_before_its_figure_unless_the_page_has_it_behind() -> None:
    (line,) = lines_of(printed("Sales|12 $|13"))
    assert [cell.text for cell in line.cells] == ["Sales", "12", "$13"]
    page = [*printed("Sales|12|€|13|€"), *printed("Costs|14|€|15|€", bottom=80)]
    behind = [[cell.text for cell in line.cells] for line in lines_of(page)]
    assert behind == [["Sales", "12€", "13€"], ["Costs", "14€", "15€"]]


def test_how_far_a_sign_is_from_its_digits_is_kept() -> None:
    (line,) = lines_of(printed("Sales|$|12"))
    assert line.cells[1].sign == WIDTH + COLUMN
    assert line.cells[0].sign == 0


@pytest.mark.parametrize(
    ("text", "head", "row"),
    [
        ("2023|2022", True, False),
        ("In millions|2023|2022", True, False),
        ("Sales|12|2022", False, True),
        ("Sales", False, False),
        ("12", False, False),
        ("12|13", False, True),
    ],
)
def test_years_head_a_table_and_other_figures_are_of_its_rows(
    text: str, *, head: bool, row: bool
) -> None:
    (line,) = lines_of(printed(text))
    assert (line.is_head, line.is_row) == (head, row)


def test_a_label_is_without_the_dots_that_lead_to_its_figures() -> None:
    (line,) = lines_of(printed("Net sales . . . . .|12"))
    assert line.label == "Net sales"
    (short,) = lines_of(printed("Sales, approx. .|12"))
    assert short.label == "Sales, approx. ."
    assert line.worded == tuple(range(13)), "the letters of the label's cell"


def close(figure: str = "12") -> Line:
    """Return a line whose label holds a figure that is close before it."""
    return Line((Cell(f"Net sales {figure}", 0, 60), Cell("13", 90, 100)))


@pytest.mark.parametrize(
    ("line", "columns", "apart"),
    [
        (close(), [(50, 60), (90, 100)], True),
        (close(), [(50, 62.9)], True),
        (close(), [(50, 63.1)], False),
        (close(), [(90, 100)], False),
        (close("more"), [(50, 60)], False),
        (Line((Cell("Net sales 12", 0, 60), Cell("13", 58, 59))), [(50, 60)], False),
        (Line((Cell("Net sales 12", 0, 60),)), [(50, 60)], True),
        (Line((Cell("12", 50, 60),)), [(50, 60)], False),
    ],
)
def test_a_figure_close_behind_a_label_is_told_by_the_end_of_its_column(
    line: Line, columns: list[tuple[float, float]], *, apart: bool
) -> None:
    made = line.with_figure_apart(columns)
    if not apart:
        assert made is line
        return
    label, figure, *rest = made.cells
    assert (label.text, figure.text, rest) == ("Net sales", "12", list(line.cells[1:]))
    assert label.left == 0
    assert (label.right, figure.left, figure.right) == (45, 50, 60), "a space is between them"


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


def heads(*texts: str) -> Line:
    return Line(tuple(map(cell, texts, (0, 100, SECOND, 320))))


def test_names_between_figures_are_of_one_table_where_each_column_has_a_head() -> None:
    rows = [both(name) for name in "xyz"]
    assert len(blocks(heads("Barge", "Built", "Yard", "Tonnes"), *rows)) == 1
    assert len(blocks(heads("Barge", "Tonnes", "Yard", "Tonnes"), *rows)) == 2


def test_a_line_across_the_gutter_ends_what_is_side_by_side() -> None:
    rows = [both(name) for name in "xyz"]
    made = blocks(*rows, WIDE, *rows)
    assert [len(block) for block in made] == [3, 4 + 3, 3]
    assert made[1][3] == WIDE.text


def test_nothing_is_lost_or_doubled() -> None:
    lines = [WIDE, single("one"), *(both(name) for name in "xyzv"), single("two"), WIDE]
    texts = sorted(cell.text for block in separated(lines) for line in block for cell in line.cells)
    assert texts == sorted(cell.text for line in lines for cell in line.cells)
