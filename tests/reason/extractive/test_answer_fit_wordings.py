"""What a sentence tells of how, since when and how much, without being a figure or a name."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer

from quaere.reason.extractive.answer_fit import (
    answer_fit,
    lacks_since,
    lacks_where,
    tells_day,
    tells_how,
    tells_means,
    tells_where,
)
from quaere.reason.extractive.measures import asks_for_measure, lacks_measure
from quaere.reason.extractive.plain_answers import lacks_spot
from quaere.reason.extractive.questions.kinds import Kind
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("How long are logs kept?", "Logs are kept until they are deleted.", True),
        ("How often are logs read?", "Logs are read once a day.", True),
        ("How long are logs kept?", "Logs are read by the clerk.", False),
        ("How often are logs read?", "Logs are kept until they are deleted.", False),
        ("Who keeps the logs?", "Logs are kept until they are deleted.", False),
    ],
)
def test_how_long_and_how_often_are_told_without_a_figure(
    question: str, sentence: str, tells: bool
) -> None:
    assert tells_how(question, sentence) is tells


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("How do I empty the tank?", "Use the pump to empty the tank.", True),
        ("How do I empty the tank?", "To empty the tank, open the valve.", True),
        ("How do I empty the tank?", "The tank is emptied.", False),
        ("How do I empty the tank?", "Use the pump to fill the tank.", False),
        ("Who empties the tank?", "Use the pump to empty the tank.", False),
    ],
)
def test_how_to_do_something_is_told_by_what_is_done(
    question: str, sentence: str, tells: bool
) -> None:
    assert tells_means(question, sentence) is tells


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("Since when is the mill closed?", "The mill was closed in 1790.", True),
        ("Since when is the mill closed?", "The mill has been closed since 1790.", False),
        ("When was the mill closed?", "The mill was closed in 1790.", False),
    ],
)
def test_since_when_is_not_when(question: str, sentence: str, lacks: bool) -> None:
    assert lacks_since(question, sentence) is lacks


@pytest.mark.parametrize(
    ("question", "sentence", "asks", "lacks"),
    [
        ("How tall is the tower?", "The tower is 40 metres high.", True, False),
        ("How tall is the tower?", "The tower has 40 steps.", True, True),
        ("Who built the tower?", "The tower has 40 steps.", False, False),
    ],
)
def test_a_measure_is_a_number_with_a_unit(
    question: str, sentence: str, asks: bool, lacks: bool
) -> None:
    assert asks_for_measure(question) is asks
    assert lacks_measure(question, sentence) is lacks


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("How old must one be to sail?", "Sailors are 16 or older.", False),
        ("How old must one be to sail?", "One sails at 16 years.", False),
        ("How old must one be to sail?", "We write to sailors within three weeks.", True),
    ],
)
def test_an_age_is_no_number_of_weeks(question: str, sentence: str, lacks: bool) -> None:
    assert lacks_measure(question, sentence) is lacks


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("Which day is the tar delivered?", "Tar comes on Thursdays.", True),
        ("When is the tar delivered?", "Tar comes on Thursdays.", False),
        ("Which day is the tar delivered?", "Tar comes at noon.", False),
        ("Quel jour le phare est-il fermé ?", "Le phare est fermé le lundi.", True),
        ("An welchem Tag kommt der Teer?", "Der Teer kommt donnerstags.", True),
        ("¿Qué día llega la brea?", "La brea llega los martes.", True),
    ],
)
def test_a_day_is_told_by_its_name_where_one_is_asked_for(
    question: str, sentence: str, tells: bool
) -> None:
    with speaking(language_of(question)):
        assert tells_day(question, sentence) is tells


@pytest.mark.parametrize(
    ("question", "sentence", "tells", "lacks"),
    [
        ("Where does kelp log to?", "By default kelp will log to stderr.", True, False),
        ("Where are tides kept?", "Tides are kept for a year in `tides.db`.", True, False),
        ("Where are tides kept?", "Tides are kept in the `tides` folder.", True, False),
        ("Where is the chart stored?", "The chart is stored in the castle of Morn.", False, False),
        ("Where is the chart stored?", "The chart is stored in Morn.", True, False),
        ("Where are logs written?", "kelp writes them to /var/log.", True, False),
        ("Where are logs written?", "The console of Morn shows what is written.", False, True),
        ("Where is Morn?", "Tides are kept in Morn.", False, False),
        ("Where are oars kept?", "Oars hang on the left wall.", False, False),
        ("Where are oars kept?", "Oars are behind the shed.", False, False),
        ("Where are oars kept?", "Oars are painted in May.", False, True),
        ("Who keeps tides?", "Tides are kept.", False, False),
        ("Where does tern keep its logs?", "By default, tern uses `~/.tern/logs`.", True, False),
        ("Where does tern keep its logs?", "By default, tern uses a clerk.", False, True),
    ],
)
def test_where_something_is_put(question: str, sentence: str, *, tells: bool, lacks: bool) -> None:
    assert tells_where(question, sentence) is tells
    assert lacks_where(question, sentence) is lacks


def test_what_is_kept_somewhere_need_not_be_said_to_be_kept() -> None:
    page: Text = (
        "The boat club",
        (
            "The first aid kit is kept in the shed.\n\nOars hang behind the door.\n\n"
            "Varnish: top shelf\n"
        ),
    )
    oars, varnish = answer("Where are the oars kept?", page), answer("Where is the varnish?", page)
    assert oars[0].text == "Oars hang behind the door."
    assert varnish[0].text == "Varnish: top shelf"
    assert all(told[0].direct and told[0].direct.is_sure for told in (oars, varnish))


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("Where are the oars?", "The oars were bought in May.", True),
        ("Where are the oars?", "The oars are at Morn.", False),
        ("Where are the oars?", "Oars: top shelf", False),
    ],
)
def test_a_month_is_no_place(question: str, sentence: str, *, lacks: bool) -> None:
    assert lacks_spot(question, sentence) is lacks


def test_a_day_of_the_week_is_no_place_and_a_room_after_a_label_is_one() -> None:
    by_day = answer_fit(Kind.PLACE, "Milk is delivered on Mondays and Thursdays.")
    assert by_day < answer_fit(Kind.PLACE, "Milk is delivered to Morn.")
    assert answer_fit(Kind.PLACE, "all stamps: post room")
    assert not answer_fit(Kind.PLACE, "all stamps are in a roll")


def test_what_must_never_be_done_does_not_tell_how_often() -> None:
    assert not tells_how("How often should I take it?", "Never take two at once.")
    assert tells_how("How often is it cleaned?", "It is never cleaned.")
    assert tells_how("How often is it emptied?", "Emptied on the last Friday of the month.")


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("It loads in about 2ms.", False),
        ("It takes half an hour.", False),
        ("A trip of three long days is usual.", False),
        ("It makes 505,430 ops/sec of 94 runs.", True),
        ("It takes the ferry of 12 metres.", True),
    ],
)
def test_what_takes_so_long_takes_a_time(sentence: str, *, lacks: bool) -> None:
    assert lacks_measure("How long does kelp take to load?", sentence) is lacks
