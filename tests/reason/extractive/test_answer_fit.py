from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.reason.extractive.answer_fit import (
    answer_fit,
    lacks_where,
    place_words,
    tells_how,
    tells_means,
)
from quaere.reason.extractive.measures import asks_for_measure, lacks_measure
from quaere.reason.extractive.questions.kinds import Kind
from quaere.text.languages.language import language_of, speaking
from quaere.text.tokens import stem


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
        (Kind.NUMBER, "The dome has 40 wheels.", "The dome is turned with --wheels=40 alone."),
        (Kind.NUMBER, "The dome has 40 wheels.", "The dome is turned with wheels[40] alone."),
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


@pytest.mark.parametrize(
    ("question", "tells", "lacks"),
    [
        ("How often is the filter changed?", "Change it 3 times a year.", "It holds 500 ml."),
        ("Wie oft wird der Filter gewechselt?", "Er wird alle 14 Tage gewechselt.", "500 ml."),
        ("À quelle fréquence faut-il le changer ?", "Changez-le chaque année.", "Il a 500 ml."),
        ("¿Con qué frecuencia se cambia?", "Se cambia dos veces al año.", "Contiene 500 ml."),
        ("Con che frequenza si cambia il filtro?", "Si cambia ogni 14 giorni.", "Sono 500 ml."),
        ("Com que frequência se troca o filtro?", "Troca-se uma vez por mês.", "Leva 500 ml."),
        ("Hoe vaak wordt het filter vervangen?", "Het wordt jaarlijks vervangen.", "500 ml."),
        ("过滤器多久更换一次？", "每14天更换。", "容量为500毫升。"),
        ("フィルターはどのくらいの頻度で交換しますか？", "14日ごとに交換します。", "500mlです。"),
    ],
)
def test_what_has_another_figure_does_not_tell_how_often(
    question: str, tells: str, lacks: str
) -> None:
    with speaking(language_of(question)):
        assert tells_how(question, tells)
        assert not lacks_measure(question, tells)
        assert not tells_how(question, lacks)
        assert lacks_measure(question, lacks)


def test_any_sentence_can_be_a_statement() -> None:
    assert answer_fit(Kind.STATEMENT, "It rains.") == 1.0
    assert answer_fit(Kind.YES_NO, "It rains.") == 1.0


@pytest.mark.parametrize(
    ("kind", "sentence", "fit"),
    [
        (Kind.PERSON, "It was founded by Odile Varga.", 1.0),
        (Kind.PERSON, "It was by Ada Bo Cleo Dora Eve.", 1.0),
        (Kind.PERSON, "It was by Ada Bo Cleo Dora Eve Fay.", 0.3),
        (Kind.PERSON, "It was by Brell City Council.", 0.3),
        (Kind.PERSON, "Then Odile wrote it.", 0.7),
        (Kind.PERSON, "It keeps `x` and Odile.", 0.7),
        (Kind.PERSON, "It keeps `Odile`.", 0.3),
        (Kind.PERSON, "Somebody wrote it.", 0.0),
        (Kind.PLACE, "She was born in Tarnholm.", 1.0),
        (Kind.PLACE, "There rose Tarnholm, Brell.", 1.0),
        (Kind.PLACE, "There rose Brell City.", 1.0),
        (Kind.PLACE, "There Tarnholm rose.", 0.5),
        (Kind.ORGANIZATION, "There rose Hask Works.", 1.0),
        (Kind.NAME, "There rose Hask.", 0.8),
        (Kind.DATE, "It opened in May 1932.", 1.0),
        (Kind.DATE, "It opened on 3 May.", 0.6),
        (Kind.DATE, "It never opened.", 0.0),
        (Kind.NUMBER, "On 3 May 1932 it had 7.", 1.0),
        (Kind.NUMBER, "It is forty kilometres.", 1.0),
        (Kind.NUMBER, "It has forty wheels.", 0.6),
        (Kind.NUMBER, "It opened in 1932.", 0.3),
        (Kind.NUMBER, "It has wheels.", 0.0),
        (Kind.REASON, "It rains.", 0.6),
        (Kind.REASON, "It rains because of the sea.", 1.0),
        (Kind.MANNER, "It rains.", 0.6),
        (Kind.MANNER, "It works by turning.", 1.0),
    ],
)
def test_the_less_sure_it_is_the_kind_the_less_it_fits(
    kind: Kind, sentence: str, fit: float
) -> None:
    assert answer_fit(kind, sentence) == fit


