"""The loop: its limits, what it counts, and what only grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import pytest
from tests.graphs.reasoners import Insatiable, Witness, something_new, the_same_again
from tests.graphs.world import DOCUMENTS, HOP, NOTHING, PLAIN, Shelf, Still, Told, engine, told

from quaere.domain.budget import (
    MODE_PROFILES,
    PROFILES,
    Limits,
    Mode,
    ProfileName,
    merge_limits,
    resolve_limits,
)
from quaere.domain.events import (
    Evaluated,
    EvidenceCollected,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFinished,
    RunStarted,
    SearchFinished,
    SentenceWritten,
    Verified,
)
from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.domain.verdict import Opening, StopReason
from quaere.graphs.langgraph_driver import langgraph_of
from quaere.graphs.loop import LOOP
from quaere.ports.reason import FirstLook, Reasoner
from quaere.reason.extractive.reasoner import ExtractiveReasoner

pytestmark = pytest.mark.anyio


class SlowShelf(Shelf):
    """Every search takes ten seconds of a clock that otherwise stands still."""

    def __init__(self, clock: Still) -> None:
        super().__init__()
        self._clock = clock

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self._clock.seconds += 10
        return await super().search(query, limit=limit)


async def unending(*, clock: Still | None = None, **limits: Unpack[Limits]) -> Told:
    """Run with a reasoner that always has something new to ask, up to ``limits``."""
    clock = clock or Still()
    asked = engine(SlowShelf(clock), reasoner=Insatiable(something_new), clock=clock)
    wide = Limits(max_iters=50, max_queries=500, max_execution_time_s=3600, token_budget=10**6)
    return await told(asked, **merge_limits(wide, limits))


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(max_iters=4), StopReason.MAX_ITERATIONS),
        (Limits(max_queries=5), StopReason.BUDGET_EXHAUSTED),
        (Limits(token_budget=50), StopReason.BUDGET_EXHAUSTED),
        (Limits(max_execution_time_s=60), StopReason.TIMEOUT),
    ],
)
async def test_each_limit_ends_the_run_with_its_reason_and_a_cited_answer(
    limits: Limits, reason: StopReason
) -> None:
    run = await unending(**limits)
    report = run.report
    assert report.stop_reason is reason
    assert "She was born in Tressel Ford in 1861" in report.answer
    assert report.citations
    assert [e.stop_reason for e in run.of(Evaluated)] == [None] * (report.iterations - 1) + [reason]


async def test_the_limits_are_kept_to_the_letter() -> None:
    report = (await unending(max_queries=5)).report
    assert report.spend.queries == len(report.queries) == 5
    report = (await unending(max_iters=4)).report
    assert report.iterations == len(report.steps) == 4
    report = (await unending(max_execution_time_s=60)).report
    assert report.seconds == 70
    assert [step.seconds for step in report.steps] == [10, 30, 30]


async def test_one_iteration_terminates_r0_14() -> None:
    run = await unending(max_iters=1)
    assert run.report.iterations == 1
    assert run.report.spend.queries == 1
    assert run.report.stop_reason is StopReason.MAX_ITERATIONS
    assert len(run.of(SearchFinished)) == 1
    assert run.report.citations


async def test_sufficient_comes_before_every_limit_r0_2() -> None:
    run = await told(engine(), max_iters=1, max_queries=1, token_budget=1)
    assert run.report.stop_reason is StopReason.SUFFICIENT


async def test_a_reasoner_that_repeats_itself_is_stopped() -> None:
    run = await told(engine(reasoner=Insatiable(the_same_again)))
    assert run.report.stop_reason is StopReason.NO_NEW_INFORMATION
    raw, *others = (q.query for q in run.report.queries)
    assert raw.text == HOP
    assert [q.text for q in others if not q.reserve] == ["slate ridges"]


@pytest.mark.parametrize("profile", ProfileName)
async def test_every_plan_has_three_to_six_queries_with_intent_r0_3(profile: ProfileName) -> None:
    for question in (HOP, PLAIN, NOTHING):
        run = await told(engine(reasoner=Insatiable(the_same_again)), question, profile=profile)
        (made,) = run.of(PlanMade)
        assert 3 <= len(made.queries) <= 6
        assert len({query.text for query in made.queries}) == len(made.queries)


@pytest.mark.parametrize("reasoner", [ExtractiveReasoner(), Insatiable(something_new)])
async def test_a_brief_that_is_not_answered_at_once_asks_three_to_five_queries_r2_2(
    reasoner: Reasoner,
) -> None:
    brief = resolve_limits(MODE_PROFILES[Mode.BRIEF], mode=Mode.BRIEF)
    run = await told(engine(Few(), reasoner=reasoner), HOP, **brief)
    assert run.report.iterations == 2
    assert 3 <= len(run.report.queries) <= 5


class Few(Shelf):
    """Knows little of the observatory, and nothing of who founded it."""

    def __init__(self) -> None:
        super().__init__({k: v for k, v in DOCUMENTS.items() if k != "Odile Varga"})


async def test_a_reasoner_that_never_has_enough_is_stopped_when_nothing_new_comes() -> None:
    def more_of_it(review: object) -> Sequence[Query]:
        return [Query(text=f"telescope {len(reasoner.reviews)} of Hask")]

    reasoner = Insatiable(more_of_it)
    run = await told(engine(reasoner=reasoner), profile=ProfileName.DEEP)
    assert run.report.stop_reason is StopReason.NO_NEW_INFORMATION
    assert run.report.iterations < PROFILES[ProfileName.DEEP].max_iters


async def test_no_more_sources_or_citations_than_allowed() -> None:
    run = await unending(max_iters=4, max_sources=2, max_citations=1)
    assert all(len(event.selected) <= 2 for event in run.of(EvidenceCollected))
    assert len(run.report.evidence) == 2
    assert len(run.report.citations) == 1


async def test_the_answer_keeps_to_its_length() -> None:
    long = (await told(engine(), HOP)).report
    short = (await told(engine(), HOP, answer_words=12)).report
    assert len(short.answer.split()) < len(long.answer.split())
    assert short.budget.answer_words == 12


# What only grows (R0.2)


async def test_iteration_rises_by_one_a_loop_and_the_rest_only_grows_r0_2() -> None:
    run = await unending(max_iters=5)
    report = run.report
    assert [step.iteration for step in report.steps] == [0, 1, 2, 3, 4]
    assert sorted({o.iteration for o in report.queries}) == [0, 1, 2, 3, 4]
    considered = [step.considered for step in report.steps]
    read = [step.read for step in report.steps]
    pools = [event.pool for event in run.of(EvidenceCollected)]
    for counts in (considered, read, pools):
        assert counts == sorted(counts)
        assert counts[-1] > counts[0]
    assert considered[-1] <= len(DOCUMENTS)


async def test_an_id_names_one_passage_for_the_whole_run() -> None:
    run = await unending(max_iters=5)
    names: dict[int, str] = {}
    for event in run.of(EvidenceCollected):
        for evidence in event.added:
            assert names.setdefault(evidence.id, evidence.passage) == evidence.passage
    assert {e.id: e.passage for e in run.report.evidence}.items() <= names.items()


async def test_no_query_is_asked_twice() -> None:
    run = await unending(max_iters=6)
    texts = [q.query.text for q in run.report.queries]
    assert len(texts) == len(set(texts))


async def test_citations_come_from_what_was_retrieved_alone_r0_2() -> None:
    report = (await unending(max_iters=3)).report
    by_id = {e.id: e for e in report.evidence}
    for number, citation in enumerate(report.citations, 1):
        assert citation.id == number
        assert by_id[citation.evidence].url == citation.url
        assert by_id[citation.evidence].passage == citation.quote.passage
        assert citation.quote.text in DOCUMENTS[citation.title]


# Profiles (R0.6)


class Choosy(Witness):
    """Finds that every question is simple."""

    async def plan(self, look: FirstLook) -> Opening:
        opening = await super().plan(look)
        return Opening(plan=opening.plan.model_copy(update={"tier": ProfileName.SIMPLE}))


async def test_the_plan_chooses_the_profile_that_nobody_asked_for_r0_6() -> None:
    report = (await told(engine(reasoner=Choosy()), max_citations=3)).report
    assert report.profile is ProfileName.SIMPLE
    assert report.budget == PROFILES[ProfileName.SIMPLE].override({"max_citations": 3})
    asked_for = (await told(engine(reasoner=Choosy()), profile=ProfileName.DEEP)).report
    assert asked_for.profile is ProfileName.DEEP


async def test_the_profiles_of_the_engine_are_those_that_count_r3_1() -> None:
    own = {name: budget.override({"max_queries": 1}) for name, budget in PROFILES.items()}
    asking = replace(engine(reasoner=Choosy()), profiles=own)
    run = await told(asking)
    assert run.of(RunStarted)[0].budget == own[ProfileName.STANDARD]
    assert run.report.budget == own[ProfileName.SIMPLE]
    chat = (await told(asking, profile=ProfileName.CHAT, max_iters=1)).report
    assert chat.budget == own[ProfileName.CHAT].override({"max_iters": 1})


@pytest.mark.parametrize("profile", ProfileName)
async def test_a_profile_is_a_budget_and_limits_override_it(profile: ProfileName) -> None:
    report = (await told(engine(), profile=profile, max_queries=2)).report
    assert report.profile is profile
    assert report.budget == PROFILES[profile].override({"max_queries": 2})


async def test_without_a_profile_the_run_is_standard_r0_6() -> None:
    report = (await told(engine())).report
    assert report.profile is ProfileName.STANDARD
    assert report.budget == PROFILES[ProfileName.STANDARD]


# Events


async def test_the_phases_come_in_the_order_of_the_loop() -> None:
    run = await unending(max_iters=2)
    assert [event.phase for event in run.of(PhaseStarted)] == [
        Phase.SEARCHING,
        Phase.READING,
        Phase.PLANNING,
        Phase.EVALUATING,
        Phase.ITERATING,
        Phase.READING,
        Phase.EVALUATING,
        Phase.SYNTHESIZING,
        Phase.VERIFYING,
        Phase.FINALIZING,
    ]
    kinds = [type(event) for event in run.events]
    assert kinds.index(SearchFinished) < kinds.index(EvidenceCollected) < kinds.index(PlanMade)
    assert kinds.index(PlanMade) < kinds.index(Evaluated) < kinds.index(SentenceWritten)
    assert kinds[-3:] == [Verified, PhaseStarted, RunFinished]


async def test_every_event_tells_the_loop_and_the_sources_so_far_r3_7() -> None:
    run = await unending(max_iters=3)
    inside = run.events[1:-1]
    assert {event.max_loops for event in inside} == {3}
    assert [e.loop for e in run.of(Evaluated)] == [1, 2, 3]
    collected = run.of(EvidenceCollected)
    assert [e.sources_considered for e in collected] == [s.considered for s in run.report.steps]
    assert [e.sources_read for e in collected] == [s.read for s in run.report.steps]


async def test_the_budget_left_only_shrinks() -> None:
    run = await unending(max_iters=3, max_queries=40)
    left = [event.remaining for event in run.of(PhaseStarted)]
    for name in ("iterations", "queries", "reads", "tokens", "seconds"):
        figures = [getattr(each, name) for each in left]
        assert figures == sorted(figures, reverse=True)
    assert (left[0].iterations, left[0].queries, left[0].seconds) == (3, 40, 3600)


async def test_sentences_are_told_as_they_stand_in_the_answer() -> None:
    run = await told(engine())
    written = run.of(SentenceWritten)
    assert " ".join(event.text for event in written) == run.report.answer
    assert tuple(event.sentence for event in written) == run.report.sentences


async def test_no_event_carries_more_of_a_page_than_its_quotes() -> None:
    salt = [f"Xylograph {n} of the archive lies in drawer {n}, unsigned." for n in range(40)]
    pages = {title: " ".join([text, *salt]) for title, text in DOCUMENTS.items()}
    run = await told(engine(Shelf(pages), reasoner=Insatiable(something_new)))
    quoted = " ".join(quote.text for s in run.report.sentences for quote in s.quotes)
    kept = [grain for grain in salt if grain not in quoted]
    assert len(kept) > len(salt) / 2
    for event in run.events:
        written = event.model_dump_json()
        assert not any(grain in written for grain in kept), event
        assert len(written) < 60_000


# The graph


async def test_no_run_meets_the_limit_of_graph_steps() -> None:
    run = await unending(max_iters=50)
    assert run.report.iterations == 50
    assert LOOP.max_steps >= 4 * 50 + 3


def test_the_graph_is_compiled_once_and_has_the_steps_of_the_loop() -> None:
    graph = langgraph_of(LOOP)
    assert graph is langgraph_of(LOOP)
    drawn = graph.get_graph()
    assert set(drawn.nodes) - {"__start__", "__end__"} == {
        "search",
        "read",
        "collect",
        "follow",
        "plan",
        "evaluate",
        "synthesize",
        "verify",
    }
