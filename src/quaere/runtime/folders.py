"""Folders of documents that clients name by id: the operator's, and those that users upload to.

An operator's folder is one of ``QUAERE_DOCS``: every user may search it, and nobody may change it.
A user's folder is under the data folder, by its id; the names of its files are cleaned, and what
the index could not read is refused when it comes. Paths of this machine are never returned but by
``path_of`` and ``roots``, which are meant for the request of a run.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import os
import re
import shutil
import unicodedata
import uuid
from collections.abc import AsyncGenerator, AsyncIterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from quaere.domain.events import IndexProgress, WarningRaised
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.trace import Owner
from quaere.domain.url import id_of_folder
from quaere.domain.value import Value, encodable
from quaere.errors import (
    FileRefused,
    FolderIndexError,
    FolderNotFound,
    NotAllowed,
    ReadError,
    StoreUnavailable,
    UsageError,
    cause_of,
)
from quaere.index.catalogue import FileRecord
from quaere.index.refresh import forget_files
from quaere.index.scan import BINARY, IGNORED_BEGINNINGS, IGNORED_NAMES, FileStat, scan
from quaere.read.formats import Format, sniff_body
from quaere.read.reader import read_file
from quaere.runtime.resources import FOLDER, Resources
from quaere.search.fanout import prepare
from quaere.store.db.database import Database
from quaere.store.folders import FolderRow, FolderRows
from quaere.text.sanitize import quoted

MAX_NAME_CHARS = 200
MAX_FILE_NAME_BYTES = 200
"""Room enough for a suffix that a file system or we may add: names have 255 bytes at most."""
MAX_LISTED = 1_000
INCOMING = ".incoming"
"""Where files are until all of them is there; hidden, so that no index takes them in."""
STALE_S = 24 * 3600.0
"""After so long a file that is not whole is what a process left that died."""


class Folder(Value):
    """A folder as clients see it. Times are in UTC."""

    id: str
    name: str
    read_only: bool
    """Whether it is the operator's."""
    created_at: datetime | None = None
    """``None`` for the operator's."""
    files: int | None = None
    """Files in its index; ``None`` before it was indexed first."""
    failed: int = 0
    """Those of them that could not be read."""
    passages: int = 0


class FolderFile(Value):
    """A file in a folder, and how reading it ended."""

    path: str
    """Within the folder, with slashes."""
    bytes: int
    changed_at: datetime
    status: ReadStatus | None = None
    """``None`` for a file that is not indexed yet, or was changed since."""
    reason: str = ""
    """Why it could not be read."""
    passages: int = 0


class FolderFiles(Value):
    """One page of the files in a folder, by path."""

    files: tuple[FolderFile, ...]
    total: int
    following: str | None = None
    """Asks for the page after this one; ``None`` on the last."""


