"""A rule about a thing lets or forbids it, whatever one does with it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.ruled import rule_for_some, told_by_rule
from quaere.text.languages.language import language_of, speaking

RULES: Text = (
    "Ferry rules",
    (
        "# Ferry rules\n\nCards are accepted, cheques are not. Kerosene is not permitted, not even"
        " as a gift. Folded bikes are welcome. Dogs are allowed on deck.\n\n**Goats.** None, apart"
        " from the skipper's.\n\nFireworks: forbidden. Kites: none. Flags: not allowed aft."
        " Flares: none before dawn. Balloons: none allowed.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Can I pay by cheque?", False),
        ("Can I pay by card?", True),
        ("Can I run the stove of the ferry on kerosene?", None),
        ("May I bring kerosene?", False),
        ("Can I take a folded bike on the ferry?", True),
        ("May I bring a dog?", None),
        ("Can I pay by cheque in the winter?", None),
        ("Are goats allowed?", False),
        ("Are fireworks permitted?", False),
        ("Are kites allowed?", False),
        ("Are flags allowed?", None),
        ("Are flares allowed?", None),
        ("Are balloons allowed?", False),
        ("Are cats allowed?", None),
        ("Who accepts cheques?", None),
        ("", None),
    ],
)
def test_a_rule_is_known_by_its_form(question: str, says: bool | None) -> None:
    read = pool(RULES)
    found = told_by_rule(question, read.lines, read)
    assert (found.says if found else None) is says


def test_two_rules_that_disagree_say_nothing() -> None:
    read = pool(("A", "Cheques are accepted."), ("B", "Cheques are not accepted."))
    assert told_by_rule("Can I pay by cheque?", read.lines, read) is None


def test_what_is_below_another_label_says_nothing_of_the_first() -> None:
    read = pool(("Lease", "Broad sails: none so far. Lamps: forbidden."))
    assert told_by_rule("Are broad sails allowed?", read.lines, read) is None


def test_what_it_forbids_is_a_no() -> None:
    read = pool(RULES)
    for question in ("Can I pay by cheque?", "Are goats allowed?"):
        decision = decide(question, read, Ranking(read, question))
        assert decision.text == "No"
        assert decision.confidence >= SURE


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("Can I bring my dog?", True),
        ("May we take bikes?", True),
        ("Can I bring my cat?", False),
        ("Can I bring my dog and my cat?", False),
        ("Are dogs tired?", False),
        ("Kann ich meinen Hund mitbringen?", False),
    ],
)
def test_a_rule_for_some_is_what_there_is_on_all(question: str, is_told: bool) -> None:
    read = pool(
        ("Rules", "Dogs heavier than 10 kg are not allowed. Folded bikes are welcome. Cats sleep.")
    )
    with speaking(language_of(question)):
        assert (rule_for_some(question, read.lines) is not None) is is_told


def test_what_a_rule_says_of_some_is_told_and_neither_yes_nor_no() -> None:
    read = pool(("Rules", "Dogs heavier than 10 kg are not allowed."))
    question = "Can I bring my dog?"
    decision = decide(question, read, Ranking(read, question))
    assert (decision.kind, decision.whole) == (DirectKind.SENTENCE, True)


def test_rules_are_read_in_english_alone() -> None:
    read = pool(RULES)
    with speaking(language_of("Darf ich mit Scheck zahlen?")):
        assert told_by_rule("Can I pay by cheque?", read.lines, read) is None
