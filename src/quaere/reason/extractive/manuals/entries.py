"""Finds what a listing says of a key: of a code, an option or a name, in two columns of text.

And the code, signal or letter of a listing by what the entry for it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.identifiers import IDENTIFIER
from quaere.reason.extractive.manuals.codes import entries_at
from quaere.reason.extractive.manuals.means import asked_deed
from quaere.reason.extractive.pool import Line, Pool, cells
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.languages.language import is_english
from quaere.text.layout import hanging, indent_of
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight, the key aside, that the entry, the line that leads in to the
listing, the headings over it and the title of the page must hold between them."""

OF_ROW = 0.5
"""The same, of a row that a name of code tells from all others."""

_BEGINS = r"[ \t]*(?P<key>-{0,2}\w[\w./:-]*)(?:[ \t]{2,}|\t)"
_ENTRY = lazy_regex(rf"(?m)^{_BEGINS}(?=\S)")
_TOLD = lazy_regex(rf"{_BEGINS}[A-Z][a-z]+\s")
_ASKS = lazy_regex(r"(?i)\W*what\b.*\b(?:means?|do|does|is|are|stands? for|signif\w+)\b")
_ASKING = frozenset(map(stem, ("mean", "stand", "signify", "do", "does", "value", "option")))


def find_row(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the row of a table whose first cell is the only name of code in ``question``.

    What else is asked has to be said for the most part in the row, the heads of its columns, the
    headings over it or the title of its page. None where several rows have that cell.
    """
    text = last_question(question)
    named = [found[0] for found in IDENTIFIER.finditer(text)]
    if len(named) != 1 or expected_kind(text) is Kind.YES_NO:
        return ()
    rows = _rows_of(named[0], pool)
    wanted = wanted_besides(named[0], text)
    if len(rows) != 1 or not wanted:
        return ()
    goal, row = Goal(text, pool, wanted), rows[0]
    held = goal.share_in(row.terms | pool.over(row))
    return (row,) if held >= OF_ROW else ()


def _rows_of(name: str, pool: Pool) -> list[Line]:
    """Return the rows of tables whose first cell is ``name``."""
    return [line for line in pool.lines if _first_cell(line) == name and not line.heading]


def wanted_besides(key: str, text: str) -> list[str]:
    """Return the terms of ``text`` but those of the ``key`` and those that ask its meaning."""
    besides = _ASKING.union(terms(key))
    return [term for term in terms(text) if term not in besides]


def _first_cell(line: Line) -> str:
    if not (line.columns and line.text.startswith("|")):
        return ""
    return cells(line.text)[0].strip("` *")


def find_entry(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the entry of a listing that says what ``question`` asks of its key; none where none.

    The key has to be a word of the question, and what leads in to the listing has
    to say of what it is a key: "exit codes" of the 3 in "What does exit code 3 mean?".

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    if not _ASKS.match(text) or expected_kind(text) not in {Kind.DEFINITION, Kind.STATEMENT}:
        return ()
    said = frozenset(text.casefold().strip("?. ").split()) | frozenset(words(text))
    best, found = COVERED, tuple[Line, ...]()
    for owner in range(len(pool.lines_of)):
        for key, line in _listed(owner, pool):
            if key.casefold() in said and (held := _held_over(line, key, text, pool)) >= best:
                best, found = held, (line,)
    return found


def find_doing(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the entry of a listing that says that it does what ``question`` asks how to do.

    "mount  Mount the repository" tells by what a repository is mounted. None where several do.
    """
    text = last_question(question)
    deed, goal = asked_deed(text), Goal(text, pool)
    if not deed:
        return ()
    found = dict[str, Line]()
    for owner in range(len(pool.lines_of)):
        for key, line in _listed(owner, pool):
            told = line.text.removeprefix(key).strip()
            if stem(told.partition(" ")[0].casefold()) == deed and _covers(goal, line, pool):
                found.setdefault(key, replace(line, text=f"`{key}`: {told}"))
    return tuple(found.values()) if len(found) == 1 else ()


def _covers(goal: Goal, line: Line, pool: Pool) -> bool:
    return goal.share_in(line.terms | pool.title_terms[line.owner]) >= COVERED


def is_entry(line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is an entry of a listing that tells in a sentence what its key is."""
    text = pool.passages[line.owner].text
    found = _TOLD.match(text, text.rfind("\n", 0, line.start) + 1)
    return found is not None


def _held_over(line: Line, key: str, text: str, pool: Pool) -> float:
    """Return how much of ``text`` but the ``key`` is over the entry ``line``.

    It is 0 where what leads in to the listing, or heads it, has nothing of it.
    """
    wanted = wanted_besides(key, text)
    over = leading_in(line, pool.lines_of[line.owner]) | line.under
    if over.isdisjoint(wanted):
        return 0.0
    goal = Goal(text, pool, wanted)
    return goal.share_in(over | pool.title_terms[line.owner])


def listings_of(pool: Pool) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Yield what heads each listing, its heading and the line that leads in, and its entries."""
    for owner, passage in enumerate(pool.passages):
        run: list[Line] = []
        for _, line in _listed(owner, pool):
            if run and not _goes_on(run[-1], line, passage.text):
                yield _head_of(run[0], pool), tuple(run)
                run = []
            if not run or _indent(line, passage.text) == _indent(run[0], passage.text):
                run.append(line)
        if run:
            yield _head_of(run[0], pool), tuple(run)


def _listed(owner: int, pool: Pool) -> Iterator[tuple[str, Line]]:
    """Yield the keys and entries of the listings in the passage ``owner``."""
    return entries_at(_begun(pool.passages[owner].text), owner, pool)


def _begun(text: str) -> Iterator[re.Match[str]]:
    """Yield what entries begin with, but for lines of prose, set to a width, that look like one.

    These are below a line that begins at the same column and is not an entry, or below an entry
    that is less far in, of which they are a part.
    """
    begun, last = set[int](), None
    for found in _ENTRY.finditer(text):
        before = text.rfind("\n", 0, max(0, found.start() - 1)) + 1
        above, indent = text[before : max(0, found.start() - 1)], _indent_at(found, text)
        is_prose = above.strip() and before not in begun and indent_of(above) == indent
        is_within = last is not None and indent > _indent_at(last, text)
        if is_prose or (is_within and above.strip()):
            continue
        begun.add(found.start())
        last = found
        yield found


def _indent_at(found: re.Match[str], text: str) -> int:
    return indent_of(text[found.start() : found.end()])


def _goes_on(before: Line, line: Line, text: str) -> bool:
    """Whether all from the entry ``before`` to ``line``, another one, is as far in or more."""
    least = _indent(before, text)
    begun = text[before.end : text.rfind("\n", 0, line.start) + 1].splitlines()[1:]
    between = (each for each in begun if each.strip())
    return _indent(line, text) >= least and all(indent_of(each) > least for each in between)


def _indent(line: Line, text: str) -> int:
    return indent_of(text[text.rfind("\n", 0, line.start) + 1 : line.end])


def _head_of(first: Line, pool: Pool) -> str:
    """Return the nearest heading over the ``first`` entry, and the line that leads in, if any."""
    before = [line.text for line in pool.lines_of[first.owner][: first.place]][-1:]
    lead = [text for text in before if text.endswith(":")]
    return " ".join([pool.headings_over(first).rpartition("\n")[2], *lead])


def leading_in(line: Line, lines: Sequence[Line]) -> frozenset[str]:
    """Return the terms of the line that leads in to the listing in which ``line`` is."""
    before = (each for each in reversed(lines[: line.place]) if each.text.endswith(":"))
    lead = next(before, None)
    return lead.terms if lead else frozenset()


SAID = 0.6
"""Share of the weight of what is asked, but for what is over the whole listing, that the entry must
hold by itself."""
FEWEST = 2
"""Words of it that the entry must hold: one may be in it for any reason."""

_NOUN = r"(?:codes?|status(?:es)?|signals?|letters?|characters?|symbols?|digits?)"
_ASKS_KEY = lazy_regex(
    rf"(?i)\W*(?:with )?(?:what|which)(?:['’]s|\s+is)?\s+(?:[\w-]+\s+){{0,2}}?"
    rf"(?P<noun>{_NOUN})\b"
)
_EXITS = lazy_regex(
    r"(?i)\W*(?:with )?what\s+(?:does|do|will|would|is)\b.*\b(?P<noun>exit|return)s?\b(?:\s+with)?"
)
_ASKING_KEY = frozenset(
    map(stem, ("give", "given", "get", "mean", "show", "print", "set", "happen", "number", "error"))
)
_NAMES = frozenset(map(stem, ("exit", "code", "status", "return", "error", "value", "signal")))
"""Stems over a listing of codes."""
_KEY = lazy_regex(r"-?\d{1,6}|0x\w{1,8}|[A-Za-z]|[A-Z][A-Z0-9_]+")
_SECTION = lazy_regex(r"[A-Z]{2,}")
_HOW_MANY = frozenset(("all", "some", "never", "any", "only"))
"""Words of the question that the entry must have as well."""
_NONE = frozenset(("no", "none", "not", "nothing", "nobody", "neither"))
"""Words of which the entry must have one where the question has one."""
_DENYING = frozenset(map(stem, _NONE))


class Key(NamedTuple):
    """What a listing has for what is asked, and the entry that says so."""

    text: str
    line: Line


class _Asked(NamedTuple):
    text: str
    noun: frozenset[str]
    """The terms of what is asked for: "code", "signal"."""
    wanted: list[str]
    """The terms that are looked for in the entries and over them."""


class _Rated(NamedTuple):
    key: Key
    held: float
    """How much of what is asked its entry has."""
    is_named: bool
    """Whether what is over the listing says that it is one of codes, or of what is asked for."""


def find_key(question: str, pool: Pool) -> Key | None:
    """Return the key of the one entry that says what ``question`` asks the code for.

    "124" is that of "124  if the pump runs dry" where it is asked which exit code a pump that ran
    dry gives. None where two entries say as much of it. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = _asked(last_question(question))
    if asked is None:
        return None
    rated = list(_rated(asked, pool))
    most = max((each.held for each in rated), default=0.0)
    best = [each for each in rated if each.held == most]
    if len({each.key.text for each in best}) != 1:
        return None
    return next((each.key for each in best if each.is_named), None)


def _asked(text: str) -> _Asked | None:
    """Return what ``text`` asks the key for; None where it asks for no key, or not in English."""
    asks = (_ASKS_KEY.match(text) or _EXITS.match(text)) if is_english() else None
    if asks is None:
        return None
    noun = frozenset(terms(asks["noun"]))
    besides = _ASKING_KEY | _NAMES | _DENYING | noun
    return _Asked(text, noun, [term for term in terms(text) if term not in besides])


def _rated(asked: _Asked, pool: Pool) -> Iterator[_Rated]:
    """Yield the keys whose entries say enough of what is ``asked``."""
    named = frozenset(words(asked.text))
    for owner in range(len(pool.lines_of)):
        for key, over in _keys(owner, pool):
            is_told = key.text.casefold() in named  # who names it asks for something else
            if not is_told and (held := _held(asked, key, over, pool)):
                yield _Rated(key, held, is_named=not over.isdisjoint(asked.noun | _NAMES))


def _held(asked: _Asked, key: Key, over: frozenset[str], pool: Pool) -> float:
    """Return how much of what is wanted, and not said over the listing, the entry has.

    It is 0 where that is too little, or the entry is of "some" where "all" is asked.
    """
    own = [term for term in asked.wanted if term not in over]
    said, told = frozenset(words(asked.text)), frozenset(words(key.line.text))
    denies = not said.isdisjoint(_NONE)
    if not own or not said & _HOW_MANY <= told or (denies and told.isdisjoint(_NONE)):
        return 0.0
    goal = Goal(asked.text, pool, asked.wanted)
    if goal.said(key.line.terms).bit_count() + denies < FEWEST:
        return 0.0
    goal = Goal(asked.text, pool, own)
    held = goal.share(goal.said(key.line.terms))
    return held if held >= SAID else 0.0


def _keys(owner: int, pool: Pool) -> Iterator[tuple[Key, frozenset[str]]]:
    """Yield the entries of a passage, each with the terms of all that is over it."""
    title = pool.title_terms[owner]
    for key, line in _listed(owner, pool):
        if not _KEY.fullmatch(key):
            continue
        lead = leading_in(line, pool.lines_of[owner])
        said = frozenset(terms(line.text))
        over = title | line.over | lead | _labels(line, pool)
        yield Key(key, replace(line, terms=said)), over
    text = pool.passages[owner].text
    for line in pool.lines_of[owner]:
        label = line.label
        if label is None or text[label.end : line.start].strip():
            continue
        name = text[label.start : label.end]
        if _KEY.fullmatch(name) and not _SECTION.fullmatch(name):
            told = replace(line, start=label.start, text=f"{name}: {line.text}")
            yield Key(name, told), title | line.under | _labels(line, pool)


def _labels(line: Line, pool: Pool) -> frozenset[str]:
    """Return the terms of the labels below which ``line`` is, but for its own."""
    text = pool.passages[line.owner].text
    over = (label for label in hanging(text) if label.end <= line.start < label.until)
    outer = [text[label.start : label.end] for label in over if label != line.label]
    return frozenset(terms(" ".join(outer)))
