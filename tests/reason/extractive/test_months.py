"""What is so in some months does not tell what is so in another."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.months import is_of_other_months
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("question", "sentence", "is_other"),
    [
        ("When does the quay open in June?", "It opens at nine in July.", True),
        ("When does the quay open in June?", "In June it opens at nine.", False),
        ("When does the quay open in June?", "From May to August it opens at nine.", False),
        ("When does the quay open in June?", "From 1 July to 3 August it opens at nine.", True),
        ("When does the quay open in June?", "From October to March it opens at nine.", True),
        ("When does the quay open in January?", "From October to March it opens at nine.", False),
        ("When does the quay open in June?", "It opens at nine to the end of October.", False),
        ("When does the quay open in November?", "It opens at nine to the end of October.", True),
        ("When does the quay open in June?", "Since August it has opened at nine.", True),
        ("When does the quay open in June?", "In July at ten, otherwise at nine.", False),
        ("When does the quay open in June?", "It opens at nine.", False),
        ("When does the quay open?", "It opens at nine in July.", False),
        ("Wann öffnet der Kai in June?", "It opens at nine in July.", False),
        ("", "", False),
    ],
)
def test_months_are_read_with_those_in_between(
    question: str, sentence: str, *, is_other: bool
) -> None:
    with speaking(language_of(question)):
        assert is_of_other_months(question, sentence) is is_other


def test_the_line_about_the_month_leads_and_another_is_not_certain() -> None:
    summer = "The quay is open daily from Easter to the end of October, 9.30 to 18.00."
    winter = "In November it opens at ten."
    question = "When does the quay open in November?"
    both: Text = ("Quay", f"{summer} {winter}")
    alone: Text = ("Quay", f"{summer} Oars are lent.")
    told, (guessed, *_) = answer(question, both), answer(question, alone)
    assert "November" in told[0].text
    assert guessed.direct is None or guessed.direct.confidence < SURE


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is the mill open?", "The mill is open from {} to October."),
        ("Was the lamp replaced?", "The lamp was replaced in {}."),
        ("Are dogs allowed in the hall?", "In {}, dogs are not allowed in the hall."),
        ("Are dogs allowed at the fair?", "The fair for dogs is held in {}."),
        ("Can I fish in the lake?", "The lake has fish in {} if its water is high."),
        ("Is camping possible on the island?", "Camping on the island begins on 3 {}."),
    ],
)
def test_of_no_month_it_depends_by_its_name_what_is_said(question: str, text: str) -> None:
    may, june = (_says(question, text.format(month)) for month in ("May", "June"))
    assert may is june


def _says(question: str, text: str) -> bool | None:
    found = decide_yes_no(question, pool(("Notes", text)))
    return found and found.says
