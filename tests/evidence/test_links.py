"""Return the names that lead on from a passage, which is all there is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.timing import cpu_s

from quaere.evidence.features import Features, Rarity, features_of, query_terms
from quaere.evidence.links import (
    BACK_LINK,
    FAN_OUT,
    FIRST_SENTENCE,
    MENTION_LINK,
    MIN_RARITY,
    SHORT_TITLE_LINK,
    SIBLING_LINK,
    TELLING_SHARE,
    TITLE_LINK,
    Edge,
    Postings,
    leading_names,
    links,
    mentions,
    min_rarity,
)
from quaere.text.tokens import is_stop_word

COMMON = {"town", "north", "founded", "born"}


def share(word: str) -> float:
    return 0.2 if word in COMMON else 0.001


RARITY = Rarity(share)
ASKED = query_terms("Where was the founder of the Quill Observatory born?", RARITY)


def found(title: str, text: str, telling: float = MIN_RARITY) -> Mapping[str, Edge]:
    """Return the names that lead on from a passage, which is all there is."""
    passage = features_of(text, title, text)
    return leading_names(ASKED, passage, RARITY, telling, Postings({passage.id: passage}))


def pool(**texts: str) -> dict[str, Features]:
    """Return passages by id; ``_`` in an id ends its title."""
    return {
        key: features_of(key, key.partition("__")[0].replace("_", " ").title(), text)
        for key, text in texts.items()
    }


def linked(start: str, members: Mapping[str, Features]) -> Mapping[str, tuple[float, str]]:
    """Return where ``start`` leads to in the pool, with the strength and the name of each link."""
    postings = Postings(members)
    leads = leading_names(ASKED, members[start], RARITY, MIN_RARITY, postings)
    ways = links(members[start], leads, ASKED, postings)
    return {key: (link.strength, link.name) for key, link in ways.items()}


# Names that lead on


def test_a_name_that_neither_question_nor_title_holds_leads_on() -> None:
    text = "The Quill Observatory was founded by Odile Varga, and masons from Hask built it."
    assert set(found("Quill Observatory", text)) == {"odile varga", "hask"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Flax grew well. Varga sold flax.", {"varga"}),
        ("Flax grew well. Varga sold it.", {"flax", "varga"}),
        ("It rained. Slowly, a slow rain.", set[str]()),
        ("It rained. Nearby slept Varga.", {"varga"}),
        ("He came from Flax. It grew flax.", {"flax"}),
        ("Flax Varga sold flax to varga and left.", {"flax varga"}),
        ("Flax grew where flaxen hair did, and cflax.", {"flax"}),
    ],
)
def test_a_word_that_only_begins_a_sentence_leads_nowhere(text: str, names: set[str]) -> None:
    assert set(found("Leaf", text)) == names


def test_what_begins_a_sentence_is_common_if_any_passage_has_it_small() -> None:
    passage, other = (
        features_of("p", "Leaf", "Flax grew."),
        features_of("o", "Mill", "They spun flax."),
    )
    both = Postings({"p": passage, "o": other})
    assert set(leading_names(ASKED, passage, RARITY, MIN_RARITY, Postings({"p": passage}))) == {
        "flax"
    }
    assert leading_names(ASKED, passage, RARITY, MIN_RARITY, both) == {}


def test_a_word_that_begins_every_sentence_is_looked_for_once() -> None:
    passages = {str(key): features_of(str(key), "Leaf", "Flax grew. " * 40) for key in range(300)}
    postings = Postings(passages)
    names = [name for _ in range(2_000) for name in ("flax", "grew")]
    assert cpu_s(lambda: list(map(postings.is_common, names)), enough_s=0.2) <= 0.2


def test_a_name_of_common_words_leads_nowhere() -> None:
    assert found("Leaf", "The founder of the Quill Observatory came from North Town.") == {}


def test_the_nearer_to_the_question_s_words_the_better() -> None:
    text = "Varga was its founder. Slate is grey. Rain fell on Pryce for many days of that year."
    near, far = found("Leaf", f"It rained. {text}")["varga"], found("Leaf", text)["pryce"]
    assert near.nearness > far.nearness
    beside = "Rain. The founder Varga lived there with a cat, a dog, two ducks and old Pryce."
    names = found("Leaf", beside)
    assert names["varga"].nearness > names["pryce"].nearness > 0


def test_a_word_of_the_question_counts_half_at_a_distance_of_three() -> None:
    # Half of the nearness comes from the sentence, which is the same.
    nearness = {
        distance: found("Leaf", f"Rain. The founder {'of ' * (distance - 1)}Varga.")[
            "varga"
        ].nearness
        for distance in (3, 9)
    }
    assert nearness[3] / nearness[9] == pytest.approx((1 + 1 / 2) / (1 + 1 / 4))


def test_the_first_sentence_says_what_a_passage_is_about() -> None:
    first = found("Leaf", "Varga liked tea. It rained.")["varga"]
    later = found("Leaf", "It rained. Varga liked tea.")["varga"]
    assert first.nearness == FIRST_SENTENCE
    assert later.nearness == 0


def test_a_name_counts_by_its_best_place() -> None:
    once = found("Leaf", "It rained. Varga was the founder.")["varga"]
    twice = found("Leaf", "It rained. Varga was the founder. Tea was liked by Varga.")["varga"]
    assert twice.nearness == once.nearness


def test_words_of_the_same_relation_draw_near_too() -> None:
    related = found("Leaf", "It rained. It was established by Varga.")["varga"]
    other = found("Leaf", "It rained. It was painted by Varga.")["varga"]
    assert related.nearness > other.nearness == 0


def test_in_a_small_collection_the_rarest_names_lead_on() -> None:
    small = Rarity(lambda word: 0.5 if word == "hask" else 0.1)
    passage = features_of("p", "Leaf", "The founder Odile Varga came from Hask.")
    telling = min_rarity([passage], small)
    assert telling == pytest.approx(TELLING_SHARE * small.of("varga"))
    assert telling < MIN_RARITY
    leads = leading_names(ASKED, passage, small, telling, Postings({"p": passage}))
    assert set(leads) == {"odile varga"}


def test_in_a_large_collection_the_threshold_is_fixed() -> None:
    assert min_rarity([features_of("p", "Leaf", "Odile Varga came.")], RARITY) == MIN_RARITY
    assert min_rarity([], RARITY) == 0.0


# Where they lead


def test_a_name_that_is_a_title_is_the_strongest_link() -> None:
    members = pool(
        quill_observatory="Its founder was Odile Varga.",
        odile_varga="She was an astronomer.",
        letters="A letter to Odile Varga was found.",
    )
    ways = linked("quill_observatory", members)
    edge = found("Quill Observatory", "Its founder was Odile Varga.")["odile varga"]
    assert ways["odile_varga"] == (pytest.approx(TITLE_LINK * edge.nearness), "odile varga")
    mention = MENTION_LINK * edge.nearness * edge.rarity
    assert ways["letters"] == (pytest.approx(mention), "odile varga")
    assert ways["odile_varga"][0] > ways["letters"][0]


def test_a_name_that_is_a_title_up_to_its_comma_links_half_as_strongly() -> None:
    named = features_of("a", "Leaf", "The founder came from Dunmere.")
    town = features_of("b", "Dunmere, Maren", "A harbour.")
    edge = found("Leaf", "The founder came from Dunmere.")["dunmere"]
    ways = links(named, {"dunmere": edge}, ASKED, Postings({"a": named, "b": town}))
    assert ways["b"].strength == pytest.approx(SHORT_TITLE_LINK * edge.nearness)


def test_the_more_passages_mention_a_name_the_weaker_each_link() -> None:
    few = pool(start="Its founder was Odile Varga.", one="Odile Varga slept.")
    many = few | pool(two="Odile Varga rode.", three="Odile Varga sang.", four="Odile Varga sat.")
    weak, strong = linked("start", many)["one"][0], linked("start", few)["one"][0]
    assert weak == pytest.approx(strong / 4**FAN_OUT)


@pytest.mark.parametrize("stronger", [Edge(0.8, 0.5), Edge(0.4, 1.0)], ids=["nearer", "rarer"])
def test_a_nearer_or_rarer_name_is_a_stronger_link(stronger: Edge) -> None:
    start = features_of("a", "Leaf", "The founder was Odile Varga.")
    members = {"a": start, "b": features_of("b", "Letters", "Odile Varga wrote.")}
    weak, strong = (
        links(start, {"odile varga": edge}, ASKED, Postings(members))["b"].strength
        for edge in (Edge(0.4, 0.5), stronger)
    )
    assert strong == pytest.approx(2 * weak)


def test_a_passage_leads_back_to_those_that_mention_its_title() -> None:
    members = pool(odile_varga="She was an astronomer.", letters="A letter to Odile Varga.")
    assert linked("odile_varga", members) == {"letters": (BACK_LINK, "odile varga")}


def test_a_title_that_the_question_names_leads_back_to_nothing() -> None:
    members = pool(quill_observatory="A dome.", letters="Sent from the Quill Observatory.")
    assert linked("quill_observatory", members) == {}


def test_passages_of_one_page_are_siblings() -> None:
    members = pool(dunmere__1="A harbour.", dunmere__2="Herring was salted.")
    assert linked("dunmere__1", members) == {"dunmere__2": (SIBLING_LINK, "dunmere")}
    assert SIBLING_LINK < MENTION_LINK < TITLE_LINK


def test_only_whole_names_are_found() -> None:
    members = pool(a="Dunmere burnt.", b="Dunmereville stands.", c="Great Dunmere.")
    assert [p.id for p in Postings(members).holding("dunmere")] == ["a", "c"]
    assert list(Postings(members).holding("great dunmere ville")) == []
    assert list(Postings(members).holding("")) == []
    assert list(Postings({}).holding("dunmere")) == []


def test_a_passage_never_leads_to_itself() -> None:
    members = pool(odile_varga="Odile Varga met Odile Varga in Dunmere. Dunmere is old.")
    assert linked("odile_varga", members) == {}


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("It was founded by Odile Varga.", ["odile varga"]),
        ("The University of Hask is old.", ["university of hask", "university", "hask"]),
        ("She came from Dunmere, Maren, by ship.", ["dunmere", "maren", "dunmere maren"]),
        ("They sang “the slate song” all night.", ["slate song"]),
        ("On Monday the bridge fell.", []),
        ("In May 1902 Varga left.", ["varga"]),
        ("On Jan. 3 and Sept. 4 she was in Ely.", ["ely"]),
        ("In the 1970s, 3.5 and then 6,400 of the 19th came.", []),
        ("He flew Boeing 747s.", ["boeing 747s"]),
        ("Conclusion: Varga was first.", ["varga"]),
        ("Hask, Results: Maren.", ["hask", "maren"]),
        ("Lamp Oil: Varga sold it.", ["lamp oil", "varga"]),
        ("Then Al\u00adma Orrin came.", ["alma orrin"]),
        ("They joined the Company of 12 there.", ["company"]),
        ("They sailed on Hask 5 there.", ["hask 5"]),
        ("Then E\u0301mile came.", ["émile"]),
        ("nothing here has a capital", []),
        ("", []),
    ],
)
def test_every_spelling_of_what_may_be_named_is_given(sentence: str, named: list[str]) -> None:
    assert sorted(mentions(sentence)) == sorted(named)


def test_small_words_join_a_name_and_never_end_it() -> None:
    assert "lamp of the north" in mentions("He lit the Lamp of the North and left.")
    assert not any(name.split()[-1] in {"of", "the"} for name in mentions("The Lamp of the sea."))


@given(st.text(max_size=200))
def test_any_sentence_can_be_read(sentence: str) -> None:
    found = mentions(sentence)
    assert len(set(found)) == len(found)
    for name in found:
        assert name.split() == name.split(" ")
        assert len(name) > 2
        assert not all(is_stop_word(word) or word.isdigit() for word in name.split())
    assert found == mentions(sentence)


def test_a_long_sentence_is_read_in_no_time() -> None:
    assert mentions("Hask and " * 5_000)
