"""Where a question says what it asks about: its subject, its object, its phrases and names.

By the order of words and by small lists of words alone: no grammar is known. Spans are offsets into
the question.
"""

from __future__ import annotations

import re
from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import Name, names
from quaere.text.tokens import is_stop_word

SAID: Final = r"(?:[^\s?.!,;]|[.,](?=\d))+"
"""A word, or a figure or version with its points."""
# Alternatives for patterns, of English first.
AUX: Final = (
    "is|are|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had"
    "|need|ist|sind|war|waren|wird|werden|wurden?|kann|können|darf|dürfen|muss|müssen|soll|sollen"
    "|hat|haben|est|sont|était|étaient|ont|peut|doit|fue|fueron|era|está|están|puede|hay|tiene"
)
WH: Final = (
    r"who(?:m|se)?|what|which|when|where|why|how(?: (?:much|many|long|often|far|old|big|large|high"
    r"|late|early|deep|wide|heavy|tall|fast|soon))?"
    r"|wer|was|welche[mnrs]?|wann|wo|warum|wie(?: (?:viel|viele|lange|oft|hoch|alt|groß))?"
    r"|qui|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien"
    r"|quién(?:es)?|qué|cuál(?:es)?|cuándo|dónde|cómo|cuánt[oa]s?|por qué"
)
PREPOSITION: Final = (
    "in|on|at|for|with|without|from|to|by|during|before|after|under|over|until|till|since|between"
    "|within|per|into|of|about|through|near|outside|inside|am|im|an|auf|bei|mit|ohne|für|nach|vor"
    "|ab|bis|seit|von|zum|zur|aus|à|au|aux|en|dans|avec|sans|pour|con|sin|para|por|desde|hasta"
)
DETERMINER: Final = "the|a|an|our|your|their|my|this|that|these|those|its|his|her"
PREDICATE: Final = (
    r"\w{2,}ed|open|closed|shut|free|held|made|built|kept|sold|paid|found|born|written|led|run|used"
    r"|given|taken|known|called|based|due|needed|able|available|possible|necessary|mandatory"
    r"|optional|included|full|empty|big|large|old|high|long|tall|wide|deep|heavy|expensive|safe"
    r"|ge\w+(?:t|en)|erlaubt|verboten|gestattet|möglich|kostenlos|frei|offen|ouverte?s?|fermée?s?"
    r"|autorisée?s?|abiert[oa]s?|cerrad[oa]s?|permitid[oa]s?"
)
FIRST_AUX: Final = lazy_regex(rf"(?i)\b(?:{AUX})\s+")
TIME: Final = lazy_regex(
    r"(?i)\b(?:1[5-9]\d\d|20\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|winter|today|tomorrow|yesterday|montags?|dienstags?|mittwochs?"
    r"|donnerstags?|freitags?|samstags?|sonntags?)\b"
)
PHRASE: Final = lazy_regex(
    rf"(?i)\b(?P<prep>{PREPOSITION})\s+(?P<rest>(?:(?!(?:{PREPOSITION}|{AUX}|and|or)\b)"
    rf"(?!(?:{PREDICATE})\W*\Z)"
    rf"{SAID}\s?){{1,6}})"
)
_COPULAS: Final = frozenset({"is", "are", "was", "were", "ist", "sind", "war", "waren"})
_OWNING: Final = frozenset({"has", "have", "had"})
"""Verbs by themselves ("How many beds has the ward?"), unless what is done follows."""
_ARTICLE_BEFORE: Final = lazy_regex(rf"(?i)\b(?:{DETERMINER})\s+(?:[\w-]+\s+){{0,3}}\Z")
_NOUN_BEHIND: Final = lazy_regex(
    rf"(?i)\s+(?!(?:{PREPOSITION}|{AUX}|{PREDICATE}|and|or)\b)[a-zäöü]\w+"
    rf"(?=\W*\Z|\s+(?:{PREPOSITION}|{PREDICATE})\b)"
)
RUN: Final = lazy_regex(SAID)
_IS_PREDICATE: Final = lazy_regex(rf"(?i)(?:{PREDICATE})")
_ADVERBS: Final = frozenset({"less", "more", "extra", "too", "now", "longer", "much", "anything"})
_BE: Final = frozenset({"be", "been", "being"})
_ANYBODY: Final = frozenset({"i", "you", "we", "one", "people", "ich", "man", "wir", "on"})
_MODAL: Final = "(?:can|could|may|might|must|shall|should|will|would)"
_ASKS_FOR_SUBJECT: Final = lazy_regex(
    rf"(?i)^\W*(?:(?:who|what)\s+(?:{_MODAL}\s+(?!(?:i|you|we|one|people|the|an?)\b)\w|(?!(?:{AUX})\b)\w)"
    rf"|(?:which|how many)\s+(?!of\b)[\w-]+\s+(?!(?:{AUX})\b)\w)"
)
"""Asks who does something: nothing but the question word is the subject."""
_OBJECT: Final = lazy_regex(
    rf"(?i)(?:^\W*(?:who|what|(?:which|how many) [\w-]+)\s+(?:{_MODAL}\s+)?(?!(?:{AUX})\b)\w+"
    rf"|\b(?:i|you|we|one|people)\s+\w+)\s+"
    rf"(?P<object>(?!(?:{PREPOSITION}|an?)\b)[^?]*?)(?:\s(?:down|up|out|off))?\W*\Z"
)
NAMES_SOMETHING: Final = lazy_regex(rf"(?i)\b(?:{DETERMINER})\s+\w")
_COMPLEMENT: Final = lazy_regex(
    rf"(?i)\s+(?:of|for|to)\s+(?:(?!(?:{PREDICATE}|{PREPOSITION}|{AUX})\b){SAID}\s?){{1,4}}\Z"
)


