"""What sorts of things there are, by stems of the language in use."""

from __future__ import annotations

from quaere.text.languages.language import languages, speaking
from quaere.text.sorts import alike, sorts
from quaere.text.tokens import stem


def test_a_question_in_another_language_leaves_the_stems_of_english_as_they_are() -> None:
    with speaking(languages()["de"]):
        windows, macos = stem("windows"), stem("macos")
        assert windows in sorts()
        assert macos in alike("mac")
    assert (stem("windows"), stem("macos")) != (windows, macos)
    assert stem("windows") in sorts()
    assert stem("macos") in alike("mac")
