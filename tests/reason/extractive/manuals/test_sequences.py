"""What is done in turn is told whole, and not by the command of one step."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE, Opens
from quaere.reason.extractive.manuals.sequences import find_sequence

QUILL: Text = (
    "Quill",
    (
        "# Quill\n\n## Install\n\n1. Get the package with `wget quill.tgz`.\n"
        "2. Unpack it with `tar xf quill.tgz`.\n3. Run `./install.sh --all`.\n\n"
        "## Upgrade\n\n- Stop Quill: `quill stop now`\n- Start Quill: `quill start again`\n\n"
        "## Build from source\n\nCheck out the sources:\n\n```\ngit clone quill.git\n```\n\n"
        "After that compile and install:\n\n```\nmake\nmake install\n```\n\n"
        "## Examples\n\nExport all notes:\n\n```\nquill export all\n```\n\n"
        "Export one note:\n\n```\nquill export one\n```\n\n"
        "## Create a key\n\nRun `quill key new`."
    ),
)


def test_commands_in_turn_are_one_answer() -> None:
    lines = find_sequence("How do I build Quill from source?", pool(QUILL))
    assert [line.text for line in lines] == [
        "Check out the sources",
        "git clone quill.git",
        "After that compile and install",
        "make\nmake install",
    ]
    assert [line.is_block for line in lines] == [False, True, False, True]


@pytest.mark.parametrize(
    "question",
    [
        "How do I export notes from Quill?",
        "How do I not build Quill from source?",
        "What is built from source?",
        "How do I build a boat?",
        "",
    ],
)
def test_what_is_no_sequence_or_another_is_none(question: str) -> None:
    assert find_sequence(question, pool(QUILL)) == ()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How do I install Quill?", ("wget", "tar xf", "install.sh")),
        ("How do I upgrade Quill?", ("quill stop now", "quill start again")),
        ("How do I build Quill from source?", ("git clone", "make install")),
        ("How do I create a key in Quill?", ("quill key new",)),
    ],
)
def test_all_steps_are_told_for_certain(question: str, told: tuple[str, ...]) -> None:
    written = answer(question, QUILL)
    assert written[0].direct is not None
    assert written[0].direct.confidence >= SURE
    said = " ".join(sentence.text for sentence in written)
    assert all(part in said for part in told)
    assert len(written) >= len(told)


def test_what_is_typed_is_shown_as_code() -> None:
    written = answer("How do I build Quill from source?", QUILL)
    assert [each.opens for each in written] == [None, Opens.CODE, None, Opens.CODE]
