"""Whether a line is about other months than the one that is asked about. English alone.

"Open from Easter to the end of October" does not tell when something opens in November.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from typing import Final

from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex

_NUMBER: Final = {name: at for at, name in enumerate(calendar.month_name) if name}
_MONTH: Final = "|".join(_NUMBER)
_ASKED: Final = lazy_regex(rf"\b(?:in|during|for) (?P<month>{_MONTH})\b(?! \d)")
_TOLD: Final = lazy_regex(
    rf"\b(?P<first>{_MONTH})\b(?:\s\d{{4}})?(?:\s?(?:to|until|till|and|[-–])\s?"
    rf"(?:the end of )?(?:\d{{1,2}}\s)?(?P<last>{_MONTH})\b)?"
)
"""A month, or the first and the last of several."""
_UP_TO: Final = lazy_regex(
    r"(?i)\b(?:to|until|till|from|since|after|before|by|through)\s(?:the )?(?:end of |\d{1,2}\s)?\Z"
)
"""Before a month that is the end of a span, or its beginning."""
_OTHERS: Final = lazy_regex(
    r"(?i)\b(?:all (?:the )?year|year[- ]round|other (?:months|times)|otherwise|else)\b"
)
"""Tells of further months than it names."""


def is_of_other_months(question: str, sentence: str) -> bool:
    """Return whether ``question`` names a month, and ``sentence`` tells of others alone.

    A span with one end that is not a month, as in "from Easter to October", has only that month for
    certain, and may have those on its side.
    """
    asked = _ASKED.search(last_question(question)) if is_english() else None
    if asked is None or _OTHERS.search(sentence):
        return False
    month, spans = _NUMBER[asked["month"]], list(_spans(sentence))
    return bool(spans) and not any(_may_hold(span, month) for span in spans)


def _spans(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield the first and the last month of each span in ``sentence``."""
    for told in _TOLD.finditer(sentence):
        first = _NUMBER[told["first"]]
        if told["last"]:
            yield first, _NUMBER[told["last"]]
            continue
        bound = _UP_TO.search(sentence[: told.start()])
        if bound is None:
            yield first, first
        elif bound[0].casefold().startswith(("from", "since", "after")):
            yield first, max(first, 12)
        else:
            yield 1, first


def _may_hold(span: tuple[int, int], month: int) -> bool:
    """Whether ``month`` is in ``span``, which may go on into the next year."""
    first, last = span
    return first <= month <= last if first <= last else month >= first or month <= last
