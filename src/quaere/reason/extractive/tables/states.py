"""The states of the United States by the two letters that stand for them in columns of codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

_STATES = """
AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut,
DE Delaware, DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois,
IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts,
MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada,
NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota,
OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, PR Puerto Rico, RI Rhode Island,
SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming
"""
_NAMES: Mapping[str, str] = {
    code: name
    for code, _, name in (each.partition(" ") for each in " ".join(_STATES.split()).split(", "))
}
_OF_OTHERS = frozenset({"AS", "GU", "MP", "VI"})
"""Codes of territories, which may stand among those of the states."""
_FEWEST = 3
"""Different codes of a column of states, at least: two may stand for anything."""


def is_of_state(name: str, code: str) -> bool:
    """Return whether ``name`` is, in lower case, that of the state of ``code``."""
    return _NAMES.get(code, "").casefold() == name


def states(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield for each of the ``cells`` what it is called, if all of them are codes of states.

    "New York state" is said where "New York" is a city as well.
    """
    if len(cells) < _FEWEST or not (_NAMES.keys() | _OF_OTHERS).issuperset(cells):
        return
    for cell in cells:
        if name := _NAMES.get(cell, "").casefold():
            yield name, cell
            yield f"{name} state", cell
            yield f"state of {name}", cell
