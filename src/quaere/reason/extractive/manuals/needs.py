"""Says whether something is needed, and in which version.

"Can I sail without a licence?", "Do I need a licence?"; "kelp runs on Tern 4.2 or newer".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from quaere.domain.url import is_annals, needs_annals
from quaere.reason.extractive.bounds import is_bounded
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.denials import leaves_open
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import FIT_TO_SHOW, quality
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, words

COVERED = 0.6
"""Share of what else is asked that the line, the headings over it and the title of its page must
hold between them."""
MOST_WORDS = 4
"""Words of what may be needed, at most: more of them describe something."""

_WITHOUT = lazy_regex(
    r"(?i)(?P<rest>.*?)\bwithout\s+(?:(?:having|using|setting|buying|getting)\s+(?:up\s+)?)?"
    r"(?:an?|any|the|my)?\s*(?P<what>[^,;?]+?)\W*$"
)
_NEED = lazy_regex(
    r"(?i)\W*(?:do|does|must|will|would)\s+(?P<who>[^,;?]+?)\s+(?:really\s+)?(?:need|require|have)\s+"
    r"(?!to\s)(?:an?|any|the|my)?\s*(?P<what>[^,;?]+?)"
    r"(?P<rest>\s(?:to|for|in|at|on|by|from|with|when|if|while)\s[^?]*)?\W*$"
)
_IS_NEEDED = lazy_regex(
    r"(?i)\W*(?:is|are)\s+(?:an?|any|the)?\s*(?P<what>[^,;?]+?)\s+"
    r"(?:required|needed|necessary|mandatory|compulsory)(?P<rest>\s[^?]*)?\W*$"
)
_GENERAL = frozenset(
    map(stem, ("use", "run", "work", "try", "start", "get", "need", "require", "possible", "have"))
)
"""What is done with anything."""
_WORD = r"(?:[\w`'’-]+\s+)"


class Need(NamedTuple):
    """Whether what was asked is so, and the line that says it."""

    says: bool
    line: Line


class _Asked(NamedTuple):
    what: str
    rest: str
    without: bool
    """Whether a yes says that it is not needed."""


def find_need(question: str, pool: Pool) -> Need | None:
    """Return the yes or no that a line gives which says that something is needed, or is not.

    None where lines that bear on the question as much say one thing each, or where something is
    needed within bounds of which the question says nothing. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    asked = _asked(text)
    if asked is None:
        return None
    found = sorted(_told(asked, pool), key=lambda each: each[0], reverse=True)
    best = [need for held, need in found if held == found[0][0]]
    if len({need.says for need in best}) != 1:
        return None
    is_open = not asked.without and best[0].says and is_bounded(best[0].line, text, pool)
    return None if is_open else best[0]


def _asked(text: str) -> _Asked | None:
    if not is_english() or expected_kind(text) is not Kind.YES_NO:
        return None
    if found := _WITHOUT.match(text):
        asked = _Asked(found["what"], found["rest"], without=True)
    elif found := _NEED.match(text) or _IS_NEEDED.match(text):
        who = found.groupdict().get("who") or ""
        asked = _Asked(found["what"], f"{who} {found['rest'] or ''}", without=False)
    else:
        return None
    return asked if 0 < len(words(asked.what)) <= MOST_WORDS else None


def _told(asked: _Asked, pool: Pool) -> Iterator[tuple[tuple[float, float], Need]]:
    """Yield what lines say of the need, each with what it holds of the rest with all over it.

    And with what it holds by itself, as a page tells of other things than the one in its title.
    """
    goal = Goal.besides(_GENERAL, asked.rest, pool)
    annals = needs_annals(f"{asked.rest} {asked.what}")
    for line in pool.lines:
        needed = _is_needed(line, asked.what)
        if needed and leaves_open(line.text, asked.rest):
            continue
        if needed is None or (is_annals(pool.passages[line.owner].url) and not annals):
            continue
        held = shares(goal, line, pool)
        if held[0] >= COVERED:
            yield held, Need(needed != asked.without, line)


def shares(goal: Goal | None, line: Line, pool: Pool) -> tuple[float, float]:
    """Return what ``line`` holds of ``goal`` with all that is over it, and what it holds alone.

    Both are from 0 to 1, and 1 where nothing is looked for.
    """
    if goal is None:
        return 1.0, 1.0
    return goal.share_in(line.terms | pool.over(line)), goal.share_in(line.terms)


def _is_needed(line: Line, what: str) -> bool | None:
    """Return whether ``line`` says that ``what`` is needed; None where it does not say."""
    if line.columns or quality(line) < FIT_TO_SHOW:
        return None
    head = stem(words(what)[-1])
    if head not in line.terms:
        return None
    spelled = {word for word in words(line.text) if stem(word) == head}
    needless, needed = _patterns("|".join(map(re.escape, sorted(spelled))))
    if needless.search(line.text):
        return False
    return True if needed.search(line.text) else None


