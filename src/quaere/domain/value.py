"""The base of every value that the engine passes around."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen, strictly shaped value: no mutation, no unknown field, cheap to compare."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")
