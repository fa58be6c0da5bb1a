"""The same as `follow_ups`, in the languages of Europe other than English, by their tables.

What is only named takes the place of its like in the last question: a phrase that of one with its
preposition, a time that of a time, a thing that of the thing asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from quaere.text.clauses import named_in
from quaere.text.languages.language import Language, opens
from quaere.text.languages.wordings import Following
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

_END = lazy_regex(r"[\s?.!]*\Z")
_MOST_WORDS = 6


@dataclass(frozen=True)
class Asked:
    """A question that was asked, and the beginning of what was answered."""

    language: Language
    follows: Following
    question: str
    lead: str

    def whole(self, text: str) -> str:
        """Return what ``text`` asks after it; empty where no form tells."""
        led = re.match(rf"(?i)\W*(?:{self.follows.lead_in})\b\W*", text)
        bare = _END.sub("", text[led.end() :] if led else text).strip("¿ ")
        bare = bare[self._stand_in(bare) :]
        if not bare or not self._said:
            return ""
        if self._asks_by_word(bare):
            return self._asked(self._asked_by(bare))
        if self._only_names(bare, is_led=led is not None):
            return self._asked(self._put_in_place(bare))
        return self._named(bare)

    @property
    def _before(self) -> str:
        return rf"(?:{self.follows.prepositions})\s"

    @cached_property
    def _said(self) -> str:
        return _END.sub("", self.question).strip("¿ ")

    def _stand_in(self, bare: str) -> int:
        """Return where ``bare`` goes on after a word for the thing asked about: "el de Vigo"."""
        one = rf"(?i)(?:{self.follows.articles}|{self.follows.stand_ins})\s(?={self._before})"
        found = re.match(one, bare)
        return found.end() if found else 0

    def _asks_by_word(self, bare: str) -> bool:
        asked = "|".join(f"(?:{pattern})" for pattern in self.language.asks.values())
        before = rf"(?:(?:{self.follows.prepositions})\s)?"
        return re.fullmatch(rf"(?i){before}(?:{asked})", bare) is not None

    def _asked_by(self, word: str) -> str:
        """Return the last question with another ``word`` to ask by."""
        if size := self._size(word):
            return size
        if not opens(self.language, self._said):
            return f"{word} {self._small(self._said)}"
        verb = re.search(rf"(?i)\b(?:{self.language.verbs})\b", self._said)
        if verb is None:
            return f"{word}: {self._said}"
        return f"{word} {verb[0]}{self._doer(verb.start())}{self._said[verb.end() :]}"

    def _size(self, word: str) -> str:
        """Return what asks by ``word`` how large a thing is of which something else was asked."""
        measure = f"(?i){self.follows.measures}"
        asks_size = re.match(rf"{measure}\b", self._said)
        if asks_size or not re.fullmatch(measure, word) or not (thing := self._named_thing()):
            return ""
        theirs, article = self.follows.accusative
        named = re.sub(rf"(?i)^{theirs}(?=\s)", article, thing) if theirs else thing
        return f"{word} {self.follows.measured} {self._inside(named)}"

    def _doer(self, verb: int) -> str:
        """Return who did what was asked, as the answer says, where that was all that was asked.

        In languages that have the verb before it in every question.
        """
        asks_who = re.match(rf"(?i)(?:{self.language.asks['person']})\s\Z", self._said[:verb])
        names = named_in(self.lead) if asks_who and self.follows.is_verb_first else []
        told = [name.text for name in names if name.text not in self._said]
        return f" {told[0]}" if told else ""

    def _only_names(self, bare: str, *, is_led: bool) -> bool:
        """Whether ``bare`` has no verb; a word alone has none where something leads in to it."""
        has_verb = re.search(rf"(?i)\b(?:{self.language.verbs})\b", bare)
        if has_verb or opens(self.language, bare) or len(bare.split()) > _MOST_WORDS:
            return False
        small = f"{self.follows.prepositions}|{self.follows.articles}"
        begins = re.match(rf"(?i)(?:{small})\s|l['’]|{self._time}", bare)
        return begins is not None or (is_led and " " not in bare)

    def _put_in_place(self, bare: str) -> str:
        opening = re.match(rf"(?i)(?P<prep>{self.follows.prepositions})\s", bare)
        if re.search(f"(?i){self._time}", bare):
            span = self._time_span(is_whole=bool(opening or self._article.match(bare)))
        else:
            is_name = self._article.match(bare) or bare[0].isupper()
            phrase = (self._alike(bare) or self._phrase(opening["prep"])) if opening else None
            span = phrase or (self._thing if is_name and not opening else None)
        if span is None:
            return f"{self._said} {bare}" if opening else f"{bare}: {self._said}"
        return f"{self._said[: span[0]]}{bare}{self._said[span[1] :]}"

    @cached_property
    def _article(self) -> re.Pattern[str]:
        return re.compile(rf"(?i)(?<!\w)(?:(?:{self.follows.articles})\s|l['’])")

    @property
    def _time(self) -> str:
        months = "|".join(self.language.months)
        return rf"(?:{self.language.days.any}|\b(?:1[5-9]|20)\d\d\b|\b(?:{months})\b)"

    def _time_span(self, *, is_whole: bool) -> tuple[int, int] | None:
        """Return where the last time is, ``is_whole`` with what is before it."""
        found = list(re.finditer(f"(?i){self._time}", self._said))
        if not found:
            return None
        before = re.search(
            rf"(?i)(?<!\w)(?:(?:{self.follows.prepositions}|{self.follows.articles})\s){{1,2}}\Z",
            self._said[: found[-1].start()],
        )
        return before.start() if before and is_whole else found[-1].start(), found[-1].end()

    def _phrase(self, prep: str) -> tuple[int, int] | None:
        """Return where the last phrase with that preposition is, or with a form of it."""
        found = list(re.finditer(rf"(?i)(?<!\w)(?:{self.follows.prepositions})\s", self._said))
        same = [each for each in found if each[0].strip().lower() == prep.lower()]
        alike = same or [each for each in found if each[0][0].lower() == prep[0].lower()]
        return (alike[-1].start(), self._end(alike[-1].end())) if alike else None

    def _alike(self, bare: str) -> tuple[int, int] | None:
        """Return where the phrase is that has a noun of ``bare``: "on the second floor"."""
        named = frozenset(terms(bare))
        for begin in re.finditer(rf"(?i)(?<!\w)(?:{self.follows.prepositions})\s", self._said):
            end = self._end(begin.end())
            if not named.isdisjoint(terms(self._said[begin.start() : end])):
                return begin.start(), end
        return None

    def _end(self, start: int) -> int:
        """Return where the next preposition, verb or time begins after ``start``, or the end."""
        prepositions, verbs = self.follows.prepositions, self.language.verbs
        time = rf"(?:(?:{self.follows.articles})\s)?{self._time}"
        ends = rf"(?:{prepositions})\s|(?:{verbs})\b|{time}|(?:{self.follows.last})\Z"
        after = re.compile(rf"(?i)\s(?:{ends})").search(self._said, start)
        return after.start() if after else len(self._said)

    @cached_property
    def _thing(self) -> tuple[int, int] | None:
        """Return where it says of what it asks: the first thing with an article of its own.

        Without one, the first noun or name that a capital tells.
        """
        noun = re.search(r"(?<=\s)[^\W\d_a-zäöü]\w+(?:\s[^\W\d_a-zäöü]\w+){0,3}", self._said)
        bare = noun.span() if noun and self.follows.has_capitals else None
        return next(self._things(), bare)

    def _things(self) -> Iterator[tuple[int, int]]:
        is_verb_first = re.match(rf"(?i)(?:{self.language.verbs})\b", self._said) is not None
        for article in self._article.finditer(self._said):
            before = rf"(?i)(?<!\w)(?:{self.follows.prepositions})\s\Z"
            if re.search(before, self._said[: article.start()]):
                continue
            end = self._end(article.end())
            if is_verb_first:
                word = re.compile(r"\S+").match(self._said, article.end())
                end = word.end() if word else end
            yield article.start(), end

    def _pronoun(self, bare: str) -> re.Match[str] | None:
        return re.search(rf"(?i)(?:(?<!\w)|(?=-))(?:{self.follows.pronouns})(?!\w)", bare)

    def _named(self, bare: str) -> str:
        """Return ``bare`` with a name for the pronoun in it, or before it; empty without one."""
        pronoun, bound = self._pronoun(bare), re.search(rf"(?i){self.follows.bound}", bare)
        is_dropped = self.follows.drops_subject and opens(self.language, bare)
        points = bool(pronoun or bound or (is_dropped and bare.count(" ") == 1))
        is_told = points and not self._names_before(bare, pronoun or bound)
        topic = self._topic(bare, pronoun) if is_told else ""
        if not topic:
            return ""
        if pronoun is None:
            return f"{topic}: {self._asked(bare)}"
        topic = self._in_case_of(pronoun[0], topic)
        before = f"{bare[: pronoun.start()]} {topic}{bare[pronoun.end() :]}"
        return self._asked(" ".join(before.split()))

    def _in_case_of(self, pronoun: str, thing: str) -> str:
        """Return ``thing`` with the article that agrees with the pronoun it stands for."""
        for theirs, articles, article in self.follows.cases:
            if pronoun.lower() == theirs:
                return re.sub(rf"^(?:{articles})(?=\s)", article, thing)
        return thing

    def _names_before(self, bare: str, pronoun: re.Match[str] | None) -> bool:
        """Whether ``bare`` names something before its ``pronoun``, which points at that then."""
        before = bare[: pronoun.start()] if pronoun else ""
        has_name = any(word[0].isupper() for word in before.split()[1:])
        return has_name or self._article.search(before) is not None

    def _topic(self, bare: str, pronoun: re.Match[str] | None) -> str:
        """Return whom or what the question, or the answer to one that asks who, speaks of."""
        asks_who = re.match(rf"(?i)\W*(?:{self.language.asks['person']})", self._said)
        is_who = asks_who and not self._is_of_a_thing(bare, pronoun)
        told = [n.text for n in named_in(self.lead)] if is_who else []
        if told:
            return told[0]
        named = [] if self.follows.has_capitals else [n.text for n in named_in(self._said)]
        thing = self._named_thing()
        return named[0] if named and named[0] not in thing else self._inside(thing)

    def _named_thing(self) -> str:
        """Return the thing asked about with the name that tells which: "le musée de Lyon"."""
        if self._thing is None:
            return ""
        start, end = self._thing
        name = rf"(?i)\s{self._before}(?!{self._time})(?-i:[A-ZÀ-Þ])[\w'’-]*"
        name_behind = re.compile(name).match(self._said, end)
        return self._said[start : name_behind.end() if name_behind else end]

    def _is_of_a_thing(self, bare: str, pronoun: re.Match[str] | None) -> bool:
        """Whether ``bare`` asks of a thing: by its ``pronoun``, how high or when it is open."""
        if pronoun and re.fullmatch(f"(?i){self.follows.neuter}", pronoun[0]):
            return True
        if re.search(rf"(?i)\b(?:{self.follows.of_things})\b", bare):
            return True
        days = self.language.days
        return re.search(f"(?i){days.open}|{days.closed}", bare) is not None

    def _small(self, asked: str) -> str:
        """Return a question as it is after the word that it is asked by."""
        begins_small = self.follows.is_verb_first or self._inside(asked) != asked
        return f"{asked[:1].lower()}{asked[1:]}" if begins_small else asked

    def _inside(self, text: str) -> str:
        """Return ``text`` as it stands inside a question: a name keeps its capital."""
        begins = re.match(rf"(?i)(?:{self.language.verbs}|{self.follows.articles}|l['’])\b", text)
        return f"{text[:1].lower()}{text[1:]}" if begins else text

    def _asked(self, text: str) -> str:
        """Return ``text`` as a question, marked as the last one was; empty where that is empty."""
        mark = "¿" if self.question.lstrip().startswith("¿") else ""
        return f"{mark}{text[:1].upper()}{text[1:]}?" if text else ""
