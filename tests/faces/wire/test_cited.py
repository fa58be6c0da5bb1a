"""The sources of an answer: links, their list, and the verdict on each."""

from __future__ import annotations

import pytest
from tests.faces.cli import samples

from quaere.domain.question import Query
from quaere.domain.report import Citation, QueryOutcome, Sentence, Support
from quaere.faces.wire.cited import (
    WEAKEST_FIRST,
    closing_list,
    source_links,
    source_list,
    verdict_on,
    without_closing_list,
)

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
