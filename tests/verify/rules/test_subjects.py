"""Which of two things that a text sets side by side a sentence is about."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.subjects import is_of_another_subject

BARGES = "The barge Gull needs a new keel, and the barge Merle needs its sail patched."
SISTERS = (
    "Gull was launched on 4 June and sailed in July.",
    "Her sister Merle was launched late.",
)


@pytest.mark.parametrize(
    ("said", "lines", "is_other"),
    [
        ("The sail of the Gull must be patched.", [BARGES], True),
        ("The sail of the Merle must be patched.", [BARGES], False),
        ("Merle was launched on 4 June.", SISTERS, True),
        ("Gull was launched on 4 June.", SISTERS, False),
        # A sentence that names both, or says more of the first, may say it of either.
        ("The sail of the Merle was patched at the Gull.", [BARGES], False),
        ("The sail and the keel of the Gull must be patched.", [BARGES], False),
        # What points back may be about both, and what has no subject is about the first.
        (
            "The cook of the Gull has a red sail patched.",
            ["The barge Gull has a cook, and the barge Merle has a red sail patched for her."],
            False,
        ),
        (
            "The Gull carries wool.",
            ["The Gull sails on Monday and carries wool."],
            False,
        ),
        # Two things that have nothing in common are not set side by side.
        (
            "The report advises a new keel.",
            ["The report covers nine barges, and the authors advise a new keel."],
            False,
        ),
        # A sentence of two statements may have one of each.
        ("The Gull sails, and the sail must be patched.", [BARGES], False),
    ],
)
def test_the_subject_of_one_statement_does_not_go_with_the_rest_of_another(
    said: str, lines: list[str], is_other: bool
) -> None:
    assert is_of_another_subject(said, lines) is is_other


def test_other_languages_are_left_alone() -> None:
    with speaking(languages()["de"]):
        assert not is_of_another_subject("The sail of the Gull must be patched.", [BARGES])
