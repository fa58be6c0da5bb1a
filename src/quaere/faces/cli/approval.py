"""Asks whoever sits at the terminal what a run has to ask."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.errors import UsageError
from quaere.faces.cli.terminal import say
from quaere.runtime.engine import Engine


def check_terminal() -> None:
    """Make sure that somebody can be asked.

    Raises:
        UsageError: when standard input or standard error is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("--approve-plan asks at a terminal, and this is none. Leave it out.")


def consulting(engine: Engine) -> Engine:
    """Return ``engine`` with its topics shown for approval, and questions asked back."""
    allowed = {"approve_plan": True, "allow_clarification": True}
    configuration = engine.configuration.model_copy(update=allowed)
    return replace(engine, configuration=configuration, human=Terminal())


class Terminal:
    """The person at the terminal."""

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Show ``inquiry`` on standard error and return what is typed in."""
        if inquiry.kind is InquiryKind.CLARIFICATION:
            say(inquiry.text)
            return Reply(text=await _line("Answer, or nothing: "))
        say("Topics to be researched:")
        for number, topic in enumerate(inquiry.topics, 1):
            say(f"  {number}. {topic}")
        typed = await _line("Enter to go on, numbers to keep (1,3), or other topics (a; b): ")
        return Reply(topics=chosen(typed, inquiry.topics))


def chosen(typed: str, topics: tuple[str, ...]) -> tuple[str, ...]:
    """Return what ``typed`` makes of ``topics``: those of its numbers, or others; none for none."""
    parts = [part.strip() for part in typed.replace(",", ";").split(";") if part.strip()]
    if parts and all(part.isdecimal() for part in parts):
        kept = [int(part) for part in parts]
        return tuple(dict.fromkeys(topics[n - 1] for n in kept if 0 < n <= len(topics)))
    return tuple(dict.fromkeys(part for part in map(str.strip, typed.split(";")) if part))


async def _line(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return (await asyncio.to_thread(sys.stdin.readline)).strip()
