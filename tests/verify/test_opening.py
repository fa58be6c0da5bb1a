"""An answer may begin with its result and give the grounds afterwards."""

from __future__ import annotations

from tests.graphs.world import passage_of

from quaere.domain.evidence import Evidence, Score
from quaere.domain.report import Sentence, Support
from quaere.verify.opening import keep_opening, resting_on
from quaere.verify.repair import Fate, Outcome, pool_of, verify_sentence

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
