"""The plain facts that a text states: who, how many, when, and what not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from quaere.text.dates import dates
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.numbers import numbers
from quaere.text.tokens import stem, stop_words, words

_DENIAL = re.compile(r"no|not|never|none|nor|neither|without|cannot|nobody|nothing|nowhere|.+n't")
# "not only", "no longer", "not just": the word after the denial is not what is denied.
_SOFTENING = re.compile(r"only|just|merely|simply|least|less|more|longer|later|fewer")
_REACH = 5
"""Words after a denial within which the word that it denies is looked for."""
# "does not expect to pay" denies the paying as well as the expecting.
_PASSING_ON = re.compile(
    r"(?:able|anticipat|appear|expect|intend|manag|plan|seem|tend)(?:e?[ds]?|n?ed|n?ing)"
    r"|currently|presently|normally|usually|generally"
)
# "No, the bridge is open" answers a question and denies nothing.
_REPLY = re.compile(r"(?i)\s*(?:a(?:nswer)?\s*:\s*)?(?:no|yes)\s*[,.;:!–—]")


class Negation(NamedTuple):
    """The stems of a sentence, stop words left out."""

    affirmed: frozenset[str]
    """Stems that occur at least once without a negation before them."""
    denied: frozenset[str]
    """Stems that occur at least once directly after a negation."""
    denies: bool
    """Whether the sentence holds a denial at all."""


_CODE = re.compile(r"https?://[^\s)>\]]+|(?<![^\W_])[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+")
"""An address, or a name of code."""
_NO_IN_CODE = lazy_regex(r"(?i)(?<![a-z])(?:no|not)(?![a-z])")


def undenied_in_code(text: str) -> str:
    """Return ``text`` with each "no" within an address or a name of code blanked.

    `NO_COLOR` denies nothing.
    """
    return _CODE.sub(lambda code: _NO_IN_CODE.sub(lambda no: " " * len(no[0]), code[0]), text)


def negation(sentence: str) -> Negation:
    """Return what ``sentence`` denies and affirms."""
    reply = _REPLY.match(sentence)
    said = words(undenied_in_code(sentence[reply.end() if reply else 0 :]))
    affirmed: set[str] = set()
    denied: set[str] = set()
    for word, is_reached in _content(said):
        held = denied if is_reached and not word[0].isdigit() else affirmed
        held.add(stem(word))
    denies = any(map(_DENIAL.fullmatch, said))
    return Negation(frozenset(affirmed), frozenset(denied), denies)


def deny_alike(one: str, other: str) -> bool:
    """Return whether both sentences hold a denial, or neither does."""
    return negation(one).denies == negation(other).denies


def _content(said: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the words of ``said`` with content, and whether a denial reaches each."""
    reach = 0
    for word in said:
        if _DENIAL.fullmatch(word):
            reach = _REACH
        elif _SOFTENING.fullmatch(word):
            reach = 0
            if word not in stop_words():
                yield word, False
        elif word in stop_words():
            reach -= 1
        else:
            yield word, reach > 0
            if not _PASSING_ON.fullmatch(word):
                reach = 0


class Facts(NamedTuple):
    """What two texts must have in common to mean the same, whatever else they say."""

    figures: frozenset[tuple[Decimal, str]]
    """Numbers with their units."""
    dates: frozenset[tuple[int | None, int | None, int | None]]
    """Year, month and day, as far as they are given."""
    denied: frozenset[str]
    """Stems that a negation precedes."""


def stated_facts(text: str) -> Facts:
    """Return what ``text`` states."""
    return Facts(
        figures=frozenset((number.value, number.unit) for number in numbers(text)),
        dates=frozenset((date.year, date.month, date.day) for date in dates(text)),
        denied=frozenset(negation(text).denied),
    )


def name_words(text: str) -> frozenset[str]:
    """Return the words of all names in ``text``."""
    return frozenset(word for name in names(text) for word in words(name.text))
