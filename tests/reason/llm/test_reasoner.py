"""The reasoner with models keeps the contract of every reasoner."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import cast

import pytest
from pydantic import JsonValue
from tests.contracts.reasoner import Case, ReasonerContract
from tests.graphs.minds import in_order, shown
from tests.graphs.world import DOCUMENTS, HOP

from quaere.domain.budget import Remaining
from quaere.domain.model import Completion, ModelRequest, Traits
from quaere.domain.question import Intent, Query, Question, SourceKind
from quaere.domain.report import QueryOutcome, Ruling, Sentence, Support
from quaere.domain.verdict import Opening, Reflection
from quaere.errors import ContractError, ModelError
from quaere.models.meter import Meter
from quaere.ports.reason import Inspection, Overview, Reasoner
from quaere.reason.llm.reasoner import (
    FIRST_SHOWN,
    FOLLOWED_SHOWN,
    JUDGING_TOKENS,
    VERDICT_TOKENS,
    ModelReasoner,
    Models,
    RunReasoner,
)
from quaere.testing import ModelDouble, ScriptedModel

pytestmark = pytest.mark.anyio


def careless(request: ModelRequest) -> dict[str, JsonValue] | str:
    """Say something of everything, and cite more than was shown."""
    ids = list(shown(request))
    if request.step == "synthesize":
        return " ".join(f"Passage number {n} says so [{n}][999]." for n in ids)
    said: dict[str, JsonValue] = {
        "findings": [{"id": number, "items": [1, 99]} for number in [*ids, 999]],
        "satisfied": [1, 99],
        "gaps": [],
        "queries": [{"query": f"query {n}", "item": n} for n in range(5)],
        "sufficient": True,
        "confidence": 0.5 if ids else 0,
    }
    if request.step == "plan":
        said["checklist"] = ["first", "second", "third", "second"]
    return said


def reasoner_of(model: ModelDouble, meter: Meter | None = None) -> RunReasoner:
    meter = meter or Meter()
    meter.open(10_000_000, None)
    return ModelReasoner(Models(model, model, model, model)).for_run(meter)


class TestContract(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return reasoner_of(ScriptedModel(careless))


async def test_no_call_is_made_to_write_on_nothing() -> None:
    model = ScriptedModel(careless)
    case = Case(HOP, {})
    opening = await reasoner_of(model).plan(case.look())
    writing = reasoner_of(model).synthesize(case.assignment(opening.plan, opening.plan.checklist))
    assert [sentence async for sentence in writing] == []
    assert model.steps() == ["plan"]


class Lingering(ScriptedModel):
    """Lets go of a stream as clients of vendors do: in its own time."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        try:
            async for piece in super().stream(request):
                yield piece
        finally:
            await asyncio.sleep(0.01)


async def test_a_call_that_is_cut_off_at_the_length_of_the_answer_is_booked_by_then() -> None:
    model, meter = Lingering(careless), Meter()
    reasoner, case = reasoner_of(model, meter), Case(HOP, dict(DOCUMENTS))
    opening = await reasoner.plan(case.look())
    meter.drain()
    asked = case.assignment(opening.plan, opening.plan.checklist)
    short = asked.model_copy(update={"max_words": 3, "answer": ""})
    told, left_out = [sentence async for sentence in reasoner.synthesize(short)]
    assert not told.reason
    assert left_out.reason == "the answer was long enough before it"
    (call,) = meter.drain()
    assert call.step == "synthesize"
    assert call.usage.prompt_tokens > 0


def inspection(case: Case, *texts: str) -> Inspection:
    first = case.evidence[0]
    return Inspection(
        sentences=tuple(Sentence(text=text, evidence=(first.id,)) for text in texts),
        evidence=case.evidence,
        passages=case.passages,
    )


