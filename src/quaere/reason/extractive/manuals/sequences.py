"""Finds what is done one after another, which the command of one step alone does not answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from quaere.domain.url import is_annals
from quaere.reason.extractive.chains import Goal, highest
from quaere.reason.extractive.manuals.commands import is_typed, standing
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.facts import deny_alike
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import apart, terms

COVERED = 0.75
"""Share of the question's weight that the heading over a sequence and its page's title hold."""
LEAST, MOST = 2, 16
"""Commands with what leads in to each that make a sequence, and lines of one that are shown."""

_NEXT = lazy_regex(
    r"(?i)\W*(?:then|next|now|after (?:that|this|which)|afterwards|finally|lastly|last"
    r"|second(?:ly)?|third(?:ly)?|when (?:that|this) is done|once (?:that|this) is done)\b"
)
"""How a sentence begins that tells what is done after what was told before."""


def find_sequence(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the lines below a heading that tell in turn how what ``question`` asks is done.

    "First make the key: …", "Then send it: …" are one answer, each with what is typed. The heading
    says what is asked, with the title of the page. English alone.
    """
    text = last_question(question)
    if expected_kind(text) is not Kind.MANNER or not is_english():
        return ()
    goal = Goal(text, pool)
    found = [
        (goal.share_in(_over(heading, pool)), section)
        for heading, section in _sections(pool)
        if goal.mask(frozenset(terms(apart(heading.text))))
        and deny_alike(heading.text, text)
        and _is_sequence(section, pool)
    ]
    return _shown((highest(found, COVERED) or ())[:MOST], pool)


def _shown(lines: Sequence[Line], pool: Pool) -> tuple[Line, ...]:
    """Return ``lines``, what is typed below each that leads in to it as one block."""
    shown = list[Line]()
    for typed, run in groupby(lines, key=lambda line: is_typed(line, pool)):
        each = list(run)
        shown += [_block(each, pool)] if typed else [*each[:-1], standing(each[-1])]
    return tuple(shown)


def _block(run: Sequence[Line], pool: Pool) -> Line:
    """Return the lines of code in ``run`` as one, below each other as they are typed."""
    start, end = run[0].start, run[-1].end
    said = frozenset[str]().union(*(line.terms for line in run))
    written = pool.passages[run[0].owner].text[start:end].splitlines()
    typed = (line.strip().strip("`") for line in written if not line.strip().startswith("```"))
    return replace(run[0], end=end, text="\n".join(filter(None, typed)), terms=said, is_block=True)


def is_within(commands: Sequence[Line], steps: Sequence[Line], pool: Pool) -> bool:
    """Return whether ``commands`` are below the heading of ``steps``, or are of them."""
    if not commands or not steps or commands[0].owner != steps[0].owner:
        return False
    first, other = commands[0], steps[0]
    return pool.headings_over(first) == pool.headings_over(other)


def _over(heading: Line, pool: Pool) -> frozenset[str]:
    """Return the terms of ``heading`` and of what is over it; "apart" as questions have them."""
    return frozenset(terms(apart(heading.text))) | heading.under | pool.over(heading)


def _sections(pool: Pool) -> Iterator[tuple[Line, Sequence[Line]]]:
    """Yield each heading with the lines below it, up to the next one."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        at = [place for place, line in enumerate(lines) if line.heading]
        for place, end in pairwise([*at, len(lines)]):
            if not is_annals(passage.url):
                yield lines[place], lines[place + 1 : end]


def _is_sequence(section: Sequence[Line], pool: Pool) -> bool:
    """Whether ``section`` has several commands in turn, one at least told to come after another."""
    leads = [
        line
        for line, after in pairwise(section)
        if not is_typed(line, pool) and is_typed(after, pool)
    ]
    return len(leads) >= LEAST and any(_NEXT.match(line.text) for line in leads[1:])
