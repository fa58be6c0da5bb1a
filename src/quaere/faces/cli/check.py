"""``quaere check``: Check a text against the sources it cites."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from quaere.audit.report import (
    how_read,
    percent,
    place_name,
    shortcoming,
    source_name,
    summary_rows,
    why,
)
from quaere.domain.audit import Audit, CheckedSentence
from quaere.errors import ReadError, UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.options import add_commands, docs_option, model_option, output_option
from quaere.faces.cli.output import check_writable, emit_to
from quaere.faces.cli.render import SUPPORT_STYLES
from quaere.faces.cli.terminal import say
from quaere.synthesize.inert import one_line, visible
from quaere.synthesize.wording import calls_in_words, counted, verdict_name

if TYPE_CHECKING:
    from quaere.ports.read import Body
    from quaere.runtime.app import App

MAX_CHARS = 1_000_000
"""The largest text: about 150,000 words, a book of 500 pages."""
STDIN = "standard input"
MAX_SENTENCES = 20_000
"""Twice what prose of that size has; a table of more verdicts helps nobody."""


class CheckFormat(StrEnum):
    """Formats of the verdicts."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


_BY_SUFFIX = {
    "": CheckFormat.TEXT,
    ".txt": CheckFormat.TEXT,
    ".md": CheckFormat.MARKDOWN,
    ".markdown": CheckFormat.MARKDOWN,
    ".json": CheckFormat.JSON,
}

Form = Annotated[
    CheckFormat | None,
    typer.Option("--format", "-f", help="Format of the verdicts. Default: text."),
]
Output = Annotated[
    Path | None,
    output_option(
        "Write the verdicts to a file. Its extension selects the format: .md, .json or .txt."
    ),
]
Docs = Annotated[
    list[Path] | None,
    docs_option(
        "A folder or file that the text may cite, in addition to its own folder; may be repeated. "
        "Default: QUAERE_DOCS."
    ),
]
LookUp = Annotated[
    bool,
    typer.Option(
        "--look-up",
        help="Search the folders of --docs for sources of sentences that cite nothing.",
    ),
]
Model = Annotated[
    str | None,
    model_option(
        "A language model that judges every sentence that is not quoted, after the "
        "entailment model that QUAERE_ENTAILMENT names, if any. Default: none.",
    ),
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        "--fail-under",
        metavar="SHARE",
        min=0,
        max=1,
        help="Exit with 3 if a smaller share of the cited sentences is supported, from 0 to 1.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    add_commands(app, check=check)


def check(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A text with citations, in any format that is read, such as Markdown, Word or "
            "PDF; - for standard input.",
        ),
    ],
    *,
    docs: Docs = None,
    look_up: LookUp = False,
    model: Model = None,
    form: Form = None,
    output: Output = None,
    fail_under: FailUnder = None,
    max_reads: Annotated[
        int,
        typer.Option("--max-reads", metavar="N", min=0, help="Maximum number of sources to read."),
    ] = 50,
    max_time: Annotated[
        float,
        typer.Option(
            "--max-time",
            metavar="SECONDS",
            min=0,
            help="Time limit for reading and comparing.",
        ),
    ] = 120.0,
    max_cost: options.MaxCost = None,
    quiet: options.Quiet = False,
) -> None:
    """Check a text against the sources it cites.

    Every sentence gets a verdict (quoted, supported, partly supported, contradicted, not judged or
    not a claim), with who gave it and why, and the passage of the source that matches it best. Web
    pages are read as by `quaere fetch`; files are read if they are in the folder of the text or
    under --docs. With --look-up, what cites nothing is compared with the passages of --docs that
    come nearest. The exit code is 0 whatever the verdicts, unless --fail-under is given.
    """
    if output:
        check_writable(output)
        _spare(file, output)
    form = _form(form, output)
    from quaere.audit.cited_text import cited_text
    from quaere.audit.sources import AuditLimits
    from quaere.faces.cli.running import in_app, settle
    from quaere.runtime.check import CheckOptions

    settings = settle()
    path, name = (None, STDIN) if file == "-" else (Path(file), Path(file).name)
    body = _body(path, settings.max_file_bytes)
    checking = CheckOptions(
        roots=(*(docs or settings.docs), *([path.parent] if path else [])),
        itself=path,
        looks_up=look_up,
        searched=tuple(docs or ()),
        model=model,
        max_cost_usd=max_cost,
        limits=AuditLimits(max_reads=max_reads, max_time_s=max_time),
    )

    async def checked(app: App) -> Audit:
        cited = cited_text(await _text(app, body, name))
        if not quiet:
            sentences = counted(len(cited.sentences), "sentence")
            say(f"{sentences}, {counted(len(cited.sources), 'source')} cited")
        return await app.check(cited, checking)

    audit = in_app(settings, checked)
    emit_to(output, _formatted(audit, form, name=name, plainly=output is not None))
    if fail_under is not None and not _reaches(audit.summary.citation_precision, fail_under):
        raise typer.Exit(ExitCode.INSUFFICIENT)


