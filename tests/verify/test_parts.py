"""Two figures or two names of one sentence that have changed places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.verify.parts import are_exchanged
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
    ("said", "line", "exchanged"),
    [
        ("man takes five minutes and man-db 40 seconds.", TIMES, False),
        ("man-db takes five minutes and man 40 seconds.", TIMES, True),
        ("A run ends at once if it waits, and in two seconds if it is at work.",
         "A run that waits is ended at once, and one at work within two seconds.", False),
        ("A run ends at once if it is at work, and in two seconds if it waits.",
         "A run that waits is ended at once, and one at work within two seconds.", True),
        ("The mill opened in 1905 and the bakery in 1930.",
         "The mill and the bakery opened in 1905 and 1930.", False),
        ("The mill opened in 1905 and closed in 1930.",
         "The mill opened and closed in 1905 and 1930, respectively.", False),
        ("The mill opened in 1905.", "The mill opened in 1905.", False),
    ],
)  # fmt: skip
def test_each_part_has_its_words_from_one_part_of_the_source(
    said: str, line: str, exchanged: bool
) -> None:
    assert are_exchanged(said, [line]) is exchanged


def test_what_is_exchanged_contradicts_where_it_is_figures() -> None:
    source = [passage("Borg found 12 caves and Ruhl found 7 caves.")]
    said = weigh("Borg found 7 caves and Ruhl found 12 caves.", source)
    assert said.support is Support.CONTRADICTED
