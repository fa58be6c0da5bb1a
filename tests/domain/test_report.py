"""What a report says of itself."""

from __future__ import annotations

import pytest

from quaere.domain.question import Query
from quaere.domain.report import (
    SURE,
    Direct,
    DirectKind,
    Opens,
    QueryOutcome,
    RunWarning,
    Sentence,
    Support,
    of_version_2,
)


def outcome(text: str, hits: int, error: str = "") -> QueryOutcome:
    return QueryOutcome(query=Query(text=text), iteration=1, hits=hits, error=error)


def test_only_what_its_source_says_holds() -> None:
    assert {verdict for verdict in Support if verdict.holds} == {Support.QUOTED, Support.SUPPORTED}


@pytest.mark.parametrize("kind", DirectKind)
def test_a_direct_answer_is_shown_first_unless_it_is_a_sentence_or_none(kind: DirectKind) -> None:
    shown = kind not in {DirectKind.SENTENCE, DirectKind.NONE}
    assert Direct(kind=kind, text="1788").precedes is shown


def test_a_question_counts_as_answered_from_a_confidence_on() -> None:
    def sure(confidence: float) -> bool:
        return Direct(kind=DirectKind.DATE, text="1788", confidence=confidence).is_sure

    assert (sure(SURE), sure(1.0)) == (True, True)
    assert (sure(SURE - 0.001), sure(0.0)) == (False, False)
    assert SURE > 0.5, "right has to be likelier than wrong"


def test_rows_and_code_are_sentences_by_themselves() -> None:
    assert {each for each in Opens if each.is_whole} == {Opens.ROW, Opens.CODE}


@pytest.mark.parametrize(("hits", "poor"), [(0, True), (2, True), (3, False), (50, False)])
def test_a_query_with_fewer_than_three_results_is_asked_in_other_words_r0_4(
    hits: int, *, poor: bool
) -> None:
    assert outcome("mill", hits).poor is poor


@pytest.mark.parametrize("kind", ["search", "reason", "research", "read", "index", "budget"])
def test_the_subject_of_some_warnings_is_what_was_asked(kind: str) -> None:
    concerns = RunWarning(kind=kind, message="it failed").concerns_query
    assert concerns is (kind in {"search", "reason", "research"})


def test_a_sentence_of_an_older_log_is_read_by_the_names_of_today() -> None:
    old = {"text": "So.", "support": "unverifiable", "note": "nobody could tell"}
    told = Sentence.model_validate(old)
    assert (told.support, told.reason) == (Support.NOT_JUDGED, "nobody could tell")
    new = {"text": "So.", "support": "quoted", "reason": "word for word"}
    assert of_version_2(new) == new
    assert of_version_2("So.") == "So."
    assert of_version_2({"text": "So.", "support": 7}) == {"text": "So.", "support": 7}
