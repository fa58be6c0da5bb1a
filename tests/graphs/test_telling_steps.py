"""How far an answer can be told before all of it is there."""

from __future__ import annotations

import pytest
from pydantic import JsonValue
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, engine
from tests.verify.samples import BRIDGE, FERRY, entry, passage, sentence

from quaere.domain.budget import Limits, ProfileName
from quaere.domain.events import Event, PhaseStarted, SentenceDrafted, SentenceWritten
from quaere.domain.model import ModelRequest
from quaere.domain.question import AnswerForm, Checklist, Plan, Query, Question
from quaere.domain.report import Degradation, Opens, QueryOutcome, Sentence, Support
from quaere.domain.verdict import NextAction, Opening, Reflection, Stop, StopReason
from quaere.graphs.flow import Runtime, run_flow
from quaere.graphs.state import LoopState, initial_state
from quaere.graphs.telling import LONG, OPENING, Telling, inspection_of, take_outcomes
from quaere.runtime.engine import Engine
from quaere.synthesize.compose import Draft
from quaere.testing import ScriptedModel
from quaere.verify.repair import Claim, Fate, Outcome
from quaere.verify.support import weigh

pytestmark = pytest.mark.anyio

HERE, THERE = passage(BRIDGE, title="Bridge"), passage(FERRY, title="Ferry")
EVIDENCE = (entry(1, HERE), entry(2, THERE))
SURE = Reflection(next_action=NextAction.FINALIZE, confidence=0.9, checklist=Checklist())


def state(*, form: AnswerForm | None = None, **fields: object) -> LoopState:
    made = initial_state(Question(text=HOP, form=form), requested=None, limits={})
    made.update({"selection": EVIDENCE, **fields})  # type: ignore[typeddict-item]
    return made


def telling(of: LoopState, *, by: Engine | None = None) -> tuple[Telling, list[Event]]:
    asked = by or thinking(ScriptedModel(Mind()))
    context = asked._run_context(0.0)
    context.store.add([HERE, THERE])
    events: list[Event] = []
    return Telling(of, Runtime(context, events.append, run_flow)), events


def opening(tier: ProfileName | None = None) -> Opening:
    plan = Plan(
        refined_question=HOP, checklist=Checklist(), queries=(Query(text="mill"),), tier=tier
    )
    return Opening(plan=plan, reflection=SURE)


def failed(*errors: str) -> tuple[QueryOutcome, ...]:
    return tuple(QueryOutcome(query=Query(text="q"), iteration=0, error=e) for e in errors)


@pytest.mark.parametrize(
    ("of", "listens"),
    [
        (state(), True),
        (state(form=AnswerForm.SHORT), True),
        (state(form=AnswerForm.TABLE), False),
        (state(outcomes=failed("", "", "HTTP 503")), True),
        (state(outcomes=failed("", "HTTP 503")), False),
        (state(decision=Stop(reason=StopReason.SUFFICIENT)), True),
        (state(decision=Stop(reason=StopReason.DEGRADED)), False),
        (state(degradations=(Degradation(step="search", reason="down"),)), False),
        (state(degradations=(Degradation(step="plan", reason="down"),)), True),
    ],
)
def test_an_answer_is_told_early_where_it_is_plain_and_begins_with_its_first_sentence(
    of: LoopState, *, listens: bool
) -> None:
    """A notice that the search was limited would have to stand before it."""
    assert telling(of)[0].listens is listens


def test_without_a_model_nothing_is_told_early() -> None:
    assert not telling(state(), by=engine())[0].listens


@pytest.mark.parametrize(
    ("tier", "wanted"),
    [(None, True), (ProfileName.SIMPLE, True), (ProfileName.DEEP, False)],
)
def test_the_answer_of_a_plan_is_the_runs_where_its_profile_answers_early(
    tier: ProfileName | None, *, wanted: bool
) -> None:
    assert telling(state())[0].wants(opening(tier)) is wanted
    assert telling(state(requested=ProfileName.DEEP))[0].wants(opening()) is False
    assert telling(state())[0].wants(SURE)
    assert not telling(state(form=AnswerForm.TABLE))[0].wants(SURE)


