"""What the pool is ordered by besides its words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.graphs.reasoners import Insatiable
from tests.graphs.world import PLAIN, Shelf, engine, told, url_of

from quaere.domain.question import Intent, Query
from quaere.domain.request import RunSpec
from quaere.evidence.score import MEANING, PRIOR_FIRST
from quaere.graphs.nodes.collect import COMPARED, COMPARED_CHARS
from quaere.testing import ScriptedEmbedder

pytestmark = pytest.mark.anyio

OTHER_WORDS = "Which crops does the Maren valley between the ridges of slate have?"
CROPS = "Farmers there grow flax and rye."


def crops(_question: str, text: str) -> float:
    return 0.8 if CROPS in text else 0.1


async def test_a_line_that_says_it_in_other_words_leads_and_its_page_comes_first() -> None:
    by_words = (await told(engine(), OTHER_WORDS)).report
    assert by_words.sentences[0].text != CROPS
    report = (await told(replace(engine(), embedder=ScriptedEmbedder(crops)), OTHER_WORDS)).report
    assert CROPS in report.sentences[0].text
    meaning = {evidence.url: evidence.score.meaning for evidence in report.evidence}
    assert meaning[url_of("Maren valley")] == MEANING
    assert not any(evidence.score.meaning for evidence in by_words.evidence)


async def test_confidence_is_that_of_words() -> None:
    """It was calibrated without an embedder, which makes nothing surer."""
    by_words = (await told(engine(), OTHER_WORDS)).report.direct
    asked = replace(engine(), embedder=ScriptedEmbedder(crops))
    by_meaning = (await told(asked, OTHER_WORDS)).report.direct
    assert by_words is not None
    assert by_meaning is not None
    assert by_meaning.confidence <= by_words.confidence


async def test_an_embedder_that_finds_all_alike_changes_nothing() -> None:
    by_words = (await told(engine(), PLAIN)).report
    alike = ScriptedEmbedder(lambda _a, _b: 0.5)
    assert (await told(replace(engine(), embedder=alike), PLAIN)).report.answer == by_words.answer


async def test_what_is_compared_is_bounded() -> None:
    embedder = ScriptedEmbedder(crops)
    await told(replace(engine(), embedder=embedder), OTHER_WORDS)
    longest = max(len(text) for _, text in embedder.asked)
    assert longest <= COMPARED_CHARS + 300
    assert len(set(embedder.asked)) <= COMPARED + 60


async def test_what_the_question_finds_first_gets_the_most_for_its_place() -> None:
    hits = await Shelf().search(Query(text=PLAIN), limit=50)
    report = await engine(Shelf()).run(RunSpec.of(PLAIN))
    prior = {evidence.url: evidence.score.prior for evidence in report.evidence}
    assert prior[hits[0].url] == PRIOR_FIRST
    found = [prior[hit.url] for hit in hits if prior.get(hit.url)]
    assert len(found) > 1
    assert found == sorted(found, reverse=True)


async def test_what_one_loop_gave_a_place_to_keeps_it_in_the_next_ones() -> None:
    """A glossary has few words of the question, and no place by these, as long as a run looks on.

    With a model what that has read of it stays, and no more.
    """
    told_daily = "Every tide is told at noon. The tide of Dunmere brings ropes, and takes them."
    pages = {f"Tide book {n}": f"Tide book {n}. {told_daily} So says {n}." for n in range(30)}
    pages["Glossary"] = "Glossary of terms and their meaning. Ebb: a fall of the sea."
    pages |= {"Barn": "Hemp is dried in the barn.", "Yard": "Tar is boiled in the yard."}
    rounds = [
        Query(text="glossary term meaning", intent=Intent.PART, places=1),
        Query(text="hemp barn", intent=Intent.REFORMULATION),
        Query(text="tar yard", intent=Intent.REFORMULATION),
    ]
    asker = Insatiable(lambda review: rounds[review.iteration - 1 : review.iteration])
    run = await told(engine(Shelf(pages), reasoner=asker), "What is the tide of Dunmere?")
    assert run.report.spend.iterations > 2
    shown = [{p.title for p in review.passages.values()} for review in asker.reviews]
    assert ["Glossary" in titles for titles in shown] == [False, *[True] * (len(shown) - 1)]
