"""What a call is shown and how long its answer may be, and which evidence bears on it."""

from __future__ import annotations

from string import Template

import pytest
from tests.graphs.world import passage_of

from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import ModelRequest
from quaere.domain.question import Checklist, Item, Question
from quaere.domain.source import Passage
from quaere.models.meter import Meter
from quaere.ports.model import ChatModel, Traits
from quaere.reason.llm.prompt_builder import (
    FEW_PASSAGES,
    FITTING,
    JUDGING_SHARE,
    LEAST_OUTPUT,
    Desk,
    Exhibit,
    best_fitting,
    evidence_relied_on,
    led_to,
    of_named_pages,
    prompt,
)
from quaere.testing import ScriptedModel
from quaere.text.tokens import estimate_tokens

SENTENCE = "The harbour of Hask silted up in 1861 and was dug out again by the guild. "
PAGES = {
    "Hask": "The harbour of Hask silted up in 1861.",
    "Brell": "Brell cheese ripens in caves near the mill.",
    "Odile Varga": "Odile Varga was born in Tarnholm and kept bees.",
    "Tarnholm": "Tarnholm is a fishing town on the Esk.",
}


class SmallModel(ScriptedModel):
    traits = Traits(small=True)


def pool(pages: dict[str, str]) -> tuple[list[Evidence], dict[str, Passage]]:
    """Return evidence for ``pages``, numbered from 1."""
    passages = [passage_of(title, text) for title, text in pages.items()]
    evidence = [
        Evidence(id=n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(passages, 1)
    ]
    return evidence, {passage.id: passage for passage in passages}


def desk(tokens: int = 10_000_000) -> Desk:
    """Return a desk with ``tokens`` left in the budget."""
    meter = Meter()
    meter.open(tokens, None)
    return Desk(meter)


def asked(
    model: ChatModel,
    at: Desk,
    *,
    step: str = "evaluate",
    output_tokens: int = 2_000,
    count: int = 40,
) -> ModelRequest:
    """Return a request of ``step`` that is shown ``count`` long passages."""
    evidence, passages = pool({f"Page {n}": SENTENCE * 40 for n in range(count)})
    exhibit = Exhibit(evidence, passages, "harbour of Hask")
    template = prompt(step).user.template + prompt(step).system.template
    values = dict.fromkeys(Template(template).get_identifiers(), "x")
    values = {name: value for name, value in values.items() if name not in {"fence", "passages"}}
    return at.request(step, model, exhibit, values, output_tokens=output_tokens)


def size(request: ModelRequest) -> int:
    return sum(estimate_tokens(message.content) for message in request.messages)


@pytest.mark.parametrize(
    ("window", "wanted", "limit"),
    [(100_000, 2_000, 2_000), (8_000, 2_000, 2_000), (6_000, 2_000, 1_500), (2_000, 2_000, 500)],
)
def test_an_answer_takes_a_quarter_of_the_window_at_most(
    window: int, wanted: int, limit: int
) -> None:
    request = asked(ScriptedModel(context_tokens=window), desk(), output_tokens=wanted)
    assert request.max_output_tokens == limit
    assert request.step == "evaluate"
    assert request.output is None


@pytest.mark.parametrize("window", [4_000, 8_000, 20_000])
def test_prompt_and_answer_fill_the_window_and_no_more(window: int) -> None:
    request = asked(ScriptedModel(context_tokens=window), desk())
    taken = size(request) + request.max_output_tokens
    assert 0.75 * window <= taken <= window


@pytest.mark.parametrize(("step", "share"), [("evaluate", JUDGING_SHARE), ("synthesize", 0.75)])
def test_the_last_tokens_are_not_spent_on_judging(step: str, share: float) -> None:
    request = asked(ScriptedModel(context_tokens=1_000_000), desk(20_000), step=step)
    taken = size(request) + request.max_output_tokens
    assert 0.7 * share * 20_000 <= taken <= share * 20_000


def test_an_answer_is_not_cut_off_for_the_sake_of_the_budget() -> None:
    model = ScriptedModel(context_tokens=1_000_000)
    assert asked(model, desk(10_000)).max_output_tokens == int(10_000 * JUDGING_SHARE * 0.25)
    assert asked(model, desk(2_000)).max_output_tokens == LEAST_OUTPUT


def test_a_small_model_is_shown_few_passages() -> None:
    small = SmallModel(context_tokens=100_000)
    large = ScriptedModel(context_tokens=100_000)
    few, many = (str(asked(model, desk()).messages) for model in (small, large))
    assert f"Page {FEW_PASSAGES - 1}" in few
    assert f"Page {FEW_PASSAGES}" not in few
    assert "Page 39" in many


def test_a_long_question_leaves_room() -> None:
    model = ScriptedModel(context_tokens=10_000)
    long = Question(text=f"Begin {'word ' * 3_600} end?", context=f"For {'this ' * 3_600} so")
    told = desk().question_fields(long, model)
    assert estimate_tokens(told["question"]) <= 1_600
    assert estimate_tokens(told["context"]) <= 850
    assert told["question"].startswith("Begin")
    assert told["question"].endswith("end?")
    short = desk().question_fields(Question(text="Why?"), model)
    assert short == {"question": "Why?", "context": ""}


def test_what_an_item_rests_on_bears() -> None:
    evidence, _ = pool(PAGES)
    items = tuple(
        Item(id=f"i{n}", description="x", evidence=(evidence[at].passage,))
        for n, at in enumerate((2, 0))
    )
    assert evidence_relied_on(Checklist(items=items), evidence) == {1, 3}
    assert evidence_relied_on(Checklist(), evidence) == frozenset()


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("when did Odile Varga keep bees", {3}),
        ("when did Varga keep bees", set[int]()),
        ("Brell and Hask", {1, 2}),
        ("", set[int]()),
    ],
)
def test_a_query_names_a_page_by_its_whole_title(query: str, ids: set[int]) -> None:
    evidence, _ = pool({**PAGES, "the": "nothing"})
    assert of_named_pages([query], evidence) == ids


def test_a_query_comes_from_the_passage_with_the_words_that_the_question_lacks() -> None:
    evidence, passages = pool(PAGES)
    question = "Where is the harbour of Hask?"
    assert led_to(["harbour of Tarnholm on the Esk"], question, evidence, passages) == {4}
    assert led_to(["harbour bees", "caves"], question, evidence, passages) == {2, 3}
    assert led_to(["harbour of Hask", "zeppelins"], question, evidence, passages) == frozenset()
    assert led_to(["bees"], question, [], {}) == frozenset()
    del passages[evidence[2].passage]
    assert led_to(["bees"], question, evidence, passages) == frozenset()


def test_what_fits_each_query_best_is_looked_at_again() -> None:
    evidence, passages = pool(PAGES | {f"Bees {n}": f"Bees of the {n}th hive." for n in range(9)})
    found = best_fitting(["bees of Odile Varga", "cheese"], evidence, passages)
    assert {2, 3} <= found
    assert len(found) == FITTING + 1
    assert best_fitting(["zeppelins"], evidence, passages) == frozenset()
    assert best_fitting(["cheese"], evidence, {}) == frozenset()