async def test_what_is_quoted_is_told_as_soon_as_it_is_heard() -> None:
    ear, events = telling(state())
    assert ear.wants(SURE)
    said = sentence("The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin.", 1)
    await ear.hear(said)
    assert [type(event) for event in events] == [PhaseStarted, SentenceDrafted, SentenceWritten]
    assert ear.breaks_off("it was cut"), "what was told stands"
    assert ear.kept(SURE) is SURE


async def test_what_no_source_has_word_for_word_waits_for_its_check() -> None:
    ear, events = telling(state())
    assert ear.wants(SURE)
    await ear.hear(sentence("Maude Tellin, an engineer, had the crossing opened in 1891.", 1))
    await ear.hear(sentence("Heavy carts were not allowed on it before 1903.", 1))
    assert not [event for event in events if isinstance(event, SentenceWritten)]
    assert [event.text for event in events if isinstance(event, SentenceDrafted)] == [
        "Maude Tellin, an engineer, had the crossing opened in 1891.",
        "Heavy carts were not allowed on it before 1903.",
    ]
    assert not ear.breaks_off("it was cut"), "nothing was told: it can be asked for again"


async def test_the_phase_is_announced_once() -> None:
    ear, events = telling(state())
    ear.begin()
    ear.begin()
    assert len(events) == 1


def test_another_judgement_stands_where_nothing_was_told() -> None:
    ear, _ = telling(state())
    assert ear.wants(SURE)
    other = SURE.model_copy(update={"confidence": 0.1})
    assert ear.kept(other) is other


def outcome(text: str, *, dropped: bool = False, opens: Opens | None = None) -> Outcome:
    said = sentence(text, 1).model_copy(update={"opens": opens, "support": Support.QUOTED})
    if dropped:
        return Outcome(sentence=None, fate=Fate.DROPPED, dropped=said)
    return Outcome(sentence=said, fate=Fate.SUPPORTED)


def test_a_paragraph_begins_with_what_is_left_of_it() -> None:
    draft = Draft(EVIDENCE, [HERE, THERE])
    left = take_outcomes(
        draft,
        [
            outcome("The bridge spans 312 metres.", dropped=True, opens=Opens.PARAGRAPH),
            outcome("It cost 2.4 million crowns."),
            outcome("Carts were not allowed."),
            outcome("It was opened.", dropped=True, opens=Opens.ITEM),
        ],
    )
    assert [each.opens for each in draft.sentences] == [Opens.PARAGRAPH, None]
    assert left is Opens.ITEM
    assert take_outcomes(draft, [outcome("It is old.")], left) is None
    assert draft.sentences[-1].opens is Opens.ITEM
    own = outcome("It is long.", opens=Opens.ROW)
    take_outcomes(draft, [own], Opens.ITEM)
    assert draft.sentences[-1].opens is Opens.ROW, "its own goes before what was left"


def test_a_checker_is_shown_what_the_sentences_cite_and_the_whole_answer() -> None:
    first, second = sentence("It spans 312 metres.", 1), Sentence(text="The ferry sank.")
    found = [
        Outcome(sentence=first, fate=Fate.SUPPORTED),
        Outcome(
            sentence=None,
            fate=Fate.DROPPED,
            claim=Claim(sentence=second, finding=weigh(second.text, [THERE])),
        ),
        Outcome(sentence=None, fate=Fate.DROPPED),
    ]
    shown = inspection_of(state(), (first,), found, [HERE, THERE])
    assert shown.evidence == EVIDENCE[:1]
    assert shown.passages == {HERE.id: HERE}
    assert (shown.sentences, shown.question) == ((first,), HOP)
    assert shown.answer == ("It spans 312 metres.", "The ferry sank.")


