from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of
from tests.verify.samples import ANYTHING, BRIDGE, passage, quote

from quaere.domain.report import Quote, Support
from quaere.verify.quotes import (
    has_words,
    is_cut_short,
    is_table_record,
    is_verbatim,
    quoted,
    relocate,
)
from quaere.verify.support import weigh

HERE = passage(BRIDGE, start=40)


def moved(found: Quote, by: int) -> Quote:
    return found.model_copy(update={"start": found.start + by, "end": found.end + by})


def test_a_quote_stands_at_its_offset_in_the_page_and_nowhere_else() -> None:
    found = quote(HERE, "spans 312 metres")
    assert found.start == 40 + BRIDGE.index("spans")
    assert is_verbatim(found, HERE)
    assert not is_verbatim(moved(found, 1), HERE)
    assert not is_verbatim(moved(found, -40), HERE)
    assert not is_verbatim(found.model_copy(update={"passage": "other"}), HERE)


@pytest.mark.parametrize("start", [0, 39, 40, 40 + len(BRIDGE), 10_000])
def test_a_quote_of_nothing_or_outside_the_passage_never_stands(start: int) -> None:
    assert not is_verbatim(Quote(passage=HERE.id, text="", start=start, end=start), HERE)
    assert not is_verbatim(Quote(passage=HERE.id, text="  ", start=start, end=start + 2), HERE)
    beyond = Quote(passage=HERE.id, text=BRIDGE + "x", start=40, end=41 + len(BRIDGE))
    assert not is_verbatim(beyond, HERE)


def test_offsets_before_the_passage_are_not_counted_from_its_end() -> None:
    early = passage(BRIDGE, start=len(BRIDGE))
    found = quote(early, "cost 2.4 million crowns")
    assert is_verbatim(found, early)
    assert not is_verbatim(moved(found, -len(BRIDGE)), early)


def test_a_quote_with_a_wrong_offset_is_found_again() -> None:
    found = quote(HERE, "cost 2.4 million crowns")
    assert relocate(moved(found, 17), HERE) == found
    assert relocate(found, HERE) is found


def test_of_several_places_the_nearest_is_taken() -> None:
    twice = passage("Salt is mined. Salt is sold. Salt is mined.", start=900)
    second = twice.text.rindex("Salt is mined.") + 900
    claimed = Quote(passage=twice.id, text="Salt is mined.", start=second - 3, end=second + 11)
    assert relocate(claimed, twice) == moved(claimed, 3)
    early = Quote(passage=twice.id, text="Salt is mined.", start=0, end=14)
    assert relocate(early, twice) == moved(early, 900)


def test_the_nearest_place_is_taken_though_white_space_before_it_differs() -> None:
    text = "Salt  is mined." + " " * 30 + "Salt is sold. Salt  is mined."
    place = text.rindex("Salt")
    held = passage(text, start=5)
    claimed = Quote(passage=held.id, text="Salt is mined.", start=place + 5, end=place + 19)
    assert relocate(claimed, held) == quoted(held, place, len(text))


def test_words_that_are_written_apart_are_not_found_where_they_are_one() -> None:
    held = passage("The deed was nowhere to be found.")
    claimed = Quote(passage=held.id, text="now here", start=13, end=21)
    assert relocate(claimed, held) is None


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ('the "Orrin" bridge', "the “Orrin” bridge"),
        ("it's - so to say - closed", "it’s — so to say – closed"),
        ("one two three", "one\n   two\u00a0three"),
        ("office hours", "o\ufb03ce hou\u00adrs"),
        ("  salt mines\n", "salt mines"),
    ],
)
def test_spaces_quotation_marks_dashes_and_ligatures_are_tolerated(
    written: str, stored: str
) -> None:
    held = passage(f"Before. {stored}. After.", start=3)
    claimed = Quote(passage=held.id, text=written, start=0, end=len(written))
    found = relocate(claimed, held)
    assert found is not None
    assert found.text == stored
    assert is_verbatim(found, held)


