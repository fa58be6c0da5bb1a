"""Which model, and how it is reached."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Annotated, Self

from pydantic import Field, SecretStr

from quaere.domain.value import Value
from quaere.errors import SettingsError
from quaere.models.vendors import VENDORS, Vendor

_MODEL = re.compile(r"[^\s\x00-\x1f\x7f]{1,200}")


class ModelSpec(Value):
    """A vendor of `VENDORS` and one of its models."""

    vendor: str
    model: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the spec that is written ``vendor:model``; the model may have colons of its own.

        Raises:
            SettingsError: when it is of another form, or the vendor is unknown.
        """
        vendor, colon, model = text.strip().partition(":")
        vendor, model = vendor.strip().lower(), model.strip()
        if not colon or not vendor or not _MODEL.fullmatch(model):
            meant = _vendor_of(vendor) if not colon else ""
            advice = (
                f"did you mean {meant}:{text.strip()}?"
                if meant
                else "write vendor:model, such as openai:gpt-4.1-mini or ollama:llama3.2:3b."
            )
            raise SettingsError(f"{_shown(text)} is not a model name: {advice}")
        if vendor not in VENDORS:
            raise _unknown(vendor, model)
        return cls(vendor=vendor, model=model)

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return f"{self.vendor}:{self.model}"

    @property
    def about(self) -> Vendor:
        """What is known of the vendor."""
        return VENDORS[self.vendor]


def _unknown(vendor: str, model: str) -> SettingsError:
    near = get_close_matches(vendor, VENDORS, n=1)
    guess = f" Did you mean {near[0]}:{model}?" if near else ""
    return SettingsError(
        f"There is no vendor {_shown(vendor)}.{guess}"
        f" Known are {', '.join(VENDORS)}; any other service that speaks OpenAI's"
        " protocol is compatible:MODEL with a base URL."
    )


class ModelAccess(Value):
    """How a model is reached, and what may be asked of it."""

    base_url: str = ""
    """Empty for the vendor's own."""
    api_key: SecretStr = SecretStr("")
    context_tokens: Annotated[int, Field(ge=1)] | None = None
    """Tokens that prompt and completion may have together; ``None`` for what is known of it."""
    timeout_s: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 120.0
    """Seconds that a call may take, from its first byte to its last."""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = 0.0
    """Given to models that take one; ``None`` to give none."""


_FAMILIES = (
    (r"gpt-oss|llama|qwen|gemma|phi|smol", "ollama"),
    (r"gpt-|o\d|chatgpt", "openai"),
    (r"claude-", "anthropic"),
    (r"gemini-", "google"),
    (r"deepseek-", "deepseek"),
    (r"(?:open-)?(?:mi[sx]tral|magistral|ministral|devstral|codestral)", "mistral"),
)
"""Beginnings of models' names, and whose they are."""


def _vendor_of(model: str) -> str:
    """Return the vendor whose models have names like ``model``; empty where that is not clear."""
    return next((vendor for names, vendor in _FAMILIES if re.match(names, model.lower())), "")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:79]}…")
