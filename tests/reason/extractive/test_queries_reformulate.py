from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of

from quaere.domain.question import Intent, Query
from quaere.domain.report import QueryOutcome
from quaere.reason.extractive.queries import everyday_queries, reformulations

LEAF = passage_of("Leaf", "The observatory of Hask was founded by an astronomer.")


class Shares:
    """Knows a few words; the corpus holds no other."""

    def __init__(self, shares: Mapping[str, float]) -> None:
        self._shares = shares

    def document_share(self, word: str) -> float:
        return self._shares.get(word, 0.0)


HELD = Shares({"observatory": 0.1, "hask": 0.2, "founded": 0.3, "astronomer": 0.1})


def outcome(
    text: str, hits: int = 0, *, error: str = "", intent: Intent = Intent.RAW
) -> QueryOutcome:
    query = Query(text=text, intent=intent, item="i1")
    return QueryOutcome(query=query, iteration=0, hits=hits, error=error)


def reworded(text: str, shares: Shares | None = HELD) -> dict[str, str]:
    """Return the new wordings of ``text`` by what they try."""
    return {q.purpose: q.text for q in reformulations([outcome(text)], [LEAF], shares)}


@pytest.mark.parametrize("hits", [0, 1, 2])
def test_fewer_than_three_results_are_asked_for_in_other_words_r0_4(hits: int) -> None:
    queries = reformulations([outcome("the founder of Hask", hits)], [LEAF], HELD)
    assert queries
    assert {query.intent for query in queries} == {Intent.REFORMULATION}
    assert {query.item for query in queries} == {"i1"}
    assert all(query.purpose for query in queries)


@pytest.mark.parametrize(
    "enough",
    [
        outcome("the founder of Hask", 3),
        outcome("the founder of Hask", 0, error="503"),
        outcome("the founder of Hask", 0, intent=Intent.REFORMULATION),
    ],
    ids=["three results", "failed", "a rewording itself"],
)
def test_nothing_else_is_reworded(enough: QueryOutcome) -> None:
    assert reformulations([enough], [LEAF], HELD) == ()


def test_words_that_the_corpus_spells_otherwise_take_its_spelling() -> None:
    spelled = reworded("obzervatory of Hask")["the same in the corpus's own spelling"]
    assert spelled == "observatory hask"


def test_words_that_nothing_is_like_are_left_out_of_the_spelling() -> None:
    spelled = reworded("quarkwood obzervatory")["the same in the corpus's own spelling"]
    assert spelled == "observatory"


def test_words_of_the_same_relation_are_tried() -> None:
    related = reworded("wife of the astronomer")["the same in related words"].split()
    assert related[0] == "astronomer"
    assert {"spouse", "married"} <= set(related)
    assert "wife" not in related, "the corpus does not hold it"


def test_a_broader_question_keeps_the_words_that_are_held_and_long() -> None:
    broader = reworded("zyx blorven Hask observatory")["a broader question"]
    assert broader == "observatory hask"


def test_without_statistics_every_word_counts_as_held() -> None:
    assert reworded("zyx blorven Hask", None) == {"a broader question": "blorven hask"}


def test_one_word_that_nothing_is_like_cannot_be_reworded() -> None:
    assert reworded("zyxomma") == {}


def test_every_poor_query_is_reworded_in_its_turn() -> None:
    queries = reformulations(
        [outcome("zyx blorven Hask"), outcome("fine", 9), outcome("snithe blorven Hask")], [], None
    )
    assert [query.text for query in queries] == ["blorven hask", "blorven snithe"]


@given(st.lists(st.text(min_size=1, max_size=40), max_size=4), st.booleans())
def test_any_text_can_be_asked_again(texts: list[str], known: bool) -> None:
    outcomes = [outcome(text) for text in texts if text.strip()]
    queries = reformulations(outcomes, [LEAF], HELD if known else None)
    assert all(query.text.strip() for query in queries)
    assert queries == reformulations(outcomes, [LEAF], HELD if known else None)


def test_a_word_is_tried_in_the_other_spelling_that_the_corpus_holds() -> None:
    shares = Shares({"colour": 0.1, "hask": 0.2})
    assert reworded("the color of Hask", shares)["the same in related words"] == "hask colour"
    assert "the same in related words" not in reworded("the color of Hask")


def test_what_sources_lack_is_asked_in_everyday_words_of_theirs() -> None:
    notice = Shares({"quiet": 0.1, "hours": 0.2})
    (query,) = everyday_queries("When is noise forbidden after hours?", notice)
    assert query.text == "hours quiet"
    assert everyday_queries("When are the quiet hours?", notice) == ()
