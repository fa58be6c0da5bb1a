"""Runs to be kept: events as an engine numbers them, and passages that their evidence rests on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from tests.faces.cli.samples import events as sample_events

from quaere.domain.events import Event, EvidenceCollected, RunFailed
from quaere.domain.evidence import Evidence, Score
from quaere.domain.source import Passage, passage_id

BEGUN = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
RUN = "run-1"
ODD = "Sket \x00 \u202eabc\u202c 灯 \U0001f98b"
TEXT = f"The mill at Orrin was built by Tamsin Wray in 1788. {ODD}"
PASSAGE = Passage(
    id=passage_id("file:///notes/mill.md", 0, TEXT),
    url="file:///notes/mill.md",
    title="The mill",
    text=TEXT,
    start=0,
    end=len(TEXT),
    content_hash="c" * 64,
    retrieved_at="2031-05-04T12:00:00+00:00",
)
EVIDENCE = Evidence(
    id=1, passage=PASSAGE.id, url=PASSAGE.url, title=PASSAGE.title, score=Score(total=0.5)
)
PASSAGES = {PASSAGE.id: PASSAGE}


def numbered(events: Sequence[Event], run_id: str = RUN) -> list[Event]:
    """Return ``events`` with run, number and time, one second apart."""
    return [
        event.model_copy(
            update={
                "run_id": run_id,
                "seq": seq,
                "at": (BEGUN + timedelta(seconds=seq)).isoformat(timespec="milliseconds"),
            }
        )
        for seq, event in enumerate(events, 1)
    ]


def whole_run(text: str = "Orrin", run_id: str = RUN) -> list[Event]:
    """Return the events of a run of two loops that came to a report."""
    return numbered(
        [
            event.model_copy(update={"selected": (EVIDENCE.id,), "added": (EVIDENCE,)})
            if isinstance(event, EvidenceCollected)
            else event
            for event in sample_events(text)
            if not isinstance(event, RunFailed)
        ],
        run_id,
    )


def failed_run(run_id: str = RUN, *, after: int = 5) -> list[Event]:
    """Return the events of a run that failed."""
    failure = RunFailed(error_type="search_error", message="nobody answers", retryable=True)
    return numbered([*whole_run()[:after], failure], run_id)
