"""Renders a report for a terminal: its answer, with tables in the width there is, and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, groupby, repeat, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from quaere.domain.question import ItemStatus
from quaere.domain.report import (
    Citation,
    QueryOutcome,
    Report,
    RunWarning,
    Sentence,
    Support,
)
from quaere.resilience.breaker import PAUSED
from quaere.synthesize.compose import FENCE
from quaere.synthesize.inert import visible
from quaere.synthesize.nearest import shown_line
from quaere.synthesize.wording import (
    calls_in_words,
    checks_in_words,
    degradations_in_words,
    place_in,
    quote_line,
    sources_in_words,
    stopped,
    sureness,
    unused_model,
    verdict_in_two,
)
from quaere.text.inline import Form, stretches
from quaere.text.languages.language import Frame, frame_of
from quaere.text.languages.phrases import Account, tell
from quaere.text.tables import cells, is_rule
from quaere.view.describe import ITEM_MARKS

FORM_STYLES: Final[Mapping[Form, str]] = MappingProxyType(
    {Form.PLAIN: "", Form.CODE: "cyan", Form.STRONG: "bold"}
)
NARROWEST: Final = 12
"""Columns that a cell gets at least, or as many as its longest word has; where they are not there,
a row is shown as a list of its cells."""
_FRAME: Final = 3
"""Columns that the frame of a cell takes: a bar and two blanks."""
_ITEM: Final = re.compile(r"(?P<mark>\s*(?:[-*]|\d{1,3}\.)\s)(?P<text>.*)")


def answer_blocks(answer: str, console: Console) -> Iterator[RenderableType]:
    """Yield the lines of ``answer``, laid out for the width of ``console``."""
    in_code = False
    for is_row, group in groupby(answer.split("\n"), key=lambda line: cells(line) is not None):
        lines = list(group)
        if is_row and not in_code:
            yield from _table(lines, console)
            continue
        for line in lines:
            in_code ^= line == FENCE
            yield answer_line(line) if in_code else _line(line)


def answer_line(line: str) -> Text:
    """Return a line of an answer with its bold words bold.

    Code keeps its marks, for a bracket in it does not cite.
    """
    shown = Text()
    for form, words in stretches(visible(line, indented=True)):
        shown.append(f"`{words}`" if form is Form.CODE else words, style=FORM_STYLES[form])
    return shown


def _line(line: str) -> RenderableType:
    """Return ``line``; what an item has beyond its first line begins under its text."""
    item = _ITEM.fullmatch(line)
    if item is None:
        return answer_line(line)
    return _hanging(Text(item["mark"]), answer_line(item["text"]))


def _hanging(mark: Text, text: Text) -> Table:
    """Return ``text`` after ``mark``, its further lines below its first.

    A word that is longer than a line goes on below, and so does a script without blanks, which is
    one long word to what wraps lines.
    """
    hung = Table.grid()
    hung.add_column(width=mark.cell_len, no_wrap=True)
    hung.add_column(overflow="fold")
    hung.add_row(mark, text)
    return hung


Row = Sequence[Text]


def _table(lines: Sequence[str], console: Console) -> Iterator[RenderableType]:
    """Yield a table, its cells below each other, as wide as it is or as there is room for."""
    rows = [list(map(answer_line, cells(line) or [])) for line in lines if not is_rule(line)]
    if len(set(map(len, rows))) != 1:
        yield from map(answer_line, lines)
        return
    columns = list(zip(*rows, strict=True))
    room = console.width - _FRAME * len(columns) - 1
    wanted, least = list(map(_widest, columns)), list(map(_least, columns))
    if sum(least) > room:
        yield from _records(rows) if len(rows) > 1 else map(answer_line, lines)
    else:
        yield from _grid(rows, _shared_out(wanted, least, room), console)


def _widest(column: Iterable[Text]) -> int:
    return max(cell.cell_len for cell in column)


def _least(column: Iterable[Text]) -> int:
    """Return how narrow a column may become."""
    words = (cell_len(word) for cell in column for word in cell.plain.split())
    return max(max(words, default=1), min(_widest(column), NARROWEST))


def _shared_out(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Return the width of each column: what it wants, where all have room, else its part of it."""
    widths = list(wanted)
    while sum(widths) > room:
        over = [width - narrow for width, narrow in zip(widths, least, strict=True)]
        widest = max(range(len(widths)), key=lambda place: (over[place] > 0, widths[place]))
        widths[widest] -= 1
    return widths


