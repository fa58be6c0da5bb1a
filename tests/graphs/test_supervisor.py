"""Researchers side by side that do not repeat each other and stop when nothing new comes (R1)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, get_type_hints

import pytest
from tests.graphs.minds import Mind, leading, led_by, prompts, thinking
from tests.graphs.misbehaving import (
    Fault,
    OddProvider,
    deafness,
    hang,
    refuse_reason,
    refuse_search,
    stumble,
)
from tests.graphs.team import (
    FLAX,
    MARKET,
    ORGAN,
    PEAK,
    TOPICS,
    TWO,
    Led,
    answers,
    states,
    team,
)
from tests.graphs.world import HOP, NOTHING, PLAIN, Shelf, told

from quaere.domain.budget import OperatorLimits, ProfileName, Remaining, resolve_limits
from quaere.domain.events import PhaseStarted, PlanMade, SearchFinished
from quaere.domain.question import Query, Question
from quaere.domain.report import AnswerStatus
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit
from quaere.domain.team import Delegation, Strategy
from quaere.domain.verdict import StopReason
from quaere.graphs.configuration import Configuration
from quaere.graphs.flow import Command
from quaere.graphs.langgraph_driver import langgraph_of
from quaere.graphs.nodes.supervisor import supervisor_tools
from quaere.graphs.state import supervisor_state
from quaere.graphs.supervisor import RESEARCH
from quaere.plan.decide import Progress, ending
from quaere.plan.delegation import screen, topic_similarity
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.testing import ScriptedModel
from quaere.text.languages.language import ENGLISH_FRAME

pytestmark = pytest.mark.anyio

AGAIN = "In which place was the founder of the Quill Observatory born?"
"""``HOP`` in nearly the same words."""
IN_OTHER_WORDS = ("Odile Varga birthplace", "Quill Observatory and who set it up, and her origin")
DONE = Delegation(thought="Enough is known.", complete=True)
PLENTY = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)


class Shy(Shelf):
    """A shelf that heeds no question, only key words."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return nothing for a question."""
        hits = await super().search(query, limit=limit)
        return () if query.text.endswith("?") else hits


# The acceptance criteria of the requirement, in its order.


async def test_fr_01_a_topic_is_written_down_before_its_researcher_runs() -> None:
    led = Led([HOP, PLAIN], [FLAX], DONE)
    seen = await states(team(led))
    dispatched = [(s["dispatched_topics"], s["spend"].iterations) for s in seen]
    assert ((HOP, PLAIN), 0) in dispatched, "there, and no round of research is over"
    assert ((HOP, PLAIN, FLAX), 1) in dispatched
    assert dispatched[-1] == ((HOP, PLAIN, FLAX), 2)


async def test_fr_01_a_researcher_finds_its_topic_in_a_checkpoint_of_its_supervisor() -> None:
    last = next(s for s in await states(team(Led([HOP], DONE))) if s["dispatched_topics"])
    assert last["dispatched_topics"] == (HOP,)
    assert [o.query.text for o in last["outcomes"]] == [TWO], "the first look, and no research"
    assert not answers(last)


async def test_fr_02_a_topic_that_repeats_another_is_answered_and_not_researched() -> None:
    assert topic_similarity(AGAIN, HOP) >= 0.75
    led = Led([HOP], [AGAIN, PLAIN], DONE)
    seen = await states(team(led))
    refusal = next(m for m in answers(seen[-1]) if m.tool_call_id == "call-2-1")
    assert refusal.status == "error"
    assert "duplicate" in str(refusal.content)
    assert HOP in str(refusal.content)
    assert led.looked_at == [HOP, PLAIN]


async def test_fr_02_a_topic_that_repeats_one_of_the_same_batch_is_refused() -> None:
    led = Led([HOP, AGAIN, PLAIN], DONE)
    last = (await states(team(led)))[-1]
    assert led.looked_at == [HOP, PLAIN]
    assert last["skipped_topics"] == (AGAIN,)


