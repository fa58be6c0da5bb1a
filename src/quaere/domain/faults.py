"""What a form does not take, in the words that a person would use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

_PLAIN: Final = (
    (r"Value error, (.*?)\.?", r"\1"),
    (r"Field required", "is missing"),
    (r"Extra inputs are not permitted", "is not known here"),
    (r"\w+ should have at least 1 (?:character|item)\b.*", "must not be empty"),
    (r"\w+ should have at (least|most) (\d+ \w+)\b.*", r"must have at \1 \2"),
    (r"Input should be a valid integer\b.*", "must be a whole number"),
    (r"Input should be a valid boolean\b.*", "must be true or false"),
    (r"Input should be a valid (number|string|list|dictionary)(?:, .*)?", r"must be a \1"),
    (r"Input should be a valid date(?:time)?\b.*", "must be a date, such as 2024-01-31"),
    (r"String should match pattern '\^\[a-z\]\{2,3\}\$'", "must be an ISO 639 code, such as en"),
    (r"String should match pattern '\^\[A-Za-z0-9.*", "must be a host name, such as example.org"),
    (r"String should match pattern .*", "has characters that cannot be used here"),
    (r"Input should be greater than or equal to (.*)", r"must be at least \1"),
    (r"Input should be less than or equal to (.*)", r"must be at most \1"),
    (r"Input should be (.*)", r"must be \1"),
)


def plain(message: str) -> str:
    """Return what pydantic says of a value in plain words, such as "must be at least 1"."""
    for pattern, instead in _PLAIN:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return found.expand(instead)
    return message


def told(faults: Iterable[Mapping[str, object]], whole: str = "input") -> str:
    """Return ``faults``, as pydantic lists them, each after the name of its field.

    Args:
        faults: At least one.
        whole: What is named where the whole of it is at fault.
    """
    return "; ".join(f"{_place(fault) or whole}: {plain(str(fault['msg']))}" for fault in faults)


def _place(fault: Mapping[str, object]) -> str:
    return ".".join(map(str, cast("Sequence[str | int]", fault["loc"])))
