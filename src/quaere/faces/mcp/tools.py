"""The tools of the MCP server: how each is described, and what it does with an open App."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from mcp_types import ResourceLink, ToolAnnotations
from pydantic import JsonValue

from quaere.audit.cited_text import cited_text
from quaere.audit.report import audit_markdown
from quaere.audit.sources import AuditLimits
from quaere.domain.access import Right
from quaere.domain.audit import Audit
from quaere.domain.events import RunFailed, RunFinished
from quaere.domain.source import Page
from quaere.domain.team import Inquiry, Strategy
from quaere.domain.tool import DESCRIPTION, ToolInput
from quaere.domain.url import url2pathname
from quaere.domain.value import Value
from quaere.errors import QuaereError, ReadError, UsageError, named
from quaere.faces.mcp.asking import Ask, Declined
from quaere.faces.mcp.forms import (
    MAX_PAGE_CHARS,
    MAX_TEXT_CHARS,
    CancelInput,
    CheckedSentence,
    CheckedSource,
    CheckInput,
    CheckOutput,
    DeepResearchInput,
    FetchInput,
    FetchOutput,
    ResearchOutput,
    Result,
    ResultInput,
    RunStatus,
    SearchInput,
    SearchOutput,
    StartOutput,
    StatusInput,
    StatusOutput,
    checked,
    report_uri,
    research_output,
    research_text,
    shown_url,
    status_text,
    working,
)
from quaere.faces.mcp.runs import Runs, Teller, Visitor, status_of
from quaere.faces.tool import MAX_SECONDS, request_of
from quaere.ports.read import Body
from quaere.runtime.check import CheckOptions, text_of, to_look_in
from quaere.runtime.resources import url_of
from quaere.runtime.run import Run
from quaere.runtime.search import SearchResult, read_page
from quaere.synthesize.inert import plain
from quaere.synthesize.wording import counted

In = TypeVar("In", bound=Value)
"""The input of a tool."""

CHECK_S = 40.0
"""What `check_text` may take to read: many clients give a call 60 seconds."""
ENDING_S = 30.0
"""What a call that waits gives a run beyond its own time limit, to be written and checked."""

GOING = frozenset({RunStatus.QUEUED, RunStatus.WORKING})
CANCELLING = "It was asked to stop, and will end within seconds."
UNSHOWN = "Over this connection the user cannot be asked, so the topics were not approved."
FINISHING = (
    "Its search is ending, and its answer will be written from what was found so far. Call "
    "research_status with wait_s 25 until it is completed, then research_result."
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    runs: Runs
    visitor: Visitor
    teller: Teller
    began: Callable[[Run], None]
    """Takes the run that the call has begun and waits for."""
    ask: Ask | None = None
    """Asks the user what a run asks back; None where the client cannot."""
    continues: str | None = None
    """Id of the run that was begun when the call was made first, without what its user says."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool returns."""

    data: Value
    """Of the class that the tool ``returns``."""
    text: str
    links: tuple[ResourceLink, ...] = ()


Arguments = Mapping[str, JsonValue] | None


@dataclass(frozen=True, slots=True)
class ResearchTool:
    """One tool."""

    name: str
    title: str
    description: str
    takes: type[Value]
    returns: type[Value]
    do: Callable[[Call, Arguments], Awaitable[Answer]]
    """Raises QuaereError when it cannot do what it was asked."""
    right: Right = Right.RUN
    """What a key needs for it."""
    annotations: ToolAnnotations = field(
        default_factory=lambda: ToolAnnotations(read_only_hint=True, open_world_hint=True)
    )


async def _deep_research(call: Call, asked: DeepResearchInput) -> Answer:
    run = await _begun(call, asked)
    call.began(run)
    seconds = MAX_SECONDS + ENDING_S if asked.wait else call.runs.pace.hand_back_s
    await _followed(call, run, seconds)
    answer = await _outcome(run)
    unshown = asked.approve_plan and call.ask is None
    return replace(answer, text=f"{answer.text}\n\n{UNSHOWN}") if unshown else answer


