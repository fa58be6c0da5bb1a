from __future__ import annotations

import pytest
from hypothesis import given
from tests.verify.samples import ANYTHING, BRIDGE, passage

from quaere.verify.facts import Opposition, missing_figures, missing_names, opposition
from quaere.verify.ground import ground
from quaere.verify.support import weigh


def figures(said: str, *sources: str) -> list[str]:
    return list(missing_figures(ground(said), [ground(source) for source in sources]))


def names(said: str, *sources: str) -> list[str]:
    return list(missing_names(ground(said), [ground(source) for source in sources]))


@pytest.mark.parametrize(
    ("said", "source", "missing"),
    [
        ("It has 3 gates.", "It has three gates.", []),
        ("It cost $5bn.", "It cost 5 billion dollars.", []),
        ("It cost 5 billion euros.", "It cost $5bn.", ["5 billion euros"]),
        ("About 3,500 came.", "In all 3,512 came.", []),
        ("About 3,512 came.", "In all 3,500 came.", ["3,512"]),
        ("About 40 came.", "In all 44 came.", ["40"]),
        ("None of 0 came.", "In all 44 came.", ["0"]),
        ("One of them came.", "Nobody came.", []),
        ("Exactly 1 came.", "Nobody came.", ["1"]),
        ("4. Open the gate.", "Open the gate.", []),
        ("Some 20 % left.", "Some 20 left, others 30 %.", []),
        ("The VK-19 sank.", "The boat sank.", []),
        ("She was the faster of the two.", "She outran him.", []),
        ("Two came.", "They came.", ["Two"]),
        ("The two came.", "They came.", []),
        ("These two came.", "They came.", []),
        ("The 3 came.", "They came.", ["3"]),
        ("It shut at six o'clock.", "It shut at 6 p.m.", []),
        ("It shut at seven o’clock.", "It shut at 6 p.m.", ["seven o’clock"]),
        ("It is 5 km long.", "It is 4.98 km long.", []),
        ("It is 3,500 m long.", "| length | 3,512 |", []),
        ("It is 3,500 m long.", "It is 3,512 ft long.", ["3,500 m"]),
        ("None of 0 came.", "In all 0.02 came.", ["0"]),
        ("It passes from 0.7 on.", "It passes from .7 on.", []),
        ("It passes from 0.7 on.", "It passes in a .7z file.", ["0.7"]),
        ("Pages 3-19 burnt.", "Pages 3 to 18 burnt.", ["19"]),
        ("It was 3/20 of them.", "It was 3/20 of them.", []),
        ("Three in twenty came.", "Only 3 in 20 came.", []),
        ("Three in twenty came.", "Three in thirty came.", ["Three", "twenty"]),
    ],
)
def test_numbers_are_compared_by_value_unit_and_precision(
    said: str, source: str, missing: list[str]
) -> None:
    assert figures(said, source) == missing


@pytest.mark.parametrize(
    ("said", "source", "missing"),
    [
        ("It was 82 %.", "A share of .82 came.", []),
        ("It was 82 %.", "A share of 0.820 came.", []),
        ("It was 82 %.", "In all 1.82 came.", ["82 %"]),
        ("It was 82 %.", "In all .825 came.", ["82 %"]),
        ("It was 82 km.", "A share of .82 came.", ["82 km"]),
        ("It was 100 %.", "A share of 1 came.", ["100 %"]),
        ("It was 182 %.", "A share of 1.82 came.", ["182 %"]),
        ("It was 0 %.", "It rained.", ["0 %"]),
    ],
)
def test_a_percentage_may_be_a_share_in_its_source(
    said: str, source: str, missing: list[str]
) -> None:
    assert figures(said, source) == missing


@pytest.mark.parametrize(
    ("said", "source", "missing"),
    [
        ("It fell on 4 May 1891.", "It fell on May 4, 1891.", []),
        ("It fell on 4 May 1891.", "In 1891 it rained; it fell on 4 May.", []),
        ("It fell on 4 May 1891.", "It fell in May 1891.", ["4 May 1891"]),
        ("It fell on 4 May 1891.", "It rose on 4 May 1890, fell 9 June 1891.", ["4 May 1891"]),
        ("It fell on 4 May 1891.", "It rose on 5 May 1891, not on 4 May 1890.", ["4 May 1891"]),
        ("It fell in 1891.", "It fell in the 1890s.", ["1891"]),
        ("It fell in the 1890s.", "It fell in 1891.", []),
        ("It fell in 1970.", "It fell in the season 1970/71.", []),
        ("It is put off until June.", "It is left to the June meeting.", []),
        ("It is put off until July.", "It is left to the June meeting.", ["July"]),
        ("It fell in June.", "It rose on 9 May, as the May fair began.", ["June"]),
    ],
)
def test_dates_have_to_be_said_as_exactly(said: str, source: str, missing: list[str]) -> None:
    assert figures(said, source) == missing


