"""R6.3: the opening of an answer, and sentences that lean on one that was left out."""

from __future__ import annotations

import pytest
from tests.graphs.world import passage_of
from tests.verify.samples import entry, passage

from quaere.domain.evidence import Evidence, Score
from quaere.domain.report import Opens, Sentence, Support
from quaere.verify.repair import Fate, Outcome, counted, pool_of, verify_sentence
from quaere.verify.whole_answer import (
    LOST,
    keep_opening,
    repair_lead_ins,
    repair_leaning,
    resting_on,
)

PASSAGES = [
    passage_of("Nant", "Nant is a town in Upper Vale province."),
    passage_of("Jing", "Jing is a town in Lower Vale province."),
]
EVIDENCE = [
    Evidence(id=n, passage=p.id, url=p.url, title=p.title, score=Score())
    for n, p in enumerate(PASSAGES, 1)
]
POOL = pool_of(EVIDENCE, PASSAGES)
GROUNDS = (
    Sentence(text="Nant is a town in Upper Vale province.", evidence=(1,)),
    Sentence(text="Jing is a town in Lower Vale province.", evidence=(2,)),
)


def outcomes(*sentences: Sentence) -> tuple[Outcome, ...]:
    rest = [verify_sentence(sentence, POOL) for sentence in sentences[1:]]
    first = [resting_on(each, sentences[1:], rest) for each in sentences[:1]]
    checked = [verify_sentence(each, POOL) for each in first] + rest
    return keep_opening(sentences, checked, POOL)


def test_a_result_rests_on_what_follows() -> None:
    found = [verify_sentence(sentence, POOL) for sentence in GROUNDS]
    assert resting_on(Sentence(text="No."), GROUNDS, found).evidence == (1, 2)
    assert resting_on(GROUNDS[0], GROUNDS[1:], found[1:]) == GROUNDS[0]
    assert resting_on(Sentence(text="No."), (), ()) == Sentence(text="No.")


def test_a_result_rests_on_what_carries_the_grounds_and_not_on_what_their_writer_named() -> None:
    misplaced = Sentence(text=GROUNDS[1].text, evidence=(1,))
    found = [verify_sentence(misplaced, POOL)]
    assert resting_on(Sentence(text="No."), (misplaced,), found).evidence == (2,)


def test_a_result_rests_on_what_was_named_where_words_do_not_carry_the_grounds() -> None:
    other = Sentence(text="Both towns look back on a long and eventful past.", evidence=(2, 1))
    found = [verify_sentence(other, POOL)]
    assert resting_on(Sentence(text="No."), (other,), found).evidence == (2, 1)


def test_a_result_without_words_stays_and_is_marked() -> None:
    first, *rest = outcomes(Sentence(text="Answer: no."), *GROUNDS)
    assert first.sentence
    assert (first.fate, first.sentence.support) == (Fate.MARKED, Support.NOT_JUDGED)
    assert all(o.sentence and o.sentence.support.holds for o in rest)


def test_a_result_that_is_marked_for_what_it_says_keeps_its_reason() -> None:
    said = Sentence(text="Nant is the only town in Upper Vale province.")
    first, *rest = outcomes(said, *GROUNDS)
    assert first.fate is Fate.MARKED
    assert first == verify_sentence(resting_on(said, GROUNDS, rest), POOL)


def test_a_result_that_the_grounds_state_is_cited() -> None:
    first = outcomes(Sentence(text="Nant is in Upper Vale province."), *GROUNDS)[0]
    assert first.sentence
    assert first.sentence.support is Support.SUPPORTED
    assert 1 in first.sentence.evidence


def test_a_result_of_which_no_ground_holds_goes() -> None:
    invented = Sentence(text="Comets are made of cheese and lamp oil.", evidence=(1,))
    first, second = outcomes(Sentence(text="Yes."), invented)
    assert first.sentence is None
    assert second.sentence is None


def test_nothing_written_is_nothing_spared() -> None:
    assert outcomes() == ()


VALLEY = passage(
    "The Velling Mill has two wheels of oak. Orrin Castle stands on a rock above the river. "
    "Orrin Castle also has a moat of nine metres. It has a chapel with three bells. "
    "It is not known who built the chapel."
)
VALLEY_POOL = pool_of([entry(1, VALLEY)], [VALLEY])
MILL = "The Velling Mill has two wheels of oak."
UNFOUNDED = "Orrin Castle belonged to twelve Danish admirals and their seventeen nephews."


