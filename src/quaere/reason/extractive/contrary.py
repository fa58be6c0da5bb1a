"""Whether a sentence is about the contrary of the turn or the deed that is asked about.

When something opens does not tell when it closes, and when it was done last not when it is done
next. English alone.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from quaere.reason.extractive.months import is_of_other_months
from quaere.reason.extractive.questions.kinds import (
    Kind,
    earlier_words,
    expected_kind,
    last_question,
)
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import everyday_words
from quaere.text.tokens import stem, terms, words

_PAIRS: Final = tuple(
    (lazy_regex(rf"(?i)\b(?:{one})\b"), lazy_regex(rf"(?i)\b(?:{other})\b"))
    for one, other in (
        (
            "(?:re-?)?open(?:s|ed|ing)?(?! (?:hours|times)\\b)",
            "clos(?:es?|ed|ing)(?! to\\b)|shut(?:s|ting)?",
        ),
        (
            "arriv(?:es?|ed|als?|ing)|gets? (?:in|here|there)",
            "leav(?:es?|ing)|left|depart(?:s|ed|ures?|ing)?",
        ),
        (
            "start(?:s|ed|ing)?|beg[ai]n(?:s|ning)?|begun|commenc(?:es?|ed|ing)",
            (
                "(?<!the )(?<!at )end(?:s|ed|ing)?|finish(?:es|ed|ing)?|conclud(?:es?|ed)"
                "|expir(?:es?|ed|y)|stop(?:s|ped)?|(?:is|are|be) over|until|till"
            ),
        ),
        (r"check(?:ed|s|ing)?[ -]?in", r"check(?:ed|s|ing)?[ -]?out"),
        (
            "borrow(?:s|ed|ing)?|collect(?:s|ed|ion)?|pick(?:s|ed)? up|hand(?:s|ed)? out",
            "return(?:s|ed|ing)?|br(?:ing|ings|ought) back|hand(?:s|ed)? (?:in|back)",
        ),
        ("earliest", "latest"),
        ("get(?:s|ting)? on|board(?:s|ed|ing)?|embark(?:s|ed)?", "get(?:s|ting)? off|alight"),
        ("switch(?:es|ed)? on|turn(?:s|ed)? on", "switch(?:es|ed)? off|turn(?:s|ed)? off"),
        ("hir(?:es?|ed)|join(?:s|ed)?", "resign(?:s|ed)?|retir(?:es?|ed)|quits?"),
    )
)
"""Deeds of which one undoes the other, each with its forms."""
_CAPITALIZED = lazy_regex(r"(?<=\s)[A-Z][\w’'-]*")
_FROM_TO = lazy_regex(
    r"(?i)\bfrom\b[^.;]{0,80}?\b(?:to|until|till)\b|\bbetween\b[^.;]{0,80}?\band\b"
    r"|\d\s?[-–—]\s?\d|\d to \d"
)
"""Tells when something begins as well as when it ends: "open from 9 to 5"."""
_NEXT = lazy_regex(
    r"(?i)\b(?:next|upcoming|forthcoming)\b(?! (?:to|door|steps?|page|section|chapter)\b)"
    r"(?P<what>(?: (?!(?:in|on|at|for|of|due|to|with|held|planned|scheduled|be|being)\b)[\w’'-]+)"
    r"{1,3})?"
)
_LAST = lazy_regex(r"(?i)\b(?:last|previous|most recent(?:ly)?|latest)\b(?! (?:for|until|long)\b)")
_AHEAD = lazy_regex(
    r"(?i)\b(?:next|upcoming|forthcoming|due|will|shall|['’]ll|(?:is|are) to be|planned|scheduled"
    r"|booked|renews?|expires?|repeat(?:ed|s)?|from now|again|(?:is|are) (?:on|at|held)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|every|daily|weekly|monthly|yearly)\b"
)
"""What tells of something that is to come, or comes again and again."""
_BEHIND = lazy_regex(
    r"(?i)\b(?:last|previous(?:ly)?|was|were|had|has been|have been|did|ago|earlier"
    r"|most recent(?:ly)?)\b"
)
"""What tells of something that is over."""


_WAS_DONE = lazy_regex(
    r"(?i)(?<!\bis )(?<!\bare )(?<!\bbe )\b"
    r"(?!(?:booked|expected|needed|planned|repeated|scheduled)\b)[a-z]{2,}ed\b"
)
"""Tells that something was done: "It aired on Mondays", but not "It is aired on Mondays"."""


class Turn(Enum):
    """How a sentence stands to the turn that is asked about."""

    TOLD = auto()
    """It may be about that."""
    OPEN = auto()
    """It does not say which turn it tells of."""
    OTHER = auto()
    """It tells of another."""


def is_contrary(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` is about the contrary of what ``question`` asks, and not that.

    That is asked for a fact of it: when, where or who.
    """
    text = last_question(question)
    if not is_english() or expected_kind(text) not in _FACTS:
        return False
    return _turn(text, sentence) is Turn.OTHER or _undoes(text, sentence)


