"""Two figures or two names of one sentence that have changed places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.text.languages.language import language_of, languages, speaking
from quaere.verify.align import stems
from quaere.verify.clash import Kind
from quaere.verify.parts import (
    are_exchanged,
    counts_something_else,
    elements,
    has,
    is_of_another_part,
    is_of_another_subject,
    segments,
)
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


@pytest.mark.parametrize("join", [", and the", ". The"])
def test_what_is_exchanged_in_a_long_sentence_is_not_supported_either(join: str) -> None:
    told = (
        "The old harbour office on the northern quay has {} windows{} new bakery behind the chapel"
        " has {} windows."
    )
    source = [passage(told.format(212, join, 37))]
    assert weigh(told.format(212, ", and the", 37), source).support.holds
    exchanged = weigh(told.format(37, ", and the", 212), source)
    assert not exchanged.support.holds
    assert exchanged.note == Kind.EXCHANGED


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The mill grinds, the barn stores", ["The mill grinds", "the barn stores"]),
        ("The mill grinds and the barn stores", ["The mill grinds", "the barn stores"]),
        ("The mill grinds while the barn stores", ["The mill grinds", "the barn stores"]),
        ("The mill grinds; the barn: a store", ["The mill grinds", "the barn", "a store"]),
        ("The mill – built of stone – grinds", ["The mill", "built of stone", "grinds"]),
        ("It has 1,200 lamps at 8:30", ["It has 1,200 lamps at 8:30"]),
        ("It rose from $4 in 1990 to $7 in 2001", ["It rose from $4 in 1990", "$7 in 2001"]),
        ("It went from 1990 to the end", ["It went from 1990 to the end"]),
        ("A sandy island", ["A sandy island"]),
        ("", []),
    ],
)
def test_parts_end_where_another_statement_may_begin(text: str, parts: list[str]) -> None:
    assert segments(text) == parts


def test_what_joins_parts_is_of_the_language_that_is_spoken() -> None:
    text = "Die Mühle mahlt und die Scheune lagert and so on"
    with speaking(language_of("Wann wurde die Mühle gebaut?")):
        assert segments(text) == ["Die Mühle mahlt", "die Scheune lagert and so on"]
    assert segments(text) == ["Die Mühle mahlt und die Scheune lagert", "so on"]


def test_a_part_has_words_amounts_and_dates_in_one_form_each() -> None:
    one = elements("The two mills lost 1.5 km of rail on 3 May 1921")
    assert one == elements("The mills lost two, 1500 m of rail, on 1921-05-03")
    assert "1921-5-3" in one
    assert stems(["mills"]) <= one
    assert not {"1921", "may"} & one, "a date is one thing"


def test_a_name_of_several_words_is_one_thing() -> None:
    assert "man" not in elements("man-db takes long")
    assert "man" in elements("man takes long")
    assert elements("man-db takes long") != elements("man_db takes long")


def test_a_part_has_a_word_in_another_form_but_a_figure_only_as_it_is() -> None:
    part = elements("The mills burned 12 times")
    assert has(part, "burn")
    assert has(part, "12 ")
    assert not has(part, "1 ")
    assert not has(part, "barn")


HELD = "The mill has 30 windows and the barn has 4 windows."


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The barn has 30 windows.", True),
        ("The mill has 4 windows.", True),
        ("The mill has 30 windows.", False),
        ("The barn has 4 windows.", False),
        ("The chapel has 30 windows.", False),
        ("The barn has 7 windows.", False),
        ("The barn has windows.", False),
    ],
)
def test_a_figure_stands_next_to_its_own_label(said: str, other: bool) -> None:
    assert is_of_another_part(said, HELD) is other


@pytest.mark.parametrize(
    ("said", "other"),
    [("The barn was built in 1905.", True), ("The mill was built in 1905.", False)],
)
def test_so_does_a_date(said: str, other: bool) -> None:
    assert is_of_another_part(said, "The mill was built in 1905, the barn in 1930.") is other


@pytest.mark.parametrize(
    ("said", "lines", "exchanged"),
    [
        (
            "Orrin has 12 lamps and Pell has 7 lamps.",
            ["Pell has 12 lamps.", "Orrin has 7 lamps."],
            True,
        ),
        (
            "Orrin has 12 lamps and Pell has 7 lamps.",
            ["Orrin has 12 lamps.", "Pell has 7 lamps."],
            False,
        ),
        ("Orrin has 12 lamps and Pell has 7 lamps.", ["Orrin has 12 lamps."], False),
        ("Orrin has 12 lamps and Pell has 7 lamps.", [], False),
        (
            "Orrin has 12 lamps and Pell has 7 lamps.",
            ["| Orrin | 12 lamps |", "| Pell | 7 lamps |"],
            False,
        ),
        (
            "Orrin and Pell have 12 and 7 lamps, respectively.",
            ["Orrin has 7 lamps and Pell has 12 lamps."],
            False,
        ),
    ],
)
def test_what_changes_places_may_be_in_two_lines(
    said: str, lines: list[str], exchanged: bool
) -> None:
    assert are_exchanged(said, lines) is exchanged


BARGES = "The barge Gull needs a new keel, and the barge Merle needs its sail patched."
SISTERS = (
    "Gull was launched on 4 June and sailed in July.",
    "Her sister Merle was launched late.",
)


@pytest.mark.parametrize(
    ("said", "lines", "is_other"),
    [
        ("The sail of the Gull must be patched.", [BARGES], True),
        ("The sail of the Merle must be patched.", [BARGES], False),
        ("Merle was launched on 4 June.", SISTERS, True),
        ("Gull was launched on 4 June.", SISTERS, False),
        # A sentence that names both, or says more of the first, may say it of either.
        ("The sail of the Merle was patched at the Gull.", [BARGES], False),
        ("The sail and the keel of the Gull must be patched.", [BARGES], False),
        # What points back may be about both, and what has no subject is about the first.
        (
            "The cook of the Gull has a red sail patched.",
            ["The barge Gull has a cook, and the barge Merle has a red sail patched for her."],
            False,
        ),
        (
            "The Gull carries wool.",
            ["The Gull sails on Monday and carries wool."],
            False,
        ),
        # Two things that have nothing in common are not set side by side.
        (
            "The report advises a new keel.",
            ["The report covers nine barges, and the authors advise a new keel."],
            False,
        ),
        # A sentence of two statements may have one of each.
        ("The Gull sails, and the sail must be patched.", [BARGES], False),
    ],
)
def test_the_subject_of_one_statement_does_not_go_with_the_rest_of_another(
    said: str, lines: list[str], is_other: bool
) -> None:
    assert is_of_another_subject(said, lines) is is_other


def test_other_languages_are_left_alone() -> None:
    with speaking(languages()["de"]):
        assert not is_of_another_subject("The sail of the Gull must be patched.", [BARGES])


@pytest.mark.parametrize(
    ("said", "held", "other"),
    [
        ("17 ewes fell ill.", "70 ewes and 17 rams fell ill.", True),
        ("17 of the 90 ewes fell ill.", "Of the 90 ewes and 80 rams, 70 ewes and 17 rams", True),
        ("70 ewes fell ill.", "70 ewes and 17 rams fell ill.", False),
        # Neither another word for it nor the whole of which it is a part counts something else.
        ("17 sheep fell ill.", "70 ewes and 17 rams fell ill.", False),
        ("17 ewes fell ill.", "17 of the 90 ewes fell ill.", False),
        ("17 ewes fell ill.", "17 ewes of 70 ewes fell ill.", False),
        ("17 kg of hay were cut.", "70 hay racks and 17 kg of straw were moved.", False),
        ("30 ewes dropped out.", "Of 120 ewes, 30 dropped out.", False),
        ("12 boats lie here.", "12 rowing boats and 30 boats with sails lie here.", False),
    ],
)
def test_a_figure_counts_something_else_where_another_figure_counts_that(
    said: str, held: str, other: bool
) -> None:
    assert counts_something_else(said, held) is other
