"""What words alone would cite in place of what a writer cites is for a reader to choose from."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage, sentence

from quaere.domain.report import Ruling, Support
from quaere.verify.repair import Fate, Outcome, verify_sentence
from quaere.verify.second_opinion import apply_rulings

ORDER = "#### Baking\n\n* `warm`\n* `bake`\n* `cool`"
RULES = (
    "### Steps\n\nThere are steps that run only at times: `warm`, `bake` and `cool`.\n\n"
    "warm\n* Runs before baking, and on `baking` the rest, too: then bake, then cool."
)
POOL = {
    1: passage(ORDER, url="https://oven.example/order"),
    2: passage(RULES, url="https://oven.example/rules"),
}
SAID = sentence("Baking runs three steps: `warm`, then `bake`, then `cool`.", 1)


def ruled(evidence: int | None, support: Support = Support.SUPPORTED) -> Outcome:
    outcome = verify_sentence(SAID, POOL)
    assert outcome.sentence is not None
    assert outcome.sentence.evidence == (2,), "words alone cite what has all of them"
    assert outcome.claim is not None
    assert outcome.claim.sentence.evidence == (1, 2), "a reader is shown both"
    (found,) = apply_rulings([outcome], {0: Ruling(support=support, evidence=evidence)})
    return found


@pytest.mark.parametrize(
    ("decides", "cited", "fate"),
    [(1, (1,), Fate.SUPPORTED), (None, (1,), Fate.SUPPORTED), (2, (2,), Fate.REPAIRED)],
)
def test_what_decides_is_cited_and_else_what_its_writer_cites(
    decides: int | None, cited: tuple[int, ...], fate: Fate
) -> None:
    found = ruled(decides)
    assert found.sentence is not None
    assert (found.sentence.evidence, found.fate) == (cited, fate)
    assert {quote.passage for quote in found.sentence.quotes} == {POOL[n].id for n in cited}


def test_what_is_not_supported_keeps_what_its_writer_cites() -> None:
    found = ruled(None, Support.PARTLY)
    assert found.sentence is not None
    assert found.sentence.evidence == (1,)
    assert found.sentence.support is Support.PARTLY
