"""Which cells of a table a question names, and what becomes of several."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import HARBOUR, passage_of, piped, read, told

from quaere.domain.report import SURE
from quaere.domain.source import Passage
from quaere.reason.extractive.tables.rows import answer_over_rows


def named(question: str) -> str | None:
    """Return the names that the rows are told by; None where nothing is answered."""
    answer = told(question)
    return answer and answer.partition(" (")[0]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which plants do not come from Norway?", "Aloe, Fern, Palm"),
        ("Which plants do not come from Norway or Spain?", "Aloe, Fern"),
        ("Which plants come from Norway and Spain?", "Ivy, Palm"),
        ("Which employees are in Orrin or Brell?", "Ada Finch, Bo Marsh, Cleo Hart"),
        ("Which trips on Monday are guided by Ivy Lamb?", None),
        ("Which trips on Monday are by the boat Grebe?", "Low Tarn, Far Moss"),
    ],
)
def test_of_several_values_in_a_column_a_row_has_any(question: str, names: str | None) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was Finch hired?", "2012-03-01"),
        ("What does the rope weigh?", "2 kg"),
        (
            "Which products are supplied by Hask Rope Works?",
            "Dinghy rope (1 of 5 rows of goods.csv)",
        ),
        ("Which products are supplied by Hask?", None),
    ],
)
def test_what_names_a_row_may_be_short_and_another_cell_is_said_by_half(
    question: str, answer: str | None
) -> None:
    """ "Finch" is Ada Finch; "Hask" is not "Hask Rope Works", of which it is a third."""
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which tasks need a saw?", "Tar the hull, Tar the deck"),
        ("Which tasks need marlin?", "Splice ropes"),
        ("Which tasks need a fid?", "Splice ropes"),
        ("Which tasks need a needle?", "Mend sails"),
        ("Which tasks need a drill?", None),
    ],
)
def test_one_of_several_things_in_a_cell_is_enough(question: str, names: str | None) -> None:
    assert named(question) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which employees report to Ada?", "Bo Marsh, Cleo Hart"),
        ("Who reports to Ada Finch?", "Bo Marsh, Cleo Hart"),
        ("Which employees are called Ada?", "Ada Finch"),
        ("When was Ada Finch hired?", "2012-03-01"),
    ],
)
def test_a_name_in_two_columns_is_meant_where_its_head_leads_to_it(
    question: str, names: str
) -> None:
    assert named(question) == names


def test_a_name_in_two_columns_that_nothing_leads_to_is_that_of_the_row() -> None:
    tables = read(
        passage_of(
            "boats.csv",
            "| boat | tug | crew |\n| Auk | Eider | 4 |\n| Eider | Auk | 9 |\n| Teal | Auk | 2 |",
        )
    )
    assert told("What is the crew of the Eider?", tables) == "9"


def test_a_value_in_two_columns_neither_of_which_names_rows_is_left_open() -> None:
    rows = "| boat | port | built in |\n| Auk | Hask | Orrin |\n| Eider | Orrin | Hask |"
    tables = read(passage_of("boats.csv", f"{rows}\n| Teal | Brell | Hask |"))
    assert told("Which boats are of Hask?", tables) is None
    assert told("Which boats were built in Hask?", tables) == (
        "Eider, Teal (2 of 3 rows of boats.csv)"
    )


def test_a_word_of_a_head_is_a_value_only_as_it_is_written() -> None:
    tables = read(
        passage_of(
            "staff.csv",
            "| name | manager | department |\n| Ada Finch | Una Wick | Management |\n"
            "| Bo Marsh | Ada Finch | Repairs |\n| Cleo Hart | Ada Finch | Sales |",
        )
    )
    assert told("Who is the manager of Cleo Hart?", tables) == "Ada Finch"


@pytest.mark.parametrize(
    ("said", "price"),
    [("12", None), ("20", "€4"), ("250", "€5"), ("Ty", "€6")],
    ids=["counts", "begins a name", "is long", "is no figure"],
)
def test_a_small_figure_names_what_it_begins_and_no_row_in_which_it_counts(
    said: str, price: str | None
) -> None:
    rows = "Ware,Price\nBox of 12,€3\n20 Auk,€4\nLamp of 250,€5\nRope Ty,€6"
    assert told(f"What does the {said} cost?", read(passage_of("wares.csv", piped(rows)))) == price


_RELEASES = """\
| version | name | release | eol |
| 1.04 LTS | Auk | 2004-04-20 | 2009-04-30 |
| 1.10 | Dunlin | 2004-10-12 | 2006-04-30 |
| 2.04 LTS | Eider | 2008-04-24 | 2013-05-09 |
| 2.10 | Fulmar | 2008-10-30 | 2010-04-30 |"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many gull releases are LTS?", "2 (of 4 rows of gull.csv: 1.04 LTS, 2.04 LTS)"),
        ("How many gull users are LTS?", None),
        ("Which gull releases came out before 2008?", "1.04 LTS, 1.10 (2 of 4 rows of gull.csv)"),
        ("When does support for Dunlin end?", "2006-04-30"),
        ("What happens when Dunlin ends?", None),
    ],
)
def test_releases_are_told_apart_by_marks_dates_and_the_end_of_their_support(
    question: str, text: str | None
) -> None:
    answer = answer_over_rows(question, read(passage_of("gull.csv", _RELEASES)))
    assert (answer and answer.text) == text


