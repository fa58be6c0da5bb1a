"""What a question is answered with, before its proof."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import BORN, SHELF, Text, answer, pool

from quaere.domain.report import Direct, DirectKind
from quaere.reason.extractive.direct import UNDECIDED
from quaere.reason.extractive.yes_no import decide_yes_no

FILMS: tuple[Text, ...] = (
    ("Harbour Lights", "Harbour Lights is a British film of 1934."),
    ("The Ninth Wheel", "The Ninth Wheel is an Italian film of 1929."),
)


def direct(question: str, *texts: Text) -> Direct:
    first = answer(question, *texts)[0].direct
    assert first is not None
    return first


def test_the_winner_of_a_comparison_is_named_and_both_dates_prove_it() -> None:
    found = direct("Which film came out first, Harbour Lights or The Ninth Wheel?", *FILMS)
    assert (found.kind, found.text) == (DirectKind.CHOICE, "The Ninth Wheel")
    assert [quote.text for quote in found.quotes] == [text for _, text in reversed(FILMS)]
    assert found.is_sure


def test_a_choice_that_nothing_decides_is_not_sure() -> None:
    found = direct("Which film cost more, Harbour Lights or The Ninth Wheel?", *FILMS)
    assert found.kind is DirectKind.SENTENCE
    assert found.confidence <= UNDECIDED


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Are Harbour Lights and The Ninth Wheel both films?", "Yes"),
        ("Are Harbour Lights and The Ninth Wheel from the same country?", "No"),
    ],
)
def test_yes_and_no_rest_on_both_pages(question: str, said: str) -> None:
    found = direct(question, *FILMS)
    assert (found.kind, found.text, len(found.evidence)) == (DirectKind.YES_NO, said, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The dome turns on brass wheels.", "Yes"),
        ("The dome does not turn on brass wheels.", "No"),
        ("## Out of scope\n\nThe dome turns on brass wheels.", "No"),
        ("- Out of scope: why the dome turns on brass wheels, and its lamps.", "No"),
    ],
)
def test_a_yes_or_no_agrees_with_what_is_asserted(text: str, said: str) -> None:
    """Denials turn it round, and so does a heading under which nothing holds."""
    assert direct("Does the dome turn on brass wheels?", ("Notes", text)).text == said


def test_a_sentence_that_says_something_else_is_no_yes() -> None:
    notes = ("Notes", "The dome turns on brass.")
    assert direct("Does the dome turn on brass wheels?", notes).kind is DirectKind.SENTENCE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The dome turns without a motor.", "Yes"),
        ("The dome needs a motor to be turned.", "No"),
        ("The dome was turned by the best motor that was used in Hask.", None),
    ],
)
def test_a_question_that_denies_is_settled_by_a_denial_or_a_need(
    text: str, said: str | None
) -> None:
    found = direct("Can the dome be turned without a motor?", ("Notes", text))
    assert (found.text if found.kind is DirectKind.YES_NO else None) == said


def test_what_is_denied_in_part_is_neither_a_yes_nor_a_no() -> None:
    notes = ("Notes", "The dome is not completely proof against rain.")
    found = direct("Is the dome proof against rain?", notes)
    assert found.kind is DirectKind.SENTENCE
    assert "not completely" in found.text


def test_a_date_is_told_as_it_is_asked_for() -> None:
    works = ("Hask Lens Works", "The Hask Lens Works burned down on 3 May 1932.")
    assert direct("When did the Hask Lens Works burn down?", works).text == "3 May 1932"
    assert direct("In what year did the Hask Lens Works burn down?", works).text == "1932"


def test_where_nothing_shorter_is_clear_the_sentence_leads() -> None:
    found = direct("Why does Brell cheese ripen in caves?", *SHELF)
    first = answer("Why does Brell cheese ripen in caves?", *SHELF)[0]
    assert (found.kind, found.text) == (DirectKind.SENTENCE, first.text)
    assert not found.precedes


def test_only_the_first_sentence_carries_it() -> None:
    first, *others = answer(BORN, *SHELF)
    assert first.direct
    assert not any(sentence.direct for sentence in others)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who painted the hall of Brell?", "Ada Novak and Odile Varga painted the hall of Brell."),
        ("How many desks has the bank of Brell?", "The bank of Brell paid 40 dollars for desks."),
        (
            "Who is the director of the mill?",
            '"Hanna Brell" (born 1901) is a director of the mill.',
        ),
    ],
)
def test_words_are_not_printed_where_a_rival_or_another_thing_may_be_meant(
    question: str, text: str
) -> None:
    """Two names that fit alike, money where a count is asked, what the sentence is about."""
    assert direct(question, ("Notes", text)).kind is DirectKind.SENTENCE


def test_a_comparison_is_declined_where_neither_side_is_told_of() -> None:
    question = "Which film came out first, Payment on Demand or Past Minutes?"
    assert answer(question, *FILMS) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Gas lamps of the harbour do not need daily trimming by hand.", "No"),
        ("Gas lamps of the harbour need daily trimming by hand.", "Yes"),
    ],
)
def test_most_of_a_question_in_one_sentence_is_enough_to_agree_or_deny(
    text: str, said: str
) -> None:
    found = direct("Do gas lamps of the harbour need daily trimming, too?", ("Notes", text))
    assert (found.kind, found.text) == (DirectKind.YES_NO, said)


def test_a_row_of_a_table_says_neither_yes_nor_no() -> None:
    table = ("Words", "All terms.\n\n| Term | Meaning |\n| double | a model without a service |\n")
    found = answer("Is a double a model without a service?", table)
    assert not found or (found[0].direct and found[0].direct.kind is not DirectKind.YES_NO)


PARTS: tuple[Text, ...] = tuple(
    (f"Part {part}", f"A {part} is required. Each {part} is required by the {by}.")
    for part, by in (("lamp", "mill"), ("wheel", "dome"), ("bell", "boat"), ("rope", "inn"))
)


@pytest.mark.parametrize("question", ["Is Orbis required?", "is orbis required?"])
@pytest.mark.parametrize(
    "text", ["Orbis keeps the queue in memory.", "Orbis is used as a cache. A lamp is required."]
)
def test_a_name_alone_is_no_yes(question: str, text: str) -> None:
    """A rare name weighs nearly all of a short question, but says nothing of what is asked."""
    assert direct(question, *PARTS, ("Store", text)).kind is not DirectKind.YES_NO


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The queue is kept in memory: Orbis is required by the mill.", "Yes"),
        ("Orbis is not required.", "No"),
    ],
)
def test_what_is_asked_of_a_name_is_found_beside_it(text: str, said: str) -> None:
    assert direct("Is Orbis required?", *PARTS, ("Store", text)).text == said


RIVERS: Text = (
    "Rivers",
    (
        "All rivers of the plain.\n\n| River | Length (km) | Basin states | First bridged |\n"
        "|---|---|---|---|\n| Esk | 3,531 | 1 | 1852 |\n| Sorrel | 2,850 | 19 | 1704 |\n"
        "| Hask | 2,850 | 4 | |\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is the Esk longer than the Sorrel?", "Yes"),
        ("Is the Sorrel longer than the Esk?", "No"),
        ("Is the river Sorrel shorter than the river Esk?", "Yes"),
        ("Has the Esk more basin states than the Sorrel?", "No"),
        ("Was the Sorrel bridged earlier than the Esk?", "Yes"),
    ],
)
def test_a_claimed_order_is_decided_by_cells(question: str, said: str) -> None:
    found = direct(question, RIVERS)
    assert (found.kind, found.text) == (DirectKind.YES_NO, said)
    assert {quote.text.split()[1] for quote in found.quotes} == {"Esk", "Sorrel"}


@pytest.mark.parametrize(
    "question",
    [
        "Is the Hask longer than the Sorrel?",
        "Is the Esk deeper than the Sorrel?",
        "Is the Esk longer than the Varga?",
        "Was the Hask bridged earlier than the Esk?",
    ],
)
def test_a_claimed_order_that_no_column_decides_is_left_open(question: str) -> None:
    """Equal cells, no such column, no such row, an empty cell."""
    found = answer(question, RIVERS)
    assert not found or (found[0].direct and found[0].direct.kind is not DirectKind.YES_NO)


def test_the_longer_of_two_rows_is_named() -> None:
    found = direct("Which is longer, the Sorrel or the Esk?", RIVERS)
    assert (found.kind, found.text) == (DirectKind.CHOICE, "The Esk")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The Esk is longer than the Sorrel.", "Yes"),
        ("The Sorrel is longer than the Esk.", "No"),
        ("Of 3 rivers the Esk is 3,531 km long. The Sorrel is 2,850 km long.", "Yes"),
        ("The Esk is 400 m long. The Sorrel is 3 km long.", "No"),
        ("The Esk is 400 m long. The Sorrel is long.", ""),
        ("The Sorrel is not longer than the Esk.", ""),
    ],
)
def test_a_claimed_order_is_read_off_sentences(text: str, said: str) -> None:
    """The same words the other way round deny it; figures in two units are converted."""
    found = direct("Is the Esk longer than the Sorrel?", ("Notes", text))
    assert (found.text if found.kind is DirectKind.YES_NO else "") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("To have gully work on islands, take a boat. This tool does not work on islands.", "No"),
        ("If gully does not work on islands, ask. This tool works on islands.", "Yes"),
    ],
)
def test_what_is_meant_or_supposed_is_not_asserted(text: str, said: str) -> None:
    """A page says "this tool" of what its title names."""
    found = direct("Does gully work on islands?", ("gully", text))
    assert (found.kind, found.text) == (DirectKind.YES_NO, said)


FOUNDED: tuple[Text, ...] = (
    (
        "Quill Observatory",
        (
            "The Quill Observatory stands on Mount Sorrel above the town of Hask. It was founded in"
            " 1902 by Odile Varga. Its main mirror measures 90 centimetres."
        ),
    ),
    ("Odile Varga", "Odile Varga was an astronomer. She was born in Tressel Ford in 1861."),
    ("Mount Sorrel", "Mount Sorrel is 1,904 metres high. A railway has climbed it since 1896."),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who founded the Quill Observatory?", "Odile Varga"),
        ("When was the Quill Observatory founded?", "1902"),
    ],
)
def test_a_sentence_that_says_all_that_is_asked_answers_by_itself(question: str, said: str) -> None:
    """The words are printed, the question counts as answered, and nothing beside the point."""
    written = answer(question, *FOUNDED)
    assert [sentence.text for sentence in written] == [
        (
            "The Quill Observatory stands on Mount Sorrel above the town of Hask. It was founded in"
            " 1902 by Odile Varga."
        )
    ]
    found = written[0].direct
    assert found is not None
    assert (found.text, found.is_sure) == (said, True)


def test_of_two_that_say_all_neither_is_taken_for_sure() -> None:
    rival: Text = ("Quill Observatory guide", "The Quill Observatory was founded by Anselm Pryce.")
    written = answer("Who founded the Quill Observatory?", *FOUNDED, rival)
    assert len(written) == 2
    assert written[0].direct is not None
    assert written[0].direct.kind is DirectKind.SENTENCE


def test_a_figure_of_another_measure_is_never_sure() -> None:
    passes: Text = ("Passes", "The ferry pass of Hask costs 40 crowns and stays in the shop.")
    found = direct("How long does the ferry pass of Hask stay valid?", passes)
    assert not found.is_sure


def test_who_says_it_did_not_do_it() -> None:
    told: Text = ("Hask", "According to the Sorrel Gazette, Odile Varga opened the fair of Hask.")
    assert direct("Who opened the fair of Hask?", told).text != "Sorrel Gazette"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The dome of Hask needs a motor.", "Yes"),
        ("A motor is optional for the dome of Hask.", "No"),
    ],
)
def test_what_is_optional_is_not_needed(text: str, said: str) -> None:
    assert direct("Does the dome of Hask need a motor?", ("Notes", text)).text == said


def test_a_heading_over_a_sentence_does_not_let_it_say_all() -> None:
    text = (
        "# Ferries\n\n## The lease of a ferry\n\nIn two trials 500 ropes were cut.\n\n"
        "A ferry has a lease of 15 seconds."
    )
    written = answer("How long is the lease of a ferry?", ("Ferries", text))
    assert any("15 seconds" in sentence.text for sentence in written)


def test_what_holds_with_a_setting_alone_is_no_yes() -> None:
    text = "With the lamp set (and the morning telegraph), Hask sends a report."
    question = "Does Hask send a morning telegraph?"
    assert decide_yes_no(question, pool(("Notes", text))) is None


def test_a_line_that_names_nobody_does_not_tell_who() -> None:
    question = "Who wrote the rules of the club?"
    unnamed = direct(question, ("Rules", "The rules of the club were written in 2014."))
    named = direct(question, ("Rules", "The rules of the club were written by Ottilie Brand."))
    assert not unnamed.is_sure
    assert named.is_sure
