"""Which of two lines of one table of a statement is more: "Which sold more in 2021, A or B?"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
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
    asked = in_english(_ASKS.match, last_question(question))
    when = _YEAR.search(asked["rest"]) if asked else None
    measure = _measure(asked, when) if asked and when else ""
    if not (asked and when and measure):
        return None
    sides = (asked["one"].strip(), asked["other"].strip())
    told = [find_figure(f"What were the {measure} of {side} {when[0]}?", pool) for side in sides]
    found = [each for each in told if each is not None and each.confidence >= SURE]
    if len(found) < len(sides) or not _are_of_one_table(sides, found, asked["whose"], pool):
        return None
    return _decided(sides, found, is_less=asked["more"].casefold() in _LESS)


def _measure(asked: re.Match[str], when: re.Match[str]) -> str:
    """Return what is compared, in the words of a statement; empty where words are left over."""
    rest = f"{asked['rest'][: when.start()]} {asked['rest'][when.end() :]}".strip()
    measure = _MEASURES.get(asked["deed"].casefold(), "")
    return rest if not measure else ("" if rest else measure)


def _are_of_one_table(sides: tuple[str, str], found: list[Figure], whose: str, pool: Pool) -> bool:
    """Whether each figure is one row that is called as its side, in one table of ``whose``."""
    lines = [figure.lines[0] for figure in found]
    if any(len(figure.lines) != 1 for figure in found) or len(set(lines)) != len(lines):
        return False
    if lines[0].owner != lines[1].owner or lines[0].columns != lines[1].columns:
        return False
    pairs = zip(sides, lines, strict=True)
    if not all(frozenset(terms(side)) <= frozenset(terms(line.text)) for side, line in pairs):
        return False
    passage = pool.passages[lines[0].owner]
    told = f"{passage.title} {file_name(passage)}".casefold()
    names = (word for word in whose.split() if word[:1].isupper())
    return all(each in told for name in names for each in words(name)[:1])


def _decided(sides: tuple[str, str], found: list[Figure], *, is_less: bool) -> Versus | None:
    values = [number.value for figure in found for number in numbers(figure.text)[:1]]
    if len(values) < len(sides) or values[0] == values[1]:
        return None
    first: Decimal = min(values) if is_less else max(values)
    at = values.index(first)
    winner = sides[at][:1].upper() + sides[at][1:]
    ordered = (found[at], found[1 - at])
    text = f"{winner} ({ordered[0].text.partition(' (')[0]})"
    return Versus(winner, text, tuple(figure.lines[0] for figure in ordered))
