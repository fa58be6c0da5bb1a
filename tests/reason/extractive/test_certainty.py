"""How likely a line that leads is to answer."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.certainty import is_contested, likely, signs_of
from quaere.reason.extractive.ranking import Ranking

BELL: Text = ("Notes", "The bell was cast by Ada Novak.")
GATE: Text = ("Letter", "The gate was bought in spring.")


def test_the_more_a_line_covers_by_itself_the_likelier_it_answers() -> None:
    all_said, less_said = (
        Ranking(pool(BELL, GATE), question)
        for question in ("Who cast the bell?", "Who cast the bell with silver?")
    )
    assert signs_of(all_said).by_itself > signs_of(less_said).by_itself
    assert likely(all_said) > likely(less_said)


def test_a_line_with_rivals_is_less_likely_to_answer() -> None:
    alone, beside = (
        Ranking(pool(*texts), "Who cast the bell?")
        for texts in ((BELL, GATE), (BELL, ("Letter", "The bell was cast again by Bo Lind.")))
    )
    assert signs_of(alone).share > signs_of(beside).share
    assert likely(alone) > likely(beside)


@pytest.mark.parametrize(
    ("question", "one", "other", "contested"),
    [
        (
            "Who rings the old bell of the tall mill?",
            "The old bell of the tall mill is rung by Ada Novak.",
            "The old bell of the tall mill is rung by Bo Lind.",
            True,
        ),
        (
            "Who rings the old bell of the tall mill?",
            "The old bell of the tall mill is rung by Ada Novak on Sundays.",
            "The old bell of the tall mill is rung by Bo Lind from Orrin.",
            True,
        ),
        (
            "Who rings the old bell of the tall mill?",
            "The old bell of the tall mill is rung by Ada Novak on dark Sundays.",
            "The old bell of the tall mill is rung by Bo Lind from cold Orrin.",
            False,
        ),
        (
            "When does the choir of the mill sing?",
            "The choir of the mill sings on Tuesdays in the hall.",
            "The choir of the mill sings on Thursdays in the hall.",
            True,
        ),
        (
            "When was the mill opened?",
            "The mill was opened on 4 May 1891 by Ada Novak, the tall miller of Orrin.",
            "The mill was opened in 1893.",
            True,
        ),
        (
            "When was the mill opened?",
            "The mill was opened on 4 May 1891 by Ada Novak, the tall miller of Orrin.",
            "The mill was opened in 1891.",
            False,
        ),
        (
            "When was the mill opened?",
            "The mill was opened on 4 May 1891 by Ada Novak, the tall miller of Orrin.",
            "The mill was opened to guests in 1893 as the last house of the whole valley.",
            False,
        ),
        (
            "When does the choir of the mill sing?",
            "The choir of the mill sings on Tuesdays in the hall.",
            "The choir of the mill sings on Tuesdays at school.",
            False,
        ),
        (
            "How many wheels does the mill have?",
            "The mill has six wheels.",
            "The mill has four sails.",
            False,
        ),
    ],
)
def test_what_another_page_says_otherwise_is_contested(
    question: str, one: str, other: str, *, contested: bool
) -> None:
    """Lines that differ in more than three words tell of different things."""
    for texts in ((("Notes", one), ("Letter", other)), (("Letter", other), ("Notes", one))):
        assert is_contested(question, Ranking(pool(*texts), question)) is contested
