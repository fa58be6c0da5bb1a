"""Which line tells what happens if something is so: the one that has that for its own condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import negation
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

MET = 0.97
"""Share of the weight of the condition that is asked about which the condition of a line holds."""
LEFT_OUT = 0.6
"""Share of the weight of what is left out that the entry of a line holds with all over it."""
ABOUT = 0.25
"""Share of the weight of the rest that the line, the headings over it and the title must hold."""

_ASKS = lazy_regex(
    r"(?i)(?P<rest>\W*what\b.*?)\s*,?\s\b(?:if|when|in case)\s+(?P<condition>[^?]+)\??\W*$"
)
_LEAVES_OUT = lazy_regex(
    r"(?i)\b(?:without|omit\w*|leave out|left out|skip|unset|missing|forget|forgot)\b"
)
_IF_LEFT_OUT = lazy_regex(
    r"(?i)(?:by default, )?(?:without (?:this|it|the option)\b|if no\b|(?:if|when|where)\s"
    r"(?:[\w-]+\s){0,4}?(?:not (?:specified|given|set|supplied|provided|present|used|defined)"
    r"|unset|omitted|absent|missing|left out|unspecified|undefined)\b)"
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
    if (left_out := _told_if_left_out(asks["condition"], lines := list(lines), pool)) is not None:
        return left_out
    for line in lines:
        if any(goal.share(goal.said(said)) >= MET for said in _conditions(line.text)) and (
            about is None or _held(about, line, pool) >= ABOUT
        ):
            return line
    return None


def _told_if_left_out(condition: str, lines: Sequence[Line], pool: Pool) -> Line | None:
    """Return the line that tells what is so without the thing that ``condition`` leaves out.

    "Without this option no log is kept" does, where it stands below "--log FILE", of what happens
    "if I give no log file".
    """
    if not (negation(condition).denies or _LEAVES_OUT.search(condition)):
        return None
    goal = Goal(_LEAVES_OUT.sub(" ", condition), pool)
    told = [line for line in lines if line.label and _IF_LEFT_OUT.match(line.text)]
    held = [(_held(goal, line, pool, beside=True), line) for line in told]
    most, best = max(held, key=lambda each: each[0], default=(0.0, None))
    return best if most >= LEFT_OUT else None


def _conditions(text: str) -> Iterator[frozenset[str]]:
    """Yield the terms of what each "if" in ``text`` supposes."""
    for said in _SAYS.finditer(text):
        yield frozenset(terms(said["condition"]))


def _held(goal: Goal, line: Line, pool: Pool, *, beside: bool = False) -> float:
    """Return what ``line`` has with all over it; with ``beside``, with its whole entry as well."""
    lines = pool.lines_of[line.owner] if beside else ()
    entry = (each.terms for each in lines if each.label == line.label)
    return goal.share(goal.mask((line.terms | pool.over(line)).union(*entry)))
