"""The language of a text, or "und" when nothing tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.text.odd_text import TEXTS

from quaere.text.language_detection import detect, small_words_said
from quaere.text.languages.language import language_of, languages, may_be_in

SAMPLES = {
    "en": "Who kept the lamp, and when was it lit?",
    "de": "Wer hat die Lampe gebaut und wann wurde sie entzündet?",
    "fr": "Qui a gardé la lampe du phare et quand ?",
    "es": "¿Quién guardaba la lámpara del faro y cuándo?",
    "it": "Chi ha costruito il faro e quando è stato acceso?",
    "pt": "Quem construiu o farol e quando foi aceso?",
    "nl": "Wie heeft de lamp van het baken gemaakt en wanneer?",
    "sv": "Vem byggde fyren och när tändes den?",
    "da": "Hvem byggede fyret, og hvornår blev det tændt?",
    "no": "Hvem bygde fyret, og når ble det tent?",
    "fi": "Kuka rakensi majakan ja milloin se sytytettiin?",
    "pl": "Kto zbudował latarnię i kiedy ją zapalono?",
    "cs": "Kdo postavil maják a kdy se rozsvítil?",
    "tr": "Feneri kim yaptı ve ne zaman yandı?",
    "ro": "Cine a construit farul și când a fost aprins?",
    "hu": "Ki építette a tornyot és mikor?",
    "id": "Siapa yang membangun menara itu dan kapan?",
    "vi": "Ai đã xây ngọn hải đăng này và khi nào?",
    "ru": "Кто построил маяк и когда?",
    "uk": "Хто збудував цей маяк і коли?",
    "ar": "من بنى المنارة ومتى؟",
    "fa": "چه کسی فانوس را ساخت؟",
    "el": "Ποιος έχτισε τον φάρο;",
    "he": "מי בנה את המגדלור?",
    "hi": "दीपगृह किसने बनाया?",
    "th": "ใครสร้างประภาคาร",
    "ja": "灯台を建てたのは誰ですか",
    "ko": "등대를 누가 지었나요",
    "zh": "谁建造了灯塔",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_languages_are_told_apart(language: str) -> None:
    assert detect(SAMPLES[language]) == language


@pytest.mark.parametrize(
    "text", ["", "12 + 30", "Morn", "...", "\ud800", "xyzzy plugh", "\U0001f30a"]
)
def test_too_little_text_has_no_language(text: str) -> None:
    assert detect(text) == "und"


def test_a_foreign_name_changes_nothing() -> None:
    assert detect("The lamp was built by 東京 and is in the harbour.") == "en"


@given(TEXTS)
def test_the_answer_is_always_a_code(text: str) -> None:
    code = detect(text)
    assert code == "und" or (len(code) == 2 and code.islower())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the lamp", "en"),
        ("the the und", "en"),
        ("the und", "und"),
        (f"the {'lamp ' * 19}", "en"),
        (f"the {'lamp ' * 20}", "und"),
        ("lamp", "und"),
    ],
)
def test_small_words_have_to_be_of_one_language_and_not_too_few(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(
    ("text", "language"), [("灯台の光", "ja"), ("燈塔之光", "zh"), (f"の{'光' * 20}", "zh")]
)
def test_a_tenth_of_kana_makes_a_text_japanese(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("", True),
        ("Kinder zahlen Maut.", True),
        ("Die Maut der Kinder", True),
        ("KEINE MAUT FÜR KINDER", True),
        ("Children of the town", False),
        ("The Maut of Kinder", False),
        ("Maut for die Kinder", True),
        ("Toll for the Kinder und", False),
    ],
)
def test_a_text_with_no_more_words_of_english_than_of_german_may_be_german(
    text: str, may: bool
) -> None:
    assert may_be_in(languages()["de"], text) is may


def test_words_that_two_languages_share_tell_neither() -> None:
    shared = "para por porque"
    assert language_of(f"Lago {shared} Hask") is None
    assert language_of(f"Lago {shared} Hask y el") is languages()["es"]
    assert language_of(f"Lago {shared} Hask não em") is languages()["pt"]


def test_a_letter_next_to_a_figure_is_no_word() -> None:
    parts = "Drive belt of K200, K300 and K400 in 230V, filter K300, K400, switch K400"
    assert detect(parts) == "en"


def test_a_capital_letter_is_no_word() -> None:
    assert detect("Amara A, Ben B, Clara A, Dev S, Ella K, Farid A, Greta V") == "und"


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "IN or At", 3),
        ("en", "Grade A", 0),
        ("en", "it is, and IT IS", 3),
        ("de", "Im Haus", 1),
        ("xx", "a", None),
    ],
)
def test_small_words_are_counted_once_each_however_they_are_written(
    language: str, text: str, said: int | None
) -> None:
    assert small_words_said(language, text) == said


@pytest.mark.parametrize("text", ["9 h à 12 h", "| Jour | Heures |\n| Lundi | de 9 h à 12 h |"])
def test_hours_in_a_french_table_are_not_portuguese(text: str) -> None:
    assert detect(text) in {"fr", "und"}
