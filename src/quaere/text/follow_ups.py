"""Makes a follow-up whole from what was asked and answered before, where it is clear how.

"And in 2022?" repeats the last question with another year, "Why did it fall?" asks about its
subject, "Where?" puts another question word before it. Each earlier question is made whole first,
so that "And the manager?" still knows of the office that was named two turns before. What is not
clear is left to `quaere.text.queries.left_unsaid`. English only, but for figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from quaere.domain.question import AnswerForm, Turn
from quaere.text.languages.language import language_of
from quaere.text.lazy_regex import lazy_regex
from quaere.text.queries import MAX_READ_CHARS, leans
from quaere.text.tokens import is_stop_word, words

_LONG: Final = 120
"""Characters from which a question says all that it is about."""
_OPENING = lazy_regex(
    r"(?i)^\W*(?:(?:thanks|thank you|ok|okay|no|sorry)\b\W{1,5})?"
    r"(?:and(?: what about)?|but|what about|how about|i meant?|und|et|¿?\s?y|e)\s"
)
_ASKS = lazy_regex(
    r"(?i)^(?:who|whom|whose|when|where|what|which|why|how|is|are|was|were|do|does|did|has|have|had"
    r"|can|could|may|must|will|would|should)\b"
)
_TOLD = lazy_regex(r"(?i)^(?P<of>[^:?]{1,80}): (?P<asked>(?:who|when|where|what|which|how)\b.*)$")
"""A question after what it is about, as it is put here."""
_FIGURE = lazy_regex(r"(?<![\w.,-])(?:\d{1,4}\.\d{1,4}(?:\.\d{1,4})?|[12]\d{3})(?![\w,-]|\.\d)")
"""A year or a version."""
_PREPOSITION = (
    r"of|in|on|at|for|from|by|with|to|per|during|after|before|until|under|between|through"
)
_AT_PREPOSITION = lazy_regex(rf"(?i)^(?:{_PREPOSITION})\b")
_BEST = lazy_regex(r"(?i)^(?:the )?((?:most|least) \w{1,30}|\w{2,30}est|last|latest)$")
_IN_BEST = lazy_regex(r"(?i)\b(?<=the )(?:(?:most|least) \w{1,30}|\w{2,30}est)\b")
_BARE = lazy_regex(r"(?i)^(when|where|why|how|who)(?: (?:is|was|did) that)?$")
_SAYS_NOTHING = lazy_regex(
    r"(?i)^\W*(?:(?:and|but|so|thanks|thank you|ok|okay)\b\W*)*(?:why(?: not)?)?\W*$|^is that\b"
)
"""Asks for the reason of an answer, or whether it was understood: what was asked stays."""
_IN_FORM = lazy_regex(
    r"(?i)^\W{0,5}(?:(?:and|now|please|can you|could you|make|put|show|give|say|write|tell|me|it"
    r"|that|this|them|all)\s){0,6}"
    r"(?:(?:as|in|into) (?:a )?(?:(?P<table>table)|(?P<list>list|bullet points))"
    r"|(?P<short>shorter|briefly|in short|in brief|in a sentence|in one sentence)"
    r"|(?P<report>longer|in more detail|in detail))(?:,? please)?\W{0,5}$"
)
_AFTER_WORD = lazy_regex(r"(?i)^(?:when|where|why|how)(?= (?:is|are|was|were|do|does|did|can)\b)")
_AUXILIARY = lazy_regex(
    r"(?i)\b(?P<do>do|does|did|can|could|may|must|will|should)\s|\b(?:is|are|was|were)\s"
)
_END = lazy_regex(
    rf"(?i)\s(?:(?!of\b)(?:{_PREPOSITION})|be|get|not|and|or|if|when|than|as|it|them|that|you|i)\b"
    r"|[?,;]|$"
)
_PREDICATE = lazy_regex(
    r"\s(?:[a-z]{2,30}ed|open|closed|free|built|born|made|sold|held|kept|paid|sent|taken|given"
    r"|written|frozen|broken|chosen)$"
)
_NO_SUBJECT = lazy_regex(
    r"(?i)^(?:(?:i|you|we|they|he|she|it|this|that|there|these|those|one|someone)\b"
    r"|the (?:most|least|\w+est)\b|\w+ed\b)"
)
_ARTICLE = lazy_regex(r"(?i)^(?:the|a|an|my|your|our|this|that)$")
_NAME = lazy_regex(r"\b(?!I\b)[A-Z][\w-]*(?: (?:[A-Z][\w-]*|\d[\d.]*\d))*")
_OF_SOMETHING = lazy_regex(
    r"(?i)^(?:what|who|which|when|where) (?:is|are|was|were) the (?!most|least)"
)
_IT = lazy_regex(
    r"(?i)\b(?:it|they|them|he|she|him|(?<=is )that|(?<=was )that|(?<=does )that)\b(?!['’])"
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_ORDINAL = lazy_regex(
    rf"(?i)\bthe ({'|'.join(_ORDINALS)}|last)(?: one)?(?=\W*$|\s(?:do|mean|cost))"
)
_CITED = lazy_regex(r"\s?\[\d{1,4}\](?:\s?\[\d{1,4}\])*\.?\s*")


def understood(conversation: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return ``conversation`` with each question as it was meant by those before it."""
    turns, asked, answered = list[Turn](), "", ""
    for turn in conversation:
        said = turn.question[:MAX_READ_CHARS].strip()
        if not asked or not _SAYS_NOTHING.search(said):
            asked = _whole(said, asked, answered) or said
        answered = turn.answer[:MAX_READ_CHARS]
        turns.append(Turn(question=asked, answer=answered))
    return tuple(turns)


