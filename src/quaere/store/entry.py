"""A run on its way into the queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from pydantic import JsonValue

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, Trace
from quaere.store.traces.rows import asked


@dataclass(frozen=True, slots=True)
class Entry:
    """A run that will be added to the queue."""

    trace: Trace
    spec: RunSpec
    priority: int
    deadline: datetime | timedelta | None

    @classmethod
    def of(
        cls,
        owner: Owner,
        spec: RunSpec,
        *,
        params: Mapping[str, JsonValue],
        priority: int = 0,
        deadline: datetime | timedelta | None = None,
    ) -> Self:
        """Return what `Jobs.submit` adds for the same arguments.

        Raises:
            UsageError: when the id is too long or not printable.
        """
        return cls(
            asked(owner, params, tool=spec.tool, trace_id=spec.run_id), spec, priority, deadline
        )

    def added(self, now: datetime) -> Self:
        """Return it with the time at which it is added, which its deadline may count from."""
        late = now + self.deadline if isinstance(self.deadline, timedelta) else self.deadline
        trace = self.trace.model_copy(update={"created_at": now})
        return replace(self, trace=trace, deadline=late)

    @property
    def row(self) -> Mapping[str, object]:
        """The row of the table of jobs, of one that has the time at which it is added."""
        return {
            "run_id": self.trace.id,
            "request": self.spec.model_dump_json(exclude_defaults=True),
            "user_id": self.trace.user_id,
            "priority": self.priority,
            "queued_at": self.trace.created_at,
            "deadline": self.deadline,
            "webhook": self.spec.listener and self.spec.listener.url,
            "compared_to": self.spec.listener and self.spec.listener.compared_to,
        }