class IndexStep(Value):
    """Progress of indexing a folder; the last step has all warnings."""

    done: int
    total: int
    passages: int
    warnings: tuple[RunWarning, ...] = ()
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a service, by owner."""

    resources: Resources
    database: Database

    async def create(self, owner: Owner, name: str) -> Folder:
        """Create an empty folder.

        Raises:
            UsageError: when the name has no character that can be shown.
            QuotaExceeded: when ``owner`` has as many folders as the settings allow.
            StoreError: when it cannot be saved.
        """
        shown = _shown(name)[:MAX_NAME_CHARS]
        if not shown:
            raise UsageError("A folder needs a name.")
        row = await self._rows.create(
            owner,
            shown,
            at_most=self.resources.settings.max_folders,
            taken=[_operators(name, path).name for name, path in self._operators().items()],
        )
        await asyncio.to_thread(_make_folder, self._place(row.id))
        return _folder(row)

    async def list(self, owner: Owner) -> tuple[Folder, ...]:
        """Return the operator's folders, then those of ``owner``, the oldest first.

        Raises:
            StoreError: when the database cannot be used.
        """
        rows = await self._rows.list(owner)
        mine = [(_folder(row), self._place(row.id)) for row in rows]

        def counted() -> tuple[Folder, ...]:
            listed = [(_operators(name, path), path) for name, path in self._operators().items()]
            return tuple(self._counted(folder, path) for folder, path in (*listed, *mine))

        return await asyncio.to_thread(counted)

    async def get(self, owner: Owner, folder_id: str) -> Folder:
        """Return a folder.

        Raises:
            FolderNotFound: when ``owner`` may not use a folder with this id.
            StoreError: when the database cannot be used.
        """
        folder, path = await self._found(owner, folder_id)
        return await asyncio.to_thread(self._counted, folder, path)

    async def path_of(self, owner: Owner, folder_id: str) -> Path:
        """Return where a folder is on this machine: a path to search, not to be shown.

        Raises:
            FolderNotFound: when ``owner`` may not use a folder with this id.
            StoreError: when the database cannot be used.
        """
        return (await self._found(owner, folder_id))[1]

    async def roots(self, owner: Owner) -> Mapping[str, Path]:
        """Return where the folders are that ``owner`` may use, by id, without symbolic links.

        Raises:
            StoreError: when the database cannot be used.
        """
        rows = await self._rows.list(owner)
        paths = {**self._operators(), **{row.id: self._place(row.id) for row in rows}}
        return await asyncio.to_thread(
            lambda: {name: path.resolve() for name, path in paths.items()}
        )

    async def delete(self, owner: Owner, folder_id: str) -> None:
        """Delete a folder with its files and what any index holds of them.

        Raises:
            FolderNotFound: when ``owner`` has no such folder.
            NotAllowed: when it is the operator's.
            FolderIndexError: when an index of it cannot be emptied; the folder is gone by then.
            StoreError: when it cannot be deleted.
        """
        path = await self._own(owner, folder_id)
        await self._rows.delete(owner, folder_id)
        await asyncio.to_thread(self._remove, path)

    async def delete_all(self, owner: Owner) -> None:
        """Delete all folders of ``owner``. Raises as `delete`."""
        for row in await self._rows.list(owner):
            await self.delete(owner, row.id)

    async def add_file(
        self, owner: Owner, folder_id: str, name: str, chunks: AsyncIterable[bytes]
    ) -> FolderFile:
        """Add a file to a folder of ``owner``, or replace the one of this name.

        It is written as it comes, and becomes part of the folder when all of it is there and is
        seen to be of a format that can be read.

        Args:
            owner: Whose folder.
            folder_id: The folder.
            name: What the client calls the file; the last part of a path is used.
            chunks: What is in it, in parts of any size.

        Raises:
            FolderNotFound: when ``owner`` has no such folder.
            NotAllowed: when it is the operator's.
            FileRefused: when its name, its size or its format cannot be used, or the folder is
                full.
            StoreUnavailable: when the disk does not take it.
        """
        root = await self._own(owner, folder_id)
        kept_name = safe_name(name)
        folder = root / INCOMING / uuid.uuid4().hex
        part = folder / kept_name
        try:
            await asyncio.to_thread(_make_folder, folder)
            await self._receive(part, chunks)
            return await asyncio.to_thread(self._admit, part, root / kept_name)
        except OSError as error:
            message = f"Cannot keep {quoted(kept_name)}: {error.strerror or 'the disk failed'}."
            raise StoreUnavailable(message) from error
        finally:
            await asyncio.to_thread(_discard, folder)

    async def delete_file(self, owner: Owner, folder_id: str, path: str) -> None:
        """Delete a file of a folder of ``owner``, and what any index holds of it.

        Raises:
            FolderNotFound: when there is no such folder, or no such file in it.
            NotAllowed: when it is the operator's.
            FolderIndexError: when an index of it cannot be emptied; the file is gone by then.
        """
        root = await self._own(owner, folder_id)
        target = root / path

        def remove() -> None:
            if not _is_safe(path) or not target.is_file():
                raise FolderNotFound(f"There is no file {quoted(path)} in the folder.")
            target.unlink(missing_ok=True)
            forget_files(self.resources.settings.cache_folder, target)

        await asyncio.to_thread(remove)

    async def files(
        self, owner: Owner, folder_id: str, *, after: str = "", limit: int = 200
    ) -> FolderFiles:
        """Return the files of a folder with how reading each ended, in the order of their paths.

        Args:
            owner: Who wants to know.
            folder_id: The folder.
            after: ``following`` of the page before.
            limit: Page size, 1,000 at most.

        Raises:
            FolderNotFound: when ``owner`` may not use a folder with this id.
            StoreError: when the database cannot be used.
        """
        root = await self.path_of(owner, folder_id)
        return await asyncio.to_thread(self._listed, root, after, max(1, min(limit, MAX_LISTED)))

    async def text(self, owner: Owner, folder_id: str, path: str, *, place: str = "") -> Page:
        """Return the text of a file as runs read it, under an address that names no path.

        Args:
            owner: Who wants to read it.
            folder_id: The folder.
            path: Within the folder, as `files` lists it.
            place: The record of a table that is wanted, such as ``row=7``; empty for all of them.

        Raises:
            FolderNotFound: when ``owner`` may not use a folder with this id, or the folder has no
                such file.
            FileRefused: when the file has no text that can be read.
            StoreError: when the database cannot be used.
        """
        root = await self.path_of(owner, folder_id)
        file = await asyncio.to_thread(_listed_file, root, path)
        hit = Hit(url=_address(file.as_uri(), place), title="", provider=FOLDER, rank=0)
        try:
            page = await self.resources.reader([root], web=False).read(hit)
        except ReadError as error:
            message = _without_path(_without_path(error.message, file.parent), root)
            raise FileRefused(message, status=error.status) from error
        return page.model_copy(update={"url": _address(f"folder:{folder_id}/{path}", place)})

    async def original(self, owner: Owner, folder_id: str, path: str) -> Path:
        """Return where a file is, as it was uploaded or as the operator keeps it.

        Raises:
            FolderNotFound: when ``owner`` may not use a folder with this id, or the folder has no
                such file.
            StoreError: when the database cannot be used.
        """
        root = await self.path_of(owner, folder_id)
        return await asyncio.to_thread(_listed_file, root, path)

    async def index(self, owner: Owner, folder_id: str) -> AsyncGenerator[IndexStep]:
        """Bring the index of a folder up to date, and yield how far it is.

        What was done stays searchable when the caller stops listening.

        Raises:
            FolderNotFound: when ``owner`` may not use a folder with this id.
            FolderIndexError: when the index cannot be written.
        """
        root = await self.path_of(owner, folder_id)
        try:
            provider = await asyncio.to_thread(self.resources.folder, [root])
        except UsageError as error:
            message = f"The folder {quoted(folder_id)} is not available at the moment."
            raise FolderNotFound(message) from error
        step = IndexStep(done=0, total=0, passages=0)
        warnings: list[RunWarning] = []
        async with aclosing(prepare(provider, folder_id, math.inf)) as events:
            async for event in events:
                if isinstance(event, IndexProgress):
                    step = IndexStep(done=event.done, total=event.total, passages=event.passages)
                    yield step
                elif isinstance(event, WarningRaised):
                    warnings.append(_relative_warning(event.warning, root))
        yield step.model_copy(update={"warnings": tuple(warnings), "finished": True})

    @property
    def _rows(self) -> FolderRows:
        return FolderRows(self.database)

    def _place(self, folder_id: str) -> Path:
        return self.resources.settings.data_folder / "folders" / folder_id

    def _operators(self) -> Mapping[str, Path]:
        """Return the operator's folders by id, which is made of the name."""
        return operator_folders(self.resources.settings.docs)

    async def _found(self, owner: Owner, folder_id: str) -> tuple[Folder, Path]:
        if path := self._operators().get(folder_id):
            return _operators(folder_id, path), path
        row = await self._rows.get(owner, folder_id)
        return _folder(row), self._place(row.id)

    async def _own(self, owner: Owner, folder_id: str) -> Path:
        """Return where a folder is that ``owner`` may change."""
        folder, path = await self._found(owner, folder_id)
        if folder.read_only:
            raise NotAllowed(f"The folder {quoted(folder.name)} is read-only.")
        return path

    async def _receive(self, part: Path, chunks: AsyncIterable[bytes]) -> None:
        """Write ``chunks`` to ``part``."""
        limit, received = self.resources.settings.max_file_bytes, 0
        file = await asyncio.to_thread(part.open, "xb")
        try:
            async for chunk in chunks:
                received += len(chunk)
                if received > limit:
                    raise _too_large(part.name, limit)
                await asyncio.to_thread(file.write, chunk)
        finally:
            await asyncio.to_thread(file.close)

    def _admit(self, part: Path, target: Path) -> FolderFile:
        """Make ``part`` a file of its folder if it can be read and there is room. It blocks."""
        self._check_room(part, target)
        try:
            body = read_file(part, max_bytes=self.resources.settings.max_file_bytes)
            kind = sniff_body(body)
            if kind is Format.UNSUPPORTED:
                raise ReadError(f"{part.name} holds no text that can be read", status="unsupported")
            if kind.reading.unpacks:
                next(iter(self.resources.extractor.extract(body)), None)
        except ReadError as error:
            raise FileRefused(
                _without_path(error.message, part.parent), status=error.status
            ) from error
        part.replace(target)
        facts = target.stat()
        return _file(FileStat(str(target), facts.st_size, facts.st_mtime_ns), target.parent, None)

    def _check_room(self, part: Path, target: Path) -> None:
        settings = self.resources.settings
        others = [file for file in scan([target.parent]).files if file.path != str(target)]
        if len(others) >= settings.max_folder_files:
            message = (
                f"The folder already holds {settings.max_folder_files:,} files, the most it may."
            )
            raise FileRefused(message, status=ReadStatus.TOO_LARGE)
        if sum(file.size for file in others) + part.stat().st_size > settings.max_folder_bytes:
            message = (
                f"The folder may hold at most {settings.max_folder_bytes / 1e6:,.0f} MB in all."
            )
            raise FileRefused(message, status=ReadStatus.TOO_LARGE)

    def _remove(self, path: Path) -> None:
        try:
            shutil.rmtree(path)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StoreUnavailable(f"Cannot delete the folder: {cause_of(error)}.") from error
        forget_files(self.resources.settings.cache_folder, path)

    def _indexed(self, root: Path) -> Mapping[str, FileRecord] | None:
        """Return how reading each file ended, by path; None where there is no index. It blocks."""
        try:
            return self.resources.folder([root]).files()
        except (UsageError, FolderIndexError):  # gone, or damaged: the next refresh repairs it
            return None

    def _counted(self, folder: Folder, path: Path) -> Folder:
        records = self._indexed(path)
        if records is None:
            return folder
        counts = {
            "files": len(records),
            "failed": sum(record.status != ReadStatus.OK for record in records.values()),
            "passages": sum(record.passages for record in records.values()),
        }
        return folder.model_copy(update=counts)

    def _listed(self, root: Path, after: str, limit: int) -> FolderFiles:
        root = root.resolve()
        records = self._indexed(root) or {}
        paths = {_within(stat.path, root): stat for stat in scan([root]).files}
        behind = sorted(path for path in paths if path > after)
        return FolderFiles(
            files=tuple(
                _file(paths[path], root, records.get(paths[path].path)) for path in behind[:limit]
            ),
            total=len(paths),
            following=behind[limit - 1] if len(behind) > limit else None,
        )


