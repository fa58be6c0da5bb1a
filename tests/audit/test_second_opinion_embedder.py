"""R3.6: an embedder looks at what words leave in doubt, in somebody else's report, too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from tests.audit.test_second_opinion import DOUBTFUL, FAR, HERE, PLAIN, case
from tests.verify.samples import TOWN, passage

from quaere.audit.cited_text import CitedSentence
from quaere.audit.second_opinion import Case, weigh_by_embedding
from quaere.domain.audit import Place
from quaere.domain.report import Support
from quaere.errors import ModelError
from quaere.testing import ScriptedEmbedder
from quaere.verify.support import weigh

pytestmark = pytest.mark.anyio


def near(_a: str, _b: str) -> float:
    return 1.0


async def test_what_is_in_doubt_is_weighed_again_and_nothing_else() -> None:
    cases = [case(PLAIN), case(FAR), case(DOUBTFUL), Case(case(FAR).said)]
    embedder = ScriptedEmbedder(near)
    after, fault = await weigh_by_embedding(cases, embedder)
    assert fault == ""
    assert [after[n] for n in (0, 1, 3)] == [cases[n] for n in (0, 1, 3)]
    before, now = cases[2].finding, after[2].finding
    assert before
    assert now
    assert (now.probability or 0) > (before.probability or 0)
    assert {claim for claim, _ in embedder.asked} == {DOUBTFUL}


async def test_whom_a_sentence_has_it_from_is_not_compared() -> None:
    text = f"According to the Bay Almanac, {DOUBTFUL}"
    said = CitedSentence(0, len(text), 1, text, (1,), True)
    embedder = ScriptedEmbedder(near)
    await weigh_by_embedding([Case(said, weigh(DOUBTFUL, [HERE]), None, {1: (HERE,)})], embedder)
    assert {claim for claim, _ in embedder.asked} == {DOUBTFUL}


async def test_all_sources_of_an_unfounded_sentence_are_looked_at() -> None:
    town = passage(TOWN, title="Velling")
    text = "The market of Velling goes back to Duke Arno."
    found = weigh(text, [HERE, town])
    assert found.support is not Support.SUPPORTED
    said = CitedSentence(0, len(text), 1, text, (1, 2), True)
    embedder = ScriptedEmbedder(near)
    await weigh_by_embedding([Case(said, found, None, {1: (HERE,), 2: (town,)})], embedder)
    lines = {line for _, line in embedder.asked}
    assert any(line in HERE.text for line in lines)
    assert any(line in TOWN for line in lines)


async def test_of_what_one_source_holds_the_others_are_not_looked_at() -> None:
    town = passage(TOWN, title="Velling")
    text = "The salt mines employ people from Velling."
    found = weigh(text, [town])
    assert found.support is Support.SUPPORTED
    said = CitedSentence(0, len(text), 1, text, (1, 2), True)
    place = Place(source=2, text=TOWN, start=0, end=len(TOWN), locator=town.locator)
    embedder = ScriptedEmbedder(near)
    await weigh_by_embedding([Case(said, found, place, {1: (HERE,), 2: (town,)})], embedder)
    assert embedder.asked
    assert all(line in TOWN for _, line in embedder.asked)


async def test_one_that_fails_leaves_the_rest_to_words() -> None:
    cases = [case(DOUBTFUL), case(DOUBTFUL)]
    embedder = ScriptedEmbedder(near, error=ModelError("it is down"))
    assert await weigh_by_embedding(cases, embedder) == (cases, "it is down")
    assert len({claim for claim, _ in embedder.asked}) == 1


@pytest.mark.parametrize("cosine", [1.5, float("nan")])
async def test_what_is_no_cosine_leaves_the_rest_to_words(cosine: float) -> None:
    embedder = ScriptedEmbedder(lambda _a, _b: cosine)
    after, fault = await weigh_by_embedding([case(DOUBTFUL)], embedder)
    assert after == [case(DOUBTFUL)]
    assert fault == f"{embedder.name} returned a similarity outside -1 to 1."


async def test_one_that_was_not_measured_is_not_asked() -> None:
    embedder = ScriptedEmbedder(near, name="test:another")
    after, fault = await weigh_by_embedding([case(DOUBTFUL)], embedder)
    assert (after, embedder.asked) == ([case(DOUBTFUL)], [])
    assert fault == "test:another was not measured: no sentence was checked with it."


class Sleepy(ScriptedEmbedder):
    """Answers the first time and then hangs."""

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        if self.asked:
            await asyncio.sleep(60)
        return await super().similarities(pairs)


async def test_it_ends_with_its_time_and_what_was_weighed_counts() -> None:
    cases = [case(DOUBTFUL), case(DOUBTFUL)]
    after, fault = await weigh_by_embedding(cases, Sleepy(near), within_s=0.2)
    assert [weighed == before for weighed, before in zip(after, cases, strict=True)] == [
        False,
        True,
    ]
    assert fault == "test:all-MiniLM-L6-v2 took more than 0.2 s."
