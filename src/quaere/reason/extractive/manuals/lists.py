"""Finds the list that a question asks for: items or steps under a heading that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from quaere.domain.report import Opens
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.dated_headings import is_of_former
from quaere.reason.extractive.manuals.entries import listings_of
from quaere.reason.extractive.pool import Line, Pool, page_of, spaced
from quaere.reason.extractive.questions.kinds import (
    Kind,
    expected_kind,
    last_question,
    wants_several,
)
from quaere.text.facts import deny_alike
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.layout import indent_of
from quaere.text.lazy_regex import lazy_regex
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

_PLURAL = lazy_regex(
    r"(?i)\b(?:which|what)(?:\s+are(?:\s+(?:the|its|their|our))?)?(?:\s+[\w-]+){0,2}?\s+[\w-]+s\b"
    r"(?<!\bis)(?<!\bdoes)(?<!\bwas)(?<!\bhas)"
    r"|\bwho are\b|\bwho (?:is|sits) (?:on|in)\b|\ball\b|\blist\b|\bsteps?\b"
)
_THINGS = lazy_regex(
    r"(?i)\W*(?:which|what)\s+(?:[\w-]+\s+){0,2}?(?P<things>[\w-]+s)\b(?<!\bis)(?<!\bdoes)(?<!\bwas)(?<!\bhas)"
)
_WHAT = lazy_regex(r"(?i)\W*(?:what|which|when is|when are)\b")
_WHAT_IS = lazy_regex(r"(?i)\W*what (?:is|are)\b")
_WHAT_DOES = lazy_regex(r"(?i)\W*what (?:did|do|does|should|has|have)\b")
"""Asks for what is under a heading that says what is done: "Recommendations"."""
_NUMBER = lazy_regex(r"(?<!\d)(\d{1,3})[.)]\s+\Z")
_SET_OFF = lazy_regex(r"(?m)^[ \t]*(?:(?:```|~~~).*$|> ?)")
"""Marks a note or code as such, line by line."""
MOST_BETWEEN = 600
"""Characters of what is between two steps, at most."""
_ASKS = frozenset(
    stem(word)
    for word in (
        *("list", "name", "all", "step", "give", "show", "exist", "available", "default"),
        *("offer", "sell", "stock"),
    )
)
_GENERAL = frozenset(
    map(
        stem,
        ("procedure", "method", "instruction", "direction", "step", "preparation", "proceed"),
    )
)
"""Stems of headings over steps that do not tell what is done."""
_DONE = frozenset(map(stem, ("make", "do", "prepare")))
"""Stems of what one does by any steps."""


class _Asked(NamedTuple):
    """What a list is asked for."""

    text: str
    goal: Goal
    """Without words that any list is asked for with."""
    steps: bool
    """Whether it is how something is done."""
    many: bool
    """Whether it is that, or several things."""
    done: bool
    """Whether it is what somebody does, or what something is."""


def find_list(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the items of the list that answers ``question``, in order; none where none does.

    Numbered steps answer how something is done, items which or what things there are. What heads
    them has to say what is asked, and it alone: the items themselves need not. What "is" something
    is a list where its heading says that and no more.
    """
    asked = _asked(question, pool)
    if labelled := _labelled(asked, pool):
        return labelled
    if asked.steps:
        return _with_below(_headed(asked, pool), pool)
    if asked.many or _WHAT_IS.match(asked.text):
        return _asked_of(_headed(asked, pool), asked.text)[:MOST]
    introduced = _introduced(asked, pool)
    return (introduced or (_headed(asked, pool) if asked.done else ()))[:MOST]


def _with_below(items: tuple[Line, ...], pool: Pool) -> tuple[Line, ...]:
    """Return up to MOST steps, ``items``, each with the items below it."""
    for line in items[:1]:
        text = pool.passages[line.owner].text
        for listed, run in _runs(pool.lines_of[line.owner], text):
            for top, whole in _each_list(run, text) if listed else ():
                if top == items:
                    return whole if len(top) <= MOST else whole[: whole.index(top[MOST])]
    return items[:MOST]