async def test_fr_02_repeats_are_refused_before_the_cap_is_applied() -> None:
    led = Led([HOP, AGAIN, HOP.upper(), PLAIN, FLAX], DONE)
    last = (await states(team(led, max_concurrent_research_units=2)))[-1]
    assert led.looked_at == [HOP, PLAIN], "repeats take no place"
    assert last["skipped_topics"] == (AGAIN, HOP.upper())
    put_off = next(m for m in answers(last) if m.tool_call_id == "call-1-5")
    assert "no more than 2 topics" in str(put_off.content)


async def test_fr_03_the_prompt_names_the_dispatched_topics_and_says_to_skip_them() -> None:
    model = ScriptedModel(leading([HOP], [PLAIN], None))
    await told(led_by(model), TWO)
    prompt = prompts(model, "supervise")[0]
    assert f"- {HOP} (" in prompt
    assert "Review all of these topics before you give out new ones." in prompt
    assert "Skip ground that is covered" in prompt


async def test_fr_04_a_researcher_is_told_of_its_tight_budget_and_nobody_else() -> None:
    model = ScriptedModel(leading([HOP, PLAIN], None))
    await told(led_by(model), TWO)
    researchers = prompts(model, "plan") + prompts(model, "evaluate")
    assert researchers
    for prompt in researchers:
        assert "one or two searches for a simple topic, at most three for a complex one" in prompt
        assert "Stop at once" in prompt
    alone = ScriptedModel(Mind())
    await told(thinking(alone))
    assert "tight budget" not in alone.requests[0].messages[1].content


async def test_fr_04_a_simple_question_takes_two_searches_in_the_majority_of_cases() -> None:
    simple = (MARKET, FLAX, PEAK, ORGAN, "Where was Odile Varga born?", "Where is Dunmere?")
    runs = [await told(team(Led([topic], DONE)), topic) for topic in simple]
    assert all(run.report.citations for run in runs)
    assert sum(run.report.spend.queries <= 2 for run in runs) > len(simple) / 2


async def test_fr_05_a_supervisor_is_asked_three_times_at_the_most_by_default() -> None:
    assert Configuration.from_runnable_config({}).max_researcher_iterations == 3
    led = Led(*([topic] for topic in TOPICS))
    run = await told(team(led), TWO)
    assert len(led.overviews) == 3
    assert run.report.stop_reason is StopReason.MAX_ITERATIONS
    assert run.report.dispatched_topics == TOPICS[:3]


async def test_fr_06_a_researcher_makes_five_searches_at_the_most_by_default() -> None:
    assert Configuration.from_runnable_config({}).max_react_tool_calls == 5
    shelf = Shelf()
    run = await told(team(Led([NOTHING, PLAIN], DONE), shelf), TWO, profile=ProfileName.DEEP)
    per_topic = [len([e for e in run.of(SearchFinished) if e.topic == t]) for t in (NOTHING, PLAIN)]
    assert 1 < max(per_topic) <= 5


async def test_the_search_of_the_supervisor_is_none_of_the_five_of_a_researcher() -> None:
    """Who researches the question itself begins with it, and it is asked once."""
    shelf = Shelf()
    await told(team(Led([TWO], DONE), shelf, max_react_tool_calls=2), TWO, profile=ProfileName.DEEP)
    asked = [query.text for query in shelf.asked]
    assert asked.count(TWO) == 1
    assert len(asked) == 1 + 2


async def test_fr_07_a_round_that_brings_nothing_new_is_the_last() -> None:
    led = Led([HOP], IN_OTHER_WORDS, [FLAX])
    run = await told(team(led), HOP)
    assert len(led.overviews) == 2, "the supervisor is not asked again"
    assert run.report.dispatched_topics == (HOP, *IN_OTHER_WORDS)
    assert run.report.stop_reason is StopReason.NO_NEW_INFORMATION
    assert run.report.truncated


