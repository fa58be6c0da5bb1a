"""Two things that prose tells of are told apart by the sentences that say the like of both."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, checklist, pool

from quaere.reason.extractive.comparisons.compare import decide_comparison
from quaere.reason.extractive.comparisons.contrast import find_parallels

WIND: Text = (
    "Wind mills",
    (
        "Wind mills grind barley in autumn. They were first built at Carrow in 1781."
        " A wind mill grinds 40 sacks a day. Storks nest on three of them."
        " The keeper paints the doors each spring."
    ),
)
TIDE: Text = (
    "Tide mills",
    (
        "Tide mills need a pond behind a sluice. They were first built at Carrow in 1652."
        " The pond holds eels. A tide mill grinds 95 sacks a day."
        " The keeper paints the doors each spring."
    ),
)
MILLS = (WIND, TIDE)
TOLD = [
    "Wind mills grind barley in autumn.",
    "They were first built at Carrow in 1781.",
    "A wind mill grinds 40 sacks a day.",
    "Tide mills need a pond behind a sluice.",
    "They were first built at Carrow in 1652.",
    "A tide mill grinds 95 sacks a day.",
]


def told(question: str, *texts: Text) -> list[str]:
    return [line.text for line in find_parallels(question, pool(*texts))]


@pytest.mark.parametrize(
    "question",
    [
        "Compare wind and tide mills.",
        "What is the difference between wind mills and tide mills?",
        "How do wind and tide mills differ?",
        "How does a wind mill differ from a tide mill?",
        "wind mills vs tide mills",
    ],
)
def test_each_side_is_told_by_what_has_its_like_on_the_other(question: str) -> None:
    assert told(question, *MILLS) == TOLD


def test_of_what_is_to_be_compared_nothing_else_is_told() -> None:
    question = "How do wind and tide mills differ in sacks a day?"
    assert told(question, *MILLS) == [TOLD[2], TOLD[5]]


def test_two_things_in_one_document_are_told_apart_by_names_and_headings() -> None:
    both = "## Wind\n\nA mill grinds 40 sacks a day.\n\n## Tide\n\nA mill grinds 95 sacks a day."
    question = "How do wind and tide mills differ in sacks?"
    assert told(question, ("Mills", both)) == [
        "A mill grinds 40 sacks a day.",
        "A mill grinds 95 sacks a day.",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Which were built first, wind mills or tide mills?",
        "Are wind mills and tide mills both used in autumn?",
        "What grinds barley?",
        "Compare wind mills and horse mills.",
        "How do wind and tide mills differ in price?",
    ],
)
def test_what_asks_for_no_account_of_both_is_left_to_others(question: str) -> None:
    assert told(question, *MILLS) == []


def test_one_pair_alone_may_be_chance_unless_it_is_asked_for() -> None:
    texts = (
        ("Wind mills", "Wind mills are old. A wind mill grinds 40 sacks a day."),
        ("Tide mills", "Eels live near tide mills. A tide mill grinds 95 sacks a day."),
    )
    assert told("Compare wind and tide mills.", *texts) == []
    assert told("How do wind and tide mills differ in sacks?", *texts)


def test_the_answer_has_both_sides_though_their_sentences_are_alike() -> None:
    sentences = answer("Compare wind and tide mills.", *MILLS)
    assert [sentence.text for sentence in sentences] == TOLD


def test_a_choice_is_decided_on_pages_whose_titles_say_more_than_the_sides() -> None:
    choice = decide_comparison("Which mills were built first, wind or tide?", pool(*MILLS))
    assert choice.winner == "tide"
    assert choice.by_value


def test_a_checklist_names_what_is_wanted_of_each_side() -> None:
    in_what = checklist("How do wind and tide mills differ in cost and upkeep?").items
    assert [item.description for item in in_what[1:]] == [
        "Wind: cost and upkeep",
        "Tide mills: cost and upkeep",
    ]
    plain = checklist("Compare wind mills and tide mills.").items
    assert [item.description for item in plain[1:]] == [
        "What the sources say about wind mills",
        "What the sources say about tide mills",
    ]
