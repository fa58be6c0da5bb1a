"""Tells whether a sentence says how something is done, or only speaks of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quaere.reason.extractive.answer_fit import ANYHOW, instructs, tells_means
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import DEED, last_question
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.synonyms import everyday_words, forms_of
from quaere.text.tokens import stem, terms, words

REACH: Final = 6
"""Words from a deed to what it is done to, at most: "change the old administrator password"."""

_ASKS: Final = lazy_regex(
    r"(?i)\W*(?:how|where) (?:(?:do|can|could|should|may|must|would) (?:i|we|you|one)|to)"
    rf" {DEED} (?P<thing>[^?,;]+)"
)
_ADDS: Final = lazy_regex(
    r"(?i)\s(?:about|after|at|before|by|for|from|if|in|into|of|on|onto|over|so|that|to|under|using"
    r"|via|when|while|with|without)\s"
)
"""What comes after the thing that the deed is done to: "the password of a user"."""
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
_BE: Final = word_set("am are be been being gets is was were")
_IT: Final = word_set("it one some that them these this those")


def tells_no_way(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``question`` asks how to do something, and ``line`` only speaks of it.

    "A new password will not change this" does not tell how to change the password, for nothing is
    done to it; "It keeps answers to replay a run" tells nobody what to do. What is done may be said
    over the line. English alone.
    """
    asked = last_question(question)
    deed, thing = done_to(asked)
    if not deed or line.columns or _tells_plainly(asked, line.text):
        return False
    return not _tells_to_do(line.text) or _is_of_other_deed(deed, thing, line, pool)


def done_to(question: str) -> tuple[str, str]:
    """Return the deed that ``question`` asks how to do, and the stem of what it is done to.

    Both are empty where it asks no such thing. English alone.
    """
    asks = in_english(_ASKS.match, last_question(question))
    if asks is None:
        return "", ""
    thing = terms(_ADDS.split(asks["thing"])[0])
    return asks["done"].casefold(), thing[-1] if thing else ""


def _tells_plainly(asked: str, told: str) -> bool:
    return tells_means(asked, told) or instructs(asked, told)


def _tells_to_do(told: str) -> bool:
    said = _LABEL.sub("", told)
    is_told_to = not _TOLD_TO.isdisjoint(words(said[:40])[:1])
    return is_told_to or _TELLS.search(said) is not None


def _is_of_other_deed(deed: str, thing: str, line: Line, pool: Pool) -> bool:
    """Whether ``line`` has ``deed``, but does not say that it is done to ``thing``."""
    meant = forms_of(deed).union(map(stem, everyday_words(deed)))
    if deed in ANYHOW or not thing or meant & pool.over(line):
        return False
    said = words(line.text)
    stems = list(map(stem, said))
    at = [place for place, each in enumerate(stems) if each in meant]
    things = [place for place, each in enumerate(stems) if each == thing]
    return bool(at) and not any(_is_done(place, things, said) for place in at)


def _is_done(deed: int, things: Sequence[int], said: Sequence[str]) -> bool:
    """Whether the word of ``said`` at ``deed`` has one of ``things`` after it, or "it".

    Or before it, as in "the password is changed".
    """
    is_active = any(deed < thing <= deed + REACH for thing in things)
    is_passive = any(
        deed - REACH <= thing < deed and not _BE.isdisjoint(said[thing:deed]) for thing in things
    )
    return is_active or is_passive or not _IT.isdisjoint(said[deed + 1 : deed + 3])
