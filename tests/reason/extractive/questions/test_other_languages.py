"""Questions in other languages than English, and answers in their words."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from tests.reason.extractive.passages import pool

from quaere.domain.question import Question
from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.decision import Decision
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.questions.kinds import (
    Kind,
    compared_kind,
    expected_kind,
    sought_classes,
)
from quaere.reason.extractive.questions.parts import claimed_order, comparison, descriptions
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.unread import unread
from quaere.text.languages.language import language_of, speaking


@contextmanager
def asked_in_its_language(question: str) -> Generator[None]:
    with speaking(language_of(question)):
        yield


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wie viele Bögen hat die Brücke?", Kind.NUMBER),
        ("Warum wurde die Mühle geschlossen?", Kind.REASON),
        ("Welcher Ingenieur baute das Wehr?", Kind.PERSON),
        ("Welcher Typ von Stadt ist Brella?", Kind.PLACE),
        ("Quel type de ville est Brella ?", Kind.PLACE),
        ("Dov' è il molo?", Kind.PLACE),
        ("Cos' è un traghetto?", Kind.DEFINITION),
        ("水车在哪一年修好？", Kind.DATE),
        ("水车在哪里？", Kind.PLACE),
        ("布雷尔排第几名？", Kind.NUMBER),
        ("灯は何種類ありますか。", Kind.NUMBER),
        ("In welchem Jahr wurde das Wehr gebaut?", Kind.DATE),
        ("Ist das Wehr aus Holz?", Kind.YES_NO),
        ("Nenne die Flüsse.", Kind.LIST),
        ("Quelle ville abrite le port ?", Kind.PLACE),
        ("Le port est-il fermé en hiver ?", Kind.YES_NO),
        ("En quelle année Jeanne est-elle née ?", Kind.DATE),
        ("Comment répare-t-on un filet ?", Kind.MANNER),
        ("¿Cuánto pesa la campana?", Kind.NUMBER),
        ("¿Se puede nadar en el lago?", Kind.YES_NO),
        ("¿Qué es una atarraya?", Kind.DEFINITION),
        ("Qual è il mese più freddo?", Kind.DATE),
        ("Perché la strada è chiusa?", Kind.REASON),
        ("Si può nuotare nel lago?", Kind.YES_NO),
        ("Onde nasceu o pintor?", Kind.PLACE),
        ("Pode-se pescar no rio?", Kind.YES_NO),
        ("Waarom is de brug dicht?", Kind.REASON),
        ("Mag men hier zwemmen?", Kind.YES_NO),
        ("塔有多高？", Kind.NUMBER),
        ("为什么要修这座塔？", Kind.REASON),
        ("塔可以参观吗？", Kind.YES_NO),
        ("塔の高さは何メートルですか？", Kind.NUMBER),
        ("なぜ塔を建てたのですか？", Kind.REASON),
        ("塔に登ることはできますか？", Kind.YES_NO),
        ("Um wie viel Uhr schließt das Lager?", Kind.DATE),
        ("Was kostet ein Boot?", Kind.NUMBER),
        ("À quelle heure ferme le dépôt ?", Kind.DATE),
        ("Au bout de combien de jours la colle est-elle sèche ?", Kind.NUMBER),
        ("¿A qué hora cierra el almacén?", Kind.DATE),
        ("A che ora chiude il magazzino?", Kind.DATE),
        ("Qual è la temperatura del bacino?", Kind.NUMBER),
        ("A que horas fecha o armazém?", Kind.DATE),
        ("Qual é o comprimento do cais?", Kind.NUMBER),
        ("Hoe laat sluit het magazijn?", Kind.DATE),
        ("Wat kost een boot?", Kind.NUMBER),
    ],
)
def test_the_kind_of_answer_is_told(question: str, kind: Kind) -> None:
    with asked_in_its_language(question):
        assert expected_kind(question) is kind


@pytest.mark.parametrize(
    ("question", "sides", "kind"),
    [
        ("Was ist älter, der Turm oder die Mühle?", ("der Turm", "die Mühle"), Kind.DATE),
        ("Quel pont est plus long, le Neuf ou le Vieux ?", ("le Neuf", "le Vieux"), Kind.NUMBER),
        ("¿Qué es más alto, la torre o el faro?", ("la torre", "el faro"), Kind.NUMBER),
        ("Che cosa è più antico, il ponte o la torre?", ("il ponte", "la torre"), Kind.DATE),
        ("Quem morreu primeiro, Rita ou Inês?", ("Rita", "Inês"), Kind.DATE),
        ("Wat is hoger, de toren of de molen?", ("de toren", "de molen"), Kind.NUMBER),
        ("石塔和木塔哪个更高？", ("石塔", "木塔"), Kind.NUMBER),
        ("石塔と木塔では、どちらが古いですか？", ("石塔", "木塔"), Kind.DATE),
    ],
)
def test_a_choice_is_taken_apart(question: str, sides: tuple[str, str], kind: Kind) -> None:
    with asked_in_its_language(question):
        compared = comparison(question)
        assert compared is not None
        assert (compared.first, compared.second) == sides
        assert compared_kind(compared.about) is kind
        assert expected_kind(question) is Kind.COMPARISON
        assert not descriptions(question)


@pytest.mark.parametrize(
    "question",
    [
        "Ist der Turm höher als die Mühle?",
        "¿Es la torre más alta que el faro?",
        "塔比树高吗？",
        "塔は木より高いですか？",
    ],
)
def test_a_supposed_order_is_taken_apart(question: str) -> None:
    with asked_in_its_language(question):
        claimed = claimed_order(question)
        assert claimed is not None
        assert compared_kind(claimed.about) is Kind.NUMBER


def _decided(question: str, *texts: tuple[str, str]) -> Decision:
    with asked_in_its_language(question):
        read = pool(*texts)
        return decide(question, read, Ranking(read, question))


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("Sind Hunde im Park erlaubt?", "Hunde sind im Park verboten.", "Nein"),
        ("Ist der Park im Winter geöffnet?", "Der Park ist im Winter geöffnet.", "Ja"),
        ("Ist der Park im Winter geöffnet?", "Im Winter bleibt der Park geschlossen.", "Nein"),
        ("Est-ce que le parc accepte les chiens ?", "Le parc n'accepte pas les chiens.", "Non"),
        ("¿Pueden entrar los perros en el parque?", "Los perros pueden entrar en el parque.", "Sí"),
        ("I cani possono entrare nel parco?", "I cani non possono entrare nel parco.", "No"),
        ("Os cães podem entrar no parque?", "Os cães podem entrar no parque.", "Sim"),
        ("Mogen honden in het park komen?", "Honden mogen niet in het park komen.", "Nee"),
        ("狗可以进公园吗？", "狗不可以进公园。", "否"),
        ("犬は公園に入ることができますか？", "犬は公園に入ることができません。", "いいえ"),
    ],
)
def test_yes_or_no_is_said_in_the_language_of_the_question(
    question: str, text: str, said: str
) -> None:
    decision = _decided(question, ("Park", text))
    assert (decision.kind, decision.text) == (DirectKind.YES_NO, said)


def test_a_denial_counts_in_its_own_clause() -> None:
    text = "Le biciclette possono passare il ponte, le automobili non possono passare il ponte."
    told = [
        _decided(f"{who} possono passare il ponte?", ("Ponte", text)).text
        for who in ("Le biciclette", "Le automobili")
    ]
    assert told == ["Sì", "No"]


@pytest.mark.parametrize(
    ("question", "pages", "winner"),
    [
        (
            "Wer wurde früher geboren, Ada Lund oder Rolf Stein?",
            (("Ada Lund", "Ada Lund wurde am 2. Mai 1901 in Kiel geboren."),
             ("Rolf Stein", "Rolf Stein, geboren 1899, war Maler.")),
            "Rolf Stein",
        ),
        (
            "¿Qué es más alto, la torre Alba o el faro Gris?",
            (("Torre Alba", "La torre Alba mide 41 metros."),
             ("Faro Gris", "El faro Gris mide 52,5 metros.")),
            "El faro Gris",
        ),
        (
            "石塔和木塔哪个更早建成？",
            (("石塔", "石塔建于1420年。"), ("木塔", "木塔建于1380年。")),
            "木塔",
        ),
    ],
)  # fmt: skip
def test_two_dates_or_amounts_decide_a_choice(
    question: str, pages: tuple[tuple[str, str], ...], winner: str
) -> None:
    decision = _decided(question, *pages)
    assert (decision.kind, decision.text) == (DirectKind.CHOICE, winner)


class _Folder:
    """Statistics of a folder whose passages all hold ``text``."""

    def __init__(self, text: str) -> None:
        self._words = frozenset(text.split())

    def document_share(self, word: str) -> float:
        return float(word in self._words)


ENGLISH = (
    "The mill on the river was built by a carpenter of the town in the year of the flood, and it"
    " stands on four piers of oak."
)
GERMAN = (
    "Die Mühle am Fluss wurde von einem Zimmermann der Stadt im Jahr der Flut gebaut, und sie steht"
    " auf vier Pfeilern aus Eiche."
)


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("Wer baute die Mühle?", f"{ENGLISH} It was sold to a miller.", "(en)"),
        ("Who built the mill of the town?", GERMAN, "English"),
        ("Wer baute die Mühle?", GERMAN, ""),
        ("Wer baute die Mühle?", "Skarrow 1788", ""),
        ("Do mills play a role in it?", ENGLISH, ""),
        ("Who was Sára Nagy?", "Sára Nagy is a Hungarian miller.", ""),
        ("Skarrow 1788", GERMAN, ""),
    ],
)  # fmt: skip
def test_sources_in_another_language_are_said_to_be(question: str, text: str, told: str) -> None:
    asked = Question(text=question)
    passages = pool(("Mühle", text)).passages
    said = unread(asked, passages, None)
    assert bool(said) == bool(told)
    assert told in said


def test_where_nothing_is_found_the_folder_tells_its_language() -> None:
    asked = Question(text="Wer baute die Mühle?")
    assert "Die Sprache der Quellen (en)" in unread(asked, (), _Folder("the of and"))
    assert not unread(asked, (), _Folder("the of and und der ist"))
    assert not unread(asked, (), _Folder("42"))
    assert not unread(asked, (), None)


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (
            "Um wie viel Uhr schließt das Lager?",
            "Das Lager liegt am Kai. Im Lager gibt es zwölf Tore. Das Lager schließt um 17.30 Uhr.",
            "Das Lager schließt um 17.30 Uhr.",
        ),
        (
            "À quelle heure le dépôt ferme-t-il ?",
            "Le dépôt est au port. Le dépôt a douze portes. Le dépôt ferme à 18 h.",
            "Le dépôt ferme à 18 h.",
        ),
        (
            "仓库几点关门？",
            "仓库在码头。仓库有十二个门。仓库开放至下午6:30。",
            "仓库开放至下午6:30。",
        ),
        (
            "倉庫は何時に閉館しますか？",
            "倉庫は港にあります。倉庫には扉が十二枚あります。倉庫の営業は午後6時までです。",
            "倉庫の営業は午後6時までです。",
        ),
    ],
)
def test_a_time_of_day_answers_at_what_time(question: str, text: str, said: str) -> None:
    found = _decided(question, ("Hask", text))
    assert found.text == said
    assert found.confidence >= SURE


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (
            "Was kostet der Eintritt für Erwachsene?",
            "Die Jahreskarte kostet 9 Euro. Der Eintritt ist kurz. Erwachsene zahlen 6 Euro.",
            "Erwachsene zahlen 6 Euro.",
        ),
        (
            "¿Por qué no se debe mojar la cuerda?",
            "La cuerda es larga. No moje la cuerda, porque encoge.",
            "No moje la cuerda, porque encoge.",
        ),
        (
            "集会室でタバコを吸ってもいいですか？",
            "集会室は二階にあります。集会室での喫煙は禁止します。",
            "いいえ",
        ),
    ],
)
def test_what_is_asked_in_everyday_words_is_found(question: str, text: str, said: str) -> None:
    assert _decided(question, ("Hask", text)).text == said


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("陶器馆的馆长是谁？", ("陶器馆", "陶器馆每天开放，里面有三百件陶器。")),
        ("Wer ist der Pächter der Seilerei?", ("Seilerei", "Die Seilerei steht am Kai von Hask.")),
    ],
)
def test_the_title_of_a_page_alone_tells_of_nobody(question: str, page: tuple[str, str]) -> None:
    assert _decided(question, page).confidence < SURE


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Wann starb Ada Lund?",
            (
                "Ada Lund (* 2. Mai 1901 in Kiel; † 9. Juni 1980 ebenda) war Seilerin."
                " Nach dem Tod der Mutter übernahm Ada Lund 1923 die Seilerei."
            ),
        ),
        (
            "伦德什么时候去世？",
            "伦德（1901年5月2日—1980年6月9日）是制绳工。1923年父亲去世后，伦德接管了绳索馆。",
        ),
    ],
)
def test_the_days_of_a_life_are_read_as_their_language_writes_them(
    question: str, text: str
) -> None:
    assert "1980" in _decided(question, ("x", text)).text


_STALLS = """
| Commune | Jour | Exposants | Parking |
|---|---|---|---|
| Alba-sur-Lys | mardi | 42 | oui |
| Sainte-Brella | jeudi | 18 | non |
| Monteverde-sur-Lys | samedi | 75 | oui |
| L'Ospitale | dimanche | 31 | non |
"""


def test_a_table_of_names_is_in_no_other_language() -> None:
    """Few of its words are common in any language, so that none is told from the others."""
    asked = Question(text="Qui est le maire de Monteverde ?")
    stalls = _STALLS.replace("-sur-Lys", "")
    assert unread(asked, pool(("Marchés", stalls)).passages, None) == ""


def test_who_is_asked_in_words_that_no_source_has_is_not_answered() -> None:
    question = "Qui est le maire de Monteverde-sur-Lys ?"
    with asked_in_its_language(question):
        assert not Ranking(pool(("Marchés", _STALLS)), question).answers


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("In welcher Sprache schrieb Ada Lund?", ("sprache",)),
        ("Welcher Turm ist rot?", ()),
        ("Wo liegt die Stadt?", ()),
        ("Dans quelle langue Ada écrivait-elle ?", ("langue",)),
        ("¿A qué partido pertenece Ada?", ("partido",)),
        ("伦德用什么语言写信？", ("语言",)),
        ("ルンドはどの言語で書きましたか。", ("言語",)),
        ("ルンドはどの村で生まれましたか。", ("村",)),
    ],
)
def test_a_class_that_is_sought_is_told_by_the_nouns_of_the_language(
    question: str, sought: tuple[str, ...]
) -> None:
    with asked_in_its_language(question):
        assert sought_classes(question) == sought