async def _begun(call: Call, asked: DeepResearchInput) -> Run:
    """Return the run that ``call`` has begun, now or when it was made before."""
    owner = call.visitor.owner
    if call.continues is not None:
        return await call.runs.find(call.continues, owner)
    request = request_of(asked, call.visitor.limits)
    if asked.approve_plan and call.ask is not None:
        shown = {"approve_plan": True, "strategy": Strategy.SUPERVISOR}  # a loop has no topics
        request = request.model_copy(update=shown)
    return await call.runs.begin(request, owner, call.visitor.limits)


async def _followed(call: Call, run: Run, seconds: float) -> None:
    """Follow ``run`` until it ends or ``seconds`` have passed, and ask the user what it asks.

    Where the client cannot, the run waits as long as it would for anybody, and goes on.

    Raises:
        InputNeeded: when the client is to ask and to make the call again.
        Declined: when the user wants no such research; the run is cancelled.
    """
    ask = call.ask
    if ask is None:
        await call.runs.follow(run, seconds, call.teller)
        return
    replied: list[Inquiry] = []
    while inquiry := await call.runs.follow(run, seconds, call.teller, replied=replied):
        try:
            reply = await ask(run.id, inquiry)
        except Declined:
            await run.cancel()
            raise
        await call.runs.reply(run, inquiry, reply)
        replied.append(inquiry)


async def _research_start(call: Call, asked: ToolInput) -> Answer:
    visitor = call.visitor
    run = await call.runs.begin(request_of(asked, visitor.limits), visitor.owner, visitor.limits)
    message = (
        f"The research has begun as run {run.id}. It usually takes 1 to 3 minutes. Call "
        f"research_status with this run_id and wait_s 25 until it is completed, then "
        f"research_result."
    )
    return Answer(StartOutput(run_id=run.id, message=message), message)


async def _research_status(call: Call, asked: StatusInput) -> Answer:
    run = await call.runs.find(asked.run_id, call.visitor.owner)
    if asked.wait_s:
        await _followed(call, run, asked.wait_s)
    status = await status_of(run)
    return Answer(status, status_text(status), _links(status))


async def _research_result(call: Call, asked: ResultInput) -> Answer:
    return await _outcome(await call.runs.find(asked.run_id, call.visitor.owner))


async def _research_cancel(call: Call, asked: CancelInput) -> Answer:
    run = await call.runs.find(asked.run_id, call.visitor.owner)
    before = await status_of(run)
    if before.status not in GOING:
        raise UsageError(f"The run {run.id} has already ended ({before.status}).")
    await (run.finish() if asked.finish else run.cancel())
    status = await status_of(run)
    if status.status in GOING:  # a worker hears of it within seconds
        message = FINISHING if asked.finish else CANCELLING
        status = status.model_copy(update={"message": message})
    return Answer(status, status_text(status), _links(status))


async def _search(call: Call, asked: SearchInput) -> Answer:
    found = await call.runs.app.search(asked.query, limit=asked.limit)
    if found.all_failed:
        raise QuaereError("; ".join(_failures(found)))
    output = SearchOutput(
        results=tuple(
            Result(
                id=hit.url,
                title=plain(hit.title) or hit.url,
                url=shown_url(hit.url),
                snippet=plain(hit.snippet),
                published=plain(hit.published),
            )
            for hit in found.hits
        ),
        failures=_failures(found),
    )
    return Answer(output, _as_json(output))


async def _fetch(call: Call, asked: FetchInput) -> Answer:
    try:
        address, roots = await call.visitor.located(asked.id)
        url = await asyncio.to_thread(url_of, address, roots)
        page = await read_page(call.runs.app.resources, url, roots)
    except ReadError as error:
        raise ReadError(f"{error.message} ({error.status})", status=error.status) from error
    end = asked.offset + MAX_PAGE_CHARS
    output = FetchOutput(
        id=asked.id,
        title=plain(page.title) or asked.id,
        text=page.text[asked.offset : end],
        url=shown_url(page.url),
        metadata=_facts(page, end),
    )
    return Answer(output, _as_json(output))


