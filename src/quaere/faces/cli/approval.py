"""Asks the user at the terminal what a run has to ask: which topics, and what is meant."""

from __future__ import annotations

import asyncio
import sys

from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.errors import UsageError
from quaere.faces.cli.terminal import say


def approved(strategy: Strategy | None) -> Strategy:
    """Return the strategy of a run with approval of its topics, which only a supervisor has.

    Raises:
        UsageError: when another one was asked for, or there is no terminal to ask at.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
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

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Show ``inquiry`` on standard error and return what is typed in."""
        if inquiry.kind is InquiryKind.CLARIFICATION:
            say(inquiry.text)
            return Reply(text=await _line("Your answer (Enter to skip): "))
        say("Proposed topics:")
        for number, topic in enumerate(inquiry.topics, 1):
            say(f"{number}. {topic}")
        typed = await _line("Enter to approve, numbers to keep (1,3), or other topics (a; b): ")
        return Reply(topics=chosen(typed, inquiry.topics))


def chosen(typed: str, topics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ``topics`` whose numbers were ``typed``, or the topics that were typed instead."""
    numbers = _parts(typed.replace(",", ";"))
    wanted = _parts(typed)
    if numbers and all(map(str.isdecimal, numbers)):
        wanted = [topics[n - 1] for n in map(int, numbers) if 0 < n <= len(topics)]
    return tuple(dict.fromkeys(wanted))


def _parts(text: str) -> list[str]:
    """Return the parts of ``text`` that semicolons separate."""
    return [part for part in map(str.strip, text.split(";")) if part]


async def _line(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return (await asyncio.to_thread(sys.stdin.readline)).strip()
