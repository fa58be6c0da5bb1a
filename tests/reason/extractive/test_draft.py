"""How single lines are taken into an answer: with what leads in, what they refer to, how many."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive import draft as writing
from quaere.reason.extractive.draft import CONTEXT_WORDS, PROOF_WORDS
from quaere.reason.extractive.pool import Pool

MILL: Text = (
    "Mill",
    "Tamsin Wray built the mill of Hask in 1788. It burned in 1790. Nobody was hurt.",
)
WEIR: Text = ("Weir", "Joss Pellham rebuilt the weir of Pell after the great flood of 1812.")


def taken(
    read: Pool,
    *places: tuple[int, int],
    max_words: int = 200,
    max_citations: int = 9,
    under: str = "",
    asked: Sequence[str] = (),
    named: Sequence[str] = (),
) -> list[str]:
    """Return the sentences of a draft that takes these lines, by passage and place."""
    draft = writing.Draft(read, max_words, max_citations)
    draft.under, draft.asked, draft.named = under, frozenset(asked), frozenset(named)
    for owner, place in places:
        draft.take(read.lines_of[owner][place], "answer")
    return [each.text for each in draft.sentences()]


def test_a_line_is_taken_once_and_another_passage_after_the_first() -> None:
    read = pool(MILL, WEIR)
    said = taken(read, (0, 0), (1, 0), (0, 0), (0, 1))
    assert said == [
        "Tamsin Wray built the mill of Hask in 1788.",
        "It burned in 1790.",
        WEIR[1],
    ]


def test_the_heading_over_the_first_line_is_told_with_it_alone_and_once() -> None:
    read = pool(MILL, WEIR)
    first, second = taken(read, (0, 0), (1, 0), under="History")
    assert first == "History: Tamsin Wray built the mill of Hask in 1788."
    assert second == WEIR[1]
    (said,) = taken(read, (0, 0), under="Tamsin")
    assert said == "Tamsin Wray built the mill of Hask in 1788."


def test_no_more_passages_are_cited_than_may_be() -> None:
    read = pool(MILL, WEIR)
    assert len(taken(read, (0, 0), (1, 0), max_citations=1)) == 1
    assert len(taken(read, (0, 0), (1, 0), max_citations=2)) == 2
    assert len(taken(read, (0, 0), (0, 2), max_citations=1)) == 2, "of one passage"


@pytest.mark.parametrize(("room", "count"), [(22, 2), (21, 1)])
def test_a_further_line_is_taken_where_there_is_room_for_all_of_it(room: int, count: int) -> None:
    """The first line has nine words, the second thirteen."""
    assert len(taken(pool(MILL, WEIR), (0, 0), (1, 0), max_words=room)) == count


def test_a_first_line_that_is_too_long_is_cut() -> None:
    assert taken(pool(MILL), (0, 0), max_words=4) == ["Tamsin Wray built the …"]


def test_what_it_refers_to_is_taken_along() -> None:
    (said,) = taken(pool(MILL), (0, 1))
    assert said == "Tamsin Wray built the mill of Hask in 1788. It burned in 1790."


YARD = "Dogs may stay in the yard. The kitchen is run by Petra Lohm. She comes from Ulm."


@pytest.mark.parametrize(
    ("place", "asked", "named", "first"),
    [
        (1, ["kitchen"], [], "The kitchen"),
        (1, ["petra", "lohm", "cook"], ["petra lohm"], "The kitchen"),
        (1, ["petra", "lohm", "kitchen"], ["petra lohm"], "Dogs"),
        (1, ["tamsin", "wray"], ["tamsin wray"], "Dogs"),
        (2, ["petra", "lohm", "come"], ["petra lohm"], "The kitchen"),
        (2, ["cook", "come"], [], "Dogs"),
    ],
)
def test_what_whoever_asks_knows_is_not_explained(
    place: int, asked: Sequence[str], named: Sequence[str], first: str
) -> None:
    (said,) = taken(pool(("Lodge", YARD)), (0, place), asked=asked, named=named)
    assert said.startswith(first)


def test_what_begins_a_paragraph_with_its_subject_needs_nothing_before_it() -> None:
    read = pool(("Flat", "The deposit is due.\n\nThe kitchen is new.\n\nIt was built in 2024."))
    assert taken(read, (0, 1)) == ["The kitchen is new."]
    assert taken(read, (0, 2)) == ["The kitchen is new. It was built in 2024."]


def test_what_it_refers_to_is_left_where_that_would_be_long() -> None:
    for words, alone in ((CONTEXT_WORDS - 4, False), (CONTEXT_WORDS - 3, True)):
        long = " ".join(["Wray", "built", *["mills"] * (words - 2)])
        (said,) = taken(pool(("Mill", f"{long}. It burned in 1790.")), (0, 1))
        assert (said == "It burned in 1790.") is alone


def test_a_heading_or_a_row_says_not_what_is_meant() -> None:
    for before in ("# Mill", "| Mill | 1788 |\n|---|---|\n| Weir | 1790 |"):
        read = pool(("Mill", f"{before}\n\nIt burned in 1790."))
        place = next(n for n, line in enumerate(read.lines_of[0]) if "burned" in line.text)
        assert taken(read, (0, place)) == ["It burned in 1790."]


LIST = "The mill has three doors:\n\n- one of oak\n- one of iron\n- one of glass\n\nIt is old."


def test_a_lead_in_takes_along_its_list() -> None:
    (said,) = taken(pool(("Mill", LIST)), (0, 0))
    assert said.startswith("The mill has three doors: - one of oak - one of iron - one of glass")
    assert "old" not in said


def test_a_lead_in_takes_along_the_sentence_after_it_and_no_more() -> None:
    text = "The rule is simple:\n\nNobody may enter the mill.\n\nThe weir is open."
    (said,) = taken(pool(("Mill", text)), (0, 0))
    assert said == "The rule is simple: Nobody may enter the mill."


@pytest.mark.parametrize(("each", "items"), [(20, 2), (28, 2), (29, 1)])
def test_a_lead_in_takes_along_as_many_items_as_there_is_room_for(each: int, items: int) -> None:
    assert (PROOF_WORDS - 4) // each == items
    item = "- " + " ".join(["word"] * each)
    read = pool(("Mill", "\n".join(["The mill has doors:", "", *[item] * 5])))
    (said,) = taken(read, (0, 0))
    assert said.count("- word") == items


def test_a_lead_in_with_nothing_behind_it_stays_alone_and_is_no_further_line() -> None:
    read = pool(MILL, ("Weir", "The weir of Pell has two gates:\n\n# Next\n\nOther things."))
    assert taken(read, (0, 0), (1, 0)) == ["Tamsin Wray built the mill of Hask in 1788."]


def test_a_title_that_nothing_marks_is_not_read_with_the_first_sentence() -> None:
    read = pool(("club.txt", "The chess club of Brell\n\nThe club was founded by Odile Varga."))
    assert taken(read, (0, 1)) == ["The club was founded by Odile Varga."]


def test_a_first_line_that_leads_in_to_what_leads_in_itself_ends_there() -> None:
    text = "The mill logs to a slate, which can be turned by its handle:\n\nExample of a slate:\n"
    said = "The mill logs to a slate, which can be turned by its handle"
    assert taken(pool(("Mill", text)), (0, 0)) == [said]


def test_a_row_below_an_empty_head_is_told_by_its_label() -> None:
    read = pool(("Kettle", "|  |  |\n| Weight | 1.3 kg |\n| Cable | 80 cm |"))
    assert taken(read, (0, 0)) == ["Weight: 1.3 kg"]
