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

from quaere.domain.events import (
    Event,
    IndexProgress,
    InquiryAnswered,
    ModelCalled,
    Phase,
    RunEvent,
    SearchFinished,
    SourceRead,
    Verified,
    WarningRaised,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import Checks, RunWarning
from quaere.domain.source import ReadStatus
from quaere.domain.team import InquiryKind, Reply
from quaere.view.describe import describe

ROOT = Path(__file__).parents[2]

EVENT = '''class RainFell(Event):
    """It rained while the plan was made."""

    type: Literal["rain_fell"] = "rain_fell"
    drops: Count
    heard_by: QuestionText


RunEvent = Annotated[
    RainFell
    | RunStarted'''
NODE = """    emitter.begin()
    emitter.emit(RainFell(drops=7, heard_by="somebody"))
"""
LINE = """@describe.register
def _(event: events.RainFell) -> str:
    return f"{event.drops} drops fell"


@describe.register
def _(event: events.RunFailed)"""

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

async def main():
    asked = RunSpec.of("Who founded the Quill Observatory?")
    events = [event async for event in engine().stream(asked)]
    (rain,) = [event for event in events if event.type == "rain_fell"]
    said = []
    Lines("title", said.append).show(rain)
    trace = Trace(id="a", user_id="u", tool_name="t", created_at=BEGUN)
    print(json.dumps({
        "said": said[-1],
        "story": story(trace, events, []),
        "kept": json.loads(Privacy(questions=False).kept(rain).model_dump_json()),
        "read": RUN_EVENT.validate_json(rain.model_dump_json()) == rain,
    }))

asyncio.run(main())
"""


@pytest.mark.parametrize("event", samples.events("evil\n\x1b[2J"), ids=lambda event: event.type)
def test_an_event_is_described_in_words(event: Event) -> None:
    assert describe(event)


LINES = """\
standard profile, 5 loops at most
indexing: 3 of 3 files, 40 passages
warning: Orrin: Orrin
searching, loop 1 of 5
query (raw): mill Orrin: 6 found, 6 new
reading
page, ok: Orrin (u): 0 passages
page, blocked_by_site: file:///Orrin: Orrin
findings: 5 new, 5 in the pool, 0 selected
planning
checklist of 2, queries to ask: 1
evaluating
2 passages shortened, 9,000 to 1,200 tokens
model call (evaluate): test:m: 0.0 s, 70 tokens, price not known, again, Orrin
1 of 3 items answered, going on
iterating, loop 2 of 5
query (gap): Orrin: Orrin
evaluating
1 of 3 items answered, stopping: searching brought nothing new
synthesizing
verifying
draft: Orrin
sentence (not judged): Orrin
1 of 2 sentences supported
0 claims checked against 0 sources
waiting for an answer (clarification): Orrin
answered (clarification): Orrin
answer, insufficient: The mill at Orrin was built by Tamsin Wray. [1]
failed: Orrin (e)
"""


def test_each_event_has_its_line() -> None:
    assert [describe(event) for event in samples.events("Orrin")] == LINES.splitlines()


def test_a_line_tells_what_is_known_and_no_more() -> None:
    call = ModelCall(
        step="plan", model="a:1", usage=Usage(prompt_tokens=1), seconds=1.25, cost_usd=0.5
    )
    assert describe(ModelCalled(call=call)) == "model call (plan): a:1: 1.2 s, 1 token, $0.50"
    search = SearchFinished(query="q", intent="raw", provider="web", hits=2, fresh=1)
    assert describe(search) == "query (raw) at web: q: 2 found, 1 new"
    checks = Checks(written=5, supported=1, repaired=2, marked=1, dropped=1)
    assert describe(Verified(checks=checks)) == "3 of 5 sentences supported"
    kind = InquiryKind.CLARIFICATION
    chosen = InquiryAnswered(kind=kind, reply=Reply(topics=("mill", "weir")))
    assert describe(chosen) == "answered (clarification): mill; weir"
    assert describe(InquiryAnswered(kind=kind, reply=Reply())).endswith(": approved as it is")
    unread = WarningRaised(warning=RunWarning(kind="read", message="404"))
    assert describe(unread) == "warning: 404"


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
    _edit(node, "Phase, PlanMade\n", "Phase, PlanMade, RainFell\n")
    _edit(line, "@describe.register\ndef _(event: events.RunFailed)", LINE)
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


@pytest.mark.parametrize(
    ("done", "total", "passages", "told"),
    [
        (0, 2, 1, "indexing: 0 of 2 files"),
        (1, 2, 1, "indexing: 1 of 2 files, 1 passage"),
        (1, 1, 3, "indexing: 1 of 1 file, 3 passages"),
    ],
)
def test_passages_are_told_with_the_files_that_they_are_of(
    done: int, total: int, passages: int, told: str
) -> None:
    """Those of a file that is still being read would be passages of no file."""
    progress = IndexProgress(
        phase=Phase.INDEXING, folder="notes", done=done, total=total, passages=passages
    )
    assert describe(progress) == told
