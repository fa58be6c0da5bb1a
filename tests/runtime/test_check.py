"""A check of a text as a run: what it tells on its way, and the report that it ends in."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import Still, engine, url_of

from quaere.domain.budget import PROFILES, Spend
from quaere.domain.events import (
    Event,
    ModelCalled,
    Phase,
    PhaseStarted,
    RunFinished,
    RunStarted,
    SentenceWritten,
    SourceRead,
    TextChecked,
    WarningRaised,
)
from quaere.domain.model import Price, Prices
from quaere.domain.report import AnswerStatus, Report, Support
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.verdict import StopReason
from quaere.runtime.check import PROFILE, checking
from quaere.runtime.engine import Engine
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

QUOTED = "It was founded in 1902 by Odile Varga [1]."
FALSE = "It was founded in 1911 by Odile Varga [1]."
LISTED = f"## Sources\n\n1. {url_of('Quill Observatory')}\n2. https://gone.test/x\n"


async def checked(*sentences: str, by: Engine | None = None) -> list[Event]:
    text = f"{' '.join(sentences)}\n\n{LISTED}"
    spec = RunSpec.of("Is it so?", run_id="run-1").model_copy(update={"checked_text": text})
    return [event async for event in checking(by or engine(), spec)]


def report_of(events: list[Event]) -> Report:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.report


async def test_it_tells_what_it_reads_and_every_verdict_before_its_report() -> None:
    events = await checked(QUOTED, FALSE, "The observatory closed in 1950 [2].")
    first, reading, *reads, verdicts, summary, _ = events
    assert isinstance(first, RunStarted)
    assert (first.profile, first.budget) == (PROFILE, PROFILES[PROFILE])
    assert isinstance(reading, PhaseStarted)
    assert (reading.phase, reading.remaining.reads) == (Phase.READING, PROFILES[PROFILE].max_reads)
    assert reading.remaining.seconds == PROFILES[PROFILE].max_execution_time_s
    assert all(isinstance(event, SourceRead) for event in reads)
    assert isinstance(verdicts, TextChecked)
    assert verdicts.audit.summary.claims == 3
    assert isinstance(summary, SentenceWritten)
    assert summary.text == report_of(events).answer


async def test_a_source_is_told_with_what_came_of_reading_it() -> None:
    events = await checked(QUOTED, "The observatory closed in 1950 [2].")
    by_url = {event.url: event for event in events if isinstance(event, SourceRead)}
    read = by_url[url_of("Quill Observatory")]
    assert (read.status, read.title) == (ReadStatus.OK, "Quill Observatory")
    assert read.passages > 0
    assert (read.final_url, read.reason) == ("", "")
    gone = by_url["https://gone.test/x"]
    assert gone.status is not ReadStatus.OK
    assert (gone.passages, gone.bytes) == (0, 0)
    assert gone.reason


async def test_its_answer_sums_the_verdicts_up() -> None:
    report = report_of(await checked(QUOTED, "The observatory closed in 1950 [2]."))
    assert report.answer.startswith("2 claims, 2 cited: 1 ")
    assert report.sentences[0].support is Support.NOT_A_CLAIM
    assert report_of(await checked(QUOTED)).answer.startswith("1 claim, 1 cited: 1 ")
    nothing = report_of(await checked("What did it grind?"))
    assert nothing.answer == "The text makes no claim."


async def test_its_report_is_that_of_a_run_which_answered() -> None:
    report = report_of(await checked(QUOTED, "The observatory closed in 1950 [2]."))
    assert (report.run_id, report.question) == ("run-1", "Is it so?")
    assert (report.status, report.stop_reason) == (AnswerStatus.ANSWERED, StopReason.SUFFICIENT)
    assert (report.confidence, report.direct.confidence) == (1.0, 1.0)
    assert report.spend == Spend(reads=1)
    assert 0 <= report.seconds < 60
    assert report.reasoner == "extractive"
    assert report.calls == ()


async def test_a_model_that_judges_is_paid_for() -> None:
    prices = Prices(models={"scripted": Price(input_usd=1, output_usd=10)})
    by = thinking(ScriptedModel(Mind(judged="1911", verdict="contradicted")), prices=prices)
    events = await checked(QUOTED, FALSE, by=replace(by, prices=prices))
    calls = [event.call for event in events if isinstance(event, ModelCalled)]
    assert calls
    report = report_of(events)
    assert report.calls == tuple(calls)
    assert report.spend.model_calls == len(calls)
    assert report.spend.tokens == sum(call.usage.total_tokens for call in calls)
    assert report.spend.cost_usd == pytest.approx(sum(call.cost_usd or 0.0 for call in calls))


class Hanging:
    """Never gets to the end of a page that the shelf does not have."""

    def __init__(self) -> None:
        self.let_go = asyncio.Event()

    async def read(self, hit: Hit) -> Page:
        if hit.url == url_of("Quill Observatory"):
            return Page(url=hit.url, title="Quill", text="It was founded in 1902.")
        try:
            return await asyncio.Future()
        finally:
            self.let_go.set()


async def test_who_stops_listening_stops_the_check() -> None:
    text = f"{QUOTED} The observatory closed in 1950 [2].\n\n{LISTED}"
    spec = RunSpec.of("Is it so?").model_copy(update={"checked_text": text})
    events = checking(replace(engine(), reader=(reader := Hanging())), spec)
    async for event in events:
        if isinstance(event, SourceRead):
            break
    assert not reader.let_go.is_set()
    await events.aclose()
    async with asyncio.timeout(5):
        await reader.let_go.wait()


class Moved:
    """Finds every page at another address, a little later."""

    async def read(self, hit: Hit) -> Page:
        text = "The Quill Observatory was founded in 1902 by Odile Varga."
        return Page(url=f"{hit.url}?moved", title="Quill", text=text, size=77)


async def test_a_source_that_has_moved_is_told_with_both_addresses() -> None:
    events = await checked(QUOTED, by=replace(engine(), reader=Moved()))
    (read,) = [event for event in events if isinstance(event, SourceRead)]
    url = url_of("Quill Observatory")
    assert (read.url, read.final_url) == (url, f"{url}?moved")
    assert (read.title, read.bytes) == ("Quill", 77)


async def test_a_check_whose_time_is_over_says_so_in_its_events_and_its_report() -> None:
    short = PROFILES[PROFILE].override({"max_execution_time_s": 0.001})
    text = " ".join([QUOTED] * 3_000)
    events = await checked(text, by=replace(engine(), profiles={PROFILE: short}))
    report = report_of(events)
    warned = [event.warning for event in events if isinstance(event, WarningRaised)]
    assert report.warnings == tuple(warned)
    assert report.budget == short
    late = any(warning.kind == "verify" for warning in warned)
    assert report.stop_reason is (StopReason.TIMEOUT if late else StopReason.SUFFICIENT)


async def test_reading_keeps_to_the_budget_of_a_check() -> None:
    one = PROFILES[PROFILE].override({"max_reads": 1})
    said = "The observatory closed in 1950 [2]."
    events = await checked(QUOTED, said, by=replace(engine(), profiles={PROFILE: one}))
    assert report_of(events).spend.reads == 1
    verdicts = next(event for event in events if isinstance(event, TextChecked))
    assert [source.status for source in verdicts.audit.sources] == ["ok", "refused"]


async def test_a_check_takes_as_long_as_its_clock_says() -> None:
    class Ticking(Still):
        at = 100.0

        def monotonic(self) -> float:
            self.at += 7.0
            return self.at

    report = report_of(await checked(QUOTED, by=replace(engine(), clock=Ticking())))
    assert report.seconds == 7.0
