from __future__ import annotations

import pytest

from quaere.domain.evidence import Evidence, Score
from quaere.domain.source import Passage, passage_id
from quaere.evidence.pool import NEWEST_WHOLE, compact, is_pressed, passage_tokens

TEXT = "The lighthouse was painted white. The keeper was Ada Brook. It stands on a rock."


def passage(number: int) -> Passage:
    url = f"file:///tower/{number}.md"
    return Passage(
        id=passage_id(url, 7, TEXT), url=url, title="Tower", text=TEXT, start=7, end=7 + len(TEXT)
    )


def evidence(number: int, item: Passage) -> Evidence:
    return Evidence(
        id=number + 1,
        passage=item.id,
        url=item.url,
        title=item.title,
        score=Score(total=1.0),
        iteration=number,
    )


def test_the_newest_stay_whole_and_older_ones_keep_their_best_sentence_r0_7() -> None:
    passages = [passage(n) for n in range(NEWEST_WHOLE + 2)]
    pool = [evidence(n, item) for n, item in enumerate(passages)]
    shown = compact(pool, {p.id: p for p in passages}, "Who was the keeper?")
    for item in passages[2:]:
        assert shown[item.id] == item
    for item in passages[:2]:
        short = shown[item.id]
        assert short.text == "The keeper was Ada Brook."
        assert short.id == item.id
        assert TEXT[short.start - item.start : short.end - item.start] == short.text


def test_tokens_are_estimated_from_characters_rounded_up() -> None:
    assert passage_tokens([]) == 0
    assert passage_tokens([passage(1)]) == -(-len(TEXT) // 4)


@pytest.mark.parametrize(
    ("state", "left", "writing", "pressed"),
    [
        (100, 900, False, False),
        (100, 250, False, False),
        (100, 249, False, True),
        (50_001, 900, False, True),
        (100, 900, True, True),
    ],
)
def test_the_three_triggers_of_r0_7(state: int, left: int, writing: bool, pressed: bool) -> None:
    assert is_pressed(state=state, left=left, budget=1000, writing=writing) is pressed


def test_older_ones_with_rows_of_a_table_stay_whole() -> None:
    """A row says nothing without what heads its columns."""
    text = "| Tower | Keeper |\n|---|---|\n| Hask | Ada Brook |\n| Sket | Joss Wray |"
    old = passage(0).model_copy(update={"text": text, "end": 7 + len(text)})
    passages = [old, *(passage(n) for n in range(1, NEWEST_WHOLE + 2))]
    pool = [evidence(n, item) for n, item in enumerate(passages)]
    shown = compact(pool, {p.id: p for p in passages}, "Who was the keeper of Hask?")
    assert shown[old.id] == old
    assert shown[passages[1].id].text != TEXT


def test_a_heading_that_fits_best_keeps_what_is_under_it_also_in_the_other_spelling() -> None:
    text = "The white tower is old.\n\n## License\n\nAll may climb it.\n\nIt stands on a rock."
    old = passage(0).model_copy(update={"text": text, "end": 7 + len(text)})
    passages = [old, *(passage(n) for n in range(1, NEWEST_WHOLE + 1))]
    pool = [evidence(n, item) for n, item in enumerate(passages)]
    shown = compact(pool, {p.id: p for p in passages}, "What licence has a white one?")
    assert shown[old.id].text == "## License\n\nAll may climb it."
