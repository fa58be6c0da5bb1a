"""An answer may begin with its result and give the grounds afterwards."""

from __future__ import annotations

from tests.graphs.world import passage_of

from quaere.domain.evidence import Evidence, Score
from quaere.domain.report import Sentence, Support
from quaere.verify.opening import cite_following, keep_opening
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
    checked = [verify_sentence(sentence, POOL) for sentence in cite_following(sentences)]
    return keep_opening(sentences, checked, POOL)


def test_a_result_rests_on_what_follows() -> None:
    first = cite_following((Sentence(text="No."), *GROUNDS))[0]
    assert first.evidence == (1, 2)
    assert cite_following(GROUNDS) == GROUNDS
    assert cite_following((Sentence(text="No."),)) == (Sentence(text="No."),)


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
