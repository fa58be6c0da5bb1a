"""The user, where a run has to ask something back."""

from __future__ import annotations

from typing import Protocol

from quaere.domain.team import Inquiry, Reply


class Human(Protocol):
    """Somebody who replies to the inquiries of a run.

    Like every other port it is recorded: a run that is resumed is given the replies it already had,
    and nobody is asked the same inquiry twice.
    """

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Wait for the reply to ``inquiry`` and return it.

        The wait does not count as time of the run. An empty reply approves what was proposed, or
        declines to clarify. Of a caller's own, the reply is read as `Inquiry.meant` does: text
        stands for what is typed at a terminal, and one that wants none of the topics ends the run.

        Raises:
            UsageError: when nobody can be asked.
        """
        ...