def operator_folders(docs: Sequence[Path]) -> Mapping[str, Path]:
    """Return the operator's folders and files by id: the name, as far as an address can hold it.

    Where two have one name, a hash of the path tells them apart, so that an id does not depend on
    the order of the settings.
    """
    absolute = list(dict.fromkeys(path.expanduser().absolute() for path in docs))
    names = [id_of_folder(path.name) for path in absolute]
    return {
        name if names.count(name) == 1 else f"{name}-{_short_hash(path)}": path
        for name, path in zip(names, absolute, strict=True)
    }


def safe_name(name: str) -> str:
    """Return the name under which a file that a client calls ``name`` is kept.

    It is the last part of what may be a path of any system, without what cannot be seen, and never
    hidden. It is short enough for every file system and keeps its suffix.

    Raises:
        FileRefused: when nothing is left of it, or files of such a name are not indexed.
    """
    last = re.split(r"[/\\]", encodable(name))[-1]
    shown = _shortened(re.sub(r'[<>:"|?*]', "_", _shown(last)).lstrip(". ").rstrip(". "))
    if not shown or shown in IGNORED_NAMES or shown.startswith(IGNORED_BEGINNINGS):
        message = f"A file cannot be called {quoted(name)}; rename it."
        raise FileRefused(message, status=ReadStatus.REFUSED)
    if BINARY.search(shown):
        message = f"Files such as {quoted(shown)} hold no text that can be read."
        raise FileRefused(message, status=ReadStatus.UNSUPPORTED)
    return shown


