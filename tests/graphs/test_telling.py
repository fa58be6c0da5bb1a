"""The answer is told while it is written, and rests on what is cited."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue
from tests.graphs.minds import BORN, Mind, holding, thinking
from tests.graphs.misbehaving import OddProvider, refuse_search
from tests.graphs.reasoners import Disguised, Insatiable, something_new
from tests.graphs.team import FLAX, TWO
from tests.graphs.test_first_words import QUOTES, Author
from tests.graphs.world import (
    DOCUMENTS,
    HOP,
    NOTHING,
    PLAIN,
    Desk,
    Shelf,
    Told,
    engine,
    passage_of,
    told,
    url_of,
)
from tests.resilience.fake_time import FakeTime

from quaere.domain.budget import ProfileName
from quaere.domain.events import (
    Evaluated,
    EvidenceCollected,
    EvidenceCompacted,
    ModelCalled,
    Phase,
    SearchFinished,
    SentenceWritten,
    SourceRead,
)
from quaere.domain.evidence import Evidence, Score, of_same_sources
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import Quote, Sentence, Support
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, ReadStatus
from quaere.domain.team import Strategy
from quaere.errors import ModelError, SearchError
from quaere.graphs.telling import one_of_each_source, verified
from quaere.ports.reason import Review
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.testing import ScriptedModel
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.verify.repair import pool_of

pytestmark = pytest.mark.anyio


class Halting(Shelf):
    """Answers the first look and then breaks down."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        if self.asked:
            raise SearchError("HTTP 503")
        return await super().search(query, limit=limit)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(ProfileName),
    st.sampled_from([HOP, PLAIN, NOTHING, TWO]),
    st.sampled_from(["good", "broken", "halting"]),
)
def test_the_sentences_told_are_the_answer(
    profile: ProfileName, question: str, provider: str
) -> None:
    made = {"good": Shelf, "broken": lambda: OddProvider(refuse_search), "halting": Halting}
    asked = engine(made[provider](), reasoner=Insatiable(something_new))
    run = asyncio.run(told(asked, question, profile=profile, max_iters=2))
    written = run.of(SentenceWritten)
    assert " ".join(event.text for event in written) == run.report.answer
    assert "".join(event.appended for event in written) == run.report.answer
    notices = [e for e in written if e.sentence.support is Support.NOT_A_CLAIM]
    assert len(written) - len(notices) == len(run.report.sentences)


async def test_notices_are_sentences_of_their_own() -> None:
    run = await told(engine(Halting(), reasoner=Insatiable(something_new)))
    first, *rest = run.of(SentenceWritten)
    assert (first.text, first.sentence.support) == (ENGLISH_FRAME.limited, Support.NOT_A_CLAIM)
    assert any(event.sentence.evidence for event in rest)
    nothing = (await told(engine(), NOTHING)).of(SentenceWritten)
    assert [event.text for event in nothing] == [ENGLISH_FRAME.nothing]


async def test_each_search_is_told_with_provider_and_sources_r3_10() -> None:
    run = await told(engine(Shelf(), Shelf(name="other", with_text=False)))
    first = run.of(SearchFinished)[:2]
    assert [event.provider for event in first] == ["shelf", "other"]
    assert [event.fresh > 0 for event in first] == [True, False]
    told_before: set[str] = set()
    for event in run.of(SearchFinished):
        assert set(event.known) <= told_before, "what is named by its id was found before"
        assert told_before.isdisjoint(each.id for each in event.found)
        told_before |= {each.id for each in event.found}
        assert event.kinds == (SourceKind.WEB,)
        assert event.retrieved_at
        assert event.hits == len(event.found) + len(event.known)
        assert event.fresh == len({each.url for each in event.found}) == len(event.found)
        assert [each.rank for each in event.found] == sorted(each.rank for each in event.found)
        assert {each.provider for each in event.found} <= {event.provider}


LATE_S = 0.3