def test_other_words_are_not_found() -> None:
    claimed = quote(HERE, "spans 312 metres").model_copy(update={"text": "spans 313 metres"})
    assert relocate(claimed, HERE) is None
    assert relocate(claimed.model_copy(update={"text": " "}), HERE) is None


@given(ANYTHING, ANYTHING, st.integers(0, 500), st.integers(0, 50))
def test_whatever_is_relocated_stands(text: str, words: str, place: int, start: int) -> None:
    held = passage(text, start=start)
    claimed = Quote(passage=held.id, text=words, start=place, end=place + len(words))
    found = relocate(claimed, held)
    assert found is None or is_verbatim(found, held)


@given(st.text(min_size=1, max_size=80), st.data())
def test_every_stretch_of_a_passage_is_found_wherever_it_is_claimed(
    text: str, data: st.DataObject
) -> None:
    held = passage(text, start=7)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    words = text[start:end]
    claimed = Quote(passage=held.id, text=words, start=data.draw(st.integers(0, 99)), end=99)
    found = relocate(claimed, held)
    assert (found is None) == (not words.strip())


@given(ANYTHING, st.integers(0, 99), st.integers(0, 99))
def test_a_quote_made_of_a_stretch_stands_unless_it_is_empty(
    text: str, start: int, end: int
) -> None:
    held = passage(text, start=9)
    made = quoted(held, start, end)
    assert is_verbatim(made, held) == bool(text[start:end].strip())


TABLE = passage_of(
    "Limits",
    "A profile is a name.\n\n| limit | option | simple | deep |\n|---|---|---:|---:|\n"
    "| loops | `--loops` | 2 | 10 |\n| seconds | `--time` | 60 | 120 |\n",
)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("limit: seconds; option: `--time`; simple: 60; deep: 120.", True),
        ("limit: loops; simple: 2; deep: 10.", True),
        ("limit: loops; simple: 60; deep: 120.", False),
        ("limit: seconds; simple: 120; deep: 60.", False),
        ("limit: seconds; simple: 6; deep: 120.", False),
        ("limit: seconds; huge: 60.", False),
        ("limit: seconds.", False),
        ("It lasts sixty seconds; that is long.", False),
        ("", False),
    ],
)
def test_one_row_and_its_names(text: str, reads: bool) -> None:
    assert is_table_record(text, [TABLE]) is reads


def test_a_cell_may_have_a_semicolon() -> None:
    table = passage_of(
        "Events", "| event | outcome |\n|---|---|\n| it stops | the lease ends; another goes on |\n"
    )
    assert is_table_record("event: it stops; outcome: the lease ends; another goes on", [table])
    assert not is_table_record("event: it stops; outcome: the lease ends; none goes on", [table])


def test_a_row_that_is_read_out_is_supported_and_a_mixed_one_is_not() -> None:
    row = "limit: seconds; option: `--time`; simple: 60; deep: 120."
    assert weigh(row, [TABLE]).support is Support.QUOTED
    assert not weigh(row.replace("60", "61"), [TABLE]).support.holds


def test_a_row_is_read_under_the_head_of_the_table_that_its_passage_continues() -> None:
    row = "| Fir | 30 | none |"
    head = "| Berth | Length (m) | Crane |"
    continued = TABLE.model_copy(update={"text": row, "table_head": head})
    said = "Berth: Fir; Length (m): 30; Crane: none"
    assert is_table_record(said, [continued])
    assert weigh(said, [continued]).support is Support.QUOTED
    assert not is_table_record(said, [continued.model_copy(update={"table_head": ""})])
    assert not is_table_record(said.replace("30", "31"), [continued])


