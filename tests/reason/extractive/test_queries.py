from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.evidence import Lead
from quaere.domain.question import Intent, Query, Question, SourceKind
from quaere.domain.report import QueryOutcome
from quaere.index.analysis import understand
from quaere.reason.extractive.queries import (
    MAX_FIRST,
    MIN_FIRST,
    TITLES_PER_QUERY,
    bridge_queries,
    content_words,
    count_queries,
    first_queries,
    meaning_queries,
)
from quaere.text.tokens import words

BORN = Question(text="Where was the founder of the Quill Observatory born?")


def lead(name: str, *covered: str, strength: float = 1.0) -> Lead:
    return Lead(name=name, passage=f"id of {name}", strength=strength, covered=covered)


def asked(*queries: Query) -> list[QueryOutcome]:
    return [QueryOutcome(query=query, iteration=0, hits=5) for query in queries]


VARGA = lead("odile varga", "quill", "observatory", "founder")
SORREL = lead("mount sorrel", "quill", "observatory")
HASK = lead("hask")


def test_a_bridge_asks_for_the_name_with_what_is_still_open() -> None:
    (query,) = bridge_queries(BORN, [VARGA], (), limit=3)
    assert query.intent is Intent.BRIDGE
    assert query.text == "odile varga born"
    assert query.focus == ("odile varga",)
    assert query.faint == ("founder", "quill", "observatory")
    assert query.parent == "id of odile varga"
    assert "odile varga" in query.purpose


def test_the_strongest_leads_are_followed_up_to_the_limit() -> None:
    queries = bridge_queries(BORN, [VARGA, SORREL, HASK], (), limit=2)
    assert [query.focus for query in queries] == [("odile varga",), ("mount sorrel",)]
    assert bridge_queries(BORN, [VARGA, SORREL], (), limit=0) == ()


def test_a_name_that_was_followed_is_not_followed_again() -> None:
    first = bridge_queries(BORN, [VARGA, SORREL], (), limit=1)
    (second,) = bridge_queries(BORN, [VARGA, SORREL], asked(*first), limit=1)
    assert second.focus == ("mount sorrel",)
    assert bridge_queries(BORN, [VARGA, SORREL], asked(*first, second), limit=9) == ()


def test_the_first_bridge_looks_all_names_up_as_titles_once() -> None:
    leads = [VARGA, SORREL, HASK]
    first, second = bridge_queries(BORN, leads, (), limit=2)
    assert first.titles == ("odile varga", "mount sorrel", "hask")
    assert second.titles == ()
    (third,) = bridge_queries(BORN, leads, asked(first, second), limit=2)
    assert third.titles == ()


def test_titles_beyond_what_one_query_takes_wait_for_the_next() -> None:
    leads = [lead(f"village {n:03}") for n in range(TITLES_PER_QUERY + 5)]
    (first,) = bridge_queries(BORN, leads, (), limit=1)
    assert len(first.titles) == TITLES_PER_QUERY
    (second,) = bridge_queries(BORN, leads, asked(first), limit=1)
    assert second.titles == tuple(each.name for each in leads[TITLES_PER_QUERY:])


def test_the_index_looks_up_all_titles_of_a_query() -> None:
    leads = [lead(f"village {n:03}") for n in range(TITLES_PER_QUERY + 5)]
    (first,) = bridge_queries(BORN, leads, (), limit=1)
    assert len(understand(first).titles) == len(first.titles)


@pytest.mark.parametrize(
    ("question", "intents", "texts"),
    [
        (
            "Who founded Hask, and when was Dunmere burnt down?",
            [Intent.PART, Intent.PART, Intent.ENTITY],
            ["Who founded Hask", "when was Dunmere burnt down", "Hask"],
        ),
        (
            "Which is older, Hask or Dunmere?",
            [Intent.PART, Intent.PART, Intent.ENTITY],
            ["Hask Which is older", "Dunmere Which is older", "Hask"],
        ),
        (
            "When was the Quill Observatory founded?",
            [Intent.ENTITY, Intent.TERMS],
            ["Quill Observatory", "quill observatory founded"],
        ),
        ("the of and to", [Intent.TERMS], ["the of and to"]),
    ],
)
def test_without_bridges_the_question_is_taken_apart(
    question: str, intents: list[Intent], texts: list[str]
) -> None:
    queries = first_queries(Question(text=question), (), 9)
    assert [query.intent for query in queries] == intents
    assert [query.text for query in queries] == texts


def test_names_of_the_question_are_looked_up_as_titles() -> None:
    (entity, _) = first_queries(Question(text="When was the Quill Observatory founded?"), (), 9)
    assert entity.titles == ("Quill Observatory",)


def test_bridges_come_first_and_are_filled_up_to_three_r0_3() -> None:
    bridges = bridge_queries(BORN, [VARGA], (), limit=3)
    queries = first_queries(BORN, bridges, 9)
    assert queries[0] == bridges[0]
    assert len(queries) == MIN_FIRST
    enough = bridge_queries(BORN, [VARGA, SORREL, HASK], (), limit=3)
    assert first_queries(BORN, enough, 9) == enough


@given(st.text(min_size=1, max_size=60), st.integers(0, 12), st.integers(0, 8))
def test_a_plan_has_at_most_six_queries_and_those_allowed(
    text: str, allowance: int, leads: int
) -> None:
    question = Question(text=text)
    if not any(char.isalnum() for char in text):
        return
    bridges = bridge_queries(question, [lead(f"name {n}") for n in range(leads)], (), limit=8)
    queries = first_queries(question, bridges, allowance)
    assert len(queries) <= min(allowance, MAX_FIRST)
    keys = [tuple(words(query.text)) for query in queries if query.intent is not Intent.BRIDGE]
    assert len(set(keys)) == len(keys)


def test_the_words_that_carry_meaning_are_folded_and_stand_once() -> None:
    assert content_words("Where is the Bridge, the BRIDGE of Hask?") == ("bridge", "hask")
    assert content_words("?!") == ()


def test_a_folder_is_asked_for_a_list_of_terms_where_one_is_asked_about() -> None:
    (query,) = meaning_queries("What is a tide mark?", {SourceKind.FOLDER})
    assert query.text == "tide mark glossary term meaning"
    assert (query.intent, query.source_kinds) == (Intent.PART, (SourceKind.FOLDER,))
    assert query.places > 0
    assert meaning_queries("What is a tide mark?", {SourceKind.WEB}) == ()
    assert meaning_queries("When was the tide mark cut?", {SourceKind.FOLDER}) == ()


@given(
    st.lists(
        st.sampled_from(
            ["does", "is", "was", "has", "it", "each", "they", "keep", "of", "the", "all", "bells"]
        )
    )
)
def test_what_is_counted_is_asked_for_by_words_that_carry_meaning(said: list[str]) -> None:
    for query in count_queries(f"How many {' '.join(said)}?", {SourceKind.FOLDER}):
        assert "bells" in query.text


def test_the_number_of_things_is_asked_for_besides_the_question() -> None:
    (query,) = count_queries("How many bells does Hask keep?", {SourceKind.FOLDER})
    assert query.text == "bells hask"
    assert count_queries("Which rings longer, and how many does each keep?", {*SourceKind}) == ()
