"""Lines that say yes or no by their form: "No graphical interface", "Parallel runs: Yes".

A list of what is not supported denies what it names. English alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

COVERED = 0.75
"""Share of the question's weight that a line labelled with it, and what is over it, must hold."""
_OUTSIDE = lazy_regex(
    r"(?i)\b(?:out of scope|non-goals?|not (?:included|supported|planned|covered)|unsupported"
    r"|exclu(?:ded|sions))\b"
)
_NOT_THESE = lazy_regex(
    r"(?i)(?:\b(?:not|never|neither|no longer)|n['’]t) (?:\w+ ){0,2}?(?:support|includ|cover"
    r"|implement|provid|offer|handl|contain)\w*|\bunsupported\b|\bexclud|\black(?:s|ing)?\b"
    r"|\bwithout\b"
)
"""What leads in to a list of what a thing does not have."""
_LABEL = lazy_regex(r"\W*[^\W\d_][^:.!?]{2,40}(?=:)")
"""What a line is labelled with: "Out of scope: user interfaces"."""
_SAYS = lazy_regex(
    r"[\W\d]*(?P<label>[^\W\d_][^:!?\n]{2,80}?)[*_]{0,3}:[*_]{0,3}\s+[*_]{0,3}(?P<says>Yes|No)\b"
    r"[*_]{0,3}(?=\s*(?:[-–—.,;(]|$))"
)
"""A label, and the yes or no that it gets."""
_ANY = lazy_regex(
    r"(?i)\W*(?:(?:is|are)\s+(?:there\s+)?any\s+(?P<any>[\w-]+)"
    r"|(?:is|are)\s+there\s+(?:an?\s+)?(?P<there>[\w-]+(?: [\w-]+)?)\W*$"
    r"|(?:do|does|did)\s+(?P<whose>[^?]{1,60}?)\s+"
    r"(?:have|support|offer|include|provide|come with)\s+(?:any\s+|an?\s+)?"
    r"(?P<had>[\w-]+(?: [\w-]+)?)\W*$)"
)
"""Asks whether there is any of a thing, or somebody or something has one."""
_WHAT_ENDS = r"(?P<what>[\w-]+(?: [\w-]+){0,2}?)(?=\s*(?:[.:;,()]|$)| (?:yet|support|at all)\b)"
_NONE = lazy_regex(rf"(?i)(?:^|[.:;–—]\s)there (?:is|are) no\s+{_WHAT_ENDS}")
_NO_SUCH = lazy_regex(rf"[Nn]o {_WHAT_ENDS}")
"""All of an item, or its beginning, that says that there is none, and not only somewhere."""


def there_is_none(text: str, told: Iterable[Line], pool: Pool) -> Line | None:
    """Return the line that says that there is none of what ``text`` asks for, if it asks so.

    Args:
        text: A question for yes or no.
        told: Lines of the pool that assert something.
        pool: The evidence, read.
    """
    wanted, whose = _had(text)
    if not wanted or is_negative(text):
        return None
    denying = (line for line in told if wanted == _denied_by(line))
    return next((line for line in denying if whose <= _all_over(line, pool)), None)


def _had(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of what ``text`` asks if there is any of, and of who has it if told."""
    asked = in_english(_ANY.match, text)
    told = asked.groupdict(default="") if asked else dict[str, str]()
    whose = told.pop("whose", "")
    return frozenset(terms("".join(told.values()))), frozenset(terms(whose))


def _denied_by(line: Line) -> frozenset[str]:
    """Return the stems of what ``line`` says that there is none of."""
    none = _NONE.search(line.text) or _NO_SUCH.match(line.text)
    return frozenset(terms(none["what"]) if none else ())


def _all_over(line: Line, pool: Pool) -> frozenset[str]:
    return line.terms | pool.over(line) | pool.file_terms(line)


def answered_by_label(text: str, told: Iterable[Line], pool: Pool) -> tuple[bool, Line] | None:
    """Return the yes or no that a line says about its label, where that is what ``text`` asks.

    Args:
        text: A question for yes or no.
        told: Lines of the pool that assert something.
        pool: The evidence, read.
    """
    if is_negative(text):
        return None
    goal = Goal(text, pool)
    for line in told:
        found = in_english(_SAYS.match, line.text)
        held = goal.share_in(_all_over(line, pool))
        if found and held >= COVERED and goal.mask(frozenset(terms(found["label"]))):
            return found["says"] == "Yes", line
    return None


def left_out_by(line: Line, pool: Pool) -> str:
    """Return the label, heading, lead-in or place of ``line`` that says that it is left out."""
    if (label := _LABEL.match(line.text)) and _OUTSIDE.search(label[0]):
        return label[0]
    if line.listed and in_english(_NOT_THESE.search, line.lead_in):
        return line.lead_in.rstrip(": ")
    over = _heading_over(line, pool)
    return over if _OUTSIDE.search(over) else ""


def _heading_over(line: Line, pool: Pool) -> str:
    """Return the last heading before ``line`` in its passage, else the place of that."""
    before = [other for other in pool.lines_of[line.owner][: line.place] if other.heading]
    return before[-1].text if before else pool.passages[line.owner].locator
