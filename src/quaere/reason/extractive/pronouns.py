"""What a sentence that begins with a pronoun speaks of: what the one before it does.

"It has 17 employees" after "The Graz office is in Murgasse 19" is about the office. Languages that
leave the pronoun out begin with the verb. Of those without spaces nothing is told.
"""

from __future__ import annotations

import re
from functools import cache

from quaere.text.languages.language import Language, spoken
from quaere.text.lazy_regex import lazy_regex

_POINTS_BACK = lazy_regex(r"(?:It|They|He|She|Its|His|Her|Their)\b")
_SUBJECT = lazy_regex(
    r"(?:\w+(?: \d+)?: )?(?:(?P<named>(?:[^\s.;:|]+\s){1,8}?)"
    r"(?:is|are|was|were|has|have|had|can|may|must|will|does|do)\b"
    r"|(?P<thing>(?:The|An?|Our|Your)\s(?:[\w-]+\s){1,3}?)[a-z]{2,}(?:s|ed)\b)"
)


def points_back(sentence: str) -> bool:
    """Return whether ``sentence`` begins with a word for what was named before."""
    language = spoken()
    pattern = _POINTS_BACK if language is None else re.compile(language.points_back)
    return pattern.match(sentence) is not None


def subject_told(sentence: str) -> str:
    """Return the words of ``sentence`` before its verb; empty where that is not told by form."""
    language = spoken()
    if language is not None:
        told = _before_verb(language).match(sentence)
        return told["named"] if told else ""
    found = _SUBJECT.match(sentence)
    return found["named"] or found["thing"] if found else ""


@cache
def _before_verb(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?P<named>(?:[^\s.;:|]+\s){{1,8}}?)(?:{language.verbs})\b")
