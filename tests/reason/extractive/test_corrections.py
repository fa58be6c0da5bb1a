"""What changes another line goes before it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import pool

from quaere.reason.extractive.corrections import corrected
from quaere.reason.extractive.ranking import Ranking

PICNIC = ("Notice", "The picnic of the choir is on 3 May at the mill. Bring a chair.")
WILL = "4. Gifts:\n(a) £25 to the choir\n(b) a lamp to Orla\n5. The rest goes to Tom.\n\n"


def told(question: str, *texts: tuple[str, str]) -> list[str]:
    """Return what is told first, where it changes what comes after it."""
    found = corrected(Ranking(pool(*texts), question))
    return [line.text for line in found or ()]


@pytest.mark.parametrize(
    "change",
    [
        "The picnic of the choir was moved from 3 May to 10 May.",
        "We hold the picnic of the choir on 10 May instead of 3 May.",
    ],
)
def test_a_later_figure_goes_before_the_one_that_it_changes(change: str) -> None:
    assert (
        told("When is the picnic of the choir at the mill?", PICNIC, ("Mail", change))[0] == change
    )


@pytest.mark.parametrize(
    "other",
    [
        "The picnic of the choir was moved from 5 May to 10 May.",
        "The walk was moved from 3 May to 10 May.",
    ],
    ids=["of another figure", "of something else"],
)
def test_another_change_takes_no_lead(other: str) -> None:
    assert told("When is the picnic of the choir at the mill?", PICNIC, ("Mail", other)) == []


def test_a_clause_is_told_as_it_was_amended_by_its_number() -> None:
    amended = "The gift in 4(a) is increased to £40."
    question = "How much does the choir get?"
    assert told(question, ("Will", WILL + amended)) == [amended, "(a) £25 to the choir"]
    for other in ("The gift in 4(b) is increased.", "Clause 14(a) is deleted."):
        assert told(question, ("Will", WILL + other)) == []


def test_a_numbered_clause_is_amended_by_its_name() -> None:
    rules = "1. Fees are £60 a year.\n2. The keys of the boathouse are kept by Orla.\n\n"
    amended = "Clause 2 is replaced: Tom keeps the keys."
    assert told("Who keeps the keys of the boathouse?", ("Rules", rules + amended))[:1] == [amended]


@pytest.mark.parametrize(("old", "new"), [("£25", "£30"), ("£2.50", "£3.20"), ("£1,250", "£1,400")])
def test_sums_with_points_and_commas_and_at_the_end_of_a_sentence_are_changed(
    old: str, new: str
) -> None:
    change = f"The picnic fee of the choir was raised from {old} to {new}."
    texts = (("Notice", f"At the mill, the picnic fee of the choir is {old}."), ("Mail", change))
    assert told("What is the picnic fee of the choir?", *texts)[:1] == [change]


def test_what_is_said_to_be_no_error_takes_nothing_back() -> None:
    files = (
        "Files",
        "Only new files take time. Those that are torn are told and are not an error.",
    )
    assert (
        told("How do I revoke a key of the gate?", ("Gate", "Keys of the gate are kept."), files)
        == []
    )


def test_what_is_wrong_elsewhere_is_beside_the_point() -> None:
    gate = ("Gate", "The gate of the mill has 4 keys.")
    log = ("Log", "The log gave 63 boats. That figure was wrong: there were 58.")
    assert told("How many keys has the gate of the mill?", gate, log) == []