async def test_fr_08_without_early_termination_the_supervisor_goes_on() -> None:
    led = Led([HOP], IN_OTHER_WORDS, [FLAX])
    run = await told(team(led, enable_early_termination=False), HOP)
    assert len(led.overviews) == 3
    assert run.report.dispatched_topics == (HOP, *IN_OTHER_WORDS, FLAX)


def test_fr_09_a_novelty_of_0_10_is_below_the_default_threshold() -> None:
    threshold = Configuration().min_novelty_threshold
    assert threshold == 0.15
    progress = Progress(
        answered=False, novelty=0.10, rounds_left=2, remaining=PLENTY, finishing=False
    )
    over = ending(progress, early=True, min_novelty=threshold)
    assert over
    assert over.reason is StopReason.NO_NEW_INFORMATION
    assert ending(progress, early=False, min_novelty=threshold) is None
    fresh = progress.model_copy(update={"novelty": 0.15})
    assert ending(fresh, early=True, min_novelty=threshold) is None


def test_fr_10_topics_that_share_four_fifths_of_their_words_are_one() -> None:
    threshold = Configuration().duplicate_topic_similarity_threshold
    assert threshold == 0.75
    first, second = "solar panel recycling costs", "solar panel recycling costs Europe"
    assert topic_similarity(first, second) == 0.8
    screening = screen([second], [first], threshold=threshold, at_once=5)
    assert not screening.admitted
    assert screening.refused[0].repeats == first


async def test_fr_11_refused_topics_are_in_the_state_and_in_the_report() -> None:
    led = Led([HOP], [AGAIN], DONE)
    assert (await states(team(led)))[-1]["skipped_topics"] == (AGAIN,)
    run = await told(team(Led([HOP], [AGAIN], DONE)), HOP)
    assert run.report.skipped_topics == (AGAIN,)
    assert run.report.dispatched_topics == (HOP,)


async def test_fr_12_the_last_message_of_the_trace_says_why_the_research_was_ended() -> None:
    last = (await states(team(Led([HOP], IN_OTHER_WORDS)), HOP))[-1]
    message = str(answers(last)[-1].content)
    assert "ended early" in message
    assert "novelty score is 0.0" in message
    assert "threshold of 0.15" in message


# What else the supervisor is held to.


def test_supervisor_tools_leads_to_the_supervisor_or_to_the_end_r1_6() -> None:
    ways = Literal["supervisor", "__end__"]
    assert get_type_hints(supervisor_tools)["return"] == Command[ways]
    node = langgraph_of(RESEARCH).builder.nodes["supervisor_tools"]
    assert node.ends == ("supervisor", "__end__"), "which LangGraph reads from its own Command"


async def test_refusals_and_early_ends_are_logged_nfr_05(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="quaere.graphs.nodes")
    await told(team(Led([HOP], [AGAIN], IN_OTHER_WORDS)), HOP)
    told_of = [r.getMessage() for r in caplog.records if r.levelno == logging.INFO]
    assert any("duplicate topic refused" in line and AGAIN in line for line in told_of)
    assert any("early termination" in line and "novelty" in line for line in told_of)


async def test_old_behaviour_is_restored_by_three_settings_nfr_06() -> None:
    led = Led([HOP], [FLAX], [FLAX + " really"], IN_OTHER_WORDS, [NOTHING])
    old = team(
        led,
        enable_early_termination=False,
        max_researcher_iterations=6,
        max_react_tool_calls=10,
    )
    run = await told(old, TWO, profile=ProfileName.DEEP)
    assert len(led.overviews) == 6
    assert run.report.stop_reason is StopReason.MAX_ITERATIONS
    assert run.report.dispatched_topics == (HOP, FLAX, *IN_OTHER_WORDS, NOTHING)


