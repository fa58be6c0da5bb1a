"""When the opening of an answer has a check of its own: in long answers, and in those that end."""

from __future__ import annotations

import pytest
from pydantic import JsonValue
from tests.graphs.minds import Mind, thinking
from tests.graphs.test_telling_steps import HERE, SURE, THERE, state
from tests.verify.samples import sentence

from quaere.domain.budget import Limits
from quaere.domain.events import Event, SentenceWritten
from quaere.domain.model import ModelRequest
from quaere.domain.report import Sentence
from quaere.graphs.flow import Runtime, run_flow
from quaere.graphs.state import LoopState
from quaere.graphs.telling import LONG, OPENING, Telling
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

QUOTED = sentence("The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin.", 1)
OPEN = sentence("Maude Tellin, an engineer, had the crossing opened in 1891.", 1)
OTHER = sentence("It spans 312 metres and cost 2.4 million crowns.", 1)
LAST = sentence("The ferry sank in the storm of 1888, and nobody drowned.", 2)


def of_words(words: int) -> LoopState:
    made = state()
    limits: Limits = {"answer_words": words}
    made["budget"] = made["budget"].override(limits)
    return made


def checking() -> ScriptedModel:
    def check(request: ModelRequest) -> dict[str, JsonValue] | str:
        if request.step != "check":
            return Mind()(request)
        verdicts: list[JsonValue] = [
            {"number": n, "verdict": "supported", "id": 1} for n in range(1, 9)
        ]
        return {"verdicts": verdicts}

    return ScriptedModel(check)


async def heard(words: int, *said: Sentence, ends: bool = False) -> tuple[list[str], ScriptedModel]:
    """Return what is told of ``said``, and what a model was asked meanwhile."""
    model = checking()
    ear, events = listening(of_words(words), model)
    for each in said:
        await ear.hear(each)
    if ends:
        await ear.ends()
    return told_in(events), model


def listening(
    of: LoopState, model: ScriptedModel, *, at_hand: bool = False
) -> tuple[Telling, list[Event]]:
    context = thinking(model)._run_context(0.0)
    context.store.add([HERE, THERE])
    context.meter.open(1_000_000, None)
    events: list[Event] = []
    ear = Telling(of, Runtime(context, events.append, run_flow), at_hand=at_hand)
    assert ear.wants(SURE)
    return ear, events


def told_in(events: list[Event]) -> list[str]:
    return [each.sentence.text for each in events if isinstance(each, SentenceWritten)]


async def test_the_opening_of_a_long_answer_is_checked_by_itself() -> None:
    told, model = await heard(LONG, OPEN, OTHER, QUOTED)
    assert OPENING == 3
    assert told == [OPEN.text, OTHER.text, QUOTED.text]
    assert model.steps() == ["check"]


@pytest.mark.parametrize("count", [1, 2])
async def test_it_waits_until_the_opening_is_whole(count: int) -> None:
    told, model = await heard(LONG, *(OPEN, OTHER)[:count])
    assert told == []
    assert model.steps() == []


async def test_the_rest_of_a_shorter_answer_is_waited_for() -> None:
    told, model = await heard(LONG - 1, OPEN, OTHER, QUOTED)
    assert told == []
    assert model.steps() == []


@pytest.mark.parametrize("words", [LONG - 1, LONG])
async def test_what_is_open_further_on_holds_all_that_follows(words: int) -> None:
    told, model = await heard(words, QUOTED, OPEN, OTHER, LAST)
    assert told == [QUOTED.text]
    assert model.steps() == []


async def test_all_that_is_quoted_is_told_one_by_one() -> None:
    told, model = await heard(LONG - 1, QUOTED, OTHER, LAST)
    assert told == [QUOTED.text, OTHER.text, LAST.text]
    assert model.steps() == []


@pytest.mark.parametrize("said", [(OPEN,), (OPEN, OTHER)])
async def test_an_answer_that_ends_within_its_opening_is_checked_then(
    said: tuple[Sentence, ...],
) -> None:
    told, model = await heard(LONG, *said, ends=True)
    assert told == [each.text for each in said]
    assert model.steps() == ["check"]


async def test_an_end_settles_nothing_that_is_settled_or_that_must_wait() -> None:
    told, model = await heard(LONG, QUOTED, ends=True)
    assert told == [QUOTED.text]
    assert model.steps() == []
    told, model = await heard(LONG - 1, OPEN, ends=True)
    assert told == []
    assert model.steps() == [], "it was held at once: all is checked in the end"


async def test_an_answer_that_was_at_hand_is_never_checked_by_its_beginning() -> None:
    model = checking()
    ear, events = listening(of_words(LONG), model, at_hand=True)
    for each in (OPEN, OTHER, QUOTED):
        await ear.hear(each)
    assert told_in(events) == []
    assert model.steps() == []
