"""Both of two things, or one of them."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.verify.support import weigh


@pytest.mark.parametrize(
    ("said", "source", "holds"),
    [
        ("A visa and a passport are needed.", "A passport or a visa is needed.", False),
        ("A visa or a passport is needed.", "A passport and a visa are needed.", False),
        ("A visa and a passport are needed.", "A passport and a visa are needed.", True),
        ("You can pay by card or cash.", "You can pay by cash and card.", True),
        ("No dogs and cats are kept.", "No dogs or cats are kept.", True),
    ],
)
def test_one_of_two_is_not_both(said: str, source: str, holds: bool) -> None:
    assert weigh(said, [passage(source)]).support.holds is holds
