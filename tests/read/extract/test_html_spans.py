"""Cells that go over several rows or columns, in each of them."""

from __future__ import annotations

import pytest

from quaere.read.extract.html_spans import MOST_CELLS, spread_spans
from quaere.read.extract.html_text import render
from quaere.read.extract.markup import parse_html


def rows(table: str) -> list[str]:
    root = parse_html(f"<html><body><table>{table}</table></body></html>")
    spread_spans(root)
    return render(root).split("\n")


def test_a_cell_over_several_rows_is_in_each() -> None:
    table = (
        "<tr><th>Pier<th>Ship<th>Leaves"
        "<tr><td rowspan=2>North<td>Heron<td>07:15"
        "<tr><td>Sorrel<td>09:40"
        "<tr><td>South<td rowspan=0>Tern<td>11:00"
        "<tr><td>West<td>12:00"
    )
    assert rows(table) == [
        "| Pier | Ship | Leaves |",
        "| North | Heron | 07:15 |",
        "| North | Sorrel | 09:40 |",
        "| South | Tern | 11:00 |",
        "| West | Tern | 12:00 |",
    ]


def test_heads_in_two_rows_are_one() -> None:
    table = (
        "<tr><th rowspan=2>Pier<th colspan=2>2023<th colspan=2>2024"
        "<tr><th>Ships<th>Cars<th>Ships<th>Cars"
        "<tr><td>North<td>1<td>2<td>3<td>4"
        "<tr><td colspan=4>Cars in all<td>6"
    )
    assert rows(table) == [
        "| Pier | 2023 Ships | 2023 Cars | 2024 Ships | 2024 Cars |",
        "| North | 1 | 2 | 3 | 4 |",
        "| Cars in all |  |  |  | 6 |",
    ]


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td colspan=3>Ships of the sound<tr><td>North<td>Heron<td>07:15",
        "<tr><td rowspan=x>North<td>Heron<tr><td>South<td>Tern",
        "<tr><td rowspan=³>North<td>Heron<tr><td>South<td>Tern",
        f"<tr><td rowspan=2>{'word ' * 60}<td>Heron<tr><td>Tern<td>South",
        "<tr><td rowspan=2>North<td><table><tr><td>a<td>b</table><tr><td>Tern<td>South",
        f"<tr>{'<td rowspan=500 colspan=50>x' * (MOST_CELLS // 25_000 + 1)}<tr><td>a<td>b",
    ],
)
def test_layout_and_nonsense_stay_as_they_are(table: str) -> None:
    plain = render(parse_html(f"<html><body><table>{table}</table></body></html>")).split("\n")
    assert rows(table) == plain
