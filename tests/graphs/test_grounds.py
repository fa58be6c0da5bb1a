"""A first sentence that cites nothing rests on its sources, whatever was named of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from pydantic import JsonValue
from tests.graphs.minds import BORN, holding, thinking
from tests.graphs.test_first_words import QUOTES, Author
from tests.graphs.world import DOCUMENTS, HOP, Shelf, passage_of, told, url_of

from quaere.domain.events import ModelCalled, SentenceWritten
from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import Quote, Sentence, Support
from quaere.domain.source import Hit
from quaere.graphs.grounds import of_same_sources, one_of_each_source, verified
from quaere.testing import ScriptedModel
from quaere.verify.repair import pool_of

pytestmark = pytest.mark.anyio

HEADING = "Home, topics, archive and about: an astronomer of the southern sky."
PAGE = [
    passage_of("Odile Varga", HEADING),
    passage_of("Odile Varga", DOCUMENTS["Odile Varga"], url_of("Odile Varga")),
    passage_of("Hask", DOCUMENTS["Hask"]),
]
EVIDENCE = [
    Evidence(id=n, passage=p.id, url=p.url, title=p.title, score=Score())
    for n, p in enumerate(PAGE, 1)
]
POOL = pool_of(EVIDENCE, PAGE)


def test_all_that_is_selected_of_a_source_counts_as_found() -> None:
    assert of_same_sources((1,), EVIDENCE) == (1, 2)
    assert of_same_sources((2, 3), EVIDENCE) == (2, 3, 1)
    assert of_same_sources((9,), EVIDENCE) == (9,)


def test_one_passage_of_each_source_is_cited_what_decided_first() -> None:
    quotes = tuple(Quote(passage=p.id, text=p.text[:9], start=0, end=9) for p in PAGE)
    concluded = Sentence(text="There.", evidence=(2, 1, 3), quotes=quotes)
    shown = one_of_each_source(concluded, (1, 3), POOL)
    assert shown.evidence == (2, 3)
    assert [quote.passage for quote in shown.quotes] == [PAGE[1].id, PAGE[2].id]
    undecided = concluded.model_copy(update={"evidence": (3, 2, 1)})
    assert one_of_each_source(undecided, (1, 3), POOL).evidence == (3, 1)


async def test_a_conclusion_is_checked_against_what_carries_the_sentences_after_it() -> None:
    misplaced = Sentence(text=BORN, evidence=(1,))
    first, second = await verified([Sentence(text="In Tressel Ford."), misplaced], POOL, HOP)
    assert second.sentence
    assert second.sentence.evidence == (2,)
    assert first.claim
    assert first.claim.sentence.evidence == (2,)
    assert await verified([], POOL, HOP) == []


CONCLUSION = "Down by the water."
"""Without a word of the passage that it is drawn from."""


class Headed(Shelf):
    """Gives each page in two passages: its heading, and what it says."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Search."""
        found = await super().search(query, limit=limit)
        return [
            hit.model_copy(
                update={"passages": (passage_of(hit.title, HEADING, hit.url), *hit.passages)}
            )
            for hit in found
        ]


class Careless(Author):
    """Names the heading of a page where the page bears on the answer, as models do."""

    def __call__(self, request: ModelRequest) -> dict[str, JsonValue] | str:
        """Answer ``request``."""
        said = super().__call__(request)
        if isinstance(said, dict) and "findings" in said:
            blocks = request.messages[-1].content.split("<data-")
            said["findings"] = [
                {"id": int(block.split('id="')[1].split('"')[0]), "items": [1, 2]}
                for block in blocks
                if HEADING in block and 'title="Odile Varga"' in block
            ]
        return said

    def verdicts(self, request: ModelRequest) -> Iterator[JsonValue]:
        """Find the conclusion where the passage that says it is shown."""
        verdict = "supported" if holding(request, BORN) else "unsupported"
        yield {"number": 1, "verdict": verdict}


async def test_a_conclusion_takes_one_check_although_the_heading_of_its_source_was_named() -> None:
    model = ScriptedModel(Careless(CONCLUSION, *QUOTES, cites_first=False))
    run = await told(thinking(model, Headed()))
    assert [event.call.step for event in run.of(ModelCalled)].count("check") == 1
    first = run.of(SentenceWritten)[0]
    assert first.text.startswith("Down by the water [1]")
    assert first.sentence.support is Support.SUPPORTED
    assert len(first.sentence.evidence) == 1, "its source is cited once"
