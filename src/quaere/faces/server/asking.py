"""From what a client sends, messages of a chat too, to a run in the queue and to its answer."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from pydantic import JsonValue

from quaere.domain.question import Turn
from quaere.domain.report import AnswerStatus, Report
from quaere.domain.request import Listener, ModelChoice, Reuse, RunRequest, RunSpec
from quaere.domain.team import Strategy
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.domain.value import text_hash
from quaere.errors import TraceConflict, TraceNotFound, UsageError
from quaere.faces.server.access import Caller, Context
from quaere.faces.server.errors import RETRY_S, Refused
from quaere.faces.server.forms import (
    MAX_TURNS,
    AgentResponse,
    CheckForm,
    CitedPassage,
    JobAccepted,
    ResearchForm,
    RunForm,
    RunState,
    RunUsage,
    TaskForm,
    VerifiedSource,
    usage_of,
)
from quaere.faces.wire.parts import weaknesses, without_closing_list
from quaere.runtime.check import to_look_in
from quaere.runtime.run import Run
from quaere.runtime.wiring_models import NO_MODEL
from quaere.search.in_memory import GivenPages
from quaere.store.jobs import Jobs
from quaere.store.submission import unusable
from quaere.text.asking_again import asks_nothing

SHOWN = 100
"""Characters of a text that the list of runs shows of a check."""


async def request_of(context: Context, caller: Caller, form: ResearchForm) -> RunRequest:
    """Return the request that ``form`` makes.

    Raises:
        UsageError: when it cannot be asked like this.
        FolderNotFound: when the caller has no such folder.
    """
    GivenPages(form.scope.urls)  # refuses what is not on the web now, not when the run is made
    translated = {"folders", "limits", "model", "models"}
    if "approve_plan" not in form.model_fields_set:
        translated.add("approve_plan")  # left out is not false
    fields = form.model_dump(include=RunRequest.model_fields.keys() - translated)
    if fields.get("approve_plan"):
        fields["strategy"] = _supervised(form.strategy)
    models = form.models
    if form.model is not None:
        models = models.model_copy(update={"general": form.model})
    return RunRequest.of(
        **fields,
        docs=await paths_of(context, caller, form.folders),
        limits=form.limits.given,
        models=models,
    )


def _supervised(strategy: Strategy | None) -> Strategy:
    """Return the strategy of a run that asks for approval of its topics, which a supervisor has.

    Raises:
        UsageError: when another one is asked for.
    """
    if strategy is Strategy.LOOP:
        raise UsageError(
            "approve_plan cannot be combined with the strategy loop: it has no topics."
        )
    return Strategy.SUPERVISOR


def check_webhooks(context: Context, url: str | None) -> None:
    """Raise Refused where anybody must be told of runs, and the operator has not provided for it.

    What is wrong with the address itself is found where it is kept.
    """
    if url and context.app.settings.webhook_secret is None:
        message = "Webhooks are off; the operator can switch them on with QUAERE_WEBHOOK_SECRET."
        raise Refused(HTTPStatus.FORBIDDEN, "forbidden", message)


async def paths_of(context: Context, caller: Caller, ids: Sequence[str]) -> tuple[Path, ...]:
    """Return where the folders of those ids lie.

    Raises:
        FolderNotFound: when the caller has no such folder.
    """
    if not ids:
        return ()
    folders = await context.folders()
    return tuple([await folders.path_of(caller.owner, each) for each in ids])


def run_form(form: TaskForm) -> RunForm:
    """Return what R0.5's request asks for."""
    return RunForm.model_validate(
        {
            "question": form.question,
            "context": form.context,
            "strategy": form.strategy,
            "folders": form.folders,
            "providers": form.providers,
            "model": form.model,
            "profile": form.complexity_tier,
            "limits": dict(form.all_limits),
            "approve_plan": False,  # its clients know nothing of questions back
        }
    )


async def accepted(
    context: Context, caller: Caller, form: RunForm, key: str | None = None
) -> Trace:
    """Put a run into the queue and return its trace.

    A request with the ``key`` of an earlier one is that one, and begins nothing.

    Raises:
        UsageError: when it cannot be asked like this.
        Refused: when the key was used for another request.
        QuotaExceeded: when the caller has used up what it may.
    """
    request = await request_of(context, caller, form)
    url = form.webhook
    check_webhooks(context, url)
    spec = RunSpec(request=request, owner=caller.owner, listener=Listener(url=url) if url else None)
    return await accepted_spec(context, caller, spec, form, key)


async def accepted_check(
    context: Context, caller: Caller, form: CheckForm, key: str | None
) -> Trace:
    """Put a check into the queue and return its trace; raises what `accepted` does."""
    beginning = " ".join(form.text.split())[:SHOWN]
    request = RunRequest.of(
        question=f"Check: {beginning}",
        docs=await folders_of(context, caller, form),
        limits={"max_reads": form.max_reads, "max_execution_time_s": form.max_time_s},
        models=ModelChoice(general=form.model or NO_MODEL),
        reuse=Reuse.NEVER,
    )
    spec = RunSpec(
        request=request, owner=caller.owner, checked_text=form.text, looks_up=form.look_up
    )
    return await accepted_spec(context, caller, spec, form, key)


