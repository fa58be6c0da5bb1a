"""Options that commands take, each with its name, its help and its type."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quaere.domain.profile import ProfileName
from quaere.domain.team import Strategy as StrategyName
from quaere.faces.cli.output import Format, ShortFormat

QuestionText = Annotated[
    str,
    typer.Argument(
        metavar="QUESTION", help="The question, in any language; - reads it from standard input."
    ),
]
Docs = Annotated[
    list[Path] | None,
    typer.Option(
        "--docs",
        "-d",
        metavar="PATH",
        help="A file or folder to search; repeat it for more. Default: QUAERE_DOCS.",
    ),
]
Providers = Annotated[
    list[str] | None,
    typer.Option(
        "--provider",
        "-p",
        metavar="NAME",
        help="A search service to ask, see `quaere providers`; repeat it for more. Default: "
        "QUAERE_PROVIDERS; without that and without --docs, those that need no key.",
    ),
]
Need = Annotated[
    str, typer.Option("--context", metavar="TEXT", help="What the answer is needed for.")
]
Profile = Annotated[
    ProfileName | None,
    typer.Option("--profile", help="A named budget. Default: chosen by planning, else standard."),
]
Strategy = Annotated[
    StrategyName | None,
    typer.Option(
        "--strategy",
        help="One line of inquiry, a supervisor with a team of researchers, or auto: a team for "
        "deep questions of several independent parts. Default: QUAERE_STRATEGY, else auto.",
    ),
]
ApprovePlan = Annotated[
    bool,
    typer.Option(
        "--approve-plan",
        help="Show the topics before a supervisor sends researchers out, and ask at the terminal.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME",
        help="The language model, such as openai:gpt-4.1-mini or ollama:llama3.2; none for an "
        "answer without one. Default: QUAERE_MODEL; without that, none.",
    ),
]
ReportFormat = Annotated[
    Format | None, typer.Option("--format", "-f", help="Form of the report. Default: text.")
]
Form = Annotated[ShortFormat, typer.Option("--format", "-f", help="Form of what is written.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the report to a file; .md, .html, .pdf, .docx, .json, .bib, .ris or .txt "
        "chooses the format.",
    ),
]
Events = Annotated[
    Path | None,
    typer.Option(
        "--events", metavar="FILE", help="Write the events of the run to a file, as JSON lines."
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Write all that was found and read to a file, for --replay; .gz compresses it.",
    ),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        "--replay",
        metavar="FILE",
        help="Ask nothing but the file that --record wrote: no folder, no network.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Ask nobody; say what calls, tokens, money, searches and time it may take, as text "
        "or JSON.",
    ),
]
Continue = Annotated[
    str | None,
    typer.Option(
        "--continue",
        metavar="RUN",
        help="Go on from an earlier run: what it read is searched, too, and checked again.",
    ),
]
Reuse = Annotated[
    bool,
    typer.Option(
        "--reuse",
        help="If the same was asked before and not long ago, search what was read then, too.",
    ),
]
NoCache = Annotated[
    bool,
    typer.Option("--no-cache", help="Use no answer that was kept, and keep none."),
]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Ask services anew, whatever is kept of their answers.")
]
NoTrace = Annotated[
    bool, typer.Option("--no-trace", help="Keep no trace of the run; see `quaere trace`.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on standard error but errors.")]

# The limits of a budget. Their ranges are the budget's own.
MaxIters = Annotated[
    int | None,
    typer.Option("--max-iters", metavar="N", help="Loops of search, read and evaluate."),
]
MaxQueries = Annotated[int | None, typer.Option("--max-queries", metavar="N", help="Queries.")]
MaxSources = Annotated[
    int | None, typer.Option("--max-sources", metavar="N", help="Sources kept as evidence.")
]
MaxReads = Annotated[int | None, typer.Option("--max-reads", metavar="N", help="Pages opened.")]
MaxTime = Annotated[
    float | None, typer.Option("--max-time", metavar="SECONDS", help="Time for the whole run.")
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        metavar="N",
        help="Tokens of all model calls; without a model, of the text that is read.",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        metavar="USD",
        help="Cost of all model calls; a model whose price is not known is not called.",
    ),
]
MaxCitations = Annotated[
    int | None, typer.Option("--max-citations", metavar="N", help="Citations in the answer.")
]
Words = Annotated[
    int | None, typer.Option("--words", metavar="N", help="Length of the answer aimed at.")
]
