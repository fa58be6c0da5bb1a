"""Tells whether a sentence denies, or leaves open, what a question asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from quaere.reason.extractive.contrary import fails_with
from quaere.reason.extractive.line_context import denied_by_itself
from quaere.text.facts import negation
from quaere.text.languages.language import Language, in_english, is_english, language_in_use
from quaere.text.languages.ruled import ruled_together
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MAY
from quaere.text.numbers import numbers
from quaere.text.synonyms import forms_of
from quaere.text.tokens import is_stop_word, stem, terms, words

WITHOUT_EFFECT = lazy_regex(
    r"(?i)\b(?:no (?:significant|statistical\w*|differences?|association|evidence|effect|benefit"
    r"|correlation|relationship)|not (?:\w+ly )?(?:significant|associated|differ\w*|affect\w*"
    r"|improve\w*|increase\w*|reduce\w*|correlated|related)|(?:fail|lack)(?:s|ed)? (?:to|of)"
    r"|unlikely|remains? (?:unclear|unknown|controversial))\b"
)
_CLAUSE = lazy_regex(r"[,;，；]")
_CLAUSE_ELSEWHERE = lazy_regex(r"[,;:，；：]|(?:が|けれど|けれども)、")
_PARTLY = lazy_regex(
    r"(?i)\bnot (?:always|completely|entirely|fully|necessarily|quite|strictly|totally|wholly)\b"
)
"""Denies a part alone: neither a yes nor a no."""
NEEDS = lazy_regex(
    r"(?i)\b(?:needs?|needed|requires?|required|must|necessary|mandatory|depends? on|only with)\b"
)
OPTIONAL = lazy_regex(r"(?i)\boptional(?:ly)?\b|\b(?:can|may) be left out\b")
"""Denies a need."""
_PAYS = lazy_regex(r"(?i)\b(?:pay|paid|costs?|charged?|fees?)\b")
_SPARES = lazy_regex(
    r"(?i)\b(?:free(?! (?:up|from|on|to|space)\b)|exempt|included|(?:for|costs?) nothing|gratis"
    r"|(?:no|without)(?: (?:extra|further|additional))? (?:charge|cost|fee)s?)\b"
)
"""Denies that something must be paid for."""
_FREE = lazy_regex(r"(?i)\b(?:free|gratis)\b")
_COVERS = lazy_regex(r"(?i)\b(?:covers?|covered|includes?|included|insured)\b")
_EXCLUDES = lazy_regex(
    r"(?i)\b(?:excluded|excludes?|exclusions?"
    r"|(?:is|are|costs?|charged|billed|paid) (?:extra|separately))\b"
)
_WITHIN = lazy_regex(r"(?i)\b(?:part of|within|in) the (?:price|fare|fee|rent|rate|cost)\b")
"""Covers as well."""
_NEEDLESS = ((NEEDS, OPTIONAL), (_PAYS, _SPARES), (_COVERS, _EXCLUDES))
"""How a question asks for a need or a right, and what says that there is none."""
_LEAVE = lazy_regex(
    r"(?i)\b(?:allow(?:ed)?|permit(?:ted)?|ok(?:ay)?|possible|forbidden|prohibited|banned)\b"
)
_ALLOWS = lazy_regex(
    rf"(?i)\b(?:allow(?:ed)?|permit(?:ted)?|welcome|admitted|accepted|{MAY}|can)\b"
)
_BUT = lazy_regex(r",?\s(?:but|while|whereas)\s")
_PART = lazy_regex(r"[;,]\s|\s(?:but|while|whereas)\s")
_NOT_SO = lazy_regex(r"(?i)(?:but |and )?(?:not|never)\b")
_RULES = lazy_regex(
    rf"(?i)\b(?:{MAY}|can|cannot|can['’]t|must(?: not|n['’]t)|allow(?:ed)?|permit(?:ted)?|welcome"
    r"|admitted|accepted|rejected|refused|forbidden|prohibited|banned|only)\b"
)
"""How a question asks what one may do, and how a rule says it."""
_ASKS_LEAVE = lazy_regex(
    r"(?i)\W*(?:(?:can|could|may|must|should) (?:i|we|you|one|my|our)\b"
    r"|(?:do|does|will|would) [^?]*\b(?:have|need) to\b|(?:am|are|is) [^?]*\b"
    r"(?:allowed|permitted|ok(?:ay)?|forbidden|prohibited)\b)"
)
_IS_ALLOWED = lazy_regex(
    r"(?i)\W*(?:am|are|is)\b(?! it\b)[^?]*\b(?:allowed|permitted|ok(?:ay)?)\b(?! to\b)"
)
_MAYBE = lazy_regex(r"(?i)\b(?:might|maybe|perhaps|sometimes|optionally|depending on)\b")
_MAY, _ASKS_MAY = lazy_regex(rf"\b{MAY}\b"), lazy_regex(r"(?i)\W*may\b")
REJECTS = lazy_regex(
    r"(?i)\b(?:proposals?|requests?|motions?|applications?|suggestions?|ideas?|petitions?)\b[^.;]*"
    r"\b(?:was|were|been|is) (?:\w+ly )?(?:rejected|refused|turned down|dropped|withdrawn|defeated"
    r"|declined|dismissed|voted down)\b"
)
"""Takes with it what was asked for: "A request to fish there was refused"."""
_NO_THING = lazy_regex(
    r"(?i)\bno(?! (?:more|less|longer|later|fewer|earlier|sooner) than\b)"
    r"(?P<things>(?: (?!is\b|are\b|was\b|were\b|and\b|but\b)[\w-]+){1,5})"
)
"""What there is none of, and what is done no longer."""
_NOT_LET = r"(?:\b(?:may|must|can|shall) (?:not|never)\b|\b(?:cannot|can['’]t|mustn['’]t)\b)"
_MAY_NOT = lazy_regex(rf"(?i){_NOT_LET}")
_BARS = lazy_regex(rf"(?i)(?<!\bwho )(?<!\bthat )(?<!\bwhich ){_NOT_LET}")
"""The same, but not of those alone of whom it is said: "those who cannot swim"."""
_FORBIDS = lazy_regex(
    r"(?i)\b(?:forbidden|prohibited|banned|disallowed|ruled out|impossible|unsupported"
    r"|unsuitable|(?:should|must|to) be avoided|excluded from|stays? (?:at home|outside))\b"
)
_MAY_BE = """
    permit permitted allowed possible supported available welcome included covered admitted eligible
    entitled suitable meant intended recommended advised advisable designed accepted
