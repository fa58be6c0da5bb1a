from __future__ import annotations

import pytest
from tests.contracts.reasoner import HOSTILE, QUESTIONS, Case, ReasonerContract
from tests.graphs.world import DOCUMENTS, HOP

from quaere.domain.budget import Remaining
from quaere.domain.question import Intent, Query, Question
from quaere.domain.team import Delegation, Topic
from quaere.domain.verdict import NextAction
from quaere.ports.reason import Overview, Reasoner
from quaere.reason.extractive.reasoner import HEARD_CHARS, NEXT_QUERIES, ExtractiveReasoner

pytestmark = pytest.mark.anyio

WORLD = dict(DOCUMENTS)


class TestExtractiveReasoner(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return ExtractiveReasoner()


class Common:
    """Statistics of a large collection in which every word is rare."""

    def document_share(self, word: str) -> float:
        return 0.001


class TestExtractiveReasonerWithStatistics(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return ExtractiveReasoner(Common())


@pytest.mark.parametrize("text", QUESTIONS, ids=lambda text: repr(text[:12]))
@pytest.mark.parametrize("documents", [WORLD, HOSTILE], ids=["world", "hostile"])
async def test_it_says_the_same_every_time(text: str, documents: dict[str, str]) -> None:
    said: list[tuple[object, ...]] = []
    for _ in range(2):
        case, reasoner = Case(text, documents), ExtractiveReasoner()
        plan = (await reasoner.plan(case.look())).plan
        reflection = await reasoner.evaluate(case.review(plan))
        sentences = reasoner.synthesize(case.assignment(plan, reflection.checklist))
        said.append((plan, reflection, *[sentence async for sentence in sentences]))
    assert said[0] == said[1]


async def test_the_first_queries_follow_what_the_first_look_named() -> None:
    case = Case("Where was the founder of the Quill Observatory born?", WORLD)
    plan = (await ExtractiveReasoner().plan(case.look())).plan
    assert plan.queries[0].intent is Intent.BRIDGE
    named = {name for query in plan.queries for name in query.focus}
    assert named & {"odile varga", "tressel ford"}


async def test_three_to_six_queries_where_the_budget_allows_r0_3() -> None:
    for text in QUESTIONS[:3]:
        plan = (await ExtractiveReasoner().plan(Case(text, WORLD).look())).plan
        assert 3 <= len(plan.queries) <= 6


async def test_with_everything_answered_and_nothing_open_it_is_done() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    done = await reasoner.evaluate(case.review(plan, settled=True, iteration=2))
    assert done.next_action is NextAction.FINALIZE
    assert done.queries == ()
    assert done.gaps == ()
    assert done.confidence > 0.5
    assert done.reason == "every item is answered"


async def test_at_the_first_look_only_a_strong_lead_keeps_an_answered_question_open() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    review = case.review((await reasoner.plan(case.look())).plan)
    lead = review.leads[0]
    actions = [
        (
            await reasoner.evaluate(
                review.model_copy(
                    update={
                        "leads": (lead.model_copy(update={"strength": strength}),),
                        "iteration": iteration,
                    }
                )
            )
        ).next_action
        for strength, iteration in ((0.29, 1), (0.3, 1), (0.29, 2))
    ]
    assert actions == [NextAction.FINALIZE, NextAction.SEARCH_MORE, NextAction.SEARCH_MORE]


@pytest.mark.parametrize(
    ("intent", "iteration", "action"),
    [
        (Intent.RAW, 1, NextAction.FINALIZE),
        (Intent.TABLE, 1, NextAction.SEARCH_MORE),
        (Intent.TABLE, 2, NextAction.FINALIZE),
    ],
)
async def test_where_the_plan_asks_for_tables_they_are_waited_for_once(
    intent: Intent, iteration: int, action: NextAction
) -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    asked = plan.model_copy(update={"queries": (Query(text="keepers", intent=intent),)})
    review = case.review(asked, settled=True, iteration=iteration)
    review = review.model_copy(update={"leads": ()})
    assert (await reasoner.evaluate(review)).next_action is action


async def test_what_was_read_leads_on_until_the_evidence_settles() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    more = await reasoner.evaluate(case.review(plan, settled=False, iteration=2))
    assert more.next_action is NextAction.SEARCH_MORE
    assert more.gaps == ()
    bridges = [query for query in more.queries if query.intent is Intent.BRIDGE]
    assert 0 < len(bridges) <= NEXT_QUERIES


async def test_a_query_that_failed_is_not_reformulated_and_one_that_found_little_is_r0_4() -> None:
    case, reasoner = Case("Which zyxomma blorvens Hask?", WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    reflection = await reasoner.evaluate(case.review(plan))
    again = [query for query in reflection.queries if query.intent is Intent.REFORMULATION]
    assert again
    assert not any("harbour" in query.text for query in again)


async def test_tokens_count_what_was_read_anew() -> None:
    case, reasoner = Case(HOP, WORLD), ExtractiveReasoner()
    plan = (await reasoner.plan(case.look())).plan
    review = case.review(plan)
    fresh = sum(len(case.passages[e.passage].text) for e in case.evidence) // 4
    assert (await reasoner.evaluate(review)).metadata.token_count == fresh
    stale = review.model_copy(update={"fresh": ()})
    assert (await reasoner.evaluate(stale)).metadata.token_count == 0
    assert (await reasoner.evaluate(stale)).metadata.model == "extractive"


async def test_a_long_question_is_heard_at_both_ends() -> None:
    """As it stands up to twice as many characters as are read at each end."""
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)

    async def heard(text: str) -> str:
        told = await ExtractiveReasoner().brief(
            Overview(
                question=Question(text=text), brief=text, at_once=2, rounds_left=2, remaining=plenty
            )
        )
        assert told.delegation is not None
        assert told.delegation.last
        return told.text

    whole = "Where is Hask? " + "a" * (2 * HEARD_CHARS - 15)
    assert await heard(whole) == whole
    assert await heard(f"{whole}b") == f"{whole[:HEARD_CHARS]} {whole[-HEARD_CHARS + 1 :]}b"


async def test_the_topics_of_a_question_are_counted() -> None:
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)
    thoughts: list[str] = []
    for text in ("Where is Hask?", "Where is Hask? How many arches has the bridge?"):
        overview = Overview(
            question=Question(text=text), brief=text, at_once=2, rounds_left=2, remaining=plenty
        )
        told = await ExtractiveReasoner().brief(overview)
        assert told.delegation is not None
        thoughts.append(told.delegation.thought)
        left = await ExtractiveReasoner().delegate(overview)
        assert left.thought.startswith(f"{len(left.topics)} topic")
    assert thoughts == ["The question falls into 1 topic.", "The question falls into 2 topics."]


async def test_sources_in_another_language_answer_nothing_and_it_says_so() -> None:
    russian = "Обсерваторию основал Иван Варга. Купол вращается на колёсах, и все это видят."
    case = Case("Who founded the observatory of Quill on wheels?", {"Квилл": russian})
    reasoner = ExtractiveReasoner(Common())
    plan = (await reasoner.plan(case.look())).plan
    reflection = await reasoner.evaluate(case.review(plan))
    assert reflection.next_action is NextAction.SEARCH_MORE
    assert reflection.confidence == 0.0
    written = reasoner.synthesize(case.assignment(plan, plan.checklist))
    assert [sentence async for sentence in written] == []


async def test_topics_that_nobody_was_sent_out_for_are_given_out_and_then_nothing() -> None:
    parts = ("Where is Hask?", "How many arches has the bridge of Tressel Ford?")
    plenty = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)

    async def delegated(*researched: str) -> Delegation:
        return await ExtractiveReasoner().delegate(
            Overview(
                question=Question(text=" ".join(parts)),
                brief=" ".join(parts),
                topics=tuple(Topic(text=text) for text in researched),
                at_once=2,
                rounds_left=2,
                remaining=plenty,
            )
        )

    left = await delegated(parts[0])
    assert (left.topics, left.complete, left.last) == (parts[1:], False, True)
    done = await delegated(*parts)
    assert (done.topics, done.complete) == ((), True)
