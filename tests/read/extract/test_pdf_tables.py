"""Tables found in a PDF by where its letters are, and what is left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from tests.read.documents import body, pdf

from quaere.read.extract.pdf import PdfExtractor
from quaere.read.extract.pdf_lines import Letter
from quaere.read.extract.pdf_raised import Box
from quaere.read.extract.pdf_tables import may_have_tables, with_tables

WIDTH, HEIGHT, PITCH = 5.0, 10.0, 12.0
"""Of a letter, and from line to line, in points."""

Line = Sequence[tuple[float, str]]
"""Stretches of text, each with the place of its left end; a place below 0 is that of its right end
from the left, so that figures are set flush right."""

STATEMENT: list[Line] = [
    [(120, "Brell Mills Ltd")],
    [(100, "Consolidated Balance Sheets")],
    [(110, "(in thousands of crowns)")],
    [(310, "Brell and Sons")],
    [(300, "As of 31 December")],
    [(-340, "2023"), (-420, "2022")],
    [(20, "Assets")],
    [(30, "Current assets:")],
    [(40, "Cash"), (305, "$"), (-340, "1,210"), (385, "$"), (-420, "970")],
    [(40, "Flour and grain, net of an allowance of")],
    [(50, "12 and 9"), (-340, "411"), (-420, "388")],
    [(40, "Loans to mill hands"), (-340, "–"), (-420, "17")],
    [(40, "Total current assets"), (-340, "1,621"), (-420, "1,375")],
    [(40, "Losses carried forward"), (-343, "(119)"), (-423, "(97)")],
    [(40, "Total assets"), (-340, "1,502"), (-420, "1,278")],
]


def letters(lines: Sequence[Line]) -> Iterator[Letter]:
    """Yield the letters of a page in a font of one width, as PDFium tells them."""
    for number, line in enumerate(lines):
        bottom = 700 - PITCH * number
        for at, text in line:
            left = at if at >= 0 else -at - WIDTH * len(text)
            for sign in text:
                yield Letter(sign, left, left + WIDTH, bottom, bottom + HEIGHT)
                left += WIDTH
            yield Letter(" ")
        yield Letter("\n")


def rows(lines: Sequence[Line]) -> list[str]:
    text = with_tables(list(letters(lines))).text
    return [line for line in text.split("\n") if line.startswith("|")]


def test_a_statement_is_read_by_row_and_year() -> None:
    assert rows(STATEMENT) == [
        (
            "| Brell Mills Ltd Consolidated Balance Sheets (in thousands of crowns) Brell and Sons"
            " | As of 31 December 2023 | As of 31 December 2022 |"
        ),
        "| --- | --- | --- |",
        "| Assets |  |  |",
        "| Current assets: |  |  |",
        "| Cash | $1,210 | $970 |",
        "| Flour and grain, net of an allowance of 12 and 9 | 411 | 388 |",
        "| Loans to mill hands | – | 17 |",
        "| Total current assets | 1,621 | 1,375 |",
        "| Losses carried forward | (119) | (97) |",
        "| Total assets | 1,502 | 1,278 |",
    ]


def test_a_figure_under_the_second_head_alone_stays_there() -> None:
    lines = [*STATEMENT[:9], [(40, "Grain in transit"), (-420, "33")], *STATEMENT[9:]]
    assert "| Grain in transit |  | 33 |" in rows(lines)


def test_what_is_around_a_table_stays_as_it_is() -> None:
    before: Line = [(20, "The directors report on the year, in which two stones were dressed anew"),
                    (390, "and the race was dredged.")]  # fmt: skip
    after: Line = [(20, "See the notes.")]
    text = with_tables(list(letters([before, *STATEMENT, after]))).text
    assert text.startswith("The directors report on the year")
    assert text.rstrip().endswith("See the notes.")


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([(20, "The mill"), (200, "The weir"), (380, "The race")], id="three columns"),
        pytest.param(
            [(20, "For each stone that was dressed the mill pays " + "a fee " * 20)],
            id="a long line",
        ),
        pytest.param([(20, "Pages"), (-340, "12"), (-420, "13")], id="figures"),
    ],
)
def test_what_cannot_be_the_name_of_a_table_is_left_before_it(before: Line) -> None:
    text = with_tables(list(letters([before, *STATEMENT]))).text
    assert text.startswith(before[0][1].strip())
    assert "\n| Brell Mills Ltd Consolidated" in text


def test_the_name_of_a_table_is_a_few_lines_long_and_may_have_two_parts() -> None:
    before: list[Line] = [[(20, f"Part {sign}"), (380, "Notes")] for sign in "ABCDEF"]
    head = rows([*before, *STATEMENT[2:]])[0]
    assert head.startswith("| Part D Notes Part E Notes Part F Notes (in thousands of crowns)")


@pytest.mark.parametrize(
    "heads",
    [
        pytest.param([], id="no head"),
        pytest.param([[(-340, "this"), (-420, "last")]], id="heads without a year"),
    ],
)
def test_figures_without_years_over_them_are_no_table(heads: list[Line]) -> None:
    assert not with_tables(list(letters([*STATEMENT[:3], *heads, *STATEMENT[6:]]))).text


@pytest.mark.parametrize(
    "end",
    ["beds were ploughed.", "the beds were ploughed again after the rain had gone."],
)
def test_a_year_in_the_prose_over_figures_heads_none_of_them(end: str) -> None:
    prose: list[Line] = [[(20, "The frost of May 2019 took a third of all the")], [(20, end)]]
    beds: list[Line] = [
        [(20, "Garden Beds Dug")],
        [(20, "North"), (75, "120"), (-120, "88")],
        [(20, "South"), (75, "164"), (-120, "64")],
        [(20, "East"), (75, "110"), (-120, "70")],
    ]
    assert not rows([*prose, *beds])


def test_a_second_head_begins_a_second_table() -> None:
    later: list[Line] = [
        [(40, "Sales by quarter")],
        [(-340, "2021"), (-420, "2020")],
        [(40, "Flour sold"), (-340, "88"), (-420, "81")],
        [(40, "Bran sold"), (-340, "14"), (-420, "15")],
    ]
    found = rows([*STATEMENT, *later])
    assert found.count("| --- | --- | --- |") == 2
    assert "| Sales by quarter | 2021 | 2020 |" in found
    assert "| Bran sold | 14 | 15 |" in found


def test_a_table_that_was_drawn_in_several_goes_is_read_and_the_rest_kept() -> None:
    drawn = list(letters(STATEMENT))
    half = next(at for at, letter in enumerate(drawn) if letter.text == "\n" and at > 300) + 1
    aside = list(letters([*([[]] * 50), [(20, "A note at the foot")]]))
    text = with_tables([*drawn[:half], *aside, *drawn[half:]]).text
    assert text == with_tables([*drawn, *aside]).text
    assert text.count("A note at the foot") == 1


def test_two_columns_of_text_with_figures_on_the_right_are_left_alone() -> None:
    """What is beside the figures of a table is no label where the page has it elsewhere."""
    prose = [[(20, f"The miller {number} says so")] for number in range(len(STATEMENT))]
    shifted = [[(at + 300 if at >= 0 else at - 300, text) for at, text in line]
               for line in STATEMENT]  # fmt: skip
    assert not with_tables([*letters(prose), *letters(shifted)]).text


def test_a_narrow_one_does_not_part_a_figure() -> None:
    """Loose boxes are as wide as the font moves on, however narrow the ink of a letter."""
    assert "| Cash | $1,210 | $970 |" in rows(STATEMENT)


def unplaced(at: int) -> Box | None:
    """Say that no letter has a box."""
    assert at >= 0
    return None


def test_few_figures_are_not_looked_at() -> None:
    prose, wages = (
        "Berth 4 was repaired in 1903.",
        "Wages of 1903\nJune 4 5\nJuly 6 7\nAugust 8 (9)\n",
    )
    assert not may_have_tables(prose, prose, unplaced)
    assert may_have_tables(wages, wages, unplaced)


def test_a_page_keeps_its_marks_and_its_words() -> None:
    gap = " " * 12
    sheet = [
        "Brell Mills, Statements of Income (in thousands)",
        f"Year ended{' ' * 40}2023{gap}2022",
        *(f"{name}{gap}{' ' * 20}{1000 + n}{gap}{2000 + n}" for n, name in enumerate(
            ["Revenues here", "Cost of sales", "Wages and oil", "Gross margin!"])),
    ]  # fmt: skip
    page = next(PdfExtractor().extract(body(pdf([sheet, ["Nothing else."]]), "mill.pdf")))
    assert [mark.label for mark in page.marks] == ["page 1", "page 2"]
    assert "1003" in page.text
    assert page.text.endswith("Nothing else.")


def test_a_title_in_the_middle_of_the_page_heads_no_column() -> None:
    title: Line = [(230, "Consolidated Statements of Cash Flows")]
    head = rows([title, *STATEMENT[2:]])[0]
    assert head.startswith("| Consolidated Statements of Cash Flows (in thousands of crowns) B")
    assert head.endswith("| As of 31 December 2023 | As of 31 December 2022 |")


@pytest.mark.parametrize(
    ("three", "nine"),
    [
        ((342, "Three months"), (505, "Nine months")),
        ((320, "Three months to June"), (480, "Nine months to April")),
    ],
    ids=["between both", "as wide as both"],
)
def test_a_head_over_several_years_heads_each_of_them(
    three: tuple[float, str], nine: tuple[float, str]
) -> None:
    lines: list[Line] = [
        [three, nine],
        [(-340, "2023"), (-420, "2022"), (-500, "2023"), (-580, "2022")],
        *(
            [(20, name), *((-at, str(base + at)) for at in (340, 420, 500, 580))]
            for base, name in enumerate(("Flour", "Bran", "Groats", "Meal", "Husks"), 100)
        ),
    ]
    head, _, first, *_ = rows(lines)
    assert head.split(" | ")[1:] == [
        *(f"{three[1]} 2023", f"{three[1]} 2022"),
        *(f"{nine[1]} 2023", f"{nine[1]} 2022 |"),
    ]
    assert first == "| Flour | 440 | 520 | 600 | 680 |"


@pytest.mark.parametrize("joint", ["vs.", "to", "and"])
def test_years_that_are_joined_head_one_column_together(joint: str) -> None:
    heads: Line = [(-340, "2023"), (-420, "2022"), (-500, f"2023 {joint} 2022")]
    told = [[*line, (-500, "5")] for line in SHORT]
    assert rows([heads, *told])[0] == f"|  | 2023 | 2022 | 2023 {joint} 2022 |"


SHORT: list[Line] = [
    [(40, "Cash"), (-340, "1,210"), (-420, "970")],
    [(40, "Flour"), (-340, "411"), (-420, "388")],
    [(40, "Loans"), (-340, "17"), (-420, "19")],
    [(40, "Total"), (-340, "1,638"), (-420, "1,377")],
]
ITEMS: Line = [(20, "Item"), (-340, "2023"), (-420, "2022")]


@pytest.mark.parametrize(
    ("heads", "head"),
    [
        (
            [[(20, "Group"), (300, "As of 31 December")], ITEMS],
            "| Group Item | As of 31 December 2023 | As of 31 December 2022 |",
        ),
        (
            [[(20, "As of 31 December, the whole of the group")], ITEMS],
            "| As of 31 December, the whole of the group Item | 2023 | 2022 |",
        ),
        ([[(300, "As of May 2023")]], "|  | As of May 2023 | As of May 2023 |"),
    ],
    ids=["over labels and figures", "over the whole table", "of one cell"],
)
def test_what_stands_over_the_labels_alone_is_said_of_the_table(
    heads: list[Line], head: str
) -> None:
    assert rows([*heads, *SHORT])[0] == head


EQUITY: list[Line] = [
    [(40, "Founders' shares"), (-340, "40"), (-420, "40")],
    [(40, "Total equity"), (-340, "902"), (-420, "811")],
]
"""What stands below a long label."""
LONG = "Shares with a vote of a crown each 900 were issued and 870 of them were out at year end"


@pytest.mark.parametrize(
    "label",
    [
        pytest.param(
            [[(20, LONG[:50])], [(20, LONG[50:]), (-340, "9"), (-420, "8")]], id="wrapped"
        ),
        pytest.param([[(-640, LONG)], [(-340, "9"), (-420, "8")]], id="over figures alone"),
    ],
)
def test_a_long_label_does_not_part_a_table(label: list[Line]) -> None:
    found = rows([*STATEMENT, *label, *EQUITY])
    assert f"| {LONG} | 9 | 8 |" in found
    assert "| Total equity | 902 | 811 |" in found


@pytest.mark.parametrize(
    "prose",
    [
        "Rents were 7 crowns in the year before.",
        "The leases end as follows (in crowns):",
        f"{LONG}, of which more is said in the notes below that the mill has written",
    ],
)
def test_prose_parts_a_table(prose: str) -> None:
    found = rows([*STATEMENT, [(20, prose)], *EQUITY])
    assert "| Total assets | 1,502 | 1,278 |" in found
    assert not any("Total equity" in row for row in found)


def test_figures_may_be_on_the_first_line_of_a_label() -> None:
    lines: list[Line] = [
        [(40, "Rents of the mill and"), (-340, "5"), (-420, "6")],
        [(50, "of the weir")],
    ]
    assert "| Rents of the mill and of the weir | 5 | 6 |" in rows(
        [*STATEMENT[:9], *lines, *EQUITY]
    )


def test_a_line_with_figures_is_no_more_of_one_that_has_some() -> None:
    lines: list[Line] = [[(40, "Rents of the mill and"), (-340, "5")], [(50, "weir"), (-420, "6")]]
    found = rows([*STATEMENT[:9], *lines, *EQUITY])
    assert "| Rents of the mill and | 5 |  |" in found
    assert "| weir |  | 6 |" in found


def test_figures_on_a_line_of_their_own_are_of_the_label_above_them() -> None:
    lines: list[Line] = [[(40, "Gifts of the guild")], [(-340, "5"), (-420, "6")]]
    assert "| Gifts of the guild | 5 | 6 |" in rows([*STATEMENT[:9], *lines, *STATEMENT[9:]])


def test_a_currency_sign_close_behind_a_figure_begins_the_next_one() -> None:
    lines: list[Line] = [[(40, "Tithes"), (305, "$"), (-340, "44"), (343, "$"), (-420, "55")]]
    assert "| Tithes | $44 | $55 |" in rows([*STATEMENT[:9], *lines, *STATEMENT[9:]])


def test_a_currency_sign_below_the_figures_of_one_column_does_not_join_it_to_the_next() -> None:
    wide: Line = [(40, "Mill and race"), (-345, "(1,204,611)"), (-420, "9")]
    lines: list[Line] = [[(40, "Tithes"), (305, "$"), (-338, "44"), (342, "$"), (-420, "55")]]
    found = rows([*STATEMENT[:9], wide, *lines, *STATEMENT[9:]])
    assert "| Tithes | $44 | $55 |" in found
    assert "| Mill and race | (1,204,611) | 9 |" in found


def raised(lines: Sequence[Line], after: str, mark: str) -> list[Letter]:
    """Return the letters of ``lines`` with a small ``mark`` at the upper right of ``after``."""
    drawn = list(letters(lines))
    text = "".join(letter.text for letter in drawn)
    at = text.index(after) + len(after)
    last = drawn[at - 1]
    box = (last.right, last.right + 3, last.top - 5, last.top + 1)
    return [*drawn[:at], Letter(mark, *box), *drawn[at:]]


@pytest.mark.parametrize(
    ("after", "row"),
    [
        ("1,621", "| Total current assets | 1,621 (2) | 1,375 |"),
        ("Total current assets", "| Total current assets (2) | 1,621 | 1,375 |"),
    ],
)
def test_a_raised_mark_is_no_digit_of_a_figure_and_no_letter_of_a_label(
    after: str, row: str
) -> None:
    assert row in with_tables(raised(STATEMENT, after, "2")).text


def test_a_table_goes_on_over_the_page_under_the_same_columns() -> None:
    first, rest = STATEMENT[:11], STATEMENT[11:]
    foot: Line = [(200, "41")]
    before = with_tables(list(letters([*first, foot])))
    assert before.goes_on
    text = with_tables(list(letters([[(20, "Brell Mills Ltd")], *rest])), before.goes_on).text
    assert "| As of 31 December 2023 | As of 31 December 2022 |" in text
    assert "| Total assets | 1,502 | 1,278 |" in text


@pytest.mark.parametrize(
    ("foot", "shift"),
    [
        pytest.param([(20, "The mill has more to say of it in a note.")] * 5, 0, id="prose"),
        pytest.param([], 33, id="other columns"),
    ],
)
def test_other_figures_on_the_next_page_are_not_of_the_table(
    foot: list[tuple[float, str]], shift: float
) -> None:
    before = with_tables(list(letters([*STATEMENT[:11], *([each] for each in foot)]))).goes_on
    rest = [[(at - shift if at < 0 else at, text) for at, text in line] for line in STATEMENT[11:]]
    assert not with_tables(list(letters(rest)), before).text


def test_two_tables_side_by_side_are_told_apart() -> None:
    debts: list[Line] = [
        [(420, "2023"), (480, "2022")],
        *([(300, name), (-440, figure), (-500, figure)] for name, figure in (
            ("Wages owed", "12"), ("Rents owed", "13"), ("Tolls owed", "14"),
            ("Tithes owed", "15"), ("Gifts owed", "16"),
        )),
    ]  # fmt: skip
    goods: list[Line] = [
        [(150, "2023"), (210, "2022")],
        *([(20, name), (-170, figure), (-230, figure)] for name, figure in (
            ("Grain", "1"), ("Flour", "2"), ("Bran", "3"), ("Stones", "4"), ("Sacks", "5"),
        )),
    ]  # fmt: skip
    found = rows([[*left, *right] for left, right in zip(goods, debts, strict=True)])
    assert "| Grain | 1 | 1 |" in found
    assert "| Wages owed | 12 | 12 |" in found
    assert found.count("|  | 2023 | 2022 |") == 2


@pytest.mark.parametrize(
    ("years", "figures"),
    [
        ((355, 515), [(-340, "12"), (-420, "3.4"), (-500, "14"), (-580, "3.6")]),
        ((320, 480), [(-340, "1,210,400"), (-375, "3.4"), (-500, "1,410,300"), (-535, "3.6")]),
    ],
    ids=["at an end of neither", "at the end of the wider one"],
)
def test_a_year_between_two_columns_is_over_both(years: tuple[float, float], figures: Line) -> None:
    lines: list[Line] = [
        [(years[0], "2023"), (years[1], "2022")],
        *([(20, name), *figures] for name in ("Flour", "Bran", "Groats")),
    ]
    assert rows(lines)[0].split(" | ")[1:] == ["2023", "2023", "2022", "2022 |"]
