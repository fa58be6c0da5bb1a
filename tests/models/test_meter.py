"""What model calls take and cost."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.forwarding import ForwardingModelContract
from tests.resilience.fake_time import FakeTime
from tests.resilience.models import ANSWER, REQUEST, USAGE, Step, ToldModel, Wait, heard, whole

from quaere.domain.budget import Spend
from quaere.domain.model import (
    NO_PRICES,
    Completion,
    ModelCall,
    ModelRequest,
    OutputSchema,
    Price,
    Prices,
    Usage,
)
from quaere.errors import BudgetExceeded, ModelError, ModelRejected, ModelTimeout, SettingsError
from quaere.models.guard import FallbackModel
from quaere.models.meter import (
    LEAST_RATIO,
    Meter,
    MeteredModel,
    known_prices,
    list_prices,
    prompt_tokens,
    read_prices,
    spend_of,
)
from quaere.ports.forwarding import ForwardingModel
from quaere.ports.model import ChatModel, Ledger


def written(folder: Path, text: str) -> Path:
    path = folder / "prices.json"
    path.write_text(text, "utf-8")
    return path


def test_every_price_that_ships_says_where_it_comes_from() -> None:
    prices = list_prices()
    assert "check" in prices.note
    for name, price in prices.models.items():
        source = prices.sources[name.partition(":")[0]]
        assert source.url.startswith("https://")
        assert re.fullmatch(r"\d{4}-\d{2}", source.as_of)
        # Every vendor asks more for writing than for reading, and less for what it has cached.
        assert price.input_usd <= price.output_usd
        assert price.cached_usd is None or price.cached_usd < price.input_usd


def test_a_dated_version_is_priced_and_a_model_of_ones_own_is_free() -> None:
    usage = Usage(prompt_tokens=1_000_000, completion_tokens=1_000_000)
    assert known_prices().cost("openai:gpt-4o-mini-2024-07-18", usage) == pytest.approx(0.75)
    assert known_prices().cost("ollama:qwen3:8b", usage) == 0
    assert known_prices().cost("openai:gpt-nobody-knows", usage) is None


def test_own_prices_are_added_and_stand_in_place_of_the_list(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """{"models": {
            "openai:gpt-4o-mini": {"input_usd": 7, "output_usd": 8.5},
            "compatible:": {"input_usd": 1, "output_usd": 1, "cached_usd": 0}
        }}""",
    )
    usage = Usage(prompt_tokens=1_000_000)
    prices = known_prices(path)
    assert prices.cost("openai:gpt-4o-mini", usage) == 7
    assert prices.cost("compatible:anything", usage) == 1
    assert prices.cost("openai:gpt-4o", usage) == known_prices().cost("openai:gpt-4o", usage)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the file: "),
        ("[]", "the file: "),
        ('{"models": {"a:b": {"input_usd": 1}}}', r"models\.a:b\.output_usd: is missing"),
        ('{"models": {"a:b": {"input_usd": -1, "output_usd": 1}}}', r"models\.a:b\.input_usd"),
        ('{"models": {"a:b": {"input_usd": "1", "output_usd": 1}}}', r"models\.a:b\.input_usd"),
        ('{"models": {"a:b": {"input_usd": NaN, "output_usd": 1}}}', r"models\.a:b\.input_usd"),
        ('{"models": {"": {"input_usd": 1, "output_usd": 1}}}', "models"),
        ('{"model": {}}', "model: is not known here"),
        ('{"models": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}}', "; and 2 more"),
    ],
)
def test_a_file_that_is_no_list_of_prices_is_refused_with_its_fault(
    tmp_path: Path, text: str, fault: str
) -> None:
    with pytest.raises(SettingsError, match=fault) as raised:
        read_prices(written(tmp_path, text))
    assert str(tmp_path / "prices.json") in raised.value.message


def test_odd_bytes_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        known_prices(path)
    path.write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(SettingsError, match="not a valid price list"):
        known_prices(path)
    with pytest.raises(SettingsError, match="cannot be read"):
        known_prices(tmp_path)


pytestmark = pytest.mark.anyio

NAME = "tower:keeper"
# A hundred tokens of a prompt cost a cent, and so do ten of an answer.
PRICES = Prices(
    models={
        NAME: Price(input_usd=100, output_usd=1000),
        "tower:dear": Price(input_usd=10_000, output_usd=10_000),
    }
)
PROMPT = prompt_tokens(REQUEST)


def meter(tokens: int = 10_000, usd: float | None = None, prices: Prices = PRICES) -> Meter:
    opened = Meter(prices)
    opened.open(tokens, usd)
    return opened


def call(prompt: int = 100, completion: int = 10, model: str = NAME) -> ModelCall:
    usage = Usage(prompt_tokens=prompt, completion_tokens=completion)
    return ModelCall(step="plan", model=model, usage=usage)


def fits(ledger: Ledger, prompt: int, completion: int, model: str = NAME) -> bool:
    """Admit a call if it may be made."""
    try:
        ledger.admit(model, prompt_tokens=prompt, completion_tokens=completion)
    except BudgetExceeded:
        return False
    return True


def test_a_call_that_may_take_more_tokens_than_are_left_is_refused() -> None:
    ledger = meter(tokens=1_100)
    with pytest.raises(BudgetExceeded, match=r"tower:keeper may take 1,101 tokens, but only 1,100"):
        ledger.admit(NAME, prompt_tokens=1_001, completion_tokens=100)
    ledger.admit(NAME, prompt_tokens=1_000, completion_tokens=100)


def test_a_call_that_may_cost_more_than_is_left_is_refused() -> None:
    ledger = meter(usd=0.02)
    with pytest.raises(BudgetExceeded, match=r"may cost \$0\.0210, but only \$0\.0200 is left"):
        ledger.admit(NAME, prompt_tokens=110, completion_tokens=10)
    ledger.admit(NAME, prompt_tokens=90, completion_tokens=10)


def test_a_limit_in_money_needs_a_price() -> None:
    ledger = meter(usd=5.0)
    with pytest.raises(
        BudgetExceeded, match=r"price of harbour:scribe is not known.*QUAERE_PRICES"
    ):
        ledger.admit("harbour:scribe", prompt_tokens=1, completion_tokens=1)
    ledger.open(10_000, None)
    ledger.admit("harbour:scribe", prompt_tokens=1, completion_tokens=1)


def test_nothing_may_be_spent_before_the_first_opening() -> None:
    with pytest.raises(BudgetExceeded, match="0 are left"):
        Meter(PRICES).admit(NAME, prompt_tokens=1, completion_tokens=1)


def test_calls_side_by_side_cannot_take_more_than_is_left_together() -> None:
    ledger = meter(tokens=1_000, usd=0.175)
    assert fits(ledger, 500, 50)
    assert not fits(ledger, 400, 51)
    assert not fits(ledger, 300, 50)  # 0.10 and 0.08 dollars
    assert fits(ledger, 300, 40)


def test_for_a_call_that_costs_nothing_no_money_is_kept_aside() -> None:
    own = Prices(models={**PRICES.models, "tower:own": Price(input_usd=0, output_usd=0)})
    ledger = meter(usd=0.02, prices=own)
    assert fits(ledger, 100, 10, "tower:own")
    assert fits(ledger, 100, 10)


def test_what_was_kept_aside_is_free_again_once_the_call_is_noted() -> None:
    ledger = meter(tokens=1_000)
    ledger.admit(NAME, prompt_tokens=100, completion_tokens=900)
    assert not fits(ledger, 1, 0)
    ledger.note(call(prompt=100, completion=100))
    assert not fits(ledger, 100, 701)
    assert fits(ledger, 100, 700)


def test_calls_still_on_their_way_or_not_drained_are_paid_from_the_next_opening() -> None:
    ledger = meter(tokens=1_000)
    ledger.admit(NAME, prompt_tokens=100, completion_tokens=100)
    ledger.admit("tower:dear", prompt_tokens=100, completion_tokens=200)
    ledger.note(call(prompt=100, completion=50))
    ledger.open(1_000, None)
    assert not fits(ledger, 500, 51)
    assert fits(ledger, 500, 50)


def test_calls_that_were_drained_are_not_paid_twice() -> None:
    ledger = meter(tokens=1_000)
    ledger.note(call(prompt=300, completion=100))
    assert [entry.usage.total_tokens for entry in ledger.drain()] == [400]
    assert ledger.drain() == ()
    assert not fits(ledger, 601, 0)
    ledger.open(600, None)
    assert fits(ledger, 600, 0)


def test_the_cost_is_filled_in_from_the_prices_and_what_is_known_stays() -> None:
    ledger = meter()
    ledger.note(call())
    ledger.note(call(model="harbour:scribe"))
    ledger.note(call().model_copy(update={"cost_usd": 7.0}))
    calls = ledger.drain()
    assert [entry.cost_usd for entry in calls] == [pytest.approx(0.02), None, 7.0]
    assert spend_of(calls) == Spend(tokens=330, model_calls=3, cost_usd=0.02 + 7.0)


def test_prompts_are_taken_at_what_the_vendor_counted_before() -> None:
    ledger = meter(tokens=100_000)
    assert ledger.ratio(NAME) == 1.0
    for _ in range(3):
        ledger.admit(NAME, prompt_tokens=2_000, completion_tokens=10)
        ledger.note(call(prompt=3_000))
    assert ledger.ratio(NAME) == pytest.approx(9_200 / 6_200)
    assert ledger.ratio("tower:other") == 1.0
    assert ledger.ratio(f"tower:other, {NAME}") == ledger.ratio(NAME)
    ledger.open(1_500, None)
    ledger.drain()
    ledger.open(1_500, None)
    assert not fits(ledger, 1_020, 0)
    assert fits(ledger, 1_000, 0)


@pytest.mark.parametrize(
    "usage",
    [
        Usage(prompt_tokens=9_000, estimated=True),
        Usage(completion_tokens=10),
        Usage(),
    ],
)
def test_what_no_vendor_counted_teaches_nothing(usage: Usage) -> None:
    ledger = meter()
    ledger.admit(NAME, prompt_tokens=100, completion_tokens=10)
    ledger.note(ModelCall(step="plan", model=NAME, usage=usage))
    assert ledger.ratio(NAME) == 1.0


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 3000))))
def test_the_ratio_stays_above_its_floor_and_spending_adds_up(
    calls: list[tuple[int, int, int]],
) -> None:
    ledger = meter(tokens=10**9)
    for estimated, counted, written in calls:
        ledger.admit(NAME, prompt_tokens=estimated, completion_tokens=written)
        ledger.note(call(prompt=counted, completion=written))
        assert ledger.ratio(NAME) >= LEAST_RATIO
    spent = spend_of(ledger.drain())
    assert spent.tokens == sum(counted + written for _, counted, written in calls)
    ledger.open(10, None)
    assert fits(ledger, 0, 10)


def test_a_prompt_is_its_messages_and_its_schema() -> None:
    schema = OutputSchema(name="plan", definition={"type": "object"})
    assert 8 <= PROMPT <= 12
    assert prompt_tokens(REQUEST.model_copy(update={"output": schema})) > PROMPT + 4


def metered(inner: ChatModel, ledger: Ledger, time: FakeTime | None = None) -> MeteredModel:
    return MeteredModel(inner, ledger, (time or FakeTime()).timing)


class TestForwarding(ForwardingModelContract):
    def around(self, inner: ChatModel) -> ForwardingModel:
        return metered(inner, meter())


async def test_a_call_is_noted_with_what_the_vendor_counted() -> None:
    ledger = meter()
    model: ChatModel = metered(ToldModel(ANSWER, context_tokens=4096), ledger)
    assert (model.name, model.context_tokens) == (NAME, 4096)
    assert await model.complete(REQUEST) == whole()
    cost = pytest.approx(0.002 + 0.005)
    expected = ModelCall(step="synthesize", model=NAME, usage=USAGE, cost_usd=0)
    assert ledger.drain() == (expected.model_copy(update={"cost_usd": cost}),)


async def test_a_call_that_is_refused_is_not_made_nor_noted() -> None:
    ledger, inner = meter(tokens=PROMPT + REQUEST.max_output_tokens - 1), ToldModel(ANSWER)
    with pytest.raises(BudgetExceeded):
        await metered(inner, ledger).complete(REQUEST)
    with pytest.raises(BudgetExceeded):
        await heard(metered(inner, ledger).stream(REQUEST))
    assert inner.requests == []
    assert ledger.drain() == ()


async def test_calls_at_once_share_what_is_left() -> None:
    ledger = meter(tokens=2 * (PROMPT + REQUEST.max_output_tokens))
    inner = ToldModel((Wait(0.01), *ANSWER))
    model = metered(inner, ledger)
    results = await asyncio.gather(
        *(model.complete(REQUEST) for _ in range(3)), return_exceptions=True
    )
    assert [type(result) for result in results] == [Completion, Completion, BudgetExceeded]
    assert len(ledger.drain()) == 2


async def test_a_stream_is_noted_at_its_end() -> None:
    ledger = meter()
    assert await heard(metered(ToldModel(ANSWER), ledger).stream(REQUEST)) == list(ANSWER)
    (noted,) = ledger.drain()
    assert (noted.usage, noted.error) == (USAGE, "")


async def test_a_reader_who_has_the_whole_answer_need_not_wait_for_the_end() -> None:
    ledger = meter()
    await heard(metered(ToldModel(ANSWER), ledger).stream(REQUEST), most=3)
    assert [entry.error for entry in ledger.drain()] == [""]


async def test_a_stream_that_is_left_is_noted_by_an_estimate() -> None:
    ledger, inner = meter(), ToldModel(ANSWER)
    await heard(metered(inner, ledger).stream(REQUEST), most=1)
    (noted,) = ledger.drain()
    assert noted.usage == Usage(prompt_tokens=PROMPT, completion_tokens=1, estimated=True)
    assert noted.error == "it was not waited for"
    assert noted.cost_usd is not None
    assert inner.closed == 1


async def test_a_cancelled_call_is_noted_by_an_estimate() -> None:
    ledger = meter()
    task = asyncio.create_task(metered(ToldModel((Wait(60),)), ledger).complete(REQUEST))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (noted,) = ledger.drain()
    assert noted.usage == Usage(prompt_tokens=PROMPT, estimated=True)


@pytest.mark.parametrize(
    ("error", "prompt"),
    [(ModelError("refused"), 0), (ModelRejected("key"), 0), (ModelTimeout("late"), PROMPT)],
)
async def test_a_failed_call_is_noted_with_its_reason(error: ModelError, prompt: int) -> None:
    ledger, time = meter(), FakeTime()
    with pytest.raises(type(error)):
        await metered(ToldModel((error,)), ledger, time).complete(REQUEST)
    (noted,) = ledger.drain()
    assert noted.error == error.message
    assert noted.usage.prompt_tokens == prompt
    assert fits(ledger, 9_900, 0)  # nothing is kept aside any more


async def test_a_stream_that_fails_in_the_middle_is_noted_with_what_came() -> None:
    ledger = meter()
    steps: list[Step] = ["Ada Brook, and ", ModelError("reset")]
    with pytest.raises(ModelError):
        await heard(metered(ToldModel(steps), ledger).stream(REQUEST))
    (noted,) = ledger.drain()
    assert noted.usage == Usage(prompt_tokens=PROMPT, completion_tokens=4, estimated=True)
    assert noted.error == "reset"


async def test_a_stream_without_its_end_is_noted_as_such() -> None:
    ledger = meter()
    await heard(metered(ToldModel(["Ada "]), ledger).stream(REQUEST))
    assert [entry.error for entry in ledger.drain()] == ["the stream ended before the answer did"]


async def test_an_answer_without_figures_is_estimated() -> None:
    ledger = meter()
    await metered(ToldModel([whole("Ada Brook.", Usage())]), ledger).complete(REQUEST)
    (noted,) = ledger.drain()
    assert noted.usage == Usage(prompt_tokens=PROMPT, completion_tokens=3, estimated=True)


async def test_the_time_of_a_call_is_noted() -> None:
    time, ledger = FakeTime(), meter()

    class Slow(ToldModel):
        async def complete(self, request: ModelRequest) -> Completion:
            time.now += 2.5
            return whole()

    await metered(Slow(ANSWER), ledger, time).complete(REQUEST)
    assert [entry.seconds for entry in ledger.drain()] == [2.5]


async def test_of_models_in_a_row_each_is_noted_at_its_own_price() -> None:
    ledger = meter()
    down = ToldModel((ModelTimeout("late"),), name="tower:dear")
    model = FallbackModel([metered(each, ledger) for each in (down, ToldModel(ANSWER))])
    assert model.name == "tower:dear, tower:keeper"
    assert await model.complete(REQUEST) == whole()
    late, answered = ledger.drain()
    assert (late.model, late.error, late.cost_usd) == ("tower:dear", "late", PROMPT / 100)
    assert (answered.model, answered.usage, answered.error) == (NAME, USAGE, "")


async def test_a_model_that_is_too_dear_gives_way_to_a_cheaper_one() -> None:
    ledger = meter(usd=0.2)
    dear, cheap = ToldModel(ANSWER, name="tower:dear"), ToldModel(ANSWER)
    model = FallbackModel([metered(each, ledger) for each in (dear, cheap)])
    assert await heard(model.stream(REQUEST)) == list(ANSWER)
    assert dear.requests == []
    assert [entry.model for entry in ledger.drain()] == [NAME]


async def test_without_prices_tokens_are_counted_all_the_same() -> None:
    ledger = meter(prices=NO_PRICES)
    await metered(ToldModel(ANSWER), ledger).complete(REQUEST)
    assert [(entry.usage, entry.cost_usd) for entry in ledger.drain()] == [(USAGE, None)]
