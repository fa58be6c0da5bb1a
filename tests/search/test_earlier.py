"""What an earlier run read is one more place to search."""

from __future__ import annotations

import pytest
from tests.graphs.world import DOCUMENTS, HOP, Shelf, engine, passage_of, told

from quaere.domain.question import Query
from quaere.search.in_memory import EarlierEvidence

pytestmark = pytest.mark.anyio

PASSAGES = [passage_of(title, text) for title, text in DOCUMENTS.items()]
TOLD = "Evidence of an earlier run was used."


async def test_it_finds_passages_by_their_words_best_first() -> None:
    earlier = EarlierEvidence(PASSAGES, notice=TOLD)
    hits = await earlier.search(Query(text="Odile Varga born"), limit=2)
    assert hits[0].title == "Odile Varga"
    assert all(hit.passages for hit in hits)
    assert len(hits) == 2
    assert await earlier.search(Query(text="zyxomma"), limit=5) == []


async def test_a_run_draws_on_it_checks_it_again_and_says_so() -> None:
    nothing = Shelf({"Flax": "Flax is spun into linen."})
    run = await told(engine(EarlierEvidence(PASSAGES, notice=TOLD), nothing), HOP)
    assert "Tressel Ford in 1861 [1]" in run.report.answer
    assert run.report.citations[0].url.endswith("/odile-varga")
    assert [warning.message for warning in run.report.warnings] == [TOLD]
    assert run.report.checks.supported == run.report.checks.written
