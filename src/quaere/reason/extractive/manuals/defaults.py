"""Finds the value that something has by default, as manuals tell of options and settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.identifiers import IDENTIFIER
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms

COVERED = 0.75
"""Share of the question's weight that the name of an entry, the headings over it and the title of
the page must hold between them; of what is said under a label, the sentences there as well."""
NAMED, OPENS_WITH = 0.25, 0.5
"""Share of it that in the latter case the label has, or the sentence that tells the default; and
that the first sentence under the label has where neither does."""

_ASKS = lazy_regex(
    r"(?i)\bdefaults?\b"
    r"|\b(?:if|when|where|unless)\b(?: (?:i|we|you|one) (?:don[’']t|do not|did not|didn[’']t))?"
    r"(?: (?:none|nothing|no [a-z]+|no one|one|it|any|anything))?"
    r"(?: (?:is|was|are|has been))?(?: not)?"
    r" (?P<given>(?:un)?specif(?:y|ied)|given|named?|set|chosen|choose|configured|provided)"
    r"(?: (?:any|one|anything|it))?\W*$"
)
"""Asks for a default by its name, or for what is so where nothing is said."""
_ASKING = frozenset(
    map(stem, ("default", "value", "setting", "option", "have", "use", "none", "nothing"))
)
_UNIT = (
    r"(?:(?:milli|micro)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|[kKMGT]i?B"
    r"|blocks?|lines?|percent)"
)
_VALUE = lazy_regex(
    r"(?i)(?:\bdefaults?(?: [a-z]+){0,2}?(?: to\b(?! be\b)| is\b)"
    r"|\bdefault(?: [a-z]+){0,2}?\*{0,2}:"
    r"|\bby default,(?: [a-z]+){1,4} (?:is|are)(?: set to\b|(?=\*{0,2}\s*[`\"'\d])))\*{0,2}\s*"
    r"(?:uses? )?"
    rf"(?P<value>\d[\d.,]*\s{_UNIT}\b"
    r"|`[^`\n]{1,60}`|\*\*[^*\n]{1,60}\*\*"
    r"|\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|[^\s,;()\[\]]{1,40}?(?=[.,;)\]]*(?:\s|$))"
    r"(?<!\ball)(?<!\bany)(?<!\bevery)(?<!\bthose)(?<!\bwhatever)"
    r"(?! (?:to|by|from|on|in|of|for)\b)"
    r"(?: \([^()]{1,60}\))?)"
)
_GIVEN = (
    r"(?P<value>`[^`\n]{1,60}`|\"[^\"\n]{1,60}\"|-?\d[\w.,]*\w|\d|true|false|none)(?![\w.-]*\w)"
)
_HAS_DEFAULT = lazy_regex(
    r"(?i)\bdefaults?\b(?: value)?(?: of| for)?(?: the)?[\s`\"']+(?P<name>[\w-]+)"
)
"""Of what the default is asked for: "the default of `max_runs` in the tool make_run"."""
_BRACKETED = lazy_regex(
    r"(?i)(?<![\w`'-])(?P<name>[\w`'-]{1,60}+(?:\s[\w`'-]{1,60}+){0,2})"
    r"\s\((?:the )?default(?:s to| is|:| =)?\s*"
    rf"{_GIVEN}\)"
)
"""How a default is told in passing: "an optional seed (default is 0)"."""
_OF_NAME = lazy_regex(rf"(?i)\bdefaults?\b(?: value)?(?: of| to(?! be\b)| is|:| =)?\s*{_GIVEN}")
"""What a clause says of the default of what it names: "with a default of `0.15`"."""
_OF_IT = lazy_regex(r"(?i)(?:the |its |by )?defaults?(?: [a-z]+){0,2}?(?: is| to|:)")
"""How a sentence tells the default of what the ones before it speak of."""
_CHANGED = re.compile(
    rf"(?i)\bdefaults?\b.*\b(?:reduced|lowered|raised|increased|changed) from\s+\S+\s+to\s+{_GIVEN}"
)
_SIGNATURE = lazy_regex(r"(?:(?:async )?def |class |\w{1,60} = )?(?P<name>\w{1,60})\(")
_PARAMETER = lazy_regex(
    r"(?<![\w.])(?P<name>\w{1,60})=(?P<value>'[^'\n]{0,60}'|\"[^\"\n]{0,60}\"|[\w.+-]{1,60})(?=[,)])"
)
_CLAUSE = lazy_regex(r"(?<=[.;])\s+|\s\|\s")
_NEW = lazy_regex(r"(?i)\bnew\b|\bafter the change\b")
_NAME = lazy_regex(
    r"[`*]*(?P<name>[^\s:`*][^:`*\n]{0,60})[`*]*"
    r"(?:(?=\s*(?::|\(|[–—-]\s))|(?<=`)(?=\s))"
)
"""What an entry is called: "`limit`: …", and anything in code with which it begins."""
_IS_ON = lazy_regex(
    r"(?i)\W*(?:is|are)\b.*\b(?P<state>on|enabled|active|true|off|disabled|false)\b"
)
_ON = frozenset(("on", "enabled", "active", "true", "yes"))
_OFF = frozenset(("off", "disabled", "false", "no"))


class Default(NamedTuple):
    """A value, and the line that tells it with the one that names what has it."""

    text: str
    lines: tuple[Line, ...]


class _Rated(NamedTuple):
    """A default, and how well its entry answers."""

    rated: tuple[float, float, int]
    """Shares of the question's weight: in the entry and over it, and in what names it; and words
    of its first line that were not asked for, below zero: "non-system" is not "system"."""
    default: Default


class _Entry(NamedTuple):
    name: frozenset[str]
    lines: tuple[Line, ...]

    @property
    def said(self) -> frozenset[str]:
        """The stems of its name and of all that is said in it."""
        return self.name.union(*(line.terms for line in self.lines))


def find_default(question: str, pool: Pool) -> Default | None:
    """Return what the thing that ``question`` asks of has by default; None where none tells.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    asks, state = _ASKS.search(text), _IS_ON.match(text)
    idle = (*terms(state["state"] if state else ""), *terms((asks and asks["given"]) or ""))
    goal = Goal.besides(_ASKING.union(idle), text, pool) if asks else None
    if goal is None:
        return None
    told = _told_of_name(text, pool) or _told_in_entry(text, goal, pool)
    told = told or _told_in_signature(text, goal, pool)
    return told if told or _identifiers(text) else _told_in_brackets(goal, pool)


