"""Submits scheduled questions when their times come.

Any process of a database does it. The id of a run says which time of which schedule it is for, and
a run is added once under an id: so each time brings one run, however many processes there are, and
whenever one of them dies. Times at which no process was alive bring one run together.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.request import Listener, RunRequest, RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import NotAllowed, QuaereError, StoreError, TraceNotFound
from quaere.store.keys import Keys
from quaere.store.schedules import Schedule, Schedules, Timing
from quaere.store.traces.traces import Traces

if TYPE_CHECKING:
    from quaere.runtime.app import App
    from quaere.store.db.database import Database

LOOKS_S = 10.0
"""How often a process looks whether a time has come."""

logger = logging.getLogger(__name__)


async def add_schedule(
    app: App,
    owner: Owner,
    request: RunRequest,
    timing: Timing,
    *,
    webhook: str | None = None,
    key_id: str | None = None,
) -> Schedule:
    """Have ``request`` asked at the times of ``timing``, without keys that somebody typed.

    Args:
        app: The process.
        owner: Whose runs it brings.
        request: What is asked.
        timing: When.
        webhook: Address to which changes are reported.
        key_id: The API key that asks for it: its limits hold for the runs, and none comes once it
            is no longer valid.

    Raises:
        UsageError: when it cannot be asked like this, or nobody may be told there.
        SettingsError: when it must be reported, and there is no key to sign it.
        NotAllowed: when the owner has too many already, or the key never allows such a run.
        StoreError: when it cannot be kept.
    """
    from quaere.runtime.admission import allowed
    from quaere.runtime.engine import checked_question
    from quaere.runtime.webhooks import checked
    from quaere.runtime.wiring import settle, settled_of

    checked_question(request)
    if webhook:
        checked(app.settings, webhook)
    spec = await asyncio.to_thread(settle, app.resources, RunSpec(request=request, owner=owner))
    database = await app.database()
    limits = await _limits(database, key_id)
    await allowed(settled_of(spec), limits, owner, app.settings.operator_limits, app.database)
    return await Schedules(database).add(owner, spec.request, timing, webhook, key_id=key_id)


async def ask_scheduled(app: App) -> None:
    """Submit what is due, until cancelled."""
    while True:
        try:
            await submit_due(app)
        except StoreError as error:
            logger.info("scheduled questions wait for the database: %s", error.message)
        await asyncio.sleep(LOOKS_S)


async def submit_due(app: App) -> tuple[str, ...]:
    """Submit the questions whose times have come; return the ids of the runs.

    Raises:
        StoreError: when the database cannot be used; what is left is still due.
    """
    database = await app.database()
    schedules = Schedules(database)
    submitted: list[str] = []
    for schedule in await schedules.due():
        baseline = await _baseline(app, schedule)
        try:
            limits = await _limits(database, schedule.key_id)
            await app.submit(_spec(app, schedule, baseline), schedule.owner, limits=limits)
        except StoreError:
            raise
        except QuaereError as error:  # such as a folder that is gone
            logger.warning("schedule %s: %s", schedule.id, error.message)
            await schedules.advance(schedule, baseline=baseline, error=error.message)
        else:
            await schedules.advance(schedule, baseline=baseline)
            submitted.append(schedule.next_run)
    return tuple(submitted)


async def _limits(database: Database, key_id: str | None) -> KeyLimits:
    """Return what the key allows that asked for a schedule.

    Raises:
        NotAllowed: when it is no longer valid.
    """
    if not key_id:
        return UNLIMITED
    key = await Keys(database).get(key_id)
    if key is None:
        raise NotAllowed("The key that it was scheduled with is no longer valid.")
    return key.limits


def _spec(app: App, schedule: Schedule, baseline: str | None) -> RunSpec:
    own = app.settings.webhook_url
    url = schedule.webhook or (own.get_secret_value() if own else None)
    return RunSpec(
        request=schedule.request.model_copy(update={"approve_plan": False}),  # nobody is there
        run_id=schedule.next_run,
        owner=schedule.owner,
        listener=Listener(url=url, compared_to=baseline) if url else None,
    )


async def _baseline(app: App, schedule: Schedule) -> str | None:
    """Return the id of the last run that came to an answer."""
    if schedule.last_run is None:
        return None
    try:
        last = await Traces(await app.database()).get_trace(schedule.owner, schedule.last_run)
    except TraceNotFound:
        return schedule.baseline
    return last.id if last.status is TraceStatus.COMPLETED else schedule.baseline
