"""Models that are asked again, and replaced."""

from __future__ import annotations

import asyncio

import pytest
from tests.contracts.forwarding import ForwardingModelContract
from tests.resilience.fake_time import FakeTime
from tests.resilience.models import ANSWER, REQUEST, Step, ToldModel, Wait, heard, whole

from quaere.domain.model import Traits
from quaere.errors import (
    BudgetExceeded,
    ModelError,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
    ReasonError,
    UsageError,
)
from quaere.models.failures import ModelUnusable, Refusals, is_unusable
from quaere.models.guard import PAUSE_S, FallbackModel, ModelPolicy, ResilientModel
from quaere.models.meter import Meter, MeteredModel, prompt_tokens
from quaere.ports.forwarding import ForwardingModel
from quaere.ports.model import ChatModel, thinking_tokens
from quaere.store.recording.entries import RecordedError

pytestmark = pytest.mark.anyio

DOWN: tuple[Step, ...] = (ModelError("connection refused"),)
BAD_KEY: tuple[Step, ...] = (ModelRejected("wrong key"),)
HANGING: tuple[Step, ...] = (Wait(60),)
IMPATIENT = ModelPolicy(attempt_timeout_s=0.02, pause_s=0.02)


def resilient(
    inner: ChatModel, time: FakeTime | None = None, policy: ModelPolicy | None = None
) -> ResilientModel:
    return ResilientModel(inner, policy or ModelPolicy(), timing=(time or FakeTime()).timing)


class TestForwarding(ForwardingModelContract):
    def around(self, inner: ChatModel) -> ForwardingModel:
        return resilient(inner)


async def test_r08_a_failed_call_is_made_three_times_in_all() -> None:
    time, inner = FakeTime(jitter=0.5), ToldModel(DOWN, DOWN, ANSWER)
    assert await resilient(inner, time).complete(REQUEST) == whole()
    assert inner.requests == [REQUEST] * 3
    assert time.waits == [1.5, 2.5]


async def test_r08_a_failed_stream_is_begun_again_while_nothing_came() -> None:
    time = FakeTime(jitter=0.5)
    inner = ToldModel(("", ModelError("reset")), (), ANSWER)
    assert await heard(resilient(inner, time).stream(REQUEST)) == list(ANSWER)
    assert time.waits == [1.5, 2.5]
    assert inner.closed == 3


async def test_what_was_shown_is_not_asked_for_again() -> None:
    inner = ToldModel(("Ada ", ModelError("reset")), ANSWER)
    pieces = resilient(inner).stream(REQUEST)
    assert await anext(pieces) == "Ada "
    with pytest.raises(ModelError, match="reset"):
        await anext(pieces)
    assert len(inner.requests) == 1


async def test_a_wait_that_the_service_asks_for_is_kept() -> None:
    time = FakeTime(jitter=0.5)
    inner = ToldModel((ModelError("slow down", retry_after=7.0),), ANSWER)
    await resilient(inner, time).complete(REQUEST)
    assert time.waits == [7.5]


async def test_a_wait_beyond_the_time_for_retries_is_not_begun() -> None:
    time, inner = FakeTime(), ToldModel((ModelError("slow down", retry_after=900.0),))
    with pytest.raises(ModelError, match="slow down"):
        await resilient(inner, time).complete(REQUEST)
    assert time.waits == []


@pytest.mark.parametrize("error", [ModelRejected("wrong key"), UsageError("bug"), KeyError("bug")])
async def test_what_no_retry_changes_is_raised_at_once(error: Exception) -> None:
    inner = ToldModel((error,))
    with pytest.raises(type(error)):
        await resilient(inner).complete(REQUEST)
    assert len(inner.requests) == 1


async def test_a_dead_server_costs_the_later_steps_nothing() -> None:
    time, inner = FakeTime(jitter=0.5), ToldModel(DOWN)
    model = resilient(inner, time)
    with pytest.raises(ModelError, match="refused"):
        await model.complete(REQUEST)
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match=r"tower:keeper.*refused"):
            await model.complete(REQUEST)
        with pytest.raises(ModelUnavailable):
            await heard(model.stream(REQUEST))
    assert len(inner.requests) == 3
    assert time.waits == [1.5, 2.5]


async def test_a_server_that_is_back_is_found_by_a_single_call() -> None:
    time, inner = FakeTime(), ToldModel(DOWN, DOWN, DOWN, ANSWER)
    model = resilient(inner, time)
    with pytest.raises(ModelError):
        await model.complete(REQUEST)
    time.now += 30
    assert await heard(model.stream(REQUEST)) == list(ANSWER)
    assert await model.complete(REQUEST) == whole()


async def test_requests_that_are_rejected_do_not_close_the_model_to_others() -> None:
    inner = ToldModel(*([BAD_KEY] * 5), ANSWER)
    model = resilient(inner)
    for _ in range(5):
        with pytest.raises(ModelRejected):
            await model.complete(REQUEST)
    assert await model.complete(REQUEST) == whole()


