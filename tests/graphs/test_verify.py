"""The step that checks what was written: who is asked, with how much, and what comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import cast

import pytest
from tests.graphs.world import engine
from tests.verify.samples import BRIDGE, FERRY, TOWN, entry, passage, sentence

from quaere.domain.budget import Limits
from quaere.domain.events import Event, Phase, PhaseStarted, SentenceWritten, Verified
from quaere.domain.question import Checklist, Item, ItemStatus, Plan, Question
from quaere.domain.report import BEYOND_LIMIT, AnswerStatus, Ruling, Sentence, Support
from quaere.domain.verdict import Stop, StopReason
from quaere.errors import ReasonError
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Runtime, run_flow
from quaere.graphs.nodes.verify import ENTAILMENT_SHARE, verify
from quaere.graphs.state import LoopState, initial_state
from quaere.graphs.telling import Telling
from quaere.models.meter import Meter
from quaere.ports.model import Entailed, Ledger, ToldPairs
from quaere.ports.reason import Assignment, Inspection, Reasoner
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.resilience.timing import SystemClock
from quaere.testing import ScriptedEmbedder
from quaere.verify.whole_answer import LOST

pytestmark = pytest.mark.anyio

HERE = passage(BRIDGE, title="Bridge", url="file:///valley/bridge.md")
THERE = passage(FERRY, title="Ferry", url="file:///valley/ferry.md")
ELSEWHERE = passage(TOWN, title="Velling", url="file:///valley/velling.md")
EVIDENCE = (entry(1, HERE), entry(2, THERE), entry(3, ELSEWHERE))
ASKED = "When was the Orrin Bridge opened?"
QUOTED = sentence("The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin.", 1)
OTHER = sentence("The ferry sank in the storm of 1888, and nobody drowned.", 2)
OPEN = sentence("Maude Tellin, an engineer, had the crossing opened in 1891.", 1)
DOUBTFUL = sentence("The market of Velling goes back to Duke Arno.", 3)
FOREIGN = sentence("Wandering monks salted herring inside damp cellars every autumn.", 1)


class Checking(ExtractiveReasoner):
    """Rules on every sentence alike, or fails; remembers what it was asked."""

    tells_early = True

    def __init__(self, ruling: Ruling | None, error: str = "") -> None:
        super().__init__()
        self._ruling, self._error = ruling, error
        self.asked: list[Inspection] = []

    async def check(self, inspection: Inspection) -> Sequence[Ruling | None]:
        self.asked.append(inspection)
        if self._error:
            raise ReasonError(self._error)
        return [self._ruling for _ in inspection.sentences]


class Writing(ExtractiveReasoner):
    """Writes the sentences that it was given; remembers what for."""

    def __init__(self, *said: Sentence, error: str = "") -> None:
        super().__init__()
        self._said, self._error = said, error
        self.asked: list[Assignment] = []

    async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
        self.asked.append(assignment)
        if self._error:
            raise ReasonError(self._error)
        for each in self._said:
            yield each


class Entailing:
    """An entailment model that answers alike; remembers what it may take."""

    name = "test:entailing"

    def __init__(self, answer: Entailed | None, fault: str = "") -> None:
        self._answer, self._fault = answer, fault
        self.within: list[float] = []
        self.tokens: list[int] = []

    async def warm(self) -> None:
        return

    async def entail(
        self, pairs: Sequence[tuple[str, str]], ledger: Ledger, *, within_s: float
    ) -> ToldPairs:
        self.within.append(within_s)
        assert isinstance(ledger, Meter)
        self.tokens.append(ledger.tokens_left())
        return ToldPairs(each=tuple(self._answer for _ in pairs), fault=self._fault)


def state(*drafts: Sentence, **fields: object) -> LoopState:
    made = initial_state(Question(text=ASKED), requested=None, limits={})
    plan = Plan(refined_question=ASKED, checklist=Checklist(), queries=())
    known = {"selection": EVIDENCE, "research_plan": plan, "drafts": drafts}
    made.update({**known, **fields})  # type: ignore[typeddict-item]
    return made


def context_of(reasoner: Reasoner | None = None, fallback: Reasoner | None = None) -> RunContext:
    made = engine(reasoner=reasoner, fallback=fallback)
    context = made._run_context(SystemClock().monotonic())
    context.store.add([HERE, THERE, ELSEWHERE])
    return context


async def checked(of: LoopState, context: RunContext) -> tuple[LoopState, list[Event]]:
    events: list[Event] = []
    update = await verify(of, Runtime(context, events.append, run_flow))
    return cast("LoopState", update), events


def texts(events: Sequence[Event]) -> list[str]:
    return [each.sentence.text for each in events if isinstance(each, SentenceWritten)]


# What comes of it


async def test_what_holds_is_told_in_order_between_two_phases() -> None:
    made, events = await checked(state(QUOTED, OTHER), context_of())
    phases = [each.phase for each in events if isinstance(each, PhaseStarted)]
    assert phases == [Phase.VERIFYING, Phase.FINALIZING]
    assert texts(events)[:2] == [QUOTED.text, OTHER.text]
    (verified,) = [each for each in events if isinstance(each, Verified)]
    assert verified.checks == made["checks"]
    assert (made["checks"].written, made["checks"].dropped) == (2, 0)
    assert [each.url for each in made["citations"]] == [HERE.url, THERE.url]
    assert made["nearest"] == ()
    assert made["status"] is not AnswerStatus.NO_EVIDENCE
    assert (made["calls"], made["degradations"]) == ((), ())


async def test_where_nothing_answers_the_places_that_come_nearest_are_named() -> None:
    made, _ = await checked(state(FOREIGN), context_of())
    assert made["status"] is AnswerStatus.NO_EVIDENCE
    assert made["nearest"]
    assert [each.text for each in made["dropped"]] == [FOREIGN.text]
    assert made["checks"].dropped == 1


async def test_what_was_told_while_it_was_written_stands_and_is_not_told_again() -> None:
    context = context_of(Checking(None))
    of = state(QUOTED, OTHER)
    ear = Telling(of, Runtime(context, lambda _: None, run_flow))
    await ear.hear(QUOTED)
    assert len(context.told.written) == 1
    made, events = await checked(of, context)
    assert texts(events)[:1] == [OTHER.text]
    assert made["checks"].written == 2
    assert QUOTED.text.rstrip(".") in made["answer"]


# Who is asked


async def test_all_that_is_not_quoted_is_judged_in_one_call() -> None:
    checker = Checking(Ruling(support=Support.SUPPORTED, evidence=1))
    made, _ = await checked(state(QUOTED, OPEN), context_of(checker))
    (inspection,) = checker.asked
    assert [each.text for each in inspection.sentences] == [OPEN.text]
    assert inspection.answer == (QUOTED.text, OPEN.text)
    assert [each.support for each in made["sentences"]][:2] == [Support.QUOTED, Support.SUPPORTED]


async def test_a_part_whose_only_sentence_was_refuted_is_told_to_be_open() -> None:
    asked = Item(id="a", description="the year of the fire", status=ItemStatus.SATISFIED)
    wrong = OPEN.model_copy(update={"item": "a"})
    of = state(
        QUOTED,
        wrong,
        checklist=Checklist(items=(asked,)),
        decision=Stop(reason=StopReason.SUFFICIENT),
    )
    made, _ = await checked(of, context_of(Checking(Ruling(support=Support.CONTRADICTED))))
    assert [each.text for each in made["dropped"]] == [OPEN.text]
    assert made["status"] is AnswerStatus.INSUFFICIENT
    assert made["answer"].endswith("the year of the fire.")


async def test_nobody_is_asked_about_quotes() -> None:
    checker = Checking(Ruling(support=Support.CONTRADICTED))
    made, _ = await checked(state(QUOTED, OTHER), context_of(checker))
    assert checker.asked == []
    assert made["checks"].dropped == 0


async def test_a_check_that_fails_leaves_what_words_came_to_and_says_so() -> None:
    failing = Checking(None, "it is down")
    made, _ = await checked(state(OPEN), context_of(failing))
    by_words, _ = await checked(state(OPEN), context_of())
    assert [each.support for each in made["sentences"]] == [
        each.support for each in by_words["sentences"]
    ]
    (degradation,) = made["degradations"]
    assert degradation.step == "check"
    assert "it is down" in degradation.reason


@pytest.mark.parametrize(("checks", "share"), [(True, ENTAILMENT_SHARE), (False, 1.0)])
async def test_an_entailment_model_leaves_something_to_the_model_that_checks_after_it(
    checks: bool, share: float
) -> None:
    judge = Entailing(None)
    context = replace(context_of(Checking(None) if checks else None), entailment=judge)
    of = state(OPEN)
    limits: Limits = {"token_budget": 10_000, "max_execution_time_s": 100.0}
    of["budget"] = of["budget"].override(limits)
    await checked(of, context)
    assert judge.tokens == [int(share * 10_000)]
    (within,) = judge.within
    assert ENTAILMENT_SHARE * 90 < within <= ENTAILMENT_SHARE * 100


async def test_an_entailment_model_is_not_asked_where_nothing_is_open() -> None:
    judge = Entailing(None)
    await checked(state(QUOTED), replace(context_of(), entailment=judge))
    assert judge.within == []


@pytest.mark.parametrize("fault", ["", "it hung"])
async def test_what_an_entailment_model_could_not_tell_is_said_where_it_says_why(
    fault: str,
) -> None:
    answer = None if fault else Entailed(entailed=0.95, contradicted=0.02)
    context = replace(context_of(), entailment=Entailing(answer, fault))
    made, _ = await checked(state(OPEN), context)
    told = [(each.step, each.reason) for each in made["degradations"]]
    assert told == ([("entail", "test:entailing judged nothing: it hung")] if fault else [])


MEASURED = "local:sentence-transformers/all-MiniLM-L6-v2"


def likelihood(made: LoopState) -> float | None:
    return made["sentences"][0].probability


@pytest.mark.parametrize(("name", "heard"), [(MEASURED, True), ("test:unmeasured", False)])
async def test_an_embedder_that_was_measured_is_heard_on_what_words_leave_in_doubt(
    name: str, heard: bool
) -> None:
    near = ScriptedEmbedder(lambda _a, _b: 0.95, name=name)
    by_words, _ = await checked(state(DOUBTFUL), context_of())
    by_meaning, _ = await checked(state(DOUBTFUL), replace(context_of(), embedder=near))
    assert bool(near.asked) is heard
    assert (likelihood(by_meaning) != likelihood(by_words)) is heard
    assert by_meaning["degradations"] == ()


async def test_an_embedder_that_fails_leaves_what_words_came_to_and_that_is_said() -> None:
    def down(_a: str, _b: str) -> float:
        raise ReasonError("it is down")

    by_words, _ = await checked(state(DOUBTFUL), context_of())
    failing = ScriptedEmbedder(down, name=MEASURED)
    made, _ = await checked(state(DOUBTFUL), replace(context_of(), embedder=failing))
    assert likelihood(made) == likelihood(by_words)
    assert len(made["degradations"]) == 1


async def test_a_conclusion_with_which_an_answer_begins_stays_with_its_grounds() -> None:
    made, _ = await checked(state(sentence("No."), QUOTED), context_of())
    assert made["answer"].startswith("No (not judged).")
    made, _ = await checked(state(QUOTED, sentence("No.")), context_of())
    assert "not judged" not in made["answer"]


async def test_what_cites_nothing_rests_on_what_follows_only_where_an_answer_begins() -> None:
    resting = sentence("The Orrin Bridge was opened in 1891, and the ferry sank in 1888.")
    made, _ = await checked(state(resting, QUOTED, OTHER), context_of())
    assert [each.evidence for each in made["sentences"]] == [(1, 2), (1,), (2,)]
    context, of = context_of(Checking(None)), state(QUOTED, resting, OTHER)
    await Telling(of, Runtime(context, lambda _: None, run_flow)).hear(QUOTED)
    made, _ = await checked(of, context)
    assert [each.text for each in made["dropped"]] == [resting.text]


async def test_what_cites_more_than_it_may_is_listed_apart_and_what_leans_on_it_says_so() -> None:
    leaning = sentence("It spans 312 metres and cost 2.4 million crowns.", 1)
    ferry = sentence("Before the Orrin Bridge, a ferry carried people across.", 2)
    of = state(QUOTED, ferry, leaning)
    of["budget"] = of["budget"].override({"max_citations": 1})
    made, _ = await checked(of, context_of(Checking(Ruling(support=Support.SUPPORTED))))
    assert [each.text for each in made["sentences"]] == [QUOTED.text, leaning.text]
    assert made["sentences"][1].reason == LOST
    assert [(each.text, each.reason) for each in made["dropped"]] == [(ferry.text, BEYOND_LIMIT)]
    assert made["checks"].dropped == 1


# Where nothing holds


async def test_where_nothing_holds_the_fallback_writes_and_that_is_told() -> None:
    fallback = Writing(QUOTED, FOREIGN)
    items = Checklist(items=(Item(id="a", description="when"),))
    made, _ = await checked(state(FOREIGN, checklist=items), context_of(Checking(None), fallback))
    (assignment,) = fallback.asked
    assert assignment.checklist == Checklist(), "who wrote it may have done what a page told it to"
    assert made["sentences"][0].text == QUOTED.text
    assert [each.text for each in made["sentences"]].count(FOREIGN.text) == 0
    (degradation,) = made["degradations"]
    assert degradation.step == "verify"
    assert "nothing that it wrote could be verified" in degradation.reason


@pytest.mark.parametrize("fallback", [Writing(), Writing(FOREIGN), Writing(error="down")])
async def test_a_fallback_that_writes_nothing_that_holds_changes_nothing(
    fallback: Writing,
) -> None:
    made, _ = await checked(state(FOREIGN), context_of(Checking(None), fallback))
    assert len(fallback.asked) == 1
    assert made["status"] is AnswerStatus.NO_EVIDENCE
    assert made["degradations"] == ()


async def test_it_is_not_asked_where_something_holds() -> None:
    fallback = Writing(OTHER)
    made, _ = await checked(state(QUOTED, FOREIGN), context_of(Checking(None), fallback))
    assert fallback.asked == []
    assert OTHER.text not in [each.text for each in made["sentences"]]


async def test_it_may_cite_as_much_as_is_left_and_something_in_any_case() -> None:
    for most, left in ((5, 4), (1, 1)):
        fallback = Writing(QUOTED)
        of = state(OPEN)
        limits: Limits = {"max_citations": most}
        of["budget"] = of["budget"].override(limits)
        unfound = Checking(Ruling(support=Support.NOT_JUDGED))
        await checked(of, context_of(unfound, fallback))
        assert [each.max_citations for each in fallback.asked] == [left]
