"""Finds what is below a heading, in a field or after a label that names what is asked.

"License", "AUTHORS" with what is indented below it, "Requires-Python: >=3.9", ":Author: Edda Lind";
the figure of "Ireland: £21" below "What a box costs", and the date of "Last test: 3 May 2031".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from quaere.domain.url import is_annals
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.dated_headings import is_outdated
from quaere.reason.extractive.manuals.commands import is_typed
from quaere.reason.extractive.plain_answers import asks_price, lacks_price
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.things_counted import measures_only
from quaere.text.dates import dates
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import other_spellings
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of what else is asked that the title of the page and the headings over it must hold."""
MOST_WORDS = 30
"""Words of what is told below the heading, at most: more is a section to read."""

_NOUN = r"(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*)?)"
_ASKS = (
    lazy_regex(
        rf"(?i)\W*(?:which|what)\s+{_NOUN}\s+(?:does|do|is|are|has|have)\s+(?P<rest>[^?]+?)"
        r"(?:\s+(?:have|use|under|released|published|in|distributed|need|require|licen[cs]ed))*\W*$"
    ),
    lazy_regex(
        rf"(?i)\W*(?:what|who|where)\s*(?:is|are|['’]s)\s+the\s+{_NOUN}\s+(?:of|for)\s+(?P<rest>[^?]+?)\W*$"
    ),
    lazy_regex(
        r"(?i)\W*under\s+(?:which|what)\s+"
        rf"{_NOUN}\s+(?:is|are)\s+(?P<rest>[^?]+?)"
        r"(?:\s+(?:released|published|distributed|available))?\W*$"
    ),
)
_ASKS_WHO = lazy_regex(
    r"(?i)\W*who\s+(?:(?P<keeps>maintains|keeps up)|wrote|made|created|developed|programmed)\s+"
    r"(?P<rest>[^?]+?)\W*$"
)
_FIELD = lazy_regex(r":?(?P<name>[A-Za-z][\w-]*): +\S.*")
_BESIDES = frozenset(terms("requires email"))
"""What the name of a field may have besides."""


