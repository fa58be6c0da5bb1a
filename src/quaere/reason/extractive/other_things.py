"""Whether a line says of another thing what is asked of one. English alone.

"The car park closes at 11" does not tell when the festival closes, whatever the page is called, nor
"The chapel was built by Owen Tudor" who built the mill.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from quaere.reason.extractive.dimensions import thing_measured
from quaere.reason.extractive.line_context import points_back
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.dates import dates
from quaere.text.languages.language import cached_by_language, in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.synonyms import everyday_words, forms_of
from quaere.text.tokens import stem, terms, words

_THING = r"(?:(?:the|an?|our|your|my|this|each|every) )?(?P<thing>[a-z-]+(?: [a-z0-9-]+){0,2})"
_PARTICIPLES = "kept|found|held|hung|hidden|put|sold|built"
_ASKS = lazy_regex(
    r"(?i)\W*(?:(?:at|from|on|until|by) )?"
    r"(?:when|where|(?:what|which) (?:time|days?)|how (?:much|long|often|many [a-z]+)"
    r"|what(?= (?:do|does|did|will) .*\b(?:cost|weigh|measure)\W*\Z))"
    rf" (?:(?P<is>is|are|was|were)|do|does|did|will|can|must) {_THING}"
    rf" (?P<deed>(?(is)(?:[a-z]+ed|open|shut|due|{_PARTICIPLES})|[a-z]+))\W*\Z"
)
"""Asks when, where, or for how much, one thing does something: nothing else is said."""
_ASKS_DOER = lazy_regex(
    rf"(?i)\W*who (?!(?:am|is|are|was|were|can|may|must|has|had|does|did|will)\b)(?P<deed>[a-z]+)"
    rf" {_THING}\W*\Z"
)
"""Asks who did something to one thing."""
_ASKS_WHETHER = lazy_regex(
    rf"(?i)\W*(?:was|were) {_THING} (?P<deed>[a-z]+ed|{_PARTICIPLES}|rebuilt|made)\b"
)
"""Asks whether something was done to one thing."""
_PASSIVE = lazy_regex(r"(?i)\b(?:is|are|was|were|be|been|being)(?: [a-z]+ly)?\s*\Z")
_CLAUSE = lazy_regex(r"[.:](?!\d)|[,;!?()|]|\b(?:and|but|or|which|that|who|when|if|while)\b")
_PART = lazy_regex(r"[.:](?!\d)|[;!?()|]")
_WORD = lazy_regex(r"[a-zA-Z]+")
_PRONOUN = lazy_regex(r"(?i)\b(?:it|we|they|he|she|you|i)\s*\Z")
_ARTICLE = lazy_regex(r"(?i)\W*(?:the|a|an|our|its)\s*")
_IT = lazy_regex(r"(?i)\W*(?:it|they)\s*\Z")
_OPENING = lazy_regex(r"\A\s*(?:\w+(?= [a-z])|\w+(?:ing|[a-rt-z]s)(?=\s*\Z))")
"""A first word that has a capital for being the first: "Swimming starts", "The car park closes"."""


_ASKS_DAY_OF_DEED = lazy_regex(
    rf"(?i)\W*(?:when|(?:in )?(?:what|which) year) (?:was|were) [^?,;]*?"
    rf"\b(?P<deed>[a-z]+ed|{_PARTICIPLES}|rebuilt|laid|made)\W*\Z"
)
_NEXT_DEED = lazy_regex(r"(?i),?\s(?:and|but|then)\s(?=(?:(?:was|were|had|has|is|then)\s)?[a-z]+)")


def dates_another_deed(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` has no date but of another deed than ``question`` asks about.

    "The mill burned down in 1811 and was rebuilt by Hask" does not tell when it was rebuilt. A date
    at its beginning is of all that it tells. English alone.
    """
    asked = _ASKS_DAY_OF_DEED.match(last_question(question)) if is_english() else None
    first, *others = _NEXT_DEED.split(sentence)
    if asked is None or not others:
        return False
    deeds, told = forms_of(asked["deed"].casefold()), dates(sentence)
    is_of_later = any(deeds & frozenset(terms(other)) for other in others)
    if not told or not is_of_later or deeds & frozenset(terms(first)):
        return False
    return _DEED_BEFORE.search(sentence[: told[0].start]) is not None and told[-1].end <= len(first)