def _spare(file: str, output: Path) -> None:
    """Keep the text from being replaced by its verdicts.

    Raises:
        UsageError: when ``output`` is ``file``.
    """
    with suppress(OSError):  # one of them is not there
        if output.samefile(file):
            raise UsageError(
                f"{str(output)!r} is the text itself: name another file with --output."
            )


def _form(asked: CheckFormat | None, output: Path | None) -> CheckFormat:
    """Return the format ``asked`` for, else that of the extension of ``output``, else text.

    Raises:
        UsageError: when verdicts are not written in files of that extension.
    """
    suffix = output.suffix.lower() if output else ""
    if form := asked or _BY_SUFFIX.get(suffix):
        return form
    known = ", ".join(filter(None, _BY_SUFFIX))
    raise UsageError(f"Unknown extension {suffix}: use {known}, or add --format.")


def _reaches(precision: float | None, least: float) -> bool:
    """Return whether there is a ``precision`` of at ``least`` that."""
    return precision is not None and precision >= least


async def _text(app: App, body: Body, name: str) -> str:
    """Return the text of ``body``, which is called ``name``.

    Raises:
        UsageError: when it has none that can be read, or is too long.
    """
    from quaere.runtime.check import text_of
    from quaere.text.sentences import each_sentence

    try:
        text = await text_of(app.resources.extractor, body)
    except ReadError as error:
        raise UsageError(f"Cannot check {name!r}: {error.message}.") from error
    if len(text) > MAX_CHARS:
        raise UsageError(f"{name!r} has more than {MAX_CHARS:,} characters; split it into parts.")
    if next(islice(each_sentence(text), MAX_SENTENCES, None), None) is not None:
        most = f"{MAX_SENTENCES:,} sentences"
        raise UsageError(f"{name!r} has more than {most}; split it into parts.")
    return text


def _body(path: Path | None, max_bytes: int) -> Body:
    """Return what is in the file at ``path``, or on standard input where it is None.

    Raises:
        UsageError: when the file cannot be read, or either is larger than ``max_bytes``.
    """
    from quaere.domain.source import ReadStatus
    from quaere.ports.read import Body
    from quaere.read.reader import read_file

    if path is None:
        data = sys.stdin.buffer.read(max_bytes + 1)
        if len(data) > max_bytes:
            raise UsageError(f"{STDIN!r} is larger than {max_bytes:,} bytes; split it into parts.")
        return Body(data=data, url=f"file:///{STDIN}")
    try:
        return read_file(path, max_bytes=max_bytes)
    except ReadError as error:
        if error.status is ReadStatus.NOT_FOUND:
            raise UsageError(f"There is no file {str(path)[:200]!r}.") from error
        raise UsageError(f"Cannot check {str(path)[:200]!r}: {error.message}.") from error


