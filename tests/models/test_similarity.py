"""How near texts are in meaning, by whichever embedder."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.errors import ContractError, ModelError, ModelTimeout
from quaere.models.similarity import (
    AT_ONCE,
    BATCH,
    KEPT,
    MAX_CHARS,
    CosineEmbedder,
    cosines_of,
    spread,
)
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


Vector = Sequence[float]


class Cold:
    """Needs no warming."""

    async def warm(self) -> None:
        raise AssertionError


class Letters(Cold):
    """Embeds a text by how often it has the letters a, b and c."""

    name = "test:letters"

    def __init__(self, wait_s: float = 0.0) -> None:
        self.batches: list[list[str]] = []
        self.most = self._at_once = 0
        self._wait_s = wait_s

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.batches.append(list(texts))
        self._at_once += 1
        self.most = max(self.most, self._at_once)
        await asyncio.sleep(self._wait_s)
        self._at_once -= 1
        return [[1.0, *(text.count(letter) for letter in "abc")] for text in texts]


class GivingVectors(Cold):
    """Gives always the same, whatever it is asked."""

    name = "test:giving"

    def __init__(self, *vectors: Vector) -> None:
        self._vectors = vectors

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return self._vectors


async def test_cosines_come_in_the_order_of_the_pairs() -> None:
    found = await CosineEmbedder(Letters()).similarities([("a", "a"), ("a", "b"), ("b", "a")])
    assert found == pytest.approx([1.0, 0.5, 0.5])


async def test_each_text_is_embedded_once_and_few_at_a_time() -> None:
    letters = Letters(0.01)
    embedder = CosineEmbedder(letters)
    pairs = [("a" * n, "b") for n in range(1, 8 * BATCH)]
    await embedder.similarities(pairs)
    await embedder.similarities(pairs)
    asked = [text for batch in letters.batches for text in batch]
    assert len(asked) == len(set(asked)) == 8 * BATCH
    assert max(map(len, letters.batches)) == BATCH
    assert letters.most == AT_ONCE


async def test_what_is_kept_is_bounded_and_what_is_gone_is_asked_again() -> None:
    letters = Letters()
    embedder = CosineEmbedder(letters)
    await embedder.similarities([("first", str(n)) for n in range(KEPT + 10)])
    assert len(embedder._kept) == KEPT
    before = len(letters.batches)
    missing = next(str(n) for n in range(KEPT + 10) if str(n) not in embedder._kept)
    assert len(await embedder.similarities([(missing, missing)])) == 1
    assert len(letters.batches) == before + 1


async def test_long_texts_are_cut_and_odd_ones_can_be_sent() -> None:
    letters = Letters()
    found = await CosineEmbedder(letters).similarities(
        [("a" * MAX_CHARS + "b" * 99, "a\ud800"), ("", "a"), (" \n", " ")]
    )
    assert [text for batch in letters.batches for text in batch] == ["a", "a?", "a" * MAX_CHARS]
    assert found[1:] == [0.0, 0.0]


@pytest.mark.parametrize(
    "vectors",
    [
        (),
        ([1.0],),
        ([1.0], [1.0], [1.0]),
        ([1.0], [1.0, 0.0]),
        ([0.0, 0.0], [1.0, 0.0]),
        ([math.nan, 1.0], [1.0, 0.0]),
        ([math.inf, 1.0], [1.0, 0.0]),
        ([], []),
    ],
)
async def test_what_are_no_embeddings_is_refused(vectors: tuple[Vector, ...]) -> None:
    with pytest.raises(ContractError, match="test:giving"):
        await CosineEmbedder(GivingVectors(*vectors)).similarities([("a", "b")])


async def test_another_model_behind_the_same_name_is_refused_once() -> None:
    class Growing(Letters):
        size = 2

        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            return [[1.0] * self.size for _ in texts]

    growing = Growing()
    embedder = CosineEmbedder(growing)
    await embedder.similarities([("a", "b")])
    growing.size = 3
    with pytest.raises(ContractError, match="different lengths"):
        await embedder.similarities([("a", "c")])
    assert await embedder.similarities([("a", "c")]) == pytest.approx([1.0])


async def test_one_that_hangs_is_given_up() -> None:
    embedder = CosineEmbedder(Letters(wait_s=30), timeout_s=0.05)
    with pytest.raises(ModelTimeout, match=r"test:letters did not answer within 0\.05 s"):
        await embedder.similarities([("a", "b")])


async def test_of_several_failures_one_is_told() -> None:
    class Refusing(Letters):
        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            raise ModelError("no")

    with pytest.raises(ModelError, match=r"^no$"):
        await CosineEmbedder(Refusing()).similarities([(str(n), "x") for n in range(3 * BATCH)])


FINITE = st.floats(-1e100, 1e100)


@given(st.lists(st.tuples(FINITE, FINITE), min_size=2, max_size=2))
def test_a_cosine_is_within_its_bounds_or_refused(vectors: list[Vector]) -> None:
    try:
        (found,) = asyncio.run(CosineEmbedder(GivingVectors(*vectors)).similarities([("a", "b")]))
    except ContractError:
        return
    assert -1 <= found <= 1


async def test_what_came_in_time_is_kept() -> None:
    class Slowing(Letters):
        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            self._wait_s = 0.0 if len(self.batches) < 2 else 30
            return await super().embed(texts)

    embedder = CosineEmbedder(Slowing(), timeout_s=0.2)
    with pytest.raises(ModelTimeout):
        await embedder.similarities([(f"a{n}", f"b{n}") for n in range(3 * BATCH)])
    assert len(embedder._kept) == 2 * BATCH