def find_headed_fact(question: str, pool: Pool) -> Line | None:
    """Return what stands below the heading that says no more than what ``question`` asks of a page.

    The title of the page and the headings over it have all else. None where pages tell different
    things. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = _fact_asked(last_question(question)) if is_english() else None
    if asked is None:
        return None
    noun, rest = asked
    forms = _forms(noun)
    told = _told(forms, rest, pool)
    found = [line for line in told if not _MANY.search(noun) or _names_many(line, forms)]
    called_so = [line for line in found if _is_called(line, forms)]
    found = called_so or found  # "Author: Ada Novak" rather than "Author-email"
    return found[0] if len({line.text for line in found}) == 1 else None


def _fact_asked(text: str) -> tuple[str, str] | None:
    """Return the noun of what ``text`` asks of a page, and the rest; None where it asks none."""
    if (who := _ASKS_WHO.match(text)) is not None:
        return "maintainer" if who["keeps"] else "author", who["rest"]
    asked = next((found for ask in _ASKS if (found := ask.match(text))), None)
    return asked and (asked["noun"], asked["rest"])


_MANY = lazy_regex(r"[^\Wisu]s\Z")
"""How a word ends that asks for several things: neither "status" nor "class"."""
_AMONG = lazy_regex(r"(?i)[,;:]|\b(?:and|or)\b")


def _names_many(line: Line, noun: frozenset[str]) -> bool:
    """Whether ``line`` may name several things, as a sentence does that has the ``noun``, too."""
    is_sentence = line.text.endswith((".", "!")) and not _FIELD.fullmatch(line.text)
    has_noun = not is_sentence or not noun.isdisjoint(line.terms)
    return has_noun and _AMONG.search(line.text) is not None


def _is_called(line: Line, noun: frozenset[str]) -> bool:
    """Whether ``line`` is a field whose name is the ``noun`` alone."""
    field = _FIELD.fullmatch(line.text)
    return field is not None and frozenset(terms(field["name"])) <= noun


def _forms(noun: str) -> frozenset[str]:
    """Return the stems that a heading may have for the last word of ``noun``, or for all of it."""
    spelled = (form for word in words(noun) for form in (word, *other_spellings(word)))
    return frozenset(map(stem, spelled))


def _told(noun: frozenset[str], rest: str, pool: Pool) -> Iterator[Line]:
    """Yield what stands below headings, or in fields, that say a ``noun`` of the ``rest``."""
    goal = Goal.besides(frozenset(), rest, pool)
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        if not is_annals(passage.url):
            yield from _below_headings(lines, noun, goal, pool)
            yield from _fields(lines, noun, goal, pool)


def _below_headings(
    lines: Sequence[Line], noun: frozenset[str], goal: Goal | None, pool: Pool
) -> Iterator[Line]:
    for heading, line in _headed(lines):
        is_wanted = _says(heading.text, noun) and _is_about(heading, goal, pool)
        if is_wanted and _tells(line, pool):
            yield _named(heading, line)


def _headed(lines: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    """Yield each heading or label and the line below it: one of several tells no fact by itself."""
    for heading, line, after in zip(lines, lines[1:], [*lines[2:], None], strict=False):
        is_of_several = line.listed and after is not None and after.listed
        if _is_over(heading, line) and not is_of_several:
            yield heading, line


def _is_over(heading: Line, line: Line) -> bool:
    """Whether ``heading`` is one, or the label of ``line``, and no row of a table."""
    is_label = line.label is not None and line.label.start == heading.start
    return (heading.heading or is_label) and not heading.columns


def _fields(
    lines: Sequence[Line], noun: frozenset[str], goal: Goal | None, pool: Pool
) -> Iterator[Line]:
    for line in lines:
        field = None if line.columns else _FIELD.fullmatch(line.text)
        if field and _says(field["name"], noun) and _is_about(line, goal, pool):
            mark = field.start("name")
            yield replace(line, start=line.start + mark, text=line.text[mark:])


def _says(name: str, noun: frozenset[str]) -> bool:
    """Whether ``name`` says ``noun`` and nothing else."""
    said = frozenset(terms(name))
    return not said.isdisjoint(noun) and said <= noun | _BESIDES


def _is_about(heading: Line, goal: Goal | None, pool: Pool) -> bool:
    """Whether what is over ``heading`` has enough of ``goal``, if anything is looked for."""
    over = heading.under | pool.title_terms[heading.owner] | pool.file_terms(heading)
    return goal is None or goal.share_in(over) >= COVERED


def _tells(line: Line, pool: Pool) -> bool:
    """Whether ``line`` is short, and neither a heading, a row nor code."""
    is_part = line.heading or line.columns or line.text.endswith((":", "?"))
    return not is_part and len(words(line.text)) <= MOST_WORDS and not is_typed(line, pool)


def _named(heading: Line, line: Line) -> Line:
    """Return ``line`` after what heads it, unless it is a sentence: "License: ISC"."""
    if line.text.endswith((".", "!")):
        return line
    return replace(line, start=heading.start, text=f"{heading.text.lstrip('# ')}: {line.text}")


WHOLE = 0.97
"""Share of the question's weight that a label, the headings over it and the title of its page must
hold between them."""

_LABELLED = lazy_regex(r"[*_]*(?P<label>[^\W_][^:|.!?\n]{0,40}?)[*_]*:[*_]*\s+(?P<value>\S.*)")
_HEAD = lazy_regex(r"[^\W_][^.!?:|]{1,60}")
_MOST_WORDS = 6
"""Words of a line that heads what is below it without being marked as a heading, at most."""
_MOST_AFTER = 2
"""Words after the figure of a value, at most: more say another thing."""
_AFTER = lazy_regex(r"\W*\d[\d.,]*\W*(?P<rest>.*)")
_OF_PRICES = frozenset(map(stem, ("cost", "price", "charge", "fee", "pay", "much")))
"""Stems by which a price is asked for."""


_OF_DATES = frozenset(map(stem, ("date", "day", "due", "on")))
"""Stems that a label of a date may have besides what is asked for."""


class Labelled(NamedTuple):
    """The line of a label, and the figure or the date after it."""

    text: str
    line: Line
    held: float
    """Share of what is asked that label and headings hold, without the title of the page."""


def _is_told(each: Labelled, text: str, kind: Kind) -> bool:
    return _is_date(each) if kind is Kind.DATE else _fits(text, each)


def find_labelled_value(question: str, pool: Pool) -> Labelled | None:
    """Return the figure whose label, with what is over it, says all that ``question`` asks.

    Or the date, where it asks when. The question has all words of the label. None where two such
    labels tell different figures and neither is below a later year. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    kind = expected_kind(text)
    if not is_english() or kind not in _TOLD_BY_LABEL:
        return None
    wanted = _asked_of_value(text)
    goal = Goal(text, pool, wanted)
    allowed = frozenset((*wanted, *(_OF_DATES if kind is Kind.DATE else ())))
    found = [
        each
        for each in _labelled(pool, goal, allowed)
        if _is_told(each, text, kind) and not is_outdated(question, each.line, pool)
    ]
    return _undisputed(found)