async def test_the_checker_judges_all_sentences_in_one_call() -> None:
    verdicts: Sequence[dict[str, JsonValue]] = [
        {"number": 1, "verdict": "supported", "id": 1},
        {"number": 2, "verdict": "contradicted", "id": 99},
        {"number": 4, "verdict": "partly"},
        {"number": 77, "verdict": "unsupported"},
    ]
    model = ScriptedModel({"check": {"verdicts": list(verdicts)}})
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "One.", "Two.", "Three.", "Four.")
    assert await reasoner_of(model).check(asked) == [
        Ruling(support=Support.SUPPORTED, evidence=asked.evidence[0].id),
        Ruling(support=Support.CONTRADICTED),
        None,
        Ruling(support=Support.PARTLY),
    ]
    assert model.steps() == ["check"]
    assert "2. Two. (cites " in model.requests[0].messages[1].content


async def test_a_checker_that_fails_is_followed_by_the_model_that_evaluates() -> None:
    """A cheap model that is down would else leave all verdicts to words."""
    broken = ScriptedModel({"check": ModelError("down")}, name="test:cheap")
    verdicts: list[JsonValue] = [{"number": 1, "verdict": "supported", "id": 1}]
    main = ScriptedModel({"check": {"verdicts": verdicts}}, name="test:main")
    meter = Meter()
    meter.open(100_000, None)
    models = Models(plan=main, evaluate=main, write=main, check=broken)
    checker = ModelReasoner(models).for_run(meter)
    (ruling,) = await checker.check(inspection(Case(HOP, dict(DOCUMENTS)), "One."))
    assert ruling
    assert ruling.support is Support.SUPPORTED
    assert [call.model for call in meter.drain()] == ["test:cheap", "test:main"]
    assert models.joined().evaluate is main, "nobody else is followed by it"


async def test_the_only_verdict_on_the_only_sentence_is_on_it() -> None:
    """Some models number it as they number passages."""
    model = ScriptedModel(lambda _: {"verdicts": [{"number": 2, "verdict": "supported", "id": 1}]})
    (ruling,) = await reasoner_of(model).check(inspection(Case(HOP, dict(DOCUMENTS)), "One."))
    assert ruling
    assert ruling.support is Support.SUPPORTED


async def test_the_verdict_on_a_sole_sentence_needs_no_list_and_no_number() -> None:
    case = Case(HOP, dict(DOCUMENTS))
    model = ScriptedModel({"check": {"verdict": "partly", "id": 2}})
    (ruling,) = await reasoner_of(model).check(inspection(case, "It stands."))
    assert ruling
    assert (ruling.support, ruling.evidence) == (Support.PARTLY, case.evidence[1].id)
    (request,) = model.requests
    assert request.output
    assert set(cast("dict[str, object]", request.output.definition["properties"])) == {
        "verdict",
        "id",
    }
    assert "For every number" not in request.messages[-1].content


async def test_one_verdict_on_several_sentences_is_on_none_of_them() -> None:
    case = Case(HOP, dict(DOCUMENTS))
    told: list[dict[str, JsonValue]] = [
        {"verdicts": [{"number": 2, "verdict": "supported"}]},
        {"verdict": "partly"},
    ]
    model = ScriptedModel(lambda _: told.pop())
    first, second = await reasoner_of(model).check(inspection(case, "It stands.", "It fell."))
    assert first is None
    assert second
    assert second.support is Support.SUPPORTED
    assert "verdicts is missing" in model.requests[-1].messages[-1].content


async def test_the_checker_sees_what_stands_around_a_sentence() -> None:
    model = ScriptedModel({"check": {"verdicts": []}})
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "He founded it.", "In 1902.").model_copy(
        update={"question": HOP, "answer": ("Varga was born.", "He founded it.", "So.", "In 1902.")}
    )
    assert await reasoner_of(model).check(asked) == [None, None]
    prompt = model.requests[0].messages[1].content
    assert prompt.startswith(f"The question was: {HOP}")
    told = [line.split(" (cites")[0] for line in prompt.splitlines()]
    first = told.index("- Varga was born.")
    assert told[first : first + 4] == [
        "- Varga was born.",
        "1. He founded it.",
        "- So.",
        "2. In 1902.",
    ]


