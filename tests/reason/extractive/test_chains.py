from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import BIRTH, BORN, CHEESE, FOUNDER, LENS, SHELF, Text, pool

from quaere.reason.extractive.chains import FAINT, MAX_HELPERS, Goal, Search
from quaere.text.languages.language import languages, speaking


def test_a_goal_weighs_names_above_generic_words() -> None:
    read = pool(LENS)
    goal = Goal("What kind of glass did Varga use?", read)
    named, generic = (goal.mask(frozenset({term})) for term in ("varga", "kind"))
    assert goal.share(named) > 3 * goal.share(generic)


@pytest.mark.parametrize(
    ("language", "question", "text", "telling", "vague"),
    [
        ("de", "Wie lautet der Name der roten Fähre?", "Sie ist neu.", "fahr", "nam"),
        ("es", "¿Cómo se llama el barco rojo?", "Es nuevo.", "barc", "llam"),
        ("zh", "渡船叫做什么？", "它很新。", "渡船", "叫做"),
    ],
)
def test_what_something_is_called_weighs_little(
    language: str, question: str, text: str, telling: str, vague: str
) -> None:
    with speaking(languages()[language]):
        found = weights(question, ("x", text))
    assert found[telling] > 3 * found[vague]


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("fr", "Combien coûtent les billets pour Brella, Alba, Morne et Lys ?"),
        ("de", "Wie heißt die Fähre, die nach Brella fährt, in Morn?"),
    ],
)
def test_elsewhere_commas_and_english_words_describe_nothing(language: str, question: str) -> None:
    with speaking(languages()[language]):
        assert not Goal(question, pool(LENS)).hops


def test_words_of_the_same_relation_count() -> None:
    goal = Goal("Who was the wife of Hask?", pool(LENS))
    assert goal.mask(frozenset({"marri"})) == goal.mask(frozenset({"wife"}))


def test_what_stands_near_the_interrogative_is_in_focus() -> None:
    goal = Goal(BORN, pool(*SHELF))
    near, far = (goal.mask(frozenset({term})) for term in ("born", "observatori"))
    assert goal.focus(near) / goal.share(near) > goal.focus(far) / goal.share(far)


def test_a_chain_covers_what_no_sentence_does() -> None:
    read = pool(CHEESE, BIRTH, FOUNDER)
    search = Search(read, Goal(BORN, read))
    end = next(line for line in read.lines_of[1] if "Tarnholm" in line.text)
    chain = search.chain(end)
    assert chain.own < 0.5 < chain.covered == 1.0
    assert [line.owner for line in chain.helpers] == [2]
    alone = search.chain(end, alone=True)
    assert alone.covered == chain.near < 1.0
    assert (alone.helpers, alone.asked_before) == ((), 0.0)


def test_what_the_question_names_ties_nothing() -> None:
    read = pool(
        ("Lamp", "Quill Observatory has a lamp."), ("Bees", "Quill Observatory has a founder.")
    )
    search = Search(read, Goal(BORN, read))
    assert all(not chain.helpers for chain in search.chains())


def test_missing_words_are_told_as_they_were_asked() -> None:
    read = pool(LENS)
    goal = Goal("Which Lighthouses had lenses?", read)
    assert goal.missing(goal.mask(frozenset({"lens"}))) == ("Lighthouses",)


def weights(question: str, *texts: Text) -> dict[str, float]:
    """Return the share of the weight of a question that each of its terms has."""
    goal = Goal(question, pool(*(texts or SHELF)))
    return {term: goal.share(goal.mask(frozenset({term}))) for term in goal.terms}


def test_shares_are_of_the_whole_weight() -> None:
    goal = Goal(BORN, pool(*SHELF))
    assert sum(weights(BORN).values()) == pytest.approx(1.0)
    everything = goal.mask(frozenset(goal.terms))
    for share in (goal.share, goal.focus, goal.asked, goal.named):
        assert share(everything) == pytest.approx(1.0)
        assert share(0) == 0.0
    assert goal.missing(everything) == ()
    assert goal.missing(0) == ("founder", "Quill", "Observatory", "born")


def test_a_class_that_is_sought_and_a_degree_say_little() -> None:
    found = weights("Which town is older, Tarnholm or Hask?")
    assert found["older"] < found["town"] < found["tarnholm"] / 2
    assert weights("older") == {"older": 1.0}


def test_of_how_heavy_a_line_that_answers_need_not_say_heavy() -> None:
    question = "How heavy is the lamp of Brell?"
    assert weights(question)["heavi"] < 0.05 < weights(question)["lamp"]
    weighed = ("Lamps", "The lamp weighs 12 kg.")
    assert weights(question, weighed)["heavi"] > 0.05


def test_a_rare_word_weighs_more() -> None:
    found = weights("Which mirror is in the lighthouse?", LENS, ("x", "A lighthouse."))
    assert found["mirror"] > found["lighthous"]


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("Where was the founder of Quill Observatory born?", True),
        ("Who is in the town of the mill of Brell?", True),
        ("Which town has lamps?", False),
        ("Where was Odile Varga born?", False),
        ("", False),
        ("What do lamps that burn oil cost?", False),
        ("Which lamps that are sold by shops that close early burn oil?", True),
    ],
)
def test_what_describes_one_thing_by_another_takes_hops(question: str, *, hops: bool) -> None:
    assert Goal(question, pool(*SHELF)).hops is hops


