"""A word of substance in the place of another one leaves open what its source says."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.verify.align import align
from quaere.verify.rules.replaced import replaces
from quaere.verify.support import weigh

LOCK = (
    "The lock was rebuilt in 1911. Its gates are made of larch. The keeper lives in the white"
    " cottage, and the barges moor at the lower quay."
)


@pytest.mark.parametrize(
    ("said", "support"),
    [
        ("Gates are made of oak.", Support.NOT_JUDGED),
        ("The gates are made of larch.", Support.SUPPORTED),
        ("The keeper lives in the red cottage.", Support.NOT_JUDGED),
        ("The keeper lives in the white cottage.", Support.SUPPORTED),
    ],
)
def test_another_word_in_its_place_is_not_supported(said: str, support: Support) -> None:
    assert weigh(said, [passage(LOCK)]).support is support


@pytest.mark.parametrize(
    ("said", "lines", "expected"),
    [
        ("The gates are made of oak.", ["The gates are made of larch."], True),
        ("The gates were built of oak.", ["The gates are built of larch."], True),
        ("The gates are made of oak.", ["The gates are made of old larch."], False),
        ("The gates are made of oak.", ["The gates are made of larch.", "Oak is used."], False),
        ("The gates rest on oak.", ["The gates stand on larch."], False),  # nothing of it is left
        ("The ferry takes bicycles.", ["The ferry carries bicycles."], False),
        ("The ferry sails to the isle.", ["The ferry crosses to the isle."], False),  # verbs
        ("The crew painted the ferry in May.", ["The crew painted it in May."], False),
        (
            "The ferry leaves at 9.",
            ["The ferry leaves at 8."],
            False,
        ),  # the rule for figures has it
        ("The tolls of the bridge rose.", ["The charges of the bridge rose."], True),
    ],
)
def test_only_one_word_in_a_clause_that_is_else_the_same(
    said: str, lines: list[str], expected: bool
) -> None:
    assert replaces([align(said, line) for line in lines]) is expected
