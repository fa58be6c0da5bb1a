"""Sentences that state nothing about the world: about the passages, lead-ins and labels.

They stay in their place, for an answer says with them what is missing and what disagrees. One with
a figure, a date or a second clause is a claim whatever it begins with: a page could have a model
add one to such words.
"""

from __future__ import annotations

import re
from typing import Final

from quaere.text.about_passages import after_disagreement, is_about_passages, is_left_open
from quaere.text.lexicon import ONES
from quaere.text.markdown import unmarked
from quaere.text.tokens import stem, stop_words, terms, words
from quaere.verify.ground import Ground, ground

LONGEST_LEAD: Final = 15
"""Words of the longest lead-in, which ends with a colon."""
_STOPS: Final = (".", "!", "?", "。", "！", "？")
_PROMPTS: Final = ("$ ", "% ", "> ")
"""What a command is written after: it answers though it has the words of the question alone."""
_HAS_VALUE: Final = re.compile(r":\s+\S")
"""As in "Oven: no", which answers "Is there no oven?" with nothing but its words."""
LONGEST_LABEL: Final = 6
"""Words of the longest label, which has no stop and no word that the question has not."""


def is_no_claim(text: str, question: str = "", *, cites: bool = True) -> bool:
    """Return whether ``text`` states nothing that a source could support.

    Args:
        text: A sentence of an answer.
        question: What was asked; it may give labels, such as "Height", and figures.
        cites: Whether its writer cited anything for it. What stays open, "whether it was sold is
            unclear", is a claim with a source and none without.
    """
    said = unmarked(text).strip()
    rest = ground(after_disagreement(said))  # "the two" counts nothing new
    if not said or (_has_own_figure(rest, question) and not _counts_items(said)):
        return False
    about = _LABEL_BEFORE.sub("", said)
    is_about = is_about_passages(about) or (not cites and is_left_open(about))
    return is_about or _is_lead_in(said) or _is_label(said, question)


def _has_own_figure(rest: Ground, question: str) -> bool:
    """Return whether ``rest`` has a date, or a figure that the ``question`` has not."""
    asked = ground(question)
    known = {(number.value, number.unit) for number in asked.numbers}
    days = {(date.year, date.month, date.day) for date in asked.dates}
    return any((date.year, date.month, date.day) not in days for date in rest.dates) or any(
        (number.value, number.unit) not in known for number in rest.numbers
    )


_LABEL_BEFORE: Final = re.compile(r"^[^\W\d_]+(?:\s[^\W\d_]+){0,2}:\s+")
"""As in "Caveat: The sources do not say …"."""
_ITEMS: Final = "|".join(ONES[2:13])


def _counts_items(text: str) -> bool:
    """Return whether the one figure of a lead-in is in words: "Three things matter:".

    It counts the items that follow, which everybody can see.
    """
    figures = ground(text).numbers
    return text.endswith(":") and len(figures) == 1 and _COUNT.search(text) is not None


_COUNT: Final = re.compile(
    rf"(?i)\b(?:{_ITEMS})\s(?!(?:of|hundred|thousand|million|billion)\b)[a-z]+"
)


def _is_lead_in(text: str) -> bool:
    return text.endswith(":") and len(words(text)) <= LONGEST_LEAD


def _is_label(text: str, question: str) -> bool:
    common = stop_words()
    said = [word for word in words(text) if word not in common]
    if not said or text.endswith(_STOPS) or text.startswith(_PROMPTS):
        return False
    if len(words(text)) > LONGEST_LABEL or _HAS_VALUE.search(text):
        return False
    return frozenset(map(stem, said)) <= frozenset(terms(question))
