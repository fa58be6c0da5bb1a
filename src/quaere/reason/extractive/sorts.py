"""Says yes or no by a list that names all there is of a sort: "Supported systems: Linux, macOS".

The list answers no of what is of the same sort and nowhere in the sources, under another word
neither. What only gives examples ("such as"), leaves more open, or speaks of other things than
those of the sort, does not. English alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from quaere.reason.extractive.pool import Line, Pool
from quaere.text.facts import negation
from quaere.text.languages.language import cached_by_language, in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sorts import Sort, alike, sorts
from quaere.text.synonyms import everyday_words
from quaere.text.tokens import stem, terms, words

LEAST = 2
"""Things of a sort that make a list, where nothing says "only"."""
_OPEN = lazy_regex(
    r"(?i)\b(?:such as|includ(?:es?|ing)|e\.?g|for (?:example|instance)|among|others?|many|several"
    r"|various|more|etc|and so on|usually|mostly|mainly|often|sometimes|at least|also|too|like|any"
    r"|if|when|unless|soon|plann?ed|tested|best|prefer\w*|recommend\w*)\b|\.\.\.|…"
)
"""Leaves open what else there is."""
_ONLY = lazy_regex(r"(?i)\b(?:only|solely|exclusively|nothing but)\b")
_OF_ANY = """
    run work available support come use get have sell accept take offer allow permit exist open
    compatible read go put pay possible deliver make wash bring keep card
"""
_IDLE = frozenset(map(stem, _OF_ANY.split()))
"""Stems of what is asked of any sort."""


class Listed(NamedTuple):
    """A line that names all of a sort, and whether what is asked is among them."""

    says: bool
    line: Line


def told_by_list(text: str, told: Iterable[Line], pool: Pool) -> Listed | None:
    """Return what a line of ``told`` that names all of a sort says to ``text``.

    Args:
        text: A question for yes or no.
        told: Lines of the pool that assert something.
        pool: The evidence, read.
    """
    thing = in_english(_thing_asked, text)
    if thing is None or negation(text).denies:
        return None
    sort, wanted = sorts()[thing], frozenset(terms(text)) - {thing}
    line = _list_of(sort, wanted, told, pool)
    if line is None:
        return None
    says = thing in _things_of(line, sort)
    is_elsewhere = any(map(pool.holds, {thing, *alike(thing)}))
    return Listed(says, line) if says or not is_elsewhere else None


def _thing_asked(text: str) -> str | None:
    """Return the stem of the only thing of a known sort that ``text`` speaks of."""
    things = sorts().keys() & frozenset(map(stem, words(text)))
    return next(iter(things)) if len(things) == 1 else None


def _list_of(sort: Sort, wanted: frozenset[str], told: Iterable[Line], pool: Pool) -> Line | None:
    """Return the first line that names all of ``sort``; None where two name different things."""
    lines = [line for line in told if _names_all(line, sort, wanted, pool)]
    return lines[0] if len({_things_of(line, sort) for line in lines}) == 1 else None


def _things_of(line: Line, sort: Sort) -> frozenset[str]:
    return sort.things.intersection(map(stem, words(line.text)))


def _names_all(line: Line, sort: Sort, wanted: frozenset[str], pool: Pool) -> bool:
    """Whether ``line`` names all of ``sort`` for what is ``wanted`` besides the thing asked.

    It says so itself or by its label, and all it speaks of is what its page and the question do:
    "Mac" may be another word for what is asked, and "welcome" names nothing.
    """
    over = pool.over(line) | pool.file_terms(line) | sort.called
    if _leaves_open(line.text) or not wanted - _IDLE <= over | line.terms:
        return False
    is_labelled = not sort.called.isdisjoint(terms(_label(line.text)))
    if not is_labelled and line.terms.isdisjoint(sort.called | _also(wanted & _IDLE)):
        return False
    least = 1 if is_labelled or _ONLY.search(line.text) else LEAST
    known = over | wanted | _also(_IDLE) | sort.things
    return _count_of(sort, line) >= least and known.issuperset(terms(line.text))


def _count_of(sort: Sort, line: Line) -> int:
    return sum(stem(word) in sort.things for word in words(line.text))


def _leaves_open(text: str) -> bool:
    return _OPEN.search(text) is not None or negation(text).denies


def _label(text: str) -> str:
    label, colon, _ = text.partition(": ")
    return label if colon else ""


@cached_by_language(maxsize=64)
def _also(stems: frozenset[str]) -> frozenset[str]:
    """Return ``stems`` with those of what everyday documents say for the same."""
    return stems.union(stem(other) for each in stems for other in everyday_words(each))