_TELLS = lazy_regex(
    r"(?i)\bdefault|\b(?:unless|otherwise)\b|\bif (?:not|none|no|nothing|omitted|unset|left out)\b"
    r"|\b(?:if|when|where) (?:it|this|that|one|they)\b.{0,20}\b(?:not|n['’]t|omitted|unset|left)\b"
)
"""How a line tells what is so where nothing is said."""


def lacks_default(question: str, told: str) -> bool:
    """Return whether ``question`` asks for a default, and nothing that is ``told`` is one.

    "The method is set with `--method`" does not tell which is the default. English alone.
    """
    return in_english(_ASKS.search, question) is not None and _TELLS.search(told) is None


def is_on(question: str, value: str) -> bool | None:
    """Return whether a default ``value`` says yes to ``question``; None where it does not tell.

    "Is it on by default?" is answered by `true`, as is "Is it strict by default?".
    """
    said = value.casefold()
    if said not in _ON | _OFF:
        return None
    asked = _IS_ON.match(question)
    wants_on = asked is None or asked["state"].casefold() in _ON
    return (said in _ON) == wants_on


class _Told(NamedTuple):
    """What a clause gives as a default."""

    value: str
    changed: bool
    """Whether it is one that took the place of another."""
    line: Line


def _told_of_name(text: str, pool: Pool) -> Default | None:
    """Return the default that one clause gives for the name of code whose default ``text`` asks.

    That is the one after "default of", else the only one. None where clauses give different ones,
    unless the new one is asked for, and one changes it.
    """
    named = _identifiers(text)
    meant = _HAS_DEFAULT.search(text)
    if meant and meant["name"] in named:
        named = [meant["name"]]
    if len(named) != 1:
        return None
    told = list(_told_of(named[0], pool))
    if _NEW.search(text):
        told = [each for each in told if each.changed]
    if len({each.value for each in told}) != 1:
        return None
    return Default(told[0].value, (told[0].line,))


