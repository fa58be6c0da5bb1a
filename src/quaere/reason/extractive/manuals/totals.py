"""What the amounts of a list come to: the sum of a list of invoices, which no line says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.lists import COVERED, LEAST, MOST, lists_of
from quaere.reason.extractive.pool import Line, Pool, page_of
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import CURRENCIES, Number, undated_numbers
from quaere.text.tokens import stem, terms

_ASKS = lazy_regex(
    r"(?i)\b(?:(?:come|add|amount)s? (?:up )?to|(?:total|sum) (?:cost )?of|altogether"
    r"|in (?:all|total))\b"
)
_ASKS_OTHERWISE = lazy_regex(
    r"(?i)\W*(?:how (?!much\b|expensive\b)|when|where|wh?o|why|which|is|are|do|does)\b"
)
"""Asks for something else than a sum of money, such as how many items there are."""
_RATE = lazy_regex(
    r"(?i)\b(?:per|each|every|apiece|off|refund\w*|discount|credit)\b"
    r"|(?:\b(?:up to|from|about|around|at)\s+|[×−*@]\s?|(?:^|\s)-|\d\s?x\s)[£$€]?\d"
    r"|(?:\ba\s|/\s?)(?:day|week|month|year|piece)\b"
)
"""With this an amount is not simply one to add: "£10 each", "£4 off", "up to £20"."""
_IDLE = frozenset(
    map(stem, ("come", "add", "amount", "total", "sum", "altogether", "cost", "much"))
)
_SUMS = frozenset(map(stem, ("total", "sum", "altogether", "subtotal")))
"""Stems of what a page says of a sum itself."""
_FIGURES = lazy_regex(r"\d(?:[\d.,]*\d)?")


class Total(NamedTuple):
    """A sum, as the list writes its amounts, and the items that it is of."""

    text: str
    lines: tuple[Line, ...]


def find_total(question: str, pool: Pool) -> Total | None:
    """Return what the only list that ``question`` asks the sum of comes to; else None.

    Each of its items has one amount, all of one currency, and its page tells no sum itself.
    English alone.
    """
    text = last_question(question)
    if not is_english() or not _ASKS.search(text) or _ASKS_OTHERWISE.match(text):
        return None
    goal = Goal(text, pool, [term for term in terms(text) if term not in _IDLE])
    found = list(_summed(goal, pool))
    return found[0] if len(found) == 1 else None


def _summed(goal: Goal, pool: Pool) -> Iterator[Total]:
    sums = _pages_with_sums(pool)
    for over, items in lists_of(pool):
        heading = frozenset(terms(over)) | pool.title_terms[items[0].owner]
        if goal.share_in(heading) < COVERED or not LEAST <= len(items) <= MOST:
            continue
        amounts = _amounts(items)
        if amounts and page_of(pool.passages[items[0].owner]) not in sums:
            yield Total(_sum_of(amounts, items), tuple(items))


def _pages_with_sums(pool: Pool) -> set[str]:
    """Return the addresses of the pages that speak of a sum."""
    saying = (line for line in pool.lines if not line.terms.isdisjoint(_SUMS))
    return {page_of(pool.passages[line.owner]) for line in saying}


def _amounts(items: Sequence[Line]) -> list[Number]:
    """Return the amount of each of ``items``; none unless each has one, all of one currency."""
    known = [amount for amount in map(_amount, items) if amount is not None]
    is_of_one = len({each.unit for each in known}) == 1
    return known if is_of_one and len(known) == len(items) else []


def _amount(item: Line) -> Number | None:
    """Return the amount of money in ``item``, if it has one alone, all of it in figures."""
    found = [number for number in undated_numbers(item.text) if number.unit in CURRENCIES]
    if len(found) != 1 or _RATE.search(item.text):
        return None
    written = item.text[found[0].start : found[0].end]
    figures = _FIGURES.search(written)
    return found[0] if figures and _is_all(figures[0], found[0].value) else None


def _is_all(figures: str, value: Decimal) -> bool:
    """Whether ``figures`` write the ``value``, as those of "1.2 million" do not."""
    return figures.replace(",", "").rstrip(".") in {f"{value:f}", f"{value:.2f}"}


def _sum_of(amounts: Sequence[Number], items: Sequence[Line]) -> str:
    """Return the sum of ``amounts`` as the first of ``items`` writes its own."""
    first = items[0].text[amounts[0].start : amounts[0].end]
    total = sum((each.value for each in amounts), Decimal())
    places = max(0 if each.value == each.value.to_integral() else 2 for each in amounts)
    return _FIGURES.sub(f"{total:,.{places}f}", first, count=1)
