"""The contract of the ``deep_research`` tool (R4.1, R4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue, StringConstraints

from quaere.domain.budget import MAX_LOOPS
from quaere.domain.question import MAX_CONTEXT_CHARS, MAX_QUESTION_CHARS, AnswerForm
from quaere.domain.report import EarlierRun
from quaere.domain.request import Reuse
from quaere.domain.scope import MAX_URLS, Host, Language
from quaere.domain.value import Outside, Value
from quaere.domain.verdict import Confidence, StopReason

NAME = "deep_research"
MAX_SITES = 50
DEFAULT_ITERATIONS = 10
"""R4.1."""
DESCRIPTION = """\
Research a question in depth across many sources and answer it with citations that can be checked. \
It plans, searches, reads and evaluates over several iterations. It usually takes 1 to 3 minutes, \
and 10 minutes at most: before you call it, tell the user so, and ask whether to go on.

Use it for questions that need several sources, for comparisons and reviews of evidence, and when \
every statement must have a source.

Do NOT use it:
- for simple facts that a single search answers;
- for questions about the report or stream the user is looking at;
- for what the conversation already answers."""


class ToolInput(Value):
    """Input of the tool."""

    question: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_QUESTION_CHARS),
        Field(description="The question to research, in any language"),
    ]
    context: Annotated[
        str,
        StringConstraints(max_length=MAX_CONTEXT_CHARS),
        Field(description="What the answer is for: the reader, the field, constraints"),
    ] = ""
    max_iterations: Annotated[
        int, Field(ge=1, le=MAX_LOOPS, description="Maximum number of search iterations")
    ] = DEFAULT_ITERATIONS
    language: Annotated[
        Language | None,
        Field(description="Language of the answer, such as de; that of the question when left out"),
    ] = None
    form: Annotated[
        AnswerForm | None,
        Field(description="Layout of the answer; chosen to fit the question when left out"),
    ] = None
    urls: Annotated[
        tuple[Outside, ...],
        Field(max_length=MAX_URLS, description="Web pages to answer from, and nothing else"),
    ] = ()
    sites: Annotated[
        tuple[Host, ...], Field(max_length=MAX_SITES, description="Use pages of these sites only")
    ] = ()
    exclude_sites: Annotated[
        tuple[Host, ...], Field(max_length=MAX_SITES, description="Use no pages of these sites")
    ] = ()
    published_after: Annotated[
        date | None, Field(description="First day of publication, such as 2024-01-31")
    ] = None
    published_before: Annotated[date | None, Field(description="Last day of publication")] = None
    source_languages: Annotated[
        tuple[Language, ...],
        Field(max_length=MAX_SITES, description="Languages that sources may be in, such as en"),
    ] = ()
    reuse: Annotated[
        Reuse,
        Field(
            description="What to do with a recent run that asked nearly the same: leave it alone "
            "(never), name it as earlier_run (offer), or search its sources as well (use)"
        ),
    ] = Reuse.OFFER
    continues: Annotated[
        str | None,
        StringConstraints(min_length=1, max_length=64),
        Field(description="Trace id of an earlier run to build on, such as that of earlier_run"),
    ] = None


class ToolSource(Value):
    """A source that the answer cites."""

    id: Annotated[str, Field(pattern=r"^src_\d+$", description="Id used in the answer")]
    type: Annotated[str, Field(description="pubmed, web or folder")]
    title: str
    url: str
    snippet: Annotated[str, Field(description="The passage that supports the answer")]


class ToolCoverage(Value):
    """Which checklist items the answer covers."""

    satisfied: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


class ToolPlace(Value):
    """A place in the user's own documents that comes near the question; it does not answer it."""

    title: str
    heading: Annotated[str, Field(description="The headings over the line")] = ""
    url: str
    location: Annotated[str, Field(description="Path, with the page, the row or the lines in it")]
    line: Annotated[str, Field(description="The line there that is most like the question")]


Earlier = Annotated[
    EarlierRun | None,
    Field(description="An earlier run that asked nearly the same, if there is a recent one"),
]
Nearest = Annotated[
    tuple[ToolPlace, ...],
    Field(description="Where to look when nothing answers the question; none is an answer"),
]


class ToolStatus(StrEnum):
    """How the research ended."""

    COMPLETED = "completed"
    MAX_ITERATIONS_REACHED = "max_iterations_reached"
    """A limit ended it: of iterations, of the budget or of time; ``stop_reason`` says which."""
    ERROR = "error"


class ToolOutput(Value):
    """Output of the tool."""

    trace_id: str
    answer: Annotated[str, Field(description="The answer, with citations such as [src_1]")]
    sources: tuple[ToolSource, ...] = ()
    checklist_coverage: ToolCoverage = ToolCoverage()
    iterations_used: Annotated[int, Field(ge=0)] = 0
    status: ToolStatus
    stop_reason: Annotated[
        StopReason | None, Field(description="Why the search ended; null after an error")
    ] = None
    earlier_run: Earlier = None
    nearest: Nearest = ()


class ToolDefinition(Value):
    """The definition of the tool for tool-calling assistants."""

    name: str = NAME
    description: str = DESCRIPTION
    input_schema: dict[str, JsonValue] = Field(default_factory=ToolInput.model_json_schema)
    output_schema: dict[str, JsonValue] = Field(default_factory=ToolOutput.model_json_schema)

    @property
    def openai_function(self) -> dict[str, JsonValue]:
        """The tool for OpenAI's Chat Completions, and for servers that speak the same."""
        return {"type": "function", "function": self._function}

    @property
    def openai_responses(self) -> dict[str, JsonValue]:
        """The tool for OpenAI's Responses."""
        return {"type": "function", **self._function, "strict": False}

    @property
    def anthropic_tool(self) -> dict[str, JsonValue]:
        """The tool for Anthropic's Messages."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": self.plain_input_schema,
        }

    @property
    def plain_input_schema(self) -> dict[str, JsonValue]:
        """The input schema without references, which some vendors do not follow."""
        definitions = self.input_schema.get("$defs")
        known = definitions if isinstance(definitions, dict) else {}
        schema = {name: each for name, each in self.input_schema.items() if name != "$defs"}
        return {name: _inlined(each, known) for name, each in schema.items()}

    @property
    def _function(self) -> dict[str, JsonValue]:
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.plain_input_schema,
        }


_REFERENCE = "#/$defs/"


def _inlined(schema: JsonValue, known: Mapping[str, JsonValue]) -> JsonValue:
    """Return ``schema`` with the definitions in place of references to them."""
    if isinstance(schema, list):
        return [_inlined(each, known) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: _inlined(each, known) for name, each in _resolved(schema, known).items()}


def _resolved(schema: dict[str, JsonValue], known: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return ``schema`` with the fields of what it refers to, if it does, before its own."""
    own = dict(schema)
    reference = own.pop("$ref", None)
    named = known[reference.removeprefix(_REFERENCE)] if isinstance(reference, str) else None
    return {**named, **own} if isinstance(named, dict) else own


class ToolProgress(Value):
    """Progress of a call."""

    stage: str
    message: str
    progress: Confidence
    """From 0 to 1; never decreases."""
    data: dict[str, JsonValue] = Field(default_factory=dict)


class ToolResult(Value):
    """The result of a call."""

    text: str
    """The answer for a reader, or the error message."""
    payload: ToolOutput