class Late(Shelf):
    """Takes its time."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await asyncio.sleep(LATE_S + 0.01)
        return await super().search(query, limit=limit)


async def test_a_search_is_told_before_another_has_ended() -> None:
    clock = asyncio.get_running_loop().time
    told_at: dict[str, float] = {}
    async for event in engine(Shelf(), Late(name="late")).stream(
        RunSpec.of(HOP, limits={"max_iters": 1})
    ):
        if isinstance(event, SearchFinished):
            told_at[event.provider] = clock()
            assert (event.seconds >= LATE_S) is (event.provider == "late")
    assert told_at["late"] - told_at["shelf"] > LATE_S / 2


async def test_retries_of_a_search_are_told_r0_12() -> None:
    class Flaky(Shelf):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            self.tries = getattr(self, "tries", 0) + 1
            if self.tries % 3:
                raise SearchError("HTTP 500")
            return await super().search(query, limit=limit)

    provider = ResilientProvider(Flaky(), Resilience(), timing=FakeTime().timing)
    run = await told(engine(provider))
    assert {event.retries for event in run.of(SearchFinished)} == {2}
    assert run.report.figures.retried_searches == len(run.of(SearchFinished))


async def test_each_page_is_told_with_what_it_took_r3_6() -> None:
    run = await told(engine(Shelf(with_text=False)))
    reads = run.of(SourceRead)
    assert reads
    for read in reads:
        assert (read.provider, read.status, read.final_url) == ("shelf", ReadStatus.OK, "")
        assert read.seconds >= 0
    assert run.report.figures.fetches == {ReadStatus.OK: len(reads)}


async def test_a_report_has_its_figures_r0_3_r3_10() -> None:
    run = await told(engine(), max_iters=3)
    report, figures = run.report, run.report.figures
    assert set(figures.stage_seconds) >= {"searching", "reading", "planning", "finalizing"}
    assert sum(figures.stage_seconds.values()) <= report.seconds + 0.5
    assert figures.searches == {"shelf": len(run.of(SearchFinished))}
    assert (figures.pubmed_queries, figures.web_queries) == (0, figures.searches["shelf"])
    assert figures.evidence_pooled == run.of(EvidenceCollected)[-1].pool
    assert figures.evidence_selected == len(report.evidence)
    assert report.started_at == run.events[0].at
    assert report.finished_at == run.events[-1].at
    assert report.synthesis.timestamp >= report.started_at
    assert report.synthesis.model == report.reasoner
    assert all(event.metadata.timestamp for event in run.of(Evaluated))


class OneHit(Shelf):
    """Finds one document at a time, so that the first look is not enough."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return (await super().search(query, limit=limit))[:1]


async def test_each_reflection_is_told_with_its_model_and_what_it_took_r0_3() -> None:
    run = await told(thinking(ScriptedModel(Mind()), OneHit()))
    taken = {
        step: [call.usage.total_tokens for call in run.report.calls if call.step == step]
        for step in ("plan", "evaluate", "check")
    }
    assert all(taken.values()), "the answer was checked while it was told"
    metadata = [event.metadata for event in run.of(Evaluated)]
    assert [each.model for each in metadata] == ["test:scriptedmodel"] * len(metadata)
    assert [each.token_count for each in metadata] == [*taken["plan"], *taken["evaluate"]]
    assert run.report.spend.tokens == sum(map(sum, taken.values())), "and each is paid for once"


async def test_a_reflection_that_a_model_failed_at_is_not_its_own_r0_3() -> None:
    def failing(request: ModelRequest) -> dict[str, JsonValue] | str | ModelError:
        return ModelError("gone") if request.step == "evaluate" else Mind()(request)

    run = await told(thinking(ScriptedModel(failing), OneHit()))
    first, *others = [event.metadata.model for event in run.of(Evaluated)]
    assert (first, set(others)) == ("test:scriptedmodel", {"extractive"})


async def test_compaction_is_told_r0_7_r0_12() -> None:
    _, run = await _bytes(3)
    compacted = run.of(EvidenceCompacted)
    assert compacted
    assert all(event.tokens_after < event.tokens_before for event in compacted)
    assert all(event.phase in set(Phase) for event in compacted)
    assert run.report.figures.compactions == len(compacted)


PLACES = ("Hask", "Dunmere", "Sorrel", "Maren", "Tressel", "Quill", "Varga", "Pryce")
MANY = {
    f"{place} {kind}": f"The {place} {kind} was described by Odile Varga in {1800 + i * 7 + j}. "
    f"Its founder was born in {PLACES[(i + j) % 8]}. It keeps {kind} records of {place}."
    for i, place in enumerate(PLACES)
    for j, kind in enumerate(("mill", "bridge", "market", "tower", "archive", "well"))
}


def _more(review: Review) -> Sequence[Query]:
    place = PLACES[review.iteration % 8]
    return [
        Query(text=f"{place} {kind} founder {review.iteration}", intent=Intent.REFORMULATION)
        for kind in ("mill", "tower", "archive")
    ]


