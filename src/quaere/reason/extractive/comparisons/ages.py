"""How old somebody was when something happened, by two dates: "How old was Ada when she left?".

English alone.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from quaere.reason.extractive.comparisons.facts import Fact, facts_about, whole_years
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, last_question
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex

_ASKS = (
    lazy_regex(
        r"(?i)\W*how old (?:is|was|were) (?P<who>[^,?]+?) (?:when|at the time) "
        r"(?:he|she|it|they|(?P=who)) (?P<deed>[^?]+?)\W*"
    ),
    lazy_regex(
        r"(?i)\W*(?:(?:at|by) )?(?:what|which) age did (?P<who>[^,?]+?) "
        r"(?P<deed>(?-i:[a-z]+)(?: [^?]*?)?)\W*"
    ),
)


_DIES = lazy_regex(r"(?i)\A(?:live to(?: be)?|reach|pass(?:ed)? away|get to)\Z")
"""Other words for dying at an age."""


class Age(NamedTuple):
    """How old somebody was, and the lines about the birth and the deed."""

    text: str
    lines: tuple[Line, ...]


def find_age(question: str, pool: Pool) -> Age | None:
    """Return how old somebody was when what ``question`` says happened.

    None where the sources do not say plainly when that was, or the birth.
    """
    text = last_question(question)
    asks = next(filter(None, (in_english(each.fullmatch, text) for each in _ASKS)), None)
    if asks is None:
        return None
    born = _dated("born", asks["who"], pool)
    deed = _dated(_DIES.sub("die", asks["deed"]), asks["who"], pool)
    if born is None or deed is None or deed.value <= born.value:
        return None
    lines = dict.fromkeys((*born.lines, *deed.lines))
    return Age(_years_old(born.value, deed.value), tuple(lines))


def _years_old(born: tuple[Decimal, ...], then: tuple[Decimal, ...]) -> str:
    """Return an age; two numbers where it is not known whether the birthday was over."""
    years = whole_years(born, then)
    return str(years) if all(born) and all(then) else f"{years - 1} or {years}"


def _dated(deed: str, who: str, pool: Pool) -> Fact | None:
    """Return when ``who`` did the ``deed``, where that is plainly said.

    Names in it stand next to other dates as well: "She joined Orbis in 1988 and left it in 2011".
    """
    plain = " ".join(word for word in deed.split() if word.islower())
    told = facts_about(who, Comparison(who, "", f"{plain} first"), Kind.DATE, pool)
    return next((fact for fact in told if fact.is_plain), None)