async def test_a_model_that_hangs_runs_out_of_time() -> None:
    inner = ToldModel(HANGING)
    model = resilient(inner, policy=IMPATIENT)
    with pytest.raises(ModelTimeout, match=r"tower:keeper ran out of time \(0\.02 s\)"):
        await model.complete(REQUEST)
    assert len(inner.requests) == inner.closed == 3
    with pytest.raises(ModelUnavailable, match="ran out of time"):
        await heard(model.stream(REQUEST))


async def test_a_stream_that_stops_in_the_middle_runs_out_of_time() -> None:
    inner = ToldModel(("Ada ", Wait(60)))
    pieces = resilient(inner, policy=IMPATIENT).stream(REQUEST)
    assert await anext(pieces) == "Ada "
    with pytest.raises(ModelTimeout):
        await anext(pieces)
    assert len(inner.requests) == inner.closed == 1


async def test_a_stream_may_take_longer_than_an_attempt_while_pieces_come() -> None:
    policy = ModelPolicy(attempt_timeout_s=0.05, pause_s=1.0)
    inner = ToldModel(("Ada ", Wait(0.06), "Brook.", whole()))
    assert await heard(resilient(inner, policy=policy).stream(REQUEST)) == list(ANSWER)


@pytest.mark.parametrize("most", [1, 2])
async def test_a_stream_that_is_left_is_closed_behind_it(most: int) -> None:
    inner = ToldModel(ANSWER)
    model = FallbackModel([resilient(inner)])
    assert await heard(model.stream(REQUEST), most) == list(ANSWER[:most])
    assert inner.closed == 1


async def test_a_cancelled_call_says_nothing_of_the_server() -> None:
    inner = ToldModel(HANGING, HANGING, HANGING, HANGING, ANSWER)
    model = resilient(inner)
    for _ in range(4):
        task = asyncio.create_task(model.complete(REQUEST))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await model.complete(REQUEST) == whole()


async def test_the_next_model_is_asked_when_one_fails_or_rejects(
    caplog: pytest.LogCaptureFixture,
) -> None:
    models = [
        ToldModel(BAD_KEY, name="a:x", context_tokens=9000),
        ToldModel(DOWN, name="b:y", context_tokens=4000),
        ToldModel(ANSWER, name="c:z"),
        ToldModel(ANSWER, name="d:unasked"),
    ]
    model: ChatModel = FallbackModel(models)
    assert await model.complete(REQUEST) == whole()
    steps = [message.partition(":")[0] for message in caplog.messages]
    assert steps == ["a", "b"], "each step is logged"
    assert [len(inner.requests) for inner in models] == [1, 1, 1, 0]
    assert model.name == "a:x, b:y, c:z, d:unasked"
    assert model.context_tokens == 4000


async def test_the_next_model_streams_when_one_fails_before_its_first_piece() -> None:
    models = [ToldModel(BAD_KEY, name="a:x"), ToldModel((), name="b:y"), ToldModel(ANSWER)]
    assert await heard(FallbackModel(models).stream(REQUEST)) == list(ANSWER)


async def test_a_stream_stays_with_the_model_that_began_it() -> None:
    models = [ToldModel(("Ada ", ModelError("reset"))), ToldModel(ANSWER)]
    pieces = FallbackModel(models).stream(REQUEST)
    assert await anext(pieces) == "Ada "
    with pytest.raises(ModelError, match="reset"):
        await anext(pieces)
    assert models[1].requests == []


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        ((ModelRejected("wrong key"), ModelError("refused")), ModelError),
        ((BudgetExceeded("9 tokens"), ModelError("refused")), ModelError),
        ((BudgetExceeded("9 tokens"), BudgetExceeded("8 tokens")), BudgetExceeded),
    ],
)
async def test_all_reasons_are_told_when_no_model_answers(
    errors: tuple[ReasonError, ReasonError], kind: type[ReasonError]
) -> None:
    model = FallbackModel([ToldModel((error,), name=f"v:{n}") for n, error in enumerate(errors)])
    with pytest.raises(kind) as raised:
        await model.complete(REQUEST)
    first, second = (error.message for error in errors)
    assert raised.value.message == f"all failed: v:0: {first}; v:1: {second}"
    with pytest.raises(kind):
        await heard(model.stream(REQUEST))


async def test_a_bug_is_not_answered_by_another_model() -> None:
    models = [ToldModel((KeyError("bug"),)), ToldModel(ANSWER)]
    with pytest.raises(KeyError):
        await FallbackModel(models).complete(REQUEST)


def test_a_fallback_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError):
        FallbackModel([])


class Known(ToldModel):
    """A model of which more is known."""

    def __init__(self, name: str, *, context_tokens: int, thinking: int, traits: Traits) -> None:
        super().__init__(ANSWER, name=name, context_tokens=context_tokens)
        self.thinking_tokens = thinking
        self.traits = traits


