"""Where to look for what nothing answers: the places that come nearest to the question.

They do not answer it: the text of the report has nothing of them, and no citation leads to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from quaere.domain.evidence import Evidence
from quaere.domain.report import Nearby, Quote
from quaere.domain.source import Passage, headings_over, plain_headings
from quaere.synthesize.inert import address, plain, standing
from quaere.synthesize.wording import location, locator_of, shown_title
from quaere.text.sentences import sentences
from quaere.text.tables import cells, is_rule
from quaere.text.tokens import terms

SHOWN: Final = 3
"""Places that are named. Of 121 questions in other words than their documents that were declined,
the first held the answer to 29 and one of three to 49."""

LINE_CHARS: Final = 300
"""Of a line, where it is shown: a row of a table may be a page long. The report has all of it."""

BETWEEN_HEADINGS: Final = " › "
LIST_MARKS: Final = "-*+•> "


def nearest(
    asked: str, evidence: Iterable[Evidence], passages: Mapping[str, Passage]
) -> tuple[Nearby, ...]:
    """Return the first places of ``evidence`` in the user's own documents, SHOWN at most.

    Pages of the web are none: they were found by words like these, and a search finds them again.

    Args:
        asked: The question, with what was said before it.
        evidence: What was selected, best first.
        passages: Its text, by id.
    """
    wanted = frozenset(terms(asked))
    own = _own(evidence, passages)
    near = (pair for pair in own if not _is_table_of_else(pair[1], wanted))
    return tuple(_nearby(each, passage, wanted) for each, passage in islice(near, SHOWN))


def shown_line(place: Nearby) -> str:
    """Return the line of ``place`` on one line, as it is written and not longer than LINE_CHARS.

    The marks that lay it out, of a list or of a row, are left out. No figure in it passes for a
    citation.
    """
    row = cells(place.line.text)
    said = place.line.text.lstrip(LIST_MARKS) if row is None else " | ".join(filter(None, row))
    line = standing(said)
    return line if len(line) <= LINE_CHARS else f"{line[:LINE_CHARS].rpartition(' ')[0]} …"


def in_one_line(place: Nearby) -> str:
    """Return ``place`` in one inert line: what it is called, where it is, and its line."""
    called = ", ".join(filter(None, (place.title, place.heading)))
    return plain(f"{called} ({place.location}): {shown_line(place)}")


def _own(
    evidence: Iterable[Evidence], passages: Mapping[str, Passage]
) -> Iterator[tuple[Evidence, Passage]]:
    """Yield what is from the user's own documents, with its text where there is one."""
    for each in evidence:
        if urlsplit(each.url).scheme == "file" and each.passage in passages:
            yield each, passages[each.passage]


def _is_table_of_else(passage: Passage, wanted: frozenset[str]) -> bool:
    """Return whether ``passage`` is a table without a word of what is asked.

    Tables are looked at by their heads whatever is asked; prose was found by its words or meaning.
    """
    return passage.whole_table and wanted.isdisjoint(terms(f"{passage.title} {passage.text}"))


def _nearby(entry: Evidence, passage: Passage, wanted: frozenset[str]) -> Nearby:
    line = _line(passage, wanted)
    url, locator = address(entry.url), locator_of(entry, passage, line)
    over = headings_over(passage.text, line.start - passage.start, passage.headings)
    return Nearby(
        title=shown_title(entry, passage, url, locator),
        heading=plain(BETWEEN_HEADINGS.join(plain_headings(over).splitlines())),
        url=url,
        location=location(url, locator),
        locator=locator,
        line=line,
    )


def _line(passage: Passage, wanted: frozenset[str]) -> Quote:
    """Return the sentence or row of ``passage`` with most of the words ``wanted``, the first of it.

    A heading is taken only where there is nothing else: it is told with the line.
    """
    spans = list(_lines(passage.text)) or [(0, len(passage.text))]
    start, end = max(
        spans, key=lambda span: len(wanted.intersection(terms(passage.text[slice(*span)])))
    )
    return Quote(
        passage=passage.id,
        text=passage.text[start:end],
        start=passage.start + start,
        end=passage.start + end,
    )


def _lines(text: str) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text):
        line = text[start:end]
        if not line.startswith("#") and not is_rule(line):
            yield start, end
