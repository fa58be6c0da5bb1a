"""Judgements in the forms in which small models write them."""

from __future__ import annotations

import json

import pytest
from pydantic import JsonValue

from quaere.domain.model import Finish
from quaere.errors import ContractError
from quaere.models.structured.ask import parse
from quaere.reason.llm.contracts import AssessmentAnswer, Inspection, OpeningAnswer, Wanted

WRITTEN: dict[str, JsonValue] = {
    "checklist": ["the builder", "the year"],
    "findings": [{"id": 2, "items": [1, 2]}],
    "contradictions": [],
    "gaps": [],
    "sufficient": True,
    "answer": "Tamsin Wray built it in 1788 [2].",
    "satisfied": [1, 2],
    "confidence": 0.8,
    "queries": [],
}


def opening(**changed: JsonValue) -> OpeningAnswer:
    return parse(json.dumps({**WRITTEN, **changed}), Finish.STOP, OpeningAnswer)


USUAL = opening()


@pytest.mark.parametrize(
    "changed",
    [
        {"gaps": None, "contradictions": None, "queries": None},
        {"gaps": "", "queries": ""},
        {"findings": {"id": 2, "items": [1, 2]}},
        {"findings": [{"id": "2", "items": ["1", "2"]}], "satisfied": ["1", "2"]},
        {"sufficient": "true"},
        {"checklist": [{"item": "the builder"}, {"item": "the year"}]},
        {"checklist": {"1": "the builder", "2": "the year"}},
        {"tier": "easy"},
        {"contradictions": "none that I see"},
        {"reason": ["it is all there"]},
    ],
)
def test_what_can_mean_one_thing_alone_is_read(changed: dict[str, JsonValue]) -> None:
    assert opening(**changed) == USUAL


@pytest.mark.parametrize("confidence", ["high", 90, None, [0.8]])
def test_a_confidence_that_is_not_a_share_is_left_out(confidence: JsonValue) -> None:
    left = {name: value for name, value in WRITTEN.items() if name != "confidence"}
    expected = parse(json.dumps(left), Finish.STOP, OpeningAnswer)
    assert opening(confidence=confidence) == expected


def test_an_answer_of_another_form_is_written_by_a_call_of_its_own() -> None:
    assert opening(answer=["Tamsin Wray built it [2]."]).answer == ""


def test_bare_ids_bear_on_the_whole_and_bare_words_are_queries() -> None:
    found = opening(findings=[2, "3"], queries=["mill at Orrin builder"], sufficient=False)
    assert [(each.id, each.items) for each in found.findings] == [(2, []), (3, [])]
    assert [each.query for each in found.queries] == ["mill at Orrin builder"]


UNREADABLE: list[tuple[dict[str, JsonValue], str]] = [
    ({"sufficient": "perhaps"}, "sufficient: should be a valid boolean"),
    ({"findings": [[2]]}, "findings[0].id: should be a valid integer"),
    ({"checklist": [{"item": "the builder", "why": "asked"}]}, "checklist[0]: should be"),
    ({"checklist": None, "findings": [{}]}, "findings[0].id: Field required"),
    ({"queries": [7], "sufficient": False}, "queries[0]: should be"),
]


@pytest.mark.parametrize(("changed", "complaint"), UNREADABLE)
def test_what_is_needed_and_says_nothing_is_asked_for_again(
    changed: dict[str, JsonValue], complaint: str
) -> None:
    with pytest.raises(ContractError) as refused:
        opening(**changed)
    assert complaint in refused.value.message


def test_a_later_judgement_and_verdicts_are_read_alike() -> None:
    later = {"findings": None, "gaps": None, "sufficient": "false", "queries": ["the old mill"]}
    judged = parse(json.dumps(later), Finish.STOP, AssessmentAnswer)
    assert (judged.findings, judged.gaps, judged.sufficient) == ([], [], False)
    verdicts = [{"number": "2", "verdict": "partly", "id": "1"}]
    (ruling,) = parse(json.dumps({"verdicts": verdicts}), Finish.STOP, Inspection).verdicts
    assert (ruling.number, ruling.id) == (2, 1)


def test_a_number_below_zero_is_no_id() -> None:
    (found,) = opening(findings=[{"id": "-1", "items": [1]}]).findings
    assert found.id == 0


@pytest.mark.parametrize("odd", [{"kinds": ["official docs"]}, {"intent": "broaden"}, {"item": -1}])
def test_r3_2_a_query_does_without_a_hint_of_no_known_kind(odd: dict[str, object]) -> None:
    wanted = Wanted.model_validate({"query": "tide tables", **odd})
    assert wanted == Wanted(query="tide tables")
