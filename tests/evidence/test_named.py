"""Tests of what is read first: pages that a query names by their title (R3.2)."""

from __future__ import annotations

import pytest

from quaere.domain.question import SourceKind
from quaere.domain.source import Hit
from quaere.evidence.named import named_first


def hit(title: str, rank: int = 0, url: str = "") -> Hit:
    return Hit(
        url=url or f"https://example.org/{rank}",
        title=title,
        snippet="",
        provider="web",
        kind=SourceKind.WEB,
        rank=rank,
    )


def order(titles: list[str], *queries: str) -> list[str]:
    found = [hit(title, rank) for rank, title in enumerate(titles)]
    return [each.title for each in named_first(found, queries)]


def test_the_page_about_what_is_asked_precedes_pages_that_mention_it() -> None:
    found = ["Gold reserves of Iceland", "Map projection", "Iceland", "Icelandic"]
    assert order(found, "Where is Iceland located on the map?")[0] == "Iceland"


def test_those_that_are_named_keep_their_order_and_so_do_the_others() -> None:
    found = ["Rivers", "Brno", "Lakes", "Oslo"]
    assert order(found, "Brno or Oslo") == ["Brno", "Oslo", "Rivers", "Lakes"]


def test_any_of_the_queries_may_name_a_page() -> None:
    assert order(["Rivers", "Oslo"], "what lies in Brno", "how old is Oslo") == ["Oslo", "Rivers"]


@pytest.mark.parametrize(
    "title",
    [
        pytest.param("Oslo (city)", id="what tells it from others of its name"),
        pytest.param("OSLO", id="capitals"),
        pytest.param("Oslo - Example", id="the name of its site"),
        pytest.param("Oslo | Example", id="the name of its site behind a bar"),
    ],
)
def test_a_title_is_named_without_what_is_not_its_subject(title: str) -> None:
    assert order(["Rivers", title], "how old is Oslo") == [title, "Rivers"]


@pytest.mark.parametrize(
    ("title", "query"),
    [
        pytest.param("The", "who runs the port", id="a word that says nothing"),
        pytest.param("", "who runs the port", id="no title"),
        pytest.param("Port authority", "who has authority over the port", id="another order"),
        pytest.param("Ports", "who runs the port", id="another word"),
        pytest.param("Art", "who runs the party", id="part of a word"),
    ],
)
def test_what_a_query_does_not_name_stays_in_place(title: str, query: str) -> None:
    assert order(["Rivers", title], query) == ["Rivers", title]
