"""How a language words days of the week, follow-up questions, and what must, may or costs.

Each class is a part of the record of a language (`quaere.text.languages.language`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_Seven = tuple[str, str, str, str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Patterns, which ignore case."""

    names: _Seven
    """Of the days, Monday first, in all their forms."""
    asked: str
    """What asks for one of them."""
    through: str
    """What is between the first and the last of several days in a row, besides a dash."""
    edge: str = r"\b"
    """What is on both sides of a name."""
    groups: tuple[str, str, str]
    """What says the weekend, the other days, and all days."""
    but: str
    """What leaves days out: these, as the group ``shut``."""
    open: str
    closed: str

    @property
    def any(self) -> str:
        """The pattern of a single day."""
        return rf"{self.edge}(?:{'|'.join(self.names)}){self.edge}"


def forms(words: str, after: str = "", *, before: str = "") -> _Seven:
    """Return the patterns of seven ``words`` with what may be ``before`` and ``after`` each."""
    one, two, three, four, five, six, seven = (f"{before}{word}{after}" for word in words.split())
    return one, two, three, four, five, six, seven


def excepting(*words: str) -> str:
    """Return the pattern of what leaves out the days after it, by the words for "except"."""
    return rf"\b(?:{'|'.join(words)})\b(?P<shut>.*)"


ENGLISH_DAYS = Days(
    names=forms("monday tuesday wednesday thursday friday saturday sunday", "s?"),
    asked=r"\b(?:which|what) (?:week)?days?\b",
    through="to|until|till|through",
    groups=("weekends?", "weekdays?|working days?", "daily|every day|all days"),
    but=excepting("except", "apart from", "but for", "other than", "unless"),
    open=r"\bopen(?:s|ed|ing)?\b",
    closed=r"^(?!.*\b(?:until|till|not|never)\b).*\b(?:closed|shut)\b",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Patterns, which ignore case."""

    lead_in: str
    """What a further question begins with: "and", "and what about"."""
    articles: str
    prepositions: str
    pronouns: str
    """Words for whom or what was named, which a name may replace."""
    bound: str = r"(?!)"
    """The same where a name can not: it is bound to the verb."""
    neuter: str = r"(?!)"
    """Those of the pronouns that stand for no person."""
    of_things: str = r"(?!)"
    """Words by which something is asked that is asked of no person: "wie hoch", "gebaut"."""
    measures: str = r"(?!)"
    """Those by which the size of a thing is asked, whatever was asked of it before: "wie hoch"."""
    measured: str = ""
    """The verb of such a question: "ist"."""
    accusative: tuple[str, str] = ("", "")
    """An article that a thing has as an object alone, and the one that it has as a subject."""
    cases: tuple[tuple[str, str, str], ...] = ()
    """Pronouns, the articles of what they stand for, and the one in the case of the pronoun."""
    stand_ins: str = r"(?!)"
    """Words besides articles that stand for the thing asked about: "celui de Lyon"."""
    drops_subject: bool = False
    """Whether a verb alone says that what was named does it: "¿Dónde nació?"."""
    last: str = r"(?!)"
    """What may end a question and belongs to its verb: "geschlossen"."""
    is_verb_first: bool = False
    """Whether a question without a question word begins with its verb."""
    has_capitals: bool = False
    """Whether common nouns are written with a capital, as names are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Patterns, which ignore case: what says something, and what says the contrary of it.

    "Optional" is the contrary of "required", and "not required" its denial. What reads as a denial
    inside of a match is none: "costs nothing" is what is free.
    """

    must: str
    need_not: str
    may: str
    may_not: str
    """What forbids. It makes a no of what is asked, in whatever words that is."""
    paid: str
    """What costs, and what is not included in the price."""
    free: str

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """What says something and what says the contrary, pair by pair."""
        return (self.must, self.need_not), (self.may, self.may_not), (self.paid, self.free)

    def is_told_of(self, word: str, said: str) -> bool:
        """Return whether ``said`` has what ``word`` says in other words, or the contrary of it."""
        return any(each.fullmatch(word) and each.search(said) for each in self._either())

    def is_of_leave(self, word: str) -> bool:
        """Return whether ``word`` says what must or may be, or what need or may not."""
        return _read(self._of_leave).fullmatch(word) is not None

    def asks_leave(self, text: str) -> bool:
        """Return whether ``text`` has such a word."""
        return _read(self._of_leave).search(text) is not None

    @property
    def _of_leave(self) -> str:
        return "|".join("|".join(pair) for pair in self.pairs[:2])

    def says_free(self, word: str) -> bool:
        """Return whether ``word`` says that something costs nothing."""
        return _read(self.free).fullmatch(word) is not None

    def are_of_one(self, one: str, other: str) -> bool:
        """Return whether both tell of what must be, or of what may be, and so on."""
        return any(each.search(one) and each.search(other) for each in self._either())

    def _either(self) -> Iterator[re.Pattern[str]]:
        return (_read("|".join(pair)) for pair in self.pairs)

    def bare(self, text: str) -> str:
        """Return ``text`` without all that is said of it by the words of these rules."""
        contrary = "|".join(other for _, other in self.pairs)
        plain = "|".join(one for one, _ in self.pairs)
        return _read(plain).sub(" ", _read(contrary).sub(" ", text))

    def forbids(self, text: str) -> bool:
        """Return whether ``text`` forbids something."""
        return _read(self.may_not).search(text) is not None

    def are_contrary(self, one: str, other: str) -> bool:
        """Return whether ``one`` says something of which ``other`` says the contrary."""
        sides = zip(self._sides(one), self._sides(other), strict=True)
        return any({True, False} == set(pair) for pair in sides)

    def tells_both(self, said: str, text: str) -> bool:
        """Return whether ``said`` says something and its contrary, and ``text`` asks of that.

        As "optional for members and required of guests" does.
        """
        return any(
            _read("|".join(pair)).search(text) and all(self._apart(pair, said))
            for pair in self._opposites
        )

    @property
    def _opposites(self) -> tuple[tuple[str, str], ...]:
        """The pairs but that of leave, where what forbids is a denial as well."""
        return tuple(pair for pair in self.pairs if pair[1] != self.may_not)

    def _sides(self, text: str) -> Iterator[bool | None]:
        """Yield of each of these pairs whether ``text`` says the first; None for both or none."""
        for one, contrary in (self._apart(pair, text) for pair in self._opposites):
            yield None if one is contrary else one

    def _apart(self, pair: tuple[str, str], text: str) -> tuple[bool, bool]:
        """Return whether ``text`` says the one of ``pair``, and whether the other."""
        rest = _read(pair[1]).sub(" ", text)
        return _read(pair[0]).search(rest) is not None, rest != text


@cache
def _read(pattern: str) -> re.Pattern[str]:
    return re.compile(f"(?i){pattern}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Patterns, which ignore case: what heads of minutes and notices call where and when."""

    place: tuple[str, str]
    """What begins a question that asks where, and the labels that say it."""
    date: tuple[str, str]
    """And when: on which day."""
    held: str
    """What says that something takes place."""