def lacks_turn(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` does not say that its turn is the one that is asked about.

    "Boiler serviced: 3 March" does not tell when it is serviced next. One that is last need not
    be called so: it was. Nor does what is so in other months tell what is so in the one that is
    asked about.
    """
    text = last_question(question)
    if not is_english() or expected_kind(text) not in _FACTS:
        return False
    if is_of_other_months(text, sentence):
        return True
    return _turn(text, sentence) is not Turn.TOLD or _undoes(text, sentence)


_FACTS = frozenset({Kind.DATE, Kind.PLACE, Kind.PERSON})


def is_of_other_turn(question: str, told: str) -> bool:
    """Return whether ``question`` asks of the next of several turns, and ``told`` has none to come.

    Of what is ``told`` by a table or after a label, with what is over it.
    """
    text = last_question(question)
    is_asked = is_english() and expected_kind(text) in _FACTS
    return is_asked and _turn(text, told) is not Turn.TOLD


def _turn(text: str, sentence: str) -> Turn:
    ahead, behind = _AHEAD.search(sentence) is not None, _BEHIND.search(sentence) is not None
    if asked := _NEXT.search(text):
        if ahead:
            return Turn.TOLD if _speaks_of(asked["what"] or "", sentence) else Turn.OPEN
        return Turn.OTHER if behind else Turn.OPEN
    if _LAST.search(text) and ahead and not (behind or _WAS_DONE.search(sentence)):
        return Turn.OTHER
    return Turn.TOLD


def _speaks_of(what: str, sentence: str) -> bool:
    """Whether ``sentence`` has a word of ``what`` comes next, or one that may be said for it."""
    asked = words(what)
    also = (other for word in asked for other in everyday_words(word))
    wanted = frozenset(terms(what)).union(map(stem, also))
    return not wanted or not wanted.isdisjoint(terms(sentence))


def _undoes(text: str, sentence: str) -> bool:
    """Whether ``sentence`` has the contrary of a deed that ``text`` asks about, and not that.

    What has a capital is part of a name: "Return to Oz" returns nothing.
    """
    plain = _CAPITALIZED.sub(" ", text)
    return not _FROM_TO.search(sentence) and any(
        asked.search(plain)
        and not undone.search(plain)
        and undone.search(sentence)
        and not asked.search(sentence)
        for one, other in _PAIRS
        for asked, undone in ((one, other), (other, one))
    )


_POLES: Final = tuple(
    (lazy_regex(rf"(?i)\b(?:{one})\b"), lazy_regex(rf"(?i)\b(?:{other})\b"))
    for one, other in (
        ("first", "last"),
        ("over|above|older|more than|at least", "under|below|younger|(?:less|fewer) than|at most"),
        ("before", "after"),
        ("inside|indoors?", "outside|outdoors?"),
    )
)
"""How two things are told apart that are called by the same words."""


def are_opposed(question: str, told: str) -> bool:
    """Return whether ``told`` is of the contrary part: of those under 12, not of those over 12.

    English alone.
    """
    return is_english() and any(
        asked.search(question)
        and other.search(told)
        and not (asked.search(told) or other.search(question))
        for pair in _POLES
        for asked, other in (pair, pair[::-1])
    )


_HAS_WHAT: Final = lazy_regex(
    r"(?i)\W*(?:which|what|who)\b[^?]*?\b(?:have|has|had|needs?|requires?|takes?|uses?|costs?)\s+"
    r"(?:(?P<none>no)|an?|any|some)\s+(?P<thing>[a-z-]+)\W*$"
)
"""Asks which of several things have something, or have none."""


def is_of_those_without(question: str, told: str) -> bool:
    """Return whether ``told`` is of things without what ``question`` asks which have; or turned.

    Services that need no key do not tell which need a key. English alone.
    """
    asked = _HAS_WHAT.match(last_question(question)) if is_english() else None
    if asked is None:
        return False
    thing = rf"(?:[a-z-]+\s+)?{re.escape(asked['thing'])}s?\b"
    lacking = re.search(rf"(?i)\b(?:no|without(?: an?| any)?)\s+{thing}", told)
    having = re.search(rf"(?i)(?<!without )\b(?:an?|any|some|its|their|the)\s+{thing}", told)
    if asked["none"]:
        return having is not None and lacking is None
    return lacking is not None and having is None


BUT_FOR: Final = lazy_regex(
    r"(?i)(?<=[\w)])[,;]?\s+\(?(?:unless|except|other than|apart from|but for|but not|excluding|if"
    r"|provided|as long as)\b"
)
"""Begins what a sentence leaves out, or the condition on which it holds."""
_EXCEPTS: Final = lazy_regex(r"(?i)\b(?:except|other than|apart from|but not|excluding)\b")


def is_left_out(question: str, told: str) -> bool:
    """Return whether ``told`` has a word of ``question`` in its exceptions alone. English alone.

    Those that open a sentence end at its first comma: "Apart from owls, Hask films bats".
    """
    main, *aside = _EXCEPTS.split(told, maxsplit=1) if is_english() else (told,)
    if not aside:
        return False
    excepted = aside[0]
    if not words(main):
        excepted, _, main = excepted.partition(", ")
    only = frozenset(terms(excepted)) - frozenset(terms(main))
    return not frozenset(terms(question)).isdisjoint(only)


def is_of_present_state(question: str, told: str) -> bool:
    """Return whether ``question`` asks how something was before, and ``told`` has no word of that.

    "Departure: 06:50" does not tell when the flight left before the change. English alone.
    """
    before = earlier_words(last_question(question))
    return bool(before) and before.isdisjoint(terms(told))


_IS_USED = lazy_regex(
    r"(?i)\b(?:used?|usable|works?|runs?|functions?|operates?|compatible)\b[^?]*?\s"
    r"(?:with|on|in|under|for) (?P<what>[^?]+)"
)
_FAILS = lazy_regex(
    r"(?i)(?:\b(?:not|never|cannot)|n['’]t) (?:be )?(?:used|usable|works?|run|function|operate"
    r"|compatible|supported) (?:with|on|in|under|for) (?P<what>[^.;]+)"
)


def fails_with(said: str, text: str) -> bool:
    """Return whether ``said`` is that a thing fails with another, asked if it can be used with it.

    "It cannot work with static programs" denies that it can be used with them.
    """
    asked, told = _IS_USED.search(text), _FAILS.search(said)
    wanted = frozenset(terms(asked["what"]) if asked else ())
    return bool(wanted) and told is not None and wanted <= frozenset(terms(told["what"]))
