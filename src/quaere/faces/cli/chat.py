"""``quaere chat``: Ask follow-up questions in one conversation."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, cast

import typer

from quaere.errors import QuaereError, UsageError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import journal, watching
from quaere.faces.cli.groups import (
    Answer,
    Effort,
    Sources,
    grouped,
    question_of,
    request_fields,
)
from quaere.faces.cli.options import add_commands
from quaere.faces.cli.terminal import complain, emit, say

if TYPE_CHECKING:
    from quaere.domain.question import Turn
    from quaere.domain.report import Report
    from quaere.runtime.app import App
    from quaere.runtime.settings import Settings

PROMPT = "\n› "
WELCOME = "Ask a question; a follow-up may refer to it. Ctrl-C stops an answer, Ctrl-D ends."


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    add_commands(app, chat=grouped(chat))


def chat(
    *,
    sources: Sources,
    answer: Answer,
    effort: Effort,
    quiet: options.Quiet = False,
) -> None:
    """Ask follow-up questions in one conversation.

    A question is read from each line of standard input. The run that answers it knows what was
    asked and answered before, and searches what was read for the last answer as well. Options that
    cannot be used end it before the first question. Otherwise the exit code is 0 at the end of the
    input, whether or not the questions were answered.
    """
    fields = request_fields("", sources, answer, effort)
    from quaere.faces.cli.running import settle

    settings = settle()
    talk = Conversation(settings, fields, quiet=quiet)
    with asyncio.Runner() as runner:  # one loop: what the App holds outlives an answer
        try:
            runner.run(talk.begin())
            if sys.stdin.isatty():
                say(WELCOME)
            for question in _questions():
                try:
                    emit(runner.run(talk.answered(question)))
                except QuaereError as error:
                    complain(error.message)
                except KeyboardInterrupt:
                    complain("stopped; ask something else, or end with Ctrl-D.")
        finally:
            runner.run(talk.end())
    raise typer.Exit(ExitCode.ANSWERED)


NO_QUESTION = re.compile(r"/\w*|\?|help", re.IGNORECASE)
"""What people type who look for commands, of which there are none."""
LEAVING = frozenset({"exit", "quit", "/exit", "/quit", ":q", "bye", "goodbye"})
"""What people type to leave a program."""


def _questions() -> Iterator[str]:
    """Yield the lines that are typed, or come from a file, until they end or one of them leaves."""
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        for line in _typed() if typed else iter(sys.stdin.readline, ""):
            question = line.strip()
            if question.lower() in LEAVING:
                return
            if NO_QUESTION.fullmatch(question):
                say(WELCOME)
            elif question:
                yield question_of([question])
    except (EOFError, KeyboardInterrupt):
        if typed:  # the shell's prompt begins on a line of its own
            say("")


def _typed() -> Iterator[str]:
    with suppress(ImportError):  # Windows has none
        # Gives `input` a history and keys to move by. Lines that are pasted are one question.
        import_module("readline").parse_and_bind("set enable-bracketed-paste on")
    while True:
        try:
            line = input(PROMPT)
        except KeyboardInterrupt:  # often meant for an answer that has just ended
            say("")
            complain("end with Ctrl-D.")
            continue
        yield line


@dataclass(slots=True)
class Conversation:
    """Questions and answers over one App, each with those before it."""

    settings: Settings
    fields: Mapping[str, object]
    """What every request says."""
    quiet: bool = False
    turns: list[Turn] = field(default_factory=list["Turn"])
    last_run: str | None = None
    """The run whose sources the next question searches, too."""
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _app: App | None = None

    async def begin(self) -> None:
        """Open what all answers share.

        Raises:
            QuaereError: when a setting or an option cannot be used, such as a folder, whatever is
                asked.
        """
        from quaere.domain.request import RunRequest, RunSpec
        from quaere.runtime.app import App
        from quaere.runtime.wiring import assemble, settle

        self.turns.extend(cast("tuple[Turn, ...]", self.fields["conversation"]))
        self._app = await self._stack.enter_async_context(App.open(self.settings))
        resources, spec = self._app.resources, RunSpec(request=RunRequest.of(**self.fields))
        await asyncio.to_thread(lambda: assemble(resources, settle(resources, spec)))

    async def end(self) -> None:
        """Close it."""
        await self._stack.aclose()

    async def answered(self, question: str) -> str:
        """Return the answer to ``question`` as text, and remember it.

        Raises:
            QuaereError: when the run comes to no report.
        """
        from quaere.faces.cli.output import console_for
        from quaere.faces.cli.render import rendered_turn
        from quaere.text.asking_again import asks_on_what

        report = await self._report(question)
        self._remember(question, report)
        return rendered_turn(report, console_for(sys.stdout), grounds=asks_on_what(question))

    async def _report(self, question: str) -> Report:
        from quaere.domain.question import MAX_TURNS
        from quaere.domain.request import RunRequest
        from quaere.faces.cli.running import follow

        if self._app is None:
            raise UsageError("The conversation has not started yet.")
        said = {"question": question, "conversation": tuple(self.turns[-MAX_TURNS:])}
        said |= {"continues": self.last_run, "approve_plan": False}
        request = RunRequest.of(**{**self.fields, **said})
        run = await self._app.start(request)
        with journal(None) as note, watching(question, quiet=self.quiet) as watcher:
            report = await follow(run, watcher, note, quiet=self.quiet)
        run.settle()
        return report

    def _remember(self, question: str, report: Report) -> None:
        from quaere.domain.question import Turn

        self.turns.append(Turn(question=question, answer=report.answer))
        if report.evidence and self.settings.trace and self.settings.stores_all:
            self.last_run = report.run_id
