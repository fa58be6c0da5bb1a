"""Scoring as a whole: what must hold of any pool, and what makes a bridge stand high."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.graphs.world import DOCUMENTS, HOP, passage_of, url_of

from quaere.domain.source import Passage
from quaere.evidence.features import DocumentShare
from quaere.evidence.score import PRIOR_FIRST, PRIOR_HALF, Ranking, place_worth, rank, rank_priors
from quaere.text.languages.language import language_of, speaking
from quaere.text.tokens import words

WORLD = [passage_of(title, text) for title, text in DOCUMENTS.items()]
IDS = {passage.title: passage.id for passage in WORLD}

BRIDGED = "Where was the astronomer who founded the Quill Observatory born?"

NAMES = ["Odile Varga", "Quill Observatory", "Tressel Ford", "Hask", "Dunmere", "Anselm Pryce"]
VERBS = ["was born in", "founded", "lies near", "is the founder of", "met", "sold flax to"]
CLAUSES = st.builds(
    "{} {} {}.".format, st.sampled_from(NAMES), st.sampled_from(VERBS), st.sampled_from(NAMES)
)
TITLES = st.sampled_from([*NAMES, "Hask, Maren", "Hask (town)", "", "The"])
TEXTS = st.lists(CLAUSES, max_size=5).map(" ".join) | st.text(max_size=60)
POOLS = st.lists(st.builds(passage_of, TITLES, TEXTS), max_size=9).map(
    lambda passages: list({passage.id: passage for passage in passages}.values())
)
WORTH = st.floats(0, 0.1)
PLACED = st.lists(WORTH, min_size=9, max_size=9)
QUESTIONS = st.sampled_from(
    [HOP, "Who met Anselm Pryce in Hask?", "the of", "?", "Hask"]
) | st.text(max_size=40)


def share(word: str) -> float:
    """Tell, for any pool the same, how common a word is."""
    return 0.3 if word in {"the", "was", "in", "of", "is"} else 0.01


def placed(pool: list[Passage], worth: list[float]) -> dict[str, float]:
    """Return what the places of passages are worth."""
    return dict(zip([passage.id for passage in pool], worth, strict=False))


def unrelated(number: int) -> Passage:
    """Return a passage that shares no word with any question or pool here."""
    return passage_of(f"xylo{number}", f"zorb{number} quindle{number} frab{number}.")


# Of any pool


@given(QUESTIONS, POOLS, PLACED, st.randoms(use_true_random=False))
def test_the_order_in_which_passages_are_given_does_not_matter(
    question: str, pool: list[Passage], worth: list[float], random: Random
) -> None:
    shuffled = random.sample(pool, len(pool))
    priors = placed(pool, worth)
    backwards = dict(reversed(priors.items()))
    assert rank(question, pool, None, priors) == rank(question, shuffled, None, backwards)
    assert rank(question, [*pool, *shuffled], share) == rank(question, pool, share)


def test_where_a_folder_lies_does_not_matter() -> None:
    """What is worth the same stands in the order of its sources, whatever its ids are."""
    orders: list[list[str]] = []
    for root in ("/one", "/two", "/three", "/four"):
        pages = {f"file://{root}/notes#line={n}": f"Hask, note {n}" for n in range(9)}
        pool = [passage_of(title, "Hask lies low.", url) for url, title in pages.items()]
        titles = {passage.id: passage.title for passage in pool}
        orders.append([titles[key] for key in rank("Hask", pool, share).order])
    assert len(orders[0]) == 9
    assert orders == [orders[0]] * 4


NAMED_AND_LED_TO = [
    passage_of("Hask", "Anselm Pryce sold flax to Tressel Ford."),
    passage_of("Hask, Maren", "Odile Varga lies near Tressel Ford."),
]
"""The second stands higher by the first than by its own name."""


@given(QUESTIONS, POOLS, PLACED, st.sampled_from([share, None]), PLACED)
@example("Who met Anselm Pryce in Hask?", NAMED_AND_LED_TO, [0.1] * 9, share, [0.1] * 9)
def test_every_figure_is_finite_and_adds_up(
    question: str,
    pool: list[Passage],
    worth: list[float],
    of_the_index: DocumentShare | None,
    near: list[float],
) -> None:
    ranking = rank(question, pool, of_the_index, placed(pool, worth), placed(pool, near))
    ids = {passage.id for passage in pool}
    assert set(ranking.scores) == ids
    assert len(set(ranking.order)) == len(ranking.order)
    assert set(ranking.order) == {key for key in ids if ranking.scores[key].total > 0}
    for key, score in ranking.scores.items():
        parts = (score.relevance, score.named, score.inherited, score.prior, score.meaning)
        assert all(math.isfinite(part) for part in (*parts, score.total))
        assert min(score.relevance, score.named, score.prior, score.total) >= 0
        assert score.total == pytest.approx(sum(parts))
        assert (score.inherited != 0) <= (key in ranking.parents)


@given(QUESTIONS, POOLS)
def test_parents_are_in_the_pool_and_never_in_a_circle(question: str, pool: list[Passage]) -> None:
    ranking = rank(question, pool, share)
    ids = {passage.id for passage in pool}
    for key in ranking.parents:
        chain = [key]
        while (parent := ranking.parents.get(chain[-1])) is not None:
            assert parent in ids
            assert parent not in chain
            chain.append(parent)


@given(QUESTIONS, POOLS)
def test_leads_are_new_names_of_the_pool_strongest_first(
    question: str, pool: list[Passage]
) -> None:
    ranking = rank(question, pool, share)
    texts = {passage.id: f" {' '.join(words(passage.text))} " for passage in pool}
    asked = f" {' '.join(words(question))} "
    assert len({lead.name for lead in ranking.leads}) == len(ranking.leads)
    strengths = [lead.strength for lead in ranking.leads]
    assert strengths == sorted(strengths, reverse=True)
    for lead in ranking.leads:
        assert math.isfinite(lead.strength)
        assert f" {lead.name} " not in asked
        assert set(lead.name.split()) <= set(texts[lead.passage].split())
        assert set(lead.covered) <= set(words(question))


@given(QUESTIONS, POOLS, st.integers(1, 4))
def test_what_has_nothing_to_do_with_it_takes_nothing_away(
    question: str, pool: list[Passage], count: int
) -> None:
    before = rank(question, pool, share)
    after = rank(question, [*pool, *map(unrelated, range(count))], share)
    assert after.order == before.order
    assert {key: after.scores[key] for key in before.scores} == before.scores
    assert after.leads == before.leads


@given(QUESTIONS, POOLS, st.integers(1, 4))
def test_counting_by_the_pool_nothing_that_bears_on_it_is_lost_either(
    question: str, pool: list[Passage], count: int
) -> None:
    before = rank(question, pool, None)
    after = rank(question, [*pool, *map(unrelated, range(count))], None)
    bearing = {key for key, score in before.scores.items() if score.relevance > 0}
    assert bearing <= set(after.order)


@pytest.mark.parametrize("question", ["", "the of and", "?!", "\x00", "🦋"])
def test_a_question_without_words_ranks_nothing(question: str) -> None:
    ranking = rank(question, WORLD, None)
    assert ranking.order == ()
    assert all(score.total == 0 for score in ranking.scores.values())


def test_what_documents_call_otherwise_comes_after_all_that_has_a_word_of_the_question() -> None:
    said = ("The tern is a boat.", "It is drawn on Linux.", "Bread is sold here.")
    pool = [passage_of(str(n), text) for n, text in enumerate(said)]
    ranking = rank("Is there a boat for Windows?", pool, share)
    assert ranking.order == (pool[0].id, pool[1].id)
    german = passage_of("Heim", "Das Heim ist von Mai bis Oktober geöffnet.")
    with speaking(language_of("Was sind die Öffnungszeiten?")):
        assert rank("Was sind die Öffnungszeiten?", [german], share).order == (german.id,)


def everywhere(word: str) -> float:
    """Tell that every passage holds ``word``."""
    return 1.0


@pytest.mark.parametrize("of_the_index", [None, everywhere])
def test_the_only_passage_there_is_can_be_found(of_the_index: DocumentShare | None) -> None:
    only = passage_of("Hask", "Hask sells wool.")
    ranking = rank("What does Hask sell?", [only], of_the_index)
    assert ranking.order == (only.id,)
    assert ranking.scores[only.id].relevance > 0.2


def test_an_empty_pool_is_ranked() -> None:
    assert rank(HOP, [], None) == Ranking(scores={}, parents={}, order=(), leads=())


# The place in a search's results


@given(QUESTIONS, POOLS, PLACED, st.integers(0, 8), WORTH)
def test_a_better_place_never_puts_a_passage_back(
    question: str, pool: list[Passage], worth: list[float], number: int, more: float
) -> None:
    assume(number < len(pool))
    key, priors = pool[number].id, placed(pool, worth)
    before = rank(question, pool, None, priors)
    after = rank(question, pool, None, {**priors, key: priors[key] + more})
    assert set(after.order) == set(before.order)
    assert after.scores[key].total >= before.scores[key].total
    assert key not in before.order or after.order.index(key) <= before.order.index(key)


@given(QUESTIONS, POOLS, PLACED)
def test_a_place_changes_nothing_where_the_index_knows_its_words(
    question: str, pool: list[Passage], worth: list[float]
) -> None:
    assert rank(question, pool, share, placed(pool, worth)) == rank(question, pool, share)


def test_of_two_that_say_the_same_the_one_found_first_stands_first() -> None:
    twins = [passage_of(f"Note {end}", "Hask sells wool.") for end in "ab"]
    for first in twins:
        ranking = rank("Who sells wool?", twins, None, {first.id: 0.1})
        assert ranking.order[0] == first.id
        assert ranking.scores[first.id].prior == 0.1


def test_a_good_place_makes_nothing_of_a_passage_without_a_word_of_the_question() -> None:
    odd = unrelated(1)
    ranking = rank(HOP, [*WORLD, odd], None, {odd.id: 0.1})
    assert odd.id not in ranking.order
    assert ranking.scores[odd.id].prior == ranking.scores[odd.id].total == 0


# A bridge


def test_the_passage_that_the_best_one_leads_to_inherits_from_it() -> None:
    ranking = rank(BRIDGED, WORLD, share)
    observatory, varga = IDS["Quill Observatory"], IDS["Odile Varga"]
    assert ranking.order[:2] == (observatory, varga)
    assert ranking.parents[varga] == observatory
    assert ranking.scores[varga].inherited > ranking.scores[varga].relevance > 0
    assert ranking.scores[observatory].inherited == 0


def test_a_passage_without_a_word_of_the_question_can_be_a_bridge() -> None:
    ranking = rank(BRIDGED, WORLD, share)
    sorrel = ranking.scores[IDS["Mount Sorrel"]]
    assert sorrel.relevance == 0
    assert sorrel.inherited > 0
    assert IDS["Mount Sorrel"] in ranking.order


def test_without_the_passage_that_leads_to_it_a_bridge_is_like_any_other() -> None:
    alone = [passage for passage in WORLD if passage.title != "Quill Observatory"]
    ranking = rank(HOP, alone, share)
    assert IDS["Odile Varga"] not in ranking.parents
    assert ranking.scores[IDS["Odile Varga"]].inherited == 0


def test_a_lead_tells_what_its_passage_covers_of_the_question() -> None:
    only = passage_of("Quill Observatory", "It was founded by Varga, an astronomer.")
    (lead,) = rank(BRIDGED, [only], share).leads
    assert lead.name == "varga"
    assert set(lead.covered) == {"astronomer", "founded", "quill", "observatory"}


def test_of_two_leads_in_the_same_place_the_rarer_name_is_the_stronger() -> None:
    only = passage_of("Quill Observatory", "It was founded by Varga.")
    strengths = [
        rank(BRIDGED, [only], lambda word, often=often: often if word == "varga" else 0.01)
        .leads[0]
        .strength
        for often in (0.0005, 0.002, 0.008)
    ]
    assert strengths == sorted(set(strengths), reverse=True)


def test_a_bridge_can_hang_on_a_bridge() -> None:
    ford = passage_of("Tressel Ford", "The Oss, a slow brown stream, passes below its church.")
    others = [passage for passage in WORLD if passage.title != "Tressel Ford"]
    ranking = rank(f"Which river runs through the place? {BRIDGED}", [*others, ford], share)
    assert ranking.parents[ford.id] == IDS["Odile Varga"]
    assert ranking.parents[IDS["Odile Varga"]] == IDS["Quill Observatory"]
    assert ranking.scores[ford.id].relevance == 0
    for far in ("Larkspur Society", "Maren valley", "Flax"):
        assert ranking.order.index(ford.id) < ranking.order.index(IDS[far])


def test_the_title_that_the_question_names_stands_above_its_mentions() -> None:
    ranking = rank("What is Mount Sorrel?", WORLD, share)
    assert ranking.order[0] == IDS["Mount Sorrel"]
    assert ranking.scores[IDS["Mount Sorrel"]].named > 0
    assert ranking.scores[IDS["Quill Observatory"]].named == 0


def test_a_name_inside_a_longer_one_that_is_asked_for_counts_little() -> None:
    long = passage_of("Quill Observatory", "A dome on a hill.")
    part = passage_of("Quill", "A feather to write with.")
    ranking = rank("Who built the Quill Observatory?", [long, part], share)
    assert ranking.scores[long.id].named > 3 * ranking.scores[part.id].named > 0


def test_a_title_that_is_named_up_to_its_comma_counts_half() -> None:
    exact, short = passage_of("Hask", "A town."), passage_of("Hask, Maren", "A town.")
    one, other = (rank("What is Hask?", [p], share).scores[p.id].named for p in (exact, short))
    assert 0 < other < one


def test_what_is_reached_over_the_same_name_again_is_put_back() -> None:
    start = passage_of("Quill Observatory", "Founded by Odile Varga, a friend of old Anselm Pryce.")
    letters = [passage_of(f"Letter {n}", "Sent to Odile Varga.") for n in range(2)]
    diaries = [passage_of(f"Diary {n}", "Tea with Anselm Pryce.") for n in range(3)]
    pool = [start, *letters, *diaries]
    ranking = rank("Who founded the Quill Observatory?", pool, share)
    letter, diary = ranking.scores[letters[0].id].total, ranking.scores[diaries[0].id].total
    assert diary < letter
    kinds = {passage.id: passage.title.split()[0] for passage in pool}
    assert [kinds[key] for key in ranking.order][1:4] == ["Letter", "Diary", "Letter"]


def test_two_passages_that_name_each_other_do_not_raise_each_other() -> None:
    start = passage_of("Odile Varga", "Anselm Pryce married and established the town.")
    other = passage_of("Anselm Pryce", "Odile Varga married and established it.")
    common = {"town": 0.9}
    ranking = rank(
        "Who is the wife of the town's founder?",
        [start, other],
        lambda word: common.get(word, 0.001),
    )
    assert ranking.parents == {other.id: start.id}
    assert ranking.scores[start.id].inherited == 0


def test_what_says_the_same_again_is_put_back() -> None:
    twice = [passage_of("Hask", f"Hask sells wool and lamp oil{end}") for end in (".", "!", " .")]
    other = passage_of("Dunmere", "Lamp oil was shipped from Dunmere, cheese too.")
    ranking = rank("Where are wool, lamp oil and cheese from?", [*twice, other], share)
    assert ranking.order.index(other.id) == 1


def test_an_index_that_knows_its_words_is_believed_over_the_pool() -> None:
    pool = [passage_of("A", "flax flax flax"), passage_of("B", "rye rye rye")]
    rare_rye = rank("flax or rye", pool, lambda word: 0.9 if word == "flax" else 0.001)
    assert rare_rye.order[0] == pool[1].id
    rare_flax = rank("flax or rye", pool, lambda word: 0.9 if word == "rye" else 0.001)
    assert rare_flax.order[0] == pool[0].id


HASK, DUNMERE = passage_of("Hask", "Hask sells wool."), passage_of("Dunmere", "A harbour.")


def test_a_place_is_worth_less_than_the_one_before_and_never_nothing() -> None:
    worth = [place_worth(place) for place in range(500)]
    assert all(above > below > 0 for above, below in pairwise(worth))
    assert worth[0] == PRIOR_FIRST
    assert worth[PRIOR_HALF] == PRIOR_FIRST / 2


def test_every_passage_of_a_source_gets_what_its_place_is_worth() -> None:
    more = passage_of("Hask", "Its market is weekly.")
    considered = [url_of("Dunmere"), url_of("Hask")]
    assert rank_priors([HASK, more, DUNMERE], considered) == {
        DUNMERE.id: place_worth(0),
        HASK.id: place_worth(1),
        more.id: place_worth(1),
    }


def test_a_source_is_known_by_any_spelling_of_its_url() -> None:
    spelled = passage_of("Hask", "Wool.", url=f"{url_of('Hask').upper()}/?utm_source=x#top")
    considered = ["https://shelf.test/HASK"]
    assert rank_priors([spelled], considered) == {spelled.id: place_worth(0)}


def test_a_source_that_no_search_has_brought_counts_nothing() -> None:
    assert rank_priors([HASK], []) == {HASK.id: 0.0}
    assert rank_priors([], [url_of("Hask")]) == {}
