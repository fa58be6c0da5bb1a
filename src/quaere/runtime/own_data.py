"""What a service holds of users: an archive of all of it, its deletion, and that of old runs."""

from __future__ import annotations

import asyncio
import io
import logging
import zipfile
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from typing_extensions import Buffer

from quaere.domain.access import ApiKey
from quaere.domain.conversation import StoredConversation
from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.errors import SchemaError, StoreError, TraceNotFound
from quaere.index.scan import scan
from quaere.runtime.app import App
from quaere.runtime.folders import Folders
from quaere.runtime.wiring_store import check_not_being_made, discard_refused, forget_run
from quaere.store.conversations import Conversations
from quaere.store.keys import Keys
from quaere.store.own_data import ExportedRun, UnreadableRun, erase, export_run, run_ids
from quaere.store.schedules import Schedule, Schedules
from quaere.store.traces.traces import Traces

logger = logging.getLogger(__name__)


CHUNK_BYTES = 1_000_000
PAGE = 200
"""Conversations that are listed at a time."""

Shown = Callable[[str], str]
"""Takes paths of this machine out of a text."""


class ExportedAccount(Value):
    """Whose data an archive has, the keys of that user without their secrets, and schedules."""

    owner: Owner
    exported_at: datetime
    keys: tuple[ApiKey, ...]
    schedules: tuple[Schedule, ...] = ()


async def _run_of(
    traces: Traces, owner: Owner, trace_id: str
) -> ExportedRun | UnreadableRun | None:
    """Return a run, or why it cannot be read here; None for one that was deleted meanwhile."""
    try:
        return await export_run(traces, owner, trace_id)
    except TraceNotFound:
        return None
    except SchemaError as error:
        return UnreadableRun(id=trace_id, error=error.message)


async def export_data(app: App, owner: Owner, shown: Shown) -> AsyncGenerator[bytes]:
    """Yield a ZIP archive of all that is held of ``owner``, piece by piece as it is made.

    It has ``account.json``, ``runs/ID.json``, ``conversations/ID.json`` and the files of folders
    as they were uploaded, ``folders/ID/NAME``. No more than one of them is in memory at a time. Of
    a run that cannot be read here there is why.

    Raises:
        StoreError: when the database cannot be used.
    """
    archive = _Archive()
    database = await app.database()
    account = ExportedAccount(
        owner=owner,
        exported_at=datetime.now(UTC),
        keys=await Keys(database).list(owner),
        schedules=await Schedules(database).listed(owner),
    )
    yield await archive.add("account.json", _shown(account, shown))
    traces = await app.traces()
    for trace_id in await run_ids(database, owner):
        run = await _run_of(traces, owner, trace_id)
        if run is None:
            continue
        text = await asyncio.to_thread(_shown, run, shown)
        yield await archive.add(f"runs/{quote(trace_id, safe='')}.json", text)
    talks = Conversations(await app.database())
    async for talk in _talks(talks, owner):
        name = f"conversations/{quote(talk.id, safe='')}.json"
        yield await archive.add(name, await asyncio.to_thread(_shown, talk, shown))
    folders = Folders(app.resources, await app.database())
    for folder in await folders.list(owner):
        if folder.read_only:
            continue
        root = await folders.path_of(owner, folder.id)
        for path in await asyncio.to_thread(_files, root):
            async for piece in archive.add_file(f"folders/{folder.id}/{path.name}", path):
                yield piece
    yield await archive.end()


async def erase_data(app: App, owner: Owner) -> tuple[str, ...]:
    """Delete all that is held of ``owner`` but what caches hold of public pages; return the runs.

    Raises:
        TraceConflict: when a command of theirs is making a run, which would come back.
        StoreError: when it cannot be deleted.
        FolderIndexError: when an index of a folder cannot be emptied.
    """
    await app.traces()  # takes in what commands have written since
    await asyncio.to_thread(check_not_being_made, app.settings, owner=owner)
    await asyncio.to_thread(discard_refused, app.settings, owner)
    for run in app.stopped(owner):
        forget_run(app.settings, run.spec.run_id)
    await Folders(app.resources, await app.database()).delete_all(owner)
    gone = await erase(await app.database(), owner)
    for run_id in gone:
        await asyncio.to_thread(forget_run, app.settings, run_id)
    return gone


async def _talks(talks: Conversations, owner: Owner) -> AsyncGenerator[StoredConversation]:
    after = None
    while True:
        page = await talks.list(owner, limit=PAGE, after=after)
        for talk in page.conversations:
            yield await talks.get(owner, talk.id)
        if (after := page.following) is None:
            return


def _shown(value: Value, shown: Shown) -> str:
    return shown(value.model_dump_json(indent=1))


def _files(root: Path) -> Sequence[Path]:
    return [Path(file.path) for file in scan([root]).files]


class _Pieces(io.RawIOBase):
    """Takes what is written to it, until it is fetched; it cannot go back."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: Buffer) -> int:
        """Take ``data``."""
        self._written += data
        return memoryview(data).nbytes

    def take(self) -> bytes:
        """Return what was written since the last time."""
        taken = bytes(self._written)
        self._written.clear()
        return taken


class _Archive:
    """A ZIP archive that is sent while it is made."""

    def __init__(self) -> None:
        self._pieces = _Pieces()
        self._zip = zipfile.ZipFile(self._pieces, "w", zipfile.ZIP_DEFLATED)

    async def add(self, name: str, text: str) -> bytes:
        """Add an entry and return what can be sent."""
        data = text.encode("utf-8", "replace")
        await asyncio.to_thread(self._zip.writestr, name, data)
        return self._pieces.take()

    async def add_file(self, name: str, path: Path) -> AsyncGenerator[bytes]:
        """Add what is in a file, and yield what can be sent."""
        file = await asyncio.to_thread(path.open, "rb")
        try:
            entry = self._zip.open(name, "w", force_zip64=True)
            while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
                await asyncio.to_thread(entry.write, chunk)
                yield self._pieces.take()
            await asyncio.to_thread(entry.close)
        finally:
            await asyncio.to_thread(file.close)
        yield self._pieces.take()

    async def end(self) -> bytes:
        """Return the end of the archive."""
        await asyncio.to_thread(self._zip.close)
        return self._pieces.take()


EVERY_S = 3600.0


async def keep_within(app: App, *, every_s: float = EVERY_S) -> None:
    """Delete what is older or more than the settings keep, now and every ``every_s`` seconds.

    Returns at once where the settings keep everything. A database that cannot be used is tried
    again the next time.
    """
    days, most_bytes = app.settings.keep_days, app.settings.keep_bytes
    if days is None and most_bytes is None:
        return
    age = None if days is None else timedelta(days=days)
    while True:
        await _prune(app, age, most_bytes)
        await asyncio.sleep(every_s)


async def _prune(app: App, age: timedelta | None, most_bytes: int | None) -> None:
    try:
        gone = await app.prune(age, None, most_bytes=most_bytes)
        talks = 0 if age is None else await Conversations(await app.database()).prune(age)
    except StoreError as error:
        logger.warning("old runs could not be deleted: %s", error.message)
        return
    if gone or talks:
        logger.info("deleted %d old runs and %d conversations", len(gone), talks)
