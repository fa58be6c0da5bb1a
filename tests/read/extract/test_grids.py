"""Tables in plain text, told by the white space between their columns."""

from __future__ import annotations

import time

import pytest
from tests.read.documents import body
from tests.timing import cpu_s

from quaere.read.extract.grids import (
    MOST_HEADS,
    Placed,
    all_heads,
    grids,
    is_amount,
    joined_heads,
    with_bars,
)
from quaere.read.extract.markdown import TextExtractor

ORDER = [
    "Dear Ms Hask,",
    "",
    "we have sent you today:",
    "",
    "No   Article                Price each    Total",
    " 4   Brass wheel (large)         12.50    50.00",
    "12   Lamp oil, one litre         3.20     38.40",
    "     Carriage                              6.00",
    "     Total                                94.40",
    "",
    "Yours, Brell & Sons",
]


def test_rows_are_written_with_bars_in_the_places_of_their_lines() -> None:
    assert with_bars(ORDER)[4:10] == [
        "| No | Article | Price each | Total |",
        "| 4 | Brass wheel (large) | 12.50 | 50.00 |",
        "| 12 | Lamp oil, one litre | 3.20 | 38.40 |",
        "|  | Carriage |  | 6.00 |",
        "|  | Total |  | 94.40 |",
        "",
    ]
    assert len(with_bars(ORDER)) == len(ORDER)


def test_a_page_of_text_has_its_table_and_the_lines_after_it_where_they_were() -> None:
    page = next(TextExtractor().extract(body("\n".join(ORDER), "order.txt")))
    assert "| 4 | Brass wheel (large) | 12.50 | 50.00 |" in page.text
    assert page.label_at(page.text.index("Yours")) == "line 11"


def test_a_cell_that_goes_on_below_is_one() -> None:
    lines = [
        "Pier     Ship           Leaves",
        "====     ====           ======",
        "North    Grey Heron,    07:15",
        "         the old one",
        "South    Sorrel         09:40",
    ]
    assert [line for line in with_bars(lines) if line] == [
        "| Pier | Ship | Leaves |",
        "| North | Grey Heron, the old one | 07:15 |",
        "| South | Sorrel | 09:40 |",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ["-v   --verbose   say more", "-q   --quiet     say less", "-x   --extra     say it twice"],
        ["gully   a narrow way", "holm    an islet", "sound   a wide strait"],
        ["He went.  She came.  It rained.", "They left.  We stayed.  Nobody knew why it did."],
        ["Name   Year   Port", "", "Sorrel   1904   Pell", "Heron    1911   Brell"],
        ["| a | b   c | d |", "| 1 | 2   3 | 4 |", "| 5 | 6   7 | 8 |"],
        [
            "Pier   Ship   Leaves",
            "North and south of the old harbour   Heron   07:15 or later",
        ],
    ],
)
def test_lists_of_terms_and_prose_stay_as_they_are(lines: list[str]) -> None:
    assert with_bars(lines) == lines


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        (
            ["Pier", "Ships", "Ships"],
            ["", "2023", "2024"],
            ["Pier", "Ships 2023", "Ships 2024"],
        ),
        (
            ["", "Ships", "", "Boats"],
            ["Pier", "2023", "2024", "2024"],
            ["Pier", "Ships 2023", "Ships 2024", "Boats 2024"],
        ),
        (["Pier", "Ships", ""], ["Quay", "2023", "2024"], None),
        (
            ["", "Season to May", ""],
            ["", "2023", "2024"],
            ["", "Season to May 2023", "Season to May 2024"],
        ),
        (
            ["", "", "Season to", ""],
            ["", "May 2, 2023", "May 4, 2024", "May 3, 2025"],
            ["", "Season to May 2, 2023", "Season to May 4, 2024", "Season to May 3, 2025"],
        ),
        (["", "May 2,", "May 9,"], ["", "2023", "2023"], ["", "May 2, 2023", "May 9, 2023"]),
        (
            ["(in tons)", "", ""],
            ["At May 31:", "2023", "2024"],
            ["(in tons) At May 31:", "2023", "2024"],
        ),
        (["", "2023", "2024"], ["", "", "(in tons)"], ["(in tons)", "2023", "2024"]),
        (
            ["", "", "Season", "", "Ranks"],
            ["(in tons)", "2023", "2024", "Change", "Rank"],
            ["(in tons)", "2023", "Season 2024", "Change", "Ranks Rank"],
        ),
        (["", "Opened", "Closed"], ["Mole 3", "1902", "1951"], None),
        (["Pier", "Opened", "Closed"], ["Mole 3", "1902", "1951"], None),
        (["Pier", "Ships"], ["", "2023"], None),
        (["Pier", "Ships", ""], ["", "12", "40"], None),
        (["Pier", "Ships", ""], ["Pier", "in", "out"], ["Pier", "Ships in", "Ships out"]),
        (["Pier", "Ships", ""], ["", "in", "out"], ["Pier", "Ships in", "Ships out"]),
        (["", "Ships", ""], ["Pier", "in", "out"], ["Pier", "Ships in", "Ships out"]),
        (["Pier", "Ships", ""], ["", "in", ""], None),
        (["", "", "Ships"], ["", "Open", "in"], ["", "Open", "Ships in"]),
        # These may be the first rows of what the table holds.
        (["", "", "Ships"], ["North", "open", "busy"], None),
        (["", "", "Ships"], ["North", "2023", "shut"], None),
    ],
)
def test_a_head_over_several_columns_is_said_with_each(
    above: list[str], below: list[str], joined: list[str] | None
) -> None:
    assert joined_heads(above, below) == joined


