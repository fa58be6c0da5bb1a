"""What stands below a heading that names it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.manuals.headed_facts import find_headed_fact

KELP: Text = (
    "kelp",
    (
        "# kelp\n\nkelp reads tides.\n\n## Author\n\nOdile Varga, of Tarnholm\n\n"
        "## Status\n\nIt is tried on the river alone.\n\n## Install\n\nkelp-get --now kelp\n\n"
        "## License\n\nISC\n"
    ),
)
HASK: Text = ("Hask", "# Hask\n\nHask is a pump.\n\n## License\n\nAll may use it.\n")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What licence does kelp have?", "License: ISC"),
        ("Which license is kelp released under?", "License: ISC"),
        ("Under which licence is Hask distributed?", "All may use it."),
        ("Who is the author of kelp?", "Author: Odile Varga, of Tarnholm"),
        ("What is the status of kelp?", "It is tried on the river alone."),
        ("What is the author of Hask?", None),
        ("What install does kelp have?", None),
        ("What licence does Skua have?", None),
        ("Which river does kelp have?", None),
    ],
)
def test_a_heading_names_what_is_told_below_it(question: str, told: str | None) -> None:
    found = find_headed_fact(question, pool(KELP, HASK))
    assert (found.text if found else None) == told


def test_the_quote_has_the_heading_with_what_is_below() -> None:
    (said,) = answer("What licence does kelp have?", KELP)
    assert said.text == "License: ISC"
    assert said.quotes[0].text.endswith("License\n\nISC")
