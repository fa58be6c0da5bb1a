"""Several questions in one are answered each by itself, and told together."""

from __future__ import annotations

import pytest
from tests.contracts.reasoner import Case
from tests.reason.extractive.table_pages import passage_of, shelf

from quaere.domain.question import Checklist, ItemStatus
from quaere.domain.report import SURE, Direct, DirectKind, Sentence
from quaere.domain.verdict import Reflection
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.reason.extractive.together import in_part, together
from quaere.synthesize.standing import settled
from quaere.text.languages.language import ENGLISH_FRAME

pytestmark = pytest.mark.anyio

MILL = {
    "The mill": (
        "The mill opens at 10 am and closes at 5 pm. Admission to the mill costs 8 euros.\n\n"
        "The mill was built by Otto Weil in 1862. The miller is Helen Brandt."
    )
}
BOATS = passage_of(
    "boats.csv",
    "| boat | departs | fare |\n| Brill | 08:15 | 12.50 |\n| Orrin | 09:05 | 8.00 |",
)


async def answered(case: Case) -> tuple[Reflection, list[Sentence]]:
    reasoner = ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    review = case.review(plan, settled=True).model_copy(update={"leads": ()})
    judged = await reasoner.evaluate(review)
    written = reasoner.synthesize(case.assignment(plan, judged.checklist))
    return judged, [sentence async for sentence in written]


def over_boats(text: str) -> Case:
    case = Case(text, {})
    evidence, case.passages = shelf(BOATS)
    case.evidence = tuple(evidence)
    return case


@pytest.mark.parametrize(
    ("case", "told"),
    [
        (Case("Who built the mill and who is the miller?", MILL), ("Otto Weil", "Helen Brandt")),
        (Case("When does the mill open and what does it cost?", MILL), ("10 am", "8 euros")),
        (over_boats("When does Orrin depart and what is its fare?"), ("09:05", "8.00")),
    ],
)
async def test_each_part_is_told_and_proved(case: Case, told: tuple[str, ...]) -> None:
    judged, written = await answered(case)
    direct = written[0].direct
    assert direct is not None
    assert direct.confidence >= SURE
    assert all(part in direct.text for part in told)
    quoted = " ".join(quote.text for quote in direct.quotes)
    assert all(part in quoted for part in told)
    assert all(item.status is ItemStatus.SATISFIED for item in judged.checklist.items)
    assert not judged.gaps


async def test_a_sentence_that_answers_twice_is_told_once() -> None:
    _, written = await answered(Case("When does the mill open and close?", MILL))
    texts = [sentence.text for sentence in written]
    assert len(texts) == len(set(texts))
    assert all(sentence.direct is None for sentence in written[1:])


@pytest.mark.parametrize(
    "case",
    [
        Case("Who built the mill and how high is the tower?", MILL),
        over_boats("When does Brill depart and how long is it?"),
    ],
)
async def test_one_part_alone_does_not_count_as_all(case: Case) -> None:
    _, written = await answered(case)
    direct = written[0].direct
    assert direct is not None
    assert direct.confidence < SURE


async def test_what_answers_in_part_is_told_in_full_and_is_not_sure() -> None:
    _, written = await answered(Case("Who built the mill and what does it cost?", MILL))
    part = in_part(written)
    assert [each.text for each in part] == [each.text for each in written]
    assert len(part) > 1
    assert part[0].direct is not None
    assert part[0].direct.confidence < SURE
    assert not in_part(())


async def test_of_two_questions_the_one_that_is_answered_is_told_and_the_other_named() -> None:
    houses = {
        "Orrin": "The mill was opened in 1788.\n\nThe chapel was built by Owen Tudor in 1811."
    }
    _, written = await answered(Case("Who built the mill, and when was it opened?", houses))
    direct = written[0].direct
    assert direct is not None
    assert direct.confidence < SURE
    assert direct.text.startswith("1788; ")
    assert direct.text.endswith(": Who built the mill")
    assert written[0].text == "The mill was opened in 1788."


async def test_the_part_that_is_sure_leads_where_the_other_has_no_answer() -> None:
    _, written = await answered(Case("How high is the tower and who built the mill?", MILL))
    direct = written[0].direct
    assert direct is not None
    assert direct.text.startswith("Otto Weil; ")
    assert direct.confidence < SURE


@pytest.mark.parametrize(
    ("question", "statuses"),
    [
        ("Who built the mill and what colour is it?", "satisfied unsatisfied"),
        ("What colour is the mill and who built it?", "unsatisfied satisfied"),
        ("Who built the mill, when does it open and how wide is it?", "satisfied satisfied"),
    ],
)
async def test_what_is_ticked_is_what_is_told(question: str, statuses: str) -> None:
    judged, written = await answered(Case(question, MILL))
    ticked = [item.status for item in judged.checklist.items]
    assert ticked[:2] == [ItemStatus(each) for each in statuses.split()]
    left = judged.checklist.with_status(ItemStatus.SATISFIED)
    assert len(left) < len(ticked) == len(judged.checklist.asked)
    assert len(judged.gaps) == len(ticked) - len(left)
    kept, gaps = settled(judged.checklist, judged.gaps, written)
    assert (kept, gaps) == (judged.checklist, judged.gaps), "the sure parts stay ticked"


async def test_in_little_room_a_line_stands_without_what_explains_it() -> None:
    tower = {"The tower": "The tower was built by Mira Stone in 1931. It was closed in 1975."}
    tower["The tower"] += " The tower is 84 metres high."
    case = Case("Who built the tower and when was it closed and how high is it?", tower)
    reasoner = ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    assignment = case.assignment(plan, plan.checklist).model_copy(update={"max_words": 45})
    texts = [sentence.text async for sentence in reasoner.synthesize(assignment)]
    assert texts[-1] == "The tower is 84 metres high."
    assert not any(text.endswith("…") for text in texts)


def test_after_an_answer_in_a_sentence_what_is_left_is_told_in_sentences() -> None:
    told = "The mill opens at 10 am in spring, and at 9 am in summer."
    direct = Direct(kind=DirectKind.SENTENCE, text=told, confidence=SURE)
    answers = [(), (Sentence(text=told, direct=direct),)]
    checklist = Checklist(items=())
    asked = ("Who runs the mill?", "When does it open?")
    first = together(answers, checklist, asked)[0].direct
    assert first is not None
    assert first.text == f"{told} {ENGLISH_FRAME.not_found}: Who runs the mill."
