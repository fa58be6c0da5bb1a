"""Which line tells what happens if something is so: the one that has that for its own condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

MET = 0.97
"""Share of the weight of the condition that is asked about which the condition of a line holds."""
ABOUT = 0.25
"""Share of the weight of the rest that the line, the headings over it and the title must hold."""

_ASKS = lazy_regex(
    r"(?i)(?P<rest>\W*what\b.*?)\s*,?\s\b(?:if|when|in case)\s+(?P<condition>[^?]+)\??\W*$"
)
_SAYS = lazy_regex(r"(?i)(?:^|,\s|;\s|\s)\b(?:if|when|where|in case)\s+(?P<condition>[^,;:]+)")


def told_if(question: str, lines: Iterable[Line], pool: Pool) -> Line | None:
    """Return the first of ``lines`` with the condition in ``question`` for its own, if one has it.

    "If the tank is full, the pump stops" tells what the pump does if the tank is full; what else
    speaks of the pump does not. English alone.

    Args:
        question: What was asked.
        lines: Those that may lead, the likeliest first.
        pool: The evidence, read.
    """
    text = last_question(question)
    asks = _ASKS.match(text) if spoken() is None else None
    if asks is None or expected_kind(text) is not Kind.STATEMENT:
        return None
    wanted = terms(asks["condition"])
    if not wanted:
        return None
    goal, rest = Goal(text, pool, wanted), terms(asks["rest"])
    about = Goal(text, pool, rest) if rest else None
    for line in lines:
        if any(goal.share(goal.said(said)) >= MET for said in _conditions(line.text)) and (
            about is None or _held(about, line, pool) >= ABOUT
        ):
            return line
    return None


def _conditions(text: str) -> Iterator[frozenset[str]]:
    """Yield the terms of what each "if" in ``text`` supposes."""
    for said in _SAYS.finditer(text):
        yield frozenset(terms(said["condition"]))


def _held(goal: Goal, line: Line, pool: Pool) -> float:
    return goal.share(goal.mask(line.terms | line.over | pool.title_terms[line.owner]))
