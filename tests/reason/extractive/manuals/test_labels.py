"""What is said under an option is shown with it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.draft import labelled

DRAIN: Text = (
    "drain",
    (
        "NAME\n"
        "       drain empties tanks that stand in the yard of a harbour on its own.\n\n"
        "OPTIONS\n"
        "       -k, --keep\n"
        "           Hold back the last litre of every tank. It is lost otherwise.\n\n"
        "       WaitSec=\n"
        "           The wait before the valve is shut again by the harbour master.\n\n"
        "       reopen [--slow] [<tank>]\n"
        "           Like shut, but the valve is left open for those that come after.\n\n"
        "       Harbour master\n"
        "           Shuts the valve at night and opens it again in the small hours.\n"
    ),
)


@pytest.mark.parametrize(
    ("begins", "shown"),
    [
        ("Hold back", "-k, --keep: Hold back the last litre of every tank."),
        ("It is lost", "It is lost otherwise."),
        ("The wait", "WaitSec= The wait before the valve is shut again by the harbour master."),
        (
            "Like shut",
            (
                "reopen [--slow] [<tank>]: Like shut, but the valve is left open for those that"
                " come after."
            ),
        ),
        ("Shuts the", "Shuts the valve at night and opens it again in the small hours."),
        ("drain empties", "drain empties tanks that stand in the yard of a harbour on its own."),
    ],
)
def test_the_first_sentence_under_what_one_types_is_shown_with_that(
    begins: str, shown: str
) -> None:
    read = pool(DRAIN)
    line = next(line for line in read.lines if line.text.startswith(begins))
    named = labelled(line, read)
    assert named.text == shown
    assert " ".join(read.passages[0].text[named.start : named.end].split()).endswith(line.text)


def test_an_answer_says_of_which_option_it_speaks() -> None:
    said = answer("Is the last litre of each tank held back?", DRAIN)
    assert said[0].text.startswith("-k, --keep: Hold back")
    assert said[0].quotes[0].text.startswith("-k, --keep\n")
