"""Figures of tables and records, by the rows and columns that they stand in."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.verify.ground import Ground
from quaere.verify.operands import Row, of_table, records, tables

HARBOURS = """| Brell quay | 31 | 205 |
| Hask mole | 44 | 377 |
12 of them were towed.
3 sank.
| Orrin pier | 58 | 611 |
"""


def held(rows: Iterable[Row]) -> list[tuple[set[str], list[tuple[int | str, int]]]]:
    return [(set(row.name), [(at, int(each.value)) for at, each in row.cells]) for row in rows]


def test_other_lines_part_tables_and_are_in_none() -> None:
    assert [held(table) for table in tables(Ground(HARBOURS))] == [
        [({"brell", "quay"}, [(2, 31), (3, 205)]), ({"hask", "mole"}, [(2, 44), (3, 377)])],
        [({"orrin", "pier"}, [(2, 58), (3, 611)])],
    ]


def test_figures_go_with_their_row_and_with_their_column_in_the_rows_that_are_named() -> None:
    table, _ = tables(Ground(HARBOURS))
    groups = [[int(each.value) for each in group] for group in of_table(table, frozenset())]
    assert groups == [[31, 205], [44, 377], [31, 44], [205, 377]]
    named = [[int(each.value) for each in group] for group in of_table(table, frozenset({"hask"}))]
    assert named == [[44, 377], [44], [377]]


def test_lines_of_two_or_more_fields_are_records_and_the_first_names_them() -> None:
    sources = [
        Ground("Pier: Brell; boats: 31; crews: 205\nBoats: 7\n"),
        Ground("Pier: Hask; boats: 44\nPier: Orrin; boats: 58"),
    ]
    assert held(records(sources)) == [
        ({"brell"}, [("boats", 31), ("crews", 205)]),
        ({"hask"}, [("boats", 44)]),
        ({"orrin"}, [("boats", 58)]),
    ]
