from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.source import Passage, passage_id
from quaere.evidence.pool import LEAST, MORE_EACH, MOST, best_passages


def passages(texts: list[str]) -> list[Passage]:
    url = "https://harbour.example/log"
    return [
        Passage(
            id=passage_id(url, n, text),
            url=url,
            title="Log",
            text=text,
            start=n * 100,
            end=n * 100 + len(text),
        )
        for n, text in enumerate(texts)
    ]


def filler(count: int) -> list[Passage]:
    return passages([f"Filler number {n} about ropes." for n in range(count)])


def test_what_fits_best_comes_first() -> None:
    page = filler(20)
    page[9] = page[9].model_copy(update={"text": "The crane stands at the west quay."})
    page[17] = page[17].model_copy(update={"text": "The crane was built in Hask in 1904."})
    assert best_passages(page, "When was the crane built?")[:2] == (page[17], page[9])


def test_each_wording_has_its_own_best() -> None:
    page = filler(9)
    crane = page[4] = page[4].model_copy(update={"text": "The crane was built in 1904."})
    tide = page[7] = page[7].model_copy(update={"text": "The tide left lichen at the gate."})
    assert best_passages(page, "When was the crane built?", "lichen at the gate")[:2] == (
        crane,
        tide,
    )
    assert best_passages(page, "lichen at the gate", "When was the crane built?")[:2] == (
        tide,
        crane,
    )


def test_of_what_fits_alike_the_first_of_the_page_are_taken() -> None:
    page = filler(9)
    assert best_passages(page, "lichens") == (page[0], page[1])


def test_a_longer_page_gives_more_up_to_a_limit() -> None:
    given = [len(best_passages(filler(count), "ropes")) for count in (1, 2, MORE_EACH, 500)]
    assert given == [1, LEAST, LEAST + 1, MOST]


@given(st.lists(st.text(max_size=30), max_size=30), st.text(max_size=30))
def test_never_more_than_a_page_may_give_and_nothing_twice(texts: list[str], wanted: str) -> None:
    page = passages(texts)
    chosen = best_passages(page, wanted)
    assert min(len(page), LEAST) <= len(chosen) <= MOST
    assert len({id(each) for each in chosen}) == len(chosen)
    assert {id(each) for each in chosen} <= {id(each) for each in page}
