"""What is remembered of models that refuse whatever they are asked."""

from __future__ import annotations

import pytest
from tests.resilience.models import ANSWER, REQUEST, ToldModel, heard

from quaere.errors import ModelError, ModelRejected
from quaere.models.failures import ModelUnusable, Refusals, is_unusable
from quaere.models.guard import FallbackModel
from quaere.models.meter import Meter, MeteredModel
from quaere.store.recording.entries import RecordedError

pytestmark = pytest.mark.anyio

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