def meant(text: str, turns: Sequence[Turn]) -> str:
    """Return the whole question that ``text`` stands for; empty where that is not clear.

    Args:
        text: What is asked.
        turns: What was asked and answered before, as `understood` returns it.
    """
    return _whole(text, turns[-1].question, turns[-1].answer) if turns else ""


def form_asked(text: str) -> AnswerForm | None:
    """Return the form in which ``text`` asks for the last answer again, if that is all it asks."""
    wanted = _IN_FORM.match(text)
    return next((form for form in AnswerForm if wanted and wanted[form.value]), None)


def _whole(text: str, asked: str, answered: str) -> str:
    """Return ``text`` made whole from the last question and its answer, or nothing."""
    if not asked or len(text) > _LONG or len(asked) > 2 * _LONG:
        return ""
    if form_asked(text):
        return asked
    opened = _OPENING.match(text)
    rest = text[opened.end() if opened else 0 :].strip(" ?!.¿")
    if opened and (figures := _other_figure(rest, asked)):
        return figures
    if language_of(text) or language_of(asked):
        return ""
    if bare := _BARE.match(rest):
        return (
            _AFTER_WORD.sub(bare[1].capitalize(), asked, count=1)
            if _AFTER_WORD.match(asked)
            else ""
        )
    if opened and not _ASKS.match(rest):
        return _repeated(rest, asked) if rest else ""
    return _pointed(rest, asked, answered) if leans(text) or _is_of_something(rest) else ""


def _other_figure(rest: str, asked: str) -> str:
    """Return ``asked`` of the other year or version that is all of ``rest``."""
    new, old = _FIGURE.findall(rest), _FIGURE.findall(asked)
    if len(new) != 1 or len(rest.split()) > 3:
        return ""
    if len(old) == 1 and old[0].count(".") == new[0].count("."):
        return asked.replace(old[0], new[0])
    return ""


def _repeated(rest: str, asked: str) -> str:
    """Return ``asked`` with ``rest`` in place of what is like it there."""
    if told := _TOLD.match(asked):  # asked of something that was named before: that changes
        return f"{re.sub(r'^(?:of|for|in|at) ', '', rest)}: {told['asked']}"
    if _AT_PREPOSITION.match(rest):
        word = rest.split(maxsplit=1)[0]
        like = re.search(rf"(?i)\b{word}\b[^?]*", asked)
        return asked.replace(like[0], rest) if like else f"{asked.rstrip(' ?')} {rest}?"
    if best := _BEST.match(rest):
        return _of_degree(best[1], asked)
    for like in _alike(rest, asked):
        return asked.replace(like, rest, 1)
    return ""