def test_models_that_stand_in_for_each_other_promise_what_each_of_them_keeps() -> None:
    seen = Known("a", context_tokens=4000, thinking=500, traits=Traits(small=True))
    unseen = Known("b", context_tokens=8000, thinking=100, traits=Traits(schema_unseen=True))
    both = FallbackModel([seen, unseen])
    assert both.name == "a, b"
    assert (both.context_tokens, both.thinking_tokens) == (4000, 500)
    assert both.traits == Traits(small=True, schema_unseen=False)
    assert FallbackModel([unseen]).traits == Traits(schema_unseen=True)
    assert FallbackModel([unseen, unseen]).traits == Traits(schema_unseen=True)


def test_pauses_of_a_model_that_may_take_long_may_be_longer_and_never_shorter() -> None:
    assert ModelPolicy.within(1.0).pause_s == PAUSE_S
    long = ModelPolicy.within(PAUSE_S * 60)
    assert (long.attempt_timeout_s, long.pause_s) == (PAUSE_S * 60, PAUSE_S * 10)


WRONG_KEY = ModelUnusable("vendor rejected the key; check VENDOR_KEY.")


def meter() -> Meter:
    opened = Meter()
    opened.open(100_000, None)
    return opened


def test_a_refusal_is_told_once_and_stays() -> None:
    refusals = Refusals()
    for _ in range(2):
        refusals.note("a:b", WRONG_KEY)
        refusals.note("a:c", ModelRejected("too long"))
    assert refusals.drain() == (WRONG_KEY.message,)
    assert refusals.drain() == ()
    refusals.check("a:c")
    with pytest.raises(ModelUnusable, match=r"a:b is not asked again: .*VENDOR_KEY"):
        refusals.check("a:b")


def test_a_refusal_is_known_again_from_a_recording() -> None:
    assert is_unusable(RecordedError.of(WRONG_KEY).revived(ModelError))
    assert not is_unusable(RecordedError.of(ModelRejected("too long")).revived(ModelError))


@pytest.mark.parametrize("streamed", [False, True])
async def test_no_model_on_the_same_meter_asks_again(streamed: bool) -> None:
    inner, ledger = ToldModel((WRONG_KEY,), ANSWER), meter()
    researcher = ledger.branch()
    researcher.open(100_000, None)
    for book in (ledger, ledger, researcher):
        model = MeteredModel(inner, book)
        with pytest.raises(ModelUnusable):
            await (heard(model.stream(REQUEST)) if streamed else model.complete(REQUEST))
    assert len(inner.requests) == 1
    assert len(ledger.drain()) == 1, "what was not asked is no call"
    assert (await MeteredModel(inner, meter()).complete(REQUEST)).text == "Ada Brook."


async def test_of_models_in_a_row_the_others_are_asked_on() -> None:
    wrong, spare = ToldModel((WRONG_KEY,), name="v:wrong"), ToldModel(ANSWER, name="v:spare")
    ledger = meter()
    model = FallbackModel([MeteredModel(each, ledger) for each in (wrong, spare)])
    for _ in range(3):
        assert (await model.complete(REQUEST)).text == "Ada Brook."
    assert (len(wrong.requests), len(spare.requests)) == (1, 3)


async def test_models_in_a_row_refuse_for_good_when_all_do() -> None:
    def row(error: ModelError) -> FallbackModel:
        return FallbackModel([ToldModel((WRONG_KEY,)), ToldModel((error,), name="v:other")])

    with pytest.raises(ModelUnusable):
        await row(WRONG_KEY).complete(REQUEST)
    with pytest.raises(ModelError) as raised:
        await row(ModelError("refused")).complete(REQUEST)
    assert not is_unusable(raised.value)


WITHOUT = prompt_tokens(REQUEST) + REQUEST.max_output_tokens


class Thinker(ToldModel):
    """Thinks before it writes."""

    thinking_tokens = 800


def opened(tokens: int) -> Meter:
    meter = Meter()
    meter.open(tokens, None)
    return meter


def test_thoughts_are_known_through_whatever_stands_around_a_model() -> None:
    plain, thinker = ToldModel(ANSWER), Thinker(ANSWER)
    wrapped = FallbackModel([plain, MeteredModel(ResilientModel(thinker), Meter())])
    assert thinking_tokens(wrapped) == 800
    assert thinking_tokens(ResilientModel(plain)) == 0


async def test_a_call_is_admitted_with_room_for_its_thoughts() -> None:
    """R0.7: what a call may take is known before it is made."""
    thinker = Thinker(ANSWER)
    with pytest.raises(BudgetExceeded):
        await MeteredModel(thinker, opened(WITHOUT + 799)).complete(REQUEST)
    assert thinker.requests == []
    await MeteredModel(thinker, opened(WITHOUT + 800)).complete(REQUEST)
    await MeteredModel(ToldModel(ANSWER), opened(WITHOUT)).complete(REQUEST)
    assert len(thinker.requests) == 1
