"""What models cost: list prices, and the arithmetic of a call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from quaere.domain.budget import Amount
from quaere.domain.model import Usage
from quaere.domain.value import Value

PER = 1_000_000
"""Tokens that prices are given for."""

_VERSION = re.compile(r"[-@]\d{3,}(?:-[\w-]*)?")


class Price(Value):
    """Dollars for a million tokens of one model."""

    input_usd: Amount
    output_usd: Amount
    cached_usd: Amount | None = None
    """For a prompt's tokens that come from the vendor's cache; as ``input_usd`` when not given."""

    def cost(self, usage: Usage) -> float:
        """Return the dollars that ``usage`` costs; more prompt or completion is never cheaper."""
        cached = min(usage.cached_tokens, usage.prompt_tokens)
        cached_usd = self.input_usd if self.cached_usd is None else self.cached_usd
        return (
            (usage.prompt_tokens - cached) * self.input_usd
            + cached * cached_usd
            + usage.completion_tokens * self.output_usd
        ) / PER


class Prices(Value):
    """Prices by name of model, ``vendor:model``."""

    models: Mapping[Annotated[str, Field(min_length=1)], Price] = {}
    """A name that ends with a colon or a slash stands for all that begin with it. Any other stands
    for itself and its dated versions, such as ``-2025-08-07`` or ``@20250929``: what only begins
    alike, as ``gpt-5-pro`` does, is another model at another price, and what ``-latest`` means
    changes."""

    def of(self, model: str) -> Price | None:
        """Return the price of ``model`` by the longest name that matches it, if any does."""
        names = [name for name in self.models if _stands_for(name, model)]
        return self.models[max(names, key=len)] if names else None

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return the dollars that ``usage`` of ``model`` costs, ``None`` if no price is known."""
        price = self.of(model)
        return None if price is None else price.cost(usage)

    def extended(self, other: Prices) -> Prices:
        """Return these prices with those of ``other`` added and in place of equal names."""
        return Prices(models={**self.models, **other.models})


NO_PRICES = Prices()


def _stands_for(name: str, model: str) -> bool:
    if not model.startswith(name):
        return False
    rest = model[len(name) :]
    return not rest or name.endswith((":", "/")) or _VERSION.fullmatch(rest) is not None
