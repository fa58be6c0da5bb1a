"""Progress in plain lines."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.faces.cli import samples

from quaere.domain.events import Event, IndexProgress, Phase, RunEvent, SearchFinished
from quaere.faces.cli.follow import Lines
from quaere.faces.cli.terminal import say
from quaere.view.describe import describe

TOLD = [
    "indexing: 3 of 3 files, 40 passages",
    "warning: Orrin: Orrin",
    "searching, loop 1 of 5",
    "  query (raw): mill Orrin: 6 found, 6 new",
    "reading",
    "  page, ok: Orrin (u): 0 passages",
    "  page, blocked_by_site: file:///Orrin: Orrin",
    "planning",
    "  checklist of 2, queries to ask: 1",
    "evaluating",
    "  2 passages shortened, 9,000 to 1,200 tokens",
    "  model call (evaluate): test:m: 0.0 s, 70 tokens, price not known, again, Orrin",
    "  1 of 3 items answered, going on",
    "iterating, loop 2 of 5",
    "  query (gap): Orrin: Orrin",
    "evaluating",
    "  1 of 3 items answered, stopping: searching brought nothing new",
    "synthesizing",
    "verifying",
    "  1 of 2 sentences supported",
    "  0 claims checked against 0 sources",
    "  waiting for an answer (clarification): Orrin",
    "  answered (clarification): Orrin",
]


def _told(events: list[Event]) -> list[str]:
    written: list[str] = []
    lines = Lines("a question", written.append)
    for event in events:
        lines.show(event)
    return [line.partition("] ")[2] for line in written]


def test_a_run_line_by_line() -> None:
    assert _told(samples.events()) == ["a question", *TOLD]


def test_every_type_of_event_is_described_or_left_out_on_purpose() -> None:
    kinds = {type(event) for event in samples.events()}
    assert kinds == set(get_args(get_args(RunEvent)[0]))


def test_lines_begin_with_the_seconds_since_the_start() -> None:
    written: list[str] = []
    Lines("a question", written.append)
    assert written == ["[  0.0 s] a question"]


def _indexing(done: int) -> IndexProgress:
    return IndexProgress(phase=Phase.INDEXING, folder="notes", done=done, total=500)


def test_a_folder_is_not_told_of_file_by_file() -> None:
    told = _told([_indexing(done) for done in range(501)])
    assert told == ["a question", "indexing: 500 of 500 files, 0 passages"]


@pytest.mark.parametrize("event", samples.events("evil\n\x1b[2J"), ids=lambda event: event.type)
def test_an_event_is_one_harmless_line(event: Event, capsys: pytest.CaptureFixture[str]) -> None:
    say(describe(event))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.strip()
    assert line.isprintable()


def test_a_line_of_one_topic_among_several_names_it() -> None:
    found = SearchFinished(query="Orrin mill", intent="raw", hits=2, fresh=1, topic="Who built it?")
    assert _told([found])[1:] == ["  query (raw): Orrin mill: 2 found, 1 new · Who built it?"]


@pytest.mark.parametrize(("title", "said"), [("Why?", ["Why?"]), ("", [])])
def test_a_title_is_told_at_once_where_there_is_one(title: str, said: list[str]) -> None:
    lines: list[str] = []
    Lines(title, lines.append)
    assert [line.partition("] ")[2] for line in lines] == said
