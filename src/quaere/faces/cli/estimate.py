"""Shows what a run may take: ``quaere ask --dry-run``."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.plan.forecast import Counts, Dollars, StepForecast
from quaere.runtime.estimate import Estimate
from quaere.synthesize.wording import format_usd
from quaere.view.layout import columns, counted


def told(made: Estimate) -> str:
    """Return ``made`` as lines for a person."""
    return "\n".join(filter(None, _parts(made))) + "\n"


def _parts(made: Estimate) -> Iterator[str]:
    said = made.forecast
    chosen = "" if made.chosen else "; planning may choose another unless --profile is given"
    yield f"{made.profile} profile{chosen}"
    if said.steps:
        heads = ("step", "model", "calls", "tokens in", "tokens out", "cost")
        yield f"\n{columns([heads, *map(_row, said.steps)])}"
        yield (
            f"In total: {_between(said.calls)} model calls, {_between(said.tokens)} tokens, "
            f"{_cost(said.cost_usd)}."
        )
    else:
        yield "No model is used: only searches may cost anything."
    yield (
        f"Searches: {_between(said.searches)} ({counted(said.queries.high, 'query', 'queries')} "
        f"at most, each to {', '.join(made.providers)})."
    )
    yield f"Pages read: {_between(said.pages)}. Time: at most {said.seconds:g} s."
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
    low, high = format_usd(cost.low), format_usd(cost.high)
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
