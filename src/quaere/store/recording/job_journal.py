"""The answers of a run that a worker makes, in the database."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import Self

from pydantic import ValidationError
from sqlalchemy import select

from quaere.errors import StoreError, StoreUnavailable, UsageError
from quaere.store.db.database import Database, insert_new, patiently
from quaere.store.db.schema import run_answers
from quaere.store.jobs import Job, count_anew, fenced
from quaere.store.recording.entries import RECORDED, Recorded

WAITS_S = (0.2, 1.0, 5.0, 10.0, 20.0)
"""How long it is waited before an answer is written again, while the database is not to be had.

An answer that is in hand is worth the wait: given up, it is asked and paid for again.
"""
SLOW_S = 0.5
"""After so long it is the database that a call was given up for."""

logger = logging.getLogger(__name__)


class JobJournal:
    """Keeps the answers of one job; a `quaere.store.recording.recording.JournalSink`."""

    def __init__(self, database: Database, job: Job, past: Mapping[int, Recorded]) -> None:
        """Continue after the answers ``past``, by their numbers; see `open`."""
        self.past = tuple(past.values())
        """What the run was told before, in order."""
        self._database = database
        self._job = job
        self._next = max(past, default=-1) + 1
        self._lock = asyncio.Lock()
        self._lost: StoreError | None = None
        self._counts_anew = job.attempt > 1

    @classmethod
    async def open(cls, database: Database, job: Job) -> Self:
        """Continue after the answers that are there.

        Raises:
            UsageError: when one of them cannot be read.
            StoreError: when the database cannot be used.
        """
        wanted = (
            select(run_answers.c.seq, run_answers.c.body)
            .where(run_answers.c.run_id == job.run_id)
            .order_by(run_answers.c.seq)
        )
        async with database.read() as connection:
            rows = (await connection.execute(wanted)).all()
        try:
            return cls(database, job, {seq: RECORDED.validate_json(body) for seq, body in rows})
        except ValidationError as error:
            raise UsageError(
                "The recorded replies are damaged or from another version of Quaere; ask again."
            ) from error

    def check(self) -> None:
        """Make sure that every answer was kept: what follows from one that was not is not either.

        Raises:
            TraceConflict: when the run was given to another worker, or is over.
            StoreError: what else kept an answer from being kept.
        """
        if self._lost:
            raise self._lost

    async def append(self, recorded: Recorded) -> None:
        """Keep ``recorded``; a database that is away is waited for.

        `check` tells when it could not be kept: nothing is from then on.
        """
        async with self._lock:
            if self._lost:
                return
            # Never used again: a write that seemed to fail may have been done.
            seq, self._next = self._next, self._next + 1
            began = time.monotonic()
            try:
                await patiently(partial(self._keep, seq, recorded), WAITS_S, self._waits)
            except StoreError as error:
                self._lost = error
            except asyncio.CancelledError:
                if time.monotonic() - began > SLOW_S:
                    # The run takes the call for one without an answer, and has the database to
                    # blame for it.
                    self._lost = StoreUnavailable("The database took too long to keep an answer.")
                raise

    def _waits(self, why: str) -> None:
        logger.warning("an answer of run %s waits: %s", self._job.run_id, why)

    async def _keep(self, seq: int, recorded: Recorded) -> None:
        row = {"run_id": self._job.run_id, "seq": seq, "body": recorded.model_dump_json()}
        # It outlives this process at once, and the machine with the next step's events.
        async with self._database.write(durable=False) as connection:
            await fenced(connection, self._job)
            await insert_new(connection, run_answers, [row])
            if self._counts_anew:  # what kills its workers does so before a further answer
                await count_anew(connection, self._job)
        self._counts_anew = False
