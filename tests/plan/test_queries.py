"""Which queries are asked, and which names are followed before a plan is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import PROFILES, Budget, ProfileName, Spend, remaining
from quaere.domain.evidence import Evidence, Lead, Score
from quaere.domain.question import Checklist, Intent, Item, ItemStatus, Plan, Query, SourceKind
from quaere.plan.queries import (
    LEAST_PLANNED,
    MOST_FOLLOWED,
    OPEN_LEAD,
    TIME_KEPT,
    admit,
    aimed,
    first_round,
    is_split,
    leads_to_follow,
    needed,
    queries_now,
    queries_to_follow,
    query_key,
    sides_of,
    split,
    topped_up,
    with_gap,
)

QUERIES = st.lists(
    st.builds(
        Query,
        text=st.lists(st.sampled_from(["red", "green", "blue", "grey"]), min_size=1).map(" ".join),
        titles=st.lists(st.sampled_from(["Red", "Blue"]), max_size=1).map(tuple),
    ),
    max_size=8,
)


def test_a_query_in_another_order_or_case_is_the_same_query() -> None:
    asked = [Query(text="Who built the dam?")]
    assert admit([Query(text="the dam who BUILT")], asked, allowance=5) == ()


def test_the_same_words_with_titles_to_look_up_are_another_query() -> None:
    asked = [Query(text="dam")]
    titled = Query(text="dam", titles=("Grand Dam",))
    assert admit([titled], asked, allowance=5) == (titled,)


@given(QUERIES, QUERIES, st.integers(0, 5))
def test_admitted_queries_are_new_distinct_in_order_and_within_the_allowance(
    proposed: list[Query], asked: list[Query], allowance: int
) -> None:
    admitted = admit(proposed, asked, allowance=allowance)
    keys = [query_key(query) for query in admitted]
    assert len(admitted) <= allowance
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {query_key(query) for query in asked}
    positions = [proposed.index(query) for query in admitted]
    assert positions == sorted(positions)
    if len(admitted) < allowance:
        assert {query_key(q) for q in proposed} <= set(keys) | {query_key(q) for q in asked}


@pytest.mark.parametrize(
    ("left", "loops_left", "now"),
    [
        (9, 4, 5),
        (4, 3, 2),
        (2, 2, 1),
        (1, 1, 1),
        (9, 1, 9),
        (9, 0, 9),
        (17, 9, 9),
        (1, 4, 1),
        (0, 3, 0),
    ],
)
def test_a_loop_leaves_queries_for_the_loops_that_follow(
    left: int, loops_left: int, now: int
) -> None:
    assert queries_now(left=left, loops_left=loops_left) == now


@given(st.integers(0, 40), st.integers(1, 12))
def test_every_loop_has_a_query_as_long_as_there_are_enough(left: int, loops: int) -> None:
    asked: list[int] = []
    for loops_left in range(loops, 0, -1):
        asked.append(queries_now(left=left - sum(asked), loops_left=loops_left))
    assert sum(asked) == left
    assert all(asked[: min(left, loops)])


def test_what_the_first_search_made_needless_is_not_sent_r0_3() -> None:
    done = Item(id="a", description="who", status=ItemStatus.SATISFIED)
    checklist = Checklist(items=(done, Item(id="b", description="when")))
    who, when = Query(text="who built it", item="a"), Query(text="when was it built", item="b")
    spare = Query(text="mill history", reserve=True)
    assert needed((who, when, spare), checklist) == (when,)


def test_target_source_types_steer_queries_that_name_no_kind_r3_2() -> None:
    free, own = Query(text="salt"), Query(text="law", source_kinds=(SourceKind.NEWS,))
    assert [q.source_kinds for q in aimed((free, own), ("gov", "nonsense", "gov"))] == [
        (SourceKind.GOV,),
        (SourceKind.NEWS,),
    ]
    assert aimed((free, own), ()) == (free, own)


def plan(question: str, *items: Item, queries: Sequence[Query] = ()) -> Plan:
    checklist = Checklist(items=items)
    return Plan(refined_question=question, checklist=checklist, queries=tuple(queries))


@given(
    st.lists(st.text("abc ", min_size=1).filter(str.strip), max_size=6, unique=True),
    st.lists(st.text("xyz ", min_size=1).filter(str.strip), max_size=4),
    st.text("mno ", min_size=1).filter(str.strip),
)
def test_a_plan_has_three_to_six_queries_with_intent_r0_3(
    texts: list[str], items: list[str], question: str
) -> None:
    own = [Query(text=text, intent=Intent.GAP) for text in texts]
    listed = [Item(id=f"item-{n}", description=i) for n, i in enumerate(items)]
    made = plan(question, *listed, queries=own)
    queries = topped_up(made, made.checklist, question)
    own = list(admit(own, (), allowance=6))
    assert 3 <= len(queries) <= 6
    assert list(queries[: len(own)]) == own
    assert all(query.reserve for query in queries[len(own) :])
    assert all(query.intent in Intent for query in queries)


def test_open_items_are_in_reserve_before_those_that_are_satisfied_r0_3() -> None:
    done = Item(id="a", description="when it was built", status=ItemStatus.SATISFIED)
    made = plan("The mill?", done, Item(id="b", description="who built it"))
    added = topped_up(made, made.checklist, "?")
    assert [query.item for query in added[:2]] == ["b", "a"]


@given(
    st.lists(st.sampled_from("abcd"), max_size=4),
    st.lists(st.sampled_from("abcd"), max_size=2),
    st.integers(0, 5),
)
def test_the_round_after_the_first_search_has_as_many_queries_as_it_takes_r2_2(
    proposed: list[str], asked: list[str], allowance: int
) -> None:
    spare = [Query(text=text, reserve=True) for text in ("spare one", "spare two", "spare three")]
    own, before = ([Query(text=text) for text in texts] for texts in (proposed, asked))
    chosen = first_round([*own, *spare], own, before, allowance=allowance, least=2)
    fresh = set(proposed) - set(asked)
    assert len(chosen) == min(allowance, max(len(fresh), 2))
    assert all(query.reserve for query in chosen[len(fresh) :])


def test_what_is_held_in_reserve_begins_with_what_tells_most() -> None:
    item = Item(id="a", description="who built it")
    mill = Query(text="mill")
    made = Plan(
        refined_question="Who built the mill?",
        checklist=Checklist(items=(item, Item(id="b", description="?"))),
        queries=(),
        key_terms=("Orrin", "?", "mill"),
    )
    added = topped_up(made, made.checklist, "mill  who?")
    assert [(query.text, query.intent, query.item) for query in added] == [
        ("who built it", Intent.GAP, "a"),
        ("Orrin ? mill", Intent.TERMS, None),
        ("mill who?", Intent.RAW, None),
    ]
    bare = made.model_copy(update={"checklist": Checklist(), "queries": (mill,)})
    assert [query.text for query in topped_up(bare, bare.checklist, "?")] == [
        "mill",
        "Orrin ? mill",
        "Orrin",
    ]
    nothing = bare.model_copy(update={"key_terms": ("?",), "queries": ()})
    assert [(q.text, q.intent) for q in topped_up(nothing, nothing.checklist, "?")] == [
        ("Who built the mill?", Intent.TERMS),
        ("Who built the mill? overview", Intent.REFORMULATION),
        ("Who built the mill? background", Intent.REFORMULATION),
    ]
    wordless = nothing.model_copy(update={"refined_question": "?"})
    assert [q.text for q in topped_up(wordless, wordless.checklist, "dam")][:1] == ["dam"]


def test_a_question_is_asked_again_with_what_is_missing() -> None:
    (again,) = with_gap("Who  built it?", ["who", "built of oak, of oak", "when"], [])
    assert again.text == "Who built it? of oak"
    assert (again.intent, again.reserve) == (Intent.REFORMULATION, True)
    assert again.places == 4


def test_a_question_is_not_asked_again_with_nothing_new() -> None:
    assert with_gap("Who built it?", [], []) == ()
    assert with_gap("Who built it?", ["who built", "?"], []) == ()


@pytest.mark.parametrize(
    ("update", "again"),
    [
        ({}, False),
        ({"reserve": False}, True),
        ({"intent": Intent.GAP}, True),
        ({"text": "Who mended it? oak"}, True),
    ],
)
def test_a_question_is_asked_with_its_gap_once_a_run(
    update: dict[str, object], *, again: bool
) -> None:
    (first,) = with_gap("Who built it?", ["oak"], [])
    known = [Query(text="dam"), first.model_copy(update=update)]
    assert bool(with_gap("Who built it?", ["when"], known)) is again


def test_nothing_is_added_to_three_queries_or_more() -> None:
    for count in (3, 6):
        made = plan("Who?", queries=[Query(text=f"q{n}") for n in range(count)])
        assert topped_up(made, made.checklist, "Who?") == made.queries


def test_a_kind_of_source_is_named_once_and_in_its_order() -> None:
    (query,) = aimed((Query(text="salt"),), ("web", "gov", "web"))
    assert query.source_kinds == (SourceKind.WEB, SourceKind.GOV)


@pytest.mark.parametrize(
    ("kinds", "is_both"),
    [
        ((SourceKind.PUBMED, SourceKind.WEB), True),
        ((SourceKind.PUBMED, SourceKind.WEB, SourceKind.NEWS), True),
        ((SourceKind.PUBMED, SourceKind.NEWS), False),
        ((SourceKind.WEB,), False),
    ],
)
def test_a_round_is_shared_where_pubmed_and_the_web_are_searched_r4_2(
    kinds: tuple[SourceKind, ...], *, is_both: bool
) -> None:
    assert is_split(kinds) is is_both


@pytest.mark.parametrize(
    ("text", "kinds", "sides"),
    [
        ("salt", (), {SourceKind.PUBMED, SourceKind.WEB}),
        ("salt", (SourceKind.PUBMED,), {SourceKind.PUBMED}),
        ("salt", (SourceKind.SCHOLARLY,), {SourceKind.PUBMED}),
        ("salt", (SourceKind.FOLDER,), set[SourceKind]()),
        ("salt", (SourceKind.NEWS,), {SourceKind.WEB}),
        ("salt", (SourceKind.NEWS, SourceKind.PUBMED), {SourceKind.PUBMED, SourceKind.WEB}),
        ("asthma[tiab]", (SourceKind.WEB,), {SourceKind.PUBMED}),
        ("salt site:fda.gov", (SourceKind.PUBMED,), {SourceKind.WEB}),
    ],
)
def test_the_syntax_of_a_query_says_before_its_kinds_where_it_is_asked_r4_2(
    text: str, kinds: tuple[SourceKind, ...], sides: set[SourceKind]
) -> None:
    assert sides_of(Query(text=text, source_kinds=kinds)) == sides


def test_beyond_two_a_query_is_aimed_at_what_has_room_or_left_out_r4_2() -> None:
    web = [Query(text=f"web {n}", source_kinds=(SourceKind.WEB,)) for n in range(3)]
    both = [Query(text=f"both {n}") for n in range(3)]
    assert [(q.text, q.source_kinds) for q in split([*web, *both], BOTH)] == [
        ("web 0", (SourceKind.WEB,)),
        ("web 1", (SourceKind.WEB,)),
        ("both 0", (SourceKind.PUBMED,)),
        ("both 1", (SourceKind.PUBMED,)),
    ]
    pubmed = [Query(text=f"pubmed {n}", source_kinds=(SourceKind.PUBMED,)) for n in range(2)]
    assert [(q.text, q.source_kinds) for q in split([*pubmed, *both[:1]], BOTH)][-1:] == [
        ("both 0", (SourceKind.FOLDER, SourceKind.WEB))
    ]


BOTH = (SourceKind.PUBMED, SourceKind.WEB, SourceKind.FOLDER)
KINDS = st.lists(st.sampled_from(SourceKind), max_size=2, unique=True).map(tuple)
TEXTS = st.sampled_from(["salt", "asthma[tiab]", "salt site:fda.gov", "lung OR heart"])


@given(st.lists(st.builds(Query, text=TEXTS, source_kinds=KINDS), max_size=6))
def test_a_round_has_one_or_two_queries_for_pubmed_and_for_the_web_r4_2(
    queries: list[Query],
) -> None:
    sent = split(queries, BOTH)
    counts = Counter(side for query in sent for side in sides_of(query))
    if any(map(sides_of, queries)):
        assert set(counts) == {SourceKind.PUBMED, SourceKind.WEB}
        assert set(counts.values()) <= {1, 2}
    else:
        assert list(sent) == queries, "folders are asked whatever is proposed"


def test_without_pubmed_or_without_the_web_there_is_nothing_to_split_r4_2() -> None:
    queries = tuple(Query(text=f"salt {n}") for n in range(6))
    for kinds in ((SourceKind.PUBMED,), (SourceKind.WEB, SourceKind.NEWS)):
        assert split(queries, kinds) == queries


def test_the_side_that_is_left_out_is_asked_in_its_own_syntax_r4_2() -> None:
    tagged = Query(text='("heart failure"[tiab] OR lung[mh]) AND salt[tiab] NOT review[pt]')
    assert split([tagged], BOTH)[1].text == '"heart failure" lung salt'
    sited = Query(text="salt label site:fda.gov")
    assert [(q.text, q.source_kinds) for q in split([sited], BOTH)[1:]] == [
        ("salt label", (SourceKind.PUBMED,))
    ]


ASKED = "What river flows through the city that Mara Olsen Vik played for?"


def found(*totals: tuple[str, float]) -> list[Evidence]:
    return [
        Evidence(id=n, passage=str(n), url=url, title=url, score=Score(total=total))
        for n, (url, total) in enumerate(totals, 1)
    ]


ALONE = found(("a", 1.2), ("a", 1.1), ("b", 0.5))
BESIDE = found(("a", 1.2), ("a", 1.1), ("b", 1.0))


def names(
    *leads: tuple[str, float], selection: list[Evidence] = ALONE, limit: int = 2
) -> list[str]:
    given_leads = [Lead(name=name, passage="1", strength=strength) for name, strength in leads]
    return [lead.name for lead in leads_to_follow(ASKED, given_leads, selection, limit=limit)]


def test_the_strongest_names_are_followed_and_no_more_than_may_be() -> None:
    strong = ("halden", 0.9), ("sarpsborg", 0.8), ("moss", 0.7)
    assert names(*strong) == ["halden", "sarpsborg"]
    assert names(*strong, limit=1) == ["halden"]
    assert names(*strong, limit=0) == []


def test_a_weak_name_is_not_followed() -> None:
    assert names(("halden", OPEN_LEAD), ("moss", OPEN_LEAD - 0.01)) == ["halden"]


def test_nothing_is_followed_where_several_things_stand_beside_each_other() -> None:
    assert names(("halden", 0.9), selection=BESIDE) == []
    assert names(("halden", 0.9), selection=[]) == ["halden"]


def test_another_spelling_of_what_is_asked_about_leads_nowhere() -> None:
    assert names(("mara ingrid olsen vik", 0.9), ("city of halden", 0.5)) == ["city of halden"]


def test_rows_and_headings_are_no_names() -> None:
    row = "halden 1962 fredrikstad 1963 moss 1964 sarpsborg"
    assert names((row, 0.9), ("moss", 0.5)) == ["moss"]


def test_a_name_and_a_part_of_it_are_one_and_the_longer_is_asked_if_it_is_as_strong() -> None:
    assert names(("halden", 0.9), ("halden norway", 0.9), ("moss", 0.5)) == [
        "halden norway",
        "moss",
    ]
    assert names(("halden", 1.0), ("halden norway", 0.9)) == ["halden norway"]
    assert names(("halden", 1.0), ("halden norway", 0.89)) == ["halden"]
    assert names(("halden", 0.9), ("halden norway", 0.5), ("moss", 0.4)) == ["halden", "moss"]
    assert names(("halden norway", 0.9), ("halden", 0.9)) == ["halden norway"]


@given(
    st.sampled_from(list(ProfileName)),
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(0, 200),
)
def test_the_plan_keeps_its_queries_and_its_round(
    profile: ProfileName, most_queries: int, loops: int, elapsed: float
) -> None:
    budget: Budget = PROFILES[profile].override({"max_queries": most_queries, "max_iters": loops})
    left = remaining(budget, Spend(queries=1), elapsed)
    followed = queries_to_follow(left, budget)
    assert 0 <= followed <= MOST_FOLLOWED
    if followed:
        assert left.queries - followed >= LEAST_PLANNED
        assert loops > 1
        assert elapsed <= budget.max_execution_time_s / 2


@pytest.mark.parametrize(
    ("loops", "queries", "share_of_time", "followed"),
    [
        (1, 9, 1.0, 0),
        (2, 9, 1.0, MOST_FOLLOWED),
        (2, 9, TIME_KEPT, MOST_FOLLOWED),
        (2, 9, TIME_KEPT - 0.01, 0),
        (2, LEAST_PLANNED - 1, 1.0, 0),
        (2, LEAST_PLANNED, 1.0, 0),
        (2, LEAST_PLANNED + 1, 1.0, 1),
    ],
)
def test_names_are_followed_while_a_round_half_the_time_and_queries_are_left(
    loops: int, queries: int, share_of_time: float, followed: int
) -> None:
    budget = PROFILES[ProfileName.STANDARD]
    full = remaining(budget, Spend(), 0.0)
    seconds = budget.max_execution_time_s * share_of_time
    left = full.model_copy(update={"iterations": loops, "queries": queries, "seconds": seconds})
    assert queries_to_follow(left, budget) == followed


def test_small_profiles_leave_the_model_its_queries() -> None:
    def by_profile(name: ProfileName) -> int:
        return queries_to_follow(remaining(PROFILES[name], Spend(queries=1), 1.0), PROFILES[name])

    assert {name.value: by_profile(name) for name in ProfileName} == {
        "simple": 0,
        "standard": 2,
        "deep": 2,
        "chat": 0,
    }
