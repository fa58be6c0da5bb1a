"""Which version of something is needed."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.question import SourceKind
from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.needs import find_needed_version
from quaere.reason.extractive.queries import version_queries

KELP: Text = (
    "kelp",
    (
        "# kelp\n\nkelp reads tides. The last kelp for Tern 2.9 was 1.4. Support for Tern 3.0 or "
        "newer was dropped.\n\n## Set-up\n\nYou need Tern 4.2 or newer, and oil.\n\n"
        "It was tried on Skua 7.\n\nTo build it, Wren >= 2 is enough.\n"
    ),
)
BUOY: Text = ("buoy", "# buoy\n\nbuoy requires Tern 5.\n")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which Tern version does kelp need?", "Tern 4.2 or newer"),
        ("What version of Tern is required for kelp?", "Tern 4.2 or newer"),
        ("Which Tern version does buoy require?", "Tern 5"),
        ("What Wren version do I need to build kelp?", "Wren >= 2"),
        ("Which Tern do I need for kelp?", "Tern 4.2 or newer"),
        ("Which oil do I need for kelp?", None),
        ("Which Skua version does kelp need?", None),
        ("Which Tern version do I need?", None),
        ("Which Tern version came first?", None),
        ("How do I build kelp?", None),
    ],
)
def test_the_version_is_told_where_one_alone_is_needed(question: str, told: str | None) -> None:
    found = find_needed_version(question, pool(KELP, BUOY))
    assert (found.text if found else None) == told


def test_the_version_is_told_before_its_line() -> None:
    (said,) = answer("Which Tern version do I need?", KELP)
    assert said.direct is not None
    assert (said.direct.kind, said.direct.text) == (DirectKind.NAME, "Tern 4.2 or newer")
    assert said.text == "You need Tern 4.2 or newer, and oil."


def test_what_is_needed_is_looked_for_in_folders_by_the_words_it_has() -> None:
    (query,) = version_queries("Which version of Tern is required?", [SourceKind.FOLDER])
    assert "Tern" in query.text
    assert "version" not in query.text
    assert version_queries("Which version of Tern is required?", [SourceKind.WEB]) == ()
    assert version_queries("Which tern came first?", [SourceKind.FOLDER]) == ()
    assert version_queries("Which oil do I need?", [SourceKind.FOLDER]) == ()
