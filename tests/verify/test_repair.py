from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.verify.samples import (
    ANYTHING,
    BRIDGE,
    FERRY,
    SPOOFS,
    TOWN,
    entry,
    passage,
    quote,
    sentence,
)

from quaere.domain.report import (
    BEYOND_LENGTH,
    WORDING_DIFFERS,
    CheckedBy,
    Quote,
    Sentence,
    Support,
)
from quaere.verify.quotes import is_verbatim
from quaere.verify.repair import (
    DOUBTED,
    REASONS,
    Fate,
    Outcome,
    counted,
    none_holds,
    pool_of,
    verify_sentence,
)
from quaere.verify.support import FLOOR, in_doubt

HERE = passage(BRIDGE, title="Orrin Bridge", start=40)
THERE = passage(TOWN, title="Velling")
RIVER = passage(FERRY, title="Ferries of the Orrin")
POOL = {1: HERE, 2: THERE, 3: RIVER}


def passed(outcome: Outcome) -> Sentence:
    assert outcome.sentence is not None
    assert outcome.sentence.support.holds
    assert outcome.sentence.by is CheckedBy.WORDS
    assert outcome.sentence.reason in REASONS.values()
    return outcome.sentence


def shown(outcomes: Sequence[Outcome]) -> list[Sentence]:
    return [outcome.sentence for outcome in outcomes if outcome.sentence]


def test_r0_9_a_supported_sentence_stays_as_it_is() -> None:
    written = sentence("The bridge spans 312 metres.", 1, quotes=(quote(HERE, "312 metres"),))
    outcome = verify_sentence(written, POOL)
    assert (outcome.fate, outcome.objection) == (Fate.SUPPORTED, "")
    shown = passed(outcome)
    assert shown.probability is not None
    assert shown.probability > 0.7
    unchecked = {"support": written.support, "by": None, "reason": "", "probability": None}
    assert shown.model_copy(update=unchecked) == written


def test_r0_9_a_made_up_id_is_taken_out() -> None:
    written = sentence("The bridge spans 312 metres.", 99, 1, quotes=(quote(HERE, "312 metres"),))
    outcome = verify_sentence(written, POOL)
    assert outcome.fate is Fate.REPAIRED
    assert outcome.objection == "cites evidence that does not exist: 99"
    assert passed(outcome).evidence == (1,)


def test_a_sentence_that_cites_only_made_up_ids_is_cited_anew() -> None:
    outcome = verify_sentence(sentence("Velling has 18,450 inhabitants.", 99), POOL)
    kept = passed(outcome)
    assert (outcome.fate, kept.evidence) == (Fate.REPAIRED, (2,))
    assert [q.text for q in kept.quotes] == ["Velling has 18,450 inhabitants."]
    assert is_verbatim(kept.quotes[0], THERE)


LEVEE = "https://valley.example/levee"
TELLING = "The Levee of Orn lies in Tarn Vale"
CLAUSE = passage(f"{TELLING}, as it has since 1801.", title="Levee of Orn", url=LEVEE)
NEXT = passage(f"{TELLING}. It is open all year.", title="Levee of Orn", url=LEVEE)


def test_a_sentence_cites_the_passage_of_its_page_that_has_it_word_for_word() -> None:
    outcome = verify_sentence(sentence(f"{TELLING}.", 1), {1: CLAUSE, 2: NEXT})
    kept = passed(outcome)
    assert (kept.evidence, kept.support) == ((2,), Support.QUOTED)
    assert outcome.claim is None, "nothing is left for a model to judge"
    assert [q.text for q in kept.quotes] == [f"{TELLING}."]


def test_the_same_words_on_another_page_may_be_of_something_else() -> None:
    elsewhere = passage(NEXT.text, title="A walk", url="https://valley.example/walk")
    outcome = verify_sentence(sentence(f"{TELLING}.", 1), {1: CLAUSE, 2: elsewhere})
    assert passed(outcome).evidence == (1,)
    assert outcome.claim is not None


MILL = passage(
    "Ilva Sandt studied in Korl. Her brother Piet kept the mill of Tarn Hollow.", title="A"
)
BIRTH = passage("Ilva Sandt was born in Tarn Hollow, a village in the north.", title="B")


def test_a_source_that_leaves_doubt_gives_way_to_one_that_leaves_none() -> None:
    said = "She was born in Tarn Hollow."
    alone = verify_sentence(sentence(said, 1), {1: MILL})
    assert passed(alone).evidence == (1,)
    assert alone.finding is not None
    assert in_doubt(alone.finding)
    outcome = verify_sentence(sentence(said, 1), {1: MILL, 2: BIRTH})
    assert (outcome.fate, outcome.objection) == (Fate.REPAIRED, DOUBTED)
    kept = passed(outcome)
    assert kept.evidence == (2,)
    assert [q.passage for q in kept.quotes] == [BIRTH.id]
    assert verify_sentence(kept, {1: MILL, 2: BIRTH}).sentence == kept


