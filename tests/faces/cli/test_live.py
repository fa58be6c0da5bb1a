"""The live view, frame by frame."""

from __future__ import annotations

import io
import unicodedata
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.spinner import Spinner
from tests.faces.cli import samples

from quaere.domain.events import (
    Event,
    IndexProgress,
    Phase,
    PhaseStarted,
    RunStarted,
    SearchFinished,
    SentenceDrafted,
    SentenceWritten,
)
from quaere.domain.report import Sentence
from quaere.faces.cli.live import ANSWER_CHARS, QUERIES_SHOWN, LiveView, frame
from quaere.view.reduce import Progress


def _shown(
    progress: Progress, *, title: str = "a question", elapsed_s: float = 0.0, width: int = 100
) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(frame(title, progress, elapsed_s, Spinner("dots")))
    return captured.get()


def _after(events: list[Event]) -> Progress:
    return reduce(Progress.after, events, Progress())


def test_the_first_frame_needs_no_event() -> None:
    assert "a question" in _shown(Progress())


def test_a_frame_tells_all_that_a_watcher_asks_for() -> None:
    shown = _shown(_after(samples.events()), elapsed_s=30)
    assert "indexing › searching › reading › planning › evaluating" in shown
    assert "loop 2 of 5" in shown
    assert "3 of 3 files" in shown
    assert "mill Orrin" in shown
    assert "6 hits, 6 new" in shown
    assert "failed" in shown
    assert "✓ who built the mill" in shown
    assert "◐ when it was built" in shown
    assert "✗ what it milled" in shown
    assert "6 found, 5 read, 1 refused · 1 warning" in shown
    assert "left: 60 s, 7 queries, 150,000 tokens" in shown


def test_time_that_is_left_never_goes_below_zero() -> None:
    assert "left: 0 s" in _shown(_after(samples.events()), elapsed_s=1e6)


@pytest.mark.parametrize("phase", [Phase.INDEXING, Phase.READING, Phase.VERIFYING])
def test_the_stage_that_goes_on_stands_out(phase: Phase) -> None:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    at = next(n for n, event in enumerate(samples.events()) if event.phase is phase)
    with console.capture() as captured:
        console.print(frame("", _after(samples.events()[: at + 1]), 0, Spinner("dots")))
    assert f"\x1b[1;36m{phase}" in captured.get()


def test_only_the_latest_queries_are_shown() -> None:
    started = samples.events()[0]
    searches = [
        SearchFinished(query=f"query {n}.", intent="gap", hits=n, fresh=0) for n in range(20)
    ]
    shown = _shown(_after([started, *searches]))
    assert [n for n in range(20) if f"query {n}." in shown] == list(range(20 - QUERIES_SHOWN, 20))


@settings(max_examples=30, deadline=None)
@given(st.text())
def test_text_of_sources_can_neither_command_the_terminal_nor_style_itself(text: str) -> None:
    hostile = f"\x1b[2J\x9b31m[red]{text}\r\x07\u202e"
    shown = _shown(_after(samples.events(hostile)))
    assert "[red]" in shown
    assert {c for c in shown if unicodedata.category(c) in {"Cc", "Cs"}} <= {"\n"}


def test_the_view_draws_while_it_goes_on_and_takes_itself_away() -> None:
    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=True, width=100)
    view = LiveView("a question", console)
    for event in samples.events():
        view.show(event)
    with view.aside():
        drawn.write("somebody asks")
    view.end()
    output = drawn.getvalue()
    before, _, _ = output.partition("somebody asks")
    assert before.endswith("\x1b[2K"), "nothing is drawn where somebody asks"
    assert output.index("a question") < output.index("evaluating")
    assert output.rstrip("\n").endswith("\x1b[2K")  # the last line it drew is erased
    assert output.count("\x1b[?25l") == output.count("\x1b[?25h") == 2  # the cursor comes back


