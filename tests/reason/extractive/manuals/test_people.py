"""Who belongs to a group is told whole."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.manuals.people import find_people
from quaere.text.languages.language import language_of, speaking

SURGERY: Text = (
    "Birchfield Surgery",
    (
        "# Birchfield Surgery\n\n## Our team\n\n- Dr Amina Rauf, partner\n- Dr Colin Hay\n"
        "- Joan Meer, nurse\n\n## Rules\n\n- Ring the bell\n- Close the door\n\n"
        "The surgery is in Mill Road."
    ),
)
TRUST: Text = (
    "Village Hall Trust",
    (
        "Village Hall Trust\n\nThe committee\nChair: Rosalind Pike\nTreasurer: Dev Anand\n"
        "Members: Hugh Sand and Paul Brack\n\nThe caretaker is Jim Tolland.\n\n"
        "The project board is made up of Rita Vale, Finn Oster and Hal Brooke."
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who works at the surgery?", ("Amina Rauf", "Colin Hay", "Joan Meer")),
        ("Who is on the team of the surgery?", ("Amina Rauf", "Colin Hay", "Joan Meer")),
        ("Who are the doctors at the surgery?", ("Amina Rauf", "Colin Hay")),
        ("Who is on the committee?", ("Rosalind Pike", "Dev Anand", "Hugh Sand", "Paul Brack")),
        ("Who is on the project board?", ("Rita Vale", "Finn Oster", "Hal Brooke")),
    ],
)
def test_all_of_a_group_are_told_for_certain(question: str, told: tuple[str, ...]) -> None:
    written = answer(question, SURGERY, TRUST)
    direct = written[0].direct
    assert direct is not None
    assert direct.confidence >= SURE
    assert all(name in direct.text for name in told)
    assert "nurse" not in direct.text or "Joan Meer" in told


@pytest.mark.parametrize(
    "question",
    [
        "Who is the treasurer?",
        "Who works at the mill?",
        "Who is in Mill Road?",
        "Where is the committee?",
        "Wer arbeitet in der surgery?",
        "",
    ],
)
def test_of_no_group_none_are_told(question: str) -> None:
    with speaking(language_of(question)):
        assert find_people(question, pool(SURGERY, TRUST)) is None


def test_a_sentence_names_them_by_itself() -> None:
    found = find_people("Who is on the project board?", pool(TRUST))
    assert found is not None
    assert found.text == ""
    assert len(found.lines) == 1
    direct = answer("Who is on the project board?", TRUST)[0].direct
    assert direct is not None
    assert direct.kind is DirectKind.SENTENCE


def test_those_who_left_are_no_part_of_a_group_unless_they_are_asked_for() -> None:
    page: Text = (
        "Marsh Surgery",
        "# Marsh Surgery\n\n## Former staff\n\n- Eric Stone, nurse\n- Fay Wood, nurse\n",
    )
    assert find_people("Who are the nurses at the surgery?", pool(page)) is None
    assert find_people("Who is on the former staff of the surgery?", pool(page)) is not None


SCHOOL: Text = (
    "Eastmoor School",
    (
        "# Eastmoor School\n\n## Teachers\n\n- Dana Moss, year 1\n- Fritz Ober, year 2\n\n"
        "## Office\n\n- Greta Pohl, secretary\n- Hanna Quist, bursar\n\n"
        "## Winners of the quiz\n\n- Igor Rand\n- Jana Sill\n- Lena Ude\n\n"
        "## Pictures in the hall\n\n- Mia Wick, painter\n- Otto Zell, photographer\n\n"
        "## Council\n\n- Karl Tamm, chair\n- Nils Vega, clerk\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who works at the school?", "Moss Ober Pohl Quist"),
        ("Which people belong to the school?", "Moss Ober Pohl Quist Tamm Vega"),
        ("Who works in the office?", "Pohl Quist"),
        ("Who is on the council?", "Tamm Vega"),
    ],
)
def test_those_of_all_lists_are_told_unless_one_is_named(question: str, told: str) -> None:
    found = find_people(question, pool(SCHOOL))
    assert found is not None
    assert [line.text.split(",")[0].split()[-1] for line in found.lines] == told.split()