def steps_in(lines: Sequence[Line], pool: Pool) -> Mapping[tuple[int, int], Opens]:
    """Return how each item among ``lines`` opens, by its passage and place, if they are steps.

    They are where the first item is numbered 1, and another one as far in has a number; what is
    marked otherwise, or is farther in, belongs to a step. Nothing where they are none.
    """
    items = [line for line in lines if line.listed]
    marks = [_mark(item, pool.passages[item.owner].text) for item in items]
    if not _are_counted(items, marks, pool):
        return {}
    opens = {marks[0]: Opens.NUMBERED}
    return {
        (item.owner, item.place): opens.get(mark, Opens.ITEM)
        for item, mark in zip(items, marks, strict=True)
    }


def _are_counted(items: Sequence[Line], marks: Sequence[tuple[int, str]], pool: Pool) -> bool:
    """Whether the first of ``items`` is numbered 1, and others have such a mark as that."""
    return bool(items) and marks.count(marks[0]) >= LEAST and _number(items[0], pool) == 1


def _headed(asked: _Asked, pool: Pool) -> tuple[Line, ...]:
    """Return the items of the list whose heading says most of what is asked, if that is enough.

    Of several it is the one under the fewest words that are not asked for. None where that is so of
    two: which of them is meant is not said.
    """
    found = [each for each in lists_of(pool) if _suits(asked, *each, pool)]
    covered = [_covered(asked, over, items, pool) for over, items in found]
    most = max(covered, default=0.0)
    best = [each for each, held in zip(found, covered, strict=True) if held == most >= COVERED]
    return _nearest([items for _, items in best], asked, pool)


def _nearest(lists: Sequence[tuple[Line, ...]], asked: _Asked, pool: Pool) -> tuple[Line, ...]:
    """Return the one of ``lists`` whose headings say least besides what is asked; if it is one."""
    besides = [_unasked(items[0], asked, pool) for items in lists]
    fewest = min(besides, default=0)
    nearest = [each for each, said in zip(lists, besides, strict=True) if said == fewest]
    return nearest[0] if len({_section(items[0], pool) for items in nearest}) == 1 else ()


def _section(item: Line, pool: Pool) -> tuple[str, str]:
    """Return the page and the headings under which ``item`` stands."""
    return page_of(pool.passages[item.owner]), pool.headings_over(item)


def _unasked(item: Line, asked: _Asked, pool: Pool) -> int:
    """Return how many words of the headings over ``item`` are not asked for."""
    return len(frozenset(terms(pool.headings_over(item))).difference(asked.goal.terms))


def _asked(question: str, pool: Pool) -> _Asked:
    text = last_question(question)
    steps = expected_kind(question) is Kind.MANNER
    goal = Goal(text, pool, [term for term in terms(text) if term not in _ASKS])
    done = is_english() and any(asks.match(text) for asks in (_WHAT_DOES, _WHAT_IS))
    return _Asked(text, goal, steps=steps, many=steps or _wants_several(text), done=done)


def _opens_with(text: str, over: str) -> bool:
    """Whether ``text`` begins as the heading ``over`` a list does: "What is not covered"."""
    heading = words(over)
    return len(heading) >= HEADED and words(text)[: len(heading)] == heading


_LABELLED = lazy_regex(
    r"[*_]{0,6}(?P<label>[^\W\d][\w /-]{1,40}?)[*_]{0,6}:[*_]{0,6}\s+(?P<items>\S.*)"
)
_AMONG_WORDS = lazy_regex(
    r"(?i)\W*(?:please )?(?:list|name|give)\s+(?:all|every)?\s*(?:of )?(?:the )?"
    r"(?P<things>[\w-]+)\b"
)


