"""The live view of a run: stages, queries, sources, checklist and what is left of the budget."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from quaere.domain.budget import Budget
from quaere.domain.events import Event, IndexProgress, SearchFinished
from quaere.domain.question import Checklist
from quaere.faces.cli.render import ITEM_STYLES, answer_line
from quaere.synthesize.inert import visible
from quaere.synthesize.wording import counted
from quaere.view.describe import ITEM_MARKS
from quaere.view.reduce import STAGES, Progress

QUERIES_SHOWN = 6
ANSWER_CHARS = 800
"""Of the answer, its end, that are shown while it is written: some ten lines."""
FRAMES_PER_SECOND = 10
"""Enough for a spinner to turn; a new stage is shown without waiting for the next frame."""


class LiveView:
    """Draws on standard error, and takes itself away at the end."""

    def __init__(self, title: str, console: Console) -> None:
        self._title = title
        self._progress = Progress()
        self._told = 0
        self._begun = self._started = monotonic()
        self._spinner = Spinner("dots")
        self._console = console
        self._live = self._begun_view()

    def _begun_view(self) -> Live:
        live = Live(
            get_renderable=self._frame,
            console=self._console,
            refresh_per_second=FRAMES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=True,  # a warning goes above the view, and does not tear it
        )
        live.start(refresh=True)
        return live

    def show(self, event: Event) -> None:
        """Take in ``event``, the next one."""
        progress = self._progress.after(event)
        if self._progress.budget is None and progress.budget is not None:
            self._started = monotonic()
        told = len(progress.written) + len(progress.drafted)
        entered = progress.stage is not self._progress.stage or told > self._told
        self._progress, self._told = progress, told
        if entered:
            self._live.refresh()

    @contextmanager
    def aside(self) -> Generator[None]:
        """Take the view away within, and stop its clock; for good where an error leaves it."""
        began = monotonic()
        self._live.stop()
        yield
        self._started += monotonic() - began
        # Another one: the one that was there would take away as many lines of what was said.
        self._live = self._begun_view()

    def end(self) -> None:
        """Take the view away."""
        self._live.stop()

    def _frame(self) -> Group:
        # Drawn by a thread of rich's as well: the progress is taken once, and never changes.
        now = monotonic()
        return frame(
            self._title, self._progress, now - self._started, self._spinner, now - self._begun
        )


def live_view(title: str) -> LiveView | None:
    """Return a live view on standard error, or None where the terminal cannot move its cursor."""
    console = Console(stderr=True, highlight=False)
    return LiveView(title, console) if console.is_interactive else None


def frame(
    title: str, progress: Progress, elapsed_s: float, spinner: Spinner, waited_s: float = 0.0
) -> Group:
    """Return what the view shows ``elapsed_s`` seconds after the run began.

    The user has waited for ``waited_s`` seconds, and for those before it began.
    """
    parts: list[RenderableType] = [_heading(title, spinner)]
    if progress.budget is not None:
        parts.append(_stages(progress))
    if progress.indexing is not None:
        parts.append(_indexing(progress.indexing))
    if progress.searches:
        parts.append(_searches(progress.searches))
    if progress.checklist.items:
        parts.append(_checklist(progress.checklist))
    if progress.written or progress.drafted:
        parts.append(_answer(progress))
    if progress.budget is not None:
        parts.append(_figures(progress, progress.budget, elapsed_s, waited_s))
    return Group(*parts)


def _heading(title: str, spinner: Spinner) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column()
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_row(spinner, Text(title, style="bold"))
    return table


def _stages(progress: Progress) -> Padding:
    line = Text()
    for number, stage in enumerate(STAGES):
        line.append(" › " if number else "", style="dim")
        line.append(stage, style="bold cyan" if stage is progress.stage else "dim")
    if progress.loop:
        line.append(f"   loop {progress.loop} of {progress.max_loops}")
    return Padding(line, (0, 0, 0, 2))


def _indexing(indexing: IndexProgress) -> Table:
    table = Table.grid(padding=(0, 2))
    for _ in range(4):
        table.add_column(no_wrap=True)
    files = f"{indexing.done:,} of {indexing.total:,} files"
    bar = ProgressBar(total=max(indexing.total, 1), completed=indexing.done, width=24)
    table.add_row("", bar, files, f"{indexing.passages:,} passages")
    return table


def _searches(searches: tuple[SearchFinished, ...]) -> Table:
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(no_wrap=True, justify="right", min_width=16)
    for search in searches[-QUERIES_SHOWN:]:
        outcome = Text(f"{counted(search.hits, 'hit')}, {search.fresh} new")
        if search.error:
            outcome = Text("failed", style="red")
        table.add_row(Text(f"  {visible(search.query)}"), search.intent, outcome)
    return table


def _checklist(checklist: Checklist) -> Text:
    lines = Text(no_wrap=True, overflow="ellipsis")
    for item in checklist.items:
        mark, style = ITEM_MARKS[item.status], ITEM_STYLES[item.status]
        lines.append(f"  {mark} ", style=style).append(f"{visible(item.description)}\n")
    lines.rstrip()
    return lines


def _answer(progress: Progress) -> Padding:
    """Return the sentences that passed, and in grey those that are yet to be checked.

    The latest words alone where all of it would not fit a screen.
    """
    text = Text()
    for sentence in progress.written:
        text.append_text(answer_line(sentence)).append(" ")
    for draft in progress.drafted[len(progress.written) :]:
        drafted = answer_line(draft)
        drafted.stylize("dim")
        text.append_text(drafted).append(" ")
    text.rstrip()
    if len(text) > ANSWER_CHARS:
        text = Text.assemble("… ", text[-ANSWER_CHARS:])
    return Padding(text, (0, 0, 0, 2))


def _figures(progress: Progress, budget: Budget, elapsed_s: float, waited_s: float) -> Padding:
    parts = [f"{progress.found} found, {progress.read} read, {progress.refused} refused"]
    if progress.warnings:
        parts.append(counted(progress.warnings, "warning"))
    left = progress.remaining
    queries = left.queries if left else budget.max_queries
    tokens = left.tokens if left else budget.token_budget
    seconds = max(0.0, budget.max_execution_time_s - elapsed_s)
    parts.append(f"{max(elapsed_s, waited_s):.0f} s passed")
    parts.append(f"left: {seconds:.0f} s, {queries} queries, {tokens:,} tokens")
    return Padding(Text(" · ".join(parts), style="dim"), (0, 0, 0, 2))
