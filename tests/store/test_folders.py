"""The rows of users' folders, on both databases."""

from __future__ import annotations

import asyncio

import pytest

from quaere.domain.trace import Owner
from quaere.errors import FolderNotFound, QuotaExceeded
from quaere.store.db.database import Database
from quaere.store.folders import FolderRows
from quaere.store.traces.privacy import Privacy

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")


async def test_folders_are_kept_by_owner(database: Database) -> None:
    rows = FolderRows(database)
    first = await rows.create(ANN, "灯 one", at_most=9)
    second = await rows.create(ANN, "two", at_most=9)
    assert await rows.list(ANN) == (first, second)
    assert await rows.get(ANN, first.id) == first
    for owner in (BEN, Owner(user="ann"), Owner(user="ann", org="barges")):
        assert await rows.list(owner) == ()
        for doing in (rows.get(owner, first.id), rows.delete(owner, first.id)):
            with pytest.raises(FolderNotFound):
                await doing
    for odd in ("", "\0", "\ud800", "%", "x" * 999):
        with pytest.raises(FolderNotFound):
            await rows.get(ANN, odd)
    await rows.delete(ANN, first.id)
    assert await rows.list(ANN) == (second,)


async def test_folders_of_one_name_are_numbered_for_each_owner(database: Database) -> None:
    """However many are created at the same time."""
    rows = FolderRows(database)
    made = await asyncio.gather(*(rows.create(ANN, "Letters", at_most=9) for _ in range(3)))
    assert {row.name for row in made} == {"Letters", "Letters (2)", "Letters (3)"}
    assert set(await rows.list(ANN)) == set(made)
    assert (await rows.create(BEN, "Letters", at_most=9)).name == "Letters"


async def test_a_folder_is_not_called_as_one_of_somebody_else_that_is_seen_beside_it(
    database: Database,
) -> None:
    rows = FolderRows(database)
    made = [await rows.create(ANN, "notes", at_most=9, taken=["notes"]) for _ in range(2)]
    assert [row.name for row in made] == ["notes (2)", "notes (3)"]


async def test_the_id_of_a_folder_is_not_taken_for_a_key_where_a_message_names_it(
    database: Database,
) -> None:
    rows = FolderRows(database)
    made = [await rows.create(ANN, str(number), at_most=50) for number in range(50)]
    told = [f"There is nothing to read in folder:{row.id}." for row in made]
    assert [*map(Privacy().message, told)] == told


async def test_a_user_has_no_more_folders_than_allowed(database: Database) -> None:
    """However many are created at the same time."""
    rows = FolderRows(database)
    creating = (rows.create(ANN, str(number), at_most=3) for number in range(8))
    made = await asyncio.gather(*creating, return_exceptions=True)
    assert sum(isinstance(each, QuotaExceeded) for each in made) == 5
    assert len(await rows.list(ANN)) == 3
    await rows.create(BEN, "his", at_most=3)


async def test_who_has_as_many_as_allowed_is_told_how_many_and_when_to_ask_again(
    database: Database,
) -> None:
    rows = FolderRows(database)
    with pytest.raises(QuotaExceeded):
        await rows.create(ANN, "none", at_most=0)
    await rows.create(ANN, "one", at_most=1)
    with pytest.raises(
        QuotaExceeded, match=r"your limit on folders \(1\); delete one first"
    ) as refused:
        await rows.create(ANN, "two", at_most=1)
    assert refused.value.retry_after == 60.0
    assert [row.name for row in await rows.list(ANN)] == ["one"]