async def _check_text(call: Call, asked: CheckInput) -> Answer:
    visitor = call.visitor
    searched = to_look_in(await visitor.searched()) if asked.look_up else ()
    body = await _document(call, asked.document) if asked.document else None
    said = await _text_of(call, body) if body else asked.text or ""
    text = await asyncio.to_thread(cited_text, said)
    await call.teller.tell(0.0, f"Checking {counted(len(text.sentences), 'sentence')}")
    limits = AuditLimits(max_reads=asked.max_reads, max_time_s=CHECK_S)
    options = CheckOptions(
        roots=tuple(visitor.roots),
        itself=Path(url2pathname(urlsplit(body.url).path)) if body else None,
        looks_up=asked.look_up,
        searched=searched,
        limits=limits,
        payer=call.runs.payer(visitor.owner, visitor.limits),
    )
    audit = await call.runs.app.check(text, options)
    told = await asyncio.to_thread(audit_markdown, audit, name="the text")
    return Answer(_check_output(audit), told)


async def _document(call: Call, address: str) -> Body:
    try:
        url, roots = await call.visitor.located(address)
        return await asyncio.to_thread(call.runs.app.resources.document, url, roots)
    except ReadError as error:
        raise ReadError(f"{error.message} ({error.status})", status=error.status) from error


async def _text_of(call: Call, body: Body) -> str:
    """Return the text of ``body``.

    Raises:
        ReadError: when it has none.
        UsageError: when it is too long.
    """
    text = await text_of(call.runs.app.resources.extractor, body)
    if len(text) > MAX_TEXT_CHARS:
        raise UsageError(f"A text may have {MAX_TEXT_CHARS:,} characters at most.")
    return text


async def _outcome(run: Run) -> Answer:
    """Return the report of ``run`` where it has one, else how it stands.

    Raises:
        QuaereError: when the run ended without a report.
    """
    match (await run.so_far())[-1:]:
        case (RunFinished(report=report),):
            output = await asyncio.to_thread(research_output, report)
            return Answer(output, research_text(output), (_link(run.id, report.question),))
        case (RunFailed(message=message),):
            raise QuaereError(f"The research ended without an answer: {message}")
        case _:
            status = await status_of(run)
            if status.status in {RunStatus.CANCELLED, RunStatus.FAILED}:
                raise QuaereError(f"The research ended without an answer: {status.message}")
            output = working(status)
            return Answer(output, output.message)


def _links(status: StatusOutput) -> tuple[ResourceLink, ...]:
    return (_link(status.run_id, "report"),) if status.status is RunStatus.COMPLETED else ()


def _link(run_id: str, question: str) -> ResourceLink:
    return ResourceLink(
        name="report",
        title=plain(question)[:200] or "Report",
        uri=report_uri(run_id),
        description="The whole report: answer, verdicts, quotes, coverage, method and sources",
        mime_type="text/markdown",
    )


def _failures(found: SearchResult) -> tuple[str, ...]:
    return tuple(named(each.provider, plain(each.message)) for each in found.failures)


def _facts(page: Page, end: int) -> dict[str, str]:
    facts = {
        "content_type": page.content_type,
        "published": page.published,
        "author": page.author,
        "language": page.language,
        "retrieved_at": page.retrieved_at,
        "characters": str(len(page.text)),
        "next_offset": str(end) if end < len(page.text) else "",
    }
    return {name: plain(fact) for name, fact in facts.items() if fact}


