"""Finds the option, setting or other label of a manual under which is said what is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from operator import itemgetter
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.entries import wanted_besides
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import negation
from quaere.text.languages.language import is_english
from quaere.text.layout import Hanging
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight that a label, what is said under it, the headings over it and the
title of the page must hold between them."""
SAID, DONE = 0.5, 0.6
"""Share of it that one sentence under the label must hold, where an option is asked for by that
word, and where one is asked how to do something."""
NEARLY, NEARLY_SAID = 0.5, 0.33
"""The same two for a label that is not sure to be it, where no other holds as much."""
FEWEST = 2
"""Words of the question that one sentence has to have: one may be in it for any reason."""

_NOUNS = (
    r"(?:options?|flags?|switch(?:es)?|parameters?|arguments?|settings?|variables?|keys?|keywords?"
    r"|directives?|attributes?|fields?|commands?|subcommands?|hooks?|functions?|methods?|types?)"
)
_ASKS = lazy_regex(
    r"(?i)\W*(?:with |by |under )?(?:(?:which|what)\s+(?!are\s+all\b)(?:[\w-]+\s+){0,3}?"
    rf"(?P<noun>{_NOUNS})\b"
    r"|(?:what['’]?s |(?:what|which) is |is there |are there )?(?:the |an? |any )?"
    rf"(?P<bare>{_NOUNS})"
    r"\s+(?:for|to|that|which)\b)"
)
"""It asks by that word, or as one types in haste: "flag for a dry run"."""
_ASKS_FOR_OTHER = lazy_regex(r"(?i)(?:sub)?command|hook|function|method|variable")
"""What no option is."""
_MEANING = lazy_regex(r"(?i)\W*what\b.*\b(?:means?|do|does|is|stands? for|signif\w+)\b")
_ASKING = frozenset(
    map(stem, ("make", "let", "tell", "want", "use", "set", "give", "specify", "need", "pass"))
)
_TYPED = lazy_regex(
    r"-{1,2}\w.*|[\w.-]+=.*|[a-z][\w.-]*(?:\s*:\s.*)?|[A-Za-z][\w.]*[_.][\w.]*(?:\s*:\s.*)?"
    r"|[A-Z][A-Z0-9_]{2,}"
)
"""A label that one types: "-n, --dry-run", "Storage=", "nofail", "limit : int"."""
_SECTION = lazy_regex(r"[A-Z][A-Z ]+")
_MARK = lazy_regex(r"[-*+•]\s+")
_KEY = lazy_regex(r"[\w@%.-]+")
_GIVING = r"(?i)\b(?:specify|use|using|give|giving|pass|add|with|set|if|when)\b"
"""What comes before an option in a sentence that says what it does."""


@dataclass(frozen=True, slots=True)
class Option:
    """A label, and the line that says it with what it does, with those that say more."""

    name: str
    lines: tuple[Line, ...]
    is_asked: bool = False
    """Whether the label itself is asked for."""
    is_means: bool = False
    """Whether it is by what one does what is asked; a command that does it tells more."""
    has_rival: bool = False
    """Whether under another label is said nearly as much of it, or under this one too little."""

    @property
    def is_first(self) -> bool:
        """Whether it goes before a command or a list that answers as well."""
        return self.is_asked or not (self.is_means or self.has_rival)


class _Entry(NamedTuple):
    label: Hanging
    name: str
    lines: Sequence[Line]
    """What is said under the label, and not under one that is part of it."""


class _Rated(NamedTuple):
    """How much of what is asked an entry has."""

    covered: float
    """The share that it holds with all that is over it."""
    named: float
    """The share that its name has, and the title of its page has not."""
    said: float
    """The share that ``line`` holds alone."""
    entry: _Entry
    line: Line


