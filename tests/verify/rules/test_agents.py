"""R6.3: what a sentence says somebody did was done by that one in its source."""

from __future__ import annotations

import pytest

from quaere.verify.align import stems
from quaere.verify.clash import laid
from quaere.verify.rules.agents import has_other_agent

LED = "Solberg joined the laboratory, which Aasen had founded."
LAMP = "The miller lighted the lamp while the keeper slept."


def is_of_another(said: str, held: str) -> bool:
    return has_other_agent(laid(said, held, stems([held])))


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Solberg founded the laboratory.", LED),
        ("Solberg founded the laboratory.", "Aasen founded the laboratory."),
        ("Solberg founded the laboratory.", "The laboratory was founded by Aasen."),
        ("The laboratory was founded by Solberg.", "Aasen founded the laboratory."),
        ("The laboratory was founded by Solberg.", "The laboratory was founded by Aasen."),
        (
            "The laboratory was founded in Hask by Solberg.",
            "The laboratory was founded in Hask by Aasen.",
        ),
        ("The keeper lighted the lamp.", LAMP),
        ("Solberg drove the cart.", "Aasen drove the cart past Solberg."),
        ("Solberg painted the gate.", "The gate, painted by Aasen, was paid for by Solberg."),
        ("The letter was mailed by Solberg.", "Aasen mailed the letter by post."),
    ],
)
def test_somebody_else_did_it(said: str, held: str) -> None:
    assert is_of_another(said, held)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Aasen founded the laboratory.", LED),
        ("The laboratory was founded by Aasen.", "The laboratory was founded in Hask by Aasen."),
        ("The keeper slept.", LAMP),
    ],
    ids=["in a clause", "with a place", "in another clause"],
)
def test_the_same_one_did_it(said: str, held: str) -> None:
    assert not is_of_another(said, held)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("The laboratory was founded by 1903.", "The laboratory was founded by Aasen."),
        (
            "The laboratory was founded by merging two schools.",
            "The laboratory was founded by Aasen.",
        ),
        ("Aasen mailed the letter by post.", "The letter was mailed by post."),
        ("She founded the laboratory.", "Aasen founded the laboratory."),
        ("The baker lighted the lamp.", LAMP),
        ("Solberg drives the cart.", "Aasen drives the cart past Solberg."),
        ("Solberg sold the mill to Aasen.", "Aasen bought the mill from Solberg."),
        ("Solberg painted in Hask.", "Aasen painted in Hask with Solberg."),
    ],
    ids=[
        *("by when", "by what", "by the same means", "a pronoun"),
        *("neither named nor elsewhere", "no past", "given on", "nothing done to"),
    ],
)
def test_who_did_it_cannot_be_told_apart(said: str, held: str) -> None:
    assert not is_of_another(said, held)
