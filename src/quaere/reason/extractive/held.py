"""How much of what is asked a line asserts: by itself, under its headings, with the one before."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.denials import is_told_of
from quaere.reason.extractive.other_languages import lacks_rule
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import forms_of
from quaere.text.tokens import terms

_ASIDE = lazy_regex(
    r"(?i)\W*(?:(?:(?:in order )?to|if|unless|in case)\s[^,;:]*"
    r"|with\s[^,;:]*\s(?:set|given|enabled|installed)\b[^,;:]*),"
)
"""The clause with which a sentence begins that says what is meant or may be, and not what is."""
_OF_ITSELF = lazy_regex(
    r"(?i)\W*(?:note\W+)?(?:this|the) (?:module|package|library|tool|program|project|application)\b"
)
"""How a page speaks of what it is about."""
POINTS_BACK = lazy_regex(r"(?i)\b(?:it|they|them|this|these|those)\b")
WHOLE = 0.97
"""Share of what is asked from which a line says it with the headings and the title over it."""
OF_ITS_OWN = 0.25
"""Share of what is asked that a line must hold whose "it" is in the one before."""


def held_by(goal: Goal, line: Line, pool: Pool) -> float:
    """Return how much of ``goal`` the line asserts.

    The shares from which English says yes or no were chosen for the line alone; only "this module"
    and its like are what the title names.
    """
    if not is_english():
        return _held_elsewhere(goal, line, pool)
    aside = _ASIDE.match(line.text)
    told = line.text[aside.end() :] if aside else line.text
    own = frozenset(terms(told)) if aside else line.terms
    said = line.led | pool.named_over[line.owner] | said_terms(goal, own, told)
    whole = goal.share(goal.said(said | pool.over(line) | pool.file_terms(line)))
    if whole >= WHOLE and goal.share(goal.said(own)) >= OF_ITS_OWN:
        return whole
    titled = pool.title_terms[line.owner] if _OF_ITSELF.match(line.text) else frozenset[str]()
    return goal.share(goal.said(said | titled))


def _held_elsewhere(goal: Goal, line: Line, pool: Pool) -> float:
    """Return the same beyond English: with the title, and with headings if all is held then."""
    said = said_terms(goal, line.terms | pool.title_terms[line.owner], line.text)
    held, whole = (goal.share_in(each) for each in (said, said | line.over))
    return whole if whole >= WHOLE else held


def held_itself(goal: Goal, line: Line, pool: Pool) -> tuple[float, float]:
    """Return how much of ``goal`` the line asserts, and how much of it not as its page is called.

    Of "They are not watertight" and "Hulls are made of oak" below "Watertight hulls" the first is
    meant, asked whether hulls are watertight.
    """
    called = pool.title_terms[line.owner] | pool.file_terms(line)
    return held_by(goal, line, pool), goal.share(goal.said(line.terms - called))


def holding_most(
    text: str, goal: Goal, lines: Iterable[Line], pool: Pool, *, least: float
) -> Line | None:
    """Return the line that asserts most of ``goal``, which ``text`` asks.

    Beyond English a rule goes first where one is asked for, if it holds the ``least`` share.
    """

    def rated(line: Line) -> tuple[bool, float, float]:
        held, own = held_itself(goal, line, pool)
        return held >= least and not lacks_rule(text, line.text), held, own

    return max(lines, key=rated, default=None)


def said_terms(goal: Goal, own: frozenset[str], told: str) -> frozenset[str]:
    """Return ``own``, the stems of what is ``told``, with those of ``goal`` in another form."""
    spelled = ((term, goal.words[term]) for term in goal.terms)
    otherwise = (
        term
        for term, word in spelled
        if is_told_of(word, told) or not forms_of(word).isdisjoint(own)
    )
    return own.union(otherwise)


def held_with_before(goal: Goal, line: Line, pool: Pool) -> float:
    """Return how much of ``goal`` the line asserts with the one to which its "it" points back."""
    own = held_by(goal, line, pool)
    if not is_english() or own < OF_ITS_OWN or not line.place:
        return own
    before = pool.lines_of[line.owner][line.place - 1]
    if before.heading or before.columns or not POINTS_BACK.search(line.text):
        return own
    return max(own, goal.share(goal.said(line.terms | before.terms | line.over)))


_HAS = lazy_regex(
    r"(?i)\W*(?:do|does|did|can|could)\s[^?]{2,60}?\s"
    r"(?:support|have|offer|provide|include|handle|accept|serve|sell|stock|require|come with)\s"
    r"(?P<object>[^?,;()]{2,40}?)(?:\s(?:about|as|at|by|during|for|from|if|in|into|like|of|on|or|out|to"
    r"|when|with|without)\s.*)?\W*\Z"
)
MOST_OF_OBJECT = 3
"""Words of what a thing has, at most: of more, some are said besides."""


def object_of(text: str) -> frozenset[str]:
    """Return the stems of what ``text`` asks whether a thing has or supports; none if it asks else.

    "The parser supports exact matching" leaves fuzzy matching open. English alone.
    """
    asks = _HAS.match(text)
    named = frozenset(terms(asks["object"]) if asks else ())
    return named if len(named) <= MOST_OF_OBJECT else frozenset()