def find_option(question: str, pool: Pool) -> Option | None:
    """Return the label under which is said what ``question`` asks for; None where none clearly is.

    It asks which option, setting or key does something, how one does it, or what a label means.
    English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    if not is_english():
        return None
    return _doing(text, pool) or _meant(text, pool)


def _doing(text: str, pool: Pool) -> Option | None:
    """Return the label of what one types to do what ``text`` asks."""
    asks = _ASKS.match(text)
    if asks is None and expected_kind(text) is not Kind.MANNER:
        return None
    wanted = _wanted(text, asks)
    if len(wanted) < FEWEST:
        return None
    goal = Goal(text, pool, wanted)
    may_be = (each for each in _typed(goal, pool) if not _is_of_other_sort(each[0].name, asks))
    rated = [_rated(goal, entry, line, pool) for entry, line in may_be]
    found = _closest(rated, COVERED, SAID if asks else DONE)
    if found is None:
        near = _nearly_doing(rated, pool)
        return near and replace(near, is_asked=asks is not None)
    option = _as_option(found.entry, found.line, pool)
    undone = () if negation(text).denies else _undone_by(found.entry, found.line)
    lines = (*option.lines, *undone)
    is_doubted = _has_rival(found, rated) or (not undone and _denies_alone(found.line, text))
    return Option(option.name, lines, bool(asks), not asks, not asks and is_doubted)


def _is_of_other_sort(name: str, asks: re.Match[str] | None) -> bool:
    """Whether a command, a variable or its like is asked for, and ``name`` is that of an option."""
    if asks is None or not name.startswith("-"):
        return False
    return _ASKS_FOR_OTHER.match(asks["noun"] or asks["bare"]) is not None


def _nearly_doing(rated: Sequence[_Rated], pool: Pool) -> Option | None:
    """Return the label that nearly does what is asked, where no other does as much of it."""
    near = _closest(rated, NEARLY, NEARLY_SAID)
    if near is None or _has_rival(near, rated):
        return None
    return replace(_as_option(near.entry, near.line, pool), has_rival=True)


def _denies_alone(line: Line, text: str) -> bool:
    """Whether ``line`` tells what is not done, and ``text`` asks how it is done.

    "--no-log: Do not note what a run takes" is not how one sees what a run takes.
    """
    return negation(line.text).denies and not negation(text).denies


def _undone_by(entry: _Entry, line: Line) -> tuple[Line, ...]:
    """Return what says what the label does, where ``line`` says what is not done without it.

    "-d: The tank is not emptied. Specify -d to have it emptied."
    """
    if not negation(line.text).denies:
        return ()
    keys = [key for key in _KEY.findall(entry.name) if key.startswith("-")]
    after = (each for each in entry.lines if each.place > line.place)
    return tuple(islice((each for each in after if _gives(each.text, keys)), 1))


def _gives(said: str, keys: Sequence[str]) -> bool:
    """Whether ``said`` tells to give one of ``keys``."""
    given = (rf"{_GIVING}[^.]*?(?<![\w-]){re.escape(key)}(?![\w-])" for key in keys)
    return not negation(said).denies and any(re.search(each, said) for each in given)


def _wanted(text: str, asks: re.Match[str] | None) -> list[str]:
    """Return the terms of ``text`` but those that ask, such as "option"."""
    asking = _ASKING.union(terms(asks["noun"] or asks["bare"])) if asks else _ASKING
    return [term for term in terms(text) if term not in asking]


def _closest(rated: Iterable[_Rated], covered: float, said: float) -> _Rated | None:
    """Return the one of ``rated`` that has most of what is asked.

    None where no line has ``said`` of it alone and ``covered`` with all that is over it.
    """
    enough = (each for each in rated if each.covered >= covered and each.said >= said)
    return max(enough, key=lambda each: (each.covered, each.named, each.said), default=None)


def _has_rival(best: _Rated, rated: Iterable[_Rated]) -> bool:
    """Return whether under another label is as much of what is asked, and in its name."""
    return any(
        each.covered >= best.covered
        and each.named >= best.named
        and each.entry.name != best.entry.name
        for each in rated
    )


def _typed(goal: Goal, pool: Pool) -> Iterator[tuple[_Entry, Line]]:
    """Yield the labels that one types, each with the line that says most of ``goal``, if enough."""
    for entry in _entries(pool):
        line = max(entry.lines, key=lambda each: goal.share_in(each.terms))
        said = line.terms | _meaning(entry)
        if _TYPED.fullmatch(entry.name) and goal.mask(said).bit_count() >= FEWEST:
            yield entry, line


_LIMITING = frozenset(map(stem, ("limit", "cap", "restrict", "bound", "maximum")))


def _meaning(entry: _Entry) -> frozenset[str]:
    """Return the stems of what the name of ``entry`` means: "--max-cost" limits."""
    return _LIMITING if "max" in words(entry.name) else frozenset()


def _meant(text: str, pool: Pool) -> Option | None:
    """Return the label that ``text`` asks the meaning of, with what is said under it.

    One of its keys is in the question as it is written: "-E" is not "-e". What else is asked
    has to be in the headings or the title over it, or under it.
    """
    if not _MEANING.match(text):
        return None
    said = frozenset(_KEY.findall(text))
    keyed = ((entry, _keys_of(entry.name, said)) for entry in _entries(pool))
    told = ((_told_around(text, keys, entry, pool), entry) for entry, keys in keyed if keys)
    enough = [((around, over), entry) for (around, over), entry in told if around >= COVERED]
    if not enough:
        return None
    _, best = max(enough, key=itemgetter(0))
    return _as_option(best, best.lines[0], pool)


def _keys_of(name: str, said: frozenset[str]) -> frozenset[str]:
    """Return the keys of ``name`` that are ``said``; none where they are but plain words in it."""
    keys = frozenset(key for key in _KEY.findall(name) if key in said)
    return keys if keys and _is_key(keys, name) else frozenset()


def _told_around(text: str, keys: frozenset[str], entry: _Entry, pool: Pool) -> tuple[float, float]:
    """Return what is said of ``text``, its ``keys`` aside, around the entry, and what over it."""
    wanted = wanted_besides(" ".join(keys), text)
    if not wanted:
        return 1.0, 1.0
    goal, first = Goal(text, pool, wanted), entry.lines[0]
    over = pool.over(first)
    around = over.union(*(line.terms for line in entry.lines))
    return goal.share_in(around), goal.share_in(over)


def _is_key(keys: frozenset[str], name: str) -> bool:
    """Whether ``keys`` are what ``name`` begins with or options in it, and no plain word of it."""
    bare = _MARK.sub("", name, count=1)
    if any(key.startswith("-") for key in keys):
        return True
    first = _KEY.match(bare)
    return first is not None and first[0] in keys and bool(_TYPED.fullmatch(bare))


def _rated(goal: Goal, entry: _Entry, line: Line, pool: Pool) -> _Rated:
    told = frozenset[str]().union(*(each.terms for each in entry.lines))
    name, title = frozenset(terms(entry.name)), pool.title_terms[line.owner]
    over = pool.over(line) | name | pool.file_terms(line)
    meant = _meaning(entry)
    covered, said = goal.share_in(told | over | meant), goal.share_in(line.terms | meant)
    return _Rated(covered, goal.share_in(name - title), said, entry, line)


def _entries(pool: Pool) -> Iterator[_Entry]:
    """Yield the labels of all passages, each with the lines directly under it."""
    for owner, lines in enumerate(pool.lines_of):
        text = pool.passages[owner].text
        for label, told in _told_under(_by_label(lines)):
            name = " ".join(_MARK.sub("", text[label.start : label.end], count=1).split())
            if not _SECTION.fullmatch(name):
                yield _Entry(label, name, told)
        yield from _headed(lines)


def _headed(lines: Sequence[Line]) -> Iterator[_Entry]:
    """Yield the options that head sections: "### `-q`, `--quiet`"."""
    heads = [line.place for line in lines if line.heading]
    for at, end in pairwise([*heads, len(lines)]):
        name = lines[at].text.replace("`", "")
        if name.startswith("-") and _TYPED.fullmatch(name) and (told := lines[at + 1 : end]):
            yield _Entry(Hanging(lines[at].start, lines[at].end, told[-1].end), name, told)


def _by_label(lines: Iterable[Line]) -> dict[Hanging, list[Line]]:
    under: dict[Hanging, list[Line]] = {}
    for line in lines:
        if line.label and not line.heading:
            under.setdefault(line.label, []).append(line)
    return under


def _told_under(under: Mapping[Hanging, Sequence[Line]]) -> Iterator[tuple[Hanging, list[Line]]]:
    """Yield labels with what is said under them, but for the lines that are labels themselves."""
    labels = {label.start for label in under}
    for label, below in under.items():
        told = [line for line in below if line.start not in labels]
        if told:
            yield label, told


def _as_option(entry: _Entry, line: Line, pool: Pool) -> Option:
    """Return ``entry`` with ``line``, which says what is asked; its name is before that.

    The quote is the label as well, where that is right above.
    """
    text = pool.passages[line.owner].text
    mark = _MARK.match(text, entry.label.start)
    label = mark.end() if mark else entry.label.start
    start = label if line is entry.lines[0] else line.start
    told = _meaning(entry).union(words(entry.name))
    named = replace(line, start=start, text=f"{entry.name}: {line.text}", terms=line.terms | told)
    return Option(entry.name, (named,))
