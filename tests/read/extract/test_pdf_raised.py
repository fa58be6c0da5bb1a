"""Figures that stand raised in a PDF: powers, and the marks of notes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.read.documents import body, drawn_pdf

from quaere.read.extract.pdf import PdfExtractor
from quaere.read.extract.pdf_raised import with_raised

LINE, SMALL = (10, 0), (7, 4)
"""Size and rise of what stands on the line, and of what stands raised over it, in points."""


def drawn(*pieces: tuple[str, tuple[int, int]]) -> str:
    """Return what draws ``pieces`` one after the other on one line."""
    shown = (f"/F1 {size} Tf {rise} Ts ({text}) Tj" for text, (size, rise) in pieces)
    return f"BT 72 700 Td {' '.join(shown)} ET"


def read(pieces: Sequence[tuple[str, tuple[int, int]]], below: str = "") -> str:
    page = f"{drawn(*pieces)} {below}"
    return next(PdfExtractor().extract(body(drawn_pdf([page]), "kiln.pdf"))).text


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([("It makes 3 x 10", LINE), ("6", SMALL), (" bricks.", LINE)], "It makes 3 x 10⁶ bricks."),
        ([("It has 80 m", LINE), ("2", SMALL), (" of floor.", LINE)], "It has 80 m² of floor."),
        ([("It lasts 10", LINE), ("-3", SMALL), (" s.", LINE)], "It lasts 10⁻³ s."),
        ([("Novak.", LINE), ("12", SMALL), (" In 2016", LINE), ("3", SMALL)], "Novak.¹² In 2016³"),
        (
            [("As others say.", LINE), ("1,2", SMALL), (" Or not.", LINE)],
            "As others say.¹,² Or not.",
        ),
        ([("H", LINE), ("2", (7, -2)), ("O and 106 m2.", LINE)], "H2O and 106 m2."),
        ([("Room 1", LINE), ("06", (10, 1)), (" is free.", LINE)], "Room 106 is free."),
    ],
)
def test_a_smaller_figure_higher_up_is_raised(
    pieces: list[tuple[str, tuple[int, int]]], text: str
) -> None:
    assert read(pieces) == text


def test_a_page_with_a_table_has_its_raised_figures_in_the_prose_around_it() -> None:
    rows = [("Year", "Bricks"), ("2019", "1,200"), ("2020", "1,400"), ("2021", "1,500")]
    table = " ".join(
        f"BT /F1 10 Tf 0 Ts 72 {660 - 14 * at} Td ({year}) Tj 120 0 Td ({bricks}) Tj ET"
        for at, (year, bricks) in enumerate(rows)
    )
    text = read([("It makes 3 x 10", LINE), ("6", SMALL), (" bricks.", LINE)], table)
    assert "It makes 3 x 10⁶ bricks." in text
    assert "1,400" in text


def test_a_text_with_other_figures_than_the_page_stays_as_it_is() -> None:
    assert with_raised("106 of 7", "106 of 8", {2: "⁶"}) == "106 of 7"
    assert with_raised("of 106", "106 of", {2: "⁶"}) == "of 10⁶"
