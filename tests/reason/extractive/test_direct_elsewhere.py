"""Direct answers beyond English: opening tables, measures, rules, figures of other things."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import Direct, DirectKind
from quaere.reason.extractive.measures import counts_other_things
from quaere.reason.extractive.plain_answers import lacks_price
from quaere.reason.extractive.ruled import says_rule_alone
from quaere.reason.extractive.spans import tells_change
from quaere.text.languages.language import language_of, languages, speaking


def direct(question: str, *texts: Text) -> Direct:
    with speaking(language_of(question)):
        said = answer(question, *texts)
    first = said[0].direct if said else Direct(kind=DirectKind.NONE, text="")
    assert first is not None
    return first


@pytest.mark.parametrize("mark", ["?", "？"])
def test_what_says_all_of_a_chinese_question_answers_whatever_mark_ends_it(mark: str) -> None:
    page: Text = ("绳索桥", "绳索桥于1931年建成。1984年,绳索桥被列为国家重点文物保护单位。")
    found = direct(f"绳索桥什么时候被列为国家重点文物保护单位{mark}", page)
    assert found.text.startswith("1984年")


def test_a_line_with_the_chinese_question_itself_does_not_answer_it() -> None:
    question = "绳索桥什么时候被列为国家重点文物保护单位?"
    asked: Text = ("问答", "有人问绳索桥什么时候被列为国家重点文物保护单位。")
    told: Text = ("绳索桥", "1984年,绳索桥被列为重点文物。")
    assert direct(question, asked, told).text == told[1]


def _hours(head: str, shut: str, other: str) -> Text:
    return ("Sauna", f"# Sauna\n\n{head}\n|---|---|---|\n{shut}\n{other} | 9:00 | 20:00 |\n")


TABLES: dict[str, Text] = {
    "de": _hours(
        "| Tag | Öffnet | Schließt |",
        "| Montag | geschlossen | geschlossen |",
        "| Dienstag bis Freitag",
    ),
    "es": _hours("| Día | Abre | Cierra |", "| Lunes | cerrado | cerrado |", "| Martes a viernes"),
    "fr": _hours("| Jour | Ouvre | Ferme |", "| Lundi | fermé | fermé |", "| Mardi à vendredi"),
    "it": _hours(
        "| Giorno | Apertura | Chiusura |",
        "| Lunedì | chiuso | chiuso |",
        "| Da martedì a venerdì",
    ),
    "nl": _hours(
        "| Dag | Open | Dicht |", "| Maandag | gesloten | gesloten |", "| Dinsdag tot vrijdag"
    ),
    "pt": _hours("| Dia | Abre | Fecha |", "| Segunda | fechado | fechado |", "| Terça a sexta"),
}


@pytest.mark.parametrize(
    ("code", "question", "said"),
    [
        ("de", "Hat die Sauna montags geöffnet?", "Nein"),
        ("de", "Ist die Sauna am Mittwoch offen?", "Ja"),
        ("de", "Ist die Sauna montags geschlossen?", "Ja"),
        ("es", "¿Abre la sauna los lunes?", "No"),
        ("es", "¿Está abierta la sauna los jueves?", "Sí"),
        ("fr", "La sauna est-elle ouverte le lundi ?", "Non"),
        ("fr", "La sauna est-elle ouverte le jeudi ?", "Oui"),
        ("it", "La sauna è aperta il lunedì?", "No"),
        ("it", "La sauna è aperta il giovedì?", "Sì"),
        ("nl", "Is de sauna op maandag open?", "Nee"),
        ("nl", "Is de sauna op donderdag open?", "Ja"),
        ("pt", "A sauna está aberta à segunda?", "Não"),
        ("pt", "A sauna está aberta à quinta?", "Sim"),
    ],
)
def test_a_table_of_two_columns_tells_whether_it_is_open(
    code: str, question: str, said: str
) -> None:
    found = direct(question, TABLES[code])
    assert (found.text, found.is_sure) == (said, True)


@pytest.mark.parametrize(
    "question",
    [
        "Ist das Café montags geöffnet?",  # another thing
        "Ist die Sauna sonntags geöffnet?",  # no row
        "Ist die Sauna am Mittwoch um 22 Uhr geöffnet?",  # an hour
    ],
)
def test_such_a_table_tells_nothing_of_other_things_days_and_hours(question: str) -> None:
    assert direct(question, TABLES["de"]).text not in {"Ja", "Nein"}


def test_tables_of_two_seasons_that_differ_tell_neither() -> None:
    head = "| Tag | Öffnet | Schließt |\n|---|---|---|\n"
    text = (
        f"# Sauna\n\n## Sommer\n\n{head}| Montag | 9:00 | 20:00 |\n\n"
        f"## Winter\n\n{head}| Montag | geschlossen | geschlossen |\n"
    )
    assert direct("Ist die Sauna montags geöffnet?", ("Sauna", text)).text not in {"Ja", "Nein"}


@pytest.mark.parametrize(
    ("question", "head", "row", "said"),
    [
        ("Wie schwer ist die Hask 20?", "Merkmal", "Gewicht", "2,5 kg"),
        ("¿Cuánto pesa la Hask 20?", "Dato", "Peso", "2,5 kg"),
        ("Combien pèse la Hask 20 ?", "Donnée", "Poids", "2,5 kg"),
        ("Quanto pesa la Hask 20?", "Dato", "Peso", "2,5 kg"),
        ("Hoe zwaar is de Hask 20?", "Kenmerk", "Gewicht", "2,5 kg"),
        ("Hoe hoog is de Hask 20?", "Kenmerk", "Hoogte", "90 cm"),
    ],
)
def test_the_row_of_a_measure_is_named_by_how_it_is_asked(
    question: str, head: str, row: str, said: str
) -> None:
    text = f"# Hask\n\n| {head} | Hask 20 | Hask 35 |\n|---|---|---|\n| {row} | {said} | 9,9 kg |\n"
    found = direct(question, ("Hask", text))
    assert (found.text, found.is_sure) == (said, True)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("¿Quiénes asistieron a la asamblea?", "Asistentes: Ada Mora, Odil Vega, Inés Sol"),
        ("Qui a assisté à l'assemblée ?", "Présents : Ada Morel, Odil Vey, Inès Sol"),
        ("Wer hat an der Versammlung teilgenommen?", "Teilnehmer: Ada Moser, Odil Vogt, Ines Sohl"),
    ],
)
def test_those_who_took_part_are_told_by_the_label_of_those_present(
    question: str, line: str
) -> None:
    title = "Asamblea / Assemblée / Versammlung"
    found = direct(question, (title, f"# {title}\n\n{line}\n\n1. Ada 3.\n"))
    assert found.text == line


def test_what_one_calls_so_is_a_definition() -> None:
    text = "Os tanques da sauna são de pedra. Chama-se tanque à bacia onde a água arrefece."
    assert direct("O que é um tanque?", ("Sauna", text)).text.startswith("Chama-se")


@pytest.mark.parametrize(
    ("question", "whole", "part"),
    [
        ("Ist die Garderobe gratis?", "Die Garderobe ist kostenlos.",
         "Die Garderobe ist für Mitglieder kostenlos."),
        ("Darf man hier grillen?", "Das Grillen ist verboten.", "Grillen ist samstags erlaubt."),
        ("¿Es gratis el guardarropa?", "El guardarropa es gratuito.",
         "El guardarropa es gratuito desde las 18."),
        ("Le casque est-il obligatoire ?", "Le casque est obligatoire.",
         "Le casque est obligatoire pour les enfants."),
    ],
)  # fmt: skip
def test_a_rule_about_one_thing_is_certain_where_it_says_nothing_besides(
    question: str, whole: str, part: str
) -> None:
    assert direct(question, ("Orrin", whole)).is_sure
    with speaking(language_of(question)):
        assert not says_rule_alone(question, part)


def test_english_rules_are_read_otherwise() -> None:
    assert not says_rule_alone("Is the cloakroom free?", "The cloakroom is free.")


@pytest.mark.parametrize(
    ("question", "other", "own"),
    [
        ("Quanti soci ha il circolo?", "La quota del circolo sale da 120 a 140 euro.",
         "Il circolo ha 90 soci."),
        ("Wie viele Stufen hat der Turm?", "Der Turm hat 12 Fenster.",
         "Der Turm hat 212 Treppenstufen."),
        ("Combien de marches compte la tour ?", "La tour compte 12 fenêtres.",
         "On monte 212 marches."),
    ],
)  # fmt: skip
def test_a_figure_of_another_thing_is_no_number_of_those_asked_for(
    question: str, other: str, own: str
) -> None:
    with speaking(language_of(question)):
        read = pool(("Orrin", other), ("Orrin", own))
        assert [counts_other_things(question, line, read) for line in read.lines] == [True, False]


def test_people_may_be_counted_by_any_word() -> None:
    with speaking(languages()["de"]):
        read = pool(("Orrin", "In Orrin arbeiten 40 Angestellte."))
        assert not counts_other_things(
            "Wie viele Leute arbeiten in Orrin?", next(iter(read.lines)), read
        )


@pytest.mark.parametrize(
    ("question", "lacks", "tells"),
    [
        ("云塔的门票多少钱？", "云塔高38米，建于1342年。", "门票20元。"),
        ("云塔的门票多少钱？", "云塔有7层。", "儿童免费。"),
        ("Was kostet die Fahrt?", "Die Fahrt dauert 20 Minuten.", "Die Fahrt kostet 3 Kronen."),
        ("¿Cuánto cuesta el viaje?", "El viaje dura 20 minutos.", "El viaje cuesta 3 euros."),
        ("Quanto custa a viagem?", "A viagem dura 20 minutos.", "A viagem é gratuita."),
    ],
)
def test_a_price_is_an_amount_of_money(question: str, lacks: str, tells: str) -> None:
    with speaking(language_of(question)):
        assert lacks_price(question, lacks)
        assert not lacks_price(question, tells)


@pytest.mark.parametrize(
    ("code", "changes", "stays"),
    [
        ("nl", "De huur gaat van 20 naar 25 euro.", "De huur van kamer 20 is 25 euro."),
        ("de", "Die Miete steigt von 180 auf 210 Euro.", "Die Miete von Raum 3 ist 210 Euro."),
        ("fr", "Le loyer passe de 180 à 210 euros.", "Le loyer de la salle 3 est de 210 euros."),
        ("es", "La cuota sube de 180 a 210 euros.", "La cuota de 180 euros no cambia."),
        ("zh", "租金从180元增至210元。", "租金是210元。"),
    ],
)
def test_of_two_figures_between_which_something_goes_neither_is_told_alone(
    code: str, changes: str, stays: str
) -> None:
    with speaking(languages()[code]):
        assert tells_change(changes)
        assert not tells_change(stays)


def test_the_sentence_of_a_change_answers_as_a_whole() -> None:
    line = "De contributie van Orrin gaat van 20 naar 25 euro."
    assert direct("Hoeveel bedraagt de contributie van Orrin?", ("Orrin", line)).text == line


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("de", "Bis wie viel Uhr ist die Sauna am Mittwoch offen?"),
        ("es", "¿Hasta qué hora abre la sauna los jueves?"),
        ("it", "Fino a che ora è aperta la sauna il giovedì?"),
        ("nl", "Tot hoe laat is de sauna op donderdag open?"),
        ("pt", "Até que horas está aberta a sauna à quinta?"),
    ],
)
def test_until_when_something_is_open_is_told_by_when_it_closes(code: str, question: str) -> None:
    title, hours = TABLES[code]
    named = hours.replace("Dienstag bis Freitag", "Mittwoch")
    for several, one in (
        ("Martes a viernes", "Jueves"),
        ("Mardi à vendredi", "Jeudi"),
        ("Da martedì a venerdì", "Giovedì"),
        ("Dinsdag tot vrijdag", "Donderdag"),
        ("Terça a sexta", "Quinta"),
    ):
        named = named.replace(several, one)
    found = direct(question, (title, named))
    assert (found.text, found.is_sure) == ("20:00", True)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Ist das Rauchen im Park überall erlaubt?", "Das Rauchen ist nur im Hof erlaubt."),
        ("¿Se puede pescar en todo el lago?", "Solo se puede pescar en el muelle del lago."),
    ],
)
def test_what_is_allowed_in_one_place_only_is_no_certain_yes(question: str, line: str) -> None:
    assert not direct(question, ("Orrin", line)).is_sure


def test_of_that_place_it_is_a_yes() -> None:
    found = direct("Ist das Rauchen im Hof erlaubt?", ("Orrin", "Rauchen ist nur im Hof erlaubt."))
    assert (found.text, found.is_sure) == ("Ja", True)
