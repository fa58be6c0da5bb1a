"""Whether the sources bear on a question at all: whether it is answered or declined."""

from __future__ import annotations

from quaere.reason.extractive.chains import Goal, Search
from quaere.reason.extractive.naming import (
    has_the_named,
    holds_identifiers,
    is_about_named,
    is_told_of,
)
from quaere.reason.extractive.plain_answers import is_nowhere
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import Kind, last_question
from quaere.reason.extractive.questions.parts import Comparison, comparison, questions
from quaere.text.languages.language import is_english, spoken
from quaere.text.names import names

FLOOR, NAMED_FLOOR = 0.45, 0.25
"""Least mean of what a sentence covers of the question's weight, alone and with what leads to it;
the second where a passage is about something that the question names. With them 89 of 100 questions
from other fields than the sources' are declined and 7 of 100 real ones, on the first half of six
sets; higher ones decline questions in languages whose words change more."""
NAMED = 0.3
"""Share of the weight of a question's names that must be found for there to be an answer."""
HEADED_FLOOR, HEADED = 0.35, 0.1
"""The floor where a title or headings hold that share of the weight: they say what a page is about,
in the words in which one asks. For English questions that name nothing and describe nothing by
others. Chosen on 170 questions over these docs and manuals of Debian and on 306 from other fields
than theirs and than those of the first half of five sets, none of them answered for it."""


def answers(question: str, kind: Kind, goal: Goal, pool: Pool) -> bool:
    """Return whether ``pool`` bears on the question, or on a part that can be answered by itself.

    Args:
        question: What is asked.
        kind: The kind of answer it asks for.
        goal: Its words, weighed.
        pool: The evidence, read.
    """
    if not holds_identifiers(pool, question) or is_nowhere(question, pool):
        return False
    asked = last_question(question)  # without what is said besides
    texts = [question, asked, *questions(question)]
    compared, known = comparison(asked), (Kind.PERSON,) if spoken() else Kind
    if compared is not None:
        if not (sides := _of_sides(compared, pool)):
            return False
        texts += sides
    elif kind in known and goal.asks_nothing_of(pool):
        return False
    if not has_the_named(pool, asked, compares=compared is not None):
        # The first question alone, of which others name something strange.
        texts = [each for each in questions(asked)[:1] if each != asked]
        texts = [each for each in texts if has_the_named(pool, each, compares=False)]
    return any(_bears_on(pool, text) for text in dict.fromkeys(texts))


def _of_sides(compared: Comparison, pool: Pool) -> list[str]:
    """Return what is asked of each side; nothing where the sources tell of neither."""
    sides = (compared.first, compared.second)
    if not any(is_told_of(pool, side) for side in sides):
        return []
    return [f"{side} {compared.about}" for side in sides]


def _bears_on(pool: Pool, text: str) -> bool:
    goal = Goal(text, pool)
    if all(term.isascii() and len(term) < 2 for term in goal.terms):
        return False
    search = Search(pool, goal)
    chains = search.chains()
    found = max(((c.own + c.covered) / 2 for c in chains), default=0.0)
    floor = NAMED_FLOOR if is_about_named(pool, text) else FLOOR
    if found >= floor:
        return max(goal.named(c.mask) for c in chains) >= NAMED
    is_plain = is_english() and not names(text) and not goal.hops
    if not is_plain or found < HEADED_FLOOR:
        return False
    return any(goal.share(search.over(c.end)) >= HEADED for c in chains)
