"""Who has streams open in one process: how many a user may have, and how long a key lasts."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from starlette.types import Scope

from quaere.domain.trace import Owner
from quaere.errors import QuaereError
from quaere.faces.server.refused import Refused
from quaere.store.db.database import Database
from quaere.store.keys import Keys

MOST_STREAMS = 200
"""Of one user. A page has one or two, a program one a run; a process holds some thousands."""
LOOK_S = 5.0
"""Seconds after which the keys of open streams are looked at again."""
CHAIR = "quaere.chair"
"""Of a scope: the `Chair` of the caller."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Crowd:
    """The open streams of a process."""

    most: int = MOST_STREAMS
    """Of one user."""
    taken: set[Chair] = field(default_factory=set["Chair"])
    streams: Counter[Owner] = field(default_factory=Counter[Owner])

    async def dismiss(
        self, database: Callable[[], Awaitable[Database]], *, every_s: float = LOOK_S
    ) -> None:
        """End the streams whose keys are revoked or expired, until cancelled."""
        while True:
            await asyncio.sleep(every_s)
            shown = frozenset(chair.key for chair in self.taken if chair.key)
            if not shown:
                continue
            try:
                invalid = shown - await Keys(await database()).valid(shown)
            except QuaereError as error:
                logger.info("the keys of open streams cannot be looked at: %s", error.message)
            else:
                self._dismiss(invalid)

    def _dismiss(self, keys: frozenset[str]) -> None:
        for chair in [each for each in self.taken if each.key in keys]:
            chair.dismiss()


@dataclass(slots=True, eq=False)
class Chair:
    """The right of one caller to one more stream."""

    crowd: Crowd
    owner: Owner
    key: str = ""
    """Id of the key that the caller has shown; empty without one."""
    _end: Callable[[], None] | None = None

    def check(self) -> None:
        """Raise Refused with 429 where the user has as many streams as one may have."""
        if self.crowd.streams[self.owner] >= self.crowd.most:
            message = f"You have {self.crowd.most} streams open; close one of them first."
            status = HTTPStatus.TOO_MANY_REQUESTS
            headers = {"Retry-After": "5"}
            raise Refused(status, "too_many_streams", message, retryable=True, headers=headers)

    def take(self, end: Callable[[], None]) -> None:
        """Count a stream that begins, and that ``end`` ends when its key is not valid any more."""
        self._end = end
        self.crowd.taken.add(self)
        self.crowd.streams[self.owner] += 1

    def leave(self) -> None:
        """Count a stream that has ended no longer."""
        self._end = None
        self.crowd.taken.discard(self)
        self.crowd.streams[self.owner] -= 1
        if not self.crowd.streams[self.owner]:
            del self.crowd.streams[self.owner]

    def dismiss(self) -> None:
        """End the stream."""
        if self._end:
            self._end()


def free() -> Chair:
    """Return the chair of a caller who does not say who it is, and has as many as it likes."""
    return Chair(Crowd(most=sys.maxsize), Owner())


def chair_of(scope: Scope) -> Chair:
    """Return the right of the caller to one more stream."""
    return cast("Chair | None", scope.get(CHAIR)) or free()
