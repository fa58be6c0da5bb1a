from __future__ import annotations

import pytest
from tests.testing.requests import VERDICT, asking

from quaere.domain.model import Completion, Finish
from quaere.errors import ModelRejected, ModelTimeout
from quaere.testing import QueueModel

pytestmark = pytest.mark.anyio


async def test_answers_come_in_their_order_whatever_is_asked() -> None:
    model = QueueModel("one", ModelTimeout("two"), Completion(text="", finish=Finish.LENGTH))
    assert model.left == 3
    assert (await model.complete(asking(step="check"))).text == "one"
    with pytest.raises(ModelTimeout):
        await model.complete(asking())
    assert (await model.complete(asking())).finish is Finish.LENGTH
    assert model.left == 0


async def test_none_is_the_smallest_instance() -> None:
    completion = await QueueModel(None).complete(asking(output=VERDICT))
    assert completion.text == '{"next_queries": [], "confidence": 0}'


async def test_an_empty_queue_says_which_call_was_too_many() -> None:
    model = QueueModel("one", name="test:row")
    await model.complete(asking())
    with pytest.raises(
        ModelRejected, match="test:row is empty: it held 1 answer, and the step che"
    ):
        await model.complete(asking(step="check"))


async def test_a_queue_of_several_says_how_many_it_held() -> None:
    model = QueueModel("one", "two")
    await model.complete(asking())
    assert model.left == 1
    await model.complete(asking())
    with pytest.raises(ModelRejected, match="it held 2 answers, and the step plan asks"):
        await model.complete(asking())