def _told_of(name: str, pool: Pool) -> Iterator[_Told]:
    """Yield what the clauses that name ``name`` alone give as its default."""
    clauses = ((line, clause) for line in pool.lines for clause in _CLAUSE.split(line.text))
    for line, clause in clauses:
        if _identifiers(clause) == [name] and (
            value := _CHANGED.search(clause) or _OF_NAME.search(clause)
        ):
            yield _Told(value["value"].strip("`"), value.re is _CHANGED, line)


def _identifiers(text: str) -> list[str]:
    return [found[0] for found in IDENTIFIER.finditer(text)]


def _told_in_brackets(goal: Goal, pool: Pool) -> Default | None:
    """Return the default in brackets after the name of what has it.

    The sentence, the headings over it and the title of its page have the rest of what is asked.
    None where sentences give different ones.
    """
    told = [
        (value["value"].strip("`"), line)
        for line in pool.lines
        for value in _BRACKETED.finditer(line.text)
        if _is_of(value["name"], line, goal, pool)
    ]
    if len({value for value, _ in told}) != 1:
        return None
    value, line = told[0]
    return Default(value, (line,))


def _is_of(name: str, line: Line, goal: Goal, pool: Pool) -> bool:
    """Whether ``line`` is about what ``goal`` looks for, and the last word of ``name`` is of it."""
    last = goal.mask(frozenset(terms(name.rsplit(maxsplit=1)[-1])))
    said = line.terms | pool.over(line)
    return bool(last) and goal.share(last) >= NAMED and goal.share_in(said) >= COVERED


def _told_in_signature(text: str, goal: Goal, pool: Pool) -> Default | None:
    """Return what the signature of a name in ``text`` gives for the one parameter it asks of.

    "drain(tank, speed=3)" does for "the default speed of drain". None where signatures differ.
    """
    told = {
        given["value"]: line
        for line, name in _signatures(text, pool)
        for given in _PARAMETER.finditer(line.text)
        if given["name"] != name and goal.mask(frozenset(terms(given["name"])))
    }
    if len(told) != 1:
        return None
    value, line = next(iter(told.items()))
    return Default(value, (line,))


def _signatures(text: str, pool: Pool) -> Iterator[tuple[Line, str]]:
    """Yield the lines that say how something named in ``text`` is called, with its name."""
    named = frozenset(text.strip("?. ").split())
    for line in pool.lines:
        begins = _SIGNATURE.match(line.text)
        if begins and begins["name"] in named and _is_described(line, begins["name"], pool):
            yield line, begins["name"]


def _is_described(line: Line, name: str, pool: Pool) -> bool:
    """Whether ``line`` is a label, or one below that of its class: a call in an example is not."""
    after = pool.after(line)
    is_label = bool(after and after.label and after.label.start == line.start)
    text, label = pool.passages[line.owner].text, line.label
    return is_label or (label is not None and text.startswith(f"class {name}(", label.start))


_OF_WHAT = lazy_regex(
    r"(?i)\W*(?:which|what)(?:['’]s| is| are)?\s+(?:the\s+)?(?:default\s+)?(?P<noun>[\w-]+)"
)


