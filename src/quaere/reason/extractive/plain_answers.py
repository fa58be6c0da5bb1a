"""What answers who, where, when and how much without a name, a date or a figure.

Letters, notices and rules seldom name: "by the tenant" says who, "in the shed" where, "at midnight"
when, "free of charge" for how much. English alone but for days of the week.
"""

from __future__ import annotations

import re

from quaere.reason.extractive.questions.kinds import NOUNS, Kind
from quaere.reason.extractive.shapes import CLOCK
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.tokens import words

CURRENCIES = frozenset({"USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR"})
ROLE, SPOT, MOMENT = 0.5, 0.6, 0.6
"""How well a role, a spot and a moment answer: less than a full name, as much as a day without its
year."""
_ROLES = f"""{NOUNS[Kind.PERSON]}
    agent assistant builder buyer captain caretaker carer chair chairman chairwoman cleaner clerk
    client committee contractor cook customer deputy dentist driver electrician employee gardener
    guardian headteacher holder keeper landlady landlord librarian nurse occupier officer organiser
    parents passenger patient plumber porter receptionist resident secretary seller steward student
    supervisor supplier teacher technician tenant treasurer user vet visitor volunteer warden"""
_ROLE = lazy_regex(
    rf"(?i)\b(?:the|an?|our|your|their|his|her|each|every) (?:[a-z]+ )?"
    rf"(?P<said>{'|'.join(sorted(set(_ROLES.split())))})s?\b"
)
_SPOT = lazy_regex(
    r"(?i)\b(?:in|on|at|behind|under|beneath|beside|by|near|next to|opposite|outside|inside|into|to"
    r"|from|above|below) (?:(?:the|our|your|its|an?|each|every|any) )?(?:[a-z-]+ ){0,2}?"
    r"(?P<said>attic|back|basement|bay|bin|board|booth|bottom|box|building|cabin|car park|cellar"
    r"|church|clinic|corner|corridor|counter|cupboard|deck|desk|door|drawer|edge|entrance|field"
    r"|floor|foyer|front|garage|garden|gate|grounds|hall|harbour|hospital|house|kiosk|kitchen|landing"
    r"|lawn|library|lobby|locker|lounge|meadow|office|park|pavilion|platform|playground|porch|quay"
    r"|rack|reception|roof|room|school|shed|shelf|shop|side|site|stairs|station|stop|store|surgery"
    r"|table|terrace|till|top|wall|website|window|yard)s?\b"
    r"|\b(?P<there>on board|upstairs|downstairs|outdoors|indoors|online|at home)\b"
)
_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen)"
_SPAN = r"(?:(?:working|calendar|full|more) )?(?:minute|hour|day|night|week|fortnight|month|year)s?"
_MOMENT = lazy_regex(
    rf"(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:january|february|april|june|july|august|september|october|november|december)\b"
    r"|\b(?:in|from|until|till|to|by|since|during|of) (?:march|may)\b"
    rf"|\b(?:within|after|for|until|before|at least|up to) {_COUNT} {_SPAN}\b"
    rf"|\b{_COUNT} {_SPAN} (?:before|after|later|earlier|in advance|ahead|beforehand)\b"
    r"|\b(?:evening|morning|day|night|week) (?:before|after)\b|\bat (?:night|weekends|dusk|dawn)\b"
    r"|\bin the (?:morning|afternoon|evening)s?\b"
)
_ASKS_PRICE = lazy_regex(
    r"(?i)\bhow (?:much|expensive)\b.*\b(?:costs?|charged?|pay|paid|fees?|fare|rent|price|money)\b"
    r"|\bwhat\b.*\b(?:price|costs?|charged?|fees?|fare|salary|wage|pay)\b"
)
_FREE = lazy_regex(
    r"(?i)\b(?:free(?! (?:up|from|on|to|space))|no (?:charge|fee|cost)|nothing|included|gratis"
    r"|half (?:price|fare))\b"
)


def plain_fit(kind: Kind, sentence: str, known: frozenset[str]) -> float:
    """Return how well ``sentence`` answers a question of ``kind`` without a name or a date, 0 to 1.

    What is made of ``known`` words alone, lower-case ones of the question and titles, does not.
    """
    language = spoken()
    if language is not None:
        is_day = kind is Kind.DATE and re.search(f"(?i){language.weekdays}", sentence)
        return MOMENT if is_day else 0.0
    if kind is Kind.PERSON:
        return ROLE if _says(_ROLE, sentence, known) else 0.0
    if kind is Kind.PLACE:
        return SPOT if _says(_SPOT, sentence, known) else 0.0
    moments = (_MOMENT, CLOCK) if kind is Kind.DATE else ()
    return MOMENT if any(_says(form, sentence, known) for form in moments) else 0.0


def _says(form: re.Pattern[str], sentence: str, known: frozenset[str]) -> bool:
    """Whether ``sentence`` has something of that ``form`` that is not all in the question."""
    found = (next(filter(None, f.groupdict().values()), f[0]) for f in form.finditer(sentence))
    return any(not known.issuperset(words(said)) for said in found)


def tells_free(question: str, sentence: str) -> bool:
    """Return whether a price is asked for, and ``sentence`` says without one that there is none."""
    return asks_price(question) and _FREE.search(sentence) is not None


def asks_price(question: str) -> bool:
    """Return whether ``question`` asks for an amount of money. English alone."""
    return spoken() is None and _ASKS_PRICE.search(question) is not None


def lacks_price(question: str, sentence: str) -> bool:
    """Return whether a price is asked for, and ``sentence`` has no amount of money."""
    return asks_price(question) and all(n.unit not in CURRENCIES for n in numbers(sentence))