def test_the_first_cell_has_no_name_where_its_column_has_none() -> None:
    head = "|  | HM-1 | HM-2 |"
    table = passage_of(
        "Mixers", f"{head}\n|---|---|---|\n| Whisk | Yes | No |\n| Bowl | No | Yes |\n"
    )
    assert weigh("Whisk; HM-2: No", [table]).support is Support.QUOTED
    assert not is_table_record("Whisk; HM-1: No; HM-2: Yes", [table])
    assert not is_table_record("Whisk; No", [table])
    named = table.model_copy(update={"text": table.text.replace(head, "| Trait | HM-1 | HM-2 |")})
    assert not is_table_record("Whisk; HM-2: No", [named])


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("Dogs are allowed", "Dogs are allowed in no part of the park."),
        ("Boats pay 5 euros", "Boats pay 5 euros less than ships."),
        ("Boys under 12 pay", "Boys under 12 pay nothing."),
        ("The tower is 30", "The tower is 300 metres high."),
        ("It costs 3.", "It costs 3.50 euros."),
        ("It is told in mill.", "It is told in mill.md at length."),
        ("Anna Berg built the mill.", "It is a myth that Anna Berg built the mill."),
        ("The dam is safe", "The dam is safe, the owner claims."),
    ],
)
def test_what_goes_on_in_the_source_is_not_said_there(said: str, source: str) -> None:
    assert not has_words(source, said)


@pytest.mark.parametrize(
    "rest", ["only on leads.", "unless it is hot.", "until 9 o'clock.", "if they are on leads."]
)
def test_what_is_cut_short_of_its_restriction_is_not_supported(rest: str) -> None:
    source = passage(f"It is a park. Dogs are allowed {rest}")
    assert not weigh("Dogs are allowed.", [source]).support.holds
    assert weigh("Dogs are allowed.", [source, passage("Dogs are allowed.")]).support.holds
    assert weigh(f"Dogs are allowed {rest}", [source]).support is Support.QUOTED
    assert weigh("It is a park.", [source]).support is Support.QUOTED


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("Dogs are allowed", "Dogs are allowed."),
        ("Dogs are allowed", "# Park\n\nDogs are\nallowed\n\nBoats"),
        ("Dogs are allowed", "- Dogs are allowed\n- Boats are not"),
        ("Dogs are allowed", "Rules: Dogs are allowed; boats pay 2 euros."),
        ("Dogs are allowed", "It says: “Dogs are allowed”. Boats pay."),
        ("dogs are allowed.", "So it is. As summer ends, dogs are allowed."),
        ("Dogs are allowed.", "[3] Dogs are allowed. [4] Boats pay."),
        ("Dogs are allowed", "So it is. Dogs are allowed [1]. Boats pay."),
        ("Dogs are allowed", "| a | Dogs are allowed | b |"),
        ("Dogs are allowed.", "Dogs pay in all parks.\nDogs are allowed."),
        ("岛上不允许带狗。", "灯塔高41米。岛上不允许带狗。磨坊很大。"),
        ("岛上不允许带狗", "灯塔高41米。岛上不允许带狗。磨坊很大。"),
    ],
)
def test_what_begins_and_ends_where_it_does_in_the_source_is_said_there(
    said: str, source: str
) -> None:
    assert has_words(source, said)


def test_what_a_source_does_not_have_is_not_cut_short() -> None:
    source = "Dogs are allowed only on leads. A cat is allowed if it sleeps."
    assert is_cut_short("Dogs are allowed.", source)
    assert not is_cut_short("Goats are allowed.", source)
    assert not is_cut_short("cat is allowed", source)


@pytest.mark.parametrize("before", ["", "Ask us where Dogs are allowed. ", "Dogs are allowed in. "])
def test_what_is_cut_short_may_be_named_before_it_is_said(before: str) -> None:
    assert is_cut_short("Dogs are allowed.", f"{before}Dogs are allowed only on leads.")


def test_what_stands_after_a_rule_begins_there() -> None:
    source = "Commission file ________ Oregon 12-3456789 (State)\nSkarrow"
    assert has_words(source, "Oregon 12-3456789 (State)")
    assert not has_words(source, "12-3456789 (State)")
