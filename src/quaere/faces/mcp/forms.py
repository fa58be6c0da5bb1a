"""What the tools of the MCP server take and return, and what a report comes to as their result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Self, TypeVar

from pydantic import Field, JsonValue, StringConstraints, ValidationError, model_validator

from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.report import Report, Sentence, Support
from quaere.domain.tool import Earlier, Nearest, ToolCoverage, ToolInput, ToolPlace, ToolSource
from quaere.domain.value import Value, faults_in_words
from quaere.domain.verdict import Confidence, StopReason
from quaere.errors import UsageError
from quaere.faces.tool import result_of, where_to_look
from quaere.synthesize.inert import address, file_link, link, plain
from quaere.synthesize.wording import STATUSES, why_it_ended
from quaere.text.languages.language import ENGLISH_FRAME

In = TypeVar("In", bound=Value)
"""The input of a tool."""

MAX_STATUS_WAIT_S = 25
MAX_RESULTS = 50
MAX_TEXT_CHARS = 200_000
"""The longest text that is checked: some 100 pages."""
MAX_PAGE_CHARS = 100_000
"""What `fetch` returns of a page in one call; ``offset`` asks for the rest."""

RunId = Annotated[
    str,
    StringConstraints(min_length=1, max_length=64),
    Field(description="Id of a run, as deep_research and research_start return it"),
]


class DeepResearchInput(ToolInput):
    """Input of ``deep_research``."""

    wait: Annotated[
        bool,
        Field(
            description="Wait for the answer however long it takes, 10 minutes at most. Without "
            "it, a run that takes longer than 45 seconds is handed back with the status working"
        ),
    ] = False
    approve_plan: Annotated[
        bool,
        Field(
            description="Show the user the topics before they are researched, and ask what is "
            "unclear. For broad questions whose research should not go astray"
        ),
    ] = False


class ResearchStatus(StrEnum):
    """How a call of ``deep_research`` ended: R4.1's statuses, and the one of a run that goes on."""

    COMPLETED = "completed"
    MAX_ITERATIONS_REACHED = "max_iterations_reached"
    ERROR = "error"
    WORKING = "working"


class SentenceVerdict(Value):
    """One sentence of the answer and whether its sources say it."""

    text: str
    verdict: Support
    probability: Annotated[
        Confidence | None, Field(description="How likely its sources say it, where that is known")
    ] = None
    sources: Annotated[
        tuple[str, ...], Field(description="Ids of the sources it cites, such as src_1")
    ] = ()


class ResearchOutput(Value):
    """Output of ``deep_research`` and of ``research_result``."""

    trace_id: Annotated[
        str, Field(description="Id of the run; the other research tools take it as run_id")
    ]
    run_id: Annotated[str, Field(description="The same id, as the other tools name it")]
    status: ResearchStatus
    answer: Annotated[
        str, Field(description="The answer, with citations such as [src_1]; empty while working")
    ] = ""
    sources: tuple[ToolSource, ...] = ()
    sentences: Annotated[
        tuple[SentenceVerdict, ...],
        Field(description="The sentences of the answer, each checked against its sources"),
    ] = ()
    checklist_coverage: ToolCoverage = ToolCoverage()
    iterations_used: Annotated[int, Field(ge=0)] = 0
    stop_reason: Annotated[
        StopReason | None, Field(description="Why the search ended; null while working")
    ] = None
    earlier_run: Earlier = None
    nearest: Nearest = ()
    progress: Annotated[Confidence, Field(description="From 0 to 1")] = 1.0
    message: Annotated[str, Field(description="How far the run is, or how it ended")] = ""


class StartOutput(Value):
    """Output of ``research_start``."""

    run_id: str
    message: Annotated[str, Field(description="How to go on")]


class StatusInput(Value):
    """Input of ``research_status``."""

    run_id: RunId
    wait_s: Annotated[
        float,
        Field(
            ge=0,
            le=MAX_STATUS_WAIT_S,
            description="Seconds to wait for the end of the run before its status is returned",
        ),
    ] = 0


