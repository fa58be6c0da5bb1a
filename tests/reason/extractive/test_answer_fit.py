from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.reason.extractive.answer_fit import answer_fit, tells_how, tells_means
from quaere.reason.extractive.answer_kinds import Kind


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Kind.PERSON, "It was founded by Odile Varga.", "It was founded in a hurry."),
        (Kind.PERSON, "It was founded by Odile Varga.", "It was founded by Brell City Council."),
        (Kind.PERSON, "Then Odile wrote it.", "It reads any Markdown, whoever wrote it."),
        (Kind.PERSON, "Then Odile wrote it.", "It keeps `Odile`, whoever wrote it."),
        (Kind.PLACE, "She was born in Tarnholm.", "She was born in a storm."),
        (Kind.ORGANIZATION, "Hask Lens Works ground it.", "Somebody ground it."),
        (Kind.DATE, "The works burned down in 1932.", "The works burned down."),
        (Kind.DATE, "The works burned down in 1932.", "The works burn down every May."),
        (Kind.NUMBER, "The dome has 40 wheels.", "The dome has wheels."),
        (Kind.NUMBER, "The dome has 40 wheels.", "The dome was built in 1932."),
        (Kind.REASON, "It ripens because the air is damp.", "It ripens there."),
        (Kind.MANNER, "Lenses are ground by turning them.", "Lenses are heavy."),
        (Kind.DEFINITION, "An astrolabe is an instrument.", "The astrolabe fell."),
        (Kind.COMPARISON, "Brass is heavier than iron.", "Brass shines."),
        (Kind.LIST, "It sells salt, brass and rope.", "It sells rope."),
    ],
)
def test_a_sentence_that_holds_the_kind_fits_better(kind: Kind, good: str, bad: str) -> None:
    assert answer_fit(kind, good) > answer_fit(kind, bad)


def test_what_the_question_names_is_no_answer() -> None:
    sentence = "Odile Varga lived alone."
    assert answer_fit(Kind.PERSON, sentence) == 1.0
    assert answer_fit(Kind.PERSON, sentence, frozenset({"odile", "varga"})) == 0.0
    assert answer_fit(Kind.DATE, "It opened in 1932.", frozenset({"1932"})) == 0.0


@pytest.mark.parametrize(
    ("question", "sentence", "told"),
    [
        ("How long are logs kept?", "Logs are kept until they are deleted.", True),
        ("How long does a seal hold?", "It holds as long as it is wet.", True),
        ("How long are logs kept?", "Logs are kept in a folder.", False),
        ("How many logs are kept?", "Logs are kept until they are deleted.", False),
        ("How often are logs read?", "They are read once a day.", True),
        ("How often are logs read?", "They are read by two people.", False),
        ("How are logs read?", "They are read once a day.", False),
    ],
)
def test_how_long_and_how_often_are_told_without_a_figure(
    question: str, sentence: str, *, told: bool
) -> None:
    assert tells_how(question, sentence) is told


def test_any_sentence_can_be_a_statement() -> None:
    assert answer_fit(Kind.STATEMENT, "It rains.") == 1.0
    assert answer_fit(Kind.YES_NO, "It rains.") == 1.0


@given(st.sampled_from(Kind), st.text(max_size=200))
def test_strength_is_a_share(kind: Kind, text: str) -> None:
    assert 0.0 <= answer_fit(kind, text) <= 1.0


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("You can use the siphon to try to empty a tank.", True),
        ("To empty the tank, open the valve.", True),
        ("The tank is emptied at night.", False),
        ("Use the siphon to fill the tank.", False),
    ],
)
def test_means_are_told_for_what_is_to_be_done(sentence: str, tells: bool) -> None:
    assert tells_means("How do I empty the tank?", sentence) is tells
    assert not tells_means("What empties the tank?", sentence)
