"""Puts runs into the data folder of a service that is not started yet, to be looked at.

``python -m tests.faces.server.recorded``, with the settings of the service in the environment;
prints the ids of the runs by name. They are the recorded runs that the forms of the stream are
tested with, one whose model writes more than its source says, and one whose answer has a table,
code, lists and a name longer than a line.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable
from dataclasses import replace

from tests.faces.wire.streams import NAMES, log, report_of
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP

from quaere.domain.events import Event, RunFinished, SentenceWritten
from quaere.domain.report import AnswerStatus, Opens
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.trace import Owner
from quaere.runtime.recorder import TraceRecorder
from quaere.runtime.settings import Settings, load_settings
from quaere.testing import ScriptedModel

OVERSTATED = Mind(verdict="partly", founder="Odile Varga founded it in 1902 with her own money")
"""Says of the founder what no source has, and finds so when it checks."""

RUN = "1a1d0007-0000-4000-8000-000000000000"
NAME = "harbourmastership" * 12
COLUMNS = ("lock", "depth", "length", "opened", "cranes", "rail", "road", "fuel", "dues", "remarks")
WRITTEN: tuple[tuple[Opens | None, str], ...] = (
    (None, f"The locks differ, as the {NAME} says."),
    *((Opens.ROW, "; ".join(f"{name}: {n} {name}" for name in COLUMNS)) for n in (1, 2)),
    (Opens.CODE, f"lock open \\\n  --keeper {NAME}"),
    (Opens.NUMBERED, "Ask the keeper."),
    (Opens.ITEM, "Cash is taken."),
    (Opens.NUMBERED, "Wait for the tide."),
)
"""An answer, as its sentences open it."""


def complain(notice: str) -> None:
    """Refuse to leave a run out that could not be kept."""
    raise RuntimeError(notice)


def keep(settings: Settings, events: Iterable[Event]) -> str:
    """Keep ``events`` as the process does that made the run, and return the id of the run."""
    told = tuple(events)
    started = told[0].model_dump()
    spec = RunSpec(run_id=told[0].run_id, request=RunRequest.of(question=str(started["question"])))
    recorder = TraceRecorder(settings, spec, Owner(), complain)
    for event in told:
        recorder.keep(event)
    recorder.close()
    return spec.run_id


def laid_out() -> list[Event]:
    """Return the events of a run whose answer is WRITTEN."""
    told = [event for event in log("web") if not isinstance(event, SentenceWritten)]
    report, end = report_of(told), told[-1]
    assert report is not None
    assert isinstance(end, RunFinished)
    like = report.sentences[0]
    said = tuple(like.model_copy(update={"opens": opens, "text": text}) for opens, text in WRITTEN)
    is_open = {"gaps": (NAME,), "status": AnswerStatus.INSUFFICIENT}
    written = report.model_copy(update={"run_id": RUN, "sentences": said, **is_open})
    return [
        *(event.model_copy(update={"run_id": RUN}) for event in told[:-1]),
        end.model_copy(update={"run_id": RUN, "report": written}),
    ]


async def doubtful(settings: Settings) -> str:
    """Make a run that leaves a sentence in doubt, and return its id."""
    spec = RunSpec(request=RunRequest.of(question=HOP))
    recorder = TraceRecorder(settings, spec, Owner(), complain)
    asked = replace(
        thinking(ScriptedModel(OVERSTATED, name="test:mind")), pages=lambda: recorder.pages
    )
    async for event in asked.stream(spec):
        recorder.keep(event)
    recorder.close()
    return spec.run_id


def main() -> None:
    settings = load_settings()
    kept = {name: keep(settings, log(name)) for name in NAMES}
    kept["laid_out"] = keep(settings, laid_out())
    sys.stdout.write(json.dumps({**kept, "doubtful": asyncio.run(doubtful(settings))}))


if __name__ == "__main__":
    main()
