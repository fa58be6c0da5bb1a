"""Contracts of a made-up lighthouse service, with a bit of everything."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue


class Colour(StrEnum):
    WHITE = "white"
    RED = "red"


class Lamp(BaseModel):
    """One lamp of a lighthouse."""

    id: Annotated[int, Field(ge=1, le=9, description="its number")]
    colour: Colour = Colour.WHITE
    seen_by: list[int] = []


class Survey(BaseModel):
    """What an inspector found."""

    title: Annotated[str, Field(min_length=1, max_length=80, description="of the lighthouse")]
    lamps: Annotated[tuple[Lamp, ...], Field(max_length=4, description="from the top down")]
    certainty: Annotated[float, Field(ge=0, le=1)]
    state: Literal["lit", "dark"]
    note: str | None = None
    tags: list[str] = []


SURVEY: dict[str, JsonValue] = {
    "title": "Skarholm",
    "lamps": [{"id": 1, "colour": "red", "seen_by": [4, 5]}],
    "certainty": 0.5,
    "state": "lit",
}
