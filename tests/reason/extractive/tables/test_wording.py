"""Which words of a question the heads of a table account for."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import HARBOUR

from quaere.reason.extractive.tables.columns import Column, Table
from quaere.reason.extractive.tables.wording import Condition, Undecided, Wording, sole

GOODS, PLANTS, STAFF, TRIPS, TASKS = HARBOUR


def column(table: Table, head: str) -> Column:
    return next(each for each in table.columns if each.head == head)


def said(question: str, table: Table, head: str) -> list[str]:
    """Return the words of ``question`` that may stand for a word in a head."""
    wording = Wording(question, table)
    return [wording.words[at] for at in wording.heads(column(table, head))]


@pytest.mark.parametrize(
    ("question", "table", "head", "words"),
    [
        ("What does the rope cost in euros?", GOODS, "price_eur", ["cost"]),
        ("What is the weight of the oar?", GOODS, "weight_kg", ["weight"]),
        ("What does the oar weigh?", GOODS, "weight_kg", ["weigh"]),
        ("Who is the supplier of oars?", GOODS, "supplier", ["supplier"]),
        ("Which firm supplies oars?", GOODS, "supplier", ["supplies"]),
        ("Which plant is harmless?", PLANTS, "toxic", ["harmless"]),
        ("Where does the aloe come from?", PLANTS, "origin", ["come"]),
        ("Which task is unfinished?", TASKS, "finished", ["unfinished"]),
        ("Which zone is the oar in?", GOODS, "zone", ["zone"]),
        ("Which zones are there?", GOODS, "zone", ["zones"]),
        ("Which are zonal?", GOODS, "zone", []),
        ("Who is the oldest?", STAFF, "age", []),
        ("What is due?", TASKS, "due", ["due"]),
    ],
)
def test_a_word_stands_for_a_head_in_its_forms_and_for_its_like(
    question: str, table: Table, head: str, words: list[str]
) -> None:
    assert said(question, table, head) == words


def test_words_that_are_accounted_for_are_not_free() -> None:
    wording = Wording("What does the oar weigh and cost in zone 1?", GOODS)
    free = [wording.words[at] for at in wording.free]
    assert free == ["oar", "weigh", "cost", "zone", "1"]
    start = wording.text.index("1")
    wording.use(start, start + 1, column(GOODS, "zone"))
    assert [wording.words[at] for at in wording.free] == ["oar", "weigh", "cost"]
    assert wording.heads(column(GOODS, "zone")) == []
    places = range(len(wording.words))
    assert [wording.words[at] for at in wording.heads(column(GOODS, "zone"), places)] == ["zone"]
    assert wording.share_left(column(GOODS, "zone")) == 0.0
    assert wording.head_places(GOODS.columns) == {
        *wording.heads(column(GOODS, "weight_kg")),
        *wording.heads(column(GOODS, "price_eur")),
    }


@pytest.mark.parametrize(
    ("question", "free"),
    [
        ("How heavy is the oar?", ["oar"]),
        ("How fine is the oar?", ["fine", "oar"]),
        ("Is heavy the oar?", ["heavy", "oar"]),
        ("Which heavy oars are there?", ["heavy", "oars", "there"]),
    ],
)
def test_the_adjective_behind_how_is_accounted_for(question: str, free: list[str]) -> None:
    wording = Wording(question, GOODS)
    assert [wording.words[at] for at in wording.free if wording.words[at] != "there"] == [
        word for word in free if word != "there"
    ]


@pytest.mark.parametrize(
    ("question", "table", "head", "share"),
    [
        ("What is the shelf life?", GOODS, "shelf_life_days", 2 / 3),
        ("How many days is the shelf life?", GOODS, "shelf_life_days", 1.0),
        ("What is the life?", GOODS, "shelf_life_days", 1 / 3),
        ("What is the price?", GOODS, "shelf_life_days", 0.0),
        ("What is the zone?", GOODS, "zone", 1.0),
    ],
)
def test_of_a_head_a_share_is_said(question: str, table: Table, head: str, share: float) -> None:
    wording = Wording(question, table)
    assert wording.share_left(column(table, head)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("question", "table", "head", "says"),
    [
        ("Which tasks passed inspection?", TASKS, "passed_inspection", True),
        ("Which tasks had an inspection?", TASKS, "passed_inspection", True),
        ("Which tasks passed?", TASKS, "passed_inspection", False),
        ("Which goods are in stock?", GOODS, "in_stock", True),
        ("Which goods are red?", GOODS, "in_stock", False),
        ("Which tasks are unfinished?", TASKS, "finished", True),
    ],
)
def test_a_yes_or_no_is_said_by_all_of_its_head_or_by_its_last_word(
    question: str, table: Table, head: str, *, says: bool
) -> None:
    wording = Wording(question, table)
    assert wording.says(column(table, head), wording.content) is says
    assert not wording.says(column(table, head), [])


@pytest.mark.parametrize(
    ("word", "table", "head", "opposite"),
    [
        ("unfinished", TASKS, "finished", True),
        ("finished", TASKS, "finished", False),
        ("harmless", PLANTS, "toxic", True),
        ("open", TRIPS, "open", False),
        ("lamp", TASKS, "finished", False),
    ],
)
def test_the_contrary_of_a_head_is_told_from_it(
    word: str, table: Table, head: str, *, opposite: bool
) -> None:
    wording = Wording(word, table)
    assert wording.is_opposite(0, column(table, head)) is opposite


def test_a_word_that_denies_stands_before_what_it_denies() -> None:
    wording = Wording("Which oars are not in stock and without a supplier?", GOODS)
    at = wording.words.index
    assert wording.deniers([at("stock")]) == {at("not")}
    assert wording.deniers([at("stock"), at("supplier")]) == {at("not"), at("without")}
    assert wording.deniers([at("oars")]) == set()


def test_of_two_columns_none_is_the_sole_one() -> None:
    zone, stock = column(GOODS, "zone"), column(GOODS, "in_stock")
    assert sole([]) is None
    assert sole([zone]) is zone
    with pytest.raises(Undecided):
        sole([zone, stock])


@pytest.mark.parametrize(
    ("rows", "is_value", "is_row"),
    [({2}, True, True), ({2}, False, False), ({1, 2}, True, False), (set[int](), True, False)],
)
def test_a_cell_that_one_row_alone_has_names_it(
    rows: set[int], *, is_value: bool, is_row: bool
) -> None:
    zone = column(GOODS, "zone")
    assert Condition(zone, frozenset(rows), is_value).is_row is is_row
    assert not Condition(zone, frozenset(rows)).is_row