_DEED_BEFORE = lazy_regex(r"(?i)\b(?:was|were|had|[a-z]{3,}ed|burnt|fell|sank|began|opened)\b")


class _Asked(NamedTuple):
    """Of what it is asked when or for how much it does something, or who does it to that."""

    things: frozenset[str]
    """Stems of words for it."""
    deeds: frozenset[str]
    """Stems of words for what it does, or for what is done to it."""
    of_doer: bool
    """Whether it is asked who does that."""


@cached_by_language(maxsize=64)
def _asked(question: str) -> _Asked | None:
    text = last_question(question) if is_english() else ""
    doer = _ASKS_DOER.match(text)
    asks = doer or _ASKS.match(text) or _ASKS_WHETHER.match(text)
    if asks is None or not (own := frozenset(terms(asks["thing"]))):
        return None
    also = (stem(other) for word in words(asks["thing"]) for other in everyday_words(word))
    done = asks["deed"].casefold()
    deeds = forms_of(done).union(map(stem, everyday_words(done)))
    return _Asked(own.union(also), deeds, doer is not None)


def is_of_another_thing(
    question: str,
    sentence: str,
    holds: Callable[[str], bool],
    pointed_to: frozenset[str] = frozenset(),
    over: frozenset[str] = frozenset(),
    before: frozenset[str] = frozenset(),
) -> bool:
    """Return whether ``sentence`` says of another thing what ``question`` asks of one.

    Where the sources have no word for that one, the other may be what they call it; and who has a
    name may be what is described. On a page about a mill "the building" is the mill.

    Args:
        question: What is asked.
        sentence: A line of the sources.
        holds: Whether the sources have a word of that stem.
        pointed_to: Stems of what a pronoun at its beginning stands for, where that is known.
        over: Stems of the title and the headings over it.
        before: Stems of the line before it, of which "the price" is, where that names no thing.
    """
    if _measures_another(question, sentence, holds, pointed_to, over):
        return True
    asked = _asked(question)
    if asked is None or not any(map(holds, asked.things)):
        return False
    if asked.of_doer:
        done_to = [] if asked.things & over else list(_done_to(sentence, asked.deeds))
        return bool(done_to) and all(
            _is_another(each, asked.things, pointed_to) for each in done_to
        )
    doers = list(_doers(sentence, asked.deeds))
    if doers and all(map(_ARTICLE.fullmatch, doers)):
        return bool(before) and asked.things.isdisjoint(before | over)
    return bool(doers) and all(_is_another(doer, asked.things, pointed_to) for doer in doers)


_ASKS_MEASURE = lazy_regex(
    rf"(?i)\W*how (?P<how>deep|long|tall|high|wide|thick|heavy|old|fast|big|large)"
    rf" (?:is|are|was|were) {_THING}\W*\Z"
)


_BESIDE = lazy_regex(r"(?i)\s(?:above|around|at|behind|below|beside|in|near|on|under)\s")
_IS = lazy_regex(r"(?i)\s(?:is|are|was|were)\s")
_HAS = lazy_regex(
    r"(?i)\s(?:is|are|was|were|has|have|had|weighs?|covers?|holds?|stands?|rises?|measures?|lasts?"
    r"|reaches|grows?)\b"
)
"""Says of what is before it how large it is."""
_PAUSE = lazy_regex(r"[.,;]")
_ANY_THING = lazy_regex(
    r"(?i)\b(?:building|structure|site|place|thing|object|device|unit|model|product|machine|vehicle"
    r"|whole|total)\b"
)
"""May be what a page is about, by whatever name it calls that."""