async def test_lower_limits_cost_at_most_a_tenth_of_the_sources_of_the_answer_nfr_03() -> None:
    def asked() -> Led:
        return Led([HOP, FLAX], [PLAIN, ORGAN], [MARKET], DONE)

    lower = team(asked())
    old = team(
        asked(),
        enable_early_termination=False,
        max_researcher_iterations=6,
        max_react_tool_calls=10,
    )
    (now, queries), (before, more) = [
        ({each.url for each in report.citations}, report.spend.queries)
        for report in [(await told(e, TWO, profile=ProfileName.DEEP)).report for e in (lower, old)]
    ]
    assert len(now & before) >= 0.9 * len(before) > 0
    assert queries <= more


@pytest.mark.parametrize(
    ("rounds", "calls", "said", "queries"),
    [(3, 5, None, 10), (6, 10, None, 60), (2, 2, None, 10), (6, 10, 25, 25), (3, 5, 25, 25)],
)
def test_six_and_ten_bring_the_searches_that_they_need_r1_4(
    rounds: int, calls: int, said: int | None, queries: int
) -> None:
    configuration = Configuration(
        max_researcher_iterations=rounds, max_react_tool_calls=calls, max_queries=said
    )
    state = supervisor_state(
        Question(text=TWO), requested=None, limits={}, configuration=configuration
    )
    assert state["budget"].max_queries == queries
    asked = supervisor_state(
        Question(text=TWO), requested=None, limits={"max_queries": 4}, configuration=configuration
    )
    assert asked["budget"].max_queries == 4, "a limit that somebody sets stands above"


def test_a_loop_that_is_switched_off_has_one_round_r3_1() -> None:
    off = resolve_limits(
        ProfileName.DEEP,
        request={"max_iters": 8},
        operator=OperatorLimits(single_pass=frozenset({ProfileName.DEEP})),
    )
    state = supervisor_state(
        Question(text=TWO),
        requested=ProfileName.DEEP,
        limits=off,
        configuration=Configuration(max_researcher_iterations=6),
    )
    assert state["budget"].max_iters == 1


async def test_a_supervisor_that_says_the_same_in_other_words_is_stopped() -> None:
    led = Led([HOP], *([words] for words in (*IN_OTHER_WORDS, *TOPICS)))
    run = await told(team(led, max_researcher_iterations=9), HOP)
    assert len(led.overviews) == 2
    assert run.report.citations


async def test_a_supervisor_that_repeats_itself_for_ever_is_stopped() -> None:
    led = Led([HOP])
    run = await told(team(led), HOP)
    assert len(led.overviews) == 3
    assert led.looked_at == [HOP]
    assert run.report.skipped_topics == (HOP, HOP)
    assert run.report.citations


async def test_ten_topics_at_once_are_cut_down_and_the_rest_may_come_later() -> None:
    ten = (*TOPICS, "Where is Dunmere?", "When was the Larkspur Society founded?", AGAIN, HOP)
    led = Led(ten, ten, DONE)
    run = await told(team(led), TWO)
    assert led.looked_at[:5] == list(TOPICS[:5])
    assert set(led.looked_at[5:]) == {PEAK, *ten[6:8]}
    assert run.report.dispatched_topics == (*TOPICS, *ten[6:8])


@pytest.mark.parametrize("named", [["", "  \n"], [], DONE])
async def test_where_no_topic_is_named_the_question_is_researched_as_a_whole(
    named: Delegation | Sequence[str],
) -> None:
    """As in the loop; it was reported as answered, with all of it covered and no confidence."""
    run = await told(team(Led(named)), HOP)
    report = run.report
    assert report.dispatched_topics == (HOP,)
    assert "She was born in Tressel Ford" in report.answer
    assert [d.step for d in report.degradations] == ["supervise"]
    assert report.stop_reason is StopReason.SUFFICIENT
    assert report.confidence > 0


async def test_research_that_was_cut_short_is_said_to_be_so_r1_8() -> None:
    short = await told(team(Led([HOP], IN_OTHER_WORDS)), HOP)
    assert short.report.truncated
    assert short.report.answer.endswith(ENGLISH_FRAME.cut_short)
    whole = await told(team(Led([HOP], DONE)), HOP)
    assert not whole.report.truncated
    assert ENGLISH_FRAME.cut_short not in whole.report.answer
    assert whole.report.stop_reason is StopReason.SUFFICIENT