def test_a_source_that_leaves_no_doubt_keeps_its_citation() -> None:
    outcome = verify_sentence(
        sentence("Ilva Sandt was born in Tarn Hollow.", 1), {1: BIRTH, 2: BIRTH}
    )
    assert (outcome.fate, passed(outcome).evidence) == (Fate.SUPPORTED, (1,))


def test_a_sentence_without_quotes_is_given_the_place_that_holds_it() -> None:
    outcome = verify_sentence(sentence("The ferry sank in the storm of 1888.", 3), POOL)
    # Writers give ids alone; to look up the quotes is no repair.
    assert (outcome.fate, outcome.objection) == (Fate.SUPPORTED, "")
    assert passed(outcome).quotes == (quote(RIVER, FERRY[FERRY.index("The ferry") :]),)


def test_a_quote_with_a_wrong_offset_is_put_right() -> None:
    found = quote(HERE, "It spans 312 metres")
    adrift = found.model_copy(update={"start": 3, "end": 22})
    outcome = verify_sentence(sentence("It spans 312 metres.", 1, quotes=(adrift,)), POOL)
    assert outcome.fate is Fate.REPAIRED
    assert passed(outcome).quotes == (found,)


def test_an_invented_quote_is_replaced_by_a_real_one() -> None:
    invented = Quote(passage=HERE.id, text="it spans a full 900 metres", start=40, end=66)
    outcome = verify_sentence(sentence("It spans 312 metres.", 1, quotes=(invented,)), POOL)
    kept = passed(outcome)
    assert all(is_verbatim(q, HERE) for q in kept.quotes)
    assert invented not in kept.quotes


def test_a_sentence_under_the_wrong_source_is_cited_anew() -> None:
    wrong = sentence("The market was founded by Duke Arno.", 1, quotes=(quote(HERE, "Maude"),))
    outcome = verify_sentence(wrong, POOL)
    assert outcome.fate is Fate.REPAIRED
    assert passed(outcome).evidence == (2,)


def test_a_figure_is_not_borrowed_from_a_second_source() -> None:
    outcome = verify_sentence(sentence("The Orrin Bridge was opened on 4 May 1888.", 1), POOL)
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None
    assert outcome.sentence.reason == (
        "not in its sources: 4 May 1888; its source has another figure there"
    )
    assert outcome.sentence.support is Support.CONTRADICTED


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("The bridge of Maude Tellin spans 312 metres and cost 2.4 million crowns.", 3),
        ("The bridge of Maude Tellin spans 312 metres and cost 2.4 million crowns.", 2),
    ],
)
def test_a_citation_that_adds_little_or_nothing_is_taken_out(text: str, idle: int) -> None:
    assert passed(verify_sentence(sentence(text, 1, idle), POOL)).evidence == (1,)


def test_a_new_citation_has_to_hold_more_than_a_given_one() -> None:
    said = "Its market was founded by Duke Arno near an old gate."
    assert verify_sentence(sentence(said, 2), POOL).fate is Fate.SUPPORTED
    assert verify_sentence(sentence(said, 99), POOL).fate is Fate.DROPPED


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (
            "The Orrin Bridge (rebuilt in 1955) spans 312 metres.",
            "The Orrin Bridge spans 312 metres.",
        ),
        (
            "The Orrin Bridge (opened in 1891) spans 312 metres (rebuilt in 1955).",
            "The Orrin Bridge (opened in 1891) spans 312 metres.",
        ),
        (
            "The Orrin Bridge spans 312 metres, which made Pieter Vance famous.",
            "The Orrin Bridge spans 312 metres.",
        ),
    ],
)
def test_what_only_adds_and_is_in_no_source_is_cut_off(written: str, left: str) -> None:
    outcome = verify_sentence(sentence(written, 1), POOL)
    assert outcome.fate is Fate.REPAIRED
    assert passed(outcome).text == left


def test_what_a_sentence_hangs_on_is_not_cut_off() -> None:
    written = "The Orrin Bridge, which spans 312 metres, was torn down in 1955."
    assert verify_sentence(sentence(written, 1), POOL).fate is Fate.MARKED


def test_markers_typed_into_a_sentence_are_taken_out_but_not_those_of_the_source() -> None:
    outcome = verify_sentence(sentence("The bridge spans 312 metres [1][99].", 1), POOL)
    assert passed(outcome).text == "The bridge spans 312 metres."
    nested = verify_sentence(sentence("The bridge spans 312 metres [[1]2].", 1), POOL)
    assert passed(nested).text == "The bridge spans 312 metres."
    noted = passage("The bridge spans 312 metres.[4]")
    kept = verify_sentence(sentence("The bridge spans 312 metres.[4]", 1), {1: noted})
    assert passed(kept).text == "The bridge spans 312 metres.[4]"


