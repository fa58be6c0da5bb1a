from __future__ import annotations

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING

from quaere.verify.facts import Opposition, opposition
from quaere.verify.ground import ground


def opposed(said: str, source: str) -> Opposition | None:
    held = ground(source)
    return opposition(ground(said), [held], held.lines)


@pytest.mark.parametrize(
    ("said", "source", "against"),
    [
        ("The gate was not closed.", "The gate was closed.", Opposition.DENIES),
        ("The gate was closed.", "The gate wasn't closed.", Opposition.AFFIRMS),
        ("The gate was never old.", "The gate was closed.", Opposition.DENIES_ALONE),
        ("The gate was not closed.", "The gate was not closed.", None),
        ("The gate was closed.", "The gate was closed and not locked.", None),
        ("The gate was not closed.", "They failed to bar the gate.", None),
        ("No, the gate was closed.", "The gate was closed.", None),
        ("The gate was closed.", "At first not closed, the gate was closed later.", None),
        ("The gate was not only closed.", "The gate was closed, and no guard came.", None),
    ],
)
def test_denials_are_held_against_each_other(
    said: str, source: str, against: Opposition | None
) -> None:
    assert opposed(said, source) is against


@given(ANYTHING)
def test_no_text_opposes_itself(text: str) -> None:
    assert opposed(text, text) is None
