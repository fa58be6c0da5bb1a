"""What the key of a client of the service may do, and how much of it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_serializer

from quaere.domain.budget import Amount, ProfileName
from quaere.domain.trace import Owner
from quaere.domain.value import Outside, Value

Positive = Annotated[int, Field(ge=1)]


class Right(StrEnum):
    """A scope of a key."""

    RUN = "run"
    """Ask questions, and steer and delete one's own runs."""
    READ = "read"
    """Read one's own runs, conversations and folders."""
    CHECK = "check"
    """Have texts checked against their sources."""
    FOLDERS = "folders"
    """Create folders, upload files to them and delete them."""
    ADMIN = "admin"
    """Everything, and besides: issue keys for anybody, see the queue and everybody's usage."""


USER_RIGHTS = frozenset(Right) - {Right.ADMIN}
"""What a key may do unless it is issued with other scopes."""


class KeyLimits(Value):
    """Limits on the use of a key; ``None`` for no limit."""

    requests_per_minute: Positive | None = None
    runs_at_a_time: Positive | None = None
    """Runs of the owner that wait or are in progress."""
    runs_per_day: Positive | None = None
    """Runs of the owner that are begun on one day, in UTC."""
    usd_per_day: Amount | None = None
    """Dollars that the owner's runs and checks of one day take, in UTC."""
    highest_profile: ProfileName | None = None
    """The profile with the largest budget that a run may have, by `profile_rank`."""

    def within(self, profile: ProfileName) -> ProfileName:
        """Return ``profile``, or the highest that is allowed where that is below it."""
        return min(profile, self.highest_profile or profile, key=profile_rank)


UNLIMITED = KeyLimits()


class ApiKey(Value):
    """A key without its secret, which only its holder has. Times are in UTC."""

    id: str
    owner: Owner
    name: Annotated[Outside, Field(max_length=200)]
    prefix: str
    """The beginning of the secret, by which its holder can tell it from others."""
    scopes: frozenset[Right]
    limits: KeyLimits = UNLIMITED
    created_at: datetime
    last_used_at: datetime | None = None
    """To the minute."""
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    @field_serializer("scopes")
    def _in_order(self, scopes: frozenset[Right]) -> list[Right]:
        return sorted_rights(scopes)

    def is_valid(self, now: datetime) -> bool:
        """Return whether the key has neither been revoked nor expired by ``now``."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


_ASCENDING = (ProfileName.CHAT, ProfileName.SIMPLE, ProfileName.STANDARD, ProfileName.DEEP)


def profile_rank(profile: ProfileName) -> int:
    """Return the place of ``profile`` among all, from the smallest budget to the largest."""
    return _ASCENDING.index(profile)


def sorted_rights(rights: Collection[Right]) -> list[Right]:
    """Return ``rights`` in the order in which they are defined."""
    return [right for right in Right if right in rights]
