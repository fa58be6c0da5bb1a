"""By how much one thing is more than another: "How much longer is A than B?".

"How many years after A was B opened?" English alone.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from quaere.reason.extractive.comparisons.compare import facts_of_both, value_asked
from quaere.reason.extractive.comparisons.facts import Fact, told_years, whole_years
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, last_question
from quaere.reason.extractive.questions.parts import Comparison
from quaere.reason.extractive.tables.asked import printed
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex

_ASKS = (
    lazy_regex(
        r"(?i)\W*(?:by )?how much (?P<about>(?:more |less )?[a-z]+) (?:is|was|are|were) "
        r"(?P<a>[^,?]+?) than (?P<b>[^,?]+?)\W*"
    ),
    lazy_regex(
        r"(?i)\W*by how (?:much|many [a-z]+) (?:is|was|are|were) (?P<a>[^,?]+?) "
        r"(?P<about>(?:more |less )?[a-z]+) than (?P<b>[^,?]+?)\W*"
    ),
    lazy_regex(
        r"(?i)\W*how much (?P<more>more|less) (?:do|does|did) (?P<a>[^,?]+?) (?P<deed>[a-z]+) than "
        r"(?P<b>[^,?]+?)\W*"
    ),
    lazy_regex(
        r"(?i)\W*how (?:long|many years) (?P<more>before|after) (?P<b>[^,?]+?) (?:is|was|were) "
        r"(?P<a>[^,?]+?) (?P<deed>[a-z]+)\W*"
    ),
)
_SIGNS = {"EUR": "€", "GBP": "£", "USD": "$"}
_LARGER = {
    "m": (("km", Decimal(1000)),),
    "s": (("h", Decimal(3600)), ("min", Decimal(60))),
    "mo": (("yr", Decimal(12)),),
}
"""Units, and how much they are of a base, from the largest on."""


class Difference(NamedTuple):
    """By how much two things differ, and the lines that tell it of each."""

    text: str
    lines: tuple[Line, ...]


def find_difference(question: str, pool: Pool) -> Difference | None:
    """Return by how much the two things of ``question`` differ in what it asks.

    None where that is not plain of both, or the other way round than is supposed.
    """
    compared = in_english(_compared, last_question(question))
    asked = compared and value_asked(compared.about)
    if compared is None or asked is None:
        return None
    kind, least = asked
    first, second = facts_of_both(compared, kind, pool)
    if first is None or second is None or not _is_so(first, second, least=least):
        return None
    lines = dict.fromkeys((*first.lines, *second.lines))
    return Difference(_between(first, second, kind), tuple(lines))


def _is_so(first: Fact, second: Fact, *, least: bool) -> bool:
    """Whether two plain facts of one measure differ as is supposed: the first is ahead."""
    is_plain = first.is_plain and second.is_plain
    is_one_measure = (first.unit, first.head) == (second.unit, second.head)
    ahead, behind = (first, second) if least else (second, first)
    return is_plain and is_one_measure and ahead.value < behind.value


def _compared(text: str) -> Comparison | None:
    found = next(filter(None, (pattern.fullmatch(text) for pattern in _ASKS)), None)
    if found is None:
        return None
    told = found.groupdict()
    about = told.get("about") or f"{told['deed']} {told['more']}"
    return Comparison(told["a"], told["b"], about)


def _between(one: Fact, other: Fact, kind: Kind) -> str:
    """Return by how much two facts of one unit differ, as it is printed."""
    if kind is Kind.DATE:
        return told_years(whole_years(*sorted((one.value, other.value))))
    return _printed(abs(one.value[0] - other.value[0]), one.unit)


def _printed(value: Decimal, unit: str) -> str:
    if unit in _SIGNS:
        return f"{_SIGNS[unit]}{printed(value)}"
    name, size = next((larger for larger in _LARGER.get(unit, ()) if value >= larger[1]), (unit, 1))
    return f"{printed(value / size)} {name}".strip()
