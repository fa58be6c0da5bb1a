"""Questions that are asked again and again: at which times, and when each is asked next."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError
from pydantic import ValidationError
from sqlalchemy import RowMapping, delete, func, insert, select, update

from quaere.domain.request import RunRequest
from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.errors import NotAllowed, NotFound, UsageError
from quaere.store.db.database import Database, database_time, take_turn
from quaere.store.db.schema import owned_row, owner_columns, owner_is, schedules, value_of
from quaere.text.sanitize import quoted

logger = logging.getLogger(__name__)

FORMS = (
    "`every day 8:00`, `every monday 8:00`, `every monday and thursday 17:30`, `every weekday "
    "8:00`, `every month 8:00`, `every hour`, `every 6 hours`, or five fields of cron such as "
    "`0 8 * * 1`"
)
_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_EVERY = re.compile(r"every (?P<days>[a-z, ]+?)(?: at)? (?P<hour>\d{1,2}):(?P<minute>\d{2})")
_HOURS = re.compile(r"every (?:(?P<count>\d{1,2}) )?hours?")
_CRON = re.compile(r"\S+(?: \S+){4}")


class Timing(Value):
    """Times that come again and again, in a time zone."""

    text: str
    """As it was asked for."""
    cron: str
    zone: str

    @classmethod
    def of(cls, text: str, zone: str) -> Timing:
        """Return the times that ``text`` says, one of `FORMS`.

        Args:
            text: When.
            zone: Name of a time zone, such as ``Europe/Berlin``.

        Raises:
            UsageError: when it says no time, or there is no such zone.
        """
        words = " ".join(text.lower().split())
        try:
            ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise UsageError(f"There is no time zone {zone!r}.") from error
        cron = _cron(words)
        if cron is None:
            raise UsageError(f"Invalid times {text!r}. Use {FORMS}.")
        timing = cls(text=words, cron=cron, zone=zone)
        timing.after(datetime.now(UTC))
        return timing

    def after(self, moment: datetime) -> datetime:
        """Return the first of the times that comes after ``moment``, in UTC.

        A time that the clocks skip in spring comes when they have moved; one that they have twice
        in autumn comes once.

        Raises:
            UsageError: when none comes.
        """
        try:
            return next(CronSim(self.cron, moment.astimezone(ZoneInfo(self.zone)))).astimezone(UTC)
        except (CronSimError, StopIteration) as error:
            raise UsageError(f"Invalid times {self.text!r}. Use {FORMS}.") from error


def _cron(words: str) -> str | None:
    """Return ``words`` as five fields of cron."""
    if hours := _HOURS.fullmatch(words):
        count = int(hours["count"] or 1)
        return f"0 */{count} * * *" if 1 <= count <= 23 else None
    if found := _EVERY.fullmatch(words):
        at = f"{int(found['minute'])} {int(found['hour'])}"
        days = _days(re.split(r",? and |, ?", found["days"]))
        return days and f"{at} {days}"
    return words if _CRON.fullmatch(words) else None


def _days(names: list[str]) -> str | None:
    """Return the fields for day of the month, month, and day of the week."""
    if names == ["day"]:
        return "* * *"
    if names == ["weekday"]:
        return "* * 1-5"
    if names == ["month"]:
        return "1 * *"
    if all(name in _DAYS for name in names):
        return f"* * {','.join(str(_DAYS.index(name)) for name in names)}"
    return None


MAX_SCHEDULES = 100
"""Of one owner."""


class Schedule(Value):
    """A question that is asked again and again."""

    id: str
    owner: Owner
    timing: Timing
    request: RunRequest
    webhook: str | None
    """Address to which changes are reported."""
    next_at: datetime
    last_run: str | None
    """Id of the run that was submitted last."""
    baseline: str | None
    """Id of the last run before it that came to an answer."""
    error: str | None
    """Why the last one could not be submitted."""
    key_id: str | None = None
    """The API key that asked for it; None where none was needed."""

    @property
    def next_run(self) -> str:
        """Id of the run that is submitted next: the same, whichever process submits it."""
        return f"{self.id}-{self.next_at:%Y%m%dT%H%MZ}"


@dataclass(frozen=True, slots=True)
class Schedules:
    """The schedules of a database."""

    database: Database

    async def add(
        self,
        owner: Owner,
        request: RunRequest,
        timing: Timing,
        webhook: str | None = None,
        *,
        key_id: str | None = None,
    ) -> Schedule:
        """Have ``request`` asked at the times of ``timing``.

        Args:
            owner: Whose runs it brings.
            request: What is asked.
            timing: When.
            webhook: Address to which changes are reported.
            key_id: The API key that asks for it.

        Raises:
            UsageError: when none of them comes.
            NotAllowed: when ``owner`` has `MAX_SCHEDULES` already.
            StoreError: when it cannot be kept.
        """
        mine = select(func.count()).select_from(schedules).where(owner_is(schedules, owner))
        async with self.database.write() as connection:
            await take_turn(connection, "schedules", owner.user, owner.org)
            if (await connection.execute(mine)).scalar_one() >= MAX_SCHEDULES:
                raise NotAllowed(f"A user may have at most {MAX_SCHEDULES} scheduled questions.")
            now = await database_time(connection)
            values = {
                "id": secrets.token_hex(6),
                **owner_columns(owner),
                "timing": timing.text,
                "zone": timing.zone,
                "request": request.model_dump_json(exclude_defaults=True),
                "webhook": webhook,
                "key_id": key_id,
                "created_at": now,
                "next_at": timing.after(now),
            }
            adding = insert(schedules).values(values).returning(schedules)
            return _schedule((await connection.execute(adding)).mappings().one())

    async def listed(self, owner: Owner) -> tuple[Schedule, ...]:
        """Return the schedules of ``owner`` that can be read here, the oldest first.

        Raises:
            StoreError: when the database cannot be used.
        """
        mine = select(schedules).where(owner_is(schedules, owner))
        ordered = mine.order_by(schedules.c.created_at, schedules.c.id)
        return _readable(await self.database.rows(ordered))

    async def get(self, owner: Owner, schedule_id: str) -> Schedule:
        """Return one schedule.

        Raises:
            NotFound: when ``owner`` has none of that id.
            StoreError: when the database cannot be used.
        """
        row = await self.database.row(
            select(schedules).where(owned_row(schedules, owner, schedule_id))
        )
        if row is None:
            raise _missing(schedule_id)
        return _schedule(row)

    async def remove(self, owner: Owner, schedule_id: str) -> None:
        """Ask it no more; its runs stay.

        Raises:
            NotFound: when ``owner`` has none of that id.
            StoreError: when the database cannot be used.
        """
        mine = owned_row(schedules, owner, schedule_id)
        async with self.database.write() as connection:
            if not (await connection.execute(delete(schedules).where(mine))).rowcount:
                raise _missing(schedule_id)

    async def due(self) -> tuple[Schedule, ...]:
        """Return those whose time has come, and that can be read here.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            wanted = select(schedules).where(schedules.c.next_at <= await database_time(connection))
            rows = (await connection.execute(wanted)).mappings().all()
        return _readable(rows)

    async def advance(
        self, schedule: Schedule, *, baseline: str | None, error: str | None = None
    ) -> None:
        """Move on to its next time from now, unless another process has done so.

        Args:
            schedule: As it was when it was due.
            baseline: Id of the last run that came to an answer.
            error: Why it could not be submitted.

        Raises:
            StoreError: when the database cannot be used; it is then due again.
        """
        same = (schedules.c.id == schedule.id) & (schedules.c.next_at == schedule.next_at)
        async with self.database.write() as connection:
            values = {
                "next_at": schedule.timing.after(await database_time(connection)),
                "last_run": schedule.last_run if error else schedule.next_run,
                "baseline": baseline,
                "error": error,
            }
            await connection.execute(update(schedules).where(same).values(values))


def _missing(schedule_id: str) -> NotFound:
    return NotFound(f"There is no schedule {quoted(schedule_id)}.")


def _readable(rows: Iterable[RowMapping]) -> tuple[Schedule, ...]:
    """Return the schedules of ``rows`` that this process understands.

    A later version may have written the others, or a machine that knows more time zones. They stay
    due for a process that can read them, and hold up no other.
    """
    found: list[Schedule] = []
    for row in rows:
        try:
            found.append(_schedule(row))
        except UsageError as error:
            logger.warning("schedule %s cannot be read here: %s", row["id"], error.message)
        except ValidationError as error:
            places = {".".join(map(str, fault["loc"])) for fault in error.errors()}
            told = ", ".join(sorted(places))
            logger.warning("schedule %s cannot be read here: not understood: %s", row["id"], told)
    return tuple(found)


def _schedule(row: RowMapping) -> Schedule:
    timing = Timing.of(row["timing"], row["zone"])
    request = RunRequest.model_validate_json(row["request"])
    return value_of(row, Schedule, timing=timing, request=request)
