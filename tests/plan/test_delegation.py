"""Which topics are researched, by whom and with what share of the budget (R1.2, R1.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import PROFILES, ProfileName, Remaining
from quaere.domain.team import Strategy
from quaere.plan.delegation import (
    DUPLICATE,
    REPORT_SHARE,
    NoteSets,
    choose_strategy,
    choose_tier,
    duplicate_of,
    is_team_work,
    known_cosine,
    meant_similarity,
    pairs_to_compare,
    screen,
    split,
    topic_similarity,
)
from quaere.text.tokens import STOP_WORDS, fold, tokenize

FLOODS = "floods of the Maren in spring"
WATER = "why the river overflows when snow melts"


def test_what_means_the_same_is_a_duplicate_from_its_cosine_on() -> None:
    for cosine, repeats in ((0.92, FLOODS), (0.919, None)):
        similarity = meant_similarity({(WATER, FLOODS): cosine}, 0.92)
        assert duplicate_of(WATER, [FLOODS], similarity=similarity) == repeats
    assert duplicate_of(WATER, [FLOODS]) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the harvest of 1903", "the harvest of 1904"),
        ("towns with no mill at all", "towns with their mill"),
    ],
)
def test_a_cosine_does_not_make_up_for_another_figure_or_a_denial(a: str, b: str) -> None:
    assert meant_similarity({(a, b): 1.0}, 0.92)(a, b) == topic_similarity(a, b)


@given(st.text(max_size=40), st.text(max_size=40), st.floats(-1, 1), st.floats(0.01, 1))
def test_it_is_never_below_that_of_the_words(a: str, b: str, cosine: float, same: float) -> None:
    alike = meant_similarity({(a, b): cosine}, same)(a, b)
    assert topic_similarity(a, b) <= alike <= 1
    assert meant_similarity({}, same)(a, b) == topic_similarity(a, b)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.01, 1))
def test_the_nearer_the_more_alike(a: float, b: float, same: float) -> None:
    low, high = (
        meant_similarity({("salt", "brine"): cosine}, same)("salt", "brine")
        for cosine in sorted((a, b))
    )
    assert low <= high
    assert meant_similarity({("salt", "brine"): 1.0}, same)("salt", "brine") == 1.0


@pytest.mark.parametrize(
    ("same", "cosine", "alike"),
    [
        (1.0, 1.0, 1.0),
        (1.0, 0.5, DUPLICATE / 2),
        (0.5, 0.5, DUPLICATE),
        (0.5, 0.25, DUPLICATE / 2),
        (0.5, 0.75, (1 + DUPLICATE) / 2),
        (0.5, -0.5, 0.0),
    ],
)
def test_a_cosine_counts_in_proportion_below_and_above_the_one_that_is_the_same(
    same: float, cosine: float, alike: float
) -> None:
    similarity = meant_similarity({("salt", "brine"): cosine}, same)
    assert similarity("salt", "brine") == pytest.approx(alike)


def test_all_pairs_that_screening_may_look_at_are_asked_for() -> None:
    proposed, dispatched = ["a", "b", "c"], ["d", "e"]
    asked = pairs_to_compare(proposed, dispatched)
    assert len(asked) == len(set(asked)) == 9
    looked_at: list[tuple[str, str]] = []

    def look(a: str, b: str) -> float:
        looked_at.append((a, b))
        return 0.0

    screen(proposed, dispatched, threshold=DUPLICATE, at_once=9, similarity=look)
    assert sorted(looked_at) == sorted(asked)


def test_a_refusal_tells_the_similarity_that_refused() -> None:
    similarity = meant_similarity({(WATER, FLOODS): 0.95}, 0.92)
    screening = screen([WATER], [FLOODS], threshold=DUPLICATE, at_once=3, similarity=similarity)
    assert screening.refused[0].similarity == pytest.approx(0.75 + 0.25 * 3 / 8)
    assert screening.refused[0].repeats == FLOODS


def test_of_an_embedder_that_nobody_measured_no_cosine_is_known() -> None:
    assert known_cosine("ollama:all-minilm") == known_cosine("local:x/all-MiniLM-L6-v2") == 0.92
    assert known_cosine("openai:text-embedding-3-small") is None


VOCABULARY = [
    "tides",
    "harbour",
    "Ferry",
    "ferries",
    "dyke",
    "peat",
    "of",
    "1861",
    "O'Neill",
    "海の塔",
    "été",
]
TEXTS = (
    st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join)
    | st.text(max_size=40)
    | st.text("aéS'’.,!( 1塔", max_size=40)
)
NAMED = TEXTS.filter(lambda text: text.strip())


@pytest.mark.parametrize(
    ("a", "b", "similarity"),
    [
        ("History of the Tressel ferry", "the tressel ferry: a HISTORY", 1.0),
        ("peat cutting costs", "peat cutting dates", 0.5),
        ("salt works at Varn", "dykes near Tressel", 0.0),
        ("one two three four five", "one two three four six", 3 / 5),
        ("", "", 0.0),
        ("", "salt", 0.0),
        ("who was he", "who was she", 0.5),
        ("\N{SNOWMAN}", "\N{SNOWMAN}", 1.0),
        ("\udc80", "\udc80", 1.0),
    ],
)
def test_similarity_is_the_jaccard_of_words_that_are_no_stop_words(
    a: str, b: str, similarity: float
) -> None:
    assert topic_similarity(a, b) == similarity


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_between_zero_and_one(a: str, b: str) -> None:
    assert topic_similarity(a, b) == topic_similarity(b, a)
    assert 0.0 <= topic_similarity(a, b) <= 1.0


@given(NAMED)
def test_what_is_identical_is_wholly_alike(topic: str) -> None:
    assert topic_similarity(topic, topic) == 1.0
    assert duplicate_of(topic, ["something else", topic], 1.0) == topic


@given(st.permutations(VOCABULARY))
def test_similarity_knows_no_order_of_words(shuffled: list[str]) -> None:
    assert topic_similarity(" ".join(shuffled), " ".join(VOCABULARY)) == 1.0


def test_fr_10_four_words_of_five_in_common_make_a_duplicate() -> None:
    known = ["tidal mill output at Varn", "alder beech cedar dogwood"]
    assert topic_similarity("alder beech cedar dogwood elder", known[1]) == 0.8
    assert duplicate_of("alder beech cedar dogwood elder", known) == known[1]
    assert duplicate_of("alder beech cedar dogwood elder", known, 0.81) is None
    assert duplicate_of("alder beech cedar elder", known) is None, "three of five"


def test_the_topics_of_the_risk_table_stay_apart() -> None:
    known = ["machine learning training data"]
    assert duplicate_of("machine learning training speed", known) is None


def test_the_most_similar_topic_is_named_and_of_equals_the_first() -> None:
    known = ["peat salt dyke ferry", "peat salt dyke", "salt dyke peat"]
    assert duplicate_of("dyke, salt and peat", known, 0.5) == "peat salt dyke"
    assert duplicate_of("anything", [], 0.0) is None


@given(TEXTS, st.lists(TEXTS, max_size=5), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_finds_no_more(
    topic: str, known: list[str], one: float, other: float
) -> None:
    low, high = sorted((one, other))
    if duplicate_of(topic, known, low) is None:
        assert duplicate_of(topic, known, high) is None


def test_fr_09_novelty_is_the_share_of_words_that_the_notes_lack() -> None:
    notes = NoteSets(["The ferry crossed the harbour.", "Peat was cut."])
    assert notes.novelty("A ferry in the harbour, and salt, salt, salt") == 1 / 3
    assert notes.novelty("the harbour FERRY") == 0.0
    assert notes.novelty("salt works") == 1.0
    assert notes.novelty("of the and") == notes.novelty("") == 0.0
    assert NoteSets().novelty("ferry") == 1.0


def test_stop_words_in_notes_and_findings_count_for_nothing() -> None:
    notes = NoteSets(["salt"])
    assert notes.novelty("salt") == notes.novelty("salt " + " ".join(sorted(STOP_WORDS))) == 0.0


@given(st.lists(TEXTS, max_size=5), TEXTS, TEXTS)
def test_adding_notes_never_raises_novelty(notes: list[str], more: str, new: str) -> None:
    sets = NoteSets(notes)
    before = sets.novelty(new)
    sets.add(more)
    assert 0.0 <= sets.novelty(new) <= before <= 1.0
    sets.add(new)
    assert sets.novelty(new) == 0.0


@given(st.lists(TEXTS, max_size=5), TEXTS)
def test_novelty_knows_no_order_and_no_boundaries_of_notes(notes: list[str], new: str) -> None:
    expected = NoteSets(notes).novelty(new)
    assert NoteSets(notes[::-1]).novelty(new) == expected
    assert NoteSets([" ".join(notes)]).novelty(new) == expected


@given(TEXTS, st.integers(1, 3))
def test_words_are_those_of_the_tokenizer(text: str, step: int) -> None:
    """However the work is saved: against the plain definition."""
    tokens = [token.text for token in tokenize(text)]
    own = {fold(token) for token in tokens} - STOP_WORDS
    lacking = own - {fold(token) for token in tokens[::step]}
    novelty = NoteSets(tokens[::step]).novelty(text)
    assert novelty == (len(lacking) / len(own) if own else 0.0)


TOPICS = st.lists(st.sampled_from(["tide power", "power of tides", "tide power costs", "a", "b"]))


def test_what_is_new_goes_out_in_its_order() -> None:
    screening = screen(["tides", "dunes", "reefs"], ["cliffs"], threshold=0.75, at_once=2)
    assert screening.admitted == (0, 1)
    assert screening.postponed == (2,)
    assert not screening.refused


def test_a_refusal_names_what_is_repeated_and_how_far() -> None:
    screening = screen(["costs of tide power"], ["tide power costs"], threshold=0.75, at_once=5)
    refusal = screening.refused[0]
    assert (refusal.topic, refusal.repeats) == ("costs of tide power", "tide power costs")
    assert refusal.similarity == 1.0


def test_the_first_of_a_batch_is_kept_and_what_repeats_it_is_refused() -> None:
    screening = screen(["tide power", "power tide", "tide"], [], threshold=0.75, at_once=5)
    assert screening.admitted == (0, 2)
    assert screening.refused[1].repeats == "tide power"


def test_a_threshold_of_one_refuses_only_the_same_words() -> None:
    screening = screen(
        ["power of tide", "tide power costs"], ["tide power"], threshold=1, at_once=5
    )
    assert screening.admitted == (1,)


@given(proposed=TOPICS, dispatched=TOPICS, at_once=st.integers(1, 4))
def test_every_topic_has_one_fate(proposed: list[str], dispatched: list[str], at_once: int) -> None:
    screening = screen(proposed, dispatched, threshold=0.75, at_once=at_once)
    fates = [*screening.admitted, *screening.refused, *screening.postponed]
    assert sorted(fates) == list(range(len(proposed)))
    assert len(screening.admitted) <= at_once


DEEP = PROFILES[ProfileName.DEEP]
LEFT = Remaining(iterations=3, queries=18, reads=32, tokens=400_000, seconds=120.0, usd=1.0)


def test_half_goes_to_a_round_and_all_to_the_last() -> None:
    first = split(DEEP, LEFT, topics=2, rounds_left=3, tool_calls=5)
    last = split(DEEP, LEFT, topics=2, rounds_left=1, tool_calls=5)
    assert (first.max_reads, last.max_reads) == (8, 16)
    assert first.token_budget == 400_000 * (1 - REPORT_SHARE) / 2 / 2
    assert last.token_budget == 2 * first.token_budget
    assert first.max_execution_time_s == 120.0 * (1 - REPORT_SHARE) / 2, "they share the time"
    assert first.max_cost_usd == 0.2


def test_a_researcher_searches_no_more_than_it_may_and_than_is_left() -> None:
    assert split(DEEP, LEFT, topics=2, rounds_left=3, tool_calls=5).max_queries == 5
    assert split(DEEP, LEFT, topics=6, rounds_left=3, tool_calls=5).max_queries == 3
    assert split(DEEP, LEFT, topics=1, rounds_left=3, tool_calls=10).max_queries == 10


def test_a_topic_alone_keeps_as_many_sources_as_the_run() -> None:
    assert split(DEEP, LEFT, topics=1, rounds_left=3, tool_calls=5).max_sources == 20
    assert split(DEEP, LEFT, topics=5, rounds_left=3, tool_calls=5).max_sources == 10


@given(
    topics=st.integers(1, 20),
    rounds=st.integers(0, 10),
    calls=st.integers(1, 30),
    tokens=st.integers(0, 500_000),
    seconds=st.floats(0, 3600),
    more=st.integers(0, 100),
    reads=st.integers(0, 40),
)
def test_together_they_never_get_more_than_is_left_for_them(
    *, topics: int, rounds: int, calls: int, tokens: int, seconds: float, more: int, reads: int
) -> None:
    left = LEFT.model_copy(
        update={"tokens": tokens, "seconds": seconds, "queries": topics + more, "reads": reads}
    )
    each = split(DEEP, left, topics=topics, rounds_left=rounds, tool_calls=calls)
    assert each == each.override({}), "within the ranges of a budget"
    assert each.token_budget * topics <= tokens * (1 - REPORT_SHARE)
    assert each.max_execution_time_s <= max(0.1, seconds)
    assert each.max_queries * topics <= left.queries
    assert each.max_reads * topics <= reads


def test_a_search_that_was_made_before_is_none_of_those_that_a_researcher_may_make() -> None:
    begun = split(DEEP, LEFT, topics=1, rounds_left=3, tool_calls=5, paid=1)
    assert (begun.max_queries, begun.max_iters) == (6, 5)


TWO = ("Where was Odile Varga born?", "How many arches has the bridge?")


@pytest.mark.parametrize(
    ("topics", "worth"),
    [
        ((), False),
        (TWO[:1], False),
        (TWO, True),
        (("costs of tide power", "tide power costs"), False),
        (("costs of tide power", "tide power costs", "who owns the reef"), True),
    ],
)
def test_several_distinct_topics_are_worth_a_team(topics: tuple[str, ...], *, worth: bool) -> None:
    assert is_team_work(topics) is worth


@pytest.mark.parametrize("requested", [Strategy.LOOP, Strategy.SUPERVISOR])
def test_what_is_requested_is_done(requested: Strategy) -> None:
    assert choose_strategy(requested, None, ()) is requested
    assert choose_strategy(requested, ProfileName.DEEP, TWO) is requested


def test_a_loop_that_is_switched_off_is_not_supervised_either_r3_1() -> None:
    for requested in Strategy:
        chosen = choose_strategy(requested, ProfileName.DEEP, TWO, single_pass=True)
        assert chosen is Strategy.LOOP


@pytest.mark.parametrize(
    ("profile", "topics", "chosen"),
    [
        (ProfileName.DEEP, TWO, Strategy.SUPERVISOR),
        (ProfileName.DEEP, TWO[:1], Strategy.LOOP),
        (ProfileName.STANDARD, TWO, Strategy.LOOP),
        (ProfileName.CHAT, TWO, Strategy.LOOP),
        (None, TWO, Strategy.LOOP),
    ],
)
def test_left_to_the_engine_only_deep_questions_of_several_parts_start_a_team(
    profile: ProfileName | None, topics: tuple[str, ...], chosen: Strategy
) -> None:
    assert choose_strategy(Strategy.AUTO, profile, topics) is chosen


@pytest.mark.parametrize(
    ("requested", "detected", "chosen"),
    [
        (ProfileName.CHAT, ProfileName.DEEP, ProfileName.CHAT),
        (None, ProfileName.DEEP, ProfileName.DEEP),
        (None, None, ProfileName.STANDARD),
    ],
)
def test_a_request_beats_detection_beats_standard_r0_6(
    requested: ProfileName | None, detected: ProfileName | None, chosen: ProfileName
) -> None:
    assert choose_tier(requested, detected) is chosen
