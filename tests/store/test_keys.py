"""API keys, on both databases."""

from __future__ import annotations

import asyncio
import hmac
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import bindparam, select, text, update

from quaere.domain.access import USER_RIGHTS, KeyLimits, Right
from quaere.domain.budget import ProfileName
from quaere.domain.trace import Owner
from quaere.errors import KeyNotFound, TraceConflict, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import Utc, api_keys
from quaere.store.keys import MARK, PREFIX_CHARS, Keys, new_secret
from quaere.text.sanitize import find_keys

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")
LIMITS = KeyLimits(requests_per_minute=60, usd_per_day=2.5, highest_profile=ProfileName.SIMPLE)
ODD = ["", "qk_", "q", MARK + "x" * 5_000_000, MARK + "\ud800\0" * 10, "qk_%", "a\0", "%"]


@pytest.fixture
def keys(database: Database) -> Keys:
    return Keys(database)


async def test_a_key_is_found_by_its_secret_and_by_nothing_else(keys: Keys) -> None:
    made, secret = await keys.create(ANN, "laptop", scopes={Right.READ}, limits=LIMITS)
    _, other = await keys.create(ANN, "phone")
    found = await keys.find(secret)
    assert found is not None
    assert found.model_copy(update={"last_used_at": None}) == made
    assert (found.owner, found.limits, found.scopes) == (ANN, LIMITS, {Right.READ})
    assert await keys.find(secret[:-1]) is None
    assert await keys.find(secret + "x") is None
    assert await keys.find(secret[:PREFIX_CHARS] + other[PREFIX_CHARS:]) is None


