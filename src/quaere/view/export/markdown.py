"""A report as Markdown: what a terminal or an assistant is given, and the long form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from quaere.domain.question import Item
from quaere.domain.report import Citation, Opens, Report
from quaere.synthesize.compose import FENCE
from quaere.synthesize.inert import escaped, escaped_cell, link, literal, one_line
from quaere.synthesize.nearest import in_one_line
from quaere.synthesize.wording import (
    calls_in_words,
    checks_in_words,
    degradations_in_words,
    loops_and_queries,
    part_in,
    place_in,
    quote_line,
    sources_in_words,
    statuses_in,
    stopped,
    sureness,
    unused_model,
)
from quaere.text.languages.language import Frame, frame_of
from quaere.text.languages.phrases import Account, tell
from quaere.view.export.document import (
    Block,
    Bullets,
    Code,
    Document,
    Line,
    Marker,
    Paragraph,
    Section,
    Source,
    Table,
    Tone,
    Words,
)


def markdown(report: Report) -> str:
    """Return ``report`` as CommonMark with tables, ended by a line break.

    What came from a source renders as text: the only links are those to the ``http`` and
    ``https`` addresses of citations.
    """
    numbers = {citation.quote.passage: citation.id for citation in report.citations}
    said = frame_of(report.asked)
    named, account = said.headings, said.account
    cited = (_citation(citation, account) for citation in report.citations)
    sections = (
        (
            "",
            [
                literal(unused_model(report.degradations, said)),
                f"# {literal(report.question) or named.report}",
                report.read_as and literal(account.understood.format(question=report.read_as)),
                _answer(report),
            ],
        ),
        (named.citations, ["\n\n".join(cited)]),
        (account.coverage, [_coverage(report.checklist.items, numbers, said)]),
        (account.missing, [_listed(report.gaps)]),
        (named.look, _nearest(report, said)),
        (named.ended, [_listed(_course(report, said))]),
        (account.checking, [checks_in_words(report.checks, said)]),
        (named.warnings, [_listed(f"{each.kind}: {each.told}" for each in report.warnings)]),
        (account.cost, [_took(report, said), calls_in_words(report.calls, said)]),
    )
    return "\n\n".join(_filled(sections)) + "\n"


def _filled(sections: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield the titles and the parts of those ``sections`` that hold anything."""
    for title, parts in sections:
        filled = list(filter(None, parts))
        if filled and title:
            yield f"## {title}"
        yield from filled


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
        return f"| {' | '.join(escaped_cell(cell) for cell in cells)} |"
    mark = (_NUMBERED if numbered else _MARK).match(line)
    begun = mark[0] if mark else ""
    return begun + escaped(line.removeprefix(begun), markers=True)


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {literal(line)}" for line in lines)


def _nearest(report: Report, said: Frame) -> list[str]:
    """Return where to look for what nothing answers, after a line that says that this is none."""
    if not report.nearest:
        return []
    return [said.near, _listed(map(in_one_line, report.nearest))]


def _citation(citation: Citation, said: Account) -> str:
    title = literal(citation.title)
    href = link(citation.url)
    head = f"[{title}](<{href}>)" if href else title
    place = place_in(citation.locator if href else citation.location, said)
    where = ", ".join(filter(None, (head, escaped(one_line(place)))))
    time = literal(citation.retrieved_at)
    read = said.read.format(time=time) if time else ""
    about = ", ".join(filter(None, (part_in(citation.part, said), read)))
    seen = f" ({about})" if about else ""
    # Two blanks more than the number has digits: the quote belongs to the list item.
    indent = " " * (len(str(citation.id)) + 2)
    return f"{citation.id}. {where}{seen}\n\n{indent}> {escaped(quote_line(citation.quote.text))}"


def _coverage(items: Sequence[Item], numbers: dict[str, int], said: Frame) -> str:
    if not items:
        return ""
    named, statuses = said.headings, statuses_in(said.headings)
    head = f"| {named.part} | {said.account.status} | {named.citations} |"
    rows = [head, "| --- | --- | --- |"]
    for item in items:
        cited = sorted({numbers[passage] for passage in item.evidence if passage in numbers})
        markers = "".join(f"[{number}]" for number in cited)
        rows.append(f"| {literal(item.description)} | {statuses[item.status]} | {markers} |")
    return "\n".join(rows)


def _course(report: Report, said: Frame) -> Iterator[str]:
    yield from filter(None, [stopped(report, said.account)])
    yield sureness(report, said.account)
    yield from loops_and_queries(report, said.account)
    yield from degradations_in_words(report.degradations, said)


def _took(report: Report, said: Frame) -> str:
    sources = sources_in_words(report, said)
    return tell(said.account, said.account.read_in, seconds=report.seconds, sources=sources)


def long_markdown(document: Document) -> str:
    """Return ``document`` as CommonMark with tables, ended by a line break.

    Whatever a source says renders as text; the only links are those of the sources.
    """
    blocks = [f"# {escaped(document.title)}", _line(document.summary)]
    for section in document.sections:
        blocks += _section(section, 2)
    return "\n\n".join(blocks) + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escaped(section.title)}"
    for block in section.blocks:
        yield _block(block)
    for part in section.sections:
        yield from _section(part, level + 1)


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return _line(block.line)
        case Bullets():
            return "\n".join(_bullets(block))
        case Code():
            return f"```\n{block.text}\n```\n{_line(block.signs)}"
        case Table():
            return _table(block)
        case Source():
            return _source(block)


def _bullets(block: Bullets) -> Iterator[str]:
    for number, item in enumerate(block.items, block.first):
        yield f"{f'{number}.' if block.numbered else '-'} {_line(item)}"


def _line(line: Line) -> str:
    """Return ``line`` on one line of Markdown.

    Neighbouring words are escaped as one: what is harmless in the middle may start a list.
    """
    return escaped(_written(line), markers=True)


def _written(line: Line) -> str:
    return "".join(
        f"[{part.number}]" if isinstance(part, Marker) else _with_marks(part) for part in line
    )


def _with_marks(words: Words) -> str:
    mark = {Tone.CODE: "`", Tone.STRONG: "**"}.get(words.tone, "")
    return f"{mark}{words.text}{mark}"


def _table(table: Table) -> str:
    head = f"| {' | '.join(escaped_cell(each) for each in table.head)} |"
    rule = f"| {' | '.join('---' for _ in table.head)} |"
    rows = (f"| {' | '.join(map(_cell, row))} |" for row in table.rows)
    title = (f"*{table.title}*", "") if table.title else ()
    return "\n".join((*title, head, rule, *rows))


def _cell(line: Line) -> str:
    return escaped_cell(_written(line))


def _source(source: Source) -> str:
    title = escaped(source.title)
    head = f"[{title}](<{source.href}>)" if source.href else title
    where = ", ".join(filter(None, (head, escaped(source.place))))
    # Two blanks more than the number has digits: what follows belongs to the list item.
    indent = " " * (len(str(source.number)) + 2)
    facts = f"\n\n{indent}{escaped('; '.join(source.facts))}" if source.facts else ""
    return f"{source.number}. {where}\n\n{indent}> {escaped(source.quote)}{facts}"
