"""Whether a sentence says how something is done, or only has the words."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.manuals.commands import as_block
from quaere.reason.extractive.manuals.ways import (
    asked_way,
    is_told_loosely,
    says_done,
    tells_no_way,
)


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("How do I change the keeper's password?", ("change", "password", set[str]())),
        ("How can one paint a hull in winter?", ("paint", "hull", {"winter"})),
        ("Where should I moor?", None),
        ("How does the pump start?", None),
        ("Wie ändere ich das Passwort?", None),
    ],
)
def test_what_is_asked_is_a_deed_a_thing_and_how(
    question: str, way: tuple[str, str, set[str]] | None
) -> None:
    asked = asked_way(question)
    assert (asked and (asked.deed, asked.thing, set(asked.details))) == way


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("Change the old administrator password here.", True),
        ("The password is changed on the first page.", True),
        ("To change it, open the first page.", True),
        ("A password change will not help.", False),
        ("Change the lock, for a password is not enough.", False),
        ("Change the lock of a password box.", False),
        ("What the changed password opens is told below.", False),
    ],
)
def test_the_deed_is_done_to_the_thing(told: str, says: bool) -> None:
    way = asked_way("How do I change the password?")
    assert way is not None
    assert says_done(way, told) is says


@pytest.mark.parametrize(
    ("question", "told", "is_none"),
    [
        ("How do I replay a tape?", "Tapes, kept to replay a tape later.", True),
        ("How do I replay a tape?", "`tape.py`: keeps what is said, to replay a tape.", True),
        ("How do I replay a tape?", "Press the green button to replay a tape.", False),
        ("How do I replay a tape?", "You can replay a tape at half its speed.", False),
        ("How do I mend the pump?", "The pump will mend nets with a spare needle.", True),
        ("What replays a tape?", "Tapes, kept to replay a tape later.", False),
    ],
)
def test_a_line_that_tells_nobody_what_to_do_tells_no_way(
    question: str, told: str, is_none: bool
) -> None:
    line = list(pool(("Tapes", told)).lines)[-1]
    assert tells_no_way(question, line) is is_none


LIMITED: Text = (
    "hask",
    ("# hask\n\n## Options\n\n- `--limit N`: check N files of a harbour at most.\n\n## Nights\n\n"
    "If the key is lost and somebody at the desk may still open the yard at night, the harbour is"
    " checked:\n\n```\nhask watch --at night\n```\n\n## Without a key\n\n"
    "Enter the key of the desk:\n\n```\nhask open --desk 4\n```\n"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "lines", "is_loose"),
    [
        ("How do I check a harbour?", ["--limit"], True),
        ("How do I check files?", ["--limit"], False),
        ("How do I watch a desk?", ["If the key", "hask watch"], True),
        ("How do I open a desk without the key?", ["Enter the key", "hask open"], False),
        ("How do I enter a harbour without a pass?", ["If the key", "hask watch"], True),
    ],
)
def test_code_after_other_words_may_be_of_another_thing(
    question: str, lines: list[str], is_loose: bool
) -> None:
    read = pool(LIMITED)
    shown = [
        next(
            as_block(line) if begun.startswith("hask") else line
            for line in read.lines
            if begun in line.text
        )
        for begun in lines
    ]
    assert is_told_loosely(question, shown, read) is is_loose


def is_sure(question: str, *texts: Text) -> bool:
    direct = answer(question, *texts)[0].direct
    assert direct is not None
    return direct.is_sure


def test_a_sentence_that_only_speaks_of_the_deed_is_not_certain() -> None:
    spoken = "# Safes\n\nAs the key opens all, a change of the password prevents nothing.\n"
    told = "# Safes\n\nTo change the password, turn the dial twice.\n"
    question = "How do I change the password?"
    assert not is_sure(question, ("Safes", spoken))
    assert is_sure(question, ("Safes", told))


def test_how_often_is_told_by_how_often_alone() -> None:
    question = "How often should I check the pump?"
    assert not is_sure(question, ("Pumps", "You should check the pump by its dial."))
    assert is_sure(question, ("Pumps", "You should check the pump once a week by its dial."))


def test_how_many_one_needs_is_told_by_a_need_alone() -> None:
    question = "How many clerks do I need?"
    assert not is_sure(question, ("Desk", "A desk at which three clerks fell ill was closed."))
    assert is_sure(question, ("Desk", "For a desk you need three clerks."))