async def folders_of(context: Context, caller: Caller, form: CheckForm) -> tuple[Path, ...]:
    """Return where the folders of a check are.

    Where sources should be looked up, and no folder is named, they are all that the caller has.

    Raises:
        UsageError: when there is none, and sources should be looked up.
        What `paths_of` does.
    """
    if form.folders or not form.look_up:
        return await paths_of(context, caller, form.folders)
    return to_look_in((await (await context.folders()).roots(caller.owner)).values())


async def accepted_spec(
    context: Context, caller: Caller, spec: RunSpec, form: RunForm | CheckForm, key: str | None
) -> Trace:
    """Put the run of ``spec``, which ``form`` asks for, into the queue and return its trace."""
    if key is None:
        return await _submitted(context, caller, spec, form)
    if fault := unusable(key):
        raise Refused(HTTPStatus.BAD_REQUEST, "invalid_request", fault)
    kept = await context.request_keys()
    told = text_hash(form.model_dump_json(exclude_defaults=True))
    run_id = await kept.claim(caller.owner, key, fingerprint=told, run_id=spec.run_id)
    if run_id != spec.run_id:
        traces = await context.app.traces()
        try:
            return await traces.get_trace(caller.owner, run_id)
        except TraceNotFound:  # the first request was cut off before it finished
            spec = spec.model_copy(update={"run_id": run_id})
    return await _submitted(context, caller, spec, form)


async def _submitted(
    context: Context, caller: Caller, spec: RunSpec, form: RunForm | CheckForm
) -> Trace:
    deadline = form.deadline if isinstance(form, RunForm) else None
    return await context.app.submit(spec, caller.owner, deadline=deadline, limits=caller.limits)


def unreported(trace: Trace, lacking: str) -> Refused | TraceConflict:
    """Return the refusal of what a run has not come to; to be tried again while it goes on.

    Args:
        trace: The run.
        lacking: What it lacks, such as "The run … has no report".
    """
    waits = trace.status is TraceStatus.PENDING
    if waits or trace.status is TraceStatus.IN_PROGRESS:
        how = "is waiting for a worker" if waits else "is in progress"
        message = f"{lacking} yet: it {how}."
        again = {"Retry-After": str(RETRY_S)}
        return Refused(
            HTTPStatus.CONFLICT, "trace_conflict", message, retryable=True, headers=again
        )
    return TraceConflict(f"{lacking}: it is {trace.status}.")


def job_of(trace: Trace) -> JobAccepted:
    """Return where the run of ``trace`` can be followed."""
    return JobAccepted(
        job_id=trace.id,
        run_id=trace.id,
        status=trace.status,
        status_url=f"/v1/runs/{trace.id}",
        events_url=f"/v1/runs/{trace.id}/events",
    )


async def state_of(context: Context, trace: Trace) -> RunState:
    """Return how the run of ``trace`` stands, with its place in the queue."""
    position = None
    if trace.status in {TraceStatus.PENDING, TraceStatus.INTERRUPTED}:
        position = await Jobs(await context.app.database()).position(trace.id)
    return listed_state(context, trace).model_copy(update={"queue_position": position})


def listed_state(context: Context, trace: Trace) -> RunState:
    """Return how the run of ``trace`` stands."""
    result: Mapping[str, JsonValue] = trace.result or {}
    answer, status = result.get("answer"), result.get("status")
    return RunState(
        run_id=trace.id,
        job_id=trace.id,
        tool=trace.tool_name,
        question=trace.question,
        status=trace.status,
        progress=trace.progress,
        stage=trace.current_stage,
        waits_for=trace.waits_for,
        created_at=trace.created_at,
        started_at=trace.started_at,
        completed_at=trace.completed_at,
        error=context.places.masked(trace.error_message) if trace.error_message else None,
        tags=trace.tags,
        pinned=trace.pinned,
        shared=trace.share is not None,
        last_seq=trace.last_seq,
        answer_status=AnswerStatus(str(status)) if status in tuple(AnswerStatus) else None,
        summary=str(answer or ""),
        request=asked_of(context, trace.input_params),
        metrics=trace.metrics,
    )


