"""Asks the user at the terminal what a run has to ask: which topics, and what is meant."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.errors import UsageError
from quaere.faces.choosing import chosen
from quaere.faces.cli.terminal import at_terminal, say


def approved(strategy: Strategy | None) -> Strategy:
    """Return the strategy of a run with approval of its topics, which only a supervisor has.

    Raises:
        UsageError: when another one was asked for, or there is no terminal to ask at.
    """
    if not at_terminal():
        raise UsageError(
            "--approve-plan needs a terminal; standard input and standard error must be one."
        )
    if strategy is Strategy.LOOP:
        raise UsageError(
            "--approve-plan cannot be combined with --strategy loop: a loop has no topics."
        )
    return Strategy.SUPERVISOR


class AtTerminal:
    """A `quaere.ports.human.Human` who sits at the terminal."""

    def __init__(self, aside: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """Ask within ``aside()``, which takes away what is drawn on the terminal meanwhile."""
        self._aside = aside

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Show ``inquiry`` on standard error and return what is typed in."""
        with self._aside():
            return await self._reply(inquiry)

    async def _reply(self, inquiry: Inquiry) -> Reply:
        if inquiry.kind is InquiryKind.CLARIFICATION:
            say(inquiry.text)
            return Reply(text=await _line("Your answer (Enter to skip): "))
        say("Proposed topics:")
        for number, topic in enumerate(inquiry.topics, 1):
            say(f"{number}. {topic}")
        typed = await _line("Enter to approve, numbers to keep (1,3), or other topics (a; b): ")
        return Reply(topics=chosen(typed, inquiry.topics))


class NobodyThere:
    """A `quaere.ports.human.Human` where there is no terminal: the run goes on without a reply."""

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Say on standard error that ``inquiry`` is not answered; return an empty reply."""
        say(f"Nobody can be asked here; going on without an answer to: {inquiry.text}")
        return Reply()


async def _line(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return (await asyncio.to_thread(sys.stdin.readline)).strip()
