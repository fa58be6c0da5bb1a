"""The base of every value that the engine passes around."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen, strictly shaped value: no mutation, no unknown field, cheap to compare."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


def encodable(text: str) -> str:
    """Return ``text`` with "?" for every lone surrogate, so that it can be written as UTF-8.

    They come from file names and broken pages; offsets into the text stay as they are.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


Outside = Annotated[str, AfterValidator(encodable)]
"""Text from outside: what a person typed, a page says or a file is called."""
