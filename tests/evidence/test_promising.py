from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.source import Passage, passage_id
from quaere.evidence.promising import PER_PAGE, promising


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


def test_a_long_page_gives_its_opening_and_what_fits_best_in_its_own_order() -> None:
    page = passages([f"Filler number {n} about ropes." for n in range(20)])
    page[17] = page[17].model_copy(update={"text": "The crane was built in Hask in 1904."})
    chosen = promising(page, "When was the crane built?")
    assert chosen[0] == page[0]
    assert page[17] in chosen
    assert len(chosen) == PER_PAGE
    assert [page.index(each) for each in chosen] == sorted(page.index(each) for each in chosen)


@given(st.lists(st.text(max_size=30), max_size=15), st.text(max_size=30))
def test_never_more_than_a_page_may_give_and_nothing_made_up(texts: list[str], wanted: str) -> None:
    page = passages(texts)
    chosen = promising(page, wanted)
    assert len(chosen) == min(len(page), PER_PAGE)
    assert set(map(id, chosen)) <= set(map(id, page))
