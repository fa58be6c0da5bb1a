"""From what a model wrote to plan and reflection."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of

from quaere.domain.evidence import Contradiction, Evidence, Score
from quaere.domain.question import Checklist, Intent, Item, ItemStatus, Question, SourceKind
from quaere.domain.verdict import Fact
from quaere.reason.llm import contracts
from quaere.reason.llm.queries import LEAST_PLACES, MOST_PLACES
from quaere.reason.llm.weigh import WHOLE, plan_of, reflection_of
from quaere.text.tokens import terms

EVIDENCE = [
    Evidence(id=number, passage=f"p{number}", url="", title="", score=Score())
    for number in (3, 1, 7)
]
CHECKLIST = Checklist(
    items=(Item(id="item-1", description="who"), Item(id="item-2", description="when"))
)
QUESTION = Question(text="Who built the mill, and when?")


def assessed(**changes: Any) -> contracts.Assessment:
    said: dict[str, Any] = {
        "findings": [{"id": 3, "items": [1]}, {"id": 7, "items": [1, 2]}],
        "satisfied": [1, 2],
        "gaps": [],
        "queries": [],
        "sufficient": True,
        "confidence": 0.8,
    }
    return contracts.Assessment.model_validate(said | changes)


def test_ticks_rest_on_the_passages_found() -> None:
    reflection = reflection_of(assessed(), CHECKLIST, EVIDENCE)
    first, second = reflection.checklist.items
    assert (first.status, first.evidence) == (ItemStatus.SATISFIED, ("p3", "p7"))
    assert (second.status, second.evidence) == (ItemStatus.SATISFIED, ("p7",))
    assert reflection.sufficient
    assert reflection.findings == (3, 7)


def test_a_tick_without_evidence_is_none() -> None:
    reflection = reflection_of(assessed(findings=[{"id": 3, "items": [1]}]), CHECKLIST, EVIDENCE)
    assert [i.status for i in reflection.checklist.items] == [
        ItemStatus.SATISFIED,
        ItemStatus.UNSATISFIED,
    ]
    assert not reflection.sufficient, "the model's claim does not stand against an open item"
    assert reflection.gaps == ("when",)


MILL = passage_of("The mill", "The mill was built by Tamsin Wray. It ground barley.")
WEIR = passage_of("The weir", "The weir holds back the Ara.")


@pytest.mark.parametrize(
    ("findings", "places"),
    [
        ([], (1,)),
        ([{"id": 77, "items": [1, 2]}], (1,)),
        (["the second one"], (1,)),
        (["The Mill"], (1, 2)),
        ([{"id": MILL.url, "items": [1, 2]}], (1, 2)),
        ([{"id": "passage 1", "items": [2]}], (2,)),
    ],
)
def test_ticks_rest_on_what_was_named_or_else_on_what_words_find(
    findings: list[object], places: tuple[int, ...]
) -> None:
    evidence = [
        Evidence(id=n, passage=each.id, url=each.url, title=each.title, score=Score())
        for n, each in enumerate((MILL, WEIR), 1)
    ]
    items = (("item-1", "who built the mill"), ("item-2", "the colour of its sails"))
    described = [Item(id=key, description=text, terms=tuple(terms(text))) for key, text in items]
    reflection = reflection_of(
        assessed(findings=findings),
        Checklist(items=tuple(described)),
        evidence,
        passages={each.id: each for each in (MILL, WEIR)},
    )
    rested = [n for n, item in enumerate(reflection.checklist.items, 1) if item.evidence]
    assert tuple(rested) == places
    assert reflection.findings == (1,)
    assert reflection.sufficient is (places == (1, 2))


@pytest.mark.parametrize(("satisfied", "confidence"), [([1, 2], 1.0), ([1], 0.5), ([], 0.0)])
def test_who_does_not_say_how_sure_it_is_is_as_sure_as_items_are_ticked(
    satisfied: list[int], confidence: float
) -> None:
    said = assessed(satisfied=satisfied, sufficient=False, gaps=["when"]).model_dump()
    del said["confidence"]
    silent = contracts.Assessment.model_validate(said)
    assert reflection_of(silent, CHECKLIST, EVIDENCE).confidence == confidence
    sure = contracts.Assessment.model_validate(said | {"confidence": 0.8})
    assert reflection_of(sure, CHECKLIST, EVIDENCE).confidence == 0.8


SIDES = ("when the mill was built", "when the weir was built")


def of_items(*descriptions: str) -> Checklist:
    listed = enumerate(descriptions, 1)
    return Checklist(items=tuple(Item(id=f"item-{n}", description=text) for n, text in listed))


@pytest.mark.parametrize(
    "derived",
    [
        "which is older",
        "which of the two was built first",
        "comparison of both years",
        "how many years are between them",
        "the difference in years",
        "welcher Bau älter ist",
    ],
)
@pytest.mark.parametrize("satisfied", [[1, 2], [1, 2, 3]])
def test_what_follows_from_other_items_rests_on_them(derived: str, satisfied: list[int]) -> None:
    said = assessed(
        findings=[{"id": 3, "items": [1]}, {"id": 7, "items": [2]}], satisfied=satisfied
    )
    reflection = reflection_of(said, of_items(*SIDES, derived), EVIDENCE)
    assert reflection.checklist.items[2].status is ItemStatus.SATISFIED
    assert reflection.checklist.items[2].evidence == ("p3", "p7")
    assert (reflection.sufficient, reflection.gaps) == (True, ())


@pytest.mark.parametrize(
    "asked", ["which company was the owner", "overall cost of the mill", "the founder", "when"]
)
def test_what_a_passage_could_say_does_not(asked: str) -> None:
    said = assessed(findings=[{"id": 3, "items": [1]}, {"id": 7, "items": [2]}])
    reflection = reflection_of(said, of_items(*SIDES, asked), EVIDENCE)
    assert reflection.checklist.items[2].status is ItemStatus.UNSATISFIED


@pytest.mark.parametrize(
    ("satisfied", "sufficient", "status"),
    [([1, 2, 3], True, "satisfied"), ([1, 2], True, "unsatisfied"), ([1, 3], True, "unsatisfied"),
     ([1, 2, 3], False, "unsatisfied")],
)  # fmt: skip
def test_the_last_item_may_be_ticked_for_what_the_others_rest_on(
    satisfied: list[int], sufficient: bool, status: str
) -> None:
    said = assessed(
        findings=[{"id": 3, "items": [1]}, {"id": 7, "items": [2]}],
        satisfied=satisfied,
        sufficient=sufficient,
    )
    items = of_items(*SIDES, "where the two accounts part")
    last = reflection_of(said, items, EVIDENCE).checklist.items[2]
    assert last.status == status
    assert last.evidence == (("p3", "p7") if status == "satisfied" else ())


@pytest.mark.parametrize("sufficient", [True, False])
def test_what_is_not_said_to_be_answered_is_if_the_evidence_is_sufficient(
    sufficient: bool,
) -> None:
    """As long as the answer is being written, nothing is said of its items yet."""
    said = contracts.Assessment.model_validate(
        {
            "findings": [{"id": 3, "items": [1]}, {"id": 7, "items": [2]}],
            "gaps": [],
            "queries": [],
            "sufficient": sufficient,
        }
    )
    items = of_items(*SIDES, "where the two accounts part")
    reflection = reflection_of(said, items, EVIDENCE)
    assert reflection.sufficient is sufficient
    statuses = [item.status for item in reflection.checklist.items]
    if sufficient:
        assert statuses == [ItemStatus.SATISFIED] * 3
    else:
        assert statuses == [ItemStatus.PARTIAL, ItemStatus.PARTIAL, ItemStatus.UNSATISFIED]


def test_it_is_no_further_than_they_are() -> None:
    half = assessed(findings=[{"id": 3, "items": [1]}], satisfied=[1, 3], sufficient=False)
    for items in ((*SIDES, "which is older"), ("which is older", *SIDES)):
        of_sides = [n + (items[0] not in SIDES) for n in (1, 2)]
        said = half.model_copy(
            update={
                "findings": [contracts.Found(id=3, items=[of_sides[0]])],
                "satisfied": [of_sides[0]],
            }
        )
        ticked = reflection_of(said, of_items(*items), EVIDENCE).checklist.items
        assert ticked[items.index("which is older")].status is ItemStatus.PARTIAL
    none = assessed(findings=[], satisfied=[1, 2, 3], sufficient=True)
    ticked = reflection_of(none, of_items(*SIDES, "which is older"), EVIDENCE).checklist.items
    assert {each.status for each in ticked} == {ItemStatus.UNSATISFIED}


def test_evidence_without_a_tick_is_a_part() -> None:
    reflection = reflection_of(assessed(satisfied=[2], sufficient=False), CHECKLIST, EVIDENCE)
    assert reflection.checklist.items[0].status is ItemStatus.PARTIAL
    assert not reflection.sufficient


def test_all_ticked_and_no_gap_named_is_sufficient_whatever_else_is_said() -> None:
    more = [{"query": "more of the same"}]
    reflection = reflection_of(assessed(sufficient=False, queries=more), CHECKLIST, EVIDENCE)
    assert reflection.sufficient
    assert reflection.queries == ()
    named = reflection_of(assessed(sufficient=False, gaps=["x"]), CHECKLIST, EVIDENCE)
    assert not named.sufficient


def test_nothing_is_sufficient_without_evidence() -> None:
    assert not reflection_of(assessed(), CHECKLIST, []).sufficient


def test_evidence_of_an_earlier_loop_is_kept_behind_the_new() -> None:
    known = Checklist(items=(CHECKLIST.items[0].model_copy(update={"evidence": ("p1",)}),))
    reflection = reflection_of(assessed(satisfied=[1]), known, EVIDENCE)
    assert reflection.checklist.items[0].evidence == ("p3", "p7", "p1")


def test_queries_carry_their_item_intent_kinds_and_places() -> None:
    wanted = [
        {"query": " mill   builder ", "item": 1, "intent": "bridge", "kinds": ["news", "gov"]},
        {"query": "mill builder"},
        {"query": "date", "item": 9},
    ]
    said = assessed(queries=wanted, sufficient=False, gaps=["x"])
    first, second = reflection_of(said, CHECKLIST, EVIDENCE).queries
    assert (second.text, second.item, second.intent) == ("date", None, Intent.GAP)
    assert (first.text, first.item) == ("mill builder", "item-1")
    assert LEAST_PLACES <= first.places <= MOST_PLACES
    assert (first.intent, first.purpose) == (Intent.BRIDGE, "who")
    assert first.source_kinds == (SourceKind.NEWS, SourceKind.GOV)


def test_two_passages_may_contradict_each_other_in_several_items() -> None:
    differing = [
        {"ids": [3, 7], "item": 1, "what": "the year"},
        {"ids": [7, 3], "item": 2, "what": "the builder"},
        {"ids": [3, 7], "item": 2, "what": "who built it"},
    ]
    told = reflection_of(assessed(contradictions=differing), CHECKLIST, EVIDENCE).contradictions
    assert [(each.ids, each.what) for each in told] == [
        ((3, 7), "the year"),
        ((3, 7), "the builder"),
    ]


def test_contradictions_are_pairs_of_what_was_shown() -> None:
    said = assessed(contradictions=[[7, 3], [3, 7], [1, 99], [3], [1, 1]])
    assert reflection_of(said, CHECKLIST, EVIDENCE).contradictions == (Contradiction(ids=(3, 7)),)


def test_a_plan_without_items_asks_the_question_itself() -> None:
    plan = plan_of(contracts.Plan(checklist=[]), QUESTION)
    assert [item.id for item in plan.checklist.items] == [WHOLE]
    unknown = reflection_of(
        assessed(findings=[], satisfied=[], sufficient=False, gaps=["all"]),
        plan.checklist,
        EVIDENCE,
    )
    assert unknown.checklist.items[0].status is ItemStatus.UNSATISFIED
    known = reflection_of(assessed(satisfied=[], sufficient=False), plan.checklist, EVIDENCE)
    assert known.checklist.items[0].status is ItemStatus.SATISFIED
    assert known.sufficient


def test_a_plan_keeps_what_the_model_made_of_the_question() -> None:
    draft = contracts.Plan(
        checklist=["who", "who", " when  then "],
        refined_question="Who built the old mill?",
        scope_out=["the new mill"],
        tier="deep",
    )
    plan = plan_of(draft, QUESTION)
    assert [item.description for item in plan.checklist.items] == ["who", "when then"]
    assert (plan.refined_question, plan.tier, plan.scope_out) == (
        "Who built the old mill?",
        "deep",
        ("the new mill",),
    )
    assert plan.key_terms


NUMBERS = st.integers(0, 12)
ASSESSMENTS = st.builds(
    assessed,
    findings=st.lists(
        st.fixed_dictionaries({"id": st.integers(-3, 12), "items": st.lists(NUMBERS, max_size=3)})
    ),
    satisfied=st.lists(NUMBERS),
    gaps=st.lists(st.text("ab", min_size=1, max_size=4), max_size=2),
    contradictions=st.lists(st.lists(st.integers(-2, 9), max_size=3), max_size=3),
    queries=st.lists(
        st.fixed_dictionaries(
            {
                "query": st.text(" ab", min_size=1, max_size=5),
                "item": NUMBERS,
                "kinds": st.lists(st.sampled_from([kind.value for kind in SourceKind]), max_size=2),
            }
        ),
        max_size=9,
    ),
    sufficient=st.booleans(),
    confidence=st.floats(0, 1),
)


@given(ASSESSMENTS)
def test_whatever_a_model_says_only_what_was_shown_counts(said: contracts.Assessment) -> None:
    reflection = reflection_of(said, CHECKLIST, EVIDENCE)
    shown = {entry.passage for entry in EVIDENCE}
    assert [item.id for item in reflection.checklist.items] == ["item-1", "item-2"]
    for item in reflection.checklist.items:
        assert set(item.evidence) <= shown
        assert bool(item.evidence) == (item.status is not ItemStatus.UNSATISFIED)
    assert not (reflection.sufficient and reflection.gaps)
    assert len(reflection.queries) <= contracts.MAX_QUERIES
    assert {number for pair in reflection.contradictions for number in pair.ids} <= {1, 3, 7}


def test_the_reason_is_the_models_own_r3_2() -> None:
    said = assessed(reason="two passages agree, see https://evil.example/x")
    assert reflection_of(said, CHECKLIST, EVIDENCE).reason == "two passages agree, see"
    assert reflection_of(assessed(), CHECKLIST, EVIDENCE).reason == "every item is answered"


def test_findings_carry_the_text_of_the_fact_r4_2() -> None:
    text = "The mill is white. Who built it was Tamsin Wray. It was built in 1744."
    held = passage_of("Mill", text)
    evidence = [Evidence(id=3, passage=held.id, url="", title="", score=Score())]
    facts = reflection_of(
        assessed(findings=[{"id": 3, "items": [1]}, {"id": 3, "items": [2]}, {"id": 9}]),
        Checklist(
            items=(
                Item(id="item-1", description="who built it"),
                Item(id="item-2", description="who was it"),
            )
        ),
        evidence,
        passages={held.id: held},
    ).facts
    assert facts == (
        Fact(evidence=3, items=("item-1", "item-2"), text="Who built it was Tamsin Wray."),
    )
