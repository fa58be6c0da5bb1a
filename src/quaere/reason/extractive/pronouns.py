"""What a sentence that begins with a pronoun speaks of: what the one before it does.

"It has 17 employees" after "The Graz office is in Murgasse 19" is about the office. English alone.
"""

from __future__ import annotations

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex

_POINTS_BACK = lazy_regex(r"(?:It|They|He|She|Its|His|Her|Their)\b")
_SUBJECT = lazy_regex(
    r"(?:\w+(?: \d+)?: )?(?:(?P<named>(?:[^\s.;:|]+\s){1,8}?)"
    r"(?:is|are|was|were|has|have|had|can|may|must|will|does|do)\b"
    r"|(?P<thing>(?:The|An?|Our|Your)\s(?:[\w-]+\s){1,3}?)[a-z]{2,}(?:s|ed)\b)"
)


def points_back(sentence: str) -> bool:
    """Return whether ``sentence`` begins with a word for what was named before."""
    return spoken() is None and _POINTS_BACK.match(sentence) is not None


def subject_told(sentence: str) -> str:
    """Return the words of ``sentence`` before its verb; empty where that is not told by form."""
    found = _SUBJECT.match(sentence) if spoken() is None else None
    return found["named"] or found["thing"] if found else ""
