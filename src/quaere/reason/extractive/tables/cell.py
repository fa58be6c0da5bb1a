"""Finds the cell of a table that answers a question: its row by key, its column by head."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from quaere.domain.report import DirectKind
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool, file_stem, page_of
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.tables.cell_kinds import FIGURE, FIGURES, LETTERS, is_of_kind
from quaere.reason.extractive.tables.cell_values import is_bare
from quaere.reason.extractive.tables.lexicon import MEASURED, PLACES, SHORTENED, verb_forms
from quaere.reason.extractive.tables.periods import names_a_stretch
from quaere.reason.extractive.tables.scales import may_be_scaled, scale_told
from quaere.reason.extractive.tables.worked_out import is_of_several_rows
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.synonyms import contrary_words, related_words, singular
from quaere.text.tokens import stem, terms, words

COVERED, NAMED = 0.75, 0.75
"""Share of the question's weight that the row, the head of its column and the headings over the
table must cover between them; where row and head are named in full, share of its words, for tables
seldom have verbs, which weigh much. Less answers questions that the table does not hold."""
HEAD, TYPED, KEYED = 0.6, 0.3, 0.5
"""What it is worth to be in a column whose head is asked for, to be of the kind asked for, and to
be in a row of which a cell is named in full, next to the share that is covered."""
AHEAD = 0.02
"""What the best cell must be worth more than the next one."""

_FISCAL = lazy_regex(r"(?i)\b(?:fy|fiscal(?:\s+year)?)\s*['’]?(?:20)?(\d{2})\b")
_YEAR = lazy_regex(r"\b(?:1[5-9]|20)\d{2}\b")
_BELOW_ZERO = lazy_regex(r"(?<![\w.,-])[-−]\d+")
_IN_BRACKETS = lazy_regex(r"\s*[(\[]([^()\[\]]*)[)\]]$")
_TOTALLED = lazy_regex(
    r"(?i)\b(?:c[oa]mes?|amount(?:s|ed)?|add(?:s|ed)? up) to(?: in (?:all|total))?\b"
    r"|\bin (?:all|total)\b|\baltogether\b"
)
"""What asks for a total without the word."""
_ADJECTIVES: Mapping[str, str] = {
    "high": "height", "tall": "height", "long": "length duration", "wide": "width",
    "deep": "depth", "heavy": "weight weigh", "old": "age",
    "much": "price cost amount total fee fare charge",
    "far": "distance", "fast": "speed", "big": "size", "large": "size area",
    "who": "name keeper owner author", "when": "date day time year", "where": "place location",
}  # fmt: skip
"""Heads that answer to a question for a degree."""
_VERBS: Mapping[str, str] = {"weigh": "weight", "cost": "price", "measure": "size dimensions"}
"""The same of verbs."""
_COMPARED: Mapping[str, str] = {
    **_ADJECTIVES,
    "long": "length duration hours minutes days weeks months",
    "old": "age year date born built founded opened", "young": "age year date born old",
    "new": "year date built founded opened released", "early": "year date", "late": "year date",
    "short": "length height duration long tall", "small": "size area big large",
    "low": "height elevation high", "light": "weight weigh heavy", "cheap": "price cost",
    "expensive": "price cost", "dear": "price cost",
    "slow": "speed fast", "narrow": "width wide", "shallow": "depth deep",
}  # fmt: skip
"""Heads by which what is compared in a degree is decided; measures are told by the greater one."""
_UNITS: Mapping[str, str] = {
    "m": "metres meters", "km": "kilometres kilometers", "kg": "kilograms", "s": "seconds",
    "min": "minutes", "h": "hours", "mb": "megabytes", "gb": "gigabytes", "ms": "milliseconds",
}  # fmt: skip
_MEASURES = word_set(
    "thousand thousands million millions billion billions euro euros eur gbp usd chf dollar dollars"
    " pound pounds crown crowns percent per in of mg l ml g c pct hour hours day days week weeks"
    " month months year years number count each"
).union(*((short, *long.split()) for short, long in _UNITS.items()))
"""Words of a unit, which may be in brackets behind what heads a column."""
_EACH = frozenset(map(stem, ("unit", "each", "per", "piece", "item")))
"""What a head says of a price besides: it is of one."""
_TOTAL = frozenset({stem("total")})
_OF_TOTALS = frozenset(map(stem, ("total", "net", "grand", "due", "sum", "gross", "amount")))
_UNIT_STEMS = frozenset(stem(word) for unit in _UNITS.items() for word in " ".join(unit).split())


@cache
def _degree_heads(word: str) -> frozenset[str]:
    """Return the stems of what sources call that which ``word`` asks for, such as a weight."""
    return frozenset(terms(_ADJECTIVES.get(word, "") if word in MEASURED else _VERBS.get(word, "")))


class Cell(NamedTuple):
    """A value in a table, and how well it answers."""

    kind: DirectKind
    text: str
    line: Line
    """Its row."""
    covered: float
    """Share, 0 to 1, of the question that the row, the head and the headings over it cover."""
    worth: float
    """Higher is better."""


def find_cell(question: str, pool: Pool) -> Cell | None:
    """Return the cell that answers ``question``; None where none clearly does.

    A row answers where a cell of it other than the answer is named in the question, and what the
    row, the head of the column and the headings over it say covers what is asked. A year that is
    asked for has to be there.
    """
    text = _TOTALLED.sub(" total ", _plain(last_question(question)))
    kind = expected_kind(question)
    if kind in _ACCOUNTS or asks_for_another_row(text):
        return None
    asked = list(map(singular, terms(text)))
    goal = Goal(text, pool, [term for term in asked if term not in _ASKS])
    look = _Look(kind, text, frozenset(asked), goal, pool)
    lines = (line for line in _rows_in(pool) if not is_of_several_rows(text, line))
    found = [cell for line in lines for cell in look.cells(line)]
    return _clearest(sorted(found, key=lambda cell: -cell.worth))


def asks_for_another_row(text: str) -> bool:
    """Return whether no cell of a row that ``text`` names is what it asks for."""
    return names_a_stretch(text) or _NOT_OF_ITS_ROW.search(text) is not None


def _clearest(found: Sequence[Cell]) -> Cell | None:
    """Return the first of what was ``found``, if it is clearly ahead of those that say else."""
    if not found:
        return None
    rivals = [cell for cell in found[1:] if cell.text != found[0].text]
    return None if rivals and found[0].worth - rivals[0].worth < AHEAD else found[0]


def _rows_in(pool: Pool) -> Iterator[Line]:
    """Yield the rows below the heads of tables."""
    return (line for line in pool.lines if line.columns and not line.heading)


def cells_about(thing: str, about: str, lines: Iterable[Line]) -> Iterator[tuple[Line, str, str]]:
    """Yield what tables tell of ``thing`` by what it is compared in: row, head of column, value.

    Args:
        thing: What a cell of the row names: "the Volga".
        about: The comparative, with what goes with it: "longer", "have more boats".
        lines: Those of the evidence.
    """
    named = _terms(thing)
    wanted = frozenset(map(singular, degree_terms(about)))
    for line in lines:
        for head, value in _row_about(named, line):
            if not wanted.isdisjoint(_head_terms(head)):
                yield line, head, value


def _row_about(named: frozenset[str], line: Line) -> Iterator[tuple[str, str]]:
    """Yield the heads and values of the row ``line``, where a cell of it is what is ``named``."""
    values = line.values
    if line.heading or len(values) != len(line.columns):
        return
    if any(_is_named_by(_terms(value), named) for value in values):
        yield from zip(line.columns, values, strict=True)


def _is_named_by(own: frozenset[str], named: frozenset[str]) -> bool:
    """Whether a cell with the terms ``own`` is what is ``named``: half of that is in it."""
    return bool(own) and own <= named and 2 * len(own) >= len(named)


def degree_terms(about: str) -> frozenset[str]:
    """Return the stems by which sources tell what ``about`` compares: "length" for "longer"."""
    plain = [word for word in words(about) if stem(word) not in _BARE]
    bases = [base for word in plain for base in _bases(word)]
    told = [*bases, *(other for base in bases for other in _COMPARED[base].split())]
    alike = (other for word in plain for other in (*related_words(word), *verb_forms(word)))
    return frozenset(terms(" ".join(plain))).union(map(stem, told), map(stem, alike))


def _bases(comparative: str) -> Iterator[str]:
    """Yield the adjective of a ``comparative``: "wide" of "wider", "heavy" of "heavier"."""
    if comparative in _COMPARED and comparative not in _ADJECTIVES:
        yield comparative
    bare = comparative.removesuffix("er")
    for base in (bare, f"{bare}e", bare[:-1], f"{bare[:-1]}y") if bare != comparative else ():
        if base in _COMPARED:
            yield base


_BARE = frozenset(map(stem, ("more", "less", "fewer", "before", "after", "have", "has")))
"""What says how two things are compared, and not in what."""
_NOT_OF_ITS_ROW = lazy_regex(
    r"(?i)\bthe same\b[^?]* as\b|\b(?:how many|number of) (?:total )?times\b|\bother than\b"
    r"|\b(?:ratio|proportion)\b[^?]* (?:to|over|of) "
)
"""Asks for another row than the one that is named, for how many there are, or for several."""
_NOUN_ASKED = (
    lazy_regex(
        r"(?i)^\W*(?:what|which) (?!(?:is|are|was|were|do|does|did|has|have|had|can|will|would"
        r"|should|one|ones|else)\b)([a-z]+) (?:is|are|was|were|do|does|did|has|have|had)\b"
    ),
    lazy_regex(r"(?i)^\W*what(?:['’]s| is| was) [^?]{1,80}['’]s? ([a-z]+(?: [a-z]+)?)\W*$"),
)
"""What is asked for: "What colour is Ada's boat?", "What is Ada's phone number?"."""
_ROWS_ASKED = lazy_regex(r"(?i)^\W*which ([a-z]+[^\Ws]s) ")
_COUNTED = lazy_regex(r"(?i)\b(?:how many|number of) (?:\w+ )?(\w+)")
_BESIDE = lazy_regex(r"(?i)\b(?:after|before|following|preceding)\b")
_SHORT_FIGURE = lazy_regex(r"\d{1,3}")
_ACCOUNTS = frozenset({Kind.YES_NO, Kind.COMPARISON, Kind.REASON, Kind.LIST})
_ASKS = frozenset(map(stem, ("many", "much", "value", "number", "year", "high", "tall", "long")))


def _plain(text: str) -> str:
    """Return ``text`` with fiscal years as years: "FY2023" and "fiscal 2023" as "2023"."""
    return _FISCAL.sub(lambda found: f"20{found[1]}", text)


_THOUSANDS = lazy_regex(r"\W*\d{1,3}(?:[,.']\d{3})+\W*")
"""An amount of thousands: "2,022" is not a year."""


def _held_by(value: str) -> frozenset[str]:
    """Return the terms by which a question may name a cell; none for an amount of thousands."""
    return frozenset() if _THOUSANDS.fullmatch(value) else _terms(_plain(value))


class _Row(NamedTuple):
    """A row of a table, and the terms that each of its cells holds."""

    line: Line
    values: Sequence[str]
    held: Sequence[frozenset[str]]

    def besides(self, at: int, asked: frozenset[str]) -> list[frozenset[str]]:
        """Return what the cells other than the one ``at`` hold, by which a question names the row.

        A short figure is that of its column: "5 years" is not a walk of 5 minutes.
        """
        others = (place for place in range(len(self.held)) if place != at)
        return [self.held[place] for place in others if self._may_name(place, asked)]

    def _may_name(self, place: int, asked: frozenset[str]) -> bool:
        """Whether what is ``asked`` can mean the cell at ``place``, if it has a word of it."""
        if not place or _SHORT_FIGURE.fullmatch(self.values[place]) is None:
            return True
        return not asked.isdisjoint(_head_terms(self.line.columns[place]))


class _Look(NamedTuple):
    """What is looked for in each row."""

    kind: Kind
    text: str
    asked: frozenset[str]
    goal: Goal
    pool: Pool

    def cells(self, line: Line) -> Iterator[Cell]:
        """Yield the cells of the row ``line`` that may answer."""
        values = line.values
        if len(values) != len(line.columns):
            return
        row = _Row(line, values, [_held_by(value) for value in values])
        for at in range(len(values)):
            if self._is_new(row, at) and (found := self._cell(row, at)):
                yield found

    def _is_new(self, row: _Row, at: int) -> bool:
        """Whether the cell tells anything new: nothing asked, or more under the head asked for.

        A word in small letters, or a figure, is nobody's name.
        "kernel >= 4.18, glibc >= 2.28" under "Versions" tells which version of glibc it is.
        """
        value = row.values[at]
        is_no_name = value.islower() or LETTERS.search(value) is None
        if not value or (is_no_name and words(self.text)[:1] == ["who"]):
            return False
        if not row.held[at] & self.asked:
            return True
        head = _head_terms(row.line.columns[at])
        return bool(row.held[at] - self.asked) and self._headed(head) == 1.0

    def _cell(self, row: _Row, at: int) -> Cell | None:
        """Return the cell ``at`` of ``row``; None if none asks for it.

        The question names its row, and its column or a thing that the row has but one of.
        """
        if self._is_ruled_out(row, at):
            return None
        named = self._names(row, at)
        if not (named or self._is_keyed(row.held, at)):
            return None
        over = self._over(row, at)
        if not self._has_years(f"{row.line.text} {row.line.columns[at]} {over}"):
            return None
        return self._rated(row, at, over, named=named)

    def _is_ruled_out(self, row: _Row, at: int) -> bool:
        """Whether another column or row than that of the cell ``at`` of ``row`` is asked for."""
        head = row.line.columns[at]
        if self._is_of_another(head, row.line) or self._is_no_row(head, row.values[at]):
            return True
        return any(map(self._is_beside, row.held)) or self._is_asked_of(row, at)

    def _is_asked_of(self, row: _Row, at: int) -> bool:
        """Whether all words asked are in the head and name the row: nothing is asked of it then.

        "What is hask?" is not answered by what the row "hask" has under "vs. hask".
        """
        if not self.asked <= _head_terms(row.line.columns[at]):
            return False
        return any(self.asked <= held for place, held in enumerate(row.held) if place != at)

    def _over(self, row: _Row, at: int) -> str:
        """Return what is over the cell ``at`` of ``row``, but for the head of its column."""
        over = f"{row.line.columns[0]} {_over(row.line, self.pool)}"
        return f"{over} {_page_of(row.line, self.pool)}" if _is_of_total(row.held, at) else over

    def _rated(self, row: _Row, at: int, over: str, *, named: bool) -> Cell | None:
        """Return the cell ``at`` of ``row``, which is ``named`` or not, if it answers surely."""
        line, value = row.line, row.values[at]
        told = _head_terms(_without_unit(line.columns[at]))
        around = self._around(row, at, over)
        mask = self.goal.mask(around)
        covered = self.goal.share(mask)
        fit, headed = self._fits(value), self._headed(told)
        said = named and headed == 1.0 and mask.bit_count() >= NAMED * len(self.goal.terms)
        if not self._is_sure(said=said, fit=fit, covered=covered):
            return None
        if not headed and (self._lacks_noun(around) or not self._is_only(line, row.values, at)):
            return None
        worth = covered + HEAD * headed + TYPED * fit + KEYED * named
        own = self._told(value, line, row.values[0], line.columns[at])
        return Cell(self._shape(value), own, line, covered, worth)

    def _around(self, row: _Row, at: int, over: str) -> frozenset[str]:
        """Return the terms of the head and the row of a cell, and of what is ``over`` it."""
        head = _head_terms(row.line.columns[at])
        own = row.held[at] & self.asked
        degree = self._degree_told(row.held[0]) if at else frozenset[str]()
        return _terms(over).union(head, *row.besides(at, self.asked), own, degree)

    def _told(self, value: str, line: Line, name: str, head: str) -> str:
        """Return ``value`` of the row ``name`` with what is said of figures under ``head``."""
        if self.kind is Kind.DATE or not (is_bare(value) and may_be_scaled(name)):
            return value
        lines = self.pool.lines_of[line.owner]
        around = "\n".join(each.text for each in lines if not each.columns)
        return f"{value} {scale_told(around, head)}".strip()

    def _lacks_noun(self, around: frozenset[str]) -> bool:
        """Whether nothing ``around`` a cell says what is asked for: an island is not a colour."""
        if not is_english():
            return False
        found = (pattern.search(self.text) for pattern in _NOUN_ASKED)
        return any(each and not _terms(each[1]) <= around for each in found)

    def _is_no_row(self, head: str, value: str) -> bool:
        """Whether "which" asks for several rows, and ``value`` is a figure of something else."""
        found = _ROWS_ASKED.match(self.text) if is_bare(value) and is_english() else None
        return found is not None and _terms(found[1]).isdisjoint(_head_terms(head))

    def _is_of_another(self, head: str, line: Line) -> bool:
        """Whether another column than that of ``head`` says what "how large" asks for.

        Or the one of what "how much milk" asks for, and not the price.
        """
        asks, adjective, thing, *_ = [*words(self.text), "", "", ""]
        of_thing = [
            each for each in line.columns if not _terms(thing).isdisjoint(_head_terms(each))
        ]
        if (asks, adjective) == ("how", "much") and of_thing:
            return head not in of_thing
        heads = set(terms(_ADJECTIVES.get(adjective, "") if asks == "how" else ""))
        if counted := _COUNTED.search(self.text):
            heads = set(_terms(counted[0])) - _ASKS
        told = [each for each in line.columns if not heads.isdisjoint(_head_terms(each))]
        if told:
            return head not in told
        return asks == "when" and self._names_other_date(head, line)

    def _names_other_date(self, head: str, line: Line) -> bool:
        """Whether the question has a word of the head of another date of ``line``, none of this.

        When the next inspection is due is not told by the year in which a car was built.
        """
        if self._is_said(head):
            return False
        rest = zip(line.columns, line.values, strict=True)
        return any(other != head and self._is_said(other) and self._fits(v) for other, v in rest)

    def _is_said(self, head: str) -> bool:
        return not self.asked.isdisjoint(_head_terms(head))

    def _names(self, row: _Row, at: int) -> bool:
        """Whether the question names ``row`` by another cell than the one ``at``."""
        if self._is_named(row.besides(at, self.asked)) or self._is_numbered(row.values, at):
            return True
        return self._is_meant(row.held, at)

    def _is_named(self, rest: Iterable[frozenset[str]]) -> bool:
        """Whether the question has all words of a cell among the ``rest`` of the row."""
        return any(own and own <= self.asked for own in rest)

    def _degree_told(self, key: frozenset[str]) -> frozenset[str]:
        """Return the stems of what asks for what a row is called: "heavy" of the row "Weight"."""
        asks = (word for word in words(self.text) if not key.isdisjoint(_degree_heads(word)))
        return frozenset(map(stem, asks)) if len(key) == 1 else frozenset()

    def _is_beside(self, own: frozenset[str]) -> bool:
        """Whether the question asks for what comes before or after the row with the cell ``own``.

        "Which version came after Hask?" is not about the row of Hask.
        """
        found = _BESIDE.search(self.text)
        after = words(self.text[found.end() :]) if found else []
        return bool(own) and own <= frozenset(map(stem, after[: len(own) + 1]))

    def _is_sure(self, *, said: bool, fit: bool, covered: float) -> bool:
        """Whether a cell answers: row and column are named, or the row covers what is asked."""
        if said and self.kind not in FIGURES:
            return True
        return fit and (said or covered >= COVERED)

    def _is_keyed(self, held: Sequence[frozenset[str]], at: int) -> bool:
        """Whether most of what is in the first cell is asked for, or its degree."""
        key = held[0]
        if not at or not key:
            return False
        return len(key & self.asked) >= 0.7 * len(key) or bool(self._degree_told(key))

    def _is_meant(self, held: Sequence[frozenset[str]], at: int) -> bool:
        """Whether the first cell says in other words what is asked for: "weight" of "how heavy".

        Beyond English, of which only `_degree_told` tells that: related words say too much there.
        """
        return at > 0 and not is_english() and bool(held[0]) and held[0] <= self._wanted()

    def _is_numbered(self, values: Sequence[str], at: int) -> bool:
        """Whether the first cell begins with a figure that is asked for: "22.04 LTS"."""
        key = list(terms(_plain(values[0])))
        if not at or not key or key[0] not in self.asked:
            return False
        return FIGURE.search(key[0]) is not None and not any(map(FIGURE.search, key[1:]))

    def _wanted(self) -> frozenset[str]:
        said = words(self.text)
        more = " ".join(_ADJECTIVES.get(word, "") for word in said).split()
        alike = chain.from_iterable(map(related_words, said))
        contrary = frozenset(chain.from_iterable(map(contrary_words, said)))
        wanted = self.asked.union(map(stem, more))
        if _asks_until(self.text):
            return (wanted - frozenset(map(stem, alike))).difference(map(stem, said)) | contrary
        return wanted | frozenset(map(stem, alike)) - contrary

    def _headed(self, head: frozenset[str]) -> float:
        plain = head - _UNIT_STEMS or head
        plain = plain - _EACH or plain
        return len(plain & self._wanted()) / len(plain) if plain else 0.0

    def _has_years(self, text: str) -> bool:
        below_zero = set(_BELOW_ZERO.findall(self.text))
        if not below_zero <= set(_BELOW_ZERO.findall(text)):
            return False
        return set(_YEAR.findall(self.text)) <= set(_YEAR.findall(_plain(text)))

    def _is_only(self, line: Line, values: Sequence[str], at: int) -> bool:
        """Whether no other column but the key's can hold the kind of answer.

        Any words may name a place, so that the head of the column has to say that they do.
        """
        if self.kind is Kind.PLACE and _head_terms(line.columns[at]).isdisjoint(PLACES):
            return False
        able = [n for n, value in enumerate(values) if n and value and self._fits(value)]
        return able == [at] or self._is_total_of(line, able, at)

    def _is_total_of(self, line: Line, able: Sequence[int], at: int) -> bool:
        """Whether the column ``at`` is the total of those that are ``able``, none of them named."""
        if _head_terms(line.columns[at]) != _TOTAL:
            return False
        return not any(self._headed(_head_terms(line.columns[n])) for n in able if n != at)

    def _fits(self, value: str) -> bool:
        """Whether ``value`` is of the kind that is asked for."""
        return is_of_kind(value, self.kind, self.text)

    def _shape(self, value: str) -> DirectKind:
        if self.kind is Kind.DATE:
            return DirectKind.DATE
        return DirectKind.NUMBER if FIGURE.search(value) else DirectKind.NAME


def _asks_until(text: str) -> bool:
    """Whether ``text`` asks until when something is open, beyond English: when it closes."""
    language = language_in_use()
    if language is None or not re.search(f"(?i){language.until}", text):
        return False
    return re.search(f"(?i){language.days.open}", text) is not None


def _without_unit(head: str) -> str:
    """Return ``head`` without a unit in brackets after it: "Revenue (thousand euros)"."""
    found = _IN_BRACKETS.search(head)
    is_unit = found is not None and _MEASURES.issuperset(words(found[1]))
    return head[: found.start()] if found and found.start() and is_unit else head


def _is_of_total(held: Sequence[frozenset[str]], at: int) -> bool:
    """Whether the cell ``at`` is of a row that tells what a whole page comes to."""
    others = [own for place, own in enumerate(held) if place != at and own]
    return bool(others) and others[0] <= _OF_TOTALS and not _TOTAL.isdisjoint(others[0])


def _page_of(line: Line, pool: Pool) -> str:
    """Return what is said on the page of ``line`` but in rows: what they tell is of one of them."""
    page = page_of(pool.passages[line.owner])
    own = [
        lines
        for passage, lines in zip(pool.passages, pool.lines_of, strict=True)
        if page_of(passage) == page
    ]
    return " ".join(line.text for lines in own for line in lines if not line.columns)


def _terms(text: str) -> frozenset[str]:
    """Return the stems of the words of ``text``, of nouns for several those for one of them."""
    return frozenset(map(singular, terms(text)))


def _head_terms(head: str) -> frozenset[str]:
    """Return the stems of a column's ``head``, with its unit in words."""
    head = " ".join(SHORTENED.get(word, word) for word in words(head.replace("_", " ")))
    units = (other for word in words(head) for other in _UNITS.get(word, "").split())
    return _terms(_plain(head)).union(map(stem, units))


def _over(line: Line, pool: Pool) -> str:
    """Return the headings over the row ``line``: headings, the page's title and its file's name."""
    passage = pool.passages[line.owner]
    return f"{pool.headings_over(line)} {passage.title} {passage.locator} {file_stem(passage)}"
