"""Which passages enter the pool, and which are selected."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import DOCUMENTS, passage_of

from quaere.domain.evidence import Evidence, Score
from quaere.domain.question import Intent, Query
from quaere.domain.source import Passage, passage_id
from quaere.evidence.pool import (
    LEAST,
    MAX_TITLE_CHARS,
    MORE_EACH,
    MOST,
    add_passages,
    best_passages,
    in_same_sources,
    repeats,
    rescore,
    reserve_places,
    select,
)


def passage(number: int) -> Passage:
    url, text = f"file:///notes/{number % 4}.md", f"Passage number {number}."
    return Passage(
        id=passage_id(url, number, text),
        url=url,
        title=f"Note {number % 4}",
        text=text,
        start=number,
        end=number + len(text),
    )


PASSAGES = st.lists(st.integers(0, 30).map(passage), max_size=12)


@given(PASSAGES, st.randoms(use_true_random=False))
def test_ids_do_not_depend_on_the_order_of_arrival(passages: list[Passage], random: Random) -> None:
    shuffled = random.sample(passages, len(passages))
    assert add_passages((), passages, iteration=0) == add_passages((), shuffled, iteration=0)


@given(PASSAGES, PASSAGES)
def test_taking_in_is_idempotent_and_never_renames(
    first: list[Passage], then: list[Passage]
) -> None:
    pool = add_passages((), first, iteration=0)
    grown = add_passages(pool, then, iteration=1)
    assert grown[: len(pool)] == pool
    assert add_passages(grown, [*then, *first], iteration=2) == grown
    assert [evidence.id for evidence in grown] == list(range(1, len(grown) + 1))
    assert {e.passage for e in grown} == {p.id for p in (*first, *then)}


def test_a_title_without_end_is_cut() -> None:
    endless = passage(1).model_copy(update={"title": "T" * 100_000})
    (evidence,) = add_passages((), [endless], iteration=0)
    assert evidence.title == "T" * MAX_TITLE_CHARS


def test_rescoring_keeps_ids_and_order() -> None:
    pool = add_passages((), [passage(1), passage(2)], iteration=0)
    scores = {pool[1].passage: Score(relevance=0.5, total=0.7)}
    scored = rescore(pool, scores, {pool[1].passage: pool[0].passage})
    assert [evidence.id for evidence in scored] == [1, 2]
    assert scored[0].score == Score()
    assert scored[1].score.total == 0.7
    assert scored[1].parent == pool[0].passage


@given(PASSAGES, st.integers(0, 5))
def test_selecting_follows_the_order_up_to_the_limit(passages: list[Passage], limit: int) -> None:
    pool: tuple[Evidence, ...] = add_passages((), passages, iteration=0)
    order = [evidence.passage for evidence in reversed(pool)]
    chosen = select(pool, [*order, "unknown"], limit=limit)
    assert [evidence.passage for evidence in chosen] == order[:limit]


def test_what_is_wanted_first_is_selected_wherever_it_stands() -> None:
    pool = add_passages((), [passage(n) for n in range(6)], iteration=0)
    order = [evidence.passage for evidence in pool[:5]]
    late, outside = pool[4].passage, pool[5].passage
    chosen = select(pool, order, limit=3, first=[outside, late, "unknown"])
    assert [evidence.passage for evidence in chosen] == [order[0], late, outside]


def test_what_is_wanted_first_may_be_much_of_few_sources() -> None:
    numbers = [0, 4, 8, 1, 5, 2, 3]  # of the notes 0, 0, 0, 1, 1, 2, 3
    pool = add_passages((), [passage(n) for n in numbers], iteration=0)
    wanted = [passage(n).id for n in numbers]
    chosen = select(pool, wanted[::-1], limit=2, first=wanted)
    assert {evidence.passage for evidence in chosen} == set(wanted[:5])
    assert [evidence.passage for evidence in chosen] == wanted[:5][::-1]


def test_what_is_wanted_first_may_go_beyond_the_limit_and_nothing_else_may() -> None:
    pool = add_passages((), [passage(n) for n in range(4)], iteration=0)
    order = [evidence.passage for evidence in pool]
    chosen = select(pool, order, limit=1, first=order[1:], beyond=1)
    assert [evidence.passage for evidence in chosen] == order[1:3]
    assert len(select(pool, order, limit=1, beyond=2)) == 1


def test_the_selected_passages_of_a_named_source_stay_with_it() -> None:
    pool = add_passages((), [passage(n) for n in (0, 1, 2, 4, 8)], iteration=0)
    numbers = {passage(n).id: n for n in (0, 1, 2, 4, 8)}
    selection = [evidence for evidence in pool if numbers[evidence.passage] != 8]
    kept = in_same_sources(selection, [passage(4).id, passage(2).id, "unknown"])
    assert [numbers[key] for key in kept] == [0, 4, 2]
    assert in_same_sources(selection, []) == ()
    titled = [
        each.model_copy(update={"title": "The weir", "url": f"https://weir.example/{n}"})
        for n, each in enumerate(selection)
    ]
    assert in_same_sources(titled, [titled[0].passage]) == tuple(e.passage for e in titled)


def test_what_a_page_repeats_is_told_from_what_another_page_says_too() -> None:
    options = "--depth N sets how deep the well may be dug. --rope NAME names the rope to use."
    texts = (
        ("https://well.example/dig", options),
        ("https://well.example/dig", options.partition(" --rope")[0]),
        ("https://well.example/dig", options),
        ("https://well.example/dig", f"{options} --lamp lights it."),
        ("https://well.example/dig", options.replace("names", "lists")),
        ("https://copy.example/dig", options),
    )
    made = [
        Passage(id=str(n), url=url, title="", text=text, start=100 * n, end=100 * n + len(text))
        for n, (url, text) in enumerate(texts)
    ]
    order = [each.id for each in made]
    by_id = {each.id: each for each in made}
    assert repeats(order, by_id) == {"1", "2"}
    assert repeats(["2", "0", "unknown"], by_id) == {"0"}


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


PLACED = [passage_of(title, text) for title, text in DOCUMENTS.items()]
TITLES = {passage.id: passage.title for passage in PLACED}


def titles(*queries: Query) -> list[str]:
    return [TITLES[key] for key in reserve_places(queries, PLACED)]


def test_every_query_gets_its_best_passages_in_turn() -> None:
    found = titles(
        Query(text="Odile Varga born", places=2), Query(text="herring harbour", places=1)
    )
    assert found[:2] == ["Odile Varga", "Dunmere"]
    assert len(found) == 3


def test_a_query_without_places_and_one_without_a_match_get_none() -> None:
    assert titles(Query(text="Odile Varga")) == []
    assert titles(Query(text="zyxomma", places=3)) == []
    assert reserve_places([Query(text="Hask", places=1)], []) == ()


def test_other_words_for_the_same_give_no_place_to_what_was_weighed() -> None:
    first = Query(text="Odile Varga born", places=2)
    (best, *_), shown = titles(first), reserve_places([first], PLACED)
    again = first.model_copy(update={"intent": Intent.REFORMULATION})
    fresh = [TITLES[key] for key in reserve_places([again], PLACED, seen=shown)]
    assert fresh
    assert best not in fresh
    assert [TITLES[key] for key in reserve_places([first], PLACED, seen=shown)] == titles(first)


def test_a_row_is_found_by_its_label_and_by_what_heads_its_table() -> None:
    """Those of other tables and passages without it come after it, or not at all."""
    income = passage_of(
        "Mill", "| Mill statements of income | 2021 |\n|---|---|\n| Inventories | 3 |"
    )
    balance = passage_of(
        "Brell", "| Brell balance sheets | 2021 |\n|---|---|\n| Inventories, net | 7 |"
    )
    prose = passage_of("Brell notes", "Inventories of Brell on its balance sheets of 2021.")
    query = Query(
        text="inventories: Brell 2021 balance sheets",
        intent=Intent.FIGURE,
        focus=("Brell",),
        faint=("inventories",),
        rows=("inventories", "merchandise"),
        places=3,
    )
    assert reserve_places([query], [prose, income, balance]) == (balance.id, income.id)
