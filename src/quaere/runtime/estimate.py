"""What a run may take, said before it is made: ``quaere ask --dry-run``."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quaere.domain.budget import Budget, Limits, merge_limits
from quaere.domain.profile import ProfileName
from quaere.domain.value import Value
from quaere.faces.cli.deliver import json
from quaere.faces.cli.environment import settle
from quaere.faces.cli.output import Format
from quaere.faces.cli.terminal import emit
from quaere.models.pricing import known_prices
from quaere.models.spec import ModelSpec
from quaere.plan.forecast import Counts, Dollars, Forecast, StepForecast, forecast
from quaere.plan.tiers import choose_tier
from quaere.runtime.wiring import build_sources
from quaere.runtime.wiring_models import named_models
from quaere.synthesize.ledger import dollars
from quaere.view.layout import columns, counted

if TYPE_CHECKING:
    from quaere.runtime.settings import Settings
    from quaere.runtime.wiring import Sources


class Estimate(Value):
    """A forecast, and what it is made for."""

    profile: ProfileName
    chosen: bool
    """Whether the profile was asked for; if not, planning may choose another."""
    budget: Budget
    providers: tuple[str, ...]
    forecast: Forecast


def foretell(  # noqa: PLR0913 (goes with its move)
    *,
    docs: Sequence[Path],
    providers: Sequence[str],
    model: str | None,
    profile: ProfileName | None,
    limits: Limits,
    form: Format,
    debug: bool,
) -> None:
    """Write to standard output what a run may take, as JSON or else as text; see `estimate`."""
    settings = settle(debug=debug)
    made = estimate(
        settings,
        docs=docs,
        providers=providers,
        model=model,
        profile=profile or settings.profile,
        limits=merge_limits(settings.limits, limits),
    )
    emit(json(made) if form is Format.JSON else told(made))


def estimate(
    settings: Settings,
    *,
    docs: Sequence[Path] = (),
    providers: Sequence[str] = (),
    model: str | None = None,
    profile: ProfileName | None = None,
    limits: Limits,
) -> Estimate:
    """Return what a run may take, without asking anybody; a model needs neither key nor client.

    Raises:
        UsageError: when a folder, a provider, a model or a limit cannot be used.
    """
    tier = choose_tier(profile, None)
    budget = settings.profiles[tier].override(limits)
    names = {
        step: ModelSpec.parse(name).name for step, name in named_models(settings, model).items()
    }
    searched = asyncio.run(_names(build_sources(settings, docs=docs, providers=providers)))
    return Estimate(
        profile=tier,
        chosen=profile is not None,
        budget=budget,
        providers=searched,
        forecast=forecast(
            budget, tier, names, known_prices(settings.prices), providers=len(searched)
        ),
    )


async def _names(sources: Sources) -> tuple[str, ...]:
    async with sources:
        return tuple(provider.name for provider in sources.providers)


def told(made: Estimate) -> str:
    """Return ``made`` as lines for a person."""
    return "\n".join(filter(None, _parts(made))) + "\n"


def _parts(made: Estimate) -> Iterator[str]:
    said = made.forecast
    chosen = "" if made.chosen else "; planning may choose another one, --profile keeps it"
    yield f"{made.profile} profile{chosen}"
    if said.steps:
        heads = ("step", "model", "calls", "tokens in", "tokens out", "cost")
        yield f"\n{columns([heads, *map(_row, said.steps)])}"
        yield (
            f"In all {_between(said.calls)} model calls, {_between(said.tokens)} tokens, "
            f"{_cost(said.cost_usd)}."
        )
    else:
        yield "No model is named: this costs nothing but searches."
    yield (
        f"Searches: {_between(said.searches)} ({counted(said.queries.high, 'query', 'queries')} "
        f"at the most, each to {', '.join(made.providers)})."
    )
    yield f"Pages read: {_between(said.pages)}. Time: {said.seconds:g} s at the most."
    yield from (_unpriced(name, made.budget.max_cost_usd) for name in said.unpriced)


def _row(step: StepForecast) -> tuple[str, ...]:
    return (
        step.step,
        step.model,
        _between(step.calls),
        _between(step.prompt_tokens),
        _between(step.completion_tokens),
        _cost(step.cost_usd),
    )


def _between(counts: Counts) -> str:
    low, high = f"{counts.low:,}", f"{counts.high:,}"
    return low if low == high else f"{low} to {high}"


def _cost(cost: Dollars | None) -> str:
    if cost is None:
        return "price not known"
    low, high = dollars(cost.low), dollars(cost.high)
    return low if low == high else f"{low} to {high}"


def _unpriced(model: str, limit_usd: float | None) -> str:
    kept = (
        ""
        if limit_usd is None
        else f", so --max-cost {limit_usd:g} would let no call of it be made"
    )
    return (
        f"The price of {model} is not known{kept}. Give it in the JSON file that QUAERE_PRICES "
        f'names, in dollars for a million tokens: {{"models": {{"{model}": {{"input_usd": 0, '
        '"output_usd": 0}}}'
    )
