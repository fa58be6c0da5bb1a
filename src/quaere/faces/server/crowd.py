"""How many streams one user may have open in one process."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from starlette.types import Scope

from quaere.domain.trace import Owner
from quaere.faces.server.refused import Refused

MOST_STREAMS = 200
"""Of one user. A page has one or two, a program one a run; a process holds some thousands."""
CHAIR = "quaere.chair"
"""Of a scope: the `Chair` of the caller; none where callers do not say who they are."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """The open streams of a process, by user."""

    most: int = MOST_STREAMS
    open: Counter[Owner] = field(default_factory=Counter[Owner])


@dataclass(frozen=True, slots=True)
class Chair:
    """The right of one user to one more stream."""

    crowd: Crowd
    owner: Owner

    def check(self) -> None:
        """Raise Refused with 429 where the user has as many streams as one may have."""
        if self.crowd.open[self.owner] >= self.crowd.most:
            message = f"You have {self.crowd.most} streams open; close one of them first."
            status = HTTPStatus.TOO_MANY_REQUESTS
            headers = {"Retry-After": "5"}
            raise Refused(status, "too_many_streams", message, retryable=True, headers=headers)

    def take(self) -> None:
        """Count a stream that begins."""
        self.crowd.open[self.owner] += 1

    def leave(self) -> None:
        """Count a stream that has ended no longer."""
        self.crowd.open[self.owner] -= 1
        if not self.crowd.open[self.owner]:
            del self.crowd.open[self.owner]


_FREE = Chair(Crowd(most=sys.maxsize), Owner())


def chair_of(scope: Scope) -> Chair:
    """Return the right of the caller to one more stream."""
    return cast("Chair", scope.get(CHAIR, _FREE))
