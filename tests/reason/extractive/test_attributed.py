"""A nationality is that of what it stands before."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.attributed import (
    is_of_another_nation,
    names_nations,
    tell_nations_so,
)
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, speaking

LINE = "Quiet Water is a 1974 British drama film directed by the Polish director Jan Korda."


@pytest.mark.parametrize(
    ("question", "sentences", "so"),
    [
        ("Is Quiet Water a British film?", [LINE], True),
        ("Is Quiet Water a Polish film?", [LINE], False),
        ("Is Quiet Water a British film by a Polish director?", [LINE], True),
        ("Is Quiet Water a British film by an Irish director?", [LINE], False),
        ("Is Quiet Water an Irish poem?", [LINE], False),
        ("Is Quiet Water a film?", [LINE], True),
        ("Is Kesh a Danish band?", ["Kesh are a Danish-Norwegian rock band."], True),
        ("Is Pell a Brazilian painter?", ["Pell is a painter from Brazil."], True),
        ("Is Pell Brazilian?", ["Pell is a painter from Brazil."], True),
        ("Is Pell Brazilian?", ["Pell was married to the Brazilian painter Jan Korda."], False),
        ("Is Pell Brazilian?", ["Pell is a Dutch painter."], False),
        ("Is Pell Brazilian?", ["The coach is Pell, a Brazilian player."], True),
        ("Is Pell in Brazil?", ["Pell lies in Brazil."], True),
        ("Ist Quiet Water ein Polish film?", [LINE], True),
        ("", [], True),
    ],
)
def test_of_whom_a_nation_is_told(question: str, sentences: list[str], *, so: bool) -> None:
    with speaking(language_of(question)):
        assert tell_nations_so(question, sentences) is so


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("Is Quiet Water an American film about a painter?", True),
        ("Is Quiet Water a British film?", False),
        ("Is Quiet Water a Polish novel?", False),
        ("Is Loud Water an American film?", False),
        ("Is it raining?", False),
    ],
)
def test_what_is_of_another_nation_is_denied(question: str, *, other: bool) -> None:
    assert is_of_another_nation(question, LINE) is other


def test_a_country_by_itself_is_of_no_thing() -> None:
    assert names_nations("Is it a Danish film?")
    assert not names_nations("Is it set in Denmark?")


FILM: Text = (
    "Quiet Water",
    f"{LINE} It follows a Hungarian painter who hides in Vienna.",
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Quiet Water a British film about a Hungarian painter?", "Yes"),
        ("Is Quiet Water a Polish film?", "No"),
        ("Is Quiet Water an American film about a Hungarian painter?", "No"),
    ],
)
def test_attributes_that_are_of_something_else_make_no_yes(question: str, said: str) -> None:
    direct = answer(question, FILM)[0].direct
    assert direct is not None
    assert direct.kind is DirectKind.YES_NO
    assert direct.text == said
    assert direct.confidence >= SURE


def test_what_is_said_of_nobody_is_not_affirmed() -> None:
    found = decide_yes_no("Is Quiet Water a British film about a Danish painter?", pool(FILM))
    assert found is None or found.says is not True


@pytest.mark.parametrize(
    ("question", "is_yes"),
    [
        ("Was the song written about a Danish sailor?", False),
        ("Was the song written by a Danish sailor?", True),
    ],
)
def test_by_another_preposition_it_is_not_so(question: str, *, is_yes: bool) -> None:
    song = ("Tide", "The song was written by a Danish sailor.")
    found = decide_yes_no(question, pool(song))
    assert (found is not None and found.says is True) is is_yes
