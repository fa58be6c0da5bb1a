"""What must, may and costs, asked and told in other languages than English."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import Direct
from quaere.reason.extractive.denials import denies_of, is_negative
from quaere.reason.extractive.measures import lacks_measure
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, languages, speaking
from quaere.text.tokens import stem, terms


def direct(question: str, *texts: Text) -> Direct:
    with speaking(language_of(question)):
        first = answer(question, *texts)[0].direct
    assert first is not None
    return first


def says(question: str, *texts: Text) -> bool | None:
    with speaking(language_of(question)):
        found = decide_yes_no(question, pool(*texts))
    return found and found.says


@pytest.mark.parametrize(
    ("question", "line", "said"),
    [
        (
            "Muss man im Boot eine Weste tragen?",
            "Das Tragen einer Weste im Boot ist freiwillig.",
            False,
        ),
        ("Ist die Weste im Boot freiwillig?", "Im Boot ist die Weste Pflicht.", False),
        ("Ist die Weste im Boot freiwillig?", "Die Weste im Boot ist nicht Pflicht.", True),
        ("Faut-il porter un gilet à bord ?", "Porter un gilet à bord est facultatif.", False),
        ("¿Es obligatorio el chaleco a bordo?", "El chaleco es opcional a bordo.", False),
        ("È obbligatorio il giubbotto a bordo?", "A bordo il giubbotto è facoltativo.", False),
        ("O colete é obrigatório a bordo?", "O colete é facultativo a bordo.", False),
        ("Is een zwemvest aan boord verplicht?", "Een zwemvest aan boord is vrijwillig.", False),
        ("船上必须穿救生衣吗？", "船上穿救生衣属自愿。", False),
        ("船で救命胴衣は必要ですか。", "船で救命胴衣は不要です。", False),
        ("船で救命胴衣を着る必要がありますか。", "船で救命胴衣を着なければなりません。", True),
    ],
)
def test_what_is_optional_is_not_required(question: str, line: str, said: bool) -> None:
    assert says(question, ("Orrin", line)) is said


@pytest.mark.parametrize(
    ("question", "line", "said"),
    [
        ("Ist Angeln am Steg erlaubt?", "Angeln ist am Steg nicht verboten.", True),
        ("Ist Angeln am Steg verboten?", "Angeln ist am Steg nicht gestattet.", True),
        ("Peut-on pêcher depuis le ponton ?", "Il est interdit de pêcher depuis le ponton.", False),
        ("¿Se permite pescar desde el muelle?", "No se puede pescar desde el muelle.", False),
        ("¿Se puede pescar sin licencia?", "Está prohibido pescar sin licencia.", False),
        ("É permitido pescar no cais?", "Não se pode pescar no cais.", False),
        ("桟橋で釣りをしてもいいですか。", "桟橋での釣りはご遠慮ください。", False),
        ("桟橋で釣りをしてもいいですか。", "桟橋で釣りをしてもかまいません。", True),
        ("桟橋で釣りはできますか。", "桟橋で釣りはできますが、網は使えません。", True),
        ("码头上可以钓鱼吗？", "码头上不得钓鱼。", False),
        ("码头有无障碍通道吗？", "码头设有无障碍通道。", True),
        ("儿童可以单独上船吗？", "未满14岁的儿童不得单独上船。", False),
        ("A ponte está aberta em agosto?", "A ponte encerra em agosto.", False),
    ],
)
def test_what_is_forbidden_is_not_allowed(question: str, line: str, said: bool) -> None:
    assert says(question, ("Orrin", line)) is said


@pytest.mark.parametrize(
    ("question", "line", "said"),
    [
        ("Ist der Parkplatz am Hafen kostenlos?", "Der Parkplatz am Hafen kostet nichts.", True),
        ("Kostet der Parkplatz am Hafen extra?", "Der Parkplatz am Hafen ist inklusive.", False),
        ("Le parking du port est-il gratuit ?", "Le parking du port, payant, a 90 places.", False),
        ("¿Es gratis la entrada al molino?", "La entrada al molino no es gratis: son 3 €.", False),
        ("L'ingresso al mulino si paga?", "L'ingresso al mulino è gratuito.", False),
        ("O estacionamento do porto é gratuito?", "O estacionamento do porto custa 3 €.", False),
        ("Is brood bij de huur inbegrepen?", "Water is bij de huur inbegrepen, brood niet.", False),
        ("Is water bij de huur inbegrepen?", "Water is bij de huur inbegrepen, brood niet.", True),
        ("¿El alquiler incluye el pan?", "El alquiler incluye agua, pero no el pan.", False),
        ("Ist Brot in der Miete enthalten?", "Salz ist in der Miete enthalten, Brot kostet extra.",
         False),
    ],
)  # fmt: skip
def test_what_is_free_or_included_is_not_paid_for(question: str, line: str, said: bool) -> None:
    assert says(question, ("Orrin", line)) is said


@pytest.mark.parametrize(
    ("question", "line", "said"),
    [
        ("Peut-on pêcher ici ?", "Il est interdit de pêcher sans permis.", False),
        ("Peut-on pêcher sans permis ?", "Il est interdit de pêcher sans permis.", False),
        ("Peut-on pêcher sans permis ?", "On peut pêcher sans permis.", True),
        ("Faut-il un permis pour pêcher ?", "On peut pêcher sans permis.", False),
        ("Peut-on pêcher ?", "On peut pêcher sans permis.", True),
        ("Kann man ohne Schein angeln?", "Zum Angeln ist kein Schein nötig.", True),
    ],
)
def test_what_is_done_without_something_is_done(question: str, line: str, said: bool) -> None:
    with speaking(language_of(question)):
        denied = denies_of(line, question)
        assert (denied == is_negative(question)) is said


@pytest.mark.parametrize("code", languages())
def test_a_text_without_words_asks_and_denies_nothing(code: str) -> None:
    with speaking(languages()[code]):
        for text in ("", " " * 5000, "?", "x"):
            assert not is_negative(text)
            assert decide_yes_no(text, pool(("Orrin", "x"))) is None


def test_metres_are_no_things_to_be_counted() -> None:
    question = "¿Cuántos metros mide el faro?"
    with speaking(language_of(question)):
        assert not lacks_measure(question, "El faro mide 27 metros.")


def test_a_word_for_must_is_one_of_three_that_are_asked() -> None:
    page: Text = ("Orrin", "Het is niet nodig om te reserveren voor de veerboot.")
    assert direct("Moet je reserveren voor de veerboot?", page).is_sure
    assert not direct("Is reserveren nodig?", page).is_sure


def test_a_heading_tells_of_what_its_lines_are() -> None:
    page: Text = ("Normas", "## Piscina\n\nEstá prohibido entrar con envases de vidrio.")
    assert direct("¿Se puede entrar en la piscina con envases de vidrio?", page).is_sure


@pytest.mark.parametrize(
    ("question", "lacks", "tells"),
    [
        ("Quanti gradini ha la stazione?", "La stazione è a 2.184 metri, ai Due Laghi.",
         "La stazione ha 40 gradini."),
        ("Wie viele Bilder hat das Museum?", "Das Museum wurde 1998 eröffnet.",
         "Das Museum hat 212 Bilder."),
        ("Hoe zwaar is de klok?", "De klok is 3 meter hoog.", "De klok weegt 900 kg."),
        ("这口钟有多重？", "这口钟铸于1584年。", "这口钟重3吨。"),
        ("水族館には魚が何種類いますか。", "水族館は駅から15分です。", "魚は120種類います。"),
    ],
)  # fmt: skip
def test_a_measure_or_a_number_of_things_is_asked_for(
    question: str, lacks: str, tells: str
) -> None:
    with speaking(language_of(question)):
        assert not lacks_measure(question, tells)
        assert lacks_measure(question, lacks)


@pytest.mark.parametrize(
    "told", ["Fahrräder sind im Keller abzustellen.", "Das Abstellen von Fahrrädern im Keller"]
)
def test_the_parts_of_a_german_verb_are_one_word(told: str) -> None:
    with speaking(languages()["de"]):
        found = pool(("Orrin", told))
        assert found.forms(stem("abgestellt")) & frozenset(terms(told))
        assert not found.forms(stem("aufgestellt"))


@pytest.mark.parametrize(
    ("code", "noun", "participle"),
    [("de", "Erhöhung", "erhöht"), ("de", "Verkauf", "verkauft"), ("nl", "verhoging", "verhoogd")],
)
def test_a_participle_without_ge_is_a_form_of_its_noun(
    code: str, noun: str, participle: str
) -> None:
    with speaking(languages()[code]):
        found = pool(("Orrin", f"Orrin {participle}, berget."))
        assert found.forms(stem(noun.casefold())) == {stem(participle)}
        assert not found.forms(stem("berg"))


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (
            "Le gilet est-il obligatoire à bord ?",
            "Le gilet à bord est facultatif pour les adultes et obligatoire pour les enfants.",
        ),
        (
            "Ist die Weste im Boot Pflicht?",
            "Die Weste im Boot ist für Erwachsene freiwillig und für Kinder Pflicht.",
        ),
        (
            "Le ponton est-il gratuit ?",
            "Le ponton est gratuit pour les membres et payant pour les autres.",
        ),
    ],
)
def test_what_is_so_of_some_and_not_of_others_is_neither_yes_nor_no(
    question: str, line: str
) -> None:
    assert says(question, ("Orrin", line)) is None


def test_a_denial_beside_its_contrary_is_still_a_no() -> None:
    line = "Die Weste im Boot ist freiwillig und nicht Pflicht."
    assert says("Ist die Weste im Boot Pflicht?", ("Orrin", line)) is False