def _told_in_entry(text: str, goal: Goal, pool: Pool) -> Default | None:
    """Return the default in the entry that has most of ``goal`` in its name and above it.

    The entry itself speaks of what ``text`` asks by its first noun: "which port".
    """
    asked = _OF_WHAT.match(text)
    needed = goal.mask(frozenset(terms(asked["noun"]) if asked else ()))
    told = (_told_by(entry, goal, pool) for entry in _speaking_of(needed, goal, pool))
    best = max(filter(None, told), key=lambda each: each.rated, default=None)
    return best.default if best else None


def _speaking_of(needed: int, goal: Goal, pool: Pool) -> Iterator[_Entry]:
    """Yield the entries of all passages that have the terms ``needed`` of ``goal``."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        entries = _entries(lines, passage.text)
        yield from (entry for entry in entries if not needed & ~goal.mask(entry.said))


def _told_by(entry: _Entry, goal: Goal, pool: Pool) -> _Rated | None:
    """Return the one default that ``entry`` tells, where it tells it of ``goal``."""
    told = [(line, value) for line in entry.lines if (value := _VALUE.search(line.text))]
    if len(told) != 1:
        return None
    line, value = told[0]
    covered, named = _held_by(entry, line, goal, pool)
    if covered < COVERED or not named:
        return None
    first = entry.lines[0]
    lines = (line,) if line is first else (line, first)
    besides = len(first.terms) - goal.mask(first.terms).bit_count()
    return _Rated((covered, named, -besides), Default(value["value"].strip("`*"), lines))


def _held_by(entry: _Entry, line: Line, goal: Goal, pool: Pool) -> tuple[float, float]:
    """Return what ``entry`` has of ``goal`` with all over it, and what names it: 0 for too little.

    Under a label its lines are read as well, and ``line``, which tells the default, may name it,
    or the first one, which says what the label is: "The wait before the tank is emptied". So are
    they above a line of a paragraph that says it of them: "The default is 5."
    """
    first = entry.lines[0]
    over = entry.name | _called_over(first, pool) | pool.file_terms(first)
    named = goal.share_in(entry.name)
    if first.label or (_OF_IT.match(line.text) and not first.listed):
        over = over.union(*(each.terms for each in entry.lines))
        named = max(named, goal.share_in(line.terms))
        opening = goal.share_in(first.terms)
        named = named if named >= NAMED else opening if opening >= OPENS_WITH else 0.0
    return goal.share_in(over), named


def _called_over(line: Line, pool: Pool) -> frozenset[str]:
    """Return the stems over ``line``, with those of what does so: "hask serve" heads the server."""
    over = pool.over(line)
    return over.union(f"{own}er" for own in over)


def _entries(lines: Sequence[Line], text: str) -> Iterator[_Entry]:
    """Yield what is said about one thing: an item with what continues it, or a paragraph."""
    entry: list[Line] = []
    for line in lines:
        if entry and (_begins_anew(line, entry[0]) or _is_parted(entry[-1], line, text)):
            yield _entry(entry)
            entry = []
        if not (line.heading or line.columns):
            entry.append(line)
    if entry:
        yield _entry(entry)


def _begins_anew(line: Line, first: Line) -> bool:
    """Whether ``line`` is of another entry than the one that begins with ``first``."""
    return line.listed or line.heading or _is_elsewhere(line, first)


def _is_parted(before: Line, line: Line, text: str) -> bool:
    """Whether a blank line is between two lines of ``text`` that nothing else holds together."""
    alone = not (before.label or before.listed or line.label)
    return alone and "\n\n" in text[before.end : line.start]


def _is_elsewhere(line: Line, first: Line) -> bool:
    return line.under != first.under or line.label != first.label


def _entry(lines: Sequence[Line]) -> _Entry:
    first = lines[0]
    name = _NAME.match(first.text) if first.listed else None
    called = frozenset(terms(name["name"])) - _ASKING if name else frozenset[str]()
    return _Entry(called or first.over, tuple(lines))
