"""The code of a listing by what the listing says of it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.entries import find_key

BAIL: Text = (
    "bail",
    (
        "EXIT status:\n"
        "       124    if the PUMP ran dry, and nobody rang\n\n"
        "       125    if the hull leaks faster than the pump\n\n"
        "       126    if some valves of the hull are stuck\n\n"
        "       127    if the hull leaks slower than the pump\n"
    ),
)
CAULK: Text = (
    "caulk",
    (
        "EXIT STATUS\n"
        "       0\n"
        "           every seam of the deck was closed\n\n"
        "       8\n"
        "           the tar of the kettle was cold\n\n"
        "SEE ALSO\n"
        "       tar of the kettle was cold once\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("What exit code does bail give if the pump ran dry?", "124"),
        ("Which exit status of bail means that nobody rang when the pump ran dry?", "124"),
        ("Which exit code means that some valves are stuck?", "126"),
        ("Which exit code means that all valves are stuck?", None),
        ("Which exit code means that the hull leaks at the pump?", None),
        ("What does caulk exit with when the tar was cold in the kettle?", "8"),
        ("What status does caulk return when the seams of the deck were closed?", "0"),
        ("Which code means that the mast is broken in the harbour?", None),
        ("Why was the tar of the kettle cold?", None),
    ],
)
def test_a_code_is_found_by_what_its_entry_says(question: str, key: str | None) -> None:
    found = find_key(question, pool(BAIL, CAULK))
    assert (found.text if found else None) == key


def test_the_same_said_where_no_heading_is_left_leaves_it_open() -> None:
    cut: Text = ("bail", "       128    if the pump ran dry, and nobody rang\n\n       End.\n")
    question = "What exit code does bail give if the pump ran dry?"
    assert find_key(question, pool(BAIL, cut)) is None


def test_the_code_is_the_answer_and_its_entry_the_proof() -> None:
    (said,) = answer("What does caulk exit with when the tar was cold in the kettle?", CAULK)
    assert said.direct is not None
    assert (said.direct.kind, said.direct.text) == (DirectKind.NAME, "8")
    assert said.text == "8: the tar of the kettle was cold"
    assert " ".join(said.quotes[0].text.split()) == "8 the tar of the kettle was cold"


PGRAB: Text = (
    "pgrab",
    (
        "EXIT STATUS\n"
        "       0      One or more boats matched the flag.\n"
        "       1      No boats matched or none of them could be hailed.\n"
        "       2      Wrong signs in the flag.\n\n"
        "NOTES\n       The flag is kept short.\n"
    ),
)


def test_nothing_is_asked_for_by_what_no_boat_does() -> None:
    found = find_key("what's the exit status of pgrab if nothing matches?", pool(PGRAB))
    assert found is not None
    assert found.text == "1"
    assert find_key("Which exit status of pgrab means that nothing is wrong?", pool(PGRAB)) is None
