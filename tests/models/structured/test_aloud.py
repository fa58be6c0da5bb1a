"""An answer of which one string is taken while it is being written."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.resilience.models import REQUEST, Step, ToldModel, whole

from quaere.errors import ContractError, ModelError, ModelRejected
from quaere.models.structured.aloud import StringField, ask_aloud

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


async def test_what_corrects_an_answer_that_was_empty_is_taken_as_it_comes() -> None:
    ear = Ear()
    judged, model = await asked(ear, [whole("")], streamed(WRITTEN))
    assert judged == WHOLE
    assert "".join(ear.heard) == WHOLE.answer
    assert len(ear.heard) > 2, "piece by piece"
    assert (ear.ended, ear.errors, len(model.requests)) == (1, [], 2)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
FIELDS = st.dictionaries(
    TEXTS.filter(lambda name: name != "answer"),
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(TEXTS | st.just("answer"), inner, max_size=3)
        ),
        max_leaves=6,
    ),
    max_size=4,
)


@given(FIELDS, TEXTS, FIELDS, st.booleans(), st.sampled_from(["", "\n ", "```json\n"]), st.data())
def test_wherever_it_is_cut_the_string_and_what_precedes_it_come_whole(
    before: dict[str, object],
    answer: str,
    after: dict[str, object],
    ascii_only: bool,
    lead: str,
    data: st.DataObject,
) -> None:
    value = {**before, "answer": answer, **{k: v for k, v in after.items() if k not in before}}
    text = lead + json.dumps(value, ensure_ascii=ascii_only)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    string = StringField("answer")
    said = [string.feed(text[a:b]) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert "".join(said) == answer == string.value
    assert string.before == before


@pytest.mark.parametrize(
    "text",
    [
        'Sure! {"answer": "x"}',
        '<think>{"answer": "x"}</think>',
        '[{"answer": "x"}]',
        '{"a": {"answer": "x"}}',
        '{"answer": ["x"]}',
        '{"answer": 7}',
        '{"a": oops, "answer": "x"}',
        '{"a": "answer"}',
        '{}{"answer": "x"}',
    ],
)
def test_what_is_not_for_certain_that_string_is_left_alone(text: str) -> None:
    for size in (1, 3, len(text)):
        string = StringField("answer")
        pieces = (text[at : at + size] for at in range(0, len(text), size))
        assert "".join(map(string.feed, pieces)) == ""
        assert string.before is None


def test_it_comes_as_soon_as_it_is_there() -> None:
    string = StringField("answer")
    assert string.feed('{"sufficient": true, "answer": "The mi') == "The mi"
    assert string.feed("ll [1]. \\u00") == "ll [1]. "
    assert string.feed('e9") , "x') == "é"
    assert string.before == {"sufficient": True}
    assert string.feed('"later": "answer"}') == ""
    assert string.value == "The mill [1]. é"


def test_an_escape_that_json_does_not_have_ends_it() -> None:
    string = StringField("answer")
    assert string.feed('{"answer": "one \\q two three') == "one "
    assert string.feed(" four") == ""
