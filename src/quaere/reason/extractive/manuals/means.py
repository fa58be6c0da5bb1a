"""Finds the sentence that tells to do what is asked, and by what: "Report leaks by telephone"."""

from __future__ import annotations

from typing import Final

from quaere.domain.url import is_annals
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import DEED, last_question
from quaere.text.facts import deny_alike
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED: Final = 0.75
"""Share of the question's weight that the sentence must hold, with the title of its page."""
OPENING: Final = 12
"""Words with which such a sentence begins, within which it says by what."""

_ASKS: Final = lazy_regex(
    r"(?i)\W*(?:how|where) (?:(?:do|can|could|should|may|must|would) (?:i|we|you|one)|to)"
    rf" {DEED}\b"
)
_BY: Final = lazy_regex(r"(?i)\b(?:via|by|using|through|with|at|on|to)\s+(?P<means>\S.*)")
_LEADS_IN: Final = (":", "?")


def asked_deed(question: str) -> str:
    """Return the stem of what ``question`` asks how to do; nothing where it asks something else."""
    asks = in_english(_ASKS.match, last_question(question))
    return stem(asks["done"].casefold()) if asks else ""


def find_means(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the sentence that begins with the deed ``question`` asks of, and says by what means.

    It has what the question has, and something after "by", "via" or similar that this has not.
    None where several do. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    deed = asked_deed(question)
    if not deed:
        return ()
    text = last_question(question)
    goal = Goal(text, pool)
    able = [line for line in pool.lines if _begins_with(deed, line)]
    told = [line for line in able if _tells(line, text, goal, pool)]
    return tuple(told) if len(told) == 1 else ()


def _begins_with(deed: str, line: Line) -> bool:
    is_sentence = not (line.heading or line.columns or line.text.endswith(_LEADS_IN))
    opening = words(line.text[:40])[:1] if is_sentence else []
    return bool(opening) and stem(opening[0]) == deed and line.text.lstrip("*_- ")[:1].isupper()


def _tells(line: Line, text: str, goal: Goal, pool: Pool) -> bool:
    if is_annals(pool.passages[line.owner].url) or not deny_alike(line.text, text):
        return False
    opening = " ".join(line.text.split()[:OPENING])
    by = _BY.search(opening)
    means = frozenset(terms(by["means"])) if by else frozenset[str]()
    is_new = bool(means) and not means <= frozenset(terms(text))
    return is_new and goal.share_in(line.terms | pool.title_terms[line.owner]) >= COVERED
