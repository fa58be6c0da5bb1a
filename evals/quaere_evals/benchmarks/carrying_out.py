"""Carries a benchmark out: prepares its corpus, says what it may cost, asks, and sums up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from quaere.domain.model import Usage
from quaere.domain.request import RunRequest
from quaere.errors import UsageError
from quaere.models.meter import known_prices
from quaere.plan.forecast import Counts, Dollars
from quaere.runtime.admission import Estimate
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_models import NO_MODEL
from quaere.version import __version__
from quaere_evals.benchmarks.asking import Asking, Progress
from quaere_evals.benchmarks.corpus import Corpus, write_corpus
from quaere_evals.benchmarks.figures import figures_of
from quaere_evals.benchmarks.grading import JUDGING_TOKENS, Judge
from quaere_evals.benchmarks.results import Conditions, Results, Summary
from quaere_evals.benchmarks.submissions import write_submission
from quaere_evals.benchmarks.tasks import FORMS, Benchmark, Task, read_tasks

WRITTEN_SHARE = 5
"""One in so many of a judge's tokens is written, the others read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which questions to ask, and how."""

    benchmark: Benchmark
    questions: Path
    fields: Mapping[str, object]
    """Of every `quaere.domain.request.RunRequest` but its question."""
    folder: Path
    """Where the results are kept."""
    sample: int | None = None
    """How many questions to ask; all of them for None."""
    corpus: Path | None = None
    judge: str | None = None
    concurrency: int = 1
    max_total_cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What the questions that are left may take: at least and at most."""

    title: str
    left: int
    done: int
    profile: str
    models: tuple[str, ...]
    calls: Counts
    tokens: Counts
    searches: Counts
    cost_usd: Dollars | None
    """None where a price is not known."""
    seconds: float
    """The time limits of all of them together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The figures, and where everything is."""

    summary: Summary
    tasks: Sequence[Task]
    """Those of the sample."""
    results: Results
    submission: Path | None
    """Where the answers are in the form of the benchmark's own scripts."""


async def carry_out(
    order: Order,
    settings: Settings,
    *,
    approve: Callable[[Forecast], bool],
    progress: Progress,
    preparing: Callable[[int, int, int], None],
) -> Outcome | None:
    """Ask what is left of the questions and return the figures of all; None if not approved.

    Args:
        order: Which questions to ask, and how.
        settings: As for any run.
        approve: Is shown what it may cost and decides; not asked where nothing is left.
        progress: Told the questions done, their number, and the dollars spent.
        preparing: Told how many files of the corpus are indexed, their number, and the passages.

    Raises:
        DataError: when a file is not in the benchmark's form.
        UsageError: when the folder was begun under other conditions.
        SettingsError: when the settings do not allow to ask like this.
    """
    form = FORMS[order.benchmark]
    every = await asyncio.to_thread(read_tasks, order.benchmark, order.questions)
    tasks = every[: order.sample]
    async with App.open(settings) as app:
        corpus = await asyncio.to_thread(_corpus, order)
        fields = {**order.fields, **({"docs": (corpus.folder,)} if corpus else {})}
        made = await app.estimate(RunRequest.of(**{**fields, "question": tasks[0].question}))
        conditions = await asyncio.to_thread(_conditions, order, fields, made)
        results = await asyncio.to_thread(Results, order.folder, conditions)
        left = [task for task in tasks if not results.is_done(task.id)]
        ungraded = [task for task in tasks if (row := results.rows.get(task.id)) and row.ungraded]
        if left or ungraded:
            if not approve(_forecast(order, made, tasks, len(left), settings)):
                return None
            if corpus:
                await app.resources.folder([corpus.folder]).prepare(preparing)
            await Asking(
                app=app,
                fields=fields,
                results=results,
                corpus=corpus,
                judge=_judge(app, order.judge) if not form.reports else None,
                reports=form.reports,
                checker=order.judge,
                concurrency=order.concurrency,
                max_total_cost_usd=order.max_total_cost_usd,
            ).ask_all(tasks, progress)
    return await asyncio.to_thread(_summed, order, results, every, tasks)


def _corpus(order: Order) -> Corpus | None:
    """Return the benchmark's own corpus, which all runs on the same file share."""
    documents = FORMS[order.benchmark].documents
    if documents is None:
        return None
    source = order.corpus or order.questions
    kept = order.folder.parent / "corpora" / f"{source.stem}-{_size(source)}"
    return write_corpus(documents(source), kept)


def _size(path: Path) -> int:
    files = [path] if path.is_file() else path.glob("*.jsonl*")
    return sum(file.stat().st_size for file in files)


def _conditions(order: Order, fields: Mapping[str, object], made: Estimate) -> Conditions:
    asked = RunRequest.of(**{**fields, "question": "?"}).model_dump(
        mode="json", exclude_defaults=True, exclude={"question"}
    )
    if not order.questions.is_file():
        raise UsageError(f"There is no file {order.questions}.")
    with order.questions.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return Conditions(
        benchmark=order.benchmark,
        questions=digest,
        corpus=f"{order.corpus.name}, {_size(order.corpus)} bytes" if order.corpus else "",
        asked=asked,
        models={step.step: step.model for step in made.forecast.steps},
        judge=order.judge or "",
        version=__version__,
    )


def _forecast(
    order: Order, made: Estimate, tasks: Sequence[Task], left: int, settings: Settings
) -> Forecast:
    times = Counts(low=left, high=left)
    said = made.forecast
    judged = left if order.judge else 0
    grading = Counts(low=judged, high=judged)
    tokens = Counts(low=JUDGING_TOKENS, high=JUDGING_TOKENS)
    dearest: Dollars | None = None
    if said.cost_usd is not None:
        grade = _grading_usd(order.judge, settings) if order.judge else 0.0
        if grade is not None:
            low, high = said.cost_usd.low * left, said.cost_usd.high * left
            dearest = Dollars(low=low + grade * judged, high=high + grade * judged)
    return Forecast(
        title=FORMS[order.benchmark].title,
        left=left,
        done=len(tasks) - left,
        profile=made.profile.value,
        models=tuple(dict.fromkeys(step.model for step in said.steps)) or (NO_MODEL,),
        calls=said.calls * times + grading,
        tokens=said.tokens * times + grading * tokens,
        searches=said.searches * times,
        cost_usd=dearest,
        seconds=said.seconds * left / min(order.concurrency, max(1, left)),
    )


def _grading_usd(judge: str, settings: Settings) -> float | None:
    written = JUDGING_TOKENS // WRITTEN_SHARE
    usage = Usage(prompt_tokens=JUDGING_TOKENS - written, completion_tokens=written)
    return known_prices(settings.prices).cost(judge, usage)


def _judge(app: App, name: str | None) -> Judge | None:
    if not name:
        return None
    return Judge(app.resources.models.model(name), known_prices(app.settings.prices))


def _summed(
    order: Order, results: Results, every: Sequence[Task], tasks: Sequence[Task]
) -> Outcome:
    """Return the figures of the sample, which are written with its answers."""
    rows = {task.id: results.rows[task.id] for task in tasks if task.id in results.rows}
    summary = Summary(
        conditions=results.conditions,
        name=order.folder.name,
        questions=len(every),
        asked=len(rows),
        failed=sum(bool(row.error or row.ungraded) for row in rows.values()),
        figures=figures_of(tasks, rows),
    )
    results.write_summary(summary)
    submission = write_submission(order.benchmark, tasks, rows, order.folder, order.folder.name)
    return Outcome(summary=summary, tasks=tasks, results=results, submission=submission)
