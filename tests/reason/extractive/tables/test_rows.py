"""What is answered over all rows of a table, and when nothing is."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import LENS, checklist, pool
from tests.reason.extractive.table_pages import passage_of, piped, read, shelf

from quaere.domain.question import Intent, SourceKind
from quaere.domain.report import DirectKind, Opens
from quaere.reason.extractive.answer import write_rows
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.rows import answer_over_rows, blank_cell, table_query
from quaere.reason.extractive.tables.whole import unread_tables

_FERRIES = """\
ferry,route_from,route_to,leaves,length_m,fare_eur,crew,captain,bar,in_ice,built,last_docked,port
Auk,Orrin,Brell,06:40,48,12.50,9,Ada Finch,yes,no,1988-04-02,2023-05-01,Orrin
Dunlin,Brell,Orrin,08:15,61,12.50,14,Bo Marsh,no,yes,2004-09-30,2024-02-11,Brell
Eider,Orrin,Skarrow,09:00,35,7.00,5,Cleo Hart,no,no,1975-01-20,,Orrin
Fulmar,Skarrow,Orrin,17:30,52,7.25,8,Bo Marsh,yes,yes,1999-12-01,2022-10-09,Skarrow
Grebe,Brell,Skarrow,22:05,70,21.00,16,Ivy Lamb,yes,no,2015-06-18,2024-03-02,Brell"""
FERRIES = "\n".join(f"| {' | '.join(row.split(','))} |" for row in _FERRIES.splitlines())
HUTS = """\
| Hut | Height (m) | Beds | Warden | Opened | Stove |
| Low Tarn | 640 | 12 | Sol Reed | 1931 | yes |
| High Crag | 1,180 | 8 | Una Wick | 1954 | no |
| Far Moss | 905 | 20 | Sol Reed | 1954 | yes |"""


BOTH = read(passage_of("ferries.csv", FERRIES), passage_of("huts.md", HUTS, 2))


def told(question: str) -> RowsAnswer:
    answer = answer_over_rows(question, BOTH)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who commands the Grebe, and what is the captain called?", None),
        ("Who is the captain of the Grebe?", "Ivy Lamb"),
        ("When does the Fulmar leave?", "17:30"),
        ("When was the Dunlin constructed?", "2004-09-30"),
        ("How much does the Eider cost?", "7.00 EUR"),
        ("How long is the Auk?", "48 m"),
        ("How high is Far Moss?", "905 m"),
        ("Does the Eider have a bar?", "No"),
        ("May the Dunlin go in ice?", "Yes"),
    ],
)
def test_a_cell_is_looked_up_in_other_words_than_its_head(question: str, text: str | None) -> None:
    answer = answer_over_rows(question, BOTH)
    assert (answer and answer.text) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which ferry is the longest?", "Grebe (length_m: 70 m)"),
        ("Which ferry is the oldest?", "Eider (built: 1975-01-20)"),
        ("Which is the newest ferry?", "Grebe (built: 2015-06-18)"),
        ("What is the cheapest ferry to Orrin?", "Fulmar (fare_eur: 7.25 EUR)"),
        ("Which ferry has the most crew?", "Grebe (crew: 16)"),
        ("Which ferry has the smallest crew?", "Eider (crew: 5)"),
        ("Who is the captain of the shortest ferry?", "Cleo Hart (length_m: 35 m)"),
        ("Which hut is the highest?", "High Crag (Height: 1,180 m)"),
        ("Which huts are the newest?", "High Crag, Far Moss (Opened: 1954)"),
        ("Which is longer, the Auk or the Fulmar?", "Fulmar (length_m: 52 m)"),
        ("Which ferry was docked last?", "Grebe (last_docked: 2024-03-02; 1 of 5 rows have none)"),
    ],
)
def test_the_row_that_leads_goes_by_the_adjective_and_the_column(question: str, text: str) -> None:
    assert told(question).text == text


def test_heights_of_four_figures_are_no_years() -> None:
    peaks = "| Peak | Height (m) | Beds |\n| Orrin | 1640 | 1200 |\n| Hask | 2020 | 1900 |"
    tables = read(passage_of("peaks.md", peaks))
    answered = [
        answer_over_rows(question, tables)
        for question in (
            "Which peak is the highest?",
            "How high is Orrin?",
            "How many beds has Hask?",
        )
    ]
    assert [each and each.text for each in answered] == ["Hask (Height: 2020 m)", "1640 m", "1900"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which ferries have no bar?", "Dunlin, Eider"),
        ("Which ferries to Orrin have a bar?", "Fulmar"),
        ("Which ferries were built before 1990?", "Auk, Eider"),
        ("Which ferries leave after 09:00?", "Fulmar, Grebe"),
        ("Which ferries cost more than 10 euros?", "Auk, Dunlin, Grebe"),
        ("Which ferries have not been docked?", "Eider"),
        ("Which ferries does Bo Marsh command?", None),
        ("Which huts without a stove are there?", "High Crag"),
        ("Which huts have at least 12 beds?", "Low Tarn, Far Moss"),
        ("Which ferries are not from Orrin?", "Dunlin, Fulmar, Grebe"),
        ("Which ferries do not leave from Orrin?", "Dunlin, Fulmar, Grebe"),
        ("Which ferries don't go to Orrin or Brell?", "Eider, Grebe"),
        ("Which ferries that do not go in ice leave from Orrin?", "Auk, Eider"),
        ("Which ferries without a bar leave from Orrin?", "Eider"),
        ("Which ferries were not built before 1990?", None),
        ("Which ferries do not cost more than 10 euros?", None),
        ("Which ferries do not leave after 09:00?", None),
        ("Which huts did not open in 1954?", None),
        ("Which huts do not have 8 beds?", None),
    ],
)
def test_the_rows_that_hold_are_all_told_and_counted(question: str, names: str | None) -> None:
    answer = answer_over_rows(question, BOTH)
    if names is None:
        assert answer is None
    else:
        count = names.count(",") + 1
        assert answer is not None
        whole = len(answer.table.lines)
        assert answer.text == f"{names} ({count} of {whole} rows of {answer.table.name})"
        assert len(answer.lines) == count


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("How many ferries leave from Orrin?", "2 (of 5 rows of ferries.csv: Auk, Eider)"),
        ("How many ferries are there?", "5 (of 5 rows"),
        ("How many huts opened in 1954?", "2 (of 3 rows of huts.md: High Crag, Far Moss)"),
        ("What is the total crew of the ferries with a bar?", "33 (sum of crew over 3 of 5 rows"),
        (
            "What is the average fare of the ferries to Orrin?",
            "9.88 EUR (average of fare_eur over 2",
        ),
        ("How many beds are there in total?", "40 (sum of Beds over 3 of 3 rows of huts.md"),
    ],
)
def test_what_is_counted_or_summed_up_rests_on_rows(question: str, begins: str) -> None:
    answer = told(question)
    assert answer.kind is DirectKind.NUMBER
    assert answer.text.startswith(begins)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the captain of the Puffin?",
        "What is the telephone number of Ada Finch?",
        "How deep is the Auk?",
        "Which ferry is the fastest?",
        "Which car is the longest?",
        "Which ferries have no cinema?",
        "How many passengers sail on the Auk?",
        "When was the Eider docked?",
        "When did the warden of Low Tarn retire?",
        "Why is the Eider the oldest ferry?",
    ],
)
def test_what_no_column_row_or_value_says_is_not_answered(question: str) -> None:
    assert answer_over_rows(question, BOTH) is None


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When was the Eider last docked?", "ferries.csv has no last_docked for Eider"),
        ("When was the Auk last docked?", None),
        ("Which ferry was docked last?", None),
        ("Who painted the Eider?", None),
        ("Why was the Eider last docked?", None),
    ],
)
def test_a_cell_that_is_asked_for_and_empty_is_told(question: str, told: str | None) -> None:
    blank = blank_cell(question, BOTH)
    assert (blank and str(blank)) == told


def test_a_yes_or_no_that_the_table_leaves_open_is_told() -> None:
    bars = FERRIES.replace("| Ivy Lamb | yes |", "| Ivy Lamb |  |")
    blank = blank_cell("Does the Grebe have a bar?", read(passage_of("ferries.csv", bars)))
    assert str(blank) == "ferries.csv has no bar for Grebe"


def test_a_column_that_could_be_either_of_two_is_not_chosen() -> None:
    text = "| plot | cost_eur | price_eur |\n| A | 3 | 9 |\n| B | 4 | 7 |"
    (table,) = read(passage_of("plots.csv", text))
    assert answer_over_rows("Which plot is the cheapest?", [table]) is None
    same = text.replace("| 9 |", "| 5 |")
    answer = answer_over_rows("Which plot is the cheapest?", read(passage_of("plots.csv", same)))
    assert answer is not None
    assert answer.text.startswith("A ")


def test_of_two_tables_that_fit_alike_none_is_chosen() -> None:
    other = HUTS.replace("640", "1,640")
    twice = read(passage_of("huts.md", HUTS), passage_of("huts.html", other, 2))
    assert answer_over_rows("Which hut is the highest?", twice) is None
    assert answer_over_rows("Which hut is the highest?", twice[:1]) is not None


def test_a_table_that_was_cut_is_not_read() -> None:
    cut = passage_of("huts.md", HUTS).model_copy(update={"text": HUTS[:90]})
    assert read(cut) == ()


def test_rows_are_quoted_byte_for_byte_and_shown_as_a_table() -> None:
    question = "Which ferries have no bar?"
    written = write_rows(told(question), checklist(question), max_words=200, max_citations=5)
    assert [each.text for each in written] == ["ferry: Dunlin; bar: no", "ferry: Eider; bar: no"]
    for sentence in written:
        (quote,) = sentence.quotes
        assert FERRIES[quote.start : quote.end] == quote.text
        assert sentence.opens is Opens.ROW
    direct = written[0].direct
    assert direct is not None
    assert direct.text == "Dunlin, Eider (2 of 5 rows of ferries.csv)"
    assert len(direct.quotes) == 2


def test_rows_that_have_no_room_are_counted_all_the_same() -> None:
    question = "How many ferries are there?"
    written = write_rows(told(question), checklist(question), max_words=30, max_citations=5)
    assert 0 < len(written) < 5
    assert written[0].direct is not None
    assert written[0].direct.text.startswith("5 ")


def test_tables_are_asked_for_where_rows_were_found_or_nothing() -> None:
    rows, prose = pool(("Huts", HUTS.replace("\n", "\n|---|---|\n", 1))), pool(LENS)
    folder, question = {SourceKind.FOLDER}, "Which hut is the highest?"
    (query,) = table_query(question, rows, folder)
    assert (query.intent, query.source_kinds) == (Intent.TABLE, (SourceKind.FOLDER,))
    assert table_query(question, Pool((), {}), folder)
    assert not table_query(question, prose, folder)
    assert table_query("Which hut has the highest roof?", rows, folder)  # there may be another
    assert not table_query("Which painter restored the altar in the hut?", rows, folder)
    assert table_query("How many huts have no stove?", rows, folder)
    assert not table_query(question, rows, {SourceKind.WEB})
    assert not table_query("Why is High Crag the highest hut?", rows, folder)
    one_row = pool(("Huts", "| Hut | Height |\n|---|---|\n| High Crag | 978 m |"))
    assert table_query(question, one_row, folder)


def test_a_table_that_is_too_large_is_told() -> None:
    large = passage_of("log.csv", "log.csv has 900 rows, and no more than 500 are read as a whole")
    assert unread_tables(*shelf(large, passage_of("huts.md", HUTS, 2))) == (large.text,)
    assert read(large) == ()


def test_a_choice_shows_the_rows_of_all_that_are_compared() -> None:
    (table,) = read(passage_of("huts.md", HUTS))
    found = answer_over_rows("Which is higher, Low Tarn or Far Moss?", [table])
    assert found is not None
    assert found.text == "Far Moss (Height: 905 m)"
    assert [line.text.split(" | ")[0].strip("| ") for line in found.lines] == [
        "Far Moss",
        "Low Tarn",
    ]


@pytest.mark.parametrize(
    ("question", "text"),
    [("Is Auk longer than Dunlin?", "No"), ("Is Dunlin longer than Auk?", "Yes")],
)
def test_an_order_that_is_supposed_is_shown_with_what_decides_it(question: str, text: str) -> None:
    ferries = read(passage_of("ferries.csv", piped("ferry,crew,length_m\nAuk,9,48\nDunlin,14,61")))
    found = answer_over_rows(question, ferries)
    assert found is not None
    assert (found.text, found.kind) == (text, DirectKind.YES_NO)
    assert found.columns == {"ferry", "length_m"}
    assert len(found.lines) == 2


def test_a_column_without_a_head_is_no_fault() -> None:
    (table,) = read(passage_of("n.md", "| Name |  | N |\n| Auk | 1 | 2 |\n| Eider | 3 | 4 |"))
    answer_over_rows("What is the total N?", [table])


@pytest.mark.parametrize(
    ("asked", "told"),
    [("where", "Brell"), ("where is it", "Brell"), ("who", "Cleo Hart"), ("when", None)],
)
def test_one_thing_more_is_told_of_the_row_where_one_column_tells_it(
    asked: str, told: str | None
) -> None:
    rows = "| boat | crew | port | captain |\n| Auk | 4 | Hask | Ada Finch |"
    boats = read(passage_of("boats.csv", f"{rows}\n| Eider | 9 | Brell | Cleo Hart |"))
    found = answer_over_rows(f"Which boat has the most crew and {asked}?", boats)
    assert found is not None
    assert found.text == ", ".join(filter(None, ("Eider (crew: 9)", told)))


@pytest.mark.parametrize(("head", "answer"), [("stock", "12"), ("pages", None)])
def test_how_many_there_are_of_one_thing_is_told_by_what_counts_a_stock(
    head: str, answer: str | None
) -> None:
    rows = f"| ware | {head} | weight |\n| Anchor | 4 | 70 |\n| Buoy | 12 | 3 |"
    found = answer_over_rows("How many buoys are there?", read(passage_of("wares.csv", rows)))
    assert (found and found.text) == answer


def test_what_something_should_be_is_told_by_no_list_of_rows() -> None:
    rows = "Code,Cause\nA1,Pressure too low\nA2,Pressure too high\nC7,Fan stopped"
    table = read(passage_of("codes.csv", piped(rows)))
    assert answer_over_rows("What should the pressure be?", table) is None
