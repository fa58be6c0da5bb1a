"""Where sources agree and where they contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quaere.domain.evidence import Conflict, Evidence
from quaere.domain.report import Report
from quaere.synthesize.inert import plain
from quaere.view.export.document import Block, Line, Section, Table, Tone, Words, words
from quaere.view.export.sources import Cited


def agreement(report: Report, cited: Cited) -> Section:
    """Return who speaks for each part of the question, and who contradicts whom."""
    known = {entry.id: entry for entry in report.evidence}
    parts = {item.id: plain(item.description) for item in report.checklist.items}
    rows = tuple(
        (
            words(parts.get(entry.item, "The question")),
            _sides(entry.supports, known, cited),
            _sides(entry.contradicts, known, cited),
            words(str(entry.origins)),
        )
        for entry in report.agreements
    )
    disputes = tuple(
        (
            words(parts.get(conflict.item, "The question")),
            _side(conflict.left, known, cited),
            _side(conflict.right, known, cited),
            _difference(conflict),
        )
        for conflict in report.conflicts
    )
    return Section("agreement", "Agreement and conflict", tuple(_tables(rows, disputes)))


def _difference(conflict: Conflict) -> Line:
    note = plain(conflict.note)
    return (
        Words(conflict.what.value),
        *((Words(f": {note}", Tone.DOUBT),) if note else ()),
    )


def _tables(
    agreements: tuple[tuple[Line, ...], ...], conflicts: tuple[tuple[Line, ...], ...]
) -> Iterator[Block]:
    if agreements:
        head = ("Part of the question", "Supported by", "Contradicted by", "Independent origins")
        yield Table("Agreement", head, agreements)
    if conflicts:
        head = ("Part of the question", "One source", "Another", "Difference")
        yield Table("Conflicts", head, conflicts)


def _sides(numbers: Iterable[int], known: Mapping[int, Evidence], cited: Cited) -> Line:
    lines = [_side(number, known, cited) for number in numbers]
    return tuple(part for line in lines for part in (*line, Words("; ")))[:-1]


def _side(number: int, known: Mapping[int, Evidence], cited: Cited) -> Line:
    """Return the title of a piece of evidence, with its marker where it is cited."""
    entry = known.get(number)
    title = plain(entry.title) or plain(entry.url) if entry else ""
    markers = cited.markers(cited.numbers([number]))
    return (Words(title or f"evidence {number}"), *((Words(" "), *markers) if markers else ()))
