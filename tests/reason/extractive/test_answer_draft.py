"""What an answer takes besides its first sentence, and what its direct answer rests on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.reason.extractive.passages import (
    BORN,
    CHEESE,
    FOUNDER,
    LENS,
    SHELF,
    TOWN,
    Text,
    answer,
    pool,
)
from tests.reason.extractive.passages import checklist as checklist_of
from tests.reason.extractive.table_pages import HARBOUR, passage_of, piped, read

from quaere.domain.question import Checklist, ItemStatus, Question
from quaere.domain.report import Direct, DirectKind, Opens, Sentence
from quaere.reason.extractive.answer import OPEN, write_answer, write_rows
from quaere.reason.extractive.tables.rows import answer_over_rows
from quaere.text.tokens import words

BURNED = "When did the works burn down?"
BOTH = f"Where was Odile Varga born? {BURNED}"


def direct_of(said: Sequence[Sentence]) -> Direct:
    """Return the direct answer, which the first sentence alone carries."""
    assert said[0].direct is not None
    assert all(each.direct is None for each in said[1:])
    return said[0].direct


def rows(question: str, *, room: int = 200) -> tuple[Sentence, ...]:
    """Return the rows of the harbour that answer ``question``."""
    found = answer_over_rows(question, HARBOUR)
    assert found is not None
    return write_rows(found, checklist_of(question), max_words=room, max_citations=3)


def test_each_row_that_holds_opens_a_row_of_what_decides() -> None:
    said = rows("Which products are supplied by Orrin Forge?")
    assert [(each.text, each.item, each.opens) for each in said] == [
        ("product: Anchor; supplier: Orrin Forge", "answer", Opens.ROW),
        ("product: Chain; supplier: Orrin Forge", "answer", Opens.ROW),
    ]
    direct = direct_of(said)
    assert direct.kind is DirectKind.NAME
    assert direct.text == "Anchor, Chain (2 of 5 rows of goods.csv)"
    assert [quote.text.split(" | ")[0] for quote in direct.quotes] == ["| Anchor", "| Chain"]
    assert len(direct.evidence) == 1


def test_a_single_row_is_a_sentence() -> None:
    (said,) = rows("What is the price of the Oar?")
    assert (said.text, said.opens) == ("product: Oar; price_eur: 35", None)
    assert direct_of([said]).kind is DirectKind.NUMBER


def test_rows_answer_however_many_further_questions_there_are() -> None:
    found = answer_over_rows("What is the price of the Oar?", HARBOUR)
    assert found is not None
    said = write_rows(found, checklist_of(BOTH), max_words=200, max_citations=3)
    assert direct_of(said).confidence == found.confidence > OPEN
    bare = write_rows(found, Checklist(), max_words=200, max_citations=3)
    assert bare[0].item is None


def test_what_leads_to_the_first_sentence_proves_it() -> None:
    said = answer(BORN, *SHELF)
    direct = direct_of(said)
    assert (direct.kind, direct.text) == (DirectKind.NAME, "Tarnholm")
    assert [each.item for each in said] == ["answer", None]
    assert direct.evidence == tuple(each.evidence[0] for each in said)
    assert direct.quotes == tuple(quote for each in said for quote in each.quotes)


def test_a_rival_that_says_something_else_is_shown_and_proves_nothing() -> None:
    texts = (
        ("n1", "The Hask bridge was opened in May 1911."),
        ("n2", "The Hask bridge was opened in June 1912 by Bo."),
    )
    said = answer("When was the Hask bridge opened?", *texts)
    assert [each.evidence for each in said] == [(10,), (11,)]
    direct = direct_of(said)
    assert (direct.kind, direct.evidence) == (DirectKind.SENTENCE, (10,))


def test_one_that_says_the_same_proves_it() -> None:
    texts = (
        ("n1", "The Hask bridge was opened in May 1911."),
        ("n2", "Bo opened the Hask bridge in MAY 1911, and a crowd of nine hundred came to see."),
    )
    said = answer("When was the Hask bridge opened?", *texts)
    assert direct_of(said).evidence == tuple(each.evidence[0] for each in said) == (10, 11)


def test_a_sentence_that_answers_is_told_as_it_is_shown() -> None:
    said = answer("Why does Brell cheese ripen in caves?", *SHELF)
    direct = direct_of(said)
    assert (direct.kind, direct.text) == (DirectKind.SENTENCE, said[0].text)
    assert direct.quotes == said[0].quotes


@pytest.mark.parametrize("status", list(ItemStatus))
def test_a_question_of_several_is_unsure_until_each_is_answered(status: ItemStatus) -> None:
    wanted = checklist_of(BOTH)
    first, part = wanted.items
    ticked = Checklist(items=(first, part.model_copy(update={"status": status})))
    asked = Question(text="Why does Brell cheese ripen in caves?")
    said = write_answer(asked, ticked, pool(*SHELF), max_words=200, max_citations=9)
    sure = direct_of(said).confidence
    assert sure > OPEN if status is ItemStatus.SATISFIED else sure == OPEN


def test_each_further_question_has_a_sentence_of_its_own() -> None:
    said = answer(BOTH, *SHELF)
    assert said[0].item == "answer"
    assert [each.text for each in said if each.item == "part-1"] == [
        "The works burned down in 1932."
    ]


def test_sides_that_were_found_show_without_more() -> None:
    films = (
        ("Harbour Lights", "Harbour Lights is a film of 1934. Harbour Lights was shot at sea."),
        ("The Ninth Wheel", "The Ninth Wheel is a film of 1929. The Ninth Wheel won a prize."),
    )
    said = answer("Which film came out first, Harbour Lights or The Ninth Wheel?", *films)
    assert [each.text for each in said] == [
        "The Ninth Wheel is a film of 1929.",
        "Harbour Lights is a film of 1934.",
    ]
    direct = direct_of(said)
    assert (direct.text, direct.evidence) == ("The Ninth Wheel", (11, 10))


def test_sides_without_a_decision_each_have_a_sentence() -> None:
    said = answer("Compare Hask Lens Works and Brell cheese", LENS, CHEESE)
    assert [each.evidence for each in said] == [(10,), (11,)]


def test_a_sentence_is_read_with_the_ones_that_say_what_it_is_about() -> None:
    """Unless that is a heading, or long, or the question says what is meant."""
    of_works = "Wellworn Works makes hulls. It is run by Bo. The hulls are sold for 90 crowns."
    (said,) = answer("How much are the hulls sold for?", ("Works", of_works))
    assert said.text == "The hulls are sold for 90 crowns."
    headed = "# Hulls\n\nThey are sold for 90 crowns at Brell."
    (said,) = answer("How much are hulls sold for at Brell?", ("Works", headed))
    assert said.text.endswith("They are sold for 90 crowns at Brell.")
    long = f"Quill Observatory is {'very ' * 40}old. It was founded in 1870."
    said = answer("When was Quill Observatory founded?", ("Quill", long))
    assert said[0].text == "It was founded in 1870."


def test_rows_of_one_table_are_never_the_same() -> None:
    head = "All.\n\n| Lens | Price | Kind |\n|---|---|---|"
    table = f"{head}\n| Hask | 310 | wide |\n| Hask | 320 | wide |"
    said = answer("What prices has the lens Hask?", ("Prices", table))
    assert {"310", "320"} <= set(words(" ".join(each.text for each in said)))


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        ("The Hask bridge over the Esk was opened in May 1911.", 1),
        ("In May 1911 the Hask bridge was opened.", 1),
        ("In May 1912 the Hask bridge was opened.", 2),
    ],
)
def test_what_shares_most_words_and_all_figures_is_said_once(other: str, shown: int) -> None:
    texts: tuple[Text, ...] = (("n1", "The Hask bridge was opened in May 1911."), ("n2", other))
    assert len(answer("When was the Hask bridge opened?", *texts)) == shown


def test_sentences_stand_in_reading_order_passage_by_passage() -> None:
    question = "Why does the dome of Quill Observatory turn, and how does it turn on wheels?"
    text = (
        "The dome of Quill Observatory turns because the sky does. The wheels of the dome of Quill"
        " Observatory are of brass. The dome of Quill Observatory turns on wheels by hand."
    )
    said = answer(question, ("Quill Observatory", text), FOUNDER, TOWN)
    starts = [(each.evidence[0], each.quotes[0].start) for each in said[1:]]
    assert starts == sorted(starts)


STORM: Text = (
    "What becomes of boats",
    """\
