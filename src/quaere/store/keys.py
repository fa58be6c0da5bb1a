"""API keys: who may use the service, told by a secret of which only a hash is stored.

A secret is ``qk_``, eight characters by which its row is found, and 256 random bits. It is
uniform, so that one round of SHA-256 suffices: slow hashes protect what people choose themselves.
"""

from __future__ import annotations

import hmac
import re
import secrets
import uuid
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import RowMapping, and_, false, insert, or_, select, update

from quaere.domain.access import (
    UNLIMITED,
    USER_RIGHTS,
    ApiKey,
    KeyLimits,
    Right,
    sorted_rights,
)
from quaere.domain.trace import Owner
from quaere.domain.value import text_hash
from quaere.errors import KeyNotFound, StoreUnavailable, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import api_keys, owner_columns, owner_is, value_of
from quaere.store.run_id import is_run_id
from quaere.text.sanitize import quoted

MARK = "qk_"
"""The beginning of every secret, by which `quaere.text.sanitize` finds those in the wrong place."""
PREFIX_CHARS = len(MARK) + 8
SECRET_BYTES = 32
USE_RECORDED_EVERY = timedelta(minutes=1)
_SECRET = re.compile(r"qk_[0-9a-f]{8}_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys in a database."""

    database: Database

    async def create(
        self,
        owner: Owner,
        name: str,
        *,
        scopes: Collection[Right] = USER_RIGHTS,
        limits: KeyLimits = UNLIMITED,
        expires_at: datetime | None = None,
        secret: str | None = None,
    ) -> tuple[ApiKey, str]:
        """Issue a key; return it with its secret, which cannot be had a second time.

        Args:
            owner: Whose runs and folders it gives access to.
            name: What the owner calls it.
            scopes: What it may be used for.
            limits: How much it may be used.
            expires_at: When it stops being valid, in any time zone.
            secret: One that was made elsewhere by `new_secret`, such as that of a container; a
                new one when left out.

        Raises:
            UsageError: when ``secret`` does not have the form of one, the name cannot be shown,
                or there is nothing that the key may do.
            TraceConflict: when there is a key with this ``secret``.
            StoreError: when it cannot be saved.
        """
        if not scopes:
            raise UsageError("A key needs a scope, or it may do nothing.")
        secret = new_secret() if secret is None else _checked(secret)
        key = ApiKey(
            id=str(uuid.uuid4()),
            owner=owner,
            name=_name(name),
            prefix=secret[:PREFIX_CHARS],
            scopes=frozenset(scopes),
            limits=limits,
            created_at=datetime.now(UTC),
            expires_at=expires_at,
        )
        async with self.database.write() as connection:
            await connection.execute(insert(api_keys).values(_row(key, secret)))
        return key, secret

    async def find(self, secret: str) -> ApiKey | None:
        """Return the key with this secret; None for one that is unknown, revoked or expired.

        Raises:
            StoreError: when the database cannot be used.
        """
        if not _SECRET.fullmatch(secret):
            return None
        wanted = select(api_keys).where(api_keys.c.prefix == secret[:PREFIX_CHARS])
        rows = await self.database.rows(wanted)
        digest = text_hash(secret)
        row = next((row for row in rows if hmac.compare_digest(row["hash"], digest)), None)
        now = datetime.now(UTC)
        if row is None or not (key := _key(row)).is_valid(now):
            return None
        if _is_unrecorded(key, now):
            await self._record_use(key, now)
        return key

    async def get(self, key_id: str) -> ApiKey | None:
        """Return the key with this id; None for one that is unknown, revoked or expired.

        For sessions that were begun with the secret and know the key by its id since.

        Raises:
            StoreError: when the database cannot be used.
        """
        if not is_run_id(key_id):
            return None
        row = await self.database.row(select(api_keys).where(api_keys.c.id == key_id))
        key = None if row is None else _key(row)
        return key if key and key.is_valid(datetime.now(UTC)) else None

    async def valid(self, key_ids: Collection[str]) -> frozenset[str]:
        """Return which of these keys are neither revoked nor expired.

        Args:
            key_ids: Ids of keys.

        Raises:
            StoreError: when the database cannot be used.
        """
        rows = await self.database.rows(select(api_keys).where(api_keys.c.id.in_(key_ids)))
        now = datetime.now(UTC)
        return frozenset(key.id for key in map(_key, rows) if key.is_valid(now))

    async def list(self, owner: Owner | None = None) -> tuple[ApiKey, ...]:
        """Return the keys of ``owner``, or of everybody, the latest first.

        Those that are revoked or expired are among them.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = select(api_keys).where(owner_is(api_keys, owner))
        order = (api_keys.c.created_at.desc(), api_keys.c.id)
        return tuple(map(_key, await self.database.rows(wanted.order_by(*order))))

    async def revoke(self, key_id: str, owner: Owner | None = None) -> ApiKey:
        """End the validity of a key for good, and return it; nothing changes for a revoked one.

        Args:
            key_id: Id of the key, or its prefix.
            owner: Whose key it has to be; anybody's when left out.

        Raises:
            KeyNotFound: when ``owner`` has no such key.
            StoreError: when it cannot be saved.
        """
        by_id = or_(api_keys.c.id == key_id, api_keys.c.prefix == key_id)
        named = and_(by_id if is_run_id(key_id) else false(), owner_is(api_keys, owner))
        async with self.database.write() as connection:
            revoking = update(api_keys).where(named, api_keys.c.revoked_at.is_(None))
            await connection.execute(revoking.values(revoked_at=datetime.now(UTC)))
            row = (await connection.execute(select(api_keys).where(named))).mappings().first()
        if row is None:
            raise KeyNotFound(f"There is no key {quoted(key_id)}.")
        return _key(row)

    async def _record_use(self, key: ApiKey, now: datetime) -> None:
        used = update(api_keys).where(api_keys.c.id == key.id).values(last_used_at=now)
        # The holder of a valid key is not turned away because its use cannot be recorded.
        with suppress(StoreUnavailable):
            async with self.database.write(durable=False) as connection:
                await connection.execute(used)


def new_secret() -> str:
    """Return a secret that no key has."""
    return f"{MARK}{secrets.token_hex(4)}_{secrets.token_urlsafe(SECRET_BYTES)}"


def _name(text: str) -> str:
    """Return ``text`` without space around it.

    Raises:
        UsageError: when nothing is left, or it would break the line of a list.
    """
    name = text.strip()
    if not name:
        raise UsageError("A key needs a name: say what it is for.")
    if not name.isprintable():
        raise UsageError(f"The name {quoted(name)} holds what cannot be shown.")
    return name


def _checked(secret: str) -> str:
    """Return ``secret``.

    Raises:
        UsageError: when it is not one that `new_secret` could have returned.
    """
    if not _SECRET.fullmatch(secret):
        raise UsageError(
            "The secret of a key is 55 characters long and begins with qk_; "
            "leave it out to have one made."
        )
    return secret


def _row(key: ApiKey, secret: str) -> dict[str, object]:
    return {
        "id": key.id,
        **owner_columns(key.owner),
        "name": key.name,
        "hash": text_hash(secret),
        "prefix": key.prefix,
        "scopes": [str(right) for right in sorted_rights(key.scopes)],
        "limits": key.limits.model_dump(mode="json", exclude_none=True),
        "created_at": key.created_at,
        "expires_at": key.expires_at,
    }


def _key(row: RowMapping) -> ApiKey:
    known = {Right(name) for name in row["scopes"] or () if name in set(Right)}
    limits = KeyLimits.model_validate(row["limits"] or {})
    return value_of(row, ApiKey, prefix=row["prefix"] or "", scopes=known, limits=limits)


def _is_unrecorded(key: ApiKey, now: datetime) -> bool:
    """Whether the last use of ``key`` on record is none of late."""
    return key.last_used_at is None or key.last_used_at <= now - USE_RECORDED_EVERY
