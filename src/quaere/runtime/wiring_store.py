"""From settings to the database of traces, and to the folder of those on their way into it."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from quaere.errors import SettingsError, TraceConflict
from quaere.runtime.settings import Settings
from quaere.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from quaere.domain.trace import Owner
    from quaere.store.carriers import Carrier
    from quaere.store.db.database import Database
    from quaere.store.traces.traces import Traces

DATABASE_FILE = "quaere.db"
"""File of the database in the data folder."""
_URL = re.compile(r"(?P<scheme>[a-z]+)(?:\+\w+)?://(?P<place>[^?]*)")
_PORT = lazy_regex(r":\d+$")


def spool_folder(settings: Settings) -> Path:
    """Return where commands write what they research, until the database takes it in."""
    return settings.data_folder / "events"


def database_name(settings: Settings) -> str:
    """Return what tells the database of the settings from others: neither user nor password.

    Empty for the file in the data folder. By this the spool knows whose each of its files is.
    """
    url = settings.database_url.get_secret_value() if settings.database_url else ""
    found = _URL.match(url)
    if found is None:
        return url and "(not valid)"
    if found["scheme"] == "sqlite":
        path = Path(found["place"].removeprefix("/")).absolute()
        return "" if path == settings.data_folder / DATABASE_FILE else f"sqlite:///{path}"
    host, _, name = found["place"].rpartition("@")[2].partition("/")
    port = "" if _PORT.search(host) else ":5432"
    return f"postgresql://{host.lower()}{port}/{name}"


def runs_folder(settings: Settings) -> Path:
    """Return where the files of runs are that can be resumed."""
    return settings.data_folder / "runs"


def forget_run(settings: Settings, run_id: str) -> None:
    """Delete the file that the run called ``run_id`` could be resumed from, if it has one."""
    from quaere.store.recording.run_file import RunFile

    folder = runs_folder(settings)
    path = folder / f"{run_id}.run"
    if path.parent == folder:  # a trace may be called anything, "../x" too
        RunFile.discard(path)


def check_not_being_made(settings: Settings, *, run_id: str = "", owner: Owner) -> None:
    """Check that no command makes a run of ``owner``: what is deleted of it would come back.

    To be asked once what they have written is imported, which deletes the files of ended runs.

    Raises:
        TraceConflict: when one does; the one called ``run_id``, if that is given.
    """
    from quaere.store.traces.spool import waiting

    for head in waiting(spool_folder(settings), database_name(settings)).values():
        if head and head.owner == owner and run_id in ("", head.trace_id):
            message = f"The run {head.trace_id} is in progress; stop it where it was started first."
            raise TraceConflict(message)


def discard_refused(settings: Settings, owner: Owner) -> None:
    """Delete what the database of the settings did not take in of the runs of ``owner``."""
    from quaere.store.traces.spool import refused

    for path, head in refused(spool_folder(settings), database_name(settings)).items():
        if head and head.owner == owner:
            path.unlink(missing_ok=True)


def build_database(settings: Settings) -> Database:
    """Return the database of the settings, or the file in the data folder.

    Raises:
        SettingsError: when its URL cannot be used, or its driver is not installed.
    """
    # The library takes half a second, which commands that only write to the spool can do without.
    from quaere.store.db.database import Database

    if settings.database_url:
        return Database(settings.database_url.get_secret_value())
    return Database.file(settings.data_folder / DATABASE_FILE)


def build_carrier(settings: Settings, database: Database) -> Carrier:
    """Return what brings runs to workers: that of the settings, or the database.

    Raises:
        SettingsError: when its address cannot be used, or its client is not installed.
    """
    if settings.carrier is None:
        from quaere.store.carriers.database import DatabaseCarrier

        return DatabaseCarrier(database)
    try:
        from quaere.store.carriers.nats import NatsCarrier
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"QUAERE_CARRIER needs {error.name}, which is not installed: "
            'pip install "quaere[fleet]".'
        ) from error
    return NatsCarrier(settings.carrier.get_secret_value(), database)


@asynccontextmanager
async def open_traces(settings: Settings) -> AsyncGenerator[tuple[Traces, list[str]]]:
    """Yield the traces, those that commands have written since among them.

    With them comes what is wrong with files that could not be taken in.

    Raises:
        SettingsError: as `build_database`.
        StoreError: when the database cannot be used.
    """
    from quaere.store.traces.spool import import_spool
    from quaere.store.traces.traces import Traces
    from quaere.view.reduce import Summary

    async with build_database(settings) as database:
        traces = Traces(database)
        folder, name = spool_folder(settings), database_name(settings)
        yield traces, await import_spool(folder, traces, Summary(), database=name)
