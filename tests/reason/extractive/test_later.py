"""Which of two documents that state different values holds, by what they say of their own time."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, checklist, passage, pool

from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import Question
from quaere.domain.report import Sentence
from quaere.reason.extractive.answer import write_answer
from quaere.reason.extractive.editions import editions
from quaere.reason.extractive.later import up_to_date, with_earlier
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import asks_earlier
from quaere.text.languages.language import language_of, speaking

PLAN: Text = ("Plan, 1 February 2031", "The rowing supper is on 7 May at the mill. Bring a chair.")
MINUTES: Text = ("Minutes, 3 March 2031", "The rowing supper is on 14 May at the mill.")
RULES: Text = ("Ferry rules 2030", "Goats may travel, six to a ferry. Swings are allowed on deck.")
NEW_RULES: Text = (
    "Ferry rules 2031",
    "Goats may travel, four to a ferry. Swings are not allowed on deck.",
)
_PRICES = "| Trip | Price |\n|---|---|\n| Island | £{} |\n| Harbour | £{} |\n"
PRICES: Text = ("Ferry prices 2030", _PRICES.format(4, 2))
NEW_PRICES: Text = ("Ferry prices 2031", _PRICES.format(5, 3))
WHEN = "When is the rowing supper at the mill?"


def told(question: str, *texts: Text) -> list[str]:
    """Return the sentences of the answer from what is up to date in ``texts``."""
    return [each.text for each in written(question, pool(*texts))]


def written(question: str, read: Pool) -> tuple[Sentence, ...]:
    current = up_to_date(question, read)
    said = write_answer(
        Question(text=question),
        checklist(question),
        current.pool,
        max_words=200,
        max_citations=10,
    )
    return with_earlier(said, current, max_citations=10)


@pytest.mark.parametrize("texts", [(PLAN, MINUTES), (MINUTES, PLAN)])
def test_the_later_document_leads_and_the_earlier_is_told(texts: tuple[Text, Text]) -> None:
    first, second, *_ = written(WHEN, pool(*texts))
    assert first.direct is not None
    assert (first.direct.text, first.direct.is_sure) == ("14 May", True)
    assert second.text == (
        "Earlier (Plan, 1 February 2031): The rowing supper is on 7 May at the mill."
    )
    assert second.quotes[0].text == "The rowing supper is on 7 May at the mill."


def test_without_dates_both_are_shown_as_before() -> None:
    undated = ("Plan", PLAN[1]), ("Minutes", MINUTES[1])
    assert up_to_date(WHEN, pool(*undated)).replaced == ()
    assert len(told(WHEN, *undated)) == 2


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many goats may travel on a ferry?", "Goats may travel, four to a ferry."),
        ("How many goats could travel on a ferry originally?", "Goats may travel, six to a ferry."),
        ("How many goats could travel on a ferry in 2030?", "Goats may travel, six to a ferry."),
        ("How many goats may travel on a ferry in 2031?", "Goats may travel, four to a ferry."),
        ("Are swings allowed on deck?", "Swings are not allowed on deck."),
        ("What does the trip to the Island cost?", "Trip: Island; Price: £5"),
    ],
)
def test_the_edition_that_is_asked_for_answers(question: str, first: str) -> None:
    assert told(question, RULES, NEW_RULES, PRICES, NEW_PRICES)[0] == first


@pytest.mark.parametrize(
    "question",
    ["When is the supper before the move?", "Is the supper at the mill before June?"],
)
def test_a_deadline_is_no_earlier_time(question: str) -> None:
    (replaced,) = up_to_date(question, pool(PLAN, MINUTES)).replaced
    assert "14 May" in replaced.later.text


def test_a_question_about_the_change_sees_both() -> None:
    question = "How has the number of goats on a ferry changed?"
    assert up_to_date(question, pool(RULES, NEW_RULES)).replaced == ()


def test_what_is_changed_by_rule_is_no_change_of_the_rule() -> None:
    texts = [(f"Rules 203{n}", f"The filter is changed on day {n} of a month.") for n in (2, 3)]
    assert len(up_to_date("When is the filter changed?", pool(*texts)).replaced) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We had 180 visitors at the fair.", "We had 240 visitors at the fair."),
        ("The choir sang six songs at the fair.", "The choir sang nine songs at the fair."),
        ("The fair is open to all.", "The fair is on 4 May."),
        ("Class 4 meets in the hall on Monday.", "Class 5 meets in the hall on Friday."),
        ("Gulls are fed at 9:00 in the harbour.", "Seals are fed at 10:00 in the harbour."),
    ],
    ids=["past", "past by its form", "another matter", "another number", "another subject"],
)
def test_what_is_past_or_of_something_else_stays(one: str, other: str) -> None:
    texts = ("Notes, 2 May 2030", one), ("Notes, 2 May 2031", other)
    question = "What is on at the fair in the hall of the harbour?"
    assert up_to_date(question, pool(*texts)).replaced == ()


@pytest.mark.parametrize("title", ["Yearly report 20{}", "Invoice 2031-{}"])
def test_records_of_two_times_do_not_outweigh_each_other(title: str) -> None:
    texts = [(title.format(n), f"The ferry employs {n} people.") for n in (10, 11)]
    assert up_to_date("How many people does the ferry employ?", pool(*texts)).replaced == ()


def test_a_document_that_is_named_by_its_number_answers() -> None:
    texts = [(f"Order 2031-0{n}", f"The sum of the order is £{n}00.") for n in (1, 2)]
    assert told("What is the sum of order 2031-01?", *texts)[0] == "The sum of the order is £100."


def test_a_statement_is_replaced_by_the_nearest_of_the_other_edition() -> None:
    fees = "Adult members pay a fee of £{} a year. Junior members pay a fee of £{} a year."
    question = "What fee do junior members pay a year?"
    texts = ("Fees 2030", fees.format(30, 15)), ("Fees 2031", fees.format(32, 16))
    assert told(question, *texts)[:2] == [
        "Junior members pay a fee of £16 a year.",
        "Earlier (Fees 2030): Junior members pay a fee of £15 a year.",
    ]


def test_what_holds_from_a_day_on_replaces_what_held_before() -> None:
    house = ("House rules, 4 October 2030", "The caretaker is Mr Tarn.")
    letter = ("Letter", "Mill Homes\n5 January 2031\n\nFrom 1 March 2031 the caretaker is Ms Voss.")
    assert told("Who is the caretaker?", house, letter)[-1] == (
        "Earlier (House rules, 4 October 2030): The caretaker is Mr Tarn."
    )


def test_a_later_entry_of_one_document_leads() -> None:
    thread = (
        "From: Orla\nDate: Mon, 2 March 2031\n\nWe move to Tarn Row on 30 March.\n\n"
        "From: Orla\nDate: Thu, 12 March 2031\n\nWe move to Tarn Row on 13 April.\n"
    )
    first, second, *_ = told("When do we move to Tarn Row?", ("thread", thread))
    assert first == "We move to Tarn Row on 13 April."
    assert second == "Earlier (2 March 2031): We move to Tarn Row on 30 March."


def test_days_of_a_programme_do_not_outweigh_each_other() -> None:
    programme = (
        "## 8 March 2031\n\nThe rehearsal is at 7:00 in the hall.\n\n"
        "## 15 March 2031\n\nThe rehearsal is at 8:00 in the hall.\n"
    )
    question = "When is the rehearsal in the hall?"
    assert up_to_date(question, pool(("Programme", programme))).replaced == ()
    changed = programme.replace("is at 8:00", "is now at 8:00")
    assert len(up_to_date(question, pool(("Programme", changed))).replaced) == 1


def test_tables_of_two_days_do_not_outweigh_each_other() -> None:
    days = [f"## {day} March 2031\n\n{_PRICES.format(day, day)}" for day in (8, 9)]
    question = "What does the trip to the Island cost?"
    assert up_to_date(question, pool(("Trips", "\n".join(days)))).replaced == ()


def test_a_move_is_reported_in_the_past() -> None:
    moved = ("Mail, 5 March 2031", "The rowing supper was moved to 21 May.")
    assert told("When is the rowing supper?", PLAN, moved)[0] == moved[1]


@pytest.mark.parametrize(
    ("title", "text", "day"),
    [
        ("Rules 2031", "Dogs stay out.", (2031, 0, 0)),
        ("Minutes 3 March 2031", "Dogs stay out.", (2031, 3, 3)),
        ("Rules", "Valid from 1 May 2031.\n\nDogs stay out.", (2031, 5, 1)),
        ("Letter", "Tarn School, 9 May 2031\n\nDogs stay out.", (2031, 5, 9)),
        ("Log", "## 8 March 2031\n\nDogs stay out.", (2031, 3, 8)),
        ("Log", "8 March 2031: the gate leaks.\n\nDogs stay out.", (2031, 3, 8)),
        ("Log", "## 8 March 2031\n\nIt leaks.\n\n## Rules\n\nDogs stay out.", None),
        ("Plan", "The fair is on 7 May 2031.\n\nDogs stay out.", None),
        ("", "Dogs stay out.", None),
    ],
)
def test_a_line_is_dated_by_what_its_document_says(
    title: str, text: str, day: tuple[int, int, int] | None
) -> None:
    found = {line.text: edition.day for line, edition in editions(pool((title, text))).items()}
    assert found.get("Dogs stay out.") == day


@pytest.mark.parametrize("names", [("fees v1.md", "fees v2.md"), ("fees_v1.9", "fees_v1.10")])
def test_versions_tell_which_is_later(names: tuple[str, str]) -> None:
    pages = [
        passage("Fees", f"The fee of the pool is £{fee}.").model_copy(
            update={"url": f"file:///{n}"}
        )
        for n, fee in zip(names, (4, 5), strict=True)
    ]
    evidence = [
        Evidence(id=n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(pages, 10)
    ]
    read = Pool(evidence, {p.id: p for p in pages})
    first, second = written("What is the fee of the pool?", read)
    assert first.text == "The fee of the pool is £5."
    assert second.text.endswith(": The fee of the pool is £4.")


@pytest.mark.parametrize("text", ["", " " * 3000, "x", "# 2031\n", "Date:\n\n|\n", "2 May 2031:"])
def test_odd_documents_raise_nothing(text: str) -> None:
    read = pool(("Odd 2030", text), ("Odd 2031", f"{text} "))
    assert up_to_date("What is odd?", read).replaced == ()


DEPOSIT = "The initial deposit for a boat is £{}00."
DEPOSITS: tuple[Text, Text] = (
    ("Boat rules 2030", DEPOSIT.format(2)),
    ("Boat rules 2031", DEPOSIT.format(3)),
)


@pytest.mark.parametrize(
    ("question", "fee"),
    [
        ("What is the initial deposit for a boat?", 3),
        ("What was the initial deposit for a boat?", 2),
        ("What is the previous deposit for a boat?", 2),
    ],
)
def test_what_is_called_initial_is_the_matter_and_no_earlier_time(question: str, fee: int) -> None:
    assert told(question, *DEPOSITS)[0] == DEPOSIT.format(fee)


@pytest.mark.parametrize(
    ("question", "is_earlier"),
    [
        ("What is used to clean the deck?", False),
        ("Which soap was used to clean the deck?", False),
        ("What did the ferry used to cost?", True),
    ],
)
def test_what_is_used_to_do_something_is_no_earlier_time(
    question: str, *, is_earlier: bool
) -> None:
    assert asks_earlier(question) is is_earlier
    with speaking(language_of("Wie hoch war die Gebühr für ein Boot?")):
        assert not asks_earlier(question)


@pytest.mark.parametrize(
    ("title", "text", "replaced"),
    [
        ("Contract of Bo Dahl 2031", "The notice period is 1 month.", 0),
        ("Letter 2031", "The notice period is 1 month.", 1),
        ("Contract of Bo Dahl 2031", "The notice period is now 1 month.", 1),
    ],
)
def test_a_document_of_the_same_kind_about_another_replaces_nothing(
    title: str, text: str, replaced: int
) -> None:
    earlier = ("Contract of Anna Berg 2030", "The notice period is 3 months.")
    read = pool(earlier, (title, text))
    assert len(up_to_date("How long is the notice period?", read).replaced) == replaced


def test_what_is_told_of_another_name_replaces_nothing() -> None:
    trip = "The trip to {} costs £{} for adults."
    texts = ("News 2030", trip.format("Oslo", 50)), ("News 2031", trip.format("Bergen", 60))
    assert up_to_date("What does the trip cost?", pool(*texts)).replaced == ()
