"""What clients send and get, beyond the engine's own values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Header
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    RootModel,
    StringConstraints,
)

from quaere.domain import events
from quaere.domain.budget import Limits, Mode, ProfileName, merge_limits
from quaere.domain.model import ModelCall
from quaere.domain.question import AnswerForm, Turn
from quaere.domain.report import AnswerStatus, Direct, Nearby, RunWarning
from quaere.domain.request import MAX_METADATA, Cached, ModelChoice, Reuse
from quaere.domain.scope import Language, Scope
from quaere.domain.team import InquiryKind, Reply, Strategy
from quaere.domain.trace import TraceStatus
from quaere.domain.verdict import Confidence, StopReason

MAX_QUESTION = 20_000
MAX_CONTEXT = 100_000
MAX_TURNS = 50
MAX_LISTED = 50

Metadata = dict[
    Annotated[str, StringConstraints(max_length=64)],
    Annotated[str, StringConstraints(max_length=512)],
]
Question = Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUESTION)]
Names = Annotated[tuple[Annotated[str, Field(max_length=200)], ...], Field(max_length=MAX_LISTED)]
FolderIds = Annotated[
    Names, Field(description="Ids of folders to search; see `GET /v1/folders`. Never paths.")
]


WebhookUrl = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2_000),
    Field(examples=["https://hooks.example/quaere"]),
]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="A request that is sent again with the same key starts no second run.",
    ),
]


class Form(BaseModel):
    """What a client sends: every field is known, or the request is refused."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class LimitForm(Form):
    """Limits in place of the profile's; what is left out stays as it is."""

    max_iters: Annotated[int | None, Field(ge=1, le=100)] = None
    max_queries: Annotated[int | None, Field(ge=1, le=1000)] = None
    max_sources: Annotated[int | None, Field(ge=1, le=1000)] = None
    max_reads: Annotated[int | None, Field(ge=0, le=1000)] = None
    max_execution_time_s: Annotated[float | None, Field(gt=0, le=3600, allow_inf_nan=False)] = None
    token_budget: Annotated[int | None, Field(ge=0, le=1_000_000_000)] = None
    max_cost_usd: Annotated[float | None, Field(ge=0, le=1_000_000, allow_inf_nan=False)] = None
    max_citations: Annotated[int | None, Field(ge=1, le=1000)] = None
    answer_words: Annotated[int | None, Field(ge=10, le=20_000)] = None

    @property
    def given(self) -> Limits:
        """The limits that are set."""
        return Limits(**self.model_dump(include=set(LimitForm.model_fields), exclude_none=True))


class Asked(Form):
    """A question, and where and how it is researched."""

    question: Annotated[
        Question,
        Field(
            validation_alias=AliasChoices("question", "task"),
            description="The question; `task` is another name for it.",
            examples=["Why does a run never exceed its time limit?"],
        ),
    ]
    context: Annotated[str, Field(max_length=MAX_CONTEXT)] = ""
    """What the answer is needed for."""
    strategy: Strategy | None = None
    folders: FolderIds = ()
    providers: Annotated[
        Names,
        Field(
            description="See `GET /v1/providers`; `folder` alone asks no search service. None "
            "given: those of the settings, besides the folders."
        ),
    ] = ()
    model: Annotated[str | None, Field(max_length=200, examples=["none"])] = None
    """Language model of every step, ``vendor:model``; ``none`` for none."""


class ResearchForm(Asked):
    """A question with all that can be said of how it is researched, whenever that is."""

    profile: ProfileName | None = Field(
        default=None, validation_alias=AliasChoices("profile", "complexity_tier")
    )
    mode: Mode | None = None
    limits: LimitForm = LimitForm()
    models: ModelChoice = ModelChoice()
    """Models of single steps."""
    scope: Scope = Scope()
    language: Language | None = None
    form: AnswerForm | None = None
    cached: Cached = Cached.USE
    metadata: Annotated[Metadata, Field(max_length=MAX_METADATA)] = {}
    """What the client wants to read again with the run, under `request`."""


