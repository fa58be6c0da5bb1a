"""Finds what one needs for something, and what something includes: lists under set headings.

"What do I need for the hike?" is answered by what is below "What to bring", and "Is the guide
included?" by whether the guide is below "What you get" or "What you pay for yourself". English
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.contrary import BUT_FOR, are_opposed
from quaere.reason.extractive.pool import Line, Pool, page_of
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms

COVERED: Final = 0.75
"""Share of the weight of what it is for that the page must hold: its title and the headings over
the list, of what one needs; any line, of what something includes."""
HELD: Final = 0.97
"""Share of the weight of a thing that an item must hold to say whether that is included."""
LEAST, MOST = 2, 12
"""Items that make a list, and those that are told."""

_SORTED: Final = r"documents?|papers|tools?|materials|equipment|things|items|parts|ingredients|kit"
_NEEDS: Final = lazy_regex(
    rf"(?i)\W*(?:what|which)(?: (?P<sort>{_SORTED}))?"
    r"(?: (?:is|are) (?:needed|required|necessary)"
    r"| (?:do|does|should|must|will|would|can) [^?]*?\b(?:need|bring|pack|take along|take with))\b"
    r"(?P<rest>[^?]*)"
)
_HEADS_NEEDS: Final = lazy_regex(
    r"(?i)(?:what )?(?:you|we|they)(?:['’]ll| will)? need(?: to (?:bring|have))?"
    r"|what(?:['’]s| is) (?:needed|required)|what to (?:bring|pack|take)(?: along| with you)?"
    r"|(?:please )?bring(?: along| with you)?"
    rf"|(?P<sort>{_SORTED})(?: (?:needed|required|you(?:['’]ll| will)? need|to bring|list))?"
    rf"|(?:required|needed|necessary) (?P<other>{_SORTED})"
    r"|packing list|prerequisites|requirements"
)
_INCLUDES: Final = lazy_regex(
    r"(?i)\W*what(?:(?:['’]s| is| are) (?:all )?included\b(?P<rest>[^?]*)"
    r"| (?:does|do) (?P<of>(?!.*\bnot\b)[^?]*?) (?:include|cover|come with)\b)"
)
_HEADS_INCLUDED: Final = lazy_regex(
    r"(?i)(?:what(?:['’]s| is) )?included(?: services)?|in the price|what you get|services included"
    r"|(?:the )?(?:price|rent|fee|tour|package|ticket)s? includes?"
    r"|what (?:we|it|(?:the|this|your) [\w-]+) (?:pays?(?: for)?|covers?|includes?|insures?)"
)
_EXCLUDES: Final = lazy_regex(
    r"(?i)\W*what(?:(?:['’]s| is| are)(?: not|n['’]t) included\b(?P<rest>[^?]*)"
    r"| (?:does|do)(?: not|n['’]t)? (?P<of>[^?]*?)(?: not)? (?:include|cover)\b"
    r"| (?:costs|is|are) extra\b)"
)
_HEADS_EXCLUDED: Final = lazy_regex(
    r"(?i)(?:what(?:['’]s| is) )?not (?:included|covered)|exclu(?:ded|sions)|extras?|extra costs"
    r"|what you pay(?: for)?(?: yourself)?|at your own (?:cost|expense)"
    r"|what (?:(?:we|it|they|(?:the|this|your) [\w-]+) )?(?:do|does|is|are) not"
    r" (?:pay(?: for)?|cover(?:ed)?|includ(?:e|ed)|insured?)"
)
_HEADS_FORBIDDEN: Final = lazy_regex(
    r"(?i)(?:when|where|who|what) (?:(?:should|must|may) )?not (?:to )?(?:use|take|have)\b.{0,30}"
    r"|do not (?:use|take|give|drink|eat)\b.{0,40}"
)
_ASKS_USE: Final = lazy_regex(
    r"(?i)\W*(?:can|may|could|should) (?:i|we|you|one|[a-z ]{1,30}? be)"
    r" (?:use|take|give|have|drink|eat)[dn]?\b"
    r"(?P<of>[^?]*?)\b(?:if|on|for|in|with|during|when|at)\b(?P<thing>[^?]+)"
)
_ASKS_WHETHER: Final = lazy_regex(
    r"(?i)\W*(?:(?:is|are) (?P<thing>[^?]+?) (?:included|part of|covered|insured)\b(?P<rest>[^?]*)"
    r"|(?:do|does) (?P<of>[^?]+?) (?:cover|include|pay for) (?P<what>[^?]+))"
)
_LABELLED: Final = lazy_regex(
    r"(?i)\W*(?P<head>(?:not )?included|extras?|in the price|(?:please )?bring"
    r"|you(?:['’]ll| will)? need)"
    r"(?:(?: (?:in|with|for) [^:.]{1,40})?\W{0,3}:\W+|(?<=included) (?:are|is) )\w"
)
_COUNTS_INCLUDED: Final = lazy_regex(r"(?i)\bhow (?:many|much) [^?]*\b(?:is|are) included\b")
_SUMS: Final = frozenset(terms("price rent cost fee fare charge total package ticket"))
"""Stems of what includes things, whatever it is called."""
_TELLS: Final = lazy_regex(
    r"(?i)\b(?:inclu\w+|cover\w*|com(?:es?|ing) with|compris\w+|contain\w*|everything|gets?|part of"
    r"|extras?|free|consists?|charged?|provided)\b|:"
)
_SUPPOSES: Final = lazy_regex(
    r"(?i)\W*(?:if|unless|in case)\b[^,;:]{6,}?(?:[,;:]|(?=\s(?:you|we|they|please)\s)|\Z)"
)
"""The clause with which a sentence begins that says when something is needed."""

_LEAVES_OUT: Final = lazy_regex(
    r"(?i)\b(?:not|no|extra|exclu\w+|yourself|except|but for|separate\w*|n[o']t)\b|n['’]t\b"
)


_NUMBER: Final = lazy_regex(r"^\d+(?:\.\d+)*[.)]?\s+")
"""The number of a heading."""


class Listed(NamedTuple):
    """An item that says of something whether it is included."""

    says: bool | None
    """None where it depends on what the item says."""
    line: Line
    head: str


class _Asked(NamedTuple):
    """What the list is asked for."""

    heads: re.Pattern[str]
    of: frozenset[str]
    """Stems of what it is for, or of what includes it."""
    sort: str
    is_need: bool


class _Kit(NamedTuple):
    """A list and what heads it."""

    head: str
    lines: tuple[Line, ...]


def find_kit(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the items that are needed, included or left out, as ``question`` asks; or none.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = _asked(last_question(question))
    if asked is None:
        return ()
    fitting = [kit for kit in _kits(pool) if _is_headed(kit.head, asked)]
    bearing = [kit.lines for kit in fitting if _bears(kit.lines[0], asked, question, pool)]
    return max(bearing, key=len, default=())[:MOST]


def told_by_kit(question: str, pool: Pool) -> Listed | None:
    """Return the item by which something is included or not; None where no list says it.

    Lists of other things than that in which it is asked for do not say it, nor do lists that
    contradict each other.
    """
    if not is_english():
        return None
    text = last_question(question)
    asks, uses = _ASKS_WHETHER.match(text), _ASKS_USE.match(text)
    if asks is None:
        return _forbidden(question, uses["thing"], pool) if uses else None
    wanted = [term for term in terms(asks["thing"] or asks["what"]) if term not in _HARM]
    if not wanted:
        return None
    found = list(_listings(question, wanted, pool))
    if of := frozenset(terms(f"{asks['rest'] or ''} {asks['of'] or ''}")) - _SUMS - _COVER:
        whole = Goal(question, pool, sorted(of))
        found = [each for each in found if whole.share_in(_over(each.line, pool)) >= COVERED]
    return found[0] if len({each.says for each in found}) == 1 else None


_COVER: Final = frozenset(terms("policy insurance cover contract"))
"""Stems of what covers things, whatever it is called."""
_HARM: Final = frozenset(terms("damage loss"))
"""Stems of what is insured against, whatever brings it about."""


_SUPPOSED: Final = lazy_regex(r"(?i)\b(?:unless|if|when|where|provided|as long as)\b")
_NARROWS: Final = lazy_regex(
    r"(?i)(?<=\w)\s+(?:outside|inside|within|before|after|during|over|under|above|below|more than"
    r"|less than|from|in|on|at|that|which|caused by)\s"
)
"""Begins what of a thing alone an item tells."""


def _forbidden(question: str, thing: str, pool: Pool) -> Listed | None:
    """Return the item that has the ``thing`` below "Do not use it" or similar; or none."""
    goal = Goal(question, pool, wanted) if (wanted := terms(thing)) else None
    for kit in _kits(pool) if goal else ():
        found = _item(kit, goal, question, says=False) if goal and _forbids(kit) else None
        if found is not None:
            return found
    return None


def _forbids(kit: _Kit) -> bool:
    return _HEADS_FORBIDDEN.fullmatch(kit.head) is not None


def _listings(question: str, wanted: Sequence[str], pool: Pool) -> Iterator[Listed]:
    """Yield the first item of each list that holds what is ``wanted``."""
    goal = Goal(question, pool, wanted)
    for kit in _kits(pool):
        says = _includes(kit.head)
        found = None if says is None else _item(kit, goal, question, says=says)
        if found is not None:
            yield found


def _item(kit: _Kit, goal: Goal, text: str, *, says: bool) -> Listed | None:
    """Return the first item of ``kit`` that holds what the ``goal`` is; none by its exceptions."""
    for line in kit.lines:
        told = line.text
        main, *aside = BUT_FOR.split(told, maxsplit=1)
        held = frozenset(terms(main)) if aside else line.terms
        if goal.share_in(held) >= HELD and not are_opposed(text, told):
            depends = _depends(told[len(main) :]) or (not says and _is_narrower(main, text))
            return Listed(None if depends else says, line, kit.head)
    return None


def _depends(aside: str) -> bool:
    return _SUPPOSED.search(aside) is not None


def _is_narrower(main: str, text: str) -> bool:
    """Whether ``main`` is about a part of a thing, of which ``text`` does not ask."""
    _, *part = _NARROWS.split(main, maxsplit=1)
    return bool(part) and not frozenset(terms(part[0])) <= frozenset(terms(text))


def _over(line: Line, pool: Pool) -> frozenset[str]:
    """Return the stems of the name of the page of ``line`` and of what is over it."""
    return pool.over(line) | pool.file_terms(line)


def _includes(head: str) -> bool | None:
    """Return whether what is below ``head`` is included; None where it says neither."""
    if _HEADS_EXCLUDED.fullmatch(head):
        return False
    return True if _HEADS_INCLUDED.fullmatch(head) else None


def lacks_kit(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` does not say what is needed, or what something includes.

    What is needed "if it was stolen" is not what is needed, unless that is asked. A sentence with
    nothing of including says of another thing than what something includes.
    """
    asked = _asked(last_question(question))
    if asked is None:
        counts = is_english() and _COUNTS_INCLUDED.search(question) is not None
        return counts and _TELLS.search(sentence) is None
    if asked.heads is _HEADS_EXCLUDED:
        return _LEAVES_OUT.search(sentence) is None
    if not asked.is_need:
        return _TELLS.search(sentence) is None
    supposed = _SUPPOSES.match(sentence)
    return supposed is not None and not frozenset(terms(supposed[0])) <= frozenset(terms(question))