def _labelled(asked: _Asked, pool: Pool) -> tuple[Line, ...]:
    """Return the line that is labelled with what is asked for, and names several of it.

    "Nodes: plan, search, write" answers which nodes a pipeline has, where the headings over it or
    the title of its page tell of that pipeline.
    """
    things = _things(_AMONG_WORDS.match(asked.text) or _THINGS.match(asked.text))
    if not things:
        return ()
    goal, able = asked.goal, [line for line in pool.lines if _names_several(line, things)]
    held = [goal.share_in(line.over | line.terms | _around(line, pool)) for line in able]
    most = max(held, default=0.0)
    return (able[held.index(most)],) if most >= COVERED else ()


def _names_several(line: Line, things: frozenset[str]) -> bool:
    """Whether ``line`` is labelled with ``things`` and names several of them."""
    label = None if line.heading or line.columns else _LABELLED.match(line.text)
    if label is None:
        return False
    return frozenset(terms(label["label"])) == things and label["items"].count(",") > 1


def _agrees(over: str, text: str) -> bool:
    """Whether what heads a list denies if ``text`` does: "you must not" is not "what may I do"."""
    return not is_english() or deny_alike(over, text)


def _introduced(asked: _Asked, pool: Pool) -> tuple[Line, ...]:
    """Return the items of a list that is led in to with all that is asked.

    "What can't you do in the lab?" is answered by what comes after "In the lab you must not:". It
    denies what the question denies.
    """
    if not _asks_what(asked.text) or len(asked.goal.terms) < ENOUGH:
        return ()
    return next(
        (
            items
            for lead, said, items in _led(pool)
            if _says_all(lead, said, items[0].owner, asked, pool)
        ),
        (),
    )


def _led(pool: Pool) -> Iterator[tuple[str, frozenset[str], tuple[Line, ...]]]:
    """Yield what leads in to each list, the terms of that, and the items."""
    for lines, passage in zip(pool.lines_of, pool.passages, strict=True):
        before: tuple[Line, ...] = ()
        for listed, run in _runs(lines, passage.text):
            if not listed:
                before = run[-2:]
                continue
            items, _ = next(_each_list(run, passage.text))
            if len(items) >= LEAST:
                yield *_lead(before, items[0]), items


def _lead(before: Sequence[Line], first: Line) -> tuple[str, frozenset[str]]:
    """Return what leads in to the ``first`` item, and its terms.

    It is the last of the two lines ``before`` it, or ends the passage before. A short one ("It
    comprises:") is read with the sentence before it.
    """
    if not before:
        return first.lead_in, frozenset(terms(first.lead_in))
    said = before[-1].terms
    if len(said) < ENOUGH:
        said = said.union(*(each.terms for each in before))
    return before[-1].text, said


def _asks_what(text: str) -> bool:
    if is_english():
        return _WHAT.match(text) is not None
    return expected_kind(text) in {Kind.STATEMENT, Kind.LIST}


_WHEN = lazy_regex(r"(?i)\W*when\b")
_IN_CASES = lazy_regex(r"(?i)\b(?:when|if|once|where|whenever|as soon as)\W*:$")


def _leads_in(lead: str, text: str) -> bool:
    """Whether ``lead`` ends in a colon; asked when something is so, it leads in to cases."""
    if _WHEN.match(text):
        return _IN_CASES.search(lead) is not None
    return lead.endswith(":")


def _says_all(lead: str, said: frozenset[str], owner: int, asked: _Asked, pool: Pool) -> bool:
    """Whether ``lead`` leads in with all that is asked, and denies what that denies.

    In other languages than English the title may say some of what it is ``said``, and no colon is
    needed: "主な展示は次のとおりです。"
    """
    goal = asked.goal
    if is_english():
        held = goal.said(said) if _leads_in(lead, asked.text) else 0
    else:
        held = goal.mask(said | pool.title_terms[owner]) if goal.mask(frozenset(terms(lead))) else 0
    return goal.share(held) >= WHOLE and _agrees(lead, asked.text)


