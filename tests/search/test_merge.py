"""Merging: R2.2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit, Passage
from quaere.search.fanout import Answer
from quaere.search.merge import Sighting, merge

QUERIES = (Query(text="lichen"), Query(text="moss"), Query(text="fern"))


def web(name: str, rank: int = 0, *, snippet: str = "", published: str = "") -> Hit:
    return Hit(
        url=f"https://{name}.test/",
        title=name,
        snippet=snippet,
        provider="web",
        rank=rank,
        published=published,
    )


def passage(name: str, rank: int, score: float) -> Hit:
    url = "file:///notes/a.md"
    text = Passage(id=name, url=url, title="Notes", text=name, start=0, end=len(name))
    return Hit(
        url=url,
        title="Notes",
        provider="folder",
        rank=rank,
        score=score,
        kind=SourceKind.FOLDER,
        passages=(text,),
    )


def answer(query: int, *hits: Hit, provider: str = "") -> Answer:
    return Answer(QUERIES[query], provider or hits[0].provider, hits)


def names(*answers: Answer) -> list[str]:
    merged = merge(QUERIES, answers)
    return [m.hit.passage.id if m.hit.passage else m.hit.title for m in merged]


def test_one_source_seen_twice_is_one_with_both_sightings() -> None:
    brave = answer(0, web("x"), web("moss", 1), provider="brave")
    bing = answer(1, web("moss"), provider="bing")
    first, second = merge(QUERIES, [brave, bing])
    assert first.hit.title == "moss"
    assert first.sightings == (Sighting(0, "brave", 1, 0.0), Sighting(1, "bing", 0, 0.0))
    assert second.sightings == (Sighting(0, "brave", 0, 0.0),)


def test_the_text_and_the_longest_snippet_are_kept() -> None:
    text = Passage(id="p", url="u", title="t", text="An abstract.", start=0, end=12, provided=True)
    bare = web("moss", snippet="a longer snippet", published="2020-01-02")
    full = web("moss", 4, snippet="short").model_copy(update={"passages": (text,)})
    (merged,) = merge(QUERIES, [answer(0, bare), answer(1, full)])
    assert merged.hit.passage == text
    assert merged.hit.rank == 4
    assert merged.hit.snippet == "a longer snippet"
    assert merged.hit.published == "2020-01-02"


def test_what_two_queries_found_of_one_text_is_kept_together() -> None:
    def part(start: int, text: str, content: str = "one") -> Passage:
        return Passage(
            id=f"{content}{start}",
            url="https://moss.example/",
            title="Moss",
            text=text,
            start=start,
            end=start + len(text),
            content_hash=content,
        )

    near, far, both = part(0, "It grows on stone."), part(90, "It glows."), part(40, "A moss.")
    other = part(7, "An abstract.", "two")
    first = web("moss").model_copy(update={"passages": (far, both)})
    second = web("moss", 1).model_copy(update={"passages": (near, both)})
    third = web("moss", 2).model_copy(update={"passages": (other,)})
    answers = [answer(0, first), answer(1, second), answer(2, third)]
    (merged,) = merge(QUERIES, answers)
    assert merged.hit.passages == (near, both, far)
    assert merge(QUERIES, answers[::-1]) == (merged,)


def test_found_by_many_comes_before_found_by_one() -> None:
    assert names(
        answer(0, web("a", 0), web("both", 2), provider="brave"),
        answer(0, web("b", 0), web("both", 2), provider="bing"),
    ) == ["both", "a", "b"]


def test_without_scores_ranks_interleave() -> None:
    assert names(
        answer(0, web("a", 0), web("c", 1), web("e", 2)), answer(1, web("b", 0), web("d", 1))
    ) == ["a", "b", "c", "d", "e"]


def test_within_a_scoring_provider_scores_decide() -> None:
    assert names(
        answer(0, passage("best of few", 0, 3.0), passage("poor", 1, 1.0)),
        answer(1, passage("great", 0, 9.0), passage("good", 1, 8.0)),
    ) == ["great", "good", "best of few", "poor"]


def test_a_passage_found_by_many_queries_has_its_best_score() -> None:
    merged = merge(
        QUERIES,
        [
            answer(0, passage("twice", 0, 2.0)),
            answer(1, passage("once", 0, 5.0), passage("twice", 1, 4.0)),
        ],
    )
    assert [(m.hit.score, m.score) for m in merged] == [(5.0, 5.0), (4.0, 4.0)]
    assert merged[1].sightings == (Sighting(0, "folder", 0, 2.0), Sighting(1, "folder", 1, 4.0))


def test_scores_of_one_provider_do_not_push_out_another() -> None:
    assert names(
        answer(0, web("a", 0), web("b", 1)),
        answer(0, passage("low", 0, 1.0), passage("high", 1, 99.0)),
    ) == ["high", "a", "low", "b"]


def test_a_source_twice_in_one_list_counts_once() -> None:
    hits = (web("a", 0), web("twice", 1), web("b", 2), web("twice", 3, snippet="again"))
    assert names(answer(0, *hits)) == ["a", "twice", "b"]


def test_what_two_scoring_providers_found_keeps_its_place() -> None:
    def scored(name: str, rank: int, score: float) -> Hit:
        return web(name, rank).model_copy(update={"score": score})

    assert names(
        answer(0, scored("a", 0, 9.0), scored("both", 1, 0.1), provider="one"),
        answer(0, scored("b", 0, 9.0), scored("both", 1, 0.1), provider="two"),
    ) == ["both", "a", "b"]


def test_passages_of_one_file_stay_apart() -> None:
    assert names(answer(0, passage("one", 0, 2.0), passage("two", 1, 1.0))) == ["one", "two"]


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_no_number_counts_as_none(score: float) -> None:
    (merged,) = merge(QUERIES, [answer(0, passage("odd", 0, score))])
    assert merged.sightings == (Sighting(0, "folder", 0, 0.0),)


def test_nothing_merges_to_nothing() -> None:
    assert merge(QUERIES, []) == merge(QUERIES, [Answer(QUERIES[0], "web", ())]) == ()


def test_an_answer_to_an_unknown_query_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="not in"):
        merge(QUERIES[:1], [answer(1, web("a"))])


WEB_HITS = st.builds(
    web,
    st.sampled_from(["a", "b", "c", "www.a", "d"]),
    st.integers(0, 5),
    snippet=st.sampled_from(["", "s", "snippet"]),
    published=st.sampled_from(["", "2020", "2021"]),
)
FOLDER_HITS = st.builds(
    passage, st.sampled_from("pqrs"), st.integers(0, 5), st.sampled_from([0.5, 1.0, 7.0])
)
ANSWERS = st.lists(
    st.builds(
        Answer,
        query=st.sampled_from(QUERIES),
        provider=st.sampled_from(["brave", "bing"]),
        hits=st.lists(WEB_HITS, max_size=5).map(tuple),
    )
    | st.builds(
        Answer,
        query=st.sampled_from(QUERIES),
        provider=st.just("folder"),
        hits=st.lists(FOLDER_HITS, max_size=5).map(tuple),
    ),
    max_size=8,
)


@given(ANSWERS)
def test_merging_twice_the_same_makes_no_difference(answers: list[Answer]) -> None:
    assert merge(QUERIES, answers + answers) == merge(QUERIES, answers)


@given(ANSWERS.flatmap(lambda answers: st.tuples(st.just(answers), st.permutations(answers))))
def test_the_order_of_answers_makes_no_difference(
    orders: tuple[list[Answer], list[Answer]],
) -> None:
    assert merge(QUERIES, orders[0]) == merge(QUERIES, orders[1])


@given(ANSWERS)
def test_nothing_is_lost_and_nothing_invented(answers: list[Answer]) -> None:
    merged = merge(QUERIES, answers)
    given_ = {
        Sighting(QUERIES.index(a.query), a.provider, h.rank, h.score)
        for a in answers
        for h in a.hits
    }
    assert {sighting for each in merged for sighting in each.sightings} == given_
    passages = {h.passage.id for a in answers for h in a.hits if h.passage}
    assert {m.hit.passage.id for m in merged if m.hit.passage} == passages
    urls = {h.url.replace("www.", "") for a in answers for h in a.hits}
    assert {m.hit.url.replace("www.", "") for m in merged} == urls


@given(ANSWERS)
def test_within_a_folder_scores_never_rise(answers: list[Answer]) -> None:
    scores = [m.score for m in merge(QUERIES, answers) if m.hit.provider == "folder"]
    assert scores == sorted(scores, reverse=True)
