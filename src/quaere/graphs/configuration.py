"""What an operator may set of the supervisor, as LangGraph hands it to the nodes."""

from __future__ import annotations

from typing import Annotated, Self

from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ConfigDict, Field


class Configuration(BaseModel):
    """How a supervisor researches; the names are those of requirement R1."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    max_researcher_iterations: Annotated[int, Field(ge=1, le=10)] = 3
    """Times that the supervisor may send researchers out."""
    max_react_tool_calls: Annotated[int, Field(ge=1, le=30)] = 5
    """Searches that one researcher may make."""
    max_concurrent_research_units: Annotated[int, Field(ge=1, le=20)] = 5
    """Researchers at work side by side."""
    enable_early_termination: bool = True
    min_novelty_threshold: Annotated[float, Field(ge=0.0, le=1.0)] = 0.15
    duplicate_topic_similarity_threshold: Annotated[float, Field(ge=0.0, le=1.0)] = 0.75
    allow_clarification: bool = False
    """Whether the supervisor may ask the asker back."""
    approve_plan: bool = False
    """Whether the first topics are shown for approval."""

    @classmethod
    def from_runnable_config(cls, config: RunnableConfig | None = None) -> Self:
        """Return what the ``configurable`` part of ``config`` sets, and defaults for the rest."""
        given = (config or {}).get("configurable", {})
        return cls.model_validate({k: v for k, v in given.items() if k in cls.model_fields})
