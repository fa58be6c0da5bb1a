"""R6.3: "contradicted" is said only where the two statements are nearly the same."""

import pytest

from quaere.domain.report import Support
from quaere.domain.source import Passage, passage_id
from quaere.verify.support import weigh

PARAPHRASES = (
    ("The importer skips empty rows.", "Empty rows are not imported."),
    ("The sync client does not delete files that are open.", "Open files are kept."),
    ("Side effects were absent in children.", "Children had no side effects."),
    ("No pets other than cats are allowed.", "Cats are the only pets that are allowed."),
    ("Unlike aspirin, the drug does not thin the blood.", "Aspirin thins the blood."),
    ("The wing was not begun until 1998.", "The wing was begun in 1998."),
    ("The fee rose from 4 to 5 euros.", "The fee rose by 1 euro."),
    ("The cellar is not as damp as the attic.", "The attic is damper than the cellar."),
    ("Managers approve claims up to 2,000 euros.", "A claim of 900 euros is approved by managers."),
)  # fmt: skip
OPPOSITES = (
    ("The importer does not skip empty rows.", "The importer skips empty rows."),
    ("The harbour mill was not rebuilt.", "The harbour mill was rebuilt."),
    ("The mill is old. It was rebuilt by the council.", "The mill was not rebuilt by the council."),
    ("Visitors pay a fee of 5 euros at the gate.", "Visitors pay a fee of 6 euros at the gate."),
    ("The cellar is damper than the attic.", "The attic is damper than the cellar."),
    ("The roof was fixed before the gym was built.", "The gym was built before the roof."),
    ("The school opened in 1962.", "The school closed in 1962."),
)  # fmt: skip


def found(source: str, said: str) -> Support:
    """Return the verdict on ``said`` by words alone."""
    page = Passage(
        id=passage_id("mill", 0, source),
        url="mill",
        title="",
        text=source,
        start=0,
        end=len(source),
    )
    return weigh(said, [page]).support


def test_one_line_that_counts_and_measures_is_weighed_as_it_is() -> None:
    assert found("The mill is 4 m wide and has three wheels.", "It has 4 wheels.") in Support


@pytest.mark.parametrize(("source", "said"), PARAPHRASES)
def test_another_way_of_saying_the_same_is_never_contradicted(source: str, said: str) -> None:
    assert found(source, said) is not Support.CONTRADICTED


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("The mill has three wheels. Its oak wheel is 4 m wide.", "The mill has four wheels."),
        (
            "The ferry takes 12 cars. Built of oak, the ferry is 9 m long.",
            "The ferry takes 9 cars.",
        ),
    ],
)
def test_what_is_measured_elsewhere_is_not_counted(source: str, said: str) -> None:
    assert not found(source, said).holds
    assert found(source.replace("three", "four").replace("12", "9"), said).holds


@pytest.mark.parametrize(("source", "said"), OPPOSITES)
def test_the_same_statement_turned_round_is_contradicted(source: str, said: str) -> None:
    assert found(source, said) is Support.CONTRADICTED
