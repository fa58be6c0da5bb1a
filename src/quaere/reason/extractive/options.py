"""Finds the option, setting or other label of a manual under which is said what is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quaere.reason.extractive.answer_kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.hanging import Hanging
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight that a label, what is said under it, the headings over it and the
title of the page must hold between them."""
SAID, DONE = 0.5, 0.6
"""Share of it that one sentence under the label must hold, where an option is asked for by that
word, and where one is asked how to do something."""
FEWEST = 2
"""Words of the question that one sentence has to have: one may be in it for any reason."""

_NOUNS = (
    r"(?:options?|flags?|switch(?:es)?|parameters?|arguments?|settings?|variables?|keys?|keywords?"
    r"|directives?|attributes?|fields?|commands?|subcommands?|hooks?|functions?|methods?|types?)"
)
_ASKS = lazy_regex(
    rf"(?i)\W*(?:with |by |under )?(?:which|what)\s+(?:[\w-]+\s+){{0,3}}?(?P<noun>{_NOUNS})\b"
)
_MEANING = lazy_regex(r"(?i)\W*what\b.*\b(?:means?|do|does|is|stands? for|signif\w+)\b")
_ASKING = frozenset(
    map(stem, ("make", "let", "tell", "want", "use", "set", "give", "specify", "need", "pass"))
)
_MEANING_WORDS = frozenset(map(stem, ("mean", "stand", "signify", "do", "does", "value", "option")))
_TYPED = lazy_regex(
    r"-{1,2}\w.*|[\w.-]+=.*|[a-z][\w.-]*(?:\s*:\s.*)?|[A-Za-z][\w.]*[_.][\w.]*(?:\s*:\s.*)?"
    r"|[A-Z][A-Z0-9_]{2,}"
)
"""A label that one types: "-n, --dry-run", "Storage=", "nofail", "limit : int"."""
_SECTION = lazy_regex(r"[A-Z][A-Z ]+")
_MARK = lazy_regex(r"[-*+•]\s+")
_KEY = lazy_regex(r"[\w@%.-]+")


@dataclass(frozen=True, slots=True)
class Option:
    """A label, and the line that says it with what it does, with those that say more."""

    name: str
    lines: tuple[Line, ...]
    is_asked: bool = False
    """Whether the label itself is asked for."""
    is_means: bool = False
    """Whether it is by what one does what is asked; a command that does it tells more."""


@dataclass(frozen=True, slots=True)
class _Entry:
    label: Hanging
    name: str
    lines: Sequence[Line]
    """What is said under the label, and not under one that is part of it."""


def find_option(question: str, pool: Pool) -> Option | None:
    """Return the label under which is said what ``question`` asks for; None where none clearly is.

    It asks which option, setting or key does something, how one does it, or what a label means.
    English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    if spoken() is not None:
        return None
    return _doing(text, pool) or _meant(text, pool)


def _doing(text: str, pool: Pool) -> Option | None:
    """Return the label of what one types to do what ``text`` asks."""
    asks = _ASKS.match(text)
    if not (asks or expected_kind(text) is Kind.MANNER):
        return None
    noun = frozenset(terms(asks["noun"])) if asks else frozenset[str]()
    wanted = [term for term in terms(text) if term not in _ASKING | noun]
    if len(wanted) < FEWEST:
        return None
    goal = Goal(text, pool, wanted)
    least = SAID if asks else DONE
    best, found = (0.0, 0.0), None
    for entry in _entries(pool):
        if not _TYPED.fullmatch(entry.name):
            continue
        line = max(entry.lines, key=lambda each: goal.share(goal.mask(each.terms)))
        rated = _rated(goal, entry, line, pool)
        enough = rated[0] >= COVERED and rated[1] >= least and _holds_some(goal, line)
        if enough and rated > best:
            best, found = rated, (entry, line)
    if found is None:
        return None
    return replace(_as_option(*found, pool), is_asked=asks is not None, is_means=asks is None)


def _meant(text: str, pool: Pool) -> Option | None:
    """Return the label that ``text`` asks the meaning of, with what is said under it.

    One of its keys is in the question as it is written: "-E" is not "-e". What else is asked
    has to be in the headings or the title over it, or under it.
    """
    if not _MEANING.match(text):
        return None
    said = frozenset(_KEY.findall(text))
    best, found = (COVERED, 0.0), None
    for entry in _entries(pool):
        keys = frozenset(key for key in _KEY.findall(entry.name) if key in said)
        if not keys or not _is_key(keys, entry.name):
            continue
        of_key = frozenset(terms(" ".join(keys)))
        wanted = [t for t in terms(text) if t not in of_key and t not in _MEANING_WORDS]
        goal = Goal(text, pool, wanted) if wanted else None
        first = entry.lines[0]
        over = first.over | pool.title_terms[first.owner]
        around = over.union(*(line.terms for line in entry.lines))
        rated = (goal.share(goal.mask(around)), goal.share(goal.mask(over))) if goal else (1.0, 1.0)
        if rated >= best and (found is None or rated > best):
            best, found = rated, (entry, first)
    return _as_option(*found, pool) if found else None


def _is_key(keys: frozenset[str], name: str) -> bool:
    """Whether ``keys`` are what ``name`` begins with or options in it, and no plain word of it."""
    bare = _MARK.sub("", name, count=1)
    if any(key.startswith("-") for key in keys):
        return True
    first = _KEY.match(bare)
    return first is not None and first[0] in keys and bool(_TYPED.fullmatch(bare))


def _rated(goal: Goal, entry: _Entry, line: Line, pool: Pool) -> tuple[float, float]:
    """Return what the entry holds of ``goal`` with all over it, and what ``line`` holds alone."""
    told = frozenset[str]().union(*(each.terms for each in entry.lines))
    over = line.over | pool.title_terms[line.owner] | frozenset(terms(entry.name))
    return goal.share(goal.mask(told | over)), goal.share(goal.mask(line.terms))


def _holds_some(goal: Goal, line: Line) -> bool:
    return goal.mask(line.terms).bit_count() >= FEWEST


def _entries(pool: Pool) -> Iterator[_Entry]:
    """Yield the labels of all passages, each with the lines directly under it."""
    for owner, lines in enumerate(pool.lines_of):
        under: dict[Hanging, list[Line]] = {}
        for line in lines:
            if line.label and not line.heading:
                under.setdefault(line.label, []).append(line)
        text = pool.passages[owner].text
        labels = {label.start for label in under}
        for label, below in under.items():
            name = " ".join(_MARK.sub("", text[label.start : label.end], count=1).split())
            told = [line for line in below if line.start not in labels]
            if told and not _SECTION.fullmatch(name):
                yield _Entry(label, name, told)


def _as_option(entry: _Entry, line: Line, pool: Pool) -> Option:
    """Return ``entry`` with ``line``, which says what is asked; its name is before that.

    The quote is the label as well, where that is right above.
    """
    text = pool.passages[line.owner].text
    mark = _MARK.match(text, entry.label.start)
    label = mark.end() if mark else entry.label.start
    start = label if line is entry.lines[0] else line.start
    told = frozenset(words(entry.name))
    named = replace(line, start=start, text=f"{entry.name}: {line.text}", terms=line.terms | told)
    return Option(entry.name, (named,))
