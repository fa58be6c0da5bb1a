"""Who does what to whom in two sentences: kept, exchanged, or not to be told."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s

from quaere.text.languages.language import languages, speaking
from quaere.verify.align import align, stems
from quaere.verify.clash import aligned_to_line, clash
from quaere.verify.likeness import root
from quaere.verify.rules.converses import passes_on, transfers, turns_direction
from quaere.verify.rules.roles import exchanges, has_other_agent, reconciles


@pytest.mark.parametrize(
    ("said", "held", "verdict"),
    [
        ("Orla trained Wray.", "Orla trained Wray.", 1),
        ("Orla trained Wray.", "Wray trained Orla.", -1),
        ("Orla trained Wray.", "Wray was trained by Orla.", 1),
        ("Wray was trained by Orla.", "Orla trained Wray.", 1),
        ("Orla was trained by Wray.", "Orla trained Wray.", -1),
        ("Orla was trained by Wray.", "Orla was trained by Wray.", 1),
        ("Orla was trained by Wray.", "Wray was trained by Orla.", -1),
        ("Orla met Wray.", "Wray met Orla.", 0),
        ("Orla trained Wray.", "Orla praised Finn.", 0),
        ("Orla trained Wray.", "Wray left.", 0),
        ("It was Orla who trained Wray.", "Wray trained Orla.", 0),
        ("Orla trained Wray.", "There was Wray, who trained Orla.", 0),
        ("Orla, trained by Wray, left.", "Wray trained Orla.", 0),
        ("The hall is for child actors.", "The hall eases the start of child actors.", 1),
        ("The wall has the protection of the hedge.", "The hedge protects the wall.", 0),
    ],
)
def test_the_sides_of_a_verb_are_kept_or_exchanged(said: str, held: str, verdict: int) -> None:
    assert exchanges(align(said, held)) == verdict


@pytest.mark.parametrize(
    ("said", "held", "same"),
    [
        ("The mill is north of the weir.", "The weir is south of the mill.", True),
        ("The mill is north of the weir.", "The mill is south of the weir.", False),
        ("The mill is north of the weir.", "The weir is north of the mill.", False),
        ("The mill is older than the weir.", "The weir is younger than the mill.", True),
        ("The mill is older than the weir.", "The mill is younger than the weir.", False),
        ("The mill is 4 km north of the weir.", "The weir is 4 km south of the mill.", True),
        ("The mill is 40 km north of the weir.", "The weir is 40 km south of the mill.", True),
        ("The mill is 4 km north of the weir.", "The mill is 4 km south of the weir.", False),
    ],
)
def test_an_opposite_with_its_sides_exchanged_says_the_same(
    said: str, held: str, *, same: bool
) -> None:
    assert reconciles(align(said, held)) is same


@pytest.mark.parametrize(
    ("said", "held", "verdict"),
    [
        ("Orla sold the mill to Wray.", "Wray bought the mill from Orla.", 1),
        ("Orla sold the mill to Wray.", "Orla bought the mill from Wray.", -1),
        ("Orla sold the mill to Wray.", "The mill was sold to Wray by Orla.", 1),
        ("Orla sold the mill to Wray.", "The mill was sold to Orla by Wray.", -1),
        ("The mill sold oats to Wray.", "Wray bought oats from the mill.", 1),
        ("Orla sold the mill to Wray.", "Orla sold the mill to Wray.", 1),
        ("Orla sold the mill to Wray.", "Wray sold the mill to Orla.", -1),
        ("Orla leased the mill to Wray.", "Orla leased the mill from Wray.", -1),
        ("Orla leased the mill to Wray.", "Wray leased the mill from Orla.", 1),
        ("Orla leased the mill.", "Wray leased the mill from Orla.", 0),
        ("Orla gave Wray the mill.", "Wray received the mill from Orla.", 1),
        ("Orla gave Wray the mill.", "Orla received the mill from Wray.", -1),
        ("Orla taught Wray.", "Wray learned from Orla.", 1),
        ("Orla taught Wray.", "Orla learned from Wray.", -1),
        ("Wray was given the mill.", "Orla gave Wray the mill.", 1),
        ("Wray was given the mill by Orla.", "Orla gave Wray the mill.", 1),
        ("The mill is old.", "Orla sold the mill to Wray.", 0),
        ("Orla sold the mill.", "Finn bought the weir.", 0),
        ("Orla beat Wray.", "Wray lost to Orla.", 1),
        ("The grant office sold the mill to Wray.", "The mill was sold to the grant office.", -1),
        ("Supplies must be bought from Orla by Wray.", "Wray bought supplies from Orla.", 1),
    ],
)
def test_giver_and_receiver_are_told_from_either_end(said: str, held: str, verdict: int) -> None:
    assert transfers(said, held) == verdict


@pytest.mark.parametrize(
    ("code", "said", "held", "verdict"),
    [
        ("de", "Orla verkaufte die Mühle an Wray.", "Wray kaufte die Mühle von Orla.", 1),
        ("de", "Orla verkaufte die Mühle an Wray.", "Orla kaufte die Mühle von Wray.", -1),
        ("es", "Orla vendió el molino a Wray.", "Wray compró el molino a Orla.", 1),
        ("es", "Orla vendió el molino a Wray.", "Orla compró el molino a Wray.", -1),
        ("ja", "Orla sold the mill to Wray.", "Orla bought the mill from Wray.", 0),
    ],
)
def test_so_they_are_in_the_language_in_use(code: str, said: str, held: str, verdict: int) -> None:
    with speaking(languages()[code]):
        assert transfers(said, held) == verdict


@pytest.mark.parametrize(
    ("word", "known"), [("sell", True), ("bought", True), ("rent", True), ("lamp", False)]
)
def test_verbs_with_which_something_passes_on(word: str, *, known: bool) -> None:
    assert passes_on(root(word)) is known
    with speaking(languages()["ja"]):
        assert not passes_on(root(word))


@pytest.mark.parametrize(
    ("said", "held", "turned"),
    [
        ("YAML is converted to JSON.", "JSON is converted to YAML.", True),
        ("YAML is converted to JSON.", "YAML is converted to JSON.", False),
        ("YAML is converted to JSON.", "JSON is converted to TOML.", False),
        ("YAML is converted to JSON.", "YAML is old.", False),
        ("It sails from Morn to Pell.", "It sails from Pell to Morn.", True),
        ("It sails from Morn.", "It sails to Morn.", False),
    ],
)
def test_a_direction_is_turned_where_both_ends_change_places(
    said: str, held: str, *, turned: bool
) -> None:
    assert turns_direction(align(said, held)) is turned


LED = "Solberg joined the laboratory, which Aasen had founded."
LAMP = "The miller lighted the lamp while the keeper slept."


def is_of_another(said: str, held: str) -> bool:
    return has_other_agent(aligned_to_line(said, held, stems([held])))


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


def test_the_sides_of_many_verbs_are_told_in_time() -> None:
    said = "the mill was designed " + "by a,b; was c,d; " * 60
    aligned = align(said, f"{said} built")
    assert cpu_s(lambda: exchanges(aligned), enough_s=2) < 2


@pytest.mark.parametrize(
    "said", ["Mill: built in 1902", "Mill — built in 1902", "Mill (built 1902)"]
)
def test_a_participle_behind_a_label_is_passive(said: str) -> None:
    assert clash(said, ["The mill was built in 1902 by Anna Berg."], ()) is None
