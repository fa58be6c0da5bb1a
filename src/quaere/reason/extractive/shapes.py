"""What has a form by which it is told: a telephone number, an e-mail address, a time of day."""

from __future__ import annotations

import re

from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.dates import dates
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

_NUMBER = lazy_regex(r"(?<![\w.,-])\+?\d(?:[ ()/.-]{0,2}\d){4,}(?![\w%])")
_ADDRESS = lazy_regex(r"[\w.+-]+@[\w-]+\.\w+")
_HOURS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
CLOCK = lazy_regex(
    r"(?i)\b\d{1,2}:[0-5]\d\b|\b\d{1,2}(?:[.:][0-5]\d)? ?[ap]\.?m\b|\bo['’]clock\b"
    r"|\b(?:noon|midday|midnight)\b|\b(?:half|quarter) (?:past|to)\b"
    rf"|\b(?:at|by|from|until|till|before|after|between) (?:\d{{1,2}}|{_HOURS})\b"
    r"(?! ?%|[.,:]?\d| (?:and|or) \w+ \w+s\b| [a-z]+s\b| per\b)"
)
_ASKED = (
    (
        lazy_regex(
            r"(?i)\b(?:tele)?phone number\b|\bnumber (?:to|do i|can i) (?:call|ring|dial)\b"
            r"|\btelefonnummer\b|\bnuméro de téléphone\b|\bnúmero de teléfono\b"
        ),
        _NUMBER,
    ),
    (
        lazy_regex(r"(?i)\be-?mail[- ]address\b|\be-?mail-?adresse\b|\badresse e-?mail\b"),
        _ADDRESS,
    ),
    (lazy_regex(r"(?i)\bwhat time\b(?! (?:zone|frame|limit|period|span|of))"), CLOCK),
)
"""How something is asked for, and the form that it has."""


def asked_form(question: str) -> re.Pattern[str] | None:
    """Return the form of what ``question`` asks for; None where that has none of its own."""
    text = last_question(question)
    return next((form for asks, form in _ASKED if asks.search(text)), None)


def form_words(question: str) -> frozenset[str]:
    """Return the stems by which ``question`` asks for what has a form: its lines have no need."""
    asking = (asks.search(question) for asks, _ in _ASKED)
    return frozenset[str]().union(*(terms(found[0]) for found in asking if found))


def is_nowhere(question: str, pool: Pool) -> bool:
    """Return whether what ``question`` asks for would be told by its form and is in no line."""
    return asked_form(question) is not None and all(
        lacks_form(question, line.text) for line in pool.lines
    )


def lacks_form(question: str, sentence: str) -> bool:
    """Return whether what ``question`` asks for has a form that ``sentence`` has nothing of."""
    form = asked_form(question)
    if form is _NUMBER:  # nobody is called on "3 May 2031 0912"
        for date in reversed(dates(sentence)):
            sentence = f"{sentence[: date.start]};{sentence[date.end :]}"
    return form is not None and form.search(sentence) is None
