"""Who supports an item of the checklist, and who contradicts it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of
from tests.timing import cpu_s

from quaere.domain.evidence import Conflict, Contradiction, Difference, Evidence
from quaere.domain.question import Checklist, Item
from quaere.domain.source import Passage
from quaere.evidence.agreement import (
    Comparison,
    Requirement,
    Side,
    compare,
    completeness,
    differences,
    opposing,
    requirements,
)
from quaere.evidence.pool import add_passages
from quaere.evidence.statements import lines, statement
from quaere.text.tokens import stem, terms

QUESTION = "When was the Quill Observatory founded?"
TOPIC = "quill observatory"
SENTENCES = [
    "The Quill Observatory was founded in 1902.",
    "The Quill Observatory was founded in 1904.",
    "The Quill Observatory was not founded by a king.",
    "The Quill Observatory was founded by a king.",
    "The Quill Observatory has five domes.",
    "The Quill Observatory has six domes.",
    "It was founded in 1902 by Odile Varga.",
    "Hask sells wool.",
    "",
]


def between(one: str, other: str, topic: str = TOPIC) -> list[Difference]:
    a, b = statement(one, topic), statement(other, topic)
    return [what for what, _ in differences(a, b)] if a and b else []


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        (
            "The Quill Observatory was founded in 1902.",
            "Quill Observatory, on Mount Sorrel, was founded in 1904.",
            Difference.DATE,
        ),
        (
            "It was founded in 1902 by Odile Varga.",
            "Odile Varga founded the Quill Observatory in 1904.",
            Difference.DATE,
        ),
        (
            "The Quill Observatory has five domes.",
            "It has six domes and a library.",
            Difference.NUMBER,
        ),
        (
            "Its main mirror measures 90 centimetres.",
            "The main mirror of the Quill Observatory measures 120 cm.",
            Difference.NUMBER,
        ),
        (
            "The Quill Observatory was rebuilt after the great fire.",
            "The Quill Observatory was never rebuilt after the great fire.",
            Difference.NEGATION,
        ),
        (
            "The Quill Observatory is open to all visitors in winter.",
            "The Quill Observatory is closed to all visitors in winter.",
            Difference.OPPOSITE,
        ),
    ],
)
def test_statements_that_cannot_both_be_right(one: str, other: str, what: Difference) -> None:
    assert between(one, other) == [what]
    assert between(other, one) == [what]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # another subject, or one that is not clear
        ("The Quill Observatory has five domes.", "The Larch Observatory has six domes."),
        ("The school of Hask was founded in 1902.", "The school was founded in 1904."),
        ("Odile Varga was born in 1861.", "Her brother Karl was born in 1864."),
        ("She was born in 1861.", "Her sister was born in 1864."),
        # another unit, thing, year or event
        ("It has five domes.", "It has six telescopes."),
        ("Its mirror measures 90 cm.", "Its mirror measures 2 feet."),
        ("In 1950 it had 900 visitors.", "In 1960 it had 4,000 visitors."),
        ("It was founded in 1902.", "It was rebuilt in 1904."),
        ("It was visited by Odile Varga in 1902.", "It was visited by Odile Varga in 1904."),
        # what may well be the same
        ("It has 8,200 visitors.", "It has 8,150 visitors."),
        ("It has about 8,200 visitors.", "It has 6,000 visitors."),
        ("It was founded in 1902.", "It was founded on 3 May 1902."),
        ("It was founded in 1902.", "It was founded in the 1900s."),
        ("It was founded in 1902.", "It was founded about 1904."),
        ("It has five domes.", "It has five domes."),
        # denials of something else, and opposites of something else
        ("It was rebuilt after the great fire.", "It was not insured when the fire broke out."),
        ("It is open to visitors in winter.", "It is closed to cars since the great flood."),
        ("It is no longer open to visitors.", "It is open to visitors."),
    ],
)
def test_statements_that_do_not_contradict(one: str, other: str) -> None:
    assert between(one, other) == []
    assert between(other, one) == []


def test_opposites_count_only_between_sentences_that_share_three_words() -> None:
    one, other = "It is open in winter.", "It is closed in winter."
    assert between(one, other, topic="quill observatory") == [Difference.OPPOSITE]
    assert between(one, other, topic="hask") == []


@given(st.sampled_from(SENTENCES[:-1]), st.sampled_from(SENTENCES[:-1]))
def test_a_contradiction_is_mutual_and_nothing_contradicts_itself(one: str, other: str) -> None:
    assert between(one, other) == between(other, one)
    assert between(one, one) == []


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_sentences_can_be_compared(one: str, other: str) -> None:
    a, b = statement(one, TOPIC), statement(other, TOPIC)
    if a and b:
        assert [w for w, _ in differences(a, b)] == [w for w, _ in differences(b, a)]


# Of a pool


def pool_of(*texts: str, title: str = "Quill Observatory") -> list[Passage]:
    return [passage_of(title, text, f"https://s{n}.test/") for n, text in enumerate(texts)]


def compared(
    passages: list[Passage],
    items: tuple[Requirement, ...] = requirements(QUESTION, Checklist()),
    origin: dict[str, str] | None = None,
    credible: list[str] | None = None,
    told: list[Contradiction] | None = None,
) -> Comparison:
    evidence = add_passages((), passages, iteration=0)
    held = {passage.id: passage for passage in passages}
    origins = {key: (origin or {}).get(key, key) for key in held}
    return compare(
        evidence, held, origins, items, held if credible is None else credible, told or []
    )


def test_each_side_of_a_conflict_has_its_own_words() -> None:
    texts = (
        "It was founded in 1902 by Odile Varga.",
        "The Quill Observatory was founded in 1904.",
        "The observatory was founded in 1902, and Odile Varga paid for it.",
    )
    found = compared(pool_of(*texts)).conflicts
    assert {each.left for each in found} == {1, 3}, "the one of 1904 is on the right of both"
    for each in found:
        assert (each.left_says, each.right_says) == (texts[each.left - 1], texts[1])


def test_who_says_the_same_supports_and_who_says_otherwise_contradicts() -> None:
    found = compared(
        pool_of(
            "It was founded in 1902 by Odile Varga.",
            "The Quill Observatory was founded in 1904.",
            "The observatory was founded in 1902, and Odile Varga paid for it.",
        )
    )
    (agreement,) = found.agreements
    assert (agreement.supports, agreement.contradicts) == ((1, 3), (2,))
    assert agreement.origins == 2
    assert {(c.left, c.right, c.what) for c in found.conflicts} == {
        (1, 2, Difference.DATE),
        (3, 2, Difference.DATE),
    }
    assert found.conflicts[0].note == "“1902” against “1904”"
    assert found.others == {1: 1, 2: 0, 3: 1}
    assert found.against[2] > found.against[1] > 0


def test_a_page_that_says_one_thing_thousands_of_times_takes_linear_time() -> None:
    said = "The Quill Observatory was founded in 1902. " * 2_000
    denied = "The Quill Observatory was founded in 1904. " * 2_000
    passages = pool_of(said, denied)
    compared(passages)  # what sentences say is remembered
    assert cpu_s(lambda: compared(passages), enough_s=0.5) <= 0.5
    (conflict,) = compared(passages).conflicts
    assert conflict.what is Difference.DATE


def test_two_urls_of_one_origin_are_one_witness_and_never_contradict_each_other() -> None:
    passages = pool_of(
        "It was founded in 1902 by Odile Varga.", "Founded in 1902: Quill, Odile Varga's dream."
    )
    assert compared(passages).others == {1: 1, 2: 1}
    same = dict.fromkeys([passage.id for passage in passages], passages[0].id)
    found = compared(passages, origin=same)
    assert found.others == {1: 0, 2: 0}
    assert found.agreements[0].origins == 1
    opposed = pool_of(*SENTENCES[:2])
    same = dict.fromkeys([passage.id for passage in opposed], opposed[0].id)
    assert compared(opposed).conflicts != ()
    assert compared(opposed, origin=same).conflicts == ()


def test_what_the_question_says_already_corroborates_nothing() -> None:
    found = compared(
        pool_of("The Quill Observatory was founded by monks.", "Quill Observatory: how founded?")
    )
    assert set(found.others.values()) == {0}


def test_whom_nobody_believes_is_no_witness() -> None:
    passages = pool_of(
        "It was founded in 1902 by Odile Varga.",
        "The observatory was founded in 1902, and Odile Varga paid for it.",
        "The Quill Observatory was founded in 1904.",
    )
    found = compared(passages, credible=[passages[2].id])
    assert found.others == {1: 0, 2: 0, 3: 0}
    assert 3 not in found.against
    assert {(c.left, c.right) for c in found.conflicts} == {(3, 1), (3, 2)}


def test_each_item_has_its_own_voices() -> None:
    items = requirements(
        "Tell me of Quill",
        Checklist(
            items=(
                Item(id="founded", description="Founding", terms=("observatory", "founded")),
                Item(id="domes", description="Domes", terms=("observatory", "domes")),
            )
        ),
    )
    found = compared(pool_of(SENTENCES[0], SENTENCES[4], SENTENCES[5]), items)
    founded, domes = found.agreements
    assert (founded.item, founded.supports, founded.contradicts) == ("founded", (1,), ())
    assert (domes.item, domes.supports, domes.contradicts) == ("domes", (2,), (3,))
    assert {conflict.item for conflict in found.conflicts} == {"domes"}


@pytest.mark.parametrize(
    ("words", "supports"), [("king Odile Varga", ()), ("king 1902 Varga", (1,))]
)
def test_who_has_words_for_three_quarters_of_an_item_supports_it(
    words: str, supports: tuple[int, ...]
) -> None:
    item = Item(id="a", description="Founding", terms=("founded", "king", "1902", "wool"))
    wanted = requirements(QUESTION, Checklist(items=(item,)))
    (agreement,) = compared(pool_of(f"It was founded by {words}."), wanted).agreements
    assert agreement.supports == supports


def test_what_a_reasoner_has_ticked_supports_in_whatever_words() -> None:
    passages = pool_of("Nothing here has a word of it.", SENTENCES[0])
    item = Item(id="a", description="founded", evidence=(passages[0].id, "gone"))
    (agreement,) = compared(passages, requirements(QUESTION, Checklist(items=(item,)))).agreements
    assert agreement.supports == (1, 2)


def test_a_contradiction_that_a_reasoner_has_read_counts() -> None:
    found = compared(
        pool_of("It was founded by monks.", "Its founder was a queen.", "Hask sells wool."),
        told=[Contradiction(ids=(1, 2), what="the founder"), Contradiction(ids=(1, 99))],
    )
    assert found.conflicts == (
        Conflict(
            item="",
            left=1,
            right=2,
            what=Difference.JUDGED,
            note="the founder",
            left_says="It was founded by monks.",
            right_says="Its founder was a queen.",
        ),
    )
    assert found.agreements[0].contradicts == (2,)
    assert set(found.against) == {1, 2}


@given(st.lists(st.sampled_from(SENTENCES), max_size=7), st.randoms(use_true_random=False))
def test_the_order_of_evidence_makes_no_difference(texts: list[str], random: Random) -> None:
    passages = pool_of(*texts)
    held = {passage.id: passage for passage in passages}
    evidence = add_passages((), passages, iteration=0)
    origins = {key: key for key in held}
    items = requirements(QUESTION, Checklist())

    def of(some: list[Evidence]) -> Comparison:
        return compare(some, held, origins, items, held)

    found = of(list(evidence))
    assert found == of(random.sample(list(evidence), len(evidence)))
    for agreement in found.agreements:
        assert not set(agreement.supports) & set(agreement.contradicts)
    assert all(0 < share < 1 for share in found.against.values())


@given(st.lists(st.sampled_from(SENTENCES), max_size=6), st.sampled_from(SENTENCES))
def test_one_more_witness_never_takes_from_who_agrees(texts: list[str], more: str) -> None:
    fewer = compared(pool_of(*texts))
    others = compared(pool_of(*texts, more)).others
    assert all(others[key] >= count for key, count in fewer.others.items())


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("5", "6", True),
        ("19", "18", True),
        ("20", "19", False),
        ("100", "95", False),
        ("100", "94", True),
        ("4.1", "4", False),
        ("4.5", "4", True),
    ],
)
def test_small_counts_are_exact_and_others_may_be_rounded(
    one: str, other: str, *, differ: bool
) -> None:
    """Whole numbers below twenty; of others a twentieth is no difference."""
    said = "The main mirror of the Quill Observatory measures {} metres."
    found = between(said.format(one), said.format(other))
    assert found == ([Difference.NUMBER] if differ else [])
    assert between(said.format(other), said.format(one)) == found


def test_an_item_without_words_is_covered_by_nothing() -> None:
    (asked,) = requirements("the of and", Checklist())
    assert asked.share({"lamp"}) == 0.0
    assert completeness([], {"lamp"}) == 0.0
    both = requirements(
        "x",
        Checklist(
            items=(
                Item(id="a", description="lamp of Hask"),
                Item(id="b", description="x", terms=("mill", "oil")),
            )
        ),
    )
    assert [item.share({"lamp", "mill"}) for item in both] == [0.5, 0.5]
    assert completeness(both, {"lamp", "hask"}) == 0.5


@pytest.mark.parametrize(("named", "item"), [("b", "b"), ("a", "a"), ("", "b")])
def test_a_contradiction_is_under_the_item_that_is_named_else_the_nearest(
    named: str, item: str
) -> None:
    items = requirements(
        QUESTION,
        Checklist(items=(Item(id="a", description="wool"), Item(id="b", description="founded by"))),
    )
    told = Contradiction(ids=(1, 2), item=named)
    texts = ("It was founded by monks.", "It was founded by a queen.")
    (conflict,) = compared(pool_of(*texts), items, told=[told]).conflicts
    assert conflict.item == item
    assert (conflict.left_says, conflict.right_says) == texts


HOUSE = """FIRST_STAY  and  LAST_STAY
       give the range of days for guests of the house.
       Defaults to 1 - 29.