def _asked_of(items: tuple[Line, ...], text: str) -> tuple[Line, ...]:
    """Return the one of ``items`` that is called as ``text`` says, or told to be the default."""
    if called := _called_so(items, text):
        return called
    default = stem("default")
    only = tuple(item for item in items if default in item.terms)
    if len(only) == 1 and default in terms(text):
        return only
    return () if _THE_DEFAULT.search(text) else items


_THE_DEFAULT = lazy_regex(r"(?i)(?:\b(?:is|was)|['’]s) the default\b")
"""Asks for one thing, not for a list."""
_CALLED = lazy_regex(r"[*_`]*(?P<label>[^\W\d][\w /-]{1,40}?)[*_`]*:\s")


def _called_so(items: Sequence[Line], text: str) -> tuple[Line, ...]:
    """Return the only one of ``items`` whose label is in ``text`` word by word."""
    asked = spaced(text)
    labels = ((item, _CALLED.match(item.text)) for item in items)
    found = [item for item, label in labels if label and spaced(label["label"]) in asked]
    return tuple(found) if len(found) == 1 else ()


def _things(asked: re.Match[str] | None) -> frozenset[str]:
    """Return the stem of what there are several of: "parsers" of "which parsers are there"."""
    if asked is None or not is_english():
        return frozenset()
    return frozenset(terms(asked["things"])) - _ASKS


def _wants_several(text: str) -> bool:
    language = language_in_use()
    return _PLURAL.search(text) is not None if language is None else wants_several(language, text)


def _suits(asked: _Asked, over: str, items: Sequence[Line], pool: Pool) -> bool:
    """Return whether ``items`` with that ``over`` them are a list of what is asked for."""
    if len(items) < LEAST or (asked.steps and not _are_steps(items, pool)):
        return False
    if not _is_about_the_same(over, pool.passages[items[0].owner].title, asked.text):
        return False
    if _CONTENTS.fullmatch(pool.headings_over(items[0]).rpartition("\n")[2]):
        return False
    things = _things(_THINGS.match(asked.text))
    return things <= frozenset(terms(over)) and _agrees(over, asked.text)


_CONTENTS = lazy_regex(r"(?i)(?:table of )?contents:?")
"""What heads a list of the sections of a page, which says nothing about what is in them."""


def _is_about_the_same(over: str, title: str, text: str) -> bool:
    """Whether what heads a list is of the time, the comparison and the version that are asked."""
    if is_of_former(over, text) or not _compares(over, text):
        return False
    return _is_of_version(text, f"{over} {title}")


_VERSION = lazy_regex(r"(?<![\w.])\d+(?:\.\d+)+(?![\w.]*\w)")


def _is_of_version(text: str, over: str) -> bool:
    """Whether what is ``over`` a list names the versions that ``text`` asks of, each in full."""
    told = frozenset(_VERSION.findall(over))
    return told.issuperset(_VERSION.findall(text))


_DIFFERENCE = lazy_regex(r"(?i)\b(?:differ\w*|compar\w*|versus|vs|unlike)\b")


def _compares(over: str, text: str) -> bool:
    """Whether what heads a list sets things side by side, where ``text`` asks how they differ."""
    return expected_kind(text) is not Kind.COMPARISON or _DIFFERENCE.search(over) is not None


_TOLD_TO_TYPE = lazy_regex(r"[A-Z][a-z]+\b[^`]*`[^`\s]+\s[^`]+`")
"""An item that says what to do, and what one types for it: "Stop the pump: `pump stop`"."""


def _are_steps(items: Sequence[Line], pool: Pool) -> bool:
    """Whether ``items`` are done in turn: they are numbered, or each has what one types."""
    if _number(items[0], pool) is not None:
        return True
    return all(_TOLD_TO_TYPE.match(item.text) for item in items)


