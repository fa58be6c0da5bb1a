"""What answers without a name, a date or a figure, and what a small folder calls otherwise."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.answer_fit import answer_fit
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.measures import lacks_measure
from quaere.reason.extractive.plain_answers import (
    MOMENT,
    ROLE,
    SPOT,
    lacks_agent,
    lacks_form,
    lacks_person,
    lacks_price,
    names_nobody,
    plain_fit,
    tells_free,
)
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.ranking import Ranking
from quaere.text.languages.language import language_of, speaking
from quaere.text.tokens import stem, words

CLUB: Text = (
    "Rowing club handbook",
    (
        "The boathouse is swept on Mondays. Broken oars are glued by the caretaker. Wet jackets"
        " hang in the drying room. Launches are fuelled at dusk. Hire of a skiff costs £14, and"
        " coaching of novices by Ottilie Brand is free of charge. The club lends each skiff for"
        " three nights. The crew weighed 310 kg in all."
    ),
)


class _Folder:
    """Shares of words in a folder of 20 passages, of which those of the handbook are one."""

    def document_share(self, word: str) -> float:
        held = {stem(said) for said in words(f"{CLUB[0]} {CLUB[1]}")}
        return 0.05 if stem(word) in held else 0.0


@pytest.mark.parametrize(
    ("kind", "sentence", "fit"),
    [
        (Kind.PERSON, "They are cleared by the tenant.", ROLE),
        (Kind.PERSON, "They are cleared in spring.", 0.0),
        (Kind.PLACE, "They stand in the hall.", SPOT),
        (Kind.PLACE, "They are sold on board.", SPOT),
        (Kind.PLACE, "They cost more than bicycles.", 0.0),
        (Kind.DATE, "Fires may be lit from October to March.", MOMENT),
        (Kind.DATE, "The gate is shut at midnight.", MOMENT),
        (Kind.DATE, "Losses are to be reported within two days.", MOMENT),
        (Kind.DATE, "The gate is shut by hand.", 0.0),
    ],
)
def test_everyday_sentences_answer_without_names_and_dates(
    kind: Kind, sentence: str, fit: float
) -> None:
    assert answer_fit(kind, sentence) == fit


def test_what_a_label_is_followed_by_tells_where_it_is() -> None:
    assert plain_fit(Kind.PLACE, "Stamps: attic", frozenset()) == SPOT
    assert plain_fit(Kind.PLACE, "Stamps: ninety", frozenset()) == 0.0


def test_what_the_question_says_itself_is_no_plain_answer() -> None:
    known = frozenset(words("What does the tenant clear?"))
    assert answer_fit(Kind.PERSON, "They are cleared by the tenant.", known) == 0.0


def test_a_weekday_answers_when_in_other_languages() -> None:
    question = "Wann ist das Lager zu?"
    with speaking(language_of(question)):
        assert answer_fit(Kind.DATE, "Dienstags ist das Lager zu.") == MOMENT
        assert answer_fit(Kind.PERSON, "er wohnt in the hall") == 0.0


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("How much does a skiff cost?", "The club has 12 skiffs.", True),
        ("How much does a skiff cost?", "A skiff is £14.", False),
        ("What is the price of a skiff?", "The club has 12 skiffs.", True),
        ("How much varnish is left?", "There are 12 tins.", False),
        ("How much is the skiff?", "The skiff was built in two weeks.", True),
        ("How much is the skiff?", "The skiff is 90 crowns.", False),
        ("How much is it for a child?", "Children are £4.", False),
        ("How much is the weight of a skiff?", "A skiff weighs 90 kg.", False),
        ("How much is the annual output?", "It makes 12 skiffs.", False),
    ],
)
def test_a_price_is_an_amount_of_money(question: str, sentence: str, lacks: bool) -> None:
    assert lacks_price(question, sentence) is lacks


def test_free_of_charge_tells_a_price() -> None:
    assert tells_free("What does coaching cost?", "Coaching is free of charge.")
    assert not tells_free("What does coaching cost?", "Feel free to ask a coach.")
    assert not tells_free("Who coaches?", "Coaching is free of charge.")


def test_what_something_costs_is_a_number() -> None:
    assert expected_kind("What does a lost badge cost?") is Kind.NUMBER
    assert expected_kind("What does a lost badge look like?") is Kind.STATEMENT


def test_a_weight_is_no_height_and_nights_are_a_time() -> None:
    assert lacks_measure("How tall is the crew?", "The crew weighed 310 kg in all.")
    assert not lacks_measure("How tall is the mast?", "The mast reaches 9 metres.")
    assert not lacks_measure("How long may I keep a skiff?", "Each is lent for three nights.")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who glues broken oars?", "caretaker"),
        ("Where do wet jackets hang?", "drying room"),
        ("When are launches fuelled?", "at dusk"),
    ],
)
def test_a_line_that_says_what_is_asked_leads_though_it_names_nothing(
    question: str, told: str
) -> None:
    assert told in answer(question, CLUB)[0].text


def test_a_word_that_a_small_folder_lacks_weighs_little_more_than_a_rare_one() -> None:
    read = pool(CLUB, statistics=_Folder())
    assert read.rarity("zeppelin", "zeppelin") < 2 * read.rarity("skiff", "skiff")
    assert read.rarity("2031", "2031") > 2 * read.rarity("skiff", "skiff")


def test_what_a_folder_lacks_is_found_by_what_it_calls_the_same() -> None:
    read = pool(CLUB, statistics=_Folder())
    assert Goal("Who repairs oars?", read).mask(frozenset({"fix"}))
    assert not Goal("Who repairs oars?", pool(CLUB)).mask(frozenset({"fix"}))
    held = Goal("Who sweeps the boathouse?", read)
    assert not held.mask(frozenset({"clean"}))


def test_a_line_with_everyday_words_alone_is_not_sure() -> None:
    read = pool(CLUB, statistics=_Folder())
    ranking = Ranking(read, "What are the tariffs?")
    line = next(line for line in read.lines if "costs" in line.text)
    assert ranking.is_in_other_words(line)
    assert not Ranking(read, "What are the tariffs of a skiff?").is_in_other_words(line)


def test_a_german_compound_is_found_by_its_last_part() -> None:
    question = "Was kostet die Vereinsmitgliedschaft?"
    with speaking(language_of(question)):
        read = pool(("Heft", "Die Mitgliedschaft kostet 30 Euro. Der Saal ist offen."))
        goal = Goal(question, read)
        line = next(line for line in read.lines if "30" in line.text)
        assert goal.share(goal.mask(line.terms)) == pytest.approx(1.0)


HANDBOOK = (
    "Handbook",
    (
        "# Leave\n\nAsk three weeks ahead for leave of anything longer than two days. You have 28"
        " days of leave a year. Up to four days can be kept."
    ),
)
FLAT = ("Letter", "The rent of the flat is £900 a month. From 1 June the rent is £950 a month.")


def test_weeks_and_a_limit_do_not_tell_how_many_days() -> None:
    assert "28" in answer("How many days' leave do I get?", HANDBOOK)[0].text


def test_an_amount_for_a_month_is_told_by_a_line_of_that_month() -> None:
    assert "£950" in answer("How much is the rent of the flat from June?", FLAT)[0].text
    assert "£900" in answer("How much is the rent of the flat from July?", FLAT)[0].text


def test_a_condition_alone_heads_what_follows_from_it() -> None:
    read = pool(("Safety", "4. If you sink. Hold on to the oars. Whistle."))
    heads, first, second = read.lines
    assert (heads.heading, first.heading, second.heading) == (True, False, False)
    assert "sink" in first.over & second.over


def test_thanks_to_somebody_are_no_reason() -> None:
    assert answer_fit(Kind.REASON, "My thanks to Orla Finn.") < 1.0
    assert answer_fit(Kind.REASON, "It sold out thanks to Orla Finn.") == 1.0


def test_a_line_below_an_everyday_word_for_what_is_asked_is_not_sure() -> None:
    read = pool(("Costs", "# Costs\n\nA skiff is hired at the desk."), statistics=_Folder())
    *_, line = read.lines
    assert Ranking(read, "What are the tariffs of a skiff?").is_in_other_words(line)


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("The rules of the club were written in 2014.", True),
        ("To do: write the rules.", True),
        ("The rules are written in the hall on Mondays.", True),
        ("The rules were written by Ottilie Brand.", False),
        ("ottilie wrote the rules", False),
        ("They wrote the rules in 2014.", False),
        ("The rules were written by members of the committee.", False),
        ("The notary wrote the rules.", False),
        ("The rules were written by nuns.", False),
        ("Rules, written: o. brand", False),
        ("Rules: brand@oars.example", False),
    ],
)
def test_who_is_not_told_where_nobody_is_named(sentence: str, lacks: bool) -> None:
    assert lacks_person("Who wrote the rules of the Club?", sentence) is lacks
    assert not lacks_person("When were the rules written?", sentence)
    assert not lacks_person("Who wrote the rules, Bo or Ada?", "Bo wrote the rules.")


@pytest.mark.parametrize(
    ("question", "sentence", "lacks"),
    [
        ("What colour is the hull?", "The hull is green.", False),
        ("What colour is the hull?", "The hull is long.", True),
        ("What can I use instead of tar?", "Pitch may be used in place of tar.", False),
        ("What can I use instead of tar?", "Tar is black.", True),
    ],
)
def test_a_colour_and_what_takes_the_place_of_a_thing_have_their_words(
    question: str, sentence: str, *, lacks: bool
) -> None:
    assert lacks_form(question, sentence) is lacks


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ('Book "First Knots" 13.90', False),
        ("The book costs 95 francs.", False),
        ("The book has 95 pages.", True),
    ],
)
def test_a_price_may_be_in_coins_of_no_unit(sentence: str, *, lacks: bool) -> None:
    assert lacks_price("What did the book cost?", sentence) is lacks


@pytest.mark.parametrize(
    ("question", "sentence", "nobody"),
    [
        ("Who audits the mill?", "We have audited the accounts of the mill.", True),
        ("Who audits the mill?", "Marsh audits the accounts of the mill.", False),
        ("Who is the CEO of the mill?", "Our code of ethics binds our CEO.", True),
        ("Who is the CEO of the mill?", "Our CEO, Bo, lives at the mill.", False),
        ("Who is the miller of Brell?", "Odile Varga trained with the miller of Brell.", False),
        ("Who are the mill's rivals?", "Prices of rivals may fall below ours.", True),
        ("Who are the mill's rivals?", "Its rivals include bakers and other mills.", False),
        ("Who are the mill's rivals?", "The rivals of the mill, Hask and Gull, are old.", False),
        ("What is the CEO paid?", "Our code of ethics binds our CEO.", False),
    ],
)
def test_a_line_may_speak_of_a_holder_and_name_nobody(
    question: str, sentence: str, *, nobody: bool
) -> None:
    assert names_nobody(question, sentence) is nobody


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("We settled an issue of the 2016 tax audit.", True),
        ("The audit of 2016 was long.", True),
        ("Marsh & Pell audit the mill.", False),
        ("They hired Marsh to audit it.", False),
    ],
)
def test_an_audit_does_not_tell_who_audits(sentence: str, *, lacks: bool) -> None:
    assert lacks_agent("Who audits the mill?", sentence) is lacks
