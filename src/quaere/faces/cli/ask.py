"""``quaere ask``: Answer a question from documents or the web, with citations."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from quaere.domain.budget import Limits
from quaere.domain.precedence import Mode
from quaere.domain.team import Strategy
from quaere.errors import UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ending
from quaere.faces.cli.follow import importing, journal, watching
from quaere.faces.cli.output import Format, check_writable, choose_format
from quaere.faces.cli.terminal import emit

if TYPE_CHECKING:
    from quaere.domain.request import RunRequest
    from quaere.ports.human import Human
    from quaere.runtime.app import App
    from quaere.runtime.estimate import Estimate
    from quaere.runtime.run import LiveRun
    from quaere.runtime.settings import Settings
    from quaere.store.recording.cassette import Recorder, Replay

STDIN_BYTES = 4_000_000
"""How much of standard input is read as the question: enough to say that it is too long."""


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("ask", no_args_is_help=True)(ask)


def ask(
    context: typer.Context,
    question: options.QuestionText,
    *,
    docs: options.Docs = None,
    provider: options.Providers = None,
    model: options.Model = None,
    need: options.Need = "",
    profile: options.Profile = None,
    strategy: options.Strategy = None,
    approve_plan: options.ApprovePlan = False,
    form: options.ReportFormat = None,
    output: options.Output = None,
    events: options.Events = None,
    record: options.Record = None,
    replay: options.Replay = None,
    continue_: options.Continue = None,
    reuse: options.Reuse = False,
    no_cache: options.NoCache = False,
    refresh: options.Refresh = False,
    no_trace: options.NoTrace = False,
    dry_run: options.DryRun = False,
    strict: options.Strict = False,
    quiet: options.Quiet = False,
    max_iters: options.MaxIters = None,
    max_queries: options.MaxQueries = None,
    max_sources: options.MaxSources = None,
    max_reads: options.MaxReads = None,
    max_time: options.MaxTime = None,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    max_citations: options.MaxCitations = None,
    words: options.Words = None,
) -> None:
    """Answer a question from documents or the web, with citations.

    Folders are indexed first where their content is new. The web is searched when a search service
    is named, or when there are no folders. The report goes to standard output, progress to standard
    error.
    """
    asked = _asked(question)
    _check_written([path for path in (output, events, record) if path])
    form = choose_format(form, output)
    _check_cassettes(
        record=bool(record),
        replay=bool(replay),
        asking=bool(docs or provider),
        earlier=continue_ is not None or reuse,
        dry_run=dry_run,
    )
    if approve_plan:
        strategy = _approved(strategy)
    fields: dict[str, object] = {
        "question": asked,
        "context": need,
        "profile": profile,
        "mode": Mode.BRIEF if form is Format.BRIEF and not profile else None,
        "strategy": strategy,
        "limits": Limits(
            max_iters=max_iters,
            max_queries=max_queries,
            max_sources=max_sources,
            max_reads=max_reads,
            max_execution_time_s=max_time,
            token_budget=max_tokens,
            max_cost_usd=max_cost,
            max_citations=max_citations,
            answer_words=words,
        ),
        "docs": tuple(docs or ()),
        "providers": tuple(provider or ()),
        "models": {"general": model},
        "cached": "off" if no_cache or record else "refresh" if refresh else "use",
        "reuse": "use" if reuse else "never" if quiet or record or replay else "offer",
        "continues": continue_,
        "approve_plan": approve_plan,
        "traced": not no_trace,
    }
    debug = bool(context.obj)
    if dry_run:
        _foretell(fields, form, debug=debug)
        return
    with (
        journal(events) as note,
        watching(asked, quiet=quiet, logging=debug or approve_plan) as watcher,
    ):
        with importing():  # for most of a second, with something to look at already
            from quaere.domain.request import RunRequest
            from quaere.faces.cli.environment import settle
            from quaere.faces.cli.making import (
                AtTerminal,
                hand_in,
                handing_over,
                make,
                recording,
                replaying,
            )
            from quaere.faces.cli.output import deliver

        settings = settle(debug=debug)
        request = RunRequest.of(**fields)
        with recording(record) as recorder:
            beginning = Beginning(
                request=request,
                human=AtTerminal() if approve_plan else None,
                recorder=recorder,
                tape=replaying(replay),
            )
            run, report = make(settings, beginning, watcher, note, quiet=quiet)
    with handing_over(run):
        deliver(report, form, output)
    hand_in(settings, wanted=not no_trace)
    raise typer.Exit(ending(report, strict=strict))


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """Begins the run that a command asks for."""

    request: RunRequest
    human: Human | None
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


def _foretell(fields: Mapping[str, object], form: Format, *, debug: bool) -> None:
    """Write what the run may take, as JSON or else as text."""
    from quaere.domain.request import RunRequest
    from quaere.faces.cli.environment import settle
    from quaere.faces.cli.estimate import told
    from quaere.faces.cli.output import json
    from quaere.runtime.app import App

    async def estimated(settings: Settings) -> Estimate:
        async with App.open(settings) as app:
            return await app.estimate(RunRequest.of(**fields))

    made = asyncio.run(estimated(settle(debug=debug)))
    emit(json(made) if form is Format.JSON else told(made))


def _approved(strategy: Strategy | None) -> Strategy:
    """Return the strategy of a run with approval of its topics, which only a supervisor has."""
    from quaere.faces.cli.making import check_terminal

    check_terminal()
    if strategy is Strategy.LOOP:
        raise UsageError(
            "--approve-plan cannot be combined with --strategy loop: a loop has no topics."
        )
    return Strategy.SUPERVISOR


def _check_written(files: Sequence[Path]) -> None:
    for path in files:
        check_writable(path)
    if len({path.resolve() for path in files}) < len(files):
        raise UsageError("--output, --events and --record must name different files.")


def _check_cassettes(
    *, record: bool, replay: bool, asking: bool, earlier: bool, dry_run: bool
) -> None:
    if (record or replay) and earlier:
        raise UsageError("--record and --replay cannot be combined with --continue or --reuse.")
    if not replay:
        return
    if asking:
        raise UsageError("--replay cannot be combined with --docs or --provider.")
    if record:
        raise UsageError("--record cannot be combined with --replay.")
    if dry_run:
        raise UsageError("--dry-run cannot be combined with --replay.")


def _asked(question: str) -> str:
    """Return the question, read from standard input for ``-``, as text that can be encoded."""
    if question == "-":
        return sys.stdin.buffer.read(STDIN_BYTES).decode("utf-8", "replace")
    return question.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
