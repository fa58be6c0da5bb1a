"""What is quoted of two passages that contradict each other."""

from __future__ import annotations

from quaere.evidence.opposing import Side, opposing
from quaere.evidence.statements import lines
from quaere.text.tokens import terms

HOUSE = """FIRST_STAY  and  LAST_STAY
       give the range of days for guests of the house.
       Defaults to 1 - 29.

FIRST_LEASE  and  LAST_LEASE
       give the range of days for tenants of the house.
       Defaults to 30 - 99.

PETS   may stay as well. They pay 5.
"""
TOWN = "Houses usually let rooms to guests for a range of 1..30 days. Pets are welcome. Trams run."


def side(text: str) -> Side:
    return Side(text, lines("", text))


def test_a_figure_is_quoted_with_what_it_is_of() -> None:
    wanted = set(terms("longest range of days for guests"))
    left, right = opposing(side(HOUSE), side(TOWN), wanted, "the last day for guests, 29 or 30")
    assert "for guests of the house" in left
    assert left.endswith("Defaults to 1 - 29.")
    assert "tenants" not in left
    assert right.startswith("Houses usually")
    assert left in HOUSE
    assert right in TOWN


def test_without_a_figure_one_line_is_quoted() -> None:
    found = opposing(side(HOUSE), side(TOWN), set(terms("pets")), "whether pets may stay")
    assert found == ("PETS   may stay as well.", "Pets are welcome.")


def test_of_nothing_nothing_is_quoted() -> None:
    assert opposing(side(""), side(TOWN), set(), "the days") == ("", "")