class RunStatus(StrEnum):
    """The status of a run."""

    QUEUED = "queued"
    WORKING = "working"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class StatusOutput(Value):
    """Output of ``research_status`` and of ``research_cancel``."""

    run_id: str
    status: RunStatus
    stage: Annotated[str, Field(description="What it is doing, such as iteration_2")] = ""
    message: Annotated[str, Field(description="What it did last")] = ""
    progress: Annotated[Confidence, Field(description="From 0 to 1")] = 0.0
    iteration: Annotated[int, Field(ge=0)] = 0
    queries: Annotated[
        tuple[str, ...], Field(description="Queries of this iteration that were answered")
    ] = ()


class ResultInput(Value):
    """Input of ``research_result``."""

    run_id: RunId


class CancelInput(Value):
    """Input of ``research_cancel``."""

    run_id: RunId
    finish: Annotated[
        bool,
        Field(description="Write the answer from what was found so far instead of dropping it"),
    ] = False


class SearchInput(Value):
    """Input of ``search``."""

    query: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS),
        Field(description="What to search for"),
    ]
    limit: Annotated[
        int, Field(ge=1, le=MAX_RESULTS, description="Maximum number of results to return")
    ] = 10


class Result(Value):
    """One result of ``search``."""

    id: Annotated[str, Field(description="The id that fetch takes")]
    title: str
    url: str
    snippet: str = ""
    published: str = ""


class SearchOutput(Value):
    """Output of ``search``."""

    results: tuple[Result, ...]
    failures: Annotated[
        tuple[str, ...], Field(description="Services that could not answer, and why")
    ] = ()


class FetchInput(Value):
    """Input of ``fetch``."""

    id: Annotated[
        str,
        StringConstraints(min_length=1, max_length=4096),
        Field(
            description="The id of a result of search, the URL of a page, or the path of a file in "
            "one of the folders"
        ),
    ]
    offset: Annotated[
        int, Field(ge=0, description="Character to begin at, for a page longer than one reply")
    ] = 0


