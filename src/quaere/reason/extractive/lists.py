"""Finds the list that a question asks for: items or steps under a heading that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from quaere.reason.extractive.answer_kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.other_languages import wants_several
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.facts import negation
from quaere.text.languages.language import spoken
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight that the heading over a list, the line that leads in to it and
the title of the page must cover between them."""
WHOLE, ENOUGH = 0.97, 3
"""The same, of the sentence alone that leads in to a list of what nobody called a list, and the
fewest words that are asked: of fewer, a sentence has all for any reason."""
HEADED = 4
"""Words of a heading from which a question that begins with them is answered under it."""
LEAST, MOST = 2, 12
"""Items that make a list, and items of one that are shown."""

_PLURAL = re.compile(
    r"(?i)\b(?:which|what)(?:\s+are(?:\s+(?:the|its|their|our))?)?(?:\s+[\w-]+){0,2}?\s+[\w-]+s\b"
    r"|\bwho are\b|\bwho (?:is|sits) (?:on|in)\b|\ball\b|\blist\b|\bsteps?\b"
)
_THINGS = re.compile(
    r"(?i)\W*(?:which|what)\s+(?:[\w-]+\s+){0,2}?(?P<things>[\w-]+s)\b(?<!\bis)(?<!\bdoes)(?<!\bwas)(?<!\bhas)"
)
_WHAT = re.compile(r"(?i)\W*(?:what|which)\b")
_WHAT_IS = re.compile(r"(?i)\W*what (?:is|are)\b")
_NUMBER = re.compile(r"\d[.)]\s+\Z")
_ASKS = frozenset(
    stem(word)
    for word in ("list", "name", "all", "step", "give", "show", "exist", "available", "default")
)


_GENERAL = frozenset(
    map(
        stem,
        ("procedure", "method", "instruction", "direction", "step", "preparation", "proceed"),
    )
)
"""Stems of headings over steps that do not tell what is done."""
_DONE = frozenset(map(stem, ("make", "do", "prepare")))