def _formatted(audit: Audit, form: CheckFormat, *, name: str, plainly: bool) -> str:
    from quaere.faces.cli.output import PLAIN_WIDTH, json

    if form is CheckFormat.JSON:
        return json(audit)
    if form is CheckFormat.MARKDOWN:
        from quaere.audit.report import audit_markdown

        return audit_markdown(audit, name=name)
    terminal = sys.stdout.isatty() and not plainly
    width = None if terminal else PLAIN_WIDTH
    console = Console(file=sys.stdout, force_terminal=terminal, width=width, highlight=False)
    return audit_rendered(audit, console)


LEAST, FIGURES = 16, 15
"""Columns that a sentence is left at least in a table, and those of its line and probability."""
MAX_QUOTE_CHARS = 300
"""Longer quotes are shortened in the table; JSON and Markdown contain them in full."""


def audit_rendered(audit: Audit, console: Console) -> str:
    """Return ``audit`` as text with the width and colours of ``console``."""
    with console.capture() as captured:
        for part in _parts(audit, console.width):
            console.print(part)
    return "\n".join(line.rstrip() for line in captured.get().split("\n"))


def _parts(audit: Audit, width: int) -> Iterator[RenderableType]:
    verdicts = (len(verdict_name(each.verdict, each.reason)) for each in audit.sentences)
    if width - max(verdicts, default=0) - FIGURES < LEAST:
        yield from _one_below_another(audit)
    else:
        yield _sentences(audit)
    if audit.sources:
        yield ""
        yield _sources(audit)
    yield ""
    if said := shortcoming(audit):
        yield said
    yield _summary(audit)
    for warning in audit.warnings:
        yield Text(f"Warning: {visible(warning.told)}", style="yellow")
    if audit.calls:
        yield Text(calls_in_words(audit.calls), style="dim")


def _one_below_another(audit: Audit) -> Iterator[RenderableType]:
    """Yield each sentence below its verdict, which in a table would leave no room for it."""
    for sentence in audit.sentences:
        verdict = verdict_name(sentence.verdict, sentence.reason)
        style = SUPPORT_STYLES[sentence.verdict]
        likely = percent(sentence.probability)
        yield Text.assemble((f"{sentence.line}  ", "dim"), (verdict, style), f"  {likely}")
        yield Padding(_said(sentence, audit), (0, 0, 0, 2))


def _sentences(audit: Audit) -> Table:
    table = _table()
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("prob.", justify="right", no_wrap=True)
    table.add_column("sentence and best match", overflow="fold", ratio=1)
    for sentence in audit.sentences:
        table.add_row(
            str(sentence.line),
            Text(
                verdict_name(sentence.verdict, sentence.reason),
                style=SUPPORT_STYLES[sentence.verdict],
            ),
            percent(sentence.probability),
            _said(sentence, audit),
        )
    return table


def _said(sentence: CheckedSentence, audit: Audit) -> Text:
    text = Text(one_line(sentence.text))
    if sentence.place:
        quote = one_line(sentence.place.text)
        cut = f"{quote[:MAX_QUOTE_CHARS]}…" if len(quote) > MAX_QUOTE_CHARS else quote
        text.append(f"\n“{cut}” ", style="dim")
        text.append(one_line(place_name(sentence.place, audit)), style="dim cyan")
    if said := why(sentence):
        text.append(f"\n{one_line(said)}", style=SUPPORT_STYLES[sentence.verdict])
    return text


def _sources(audit: Audit) -> Table:
    table = _table()
    table.add_column("source", justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("address", overflow="fold", ratio=1)
    for source in audit.sources:
        text = Text(one_line(source_name(source)))
        if source.url and source.url != source.address and not source.found:
            text.append(f"\nread at {one_line(source.url)}", style="dim")
        if source.reason:
            text.append(f"\n{one_line(source.reason)}", style="yellow")
        table.add_row(str(source.number), how_read(source), text)
    return table


def _summary(audit: Audit) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, figure in summary_rows(audit.summary):
        table.add_row(name, figure)
    return table


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="dim", expand=True)