def _measures_another(
    question: str,
    sentence: str,
    holds: Callable[[str], bool],
    known: frozenset[str],
    over: frozenset[str],
) -> bool:
    """Whether ``sentence`` says of another thing how deep or how long it is.

    "The water is six metres deep" does not tell how deep the pier is. What has a name, and a page
    of its own, may be called by any word there: "the phone".
    """
    asked = _ASKS_MEASURE.match(last_question(question)) if is_english() else None
    thing = asked["thing"] if asked else thing_measured(last_question(question))
    if not (things := frozenset(terms(thing))) or not any(map(holds, things)):
        return False
    is_titled = things <= over and bool(names(thing))
    if is_titled or things & known.union(terms(sentence)):
        return False
    subjects = (_subject(clause, asked and asked["how"]) for clause in _PAUSE.split(sentence))
    told = next(filter(None, subjects), "")
    return not _ANY_THING.search(told) and _is_another(told, things, frozenset())


def _subject(clause: str, how: str | None) -> str:
    """Return of what ``clause`` says that it is so deep, or is or has anything; else nothing.

    Args:
        clause: A part of a sentence between two marks.
        how: The adjective that it has to be said with; None for any dimension.
    """
    said, end = _HAS, len(clause)
    if how is not None:
        with_adjective = list(re.finditer(rf"(?i)\b{how}\b", clause))
        said, end = _IS, with_adjective[-1].start() if with_adjective else 0
    verb = said.search(clause, 0, end)
    return _BESIDE.split(clause[: verb.start()], maxsplit=1)[0] if verb else ""


def _doers(sentence: str, deeds: frozenset[str]) -> Iterator[str]:
    """Yield what each clause of ``sentence`` says before a word of ``deeds``.

    Of "The bath opens at 5 and closes at 9" the second clause is read with the one before it, as is
    "it closes at 9", and "which was built in 1884" with what it is said of.
    """
    before = ""
    for said_of, clause in _clauses(sentence):
        if (deed := _deed_in(clause, deeds)) is not None:
            doer = f"{said_of}{clause[: deed.start()]}"
            yield before if not doer.strip() or (before and _IT.match(doer)) else doer
        before = clause


