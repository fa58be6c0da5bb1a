"""On which side of a figure something is said to hold."""

from __future__ import annotations

import pytest
from tests.verify.test_clash import kind

from quaere.verify.clash import Kind
from quaere.verify.rules.limits import turns_limit

NARROW = "Boats over 12 metres may not moor at the quay."


@pytest.mark.parametrize(
    ("said", "held", "turned"),
    [
        ("Bags up to 20 kg are free.", "Bags over 20 kg are free.", -1),
        ("Bags over 20,000 g are free.", "Bags heavier than 20 kg are free.", 1),
        ("Bags up to 20 kg are free.", "Bags over 30 kg are free.", 0),
        ("Bags of 20 kg are free.", "Bags over 20 kg are free.", 0),
        ("Notes are kept for 14 days.", "Notes are deleted after two weeks.", -1),
    ],
)
def test_one_figure_bounds_both_or_nothing_is_told(said: str, held: str, turned: int) -> None:
    assert turns_limit(said, held) == turned


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Only boats of up to 12 metres may moor at the quay.", None),
        ("Only boats over 12 metres may moor at the quay.", Kind.DENIED),
        ("Boats of up to 12 metres may not moor at the quay.", Kind.ORDER),
    ],
)
def test_a_limit_and_a_denial_that_are_turned_together_agree(
    said: str, expected: Kind | None
) -> None:
    assert kind(said, NARROW) is expected