class FetchOutput(Value):
    """Output of ``fetch``."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str] = Field(default_factory=dict)


class CheckInput(Value):
    """Input of ``check_text``."""

    text: Annotated[
        str | None,
        StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS),
        Field(
            description="Markdown or plain text that cites its sources: by links, by numbers such "
            "as [1] with a list of references, or by footnotes"
        ),
    ] = None
    document: Annotated[
        str | None,
        StringConstraints(min_length=1, max_length=4096),
        Field(
            description="Instead of a text, a document in the folders, such as a Word file or a "
            "PDF: the id of a result of search, or its path in one of the folders"
        ),
    ] = None
    max_reads: Annotated[
        int, Field(ge=0, le=200, description="Maximum number of sources to read")
    ] = 50
    look_up: Annotated[
        bool,
        Field(
            description="Search the documents of this server for sources of sentences that cite "
            "nothing"
        ),
    ] = False

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if self.text is None and self.document is None:
            message = "text is missing, or document in its place"
            raise ValueError(message)
        if self.text is not None and self.document is not None:
            message = "text and document cannot both be given; leave one of them out"
            raise ValueError(message)
        return self


class CheckedSentence(Value):
    """One sentence of a checked text."""

    text: str
    verdict: Support
    reason: str = ""
    probability: Confidence | None = None
    line: Annotated[int, Field(ge=1, description="Line of the text that it begins on")]
    sources: Annotated[
        tuple[int, ...],
        Field(description="Numbers of the sources it cites, or of the one found for it"),
    ] = ()
    nearest: Annotated[str, Field(description="The words of its sources nearest to it")] = ""


class CheckedSource(Value):
    """A source that a checked text cites, or that was looked up for it."""

    number: Annotated[int, Field(ge=1)]
    address: str
    """As the text gives it, else of what was read."""
    title: str = ""
    status: Annotated[str, Field(description="ok, or why it could not be read")]


class CheckOutput(Value):
    """Output of ``check_text``."""

    sentences: tuple[CheckedSentence, ...]
    sources: tuple[CheckedSource, ...]
    citation_precision: Annotated[
        Confidence | None, Field(description="Share of the cited claims that are supported")
    ] = None
    citation_recall: Annotated[
        Confidence | None, Field(description="Share of all claims that are cited and supported")
    ] = None


def checked(kind: type[In], arguments: Mapping[str, JsonValue] | None) -> In:
    """Return the arguments of a call as ``kind``.

    An argument that is null counts as left out: assistants fill in all that a schema names.

    Raises:
        UsageError: when they do not fit, naming each that does not.
    """
    given = {name: value for name, value in (arguments or {}).items() if value is not None}
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        faults = faults_in_words(error.errors(), "")
        known = ", ".join(kind.model_fields)
        raise UsageError(f"Invalid arguments: {faults}. The arguments are: {known}.") from None


SCHEME = "quaere"


def report_uri(run_id: str) -> str:
    """Return the URI of the report of a run."""
    return f"{SCHEME}://runs/{run_id}/report"


def research_output(report: Report) -> ResearchOutput:
    """Return ``report`` as the output of a research tool."""
    told = result_of(report).payload
    numbers = {citation.evidence: f"src_{citation.id}" for citation in report.citations}
    why = why_it_ended(report, ENGLISH_FRAME.account)
    return ResearchOutput(
        trace_id=told.trace_id,
        run_id=told.trace_id,
        status=ResearchStatus(told.status),
        answer=told.answer,
        sources=tuple(_source(source) for source in told.sources),
        sentences=tuple(_verdict(sentence, numbers) for sentence in report.sentences),
        checklist_coverage=told.checklist_coverage,
        iterations_used=told.iterations_used,
        stop_reason=told.stop_reason,
        earlier_run=told.earlier_run,
        nearest=tuple(_place(place) for place in told.nearest),
        message=f"{STATUSES[report.status]}."
        + (f" {ENGLISH_FRAME.account.ended.format(reason=why)}" if why else ""),
    )


def research_text(output: ResearchOutput) -> str:
    """Return ``output`` for an assistant that reads text alone: answer, sources, what is missing.

    The title and the URL of a source are on one line and cannot pass for anything else.
    """
    return "\n".join(_lines(output))


def working(status: StatusOutput) -> ResearchOutput:
    """Return the output for a run that goes on, as it stands."""
    so_far = f" So far: {status.message.rstrip('.')}." if status.message else ""
    line = "It is waiting for a worker." if status.status is RunStatus.QUEUED else "It goes on."
    return ResearchOutput(
        trace_id=status.run_id,
        run_id=status.run_id,
        status=ResearchStatus.WORKING,
        iterations_used=status.iteration,
        progress=status.progress,
        message=f"The research is not over yet. {line}{so_far} Call research_status with run_id "
        f"{status.run_id} and wait_s 25 until it is completed, then research_result.",
    )


def status_text(status: StatusOutput) -> str:
    """Return ``status`` in one line."""
    said = f": {plain(status.message)}" if status.message else ""
    line = f"Run {status.run_id} is {status.status} ({status.progress:.0%}){said}"
    if status.status is RunStatus.COMPLETED:
        return f"{line}. Call research_result, or read {report_uri(status.run_id)}."
    return line


def _lines(output: ResearchOutput) -> Iterator[str]:
    yield output.answer
    yield ""
    if output.sources:
        yield "Sources:"
        yield from (f"[{each.id}] {each.title} - {each.url}" for each in output.sources)
        yield ""
    if look := where_to_look(output.nearest):
        yield look
        yield ""
    if gaps := output.checklist_coverage.gaps:
        yield f"Not covered: {'; '.join(gaps)}"
    if earlier := output.earlier_run:
        yield f"Run {earlier.run_id} asked nearly the same on {earlier.completed:%Y-%m-%d}."
    yield f"{output.message} The whole report: {report_uri(output.trace_id)}"


def shown_url(url: str) -> str:
    """Return ``url`` encoded for a text; empty if it leads to no source."""
    return link(url) or file_link(url) or plain(address(url))


def _source(source: ToolSource) -> ToolSource:
    shown = {"title": plain(source.title), "url": shown_url(source.url)}
    return source.model_copy(update=shown)


def _place(place: ToolPlace) -> ToolPlace:
    return place.model_copy(update={"url": shown_url(place.url)})


def _verdict(sentence: Sentence, numbers: dict[int, str]) -> SentenceVerdict:
    return SentenceVerdict(
        text=sentence.text,
        verdict=sentence.support,
        probability=sentence.probability,
        sources=tuple(numbers[each] for each in sentence.evidence if each in numbers),
    )
