"""What every ``PageStore`` does."""

from __future__ import annotations

import pytest
from tests.graphs.world import passage_of

from quaere.domain.source import Passage
from quaere.ports.read import PageStore

FIRST = passage_of("Dunmere", "Dunmere is a harbour.")
OTHER = passage_of("Hask", "Hask is a town.\x00 \u202eABC\u202c 灯 \U0001f98b")


class PageStoreContract:
    """The behaviour that the loop relies on: what a handle names is there, and stays as it is."""

    @pytest.fixture
    def store(self) -> PageStore:
        raise NotImplementedError

    @pytest.mark.parametrize("kept", [FIRST, OTHER], ids=lambda passage: passage.title)
    def test_what_was_added_comes_back_whole(self, store: PageStore, kept: Passage) -> None:
        store.add([FIRST, OTHER])
        assert store.passage(kept.id) == kept

    def test_a_passage_that_is_there_stays_as_it_is(self, store: PageStore) -> None:
        store.add([FIRST])
        store.add([FIRST.model_copy(update={"text": "Dunmere sank."})])
        assert store.passage(FIRST.id) == FIRST

    def test_adding_nothing_changes_nothing(self, store: PageStore) -> None:
        store.add([])
        store.add(iter([FIRST]))
        store.add(())
        assert store.passage(FIRST.id) == FIRST

    def test_a_handle_of_nothing_is_an_error(self, store: PageStore) -> None:
        store.add([FIRST])
        with pytest.raises(KeyError):
            store.passage("no such id")

    def test_a_page_has_its_passages_once_and_in_order(self, store: PageStore) -> None:
        url = "https://quay.example/log"
        parts = [OTHER.model_copy(update={"id": f"p{n}", "url": url}) for n in (2, 1, 3)]
        store.add([parts[0], FIRST, *parts[1:]])
        store.add(parts)
        assert list(store.of(url)) == parts
        assert list(store.of("HTTPS://quay.example:443/log#top")) == parts
        assert list(store.of("https://quay.example/other")) == []

    def test_it_holds_many_and_large_ones(self, store: PageStore) -> None:
        many = [passage_of(f"Leaf {n}", f"{n} " + "x" * 20_000) for n in range(200)]
        store.add(many)
        assert [store.passage(passage.id) for passage in many] == many