def _shortened(name: str) -> str:
    """Return ``name`` in at most MAX_FILE_NAME_BYTES, with its suffix where that leaves room."""
    if len(name.encode()) <= MAX_FILE_NAME_BYTES:
        return name
    stem, dot, suffix = name.rpartition(".")
    ending = f"{dot}{suffix}"
    room = MAX_FILE_NAME_BYTES - len(ending.encode())
    if room <= 0 or not stem:
        return name.encode()[:MAX_FILE_NAME_BYTES].decode("utf-8", "ignore")
    return f"{stem.encode()[:room].decode('utf-8', 'ignore')}{ending}"


def _is_safe(name: str) -> bool:
    try:
        return safe_name(name) == name
    except FileRefused:
        return False


def _shown(text: str) -> str:
    """Return ``text`` in one line, without characters that are not seen."""
    seen = unicodedata.normalize("NFC", encodable(text))
    kept = (
        " " if each.isspace() else each for each in seen if each.isspace() or each.isprintable()
    )
    return " ".join("".join(kept).split())


def _folder(row: FolderRow) -> Folder:
    return Folder(id=row.id, name=row.name, read_only=False, created_at=row.created_at)


def _operators(folder_id: str, path: Path) -> Folder:
    """Return the folder at ``path``; where others have its name, its id tells it from them."""
    is_alone = id_of_folder(path.name) == folder_id
    name = encodable(path.name) if is_alone else folder_id
    return Folder(id=folder_id, name=name or folder_id, read_only=True)