@pytest.mark.parametrize(
    ("said", "source", "missing"),
    [
        ("It was Maude Tellin.", "It was Tellin.", []),
        ("It was Maude Pell.", "It was Maude Tellin.", ["Maude Pell"]),
        ("It was the Vellian Salt Union.", "It was the VSU.", []),
        ("It was the VSU.", "It was the Vellian Salt Union.", []),
        ("It was Egypt.", "It was an Egyptian.", []),
        ("It was an Egyptian.", "It was Egypt.", []),
        ("He played Gameboy.", "He played on his Game Boy.", []),
        ("It was Brann.", "It was Velling.", ["Brann"]),
        ("It was J. K. Finn.", "It was Finn.", []),
        ("It was the VU.", "It was the Vellian Union.", []),
        ("It was an Omanian.", "It was Oman.", []),
        ("It was a Vellinen.", "It was Vellin.", []),
        ("It was Laoter.", "It was Lao.", ["Laoter"]),
        ("It came from Norway.", "It came from a Norwegian firm.", []),
        ("It came from Norway.", "It came from a Swedish firm.", ["Norway"]),
        ("It came from Wales.", "It came from a Scottish firm.", ["Wales"]),
        ("Penalties for delay are capped.", "What is owed is capped.", []),
        ("Passengers in seats have to pay.", "It costs 8 euros in seats.", []),
        ("Tellings was capped.", "What is owed is capped.", ["Tellings"]),
        ("Brann and Tellings are capped.", "What is owed is capped.", ["Brann", "Tellings"]),
        ("It was Maude Ada Tellin.", "It was Ada Tellin.", []),
        ("It was Maude Ada Orla Tellin.", "It was Maude Tellin.", []),
        (
            "It was Maude Ada Orla Pia Tellin.",
            "It was Maude Tellin.",
            ["Maude Ada Orla Pia Tellin"],
        ),
    ],
)
def test_names_are_found_in_other_forms(said: str, source: str, missing: list[str]) -> None:
    assert names(said, source) == missing


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("It cost EUR 5 million.", []),
        ("It costs CHF 300 a year.", []),
        ("It is 85 degrees Celsius.", []),
        ("It has 5 Newton.", ["Newton"]),
        ("In Brann it costs CHF 300.", ["Brann"]),
    ],
)
def test_the_unit_of_a_figure_is_no_name(said: str, missing: list[str]) -> None:
    assert names(said, "It is old.") == missing


def test_two_sources_are_looked_through_together() -> None:
    said = "Maude Tellin came on 4 May 1891 with 312 men."
    assert figures(said, BRIDGE) == []
    assert figures(said, "It was 4 May 1891.", "They were 312 men.") == []
    assert names(said, "Maude", "Tellin") == []


@given(ANYTHING, ANYTHING)
def test_what_a_text_holds_is_never_missing_from_itself(text: str, other: str) -> None:
    assert figures(text, other, text) == []
    assert names(text, text) == []


def test_what_a_sentence_lists_bears_its_count_out() -> None:
    sources = [passage("It is painted in red, in green and blue, and in white.")]
    assert not weigh("It has four colours: red, green, blue and white.", sources).figures
    assert weigh("It has three colours: red, green, blue and white.", sources).figures == ("three",)


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("H-5 is a boat of the harbour.", []),
        ("The H-5 is a boat of the harbour.", []),
        ("H 5 is a boat of the harbour.", ["5"]),
    ],
)
def test_the_number_of_a_name_counts_nothing_wherever_it_stands(
    said: str, missing: list[str]
) -> None:
    assert figures(said, "It is a boat of the harbour.") == missing


@pytest.mark.parametrize(
    ("said", "lacking"),
    [
        ("Sales of the coast changed by −1.7% in 2022.", []),
        ("Sales of the coast fell by 1.7% in 2022.", []),
        ("Sales of the hills changed by −31.3% in 2022.", ["−31.3%"]),
        ("The mill earned -54,979 crowns in 2022.", []),
    ],
)
def test_brackets_of_a_statement_are_a_minus(said: str, lacking: list[str]) -> None:
    rows = ("In 2022 | Change", "--- | ---", "Hills | 31.3%", "Coast | (1.7)%", "Mill | (54,979)")
    table = "\n".join(f"| {row} |" for row in rows)
    assert list(missing_figures(ground(said), [ground(table)])) == lacking


def opposed(said: str, source: str) -> Opposition | None:
    held = ground(source)
    return opposition(ground(said), [held], held.lines)


@pytest.mark.parametrize(
    ("said", "source", "against"),
    [
        ("The gate was not closed.", "The gate was closed.", Opposition.DENIES),
        ("The gate was closed.", "The gate wasn't closed.", Opposition.AFFIRMS),
        ("The gate was never old.", "The gate was closed.", Opposition.DENIES_ALONE),
        ("The gate was not closed.", "The gate was not closed.", None),
        ("The gate was closed.", "The gate was closed and not locked.", None),
        ("The gate was not closed.", "They failed to bar the gate.", None),
        ("No, the gate was closed.", "The gate was closed.", None),
        ("The gate was closed.", "At first not closed, the gate was closed later.", None),
        ("The gate was not only closed.", "The gate was closed, and no guard came.", None),
    ],
)
def test_denials_are_held_against_each_other(
    said: str, source: str, against: Opposition | None
) -> None:
    assert opposed(said, source) is against


@given(ANYTHING)
def test_no_text_opposes_itself(text: str) -> None:
    assert opposed(text, text) is None