async def _bytes(loops: int) -> tuple[Counter[str], Told]:
    reasoner = Disguised(Insatiable(_more))
    asked = engine(Shelf(MANY), reader=Desk(MANY | dict(DOCUMENTS)), reasoner=reasoner)
    run = await told(
        asked, HOP, max_iters=loops, max_queries=200, max_reads=200, max_execution_time_s=600
    )
    assert run.report.iterations == loops
    sizes: Counter[str] = Counter()
    for event in run.events:
        sizes[type(event).__name__] += len(event.model_dump_json())
    return sizes, run


async def test_the_selection_is_not_told_anew_in_every_loop() -> None:
    few, _ = await _bytes(3)
    many, run = await _bytes(12)
    whole = sum(
        len("".join(entry.model_dump_json() for entry in run.report.evidence))
        for _ in run.of(EvidenceCollected)
    )
    assert many["EvidenceCollected"] < whole / 2
    assert many["EvidenceCollected"] < 3 * few["EvidenceCollected"]


class Reasking(ScriptedModel):
    """Talks nonsense first, and makes its second call only once the first has been told."""

    def __init__(self) -> None:
        mind, first = Mind(), iter(["Let me think about it."])
        super().__init__(lambda request: next(first, None) or mind(request))
        self.heard = asyncio.Event()

    async def complete(self, request: ModelRequest) -> Completion:
        if self.requests:
            await asyncio.wait_for(self.heard.wait(), 5)
        return await super().complete(request)


async def test_a_model_call_is_told_as_it_ends_and_not_with_its_step() -> None:
    model = Reasking()
    calls: list[ModelCalled] = []
    async for event in thinking(model).stream(RunSpec.of(HOP)):
        if isinstance(event, ModelCalled):
            calls.append(event)
            model.heard.set()
    assert [(each.call.step, each.retried) for each in calls[:2]] == [
        ("plan", False),
        ("plan", True),
    ]


class Stuck(ScriptedModel):
    """Helps everybody but who researches flax, of whom it makes a plan and no more."""

    def __init__(self) -> None:
        super().__init__(_delegating)
        self.plans = 0

    async def complete(self, request: ModelRequest) -> Completion:
        about = FLAX in request.messages[-1].content
        if about and request.step in {"plan", "evaluate"}:
            self.plans += 1
            if self.plans > 1:
                await asyncio.sleep(60)
        return await super().complete(request)


def _delegating(request: ModelRequest) -> dict[str, JsonValue] | str:
    if request.step not in {"brief", "supervise"}:
        return Mind(restless=True)(request)
    done = request.step == "supervise"
    named: dict[str, JsonValue] = {"complete": True} if done else {"brief": "Find it out."}
    return {"reflection": "", "topics": [] if done else [HOP, FLAX], "last": False, **named}


async def test_calls_of_a_researcher_that_is_interrupted_are_told_once() -> None:
    asked = replace(thinking(Stuck()), strategy=Strategy.SUPERVISOR)
    run = await told(asked, f"{HOP} {FLAX}", max_execution_time_s=3.0)
    assert any("not waited for" in call.error for call in run.report.calls)
    ledger = Counter(call.model_dump_json() for call in run.report.calls)
    assert Counter(event.call.model_dump_json() for event in run.of(ModelCalled)) == ledger
    assert {event.topic for event in run.of(ModelCalled)} >= {HOP, FLAX, ""}


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


def test_a_source_over_several_pages_is_one_and_files_of_a_folder_are_not() -> None:
    story = EVIDENCE[0].model_copy(
        update={"title": "The weir", "url": "https://weir.example/story"}
    )
    second = story.model_copy(update={"id": 9, "url": "https://weir.example/story?page=2"})
    elsewhere = story.model_copy(update={"id": 10, "url": "https://other.example/story"})
    of_folder = [story.model_copy(update={"id": n, "url": f"file:///{n}.md"}) for n in (11, 12)]
    assert of_same_sources([9], [story, second, elsewhere]) == (9, 1)
    assert of_same_sources([11], of_folder) == (11,)
    assert of_same_sources([], EVIDENCE) == ()


def test_pages_of_one_site_with_one_title_are_one_source_of_a_conclusion() -> None:
    pages = [
        page.model_copy(update={"title": "The weir", "url": f"https://weir.example/story/{n}"})
        for n, page in enumerate(PAGE)
    ]
    evidence = [
        entry.model_copy(update={"title": page.title, "url": page.url})
        for entry, page in zip(EVIDENCE, pages, strict=True)
    ]
    assert of_same_sources((1,), evidence) == (1, 2, 3)
    concluded = Sentence(text="There.", evidence=(2, 1, 3))
    assert one_of_each_source(concluded, (1,), pool_of(evidence, pages)).evidence == (2,)


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
