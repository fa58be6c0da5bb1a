"""How many something holds: which figure of a sentence tells it. English alone.

"The rent is 420 a week" tells of no cottage how many people it sleeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, undated_numbers
from quaere.text.tokens import stem, terms, words

_HOLDS: Final = (
    r"sleeps?|seats?|seated|hold(?:s|ing)?|held|fits?|accommodate[sd]?|carr(?:y|ies|ied)|takes?"
    r"|hous(?:e|es)|sits?|stay(?:s|ing)?|parks?|parked|serves?|feeds?"
)
_ASKS: Final = lazy_regex(
    r"(?i)\bhow many (?:(?P<things>(?:[a-z-]+ ){0,1}?[a-z-]+) )?"
    rf"(?:(?:do|does|did|can|could|will|would|may)\b(?P<who>[^?]*?)\b)?(?:be )?(?P<deed>{_HOLDS})\b"
)
_ASKS_FOR_WHOM: Final = lazy_regex(
    r"(?i)\bhow many (?P<things>people|persons|guests|adults|children)? ?(?:is|are)\b(?P<who>[^?]*)"
    r"\b(?P<deed>for)\W*\Z"
)
_ASKS_AT_ONCE: Final = lazy_regex(
    r"(?i)\bhow many (?P<things>[a-z-]+) (?:can|may|could)(?P<who>\b)"
    r"(?: be)? (?P<deed>[a-z]+)\b[^?]* at (?:once|a time|the same time|one time)\W*\Z"
)
_ALSO_OF_PERSONS: Final = lazy_regex(r"(?i)take|hold|held|carr|stay|park|sit")
"""What one does oneself as well: "How many tablets may I take?" asks for no room."""
_ONE: Final = lazy_regex(r"(?i)\b(?:i|we|you|one|he|she|they|person|adult|child|guest|member)\b")
_BEFORE: Final = lazy_regex(
    rf"(?i)(?:\b(?:{_HOLDS})\W+|\b(?:room|space|places?|seats?|beds?|berths?|capacity)\W+(?:is\W+)?"
    r"(?:for|of)?\W*)"
    r"(?:(?:up to|at most|no more than|about|around|some|a maximum of|as many as)\W+)?"
    r"(?:[a-z]+\W+)?\Z|(?:\A|[.;:(]\s+)for\W+\Z"
)
"""What is before a figure that tells how many something holds."""
_AFTER: Final = lazy_regex(
    r"(?:[ -](?!(?:and|at|by|for|from|in|of|on|or|per|to|with)\b)[^\W\d_][\w'’-]*){1,2}"
)
"""What is counted: "7 for children" counts none."""
_OF_THING: Final = lazy_regex(
    r"(?i)\s(?!(?:always|besides|downstairs|indoors|outdoors|plus|upstairs)\b)[a-z]+s\b"
    r"(?<!ss)(?<! is)(?<! has)(?<! was)(?<! as)(?<! its)(?<! this)"
)
"""Another thing that is counted: "holds three lifts" tells of no people."""
_OF_DOERS: Final = lazy_regex(r"(?i)\s[a-z]+(?:[eo]rs|ists|[ae]nts)\b")
"""People by what they do: riders, tourists and students."""
_PURPOSE: Final = lazy_regex(r"(?i)\bfor (?P<purpose>[^?,]+)\??\W*\Z")
"""What it is to hold them for: "for concerts"."""
_NEAR: Final = 60
_PEOPLE: Final = frozenset(
    terms(
        "people persons guests adults passengers visitors children students pupils spectators"
        " players walkers campers diners members travellers sleepers"
    )
)


class _Asked(NamedTuple):
    """What a question asks the room of: of which things, and by which word for holding them."""

    things: frozenset[str]
    deed: str

    @property
    def of_people(self) -> bool:
        """Whether it asks for people; a question that names nothing does."""
        return not self.things or not self.things.isdisjoint(_PEOPLE)

    @property
    def wanted(self) -> frozenset[str]:
        """What a figure counts that tells it, as stems."""
        return self.things | _PEOPLE if self.of_people else self.things


def _asked(question: str) -> _Asked | None:
    """Return what ``question`` asks the room of, if that is what it asks."""
    text = last_question(question)
    forms = (_ASKS, _ASKS_FOR_WHOM, _ASKS_AT_ONCE) if is_english() else ()
    found = next(filter(None, (form.search(text) for form in forms)), None)
    if found is None or _is_done_by_persons(found["deed"], found["who"] or ""):
        return None
    return _Asked(frozenset(terms(found["things"] or "")), stem(found["deed"].casefold()))


def _is_done_by_persons(deed: str, who: str) -> bool:
    by_persons = _ONE.search(who) is not None or not _PEOPLE.isdisjoint(terms(who))
    return by_persons and _ALSO_OF_PERSONS.match(deed) is not None


def asks_room(question: str) -> bool:
    """Return whether ``question`` asks how many something holds, or how many fit into it."""
    return _asked(question) is not None


def room_words(question: str) -> frozenset[str]:
    """Return the stems by which ``question`` asks for that, which no line need have."""
    asked = _asked(question)
    if asked is None:
        return frozenset()
    return frozenset({asked.deed}) | (asked.things & _PEOPLE)


def rooms_told(question: str, sentence: str) -> list[Number]:
    """Return the figures in ``sentence`` that tell how many something holds of what is asked.

    They come after what it does ("sleeps six") or before what it holds ("96 passengers"). Of what
    is named as no people the figure counts that is said of it: "16 passengers and 2 wheelchairs".
    """
    asked = _asked(question)
    if asked is None:
        return []
    bare = [number for number in undated_numbers(sentence) if not number.unit]
    named = [number for number in bare if _counts(number, sentence, asked.wanted)]
    if named and not asked.of_people:
        return named
    surely = frozenset(named)
    able = [n for n in bare if n in surely or not _counts_other(n, sentence, asked)]
    if fitting := _for_purpose(last_question(question), able, sentence):
        return fitting
    beside = [number for number in able if _is_beside(number, asked.deed, sentence)]
    return beside or _held(able, surely, sentence)


def _held(able: Sequence[Number], surely: AbstractSet[Number], sentence: str) -> list[Number]:
    """Return those that surely count what is asked, or come after a word for room."""
    return [each for each in able if each in surely or _comes_after_room(each, sentence)]


def _for_purpose(question: str, able: list[Number], sentence: str) -> list[Number]:
    """Return the figures that are followed by what it is asked for: "120 for dinner and 180 for …".

    None where each of them is.
    """
    wanted = _purpose(question)
    ends = [*(number.start for number in able), len(sentence)][1:]
    behind = zip(able, ends, strict=True)
    found = [n for n, end in behind if not wanted.isdisjoint(terms(sentence[n.end : end]))]
    return [] if len(found) == len(able) else found


def _purpose(question: str) -> frozenset[str]:
    """Return the stems of what ``question`` asks for which something is to hold so many."""
    purpose = _PURPOSE.search(question)
    return frozenset(terms(purpose["purpose"] if purpose else ""))


def _is_beside(number: Number, deed: str, sentence: str) -> bool:
    """Whether the word for ``deed`` is next to ``number``: "80 seated", and not "120 standing"."""
    before = words(sentence[max(0, number.start - _NEAR) : number.start])[-1:]
    after = words(sentence[number.end : number.end + _NEAR])[:2]
    return deed in map(stem, (*before, *after))


def _counts(number: Number, sentence: str, wanted: frozenset[str]) -> bool:
    """Whether ``number`` says how many of what is ``wanted`` there are."""
    counted = _AFTER.match(sentence, number.end, number.end + _NEAR)
    return counted is not None and not wanted.isdisjoint(terms(counted[0]))


def _counts_other(number: Number, sentence: str, asked: _Asked) -> bool:
    """Whether ``number`` counts something else, and not people where those are asked for."""
    is_of_doers = asked.of_people and _OF_DOERS.match(sentence, number.end)
    return not is_of_doers and _OF_THING.match(sentence, number.end) is not None


def _comes_after_room(number: Number, sentence: str) -> bool:
    before = sentence[max(0, number.start - _NEAR) : number.start]
    return _BEFORE.search(before) is not None


def lacks_room(question: str, sentence: str) -> bool:
    """Return whether it is asked how many something holds, and ``sentence`` does not tell it.

    Nor does it tell how many that holds for a concert where it has no word of concerts.
    """
    if not asks_room(question):
        return False
    purpose = _purpose(last_question(question))
    is_for_another = bool(purpose) and purpose.isdisjoint(terms(sentence))
    return is_for_another or not rooms_told(question, sentence)
