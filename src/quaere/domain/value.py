"""The base of every value that the engine passes around, and its faults in plain words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Final, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


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


def at_home(path: Path) -> Path:
    """Return ``path`` with the user's home in place of a "~" at its beginning.

    A shell leaves that as it is in ``--docs=~/notes``, and no shell reads files of settings.
    """
    try:
        return path.expanduser()
    except RuntimeError:  # "~nobody": there is no such user
        return path


def comma_separated(value: object) -> object:
    """Return the parts of a text between commas; any other ``value`` as it is."""
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def text_hash(text: str) -> str:
    """Return the SHA-256 of ``text``, with any lone surrogates, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


Outside = Annotated[str, AfterValidator(encodable)]
"""Text from outside: what a person typed, a page says or a file is called."""


class Sensitivity(Enum):
    """What a text may give away; stands as an annotation on the field that holds it.

    Addresses, titles and handles carry none: they are kept with every trace.
    """

    QUESTION = "question"
    """What was asked, or the same in other words. May hold a key that somebody typed."""
    PAGE_TEXT = "page_text"
    """Words of a source."""
    MESSAGE = "message"
    """What a service, a library or a reasoner said. May hold a key that it repeats."""
    SUBJECT = "subject"
    """What a warning is about: an address, or a query where the warning ``concerns_query``."""
    FILE = "file"
    """Where a file is. Names of files are like hashes, which look like keys."""


QuestionText = Annotated[str, Sensitivity.QUESTION]
PageText = Annotated[str, Sensitivity.PAGE_TEXT]
MessageText = Annotated[str, Sensitivity.MESSAGE]


_PLAIN: Final = (
    (r"Value error, (.*?)\.?", r"\1"),
    (r"Field required", "is missing"),
    (r"Extra inputs are not permitted", "is not known here"),
    (r"\w+ should have at least 1 (?:character|item)\b.*", "must not be empty"),
    (r"\w+ should have at (least|most) (\d+ \w+)\b.*", r"must have at \1 \2"),
    (r"JSON decode error", "must be valid JSON"),
    (r"Input should be a valid string, unable to parse .*", "has characters that are not text"),
    (r"Input is not a valid path\b.*", "must be a path"),
    (r"Input should be a valid integer\b.*", "must be a whole number"),
    (r"Unable to parse input string as an integer, exceeded maximum size", "is too large"),
    (r"Input should be a valid boolean\b.*", "must be true or false"),
    (r"Input should be a valid (number|string|list)(?:, .*)?", r"must be a \1"),
    (r"Input should be a valid tuple\b.*", "must be a list"),
    (r"Input should be a valid dictionary\b.*", "must be an object of names and values"),
    (r"Input should be a valid date(?:time)?\b.*", "must be a date, such as 2024-01-31"),
    (r"String should match pattern '\^\[a-z\]\{2,3\}\$'", "must be an ISO 639 code, such as en"),
    (r"String should match pattern '\^\[A-Za-z0-9.*", "must be a host name, such as example.org"),
    (r"String should match pattern .*", "has characters that cannot be used here"),
    (r"Input should be greater than or equal to (.*)", r"must be at least \1"),
    (r"Input should be less than or equal to (.*)", r"must be at most \1"),
    (r"Input should be (.*)", r"must be \1"),
)


def fault_in_words(message: str) -> str:
    """Return what pydantic says of a value in plain words, such as "must be at least 1"."""
    for pattern, instead in _PLAIN:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return found.expand(instead)
    return message


def faults_in_words(faults: Iterable[Mapping[str, object]], whole: str = "input") -> str:
    """Return ``faults``, as pydantic lists them, each after the name of its field.

    Args:
        faults: At least one.
        whole: What is named where the whole of it is at fault; empty for nothing.
    """
    named = ((".".join(map(str, place)) or whole, said) for place, said in plain_faults(faults))
    return "; ".join(f"{name}: {said}" if name else said for name, said in named)


Place = tuple[str | int, ...]
"""The way to a field: names of fields and numbers in lists."""
_KIND = re.compile(
    r"str|int|float|bool|constrained-\w+|(?:list|tuple|dict|literal|function-\w+)\[.*"
)
"""What pydantic puts into the place of a fault where a field may be of several kinds."""


def plain_faults(faults: Iterable[Mapping[str, object]]) -> Sequence[tuple[Place, str]]:
    """Return the places of ``faults``, as pydantic lists them, and in plain words what is wrong.

    A field that may be of several kinds has a fault for each of them. Those that lead furthest
    into it are kept, which is the kind that was meant, as one: "must be a string or a list".
    """
    by_field: dict[Place, dict[Place, list[str]]] = {}
    for fault in faults:
        whole = tuple(cast("Sequence[str | int]", fault["loc"]))
        kinds = [at for at, part in enumerate(whole) if at and _KIND.fullmatch(str(part))]
        place = tuple(part for at, part in enumerate(whole) if at not in kinds)
        alike = by_field.setdefault(whole[: kinds[0]] if kinds else whole, {})
        alike.setdefault(place, []).append(fault_in_words(str(fault["msg"])))
    told: list[tuple[Place, str]] = []
    for alike in by_field.values():
        place = max(alike, key=len)
        first, *others = dict.fromkeys(alike[place])
        others = [each.removeprefix("must be ") for each in others]
        told.append((place, " or ".join([first, *others])))
    return told
