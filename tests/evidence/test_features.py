"""What passages and questions are scored by."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.features import (
    BEYOND,
    COMMONEST,
    RAREST,
    RELATED_WEIGHT,
    SMOOTHING,
    TITLE_REPEATS,
    Features,
    Rarity,
    estimated_share,
    features_of,
    phrase,
    query_terms,
    title_forms,
)
from quaere.evidence.links import names_by_sentence
from quaere.text.tokens import stem


@pytest.mark.parametrize(
    ("title", "full", "base", "short"),
    [
        ("Hask", "hask", "hask", "hask"),
        ("Mercury (planet)", "mercury planet", "mercury", "mercury"),
        ("Hask, Maren", "hask maren", "hask maren", "hask"),
        ("Hask, Maren (town)", "hask maren town", "hask maren", "hask"),
        ("(untitled)", "untitled", "untitled", "untitled"),
        ("The Slate, the Flax, the Rye", "the slate the flax the rye", "", "the slate"),
        ("", "", "", ""),
        ("?!", "", "", ""),
        (", and", "and", "and", "and"),
        ("Ōdile Värga", "ōdile värga", "ōdile värga", "ōdile värga"),
    ],
)
def test_a_title_may_be_named_in_three_ways(title: str, full: str, base: str, short: str) -> None:
    forms = title_forms(title)
    assert (forms.full, forms.base, forms.short) == (full, base or full, short)
    assert forms.exact == (forms.full, forms.base)


def test_a_word_of_the_title_counts_three_times() -> None:
    passage = features_of("p", "Slate", "Slate is grey. Flax is not.")
    assert passage.counts["slate"] == TITLE_REPEATS + 1
    assert passage.counts["flax"] == 1
    assert passage.length == sum(passage.counts.values())


def test_title_and_text_are_one_phrase_without_running_into_each_other() -> None:
    passage = features_of("p", "Mount", "Sorrel is red.")
    assert " mount " in passage.phrase
    assert " sorrel is red " in passage.phrase
    assert " mount sorrel " not in passage.phrase
    assert passage.vocabulary == {"mount", "sorrel", "is", "red"}


def test_sentences_are_kept_apart() -> None:
    passage = features_of("p", "Hask", "Hask sells wool. The bridge is old.")
    assert passage.sentences == (("hask", "sells", "wool"), ("the", "bridge", "is", "old"))


def test_names_are_told_sentence_by_sentence() -> None:
    text = "It was founded by Odile Varga. The masons came from Hask, Maren."
    first, second = names_by_sentence(text)
    assert "odile varga" in first
    assert {"hask", "maren"} <= set(" ".join(second).split())
    assert "hask maren" in second


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_passage_can_be_prepared(title: str, text: str) -> None:
    passage = features_of("p", title, text)
    assert passage.length == sum(passage.counts.values()) >= 0
    assert len(names_by_sentence(text)) == len(passage.sentences)
    assert {stem(word) for word in passage.vocabulary} == set(passage.counts)


def rarity(**shares: float) -> Rarity:
    return Rarity(lambda word: shares.get(word, 0.0))


@pytest.mark.parametrize(
    ("share", "weight"),
    [
        (1.0, -math.log(COMMONEST)),
        (0.5, math.log(2)),
        (0.01, math.log(100)),
        (0.0, math.log(1 / RAREST)),
    ],
)
def test_a_word_weighs_by_the_passages_that_hold_it(share: float, weight: float) -> None:
    assert rarity(slate=share).of("slate") == pytest.approx(weight)


@given(st.floats(), st.floats())
def test_rarity_falls_with_the_share_and_is_always_a_figure(one: float, other: float) -> None:
    first, second = Rarity(lambda _: one).of("w"), Rarity(lambda _: other).of("w")
    assert 0 < first < 9.3
    if one <= other:
        assert first >= second


def test_a_provider_is_asked_once_a_word() -> None:
    asked: Counter[str] = Counter()

    def share(word: str) -> float:
        asked[word] += 1
        return 0.1

    known = Rarity(share)
    assert [known.of("slate") for _ in range(3)] == [known.of("slate")] * 3
    assert asked == {"slate": 1}


def test_stop_words_weigh_nothing_in_a_sum() -> None:
    known = rarity(slate=0.5, flax=0.5)
    assert known.of_all(["the", "slate", "of", "flax"]) == pytest.approx(2 * math.log(2))
    assert known.of_all([]) == 0.0


def test_a_question_is_its_terms_with_their_weights() -> None:
    asked = query_terms(
        "Where was the founder of Hask born?", rarity(founder=0.01, hask=0.1, born=0.5)
    )
    assert asked.weights == {
        stem("founder"): pytest.approx(math.log(100)),
        "hask": pytest.approx(math.log(10)),
        "born": pytest.approx(math.log(2)),
    }
    assert asked.total == pytest.approx(sum(asked.weights.values()))
    assert asked.phrase == " where was the founder of hask born "
    assert asked.words[stem("founder")] == "founder"


def test_words_of_the_same_relation_weigh_half() -> None:
    asked = query_terms("Who is the wife of Pryce?", rarity(wife=0.01, pryce=0.01))
    assert asked.related[stem("married")] == pytest.approx(RELATED_WEIGHT * math.log(100))
    assert not asked.related.keys() & asked.weights.keys()
    common = query_terms("Who is the wife of Pryce?", rarity(wife=0.4, pryce=0.01))
    assert common.related[stem("married")] == pytest.approx(RELATED_WEIGHT * math.log(1 / 0.4))
    twice = query_terms("Who is the wife or the spouse?", rarity(wife=0.4, spouse=0.01))
    assert twice.related[stem("married")] == pytest.approx(RELATED_WEIGHT * math.log(100))


def test_a_word_asked_for_itself_is_not_counted_as_related() -> None:
    asked = query_terms("Was his wife married before?", rarity())
    assert stem("married") in asked.weights
    assert stem("married") not in asked.related


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text: str) -> None:
    asked = query_terms(text, rarity())
    assert asked.total > 0
    assert set(asked.words) == set(asked.weights)
    assert list(asked.weights) == sorted(asked.weights)


def test_whole_words_can_be_looked_for_in_a_phrase() -> None:
    assert " hask " in phrase(["the", "hask", "mills"])
    assert " ask " not in phrase(["the", "hask", "mills"])
    assert phrase([]) == "  "


WORDS = ["slate", "flax", "rye", "mill", "mills", "Hask", "Varga"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
POOLS = st.lists(TEXTS, max_size=40).map(lambda texts: pool(*texts))


def pool(*texts: str) -> list[Features]:
    """Return passages without titles."""
    return [features_of(f"{number}", "", text) for number, text in enumerate(texts)]


def filled(*texts: str) -> list[Features]:
    """Return as many passages as a search brings, the others about nothing that is asked."""
    return pool(*texts, *["quindle"] * (40 - len(texts)))


def test_the_more_passages_hold_a_word_the_commoner_it_is() -> None:
    rarity = Rarity(estimated_share("", filled("slate flax", "slate flax", "slate rye")))
    assert rarity.of("flour") > rarity.of("rye") > rarity.of("flax") > rarity.of("slate") > 0


def test_a_word_counts_in_all_its_forms_and_once_a_passage() -> None:
    share = estimated_share("", filled("one mill", "mills and mills", "slate slate", "slate"))
    assert share("mill") == share("mills") == share("slate")


def test_what_nearly_every_passage_holds_because_it_was_asked_for_is_no_rarer_for_it() -> None:
    asked = estimated_share("which mills are old", filled(*["mills by the slate"] * 20))
    assert asked("mills") == 0.5 + SMOOTHING
    assert asked("slate") == asked("mills") / BEYOND


def test_a_name_in_the_question_stays_rare() -> None:
    share = estimated_share("Which mills are in Hask?", filled(*["mills in Hask"] * 20))
    assert share("hask") == share("mills") / BEYOND


def test_a_handful_of_passages_is_taken_for_nearly_all_there_is() -> None:
    few, many = pool("slate"), pool(*["slate"] * 40)
    assert estimated_share("", few)("slate") > estimated_share("", many)("slate")
    assert estimated_share("", few)("slate") == 1 + SMOOTHING


def test_what_one_of_many_passages_holds_is_far_rarer_than_what_all_hold() -> None:
    share = estimated_share("", pool("slate flax", *["slate"] * 39))
    assert share("flax") < share("slate") / 10


def test_a_title_is_said_once_however_many_passages_stand_under_it() -> None:
    rest = ["quindle"] * 20
    page = [features_of(f"{n}", "Slate of Hask", "flax") for n in range(19)]
    once = [*page, features_of("said", "Slate of Hask", "slate"), *pool(*rest)]
    share = estimated_share("slate", once)
    assert share("slate") == 1 / 40 + SMOOTHING
    assert estimated_share("slate", [*page, *pool(*rest)])("slate") == 1 / 39 + SMOOTHING
    assert share("flax") == (19 / 40 + SMOOTHING) / BEYOND


@given(st.sampled_from(["", "Who sold flax in Hask?", "rye mills"]), POOLS, st.sampled_from(WORDS))
def test_every_word_has_a_share_of_some_size(question: str, found: list[Features], of: str) -> None:
    share = estimated_share(question, found)(of)
    assert SMOOTHING / BEYOND <= share <= 1 + SMOOTHING
    assert 0 < Rarity(lambda _: share).of(of) < 10


@given(POOLS, st.randoms(use_true_random=False))
def test_the_order_of_the_pool_does_not_matter(found: list[Features], random: Random) -> None:
    shuffled = random.sample(found, len(found))
    shares = [estimated_share("Varga's flax", each) for each in (found, shuffled)]
    assert [shares[0](word) for word in WORDS] == [shares[1](word) for word in WORDS]
