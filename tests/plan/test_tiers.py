from __future__ import annotations

import pytest

from quaere.domain.budget import ProfileName
from quaere.plan.delegation import choose_tier


@pytest.mark.parametrize(
    ("requested", "detected", "chosen"),
    [
        (ProfileName.CHAT, ProfileName.DEEP, ProfileName.CHAT),
        (None, ProfileName.DEEP, ProfileName.DEEP),
        (None, None, ProfileName.STANDARD),
    ],
)
def test_a_request_beats_detection_beats_standard_r0_6(
    requested: ProfileName | None, detected: ProfileName | None, chosen: ProfileName
) -> None:
    assert choose_tier(requested, detected) is chosen