@pytest.mark.parametrize(
    ("kind", "sentence", "known", "fit"),
    [
        (Kind.PERSON, "It was by Odile Varga.", {"odile"}, 1.0),
        (Kind.PERSON, "Odile Varga met Ada Finch.", {"odile", "varga"}, 1.0),
        (Kind.NUMBER, "It has 40 of 12 wheels.", {"40"}, 1.0),
        (Kind.NUMBER, "It has 40 wheels.", {"40"}, 0.0),
        (Kind.DATE, "It opened in May 1932.", {"1932"}, 1.0),
        (Kind.DATE, "It opened in May 1932.", {"1932", "may"}, 0.0),
    ],
)
def test_only_what_is_all_known_is_no_answer(
    kind: Kind, sentence: str, known: set[str], fit: float
) -> None:
    assert answer_fit(kind, sentence, frozenset(known)) == fit


def test_other_languages_have_words_of_their_own() -> None:
    with speaking(language_of("Warum wurde die Mühle geschlossen?")):
        assert answer_fit(Kind.REASON, "Weil sie brannte.") == 1.0
        assert answer_fit(Kind.REASON, "Because it burned.") == 0.6
        assert answer_fit(Kind.DEFINITION, "Ein Wehr ist ein Damm.") == 1.0
        assert answer_fit(Kind.COMPARISON, "Es ist wärmer als dort.") == 1.0
        assert answer_fit(Kind.PLACE, "Sie stand in Brell.") == 1.0
        assert answer_fit(Kind.PLACE, "Da stand Brell.") == 0.5


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("How long is the pier?", "The pier is 9 km long.", False),
        ("How long is the pier?", "Of 3 piers it is 9 km long.", False),
        ("How long is the pier?", "The pier has 9 lamps.", True),
        ("How long is the pier?", "The pier is long.", True),
        ("How long is the pier?", "The pier is as wide as it was when 3 lamps were there.", True),
        ("How long is the pier?", "One walks it in half an hour.", False),
        ("What is the pier?", "The pier is long.", False),
    ],
)
def test_how_long_asks_for_a_number_with_a_unit(
    question: str, sentence: str, *, lacks: bool
) -> None:
    assert asks_for_measure(question) is question.startswith("How long")
    assert lacks_measure(question, sentence) is lacks


def test_how_often_something_is_done_does_not_tell_how_long_it_is() -> None:
    asked = "How long is the bridge?"
    assert lacks_measure(asked, "The bridge is painted every seven years.")
    assert not lacks_measure(asked, "The bridge is 412 metres long and painted every 7 years.")
    assert not lacks_measure("How long is the shift?", "Every day it lasts 8 hours.")


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


def test_a_text_is_as_long_as_it_has_letters() -> None:
    asked = "How long may a berth's name be?"
    assert not lacks_measure(asked, "Names of berths may be up to 12 characters long.")
    assert lacks_measure(asked, "Names of berths may have 12 owners.")


@pytest.mark.parametrize(
    ("question", "sentence", "least"),
    [
        ("谁画了布雷尔港？", "最早画它的是伦德。", 0.5),
        ("布雷尔港は誰が描きましたか。", "最初に描いたのは森田次郎だった。", 0.5),
        ("Wer malte den Hafen?", "gemalt wurde er im winter.", 0.0),
    ],
)
def test_a_name_may_be_in_a_script_that_marks_none(
    question: str, sentence: str, least: float
) -> None:
    with speaking(language_of(question)):
        assert answer_fit(Kind.PERSON, sentence) == least


@pytest.mark.parametrize(
    ("sentence", "is_told"),
    [
        ('Please put the seal files as single files ending with ".crt" into /opt/seals/.', True),
        ("Put the seal there, and rerun the tool that is found at /opt/seals/rerun.", False),
    ],
)
def test_a_path_may_come_long_after_what_is_put_there(sentence: str, is_told: bool) -> None:
    assert lacks_where("Where do I put my own seals?", sentence) is not is_told


@pytest.mark.parametrize(
    ("question", "asking"),
    [
        ("Where are the barrows kept?", ["kept"]),
        ("Where is the shed located?", ["located"]),
        ("Where was the shed in which the barrows are built located?", []),
        ("Where are the barrows?", []),
    ],
)
def test_a_line_need_not_say_that_something_is_kept(question: str, asking: list[str]) -> None:
    assert place_words(question) == frozenset(map(stem, asking))
