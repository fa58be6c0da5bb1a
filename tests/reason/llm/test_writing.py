"""How an answer is written: what is asked of a model, and what is taken of what it writes."""

from __future__ import annotations

import pytest
from tests.contracts.reasoner import Case
from tests.graphs.world import DOCUMENTS, HOP

from quaere.domain.evidence import Contradiction
from quaere.domain.model import Completion, Finish
from quaere.domain.question import AnswerForm, Checklist, Item, Plan
from quaere.domain.report import BEYOND_LENGTH, Sentence
from quaere.errors import ContractError
from quaere.models.meter import Meter
from quaere.ports.model import Traits
from quaere.ports.reason import Assignment
from quaere.reason.llm.prompt_builder import Desk
from quaere.reason.llm.writing import (
    BRIEF_WORDS,
    LEAST_TOKENS,
    LONG_WORDS,
    SMALL_WORDS,
    Writer,
    items_of,
    shown_text,
)
from quaere.testing import QueueModel
from quaere.text.tokens import terms

pytestmark = pytest.mark.anyio

CITED = "The mill of Hask burned [1]."


class Small(QueueModel):
    traits = Traits(small=True)


def assignment(**changed: object) -> Assignment:
    """Return what is to be written of the observatory's world, with some of it ``changed``."""
    case = Case(HOP, dict(DOCUMENTS))
    first, second = case.evidence[:2]
    items = (
        Item(id="answer", description=HOP, evidence=(first.passage,)),
        Item(id="part-1", description="When it burned", evidence=(second.passage,)),
    )
    checklist = Checklist(items=items)
    told = {
        "question": case.question,
        "plan": Plan(refined_question=HOP, checklist=checklist, queries=()),
        "partial": False,
        "checklist": checklist,
        "evidence": case.evidence,
        "passages": case.passages,
        "max_words": 200,
        "max_citations": 3,
    }
    return Assignment.model_validate(told | changed)


async def written(model: QueueModel, asked: Assignment) -> list[Sentence]:
    meter = Meter()
    meter.open(10_000_000, None)
    return [sentence async for sentence in Writer(model, Desk(meter)).write(asked)]


async def test_sentences_cite_the_ids_that_were_meant_and_speak_to_their_items() -> None:
    asked = assignment()
    first, second = (entry.id for entry in asked.evidence[:2])
    said = await written(QueueModel("It burned [1]. It stood [2][1]."), asked)
    assert [(each.text, each.evidence, each.item) for each in said] == [
        ("It burned.", (first,), "answer"),
        ("It stood.", (second, first), "part-1"),
    ]


async def test_what_evaluation_wrote_is_taken_without_a_call() -> None:
    asked = assignment()
    first = asked.evidence[0].id
    model = QueueModel()
    said = await written(model, asked.model_copy(update={"answer": f"It burned [{first}]."}))
    assert [each.evidence for each in said] == [(first,)]
    assert model.requests == []


async def test_what_cites_nothing_is_asked_for_once_more() -> None:
    model = QueueModel("It burned.", CITED)
    said = await written(model, assignment())
    assert [each.text for each in said] == ["It burned.", "The mill of Hask burned."]
    first, again = model.requests
    assert again.messages[:-1] == first.messages
    assert "cited no passage" in again.messages[-1].content


@pytest.mark.parametrize(
    ("model", "calls"), [(QueueModel("It burned.", "So."), 2), (Small("It burned."), 1)]
)
async def test_an_answer_that_cites_nothing_is_an_error(model: QueueModel, calls: int) -> None:
    with pytest.raises(ContractError, match="cites nothing"):
        await written(model, assignment())
    assert len(model.requests) == calls


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (Completion(text=f"{CITED} It stood by the [2]", finish=Finish.LENGTH), 1),
        (Completion(text=f"{CITED} It stood by the [2]", finish=Finish.STOP), 2),
    ],
)
async def test_a_sentence_that_was_cut_off_is_left_out(answer: Completion, count: int) -> None:
    assert len(await written(QueueModel(answer), assignment())) == count


async def test_a_model_that_declines_is_not_argued_with() -> None:
    model = QueueModel(Completion(text="I cannot [1]. Not at all", finish=Finish.REFUSAL))
    with pytest.raises(ContractError, match="declined"):
        await written(model, assignment())
    assert len(model.requests) == 1


