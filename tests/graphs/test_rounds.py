"""What the researchers of a round bring, put together: each thing once, and no topic forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import engine, passage_of

from quaere.domain.budget import Spend
from quaere.domain.evidence import Contradiction
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist, Item, ItemStatus, Query, Question
from quaere.domain.report import Degradation, QueryOutcome, RunWarning, Step
from quaere.domain.source import Passage
from quaere.domain.team import Topic
from quaere.domain.verdict import NextAction, Reflection, Stop, StopReason
from quaere.evidence.pool import add_passages
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.researchers import Finding
from quaere.graphs.rounds import (
    FINDING_CHARS,
    NOTE_CHARS,
    NOTED,
    checklist_of,
    first_look,
    note_of,
    put_together,
    topic_of,
    update_of,
)
from quaere.graphs.state import LoopState, SupervisorState, initial_state, supervisor_state

LONG = "Nothing else is told of it in any book that was kept. " * 40
MILL = passage_of("Mill", f"Tamsin Wray built the mill at Orrin. {LONG}")
WEIR = passage_of("Weir", "The weir at Sket was built in 1790 by the town.")
FERRY = passage_of("Ferry", "The ferry sank in 1888 in a storm.")
PASSAGES = (MILL, WEIR, FERRY)
NOTHING = Checklist()
STATUSES = st.sampled_from(ItemStatus)


def context() -> RunContext:
    made = engine()._run_context(0.0)
    made.store.add(PASSAGES)
    return made


def team(**fields: object) -> SupervisorState:
    state = supervisor_state(
        Question(text="Who built the mill at Orrin, and who the weir at Sket?"),
        requested=None,
        limits={},
        configuration=Configuration(),
    )
    state.update(fields)  # type: ignore[typeddict-item]
    return state


def items(*rows: tuple[ItemStatus, Sequence[Passage]]) -> Checklist:
    return Checklist(
        items=tuple(
            Item(
                id=f"i{n}",
                description=f"part {n}",
                status=status,
                evidence=tuple(passage.id for passage in bearing),
            )
            for n, (status, bearing) in enumerate(rows)
        )
    )


def reflection(*, done: bool, checklist: Checklist = NOTHING, **fields: object) -> Reflection:
    action = NextAction.FINALIZE if done else NextAction.SEARCH_MORE
    values = {"next_action": action, "confidence": 0.5, "checklist": checklist} | fields
    return Reflection.model_validate(values)


def finding(
    topic: str = "who built the mill",
    *,
    error: str = "",
    ledger: tuple[ModelCall, ...] = (),
    brought: Sequence[Passage] = (),
    **fields: object,
) -> Finding:
    state: LoopState = initial_state(Question(text=topic), requested=None, limits={})
    state["pool"] = tuple(add_passages((), brought, iteration=0))
    state.update(fields)  # type: ignore[typeddict-item]
    return Finding(topic, state, ledger, error)


def outcome(text: str, iteration: int = 7) -> QueryOutcome:
    return QueryOutcome(query=Query(text=text), iteration=iteration, hits=1, fresh=1)


@given(statuses=st.lists(STATUSES, max_size=4), satisfied=st.booleans(), broken=st.booleans())
def test_a_topic_is_answered_by_all_its_items_or_by_who_researched_it_unless_interrupted(
    statuses: list[ItemStatus], satisfied: bool, broken: bool
) -> None:
    made = finding(
        error="it failed" if broken else "",
        checklist=items(*((status, [MILL]) for status in statuses)),
        decision=Stop(reason=StopReason.SUFFICIENT if satisfied else StopReason.MAX_ITERATIONS),
        reflection=reflection(done=False, gaps=("by whom",)),
    )
    topic = topic_of(made, team(spend=Spend(iterations=2)), context())
    every = bool(statuses) and set(statuses) == {ItemStatus.SATISFIED}
    done = not broken and (satisfied or every)
    if done:
        assert topic.status is ItemStatus.SATISFIED
        assert topic.gaps == ()
    else:
        assert topic.status is (ItemStatus.PARTIAL if statuses else ItemStatus.UNSATISFIED)
        assert topic.gaps == ("by whom",)
    assert topic.evidence == ((MILL.id,) if statuses else ())
    assert (topic.round, topic.error) == (2, made.error)


def test_a_topic_whose_researcher_never_came_to_judge_has_no_gaps_of_its_own() -> None:
    topic = topic_of(finding(), team(), context())
    assert (topic.status, topic.gaps, topic.finding) == (ItemStatus.UNSATISFIED, (), "")


@pytest.mark.parametrize(
    ("done", "answer", "own"),
    [(True, "Tamsin Wray [1].", True), (False, "Tamsin Wray [1].", False), (True, "", False)],
)
def test_what_was_found_is_the_answer_of_who_is_sure_of_it_or_the_words_of_the_sources(
    done: bool, answer: str, own: bool
) -> None:
    made = finding(
        checklist=items((ItemStatus.SATISFIED, PASSAGES)),
        reflection=reflection(done=done, answer=answer),
    )
    said = topic_of(made, team(), context()).finding
    if own:
        assert said == "Tamsin Wray."
    else:
        assert said.startswith("Tamsin Wray built the mill at Orrin.")
        assert WEIR.text in said
        assert FERRY.text not in said, "a line or two"
        assert len(said) <= 2 * FINDING_CHARS + 1


def test_a_note_has_the_finding_and_the_best_sources_cut_to_what_is_asked() -> None:
    made = context()
    more = [passage_of(f"Mill {n}", f"Mill number {n} at Orrin.") for n in range(NOTED + 2)]
    made.store.add(more)
    topic = Topic(
        text="the mill at Orrin", finding="By Wray.", evidence=(MILL.id, *(p.id for p in more))
    )
    lines = note_of(topic, made).split("\n")
    assert len(lines) == 1 + NOTED
    assert lines[0] == "By Wray."
    assert lines[1].startswith("Tamsin Wray built the mill")
    assert len(lines[1]) <= NOTE_CHARS
    assert lines[2] == "Mill number 0 at Orrin."


def test_topics_are_the_items_of_what_a_complete_answer_has() -> None:
    topics = [Topic(text="mill", evidence=("p",), terms=("mill",)), Topic(text="weir")]
    made = checklist_of(topics).items
    assert [(item.id, item.description) for item in made] == [
        ("topic-1", "mill"),
        ("topic-2", "weir"),
    ]
    assert (made[0].evidence, made[0].terms) == (("p",), ("mill",))


def mill_and_weir(**fields: object) -> list[Finding]:
    """Return two findings, of which the second is open."""
    made = [
        finding(
            "who built the mill",
            brought=[MILL, FERRY],
            checklist=items((ItemStatus.SATISFIED, [MILL])),
            reflection=reflection(done=True),
            decision=Stop(reason=StopReason.SUFFICIENT),
            considered=("mill", "ferry"),
            opened=("mill",),
            tried=("mill", "gone"),
            outcomes=(outcome("mill Orrin"), outcome("mill builder")),
        ),
        finding(
            "who built the weir",
            brought=[WEIR, MILL],
            checklist=items((ItemStatus.PARTIAL, [WEIR])),
            considered=("weir", "mill"),
            opened=("weir", "mill"),
            tried=("weir", "mill"),
            outcomes=(outcome("weir Sket"), outcome("Mill Orrin")),
        ),
    ]
    made[1].state.update(fields)  # type: ignore[typeddict-item]
    return made


def test_what_several_brought_is_counted_once_and_has_one_id() -> None:
    before = team(
        considered=("ferry",), tried=("gone",), outcomes=(outcome("mill builder"),), opened=()
    )
    made = put_together(before, mill_and_weir(), context())
    assert sorted(entry.passage for entry in made.pool) == sorted(p.id for p in PASSAGES)
    assert len({entry.id for entry in made.pool}) == len(PASSAGES)
    assert made.considered == ("mill", "weir")
    assert made.opened == ("mill", "weir")
    assert made.tried == ("mill", "weir")
    assert (made.spend.iterations, made.spend.queries, made.spend.reads) == (1, 2, 2)


def test_a_round_is_answered_when_every_topic_is_and_else_tells_what_is_open() -> None:
    both = put_together(team(), mill_and_weir(), context())
    assert not both.answered
    assert both.reflection.gaps == ("Not answered: who built the weir",)
    assert both.reflection.confidence == 0.25, "who never judged is not sure of anything"
    assert both.reflection.reason == "1 of 2 topics are answered"
    told = put_together(
        team(), mill_and_weir(reflection=reflection(done=False, gaps=("a", "b"))), context()
    )
    assert told.reflection.gaps == ("a", "b")
    one = put_together(team(), mill_and_weir()[:1], context())
    assert one.answered
    assert one.reflection.gaps == ()


def test_the_only_topic_keeps_its_own_checklist_unless_it_was_interrupted() -> None:
    own = mill_and_weir()[0].state["checklist"]
    one = put_together(team(), mill_and_weir()[:1], context())
    assert one.reflection.checklist == own
    broken = finding(error="it failed", checklist=own, brought=[MILL])
    assert put_together(team(), [broken], context()).reflection.checklist.items[0].id == "topic-1"
    later = team(topics=(Topic(text="the ferry"),))
    made = put_together(later, mill_and_weir()[:1], context()).reflection.checklist
    assert [item.description for item in made.items] == ["the ferry", "who built the mill"]


def test_what_bears_on_a_topic_keeps_its_place_each_topic_in_turn() -> None:
    """The ferry has no word of the question, and the mill has most of them."""
    several = [
        finding("a", brought=PASSAGES, checklist=items((ItemStatus.SATISFIED, [FERRY]))),
        finding("b", brought=PASSAGES, checklist=items((ItemStatus.PARTIAL, [WEIR, MILL]))),
    ]
    for limit, kept in ((1, {FERRY.id}), (2, {FERRY.id, WEIR.id})):
        state = team()
        state["budget"] = state["budget"].override({"max_sources": limit})
        made = put_together(state, several, context())
        assert {entry.passage for entry in made.selection} == kept


def contradicting(*pairs: tuple[int, int]) -> Reflection:
    told = tuple(Contradiction(ids=pair, what=f"{pair}") for pair in pairs)
    return reflection(done=False, contradictions=told)


def test_contradictions_get_the_ids_of_the_run_and_are_told_once() -> None:
    shared = context()
    state = team(pool=tuple(add_passages((), [FERRY], iteration=0)))
    several = [
        finding("a", brought=[MILL, WEIR], reflection=contradicting((1, 2), (1, 9))),
        finding("b", brought=[WEIR, FERRY], reflection=contradicting((1, 2))),
        finding("c", brought=[MILL, WEIR], reflection=contradicting((1, 2))),
    ]
    made = put_together(state, several, shared)
    assert [entry.passage for entry in made.pool] == [FERRY.id, MILL.id, WEIR.id]
    told = made.reflection.contradictions
    assert [each.ids for each in told] == [(1, 3), (2, 3)]
    known = team(pool=made.pool, reflection=made.reflection)
    again = put_together(known, several[:1], shared).reflection.contradictions
    assert again == told, "what earlier rounds have told stays"


def call(tokens: int, cost: float | None) -> ModelCall:
    usage = Usage(prompt_tokens=tokens)
    return ModelCall(step="evaluate", model="test:m", usage=usage, cost_usd=cost)


def test_calls_of_a_step_that_did_not_end_are_paid_for_as_well() -> None:
    early, late = call(100, 0.5), call(20, None)
    several = [
        finding(
            "a",
            ledger=(early, late),
            calls=(early,),
            spend=Spend(tokens=100, model_calls=1, cost_usd=0.5),
        ),
        finding("b", ledger=(late, call(3, 0.25))),
    ]
    spend = put_together(team(), several, context()).spend
    assert (spend.tokens, spend.model_calls, spend.cost_usd) == (143, 4, 0.75)


def test_a_round_changes_the_state_by_what_is_new() -> None:
    warning = RunWarning(kind="read", message="gone", subject="u")
    degraded = Degradation(step="plan", reason="no answer")
    state = team(
        warnings=(warning,),
        considered=("a",),
        opened=("b", "c"),
        steps=(Step(iteration=0, seconds=1.5),),
        spend=Spend(iterations=3),
        topics=(Topic(text="the ferry", evidence=(FERRY.id,)),),
    )
    several = mill_and_weir(warnings=(warning,), degradations=(degraded, degraded))
    several.append(finding("who paid", error="it failed"))
    made = put_together(state, several, context())
    update = update_of(state, several, made, elapsed=4.0)
    (step,) = cast("tuple[Step, ...]", update["steps"])
    assert (step.iteration, step.seconds) == (3, 2.5)
    assert (step.considered, step.read) == (1 + 3, 2 + 2)
    assert step.findings == 2, "the ferry bore on a topic before"
    assert step.evidence == tuple(entry.id for entry in made.selection)
    assert step.queries == ("mill Orrin", "mill builder", "weir Sket", "Mill Orrin")
    assert {each.iteration for each in cast("tuple[QueryOutcome, ...]", update["outcomes"])} == {3}
    (broken,) = cast("tuple[RunWarning, ...]", update["warnings"])
    assert (broken.subject, broken.message) == (
        "who paid",
        "the research was interrupted: it failed",
    )
    assert update["degradations"] == (degraded,)


def test_the_first_look_is_a_step_of_its_own() -> None:
    pool = tuple(add_passages((), [MILL, WEIR], iteration=0))
    state = team(selection=pool, considered=("a", "b"), opened=("a",), outcomes=(outcome("raw"),))
    step = first_look(state, elapsed=1.5)
    assert step == Step(
        iteration=0, queries=("raw",), considered=2, read=1, evidence=(1, 2), seconds=1.5
    )