def _check_output(audit: Audit) -> CheckOutput:
    return CheckOutput(
        sentences=tuple(
            CheckedSentence(
                text=each.text,
                verdict=each.verdict,
                reason=each.reason,
                probability=each.probability,
                line=each.line,
                sources=each.cites or each.found,
                nearest=each.place.text if each.place else "",
            )
            for each in audit.sentences
        ),
        sources=tuple(
            CheckedSource(
                number=each.number,
                address=each.address or each.url,
                title=plain(each.title),
                status=f"{each.status}: {each.reason}" if each.reason else str(each.status),
            )
            for each in audit.sources
        ),
        citation_precision=audit.summary.citation_precision,
        citation_recall=audit.summary.citation_recall,
    )


def _as_json(output: Value) -> str:
    """Return the output as ChatGPT's connectors read it: JSON in the text of the result."""
    return json.dumps(output.model_dump(mode="json"), ensure_ascii=False)


_ENDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False
)


def _taking(
    takes: type[In], do: Callable[[Call, In], Awaitable[Answer]]
) -> Callable[[Call, Arguments], Awaitable[Answer]]:
    """Return ``do`` for arguments that are yet to be checked."""

    async def checking(call: Call, arguments: Arguments) -> Answer:
        return await do(call, checked(takes, arguments))

    return checking


_HANDED_BACK = """

When the answer is not there after 45 seconds, the result has the status "working" and the \
run_id of the run, which goes on: call research_status with it until the run is completed, then \
research_result. Set wait to true to wait for the answer, if your calls may take that long."""

TOOLS = (
    ResearchTool(
        "deep_research",
        "Deep research",
        DESCRIPTION + _HANDED_BACK,
        DeepResearchInput,
        ResearchOutput,
        _taking(DeepResearchInput, _deep_research),
    ),
    ResearchTool(
        "research_start",
        "Start research",
        "Begin the same research as deep_research and return the id of the run at once. Use it to "
        "research several questions side by side, or when calls may take only a short time. "
        "research_status tells how far the run is, research_result returns its answer.",
        ToolInput,
        StartOutput,
        _taking(ToolInput, _research_start),
    ),
    ResearchTool(
        "research_status",
        "Status of a research run",
        "Tell how far a run is. With wait_s it waits up to 25 seconds for the run to end, which "
        "saves calls.",
        StatusInput,
        StatusOutput,
        _taking(StatusInput, _research_status),
        right=Right.READ,
    ),
    ResearchTool(
        "research_result",
        "Result of a research run",
        "Return the answer of a run with its sources and the verdict on each sentence. For a run "
        'that goes on, the status is "working" and there is no answer yet.',
        ResultInput,
        ResearchOutput,
        _taking(ResultInput, _research_result),
        right=Right.READ,
    ),
    ResearchTool(
        "research_cancel",
        "Cancel a research run",
        "End a run that is no longer needed. With finish, its answer is written from what was "
        "found so far.",
        CancelInput,
        StatusOutput,
        _taking(CancelInput, _research_cancel),
        annotations=_ENDS,
    ),
    ResearchTool(
        "search",
        "Search",
        "Send one query to the configured folders and search services and list the results. Use "
        "it for simple facts; fetch reads a result.",
        SearchInput,
        SearchOutput,
        _taking(SearchInput, _search),
    ),
    ResearchTool(
        "fetch",
        "Fetch a page",
        "Read one web page, PDF or document, by the id of a result of search or by its URL, and "
        "return its text.",
        FetchInput,
        FetchOutput,
        _taking(FetchInput, _fetch),
    ),
    ResearchTool(
        "check_text",
        "Check a text against its sources",
        "Check a text that cites its sources: read the sources and judge for every sentence "
        "whether they say it. Use it on a draft before it is sent. With look_up it also searches "
        "the documents of this server for what cites nothing; it does not search the web.",
        CheckInput,
        CheckOutput,
        _taking(CheckInput, _check_text),
        right=Right.CHECK,
    ),
)
"""In the order in which they are listed."""
BY_NAME = {tool.name: tool for tool in TOOLS}
