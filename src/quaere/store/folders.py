"""The folders that users of a service have created: names and owners; files are elsewhere."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count

from sqlalchemy import delete, insert, select

from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.errors import FolderNotFound, QuotaExceeded
from quaere.store.db.database import Database, take_turn
from quaere.store.db.schema import folders, owned_row, owner_columns, owner_is, value_of
from quaere.text.sanitize import quoted

RETRY_AFTER_S = 60.0
"""After so long a user may have deleted a folder."""


class FolderRow(Value):
    """A folder of a user."""

    id: str
    owner: Owner
    name: str
    created_at: datetime


def _told_apart(name: str, names: Collection[str]) -> str:
    """Return ``name``, with the first number by which it is none of ``names``."""
    numbered = (f"{name} ({number})" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in names)


@dataclass(frozen=True, slots=True)
class FolderRows:
    """The folders in a database."""

    database: Database

    async def create(
        self, owner: Owner, name: str, *, at_most: int, taken: Collection[str] = ()
    ) -> FolderRow:
        """Add a folder; its id is random, and names what is kept on the disk.

        One of a name that another has, or that is ``taken``, is numbered: "Letters (2)".

        Raises:
            QuotaExceeded: when ``owner`` has ``at_most`` folders.
            StoreError: when it cannot be saved.
        """
        known = select(folders.c.name).where(owner_is(folders, owner))
        async with self.database.write() as connection:
            await take_turn(connection, "folders", owner.user, owner.org)
            names = (await connection.execute(known)).scalars().all()
            if len(names) >= at_most:
                raise QuotaExceeded(
                    f"You have reached your limit on folders ({at_most:,}); delete one first.",
                    retry_after=RETRY_AFTER_S,
                )
            row = FolderRow(
                id=str(uuid.uuid4()),  # without its dashes, it would be taken for a key
                owner=owner,
                name=_told_apart(name, {*names, *taken}),
                created_at=datetime.now(UTC),
            )
            values = {"id": row.id, "name": row.name, "created_at": row.created_at}
            await connection.execute(insert(folders).values(values | owner_columns(owner)))
        return row

    async def list(self, owner: Owner) -> tuple[FolderRow, ...]:
        """Return the folders of ``owner``, the oldest first.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = (
            select(folders)
            .where(owner_is(folders, owner))
            .order_by(folders.c.created_at, folders.c.id)
        )
        rows = await self.database.rows(wanted)
        return tuple(value_of(row, FolderRow) for row in rows)

    async def get(self, owner: Owner, folder_id: str) -> FolderRow:
        """Return a folder.

        Raises:
            FolderNotFound: when ``owner`` has no such folder.
            StoreError: when the database cannot be used.
        """
        row = await self.database.row(select(folders).where(owned_row(folders, owner, folder_id)))
        if row is None:
            raise FolderNotFound(f"There is no folder {quoted(folder_id)}.")
        return value_of(row, FolderRow)

    async def delete(self, owner: Owner, folder_id: str) -> None:
        """Delete a folder; its files are the caller's to delete.

        Raises:
            FolderNotFound: when ``owner`` has no such folder.
            StoreError: when it cannot be deleted.
        """
        async with self.database.write() as connection:
            gone = await connection.execute(
                delete(folders).where(owned_row(folders, owner, folder_id))
            )
        if not gone.rowcount:
            raise FolderNotFound(f"There is no folder {quoted(folder_id)}.")
