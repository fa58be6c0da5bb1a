"""Reads a question as it was meant, in the words that the sources have.

A slip of the keyboard is corrected where it is all that is wrong, and a verb of two words is read
as the one that sources have: who throws away what they delete.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from quaere.ports.search import TermStatistics
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import is_kind
from quaere.text.dates import dates
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import IRREGULAR, other_spellings, related_words
from quaere.text.tokens import Token, is_stop_word, stem, terms, tokenize, words

SHORTEST = 6
"""Letters of a word that is respelled, at least: of shorter ones too many are a slip apart, among
them the pairs of letters that are the words of scripts without spaces."""
_ASKING = {
    "wich": "which", "whcih": "which", "whihc": "which", "wihch": "which", "whitch": "which",
    "waht": "what", "hwat": "what", "whta": "what", "wath": "what", "whats": "what is",
    "hwo": "how", "hwow": "how", "hoe": "how", "wehn": "when", "whne": "when", "hwen": "when",
    "wher": "where", "whre": "where", "wheer": "where", "hwy": "why", "whos": "who is",
}  # fmt: skip
"""What a question begins with, as it is often typed."""
_FIRST = lazy_regex(r"\W*(?P<word>[A-Za-z]+)(?=\s)")


def as_meant(question: str, pool: Pool, statistics: TermStatistics | None = None) -> str:
    """Return ``question`` with words spelled as the sources do, which they have not as it is typed.

    A word is respelled where the sources have one alone that differs by a letter too few or too
    many, by two letters that changed places, or by marks on letters that were left out.

    Args:
        question: What was asked.
        pool: The evidence, read.
        statistics: How common words are in what was searched.
    """
    text = _FIRST.sub(_asking, question, count=1) if is_english() else question
    found = [
        (token.start, token.end, meant)
        for token in tokenize(text)
        if (meant := _respelled(token.text, pool, statistics))
    ]
    for start, end, meant in reversed(found):
        text = f"{text[:start]}{meant}{text[end:]}"
    return text


def as_written(question: str, statistics: TermStatistics) -> str:
    """Return ``question`` in the spelling of what is searched: British or American.

    A word is changed that is not there as it is asked, and is in the other spelling.
    """
    if not is_english():
        return question
    text = question
    for token in reversed(tokenize(question)):
        word = token.text.casefold()
        if is_stop_word(word) or statistics.document_share(word) > 0:
            continue
        others = (other for other in other_spellings(word) if statistics.document_share(other) > 0)
        if other := next(others, None):
            text = f"{text[: token.start]}{other}{text[token.end :]}"
    return text


def _asking(found: re.Match[str]) -> str:
    typed = found["word"]
    meant = _ASKING.get(typed.casefold())
    if meant is None:
        return found[0]
    spelled = meant.capitalize() if typed[0].isupper() else meant
    return f"{found[0][: -len(typed)]}{spelled}"


def _respelled(word: str, pool: Pool, statistics: TermStatistics | None) -> str | None:
    """Return the word of the sources that ``word`` is a slip of; None where that is not clear."""
    typed = word.casefold()
    if not _may_be_slip(typed) or _is_known(typed, pool, statistics):
        return None
    meant = sorted({said for said in _words(pool, typed[0]) if is_slip(typed, said)})
    return meant[0] if len({stem(said) for said in meant}) == 1 else None


def _may_be_slip(typed: str) -> bool:
    """Return whether ``typed`` is a long word that tells something, and no code or number.

    One that is known to be akin to others is spelled as it is meant: "country" is not a slip for
    "county".
    """
    is_spelled = is_stop_word(typed) or related_words(typed) or is_kind(typed)
    return typed.isalpha() and len(typed) >= SHORTEST and not is_spelled


def _is_known(typed: str, pool: Pool, statistics: TermStatistics | None) -> bool:
    """Return whether the sources, or all that is searched, have ``typed`` or a word akin to it."""
    if any(pool.holds(stem(word)) for word in (typed, *related_words(typed))):
        return True
    return statistics is not None and statistics.document_share(typed) > 0


def _words(pool: Pool, initial: str) -> Iterable[str]:
    return (said for line in pool.lines for said in line.flat.split() if said.startswith(initial))


def _is_near(typed: str, meant: str) -> bool:
    return abs(len(typed) - len(meant)) <= 1 and meant.isalpha() and typed != meant


def is_slip(typed: str, meant: str) -> bool:
    """Return whether ``typed`` is ``meant`` but for one letter more or less, or two swapped."""
    if not _is_near(typed, meant):
        return False
    if _plain(typed) == _plain(meant):
        return True
    if len(typed) == len(meant):
        return any(_swapped(typed, at) == meant for at, _ in enumerate(pairwise(typed)))
    shorter, longer = sorted((typed, meant), key=len)
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def _plain(word: str) -> str:
    """Return ``word`` without the marks on its letters: "dialogo" for "diálogo"."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _swapped(word: str, at: int) -> str:
    return f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"


