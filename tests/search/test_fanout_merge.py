"""Merging: R2.2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit, Passage
from quaere.domain.url import identifiers, title_key
from quaere.search.fanout import Answer, Sighting, merge, same_sources

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


TITLE = "Slow colonisation of quarried sandstone by crustose lichens"


def hit(url: str, title: str = "", kind: SourceKind = SourceKind.WEB, passage: str = "") -> Hit:
    text = (Passage(id=passage, url=url, title=title, text="x", start=0, end=1),) if passage else ()
    return Hit(url=url, title=title, provider="p", rank=0, kind=kind, passages=text)


def same(*hits: Hit) -> bool:
    return len(same_sources(hits)) == 1


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("https://doi.org/10.5555/Moss.2020.17", {"doi": "10.5555/moss.2020.17"}),
        ("https://press.test/doi/full/10.5555/moss.17", {"doi": "10.5555/moss.17"}),
        ("https://press.test/doi/10.5555/moss.17/full", {"doi": "10.5555/moss.17"}),
        ("https://press.test/content/pdf/10.5555/moss.17.pdf", {"doi": "10.5555/moss.17"}),
        ("https://press.test/a?id=10.5555/moss.17&type=print", {"doi": "10.5555/moss.17"}),
        ("https://press.test/a?id=10.5555%2Fmoss.17", {"doi": "10.5555/moss.17"}),
        ("https://pre.test/content/10.5555/2020.01.17v2.full.pdf", {"doi": "10.5555/2020.01.17"}),
        ("https://press.test/10.5555/rev2", {"doi": "10.5555/rev2"}),
        ("https://press.test/10.5555/S0140(05)67-1", {"doi": "10.5555/s0140(05)67-1"}),
        ("https://pubmed.ncbi.nlm.nih.gov/12345678/", {"pmid": "12345678"}),
        ("https://www.ncbi.nlm.nih.gov/pubmed/12345678?dopt=x", {"pmid": "12345678"}),
        ("https://europepmc.org/article/MED/12345678", {"pmid": "12345678"}),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC765432/", {"pmc": "pmc765432"}),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC765432/", {"pmc": "pmc765432"}),
        ("https://europepmc.org/article/PMC/PMC765432", {"pmc": "pmc765432"}),
        ("https://arxiv.org/abs/2101.01234v3", {"arxiv": "2101.01234"}),
        ("https://arxiv.org/pdf/2101.01234.pdf", {"arxiv": "2101.01234"}),
        ("https://export.arxiv.org/abs/hep-th/9901001", {"arxiv": "hep-th/9901001"}),
        ("https://doi.org/10.48550/arXiv.2101.01234", {"arxiv": "2101.01234"}),
        ("https://moss.test/12345678", {}),
        ("https://moss.test/version/10.5/notes", {}),
        ("", {}),
        ("http://[broken", {}),
    ],
)
def test_identifiers_are_read_from_addresses(url: str, ids: dict[str, str]) -> None:
    assert identifiers(url) == ids


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://moss.test/a", "http://www.moss.test/a/?utm_source=x"),
        ("https://en.wiki.test/Moss", "https://en.m.wiki.test/Moss"),
        ("https://moss.test/news/1", "https://amp.moss.test/news/1/amp"),
        ("https://doi.org/10.5555/moss.17", "https://press.test/doi/full/10.5555/MOSS.17"),
        ("https://arxiv.org/abs/2101.01234", "https://doi.org/10.48550/arXiv.2101.01234"),
        ("https://pubmed.ncbi.nlm.nih.gov/17/", "https://europepmc.org/article/MED/17"),
        ("no url at all", " no url at all "),
    ],
)
def test_one_source_under_two_addresses(one: str, other: str) -> None:
    assert same(hit(one, "Moss"), hit(other, "Lichen"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://moss.test/a", "https://moss.test/b"),
        ("https://moss.test/a?page=1", "https://moss.test/a?page=2"),
        ("https://a-m.moss.test/", "https://a.moss.test/"),
        ("https://m.test/", "https://test/"),
        ("https://doi.org/10.5555/moss.17", "https://doi.org/10.5555/moss.171"),
        ("ftp://moss.test/a", "https://moss.test/a"),
    ],
)
def test_different_sources(one: str, other: str) -> None:
    assert not same(hit(one), hit(other))


def test_hits_without_address_are_told_apart_by_their_words() -> None:
    assert not same(hit("", "Moss"), hit("", "Lichen"))
    assert same(hit("", "Moss"), hit(" ", "Moss"))


@pytest.mark.parametrize(
    ("title", "url"),
    [
        (TITLE, "https://moss.test/1"),
        (TITLE.upper() + ".", "https://pubmed.ncbi.nlm.nih.gov/17/"),
        (f"[PDF] {TITLE}", "https://archive.test/17.pdf"),
        (f"[2101.01234] {TITLE}", "https://arxiv.org/abs/2101.01234"),
        (f"{TITLE} - PubMed", "https://pubmed.ncbi.nlm.nih.gov/17/"),
        (f"{TITLE} | Annals of Moss | Press", "https://press.test/17"),
        (f"{TITLE} – Stone – Moss Letters", "https://mossletters.stone.test/17"),
    ],
)
def test_a_title_without_its_trimmings(title: str, url: str) -> None:
    assert title_key(title, url) == title_key(TITLE, "https://lib.test/9") != ""


@pytest.mark.parametrize(
    "title", ["", "Annual report 2024", "Frequently asked questions", "- - - | | |", "🌿" * 50]
)
def test_a_title_that_many_bear_is_no_key(title: str) -> None:
    assert title_key(title, "https://moss.test/1") == ""


def test_a_subtitle_is_not_taken_for_a_site() -> None:
    review, protocol = f"{TITLE} - a review", f"{TITLE} - a protocol"
    assert not same(hit("https://one.test/1", review), hit("https://two.test/1", protocol))


def test_a_letter_is_not_taken_for_a_site() -> None:
    assert not same(hit("https://one.test/1", TITLE), hit("https://two.test/1", f"{TITLE} - T"))


def test_one_paper_found_four_ways_is_one_source() -> None:
    hits = [
        hit("https://doi.org/10.5555/moss.17", TITLE, SourceKind.SCHOLARLY),
        hit("https://pubmed.ncbi.nlm.nih.gov/17/", f"{TITLE}.", SourceKind.PUBMED),
        hit("https://arxiv.org/abs/2101.01234", TITLE, SourceKind.SCHOLARLY),
        hit("https://press.test/doi/full/10.5555/moss.17", f"{TITLE} | Annals of Moss"),
    ]
    assert same(*hits)


def test_a_title_on_two_pages_of_one_host_tells_nothing() -> None:
    pages = [hit(f"https://docs.test/{v}/stone", TITLE) for v in ("3.1", "3.2")]
    assert len(same_sources([*pages, hit("https://copy.test/stone", TITLE)])) == 3


def test_a_title_of_two_works_tells_nothing() -> None:
    works = [hit(f"https://doi.org/10.5555/moss.{n}", TITLE) for n in (1, 2)]
    works[1] = hit("https://press.test/10.5555/moss.2", TITLE)
    assert not same(*works)


def test_the_unit_of_a_folder_is_the_passage() -> None:
    def found(file: str, passage: str) -> Hit:
        return hit(f"file:///notes/{file}", TITLE, SourceKind.FOLDER, passage)

    hits = [found("a.md", "p1"), found("a.md", "p2"), found("b.md", "p1"), found("a.md", "p1")]
    assert same_sources(hits) == [[0, 3], [1], [2]]


ADDRESSES = st.sampled_from(
    [
        "https://moss.test/a",
        "http://www.moss.test/a",
        "https://moss.test/b",
        "https://doi.org/10.5555/a",
        "https://press.test/10.5555/a",
        "https://doi.org/10.5555/b",
        "https://arxiv.org/abs/2101.01234",
        "file:///notes/a.md",
        "",
    ]
)
HITS = st.lists(
    st.builds(
        hit,
        url=ADDRESSES,
        title=st.sampled_from(["", TITLE, f"{TITLE} - a review"]),
        kind=st.sampled_from([SourceKind.WEB, SourceKind.FOLDER]),
        passage=st.sampled_from(["", "p1", "p2"]),
    ),
    max_size=12,
)


@given(HITS, st.data())
def test_groups_do_not_depend_on_the_order(hits: list[Hit], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(hits))))
    shuffled = same_sources([hits[place] for place in order])
    assert {frozenset(group) for group in same_sources(hits)} == {
        frozenset(order[place] for place in group) for group in shuffled
    }


@given(st.lists(st.builds(hit, url=st.text(), title=st.text(min_size=20)), max_size=6))
def test_odd_input_is_grouped_and_never_raises(hits: list[Hit]) -> None:
    groups = same_sources(hits)
    assert sorted(place for group in groups for place in group) == list(range(len(hits)))


def test_a_retracted_work_is_still_the_same_work() -> None:
    title = "A long title about herons that nest in the reeds of the river Ask"
    plain = Hit(url="https://a.example/1", title=title, provider="x", rank=0)
    marked = plain.model_copy(update={"title": f"Retracted: {title}"})
    assert title_key(plain.title, plain.url) == title_key(marked.title, marked.url) != ""