_TOLD_BY_LABEL = frozenset({Kind.NUMBER, Kind.DATE})


def _asked_of_value(text: str) -> list[str]:
    """Return the terms of ``text`` but for those by which a price is asked for."""
    idle = _OF_PRICES if asks_price(text) else frozenset[str]()
    return [term for term in terms(text) if term not in idle]


def _undisputed(found: Sequence[Labelled]) -> Labelled | None:
    """Return the one of ``found`` that holds most; None where as much is held by other figures."""
    most = max((each.held for each in found), default=0.0)
    best = [each for each in found if each.held == most]
    return best[0] if len({each.text for each in best}) == 1 else None


def _labelled(pool: Pool, goal: Goal, wanted: frozenset[str]) -> Iterator[Labelled]:
    """Yield the values of the labels that are ``wanted`` and say all of ``goal``."""
    for lines in pool.lines_of:
        for line, told, above in _with_labels(lines):
            label = frozenset(terms(told["label"]))
            own = label | above | line.over
            held = goal.share(goal.mask(own | pool.over(line)))
            if label and label <= wanted and held >= WHOLE:
                yield Labelled(told["value"].rstrip("."), line, goal.share(goal.mask(own)))


def _with_labels(lines: Iterable[Line]) -> Iterator[tuple[Line, re.Match[str], frozenset[str]]]:
    """Yield the lines with a label, each with its parts and with the terms of what heads it."""
    above = frozenset[str]()
    for line in lines:
        if told := _parted(line):
            yield line, told, above
        else:
            above = line.terms if _heads(line) else frozenset[str]()


def _parted(line: Line) -> re.Match[str] | None:
    """Return the label and the value of ``line``; None for a heading, a row or other text."""
    return None if line.heading or line.columns else _LABELLED.fullmatch(line.text)


def _heads(line: Line) -> bool:
    text = line.text.strip("*_: ")
    return _HEAD.fullmatch(text) is not None and len(text.split()) <= _MOST_WORDS


def _fits(text: str, told: Labelled) -> bool:
    """Whether what is ``told`` is a short figure, and one of what is asked."""
    after = _AFTER.match(told.text)
    is_short = after is not None and len(after["rest"].split()) <= _MOST_AFTER
    is_other = measures_only(text, told.text) or (asks_price(text) and _is_other(text, told.line))
    return is_short and not is_other


def _is_date(told: Labelled) -> bool:
    """Whether what is ``told`` is a date, and hardly more."""
    first = next(iter(dates(told.text)), None)
    if first is None or told.text[: first.start].strip():
        return False
    return len(told.text[first.end :].split()) <= _MOST_AFTER


def _is_other(text: str, line: Line) -> bool:
    is_bare = line.text.rstrip(".")[-1:].isdigit()
    return lacks_price(text, line.text) and not is_bare