APART = 3
"""Words that may be between a verb and its particle: "slow the download down"."""
_TOGETHER = frozenset({"in", "on", "for", "into", "after", "public", "by"})
"""Particles that stand right after their verb; elsewhere they are prepositions."""
_JOINED = frozenset({"up", "down", "in", "out", "off", "back", "over"})
"""Particles that are written together with a verb where the two name a thing: "a lookup"."""
_NOT_BEFORE = frozenset({"to", "from"})
"""What makes a preposition of what would be a particle: "go back to March"."""
_VERBS: Final = """
back up: backup, break down: fail, bring back: restore, call off: cancel, carry on: continue, clear
out: delete remove, come out: release publish, cut down: reduce, cut off: disconnect terminate, fill
in: complete, fill out: complete, find out: determine discover, get back: restore recover refund,
get rid: delete remove dispose discard, give back: return refund, go down: decrease decline, go
public: IPO initial_public_offering listing, go up: increase, hand in: submit, leave out: omit
exclude, look after: maintain, look up: search, pay back: repay refund reimburse, pick up: collect,
put off: postpone defer, run out: expire, send back: return, send in: submit, set up: configure
install establish, shut down: stop close, sign up: register enrol subscribe, slow down: limit
throttle delay, speed up: accelerate, switch off: disable, switch on: enable, take away: revoke
remove withdraw, take back: revoke withdraw return, take out: remove withdraw, throw away: delete
discard dispose remove, throw out: discard dispose remove, turn off: disable, turn on: enable, work
out: calculate
"""
"""By verb and particle, what sources call it, the most particular first."""
SAID = 0.5
"""Share of the other words of a question that a line with its verb of two words has, at least, for
that verb to be the one of the sources."""


_CALLED: Final = (
    (
        lazy_regex(r"(?i)\b(?P<asked>at the same time|at once|side by side)\W*$"),
        "parallel",
        frozenset[str](),
    ),
    (
        lazy_regex(r"(?i)\b(?P<asked>(?:head|main|central) office)\b"),
        "headquarters",
        frozenset[str](),
    ),
    (
        lazy_regex(r"(?i)\W*(?:when|(?:in )?(?:what|which) year)\b.*\b(?P<asked>founded)\b"),
        "incorporated",
        frozenset(map(stem, ("founder", "established"))),
    ),
)
"""What firms are asked about, the word of those that do not use that one, and stems with which a
year may tell it as well. Who founded a firm is not asked by whom it was incorporated."""
_WHERE_BASED = lazy_regex(r"(?i)\W*where\s+(?:is|are|was|were)\b.*\b(?P<based>based)\W*$")
_BASE: Final = "headquarters"
"""What a firm calls the place where it is based; "based on" says something else."""

_WHOM = lazy_regex(
    r"(?i)\W*whom?\s+(?:do|can|could|should|must)\s+(?:i|we|you|one)\s+(?:ask|contact|see"
    r"|(?:talk|speak|turn|write|go)\s+to)\s+(?:about|for|with|regarding)\s+(?P<matter>\S.*)"
)
_TO_ASK = frozenset(
    map(stem, ("ask", "contact", "question", "enquiry", "write", "call", "talk", "speak", "turn"))
)
"""Stems by which sources tell themselves whom to ask."""


@cache
def _verbs() -> Mapping[tuple[str, str], tuple[str, ...]]:
    entries = (each.split(":") for each in " ".join(_VERBS.split()).split(", "))
    pairs = ((phrase.split(), said.split()) for phrase, said in entries)
    spaced = ((phrase, [each.replace("_", " ") for each in said]) for phrase, said in pairs)
    return {(stem(verb), particle): tuple(said) for (verb, particle), said in spaced}


@cache
def _first_forms() -> Mapping[str, str]:
    groups = (group.split() for group in IRREGULAR.split(","))
    return {form: stem(first) for first, *others in groups for form in others}


_ASKS_HOW = lazy_regex(r"(?i)\W*how (?:do|can|could|should|would) (?:i|we|you|one) \S+ \S+")
_PURPOSE = lazy_regex(r"(?i),? so (?:that )?(?:it|they|he|she|i|we|you|nobody|no one|the) ")


_EXAMPLE = lazy_regex(r"(?i),? (?:such as|for example|e\.g\.) (?=[^\s?]+(?: or [^\s?]+)?\W*\Z)")


def without_purpose(question: str) -> str:
    """Return ``question`` without what for one would do what it asks how to do, or an example.

    "How do I block a key so that it stops working?" asks how a key is blocked. English alone.
    """
    asks = _ASKS_HOW.match(question) if is_english() else None
    if asks is None:
        return question
    purpose = _PURPOSE.search(question, asks.end()) or _EXAMPLE.search(question, asks.end())
    if purpose is None or "?" in question[purpose.end() :].rstrip("? "):
        return question
    return f"{question[: purpose.start()]}?"