def _covered(asked: _Asked, over: str, items: Sequence[Line], pool: Pool) -> float:
    """Return how much of what is asked the heading ``over`` says, with the page where it may."""
    if _opens_with(asked.text, over):
        return 1.0
    goal, heading = asked.goal, frozenset(term for term in terms(over) if not term.isdigit())
    if asked.steps and _is_general(heading):
        return _covered_by_page(goal, items, pool)
    if not _bears_on(heading, asked):
        return 0.0
    return goal.share_in(heading | _besides(heading, asked, items, pool))


def _is_general(heading: frozenset[str]) -> bool:
    """Whether ``heading`` is over steps and does not tell what is done."""
    return bool(heading) and heading <= _GENERAL


def _bears_on(heading: frozenset[str], asked: _Asked) -> bool:
    """Whether ``heading`` says some of what is asked and, over one thing alone, nothing else."""
    if asked.many:
        return bool(asked.goal.mask(heading))
    return bool(heading) and heading <= frozenset(asked.goal.terms)


def _besides(
    heading: frozenset[str], asked: _Asked, items: Sequence[Line], pool: Pool
) -> frozenset[str]:
    """Return the terms that count besides those of the ``heading`` over ``items``.

    What is done is said over its steps; to what, they may say themselves.
    """
    around = _around(items[0], pool) if asked.many or asked.done else frozenset[str]()
    if asked.steps and asked.goal.asked(asked.goal.mask(heading)):
        return around.union(*(item.terms for item in items))
    return around


def _covered_by_page(goal: Goal, items: Sequence[Line], pool: Pool) -> float:
    """Return how much of ``goal`` the page says over steps that are called "Procedure" or alike."""
    around = _around(items[0], pool)
    if not goal.mask(around):
        return 0.0
    done = around.union(_DONE, *(item.terms for item in items))
    return goal.share_in(done)


def _around(item: Line, pool: Pool) -> frozenset[str]:
    """Return the terms of the title and of the page that ``item`` is part of."""
    return pool.title_terms[item.owner] | pool.file_terms(item)


def _number(line: Line, pool: Pool) -> int | None:
    """Return the number with which ``line`` is marked as an item; None for another."""
    return _number_in(line, pool.passages[line.owner].text)


def _number_in(line: Line, text: str) -> int | None:
    found = _NUMBER.search(text, max(0, line.start - 6), line.start)
    return int(found[1]) if found else None


