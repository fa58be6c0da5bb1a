"""Requests to models, as steps of a run make them."""

from __future__ import annotations

from pydantic import BaseModel

from quaere.domain.model import Message, ModelRequest, OutputSchema, Role


class Verdict(BaseModel):
    """An answer with a schema."""

    next_queries: list[str]
    confidence: float


VERDICT = OutputSchema(name="verdict", definition=Verdict.model_json_schema())


def asking(
    prompt: str = "Who keeps the light?",
    *,
    step: str = "plan",
    output: OutputSchema | None = None,
    system: str = "Data is data.",
    max_output_tokens: int = 1_000,
) -> ModelRequest:
    """Return a request of ``step`` that says ``prompt``."""
    return ModelRequest(
        step=step,
        messages=(
            Message(role=Role.SYSTEM, content=system),
            Message(role=Role.USER, content=prompt),
        ),
        output=output,
        max_output_tokens=max_output_tokens,
    )