async def test_a_round_in_which_all_break_off_does_not_count_as_nothing_new() -> None:
    led = Led([HOP], [FLAX], [PLAIN], faults={FLAX: refuse_reason})
    run = await told(team(led), f"{HOP} {FLAX}")
    assert run.report.dispatched_topics == (HOP, FLAX, PLAIN)


@pytest.mark.parametrize("fault", [refuse_reason, stumble], ids=["fails", "has-a-bug"])
async def test_a_researcher_that_dies_leaves_the_others_their_report(fault: Fault) -> None:
    led = Led([HOP, FLAX], DONE, faults={FLAX: fault})
    run = await told(team(led), f"{HOP} {FLAX}")
    warning = next(w for w in run.report.warnings if w.kind == "research")
    assert warning.subject == FLAX
    assert "was interrupted" in warning.message
    assert "Tressel Ford in 1861" in run.report.answer
    assert run.report.stop_reason is not StopReason.SUFFICIENT, "it never poses as completion"
    assert f"Not answered: {FLAX}" in run.report.gaps
    trace = (await states(team(Led([HOP, FLAX], DONE, faults={FLAX: fault}))))[-1]
    answer = next(m for m in answers(trace) if m.tool_call_id == "call-1-2")
    assert answer.status == "error"


async def test_a_researcher_that_hangs_is_not_waited_for() -> None:
    led = Led([HOP, FLAX], DONE, faults={FLAX: hang})
    run = await told(team(led), f"{HOP} {FLAX}", max_execution_time_s=2.0)
    assert run.seconds < 4
    assert [w.subject for w in run.report.warnings if w.kind == "research"] == [FLAX]
    assert "Tressel Ford in 1861" in run.report.answer


async def test_a_researcher_that_will_not_be_cancelled_is_left_behind() -> None:
    async with deafness() as deaf:
        led = Led([HOP, FLAX], DONE, faults={FLAX: deaf})
        run = await told(team(led), f"{HOP} {FLAX}", max_execution_time_s=2.0)
    assert run.seconds < 5
    assert "Tressel Ford in 1861" in run.report.answer


async def test_a_search_that_fails_for_all_is_told_and_limits_the_answer() -> None:
    run = await told(team(Led([HOP, PLAIN], DONE), OddProvider(refuse_search)), TWO)
    assert run.report.status is AnswerStatus.NO_EVIDENCE
    assert run.report.stop_reason is StopReason.DEGRADED
    assert [d.step for d in run.report.degradations] == ["search"]


async def test_the_raw_question_is_searched_first_and_not_again_for_the_only_topic() -> None:
    shelf = Shelf()
    run = await told(team(Led([HOP], DONE), shelf), HOP)
    assert [query.text for query in shelf.asked].count(HOP) == 1
    assert run.of(SearchFinished)[0].query == HOP
    assert run.report.spend.queries == len(shelf.asked)


async def test_what_two_researchers_ask_is_paid_once_r1_9() -> None:
    shelf = Shy()
    model = ScriptedModel(
        leading([HOP, "Which family did the astronomer of Hask come from?"], None)
    )
    run = await told(replace(led_by(model), providers=(shelf,)), TWO)
    searches = [event.query for event in run.of(SearchFinished)]
    twice = "founder of the Quill Observatory"
    assert searches.count(twice) == 2, "both want to know"
    assert [query.text for query in shelf.asked].count(twice) == 1
    assert run.report.spend.queries == len(shelf.asked) < len(searches)