def test_the_columns_of_a_timetable_may_be_numbered() -> None:
    lines = [
        "Pier            (1)     (2)",
        "Orrin quay     06:40   10:15",
        "Brell harbour  07:50   11:10",
    ]
    assert with_bars(lines) == [
        "| Pier | (1) | (2) |",
        "| Orrin quay | 06:40 | 10:15 |",
        "| Brell harbour | 07:50 | 11:10 |",
    ]


def test_amounts_head_no_columns() -> None:
    lines = ["Costs          (310)   (420)", "Sales           900     980", "Other  12   14"]
    assert with_bars(lines) == lines


SHIPS, YEARS = ["Pier", "Ships", ""], ["", "2023", "2024"]


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        ([SHIPS], SHIPS),
        ([SHIPS, ["North", "12", "40"]], SHIPS),
        ([SHIPS, YEARS, ["North", "12", "40"]], ["Pier", "Ships 2023", "Ships 2024"]),
        (
            [["", "May 2,", "May 9,"], YEARS, ["", "", "(in tons)"]],
            ["(in tons)", "May 2, 2023", "May 9, 2024"],
        ),
    ],
)
def test_heads_are_joined_down_to_the_first_row_of_figures(
    rows: list[list[str]], heads: list[str]
) -> None:
    used = len([row for row in rows if "40" not in row])
    assert all_heads(rows) == (heads, used)


def test_no_more_than_four_rows_are_heads() -> None:
    years = [["", f"{year}", f"{year + 1}"] for year in range(1990, 1996)]
    assert all_heads(years)[1] == MOST_HEADS


def test_a_long_list_of_pairs_of_words_takes_little_time() -> None:
    begun = time.process_time()
    lines = [f"quay {'north' if n % 2 else 'south'}   rope" for n in range(3_000)]
    assert with_bars([*lines, "", "Quay   Length", "North  140"])[:3_000] == lines
    assert time.process_time() - begun < 5


def test_a_table_right_below_a_list_of_pairs_of_words_is_found() -> None:
    pairs = [f"quay {'north' if n % 2 else 'south'}   rope" for n in range(200)]
    shown = with_bars([*pairs, *(f"North        {n} m" for n in range(100, 140))])
    assert shown[:150] == pairs[:150]
    assert "| North | 139 m |" in shown


def test_a_long_row_of_figures_is_told_from_an_amount_in_time() -> None:
    assert is_amount("1,250.5 %")
    assert not is_amount(",.")
    assert cpu_s(lambda: is_amount("1" * 30_000 + "!"), enough_s=0.5) < 0.5


@pytest.mark.parametrize(("wide", "beyond"), [((27, 46), (46, 52)), ((12, 20), (8, 12))])
def test_a_column_is_as_wide_as_its_rows_have_made_it(
    wide: tuple[int, int], beyond: tuple[int, int]
) -> None:
    places = ((20, 26), wide, beyond, (20, 24))
    lines = [[Placed("Berth", 0, 5), Placed("Length", 20, 26), Placed("Price", 60, 65)]]
    for boat, (left, right) in enumerate(places):
        lines.append(
            [Placed(f"Boat {boat}", 0, 6), Placed("9 m", left, right), Placed("84.00", 60, 65)]
        )
    (grid,) = grids(lines)
    assert [row[1] for row in grid.rows] == ["Length", *["9 m"] * len(places)]
