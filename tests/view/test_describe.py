"""Every event has its line, and a new one needs three edits."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from tests.faces.cli import samples

from quaere.domain.events import Event, Phase, RunEvent, SourceRead
from quaere.domain.source import ReadStatus
from quaere.view.describe import describe

ROOT = Path(__file__).parents[2]

EVENT = '''class RainFell(Event):
    """It rained while the plan was made."""

    type: Literal["rain_fell"] = "rain_fell"
    drops: Number
    heard_by: QuestionText


RunEvent = Annotated[
    RainFell
    | RunStarted'''
NODE = """    emitter.begin()
    emitter.emit(RainFell(drops=7, heard_by="somebody"))
"""
LINE = """@describe.register
def _(event: RainFell) -> str:
    return f"{event.drops} drops fell"


def describe_warning("""

RUN = """
import asyncio, json
from quaere.domain.events import RUN_EVENT
from quaere.domain.trace import Trace
from quaere.store.traces.privacy import Privacy
from quaere.view.story import story
from quaere.domain.request import RunSpec
from tests.graphs.world import engine
from tests.store.runs import BEGUN
from quaere.faces.cli.follow import Lines
from quaere.view.reduce import Progress

async def main():
    asked = RunSpec.of("Who founded the Quill Observatory?")
    events = [event async for event in engine().stream(asked)]
    (rain,) = [event for event in events if event.type == "rain_fell"]
    said = []
    Lines("title", said.append).show(rain, Progress().after(rain))
    trace = Trace(id="a", user_id="u", tool_name="t", created_at=BEGUN)
    print(json.dumps({
        "said": said[-1],
        "story": story(trace, events, []),
        "kept": json.loads(Privacy(questions=False).event(rain).model_dump_json()),
        "read": RUN_EVENT.validate_json(rain.model_dump_json()) == rain,
    }))

asyncio.run(main())
"""


@pytest.mark.parametrize("event", samples.events("evil\n\x1b[2J"), ids=lambda event: event.type)
def test_an_event_is_described_in_words(event: Event) -> None:
    assert describe(event)


def test_every_type_of_event_has_a_line_of_its_own() -> None:
    assert set(get_args(get_args(RunEvent)[0])) == set(describe.registry) - {object}


def _edit(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(before) == 1, f"{path.name}: {before!r}"
    path.write_text(text.replace(before, after), "utf-8")


def test_a_new_event_needs_three_edits(tmp_path: Path) -> None:
    """The event, the node that tells it and its line: all else follows from these."""
    package = tmp_path / "src" / "quaere"
    shutil.copytree(ROOT / "src" / "quaere", package)
    _edit(package / "domain/events.py", "RunEvent = Annotated[\n    RunStarted", EVENT)
    node, line = package / "graphs/nodes/plan.py", package / "view/describe.py"
    _edit(node, "    emitter.begin()\n", NODE)
    _edit(node, "import Phase, PlanMade", "import Phase, PlanMade, RainFell")
    _edit(line, "def describe_warning(", LINE)
    _edit(line, "    PlanMade,\n", "    PlanMade,\n    RainFell,\n")
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{package.parent}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["said"].endswith("  7 drops fell")
    assert "\n  7 drops fell\n" in told["story"]
    assert told["kept"]["drops"] == 7
    assert told["kept"]["heard_by"] == "(not kept)"
    assert told["read"]


@pytest.mark.parametrize(
    ("status", "title", "line"),
    [
        (ReadStatus.OK, "Mill", "page, ok: Mill (https://a.org): 2 passages"),
        (ReadStatus.PROVIDED, "", "page, provided: https://a.org: 2 passages"),
        (ReadStatus.TIMEOUT, "Mill", "page, timeout: Mill (https://a.org): too slow"),
    ],
)
def test_a_page_tells_what_it_brought_or_why_it_brought_nothing(
    status: ReadStatus, title: str, line: str
) -> None:
    event = SourceRead(
        phase=Phase.READING,
        url="https://a.org",
        title=title,
        status=status,
        passages=2,
        reason="too slow",
    )
    assert describe(event) == line
