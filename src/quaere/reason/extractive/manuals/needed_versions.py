"""Finds which version of something is needed: "kelp runs on Tern 4.2 or newer"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quaere.domain.url import is_annals
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.needs import COVERED, shares
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

_NAME = r"(?P<{0}>[A-Za-z][\w.+#-]*(?:\s(?-i:[A-Z])[\w.+#-]*)?)"
_ASKS = lazy_regex(
    rf"(?i)\W*(?:which|what)\s+(?:(?:minimum|min|lowest|oldest)\s+)?(?:{_NAME.format('first')}\s+"
    rf"versions?|versions?\s+of\s+{_NAME.format('of')}|{_NAME.format('bare')})\s+"
    r"(?P<rest>(?:do|does|is|are|must|should)\b.*?"
    r"\b(?:need|require|run|use|work|support|necessary|have)\w*\b.*)$"
)
_GENERAL = frozenset(
    map(stem, ("need", "require", "run", "use", "work", "support", "necessary", "have", "install"))
)
_NUMBER = r"v?\d+(?:\.\d+)*(?:\.x)?(?!\.?\w)"
_MORE = r"(?:\+|,?\s(?:or|and)\s(?:newer|higher|later|above|greater|up(?:wards)?|any later)\b)"
_DEMANDS = lazy_regex(
    r"(?i)\b(?:needs?|needed|requires?|required|requirements?|prerequisites?|at least|minimum"
    r"|depends? on)\b"
)
_PAST = lazy_regex(
    r"(?i)\b(?:last|drop\w*|no longer|until|removed?|deprecated|end[- ]of[- ]life|before|fix\w*)\b"
)


@dataclass(frozen=True, slots=True)
class NeededVersion:
    """A version, as its line writes it."""

    text: str
    line: Line


def find_needed_version(question: str, pool: Pool) -> NeededVersion | None:
    """Return the version of what ``question`` names that is needed, where lines give but one.

    A line that says "or newer", or that something is needed, tells it; one about what was so
    before does not. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    asked = _ASKS.match(text) if spoken() is None else None
    if asked is None:
        return None
    name = asked["first"] or asked["of"] or asked["bare"]
    found = sorted(_told(name, asked["rest"], pool), key=lambda each: each[0], reverse=True)
    best = [told for held, told in found if held == found[0][0]]
    same = {" ".join(words(told.text)) for told in best}
    return best[0] if len(same) == 1 else None


def _told(name: str, rest: str, pool: Pool) -> Iterator[tuple[tuple[float, float], NeededVersion]]:
    """Yield the lines that tell a version of ``name``, each with how much of ``rest`` it holds."""
    wanted = [term for term in terms(rest) if term not in _GENERAL]
    goal = Goal(rest, pool, wanted) if wanted else None
    for line in pool.lines:
        told = None if _is_of_past(line, pool) else _version(name, line.text)
        if told is None:
            continue
        held = shares(goal, line, pool)
        if held[0] >= COVERED:
            yield held, NeededVersion(told, line)


def _is_of_past(line: Line, pool: Pool) -> bool:
    if line.heading or is_annals(pool.passages[line.owner].url):
        return True
    return _PAST.search(line.text) is not None


def _version(name: str, said: str) -> str | None:
    """Return the version of ``name`` that the sentence ``said`` tells to be needed."""
    named = re.compile(
        rf"(?i)(?<!\w){re.escape(name)}\s(?:version\s)?(?P<least>>=?\s?)?{_NUMBER}(?P<more>{_MORE})?"
    )
    for found in named.finditer(said):
        if found["more"] or found["least"] or _DEMANDS.search(said):
            return found[0]
    return None
