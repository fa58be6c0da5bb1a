"""What reports say in sentences: the founding, dividends, unions, earnings and reasons."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.decision import NEARLY
from quaere.reason.extractive.filings.filed import find_filed, is_told_in_words

BUSINESS = """\
We were incorporated in the state of Oregon in 1988. Tern Cargo was founded in 1871. \
The Cargo segment derives revenues from monthly fees for freight. \
In the Ferries segment, we derive revenues from tickets. \
We have not declared or paid any cash dividends. \
In addition, as of March 31, 2031, none of our U.S. operations had employees represented by labor \
unions. As of March 31, 2031, we had approximately 7,600 employees worldwide."""
RESULTS = """\
Net sales in the Cargo segment increased $12 million in 2031, primarily driven by new docks. \
The increase in interest expense in 2031 was due to higher debt. \
Sales of small boats of the Yards increased in 2031 due to a fair. \
Ferries closed a pier . Net income fell in 2031 because of storms."""
TERN: Text = ("TERN_2031_10K", f"{BUSINESS}\n\n{RESULTS}")
PLOVER: Text = (
    "PLOVER_2031_10K",
    (
        "Our Board declared a quarterly dividend of $0.10. Approximately 40% of our employees are"
        " covered by collective bargaining agreements. The Company was founded in 1901 by Una Wick."
        " The Company was incorporated in Brell in 1920."
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was Tern incorporated?", "1988"),
        ("In which year was Tern founded as a corporation?", "1988"),
        ("When was Plover founded?", "1901"),
        ("When was Plover incorporated?", "1920"),
        ("Does Tern pay dividends to its shareholders?", "No"),
        ("Has Tern ever paid a cash dividend?", "No"),
        ("Does Plover pay a quarterly dividend?", "Yes"),
        ("Does Plover pay more dividends than Tern?", None),
        ("Are any of Tern's American employees in a labor union?", "No"),
        ("Are employees of Plover represented by a union?", "Yes"),
        ("What does Tern's Cargo segment earn its money with?",
         "The Cargo segment derives revenues from monthly fees for freight."),
        ("What does Tern's Ferries segment make its money from?",
         "In the Ferries segment, we derive revenues from tickets."),
        ("What does Tern's Yards segment earn its money with?", None),
        ("Why did Tern's Cargo sell more in 2031?",
         ("Net sales in the Cargo segment increased $12 million in 2031, primarily driven by new"
         " docks.")),
        ("Why did Tern's interest costs rise in 2031?",
         "The increase in interest expense in 2031 was due to higher debt."),
        ("Why did Tern's interest costs fall in 2031?", None),
        ("Why did Tern's Cargo sell more in 2029?", None),
        ("Why did the net income of Tern's Ferries fall in 2031?", None),
        ("How many people worked for Tern at the end of March 2031?", "approximately 7,600"),
    ],
)  # fmt: skip
def test_what_reports_say_in_sentences_is_told(question: str, told: str | None) -> None:
    found = find_filed(question, pool(TERN, PLOVER))
    assert (found and found.text) == told


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        ("Are any of Tern's American employees in a labor union?", True),
        ("Are any of Tern's employees in a labor union?", False),
        ("Why did Tern's Cargo sell more in 2031?", True),
        ("Why did the sales of Tern's Yards rise in 2031?", False),  # of small boats alone
        ("How many people worked for Tern at the end of March 2031?", True),
        ("How many people worked for Tern at the end of June 2031?", False),
    ],
)
def test_what_is_said_of_a_part_or_of_another_day_is_not_sure(question: str, is_sure: bool) -> None:
    found = find_filed(question, pool(TERN, PLOVER))
    assert found is not None
    assert (found.confidence > NEARLY) is is_sure


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What are Tern's segments?", "Our operations comprise two segments: Ferries and Cargo."),
        ("What does Tern do?", "We are a leading operator of ferries in nine ports."),
        ("When was Tern founded?", "The Company was founded in 1901 by Una Wick."),
        ("Does Tern pay dividends?", "We have not declared or paid any cash dividends."),
        ("Are Tern's employees in a union?", "None of our employees are represented by a union."),
        ("What does Tern's Cargo earn its money with?", "Cargo derives revenues from freight."),
        ("How many employees does Tern have?", "We had 7,600 employees worldwide in 2031."),
        ("What is Tern's ticker?", "Our common stock (NYSE: TRNL) has traded since 1988."),
    ],
)
def test_an_item_of_a_list_is_told_as_a_whole_and_without_its_mark(
    question: str, said: str
) -> None:
    read = pool(("TERN_2031_10K", f"In short:\n\n- {said}\n- Much else is in our notes.\n"))
    found = find_filed(question, read)
    assert found is not None
    assert found.line in read.lines
    assert found.line.text == said


def test_a_reason_in_a_list_is_told_without_the_mark_of_its_item() -> None:
    reason = "Interest expense increased in 2031 due to higher debt."
    read = pool(("TERN_2031_10K", f"In short:\n\n- {reason}\n- Much else is in our notes.\n"))
    found = find_filed("Why did Tern's interest costs rise in 2031?", read)
    assert found is not None
    assert found.text == found.line.text == reason


@pytest.mark.parametrize(("before", "told"), [(0, "7,600"), (29, "7,600"), (30, None)])
def test_staff_is_that_of_a_company_which_its_sentence_begins_with(
    before: int, told: str | None
) -> None:
    read = pool(("TERN_2031_10K", f"{'pier ' * before}Tern employed 7,600 people."))
    found = find_filed("How many employees does Tern have?", read)
    assert (found and found.text) == told


def test_no_figure_answers_why_or_with_what() -> None:
    assert is_told_in_words("What does Tern's Cargo segment earn its money with?")
    assert is_told_in_words("Why did net sales of Tern fall?")
    assert not is_told_in_words("How much money did Tern make in 2031?")
    assert not is_told_in_words("What were the net sales of Tern in 2031?")


@pytest.mark.parametrize("question", [
    "When was it founded?", "Does it pay dividends?", "Are staff in a union?",
    "What does Tern earn its money with?", "Why did the costs of Tern rise?",
])  # fmt: skip
@pytest.mark.parametrize("repeated", [
    "We were incorporated in ", "A", "Aa, A ", "none of our employees are represented by ",
    "have not paid ", "employees are covered by ", "increased due to ", "; ", "we derive net ",
    "the board declared ", "increase ", " .",
])  # fmt: skip
def test_hostile_sentences_take_no_time(question: str, repeated: str) -> None:
    read = pool(("Tern Lines", repeated * (50_000 // len(repeated))))
    began = time.process_time()
    find_filed(question, read)
    assert time.process_time() - began < 2.0