def test_a_word_that_asks_for_nothing_is_no_value_of_a_row() -> None:
    table = """\
| service | port | comment |
| auk | 7 | |
| dunlin | 9 | not used |
| eider | 11 | users |"""
    answer = answer_over_rows("What port does auk use?", read(passage_of("services.csv", table)))
    assert answer is not None
    assert answer.text == "7"


RULES = passage_of(
    "rules.csv",
    "| rule | what it says |\n| R1 | a pump has tiers, tiered errors and a way to report leaks |\n"
    "| R2 | a crane lifts |",
)
NEEDS = passage_of(
    "needs.csv",
    "| system | compiler version |\n| Linux | Hask >= 10.1 |\n| Norrix | Tidec 4 |",
)
SECTIONS = passage_of(
    "manual.csv",
    "| section | section contents |\n| 1 | commands |\n"
    "| 2 | system calls (functions of the kernel) |\n"
    "| 9 | kernel routines |\n| n | new ones |",
)


@pytest.mark.parametrize(
    ("question", "page", "names"),
    [
        ("What are the tiers of errors?", RULES, None),
        ("What does R1 require?", RULES, None),
        ("What do the cranes do?", RULES, None),
        ("Which Hask version is needed?", NEEDS, "Hask >= 10.1"),
        ("Which section has system calls?", SECTIONS, "2"),
    ],
    ids=[
        "a word of a text names no row",
        "its own name",
        "a deed",
        "the cell itself",
        "before brackets",
    ],
)
def test_what_is_asked_for_is_what_a_row_is_called_or_the_cell_that_is_named(
    question: str, page: Passage, names: str | None
) -> None:
    answer = told(question, read(page))
    assert (answer and answer.partition(" (")[0]) == names


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many shops are in Orrin?", None),
        ("How many shops are in New Orrin?", "2"),
    ],
)
def test_a_new_place_is_not_the_old_one(question: str, answer: str | None) -> None:
    rows = "| Place | Shops | Boats |\n|---|---|---|\n| New Orrin | 2 | 9 |\n| Skarrow | 4 | 1 |\n"
    shops = read(passage_of("tern.md", f"# Tern\n\n{rows}"))
    assert told(question, shops) == answer


_SET_RULES = """\
rule,default,meaning
KEEP_BYTES,,Bytes that copies take up before they are deleted; no limit when not set
PUMP_KEY,,Key with which the pump is unlocked by the crew
HULL_BYTES,9,Bytes that a log of the hull may have before it is cut"""
SET_RULES = read(passage_of("rules.csv", piped(_SET_RULES)))


@pytest.mark.parametrize("question", ["Which rules have no key?", "Which rules say no bytes?"])
def test_what_a_name_or_a_text_does_not_say_is_not_denied(question: str) -> None:
    assert told(question, SET_RULES) is None


def test_rows_that_are_found_by_a_word_of_a_text_are_not_sure() -> None:
    sure = answer_over_rows("Which employees are in Orrin?", HARBOUR)
    found = answer_over_rows("Which rules set limits?", SET_RULES)
    assert sure is not None
    assert sure.confidence >= SURE
    assert found is not None
    assert found.text == "KEEP_BYTES (1 of 3 rows of rules.csv)"
    assert found.confidence < SURE
