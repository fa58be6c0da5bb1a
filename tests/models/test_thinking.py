from __future__ import annotations

import pytest
from tests.resilience.models import ANSWER, REQUEST, ToldModel

from quaere.errors import BudgetExceeded
from quaere.models.guard import FallbackModel, ResilientModel
from quaere.models.meter import Meter, MeteredModel, prompt_tokens
from quaere.ports.model import thinking_tokens

pytestmark = pytest.mark.anyio

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
