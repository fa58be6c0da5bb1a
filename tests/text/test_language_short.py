"""In which language a short text may be that has too few words to tell."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import language_of, languages, may_be_in


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("", True),
        ("Kinder zahlen Maut.", True),
        ("Die Maut der Kinder", True),
        ("KEINE MAUT FÜR KINDER", True),
        ("Children of the town", False),
        ("The Maut of Kinder", False),
        ("Maut for die Kinder", True),
        ("Toll for the Kinder und", False),
    ],
)
def test_a_text_with_no_more_words_of_english_than_of_german_may_be_german(
    text: str, may: bool
) -> None:
    assert may_be_in(languages()["de"], text) is may


def test_words_that_two_languages_share_tell_neither() -> None:
    shared = "para por porque"
    assert language_of(f"Lago {shared} Hask") is None
    assert language_of(f"Lago {shared} Hask y el") is languages()["es"]
    assert language_of(f"Lago {shared} Hask não em") is languages()["pt"]
