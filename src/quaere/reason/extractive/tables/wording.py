"""The words of a question about a table, and which of them its heads account for."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import TOTALS, Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.lexicon import (
    GENERAL,
    MEASURED,
    UNTAKEN,
    alike,
    denier_of,
    in_plain_words,
    opposite,
    with_left,
)
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stem, stems_of, stop_words, terms, tokenize, words

_T = TypeVar("_T")
_Worth = TypeVar("_Worth", float, tuple[float, int, bool], tuple[float, int, bool, int])

SPENT = word_set("spend spent pay paid expense expenses payment payments")
_OUT = word_set("out spent expense expenses expenditure payments debit withdrawals outgoing")
_IN = word_set("in income receipts received credit deposit deposits incoming")
"""Words in the heads of columns of what goes out of an account, and of what comes in: "paid in"."""
_THEY_PAY = lazy_regex(r"(?i)^\W*(?:who|(?:which|what) \w+) (?:ha[sd] |have )?(?:paid|pays?)\b")
_THEY_GET = lazy_regex(
    r"(?i)^\W*(?:who|(?:which|what) \w+) (?:ha[sd] |have )?(?:receive[sd]?|gets?|got)\b"
)
"""Asks who paid or received something: what one of them pays comes in, and the other way round."""
_PAID_IN = lazy_regex(
    r"(?i)\b(?:paid|pays?|paying|payments?) in"
    r"(?:to\b|(?=\s+(?:altogether|by|from|on|per|to)\b|\W*$))"
    r"|\bpayments? (?:\w+ )?received\b"
)
"""Asks for what comes in; "paid in May", "in total" and "in cash" may be said of either."""
_FLOWS = frozenset(map(stem, SPENT | _OUT | _IN | TOTALS))
HALF = 0.5
"""Share of the words of a cell, or of a head, that has to be said for it to be meant."""
_BEFORE_NOUNS = word_set("which what a an each every one")
MOST_NOUNS = 2
"""Nouns of a question that rows are tried to be, at most."""
_PLURAL = lazy_regex(r"^(\d+)s$")
"""Of a figure: "over 60s"."""
_ASKS = word_set("which what who whom whose when where why how may might must us we our your")
_WAYS = word_set("from to")
_LINKED = word_set("from to for by at in of with")
_SAYS_NOTHING = stems_of("allowed included available possible required has is")
_RATE = stem("rate")
_OF_TOTALS = frozenset(map(stem, TOTALS)) | {stem("overall")}
_ENDINGS = word_set("er r or ed ing ion able s es e d ment")


class Undecided(Exception):
    """The question could mean several columns, or rows that the table does not have."""


def sole(found: Sequence[_T]) -> _T | None:
    """Return the one that is ``found``; None without any.

    Raises:
        Undecided: when there are several.
    """
    if len(found) > 1:
        raise Undecided
    return found[0] if found else None


def foremost(
    columns: Sequence[Column], worth: Callable[[Column], _Worth], *, least: _Worth | None = None
) -> list[Column]:
    """Return those of ``columns`` that are worth most; none where that is below ``least``."""
    worths = [worth(column) for column in columns]
    best = max(worths, default=None)
    if best is None or (least is not None and best < least):
        return []
    return [column for column, own in zip(columns, worths, strict=True) if own == best]


def of_total(columns: list[Column]) -> list[Column]:
    """Return the one of ``columns`` that tells the whole of what others tell parts of, else all.

    "Sleep" is all of it, where other columns are of its parts: "sleep_total" and "sleep_rem". So is
    what is headed by nothing else: "price" next to "min price" and "max price".
    """
    if len(columns) < 2:
        return columns
    shared = frozenset[str].intersection(*(column.stems for column in columns))
    totals = _called_total(columns, shared) or _called_no_more(columns, shared)
    return totals if shared and len(totals) == 1 else columns


def _called_total(columns: list[Column], shared: frozenset[str]) -> list[Column]:
    """Return those of ``columns`` whose heads say a total, besides what all have ``shared``."""
    told = [column for column in columns if column.stems & _OF_TOTALS]
    return [column for column in told if column.stems - shared <= _OF_TOTALS]


def _called_no_more(columns: list[Column], shared: frozenset[str]) -> list[Column]:
    """Return those of several ``columns`` whose heads say no more than what all have ``shared``."""
    return [column for column in columns if column.stems == shared] if len(columns) > 2 else []


class Condition(NamedTuple):
    """Rows that have something in one column."""

    column: Column
    rows: frozenset[int]
    is_value: bool = False
    """Whether a cell is named, rather than a head or a bound."""

    @property
    def is_row(self) -> bool:
        """Whether a cell is named that one row alone has."""
        return self.is_value and len(self.rows) == 1


OF_TEXT = 4
"""Words that say something from which a cell is a text, and no name."""


def is_in_texts(own: str, held: Iterable[Condition], rows: Sequence[int]) -> bool:
    """Return whether the cells by which ``rows`` were chosen have the stem ``own`` in a text.

    "No second signature on seven orders" does not name an order.
    """
    cells = (each.column.cells[row] for each in held if each.is_value for row in rows)
    having = [told for cell in cells if own in (told := frozenset(terms(cell)))]
    return bool(having) and all(len(told) >= OF_TEXT for told in having)


def all_hold(rows: Sequence[int], asked: Sequence[Condition]) -> bool | None:
    """Return whether all that is ``asked`` holds of the one of ``rows``.

    None where there is not one row, nothing is asked of it, or a cell of it says nothing.
    """
    if len(rows) != 1 or not asked:
        return None
    if any(is_empty(each.column.cells[rows[0]]) for each in asked):
        return None
    return all(rows[0] in each.rows for each in asked)


class Wording:
    """The words of a question, and which of them are accounted for."""

    def __init__(self, question: str, table: Table) -> None:
        """Read ``question`` for ``table``."""
        self.table = table
        plain = _as_in_heads(_as_in_cells(in_plain_words(question), table), table)
        is_headed = any(UNTAKEN.intersection(column.said) for column in table.columns)
        self.text = plain if is_headed else with_left(plain)
        self.tokens = tokenize(self.text)
        self.words = [_first_word(token.text) for token in self.tokens]
        self.stems = [stem(word) for word in self.words]
        self.content = self._places_of_content()
        self.used: set[int] = {1} if self._asks_for_measure else set()

    def _places_of_content(self) -> list[int]:
        common = stop_words() | _ASKS
        return [
            at
            for at, word in enumerate(self.words)
            if word and (word not in common or self._is_a_letter(at) or self._is_month(at))
        ]

    @cached_property
    def said(self) -> frozenset[str]:
        """Stems of its words, and of those of which one may stand for another of them."""
        return frozenset[str]().union(*(alike(own) for own in self.stems if own))

    @property
    def _asks_for_measure(self) -> bool:
        return self.words[:1] == ["how"] and not MEASURED.isdisjoint(self.words[1:2])

    @cached_property
    def paid_from(self) -> Column | None:
        """The column of what goes out, or is below zero, where it is asked what was paid."""
        is_asked = not SPENT.isdisjoint(self.words) or _THEY_GET.match(self.text)
        if not is_asked or self._comes_in:
            return None
        return _column_of(self.table, out=True)

    @cached_property
    def paid_into(self) -> Column | None:
        """The column of what comes in, or is above zero, where it is asked who paid, or paid in."""
        return _column_of(self.table, out=False) if self._comes_in else None

    @cached_property
    def paid(self) -> Column | None:
        """The column of what was paid, or came in, where that is asked for and no other figure."""
        column = self.paid_from or self.paid_into
        if column is None:
            return None
        said = set(self.stems) - column.stems - _FLOWS
        others = (c for c in self.table.of_type(Type.NUMBER) if c is not column)
        return column if all(said.isdisjoint(c.stems) for c in others) else None

    @property
    def _comes_in(self) -> bool:
        return any((_THEY_PAY.match(self.text), _PAID_IN.search(self.text)))

    @property
    def is_below_zero(self) -> bool:
        """Whether what is asked for is the further below zero, the more it is: what was paid."""
        return self.paid_from is not None and _is_signed(self.paid_from)

    def _is_a_letter(self, at: int) -> bool:
        """Whether the word at ``at`` is a letter and not an article, or the first of a title."""
        after = "".join(token.text for token in self.tokens[at + 1 : at + 2])
        is_letter = at > 0 and self.tokens[at].text == "A"
        return is_letter and not after[:1].isupper() and not self.text.isupper()

    def _is_month(self, at: int) -> bool:
        """Whether the word at ``at`` is May, and does not say what may be."""
        return at > 0 and self.tokens[at].text == "May" and not self.text.isupper()

    @property
    def free(self) -> list[int]:
        """Places of the words that nothing accounts for yet."""
        return [at for at in self.content if at not in self.used]

    def places_of(self, said: Container[str]) -> list[int]:
        """Return the places of the words that are among those ``said``."""
        return [at for at, word in enumerate(self.words) if word in said]

    def use(self, start: int, end: int, column: Column) -> None:
        """Account for the words at ``[start, end)`` of the text, and for those of a head."""
        places = (at for at, token in enumerate(self.tokens) if start <= token.start < end)
        self.used.update(places)
        self.used.update(self.heads(column))

    def deniers(self, places: Iterable[int]) -> set[int]:
        """Return the places of the words that deny one of those at ``places``."""
        denied = (denier_of(self.words, self.content, at) for at in places)
        return {at for at in denied if at is not None}

    def heads(self, column: Column, places: Iterable[int] | None = None) -> list[int]:
        """Return the places of the words that may stand for a word in the head of ``column``."""
        chosen = self.free if places is None else places
        return [at for at in chosen if self._stands_for(at, column)]

    def head_places(self, columns: Iterable[Column]) -> set[int]:
        """Return the places of the words that may stand for a word in the head of any column."""
        return {at for column in columns for at in self.heads(column)}

    def says(self, column: Column, places: Sequence[int]) -> bool:
        """Whether what is said at ``places`` is the yes or no that ``column`` tells.

        All of a head of several words, or what its last one says: "parking" of "car parking".
        """
        wanted = _decisive(column)
        if not places or not wanted:
            return False
        if self.share(column, places) == 1.0:
            return True
        return all(any(self._is_said(at, stem(word)) for at in places) for word in wanted)

    def share(self, column: Column, places: Iterable[int]) -> float:
        """Return the share of the words in the head of ``column`` that are said at ``places``."""
        places = frozenset(places)
        said = {self.stems[at] for at in places} | {stem(opposite(self.words[at])) for at in places}
        met = [s for s in column.stems if any(_is_like(each, s) for each in said)]
        told = min(len(met), len(places))  # "capacity" is not all of "capacity seated"
        return told / max(1, len(column.stems))

    def share_left(self, column: Column) -> float:
        """Return the same share, of the words that nothing accounts for yet."""
        return self.share(column, self.heads(column))

    def is_opposite(self, at: int, column: Column) -> bool:
        """Whether the word at ``at`` says the contrary of the head of ``column``."""
        own = self.stems[at]
        return bool(opposite(self.words[at])) and not any(_is_like(own, s) for s in column.stems)

    def _stands_for(self, at: int, column: Column) -> bool:
        ways = (stem(word) for word in column.said if word in _WAYS)
        heads = {*column.stems, *ways}
        if column.is_ratio and self.stems[at] != _RATE:
            heads.discard(_RATE)
        return any(self._is_said(at, head) for head in heads)

    def _is_said(self, at: int, head: str) -> bool:
        own = self.stems[at], stem(opposite(self.words[at]) or "-")
        return any(_is_like(each, head) for each in own)


def _as_in_cells(question: str, table: Table) -> str:
    """Return ``question`` with cells of ``table`` for what else these are called."""
    called = table.otherwise.called
    if not called or not is_english():
        return question
    names = "|".join(re.escape(name) for name in sorted(called, key=len, reverse=True))
    return re.sub(
        rf"(?i)(?<!\w)(?:{names})(?!\w|\s(?-i:[A-Z][a-z]))",
        lambda found: called[found[0].casefold()],
        question,
    )


def _as_in_heads(question: str, table: Table) -> str:
    """Return ``question`` with the heads of ``table`` as they are read.

    "Win percent" is the head "winpercent", and "temp_max" the maximum of a temperature.
    """
    for column in table.columns:
        if "_" in column.head:
            said = " ".join(column.said)
            question = re.sub(rf"(?i)(?<!\w){re.escape(column.head)}(?!\w)", said, question)
    question = _named_in_one_word(question, table)
    return _run_together(question, {word for c in table.columns for word in words(c.head)})


_LONGEST_NAME = 3
"""Words of a question that are one word of the name of a file, at most: "S&P 500" of sp500.csv."""


def _named_in_one_word(question: str, table: Table) -> str:
    """Return ``question`` with words that are one word of what ``table`` is called as that word."""
    tokens = [(token, "".join(words(token.text))) for token in tokenize(question)]
    for count in range(_LONGEST_NAME, 1, -1):
        for at in range(len(tokens) - count + 1):
            run = tokens[at : at + count]
            said = [word for _, word in run]
            if _name_together(said, table):
                return f"{question[: run[0][0].start]}{''.join(said)}{question[run[-1][0].end :]}"
    return question


def _name_together(said: Sequence[str], table: Table) -> bool:
    """Whether ``said`` are together one word of what ``table`` is called, and none is one alone."""
    return stem("".join(said)) in table.named and table.named.isdisjoint(map(stem, said))


def _run_together(question: str, heads: Container[str]) -> str:
    """Return ``question`` with each two of its words as one that is one word of ``heads``."""
    tokens = [(token, word) for token in tokenize(question) for word in words(token.text)[:1]]
    for (first, one), (second, other) in reversed(list(pairwise(tokens))):
        if f"{one}{other}" in heads and one not in heads and other not in heads:
            question = f"{question[: first.start]}{one}{other}{question[second.end :]}"
    return question


def row_nouns(question: str, table: Table) -> list[str]:
    """Return the stems of nouns in ``question`` that ``table`` does not have, and its rows may be.

    They are in the plural, or directly after "which" or an article.
    """
    known = table.things | GENERAL
    found = [noun for noun in _nouns_of_no_head(Wording(question, table)) if noun not in known]
    if not found:
        return []
    told = _stems_of_texts(table)
    return [noun for noun in dict.fromkeys(found) if noun not in told][:MOST_NOUNS]


def _nouns_of_no_head(wording: Wording) -> Iterator[str]:
    """Yield the stems of the words that may be nouns, and stand for none in a head."""
    heads = wording.head_places(wording.table.columns)
    strange = (at for at in wording.content if at not in heads)
    return (wording.stems[at] for at in strange if _may_be_noun(at, wording))


def _may_be_noun(at: int, wording: Wording) -> bool:
    """Whether the word at ``at``, no name, is in the plural, or after "which" or an article."""
    if not wording.tokens[at].text.islower():
        return False
    said = wording.words
    return said[at].endswith("s") or (at > 0 and said[at - 1] in _BEFORE_NOUNS)


def _stems_of_texts(table: Table) -> frozenset[str]:
    """Return the stems of all words in the cells of ``table`` that are words."""
    told = (own for column in table.of_type(Type.TEXT) for own in column.terms)
    return frozenset[str]().union(*told)


def _first_word(text: str) -> str:
    return _PLURAL.sub(r"\1", next(iter(words(text)), ""))


def _column_of(table: Table, *, out: bool) -> Column | None:
    """Return the column of ``table`` of what goes ``out``, or comes in, or else the one of both."""
    able = table.of_type(Type.NUMBER)
    if ways := _two_ways(able):
        return ways[0] if out else ways[1]
    signed = list(filter(_is_signed, able))
    return signed[0] if len(signed) == 1 and may_be_money(signed[0], table) else None


def _two_ways(able: Sequence[Column]) -> tuple[Column, Column] | None:
    """Return the column of what goes out and that of what comes in, if there is one of each."""
    going = _headed(able, _OUT)
    coming = [c for c in _headed(able, _IN) if c not in going]
    is_one_each = len(going) == len(coming) == 1 and _take_turns(going[0], coming[0])
    return (going[0], coming[0]) if is_one_each else None


def _headed(columns: Iterable[Column], said: frozenset[str]) -> list[Column]:
    return [column for column in columns if not said.isdisjoint(column.said)]


def _take_turns(first: Column, second: Column) -> bool:
    """Whether each row has a figure in one of two columns at most."""
    pairs = zip(first.values, second.values, strict=True)
    return not any(one and other and one[0] and other[0] for one, other in pairs)


def _is_signed(column: Column) -> bool:
    """Whether a figure of ``column`` is below zero."""
    return any(value and value[0] < 0 for value in column.values)


def _decisive(column: Column) -> list[str]:
    """Return the words that say what a column of yes and no tells."""
    told = [word for word in column.said if stem(word) in column.stems - _SAYS_NOTHING]
    return told if _LINKED.intersection(column.said) else told[-1:]


def _is_like(said: str, head: str) -> bool:
    if said == head or said in alike(head):
        return True
    short, long = sorted((said, head), key=len)
    return len(short) > 2 and long.startswith(short) and long[len(short) :] in _ENDINGS
