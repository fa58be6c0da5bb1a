"""Two figures or two names of one sentence that have changed places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.verify.parts import parts_fit
from quaere.verify.support import weigh

NAMES = ["harbour", "bakery", "library", "foundry", "orchard", "chapel", "quarry", "tannery"]
JOINS = (
    "The {a} {verb} {x} {thing} and the {b} {verb} {y} {thing}.",
    "The {a} {verb} {x} {thing}, while the {b} {verb} {y} {thing}.",
    "The {a} {verb} {x} {thing}; the {b} {verb} {y} {thing}.",
    "The {a} {verb} {x} {thing} and the {b} {y}.",
)


@given(
    names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True),
    numbers=st.lists(st.integers(2, 5000), min_size=2, max_size=2, unique=True),
    joins=st.tuples(st.sampled_from(JOINS), st.sampled_from(JOINS)),
    verb=st.sampled_from(["has", "needs", "lost"]),
    thing=st.sampled_from(["windows", "visitors", "lamps"]),
)
def test_two_figures_exchanged_are_never_supported(
    names: list[str], numbers: list[int], joins: tuple[str, str], verb: str, thing: str
) -> None:
    (a, b), (x, y) = names, numbers
    source = [passage(joins[0].format(a=a, b=b, x=x, y=y, verb=verb, thing=thing))]
    kept = joins[1].format(a=a, b=b, x=x, y=y, verb=verb, thing=thing)
    exchanged = joins[1].format(a=a, b=b, x=y, y=x, verb=verb, thing=thing)
    assert weigh(kept, source).support.holds
    assert not weigh(exchanged, source).support.holds


TIMES = "Search took man five minutes and man-db about 40 seconds."


@pytest.mark.parametrize(
    ("said", "line", "fit"),
    [
        ("man takes five minutes and man-db 40 seconds.", TIMES, 1),
        ("man-db takes five minutes and man 40 seconds.", TIMES, -1),
        ("A run ends at once if it waits, and in two seconds if it is at work.",
         "A run that waits is ended at once, and one at work within two seconds.", 1),
        ("A run ends at once if it is at work, and in two seconds if it waits.",
         "A run that waits is ended at once, and one at work within two seconds.", -1),
        ("The mill opened in 1905 and the bakery in 1930.",
         "The mill and the bakery opened in 1905 and 1930.", 0),
        ("The mill opened in 1905 and closed in 1930.",
         "The mill opened and closed in 1905 and 1930, respectively.", 0),
        ("The mill opened in 1905.", "The mill opened in 1905.", 0),
    ],
)  # fmt: skip
def test_each_part_has_its_words_from_one_part_of_the_source(
    said: str, line: str, fit: int
) -> None:
    assert parts_fit(said, [line]) == fit


def test_names_exchanged_in_nearly_the_same_words_are_a_contradiction() -> None:
    found = weigh("Ruhl found the cave and Borg mapped it.",
                  [passage("Borg found the cave and Ruhl mapped it.")])  # fmt: skip
    assert found.support is Support.CONTRADICTED
