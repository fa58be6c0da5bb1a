"""What workers, servers and those who submit runs need of a service that brings runs to workers.

The database remembers, the carrier only carries: all that it holds can be lost or repeated, and
nothing is lost or done twice. That rests on these rules:

1. A run is written to the database before it is offered.
2. Whatever is not over is offered again by `Carrier.sweep`.
3. `Delivery.done` is called only after the transaction that ended the run under its fence.
4. A worker that is refused, because another has the run, calls neither `done` nor `back`: the
   delivery that either would settle may be the other's.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from quaere.store.db.database import Database
    from quaere.store.jobs import Job

QUEUE = "queue"
"""Subject of news: a run was submitted, or a place became free."""


class Delivery(Protocol):
    """A run that was brought to a worker, and assigned to it in the database."""

    @property
    def job(self) -> Job:
        """The run."""
        ...

    async def done(self) -> None:
        """Bring it to nobody any more: it has ended under the fence of this job.

        Raises:
            StoreError: when that cannot be said; it is brought again, and found to be over.
        """
        ...

    async def back(self) -> None:
        """Have it brought to another worker at once; the job was released.

        Raises:
            StoreError: when that cannot be said; it is brought to another one later.
        """
        ...


class Carrier(Protocol):
    """Brings submitted runs to workers, and news to all who wait for it."""

    @property
    def name(self) -> str:
        """Where it is, without secrets."""
        ...

    @property
    def database(self) -> Database:
        """Where the runs are."""
        ...

    @property
    def wakes(self) -> bool:
        """Whether `told` brings the news of other processes, so that nobody need look often."""
        ...

    async def check(self) -> None:
        """Return when it answers, as it would for a run.

        Raises:
            StoreError: when it cannot be used.
        """
        ...

    async def offer(self, run_id: str, priority: int) -> None:
        """Bring a run that is in the database to a worker. It does no harm to repeat this.

        Raises:
            StoreError: when that cannot be had; `sweep` offers it again.
        """
        ...

    async def take(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Delivery | None:
        """Return the next run, assigned to ``worker``; None when none is there.

        Args:
            worker: Name of the worker.
            lease_s: Seconds without `beat` after which it is brought to another worker.
            per_user: Maximum number of runs of one user in progress.

        Raises:
            StoreError: when the carrier or the database cannot be used.
        """
        ...

    async def due_s(self) -> float:
        """Return after how many seconds `take` may find a run that nobody tells of.

        That is one whose worker has died. Infinite when no worker has a run.

        Raises:
            StoreError: when the carrier or the database cannot be used.
        """
        ...

    async def beat(self, held: Sequence[Delivery], *, lease_s: float) -> None:
        """Say that the worker of these runs is alive.

        Raises:
            StoreError: when that cannot be said.
        """
        ...

    async def withdraw(self, run_id: str) -> None:
        """Bring a run to nobody any more that was cancelled.

        Raises:
            StoreError: when that cannot be said; it is brought, and found to be over.
        """
        ...

    async def sweep(self) -> bool:
        """Offer some of the runs again that are not over, each time the next ones.

        Returns:
            Whether much of it was lost, so that the next ones should be offered at once.

        Raises:
            StoreError: when the carrier or the database cannot be used.
        """
        ...

    async def tell(self, subjects: Collection[str]) -> None:
        """Tell all processes that there is news of these subjects, which may be lost.

        Raises:
            StoreError: when that cannot be said.
        """
        ...

    def news(self) -> AsyncGenerator[str]:
        """Yield the subjects that other processes have news of, and "" first: it listens now.

        Raises:
            StoreError: when the connection is lost.
        """
        ...

    async def aclose(self) -> None:
        """Close its connections."""
        ...
