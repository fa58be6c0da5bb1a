"""An answer of which one string is taken while it is being written."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from pydantic import BaseModel
from tests.resilience.models import REQUEST, Step, ToldModel, whole

from quaere.errors import ContractError, ModelError, ModelRejected
from quaere.models.structured.aloud import ask_aloud

pytestmark = pytest.mark.anyio


class Judged(BaseModel):
    """What a model writes: a verdict, its answer, and what follows."""

    sufficient: bool
    answer: str = ""
    gaps: list[str] = []


class Ear:
    """Takes answers that are sufficient, and keeps what it took where it was told to."""

    field = "answer"

    def __init__(self, *, keeps: bool = True) -> None:
        self.heard: list[str] = []
        self.asked: list[Judged] = []
        self.errors: list[str] = []
        self.ended = 0
        self._keeps = keeps

    def begins(self, so_far: Judged) -> bool:
        self.asked.append(so_far)
        return so_far.sufficient

    async def take(self, text: str) -> None:
        self.heard.append(text)

    async def ends(self) -> None:
        self.ended += 1

    def breaks_off(self, error: str) -> bool:
        self.errors.append(error)
        return self._keeps


WRITTEN = {"sufficient": True, "answer": "The mill burned.", "gaps": ["when"]}
WHOLE = Judged.model_validate(WRITTEN)


def pieces(text: str, size: int = 5) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def streamed(value: object) -> list[Step]:
    text = json.dumps(value)
    return [*pieces(text), whole(text)]


def broken(error: ModelError, *, upto: str) -> list[Step]:
    """Return a stream that fails once it has written ``upto``."""
    text = json.dumps(WRITTEN)
    return [*pieces(text[: text.index(upto) + len(upto)]), error]


async def asked(ear: Ear, *scripts: Sequence[Step]) -> tuple[Judged, ToldModel]:
    model = ToldModel(*scripts)
    return await ask_aloud(model, REQUEST, Judged, ear), model


async def test_the_string_is_taken_as_it_comes_and_the_answer_is_whole() -> None:
    ear = Ear()
    judged, model = await asked(ear, streamed(WRITTEN))
    assert judged == WHOLE
    assert "".join(ear.heard) == WHOLE.answer
    assert len(ear.heard) > 2, "piece by piece"
    assert all(ear.heard), "nothing is not told"
    assert ear.asked == [Judged(sufficient=True)], "asked once, after what comes before it"
    assert (ear.ended, ear.errors, len(model.requests)) == (1, [], 1)


@pytest.mark.parametrize(
    ("written", "asks"),
    [
        (WRITTEN | {"sufficient": False}, 1),
        ({"sufficient": True}, 0),
        ({"answer": "The mill burned.", "sufficient": True}, 0),
    ],
    ids=["not wanted", "not there", "before what decides"],
)
async def test_a_string_that_is_not_to_be_taken_is_left_to_the_answer(
    written: dict[str, object], asks: int
) -> None:
    ear = Ear()
    judged, _ = await asked(ear, streamed(written))
    assert judged == Judged.model_validate(written)
    assert (ear.heard, len(ear.asked), ear.ended) == ([], asks, 0)


async def test_what_was_told_stands_when_the_stream_breaks() -> None:
    ear = Ear()
    judged, model = await asked(ear, broken(ModelError("reset"), upto="The mill bu"))
    assert judged == Judged(sufficient=True, answer="The mill bu")
    assert "".join(ear.heard) == "The mill bu"
    assert (ear.errors, ear.ended, len(model.requests)) == (["reset"], 0, 1)


async def test_what_can_be_taken_back_is_asked_for_again() -> None:
    ear = Ear(keeps=False)
    judged, model = await asked(
        ear, broken(ModelError("reset"), upto="The mill bu"), [whole(json.dumps(WRITTEN))]
    )
    assert judged == WHOLE
    assert len(model.requests) == 2


async def test_a_stream_that_breaks_before_its_string_is_asked_for_again() -> None:
    ear = Ear()
    judged, model = await asked(
        ear, broken(ModelError("reset"), upto="sufficient"), [whole(json.dumps(WRITTEN))]
    )
    assert judged == WHOLE
    assert (ear.heard, ear.errors, len(model.requests)) == ([], [], 2)


@pytest.mark.parametrize(
    "script",
    [
        [ModelError("refused")],
        broken(ModelRejected("wrong key"), upto="sufficient"),
    ],
    ids=["before it began", "for good"],
)
async def test_what_others_ask_again_or_nobody_can_is_raised(script: list[Step]) -> None:
    model = ToldModel(script)
    with pytest.raises(ModelError):
        await ask_aloud(model, REQUEST, Judged, Ear())
    assert len(model.requests) == 1


async def test_a_stream_without_its_completion_is_completed() -> None:
    ear = Ear()
    judged, model = await asked(ear, pieces(json.dumps(WRITTEN)), [whole(json.dumps(WRITTEN))])
    assert judged == WHOLE
    assert (ear.ended, len(model.requests)) == (1, 2)


BROKEN = WRITTEN | {"gaps": "when"}


async def test_what_was_told_stands_when_the_rest_breaks_the_contract() -> None:
    ear = Ear()
    judged, model = await asked(ear, streamed(BROKEN))
    assert judged == Judged(sufficient=True, answer=WHOLE.answer)
    assert (len(ear.errors), ear.ended, len(model.requests)) == (1, 0, 1)
    assert "gaps" in ear.errors[0]


async def test_what_can_be_taken_back_is_corrected_where_it_breaks_the_contract() -> None:
    ear = Ear(keeps=False)
    judged, model = await asked(ear, streamed(BROKEN), streamed(WRITTEN))
    assert judged == WHOLE
    assert len(model.requests) == 2
    assert model.requests[1].attempt == 2
    with pytest.raises(ContractError):
        await ask_aloud(ToldModel(streamed(BROKEN)), REQUEST, Judged, Ear(keeps=False))