def checked(*texts: str) -> tuple[Outcome, ...]:
    outcomes = [verify_sentence(Sentence(text=text, evidence=(1,)), VALLEY_POOL) for text in texts]
    return repair_leaning(outcomes, VALLEY_POOL)


def test_the_premise_holds_a_made_up_sentence_is_left_out() -> None:
    assert checked(UNFOUNDED)[0].sentence is None


def test_it_becomes_the_name_that_was_lost_where_the_source_says_so() -> None:
    *_, last = checked(MILL, UNFOUNDED, "It also has a moat of nine metres.")
    assert last.sentence is not None
    assert last.sentence.text == "Orrin Castle also has a moat of nine metres."
    assert last.sentence.support.holds
    assert last.fate is Fate.REPAIRED
    assert last.objection == LOST


@pytest.mark.parametrize(
    ("lost", "repaired"),
    [
        ("The Orrin Castle fed twelve Danish admirals and nephews.", "The Orrin Castle also"),
        ("In Orrin Castle twelve Danish admirals fed seventeen nephews.", ""),
        ("Near Orrin Castle twelve Danish admirals fed seventeen nephews.", ""),
    ],
)
def test_only_a_name_that_is_the_subject_replaces_it(lost: str, repaired: str) -> None:
    *_, last = checked(MILL, lost, "It also has a moat of nine metres.")
    assert last.sentence is not None
    assert last.sentence.text == f"{repaired or 'It also'} has a moat of nine metres."
    assert last.fate is (Fate.REPAIRED if repaired else Fate.MARKED)


@pytest.mark.parametrize("said", ["Its chapel has three bells.", "These stand on a rock."])
def test_what_cannot_be_repaired_is_marked(said: str) -> None:
    alone, *_ = checked(said)
    assert alone.sentence is not None
    before, after = alone.sentence.support, checked(MILL, UNFOUNDED, said)[-1].sentence
    assert after is not None
    assert after.support is (Support.NOT_JUDGED if before.holds else before)
    assert (after.reason == LOST) is before.holds


def test_its_chapel_is_one_that_would_hold() -> None:
    alone = checked("It has a chapel with three bells.")[0].sentence
    assert alone is not None
    assert alone.support is Support.QUOTED
    *_, marked = checked(
        "Nothing here.",
        "Twelve Danish admirals owned the castle for 900 years.",
        "It has a chapel with three bells.",
    )
    assert marked.sentence is not None
    assert (marked.sentence.support, marked.sentence.reason) == (Support.NOT_JUDGED, LOST)
    assert counted([marked]).marked == 1


@pytest.mark.parametrize(
    "texts",
    [
        (MILL, "It has a chapel with three bells."),
        (
            "Orrin Castle stands on a rock above the river.",
            UNFOUNDED,
            "It has a chapel with three bells.",
        ),
        (
            MILL,
            "It belonged to twelve Danish admirals and seventeen nephews.",
            "It has a chapel with three bells.",
        ),
        (UNFOUNDED, "It is not known who built the chapel."),
        (UNFOUNDED, MILL, "It has a chapel with three bells."),
    ],
)
def test_what_leans_on_nothing_that_was_lost_stays(texts: tuple[str, ...]) -> None:
    last = checked(*texts)[-1].sentence
    assert last is not None
    assert last.text == texts[-1]
    assert last.support.holds


GUILD = passage(
    "Members have a key to the boathouse. Members review the log. "
    "A member's objection keeps a boat ashore unless the warden overrules it. "
    "Members can also close the harbour gate. Wardens can also sell the old boats."
)
IN_GUILD = pool_of([entry(1, GUILD)], [GUILD])
MEMBERS = ("Members have a key to the boathouse.", "They review the log.")
LEFT_OUT = "A member's objection feeds nineteen Danish admirals and eleven of their nephews."


