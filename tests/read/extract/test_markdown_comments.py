"""Comments of configuration files, without the number sign before them."""

from __future__ import annotations

import pytest
from tests.read.documents import body

from quaere.read.extract.markdown import TextExtractor, uncommented

SLUICE = """# How the sluice is run.
# See sluice(8) for more.

# Tides after which the gate is shut. It is shut
# at once if this is 0.
# The default is 4.
# tides = 4

# Ring the bell as well.
#bell=no
gate = north
#
#   Lamp dim
# loud
"""


def test_comments_are_text_and_settings_are_left_out_of_it() -> None:
    assert "\n".join(uncommented(SLUICE.split("\n"))) == (
        "How the sluice is run.\nSee sluice(8) for more.\n\n"
        "Tides after which the gate is shut. It is shut\nat once if this is 0.\n"
        "The default is 4.\n# tides = 4\n\n"
        "Ring the bell as well.\n#bell=no\ngate = north\n\n#   Lamp dim\n# loud\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# Ferries\n\nThey sail.\n\n## Fares\n\nNone.\n\n## Piers\n\nTwo.\n",
        "# Ferries\n## Fares\n\nNone.\n\n## Piers\n\nTwo.\n\n## Boats\n\nOne.\n",
        '#include <gate.h>\n#include "bell.h"\n#define TIDES 4\n\nint main;\n',
        "Shelf\n\n# one\n# two\n",
    ],
)
def test_headings_and_directives_stay_as_they_are(text: str) -> None:
    assert "\n".join(uncommented(text.split("\n"))) == text


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["#This file", "#tells who may open the gate,", "#and when."], "tells who may open"),
        (["#", "#gate    north   4", "#"], "#gate    north   4"),
        (
            ["# Give them as", "# NAME=value. The order of", "# them counts."],
            "NAME=value. The",
        ),
        (["#!/bin/sh", "# Opens the gate.", "# Shuts it."], "#!/bin/sh"),
    ],
)
def test_a_line_is_told_by_its_form_and_by_the_one_before(lines: list[str], shown: str) -> None:
    assert any(line.startswith(shown) for line in uncommented(lines))


def test_a_configuration_file_is_not_called_by_its_first_comment() -> None:
    page = next(TextExtractor().extract(body(SLUICE, "sluice.conf")))
    assert page.title == "sluice.conf"
    assert "Tides after which" in page.text
    assert len(page.marks) == len(SLUICE.split("\n"))