def named_in(text: str) -> list[Name]:
    """Return what ``text`` names, without stop words before it: "Sind Hunde" names "Hunde"."""
    found: list[Name] = []
    for name in names(text):
        start = name.start
        for word in RUN.finditer(text, name.start, name.end):
            start = word.start()
            if not is_stop_word(word[0].lower()):
                found.append(Name(text[start : name.end], start, name.end))
                break
    return found


def phrase_around(name: Name, asked: str) -> tuple[int, int]:
    """Return the span of ``name`` with the article and the noun that belong to it."""
    before = _ARTICLE_BEFORE.search(asked[: name.start])
    behind = _NOUN_BEHIND.match(asked, name.end)
    start = before.start() if before else name.start
    return start, behind.end() if behind and not _verb_follows(asked) else name.end


def _verb_follows(asked: str) -> bool:
    """Return whether the verb of ``asked`` is at its end: "does the Aurora carry"."""
    aux = FIRST_AUX.search(asked)
    if aux is not None and aux[0].strip().lower() in _OWNING:
        return _IS_PREDICATE.fullmatch(asked.rstrip("?. ").rsplit(maxsplit=1)[-1]) is not None
    return aux is not None and aux[0].strip().lower() not in _COPULAS


def subject_of(asked: str) -> tuple[int, int] | None:
    """Return where ``asked`` says of what something is asked."""
    aux = FIRST_AUX.search(asked)
    if aux is None or _ASKS_FOR_SUBJECT.match(asked):
        return object_of(asked)
    start, end = aux.end(), _clause_end(asked, aux.end())
    is_copula = aux[0].strip().lower() in _COPULAS
    second = None if is_copula else _second(asked, start, end)
    said = _without_predicate(list(RUN.finditer(asked, start, second or end)), is_copula=is_copula)
    if said and said[0][0].lower() not in _ANYBODY:
        return said[0].start(), said[-1].end()
    return object_of(asked)


def _without_predicate(said: list[re.Match[str]], *, is_copula: bool) -> list[re.Match[str]]:
    """Return the words of a clause without those at its end that are not of its subject."""
    said = _without_last(said, _ADVERBS)
    if is_copula and said and not _IS_PREDICATE.fullmatch(said[-1][0]):
        return said
    return _without_last(said[:-1], _BE) if is_copula or len(said) > 1 else said


def _without_last(said: list[re.Match[str]], of: frozenset[str]) -> list[re.Match[str]]:
    """Return the words ``said`` without those at their end that are ``of`` a kind; one stays."""
    end = len(said)
    while end > 1 and said[end - 1][0].lower() in of:
        end -= 1
    return said[:end]


def _clause_end(asked: str, start: int) -> int:
    """Return where the first phrase with a preposition begins after ``start``, or the end."""
    phrase = PHRASE.search(asked, start)
    return phrase.start() if phrase and phrase.start() > start else len(asked)


_FIRST_WORD: Final = lazy_regex(rf"(?i)(?:(?:{DETERMINER})\s+)?{SAID}")
_DONE: Final = lazy_regex(rf"(?i)\s+{SAID}\s+(?P<object>(?!(?:{PREDICATE})\b){SAID})")
"""What a name does, and to what: "does the Aurora carry dogs"."""


def _second(asked: str, start: int, end: int) -> int | None:
    """Return where the second thing is named between ``start`` and ``end``, after the subject."""
    first = _FIRST_WORD.match(asked, start, end)
    opened = first.end() if first else start
    found = [each.start() for each in NAMES_SOMETHING.finditer(asked, opened, end)]
    named = named_in(asked)
    found += [name.start for name in named if opened < name.start < end]
    found += [
        done.start("object")
        for name in named
        if start <= name.start < opened and (done := _DONE.match(asked, name.end, end))
    ]
    return min(found, default=None)


def object_of(asked: str) -> tuple[int, int] | None:
    """Return where ``asked`` says what is done something to: "Who teaches the choir?"."""
    aux = FIRST_AUX.search(asked)
    if aux and aux[0].strip().lower() not in _COPULAS and not _ASKS_FOR_SUBJECT.match(asked):
        end = _clause_end(asked, aux.end())
        second = _second(asked, aux.end(), end)
        if second is not None:
            return second, second + len(asked[second:end].rstrip())
    done = _OBJECT.search(asked)
    return done.span("object") if done and done["object"] else None


def with_complement(asked: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with what closes the question and belongs to it: "the fee for students"."""
    belongs = _COMPLEMENT.match(asked, end)
    return start, belongs.end() if belongs else end


def quality_of(how: str, noun: str, word: str) -> str:
    """Return what ``how`` asks of a ``noun`` or the size of, to be asked about by another ``word``.

    " so long" of "how long", to ask why it is; nothing of what has no "how" or no size.
    """
    asks, _, size = how.partition(" ")
    if asks.lower() != "how" or not size:
        return ""
    return f" so {size}{noun}" if word.lower() == "why" else noun
