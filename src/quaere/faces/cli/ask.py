"""``quaere ask``: Answer a question from documents or the web, with citations."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from quaere.domain.budget import Limits, merge_limits
from quaere.domain.team import Strategy
from quaere.errors import UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import BY_STATUS
from quaere.faces.cli.follow import follow, importing, journal, watching
from quaere.faces.cli.output import check_writable, choose_format

if TYPE_CHECKING:
    from quaere.domain.report import Report
    from quaere.faces.cli.follow import Watcher
    from quaere.runtime.engine import Engine
    from quaere.runtime.recorder import Tracing, Untraced
    from quaere.runtime.settings import Settings
    from quaere.store.cache import CacheMode
    from quaere.store.recording.record import Recorder
    from quaere.store.recording.replay import Replayer
    from quaere.store.recording.run_file import Earlier, RunRequest

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
    _check_tapes(
        record=bool(record),
        replay=bool(replay),
        asking=bool(docs or provider),
        earlier=continue_ is not None or reuse,
        dry_run=dry_run,
    )
    limits = Limits(
        max_iters=max_iters,
        max_queries=max_queries,
        max_sources=max_sources,
        max_reads=max_reads,
        max_execution_time_s=max_time,
        token_budget=max_tokens,
        max_cost_usd=max_cost,
        max_citations=max_citations,
        answer_words=words,
    )
    debug = bool(context.obj)
    if approve_plan:
        strategy = _approved(strategy)
    if dry_run:
        from quaere.runtime.estimate import foretell

        foretell(
            docs=docs or (),
            providers=provider or (),
            model=model,
            profile=profile,
            limits=limits,
            form=form,
            debug=debug,
        )
        return
    with (
        journal(events) as note,
        watching(asked, quiet=quiet, logging=debug or approve_plan) as watcher,
    ):
        with importing():  # for most of a second, with something to look at already
            from quaere.faces.cli.approval import consulting
            from quaere.faces.cli.cassettes import recording, replaying
            from quaere.faces.cli.deliver import deliver
            from quaere.faces.cli.environment import settle
            from quaere.faces.cli.resume import begin, finish, handing_over
            from quaere.runtime.recorder import hand_in, tracing
            from quaere.store.recording.run_file import RunRequest

        settings = settle(debug=debug)
        limits = merge_limits(settings.limits, limits)
        request = RunRequest(
            question=asked,
            context=need,
            profile=profile or settings.profile,
            strategy=strategy or settings.strategy,
            limits=dict(cast("Mapping[str, float | None]", limits)),
            docs=tuple(path.absolute() for path in docs or settings.docs),
            providers=tuple(provider or settings.providers),
            model=model,
            cache=_cache_mode(off=no_cache, refresh=refresh),
            earlier=_earlier(settings, asked, follow=continue_, reuse=reuse),
        )
        with tracing(settings, request, note, wanted=not no_trace) as trace:
            kept = settings.resumable and not (record or replay or approve_plan)
            run = begin(settings, request, quiet=quiet) if kept else None
            if run:
                report = finish(run, watcher, trace)
            else:
                with recording(record) as recorder:
                    engine = _engine(settings, request, recorder, replaying(replay))
                    engine = consulting(engine) if approve_plan else engine
                    report = _at_once(engine, request, watcher, trace)
    with handing_over(run):
        deliver(report, form, output)
    hand_in(settings, wanted=not no_trace)
    raise typer.Exit(BY_STATUS[report.status])


def _approved(strategy: Strategy | None) -> Strategy:
    """Return the strategy of a run with approval of its topics, which only a supervisor has."""
    from quaere.faces.cli.approval import check_terminal

    check_terminal()
    if strategy is Strategy.LOOP:
        raise UsageError(
            "--approve-plan cannot be combined with --strategy loop: a loop has no topics."
        )
    return Strategy.SUPERVISOR


def _earlier(
    settings: Settings, question: str, *, follow: str | None, reuse: bool
) -> Earlier | None:
    """Return the evidence to reuse from an earlier run, if one was named or is wanted."""
    if follow is None and not reuse:
        return None
    from quaere.runtime.earlier import followed, repeated

    return followed(settings, follow) if follow is not None else repeated(settings, question)


def _cache_mode(*, off: bool, refresh: bool) -> CacheMode:
    from quaere.store.cache import CacheMode

    if off:
        return CacheMode.OFF
    return CacheMode.REFRESH if refresh else CacheMode.USE


def _check_written(files: Sequence[Path]) -> None:
    for path in files:
        check_writable(path)
    if len({path.resolve() for path in files}) < len(files):
        raise UsageError("--output, --events and --record must name different files.")


def _check_tapes(*, record: bool, replay: bool, asking: bool, earlier: bool, dry_run: bool) -> None:
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


def _engine(
    settings: Settings, request: RunRequest, recorder: Recorder | None, tape: Replayer | None
) -> Engine:
    """Return the engine of a run that is not kept; a recorded run does not use the cache."""
    from quaere.runtime.resumable import engine_of
    from quaere.runtime.wiring import build_engine

    if not (recorder or tape):
        return engine_of(settings, request)
    return build_engine(
        settings,
        docs=request.docs,
        providers=request.providers,
        model=request.model,
        record=recorder,
        replay=tape,
    )


def _at_once(
    engine: Engine, request: RunRequest, watcher: Watcher, trace: Tracing | Untraced
) -> Report:
    """Return the report of a run that cannot be resumed."""

    async def followed() -> Report:
        async with engine:
            run = trace.watch(engine).stream(
                request.question,
                context=request.context,
                profile=request.profile,
                strategy=request.strategy,
                limits=cast("Limits", request.limits),
                run_id=request.run_id,
            )
            return await follow(run, watcher, trace.note)

    return asyncio.run(followed())


def _asked(question: str) -> str:
    """Return the question, read from standard input for ``-``, as text that can be encoded."""
    if question == "-":
        return sys.stdin.buffer.read(STDIN_BYTES).decode("utf-8", "replace")
    return question.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
