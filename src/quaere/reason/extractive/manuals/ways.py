"""Tells whether a sentence says how something is done, or only speaks of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from quaere.reason.extractive.answer_fit import ANYHOW, instructs, tells_means
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import DEED, last_question
from quaere.text.facts import negation
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.synonyms import everyday_words, forms_of, related_words
from quaere.text.tokens import stem, terms, words

LOOSE: Final = 5
"""Words that are not asked for in what leads in to a command, from which it may be of anything."""
REACH: Final = 5
"""Words from a deed to what it is done to, at most: "change the old administrator password"."""

_ASKS: Final = lazy_regex(
    r"(?i)\W*(?:how|where) (?:(?:do|can|could|should|may|must|would) (?:i|we|you|one)|to)"
    rf" {DEED} (?P<thing>[^?,;]+)"
)
_ADDS: Final = word_set(
    """
    about after at before by for from if in into of on onto over so that to under using via when
    where whether which while who with without
    """
)
"""What comes after the thing that the deed is done to: "the password of a user"."""
_CLAUSES: Final = lazy_regex(r"[.,;:!?()\[\]\"“”`]+(?:\s|$)|\s[(\[`\"“]+")
_TELLS: Final = lazy_regex(
    r"(?i)\b(?:by|can|command|could|flag|follow|(?:have|has) to|if|let|may|must|needs?|option"
    r"|please|should|steps?|through|used?|using|via|we|with|you)\b|`|(?<!\w)--?\w"
)
"""What a sentence has that tells a way: who may or must do what, or by what it is done."""
_TOLD_TO: Final = word_set(
    """
    add adjust apply ask attach bake boil bring build buy call change check choose clean click close
    connect contact copy create cut delete dial disable dissolve download drag drain drop edit email
    enable ensure enter export fill find fit fold follow give go grind hang heat hold import include
    insert install keep leave lift load log look lower make mark mix mount move name open order pass
    pay phone pick place pour press print pull push put raise read register remove rename repeat
    replace reset restart rinse run save scroll select send set shut sign slide soak specify start
    stop store submit switch take tap tell tick tie tighten touch try turn twist type unplug unscrew
    update upload use visit wait wash wipe write
    """
)
"""Words that begin a sentence which tells somebody to do something."""
_LABEL: Final = lazy_regex(r"\W{0,4}`(?!-)[^`\n]{1,80}`\s*:")
"""A name that is explained: "`cassette.py`: keeps what services answer"."""
_TYPED: Final = lazy_regex(r"(?<=[a-z] )`[^`]+`")
"""Code that something may be done to: "`gully` searches `.tape`"."""
_CODE: Final = lazy_regex(r"Usage:|`[^`]+`$")
"""A line that is nothing but code."""
_BE: Final = word_set("am are be been being gets is was were")
_IT: Final = word_set("it one some that them these this those")


class Way(NamedTuple):
    """What a question asks how to do."""

    deed: str
    """As it is asked, in small letters."""
    thing: str
    """The stem of what it is done to; empty where that is not said."""
    details: frozenset[str]
    """Stems of how, where or with what: "with pip"."""

    @property
    def meant(self) -> frozenset[str]:
        """Stems of the words that say the deed."""
        others = (*everyday_words(self.deed), *related_words(self.deed))
        return forms_of(self.deed).union(map(stem, others))


def asked_way(question: str) -> Way | None:
    """Return what ``question`` asks how to do; None where it asks something else. English alone."""
    asks = in_english(_ASKS.match, last_question(question))
    if asks is None:
        return None
    said = words(asks["thing"])
    thing = list(takewhile(lambda word: word not in _ADDS, said))
    details = frozenset(terms(" ".join(said[len(thing) :])))
    return Way(asks["done"].casefold(), "".join(terms(" ".join(thing))[-1:]), details)


def tells_no_way(question: str, line: Line) -> bool:
    """Return whether ``question`` asks how to do something, and ``line`` only speaks of it.

    "A new password will not change this" does not tell how to change the password, for nothing is
    done to it; "It keeps answers to replay a run" tells nobody what to do. English alone.
    """
    asked = last_question(question)
    way = asked_way(asked)
    if way is None or line.columns or _tells_plainly(asked, line.text):
        return False
    return not _tells_to_do(line.text) or _is_of_other_deed(way, line)


def is_told_loosely(question: str, lines: Sequence[Line], pool: Pool) -> bool:
    """Return whether it is asked how to do something, and ``lines`` may be of another thing.

    They do not say, nor do the headings over them, that the deed is done to the thing: they have
    the deed besides, or code after many words that are not asked. "--limit: check at most so many
    files" does not tell for sure how to check a repository. Or it is asked how to do it without
    another thing, and no line denies that. Steps are judged by what heads them.
    """
    way = asked_way(question)
    if way is None or _are_steps(lines):
        return False
    said = [line.text for line in lines if not line.is_block]
    told = [*said, *pool.headings_over(lines[0]).splitlines()]
    if negation(question).denies and not any(negation(each).denies for each in told):
        return True
    return not _is_told(way, question, told) and (
        _has_deed(way, frozenset(terms(" ".join(said))))
        or (_is_code(lines) and _unasked(question, said) > LOOSE)
    )


def _are_steps(lines: Sequence[Line]) -> bool:
    return len(lines) > 1 and all(line.listed for line in lines)


def _is_code(lines: Sequence[Line]) -> bool:
    return any(line.is_block or _CODE.match(line.text) for line in lines)


def _unasked(question: str, said: Sequence[str]) -> int:
    return len(frozenset(terms(" ".join(said))) - frozenset(terms(question)))


def _is_told(way: Way, question: str, told: Sequence[str]) -> bool:
    return any(_says(way, each) or _tells_plainly(question, each) for each in told)


def _has_deed(way: Way, told: frozenset[str]) -> bool:
    """Whether ``told`` has a word for the deed, if other words do not tell it as well."""
    return way.deed not in ANYHOW and way.thing != "" and not way.meant.isdisjoint(told)


def _says(way: Way, told: str) -> bool:
    if way.thing:
        return says_done(way, _TYPED.sub(" it ", told))
    return not way.details.isdisjoint(terms(told))


def _tells_plainly(asked: str, told: str) -> bool:
    return tells_means(asked, told) or instructs(asked, told)


def _tells_to_do(told: str) -> bool:
    said = _LABEL.sub("", told)
    is_told_to = not _TOLD_TO.isdisjoint(words(said[:40])[:1])
    return is_told_to or _TELLS.search(said) is not None


def _is_of_other_deed(way: Way, line: Line) -> bool:
    """Whether ``line`` has the deed, but does not say that it is done to the thing."""
    return _has_deed(way, line.terms) and not says_done(way, line.text)


def says_done(way: Way, told: str) -> bool:
    """Return whether ``told`` says that the deed is done to the thing, or to "it"."""
    meant = way.meant
    for said in map(words, filter(None, _CLAUSES.split(told))):
        at = [place for place, word in enumerate(said) if stem(word) in meant]
        if any(_is_done(place, way.thing, said) for place in at):
            return True
    return False


def _is_done(deed: int, thing: str, said: Sequence[str]) -> bool:
    """Whether the word of ``said`` at ``deed`` has ``thing`` after it, or "it".

    Or before it, as in "the password is changed".
    """
    after = list(takewhile(lambda word: word not in _ADDS, said[deed + 1 : deed + 1 + REACH]))
    is_active = not said[deed].endswith("ed")  # of "the stopped run" nobody says how to stop it
    if is_active and (not _IT.isdisjoint(after[:1]) or thing in map(stem, after)):
        return True
    before = said[max(0, deed - REACH) : deed]
    stems = list(map(stem, before))
    return thing in stems and not _BE.isdisjoint(before[stems.index(thing) :])
