"""Which words of German are forms of one, where no stemmer brings them together."""

from __future__ import annotations

import pytest

from quaere.text.synonyms import is_form


@pytest.mark.parametrize(
    ("held", "term", "is_one"),
    [
        ("wanderheim", "heim", True),
        ("liegewies", "wies", True),
        ("schwein", "wein", False),
        ("freibad", "bad", False),
        ("preis", "reis", False),
        ("heim", "heim", False),
        ("gespielt", "spiel", True),
        ("", "", False),
        ("erhöht", "erhöh", True),
        ("malt", "mal", False),
        ("verleihbar", "verleih", True),
        ("benoemd", "benoemt", True),
        ("benoemd", "benoem", True),
        ("hafensicher", "sicherheit", True),
        ("steuerfrei", "einheit", False),
    ],
)
def test_a_longer_word_is_a_form_of_a_short_one_where_a_word_is_left(
    held: str, term: str, is_one: bool
) -> None:
    assert is_form(held, term) is is_one
