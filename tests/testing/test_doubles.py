from __future__ import annotations

from time import monotonic

import pytest
from tests.contracts.chat_model import ChatModelContract
from tests.testing.requests import VERDICT, Verdict, asking

from quaere.domain.model import Completion, Finish, ModelRequest, Usage
from quaere.errors import ModelError, ModelRejected, ModelTimeout
from quaere.ports.model import ChatModel
from quaere.testing import CutOff, ObedientModel, QueueModel, ScriptedModel

pytestmark = pytest.mark.anyio


class TestContract(ChatModelContract):
    @pytest.fixture(params=["scripted", "queued", "obedient"])
    async def model(self, request: pytest.FixtureRequest) -> ChatModel:
        match request.param:
            case "scripted":
                return ScriptedModel()
            case "queued":
                return QueueModel(*[None] * 50)
            case _:
                return ObedientModel({"lantern": "Salt lichen."})

    @pytest.fixture(params=["told", "failing", "dry"])
    async def broken(self, request: pytest.FixtureRequest) -> ChatModel:
        error = ModelError("out of oil")
        match request.param:
            case "told":
                return ScriptedModel({"plan": error})
            case "failing":
                return ScriptedModel(failures=[error, error])
            case _:
                return QueueModel()


SENTENCE = "The light at Skarra Point burns whale oil until the spring of 1871."


async def pieces(model: ScriptedModel, request: ModelRequest) -> list[str | Completion]:
    return [piece async for piece in model.stream(request)]


async def test_a_stream_gives_small_pieces_and_then_the_whole() -> None:
    model = ScriptedModel({"plan": SENTENCE}, piece_chars=7)
    *parts, whole = await pieces(model, asking())
    assert [len(part) for part in parts if isinstance(part, str)] == [7] * 9 + [4]
    assert "".join(part for part in parts if isinstance(part, str)) == SENTENCE
    assert whole == await model.complete(asking())


async def test_usage_is_estimated_from_the_text() -> None:
    completion = await ScriptedModel({"plan": "x" * 41}).complete(asking("y" * 8, system="z" * 5))
    assert completion.usage == Usage(prompt_tokens=4, completion_tokens=11, estimated=True)
    assert completion.model == "test:scriptedmodel"


async def test_what_is_too_long_is_cut_off_and_says_so() -> None:
    completion = await ScriptedModel({"plan": SENTENCE}).complete(asking(max_output_tokens=4))
    assert SENTENCE.startswith(completion.text)
    assert 12 <= len(completion.text) <= 18
    assert completion.finish is Finish.LENGTH
    assert completion.usage.completion_tokens == 4


async def test_what_just_fits_is_whole() -> None:
    completion = await ScriptedModel({"plan": "x" * 40}).complete(asking(max_output_tokens=10))
    assert (completion.text, completion.finish) == ("x" * 40, Finish.STOP)
    assert completion.usage.completion_tokens == 10


async def test_what_is_not_told_is_as_the_documentation_says() -> None:
    model = ScriptedModel({"plan": SENTENCE})
    assert (model.name, model.context_tokens) == ("test:scriptedmodel", 128_000)
    begun = monotonic()
    *parts, _ = await pieces(model, asking())
    assert {len(part) for part in parts[:-1] if isinstance(part, str)} == {12}
    assert monotonic() - begun < 0.5
    with pytest.raises(ModelRejected, match="has room for 128,000"):
        await model.complete(asking(max_output_tokens=128_000))


async def test_completions_are_given_as_they_are() -> None:
    told = Completion(text="", finish=Finish.REFUSAL, usage=Usage(prompt_tokens=7), model="a:b")
    assert await ScriptedModel({"plan": told}).complete(asking()) == told
    nameless = told.model_copy(update={"model": ""})
    assert (await ScriptedModel({"plan": nameless}, name="c:d").complete(asking())).model == "c:d"


async def test_mappings_and_models_are_given_as_json() -> None:
    verdict = Verdict(next_queries=["wer hütet das Licht"], confidence=0.5)
    for told in (verdict, verdict.model_dump()):
        completion = await ScriptedModel({"plan": told}).complete(asking(output=VERDICT))
        assert Verdict.model_validate_json(completion.text) == verdict
        assert "hütet" in completion.text


async def test_a_request_that_does_not_fit_is_rejected_and_remembered() -> None:
    model = ScriptedModel(context_tokens=120)
    with pytest.raises(ModelRejected, match="takes 124 tokens"):
        await model.complete(asking("x" * 80, system="y" * 16, max_output_tokens=100))
    assert (await model.complete(asking("x" * 64, system="y" * 16, max_output_tokens=100))).text
    assert model.steps() == ["plan", "plan"]


async def test_failures_come_first_and_let_calls_through_in_between() -> None:
    model = ScriptedModel({"plan": "yes"}, failures=[ModelTimeout("late"), None, ModelError("no")])
    with pytest.raises(ModelTimeout):
        await model.complete(asking())
    assert (await model.complete(asking())).text == "yes"
    with pytest.raises(ModelError, match="no"):
        await pieces(model, asking())
    assert (await model.complete(asking())).text == "yes"


async def test_an_answer_may_break_off_in_the_middle() -> None:
    broken = CutOff(SENTENCE, ModelError("the line went dead"))
    model = ScriptedModel({"plan": broken}, piece_chars=len(SENTENCE))
    stream = model.stream(asking())
    assert await anext(stream) == SENTENCE
    with pytest.raises(ModelError, match="dead"):
        await anext(stream)
    with pytest.raises(ModelError, match="dead"):
        await model.complete(asking())


async def test_an_answer_takes_its_time() -> None:
    model, begun = QueueModel("a", "b", latency_s=0.05), monotonic()
    await model.complete(asking())
    assert monotonic() - begun >= 0.05
    begun = monotonic()
    async for _ in model.stream(asking()):
        assert monotonic() - begun >= 0.05
