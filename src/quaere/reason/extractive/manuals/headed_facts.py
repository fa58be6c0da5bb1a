"""Finds what stands below a heading, or in a field, that names what is asked of a page.

"License", "AUTHORS" with what is indented below it, "Requires-Python: >=3.9", ":Author: Edda Lind".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quaere.domain.url import is_annals
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.commands import is_typed
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
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
    text = last_question(question)
    who = _ASKS_WHO.match(text)
    asked = who or next((found for ask in _ASKS if (found := ask.match(text))), None)
    if asked is None or not is_english():
        return None
    noun = asked["noun"] if who is None else "maintainer" if who["keeps"] else "author"
    found = list(_told(_forms(noun), asked["rest"], pool))
    return found[0] if len({line.text for line in found}) == 1 else None


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
        field = _FIELD.fullmatch(line.text)
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
