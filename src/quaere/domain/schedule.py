"""When a question is asked again: in words, or as a line of cron."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from quaere.domain.value import Value
from quaere.errors import UsageError

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