def asked_of(context: Context, params: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return what a run was asked as its client asked for it: folders by id, not by path."""
    asked = {name: each for name, each in params.items() if name != "docs"}
    docs = params.get("docs")
    paths = map(str, docs) if isinstance(docs, list) else ()
    folders: list[JsonValue] = [*filter(None, map(context.places.folder_at, paths))]
    return {**asked, "folders": folders} if folders else asked


async def masked_report(context: Context, run: Run) -> Report:
    """Wait for the report of ``run`` and return it without paths of this machine.

    Raises:
        QuaereError: when the run comes to no report.
        Refused: when the process stops before it does.
    """
    report = await context.feeds.awaited(run.id, run.report())
    return Report.model_validate_json(context.places.masked(report.model_dump_json()))


def response_of(report: Report) -> AgentResponse:
    """Return ``report`` as R0.10 has it."""
    tokens_in, tokens_out, usd = usage_of(report.calls)
    return AgentResponse(
        run_id=report.run_id,
        summary=report.answer,
        final_answer=report.answer,
        sources=tuple(
            VerifiedSource(
                id=f"[{each.id}]", title=each.title, type=each.type, location=each.location
            )
            for each in report.citations
        ),
        citations=tuple(
            CitedPassage(
                id=each.id,
                title=each.title,
                url=each.url,
                type=each.type,
                location=each.location,
                quote=each.quote.text,
                locator=each.locator,
                retrieved_at=each.retrieved_at,
            )
            for each in report.citations
        ),
        status=report.status,
        stop_reason=report.stop_reason,
        confidence=report.confidence,
        direct=report.direct,
        gaps=report.gaps,
        nearest=report.nearest,
        warnings=(*report.warnings, *weaknesses(report)),
        usage=RunUsage(
            iterations=report.spend.iterations,
            queries=report.spend.queries,
            sources_read=report.spend.reads,
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            model_calls=report.spend.model_calls,
            cost_usd=usd,
            seconds=round(report.seconds, 3),
        ),
        metadata=report.synthesis.model_dump(mode="json"),
    )


RECENT = 50
"""Runs among which the one that an answer is from is looked for, the latest first."""

TITLE_CHARS = 60
_BEGINS = "### Task:"
_HISTORY_BEGINS, _HISTORY_ENDS = "<chat_history>", "</chat_history>"
_ASKED = re.compile(r"(?im)^[^\w\n]{0,20}user[^\w\n]{0,20}:\s*+(.+)$")
_WANTED = re.compile(r'"(title|tags|follow_ups|queries|text|prompt)"\s*:')
_NOTHING: dict[str, JsonValue] = {
    "tags": ["General"],
    "follow_ups": [],
    "queries": [],
    "text": "",
    "prompt": "",
}


@dataclass(frozen=True, slots=True)
class Message:
    """What one side has said."""

    role: str
    """``user``, ``assistant``, ``system`` or ``developer``; all others are left out."""
    text: str


@dataclass(frozen=True, slots=True)
class Chat:
    """What a chat asks for."""

    question: str
    """Empty where the last message is not the user's."""
    context: str = ""
    """What system and developer messages say."""
    turns: tuple[Turn, ...] = field(default=())
    """What was asked and answered before, the oldest first."""


def chat_of(messages: Iterable[Message]) -> Chat:
    """Return what ``messages`` ask for: the last words of the user, after what went before."""
    context: list[str] = []
    turns: list[Turn] = []
    asked: list[str] = []
    for each in messages:
        text = each.text.strip()
        if each.role in {"system", "developer"} and text:
            context.append(text)
        elif each.role == "user" and text:
            asked.append(text)
        elif each.role == "assistant" and asked:
            answer = without_closing_list(text)
            turns.append(Turn(question="\n\n".join(asked), answer=answer))
            asked.clear()
    return Chat("\n\n".join(asked), "\n\n".join(context), tuple(turns[-MAX_TURNS:]))


async def continued(context: Context, owner: Owner, turns: Sequence[Turn]) -> str | None:
    """Return the id of the run that gave the last answer of ``turns``; None when none is known.

    Protocols whose clients send the whole conversation with every question name no run.
    """
    last = next((each for each in reversed(turns) if not asks_nothing(each.question)), None)
    if last is None or not context.app.settings.stores_all:
        return None
    traces = await context.app.traces()
    page = await traces.list_traces(owner, status=TraceStatus.COMPLETED, limit=RECENT)
    for trace in page.traces:
        answer = str((trace.result or {}).get("answer", ""))
        if trace.question == last.question and context.places.masked(answer) == last.answer:
            return trace.id if has_evidence(trace) else None
    return None


def has_evidence(trace: Trace) -> bool:
    """Return whether another run can draw on what the run of ``trace`` has read."""
    return bool((trace.result or {}).get("sources"))


def chore_answer(messages: Sequence[Message]) -> str | None:
    """Return the answer to what a client asks for itself; None for a question of its user."""
    said = [each for each in messages if each.role not in {"system", "developer"}]
    if len(said) != 1 or not said[0].text.lstrip().startswith(_BEGINS):
        return None
    text = said[0].text
    wanted = _WANTED.search(text)
    if wanted is None:
        return ""
    key = wanted[1]
    answer = _NOTHING[key] if key in _NOTHING else _title(text)
    return json.dumps({key: answer}, ensure_ascii=False)


def _title(text: str) -> str:
    """Return the first question of the chat, shortened."""
    history, is_whole, _ = text.partition(_HISTORY_BEGINS)[2].partition(_HISTORY_ENDS)
    asked = _ASKED.search(history) if is_whole else None
    return textwrap.shorten(asked[1], TITLE_CHARS, placeholder="…") if asked else "Research"
