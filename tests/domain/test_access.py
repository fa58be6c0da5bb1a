"""What a key may do, and until when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from quaere.domain.access import USER_RIGHTS, ApiKey, Right, profile_rank, sorted_rights
from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.trace import Owner

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)


def key(*scopes: Right, **fields: datetime) -> ApiKey:
    return ApiKey.model_validate(
        {
            "id": "k",
            "owner": Owner(user="ann"),
            "name": "fast",
            "prefix": "q_1",
            "scopes": scopes,
            "created_at": NOW - timedelta(days=9),
            **fields,
        }
    )


def test_what_is_not_said_is_no_right_of_an_administrator() -> None:
    assert Right.ADMIN not in USER_RIGHTS
    assert len(USER_RIGHTS) == len(Right) - 1


def test_a_key_is_valid_until_it_expires_or_is_revoked() -> None:
    assert key().is_valid(NOW)
    assert key(expires_at=NOW + timedelta(seconds=1)).is_valid(NOW)
    assert not key(expires_at=NOW).is_valid(NOW)
    assert not key(revoked_at=NOW + timedelta(days=1)).is_valid(NOW)
    both = key(revoked_at=NOW, expires_at=NOW + timedelta(days=1))
    assert not both.is_valid(NOW)


def test_rights_are_told_in_one_order() -> None:
    assert sorted_rights(list(reversed(Right))) == list(Right)
    assert key(Right.CHECK, Right.RUN).model_dump(mode="json")["scopes"] == ["run", "check"]


def test_profiles_rank_by_what_they_may_take() -> None:
    ranked = sorted(ProfileName, key=profile_rank)
    assert ranked[-2:] == [ProfileName.STANDARD, ProfileName.DEEP]
    seconds = [PROFILES[name].max_execution_time_s for name in ranked]
    assert seconds == sorted(seconds)