def test_words_alone_mark_a_contradiction_and_drop_none() -> None:
    outcome = verify_sentence(
        sentence("Heavy carts were allowed on the bridge before 1903.", 1), {1: HERE}
    )
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None
    assert outcome.sentence.support is Support.CONTRADICTED
    assert outcome.sentence.reason == "affirms what its source denies"


@pytest.mark.parametrize("denied", ["Workers never renew a lease.", "Workers renew no lease."])
def test_what_its_own_passage_contradicts_is_not_moved_to_another_r0_9(denied: str) -> None:
    own = passage("Workers renew a lease every ten seconds while they are at work.")
    other = passage("Readers never renew a lease. Workers renew no lease of theirs either.")
    outcome = verify_sentence(sentence(denied, 1), {1: own, 2: other})
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None
    assert outcome.sentence.evidence == (1,)
    assert not outcome.sentence.support.holds


@pytest.mark.parametrize("ids", [(), (1,), (99,)])
def test_what_no_source_speaks_of_is_dropped(ids: tuple[int, ...]) -> None:
    outcome = verify_sentence(sentence("Pieter Vance sang at the opera in Lund.", *ids), POOL)
    assert (outcome.fate, outcome.sentence) == (Fate.DROPPED, None)
    assert outcome.objection
    assert outcome.dropped is not None
    assert (outcome.dropped.evidence, outcome.dropped.quotes) == ((), ())
    assert outcome.dropped.reason == outcome.objection


def test_what_goes_beyond_the_length_is_listed_apart_and_asked_of_nobody() -> None:
    left_out = Sentence(text="The bridge spans 312 metres.", reason=BEYOND_LENGTH)
    outcome = verify_sentence(left_out, POOL)
    assert (outcome.fate, outcome.sentence, outcome.claim) == (Fate.DROPPED, None, None)
    assert outcome.dropped is not None
    assert outcome.dropped.support is Support.NOT_JUDGED
    assert outcome.dropped.reason == BEYOND_LENGTH


def test_nothing_is_dropped_for_few_words_in_common_alone() -> None:
    said = "Whoever drove a heavy waggon had to find another way over the water."
    outcome = verify_sentence(sentence(said, 1), POOL)
    assert outcome.claim is not None
    assert outcome.claim.finding.share < FLOOR
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None
    assert (outcome.sentence.text, outcome.sentence.evidence) == (said, (1,))
    assert outcome.sentence.reason == WORDING_DIFFERS


def test_a_sentence_in_another_language_is_marked_and_keeps_its_citation() -> None:
    said = "Die Fähre ist in einem Sturm gesunken und niemand war auf ihr zu der Zeit."
    outcome = verify_sentence(sentence(said, 3), POOL)
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None
    assert outcome.sentence.evidence == (3,)
    assert outcome.sentence.reason == "is in another language than what it cites"


def test_a_sentence_about_the_run_is_no_claim_but_a_claim_cannot_pass_as_one() -> None:
    about = sentence("The sources do not say who paid.", support=Support.NOT_A_CLAIM)
    assert verify_sentence(about, POOL).fate is Fate.NO_CLAIM
    for text in ("Vance paid for it.", "The sources say it cost 9 million."):
        claim = sentence(text, support=Support.NOT_A_CLAIM)
        assert verify_sentence(claim, POOL).fate is Fate.DROPPED


def test_r0_9_every_claim_written_is_counted_once() -> None:
    written = [
        sentence("It spans 312 metres.", 1, quotes=(quote(HERE, "312 metres"),)),
        sentence("Velling has 18,450 inhabitants.", 1),
        sentence("The Orrin Bridge was opened on 4 May 1888.", 1),
        sentence("Pieter Vance sang at the opera in Lund.", 1),
        sentence("The sources do not say who paid.", support=Support.NOT_A_CLAIM),
    ]
    outcomes = [verify_sentence(each, {1: HERE, 2: THERE}) for each in written]
    checks = counted(outcomes)
    assert (checks.written, checks.supported, checks.repaired) == (4, 1, 1)
    assert (checks.marked, checks.dropped) == (1, 1)
    assert len(shown(outcomes)) == 4


def test_evidence_whose_passage_is_lost_is_not_in_the_pool() -> None:
    assert pool_of([entry(1, HERE), entry(2, THERE)], [THERE]) == {2: THERE}


