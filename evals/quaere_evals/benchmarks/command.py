"""``quaere bench``: Ask the questions of a public benchmark and score the answers."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.errors import UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.groups import Answer, Effort, Sources, grouped, request_fields
from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.terminal import emit, say
from quaere.synthesize.wording import counted
from quaere_evals.benchmarks.tasks import FORMS, Benchmark, Form

if TYPE_CHECKING:
    from quaere.plan.forecast import Counts
    from quaere_evals.benchmarks.carrying_out import Forecast, Outcome

TOLD_EVERY = 10
"""Questions between two lines of progress."""
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
"""What a name of a folder does not hold."""

Name = Annotated[Benchmark, typer.Argument(metavar="BENCHMARK", help="Which benchmark to ask.")]
Data = Annotated[
    Path, typer.Option("--data", metavar="FILE", help="The file of its questions, as published.")
]
CorpusPath = Annotated[
    Path | None,
    typer.Option(
        "--corpus", metavar="PATH", help="The corpus of BrowseComp-Plus: JSON Lines, or a folder."
    ),
]
JudgeName = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="NAME",
        help="A language model that grades the answers, or looks again at cited sentences in "
        "doubt. Default: words are compared.",
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", metavar="N", min=1, help="Ask a random sample, which a larger one contains."
    ),
]
Concurrency = Annotated[
    int, typer.Option("--concurrency", metavar="N", min=1, max=64, help="Questions at a time.")
]
MaxTotal = Annotated[
    float | None,
    typer.Option(
        "--max-total-cost",
        metavar="USD",
        min=0,
        help="Ask no further question once this much was spent; --max-cost limits each question.",
    ),
]
Kept = Annotated[
    Path,
    typer.Option("--results", metavar="FOLDER", help="Where the results of all runs are kept."),
]
RunName = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="Name of this run. Default: its model and its profile."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Begin without asking.")]
Json = Annotated[bool, typer.Option("--json", help="Write the summary as JSON.")]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("bench", cls=PlainCommand, no_args_is_help=True)(grouped(bench))


def bench(
    benchmark: Name,
    *,
    data: Data,
    sources: Sources,
    answer: Answer,
    effort: Effort,
    corpus: CorpusPath = None,
    judge: JudgeName = None,
    limit: Limit = None,
    concurrency: Concurrency = 4,
    max_total_cost: MaxTotal = None,
    results: Kept = Path("bench-results"),
    name: RunName = None,
    yes: Yes = False,
    json: Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Ask the questions of a public benchmark and score the answers.

    The possible cost is shown first, for approval. Each answer is kept as it comes: the same
    command continues where it was stopped and asks nothing twice. The figures have intervals of
    95 % confidence and are compared with those of the other runs under --results.

    HotpotQA, 2WikiMultihopQA and MuSiQue are searched within the paragraphs of all their questions,
    BrowseComp-Plus within its corpus, the others where `quaere ask` would search.
    """
    _check_sources(FORMS[benchmark], sources, corpus)
    fields = request_fields("?", sources, answer, effort) | {"reuse": "never", "traced": False}
    del fields["question"]
    if not (effort.profile or effort.mode):
        fields["profile"] = FORMS[benchmark].profile
    from quaere.faces.cli.running import settle
    from quaere_evals.benchmarks.carrying_out import Order, carry_out

    named = name or f"{effort.model or 'default'}-{fields['profile'] or fields['mode']}"
    order = Order(
        benchmark=benchmark,
        questions=data,
        fields=fields,
        folder=results / benchmark.value / _UNFIT.sub("-", named),
        sample=limit,
        corpus=corpus,
        judge=judge,
        concurrency=concurrency,
        max_total_cost_usd=max_total_cost,
    )
    outcome = asyncio.run(
        carry_out(
            order,
            settle(),
            approve=lambda forecast: _approved(forecast, yes=yes),
            progress=_silent if quiet else _tell,
            preparing=_silent if quiet else _tell_indexing,
        )
    )
    if outcome is None:
        say("Nothing was asked.")
        return
    _deliver(outcome, json=json)


def _check_sources(form: Form, sources: Sources, corpus: Path | None) -> None:
    """Check that it is clear what is searched.

    Raises:
        UsageError: when the benchmark has a corpus of its own and something else is named, or the
            other way round.
    """
    if form.documents is not None and sources.given:
        given = ", ".join(sources.given)
        raise UsageError(f"{form.title} is searched within its own corpus, without {given}.")
    takes = form.documents is not None and not form.own_corpus
    if takes and corpus is None:
        raise UsageError(f"Name the corpus of {form.title} with --corpus.")
    if corpus is not None and not takes:
        raise UsageError(f"--corpus is for BrowseComp-Plus; {form.title} needs none.")
    if corpus is not None and not corpus.exists():
        raise UsageError(f"There is no {corpus}.")


def _approved(forecast: Forecast, *, yes: bool) -> bool:
    """Show what it may cost, and return whether to begin.

    Raises:
        UsageError: when nobody can be asked.
    """
    for line in _told(forecast):
        say(line)
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("Nobody can be asked whether to begin; say --yes.")
    sys.stderr.write("Begin? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _told(forecast: Forecast) -> Iterator[str]:
    models = ", ".join(forecast.models)
    yield (
        f"{forecast.title}: {counted(forecast.left, 'question')} to ask, {forecast.done:,} already "
        f"answered; {forecast.profile} profile; model: {models}."
    )
    calls, tokens = _between(forecast.calls), _between(forecast.tokens)
    cost = forecast.cost_usd
    usd = "price not known" if cost is None else f"{_usd(cost.low)} to {_usd(cost.high)}"
    yield (
        f"That takes {calls} model calls, {tokens} tokens ({usd}) and "
        f"{_between(forecast.searches)} searches, in at most {_duration(forecast.seconds)}."
    )


def _between(counts: Counts) -> str:
    low, high = f"{counts.low:,}", f"{counts.high:,}"
    return low if low == high else f"{low} to {high}"


def _duration(seconds: float) -> str:
    return f"{seconds / 3_600:.1f} hours" if seconds >= 5_400 else f"{seconds / 60:.0f} minutes"


def _usd(amount: float) -> str:
    return f"${amount:,.2f}"


def _tell(done: int, total: int, spent: float) -> None:
    if done == total or done % TOLD_EVERY == 0:
        say(f"{done:,} of {total:,} answered, {_usd(spent)} spent")


def _tell_indexing(done: int, total: int, passages: int) -> None:
    if done == total:
        say(f"{counted(total, 'file')} of the corpus indexed: {counted(passages, 'passage')}")


def _silent(*told: object) -> None:
    """Take note of progress and tell nobody."""


def _deliver(outcome: Outcome, *, json: bool) -> None:
    """Write the figures, and where everything is.

    Raises:
        Exit: with an error when a question failed.
    """
    from quaere_evals.benchmarks.figures import comparison_table, figures_table
    from quaere_evals.benchmarks.results import earlier

    folder, summary = outcome.results.folder, outcome.summary
    if json:
        emit(summary.model_dump_json(indent=2) + "\n")
    else:
        others = earlier(folder)
        emit(figures_table(summary))
        emit("\n" + comparison_table(outcome.tasks, summary, outcome.results.rows, others))
    say(f"Kept in {folder}")
    if outcome.submission:
        say(f"For the benchmark's own scripts: {outcome.submission}")
    if summary.failed:
        say(f"{counted(summary.failed, 'question')} failed; the same command asks again.")
        raise typer.Exit(ExitCode.ERROR)
