"""Renders an audit for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from quaere.audit.report import (
    NO_CITATIONS,
    VERDICTS,
    percent,
    place_name,
    source_name,
    summary_rows,
)
from quaere.audit.verdict import Audit, CheckedSentence, Verdict
from quaere.synthesize.inert import visible
from quaere.synthesize.wording import calls_in_words

STYLES = {
    Verdict.SUPPORTED: "green",
    Verdict.PARTLY: "yellow",
    Verdict.CONTRADICTED: "red",
    Verdict.UNVERIFIABLE: "yellow",
    Verdict.UNCITED: "magenta",
    Verdict.NOT_A_CLAIM: "dim",
}
MAX_QUOTE_CHARS = 300
"""Longer quotes are shortened in the table; JSON and Markdown contain them in full."""


def audit_rendered(audit: Audit, console: Console) -> str:
    """Return ``audit`` as text with the width and colours of ``console``."""
    with console.capture() as captured:
        for part in _parts(audit):
            console.print(part)
    return "\n".join(line.rstrip() for line in captured.get().split("\n"))


def _parts(audit: Audit) -> Iterator[RenderableType]:
    yield _sentences(audit)
    if audit.sources:
        yield ""
        yield _sources(audit)
    yield ""
    if not audit.summary.cited:
        yield NO_CITATIONS
    yield _summary(audit)
    for warning in audit.warnings:
        yield Text(f"Warning: {visible(warning.message)}", style="yellow")
    if audit.calls:
        yield Text(calls_in_words(audit.calls), style="dim")


def _sentences(audit: Audit) -> Table:
    table = _table()
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("prob.", justify="right", no_wrap=True)
    table.add_column("sentence and best match", overflow="fold", ratio=1)
    for sentence in audit.sentences:
        table.add_row(
            str(sentence.line),
            Text(VERDICTS[sentence.verdict], style=STYLES[sentence.verdict]),
            percent(sentence.probability),
            _said(sentence, audit),
        )
    return table


def _said(sentence: CheckedSentence, audit: Audit) -> Text:
    text = Text(_line(sentence.text))
    if sentence.place:
        quote = _line(sentence.place.text)
        cut = f"{quote[:MAX_QUOTE_CHARS]}…" if len(quote) > MAX_QUOTE_CHARS else quote
        text.append(f"\n“{cut}” ", style="dim")
        text.append(_line(place_name(sentence.place, audit)), style="dim cyan")
    if sentence.note:
        text.append(f"\n{_line(sentence.note)}", style=STYLES[sentence.verdict])
    return text


def _sources(audit: Audit) -> Table:
    table = _table()
    table.add_column("source", justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("address", overflow="fold", ratio=1)
    for source in audit.sources:
        text = Text(_line(source_name(source)))
        if source.url and source.url != source.address:
            text.append(f"\nread at {_line(source.url)}", style="dim")
        if source.reason:
            text.append(f"\n{_line(source.reason)}", style="yellow")
        table.add_row(str(source.number), source.status.value, text)
    return table


def _summary(audit: Audit) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, figure in summary_rows(audit.summary):
        table.add_row(name, figure)
    return table


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="dim", expand=True)


def _line(text: str) -> str:
    return " ".join(visible(text).split())
