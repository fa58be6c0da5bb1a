"""The headings over a place of a text."""

from __future__ import annotations

import pytest

from quaere.domain.headings import headings_over, plain_headings

TEXT = (
    "# gully\n\n## Options\n\n### keep\n\nDays.\n\n### level\n\nHow much.\n\n## Errors\n\nNone.\n"
)


@pytest.mark.parametrize(
    ("before", "headings"),
    [
        ("## Options", ""),
        ("Days", "## Options\n### keep"),
        ("### level", "## Options\n### keep"),
        ("How much", "## Options\n### level"),
        ("None", "## Errors"),
    ],
)
def test_a_heading_ends_those_of_its_level_and_below(before: str, headings: str) -> None:
    assert headings_over(TEXT, TEXT.index(before)) == headings


def test_a_heading_that_begins_a_text_is_over_it() -> None:
    assert headings_over("## Options\n\nDays.\n", 12) == "## Options"


def test_a_place_is_reached_in_steps_as_at_once() -> None:
    at, path = 0, ""
    for end in (at for at in range(len(TEXT)) if TEXT[at - 1] == "\n"):
        path = headings_over(TEXT, end, path, start=at)
        at = end
        assert path == headings_over(TEXT, end)


def test_the_words_of_headings_have_no_marks() -> None:
    assert plain_headings("## Options\n### keep") == "Options\nkeep"
