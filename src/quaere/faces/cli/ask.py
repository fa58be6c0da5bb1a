"""``quaere ask``: Answer a question from documents or the web, with citations.

``quaere resume``: Continue a run that was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from quaere.domain.budget import Mode
from quaere.domain.value import Outside, Value
from quaere.errors import QuaereError, UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import NotSaved, ending
from quaere.faces.cli.follow import journal, watching
from quaere.faces.cli.groups import (
    Answer,
    Earlier,
    Effort,
    Group,
    Output,
    Sources,
    grouped,
    question_of,
    request_fields,
)
from quaere.faces.cli.options import add_commands
from quaere.faces.cli.output import Format
from quaere.faces.cli.tables import table
from quaere.faces.cli.terminal import at_terminal, emit, passed_s, say
from quaere.synthesize.wording import counted, format_usd, headline

if TYPE_CHECKING:
    from quaere.domain.report import Report
    from quaere.domain.request import RunRequest
    from quaere.domain.team import Strategy
    from quaere.plan.forecast import Counts, Dollars, StepForecast
    from quaere.ports.human import Human
    from quaere.runtime.admission import Estimate
    from quaere.runtime.app import App
    from quaere.runtime.run import LiveRun
    from quaere.runtime.settings import Settings
    from quaere.runtime.stored_runs import Stopped
    from quaere.store.recording.cassette import Recorder
    from quaere.store.recording.replay import Replay


SUGGESTED_FILE = "model-suggested"
"""In the cache folder: which model was suggested. With the folder it may go."""


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    add_commands(app, ask=grouped(ask), resume=grouped(resume))


def ask(
    question: options.QuestionWords,
    *,
    sources: Sources,
    answer: Answer,
    effort: Effort,
    output: Output,
    earlier: Earlier,
    tapes: Tapes,
    approve_plan: options.ApprovePlan = False,
    no_trace: options.NoTrace = False,
    dry_run: options.DryRun = False,
    strict: options.Strict = False,
) -> None:
    """Answer a question from documents or the web, with citations.

    Folders are indexed first where their content is new. The web is searched when a search service
    is named, or when there are neither folders nor pages to answer from. The report goes to
    standard output, progress to standard error.
    """
    form = output.checked_format(tapes.record)
    tapes.check(sources, earlier, dry_run=dry_run)
    recorded = tapes.record is not None
    effort = _asked_for(effort, form, approve_plan=approve_plan, recorded=recorded)
    fields = request_fields(question_of(question), sources, answer, effort)
    fields["reuse"] = _reuse(reuse=earlier.reuse, silent=output.quiet or bool(tapes.given))
    asks = _asks(approve_plan=approve_plan, quiet=output.quiet)
    fields |= {"continues": earlier.continue_, "approve_plan": asks, "traced": not no_trace}
    if dry_run:
        _foretell(fields, form)
        return
    report = _answered(fields, form, output, tapes)
    raise typer.Exit(ending(report, strict=strict))


def _answered(fields: Mapping[str, object], form: Format, output: Output, tapes: Tapes) -> Report:
    """Make the run, deliver its report and return it."""
    traced = bool(fields["traced"])
    with (
        journal(output.events) as note,
        watching(str(fields["question"]), quiet=output.quiet) as watcher,
    ):
        from quaere.domain.request import RunRequest
        from quaere.faces.cli.output import deliver
        from quaere.faces.cli.running import (
            AtTerminal,
            Redactor,
            hand_in,
            handing_over,
            run_to_report,
            settle,
        )

        settings = settle()
        request = RunRequest.of(**fields)
        with tapes.recording(Redactor(settings)) as recorder:
            beginning = Beginning(
                request=request,
                human=AtTerminal(watcher.aside),
                recorder=recorder,
                tape=tapes.replaying(),
            )
            run, report = run_to_report(settings, beginning, watcher, note, quiet=output.quiet)
    with handing_over(run):
        deliver(report, form, output.output, took_s=passed_s())
        try:
            tapes.keep(recorder)
        except QuaereError as error:  # the report is out, whose reader expects nothing after it
            raise NotSaved(error.message) from error
    hand_in(settings, wanted=traced)
    _suggest_model(settings, report, quiet=output.quiet or tapes.replay is not None)
    return report


@dataclass(frozen=True, kw_only=True)
class Tapes(Group):
    """The files that a run is recorded in, or replayed from."""

    title: ClassVar[str] = "Recording"

    record: options.Record = None
    replay: options.Replay = None

    def check(self, sources: Sources, earlier: Earlier, *, dry_run: bool) -> None:
        """Check that nothing is asked for that does not go with a recording.

        Raises:
            UsageError: naming what is.
        """
        if earlier.given and self.given:
            raise UsageError("--record and --replay cannot be combined with --continue or --reuse.")
        if self.replay is None:
            return
        if sources.given:
            raise UsageError(f"--replay cannot be combined with {', '.join(sources.given)}.")
        if self.record:
            raise UsageError("--record cannot be combined with --replay.")
        if dry_run:
            raise UsageError("--dry-run cannot be combined with --replay.")

    @contextmanager
    def recording(self, redact: Callable[[str], str]) -> Generator[Recorder | None]:
        """Yield a recorder, and write its recording where the run fails; None without a file.

        Raises:
            QuaereError: when the file cannot be written.
        """
        if self.record is None:
            yield None
            return
        from quaere.resilience.timing import SystemClock
        from quaere.store.recording.cassette import Recorder

        recorder = Recorder(SystemClock(), redact)
        try:
            yield recorder
        except BaseException:
            self.keep(recorder)
            raise

    def keep(self, recorder: Recorder | None) -> None:
        """Write what ``recorder`` has; nothing without a file.

        Raises:
            QuaereError: when the file cannot be written.
        """
        if self.record is None or recorder is None:
            return
        from quaere.store.recording.cassette import write_cassette

        write_cassette(self.record, recorder.cassette)

    def replaying(self) -> Replay | None:
        """Return what was recorded; None without a file.

        Raises:
            CassetteError: when it is unreadable, damaged, of a newer version, or not a cassette.
        """
        if self.replay is None:
            return None
        from quaere.store.recording.cassette import read_cassette
        from quaere.store.recording.replay import Replay

        return Replay(read_cassette(self.replay))


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """Begins the run that a command asks for."""

    request: RunRequest
    human: Human
    recorder: Recorder | None
    tape: Replay | None

    async def __call__(self, app: App) -> LiveRun:
        """Return the run, which is on its way."""
        from quaere.domain.request import RunSpec

        if self.tape:
            return await app.replay(self.request, self.tape)
        if self.recorder:
            spec = RunSpec(request=self.request, marks=self.recorder.marks)
            return await app.start(spec, human=self.human, tap=self.recorder)
        return await app.start(self.request, human=self.human)


def _foretell(fields: Mapping[str, object], form: Format) -> None:
    """Write what the run may take, as JSON or else as text."""
    from quaere.domain.request import RunRequest
    from quaere.faces.cli.output import json
    from quaere.faces.cli.running import in_app, settle

    made = in_app(settle(), lambda app: app.estimate(RunRequest.of(**fields)))
    emit(json(made) if form is Format.JSON else foretold(made))


def foretold(made: Estimate) -> str:
    """Return ``made`` as lines for a person."""
    return "\n".join(filter(None, _forecast_parts(made))) + "\n"


def _forecast_parts(made: Estimate) -> Iterator[str]:
    said = made.forecast
    chosen = "" if made.chosen else "; planning may choose another unless --profile is given"
    yield f"{made.profile} profile{chosen}"
    if said.steps:
        heads = ("step", "model", "calls", "tokens in", "tokens out", "cost")
        yield f"\n{table([_step_row(step) for step in said.steps], heads=heads)}"
        yield (
            f"In total: {_between(said.calls)} model calls, {_between(said.tokens)} tokens, "
            f"{_cost_told(said.cost_usd)}."
        )
    else:
        yield "No model is used: only searches may cost anything."
    yield (
        f"Searches: {_between(said.searches)} ({counted(said.queries.high, 'query', 'queries')} "
        f"at most, each to {', '.join(made.providers)})."
    )
    yield f"Pages read: {_between(said.pages)}. Time: at most {said.seconds:g} s."
    yield from (_unpriced(name, made.budget.max_cost_usd) for name in said.unpriced)


def _step_row(step: StepForecast) -> tuple[str, ...]:
    return (
        step.step,
        step.model,
        _between(step.calls),
        _between(step.prompt_tokens),
        _between(step.completion_tokens),
        _cost_told(step.cost_usd),
    )


def _between(counts: Counts) -> str:
    low, high = f"{counts.low:,}", f"{counts.high:,}"
    return low if low == high else f"{low} to {high}"


def _cost_told(cost: Dollars | None) -> str:
    if cost is None:
        return "price not known"
    low, high = format_usd(cost.low), format_usd(cost.high)
    return low if low == high else f"{low} to {high}"


def _unpriced(model: str, limit_usd: float | None) -> str:
    kept = "" if limit_usd is None else f", so --max-cost {limit_usd:g} would allow no call to it"
    return (
        f"The price of {model} is not known{kept}. Give it in the JSON file that QUAERE_PRICES "
        f'names, in dollars for a million tokens: {{"models": {{"{model}": {{"input_usd": 0, '
        '"output_usd": 0}}}'
    )


def _reuse(*, reuse: bool, silent: bool) -> str:
    if reuse:
        return "use"
    return "never" if silent else "offer"


def _asks(*, approve_plan: bool, quiet: bool) -> bool | None:
    """Return whether somebody is asked to approve the plan; None if the environment may say so."""
    if approve_plan:
        return True
    return False if quiet or not at_terminal() else None


def _asked_for(effort: Effort, form: Format, *, approve_plan: bool, recorded: bool) -> Effort:
    """Return ``effort`` with what options of other groups change in it."""
    if approve_plan:
        effort = replace(effort, strategy=_approved(effort.strategy))
    if form is Format.BRIEF and not (effort.profile or effort.mode):
        effort = replace(effort, mode=Mode.BRIEF)
    return replace(effort, no_cache=True, refresh=False) if recorded else effort


def _approved(strategy: Strategy | None) -> Strategy:
    from quaere.faces.cli.running import approved

    return approved(strategy)


def _suggest_model(settings: Settings, report: Report, *, quiet: bool) -> None:
    """Say once, after an answer that was made without a model, which one is ready on this machine.

    Nothing is asked or said when standard error is not a terminal.
    """
    if quiet or report.calls or settings.model or not sys.stderr.isatty():
        return
    from quaere.models.nearby import nearby_models

    told = settings.cache_folder / SUGGESTED_FILE
    if told.exists():
        return
    for name in nearby_models(settings.model_base_url)[:1]:
        say(f"{name} is ready on this machine: add --model {name}, or --model auto.")
        with suppress(OSError):  # it is said again then
            told.parent.mkdir(parents=True, exist_ok=True)
            told.write_text(f"{name}\n", "utf-8")


RunId = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN",
        help="Id of the run, or its beginning; without one, the stopped runs are listed.",
    ),
]


def resume(
    run: RunId = None,
    *,
    output: Output,
    strict: options.Strict = False,
) -> None:
    """Continue a run that was stopped.

    It continues where it was stopped: searches, pages and model calls that were already made are
    not repeated.
    """
    from quaere.domain.trace import Owner
    from quaere.faces.cli.output import deliver
    from quaere.faces.cli.running import (
        AtTerminal,
        NobodyThere,
        hand_in,
        handing_over,
        run_to_report,
        settle,
    )
    from quaere.runtime.stored_runs import stopped_run

    settings = settle()
    if run is None:
        _list_stopped(settings, output)
        return
    form = output.checked_format()
    stopped = stopped_run(settings, Owner(), run)
    stopped.close()
    resumed, title = stopped.spec.run_id, stopped.spec.request.question
    with journal(output.events) as note, watching(title, quiet=output.quiet) as watcher:
        human = AtTerminal(watcher.aside) if at_terminal() else NobodyThere()
        made, report = run_to_report(
            settings, lambda app: app.resume(resumed, human=human), watcher, note
        )
    with handing_over(made):
        deliver(report, form, output.output)
    hand_in(settings, wanted=made.spec.request.traced)
    raise typer.Exit(ending(report, strict=strict))


class StoppedRun(Value):
    """A run that was stopped and can be resumed."""

    run_id: str
    stopped: datetime
    results: int
    """Searches, pages and model calls that it need not make again."""
    question: Outside


class StoppedList(Value):
    """The runs that can be resumed, the last one first."""

    runs: tuple[StoppedRun, ...]


def _list_stopped(settings: Settings, output: Output) -> None:
    """List the runs that can be resumed, as text or as JSON.

    Raises:
        UsageError: for options that only a report has.
    """
    from quaere.domain.trace import Owner
    from quaere.faces.cli.output import json
    from quaere.runtime.stored_runs import stopped_runs

    if output.output or output.events or output.form not in {None, Format.TEXT, Format.JSON}:
        raise UsageError("Name the run to continue; a list of runs is written as text or JSON.")
    found = stopped_runs(settings, Owner())
    if output.form is Format.JSON:
        emit(json(StoppedList(runs=tuple(map(_stopped_run, found)))))
    else:
        emit(table(list(map(_stopped_row, found))) or "There are no stopped runs.\n")


def _stopped_run(found: Stopped) -> StoppedRun:
    return StoppedRun(
        run_id=found.spec.run_id,
        stopped=found.stopped,
        results=found.answers,
        question=found.spec.request.question,
    )


def _stopped_row(found: Stopped) -> tuple[str, ...]:
    return (
        found.spec.run_id,
        found.stopped.strftime("%Y-%m-%d %H:%M"),
        f"{counted(found.answers, 'result')} kept",
        headline(found.spec.request.question),
    )
