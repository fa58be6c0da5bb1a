"""What an entailment model's word on a sentence and its sources comes to."""

from __future__ import annotations

import pytest
from tests.verify.samples import BRIDGE, TOWN, passage, sentence

from quaere.domain.report import CheckedBy, Support
from quaere.ports.model import Entailed, ToldPairs
from quaere.verify.repair import verify_sentence
from quaere.verify.second_opinion import (
    entailment_ruling,
    entailment_rulings,
    open_claims,
    premises,
)

POOL = {1: passage(BRIDGE), 2: passage(TOWN)}


def told(entailed: float, contradicted: float | None = None) -> Entailed:
    return Entailed(entailed=entailed, contradicted=contradicted)


@pytest.mark.parametrize(
    ("each", "support"),
    [
        ([told(0.7)], Support.SUPPORTED),
        ([told(0.69)], None),
        ([told(0.31)], None),
        ([told(0.3)], Support.NOT_JUDGED),
        ([told(0.5, 0.8)], Support.CONTRADICTED),
        ([told(0.5, 0.79)], None),
        ([told(0.1, 0.79)], Support.NOT_JUDGED),
        ([told(0.7, 0.9)], Support.SUPPORTED),
        ([told(0.1), told(0.9)], Support.SUPPORTED),
        ([told(0.1, 0.1), told(0.1, 0.9)], Support.CONTRADICTED),
        ([told(0.1), None], None),
        ([told(0.9), None], Support.SUPPORTED),
        ([None], None),
        ([], Support.NOT_JUDGED),
    ],
)
def test_the_likeliest_of_all_premises_decides_where_it_is_sure(
    each: list[Entailed | None], support: Support | None
) -> None:
    ruling = entailment_ruling(each)
    if support is None:
        assert ruling is None
    else:
        assert ruling is not None
        assert (ruling.support, ruling.by) == (support, CheckedBy.ENTAILMENT)


def test_of_sentences_that_it_did_not_tell_the_cause_is_said() -> None:
    asked = {3: [("a", "b"), ("c", "b")], 5: [("a", "d")], 7: [("a", "e")]}
    each = (told(1.0), None, told(0.5), None)
    rulings, fault = entailment_rulings(asked, ToldPairs(each=each, fault="It is off."))
    assert {index: ruling.support for index, ruling in rulings.items()} == {3: Support.SUPPORTED}
    assert fault == "did not judge 1 of 3 sentences: It is off"
    whole = ToldPairs(each=(told(1.0), told(1.0), told(0.5), told(0.0)))
    rulings, fault = entailment_rulings(asked, whole)
    assert (sorted(rulings), fault) == ([3, 7], "")


@pytest.mark.parametrize("evidence", [(1,), (1, 2)])
def test_a_sentence_is_asked_of_each_source_and_of_several_together(
    evidence: tuple[int, ...],
) -> None:
    said = "The Orrin Bridge spans 315 metres, and its carters liked the market of Velling."
    open_claim = open_claims([verify_sentence(sentence(said, 1), POOL)])[0]
    cited = open_claim.sentence.model_copy(update={"evidence": evidence})
    claim = open_claim.model_copy(update={"sentence": cited})
    pairs = premises(claim, POOL)
    texts = [text for text, _ in pairs]
    assert all(asked == said for _, asked in pairs)
    assert len(pairs) == (1 if len(evidence) == 1 else 3)
    for number, text in zip(evidence, texts, strict=False):
        assert text
        assert text in POOL[number].text
    if len(evidence) > 1:
        assert texts[2] == f"{texts[0]}\n{texts[1]}"
