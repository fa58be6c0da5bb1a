from __future__ import annotations

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING, BRIDGE

from quaere.text.languages.language import languages, speaking
from quaere.verify.ground import Ground, ground, nearest


def test_a_text_in_use_is_taken_apart_once() -> None:
    assert ground(BRIDGE) is ground(BRIDGE)
    assert [BRIDGE[line.span.start :][:3] for line in ground(BRIDGE).lines] == ["The", "It ", "Hea"]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The gate was not closed.", {"close"}),
        ("The gate wasn't ever really closed.", {"realli"}),
        ("There is no evidence of gold.", {"evid"}),
        ("It closed without warning in spring.", {"warn"}),
        ("The gate was not only closed but locked.", set[str]()),
        ("It is no longer open.", set[str]()),
        ("No, the gate is open.", set[str]()),
        ("Not 12 men came.", set[str]()),
        ("The gate was closed.", set[str]()),
    ],
)
def test_what_stands_behind_a_denial_is_denied(text: str, denied: set[str]) -> None:
    assert ground(text).denied == denied


def test_a_reply_is_no_denial_and_a_hint_may_be_one() -> None:
    assert not ground("No, the gate is open.").denies
    assert ground("The gate is never open.").denies
    assert not ground("The envoys refused to sign.").denies
    assert ground("The envoys refused to sign.").may_deny
    assert not ground("The envoys signed.").may_deny


def test_a_word_that_opens_a_sentence_and_looks_derived_is_no_name() -> None:
    said = ground("Opening hours vary. Tarn lies on the Orrin.")
    assert [name.text for name in said.names] == ["Tarn", "Orrin"]


def test_a_command_that_opens_a_sentence_is_no_name() -> None:
    said = ground("Verify whether it runs. Adapt your build. Check how long Tarn takes.")
    assert [name.text for name in said.names] == ["Tarn"]


def test_initials_and_joined_words_are_known() -> None:
    said = ground("The Salt Mining Union met in Game Boy Street.")
    assert "smu" in said.initials
    assert "gameboy" in said.joined


@given(ANYTHING)
def test_no_text_is_too_odd(text: str) -> None:
    said = Ground(text)
    assert said.denied | said.affirmed == said.terms
    assert said.denies <= said.may_deny
    for part in (said.words, said.dates, said.numbers, said.names, said.initials, said.joined):
        assert part is not None


def test_an_article_and_a_noun_that_begin_a_german_sentence_are_no_name() -> None:
    with speaking(languages()["de"]):
        assert [name.text for name in ground("Der Bau begann 1861.").names] == []
        assert [name.text for name in ground("Krell Bau begann 1861.").names] == ["Krell Bau"]


SOURCE = Ground(BRIDGE)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "It cost crowns and spans 312 metres.",
            "It spans 312 metres and cost 2.4 million crowns.",
        ),
        (
            "Tellin opened the bridge; it spans 312 metres.",
            BRIDGE[: BRIDGE.index(" Heavy")],
        ),
    ],
)
def test_the_nearest_place_is_the_shortest_that_holds_most(said: str, words: str) -> None:
    place = nearest(Ground(said), SOURCE)
    assert BRIDGE[place.start : place.end] == words


def test_nothing_alike_has_no_place() -> None:
    place = nearest(Ground("Nothing alike"), SOURCE)
    assert (place.start, place.end, place.share, place.lines) == (0, 0, 0.0, ())


@given(ANYTHING, ANYTHING)
def test_a_place_lies_in_its_text(said: str, text: str) -> None:
    place = nearest(Ground(said), Ground(text))
    assert 0 <= place.start <= place.end <= len(text)
    assert 0.0 <= place.share <= 1.0