async def test_the_checker_hears_both_ends_of_a_question_that_is_too_long() -> None:
    model = ScriptedModel({"check": {"verdicts": []}})
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "One.")
    question = f"At first Varga. {'Then the lottery. ' * model.context_tokens} Who won at last?"
    await reasoner_of(model).check(asked.model_copy(update={"question": question}))
    prompt = model.requests[0].messages[1].content
    assert "At first Varga." in prompt
    assert "Who won at last?" in prompt
    assert len(prompt) < model.context_tokens


async def test_a_verdict_that_does_not_exist_is_refused() -> None:
    model = ScriptedModel({"check": {"verdicts": [{"number": 1, "verdict": "probably"}]}})
    with pytest.raises(ContractError):
        await reasoner_of(model).check(inspection(Case(HOP, dict(DOCUMENTS)), "One."))


async def test_two_runs_share_models_and_nothing_else() -> None:
    shared = ModelReasoner(
        Models(
            ScriptedModel(careless),
            ScriptedModel(careless),
            ScriptedModel(careless),
            ScriptedModel(careless),
        )
    )
    assert shared.for_run(Meter()).desk.fence.word != shared.for_run(Meter()).desk.fence.word
    assert shared.name == "test:scriptedmodel"


class Tiny(ScriptedModel):
    """A model of few parameters."""

    traits = Traits(small=True)


class Pensive(ScriptedModel):
    """A model that thinks before it writes."""

    thinking_tokens = 700


def of_steps(plan: ModelDouble, write: ModelDouble, check: ModelDouble) -> RunReasoner:
    meter = Meter()
    meter.open(10_000_000, None)
    models = Models(plan=plan, evaluate=plan, write=write, check=check)
    return ModelReasoner(models).for_run(meter)


def test_every_model_is_named_once_in_the_order_of_the_steps() -> None:
    one, two, three = (ScriptedModel(name=f"Test:{name}") for name in ("One", "Two", "Three"))
    models = Models(plan=one, evaluate=two, write=one, check=two, fallbacks=(three, one))
    assert models.name == "Test:One, Test:Two, Test:Three"
    assert ModelReasoner(models).name == "test:one, test:two, test:three"
    assert of_steps(one, one, one).name == "test:one"


def test_the_most_that_any_model_thinks_is_set_aside() -> None:
    plain, pensive = ScriptedModel(), Pensive(name="test:pensive")
    assert of_steps(plain, plain, plain).thinking_tokens == 0
    for models in ((pensive, plain, plain), (plain, pensive, plain), (plain, plain, pensive)):
        assert of_steps(*models).thinking_tokens == 700


def test_what_a_small_model_writes_or_checks_is_not_told_early() -> None:
    plain, tiny = ScriptedModel(), Tiny()
    for plan, write, check in ((plain, tiny, plain), (plain, plain, tiny)):
        assert not of_steps(plan, write, check).tells_early
    assert of_steps(plain, plain, plain).tells_early
    assert not of_steps(tiny, plain, plain).tells_early, "the last to check is who evaluates"


async def test_a_small_checker_has_room_for_a_verdict_on_each_sentence() -> None:
    """One that thinks first needs more, whatever the number of sentences."""
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "One.", "Two.", "Three.")
    for model, room in (
        (Tiny({"check": {"verdicts": []}}), 3 * VERDICT_TOKENS),
        (ScriptedModel({"check": {"verdicts": []}}), JUDGING_TOKENS),
    ):
        await reasoner_of(model).check(asked)
        assert model.requests[0].max_output_tokens == room


async def test_of_several_verdicts_one_whose_number_is_wrong_is_on_nothing() -> None:
    verdicts: list[JsonValue] = [{"number": 3, "verdict": "supported", "id": 1}]
    model = ScriptedModel({"check": {"verdicts": verdicts}})
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "One.", "Two.")
    assert await reasoner_of(model).check(asked) == [None, None]


