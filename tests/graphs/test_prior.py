"""The place that a search has given a source reaches the score of what was read there."""

from __future__ import annotations

import pytest
from tests.graphs.world import PLAIN, Shelf, engine

from quaere.domain.question import Query
from quaere.domain.request import RunSpec
from quaere.evidence.score import PRIOR_FIRST

pytestmark = pytest.mark.anyio


async def test_what_the_question_finds_first_gets_the_most_for_its_place() -> None:
    hits = await Shelf().search(Query(text=PLAIN), limit=50)
    report = await engine(Shelf()).run(RunSpec.of(PLAIN))
    prior = {evidence.url: evidence.score.prior for evidence in report.evidence}
    assert prior[hits[0].url] == PRIOR_FIRST
    found = [prior[hit.url] for hit in hits if prior.get(hit.url)]
    assert len(found) > 1
    assert found == sorted(found, reverse=True)
