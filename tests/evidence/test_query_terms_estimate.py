from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.features import (
    BEYOND,
    SMOOTHING,
    Features,
    Rarity,
    estimated_share,
    features_of,
)

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
