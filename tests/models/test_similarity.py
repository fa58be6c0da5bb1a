"""An embedder of anybody's making is held to one cosine for each pair."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.errors import ContractError, ModelError
from quaere.models.similarity import cosines_of, spread
from quaere.testing import ScriptedEmbedder

pytestmark = pytest.mark.anyio

PAIRS = [("salt", "brine"), ("salt", "moth")]


class Giving(ScriptedEmbedder):
    """Gives always the same."""

    def __init__(self, *given: float) -> None:
        super().__init__(lambda _a, _b: 0.0)
        self._given = list(given)

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return self._given


async def test_what_keeps_to_the_contract_passes() -> None:
    assert await cosines_of(Giving(1.0, -1.0), PAIRS) == (1.0, -1.0)
    assert await cosines_of(Giving(), []) == ()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((0.5,), "returned 1 similarities for 2 pairs"),
        ((0.5, 0.5, 0.5), "returned 3 similarities for 2 pairs"),
        ((0.5, 1.5), "outside -1 to 1"),
        ((-1.01, 0.5), "outside -1 to 1"),
        ((math.nan, 0.5), "outside -1 to 1"),
        ((math.inf, 0.5), "outside -1 to 1"),
    ],
)
async def test_what_does_not_is_refused_by_name(given: tuple[float, ...], why: str) -> None:
    with pytest.raises(ContractError, match=why) as caught:
        await cosines_of(Giving(*given), PAIRS)
    assert caught.value.message.startswith("test:all-MiniLM-L6-v2 returned ")


async def test_its_own_error_comes_through() -> None:
    failing = ScriptedEmbedder(lambda _a, _b: 0.0, error=ModelError("it is down"))
    with pytest.raises(ModelError, match="it is down"):
        await cosines_of(failing, PAIRS)


@given(st.dictionaries(st.text(), st.floats(-1, 1), min_size=2))
def test_spread_keeps_the_order_and_fills_0_to_1(cosines: dict[str, float]) -> None:
    shares = spread(cosines)
    ranked = sorted(cosines, key=cosines.__getitem__)
    assert sorted(shares, key=lambda key: (shares[key], ranked.index(key))) == ranked
    assert min(shares.values()) == 0
    assert max(shares.values()) in {0, 1}, "0 where all are as near"


def test_spread_of_nothing_is_nothing() -> None:
    assert spread({}) == {}
