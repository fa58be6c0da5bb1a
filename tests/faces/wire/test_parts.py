"""The answer, the sources and the progress of a run, as several forms have them."""

from __future__ import annotations

import pytest
from tests.faces.cli import samples
from tests.faces.wire.streams import log, report_of

from quaere.domain.events import (
    Phase,
    PhaseStarted,
    RunFinished,
    SearchFinished,
    SentenceWritten,
    SourceRead,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Query
from quaere.domain.report import CheckedBy, Citation, Degradation, QueryOutcome, Sentence, Support
from quaere.domain.source import ReadStatus
from quaere.faces.wire.parts import (
    WEAKEST_FIRST,
    Answer,
    activity_body,
    checklist_body,
    cited_body,
    closing_list,
    outcome_body,
    source_links,
    source_list,
    total_usage,
    verdict_on,
    weaknesses,
    without_closing_list,
)


def written(text: str, said: Sentence, before: str = "") -> SentenceWritten:
    return SentenceWritten(text=text, appended=f"{before}{text}", sentence=said)


SAID = Sentence(
    text="It stood.", support=Support.PARTLY, by=CheckedBy.MODEL, probability=0.5, reason="why"
)


def test_sentences_add_up_and_each_claim_is_where_it_stands() -> None:
    answer = Answer()
    lead = Sentence(text="So:", support=Support.NOT_A_CLAIM)
    assert answer.take(written("So:", lead)) == "So:"
    assert (
        answer.take(written("It stood [2][1][2].", SAID, "\n\n- ")) == "\n\n- It stood [2][1][2]."
    )
    (claim,) = answer.claims
    assert answer.text[claim.start : claim.end] == "- It stood [2][1][2]."
    assert claim.body == {
        "start": 5, "end": 26, "text": "It stood.", "citations": [2, 1],
        "verdict": "partly_supported", "checked_by": "model", "probability": 0.5, "reason": "why",
    }  # fmt: skip
    assert answer.marker(1) == (19, 22)
    assert answer.marker(7) == (26, 26), "the end, where there is none"


def test_what_is_not_shown_or_does_nothing_adds_nothing() -> None:
    answer = Answer()
    answer.take(SentenceWritten(text="It stood [1].", sentence=SAID))
    answer.take(PhaseStarted(phase=Phase.VERIFYING, remaining=samples.remaining()))
    assert (answer.text, answer.claims) == ("", [])
    unjudged = Sentence(text="It stood.")
    answer.take(written("It stood.", unjudged))
    assert answer.claims[0].body["checked_by"] is None


def test_brackets_in_code_cite_nothing() -> None:
    answer = Answer()
    answer.take(written("Call `a[1]`. [2]", SAID))
    answer.take(written("```\na[3]\n```\n[3]", SAID, "\n\n"))
    assert [claim.citations for claim in answer.claims] == [(2,), (3,)]
    assert answer.marker(1) == (len(answer.text),) * 2
    place, end = answer.marker(3)
    assert end == len(answer.text)
    assert answer.text[place:end] == "[3]"


def test_the_end_adds_what_is_missing_of_the_answer() -> None:
    for told, rest in (("", "It stood. [1]"), ("It stood.", " [1]"), ("It stood. [1]", "")):
        answer = Answer()
        answer.take(written(told, SAID))
        end = RunFinished(report=samples.report("It stood."))
        assert answer.take(end) == rest
        assert answer.text == "It stood. [1]"
    other = Answer()
    other.take(written("It fell.", SAID))
    assert other.take(RunFinished(report=samples.report("It stood."))) == "\n\nIt stood. [1]"


REPORT = samples.report("It stood.")


def test_what_a_run_does_is_told_without_what_it_found_in_full() -> None:
    search = SearchFinished(query="q", intent="raw", provider="web", hits=2, fresh=1, seconds=0.5)
    assert activity_body(search) == {
        "query": "q", "provider": "web", "hits": 2, "fresh": 1,
        "seconds": 0.5, "error": "", "topic": "",
    }  # fmt: skip
    page = SourceRead(url="https://a.org", title="A", status=ReadStatus.OK, passages=3)
    assert activity_body(page) == {
        "url": "https://a.org", "title": "A", "status": "ok", "passages": 3,
        "seconds": 0.0, "reason": "", "topic": "",
    }  # fmt: skip


def test_a_checklist_is_told_item_by_item() -> None:
    assert checklist_body(samples.CHECKLIST)[1] == {
        "id": "b", "description": "when it was built", "status": "partial"
    }  # fmt: skip


def test_a_citation_is_told_with_its_words_and_the_verdict_on_what_cites_it() -> None:
    (citation,) = REPORT.citations
    body = cited_body(citation, "https://a.org#x", REPORT)
    assert body == {
        "id": 1, "title": "It stood.", "url": "file:///notes/mill.pdf", "link": "https://a.org#x",
        "type": "folder", "location": "/notes/mill.pdf, page 3 It stood.", "locator": "page 3",
        "quote": "It stood.", "verdict": "supported", "retrieved_at": None,
    }  # fmt: skip
    read = citation.model_copy(update={"retrieved_at": "2026-01-02T03:04:05Z"})
    assert cited_body(read, "", REPORT)["retrieved_at"] == "2026-01-02T03:04:05Z"


def test_how_a_run_ended_is_told_in_a_few_fields() -> None:
    assert outcome_body(REPORT) == {
        "run_id": "run-1", "status": "insufficient", "stop_reason": "no_new_information",
        "confidence": 0.6, "nearest": [],
    }  # fmt: skip


def test_the_usage_of_calls_is_added_and_estimated_if_one_of_them_is() -> None:
    def call(first: int, *, estimated: bool = False) -> ModelCall:
        usage = Usage(
            prompt_tokens=first,
            completion_tokens=first + 1,
            cached_tokens=first + 2,
            reasoning_tokens=first + 3,
            estimated=estimated,
        )
        return ModelCall(step="plan", model="a:1", usage=usage)

    assert total_usage([]) == Usage()
    whole = Usage(prompt_tokens=30, completion_tokens=32, cached_tokens=34, reasoning_tokens=36)
    assert total_usage([call(10), call(20)]) == whole
    for one, other in ((True, False), (False, True), (True, True)):
        calls = [call(10, estimated=one), call(20, estimated=other)]
        assert total_usage(calls) == whole.model_copy(update={"estimated": True})


(LOCAL,) = samples.report("It stood.").citations


def web(number: int, url: str = "https://a.org/x", locator: str = "") -> Citation:
    changes = {"id": number, "url": url, "locator": locator}
    return LOCAL.model_copy(update={**changes, "title": f"Source {number}"})


def test_no_two_links_are_equal_and_each_opens_at_the_quote() -> None:
    first, second, bare, nowhere = source_links(
        [web(1), web(2), web(3, "file:///notes/mill.md"), web(4, "")]
    )
    assert first == "https://a.org/x#:~:text=It%20stood."
    assert second == "https://a.org/x#source-2:~:text=It%20stood."
    assert bare == "file:///notes/mill.md"
    assert nowhere == "#source-4"
    assert source_links([web(1, locator="page 3"), web(2, locator="page 3")]) == [
        "https://a.org/x",
        "https://a.org/x#source-2",
    ]


def test_the_list_names_pages_with_their_links_and_documents_with_their_places() -> None:
    assert source_list([]) == ""
    told = source_list([web(1), web(2, "https://b.org/", "page 3"), LOCAL])
    *_, first, second, third = told.splitlines()
    assert first == "1. [Source 1](<https://a.org/x#:~:text=It%20stood.>)"
    assert second == "2. [Source 2](<https://b.org/>), page 3"
    assert third == "1. It stood. (/notes/mill.pdf, page 3 It stood.)"


def test_a_list_at_the_end_of_an_answer_can_be_taken_away_again() -> None:
    answer = "It stood. [1]"
    assert without_closing_list(answer + source_list([web(1), web(2)])) == answer
    assert without_closing_list(answer) == answer
    inside = f"{source_list([web(1)])}\n\nAnd so on."
    assert without_closing_list(answer + inside) == answer + inside


def test_an_answer_that_nothing_could_be_searched_for_says_so_and_why_in_place_of_sources() -> None:
    down = QueryOutcome(query=Query(text="mill"), iteration=0, error="wiki_x could not be reached.")
    report = samples.report().model_copy(update={"queries": (down,), "citations": ()})
    closing = closing_list(report)
    assert closing == "\n\nNothing could be searched. wiki\\_x could not be reached."
    assert without_closing_list(f"No evidence.{closing}") == "No evidence."
    found = down.model_copy(update={"error": ""})
    assert closing_list(report.model_copy(update={"queries": (down, found)})) == ""


@pytest.mark.parametrize("weaker", range(len(WEAKEST_FIRST) - 1))
def test_the_weakest_verdict_on_what_cites_a_source_counts(weaker: int) -> None:
    sentences = [
        Sentence(text="s", evidence=(LOCAL.evidence,), support=support)
        for support in (*WEAKEST_FIRST[weaker + 1 :], WEAKEST_FIRST[weaker])
    ]
    others = [Sentence(text="s", evidence=(99,), support=Support.CONTRADICTED)]
    assert verdict_on(LOCAL, [*sentences, *others]) is WEAKEST_FIRST[weaker]
    assert verdict_on(LOCAL, others) is Support.NOT_JUDGED


def test_r3_6_a_model_that_was_named_and_did_not_answer_is_a_warning() -> None:
    failed = Degradation(step="plan", reason="a:1 failed.", instead="extractive")
    report = report_of(log("web"))
    assert report
    (told,) = weaknesses(report.model_copy(update={"degradations": (failed,)}))
    assert "a:1 failed (plan)" in told.message
    assert list(weaknesses(report)) == []
