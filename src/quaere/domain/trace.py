"""What is kept of a run: its owner, its question, how far it came, and its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from quaere.domain.evidence import Evidence
from quaere.domain.team import InquiryKind
from quaere.domain.value import PageText, QuestionText, Value

TOOL = "deep_research"
"""Name of the tool that research runs are kept under (R4.3)."""
CHECK_TOOL = "check_text"
"""Name of the tool that runs are kept under which check a text."""
WAITS_FOR = "waits_for"
"""Name in the state of a run for what it asks the user, while it waits for a reply."""


class TraceStatus(StrEnum):
    """The status of a run."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The process that ran it is gone; what it had done is kept."""


ENDED = frozenset({TraceStatus.COMPLETED, TraceStatus.FAILED, TraceStatus.CANCELLED})
"""How a run stands that nothing is added to any more."""


OwnerId = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Owner(Value):
    """Whose a trace is: of one user, as a member of one organization or of none."""

    user: OwnerId = "local"
    org: OwnerId | None = None


class Trace(Value):
    """A row of ``tool_traces`` (R4.3). Times are in UTC."""

    id: str
    user_id: str
    org_id: str | None = None
    tool_name: str
    input_params: Mapping[str, JsonValue] = {}
    status: TraceStatus = TraceStatus.PENDING
    progress: Annotated[float, Field(ge=0, le=1)] = 0.0
    current_stage: str | None = None
    state: Mapping[str, JsonValue] = {}
    result: Mapping[str, JsonValue] | None = None
    error_message: str | None = None
    created_at: datetime
    started_at: datetime | None = None
    completed_at: datetime | None = None
    metrics: Mapping[str, JsonValue] = {}
    graph_version: str | None = None
    """The version of Quaere that made the last steps of the run; None before the first."""
    fence: Annotated[int, Field(ge=0)] = 0
    """Grows whenever a worker takes the run over; who knows a lower one may write no more."""
    lease_owner: str | None = None
    lease_until: datetime | None = None
    last_seq: Annotated[int, Field(ge=0)] = 0
    """Number of the last event that is kept."""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    """Whether it is kept whatever its age."""
    share: str | None = None
    """What its read-only link carries; None while nobody else may read it."""

    @property
    def waits_for(self) -> InquiryKind | None:
        """What the user is asked, where the run goes on only with a reply."""
        kind = self.state.get(WAITS_FOR) if self.status is TraceStatus.IN_PROGRESS else None
        return InquiryKind(str(kind)) if kind in tuple(InquiryKind) else None

    @property
    def question(self) -> str:
        """What was asked; empty for a tool that takes no question."""
        asked = self.input_params.get("question")
        return asked if isinstance(asked, str) else ""


class TraceList(Value):
    """One page of a list of traces, the latest first."""

    traces: tuple[Trace, ...]
    following: str | None = None
    """Asks for the page after this one; None on the last."""


class Source(Value):
    """A passage that evidence rests on, as it was when it was selected first."""

    evidence: Evidence
    topic: QuestionText = ""
    start: Annotated[int, Field(ge=0)] = 0
    end: Annotated[int, Field(ge=0)] = 0
    content_hash: str = ""
    """Hash of the page it was cut from."""
    retrieved_at: str = ""
    published: str = ""
    provided: bool = False
    text: PageText = ""
    """Empty where page text is not to be kept."""
