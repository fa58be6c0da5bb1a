"""Tables of the command line in terminals of any width."""

from __future__ import annotations

import io
import sys

import pytest
from rich.cells import cell_len

from quaere.faces.cli.tables import folded, table

ROWS = [
    ("OK", "search", "wikipedia", "not asked"),
    ("NOTE", "model", "", "none is named: answers quote the sources, and nothing is reworded"),
]
HEADS = ("key", "state", "scopes", "name")
KEYS = [("qk_1b7f81d4", "valid", "run,read,check,folders", "for the department")]


def _terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", str(columns))


def test_a_pipe_has_each_row_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    lines = table([*ROWS, ("OK", "x", "y", "long " * 100)]).splitlines()
    assert [line[6:14].rstrip() for line in lines] == ["search", "model", "x"]


@pytest.mark.parametrize("columns", [20, 40, 60, 80])
def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    _terminal(monkeypatch, columns)
    shown = table(ROWS) + table(KEYS, heads=HEADS) + folded("  " + "a word " * 30)
    assert max(map(cell_len, shown.splitlines())) <= columns
    said = " ".join(shown.split())
    assert "nothing is reworded" in said
    assert "for the department" in said


def test_the_last_cell_goes_on_below_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, 70)
    first, second, third = table(ROWS).splitlines()
    assert first.index("not asked") == second.index("none is") == len(third) - len(third.lstrip())


def test_a_row_that_has_no_room_has_its_last_cell_below_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _terminal(monkeypatch, 40)
    assert table(ROWS).splitlines() == [
        "OK  search  wikipedia  not asked",
        "NOTE  model",
        "  none is named: answers quote the",
        "  sources, and nothing is reworded",
    ]


def test_under_heads_each_cell_is_after_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, 40)
    assert table(KEYS, heads=HEADS).splitlines() == [
        "key     qk_1b7f81d4",
        "state   valid",
        "scopes  run,read,check,folders",
        "name    for the department",
        "",
    ]


def test_wide_characters_take_two_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, 80)
    assert table([("図書館", "a"), ("abc", "b")]) == "図書館  a\nabc     b\n"


def test_a_line_of_a_story_goes_on_further_in(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, 20)
    assert folded("  one two three four five\n") == "  one two three four\n    five\n"
    assert folded("one\ttwo three four five\n").split() == ["one", "two", "three", "four", "five"]


def test_nothing_is_no_table() -> None:
    assert not table([], heads=HEADS)