async def test_the_model_that_plans_leads_researchers() -> None:
    model, other = ScriptedModel(), ScriptedModel(name="test:other")
    left = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)
    overview = Overview(
        question=Question(text=HOP), brief=HOP, at_once=3, rounds_left=2, remaining=left
    )
    reasoner = of_steps(model, other, other)
    assert (await reasoner.brief(overview)).text
    assert await reasoner.delegate(overview) is not None
    assert model.steps() == ["brief", "supervise"]
    assert other.steps() == []


async def asked_to_plan(**changes: object) -> ModelRequest:
    """Return the request of a plan on a first look with ``changes``."""
    model = ScriptedModel(careless)
    look = Case(HOP, dict(DOCUMENTS)).look().model_copy(update=changes)
    await reasoner_of(model).plan(look)
    return model.requests[0]


async def asked_to_evaluate(refined: str = HOP, **changes: object) -> ModelRequest:
    """Return the request of a judgement in a review with ``changes``."""
    model, case = ScriptedModel(careless), Case(HOP, dict(DOCUMENTS))
    plan = (await reasoner_of(model).plan(case.look())).plan
    plan = plan.model_copy(update={"refined_question": refined})
    await reasoner_of(model).evaluate(case.review(plan).model_copy(update=changes))
    return model.requests[-1]


@pytest.mark.parametrize("asked", [asked_to_plan, asked_to_evaluate])
async def test_an_answer_that_comes_with_a_judgement_has_room_of_its_own(
    asked: Callable[..., Awaitable[ModelRequest]],
) -> None:
    plain, early = await asked(), await asked(answer_words=100)
    assert plain.max_output_tokens == JUDGING_TOKENS
    assert early.max_output_tokens > JUDGING_TOKENS + 100
    assert "- answer:" not in plain.messages[1].content
    assert "- answer: only if sufficient, else empty." in early.messages[1].content
    assert "in about 100 words" in early.messages[1].content


@pytest.mark.parametrize("asked", [asked_to_plan, asked_to_evaluate])
async def test_a_topic_of_a_larger_research_is_to_take_few_searches(
    asked: Callable[..., Awaitable[ModelRequest]],
) -> None:
    said = "one topic of a larger research"
    assert said not in (await asked()).messages[1].content
    assert said in (await asked(delegated=True)).messages[1].content


@pytest.mark.parametrize("asked", [asked_to_plan, asked_to_evaluate])
@pytest.mark.parametrize(
    ("kinds", "pubmed", "web"),
    [
        ({SourceKind.WEB}, False, False),
        ({SourceKind.PUBMED}, True, False),
        ({SourceKind.PUBMED, SourceKind.WEB}, True, True),
    ],
)
async def test_the_syntax_of_pubmed_is_told_where_it_can_be_searched_r4_2(
    asked: Callable[..., Awaitable[ModelRequest]],
    kinds: set[SourceKind],
    pubmed: bool,
    web: bool,
) -> None:
    said = (await asked(kinds=frozenset(kinds))).messages[1].content
    assert ("PubMed syntax" in said) is pubmed
    assert ("site:fda.gov" in said) is web


@pytest.mark.parametrize("small", [0, 1])
async def test_no_more_queries_are_asked_for_than_are_left(small: int) -> None:
    left = Remaining(iterations=1, queries=small, reads=9, tokens=9_999, seconds=60.0)
    for request in (
        await asked_to_plan(max_queries=small),
        await asked_to_evaluate(remaining=left),
    ):
        assert f"would close the gaps, {small} at the most" in request.messages[1].content


@pytest.mark.parametrize(
    ("refined", "told"),
    [
        (HOP, False),
        (f"  {HOP.upper()}\n", False),
        ("Which town is the founder from?", True),
        ("x" * (len(HOP) + 400), True),
        ("x" * (len(HOP) + 401), False),
    ],
)
async def test_a_question_is_judged_as_it_was_meant_where_that_says_more(
    refined: str, told: bool
) -> None:
    """What is far longer than the question is no wording of it."""
    prompt = (await asked_to_evaluate(refined)).messages[1].content
    assert HOP in prompt
    assert (f"\n({refined})" in prompt) is told