"""
_LICENSED = frozenset(map(stem, _MAY_BE.split()))
"""Stems of what is denied where something may not be: "it is not permitted for guests"."""
_NOBODY_MAY = lazy_regex(r"(?i)\b(?:neither|none|nobody|no one) (?:may|must|can|shall)\b")
_ON = lazy_regex(
    r"(?i)\b(?:(?:turned|switched) on|on by default|enabled|activated)\b|\b(?:is|are) on\W*$"
    r"|^\W*(?:is|are) .*\bon\W*$"
)
_OFF = lazy_regex(
    r"(?i)\b(?:(?:turned|switched) off|off by default|disabled|deactivated)\b|\b(?:is|are) off\W*$"
    r"|^\W*(?:is|are) .*\boff\W*$"
)
"""How a question or a sentence says that something is in use, or is not."""
_BY_DEFAULT = lazy_regex(r"(?i)\b(?:on|off|enabled|disabled|activated|deactivated) by default\b")
_OPEN = lazy_regex(r"(?i)\b(?:is|are|was|were|stays?|remains?)\b[^,;]*\bopen\b")
_CLOSED = lazy_regex(r"(?i)\b(?:is|are|was|were|stays?|remains?)\b[^,;]*\b(?:closed|shut)\b")
_SAYS_STATE = "enabled activated disabled deactivated turned switched open closed shut"
_STATES = frozenset(map(stem, _SAYS_STATE.split()))
_EITHER_WAY = lazy_regex(r"(?i)\bwhether or not\b|\bor not\b|\[no-?\]")
"""Says neither yes nor no."""
_LETS = lazy_regex(r"(?i)\b(?:be )?(?:allowed|able|permitted|supposed) to\b")
"""Who is not allowed to sail does not sail."""


def asks_leave(text: str) -> bool:
    """Return whether ``text`` asks what one may or must do, in English."""
    return is_english() and _ASKS_LEAVE.match(text) is not None


def is_maybe(said: str, text: str) -> bool:
    """Return whether ``said`` leaves open whether something is so, and ``text`` asks nothing else.

    Where one asks for leave, "may" gives it.
    """
    if _MAYBE.search(text) or _MAY.search(text) or _ASKS_MAY.match(text):
        return False
    return bool(_MAYBE.search(said)) or (bool(_MAY.search(said)) and not asks_leave(text))


def is_told_of(word: str, said: str) -> bool:
    """Return whether ``said`` speaks of what ``word`` of a question asks, without having it.

    What is optional is not needed, what is free is not paid for, and what may be is allowed.
    """
    if (language := language_in_use()) is not None:
        return language.rules.is_told_of(word, said)
    pairs = (*_NEEDLESS, (_LEAVE, _RULES), (_FREE, _SPARES), (_COVERS, _WITHIN))
    return any(asks.fullmatch(word) and tells.search(said) for asks, tells in pairs)


FEWEST_SAID = 2
"""Words that have to be said of what several share, at least."""


def asks_by_rule(text: str, said: str) -> bool:
    """Return whether ``text`` asks enough of a rule that ``said`` tells of, beyond English.

    "Must one book rides?" asks of two words, and whether one must.
    """
    language = language_in_use()
    if language is None or not language.rules.are_of_one(text, said):
        return False
    return len(frozenset(terms(language.rules.bare(text)))) >= FEWEST_SAID


_INQUIRE = (
    r"(?:address|analy[sz]|assess|ask|clarif|compar|determin|establish|evaluat|examin|explor"
    r"|identif|investigat|learn|measur|review|stud|test|verif)(?:e?[sd]?|ing|y|ie[sd])"
)
_STUDY = r"(?:study|stud(?:y|ies)|paper|article|research|work|trial|survey|review|analysis|we|I)"
_POSES = lazy_regex(
    rf"(?i)^\W*(?:[a-z]+: ?)?to (?:\w+ly )?{_INQUIRE}\b[^,;]*$"
    rf"|\b(?:{_INQUIRE}|know[ns]?|see|unclear|unknown|uncertain|question\w*|debated)\b[^.;,]{{0,60}}"
    r"\bwhether\b"
    r"|^\W*(?:choose|control|decide|define|determine|indicate|select|set|specif(?:y|ie))s? "
    r"(?:if|whether)\b"
    r"|\b(?:undecided|open|not (?:yet )?(?:been )?(?:agreed|decided|settled))(?: yet)? whether\b"
    r"|\b(?:aim(?:s|ed)?|purpose|objectives?|goals?|sought|set out|designed|undertaken|conducted)\b"
    rf"[^.;,]{{0,60}}\bto (?:\w+ly )?(?:{_INQUIRE}|show)\b"
    rf"|\b{_STUDY} (?:\w+ly )?{_INQUIRE}\b(?! that\b)(?![^.;]{{0,200}}(?:[:,]| and) "
    r"(?:[a-z]+ ){0,2}(?:is|are|was|were|has|have|had)\b)"
    r"|\blittle (?:is|was) known\b|\b(?:is|are|was|were|remains?) (?:largely |still )?(?:unknown"
    r"|unclear|uncertain|not known)\b|\b(?:limited|conflicting|scarce) (?:data|evidence)\b"
)
"""Sets out to learn something, says that it is not known, or that a setting decides it."""
_FINDS = lazy_regex(
    r"(?i)\b(?:found|show(?:ed|s|n)|reveal(?:ed|s)|observed|demonstrated|concluded|confirmed"
    r"|significantly)\b"
)
_ASKS_OF_KNOWLEDGE = lazy_regex(
    rf"(?i)\b(?:know[ns]?|unknown|unclear|clear|certain|whether|{_INQUIRE})\b"
)


def poses(said: str, text: str) -> bool:
    """Return whether ``said`` asks what ``text`` asks and tells nothing, in English.

    "To examine whether oak floats" does, as "We compared oak and elm" and "It is not known whether
    oak floats" do; a question of who examined or knows something is answered by such a line.
    """
    if not is_english() or not _POSES.search(said) or _FINDS.search(said):
        return False
    return not _ASKS_OF_KNOWLEDGE.search(text)


_OTHERS = lazy_regex(r"(?i)\bnon-(\w+)")


def is_of_others(said: str, text: str) -> bool:
    """Whether ``said`` is of all but what ``text`` names alone: "non-members" of "members"."""
    named = frozenset(terms(_OTHERS.sub(" ", text))).difference(terms(_OTHERS.sub(" ", said)))
    return any(stem(found[1].casefold()) in named for found in _OTHERS.finditer(said))


_INTENDED = lazy_regex(
    r"(?i)(?<!\bthat )(?<!\bwho )"
    r"\b(?:ask|consider|discuss|hope|intend|offer|plan|propos|recommend|request|suggest|urge|want)"
    r"(?:e?[sd]?|ned|als?)\s+(?:to|that|whether|for|[a-z]+ing)\b"
)


def is_meant_only(said: str, text: str) -> bool:
    """Return whether ``said`` tells what somebody meant, and ``text`` asks what was done."""
    return _INTENDED.search(said) is not None and _INTENDED.search(text) is None


def leaves_open(said: str, text: str) -> bool:
    """Whether ``said`` is about a part, a plan, or another amount: "over 7" leaves 3 open."""
    partly = _PARTLY.search(said) is not None and not _PARTLY.search(text)
    return partly or _is_planned(said, text) or not _values(text) <= _values(said)


_PLANNED = lazy_regex(r"(?i)\b(?:planned|proposed|under (?:construction|discussion)|being built)\b")
_IS_NOW = lazy_regex(r"(?i)\W*(?:is|are|do|does|has|have|can)\b")


def _is_planned(said: str, text: str) -> bool:
    """Whether ``said`` has some of what ``text`` asks of today only in a clause on what is planned.

    "It has a kitchen; a shower is planned" does not say that it has a shower.
    """
    if not _PLANNED.search(said) or _PLANNED.search(text) or not _IS_NOW.match(text):
        return False
    asked, planned, now = frozenset(terms(text)), set[str](), set[str]()
    for clause in _CLAUSES.split(said):
        told = planned if _PLANNED.search(clause) else now
        told.update(asked.intersection(terms(clause)))
    return not planned <= now


def _values(text: str) -> frozenset[Decimal]:
    return frozenset(number.value for number in numbers(text))


def settles_denial(said: str, text: str) -> bool:
    """Return whether ``said`` can answer a question that denies something, as "without a key" does.

    One that merely has its words leaves it open: "it takes the best model" does not say "no" to
    "can it be used without a model?", and "it needs a model" does.
    """
    return bool(denies_of(said, text)) or NEEDS.search(said) is not None


_ASKS_WHAT = lazy_regex(r"(?i)\W*(?:which|what|who)\s")


def lacks_denial(said: str, text: str) -> bool:
    """Return whether ``text`` asks what is not so or without something, and ``said`` is positive.

    "A key opens the hall" does not tell which rooms can be used without a key. English alone.
    """
    asks = in_english(_ASKS_WHAT.match, text) is not None and is_negative(text)
    return asks and not (is_negative(said) or settles_denial(said, text))


def _forbids(said: str) -> bool:
    """Whether ``said`` forbids something or denies that it may be."""
    denied = negation(said).denied
    forbidding = (found[0].casefold() for found in _FORBIDS.finditer(said))
    return any(stem(word) not in denied for word in forbidding) or bool(denied & _LICENSED)


_OTHER_IS_NOT = lazy_regex(
    r"(?i),\s(?:but|while|whereas)\s(?P<other>[^,;]{1,80}?)\s(?:is|are|was|were|do|does|did|has|have"
    r"|can|may|must|will)(?:\snot|n['’]t)\W*$"
)


def _without_other(said: str, text: str) -> str:
    """Return ``said`` without the clause that denies the same of another thing than ``text`` names.

    "The pump is loud, but the fan is not" denies nothing of the pump.
    """
    ends = _OTHER_IS_NOT.search(said)
    is_other = ends is not None and not frozenset(words(ends["other"])) <= frozenset(words(text))
    return said[: ends.start()] if ends and is_other else said


def denies_of(said: str, text: str) -> bool | None:
    """Return whether ``said`` denies something that ``text`` asks of; None where it does both."""
    if (language := language_in_use()) is not None:
        return _denies_by_clause(language, said, text)
    said = _without_other(said, text)
    if (told := _denies_leave(said, text)) is not None:
        return told
    if _is_needless(said, text):
        return True
    if any(forbids(said) and not forbids(text) for forbids in (_forbids, REJECTS.search)):
        return True
    if _may_not(said, text) or not frozenset(terms(denied_by_itself(said))).isdisjoint(terms(text)):
        return True
    bare = _EITHER_WAY.sub(" ", _LETS.sub(" ", _NOBODY_MAY.sub("not", said)))
    denied = negation(bare).denied | _lacked(bare)
    if any({state(said), state(text)} == {True, False} for state in (_is_on, _is_open)):
        return denied.isdisjoint(_STATES)
    denied &= frozenset[str]().union(*map(forms_of, words(text)))
    if denied or WITHOUT_EFFECT.search(said) or _is_not_for(said, text):
        return True
    return None if _denies_otherwise(bare, text) else False


_NOT_FOR = lazy_regex(
    r"(?i)(?:\bnot|n['’]t) (?:appl(?:y|icable)|available|extend|hold) (?:to|for) (?P<whom>[^,.;:]+)"
)


def _is_not_for(said: str, text: str) -> bool:
    """Whether ``said`` excepts those of whom ``text`` asks: "This does not apply to members".

    Or a thing fails with them.
    """
    found = _NOT_FOR.search(said)
    if found is None:
        return fails_with(said, text)
    return not frozenset(terms(found["whom"])).isdisjoint(terms(text))


def _is_needless(said: str, text: str) -> bool:
    """Whether ``said`` spares one what ``text`` asks of: "seniors need not pay"."""
    about = _telling_of(said, text)
    return any(
        asks.search(text) and spares.search(about) and not spares.search(text)
        for asks, spares in _NEEDLESS
    )


def _denies_leave(said: str, text: str) -> bool | None:
    """Return the same where ``text`` asks whether something is allowed, or is forbidden.

    What is allowed is not forbidden. None where the part of ``said`` about it tells neither.
    """
    wanted = frozenset(terms(_LEAVE.sub(" ", text)))
    if not _LEAVE.search(text) or not wanted:
        return None
    lets = _lets(_most_about(wanted, said))
    if wanted <= frozenset(terms(denied_by_itself(said))) or excepts(said, text):
        lets = False
    return None if lets is None else lets is (_FORBIDS.search(text) is not None)


def excepts(said: str, text: str) -> bool:
    """Return whether ``said`` denies more of what ``text`` asks in a part that begins with "not".

    "Ball games are allowed in the yard but not in the hall" forbids them in the hall.
    """
    wanted = frozenset(terms(_LEAVE.sub(" ", text)))
    part = _most_about(wanted, said)
    more = wanted - frozenset(terms(part))
    after = (each for each in _PART.split(said) if each != part and _NOT_SO.match(each))
    return any(not more.isdisjoint(terms(each)) for each in after)


def _lets(part: str) -> bool | None:
    """Return whether ``part`` allows what it is about; None where it does not tell."""
    if _forbids(part) or _BARS.search(part):
        return False
    return True if _ALLOWS.search(part) or _FORBIDS.search(part) else None


def _most_about(wanted: frozenset[str], said: str) -> str:
    """Return the part of ``said`` with most of the stems ``wanted``, the first of several."""
    return max(_PART.split(said), key=lambda part: len(wanted & frozenset(terms(part))))


def _telling_of(said: str, text: str) -> str:
    """Return those parts of ``said``, between semicolons, with the first word of ``text`` in any.

    "Half board is included; drinks are extra" tells different things about the two. Of what "but"
    sets apart, the side with more of ``text``: "You get in free, but pay for the sauna".
    """
    parts = said.split(";")
    told = frozenset(terms(said))
    first = next(filter(told.__contains__, terms(text)), None)
    about = ";".join(part for part in parts if first in (None, *terms(part)))
    return max(_BUT.split(about), key=lambda part: len(frozenset(terms(text)) & {*terms(part)}))


def _lacked(said: str) -> frozenset[str]:
    """Return the stems of what ``said`` says there is none of, as in "no bus stop"."""
    found = (terms(none["things"]) for none in _NO_THING.finditer(said))
    return frozenset[str]().union(*found)


def _may_not(said: str, text: str) -> bool:
    """Whether ``text`` asks of a thing alone whether it is allowed, and ``said`` what may not be.

    "Skates may not be worn" forbids skates.
    """
    asked = frozenset(terms(text))
    clauses = (clause for clause in _CLAUSE.split(said) if _MAY_NOT.search(clause))
    is_of_thing = _IS_ALLOWED.match(text) is not None
    return is_of_thing and any(not asked.isdisjoint(terms(clause)) for clause in clauses)


def _denies_otherwise(said: str, text: str) -> bool:
    """Whether a clause of ``said`` without which it says less of ``text`` tells what may not be.

    That is in other words than those of the question, which it may deny as well: "Mondays are for
    meetings and cannot be chosen as home days", asked whether one works from home on Mondays.
    """
    asked = frozenset(terms(text))
    shared = [(c, asked & frozenset(terms(c))) for c in _CLAUSE.split(said)]
    allowed = frozenset[str]().union(*(each for clause, each in shared if not _BARS.search(clause)))
    return any(not each <= allowed for _, each in shared)


def _is_open(text: str) -> bool | None:
    """Return whether ``text`` says that something is open; None where it says neither, or both."""
    is_open, is_closed = _OPEN.search(text) is not None, _CLOSED.search(text) is not None
    return is_open if is_open is not is_closed else None


def _is_on(text: str) -> bool | None:
    """Return whether ``text`` says that something is on; None where it says neither, or both."""
    by_default = _BY_DEFAULT.search(text)
    told = by_default[0] if by_default else text
    on, off = _ON.search(told) is not None, _OFF.search(told) is not None
    return on if on is not off else None


def _denies_by_clause(language: Language, said: str, text: str) -> bool | None:
    """Return the same by the clause that has most words of ``text``, of several the earliest.

    Unless one says no more than that a thing is not: "Water is included, electricity not". None
    as well where one says that it is so of some, and the contrary of others.
    """
    asked = _asked_words(language, text)
    clauses = ruled_together(language, _CLAUSE_ELSEWHERE.split(said))
    left_out = (_is_left_out(language, clause, asked) for clause in clauses)
    if len(clauses) > 1 and any(left_out):
        return True
    turned = language.rules.are_contrary(said, text)
    telling = _telling(language, asked, clauses)
    if any(_is_torn(language, clause, text) for clause in telling):
        return None
    found = {_says_not(language, clause, text, turned=turned) for clause in telling}
    return found.pop() if len(found) == 1 else None


def _is_torn(language: Language, clause: str, text: str) -> bool:
    """Whether ``clause`` affirms what ``text`` asks as well as its contrary: each of some alone."""
    denied = re.search(f"(?i){language.denies}", clause) is not None
    return not denied and language.rules.tells_both(clause, text)


def _asked_words(language: Language, text: str) -> dict[str, str]:
    """Return the words of ``text`` that say something, by their stems.

    Those after a preposition come last: they tell of where or when it is asked.
    """
    asked = {stem(word): word for word in words(text) if not is_stop_word(word)}
    if (follows := language.following) is None:
        return asked
    small = rf"(?:{follows.prepositions})\s(?:(?:{follows.articles})\s)?"
    placed = {
        stem(word) for found in re.findall(rf"(?i)\b{small}(\w+)", text) for word in words(found)
    }
    first = {term: word for term, word in asked.items() if term not in placed}
    return first | asked


def _telling(language: Language, asked: Mapping[str, str], clauses: Iterable[str]) -> list[str]:
    """Return the ``clauses`` that have most of ``asked``; those alone with its earliest words."""
    shared = [(_shared(language, asked, clause), clause) for clause in clauses]
    _, most = max((sum(told), told) for told, _ in shared)
    return [clause for told, clause in shared if told == most]


def _shared(language: Language, asked: Mapping[str, str], clause: str) -> tuple[bool, ...]:
    """Return which of ``asked``, words by their stems, ``clause`` tells, if by another word."""
    said = frozenset(terms(clause))
    return tuple(
        term in said or language.rules.is_told_of(word, clause) for term, word in asked.items()
    )


def _is_left_out(language: Language, clause: str, asked: Iterable[str]) -> bool:
    """Whether ``clause`` has no other words than ``asked`` and a denial, after "but" or at its end.

    What must or may be is more than a denial.
    """
    denied = re.search(rf"(?i)(?:{language.denies})\W*$", clause)
    if language.rules.bare(clause) != clause or not (
        denied or re.match(rf"(?i)\W*(?:{language.but})\W*(?:{language.denies})", clause)
    ):
        return False
    rest = re.sub(rf"(?i){language.denies}|{language.but}", " ", clause)
    said = frozenset(terms(rest))
    return bool(said) and said <= frozenset(asked)


def _says_not(language: Language, clause: str, text: str, *, turned: bool) -> bool:
    """Whether ``clause`` denies what ``text`` asks, or says the contrary, but not both.

    What it leaves unsaid, the rest may tell: "The car park, not free, ...". Where that is the
    contrary, it is ``turned``.
    """
    if language.rules.are_of_one(clause, text):
        turned = language.rules.are_contrary(clause, text)
    return (_denies(language, clause) + _lacks_what(language, clause, text) + turned) % 2 == 1


def _lacks_what(language: Language, clause: str, text: str) -> bool:
    """Whether ``clause`` says of what ``text`` asks that something is so without it.

    Or without what ``text`` asks to do without.
    """
    lacking = re.search(f"(?i){language.without}", clause)
    if lacking is None or re.search(f"(?i){language.without}", text):
        return lacking is not None
    return not frozenset(terms(clause[lacking.end() :])[:1]).isdisjoint(terms(text))


def _denies(language: Language, text: str) -> bool:
    """Whether ``text`` holds a denial, other than of what it is without."""
    text = re.sub(f"(?i){language.without}", " ", text)
    if language.rules.forbids(text):
        marked = re.sub(f"(?i){language.rules.may_not}", "§", text)
        return re.search(rf"(?i)(?:{language.denies})\W+(?:\w+\W+){{0,2}}§", marked) is None
    return re.search(f"(?i){language.denies}", language.rules.bare(text)) is not None


def is_negative(text: str) -> bool:
    """Return whether ``text`` holds a denial; what is "not forbidden" is denied twice."""
    language = language_in_use()
    if language is None:
        return negation(text).denies
    is_without = re.search(f"(?i){language.without}", text) is not None
    return _denies(language, text) is not is_without


_ASKS_WHICH = lazy_regex(
    r"(?i)\W*(?:which|what)\s+(?!(?:is|are|was|were|do|does|did|has|have|can)\b)\w"
)
_ASKS_WHERE = lazy_regex(r"(?i)\W*where\s")
_CLAUSES = lazy_regex(r"[,;:]\s+|\s(?:and|but)\s")
_EXCEPTS = lazy_regex(r"(?i)\b(?:only|except|than|but|nothing|none|any)\b")


def denies_which(said: str, text: str) -> bool:
    """Return whether ``said`` tells which is not so, where ``text`` asks which is, in English.

    "It does not run on rails" says little to "Which roads does it run on?", nor "Prams may not
    be left in the hall" to "Where do prams go?".
    """
    asks_where = _ASKS_WHERE.match(text) is not None
    asks = is_english() and (asks_where or _ASKS_WHICH.match(text))
    if not asks or _EXCEPTS.search(said):
        return False
    asked = frozenset(terms(text))
    clauses = [clause for clause in _CLAUSES.split(said) if not asked.isdisjoint(terms(clause))]
    if negation(text).denies or not all(negation(clause).denies for clause in clauses):
        return False
    return asks_where or denies_of(said, text) is True
