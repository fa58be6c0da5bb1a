"""Whether a sentence says of another thing what is asked of one. English alone.

"The car park closes at 11" does not tell when the festival closes, whatever the page is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import cached_by_language, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.synonyms import everyday_words, forms_of
from quaere.text.tokens import stem, terms, words

_ASKS = lazy_regex(
    r"(?i)\W*(?:(?:at|from|on|until|by) )?"
    r"(?:when|(?:what|which) (?:time|days?)|how (?:much|long|often|many [a-z]+))"
    r" (?:(?P<is>is|are|was|were)|do|does|did|will|can|must)"
    r" (?:(?:the|an?|our|your|my|this|each|every) )?(?P<thing>[a-z-]+(?: [a-z-]+){0,2})"
    r" (?P<deed>(?(is)(?:[a-z]+ed|open|shut|due)|[a-z]+))\W*\Z"
)
"""Asks when, or for how much, one thing does something: nothing else is said."""
_CLAUSE = lazy_regex(r"[.:](?!\d)|[,;!?()|]|\b(?:and|but|or|which|that|who|when|if|while)\b")
_WORD = lazy_regex(r"[a-zA-Z]+")
_PRONOUN = lazy_regex(r"(?i)\b(?:it|we|they|he|she|you|i)\s*\Z")
_IT = lazy_regex(r"(?i)\W*(?:it|they)\s*\Z")
_OPENING = lazy_regex(r"\A\s*(?:\w+(?= [a-z])|\w+(?:ing|[a-rt-z]s)(?=\s*\Z))")
"""A first word that has a capital for being the first: "Swimming starts", "The car park closes"."""


class _Asked(NamedTuple):
    """Of what it is asked when or for how much it does something."""

    things: frozenset[str]
    """Stems of words for it."""
    deeds: frozenset[str]
    """Stems of words for what it does."""


@cached_by_language(maxsize=64)
def _asked(question: str) -> _Asked | None:
    asks = _ASKS.match(last_question(question)) if is_english() else None
    if asks is None or not (own := frozenset(terms(asks["thing"]))):
        return None
    also = (stem(other) for word in words(asks["thing"]) for other in everyday_words(word))
    done = asks["deed"].casefold()
    deeds = forms_of(done).union(map(stem, everyday_words(done)))
    return _Asked(own.union(also), deeds)


def is_of_another_thing(
    question: str,
    sentence: str,
    holds: Callable[[str], bool],
    pointed_to: frozenset[str] = frozenset(),
) -> bool:
    """Return whether ``sentence`` says of another thing what ``question`` asks of one.

    Where the sources have no word for that one, the other may be what they call it; and who has a
    name may be what is described.

    Args:
        question: What is asked.
        sentence: A line of the sources.
        holds: Whether the sources have a word of that stem.
        pointed_to: Stems of what a pronoun at its beginning stands for, where that is known.
    """
    asked = _asked(question)
    if asked is None or not any(map(holds, asked.things)):
        return False
    doers = list(_doers(sentence, asked.deeds))
    return bool(doers) and all(_is_another(doer, asked.things, pointed_to) for doer in doers)


def _doers(sentence: str, deeds: frozenset[str]) -> Iterator[str]:
    """Yield what each clause of ``sentence`` says before a word of ``deeds``.

    Of "The bath opens at 5 and closes at 9" the second clause is read with the one before it.
    """
    before = ""
    for clause in _CLAUSE.split(sentence):
        found = (word for word in _WORD.finditer(clause) if stem(word[0].casefold()) in deeds)
        if (deed := next(found, None)) is not None:
            doer = clause[: deed.start()]
            yield doer if doer.strip() else before
        before = clause


def _is_another(doer: str, things: frozenset[str], pointed_to: frozenset[str]) -> bool:
    """Whether ``doer`` is a thing in plain words, none of ``things``.

    Of a pronoun that is what it stands for, if that is known.
    """
    if _PRONOUN.search(doer):
        return bool(pointed_to) and _IT.match(doer) is not None and pointed_to.isdisjoint(things)
    said = frozenset(terms(doer))
    plain = _OPENING.sub(lambda first: first[0].casefold(), doer)
    return bool(said) and said.isdisjoint(things) and not names(plain)
