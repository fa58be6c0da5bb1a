"""One declaration, two drivers: the plain runner and LangGraph tell the same events of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from pydantic import JsonValue
from tests.e2e.islands import write
from tests.graphs.minds import Mind, leading, led_by, thinking
from tests.graphs.misbehaving import OddProvider, refuse_reason, refuse_search
from tests.graphs.reasoners import Insatiable, something_new
from tests.graphs.team import FLAX, MARKET, TWO, Led, team
from tests.graphs.test_plan import Asker, Narrow
from tests.graphs.world import (
    DOCUMENTS,
    HOP,
    NOTHING,
    PLAIN,
    Desk,
    Shelf,
    Slowed,
    Still,
    Told,
    Unled,
    engine,
    told,
)
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf as Works
from tests.look_alikes.shelf import Work
from tests.look_alikes.web_engines import tavily

from quaere.domain.budget import Limits
from quaere.domain.events import (
    Event,
    EvidenceCollected,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
)
from quaere.domain.model import ModelRequest
from quaere.domain.report import AnswerStatus
from quaere.domain.request import Cached, RunSpec
from quaere.domain.team import Delegation, Reply, Strategy
from quaere.domain.verdict import StopReason
from quaere.graphs.flow import Driver, run_flow
from quaere.graphs.langgraph_driver import drive
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.runtime.engine import Engine
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings, load_settings
from quaere.runtime.wiring import assemble, settle
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

ISLANDS = "Who designed the lighthouse where Jonna Askew was the keeper?"
DONE = Delegation(complete=True)


@dataclass(frozen=True)
class Case:
    """A run that can be made again: everything it is told is the same each time."""

    make: Callable[[Path], Engine]
    question: str = HOP
    limits: Limits = field(default_factory=Limits)
    expected: Callable[[Told], bool] = lambda run: bool(run.report.citations)


def folder(place: Path) -> Engine:
    islands = place.parent / "islands"
    if not islands.exists():
        write(islands)
    settings = load_settings().model_copy(update={"cache_dir": place / "cache"})
    return built(settings, docs=[islands])


OPENED: list[Resources] = []


@pytest.fixture(autouse=True)
async def _close() -> AsyncGenerator[None]:
    yield
    while OPENED:
        await OPENED.pop().aclose()


def built(
    settings: Settings, *, docs: Sequence[Path] = (), providers: Sequence[str] = ()
) -> Engine:
    resources = Resources(settings)
    OPENED.append(resources)
    spec = RunSpec.of("Over what?", cached=Cached.OFF, docs=docs, providers=providers)
    return assemble(resources, settle(resources, spec))


def slow(_: Path) -> Engine:
    clock = Still()
    return engine(Slowed(Shelf(), clock), reasoner=Insatiable(something_new), clock=clock)


def scripted(_: Path) -> Engine:
    return thinking(ScriptedModel(Mind()))


def supervised_by_a_model(_: Path) -> Engine:
    rounds = iter([[HOP, FLAX], [MARKET], []])

    def answer(request: ModelRequest) -> dict[str, JsonValue] | str:
        if request.step not in {"brief", "supervise"}:
            return Mind()(request)
        topics = next(rounds)
        said: dict[str, JsonValue] = {"reflection": "Go.", "topics": [*topics], "last": False}
        if request.step == "brief":
            return {**said, "brief": "Find out what is asked."}
        return {**said, "complete": not topics}

    return replace(thinking(ScriptedModel(answer)), strategy=Strategy.SUPERVISOR)


def approved(_: Path) -> Engine:
    asking = team(ExtractiveReasoner(), approve_plan=True)
    return replace(asking, human=Asker(Reply(topics=(FLAX,))))


CASES = {
    "folder": Case(folder, ISLANDS),
    "pages-to-read": Case(lambda _: engine(Shelf(with_text=False), reader=Desk())),
    "degraded-search": Case(
        lambda _: engine(OddProvider(refuse_search), Shelf()),
        expected=lambda run: bool(run.report.warnings),
    ),
    "no-evidence": Case(
        lambda _: engine(),
        NOTHING,
        expected=lambda run: run.report.status is AnswerStatus.NO_EVIDENCE,
    ),
    "names-followed": Case(
        lambda _: thinking(ScriptedModel(Mind()), Narrow()),
        expected=lambda run: len(run.report.calls) == 2 and run.report.spend.queries > 1,
    ),
    "scripted-model": Case(scripted, expected=lambda run: bool(run.report.calls)),
    "cut-short-by-time": Case(
        slow,
        limits=Limits(max_execution_time_s=90.0),
        expected=lambda run: run.report.stop_reason is StopReason.TIMEOUT,
    ),
    "cut-short-by-iterations": Case(
        lambda _: engine(reasoner=Insatiable(something_new)),
        limits=Limits(max_iters=2),
        expected=lambda run: run.report.stop_reason is StopReason.MAX_ITERATIONS,
    ),
    "team": Case(
        lambda _: team(Led([HOP, MARKET], [FLAX], DONE)),
        TWO,
        expected=lambda run: run.report.dispatched_topics == (HOP, MARKET, FLAX),
    ),
    "team-with-a-researcher-that-breaks-off": Case(
        lambda _: team(Led([HOP, FLAX], DONE, faults={FLAX: refuse_reason})),
        TWO,
        expected=lambda run: any(w.kind == "research" for w in run.report.warnings),
    ),
    "team-led-by-a-model": Case(
        supervised_by_a_model,
        TWO,
        expected=lambda run: run.report.dispatched_topics == (HOP, FLAX, MARKET),
    ),
    "team-of-one-that-goes-on-from-the-first-look": Case(
        lambda _: led_by(ScriptedModel(leading([HOP], None)), Unled()),
        expected=lambda run: run.report.dispatched_topics == (HOP,),
    ),
    "team-that-the-first-look-makes-needless": Case(
        lambda _: led_by(ScriptedModel(leading([HOP, FLAX]))),
        expected=lambda run: not run.report.dispatched_topics,
    ),
    "team-whose-topics-are-approved": Case(
        approved,
        TWO,
        expected=lambda run: run.report.dispatched_topics == (FLAX,),
    ),
}


async def run_by(driver: Driver, made: Engine, question: str, limits: Limits) -> Told:
    clock = made.clock if isinstance(made.clock, Still) else Still()
    asked = replace(made, driver=driver, clock=clock, marks="mark")
    return await told(asked, question, run_id="r", **limits)


TIMES = {"seconds", "retrieved_at"}
IN_ANY_ORDER = {"seq", "sources_considered", "sources_read", "remaining"}
"""What depends on which of several researchers was first."""


def timeless(value: JsonValue) -> JsonValue:
    """Return ``value`` without what a real clock says."""
    if isinstance(value, dict):
        return {key: timeless(each) for key, each in value.items() if key not in TIMES}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def threads(events: Sequence[Event]) -> dict[str, list[JsonValue]]:
    """Return the events by topic: researchers side by side may tell theirs in any order."""
    found: defaultdict[str, list[JsonValue]] = defaultdict(list)
    for event in events:
        if isinstance(event, IndexProgress) and event.done < event.total:
            continue  # how often it is told depends on the time it takes
        left_out = IN_ANY_ORDER if event.topic else {"seq"}
        found[event.topic].append(timeless(event.model_dump(mode="json", exclude=left_out)))
    return dict(found)


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
async def test_both_drivers_tell_the_same_events(case: Case, tmp_path: Path) -> None:
    runs: list[Told] = []
    for name, driver in (("plain", run_flow), ("langgraph", drive)):
        (tmp_path / name).mkdir()
        made = case.make(tmp_path / name)
        runs.append(await run_by(driver, made, case.question, case.limits))
    plain, langgraph = runs
    assert case.expected(plain), "it is the run that was meant"
    assert len(plain.of(EvidenceCollected)) > 0
    assert threads(plain.events) == threads(langgraph.events)


async def test_both_drivers_tell_the_same_of_a_look_alike_of_the_web(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    works = [Work(number, *pair) for number, pair in enumerate(DOCUMENTS.items())]
    runs: list[Told] = []
    for number, driver in enumerate((run_flow, drive)):
        async with LookAlikeServer(tavily(Works(works))) as server:
            monkeypatch.setenv("TAVILY_API_KEY", "key-of-a-look-alike")
            monkeypatch.setenv("TAVILY_BASE_URL", server.base_url)
            monkeypatch.setenv("QUAERE_CACHE_DIR", str(tmp_path / str(number)))
            made = built(load_settings(), providers=["tavily"])
            runs.append(await run_by(driver, made, HOP, {}))
            assert server.asked
    plain, langgraph = runs
    assert plain.report.citations
    assert threads(plain.events) == threads(langgraph.events)


async def test_what_a_person_is_asked_is_told_before_and_after_the_reply() -> None:
    run = await run_by(run_flow, approved(Path()), TWO, {})
    (raised,), (answered,) = run.of(InquiryRaised), run.of(InquiryAnswered)
    assert raised.inquiry.topics == (HOP, PLAIN)
    assert (answered.kind, answered.reply.topics) == (raised.inquiry.kind, (FLAX,))
    assert raised.seq < answered.seq