def test_the_clause_that_asks_counts_without_names_and_classes() -> None:
    goal = Goal("Which town did the founder of Quill Observatory like?", pool(*SHELF))
    liking, others = (
        goal.mask(frozenset(each)) for each in ({"like", "founder"}, {"town", "quill"})
    )
    assert goal.asked(liking) > 0.5
    assert goal.asked(others) == 0.0
    assert Goal("Odile Varga?", pool(*SHELF)).asked(0) == 0.5


def test_names_are_told_and_nothing_is_missing_where_there_are_none() -> None:
    goal = Goal(BORN, pool(*SHELF))
    assert [goal.names(term) for term in ("quill", "observatori", "born")] == [True, True, False]
    assert goal.named(goal.mask(frozenset({"quill"}))) == pytest.approx(0.5, abs=0.2)
    assert Goal("which lamps are lit?", pool(*SHELF)).named(0) == 1.0


def test_the_terms_of_an_item_go_before_those_of_the_question() -> None:
    goal = Goal(BORN, pool(*SHELF), ["lamp", "lamp", "quill"])
    assert goal.terms == ("lamp", "quill")
    assert goal.words == {"lamp": "lamp", "quill": "Quill"}
    assert Goal(BORN, pool(*SHELF), []).terms == ("founder", "quill", "observatori", "born")


def test_a_word_stands_for_one_that_is_asked_and_not_for_two() -> None:
    goal = Goal("Who owns the company?", pool(LENS))
    both = goal.mask(frozenset(goal.terms))
    assert goal.each(frozenset(goal.terms)) == both
    assert goal.each(frozenset({"compani"})) == goal.said(frozenset({"compani"})) != both
    assert goal.said(frozenset({"firm"})) == 0


@pytest.mark.parametrize(
    ("text", "faint"),
    [
        ("布雷尔 的 奶酪 很 成熟", {"尔奶", "酪成"}),
        ("布雷尔。奶酪。", {"尔奶"}),
        ("布雷尔奶酪成熟", set[str]()),
        ("布雷。", set[str]()),
        ("布雷。成熟。", set[str]()),
        ("布雷。奶酪。", {"雷尔", "尔奶"}),
    ],
)
def test_pairs_of_characters_across_words_are_not_looked_for(text: str, faint: set[str]) -> None:
    """Those between pairs that are there, up to two in a row."""
    with speaking(languages()["zh"]):
        found = weights("布雷尔奶酪成熟", ("x", text))
        least = min(found.values())
    assert {term for term, share in found.items() if share == least < 0.04} == faint


def test_pairs_of_letters_are_words_elsewhere() -> None:
    found = weights("ab bc cd", ("x", "ab and cd"))
    assert found["bc"] > found["ab"] > FAINT


def test_lines_are_covered_with_what_stands_over_them() -> None:
    text = "## Lamp\n\nIt is nine.\n\n## Boat\n\nIt is four of them.\n"
    read = pool(("Limits", text))
    search = Search(read, Goal("What are the limits of a lamp and a boat?", read))
    first, second = (line for line in read.lines if not line.heading)
    terms_of = search.goal.missing
    assert terms_of(search.mask(first)) == ("boat",)
    assert terms_of(search.over(second)) == terms_of(search.mask(second)) == ("lamp",)
    chain = search.chain(first)
    assert chain.own == chain.near == chain.covered < 1.0
    assert (chain.asked, chain.end) == (0.0, first)
    assert 0.0 < chain.focus == search.goal.focus(search.goal.mask(frozenset({"lamp"})))


def test_no_more_lines_lead_than_there_are_hops() -> None:
    steps = [
        ("Ada Finch", "Ada Finch was a friend of Bo Marsh."),
        ("Bo Marsh", "Bo Marsh had a mill and knew Cleo Hart."),
        ("Cleo Hart", "Cleo Hart sold a boat to Dora Wick."),
        ("Dora Wick", "Dora Wick painted a lamp."),
    ]
    read = pool(*steps)
    search = Search(read, Goal("Who had a mill, a boat, a lamp and a friend?", read))
    helpers = search.chain(read.lines_of[0][0]).helpers
    assert [line.owner for line in helpers] == [1, 2]
    assert search.chain(read.lines_of[0][0]).helpers == helpers
    assert search.chain(read.lines_of[3][0]).asked_before > 0.0


def test_a_line_that_adds_nothing_leads_nowhere() -> None:
    read = pool(("Ada Finch", "Ada Finch has a mill."), ("Bo", "Bo knew Ada Finch."))
    search = Search(read, Goal("Who has a mill?", read))
    assert search.chain(read.lines_of[0][0]).helpers == ()


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=4))
def test_shares_stay_between_none_and_all(question: str, texts: list[str]) -> None:
    read = pool(*((f"t{n}", text) for n, text in enumerate(texts)))
    for chain in Search(read, Goal(question, read)).chains():
        assert 0.0 <= chain.own <= chain.near + 1e-9
        assert chain.near <= chain.covered + 1e-9 <= 1.0 + 2e-9
        assert len(chain.helpers) <= MAX_HELPERS


def test_two_words_of_a_question_may_be_one_in_the_sources() -> None:
    goal = Goal("What does it fall back on?", pool(("Pump", "The tank is the fallback.")))
    both = goal.mask(frozenset({"fallback"}))
    assert both == goal.mask(frozenset({"fall"})) | goal.mask(frozenset({"back"}))
    assert not Goal("What does it fall back on?", pool(LENS)).mask(frozenset({"fallback"}))
