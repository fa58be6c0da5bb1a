from __future__ import annotations

import pytest

from quaere.errors import ReasonError
from quaere.testing import ScriptedEmbedder

pytestmark = pytest.mark.anyio


def by_length(a: str, b: str) -> float:
    return (len(a) - len(b)) / 10


async def test_pairs_are_rated_as_told_and_remembered_in_order() -> None:
    embedder = ScriptedEmbedder(by_length)
    assert await embedder.similarities([("lamp", "oil"), ("a", "oil")]) == [0.1, -0.2]
    assert await embedder.similarities([]) == []
    assert await embedder.similarities([("x", "y")]) == [0]
    assert embedder.asked == [("lamp", "oil"), ("a", "oil"), ("x", "y")]


async def test_an_error_takes_the_place_of_every_answer() -> None:
    embedder = ScriptedEmbedder(by_length, name="test:dark", error=ReasonError("no oil"))
    assert embedder.name == "test:dark"
    with pytest.raises(ReasonError, match="no oil"):
        await embedder.similarities([("lamp", "oil")])
    assert embedder.asked == [("lamp", "oil")]
