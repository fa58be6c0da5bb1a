from __future__ import annotations

from quaere.domain.question import Query
from quaere.domain.source import Passage, passage_id
from quaere.evidence.seats import seated


def passage(title: str, text: str, start: int = 0) -> Passage:
    url = f"https://quay.example/{title.replace(' ', '-')}"
    key = passage_id(url, start, text)
    return Passage(id=key, url=url, title=title, text=text, start=start, end=start + len(text))


CRANE = passage("Hask crane", "The Hask crane was built by Orla Finch in 1904.")
FINCH = passage("Orla Finch", "Orla Finch was born in the village of Sedge.")
VILLAGE = passage("Villages", "Many were born in a village and left it for the harbour.")
ROPES = passage("Ropes", "Ropes are laid from hemp.")
ARRIVALS = (ROPES, VILLAGE, CRANE, FINCH)


def ask(text: str, places: int) -> Query:
    return Query(text=text, places=places)


def test_a_query_gets_as_many_places_as_it_has_for_what_fits_it_best() -> None:
    query = "In which village was Orla Finch born?"
    assert seated([ask(query, 1)], ARRIVALS) == (FINCH.id,)
    assert set(seated([ask(query, 2)], ARRIVALS)) < {FINCH.id, VILLAGE.id, CRANE.id}
    assert seated([ask(query, 0)], ARRIVALS) == ()


def test_every_query_gets_its_first_place_before_any_gets_its_second() -> None:
    queries = [ask("Orla Finch village", 2), ask("ropes of hemp", 2)]
    assert seated(queries, ARRIVALS)[:2] == (FINCH.id, ROPES.id)


def test_a_passage_that_fits_two_queries_takes_one_place() -> None:
    queries = [ask("Orla Finch village", 1), ask("Orla Finch born", 1)]
    assert seated(queries, ARRIVALS) == (FINCH.id,)


def test_what_shares_no_word_with_the_query_gets_no_place() -> None:
    assert seated([ask("Orla Finch", 4)], [ROPES]) == ()


def test_nothing_arrived_nothing_seated() -> None:
    assert seated([ask("Orla Finch", 4)], []) == ()


def test_among_equals_the_source_that_was_found_first_is_seated() -> None:
    twins = [passage(title, "Sedge is a village.") for title in ("North", "South")]
    for order in (twins, twins[::-1]):
        assert seated([ask("Sedge", 1)], order) == (order[0].id,)
