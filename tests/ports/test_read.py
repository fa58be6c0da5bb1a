from __future__ import annotations

import pytest
from tests.contracts.page_store import FIRST, PageStoreContract

from quaere.ports.read import MemoryPageStore, PageStore


class TestMemoryPageStore(PageStoreContract):
    @pytest.fixture
    def store(self) -> PageStore:
        return MemoryPageStore()


def test_two_stores_share_nothing() -> None:
    first, other = MemoryPageStore(), MemoryPageStore()
    first.add([FIRST])
    with pytest.raises(KeyError):
        other.passage(FIRST.id)
