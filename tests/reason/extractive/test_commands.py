"""Which commands answer how something is done."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.commands import find_commands

TOOL: Text = (
    "gully",
    (
        "# gully\n\ngully copies log files.\n\n## Installation\n\n"
        "Use apt or pip to install it.\n\n"
        "$ apt install gully\n\nor\n\n$ pip install gully\n\n"
        "## Building\n\nTo build it with support for tapes, run:\n\n"
        "    make TAPES=yes\n\n    make check\n\nTo clean up, `gully sweep --all` is enough.\n\n"
        "## gully drain\n\nUsage: gully drain [OPTIONS] DISK\n\nEmpty a disk that is full.\n\n"
        "## History\n\nIt was built by hand at first. A full disk that waits\n"
        "is emptied with an answer, which is a "
        '`{"name": DISK}` to empty the full disk.\n'
    ),
)
TAPES = "To build it with support for tapes, run: `make TAPES=yes`"


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I install gully with pip?", ["`$ pip install gully`"]),
        ("How can I build gully with support for tapes?", [TAPES, "`make check`"]),
        ("How do I clean up with gully?", ["To clean up, `gully sweep --all` is enough."]),
        ("How do I empty a full disk?",
         ["Usage: gully drain [OPTIONS] DISK", "Empty a disk that is full."]),
        ("Which command empties a full disk?",
         ["Usage: gully drain [OPTIONS] DISK", "Empty a disk that is full."]),
        ("How do I remove gully?", []),
        ("How was the observatory built?", []),
        ("What does gully copy?", []),
    ],
)  # fmt: skip
def test_commands_answer_where_what_is_around_them_says_what_is_asked(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(TOOL))] == lines


def test_what_leads_in_and_its_command_are_one_quote() -> None:
    first, second = answer("How can I build gully with support for tapes?", TOOL)
    assert (first.text, second.text) == (TAPES, "`make check`")
    assert first.quotes[0].text == "To build it with support for tapes, run:\n\n    make TAPES=yes"


SERVICE: Text = (
    "gully serve",
    (
        "# gully\n\nA gully server that stopped at the start says why.\n\n"
        "## gully serve\n\nUsage: gully serve [OPTIONS]\n\nAnswer over HTTP.\n\n"
        "## From a program\n\nfrom gully import Client\n\n"
        'key = client.keys.create(api_key="none", create=True)\n\n'
        "## Keys\n\nAn API key is created by `gully keys create NAME`.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I start the server?", ["Usage: gully serve [OPTIONS]", "Answer over HTTP."]),
        ("How do I create an API key?", ["An API key is created by `gully keys create NAME`."]),
    ],
)
def test_a_verb_starts_what_does_it_and_a_program_is_no_command(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(SERVICE))] == lines