def _grid(rows: Sequence[Row], widths: Sequence[int], console: Console) -> Iterator[Text]:
    """Yield the lines of a table, with a rule between all rows where a cell goes over several."""
    rule = Text(f"|-{'-|-'.join('-' * width for width in widths)}-|")
    laid = [_row(row, widths, console) for row in rows]
    is_wrapped = any(len(lines) > 1 for lines in laid)
    for place, lines in enumerate(laid):
        if place == 1 or (place and is_wrapped):
            yield rule
        yield from lines


def _row(row: Row, widths: Sequence[int], console: Console) -> list[Text]:
    pairs = zip(row, widths, strict=True)
    wrapped = [list(cell.wrap(console, width)) or [Text()] for cell, width in pairs]
    return [
        _line_of_cells([line or Text() for line in lines], widths)
        for lines in zip_longest(*wrapped)
    ]


def _line_of_cells(parts: Sequence[Text], widths: Sequence[int]) -> Text:
    line = Text("|")
    for part, width in zip(parts, widths, strict=True):
        part.rstrip()
        gap = " " * max(0, width - part.cell_len)
        line.append(" ").append_text(part).append(f"{gap} |")
    return line


def _records(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield rows for which there is no room as lists of their cells."""
    head, *body = rows
    for row in body:
        named = [
            Text.assemble(name, ": ", cell) for name, cell in zip(head, row, strict=True) if cell
        ]
        marks = chain([Text("- ")], repeat(Text("  ")))
        yield from map(_hanging, marks, named)


ITEM_STYLES: Mapping[ItemStatus, str] = MappingProxyType(
    {
        ItemStatus.SATISFIED: "green",
        ItemStatus.PARTIAL: "yellow",
        ItemStatus.UNSATISFIED: "red",
    }
)

SUPPORT_STYLES: Mapping[Support, str] = MappingProxyType(
    {
        Support.QUOTED: "green",
        Support.SUPPORTED: "green",
        Support.PARTLY: "yellow",
        Support.CONTRADICTED: "red",
        Support.NOT_JUDGED: "yellow",
        Support.NOT_A_CLAIM: "dim",
    }
)

QUOTE_CHARS = 480
"""Characters of a quote that are shown: five lines or so."""
WARNINGS_SHOWN, DROPPED_SHOWN = 10, 5
"""Warnings and dropped sentences that the short form shows; a folder may have hundreds of the
first."""

Lines = Iterable[RenderableType]


def rendered(
    report: Report, console: Console, *, full: bool = False, took_s: float | None = None
) -> str:
    """Return ``report`` as ``console`` would show it, wrapped to its width.

    Args:
        report: The result of a run.
        console: Gives width and colours; nothing is written to it.
        full: Whether to show the plan, the loops, the evidence and the checks as well.
        took_s: Seconds that the user has waited for it; those of the run where not told.
    """
    said = frame_of(report.asked)
    named, account = said.headings, said.account
    sections: list[tuple[str, Lines]] = [
        ("", _first(report, console, said)),
        (named.citations, _citations(report.citations, account)),
        (account.coverage, _coverage(report) if full or _has_parts(report) else ()),
        (account.missing, _missing(report)),
        (named.look, _nearest(report, account)),
    ]
    if full:
        sections += [
            (account.plan, _plan(report)),
            (named.loops, _loops(report, account)),
            (named.evidence, _evidence(report)),
            (account.sentences, _sentences(report.sentences, said)),
        ]
    sections += [
        (named.left_out, _left_out(report.dropped, None if full else DROPPED_SHOWN, said)),
        (named.warnings, _warnings(report.warnings, None if full else WARNINGS_SHOWN, account)),
        (account.went, _course(report, took_s, said)),
    ]
    return _captured(console, sections)


def rendered_turn(report: Report, console: Console, *, grounds: bool = False) -> str:
    """Return what a conversation shows of ``report``: the answer, its sources and what is open.

    With ``grounds``, their words and how sure the answer is as well.
    """
    said = frame_of(report.asked)
    sections: list[tuple[str, Lines]] = [
        ("", _first(report, console, said)),
        (said.headings.citations, _citations(report.citations, said.account))
        if grounds
        else (said.headings.sources, _named_sources(report.citations, said.account)),
        (said.account.missing, _missing(report)),
        (said.headings.look, _nearest(report, said.account)),
        ("", ["", sureness(report, said.account)] if grounds and report.citations else ()),
    ]
    return _captured(console, sections)


def _named_sources(citations: Iterable[Citation], said: Account) -> Lines:
    for citation in citations:
        place = (f"  {_located(citation.location, said)}", "dim")
        named = Text.assemble(visible(citation.title), place)
        yield _hanging(Text(f"[{citation.id}] ", "bold cyan"), named)


def _captured(console: Console, sections: Iterable[tuple[str, Lines]]) -> str:
    # Not console.capture(): it writes to the file of the console, if only nothing, and that may be
    # a full disk, which the caller has to report.
    file, console.file = console.file, (captured := StringIO())
    try:
        _print(console, sections)
    finally:
        console.file = file
    lines = captured.getvalue().split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _print(console: Console, sections: Iterable[tuple[str, Lines]]) -> None:
    for title, lines in sections:
        shown = list(lines)
        if shown and title:
            console.print(Text(f"\n{title}", style="bold"))
        for line in shown:
            console.print(Padding(line, (0, 0, 0, 2 if title else 0)))


def _first(report: Report, console: Console, said: Frame) -> Iterator[RenderableType]:
    if unused := unused_model(report.degradations, said):
        yield Text(visible(unused), style="yellow")
    if report.read_as:
        yield Text(f"({visible(report.read_as)})", style="dim")
    yield from answer_blocks(report.answer, console)


def _citations(citations: Iterable[Citation], said: Account) -> Iterator[RenderableType]:
    for citation in citations:
        number = Text(f"[{citation.id}] ", "bold cyan")
        yield _hanging(number, Text(visible(citation.title), "bold"))
        yield Padding(Text(_located(citation.location, said), style="dim"), (0, 0, 0, 4))
        yield Padding(Text(f"“{_cut(quote_line(citation.quote.text))}”"), (0, 0, 0, 4))


def _cut(quote: str) -> str:
    """Return ``quote`` as far as it is shown; every other form has all of it.

    That is its beginning and its end: one that is so long reaches from the first words that
    sentences rest on to the last.
    """
    if len(quote) <= QUOTE_CHARS:
        return quote
    half = QUOTE_CHARS // 2
    begun = quote[:half].rpartition(" ")[0] or quote[:half]
    ending = quote[-half:].partition(" ")[2] or quote[-half:]
    return f"{begun} … {ending}"


def _nearby(location: str) -> str:
    """Return ``location`` from the working folder on, when it lies inside."""
    return visible(location).removeprefix(f"{Path.cwd()}/")


def _located(location: str, said: Account) -> str:
    return _nearby(place_in(location, said))


def _coverage(report: Report) -> Iterator[RenderableType]:
    for item in report.checklist.items:
        mark, style = ITEM_MARKS[item.status], ITEM_STYLES[item.status]
        yield _hanging(Text(f"{mark} ", style), Text(visible(item.description)))


def _has_parts(report: Report) -> bool:
    return len(report.checklist.items) > 1


def _missing(report: Report) -> Iterator[RenderableType]:
    """Yield what is missing, but not the question as a whole: of that the answer tells."""
    whole = () if _has_parts(report) else report.checklist.items
    for gap in report.gaps:
        if not any(item.description in gap for item in whole):
            yield _bullet(gap)


def _nearest(report: Report, said: Account) -> Iterator[RenderableType]:
    """Yield where to look for what nothing answers, each place with its line."""
    for place in report.nearest:
        heading = f"  {visible(place.heading)}" if place.heading else ""
        found = (_located(place.location, said), "dim")
        yield _hanging(Text("- "), Text.assemble(f"{visible(place.title)}{heading}  ", found))
        yield Padding(Text(shown_line(place), style="dim"), (0, 0, 0, 2))


def _bullet(text: str) -> Table:
    return _hanging(Text("- "), Text(visible(text)))


def _plan(report: Report) -> Iterator[RenderableType]:
    if report.refined_question:
        yield Text(visible(report.refined_question))
    for item in report.checklist.items:
        terms = ", ".join(visible(term) for term in item.terms)
        yield Text.assemble(f"{item.id}: {visible(item.description)}", (f" ({terms})", "dim"))


def _loops(report: Report, said: Account) -> Iterator[RenderableType]:
    for step in report.steps:
        figures = (
            f"{step.considered:,}",
            f"{step.read:,}",
            f"{step.coverage:.0%}",
            f"{step.confidence:.0%}",
            tell(said, "{seconds} s", seconds=step.seconds),
        )
        yield _hanging(
            Text(f"{step.iteration + 1}: "), Text(_labelled(said.loop_heads[1:], figures))
        )
        for outcome in report.queries:
            if outcome.iteration == step.iteration:
                yield Padding(_outcome(outcome, said), (0, 0, 0, 4))


def _labelled(heads: Iterable[str], figures: Iterable[str]) -> str:
    return " · ".join(f"{head}: {figure}" for head, figure in zip(heads, figures, strict=True))


def _outcome(outcome: QueryOutcome, said: Account) -> Text:
    text = Text(visible(outcome.query.text))
    text.append(f" ({outcome.query.intent}) ", style="dim")
    if outcome.error:
        return text.append(visible(outcome.error), style="red")
    return text.append(
        _labelled(said.query_heads[3:5], (f"{outcome.hits:,}", f"{outcome.fresh:,}"))
    )


def _evidence(report: Report) -> Iterator[RenderableType]:
    if not report.evidence:
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("id", "loop", "score", "words", "title", "led to"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("source", overflow="fold")
    for entry in report.evidence:
        score = entry.score
        figures = (score.total, score.relevance, score.named, score.inherited)
        place = ", ".join(filter(None, (entry.title, entry.locator)))
        table.add_row(
            str(entry.id),
            str(entry.iteration + 1),
            *(f"{figure:.2f}" for figure in figures),
            Text(visible(place)),
        )
    yield table


def _sentences(sentences: Iterable[Sentence], said: Frame) -> Iterator[RenderableType]:
    for sentence in sentences:
        cited = ", ".join(map(str, sentence.evidence))
        shown = f" ({said.account.evidence.format(number=cited)})" if cited else ""
        verdict = _verdict(sentence, said).append(f"{shown} ", "dim")
        yield verdict.append_text(answer_line(sentence.text))


def _verdict(sentence: Sentence, said: Frame) -> Text:
    name, rest = verdict_in_two(sentence, visible, said)
    return Text.assemble((name, SUPPORT_STYLES[sentence.support]), (rest, "dim"))


def _left_out(
    dropped: Sequence[Sentence], limit: int | None, said: Frame
) -> Iterator[RenderableType]:
    """Yield sentences that were taken out, each with why on a line of its own."""
    for sentence in dropped[:limit]:
        yield _hanging(Text("- "), answer_line(sentence.text))
        yield Padding(_verdict(sentence, said), (0, 0, 0, 2))
    yield from _and_more(dropped[limit:] if limit is not None else (), said.account)


def _and_more(left: Sequence[object], said: Account) -> Iterator[Text]:
    if left:
        yield Text(f"- {tell(said, said.more, count=len(left))}", style="yellow")


def _warnings(
    warnings: tuple[RunWarning, ...], limit: int | None, said: Account
) -> Iterator[RenderableType]:
    shown = warnings if limit is None else _each_outage_once(warnings)[:limit]
    for warning in shown:
        yield _hanging(
            Text("- ", "yellow"), Text(f"{warning.kind}: {_described(warning)}", "yellow")
        )
    yield from _and_more(warnings[len(shown) :], said)


def _each_outage_once(warnings: Sequence[RunWarning]) -> tuple[RunWarning, ...]:
    """Return ``warnings`` without those that tell an outage of a service for a further query.

    While a service is left alone, its warnings repeat its last failure.
    """
    first: dict[object, RunWarning] = {}
    for place, warning in enumerate(warnings):
        cause = warning.message.rpartition(PAUSED)[2]
        first.setdefault(cause if warning.kind == "search" else place, warning)
    return tuple(first.values())


def _described(warning: RunWarning) -> str:
    """Return what ``warning`` says, with its subject, in one inert line."""
    near = warning.model_copy(update={"subject": _nearby(warning.subject)})
    return visible(near.told)


def _course(report: Report, took_s: float | None, said: Frame) -> Iterator[RenderableType]:
    if ended := stopped(report, said.account):
        yield Text(ended)
    for degraded in degradations_in_words(report.degradations, said):
        yield Text(visible(degraded))
    if report.checks.supported < report.checks.written:
        yield Text(checks_in_words(report.checks, said))
    yield Text(_cost(report, took_s, said), style="dim")
    if report.calls:
        yield Text(calls_in_words(report.calls, said), style="dim")


def _cost(report: Report, took_s: float | None, said: Frame) -> str:
    spend, account = report.spend, said.account
    return tell(
        account,
        account.spent,
        profile=report.profile,
        loops=spend.iterations,
        queries=spend.queries,
        sources=sources_in_words(report, said),
        seconds=report.seconds if took_s is None else took_s,
    )