def _file(stat: FileStat, root: Path, record: FileRecord | None) -> FolderFile:
    known = record if record and _is_current(record, stat) else None
    return FolderFile(
        path=_within(stat.path, root),
        bytes=stat.size,
        changed_at=datetime.fromtimestamp(stat.mtime_ns / 1e9, UTC),
        status=ReadStatus(known.status) if known else None,
        reason=_without_path(known.reason, root) if known else "",
        passages=known.passages if known else 0,
    )


def _is_current(record: FileRecord, stat: FileStat) -> bool:
    """Return whether ``record`` is of the file as it is now."""
    return record.size == stat.size and record.mtime_ns in (-1, stat.mtime_ns)


def _within(path: str, root: Path) -> str:
    """Return ``path`` from ``root`` on, with slashes; the name of a root that is a file."""
    relative = os.path.relpath(path, root)
    shown = Path(path).name if relative == "." else Path(relative).as_posix()
    return encodable(shown)


def _without_path(text: str, root: Path) -> str:
    """Return ``text`` without the place of ``root`` on this machine."""
    text = text.replace(f"{root}{os.sep}", "").replace(f"{root.as_uri()}/", "")
    return text.replace(str(root), root.name)


def _relative_warning(warning: RunWarning, root: Path) -> RunWarning:
    place = root.resolve()
    message = _without_path(_without_path(warning.message, place), root)
    subject = _without_path(_without_path(warning.subject, place), root)
    return warning.model_copy(update={"message": message, "subject": subject})


def _listed_file(root: Path, path: str) -> Path:
    """Return the file that is listed as ``path``; what is hidden or left out is not. It blocks."""
    root = root.resolve()
    found = (stat.path for stat in scan([root]).files if _within(stat.path, root) == path)
    if file := next(found, None):
        return Path(file)
    raise FolderNotFound(f"There is no file {quoted(path)} in the folder.")


def _address(url: str, place: str) -> str:
    return f"{url}#{place}" if place else url


def _too_large(name: str, limit: int) -> FileRefused:
    message = f"{quoted(name)} is larger than the {limit / 1e6:,.0f} MB allowed; split it."
    return FileRefused(message, status=ReadStatus.TOO_LARGE)


def _short_hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:6]


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"Cannot create a folder: {cause_of(error)}.") from error


def _discard(folder: Path) -> None:
    """Delete ``folder``, and what uploads have left next to it that never ended."""
    shutil.rmtree(folder, ignore_errors=True)
    oldest = datetime.now(UTC).timestamp() - STALE_S
    for other in folder.parent.glob("*"):
        if other.lstat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)
