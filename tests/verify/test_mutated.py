"""True sentences that are made untrue by one change: each must be less likely than before."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.verify.samples import passage
from tests.verify.test_pairs import BRIDGE, FERME, PAIRS

from quaere.verify.calibration import calibration
from quaere.verify.support import weigh

_ENGLISH = [(true, source) for true, _, source in PAIRS if source not in {BRIDGE, FERME}]
_VERB = re.compile(r"\b(?:is|are|was|were|has|can|may|must)\b(?! not\b)")
_DENIAL = re.compile(r"\bnot |\bnever ")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?![\w.,])")


def _mutations(text: str) -> Iterator[str]:
    """Yield ``text`` denied, without its denial, and with each of its figures three higher."""
    if verb := _VERB.search(text):
        yield f"{text[: verb.end()]} not{text[verb.end() :]}"
    if denial := _DENIAL.search(text):
        yield text[: denial.start()] + text[denial.end() :]
    for number in _NUMBER.finditer(text):
        yield f"{text[: number.start()]}{int(number[0]) + 3}{text[number.end() :]}"


_MUTATED = [(true, each, source) for true, source in _ENGLISH for each in _mutations(true)]


def test_there_are_mutations_of_both_kinds() -> None:
    assert sum("not" in each for _, each, _ in _MUTATED) > 5
    assert sum("not" not in each for _, each, _ in _MUTATED) > 2


@pytest.mark.parametrize(("true", "mutated", "source"), _MUTATED)
def test_a_mutation_makes_a_true_sentence_less_likely(true: str, mutated: str, source: str) -> None:
    before, after = (weigh(text, [passage(source)]) for text in (true, mutated))
    assert (after.probability or 0) < (before.probability or 0)


def test_nothing_that_is_less_likely_than_what_is_in_doubt_is_supported() -> None:
    source = (
        "The smithy of Hegg has 64 smiths. Hand saws are allowed in the yard and forbidden in the"
        " hall. The yard opens at 7."
    )
    found = weigh("Smiths may not use hand saws in the yard.", [passage(source)])
    assert found.probability is not None
    assert found.probability < calibration().doubt[0]
    assert not found.support.holds
