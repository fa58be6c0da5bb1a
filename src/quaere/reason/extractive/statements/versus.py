"""Which of two lines of one table of a statement is more: "Which sold more in 2021, A or B?"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from quaere.domain.report import SURE
from quaere.reason.extractive.pool import Line, Pool, file_name
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.statements.figures import Figure, find_figure
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.tokens import terms, words

_ASKS = lazy_regex(
    r"(?i)^\W*which\b(?P<whose>[^?,]{0,60}?)\s"
    r"(?P<deed>sold|sells|earned|earns|made|makes|spent|spends|had|has|generated|took in)\s"
    r"(?:the\s)?(?P<more>more|less|higher|lower|larger|smaller|greater|bigger|most|least)\b"
    r"(?P<rest>[^?,]{0,60}),\s(?P<one>[^?,]{2,60}?)\sor\s(?P<other>[^?,]{2,60}?)\W*$"
)
_LESS = frozenset({"less", "lower", "smaller", "least"})
_MEASURES: Mapping[str, str] = {
    **dict.fromkeys(("sold", "sells", "generated", "took in"), "net sales"),
    **dict.fromkeys(("earned", "earns", "made", "makes"), "net income"),
}
"""What is measured by what the two do; of what they "had" the question says it."""
_YEAR = lazy_regex(r"(?i)\b(?:in|for|during)\s(?:fiscal\s)?(?:year\s)?(?:19|20)\d\d\b")


class _Asked(NamedTuple):
    """Two lines of a statement that are compared."""

    sides: tuple[str, str]
    measure: str
    """What is compared, in the words of a statement."""
    when: str
    """Of which year: "in 2021"."""
    whose: str
    """Words with the name of the company, if that is said."""
    is_less: bool
    """Whether the lesser of the two is asked for."""


class Versus(NamedTuple):
    """Which is more, and the rows that tell it, its own first."""

    winner: str
    text: str
    lines: tuple[Line, ...]


def find_versus(question: str, pool: Pool) -> Versus | None:
    """Return which of the two lines that ``question`` names is more of what it asks for.

    None unless both are rows of one table, in the document of whom it names.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = _asked(question)
    if asked is None:
        return None
    found = [figure for side in asked.sides if (figure := _sure_figure(side, asked, pool))]
    if len(found) < len(asked.sides) or not _are_of_one_table(asked, found, pool):
        return None
    return _decided(asked, found)


def _asked(question: str) -> _Asked | None:
    """Return which two ``question`` compares, and by what; None where it does not say all that."""
    asked = in_english(_ASKS.match, last_question(question))
    when = _YEAR.search(asked["rest"]) if asked else None
    measure = _measure(asked, when) if asked and when else ""
    if asked is None or when is None or not measure:
        return None
    return _Asked(
        sides=(asked["one"].strip(), asked["other"].strip()),
        measure=measure,
        when=when[0],
        whose=asked["whose"],
        is_less=asked["more"].casefold() in _LESS,
    )


def _measure(asked: re.Match[str], when: re.Match[str]) -> str:
    """Return what is compared, in the words of a statement; empty where words are left over."""
    rest = f"{asked['rest'][: when.start()]} {asked['rest'][when.end() :]}".strip()
    measure = _MEASURES.get(asked["deed"].casefold(), "")
    return rest if not measure else ("" if rest else measure)


def _sure_figure(side: str, asked: _Asked, pool: Pool) -> Figure | None:
    """Return the figure of ``side`` that is ``asked`` for; None unless it is sure."""
    found = find_figure(f"What were the {asked.measure} of {side} {asked.when}?", pool)
    return found if found is not None and found.confidence >= SURE else None


def _are_of_one_table(asked: _Asked, found: list[Figure], pool: Pool) -> bool:
    """Whether the figures are of two rows that are called as they are asked for, in one table."""
    if not all(map(_is_row_called, found, asked.sides)):
        return False
    one, other = (figure.lines[0] for figure in found)
    if one == other or (one.owner, one.columns) != (other.owner, other.columns):
        return False
    return _is_of_whom(one, asked.whose, pool)


def _is_row_called(figure: Figure, side: str) -> bool:
    """Whether ``figure`` is of one row, which is called as ``side``."""
    (row, *others) = figure.lines
    return not others and frozenset(terms(side)) <= frozenset(terms(row.text))


def _is_of_whom(line: Line, whose: str, pool: Pool) -> bool:
    """Whether all names in ``whose`` are in what the document of ``line`` is called."""
    passage = pool.passages[line.owner]
    told = f"{passage.title} {file_name(passage)}".casefold()
    names = (word for word in whose.split() if word[:1].isupper())
    return all(each in told for name in names for each in words(name)[:1])


def _decided(asked: _Asked, found: list[Figure]) -> Versus | None:
    """Return the side whose figure of those ``found`` is more, or less, as it is ``asked``."""
    values = [number.value for figure in found for number in numbers(figure.text)[:1]]
    if len(values) < len(found) or values[0] == values[1]:
        return None
    at = values.index(min(values) if asked.is_less else max(values))
    winner = asked.sides[at][:1].upper() + asked.sides[at][1:]
    ordered = (found[at], found[1 - at])
    text = f"{winner} ({ordered[0].text.partition(' (')[0]})"
    return Versus(winner, text, tuple(figure.lines[0] for figure in ordered))
