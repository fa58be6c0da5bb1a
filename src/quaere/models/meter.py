"""Counts what the model calls of one run take and cost, and stops them before they take too much.

By list prices that come with the package, and those of a user's own file.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from quaere.domain.budget import Spend
from quaere.domain.model import (
    NO_PRICES,
    NO_TRAITS,
    NOT_WAITED_FOR,
    Completion,
    ModelCall,
    ModelRequest,
    Prices,
    Traits,
    Usage,
)
from quaere.domain.value import Value, faults_in_words
from quaere.errors import (
    BudgetExceeded,
    ModelTimeout,
    QuaereError,
    ReasonError,
    SettingsError,
    cause_of,
)
from quaere.models.failures import Refusals
from quaere.models.guard import BETWEEN_NAMES
from quaere.ports.forwarding import ForwardingModel
from quaere.ports.model import ChatModel, Ledger, Piece, released
from quaere.resilience.timing import REAL_TIME, Timing
from quaere.text.tokens import estimate_tokens

MOST_FAULTS = 3
"""Faults of a file that one message lists."""


class Source(Value):
    """Where prices come from."""

    url: str
    as_of: str
    """Year and month."""
    note: str = ""


class PriceList(Prices):
    """A file of prices. Only ``models`` is needed."""

    note: str = ""
    sources: Mapping[str, Source] = {}
    """By vendor."""


@lru_cache(maxsize=1)
def list_prices() -> PriceList:
    """Return the prices that come with the package, for main models at the time of its release."""
    text = files("quaere.models").joinpath("prices.json").read_text("utf-8")
    return PriceList.model_validate_json(text)


def known_prices(path: Path | None = None) -> Prices:
    """Return the list prices, with those of the JSON file at ``path`` added and in their place.

    Raises:
        SettingsError: when the file cannot be read or is not a valid price list.
    """
    return list_prices() if path is None else list_prices().extended(read_prices(path))


def read_prices(path: Path) -> PriceList:
    """Return the prices of the JSON file at ``path``.

    Raises:
        SettingsError: when it cannot be read or is not a valid price list, naming what is wrong.
    """
    try:
        return PriceList.model_validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise SettingsError(f"The prices at {path} cannot be read: {cause_of(error)}.") from error
    except ValidationError as error:
        raise SettingsError(f"{path} is not a valid price list: {_faults(error)}.") from error


def _faults(error: ValidationError) -> str:
    faults = error.errors()
    more = f"; and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
    return faults_in_words(faults[:MOST_FAULTS], "the file") + more


MESSAGE_TOKENS = 4
"""What a message takes besides its text: OpenAI's guide to counting tokens says three, and one for
the role."""

LEAST_RATIO = 0.5
"""Vendors that seem to count less than half of the estimate have left something out."""

RATIO_WEIGHT = 200
"""Tokens that the estimate is believed for before any were counted."""


def prompt_tokens(request: ModelRequest, traits: Traits = NO_TRAITS) -> int:
    """Return about how many tokens the prompt of ``request`` takes.

    The schema of the answer is included, unless the model with these ``traits`` is not shown it.
    """
    texts = [message.content for message in request.messages]
    if request.output is not None and not traits.schema_unseen:
        texts.append(json.dumps(request.output.definition, ensure_ascii=False))
    return sum(MESSAGE_TOKENS + estimate_tokens(text) for text in texts)


def spend_of(calls: Sequence[ModelCall]) -> Spend:
    """Return what ``calls`` have taken; one whose price is not known adds no money."""
    return Spend(
        tokens=sum(call.usage.total_tokens for call in calls),
        model_calls=len(calls),
        cost_usd=sum(call.cost_usd or 0.0 for call in calls),
    )


Listener = Callable[[ModelCall], None]
"""Takes a call that has ended."""


@dataclass(frozen=True, slots=True)
class _Hold:
    """What is kept for a call that is on its way."""

    model: str
    estimated: int
    """Tokens of the prompt as its caller estimated them."""
    tokens: int
    usd: float


@dataclass(slots=True)
class _Count:
    """Tokens of the prompts of one model."""

    estimated: int = RATIO_WEIGHT
    counted: int = RATIO_WEIGHT


class Meter:
    """The `quaere.ports.Ledger` of one run.

    ``admit`` keeps aside what a call may take, ``note`` puts what it did take in its place, so
    calls side by side cannot together take more than is left. Nothing may be spent before the
    first ``open``.
    """

    def __init__(self, prices: Prices = NO_PRICES) -> None:
        self._prices = prices
        self._tokens = 0
        self._usd: float | None = None
        self._spent = Spend()
        self._held: list[_Hold] = []
        self._calls: list[ModelCall] = []
        self._counts: defaultdict[str, _Count] = defaultdict(_Count)
        self.refusals = Refusals()
        """The models that the run is not to ask again."""
        self.listener: Listener | None = None
        """Takes each call as it ends."""

    def branch(self) -> Meter:
        """Return a meter for concurrent work: prices, counts and refusals in common.

        Each has to be opened with what it may spend, drained and listened to by itself.
        """
        other = Meter(self._prices)
        other._counts = self._counts
        other.refusals = self.refusals
        return other

    def open(self, tokens: int, usd: float | None) -> None:
        """Set what the run has left after all calls that were drained; ``None`` means no limit.

        Calls that are on their way, and those that ended since they were drained last, are still
        to be paid from it.
        """
        self._tokens, self._usd = tokens, usd
        self._spent = spend_of(self._calls)

    def admit(self, model: str, *, prompt_tokens: int, completion_tokens: int) -> None:
        """Let a call of that size begin and keep aside what it may take.

        The prompt is taken at what the vendor has counted so far for one estimated token.

        Raises:
            BudgetExceeded: when it may take more tokens or dollars than are left, or when dollars
                are limited and the price of ``model`` is not known.
            ModelUnusable: when ``model`` rejects every call.
        """
        self.refusals.check(model)
        prompt = math.ceil(prompt_tokens * self.ratio(model))
        tokens = prompt + completion_tokens
        left = self.tokens_left()
        if tokens > left:
            raise BudgetExceeded(
                f"a call to {model} may take {tokens:,} tokens, but only {left:,} are left"
            )
        usd = self._prices.cost(
            model, Usage(prompt_tokens=prompt, completion_tokens=completion_tokens)
        )
        self._check_money(model, usd)
        self._held.append(_Hold(model, prompt_tokens, tokens, usd or 0.0))

    def tokens_left(self) -> int:
        """Return the tokens that are neither spent nor kept aside for calls on their way."""
        held = sum(hold.tokens for hold in self._held)
        return max(0, self._tokens - self._spent.tokens - held)

    def note(self, call: ModelCall) -> None:
        """Take a call down that was made, with its cost where the price is known.

        What was kept aside for the oldest call of that model is free again.
        """
        hold = next((hold for hold in self._held if hold.model == call.model), None)
        if hold is not None:
            self._held.remove(hold)
            self._compare(hold, call)
        if call.cost_usd is None:
            cost = self._prices.cost(call.model, call.usage)
            call = call.model_copy(update={"cost_usd": cost})
        self._calls.append(call)
        self._spent += spend_of([call])
        if self.listener:
            self.listener(call)

    def _compare(self, hold: _Hold, call: ModelCall) -> None:
        """Record how many tokens the vendor counted for those that were estimated."""
        if call.usage.prompt_tokens and not call.usage.estimated:
            count = self._counts[call.model]
            count.estimated += hold.estimated
            count.counted += call.usage.prompt_tokens

    def failed(self, model: str, error: ReasonError) -> None:
        """Record that ``model`` raised ``error``; it may reject every call."""
        self.refusals.note(model, error)

    def drain(self) -> tuple[ModelCall, ...]:
        """Return the calls that ended since the last time, in the order in which they did."""
        calls = tuple(self._calls)
        self._calls.clear()
        return calls

    def ratio(self, model: str) -> float:
        """Return how many tokens ``model`` has counted for each one that was estimated.

        It begins at 1.0. For models in a row it is the largest, so that what fits one fits all.
        """
        counts = [self._counts.get(name, _Count()) for name in model.split(BETWEEN_NAMES)]
        return max(LEAST_RATIO, *(count.counted / count.estimated for count in counts))

    def _check_money(self, model: str, usd: float | None) -> None:
        if self._usd is None:
            return
        if usd is None:
            raise BudgetExceeded(
                f"the price of {model} is not known, so a cost limit cannot be kept; lift the "
                "limit, or give the price in the file that QUAERE_PRICES names, in dollars for a "
                f'million tokens: {{"models": {{"{model}": {{"input_usd": 0, "output_usd": 0}}}}}}'
            )
        left = self._usd - self._spent.cost_usd - sum(hold.usd for hold in self._held)
        if usd > left:
            raise BudgetExceeded(
                f"a call to {model} may cost ${usd:.4f}, but only ${max(0.0, left):.4f} is left"
            )


class MeteredModel(ForwardingModel):
    """One model for one run: each call is admitted by ``ledger`` and noted there, however it ends.

    It wraps each real model, inside a `FallbackModel`: each has a price of its own, and one
    that is too dear may be followed by a cheaper one. It stands outside of what keeps answers, so
    that a run that is resumed or replayed has the ledger of the whole run. Attempts that ``inner``
    makes by itself count as one.
    """

    def __init__(self, inner: ChatModel, ledger: Ledger, timing: Timing = REAL_TIME) -> None:
        super().__init__(inner)
        self._ledger = ledger
        self._timing = timing

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, unchecked.

        Raises:
            BudgetExceeded: instead of calling, when the call may take more than is left.
            ModelRejected: instead of calling, when it rejected every call of the run.
            ModelError: when there is no answer.
        """
        with self._booking(request) as booking:
            booking.completion = await self.inner.complete(request)
            return booking.completion

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece]:
        """Yield the answer piece by piece as text; the last item is the whole completion.

        Raises:
            BudgetExceeded: as ``complete``.
            ModelError: as ``complete``, also in the middle of the answer.
        """
        with self._booking(request) as booking:
            async with released(self.inner.stream(request)) as pieces:
                async for piece in pieces:
                    booking.take(piece)
                    yield piece

    def _booking(self, request: ModelRequest) -> _Booking:
        limit = request.max_output_tokens + self.thinking_tokens
        prompt = prompt_tokens(request, self.traits)
        return _Booking(self.name, request, (prompt, limit), self._ledger, self._timing)


