"""Names of code in a question: what has them leads, and nothing else answers."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.identifiers import holds_identifiers, identifiers
from quaere.reason.extractive.pool import Pool

NOTES: Text = (
    "Notes",
    (
        "Replies that are too old are summarized and their format is retained.\n\n"
        "Keep `TideReply` for backward compatibility.\n\n"
        "The default is `only-if-wet`. Other tides are dry. `%W` is how wet it is."
    ),
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Why is the TideReply format being retained?", {"tiderepli"}),
        ("What does only-if-wet do?", {"wet"}),
        ("What is the MacTide format?", set[str]()),
        ("Is a well-kept format retained?", set[str]()),
        ("What does %W mean?", {"w"}),
    ],
)
def test_what_the_sources_set_as_code_is_one(question: str, found: set[str]) -> None:
    assert identifiers(question, pool(NOTES)) == found


def test_a_line_with_the_name_leads_whatever_other_words_are_shared() -> None:
    first, *_ = answer("Why is the TideReply format being retained?", NOTES)
    assert first.text == "Keep `TideReply` for backward compatibility."


@pytest.mark.parametrize(("sign", "held"), [("%W", True), ("%w", True), ("%X", False)])
def test_a_sign_is_asked_for_by_its_whole(sign: str, *, held: bool) -> None:
    assert holds_identifiers(pool(NOTES), f"What does {sign} mean?") is held


def test_nothing_is_one_without_sources() -> None:
    assert identifiers("What does only-if-wet do?", Pool([], {})) == set()