@pytest.mark.parametrize(
    ("said", "stays"),
    [
        ("They can also close the harbour gate.", True),
        ("They can also sell the old boats.", False),
    ],
)
def test_what_goes_on_about_what_is_shown_stays(said: str, stays: bool) -> None:
    written = [Sentence(text=each, evidence=(1,)) for each in (*MEMBERS, LEFT_OUT, said)]
    outcomes = [verify_sentence(each, IN_GUILD) for each in written]
    *_, lost, last = repair_leaning((*outcomes[:2], dropped(outcomes[2]), outcomes[3]), IN_GUILD)
    assert lost.sentence is None
    assert last.sentence is not None
    assert (last.sentence.reason != LOST) is stays


def test_what_its_source_says_of_what_is_shown_leans_on_no_other_that_was_lost() -> None:
    lost = "Wardens feed nineteen Danish admirals and eleven of their nephews."
    said = "They can also close the harbour gate."
    written = [Sentence(text=each, evidence=(1,)) for each in (*MEMBERS, lost, said)]
    outcomes = [verify_sentence(each, IN_GUILD) for each in written]
    *_, last = repair_leaning((*outcomes[:2], dropped(outcomes[2]), outcomes[3]), IN_GUILD)
    assert last == outcomes[3]


def test_what_is_in_doubt_already_keeps_its_reason() -> None:
    lost, chapel = of(ITEM, HELD.model_copy(update={"text": "Its chapel has three bells."}))
    assert chapel.sentence is not None
    doubt = {"support": Support.NOT_JUDGED, "reason": "another"}
    doubted = chapel.model_copy(update={"sentence": chapel.sentence.model_copy(update=doubt)})
    assert repair_leaning((dropped(lost), doubted), VALLEY_POOL)[-1] == doubted


CODE = Sentence(text="castle --sell", evidence=(1,), opens=Opens.CODE)
ITEM = Sentence(text=UNFOUNDED, evidence=(1,), opens=Opens.ITEM)
HELD = Sentence(text="Orrin Castle also has a moat of nine metres.", evidence=(1,))


def of(*sentences: Sentence) -> tuple[Outcome, ...]:
    return tuple(verify_sentence(each, VALLEY_POOL) for each in sentences)


def dropped(outcome: Outcome) -> Outcome:
    assert outcome.sentence or outcome.dropped
    return outcome.model_copy(
        update={"sentence": None, "dropped": outcome.sentence or outcome.dropped}
    )


def test_nothing_leans_on_code_that_was_left_out() -> None:
    chapel = HELD.model_copy(update={"text": "It has a chapel with three bells."})
    mill, code, said = of(HELD.model_copy(update={"text": MILL}), CODE, chapel)
    *_, last = repair_leaning((mill, dropped(code), said), VALLEY_POOL)
    assert last == said


@pytest.mark.parametrize(
    "between",
    [CODE, HELD.model_copy(update={"text": "It belonged to admirals."})],
    ids=["code", "leans"],
)
def test_what_leans_over_another_that_was_lost_leans_on_the_first(between: Sentence) -> None:
    also = "It also has a moat of nine metres."
    mill, lost, said = of(*(HELD.model_copy(update={"text": t}) for t in (MILL, UNFOUNDED, also)))
    (other,) = of(between)
    *_, last = repair_leaning((mill, dropped(lost), dropped(other), said), VALLEY_POOL)
    assert last.sentence is not None
    assert last.sentence.text == "Orrin Castle also has a moat of nine metres."


def test_what_leads_in_nothing_goes() -> None:
    lead, item, held = of(Sentence(text="The castle has these parts:"), ITEM, HELD)
    assert lead.sentence is not None
    gone = repair_lead_ins((lead, dropped(item), held))
    assert [each.sentence for each in gone] == [None, None, held.sentence]
    other = of(HELD.model_copy(update={"opens": Opens.ITEM}))
    for rest in ((dropped(item), *other), other, (held,)):
        assert repair_lead_ins((lead, *rest))[0] == lead


def test_a_claim_that_leads_in_nothing_ends_with_a_full_stop() -> None:
    lead, code = of(HELD.model_copy(update={"text": "Orrin Castle has a moat of 9 metres:"}), CODE)
    (ended, _) = repair_lead_ins((lead, dropped(code)))
    assert ended.sentence is not None
    assert ended.sentence.text == "Orrin Castle has a moat of 9 metres."
