"""What a page of a museum or a harbour is asked beyond English: hours, prices, places, reasons."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.line_context import points_back, subject_told
from quaere.reason.extractive.plain_answers import lacks_spot
from quaere.reason.extractive.quality import needs_context
from quaere.reason.extractive.tables.cell import find_cell
from quaere.text.languages.language import language_of, speaking

HARBOUR_DE: Text = (
    "Hafen",
    (
        "# Hafen Tarnholm\n\nDer Kran wurde 1931 von der Firma Hask gebaut. Er steht am Nordkai."
        " Das Tor ist verrostet. Deshalb bleibt das Boothaus zu.\n\n"
        "| Tag | Öffnet | Schließt |\n|---|---|---|\n| Montag | 8.00 Uhr | 16.00 Uhr |\n"
        "| Freitag | 9.00 Uhr | 14.30 Uhr |\n"
    ),
)
HARBOUR_PT: Text = (
    "Porto",
    (
        "# Porto de Tarnal\n\n| Dia | Abre | Fecha |\n|---|---|---|\n| Quinta | 8h00 | 16h00 |\n"
        "| Domingo | 9h00 | 14h30 |\n"
    ),
)
HARBOUR_IT: Text = (
    "Porto",
    (
        "# Porto di Tarnova\n\n| Giorno | Apertura | Chiusura |\n|---|---|---|\n"
        "| Martedì | 8.00 | 16.00 |\n| Domenica | 9.00 | 14.30 |\n"
    ),
)
HARBOUR_JA: Text = (
    "港",
    (
        "# 港\n\n| 曜日 | 開館 | 閉館 |\n|---|---|---|\n"
        "| 月曜日 | 8時 | 16時 |\n| 日曜日 | 9時 | 14時 |\n"
    ),
)
FARES_NL: Text = (
    "Veer",
    "# Veer\n\n| Reiziger | Prijs |\n|---|---|\n| Leden | 2 euro |\n| Kinderen | 1,50 euro |\n",
)
FARES_EN: Text = (
    "Ferry",
    "# Ferry\n\n| Passenger | Price |\n|---|---|\n| Women | 2 euros |\n| Children | 1 euro |\n",
)
FARES_ZH: Text = (
    "渡船",
    "# 渡船\n\n| 乘客 | 票价 |\n|---|---|\n| 老人 | 3元 |\n| 学生 | 5元 |\n",
)


def cell(question: str, text: Text) -> str | None:
    with speaking(language_of(question)):
        found = find_cell(question, pool(text))
    return found and found.text


@pytest.mark.parametrize(
    ("question", "text", "hour"),
    [
        ("Um wie viel Uhr macht der Hafen am Freitag auf?", HARBOUR_DE, None),
        ("Um wie viel Uhr öffnet der Hafen am Freitag?", HARBOUR_DE, "9.00 Uhr"),
        ("Um wie viel Uhr schließt der Hafen am Freitag?", HARBOUR_DE, "14.30 Uhr"),
        ("A que horas abre o porto no domingo?", HARBOUR_PT, "9h00"),
        ("A que horas fecha o porto no domingo?", HARBOUR_PT, "14h30"),
        ("A che ora apre il porto la domenica?", HARBOUR_IT, "9.00"),
        ("A che ora chiude il porto la domenica?", HARBOUR_IT, "14.30"),
        ("日曜日は何時に開きますか。", HARBOUR_JA, "9時"),
        ("日曜日は何時に閉まりますか。", HARBOUR_JA, "14時"),
    ],
)
def test_what_opens_is_not_told_where_it_closes(
    question: str, text: Text, hour: str | None
) -> None:
    assert cell(question, text) == hour


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long is the port open on Domenica?", HARBOUR_IT),
        ("Wie lange ist der Hafen am Freitag geöffnet?", HARBOUR_DE),
    ],
)
def test_an_hour_does_not_tell_how_long_something_is_open(question: str, text: Text) -> None:
    assert cell(question, text) is None


@pytest.mark.parametrize(
    ("question", "text", "price"),
    [
        ("Wat is de prijs voor een kind?", FARES_NL, "1,50 euro"),
        ("Wat kost de toegang voor een lid?", FARES_NL, "2 euro"),
        ("What is the price for a child?", FARES_EN, "1 euro"),
        ("What is the price for a woman?", FARES_EN, "2 euros"),
        ("学生票多少钱？", FARES_ZH, "5元"),
    ],
)
def test_one_of_several_is_told_the_price_of_all(question: str, text: Text, price: str) -> None:
    assert cell(question, text) == price


@pytest.mark.parametrize(
    ("question", "elsewhere", "there"),
    [
        ("Wo steht der Kran?", "Der Kran wurde 1931 gebaut.", "Der Kran steht am Kai."),
        ("Où est la grue ?", "La grue date de 1931.", "La grue est sur le quai."),
        ("¿Dónde está la grúa?", "La grúa fue hecha en 1931.", "La grúa está en el muelle."),
        ("Dove si trova la gru?", "La gru fu fatta nel 1931.", "La gru è sul molo."),
        ("Onde fica o guindaste?", "O guindaste é de 1931.", "O guindaste fica no cais."),
        ("Waar staat de kraan?", "De kraan is van 1931.", "De kraan staat op de kade."),
        ("起重机在哪里？", "起重机于1931年建成。", "起重机位于码头。"),
        ("クレーンはどこにありますか。", "クレーンは1931年に完成。", "クレーンは岸壁にあります。"),
    ],
)
def test_a_year_does_not_tell_where_something_is(question: str, elsewhere: str, there: str) -> None:
    with speaking(language_of(question)):
        assert lacks_spot(question, elsewhere)
        assert not lacks_spot(question, there)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Wo ist das Museum?", "Das Museum ist am Freitag zu."),
        ("¿Dónde está el museo?", "Abre de martes a domingo."),
        ("Onde fica o museu?", "O museu fecha na segunda."),
        ("Waar is het museum?", "Het museum is dicht op maandag."),
        ("博物馆在哪里？", "博物馆在星期一关闭。"),
        ("博物館はどこにありますか。", "博物館は月曜日に閉まります。"),
    ],
)
def test_a_day_tells_no_place(question: str, sentence: str) -> None:
    with speaking(language_of(question)):
        assert lacks_spot(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence", "needs"),
    [
        ("Perché è chiuso?", "Il ponte è rotto.", False),
        ("Dove si trova la gru?", "Si trova sul molo.", True),
        ("Où est le pont ?", "Il est sur le quai.", True),
        ("Où peut-on fumer ?", "Il est interdit de fumer.", False),
        ("Wo darf man rauchen?", "Sie können hier rauchen.", False),
    ],
)
def test_words_of_the_language_asked_in_tell_what_needs_the_sentence_before(
    question: str, sentence: str, *, needs: bool
) -> None:
    with speaking(language_of(question)):
        assert needs_context(sentence) is needs


@pytest.mark.parametrize(
    ("question", "first", "second", "subject"),
    [
        ("Wo steht der Kran?", "Der Kran wurde gebaut.", "Er steht am Kai.", "Der Kran"),
        ("Où est la grue ?", "La grue est vieille.", "Elle pèse 9 t.", "La grue"),
        ("¿Dónde está la grúa?", "La grúa es alta.", "Está en el muelle.", "La grúa"),
        ("Dove si trova la gru?", "La gru è alta.", "Si trova sul molo.", "La gru"),
        ("Onde fica o guindaste?", "O guindaste é alto.", "Fica no cais.", "O guindaste"),
        ("Waar staat de kraan?", "De kraan is hoog.", "Hij staat op de kade.", "De kraan"),
    ],
)
def test_a_pronoun_or_a_verb_in_front_points_back(
    question: str, first: str, second: str, subject: str
) -> None:
    with speaking(language_of(question)):
        assert not points_back(first)
        assert points_back(second)
        assert subject_told(first).strip() == subject


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Wo darf man rauchen?", "Sie können hier rauchen."),
        ("Wo darf man rauchen?", "Es gibt einen Raum dafür."),
        ("Où peut-on fumer ?", "Il est interdit de fumer."),
        ("¿Dónde se puede fumar?", "Está prohibido fumar."),
        ("Waar mag men roken?", "Het museum heeft een tuin."),
    ],
)
def test_what_stands_for_nothing_points_at_nothing(question: str, sentence: str) -> None:
    with speaking(language_of(question)):
        assert not points_back(sentence)


def test_where_something_is_may_be_said_of_it_by_a_pronoun() -> None:
    question = "Wo steht der Kran?"
    with speaking(language_of(question)):
        assert "Er steht am Nordkai." in answer(question, HARBOUR_DE)[0].text


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("Why is it shut?", "Therefore it stays shut."),
        ("Warum ist es zu?", "Deshalb bleibt es zu."),
        ("Pourquoi est-ce fermé ?", "C’est pourquoi il est fermé."),
        ("¿Por qué está cerrado?", "Por eso está cerrado."),
        ("Perché è chiuso?", "Perciò è chiuso."),
        ("Por que está fechado?", "Por isso está fechado."),
        ("Waarom is het dicht?", "Daarom is het dicht."),
        ("为什么关闭？", "因此关闭。"),
        ("なぜ閉まっていますか。", "そのため、閉まっています。"),
    ],
)
def test_the_reason_is_in_the_sentence_before_therefore(question: str, so: str) -> None:
    with speaking(language_of(question)):
        assert needs_context(so)


def test_a_reason_is_given_with_what_follows_from_it() -> None:
    question = "Warum bleibt das Boothaus zu?"
    with speaking(language_of(question)):
        said = answer(question, HARBOUR_DE)[0].text
    assert said.endswith("Das Tor ist verrostet. Deshalb bleibt das Boothaus zu.")