FIRST_LEASE  and  LAST_LEASE
       give the range of days for tenants of the house.
       Defaults to 30 - 99.

PETS   may stay as well. They pay 5.
"""
TOWN = "Houses usually let rooms to guests for a range of 1..30 days. Pets are welcome. Trams run."


def side(text: str) -> Side:
    return Side(text, lines("", text))


def test_a_figure_is_quoted_with_what_it_is_of() -> None:
    wanted = set(terms("longest range of days for guests"))
    left, right = opposing(side(HOUSE), side(TOWN), wanted, "the last day for guests, 29 or 30")
    assert "for guests of the house" in left
    assert left.endswith("Defaults to 1 - 29.")
    assert "tenants" not in left
    assert right.startswith("Houses usually")
    assert left in HOUSE
    assert right in TOWN


def test_without_a_figure_one_line_is_quoted() -> None:
    found = opposing(side(HOUSE), side(TOWN), set(terms("pets")), "whether pets may stay")
    assert found == ("PETS   may stay as well.", "Pets are welcome.")


def test_of_nothing_nothing_is_quoted() -> None:
    assert opposing(side(""), side(TOWN), set(), "the days") == ("", "")


BUILT = Item(id="built", description="When it was built", terms=("built", "bridge"))
ARCHES = Item(id="arches", description="The number of arches", evidence=("p1",))
STEMS = st.frozensets(st.sampled_from(terms("bridge built arches number stone Ford wool")))


def test_without_a_checklist_the_question_is_all_that_is_wanted() -> None:
    (whole,) = requirements("When was the bridge built?", Checklist())
    assert whole.id == ""
    assert whole.terms == {stem("bridge"), stem("built")}


def test_an_item_wants_its_terms_or_else_the_words_that_describe_it() -> None:
    built, arches = requirements("Tell me of the ford.", Checklist(items=(BUILT, ARCHES)))
    assert built.terms == {stem("built"), stem("bridge")}
    assert arches.terms == {stem("number"), stem("arches")}
    assert arches.ticked == ("p1",)


def test_what_question_or_item_say_already_tells_nothing_new() -> None:
    (built,) = requirements("Who owns Tressel Ford?", Checklist(items=(BUILT,)))
    assert not built.is_beyond("tressel ford")
    assert not built.is_beyond("bridge")
    assert built.is_beyond("mayor of tressel ford")
    assert built.is_beyond("1744")


def test_completeness_is_the_mean_share_of_the_items() -> None:
    items = requirements("", Checklist(items=(BUILT, ARCHES)))
    assert completeness(items, set(terms("The bridge was built."))) == pytest.approx(0.5)
    assert completeness(items, set(terms("bridge built: number of arches"))) == 1.0
    assert completeness((), {"bridge"}) == 0.0
    assert Requirement("", frozenset(), frozenset()).share({"bridge"}) == 0.0


@given(STEMS, STEMS)
def test_more_words_never_cover_less(some: frozenset[str], more: frozenset[str]) -> None:
    items = requirements("", Checklist(items=(BUILT, ARCHES)))
    assert 0 <= completeness(items, some) <= completeness(items, some | more) <= 1
