"""By what the record of a call is found again, and how one ends that never ended."""

from __future__ import annotations

import asyncio

import pytest
from tests.store.recording.test_cassette import ANSWERS

from quaere.errors import ModelTimeout, ReadError, SearchTimeout, UsageError
from quaere.store.recording.entries import (
    AnyAnswer,
    Entailments,
    FinishRequest,
    HumanReply,
    ModelAnswer,
    Preparation,
    Reading,
    Search,
    Similarities,
)

PAIRS = [("The kiln was lit.", "It burned."), ("Varga", "Pryce")]
CALLS: tuple[AnyAnswer, ...] = (
    *ANSWERS,
    Preparation(provider="other"),
    Reading(url="shelf"),
    ModelAnswer(model="v:m", request="0c"),
    ModelAnswer(model="v:n", request="0a"),
    Similarities.to("v:e", PAIRS),
    Similarities.to("v:e", PAIRS[::-1]),
    Similarities.to("v:f", PAIRS),
    Entailments.to("v:e", PAIRS),
    Entailments.to("v:e", PAIRS[:1]),
    Entailments.to("v:f", PAIRS),
    FinishRequest(),
)
ENDS: dict[type[AnyAnswer], type[BaseException]] = {
    Search: SearchTimeout,
    Reading: ReadError,
    ModelAnswer: ModelTimeout,
    Similarities: ModelTimeout,
    Entailments: ModelTimeout,
    HumanReply: UsageError,
    FinishRequest: UsageError,
    Preparation: asyncio.CancelledError,
}


def test_calls_that_ask_something_else_are_told_apart() -> None:
    keys = [call.key for call in CALLS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("call", CALLS, ids=[f"{n} {call.kind}" for n, call in enumerate(CALLS)])
def test_what_was_answered_does_not_change_what_was_asked(call: AnyAnswer) -> None:
    asked = call.with_outcome(None)
    assert asked.key == call.key
    assert (asked.result, asked.error) == (None, None)
    with pytest.raises(ENDS[type(call)]):
        asked.outcome()