def in_one_word(question: str, pool: Pool, statistics: TermStatistics | None = None) -> str:
    """Return ``question`` with verbs of two words as the one word that the sources have for them.

    "How do I throw away old logs?" asks how one deletes them where the sources delete. One that a
    line of the pool has, with half of the question, stays, as does one for which the
    sources have no other word. "Try again" is "retry" where they have that. Whom one asks about a
    thing is who is responsible for it, unless a line says whom to ask. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
        statistics: How common words are in what was searched.
    """
    if not is_english():
        return question
    if other := _otherwise(question, pool, statistics):
        return other
    tokens = tokenize(question)
    for at in range(len(tokens) - 2, -1, -1):
        found = _particle(question, tokens, at)
        if found is None or _is_said(question, tokens[at], tokens[found[0]], pool):
            continue
        if other := next((each for each in found[1] if _has(each, pool, statistics)), None):
            verb, particle = tokens[at], tokens[found[0]]
            rest = question[verb.end : particle.start].rstrip() + question[particle.end :]
            question = f"{question[: verb.start]}{other}{rest}"
            tokens = tokenize(question)
    return question


def _otherwise(question: str, pool: Pool, statistics: TermStatistics | None) -> str:
    """Return ``question`` as sources put it where they say another thing for it; else nothing."""
    for asked, called, others in _CALLED:
        found = asked.search(question)
        if found is None or any(e.terms & others and any(dates(e.text)) for e in pool.lines):
            continue
        if _is_called(called, found["asked"], pool, statistics):
            return f"{question[: found.start('asked')]}{called}{question[found.end('asked') :]}"
    based = _WHERE_BASED.match(question)
    if based and _has(_BASE, pool, statistics):
        return f"{question[: based.start('based')]}{_BASE}{question[based.end('based') :]}"
    whom = _WHOM.match(question)
    if whom and not _tells_whom(frozenset(terms(whom["matter"])), pool):
        return f"Who is responsible for {whom['matter']}"
    return ""


def _is_called(word: str, asked: str, pool: Pool, statistics: TermStatistics | None) -> bool:
    """Whether sources have ``word``, and no line of ``pool`` what was ``asked`` in other words."""
    phrase = f" {' '.join(words(asked))} "
    return _has(word, pool, statistics) and not any(phrase in f" {e.flat} " for e in pool.lines)


def _tells_whom(matter: frozenset[str], pool: Pool) -> bool:
    """Whether a line speaks of the ``matter`` and of asking."""
    return any(
        not (line.terms.isdisjoint(matter) or line.terms.isdisjoint(_TO_ASK)) for line in pool.lines
    )


def _particle(text: str, tokens: Sequence[Token], at: int) -> tuple[int, tuple[str, ...]] | None:
    """Return where the particle of the verb at ``at`` is, and what else the two are called."""
    verb = tokens[at].text.casefold()
    form = _first_forms().get(verb, stem(verb))
    for place in range(at + 1, min(at + 2 + APART, len(tokens))):
        if any(mark in text[tokens[place - 1].end : tokens[place].start] for mark in ",;:("):
            return None
        particle = tokens[place].text.casefold()
        after = [token.text.casefold() for token in tokens[place + 1 : place + 2]]
        if (place > at + 1 and particle in _TOGETHER) or not _NOT_BEFORE.isdisjoint(after):
            continue
        if particle == "again":
            return place, (f"re{verb}",)
        said = _verbs().get((form, particle), ())
        if said or particle in _JOINED:
            return place, (f"{form}{particle}", *said)
    return None


def _is_said(question: str, verb: Token, particle: Token, pool: Pool) -> bool:
    """Whether a line of ``pool`` has the verb with its particle, and much of what is asked."""
    form, small = stem(verb.text.casefold()), particle.text.casefold()
    besides = frozenset(terms(question)) - {form, stem(small)}
    return any(
        len(line.terms & besides) >= SAID * len(besides)
        and _has_phrase(words(line.text), form, small)
        for line in pool.lines
        if f" {small} " in f" {line.flat} "
    )


def _has_phrase(said: Sequence[str], form: str, particle: str) -> bool:
    places = (at for at, word in enumerate(said) if word == particle)
    return any(form in map(stem, said[max(0, at - 1 - APART) : at]) for at in places)


def _has(word: str, pool: Pool, statistics: TermStatistics | None) -> bool:
    """Whether the sources, or all that is searched, have all of ``word``."""
    return all(
        pool.holds(stem(each)) or (statistics is not None and statistics.document_share(each) > 0)
        for each in words(word)
    )