async def test_ids_are_given_once_and_no_passage_is_there_twice() -> None:
    seen = await states(team(Led([HOP], [PLAIN, "What lies in the Maren valley?"], DONE)))
    pools = [{e.id: e.passage for e in s["pool"]} for s in seen if s["pool"]]
    for earlier, later in pairwise(pools):
        assert earlier.items() <= later.items()
    last = seen[-1]["pool"]
    assert len({e.passage for e in last}) == len(last)
    assert [e.id for e in last] == list(range(1, len(last) + 1))


async def test_events_name_their_topic_and_those_of_the_whole_name_none() -> None:
    run = await told(team(Led([HOP, PLAIN], DONE)), TWO)
    whole, *parts = run.of(PlanMade)
    assert whole.topic == ""
    assert [item.description for item in whole.checklist.items] == [HOP, PLAIN]
    assert {e.topic for e in parts} == {HOP, PLAIN}
    assert {e.topic for e in run.of(SearchFinished)} == {"", HOP, PLAIN}
    last = run.of(PhaseStarted)[-1]
    assert (last.phase, last.topic) == ("finalizing", "")
    assert last.remaining.queries == run.report.budget.max_queries - run.report.spend.queries


async def test_a_round_says_how_many_topics_it_researches() -> None:
    run = await told(team(Led([HOP, PLAIN], [FLAX], DONE)), TWO)
    said = [e.message for e in run.of(PhaseStarted) if e.message.startswith("researching")]
    assert said == ["researching 2 topics", "researching 1 topic"]


async def test_a_round_is_a_loop_and_no_limit_is_passed() -> None:
    run = await told(
        team(Led([HOP, PLAIN], [FLAX, MARKET], [ORGAN]), max_react_tool_calls=10),
        TWO,
        max_queries=6,
        max_sources=5,
    )
    report = run.report
    assert report.iterations == len(report.steps)
    assert report.spend.queries <= 6
    assert len(report.evidence) <= 5
    assert report.stop_reason is StopReason.BUDGET_EXHAUSTED


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_no_more_researchers_go_out_than_searches_are_left(most: int) -> None:
    run = await told(team(Led(TOPICS, TOPICS, DONE)), TWO, max_queries=most)
    assert run.report.spend.queries == most
    assert run.report.dispatched_topics == TOPICS[: most - 1]
    assert run.report.stop_reason is StopReason.BUDGET_EXHAUSTED
    assert run.report.truncated
    assert run.report.citations


async def test_without_a_model_the_question_falls_into_its_parts() -> None:
    run = await told(team(ExtractiveReasoner()), TWO)
    assert run.report.dispatched_topics == (HOP, PLAIN)
    assert "Tressel Ford in 1861" in run.report.answer
    assert "five arches" in run.report.answer
    assert run.report.spend.model_calls == 0


async def test_without_a_model_a_simple_question_is_one_topic() -> None:
    run = await told(team(ExtractiveReasoner()), HOP)
    assert run.report.dispatched_topics == (HOP,)
    assert [item.id for item in run.report.checklist.items][:1] == ["answer"]


@pytest.mark.parametrize(
    ("question", "profile", "teams"),
    [
        (TWO, ProfileName.DEEP, True),
        (TWO, ProfileName.STANDARD, False),
        (TWO, None, False),
        (HOP, ProfileName.DEEP, False),
    ],
)
async def test_left_to_the_engine_a_simple_question_starts_no_team(
    question: str, profile: ProfileName | None, *, teams: bool
) -> None:
    engine = team(ExtractiveReasoner())
    report = await engine.run(RunSpec.of(question, profile=profile, strategy=Strategy.AUTO))
    assert bool(report.dispatched_topics) is teams


@pytest.mark.parametrize("topics", [DONE, [" "]], ids=["complete", "nothing-asked-for"])
async def test_without_a_round_the_report_tells_of_the_first_look(
    topics: Delegation | Sequence[str],
) -> None:
    run = await told(team(Led(topics)), HOP)
    (step,) = run.report.steps
    assert step.considered == run.events[-2].sources_considered > 0
    assert step.read == len(run.report.evidence) == len(step.evidence) > 0
    assert step.queries == (HOP,)
