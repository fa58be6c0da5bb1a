"""Which report a fact is taken from: the one of the company that the question names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from quaere.domain.source import Passage
from quaere.reason.extractive.filings.asked import Asked, Fact
from quaere.reason.extractive.pool import Line, Pool, after_mark, file_name, page_of
from quaere.reason.extractive.statements.rows import squashed
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import sentences

_CHARTER = lazy_regex(r"(?i)\(exact name of (?:the )?registrant")
_OF_PARTS = frozenset({Fact.CAUSE, Fact.EARNING})
_NAME_CHARS = 120
"""Characters before that note in which the name of the company stands."""
_RULE = lazy_regex(r"_{3,}\s?")


class Found(NamedTuple):
    """Words that tell a fact, and the stretch of a passage that proves it."""

    text: str
    owner: int
    start: int
    end: int
    is_clear: bool = True
    """Whether nothing else in the report tells another."""
    is_said: bool = False
    """Whether a sentence says it, which is shown as a whole."""


class Said(NamedTuple):
    """A sentence of a report on one line, without the mark of a list item, and where it is."""

    text: str
    owner: int
    start: int
    end: int

    def tells(self, text: str, *, is_clear: bool = True) -> Found:
        """Return ``text`` as what this sentence tells."""
        return Found(text, self.owner, self.start, self.end, is_clear, is_said=True)


class Report(NamedTuple):
    """What was selected of one report."""

    name: str
    """What it is called and whose it is, as one word."""
    passages: tuple[tuple[int, Passage], ...]
    """Its passages, each with its place in the pool."""

    def is_of(self, word: str) -> bool:
        """Whether ``word`` is in its name: part of the company's, or the year."""
        told = squashed(word)
        return len(told) > 1 and told in self.name

    def sentences(self) -> Iterator[Said]:
        """Yield the sentences of its passages, in order."""
        for owner, passage in self.passages:
            for span in sentences(passage.text):
                start = after_mark(passage.text, span)
                said = " ".join(passage.text[start : span.end].split())
                yield Said(said, owner, start, span.end)


def reports_asked(asked: Asked, pool: Pool) -> Sequence[Report]:
    """Return the reports that the question may mean: all where it names no company.

    Of a part of a company, or a line of its statements, the company has to be named as well.
    """
    meets = any if asked.fact in _OF_PARTS else all
    return [each for each in _reports(pool) if meets(map(each.is_of, asked.of))]


def _reports(pool: Pool) -> Iterator[Report]:
    held: dict[str, list[tuple[int, Passage]]] = {}
    for owner, passage in enumerate(pool.passages):
        held.setdefault(page_of(passage), []).append((owner, passage))
    for passages in held.values():
        first = passages[0][1]
        told = " ".join(_registrant(passage.text) for _, passage in passages)
        yield Report(squashed(f"{first.title} {file_name(first)} {told}"), tuple(passages))


def _registrant(text: str) -> str:
    """Return what stands where a cover page has the name of the company."""
    note = _CHARTER.search(text)
    return text[_name_start(text, note.start()) : note.start()] if note else ""


def _name_start(text: str, end: int) -> int:
    """Return where the line begins that ends at ``end``, or what is ruled off in it."""
    before = text[max(0, end - _NAME_CHARS) : end].rstrip()
    cut = max(before.rfind("\n") + 1, before.rfind("__") + 2 if "__" in before else 0)
    start = end - (min(end, _NAME_CHARS) - cut)
    return start + len(text[start:end]) - len(text[start:end].lstrip())


def line_of(found: Found, pool: Pool) -> Line:
    """Return the stretch that proves ``found`` as a line."""
    lines = pool.lines_of[found.owner]
    at = next((line for line in reversed(lines) if line.start <= found.start), lines[0])
    if (at.columns or found.is_said) and at.end >= found.end:
        return at
    text = _RULE.sub("", pool.passages[found.owner].text[found.start : found.end])
    text = " ".join(text.split())
    return replace(at, start=found.start, end=found.end, text=text, columns=(), listed=False)


def by_report(reports: Mapping[str, Found]) -> Found | None:
    """Return the one that all ``reports`` tell alike; None where they differ."""
    told = {found.text for found in reports.values()}
    return next(iter(reports.values())) if len(told) == 1 else None
