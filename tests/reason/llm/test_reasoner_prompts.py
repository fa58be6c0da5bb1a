"""What the prompts of planning and judging say of kinds of source, and what they show again."""

from __future__ import annotations

import re

import pytest
from tests.contracts.reasoner import Case
from tests.graphs.world import DOCUMENTS, HOP
from tests.reason.llm.test_reasoner import asked_to_evaluate, asked_to_plan

from quaere.domain.question import Checklist, Intent, Item, ItemStatus, Query, SourceKind
from quaere.domain.report import QueryOutcome

pytestmark = pytest.mark.anyio

ALONE = "Read before, by title alone:"


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        ({SourceKind.FOLDER}, False),
        ({SourceKind.WEB}, False),
        ({SourceKind.WEB, SourceKind.NEWS}, False),
        ({SourceKind.PUBMED, SourceKind.WEB}, True),
        ({SourceKind.FOLDER, SourceKind.WEB}, True),
    ],
)
async def test_a_query_is_to_say_which_kinds_it_wants_where_that_makes_a_difference(
    kinds: set[SourceKind], told: bool
) -> None:
    said = (await asked_to_plan(kinds=frozenset(kinds))).messages[1].content
    assert ("the kinds of source it wants, if any" in said) is told


@pytest.mark.parametrize("wanted", [True, False])
async def test_a_plan_is_to_say_how_deep_the_question_is_where_nobody_has(wanted: bool) -> None:
    said = (await asked_to_plan(tier_wanted=wanted)).messages[1].content
    assert ("- tier: simple for one plain fact" in said) is wanted


async def test_what_was_judged_before_is_shown_by_its_title_and_what_is_new_whole() -> None:
    case = Case(HOP, dict(DOCUMENTS))
    new, *old = case.evidence
    request = await asked_to_evaluate(
        checklist=Checklist(), fresh=(new.id,), outcomes=(), iteration=2
    )
    whole, _, listed = request.messages[1].content.partition(ALONE)
    assert case.passages[new.passage].text in whole
    assert new.title not in listed.partition("</data")[0]
    for entry in old:
        assert case.passages[entry.passage].text not in whole
        assert entry.title in listed


async def test_a_judge_is_shown_the_checklist_with_what_each_item_rests_on() -> None:
    first, *_ = Case(HOP, dict(DOCUMENTS)).evidence
    items = (
        Item(
            id="who",
            description="The founder of the observatory.",
            status=ItemStatus.SATISFIED,
            evidence=(first.passage, "of no pool"),
        ),
        Item(id="where", description="The place of birth."),
    )
    request = await asked_to_evaluate(checklist=Checklist(items=items))
    assert "\n2. The place of birth. (open)\n" in request.messages[1].content
    assert re.search(
        r"\n1\. The founder of the observatory\. \(satisfied, by \d+\)\n",
        request.messages[1].content,
    )


async def test_where_nothing_is_new_all_is_shown_whole() -> None:
    case = Case(HOP, dict(DOCUMENTS))
    request = await asked_to_evaluate(checklist=Checklist(), fresh=(), outcomes=(), iteration=2)
    assert ALONE not in request.messages[1].content
    for entry in case.evidence:
        assert case.passages[entry.passage].text in request.messages[1].content


@pytest.mark.parametrize(
    ("intent", "iteration", "whole"),
    [(Intent.GAP, 1, True), (Intent.RAW, 1, False), (Intent.GAP, 0, False), (Intent.GAP, 2, False)],
)
async def test_what_the_queries_of_the_last_loop_were_about_is_shown_whole_again(
    intent: Intent, iteration: int, whole: bool
) -> None:
    """Older queries have been judged, and the question itself leads everywhere."""
    case = Case(HOP, dict(DOCUMENTS))
    new = case.evidence[0]
    about = next(entry for entry in case.evidence[1:] if entry.title == "Tressel Ford")
    query = Query(text="Tressel Ford", intent=intent)
    request = await asked_to_evaluate(
        checklist=Checklist(),
        fresh=(new.id,),
        outcomes=(QueryOutcome(query=query, iteration=iteration),),
        iteration=2,
    )
    shown = case.passages[about.passage].text in request.messages[1].content
    assert shown is whole