async def test_keys_are_compared_as_digests_in_constant_time(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a comparison takes tells nothing: of a digest nobody can choose the beginning."""
    _, secret = await keys.create(ANN, "laptop")
    compared: list[tuple[str, str]] = []
    real = hmac.compare_digest

    def spied(one: str, other: str) -> bool:
        compared.append((one, other))
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", spied)
    near = secret[:-1] + ("A" if secret[-1] != "A" else "B")
    far = secret[:PREFIX_CHARS] + new_secret()[PREFIX_CHARS:]
    assert [await keys.find(each) is not None for each in (secret, near, far)] == [
        True,
        False,
        False,
    ]
    assert len(compared) == 3
    for each in (part for pair in compared for part in pair):
        assert len(each) == 64
        assert secret not in each


async def test_what_is_not_a_key_is_not_found(keys: Keys) -> None:
    for odd in ODD:
        assert await keys.find(odd) is None
        assert await keys.get(odd) is None
        with pytest.raises(KeyNotFound):
            await keys.revoke(odd)


async def test_two_keys_with_one_prefix_are_told_apart(keys: Keys, database: Database) -> None:
    """Prefixes are short: what tells keys apart is the hash of the whole secret."""
    first, one = await keys.create(ANN, "one")
    second, two = await keys.create(BEN, "two", secret=one[:PREFIX_CHARS] + new_secret()[11:])
    assert first.prefix == second.prefix
    found = [await keys.find(secret) for secret in (one, two)]
    assert [key and key.owner for key in found] == [ANN, BEN]


async def test_no_secret_is_in_the_database(keys: Keys, database: Database) -> None:
    _, secret = await keys.create(ANN, "laptop")
    async with database.read() as connection:
        rows = (await connection.execute(text("SELECT * FROM api_keys"))).all()
    stored = repr(rows)
    assert secret[:PREFIX_CHARS] in stored
    assert secret not in stored
    assert secret[PREFIX_CHARS + 1 :] not in stored
    assert len(secret) == PREFIX_CHARS + 1 + 43, "43 characters of base64 are 256 bits"


async def test_a_secret_in_the_wrong_place_is_found_to_be_one(keys: Keys) -> None:
    """What logs, events and errors are cleaned with knows our own keys as well."""
    for _ in range(50):
        secret = new_secret()
        assert any(secret in found for found in find_keys(f"Why does {secret} not work?"))


async def test_a_revoked_key_is_refused_at_once(keys: Keys) -> None:
    made, secret = await keys.create(ANN, "laptop")
    assert await keys.get(made.id) == made
    revoked = await keys.revoke(made.id)
    assert revoked.revoked_at is not None
    assert await keys.find(secret) is None
    assert await keys.get(made.id) is None
    assert (await keys.revoke(made.prefix)).revoked_at == revoked.revoked_at


async def test_an_expired_key_is_refused(keys: Keys) -> None:
    now = datetime.now(UTC)
    _, over = await keys.create(ANN, "over", expires_at=now - timedelta(seconds=1))
    _, good = await keys.create(ANN, "good", expires_at=now + timedelta(hours=1))
    assert await keys.find(over) is None
    assert await keys.find(good) is not None


async def test_of_several_keys_the_valid_ones_are_told(keys: Keys) -> None:
    now = datetime.now(UTC)
    good, _ = await keys.create(ANN, "good", expires_at=now + timedelta(hours=1))
    other, _ = await keys.create(BEN, "other")
    gone, _ = await keys.create(ANN, "gone")
    over, _ = await keys.create(ANN, "over", expires_at=now - timedelta(seconds=1))
    await keys.revoke(gone.id)
    asked = [good.id, other.id, gone.id, over.id, "unknown"]
    assert await keys.valid(asked) == {good.id, other.id}
    assert await keys.valid([]) == set()


async def test_a_key_of_others_is_not_revoked_and_not_listed(keys: Keys) -> None:
    made, secret = await keys.create(ANN, "laptop")
    for owner in (BEN, Owner(user="ann"), Owner(user="ann", org="barges")):
        with pytest.raises(KeyNotFound):
            await keys.revoke(made.id, owner)
        assert await keys.list(owner) == ()
    assert await keys.find(secret) is not None
    assert [key.id for key in await keys.list(ANN)] == [made.id]
    assert [key.id for key in await keys.list()] == [made.id]


async def test_the_use_of_a_key_is_recorded_once_a_minute(keys: Keys, database: Database) -> None:
    made, secret = await keys.create(ANN, "laptop")

    async def used() -> datetime:
        await asyncio.gather(*(keys.find(secret) for _ in range(5)))
        (key,) = await keys.list(ANN)
        assert key.last_used_at is not None
        return key.last_used_at

    first = await used()
    assert await used() == first
    async with database.write() as connection:
        earlier = update(api_keys).where(api_keys.c.id == made.id)
        await connection.execute(earlier.values(last_used_at=first - timedelta(seconds=61)))
    assert await used() > first - timedelta(seconds=1)


async def test_a_secret_may_come_from_outside_if_it_is_as_strong(keys: Keys) -> None:
    secret = new_secret()
    await keys.create(ANN, "container", secret=secret)
    assert await keys.find(secret) is not None
    with pytest.raises(TraceConflict):
        await keys.create(BEN, "again", secret=secret)
    for weak in ("", "qk_password", secret[:-1], "x" * 55, secret + "\n"):
        with pytest.raises(UsageError):
            await keys.create(ANN, "weak", secret=weak)


async def test_a_key_of_an_earlier_version_may_do_nothing(keys: Keys, database: Database) -> None:
    """Its row has no prefix and no scopes: what it was issued for is unknown."""
    async with database.write() as connection:
        await connection.execute(
            text("INSERT INTO api_keys (id, user_id, name, hash, created_at, scopes)"
                 " VALUES ('k', 'ann', 'old', 'h', :at, '[\"fly\"]')")
            .bindparams(bindparam("at", datetime(2031, 5, 4, tzinfo=UTC), Utc))
        )  # fmt: skip
        assert (await connection.execute(select(api_keys.c.prefix))).scalar_one() is None
    (old,) = await keys.list()
    assert not old.scopes


def test_an_admin_may_do_everything_and_a_user_everything_but_that() -> None:
    assert Right.ADMIN not in USER_RIGHTS
    assert USER_RIGHTS | {Right.ADMIN} == set(Right)


async def test_a_key_that_could_do_nothing_or_cannot_be_told_in_a_list_is_not_issued(
    keys: Keys,
) -> None:
    for name in ("", "  ", "a\nb", "a\0"):
        with pytest.raises(UsageError):
            await keys.create(ANN, name)
    with pytest.raises(UsageError, match="scope"):
        await keys.create(ANN, "laptop", scopes=())
    made, _ = await keys.create(ANN, " laptop ")
    assert [key.name for key in await keys.list(ANN)] == [made.name] == ["laptop"]