If a storm comes, boats are tied up, and the crew goes home.

| what happens to boats | what the crew does |
|---|---|
| a storm tears a boat loose | rows after it; whoever is ashore rings the bell |
| a storm sinks a boat | marks the place with a buoy |
| a storm passes the boats by | goes fishing |

The bell hangs in the chapel.
""",
)


def test_rows_that_follow_each_other_are_a_table() -> None:
    said = answer("What happens to boats in a storm?", STORM)
    rows = [each.text for each in said if each.opens is Opens.ROW]
    assert len(rows) >= 2
    assert rows[0] == (
        "what happens to boats: a storm tears a boat loose; what the crew does: rows after it;"
        " whoever is ashore rings the bell"
    )


def test_one_row_and_rows_that_would_be_cut_elsewhere_are_none() -> None:
    title, text = STORM
    alone = text.replace("| a storm sinks a boat | marks the place with a buoy |\n", "").replace(
        "| a storm passes the boats by | goes fishing |\n", ""
    )
    parted = text.replace("rows after it; whoever", "rows after it; then: whoever")
    for told in (alone, parted):
        said = answer("What happens to boats in a storm?", (title, told))
        assert any("a storm tears a boat loose" in each.text for each in said)
        assert all(each.opens is not Opens.ROW for each in said)


def test_where_one_column_repeats_the_answer_all_of_a_narrow_table_are_shown() -> None:
    table = read(
        passage_of(
            "signals.csv",
            piped(
                "signal,meaning\nBELL_RUNG_ONCE,Come in\nBELL_RUNG_TWICE,Stay out\nHORN_BLOWN,Fog"
            ),
        )
    )
    found = answer_over_rows("Which signals are there for the bell?", table)
    assert found is not None
    said = write_rows(found, checklist_of("Which signals?"), max_words=99, max_citations=3)
    assert [each.text for each in said] == [
        "signal: BELL_RUNG_ONCE; meaning: Come in",
        "signal: BELL_RUNG_TWICE; meaning: Stay out",
    ]
