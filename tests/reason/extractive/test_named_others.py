"""What is said of one named thing is not told of another, nor what is planned of what there is."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.yes_no import decide_yes_no

PEOPLE: Text = (
    "Preferences",
    (
        "Ana Ruiz is vegetarian and drinks tea. Ben Orr does not eat fish, but is no vegetarian."
        " Cora Lind drinks coffee. Dev Nair plays tennis and owns a dog. Eve Toms plays tennis."
    ),
)
OFFICES: Text = (
    "Offices",
    (
        "The office in Bonn has a kitchen and a shower. The office in Leeds has a kitchen; a shower"
        " is planned for next year. The office in Madrid is closed in August."
    ),
)


def says(question: str) -> bool | None:
    found = decide_yes_no(question, pool(PEOPLE, OFFICES))
    return found and found.says


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is the Madrid office closed in August?", True),
        ("Is the Bonn office closed in August?", None),
        ("Does the Leeds office have a kitchen?", True),
        ("Does the Leeds office have a shower?", None),
        ("Does Cora Lind drink coffee?", True),
        ("Does Cora Lind drink tea?", None),
    ],
)
def test_of_one(question: str, said: bool | None) -> None:
    assert says(question) is said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Are Ana Ruiz and Ben Orr both vegetarian?", False),
        ("Do Ana Ruiz and Cora Lind both drink tea?", None),
        ("Do Dev Nair and Eve Toms both play tennis?", True),
        ("Do Dev Nair and Eve Toms both own a dog?", None),
        ("Do the offices in Bonn and Leeds both have a kitchen?", True),
        ("Are the Bonn office and the Madrid office both closed in August?", None),
        ("Do Cora Lind and Eve Toms both have children?", None),
    ],
)
def test_of_both_only_what_is_said_of_each(question: str, said: bool | None) -> None:
    assert says(question) is said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Ana Ruiz studied in Bonn; Ben Orr studied in Leeds.", None),
        ("Ana Ruiz studied in Bonn and Ben Orr in Leeds.", None),
        ("Ana Ruiz studied in Leeds; Ben Orr studied in Bonn.", True),
        ("Ana Ruiz and Ben Orr studied in Leeds.", True),
    ],
)
def test_what_the_next_part_says_of_another_is_not_said(line: str, *, said: bool | None) -> None:
    found = decide_yes_no("Did Ana Ruiz study in Leeds?", pool(("Notes", line)))
    assert (found and found.says) is said


@pytest.mark.parametrize(
    "question",
    [
        "The Aro 2 has a headphone jack. Does the Aro 3 have one too?",
        "The Aro 2 has a headphone jack; does the Aro 3 also have one?",
    ],
)
def test_words_that_point_back_into_the_question_affirm_nothing(question: str) -> None:
    page = ("Devices", "The Aro 2 has a headphone jack. The Aro 3 weighs 190 g.")
    assert decide_yes_no(question, pool(page)) is None


def test_what_is_so_of_all_others_is_no_yes() -> None:
    others = ("Hask", "A cabin is kept for non-members of the crew.")
    members = ("Hask", "A cabin is kept for members of the crew.")
    question = "Is a cabin kept for members of the crew?"
    assert decide_yes_no(question, pool(others)) is None
    assert decide_yes_no(question, pool(members)) is not None