async def test_more_of_a_first_look_is_shown_where_names_of_it_were_followed() -> None:
    documents = {
        f"Observatory {n}": f"Observatory {n} on the hill was founded in {1900 + n}."
        for n in range(FOLLOWED_SHOWN + 3)
    }
    case = Case("Which observatory was founded first?", documents)
    model = ScriptedModel(careless)
    counts: list[int] = []
    for intent in (Intent.RAW, Intent.BRIDGE):
        outcome = QueryOutcome(query=Query(text="x", intent=intent), iteration=0, hits=9)
        look = case.look().model_copy(update={"outcomes": (outcome,)})
        await reasoner_of(model).plan(look)
        counts.append(len(shown(model.requests[-1])))
        followed = " and for names that it brought up" in model.requests[-1].messages[1].content
        assert followed is (intent is Intent.BRIDGE)
    assert counts == [FIRST_SHOWN, min(FOLLOWED_SHOWN, len(case.evidence))]


class Heard:
    """Takes every answer that it is offered."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def wants(self, judged: Opening | Reflection) -> bool:
        return True

    async def hear(self, sentence: Sentence) -> None:
        self.texts.append(sentence.text)

    async def ends(self) -> None:
        self.texts.append("")

    def breaks_off(self, error: str) -> bool:
        return False


async def test_an_answer_is_carried_where_the_model_that_judges_is_to_write_it() -> None:
    def answering(request: ModelRequest) -> dict[str, JsonValue] | str:
        said = _judged(request, sufficient=True)
        if "- answer:" in request.messages[1].content:
            said["answer"] = "Varga founded it [1]."
        return in_order(said, request)

    model, case = ScriptedModel(answering), Case(HOP, dict(DOCUMENTS))
    for write in (model, ScriptedModel(careless, name="test:writer")):
        heard, reasoner, carried = Heard(), of_steps(model, write, model), write is model
        look = case.look().model_copy(update={"answer_words": 100})
        opening = await reasoner.plan(look)
        review = case.review(opening.plan).model_copy(update={"answer_words": 100})
        aloud = await reasoner.plan_aloud(look, heard)
        assert aloud.reflection is not None
        assert opening.reflection is not None
        reflections = (
            opening.reflection,
            aloud.reflection,
            await reasoner.evaluate(review),
            await reasoner.evaluate_aloud(review, heard),
        )
        assert [bool(reflection.answer) for reflection in reflections] == [carried] * 4
        assert heard.texts == ["Varga founded it.", ""] * (2 * carried)


async def test_a_query_that_found_little_is_worded_anew_unless_all_is_known_r0_4() -> None:
    case = Case(HOP, dict(DOCUMENTS))
    poor = QueryOutcome(
        query=Query(text="blue enamel teapot", intent=Intent.GAP), iteration=0, hits=0
    )
    for sufficient in (False, True):
        model = ScriptedModel(lambda request, now=sufficient: _judged(request, sufficient=now))
        plan = (await reasoner_of(model).plan(case.look())).plan
        review = case.review(plan).model_copy(update={"outcomes": (poor,)})
        queries = (await reasoner_of(model).evaluate(review)).queries
        again = [query for query in queries if query.intent is Intent.REFORMULATION]
        assert bool(again) is not sufficient


def _judged(request: ModelRequest, *, sufficient: bool) -> dict[str, JsonValue]:
    said = careless(request)
    assert isinstance(said, dict)
    every: list[JsonValue] = [1, 2, 3]
    known: dict[str, JsonValue] = {
        "findings": [{"id": 1, "items": every}],
        "satisfied": every if sufficient else [],
        "queries": [],
    }
    return {**said, **known, "sufficient": sufficient, "confidence": 0.9}