def find_list(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the items of the list that answers ``question``, in order; none where none does.

    Numbered steps answer how something is done, items which or what things there are. What heads
    them has to say what is asked, and it alone: the items themselves need not. What "is" something
    is a list where its heading says that and no more.
    """
    text, kind = last_question(question), expected_kind(question)
    if labelled := _labelled(text, pool):
        return labelled
    many = kind is Kind.MANNER or _wants_several(text)
    goal = Goal(text, pool, [term for term in terms(text) if term not in _ASKS])
    if not (many or _WHAT_IS.match(text)):
        return _introduced(text, goal, pool)[:MOST]
    things = _things(text)
    found = [
        (over, items)
        for over, items in _lists(pool)
        if _suits(kind, items, pool) and things <= frozenset(terms(over)) and _agrees(over, text)
    ]
    steps = kind is Kind.MANNER
    covered = [
        1.0
        if _opens_with(text, over)
        else _covered(goal, over, items, pool, many=many, steps=steps)
        for over, items in found
    ]
    most = max(covered, default=0.0)
    return _asked_of(found[covered.index(most)][1], text)[:MOST] if most >= COVERED else ()


def _opens_with(text: str, over: str) -> bool:
    """Whether ``text`` begins as the heading ``over`` a list does: "What is not covered"."""
    heading = words(over)
    return len(heading) >= HEADED and words(text)[: len(heading)] == heading


_LABELLED = re.compile(r"[*_]*(?P<label>[^\W\d][\w /-]{1,40}?)[*_]*:[*_]*\s+(?P<items>\S.*)")
_AMONG_WORDS = re.compile(
    r"(?i)\W*(?:please )?(?:list|name|give)\s+(?:all|every)?\s*(?:of )?(?:the )?"
    r"(?P<things>[\w-]+)\b"
)


def _labelled(text: str, pool: Pool) -> tuple[Line, ...]:
    """Return the line that is labelled with what ``text`` asks for, and names several of it.

    "Nodes: plan, search, write" answers which nodes a pipeline has, where the headings over it or
    the title of its page tell of that pipeline.
    """
    asked = (_AMONG_WORDS.match(text) or _THINGS.match(text)) if spoken() is None else None
    things = frozenset(terms(asked["things"])) - _ASKS if asked else frozenset[str]()
    if not things:
        return ()
    goal = Goal(text, pool, [term for term in terms(text) if term not in _ASKS])
    found: list[tuple[float, Line]] = []
    for line in pool.lines:
        label = None if line.heading or line.columns else _LABELLED.match(line.text)
        if label and frozenset(terms(label["label"])) == things and label["items"].count(",") > 1:
            over = line.over | pool.title_terms[line.owner] | _page_terms(line, pool) | line.terms
            found.append((goal.share(goal.mask(over)), line))
    best = max(found, key=lambda each: each[0], default=None)
    return (best[1],) if best and best[0] >= COVERED else ()


def _agrees(over: str, text: str) -> bool:
    """Whether what heads a list denies if ``text`` does: "you must not" is not "what may I do"."""
    return spoken() is not None or negation(over).denies == negation(text).denies


def _introduced(text: str, goal: Goal, pool: Pool) -> tuple[Line, ...]:
    """Return the items of a list that one sentence leads in to which says all that is asked.

    "What can't you do in the lab?" is answered by what comes after "In the lab you must not:". It
    denies what the question denies.
    """
    if spoken() is not None or not _WHAT.match(text) or len(goal.terms) < ENOUGH:
        return ()
    denies = negation(text).denies
    for lines in pool.lines_of:
        for lead in lines:
            says_all = lead.text.endswith(":") and goal.share(goal.said(lead.terms)) >= WHOLE
            if says_all and negation(lead.text).denies == denies:
                items = tuple(takewhile(lambda line: line.listed, lines[lead.place + 1 :]))
                if len(items) >= LEAST:
                    return items
    return ()


def _asked_of(items: tuple[Line, ...], text: str) -> tuple[Line, ...]:
    """Return the one of ``items`` that is told to be the default, where that is asked for."""
    default = stem("default")
    only = tuple(item for item in items if default in item.terms)
    return only if len(only) == 1 and default in terms(text) else items


def _things(text: str) -> frozenset[str]:
    """Return the stem of what there are several of: "parsers" of "which parsers are there"."""
    asked = _THINGS.match(text) if spoken() is None else None
    return frozenset(terms(asked["things"])) - _ASKS if asked else frozenset()


def _wants_several(text: str) -> bool:
    language = spoken()
    return _PLURAL.search(text) is not None if language is None else wants_several(language, text)


def _suits(kind: Kind | None, items: Sequence[Line], pool: Pool) -> bool:
    """Return whether ``items`` are a list of the ``kind`` asked for."""
    return len(items) >= LEAST and (kind is not Kind.MANNER or _is_numbered(items[0], pool))


def _covered(
    goal: Goal, over: str, items: Sequence[Line], pool: Pool, *, many: bool, steps: bool
) -> float:
    """Return how much of what is asked the heading ``over`` says, with the page where it may.

    What is done is said over its steps; to what, they may say themselves.
    """
    heading = frozenset(term for term in terms(over) if not term.isdigit())
    if steps and heading and heading <= _GENERAL:
        return _covered_by_page(goal, items, pool)
    if not heading or not (goal.mask(heading) if many else heading <= frozenset(goal.terms)):
        return 0.0
    around = _around(items[0], pool) if many else frozenset[str]()
    if steps and goal.asked(goal.mask(heading)):
        around = around.union(*(item.terms for item in items))
    return goal.share(goal.mask(heading | around))


def _covered_by_page(goal: Goal, items: Sequence[Line], pool: Pool) -> float:
    """Return the same of steps that are called "Procedure" or alike: the page tells of what."""
    around = _around(items[0], pool)
    if not goal.mask(around):
        return 0.0
    done = around.union(_DONE, *(item.terms for item in items))
    return goal.share(goal.mask(done))


def _around(item: Line, pool: Pool) -> frozenset[str]:
    """Return the terms of the title and of the page that ``item`` is part of."""
    return pool.title_terms[item.owner] | _page_terms(item, pool)


def _is_numbered(line: Line, pool: Pool) -> bool:
    return (
        _NUMBER.search(pool.passages[line.owner].text, max(0, line.start - 6), line.start)
        is not None
    )


def _page_terms(line: Line, pool: Pool) -> frozenset[str]:
    """Return the stems of the first heading and of the file's name of the page of ``line``."""
    url = pool.passages[line.owner].url.partition("#")[0]
    name = url.rpartition("/")[2].partition(".")[0]
    return frozenset(terms(name))


def _lists(pool: Pool) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Yield what heads each list, its heading and the line that leads in, and its items."""
    for lines in pool.lines_of:
        heading, lead, items = "", "", list[Line]()
        for line in lines:
            if line.listed:
                items.append(line)
                continue
            if items:
                yield f"{heading} {lead}", tuple(items)
                items = []
            heading, lead = (line.text, "") if line.heading else (heading, line.text)
        if items:
            yield f"{heading} {lead}", tuple(items)