def _clauses(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield each clause of ``sentence``, a relative one after what it is said of."""
    start, said_of = 0, ""
    for mark in _CLAUSE.finditer(sentence):
        yield said_of, sentence[start : mark.start()]
        is_relative = mark[0].casefold() in {"which", "that", "who"}
        said_of = _antecedent(sentence[: mark.start()]) if is_relative else ""
        start = mark.end()
    yield said_of, sentence[start:]


_NEAR_CHARS = 300
"""Characters before a relative clause in which it is told what that is about."""
_ANTECEDENT = lazy_regex(
    r"(?i)\b(?:is|are|was|were|has|have|had|stands?|lies?|shares?|uses?)\b[^,;]*"
    r"\b(?:in|of|by|at|on|near|to|from|with|beside|behind|above|below|under|inside)\s(?P<what>[^,;]+)\Z"
)


def _antecedent(before: str) -> str:
    """Return the thing at the end of ``before``, after a verb and a preposition; else nothing.

    It is in "the town hall" of "The library is housed in the town hall, which".
    """
    found = _ANTECEDENT.search(before[-_NEAR_CHARS:].rstrip(" ,"))
    return found["what"] if found else ""


def _done_to(sentence: str, deeds: frozenset[str]) -> Iterator[str]:
    """Yield that to which each part of ``sentence`` says that one of ``deeds`` was done.

    It comes before "was built", and after "built".
    """
    for part in _PART.split(sentence):
        places = [word for word in _WORD.finditer(part) if stem(word[0].casefold()) in deeds]
        undergone = (_PASSIVE.search(part, 0, deed.start()) for deed in places)
        if passive := next(filter(None, undergone), None):
            yield part[: passive.start()]
        elif places and part[places[0].end() :].strip():
            yield part[places[0].end() :].rstrip()


def _deed_in(clause: str, deeds: frozenset[str]) -> re.Match[str] | None:
    """Return the first word of ``clause`` that is one of ``deeds``."""
    found = (word for word in _WORD.finditer(clause) if stem(word[0].casefold()) in deeds)
    return next(found, None)


def _is_another(doer: str, things: frozenset[str], pointed_to: frozenset[str]) -> bool:
    """Whether ``doer`` is a thing in plain words, none of ``things``.

    Of a pronoun that is what it stands for, if that is known.
    """
    if _PRONOUN.search(doer):
        return bool(pointed_to) and _IT.match(doer) is not None and pointed_to.isdisjoint(things)
    said = frozenset(terms(doer))
    plain = _OPENING.sub(lambda first: first[0].casefold(), doer)
    return bool(said) and said.isdisjoint(things) and not names(plain)


def is_below_another(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is in the section of one thing, and ``question`` names another.

    "Its battery can be taken out" below "Nimbo" is not about the Torva, which has a section of
    its own. A section is of a thing if the line speaks of that, or the title of both. English
    alone.
    """
    text = last_question(question)
    nearest = frozenset(terms(pool.headings_over(line).rpartition("\n")[2]))
    if not is_english() or not nearest or not nearest.isdisjoint(terms(text)):
        return False
    said, titled = line.terms | line.over, pool.title_terms[line.owner]
    named = [each for name in names(text) if (each := frozenset(terms(name.text)))]
    if any(not each.isdisjoint(said) for each in named):
        return False
    is_of_section = nearest <= line.terms | line.led
    return any(
        name <= other.terms and (is_of_section or nearest | name <= titled)
        for name in named
        for other in _headings_of_page(line, pool)
    )


def _headings_of_page(line: Line, pool: Pool) -> list[Line]:
    page = pool.passages[line.owner].url
    headings = (each for each in pool.lines if each.heading)
    return [each for each in headings if pool.passages[each.owner].url == page]


_IN_CONTRAST = lazy_regex(r"(?i)\W*(?:by|in) (?:comparison|contrast)\b")


def is_in_contrast(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` sets another thing against the one that ``question`` is about.

    "By comparison, the old pump weighs 80 kg", on the page of another. English alone.
    """
    if not is_english() or _IN_CONTRAST.match(line.text) is None:
        return False
    thing = pool.title_terms[line.owner] & frozenset(terms(last_question(question)))
    return bool(thing) and line.terms.isdisjoint(thing)


def is_of_other_model(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is about another of several that share the first word of their names.

    What is said of the Aria 2 is not said of the Aria Pro. English alone.
    """
    if not is_english():
        return False
    before = (
        pool.lines_of[line.owner][line.place - 1 : line.place] if points_back(line.text) else ()
    )
    told = " ".join((*(each.text for each in before), line.text))
    said = line.over.union(terms(told))
    for name in names(last_question(question)):
        first, *others = name.text.split()
        other = re.search(rf"\b{re.escape(first)} (?:[A-Z]\w*|\d+)\b", told)
        if others and other and said.isdisjoint(terms(" ".join(others))):
            return True
    return False


_SEVERAL = lazy_regex(
    r"(?i)\W*(?:can|could|may|do|does|are|will|should|must)\s"
    r"(?:several|many|multiple|other|two|three|more than one)\s(?P<things>[a-z]+)\b"
)


def lacks_several(line: Line, text: str, pool: Pool) -> bool:
    """Return whether ``text`` asks of several of a thing, for which ``line`` has no word.

    "Two servers share a store" does not say that several users can. English alone.
    """
    asked = in_english(_SEVERAL.match, text)
    if asked is None:
        return False
    said = line.terms | pool.over(line) | pool.file_terms(line)
    return forms_of(asked["things"]).isdisjoint(said)