class RunForm(ResearchForm):
    """A run to start."""

    conversation: Annotated[tuple[Turn, ...], Field(max_length=MAX_TURNS)] = ()
    reuse: Reuse = Reuse.OFFER
    continues: Annotated[str | None, Field(max_length=64)] = None
    approve_plan: bool = False
    """Whether the run shows its topics before they are researched, and waits for a reply, for which
    it is given a supervisor. The operator's choice when left out."""
    deadline: datetime | None = None
    """When to give up, also while the run waits."""
    webhook: WebhookUrl | None = None
    """Address that is told when the run has ended."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"question": "Why does a run never exceed its time limit?", "profile": "simple"}
            ]
        }
    )


class TaskForm(LimitForm, Asked):
    """The request of ``POST /run``, with limits next to the question."""

    complexity_tier: Literal["simple", "standard", "deep", "chat"] | None = None
    limits: LimitForm = LimitForm()
    """The same limits in a group; those next to the question come first."""
    stream: bool = False
    """Answer with the events of the run as they come."""
    run_async: Annotated[bool, Field(alias="async")] = False
    """Answer at once with where the run can be followed."""

    @property
    def all_limits(self) -> Limits:
        """The limits of the group, and those next to the question in their place."""
        return merge_limits(self.limits.given, self.given)


class VerifiedSource(BaseModel):
    """A citation that carries a sentence of the answer."""

    id: Annotated[str, Field(examples=["[1]"])]
    title: str
    type: str
    location: str


class CitedPassage(BaseModel):
    """A citation with the words it rests on."""

    id: int
    title: str
    url: str
    type: str
    location: str
    quote: str
    locator: str = ""
    retrieved_at: str = ""


class RunUsage(BaseModel):
    """What a run used."""

    iterations: int = 0
    queries: int = 0
    sources_read: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    model_calls: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0


class AgentResponse(BaseModel):
    """The answer of ``POST /run``."""

    run_id: str
    summary: str
    """The answer; kept for older clients."""
    final_answer: str
    sources: tuple[VerifiedSource, ...]
    """Verified citations only."""
    citations: tuple[CitedPassage, ...]
    status: AnswerStatus
    stop_reason: StopReason
    confidence: Confidence
    direct: Direct
    gaps: tuple[str, ...]
    nearest: tuple[Nearby, ...] = ()
    """Where to look when nothing answers the question; none is an answer."""
    warnings: tuple[RunWarning, ...]
    usage: RunUsage
    metadata: Mapping[str, JsonValue]
    """``timestamp``, ``model`` and ``token_count`` of the synthesis."""


class JobAccepted(BaseModel):
    """A run that was accepted, and where to follow it."""

    job_id: str
    run_id: str
    status: TraceStatus
    status_url: str
    events_url: str


class RunState(BaseModel):
    """The status of a run."""

    run_id: str
    job_id: str
    tool: str
    """``deep_research``, or ``check_text`` for a check."""
    question: str
    status: TraceStatus
    progress: Annotated[float, Field(ge=0, le=1)]
    stage: str | None
    waits_for: InquiryKind | None = None
    """What it asks its user, where it goes on only with a reply."""
    queue_position: int | None = None
    """How many runs go before it, from 0; null once it has begun."""
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    error: str | None
    tags: tuple[str, ...]
    pinned: bool
    shared: bool
    last_seq: int
    """Number of its last event so far."""
    answer_status: AnswerStatus | None = None
    """Of a completed run."""
    summary: str = ""
    """The answer of a completed run."""
    request: Mapping[str, JsonValue]
    metrics: Mapping[str, JsonValue]


class RunList(BaseModel):
    """One page of runs, the latest first."""

    runs: tuple[RunState, ...]
    after: str | None
    """Asks for the next page; null on the last."""


class LabelForm(Form):
    """Changes to the labels of a run; what is left out stays."""

    tags: (
        Annotated[
            tuple[Annotated[str, StringConstraints(min_length=1, max_length=50)], ...],
            Field(max_length=20),
        ]
        | None
    ) = None
    pinned: bool | None = None


class ReplyForm(Form):
    """An answer to what a run has asked back."""

    inquiry_id: Annotated[
        str, Field(max_length=64, description="The number (`seq`) of the event `inquiry_raised`.")
    ]
    reply: Reply


class SharedLink(BaseModel):
    """A link under which anybody can read one report."""

    url: str
    """The report as JSON; with ``?format=``, in one of the export formats."""
    page_url: str
    """The page that shows it to a person."""


class RunEvent(RootModel[events.RunEvent]):
    """One event of the log of a run."""


class SearchForm(Form):
    """One query, searched as it is."""

    query: Question
    folders: FolderIds = ()
    providers: Names = ()
    limit: Annotated[int, Field(ge=1, le=100)] = 10


MAX_CHECKED_CHARS = 500_000
"""Characters of a text that is checked."""


class CheckForm(Form):
    """A text to check against what it cites."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHECKED_CHARS)]
    """Markdown or plain text with citations."""
    folders: FolderIds = ()
    look_up: bool = False
    """Search the folders for sources of sentences that cite nothing; without any, all folders of
    the operator and the caller."""
    model: Annotated[str | None, Field(max_length=200)] = None
    """A language model that judges every sentence that is not quoted; none when left out."""
    max_reads: Annotated[int, Field(ge=0, le=200)] = 50
    max_time_s: Annotated[float, Field(gt=0, le=600)] = 120.0
    run_async: Annotated[bool, Field(alias="async")] = False
    """Answer at once with where the check can be followed, which is then made like a run."""


def usage_of(calls: tuple[ModelCall, ...]) -> tuple[int, int, float]:
    """Return the tokens in, the tokens out and the dollars of ``calls``."""
    return (
        sum(call.usage.prompt_tokens for call in calls),
        sum(call.usage.completion_tokens for call in calls),
        sum(call.cost_usd or 0.0 for call in calls),
    )
