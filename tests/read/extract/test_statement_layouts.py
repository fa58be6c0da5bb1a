"""Statements in the layouts of many countries and houses are read as they were laid down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

import pytest
from tests.read.documents import body
from tests.read.extract.statement_sheets import OPTIONS, Layout, Row, Sheet, sheet

from quaere.read.extract.pdf import PdfExtractor

_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)|FY\d\d")
"""Amounts of the drawn statements have no such digits."""
DRAWN = 300
"""Layouts that are drawn by lot, the same each time."""
TOGETHER = 8
"""Parts of a layout up to which a drawn one has otherwise than the plainest."""


class ReadRow(NamedTuple):
    """A row of a table: its label, and the figures under heads that name a year."""

    label: str
    heads: tuple[str, ...]
    figures: tuple[str, ...]


def unread(laid: Sheet) -> tuple[list[Row], str]:
    """Return which rows of ``laid`` are not read under their heads, and the text that was read."""
    text = next(iter(PdfExtractor().extract(body(laid.data, "mill.pdf")))).text
    read = list(rows_of(text))
    return [row for row in laid.rows if not any(is_as(one, row, laid.heads) for one in read)], text


def rows_of(text: str) -> Iterator[ReadRow]:
    """Yield the rows of the tables in ``text``."""
    heads: list[str] = []
    for line in text.split("\n"):
        label, *cells = (
            [cell.strip() for cell in line[1:-1].split("|")] if line[:1] == "|" else [""]
        )
        if line.startswith("| ---"):
            continue
        if any(map(_YEAR.search, cells)):
            heads = cells
        elif len(cells) == len(heads):
            dated = [at for at, head in enumerate(heads) if _YEAR.search(head)]
            yield ReadRow(label, tuple(heads[at] for at in dated), tuple(cells[at] for at in dated))


def is_as(read: ReadRow, row: Row, heads: tuple[str, ...]) -> bool:
    """Whether a row was read as it was laid down."""
    if len(read.heads) != len(heads) or _plain(read.label) != _plain(row.label):
        return False
    others = [{other for other in heads if other != head} for head in heads]
    is_headed = all(
        head in told and not any(other in told for other in without)
        for head, told, without in zip(heads, read.heads, others, strict=True)
    )
    return is_headed and [*map(_amount, read.figures)] == [*map(_amount, row.figures)]


def _plain(label: str) -> str:
    """Return the words of a label, without what refers to notes."""
    return " ".join(re.sub(r"\([a-z\d]\)|[\W\d_]", " ", label).lower().split())


def _amount(figure: str) -> str:
    """Return the digits of a figure with a minus where it is negative; "nil" for a dash."""
    figure = re.sub(r" \([a-z\d]\)$", "", figure.strip())
    digits = re.sub(r"\D", "", figure)
    is_negative = re.search(r"\(|[-–] ?\d", figure) is not None
    return ("-" if is_negative else "") + digits if digits else figure and "nil"


def test_a_row_under_a_wrong_head_does_not_count_as_read() -> None:
    laid = sheet(Layout())
    assert unread(laid)[0] == []
    assert unread(replace(laid, heads=laid.heads[::-1]))[0] == laid.rows


@pytest.mark.parametrize(
    ("part", "value"),
    [(part, value) for part, values in OPTIONS.items() for value in values],
)
def test_each_part_of_a_layout_alone(part: str, value: str | float | bool) -> None:
    plain = Layout(sign="€") if part == "sign_at" else Layout()
    for seed in range(3):
        lost, text = unread(sheet(replace(plain, **{part: value}, seed=seed)))
        assert not lost, text


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param(
            Layout(align="middle", second="next page without head", seed=2),
            id="centred columns that go on over the page",
        ),
        pytest.param(
            Layout(order="columns", foot=True), id="a name drawn after the foot of the page"
        ),
        pytest.param(
            Layout(head="abbreviated dates", thousands=" ", second="below", seed=5),
            id="dates close together over a second statement",
        ),
        pytest.param(
            Layout(columns=3, size=11.0, gap=9.0, head="as of each", seed=8),
            id="dates close together over narrow figures",
        ),
        pytest.param(
            Layout(size=11.0, align="left", sign="$", leaders="dots"),
            id="dots that end close before a figure",
        ),
        pytest.param(
            Layout(sign="£", sign_at="behind", mark="raised on figure", nil="nil"),
            id="a mark behind a sign behind a figure",
        ),
        pytest.param(
            Layout(align="middle", sign="£", sign_at="behind", mark="raised on figure"),
            id="a mark behind a sign far behind a figure",
        ),
        pytest.param(
            Layout(columns=3, size=6.5, align="point", thousands=".", seed=104),
            id="years centred over where wider figures would be",
        ),
        pytest.param(
            Layout(gap=50.0, sign="¥", sign_at="behind", head="as of each", seed=65),
            id="dates that end before the signs behind figures",
        ),
    ],
)
def test_what_a_layout_moves_is_still_read(layout: Layout) -> None:
    lost, text = unread(sheet(layout))
    assert not lost, text


@pytest.mark.parametrize("seed", range(DRAWN))
def test_several_parts_together(seed: int) -> None:
    lot = Random(seed)  # noqa: S311 - no secret
    parts = lot.sample(sorted(OPTIONS), lot.randrange(TOGETHER + 1))
    layout = Layout(**{part: lot.choice(OPTIONS[part]) for part in parts}, seed=seed)  # pyright: ignore[reportArgumentType]
    lost, text = unread(sheet(layout))
    assert not lost, f"{layout}\n{text}"