def _asked(text: str) -> _Asked | None:
    if not is_english():
        return None
    if needs := _NEEDS.match(text):
        of = frozenset(terms(needs["rest"])) - {stem("bring"), stem("need")}
        return _Asked(_HEADS_NEEDS, of, (needs["sort"] or "").casefold(), is_need=True)
    for asks, heads in ((_INCLUDES, _HEADS_INCLUDED), (_EXCLUDES, _HEADS_EXCLUDED)):
        if found := asks.match(text):
            of = frozenset(terms(" ".join(filter(None, found.groupdict().values()))))
            return _Asked(heads, of - _SUMS, "", is_need=False)
    return None


def _kits(pool: Pool) -> Iterator[_Kit]:
    """Yield each list of the pool with what heads it: a heading, or words with a colon."""
    for lines in pool.lines_of:
        yield from _headed(lines, pool)
        for line in lines:
            if not line.heading and (label := _LABELLED.match(line.text)):
                yield _Kit(label["head"], (line,))


def _headed(lines: Sequence[Line], pool: Pool) -> Iterator[_Kit]:
    for head, run in groupby(lines, key=lambda line: _head_of(line, pool)):
        items = tuple(run)
        if head and len(items) >= LEAST:
            yield _Kit(head, items)


def _head_of(line: Line, pool: Pool) -> str:
    """Return what heads the list of which ``line`` is an item; nothing for other lines."""
    if not line.listed or line.heading or line.columns:
        return ""
    head = line.lead_in if line.lead_in.endswith(":") else ""
    head = head or pool.headings_over(line).rpartition("\n")[2]
    return _NUMBER.sub("", head.strip("#*_:.?! "))


def _is_headed(head: str, asked: _Asked) -> bool:
    """Whether ``head`` says what is asked for, of things of the sort that is asked for."""
    found = asked.heads.fullmatch(head)
    if found is None:
        return False
    said = found.groupdict()
    sort = said.get("sort") or said.get("other") or ""
    return not (asked.sort and sort) or sort.casefold() == asked.sort


def _bears(line: Line, asked: _Asked, question: str, pool: Pool) -> bool:
    """Whether the list that begins with ``line`` is for what is asked."""
    if not asked.of:
        return True
    held = _over(line, pool)
    if not asked.is_need:
        page = page_of(pool.passages[line.owner])
        beside = (one for one in pool.lines if page_of(pool.passages[one.owner]) == page)
        held = held.union(*(one.terms for one in beside))
    goal = Goal(question, pool, sorted(asked.of))
    return goal.share_in(held) >= COVERED
