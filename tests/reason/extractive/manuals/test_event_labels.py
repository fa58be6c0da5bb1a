"""Where and when a meeting was, by the labels at the head of its minutes."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.manuals.event_labels import find_held
from quaere.text.languages.language import language_of, speaking

MINUTES: dict[str, Text] = {
    "de": ("Protokoll der Sitzung des Ruderclubs",
           "Datum: 3. Mai 2031\nOrt: Bootshaus, Kai 4\n\n1. Die Fahrt ist am 9. Juli."),
    "fr": ("Compte rendu de la réunion du club",
           "Date : 3 mai 2031\nLieu : hangar du port\n\n1. La sortie est le 9 juillet."),
    "es": ("Acta de la reunión del club",
           "Fecha: 3 de mayo de 2031\nLugar: cobertizo\n\n1. La salida es el 9 de julio."),
    "it": ("Verbale dell'assemblea del club",
           "Data: 3 maggio 2031\nLuogo: rimessa\n\n1. La gita è il 9 luglio."),
    "nl": ("Notulen van de vergadering van de club",
           "Datum: 3 mei 2031\nPlaats: botenhuis\n\n1. De tocht is op 9 juli."),
    "pt": ("Ata da reunião do clube",
           "Data: 3 de maio de 2031\nLocal: hangar\n\n1. A saída é a 9 de julho."),
    "zh": ("划船俱乐部会议记录", "日期：2031年5月3日\n地点：船库\n\n1. 活动于7月9日举行。"),
}  # fmt: skip


def held(question: str, *texts: Text) -> str | None:
    with speaking(language_of(question)):
        found = find_held(question, pool(*texts))
    return found and found.text


@pytest.mark.parametrize(
    ("code", "where", "place", "when", "date"),
    [
        ("de", "Wo fand die Sitzung statt?", "Bootshaus, Kai 4",
         "An welchem Tag fand die Sitzung des Ruderclubs statt?", "3. Mai 2031"),
        ("fr", "Où s'est tenue la réunion du club ?", "hangar du port",
         "Quand a eu lieu la réunion ?", "3 mai 2031"),
        ("es", "¿Dónde tuvo lugar la reunión?", "cobertizo",
         "¿Cuándo se celebró la reunión?", "3 de mayo de 2031"),
        ("it", "Dove si è tenuta l'assemblea?", "rimessa",
         "Quando si è svolta l'assemblea?", "3 maggio 2031"),
        ("nl", "Waar vond de vergadering plaats?", "botenhuis",
         "Wanneer werd de vergadering gehouden?", "3 mei 2031"),
        ("pt", "Onde se realizou a reunião?", "hangar", "Quando foi a reunião?",
         "3 de maio de 2031"),
        ("zh", "会议在哪里举行？", "船库", "会议是什么时候举行的？", "2031年5月3日"),
    ],
)  # fmt: skip
def test_labels_tell_where_and_when_a_meeting_was(
    code: str, where: str, place: str, when: str, date: str
) -> None:
    assert held(where, MINUTES[code]) == place
    assert held(when, MINUTES[code]) == date


@pytest.mark.parametrize(
    "question",
    [
        "Wann ist die Fahrt?",
        "Wo fand die Sitzung des Gartenvereins statt?",
        "Seit wann tagt die Sitzung?",
        "Um wie viel Uhr war die Sitzung?",
        "Woher kam die Sitzung?",
        "Wo?",
        "Where was the meeting held?",
    ],
)
def test_they_tell_nothing_else(question: str) -> None:
    assert held(question, MINUTES["de"]) is None


def test_two_meetings_of_the_same_name_are_told_apart_or_not_at_all() -> None:
    one, other = MINUTES["de"], (MINUTES["de"][0], "Datum: 7. Juni 2031\nOrt: Bootshaus, Kai 4")
    assert held("Wann war die Sitzung?", one, other) is None
    assert held("Wo war die Sitzung?", one, other) == "Bootshaus, Kai 4"


def test_a_label_of_a_date_without_one_tells_no_day() -> None:
    assert held("Wann war die Sitzung?", ("Sitzung", "Datum: noch offen\nOrt: Kai 4")) is None