@cache
def _patterns(thing: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return how one says that a ``thing``, in one of its forms, is not needed, and that it is."""
    named = rf"{_WORD}{{0,3}}?(?:{thing})\b"
    needless = (
        rf"without\s+(?!(?:an?|any|the)?\s*{named}[^.;]*\b(?:not|nothing|no|only|cannot|can['’]t)\b)"
        rf"{_WORD}{{0,4}}?(?:{thing})\b"
        rf"|\bwith\s+{_WORD}{{0,3}}?no\s+{named}"
        rf"|\b(?:needs?|requires?|takes?)\s+(?:neither\s+|no\s+){named}"
        rf"|\bno\s+{named}\s+(?:is|are)\s+(?:needed|required|necessary)"
        rf"|\b(?:{thing})\s+(?:is|are)\s+(?:optional|not\s+(?:needed|required|necessary|mandatory))"
        rf"|(?:\bnot|n['’]t)\s+(?:need|require|have)\s+{named}"
        rf"|(?:^|[-–—:;,(]\s+|\b(?:has|have)\s+)(?:no|zero)\s+{named}"
        r"(?=\s*(?:[,.;)]|$|and\b|needed\b|required\b))"
    )
    needed = (
        r"(?<!\bthat\s)(?<!\bwhich\s)(?<!\bwho\s)"
        rf"\b(?:needs?|requires?|must\s+have|have\s+to\s+have)\s+(?!no\b|neither\b){named}"
        rf"|\b(?:{thing})\s+(?:is|are)\s+(?:needed|required|necessary|mandatory|compulsory)"
    )
    return re.compile(f"(?i){needless}"), re.compile(f"(?i){needed}")


_NAME = r"(?P<{0}>[A-Za-z][\w.+#-]*(?:\s(?-i:[A-Z])[\w.+#-]*)?)"
_ASKS = lazy_regex(
    rf"(?i)\W*(?:which|what)\s+(?:(?:minimum|min|lowest|oldest)\s+)?(?:{_NAME.format('first')}\s+"
    rf"versions?|versions?\s+of\s+{_NAME.format('of')}|{_NAME.format('bare')})\s+"
    r"(?P<rest>(?:do|does|is|are|must|should)\b.*?"
    r"\b(?:need|require|run|use|work|support|necessary|have)\w*\b.*)$"
)
_OF_VERSIONS = frozenset(
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


_ON_WHICH = lazy_regex(r"(?i)\W*(?:on|with|under|in|from|since)\s")
_WITH_ONE = lazy_regex(rf"{_ON_WHICH.pattern}(?:\w+\s){{0,2}}{_NUMBER}[^,]{{0,20}},\s")
"""How a sentence begins that tells what is so with a version: "On Hask 3+, tapes are cleaned"."""


def tells_of_one_version(question: str, told: str) -> bool:
    """Return whether ``question`` asks for versions, and ``told`` says what is so with one.

    English alone.
    """
    return bool(in_english(_ASKS.match, question)) and _WITH_ONE.match(told) is not None


_WHICH_VERSION = lazy_regex(
    r"(?i)\W*(?:[a-z]+ )?(?:which|what) (?:[\w.+#-]+ ){0,2}(?:version|release)s?\b"
)


def lacks_version(question: str, told: str) -> bool:
    """Return whether ``question`` asks for a version of something, and ``told`` has no figure.

    English alone.
    """
    asks = in_english(_WHICH_VERSION.match, question) is not None
    return asks and not any(map(str.isdigit, told))


class NeededVersion(NamedTuple):
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
    asked = in_english(_ASKS.match, last_question(question))
    if asked is None:
        return None
    found = sorted(
        _says(_named(asked), asked["rest"], pool), key=lambda each: each[0], reverse=True
    )
    best = [told for held, told in found if held == found[0][0]]
    same = {" ".join(words(told.text)) for told in best}
    return best[0] if len(same) == 1 else None


def versioned(question: str) -> str:
    """Return the name of what ``question`` asks the needed version of; empty where it asks none."""
    asked = in_english(_ASKS.match, last_question(question))
    return _named(asked) if asked and not asked["bare"] else ""


def _named(asked: re.Match[str]) -> str:
    return asked["first"] or asked["of"] or asked["bare"]


def _says(name: str, rest: str, pool: Pool) -> Iterator[tuple[tuple[float, float], NeededVersion]]:
    """Yield the lines that tell a version of ``name``, each with how much of ``rest`` it holds."""
    goal = Goal.besides(_OF_VERSIONS, rest, pool)
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
        if _ON_WHICH.fullmatch(said, endpos=found.start()):
            continue
        if found["more"] or found["least"] or _DEMANDS.search(said):
            return found[0]
    return None
