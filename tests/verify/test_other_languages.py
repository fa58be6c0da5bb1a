"""Denials, figures and comparisons in other languages than English."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.text.languages.language import languages, speaking
from quaere.verify.other_languages import (
    drops_reservation,
    is_compared_otherwise,
    is_denied,
    is_widened,
)
from quaere.verify.support import weigh

PAGES = {
    "de": "Hunde sind auf der Insel nicht erlaubt. Der Turm ist 41,5 Meter hoch."
    " Die Mühle ist älter als die Brücke. Die Fähre fährt im Winter jeden Tag.",
    "fr": "Les chiens ne sont pas admis sur l'île. La tour est haute de 41,5 mètres."
    " Le moulin est plus grand que le phare. Le bac part tous les jours en hiver.",
    "es": "Los perros no están permitidos en la isla. La torre mide 41,5 metros de altura."
    " El molino es más alto que el faro. El barco sale todos los días en invierno.",
    "it": "I cani non sono ammessi sull'isola. La torre è alta 41,5 metri."
    " Il mulino è più grande del faro. Il battello parte ogni giorno in inverno.",
    "pt": "Os cães não são permitidos na ilha. A torre tem 41,5 metros de altura."
    " O moinho é mais largo do que o farol. O barco parte todos os dias no inverno.",
    "nl": "Honden zijn op het eiland niet toegestaan. De toren is 41,5 meter hoog."
    " De molen is groter dan de vuurtoren. De veerboot vaart in de winter elke dag.",
    "zh": "岛上不允许带狗。灯塔高41米。磨坊比灯塔大。渡船冬天每天开航。",
    "ja": "島に犬を連れて行くことはできません。塔の高さは41メートルです。"
    "水車小屋は灯台より大きいです。渡し船は冬も毎日運航します。",
}
REVERSED = {
    "de": ["Hunde sind auf der Insel erlaubt.", "Der Turm ist 51,5 Meter hoch.",
           "Die Brücke ist älter als die Mühle.", "Die Fähre fährt im Winter nicht jeden Tag."],
    "fr": ["Les chiens sont admis sur l'île.", "La tour est haute de 51,5 mètres.",
           "Le phare est plus grand que le moulin.",
           "Le bac ne part pas tous les jours en hiver."],
    "es": ["Los perros están permitidos en la isla.", "La torre mide 51,5 metros de altura.",
           "El faro es más alto que el molino.", "El barco no sale todos los días en invierno."],
    "it": ["I cani sono ammessi sull'isola.", "La torre è alta 51,5 metri.",
           "Il faro è più grande del mulino.", "Il battello non parte ogni giorno in inverno."],
    "pt": ["Os cães são permitidos na ilha.", "A torre tem 51,5 metros de altura.",
           "O farol é mais largo do que o moinho.",
           "O barco não parte todos os dias no inverno."],
    "nl": ["Honden zijn op het eiland toegestaan.", "De toren is 51,5 meter hoog.",
           "De vuurtoren is groter dan de molen.", "De veerboot vaart in de winter niet elke dag."],
    "zh": ["岛上允许带狗。", "灯塔高51米。", "灯塔比磨坊大。", "渡船冬天不每天开航。"],
    "ja": ["島に犬を連れて行くことができます。", "塔の高さは51メートルです。",
           "灯台は水車小屋より大きいです。", "渡し船は冬も毎日運航しません。"],
}  # fmt: skip
KEPT = {
    "de": ["Auf der Insel sind Hunde nicht erlaubt.", "Die Brücke ist jünger als die Mühle.",
           "Im Winter fährt die Fähre jeden Tag."],
    "fr": ["Sur l'île, les chiens ne sont pas admis.", "Le phare est plus petit que le moulin.",
           "En hiver le bac part tous les jours."],
    "es": ["En la isla los perros no están permitidos.", "El faro es más bajo que el molino.",
           "En invierno el barco sale todos los días."],
    "it": ["Sull'isola i cani non sono ammessi.", "Il faro è più piccolo del mulino.",
           "In inverno il battello parte ogni giorno."],
    "pt": ["Na ilha os cães não são permitidos.", "O moinho é mais largo que o farol.",
           "No inverno o barco parte todos os dias."],
    "nl": ["Op het eiland zijn honden niet toegestaan.", "De vuurtoren is kleiner dan de molen.",
           "In de winter vaart de veerboot elke dag."],
    "zh": ["不允许带狗上岛。", "灯塔比磨坊小。", "冬天渡船每天开航。"],
    "ja": ["犬を島に連れて行くことはできません。", "灯台は水車小屋より小さいです。",
           "冬も渡し船は毎日運航します。"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "said"), [(code, said) for code, all_said in REVERSED.items() for said in all_said]
)
def test_the_opposite_of_a_source_is_not_supported(code: str, said: str) -> None:
    found = weigh(said, [passage(PAGES[code])])
    assert not found.support.holds, found


@pytest.mark.parametrize(
    ("code", "said"), [(code, said) for code, all_said in KEPT.items() for said in all_said]
)
def test_the_same_in_another_order_is_no_opposite(code: str, said: str) -> None:
    found = weigh(said, [passage(PAGES[code])])
    assert found.support is not Support.CONTRADICTED, found
    assert "opposite" not in found.note, found


@pytest.mark.parametrize("code", sorted(REVERSED.keys() - {"zh", "ja"}))
def test_what_only_denies_or_turns_a_short_sentence_is_contradicted(code: str) -> None:
    said = (REVERSED[code][0], REVERSED[code][2], REVERSED[code][3])
    found = [weigh(each, [passage(PAGES[code])]).support for each in said]
    assert found == [Support.CONTRADICTED] * 3


def test_a_clause_of_two_words_may_be_denied() -> None:
    source = "Das Tor am Hafen ist im Winter offen, Wachen schlafen nicht."
    found = weigh("Das Tor am Hafen ist im Winter offen, Wachen schlafen.", [passage(source)])
    assert not found.support.holds, found


@pytest.mark.parametrize(
    ("code", "said", "held", "otherwise"),
    [
        ("de", "Die Mühle ist älter als die Brücke.", "Die Mühle ist älter als die Brücke.", False),
        ("de", "Die Brücke ist älter als die Mühle.", "Die Mühle ist älter als die Brücke.", True),
        ("de", "Die Mühle ist jünger als die Brücke.", "Die Mühle ist älter als die Brücke.", True),
        (
            "de",
            "Die Brücke ist jünger als die Mühle.",
            "Die Mühle ist älter als die Brücke.",
            False,
        ),
        ("de", "Die Mühle ist älter als das Tor.", "Die Mühle ist älter als die Brücke.", False),
        ("de", "Das Tor ist älter als die Mühle.", "Die Mühle ist älter als die Brücke.", False),
        ("de", "Die Mühle ist alt.", "Die Mühle ist älter als die Brücke.", False),
        (
            "es",
            "El faro es más pequeño que el molino.",
            "El molino es más alto que el faro.",
            False,
        ),
        ("es", "El molino es más pequeño que el faro.", "El molino es más alto que el faro.", True),
        ("es", "El faro es más alto que el molino.", "El molino es más alto que el faro.", True),
    ],
)
def test_two_comparisons_of_the_same_two_things_go_the_same_way_round_or_not(
    code: str, said: str, held: str, *, otherwise: bool
) -> None:
    language = languages()[code]
    with speaking(language):
        assert is_compared_otherwise(language, said, held) is otherwise
        assert is_compared_otherwise(language, held, said) is otherwise


@pytest.mark.parametrize(
    ("said", "held", "denied"),
    [
        ("Das Tor ist offen.", "Das Tor ist nicht offen.", True),
        ("Das Tor ist nicht offen.", "Das Tor ist offen.", True),
        ("Das Tor ist nicht offen.", "Das Tor ist nicht offen.", False),
        ("Das Tor ist offen.", "Die Brücke ist nicht alt.", False),
        ("Das Tor ist offen.", "Das Tor ist offen, das Tor ist nicht offen.", False),
        ("Auf der Insel, das Tor ist offen.", "Die Insel nicht; das Tor ist offen.", False),
        ("Nein, nicht.", "Das Tor ist offen.", False),
        ("", "Das Tor ist offen.", False),
    ],
)
def test_a_clause_is_denied_by_the_one_that_is_most_like_it(
    said: str, held: str, *, denied: bool
) -> None:
    language = languages()["de"]
    with speaking(language):
        assert is_denied(language, said, held) is denied


@pytest.mark.parametrize(
    ("said", "held", "widened"),
    [
        ("Alle Boote sanken.", "Einige Boote sanken.", True),
        ("Alle Boote sanken.", "Fast alle Boote sanken.", True),
        ("Einige Boote sanken.", "Alle Boote sanken.", False),
        ("Alle Boote sanken.", "Alle Boote sanken.", False),
        ("Alle Boote sanken.", "Boote sanken.", False),
        ("Alle und einige Boote sanken.", "Einige Boote sanken.", False),
        ("Boote sanken.", "Einige Boote sanken.", False),
    ],
)
def test_what_is_said_of_some_is_widened_to_all(said: str, held: str, *, widened: bool) -> None:
    assert is_widened(languages()["de"], said, held) is widened


@pytest.mark.parametrize(
    ("said", "held", "drops"),
    [
        ("Es sank 1891.", "Es sank vermutlich 1891.", True),
        ("Es sank vermutlich 1891.", "Es sank vermutlich 1891.", False),
        ("Es sank vermutlich 1891.", "Es sank 1891.", False),
        ("Es sank 1891.", "Es sank 1891.", False),
    ],
)
def test_a_reservation_is_dropped(said: str, held: str, *, drops: bool) -> None:
    assert drops_reservation(languages()["de"], said, held) is drops


@pytest.mark.parametrize(
    ("code", "said", "held"),
    [
        ("zh", "小区里的业主不可以养狗。", "业主可以养狗，但外出必须牵绳。"),
        (
            "de",
            "Hunde dürfen im Museum nicht mitgebracht werden.",
            "Hunde dürfen mitgebracht werden.",
        ),
    ],
)
def test_a_denial_of_all_that_the_source_says_is_one(code: str, said: str, held: str) -> None:
    with speaking(languages()[code]):
        assert is_denied(languages()[code], said, held)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("In der Halle ist es erlaubt zu grillen.", "Es ist verboten, in der Halle zu grillen."),
        (
            "Está permitido rayar los muros.",
            "Queda prohibido perforar, rayar o pintar los muros y las puertas.",
        ),
        (
            "De haven is verantwoordelijk voor diefstal van boten.",
            "De haven is niet verantwoordelijk voor verlies, diefstal of beschadiging van boten.",
        ),
        ("室内公共码头允许吸烟。", "室内公共码头、公共走廊内禁止吸烟。"),
        ("Les gardiens sont rémunérés.", "Les gardiens sont bénévoles."),
        ("I custodi sono retribuiti.", "I custodi lavorano a titolo gratuito."),
        ("La chiusa apre alle ore 8.30.", "La chiusa apre alle ore 8.10."),
        ("Die Schleuse öffnet um 8.30 Uhr.", "Die Schleuse öffnet um 8.10 Uhr."),
    ],
)
def test_what_turns_a_rule_a_list_or_a_time_is_not_supported(said: str, held: str) -> None:
    assert weigh(said, [passage(held)]).support is not Support.SUPPORTED
    assert weigh(held, [passage(held)]).support is Support.QUOTED


def test_a_page_of_no_language_does_not_keep_the_others_from_being_compared() -> None:
    pages = [passage("De brug is niet open in de winter."), passage("def brug(): return 1")]
    found = weigh("De brug is open in de winter.", pages)
    assert found.support is Support.CONTRADICTED
