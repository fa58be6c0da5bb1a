"""The structured long form of a report, for every form that shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Report, Sentence, Support
from quaere.synthesize.brief import MAX_WORDS
from quaere.synthesize.compose import (
    INCOMPLETE,
    LIMITED,
    NO_EVIDENCE,
    TRUNCATED,
    is_incomplete,
    is_limited,
    statement,
)
from quaere.synthesize.inert import plain
from quaere.synthesize.outline import outline
from quaere.synthesize.wording import ITEM_STATUSES, STATUSES, STOP_REASONS
from quaere.view.export.account import limits, method
from quaere.view.export.agreement import agreement
from quaere.view.export.document import (
    Block,
    Document,
    Line,
    Paragraph,
    Section,
    Table,
    Tone,
    Words,
    words,
)
from quaere.view.export.sources import Cited


def document(report: Report) -> Document:
    """Return ``report`` in its long form.

    A short answer, a section for each item of the checklist, the findings with their verdicts,
    agreement and conflict, the limits, the method, and the sources in the order of the claims.
    """
    cited = Cited(report.citations)
    sections = (
        Section("answer", "Short answer", tuple(_short(report, cited))),
        Section("parts", "In detail", sections=tuple(_parts(report, cited))),
        Section("findings", "Findings", tuple(_findings(report.sentences, cited))),
        agreement(report, cited),
        limits(report),
        method(report),
        cited.section(),
    )
    return Document(
        title=plain(report.question) or "Report",
        summary=_summary(report),
        sections=tuple(part for part in sections if part.blocks or part.sections),
        written=max((citation.retrieved_at for citation in report.citations), default=""),
    )


def _summary(report: Report) -> Line:
    claims = len(_claims(report.sentences))
    return words(
        f"{STATUSES[report.status]}: {_counted(claims, 'sentence')} from "
        f"{_counted(len(report.citations), 'citation')}, confidence {report.confidence:.0%}. "
        f"Searching ended because {STOP_REASONS[report.stop_reason]}."
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _claims(sentences: Iterable[Sentence]) -> list[Sentence]:
    return [
        sentence
        for sentence in sentences
        if sentence.support is not Support.NOT_A_CLAIM and statement(sentence.text)
    ]


def _short(report: Report, cited: Cited) -> Iterator[Block]:
    """Yield the first sentence of each part, as far as a short answer has room."""
    if is_limited(report.stop_reason, report.degradations):
        yield Paragraph(words(LIMITED, Tone.DOUBT))
    claims = _claims(report.sentences)
    if not claims:
        yield Paragraph(words(NO_EVIDENCE))
        return
    chosen = outline(
        claims, report.checklist, max_words=MAX_WORDS, max_citations=len(report.citations)
    )
    yield Paragraph(_joined(chosen, cited))
    if is_incomplete(report.stop_reason, report.checklist, report.gaps):
        yield Paragraph(words(INCOMPLETE, Tone.DOUBT))
    if report.truncated:
        yield Paragraph(words(TRUNCATED, Tone.DOUBT))


def _joined(sentences: Iterable[Sentence], cited: Cited) -> Line:
    parts: list[Line] = []
    for sentence in sentences:
        parts += [cited.sentence(sentence), words(" ")]
    return tuple(part for line in parts[:-1] for part in line)


def _parts(report: Report, cited: Cited) -> Iterator[Section]:
    said = _placed(report.sentences, report.checklist)
    if general := said.get("", []):
        yield Section("part-0", "In general", (Paragraph(_joined(general, cited)),))
    for number, item in enumerate(report.checklist.items, start=1):
        title = plain(item.description)
        blocks = tuple(_part(item, said.get(item.id, []), cited))
        yield Section(f"part-{number}", title[:1].upper() + title[1:], blocks)


def _placed(sentences: Iterable[Sentence], checklist: Checklist) -> Mapping[str, list[Sentence]]:
    """Return the sentences of each item; one of no item belongs to that of the one before it."""
    known = {item.id for item in checklist.items}
    placed: dict[str, list[Sentence]] = {}
    place = ""
    for sentence in sentences:
        place = sentence.item if sentence.item in known else place
        if statement(sentence.text):
            placed.setdefault(place or "", []).append(sentence)
    return placed


def _part(item: Item, said: list[Sentence], cited: Cited) -> Iterator[Block]:
    if said:
        yield Paragraph(_joined(said, cited))
    elif item.status is ItemStatus.UNSATISFIED:
        yield Paragraph(words("Nothing was found that answers this.", Tone.DOUBT))
    elif markers := cited.of_passages(item.evidence):
        yield Paragraph((Words("No sentence of its own; see "), *markers, Words(".")))
    else:
        yield Paragraph(words("Evidence was found, but the answer does not rest on it."))
    if said or item.status is ItemStatus.PARTIAL:
        tone = Tone.QUIET if item.status is ItemStatus.SATISFIED else Tone.DOUBT
        yield Paragraph(words(f"{ITEM_STATUSES[item.status]}.", tone))


def _findings(sentences: Iterable[Sentence], cited: Cited) -> Iterator[Block]:
    rows = tuple(
        (
            words(statement(sentence.text)),
            _verdict(sentence),
            cited.markers(cited.numbers(sentence.evidence)),
        )
        for sentence in _claims(sentences)
    )
    if rows:
        yield Table("", ("Finding", "Verdict", "Citations"), rows)


def _verdict(sentence: Sentence) -> Line:
    verdict = sentence.support.value.replace("_", " ")
    tone = Tone.PLAIN if sentence.support is Support.SUPPORTED else Tone.DOUBT
    note = plain(sentence.note)
    return (Words(verdict, tone), *(words(f": {note}", Tone.QUIET) if note else ()))