class _Booking:
    """Admits a call on entering and notes it on leaving."""

    def __init__(
        self,
        model: str,
        request: ModelRequest,
        sizes: tuple[int, int],
        ledger: Ledger,
        timing: Timing,
    ) -> None:
        """Begin one whose prompt and whose answer take about ``sizes`` tokens."""
        self.completion: Completion | None = None
        self._model = model
        self._request = request
        self._ledger = ledger
        self._timing = timing
        self._prompt_tokens, self._limit = sizes
        self._begun_at = 0.0
        self._text: list[str] = []

    def take(self, piece: Piece) -> None:
        """Remember the outcome of the answer."""
        if isinstance(piece, Completion):
            self.completion = piece
        else:
            self._text.append(piece)

    def __enter__(self) -> Self:
        self._ledger.admit(
            self._model,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._limit,
        )
        self._begun_at = self._timing.monotonic()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, ReasonError):
            self._ledger.failed(self._model, error)
        self._ledger.note(
            ModelCall(
                step=self._request.step,
                model=self._model,
                usage=self._usage(error),
                seconds=max(0.0, self._timing.monotonic() - self._begun_at),
                error="" if self.completion is not None else _reason(error),
                attempt=self._request.attempt,
            )
        )

    def _usage(self, error: BaseException | None) -> Usage:
        """Return what the vendor counted, else what it has probably worked on."""
        if self.completion is not None and self.completion.usage.total_tokens:
            return self.completion.usage
        text = "".join(self._text) if self.completion is None else self.completion.text
        untouched = isinstance(error, QuaereError) and not isinstance(error, ModelTimeout)
        if untouched and not text:
            return Usage()
        return Usage(
            prompt_tokens=self._prompt_tokens,
            completion_tokens=estimate_tokens(text),
            estimated=True,
        )


def _reason(error: BaseException | None) -> str:
    if isinstance(error, QuaereError):
        return error.message
    if isinstance(error, asyncio.CancelledError | GeneratorExit):
        return NOT_WAITED_FOR
    return "the stream ended before the answer did" if error is None else type(error).__name__