QUOTED = sentence("The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin.", 1)
OPEN = sentence("Maude Tellin, an engineer, had the crossing opened in 1891.", 1)
OTHER = sentence("It spans 312 metres and cost 2.4 million crowns.", 1)
LAST = sentence("The ferry sank in the storm of 1888, and nobody drowned.", 2)


def of_words(words: int) -> LoopState:
    made = state()
    limits: Limits = {"answer_words": words}
    made["budget"] = made["budget"].override(limits)
    return made


def checking() -> ScriptedModel:
    def check(request: ModelRequest) -> dict[str, JsonValue] | str:
        if request.step != "check":
            return Mind()(request)
        verdicts: list[JsonValue] = [
            {"number": n, "verdict": "supported", "id": 1} for n in range(1, 9)
        ]
        return {"verdicts": verdicts}

    return ScriptedModel(check)


async def heard(words: int, *said: Sentence, ends: bool = False) -> tuple[list[str], ScriptedModel]:
    """Return what is told of ``said``, and what a model was asked meanwhile."""
    model = checking()
    ear, events = listening(of_words(words), model)
    for each in said:
        await ear.hear(each)
    if ends:
        await ear.ends()
    return told_in(events), model


def listening(
    of: LoopState, model: ScriptedModel, *, at_hand: bool = False
) -> tuple[Telling, list[Event]]:
    context = thinking(model)._run_context(0.0)
    context.store.add([HERE, THERE])
    context.meter.open(1_000_000, None)
    events: list[Event] = []
    ear = Telling(of, Runtime(context, events.append, run_flow), at_hand=at_hand)
    assert ear.wants(SURE)
    return ear, events


def told_in(events: list[Event]) -> list[str]:
    return [each.sentence.text for each in events if isinstance(each, SentenceWritten)]


async def test_the_opening_of_a_long_answer_is_checked_by_itself() -> None:
    told, model = await heard(LONG, OPEN, OTHER, QUOTED)
    assert OPENING == 3
    assert told == [OPEN.text, OTHER.text, QUOTED.text]
    assert model.steps() == ["check"]


@pytest.mark.parametrize("count", [1, 2])
async def test_it_waits_until_the_opening_is_whole(count: int) -> None:
    told, model = await heard(LONG, *(OPEN, OTHER)[:count])
    assert told == []
    assert model.steps() == []


async def test_the_rest_of_a_shorter_answer_is_waited_for() -> None:
    told, model = await heard(LONG - 1, OPEN, OTHER, QUOTED)
    assert told == []
    assert model.steps() == []


@pytest.mark.parametrize("words", [LONG - 1, LONG])
async def test_what_is_open_further_on_holds_all_that_follows(words: int) -> None:
    told, model = await heard(words, QUOTED, OPEN, OTHER, LAST)
    assert told == [QUOTED.text]
    assert model.steps() == []


async def test_all_that_is_quoted_is_told_one_by_one() -> None:
    told, model = await heard(LONG - 1, QUOTED, OTHER, LAST)
    assert told == [QUOTED.text, OTHER.text, LAST.text]
    assert model.steps() == []


@pytest.mark.parametrize("said", [(OPEN,), (OPEN, OTHER)])
async def test_an_answer_that_ends_within_its_opening_is_checked_then(
    said: tuple[Sentence, ...],
) -> None:
    told, model = await heard(LONG, *said, ends=True)
    assert told == [each.text for each in said]
    assert model.steps() == ["check"]


async def test_an_end_settles_nothing_that_is_settled_or_that_must_wait() -> None:
    told, model = await heard(LONG, QUOTED, ends=True)
    assert told == [QUOTED.text]
    assert model.steps() == []
    told, model = await heard(LONG - 1, OPEN, ends=True)
    assert told == []
    assert model.steps() == [], "it was held at once: all is checked in the end"


async def test_an_answer_that_was_at_hand_is_never_checked_by_its_beginning() -> None:
    model = checking()
    ear, events = listening(of_words(LONG), model, at_hand=True)
    for each in (OPEN, OTHER, QUOTED):
        await ear.hear(each)
    assert told_in(events) == []
    assert model.steps() == []