def lists_of(pool: Pool) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Yield what heads each list, its heading and the line that leads in, and its items.

    The items below an item are a list as well, which that item heads, and so are the entries of a
    listing in two columns.
    """
    yield from listings_of(pool)
    for lines, passage in zip(pool.lines_of, pool.passages, strict=True):
        heading, lead = "", ""
        for listed, run in _runs(lines, passage.text):
            if listed:
                for top, items in _each_list(run, passage.text):
                    yield f"{heading} {_leading(lead)}", top
                    yield from _below(top, items, passage.text)
            else:
                heading, lead = _heads(run, heading, lead)


_LEADS_IN = lazy_regex(r"(?i):\W*$|\b(?:follow(?:s|ing)|below|these)\b[^.]*\W*$")
"""How a sentence ends that leads in to a list; in English others are a paragraph before it."""


_ENDS_CHARS = 200
"""Characters of what is before a list in which it says that one follows."""


def _leading(lead: str) -> str:
    start = max(0, len(lead) - _ENDS_CHARS)
    return lead if not is_english() or _LEADS_IN.search(lead, start) else ""


def _runs(lines: Iterable[Line], text: str) -> Iterator[tuple[bool, tuple[Line, ...]]]:
    """Yield stretches of ``lines`` that are items, each whole, or are none; and which they are."""
    for listed, run in groupby(_wholes(lines, text), key=lambda line: line.listed):
        yield listed, tuple(run)


def _wholes(lines: Iterable[Line], text: str) -> Iterator[Line]:
    """Yield ``lines``, the sentences of each item of a list as one."""
    lines = tuple(lines)
    between = _between_steps(lines, text)
    parts = list[Line]()
    for place, line in enumerate(lines):
        if parts and not (place in between or _goes_on(parts[0], parts[-1], line, text)):
            yield _joined(parts, text)
            parts.clear()
        parts.append(line)
    if parts:
        yield _joined(parts, text)


def _between_steps(lines: Sequence[Line], text: str) -> frozenset[int]:
    """Return the places of notes and code after a step to which the next number follows."""
    found, aside = set[int](), list[int]()
    last = dict[int, int]()
    for place, line in enumerate(lines):
        if line.heading or line.columns:
            last.clear()
        elif not line.listed:
            aside.append(place)
            continue
        elif (number := _number_in(line, text)) is not None:
            indent, _ = _mark(line, text)
            if number - 1 == last.get(indent) and _is_short(lines, aside):
                found.update(aside)
            last[indent] = number
        aside.clear()
    return frozenset(found)


def _is_short(lines: Sequence[Line], places: Sequence[int]) -> bool:
    return not places or lines[places[-1]].end - lines[places[0]].start <= MOST_BETWEEN


def _goes_on(item: Line, before: Line, line: Line, text: str) -> bool:
    """Whether ``line`` is a further sentence of ``item``: after the one ``before``, or indented."""
    if not item.listed or line.listed or line.heading or line.columns:
        return False
    between = text[before.end : line.start]
    return not between.strip() and ("\n" not in between or between[-1] != "\n")


def _joined(parts: Sequence[Line], text: str) -> Line:
    """Return the sentences of one item as one line."""
    first, last = parts[0], parts[-1]
    if first is last:
        return first
    said = " ".join(_SET_OFF.sub("", text[first.start : last.end]).split())
    spoken = frozenset[str]().union(*(part.terms for part in parts))
    return replace(first, end=last.end, text=said, terms=spoken)


def _heads(lines: Iterable[Line], heading: str, lead: str) -> tuple[str, str]:
    """Return the last heading and what is said last below it, after ``lines`` that list nothing."""
    for line in lines:
        before = lead if _POINTS_BACK.match(line.text) else ""
        told = f"{before} {line.text}"
        heading, lead = (line.text, "") if line.heading else (heading, told)
    return heading, lead


def _each_list(
    run: tuple[Line, ...], text: str
) -> Iterator[tuple[tuple[Line, ...], tuple[Line, ...]]]:
    """Yield the items of each list in a ``run`` of items, and the same with those below them.

    Those further in are below one, and so are those with another mark between two of its list;
    after the last one another mark begins another list.
    """
    own = _farthest_out([_mark(item, text) for item in run])
    last = {kind: place for place, kind in own}
    while own:
        start, kind = own[0]
        top = [each for each in own if each[0] <= last[kind]]
        own = own[len(top) :]
        whole = run[start : own[0][0] if own else len(run)]
        yield tuple(run[place] for place, its in top if its == kind), whole


def _farthest_out(marks: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the places of those of ``marks`` that are least far in, each with its kind."""
    least = min(indent for indent, _ in marks)
    return [(place, kind) for place, (indent, kind) in enumerate(marks) if indent == least]


def _below(
    top: Sequence[Line], whole: Sequence[Line], text: str
) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """Yield each item of ``top`` with the items of the ``whole`` list that are below it, if any."""
    at = {item.place: place for place, item in enumerate(whole)}
    places = [at[item.place] for item in top]
    for item, place, following in zip(top, places, [*places[1:], len(whole)], strict=True):
        if found := tuple(whole[place + 1 : following]):
            yield item.text, next(_each_list(found, text))[0]


def _mark(item: Line, text: str) -> tuple[int, str]:
    """Return at which column ``item`` begins, and the kind of mark that it has."""
    before = text[text.rfind("\n", 0, item.start) + 1 : item.start]
    mark = before.strip()[:1]
    kind = "1" if mark.isdigit() else "a" if mark.isalpha() else mark
    return indent_of(before), kind


_POINTS_BACK = lazy_regex(r"(?i)(?:it|they|this|these)\b")
"""How a sentence begins that is read with the one before: "It can be one of two values:"."""