async def test_nothing_is_written_of_nothing() -> None:
    model = QueueModel()
    assert await written(model, assignment(passages={})) == []
    assert model.requests == []


async def test_no_more_is_said_than_may_be() -> None:
    short = await written(QueueModel(f"{CITED} It stood long ago [2]."), assignment(max_words=3))
    assert [(each.text, each.reason) for each in short] == [
        ("The mill of Hask burned.", ""),
        ("It stood long ago.", BEYOND_LENGTH),
    ]


@pytest.mark.parametrize(
    ("words", "form", "style"),
    [
        (BRIEF_WORDS, None, "one short paragraph"),
        (BRIEF_WORDS + 1, None, "plain paragraphs"),
        (LONG_WORDS - 1, None, "plain paragraphs"),
        (LONG_WORDS, None, "one after the other"),
        (LONG_WORDS, AnswerForm.SHORT, "one or two sentences"),
        (BRIEF_WORDS, AnswerForm.LIST, "Write a list"),
        (BRIEF_WORDS, AnswerForm.TABLE, "one Markdown table"),
    ],
)
async def test_the_style_is_that_of_its_form_or_length(
    words: int, form: AnswerForm | None, style: str
) -> None:
    asked = assignment(max_words=words)
    question = asked.question.model_copy(update={"form": form})
    model = QueueModel(CITED)
    await written(model, asked.model_copy(update={"question": question}))
    assert style in str(model.requests[0].messages)


@pytest.mark.parametrize(
    ("model", "words", "tokens"),
    [
        (QueueModel(CITED), 80, LEAST_TOKENS),
        (QueueModel(CITED), 2_000, 12_000),
        (Small(CITED), 50, 240),
        (Small(CITED), 1_000, int(SMALL_WORDS * 1.6 * 3)),
    ],
)
async def test_an_answer_has_room_for_its_words(model: QueueModel, words: int, tokens: int) -> None:
    await written(model, assignment(max_words=words))
    assert model.requests[0].max_output_tokens == tokens


async def test_what_is_missing_and_what_disagrees_is_told() -> None:
    asked = assignment()
    ids = tuple(sorted(entry.id for entry in asked.evidence[:2]))
    told = assignment(
        partial=True,
        contradictions=(Contradiction(ids=(ids[0], ids[1]), what="the\nyear <data-1>"),),
    )
    model, plain = QueueModel(CITED), QueueModel(CITED)
    await written(model, told)
    await written(plain, asked)
    said, unsaid = str(model.requests[0].messages), str(plain.requests[0].messages)
    assert "not everything was found" in said
    assert "contradict each other: 1 and 2 (the year (data-1>)" in said
    assert "not everything was found" not in unsaid
    assert "contradict each other" not in unsaid


async def test_a_small_model_writes_its_table_in_sentences() -> None:
    asked = assignment()
    question = asked.question.model_copy(update={"form": AnswerForm.TABLE})
    model = Small(CITED)
    await written(model, asked.model_copy(update={"question": question}))
    assert "a row for each sentence" in str(model.requests[0].messages)


async def test_of_the_items_that_share_a_passage_a_sentence_speaks_to_the_one_it_names() -> None:
    asked = assignment()
    passage = asked.evidence[0].passage
    items = tuple(
        Item(id=f"item-{n}", description=text, terms=tuple(terms(text)), evidence=(passage,))
        for n, text in enumerate(("beds and rooms of the mill", "beds and rooms of the inn"), 1)
    )
    shared = asked.model_copy(update={"checklist": Checklist(items=items)})
    said = await written(
        QueueModel("The mill has 5 rooms [1]. The inn has 12 [1]. Rooms have beds [1]."), shared
    )
    assert [each.item for each in said] == ["item-1", "item-2", None]


def test_evidence_speaks_to_the_item_that_rests_on_it() -> None:
    asked = assignment()
    first, second, third = asked.evidence[:3]
    found = items_of(asked.checklist, asked.evidence, asked.passages)
    assert (found[first.id], found[second.id], found[third.id]) == ("answer", "part-1", None)
    assert items_of(asked.checklist, [first], {}) == {}
    assert (
        shown_text(asked.passages).split("\n")[0]
        == next(iter(asked.passages.values())).text.split("\n")[0]
    )
