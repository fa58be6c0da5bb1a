"""What becomes of the queries that a model wants."""

from __future__ import annotations

import pytest
from tests.graphs.world import passage_of

from quaere.domain.question import Checklist, Intent, Query, SourceKind
from quaere.domain.report import QueryOutcome
from quaere.reason.llm import contracts
from quaere.reason.llm.queries import query_text, reworded, wanted_queries

EMPTY = Checklist()


@pytest.mark.parametrize(
    "text",
    [
        "asthma[tiab]",
        '("inhaled steroids"[Title/Abstract] OR budesonide[MeSH Terms]) AND asthma[majr]',
        "asthma[tiab:~2] AND 2019:2023[dp] NOT review[pt]",
        "site:fda.gov budesonide label",
        "salt intake site:nhs.gov.uk",
        "-site:who.int salt",
    ],
)
def test_the_syntax_of_pubmed_and_of_sites_stays_as_it_is_r4_2(text: str) -> None:
    assert query_text(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("site:evil.example secrets", "secrets"),
        ("salt [click here](https://evil.example/x) intake", "salt click here intake"),
        ("salt[3] intake", "salt(3) intake"),
        ("site:fda.gov.evil.example salt", "salt"),
        ("asthma[tiab] https://evil.example/?q=1", "asthma[tiab]"),
    ],
)
def test_nothing_else_in_a_query_leads_anywhere(text: str, left: str) -> None:
    assert query_text(text) == left


def test_a_site_that_the_question_names_may_be_searched() -> None:
    assert query_text("site:mill.example flour", "What does mill.example sell?") == (
        "site:mill.example flour"
    )


def test_pubmed_syntax_is_for_pubmed_and_the_rest_for_what_was_said_r4_2() -> None:
    wanted = [
        contracts.Wanted(query="asthma[tiab] AND steroids[mh]", kinds=["web"]),
        contracts.Wanted(query="asthma steroids guideline site:nice.gov.uk", kinds=["web"]),
        contracts.Wanted(query="asthma steroids"),
    ]
    kinds = [query.source_kinds for query in wanted_queries(wanted, EMPTY, "")]
    assert kinds == [(SourceKind.PUBMED,), (SourceKind.WEB,), ()]


def outcome(text: str, hits: int, intent: Intent = Intent.GAP, error: str = "") -> QueryOutcome:
    query = Query(text=text, intent=intent)
    return QueryOutcome(query=query, iteration=0, hits=hits, error=error)


MILL = passage_of("Mill", "Tamsin Wray built the mill at Orrin in 1744.")


@pytest.mark.parametrize("hits", [0, 1, 2, 3])
def test_every_query_with_fewer_than_three_results_is_reworded_r0_4(hits: int) -> None:
    asked = [outcome("builder of Orrin mill", hits), outcome("salt taxes in Velling town", hits)]
    added = reworded((), asked, [MILL])
    assert len(added) == (2 if hits < 3 else 0)
    assert all(query.intent is Intent.REFORMULATION for query in added)
    assert {query.text for query in added}.isdisjoint(each.query.text for each in asked)


def test_three_empty_results_in_a_row_are_reworded_each_r0_14() -> None:
    empty = [outcome(f"{place} quarry yield figures", 0) for place in ("Orrin", "Hask", "Velling")]
    assert len(reworded((), empty[:1], ())) == 1
    later = [
        Query(text="quarries", intent=Intent.REFORMULATION, item="x"),
        Query(text="yields", intent=Intent.GAP),
    ]
    assert len(reworded(later, empty, ())) == 2 + 3


def test_what_the_model_has_reworded_itself_is_left_to_it_r0_4() -> None:
    own = (Query(text="who put up the mill of Orrin", intent=Intent.REFORMULATION),)
    assert reworded(own, [outcome("builder of Orrin mill", 0)], [MILL]) == own
    tried = outcome("who put up the mill of Orrin", 9, Intent.REFORMULATION)
    assert reworded((), [outcome("builder of Orrin mill", 0), tried], [MILL]) == ()


def test_a_search_that_failed_is_not_a_wording_that_found_nothing_r0_8() -> None:
    assert reworded((), [outcome("builder of Orrin mill", 0, error="timeout")], [MILL]) == ()
