"""What the tools of the MCP server take and return; their JSON schemas come from here."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, TypeVar

from pydantic import Field, JsonValue, StringConstraints, ValidationError

from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.report import Support
from quaere.domain.tool import Earlier, Nearest, ToolCoverage, ToolInput, ToolSource
from quaere.domain.value import Value, told
from quaere.domain.verdict import Confidence, StopReason
from quaere.errors import UsageError

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
    """How a run stands."""

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
    limit: Annotated[int, Field(ge=1, le=MAX_RESULTS, description="Most results to return")] = 10


class Result(Value):
    """One result of ``search``."""

    id: Annotated[str, Field(description="What fetch takes to read it")]
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
        Field(description="The id of a result of search, or the URL of a page"),
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
        str,
        StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS),
        Field(
            description="Markdown or plain text that cites its sources: by links, by numbers such "
            "as [1] with a list of references, or by footnotes"
        ),
    ]
    max_reads: Annotated[int, Field(ge=0, le=200, description="Most sources to read")] = 50


class CheckedSentence(Value):
    """One sentence of a checked text."""

    text: str
    verdict: Support
    reason: str = ""
    probability: Confidence | None = None
    line: Annotated[int, Field(ge=1, description="Line of the text that it begins on")]
    sources: Annotated[tuple[int, ...], Field(description="Numbers of the sources it cites")] = ()
    nearest: Annotated[str, Field(description="The words of its sources nearest to it")] = ""


class CheckedSource(Value):
    """A source that a checked text cites."""

    number: Annotated[int, Field(ge=1)]
    address: str
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
        faults = told(error.errors(include_url=False))
        known = ", ".join(kind.model_fields)
        raise UsageError(f"Invalid arguments: {faults}. The arguments are: {known}.") from None