def _alike(rest: str, asked: str) -> Iterator[str]:
    """Yield what of ``asked`` may change places with ``rest``, the likeliest first.

    What ends in the same word ("the Graz office", "the Linz office"), a name for a name, or
    the subject.
    """
    last = re.escape(rest.rsplit(maxsplit=1)[-1]) if rest else "(?!)"
    if same := re.search(rf"(?i)\b(?:the |a |an )?(?:[\w-]{{1,40}} )?{last}\b", asked):
        yield same[0]
    found = _NAME.findall(asked, 1)
    if _NAME.fullmatch(rest) and len(found) == 1:
        yield found[0]
    if subject := _subject(asked):
        yield subject.split(" of ")[0]


def _of_degree(best: str, asked: str) -> str:
    """Return ``asked`` of the thing that is ``best`` among its like ("the cheapest")."""
    if _IN_BEST.search(asked):
        return _IN_BEST.sub(best, asked, count=1)
    of_kind = _subject(asked).split(" of ")[0].split()
    if len(of_kind) < 3 or not _ARTICLE.match(of_kind[0]):
        return ""
    return f"Which {of_kind[-1]} is the {best}?"


def _pointed(rest: str, asked: str, answered: str) -> str:
    """Return ``rest`` with what its pronoun or ordinal stands for, or after what it is about."""
    if ordinal := _ORDINAL.search(rest):
        item = _item(ordinal[1].lower(), answered)
        return f"{rest[: ordinal.start()]}{item}{rest[ordinal.end() :]}?" if item else ""
    subject = _subject(asked) or _answer(asked, answered)
    if not subject:
        return ""
    pronoun = _IT.search(rest)
    if pronoun is None:
        return f"{subject}: {rest}?" if _is_of_something(rest) else ""
    if pronoun[0].lower() in {"it", "he", "she", "him"}:
        subject = _single(subject)
    return f"{rest[: pronoun.start()]}{subject}{rest[pronoun.end() :]}?"


def _is_of_something(rest: str) -> bool:
    """Return whether ``rest`` asks for one thing without saying of what ("who is the manager")."""
    if not _ASKS.match(rest):
        return False
    said = [word for word in words(rest) if not is_stop_word(word)]
    return len(said) == 1 or (len(said) == 2 and bool(_OF_SOMETHING.match(rest)))


def _single(subject: str) -> str:
    """Return what a plural ``subject`` is of, as "it" is no plural; itself otherwise."""
    head, _, owner = subject.partition(" of ")
    return owner if owner and head.endswith("s") and not head.endswith("ss") else subject


def _item(ordinal: str, answered: str) -> str:
    """Return what the ``ordinal`` item of an answer that lists some is called."""
    items = [each for each in _CITED.split(answered) if each.strip()]
    place = len(items) - 1 if ordinal == "last" else _ORDINALS.index(ordinal)
    if len(items) < 2 or place >= len(items):
        return ""
    return items[place].partition(":")[0].strip(" \n-.*")


def _answer(asked: str, answered: str) -> str:
    """Return what a question about which thing was answered by, where a few words are all."""
    first = _CITED.split(answered)[0].partition(" (")[0].strip(" .")
    return first if asked.lower().startswith(("which", "what")) and len(first.split()) < 5 else ""


def _subject(asked: str) -> str:
    """Return what ``asked`` is about: the subject of its verb, or its only name."""
    if told := _TOLD.match(asked):
        return told["of"]
    for verb in _AUXILIARY.finditer(asked):
        end = _END.search(asked, verb.end())
        said = asked[verb.end() : end.start() if end else None].strip()
        found = _without_last(said) if verb["do"] or _PREDICATE.search(said) else said
        if found and not _NO_SUBJECT.match(found):
            return found
    found_names = _NAME.findall(asked, 1)
    return found_names[0] if len(found_names) == 1 else ""


def _without_last(said: str) -> str:
    """Return ``said`` without its last word, the verb, unless only an article would be left."""
    left = said.split()[:-1]
    return said if not left or all(map(_ARTICLE.match, left)) else " ".join(left)
