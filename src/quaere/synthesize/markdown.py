"""A report as Markdown: the answer, its numbered citations, and how it came about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from quaere.domain.question import Item
from quaere.domain.report import Citation, Opens, Report
from quaere.synthesize.compose import FENCE
from quaere.synthesize.inert import escaped, escaped_cell, link, one_line, plain
from quaere.synthesize.nearest import told
from quaere.synthesize.wording import (
    STOP_REASONS,
    calls_in_words,
    checks_in_words,
    degradations_in_words,
    sources_in_words,
    unused_model,
)
from quaere.text.languages.language import ENGLISH_FRAME


def markdown(report: Report) -> str:
    """Return ``report`` as CommonMark with tables, ended by a line break.

    What came from a source renders as text: the only links are those to the ``http`` and
    ``https`` addresses of citations.
    """
    numbers = {citation.quote.passage: citation.id for citation in report.citations}
    sections = (
        (
            "",
            [
                _text(unused_model(report.degradations)),
                f"# {_text(report.question) or 'Report'}",
                _answer(report),
            ],
        ),
        ("Citations", ["\n\n".join(map(_citation, report.citations))]),
        ("Coverage", [_coverage(report.checklist.items, numbers)]),
        ("What is missing", [_listed(report.gaps)]),
        ("Where to look", _nearest(report)),
        ("How the search ended", [_listed(_course(report))]),
        ("Checks", [checks_in_words(report.checks)]),
        ("Warnings", [_listed(_warnings(report))]),
        (
            "Cost",
            [
                f"{report.seconds:.1f} s; {sources_in_words(report)}.",
                calls_in_words(report.calls),
            ],
        ),
    )
    blocks: list[str] = []
    for title, parts in sections:
        filled = [part for part in parts if part]
        if filled and title:
            blocks.append(f"## {title}")
        blocks.extend(filled)
    return "\n\n".join(blocks) + "\n"


_MARK = re.compile(r"- ")
_NUMBERED = re.compile(r"- |\d+\. ")
_RULED = re.compile(r"\|(?: --- \|)+")
_BAR = re.compile(r"(?<!\\)\|")


def _answer(report: Report) -> str:
    """Return the answer with its paragraphs, lists, tables and code; the rest renders as text."""
    is_numbered = any(sentence.opens is Opens.NUMBERED for sentence in report.sentences)
    lines: list[str] = []
    in_code = False
    for line in report.answer.split("\n"):
        is_fence = line == FENCE
        lines.append(line if in_code or is_fence else _answer_line(line, numbered=is_numbered))
        in_code ^= is_fence
    return "\n".join(lines)


def _answer_line(line: str, *, numbered: bool) -> str:
    if line.startswith("| ") and line.endswith(" |"):
        if _RULED.fullmatch(line):
            return line
        cells = (each.strip().replace("\\|", "|") for each in _BAR.split(line)[1:-1])
        return f"| {' | '.join(escaped_cell(cell, markers=True) for cell in cells)} |"
    mark = (_NUMBERED if numbered else _MARK).match(line)
    begun = mark[0] if mark else ""
    return begun + escaped(line.removeprefix(begun), markers=True)


def _text(text: str) -> str:
    return escaped(plain(text))


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {_text(line)}" for line in lines)


def _nearest(report: Report) -> list[str]:
    """Return where to look for what nothing answers, after a line that says that this is none."""
    if not report.nearest:
        return []
    return [ENGLISH_FRAME.near, _listed(map(told, report.nearest))]


def _citation(citation: Citation) -> str:
    title = _text(citation.title)
    href = link(citation.url)
    head = f"[{title}](<{href}>)" if href else title
    place = citation.locator if href else citation.location
    where = ", ".join(filter(None, (head, escaped(place))))
    read = f"read {_text(citation.retrieved_at)}" if citation.retrieved_at else ""
    about = ", ".join(filter(None, (citation.part, read)))
    seen = f" ({about})" if about else ""
    # Two blanks more than the number has digits: the quote belongs to the list item.
    indent = " " * (len(str(citation.id)) + 2)
    return f"{citation.id}. {where}{seen}\n\n{indent}> {escaped(one_line(citation.quote.text))}"


def _coverage(items: Sequence[Item], numbers: dict[str, int]) -> str:
    if not items:
        return ""
    rows = ["| Part of the question | Status | Citations |", "| --- | --- | --- |"]
    for item in items:
        cited = sorted({numbers[passage] for passage in item.evidence if passage in numbers})
        markers = "".join(f"[{number}]" for number in cited)
        rows.append(f"| {_text(item.description)} | {item.status.value} | {markers} |")
    return "\n".join(rows)


def _course(report: Report) -> Iterator[str]:
    yield f"Stop reason: {report.stop_reason.value} ({STOP_REASONS[report.stop_reason]})"
    yield f"Confidence: {report.confidence:.0%}; coverage: {report.checklist.coverage:.0%}"
    yield f"Loops: {report.iterations}; queries: {report.spend.queries}"
    yield from degradations_in_words(report.degradations)


def _warnings(report: Report) -> Iterator[str]:
    for warning in report.warnings:
        subject = f"{warning.subject}: " if warning.subject else ""
        yield f"{warning.kind}: {subject}{warning.message}"
