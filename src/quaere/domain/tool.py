"""The ``deep_research`` tool as an assistant sees it (R4.1, R4.4)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue, StringConstraints

from quaere.domain.budget import MAX_LOOPS
from quaere.domain.question import MAX_CONTEXT_CHARS, MAX_QUESTION_CHARS
from quaere.domain.value import Value
from quaere.domain.verdict import Confidence

NAME = "deep_research"
DESCRIPTION = """\
Research a question over many sources and answer it with citations that can be checked. It plans, \
searches, reads and evaluates in several rounds and takes up to ten minutes.

Use it for questions that need several sources, for comparisons and surveys of evidence, and where \
every statement must carry its source. Do not use it for plain facts that one look-up answers, or \
for what stands in the conversation already."""


class ToolInput(Value):
    """What the tool is called with."""

    question: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS),
        Field(description="The question to research, in any language"),
    ]
    context: Annotated[
        str,
        StringConstraints(max_length=MAX_CONTEXT_CHARS),
        Field(description="What the answer is needed for: the reader, the field, constraints"),
    ] = ""
    max_iterations: Annotated[
        int, Field(ge=1, le=MAX_LOOPS, description="Rounds of searching at the most")
    ] = 10


class ToolSource(Value):
    """A source that the answer cites."""

    id: Annotated[str, Field(pattern=r"^src_\d+$", description="As cited in the answer")]
    type: Annotated[str, Field(description="pubmed, web or folder")]
    title: str
    url: str
    snippet: Annotated[str, Field(description="The words that the answer rests on")]


class ToolCoverage(Value):
    """How far the answer goes."""

    satisfied: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


class ToolStatus(StrEnum):
    """How the research ended."""

    COMPLETED = "completed"
    MAX_ITERATIONS_REACHED = "max_iterations_reached"
    ERROR = "error"


class ToolOutput(Value):
    """What the tool gives back."""

    trace_id: str
    answer: Annotated[str, Field(description="The answer, citing sources like [src_1]")]
    sources: tuple[ToolSource, ...] = ()
    checklist_coverage: ToolCoverage = ToolCoverage()
    iterations_used: Annotated[int, Field(ge=0)] = 0
    status: ToolStatus


class ToolDefinition(Value):
    """The tool in the form that tool-calling assistants take."""

    name: str = NAME
    description: str = DESCRIPTION
    input_schema: dict[str, JsonValue] = Field(default_factory=ToolInput.model_json_schema)
    output_schema: dict[str, JsonValue] = Field(default_factory=ToolOutput.model_json_schema)


class ToolProgress(Value):
    """How far a call has come."""

    stage: str
    message: str
    progress: Confidence
    """From 0 to 1; never goes back."""
    data: dict[str, JsonValue] = Field(default_factory=dict)


class ToolResult(Value):
    """The end of a call."""

    text: str
    """For a reader; an error says what to do."""
    payload: ToolOutput