def test_the_answer_is_shown_as_it_is_written_and_checked() -> None:
    drafts = [SentenceDrafted(text=f"Draft {n}.") for n in (1, 2)]
    written = SentenceWritten(text="Draft 1. [1]", sentence=Sentence(text="Draft 1."))
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    with console.capture() as captured:
        console.print(
            frame("", _after([samples.events()[0], *drafts, written]), 2, Spinner("dots"), 7)
        )
    shown = captured.get()
    assert "Draft 1. [1]" in shown
    assert "\x1b[2mDraft 2." in shown, "in grey until it is checked"
    assert shown.count("Draft 1.") == 1
    assert "7 s passed" in shown


def test_bold_words_are_bold_in_what_is_checked_and_in_drafts() -> None:
    drafts = [SentenceDrafted(text=f"It has **{word}** arches.") for word in ("three", "four")]
    written = SentenceWritten(
        text="It has **three** arches. [1]", sentence=Sentence(text="It has **three** arches.")
    )
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    with console.capture() as captured:
        progress = _after([samples.events()[0], *drafts, written])
        console.print(frame("", progress, 2, Spinner("dots")))
    shown = captured.get()
    assert "**" not in shown
    assert "\x1b[1mthree\x1b[0m" in shown
    assert "\x1b[1;2mfour\x1b[0m" in shown


def test_drafts_that_are_written_anew_replace_those_before() -> None:
    begun = PhaseStarted(phase=Phase.SYNTHESIZING, remaining=samples.remaining(9))
    shown = _shown(_after([SentenceDrafted(text="Old."), begun, SentenceDrafted(text="New.")]))
    assert "New." in shown
    assert "Old." not in shown


def test_of_a_long_answer_the_end_is_shown() -> None:
    shown = _shown(_after([SentenceDrafted(text=f"Sentence {n}.") for n in range(500)]))
    assert "Sentence 499." in shown
    assert "Sentence 1." not in shown


@pytest.mark.parametrize("more", [0, 1])
def test_an_answer_is_shown_whole_up_to_eight_hundred_characters(more: int) -> None:
    shown = "".join(_shown(_after([SentenceDrafted(text="x" * (ANSWER_CHARS + more))])).split())
    assert shown.count("x") == ANSWER_CHARS
    assert ("…" in shown) is bool(more)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_shows_every_stage_and_all_that_is_left(width: int) -> None:
    shown = _shown(_after(samples.events()), width=width)
    assert max(map(len, shown.splitlines())) <= width
    assert _shown(Progress(), title="mill " * 40, width=width).count("\n") == 1
    words = " ".join(shown.split())
    assert "indexing › searching › reading › planning › evaluating" in words
    assert "verifying loop 2 of 5" in words
    assert "7 queries, 150,000 tokens" in words


def test_before_the_first_stage_the_whole_budget_is_left() -> None:
    started = samples.events()[0]
    assert isinstance(started, RunStarted)
    budget = started.budget
    shown = _shown(_after([started]), elapsed_s=3)
    left = budget.max_execution_time_s - 3
    assert f"left: {left:.0f} s, {budget.max_queries} queries, {budget.token_budget:,}" in shown
    assert "0 found, 0 read, 0 refused · 3 s passed" in shown
    assert "loop" not in shown
    assert "\n  indexing › searching" in shown


def test_what_has_not_happened_is_not_shown() -> None:
    assert _shown(Progress()).split()[1:] == ["a", "question"]
    folder = IndexProgress(phase=Phase.INDEXING, folder="notes", done=0, total=0, passages=0)
    assert "0 of 0 files" in _shown(_after([folder]))


def test_a_new_stage_and_a_new_sentence_are_drawn_at_once() -> None:
    drawn = io.StringIO()
    view = LiveView("a question", Console(file=drawn, force_terminal=True, width=100))
    view.show(samples.events()[0])
    for event, words in (
        (SentenceDrafted(text="Draft 1."), "Draft 1."),
        (PhaseStarted(phase=Phase.READING, remaining=samples.remaining(77)), "77 queries"),
        (
            SentenceWritten(text="Draft 1. [9]", sentence=Sentence(text="Draft 1.")),
            "Draft 1. [9]",
        ),
    ):
        view.show(event)
        assert words in drawn.getvalue()
    view.end()
