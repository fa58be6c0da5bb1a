"""What answers in plain words beyond English: moments, persons, prices, definitions, rules."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import Direct
from quaere.reason.extractive.answer_fit import answer_fit, lacks_since, tells_how
from quaere.reason.extractive.measures import counts_other_things
from quaere.reason.extractive.other_languages import lacks_definition, lacks_rule
from quaere.reason.extractive.plain_answers import lacks_price, tells_free
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.yes_no import Ground, decide_yes_no
from quaere.text.languages.language import language_of, languages, speaking
from quaere.text.tokens import terms


def first_of(question: str, *texts: Text) -> Direct:
    with speaking(language_of(question)):
        direct = answer(question, *texts)[0].direct
    assert direct is not None
    return direct


@pytest.mark.parametrize(
    ("code", "told", "untold"),
    [
        ("de", "Netze sind innerhalb von zwei Wochen zu flicken.", "Netze sind zu flicken."),
        ("de", "Das Netz ist eine Woche vorher zu melden.", "Das Netz ist zu melden."),
        ("fr", "Le filet se rend un mois avant la fête.", "Le filet se rend au gardien."),
        ("fr", "On le rend au début du mois de mai.", "On le rend au gardien."),
        ("es", "La red se devuelve dentro de tres días.", "La red se devuelve al guarda."),
        ("it", "La rete si rende entro il giorno seguente.", "La rete si rende al custode."),
        ("pt", "A rede devolve-se após dois meses.", "A rede devolve-se ao guarda."),
        ("nl", "Het net wordt binnen een week hersteld.", "Het net wordt hersteld."),
        ("zh", "渔网应在三个月内归还。", "渔网应归还。"),
        ("ja", "網は10日以内に返却する。", "網は返却する。"),
    ],
)
def test_a_span_of_time_tells_when(code: str, told: str, untold: str) -> None:
    with speaking(languages()[code]):
        assert answer_fit(Kind.DATE, told) >= 0.6
        assert answer_fit(Kind.DATE, untold) == 0.0


@pytest.mark.parametrize(
    ("question", "rule", "date"),
    [
        (
            "Wann wurde die Werft gegründet?",
            "Binnen 90 Tagen nach der Gründung der Werft tagt der Rat.",
            "Die Werft wurde am 3. Mai 1911 gegründet.",
        ),
        (
            "Quando foi fundado o estaleiro?",
            "Até 90 dias após a fundação do estaleiro reúne-se o conselho.",
            "O estaleiro foi fundado em 3 de maio de 1911.",
        ),
        (
            "Quand le chantier a-t-il été fondé ?",
            "Le conseil se réunit 90 jours après la fondation du chantier.",
            "Le chantier a été fondé le 3 mai 1911.",
        ),
    ],
)
def test_a_span_does_not_date_what_was_done(question: str, rule: str, date: str) -> None:
    with speaking(language_of(question)):
        assert lacks_since(question, rule)
        assert not lacks_since(question, date)


@pytest.mark.parametrize(
    ("code", "told", "untold"),
    [
        ("de", "Der Lotse wird vom Hafen und von der Zunft ernannt.", "Der Lotse wird ernannt."),
        ("fr", "Le pilote est nommé par la guilde.", "Le pilote est nommé chaque année."),
        ("es", "El práctico es nombrado por la cofradía.", "El práctico es nombrado cada año."),
        ("it", "Il pilota è nominato dalla corporazione.", "Il pilota è nominato ogni anno."),
        ("pt", "O piloto é nomeado pela confraria.", "O piloto é nomeado cada ano."),
        ("nl", "De loods wordt door het gilde benoemd.", "De loods wordt elk jaar benoemd."),
    ],
)
def test_by_whom_something_is_done_tells_who(code: str, told: str, untold: str) -> None:
    known = frozenset(("lotse", "der", "il", "pilota", "hafen", "zunft"))
    with speaking(languages()[code]):
        fits = [answer_fit(Kind.PERSON, each, known) for each in (told, untold)]
    assert fits[0] > fits[1]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Was kostet die Fähre für Kinder?", "Kinder fahren auf der Fähre kostenlos."),
        ("Combien coûte le bac pour les enfants ?", "Le bac est gratuit pour les enfants."),
        ("¿Cuánto cuesta el transbordador?", "El transbordador es gratuito."),
        ("Quanto costa il traghetto?", "Il traghetto è gratuito."),
        ("Quanto custa a balsa?", "A balsa é gratuita."),
        ("Hoeveel kost de veerpont?", "De veerpont is gratis."),
        ("渡船多少钱？", "渡船免费。"),
        ("渡し船はいくらですか。", "渡し船は無料です。"),
    ],
)
def test_what_is_free_tells_a_price(question: str, line: str) -> None:
    with speaking(language_of(question)):
        assert tells_free(question, line)
        assert not tells_free(question, "1912")


def test_what_is_free_leads_where_a_price_is_asked_for() -> None:
    told: Text = ("Bac", "Le bac est gratuit pour les élèves et les maîtres de Lorme.")
    other: Text = ("École", "Une carte perdue coûte 5 € aux élèves.")
    found = first_of("Combien coûte le bac pour les élèves de Lorme ?", other, told)
    assert found.text == told[1]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Quanto costa la gita in barca?", "La gita in barca si svolge secondo l’art. 14."),
        ("Was kostet die Bootsfahrt?", "Die Bootsfahrt findet nach § 12 statt."),
    ],
)
def test_the_number_of_a_paragraph_is_no_price(question: str, line: str) -> None:
    with speaking(language_of(question)):
        assert lacks_price(question, line)
        assert not lacks_price(question, line.replace("14", "14 euro").replace("12", "12 Euro"))


@pytest.mark.parametrize(
    ("question", "other", "own"),
    [
        (
            "Hoeveel kost een ligplaats per jaar?",
            "De bijdrage is 120 euro per jaar.",
            "Een ligplaats is 120 euro per jaar.",
        ),
        (
            "Was kostet ein Liegeplatz im Jahr?",
            "Der Beitrag beträgt 120 Euro im Jahr.",
            "Ein Dauerliegeplatz kommt auf 120 Euro im Jahr.",
        ),
        (
            "¿Cuánto cuesta el amarre al año?",
            "La cuota es de 120 euros al año.",
            "El amarre son 120 euros al año.",
        ),
    ],
)
def test_a_price_is_that_of_the_thing_asked_about(question: str, other: str, own: str) -> None:
    with speaking(language_of(question)):
        told = pool(("Orrin", other), ("Orrin", own))
        lines = list(told.lines)
        assert counts_other_things(question, lines[0], told)
        assert not counts_other_things(question, lines[-1], told)


@pytest.mark.parametrize(
    ("question", "other", "own"),
    [
        (
            "Was ist eine Pegelmarke?",
            "Die Pegelmarke wird jedes Jahr geprüft.",
            "Unter einer Pegelmarke versteht man einen Strich am Pfeiler.",
        ),
        (
            "¿Qué es una boya de espera?",
            "Publicación de cada boya de espera en el tablón.",
            "Se entenderá por boya de espera la que marca el turno.",
        ),
        (
            "Cosa sono le uscite brevi?",
            "Le uscite brevi fanno parte del piano.",
            "Per uscite brevi si intendono quelle di un giorno.",
        ),
        (
            "Qu'est-ce qu'une bouée d'attente ?",
            "La bouée d'attente figure au plan.",
            "La bouée d'attente est une bouée qui marque le tour.",
        ),
        (
            "Wat is een wachtboei?",
            "De wachtboei staat op het plan.",
            "Onder een wachtboei wordt een boei verstaan die de beurt aangeeft.",
        ),
    ],
)
def test_what_something_is_is_told_by_what_says_it(question: str, other: str, own: str) -> None:
    with speaking(language_of(question)):
        assert lacks_definition(question, other)
        assert not lacks_definition(question, own)
    assert first_of(question, ("Orrin", f"{other} {own}")).text == own


def test_an_entry_of_a_glossary_says_what_something_is() -> None:
    question = "Was ist eine Pegelmarke?"
    with speaking(language_of(question)):
        assert not lacks_definition(question, "Pegelmarke: Strich am Pfeiler")
        assert lacks_definition(question, "Art. 10: Die Pegelmarke wird jedes Jahr geprüft.")


@pytest.mark.parametrize(
    ("question", "silent", "rule", "says"),
    [
        (
            "Si può usare il fornello in cabina?",
            "Sono arredi il fornello e la lampada in uso in cabina.",
            "È vietato l’utilizzo del fornello in tutta la cabina.",
            False,
        ),
        (
            "Darf man den Kocher in der Kabine benutzen?",
            "Kocher und Lampe, die Gäste in der Kabine benutzen, sind Inventar.",
            "In der Kabine ist es verboten, den Kocher zu benutzen.",
            False,
        ),
    ],
)
def test_a_rule_goes_before_a_line_that_rules_nothing(
    question: str, silent: str, rule: str, says: bool
) -> None:
    with speaking(language_of(question)):
        assert lacks_rule(question, silent)
        assert not lacks_rule(question, rule)
        both = decide_yes_no(question, pool(("Orrin", silent), ("Orrin", rule)))
        alone = decide_yes_no(question, pool(("Orrin", silent)))
    assert both is not None
    assert both.says is says
    assert alone is None or alone.ground is Ground.LACKING


@pytest.mark.parametrize(
    ("question", "line", "says"),
    [
        (
            "Darf man am Steg den Anker werfen?",
            "Am Steg ist es verboten, den Anker zu werfen.",
            False,
        ),
        ("Darf man am Steg den Anker werfen?", "Am Steg ist erlaubt, den Anker zu werfen.", True),
        ("Darf man am Steg anlegen?", "Es ist untersagt, am Steg anzulegen.", False),
        ("Mag men aan de steiger ankeren?", "Het is verboden, aan de steiger te ankeren.", False),
    ],
)
def test_what_a_rule_forbids_to_do_after_a_comma_is_forbidden(
    question: str, line: str, says: bool
) -> None:
    with speaking(language_of(question)):
        found = decide_yes_no(question, pool(("Orrin", line)))
    assert found is not None
    assert found.says is says


def test_a_rule_for_all_of_a_sort_is_no_certain_one_for_what_is_called_after_it() -> None:
    question = "Darf ein Probemitglied im Rat mitreden?"
    line = "Im Rat dürfen Mitglieder mitreden."
    with speaking(language_of(question)):
        found = decide_yes_no(question, pool(("Orrin", line)))
        same = decide_yes_no(question.replace("Probem", "M"), pool(("Orrin", line)))
    assert found is None or found.ground is Ground.LACKING
    assert same is not None
    assert same.ground is Ground.SAID


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("¿Se puede pescar en la cala?", "En la cala queda prohibido acampar, remar o pescar."),
        (
            "Peut-on camper dans la crique ?",
            "Il est interdit de pêcher, de camper ou de faire du feu dans la crique.",
        ),
        ("Si può pescare nella baia?", "Nella baia è vietato campeggiare, pescare o remare."),
        ("Pode-se pescar na baía?", "Na baía é proibido acampar, pescar ou remar."),
        ("在海湾可以钓鱼吗？", "海湾内禁止露营，钓鱼，生火。"),
    ],
)
def test_a_rule_holds_for_all_that_it_lists(question: str, line: str) -> None:
    assert says(question, line) is False


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Darf man in der Bucht angeln?", "In der Bucht ist Zelten verboten, Angeln erlaubt."),
        ("¿Se puede pescar en la cala?", "En la cala está prohibido remar, pero se puede pescar."),
    ],
)
def test_it_does_not_for_what_another_clause_lets(question: str, line: str) -> None:
    assert says(question, line) is True


def says(question: str, line: str) -> bool | None:
    with speaking(language_of(question)):
        found = decide_yes_no(question, pool(("Orrin", line)))
    return found and found.says


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Wie lange gilt der Angelschein?", "Der Angelschein gilt ein Jahr."),
        ("Combien de temps dure le permis ?", "Le permis dure un mois."),
        ("¿Cuánto dura el permiso?", "El permiso dura una semana."),
        ("Quanto dura il permesso?", "Il permesso dura un anno."),
        ("Quanto tempo dura a licença?", "A licença dura um mês."),
        ("Hoe lang geldt de vergunning?", "De vergunning geldt een jaar."),
    ],
)
def test_an_article_before_a_unit_tells_how_long(question: str, line: str) -> None:
    with speaking(language_of(question)):
        assert tells_how(question, line)
        assert not tells_how(question, line.rsplit(" ", 1)[0])
    assert first_of(question, ("Orrin", line)).is_sure


def test_who_does_something_is_not_told_by_one_word_of_two() -> None:
    lines = "Der Kahn wird von der Zunft geprüft. Der Rat genehmigt den Haushalt."
    assert not first_of("Wer genehmigt den Kahn?", ("Orrin", lines)).is_sure


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("可乐", ["可乐"]),
        ("会员可以请假", ["会员", "请假"]),
        ("单位要求", ["单位", "位要", "要求"]),
        ("他要会", []),
    ],
)
def test_chinese_words_stay_whole_where_a_character_joins_words_elsewhere(
    text: str, found: list[str]
) -> None:
    with speaking(languages()["zh"]):
        assert terms(text) == found


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("貸し網は翌日に返せますか。", "当日に返さなかった場合、貸し網は翌日に返すことができる。"),
        ("貸し網は翌日に返せますか。", "当日に返せない貸し網は翌日に返すことができる。"),
    ],
)
def test_what_a_case_denies_is_not_denied_of_the_rest(question: str, line: str) -> None:
    assert says(question, line) is True


def test_a_denial_at_the_end_is_one_in_japanese() -> None:
    assert says("貸し網は翌日に返せますか。", "貸し網は翌日に返せない。") is False


@pytest.mark.parametrize(
    ("line", "is_sure"),
    [
        ("O conselho autoriza a obra da barca grande.", True),
        ("O conselho autoriza a obra do cais grande.", False),
    ],
)
def test_what_is_asked_of_a_topic_is_told_of_it(line: str, *, is_sure: bool) -> None:
    found = first_of("A barca: quem autoriza a obra grande?", ("Orrin", line))
    assert found.is_sure is is_sure


def test_a_figure_says_what_has_one_is() -> None:
    question = "Wat is de opzegtermijn van een ligplaats?"
    with speaking(language_of(question)):
        assert not lacks_definition(question, "Opzeggen gaat met een termijn van vier weken.")


def test_what_defines_is_next_to_what_is_asked_about() -> None:
    question = "Wat is kalfaten?"
    far = (
        "In de winter is het op de meeste werven, waar zo veel te doen is aan alle boten die er"
        " wachten op de lente, gebruik om te kalfaten."
    )
    with speaking(language_of(question)):
        assert lacks_definition(question, far)
        assert not lacks_definition(question, "Kalfaten is het dichten van naden.")
        assert not lacks_definition(question, "Het is het dichten van naden.")


def test_an_hour_tells_when_something_was_done() -> None:
    question = "Wann wurde die Sitzung am 3. Mai 1911 geschlossen?"
    with speaking(language_of(question)):
        assert not lacks_since(question, "Sie wurde um 14:17 Uhr geschlossen.")


def test_how_many_days_one_gets_is_a_number_in_japanese() -> None:
    with speaking(languages()["ja"]):
        assert expected_kind("休みは何日もらえますか。") is Kind.NUMBER
        assert expected_kind("祭りは何日ですか。") is Kind.DATE


def test_a_rule_that_has_but_its_heading_of_what_is_asked_is_not_certain() -> None:
    question = "Darf man im Hafen angeln?"
    text = "# Angeln im Hafen\n\nDer Wart darf einen Helfer nicht benennen."
    with speaking(language_of(question)):
        found = decide_yes_no(question, pool(("Angeln im Hafen", text)))
    assert found is None or found.ground is Ground.LACKING


def test_what_is_never_done_may_not_be() -> None:
    question = "Mag de robot zelf de sluis openen?"
    line = "De robot zal de sluis nooit zelf openen."
    found = first_of(question, ("Orrin", line))
    assert (found.text, found.is_sure) == ("Nee", True)
