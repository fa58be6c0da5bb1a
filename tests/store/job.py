"""A run as it is assigned to its first worker."""

from __future__ import annotations

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner
from quaere.store.jobs import Job


def first_job(spec: RunSpec, *, attempt: int = 1) -> Job:
    """Return the job of ``spec``."""
    return Job(
        spec=spec,
        owner=Owner(),
        fence=attempt,
        attempt=attempt,
        left_s=None,
        finish=False,
        taken_over=False,
        fresh=attempt == 1,
    )