TEXTS = st.sampled_from(
    [
        "The Orrin Bridge spans 312 metres.",
        "The Orrin Bridge spans 313 metres (9 more than planned) [2].",
        "A ferry sank in the storm of 1888, and nobody drowned.",
        "No ferry sank.",
        "Velling has 18,450 inhabitants and the bridge spans 312 metres.",
        "Heavy carts were allowed on it before 1903.",
        "",
    ]
)


def _claimed(held: str, text: str, start: int) -> Quote:
    return Quote(passage=held, text=text, start=start, end=start + len(text))


QUOTES = st.builds(
    _claimed,
    st.sampled_from([HERE.id, THERE.id, "made-up"]),
    st.sampled_from(["312 metres", "Velling has", "the salt  mines", "[3]", ""]) | ANYTHING,
    st.integers(0, 200),
)
SENTENCES = st.builds(
    Sentence,
    text=TEXTS | ANYTHING | SPOOFS,
    evidence=st.lists(st.integers(-1, 5), max_size=3).map(tuple),
    quotes=st.lists(QUOTES, max_size=2).map(tuple),
    support=st.sampled_from(Support),
)


@settings(deadline=None)
@given(st.lists(SENTENCES, max_size=3), ANYTHING | SPOOFS)
def test_r0_9_verification_is_idempotent_and_leaves_only_what_can_be_checked(
    written: list[Sentence], text: str
) -> None:
    odd = passage(text, title=text)
    held = {1: HERE, 2: THERE, 3: RIVER, 4: odd}
    outcomes = [verify_sentence(each, held) for each in written]
    for kept in shown(outcomes):
        assert verify_sentence(kept, held).sentence == kept
        assert set(kept.evidence) <= set(held)
        cited = {held[number].id for number in kept.evidence}
        assert {q.passage for q in kept.quotes} == cited
        assert all(any(is_verbatim(q, p) for p in held.values()) for q in kept.quotes)
        assert kept.evidence or kept.support is Support.NOT_A_CLAIM
    checks = counted(outcomes)
    assert checks.written == (checks.supported + checks.repaired + checks.marked + checks.dropped)


def test_what_has_a_little_of_one_source_and_a_little_of_another_is_judged_the_same_again() -> None:
    odd = passage("EVIL:EXAMPL", title="EVIL:EXAMPL")
    held = {1: HERE, 4: odd}
    written = sentence("00:0:1:2:4:EVIL:EXAMPL", 1, 4)
    for kept in shown([verify_sentence(written, held)]):
        assert verify_sentence(kept, held).sentence == kept


@settings(deadline=None)
@given(SENTENCES, st.permutations([(1, HERE), (2, THERE), (3, RIVER)]))
def test_the_order_of_the_pool_does_not_matter(
    written: Sentence, order: list[tuple[int, object]]
) -> None:
    pool = {number: POOL[number] for number, _ in order}
    assert verify_sentence(written, pool) == verify_sentence(written, POOL)


TRUE = sentence("The bridge spans 312 metres.", 1)
FALSE = sentence("The bridge spans 999 metres.", 1)
GERMAN = sentence("Die Brücke wurde von einer Ingenieurin am Fluss gebaut und ist sehr lang.", 1)
OF_THE_RUN = sentence("The search ended early.", support=Support.NOT_A_CLAIM)


@pytest.mark.parametrize(
    ("written", "none"),
    [
        ([], False),
        ([OF_THE_RUN], False),
        ([TRUE, FALSE], False),
        ([FALSE], True),
        ([sentence("Nobody cites this."), FALSE, OF_THE_RUN], True),
        ([FALSE, GERMAN], False),
    ],
)
def test_an_answer_of_which_nothing_holds_is_told_from_one_in_another_language(
    written: list[Sentence], none: bool
) -> None:
    assert none_holds(verify_sentence(each, POOL) for each in written) is none


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("There were no deaths.", "Nobody died when the mill burned down."),
        ("Building took 35 years.", "The castle was put up between 1210 and 1245."),
    ],
)
def test_a_few_words_that_its_source_has_not_are_no_reason_to_drop(said: str, held: str) -> None:
    outcome = verify_sentence(sentence(said, 1), {1: passage(held)})
    assert outcome.fate is Fate.MARKED
    assert outcome.sentence is not None


def test_what_is_left_out_for_citing_nothing_is_not_listed_as_supported() -> None:
    halves = (
        passage("Line 4 runs every ten minutes. Fewer people take it.", title="Survey"),
        passage("The bus of line 4 stops at the mill and the weir.", title="Paper"),
    )
    pool = dict(enumerate(halves, 1))
    said = "Line 4 runs every ten minutes and stops at the mill and the weir."
    outcome = verify_sentence(sentence(said), pool)
    assert outcome.claim is not None
    assert outcome.claim.finding.support.holds
    assert outcome.dropped is not None
    assert not outcome.dropped.support.holds
    assert "cites no evidence" in outcome.dropped.reason
