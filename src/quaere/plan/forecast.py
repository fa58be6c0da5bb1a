"""Says beforehand what a run may take: model calls, tokens, money, searches and pages.

The low end is a question that the first look answers and a model that writes what is asked and no
more. The high end uses up the budget, with models that think up to their limits before they write.
A round of repair after an answer that could not be used comes on top of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from quaere.domain.budget import ANSWERING_EARLY, Amount, Budget, ProfileName
from quaere.domain.model import Prices, Usage
from quaere.domain.value import Count, Value


class Counts(Value):
    """How many: at least ``low`` and at most ``high``."""

    low: Count
    high: Count

    def __add__(self, other: Counts) -> Counts:
        return Counts(low=self.low + other.low, high=self.high + other.high)

    def __mul__(self, other: Counts) -> Counts:
        return Counts(low=self.low * other.low, high=self.high * other.high)

    def up_to(self, limit: int) -> Counts:
        """Return the part that is not above ``limit``."""
        return Counts(low=min(self.low, limit), high=min(self.high, limit))


class Dollars(Value):
    """How much money: at least ``low`` and at most ``high``."""

    low: Amount
    high: Amount


PROMPT_TOKENS = Counts(low=800, high=1_500)
"""Instructions, question and the schema of the answer: the prompts of the steps take some 500
tokens, a question with its checklist and plan as many more."""

PASSAGE_TOKENS = Counts(low=190, high=310)
"""A passage has 115 words by intent and at most 200 (`quaere.read.chunker`), at four tokens
for three words; its frame of title, id and marks takes 40."""

FOUND_SHARE = 3
"""A question that is answered at once is shown one in so many of the sources it could be."""

JUDGED_TOKENS = Counts(low=250, high=4_000)
"""Ticks, ids and queries; the high end is the limit given to models that think."""

WORD_TOKENS = Counts(low=2, high=6)
"""What a word of an answer takes with the ids of its evidence; the high end is the limit."""


class StepForecast(Value):
    """What one kind of call may use in a run, all its calls together."""

    step: str
    model: str
    calls: Counts
    prompt_tokens: Counts
    completion_tokens: Counts
    cost_usd: Dollars | None
    """``None`` where no price is known."""


class Forecast(Value):
    """What a run may use. Totals stay within the budget, which ends a run before it is over."""

    steps: tuple[StepForecast, ...]
    calls: Counts
    tokens: Counts
    """Of prompts and completions."""
    cost_usd: Dollars | None
    """``None`` when a price is missing."""
    unpriced: tuple[str, ...]
    """Models whose price is not known; with a limit in money none of them is called."""
    queries: Counts
    searches: Counts
    """Queries times the providers that each of them is put to."""
    pages: Counts
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """The limit in time."""


def forecast(
    budget: Budget,
    profile: ProfileName,
    models: Mapping[str, str],
    prices: Prices,
    *,
    providers: int = 1,
) -> Forecast:
    """Return what a run within ``budget`` may take.

    Args:
        budget: The limits.
        profile: Decides whether the writing call may be saved.
        models: Names by step (``plan``, ``evaluate``, ``synthesize``, ``check``); a step without
            one calls no model.
        prices: What the models cost.
        providers: Search providers that each query is put to.
    """
    steps = tuple(_steps(budget, profile, models, prices))
    queries = Counts(low=1, high=budget.max_queries)
    nothing = Counts(low=0, high=0)
    return Forecast(
        steps=steps,
        calls=sum((step.calls for step in steps), nothing),
        tokens=sum((step.prompt_tokens + step.completion_tokens for step in steps), nothing).up_to(
            budget.token_budget
        ),
        cost_usd=_total([step.cost_usd for step in steps], budget.max_cost_usd),
        unpriced=tuple(dict.fromkeys(s.model for s in steps if s.cost_usd is None)),
        queries=queries,
        searches=queries * Counts(low=providers, high=providers),
        pages=Counts(low=0, high=budget.max_reads),
        seconds=budget.max_execution_time_s,
    )


def _steps(
    budget: Budget, profile: ProfileName, models: Mapping[str, str], prices: Prices
) -> Iterable[StepForecast]:
    shown = Counts(low=-(-budget.max_sources // FOUND_SHARE), high=budget.max_sources)
    checked = Counts(low=1, high=budget.max_citations)
    words = Counts(low=budget.answer_words, high=budget.answer_words)
    written = words * WORD_TOKENS
    early = profile in ANSWERING_EARLY
    judged = JUDGED_TOKENS + written if early else JUDGED_TOKENS
    written = Counts(low=written.low, high=max(written.high, JUDGED_TOKENS.high))
    sizes = {
        "plan": (Counts(low=1, high=1), shown, judged),
        "evaluate": (Counts(low=0, high=budget.max_iters - 1), shown, judged),
        "synthesize": (Counts(low=not early, high=1), shown, written),
        "check": (Counts(low=0, high=1), checked, JUDGED_TOKENS),
    }
    for step, (calls, passages, completion) in sizes.items():
        if step in models and calls.high:
            prompt = calls * (PROMPT_TOKENS + passages * PASSAGE_TOKENS)
            yield _step(step, models[step], calls, prompt, calls * completion, prices)


def _step(
    step: str, model: str, calls: Counts, prompt: Counts, completion: Counts, prices: Prices
) -> StepForecast:
    low = prices.cost(model, Usage(prompt_tokens=prompt.low, completion_tokens=completion.low))
    high = prices.cost(model, Usage(prompt_tokens=prompt.high, completion_tokens=completion.high))
    return StepForecast(
        step=step,
        model=model,
        calls=calls,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost_usd=None if low is None or high is None else Dollars(low=low, high=high),
    )


def _total(costs: Iterable[Dollars | None], limit: float | None) -> Dollars | None:
    low = high = 0.0
    for cost in costs:
        if cost is None:
            return None
        low, high = low + cost.low, high + cost.high
    if limit is not None:
        low, high = min(low, limit), min(high, limit)
    return Dollars(low=low, high=high)
