"""Limits: by which words they are asked for, and which lines tell the other one. English alone.

"At least 14 characters" is a minimum length without these words, and no maximum length.
"""

from __future__ import annotations

from typing import Final

from quaere.reason.extractive.plain_answers import CLOCK
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.dates import dates
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.tokens import terms

_ASKS: Final = lazy_regex(
    r"(?i)\b(?P<end>minimum|maximum|min|max|limit)(?: (?:allowed|permitted))?"
    r"(?: (?P<of>length|height|width|depth|weight|age|number|size|amount|duration|speed|load"
    r"|period))?\b"
)
_LEAST: Final = lazy_regex(
    r"(?i)\b(?:at least|min(?:imum|imal)?|no (?:fewer|less|shorter|younger|smaller) than"
    r"|or (?:more|older|longer|over|above)|and (?:over|above)|between)\b|\bfrom (?=\d)"
)
_MOST: Final = lazy_regex(
    r"(?i)\b(?:at most|max(?:imum|imal)?|no (?:more|longer|older|larger|greater) than|up to|within"
    r"|or (?:less|fewer|under|below)|and under|exceed\w*|limit(?:s|ed)?|between)\b"
)
_BINDS: Final = lazy_regex(
    r"(?i)\b(?:must|may|can|cannot|shall|should|ha(?:s|ve) to|allow\w*|permit\w*|only|over|under"
    r"|above|below|than|per|cap(?:ped|acity)?|top|not)\b|\||:"
)
"""Says what is so at most, or what a rule or a table of rules says."""
_UNLIMITED: Final = lazy_regex(r"(?i)\bunlimited\b|\bany (?:number|amount|length|size|age)\b")


_ASKS_END: Final = lazy_regex(
    r"(?i)\W*(?:by|until|till|up to) (?:when|(?:what|which) (?:date|day|time|hour|month|year))\b"
)
_TELLS_END: Final = lazy_regex(
    r"(?i)\b(?:by|until|till|before|within|latest|later than|deadlines?|due|ends?|expir\w+"
    r"|clos(?:es?|ing))\b"
)


def lacks_by(question: str, sentence: str) -> bool:
    """Return whether it is asked until when something is so, and ``sentence`` tells of no end.

    "The offer is valid for 90 days" does not say by when it must be in.
    """
    if in_english(_ASKS_END.match, last_question(question)) is None:
        return False
    return not (_TELLS_END.search(sentence) or CLOCK.search(sentence) or dates(sentence))


def limit_words(question: str) -> frozenset[str]:
    """Return the stems of words by which ``question`` asks for a limit, and for that of what.

    No line need have them.
    """
    asked = in_english(_ASKS.search, question)
    return frozenset(terms(" ".join(filter(None, asked.groups())))) if asked else frozenset()


def lacks_limit(question: str, sentence: str) -> bool:
    """Return whether ``question`` asks for a limit, and ``sentence`` tells none, or the other one.

    What has neither a figure nor a word of limits tells none.
    """
    asked = in_english(_ASKS.search, last_question(question))
    if asked is None or _UNLIMITED.search(sentence):
        return False
    return not _tells_limit(asked["end"].casefold()[:3], sentence)


def _tells_limit(end: str, sentence: str) -> bool:
    """Whether ``sentence`` tells what is so at least or at most; ``end`` is "min", "max" or "lim".

    "The average speed was 62 km/h" tells no speed limit.
    """
    least, most = (form.search(sentence) is not None for form in (_LEAST, _MOST))
    if least is not most and end != "lim":
        return least is (end == "min")
    return least or most or _has_bound(end, sentence)


def _has_bound(end: str, sentence: str) -> bool:
    """Whether ``sentence`` has a figure, which binds if any limit is asked for."""
    return any(numbers(sentence)) and (end != "lim" or _BINDS.search(sentence) is not None)
