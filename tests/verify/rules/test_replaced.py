"""One word for another, and what is taken from another line."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage
from tests.verify.test_table_cells import source

from quaere.domain.report import Support
from quaere.verify.align import align
from quaere.verify.clash import Kind
from quaere.verify.ground import ground
from quaere.verify.rules.replaced import is_borrowed, replaces
from quaere.verify.support import weigh

LOCK = (
    "The lock was rebuilt in 1911. Its gates are made of larch. The keeper lives in the white"
    " cottage, and the barges moor at the lower quay."
)


@pytest.mark.parametrize(
    ("said", "support"),
    [
        ("Gates are made of oak.", Support.NOT_JUDGED),
        ("The gates are made of larch.", Support.SUPPORTED),
        ("The keeper lives in the red cottage.", Support.NOT_JUDGED),
        ("The keeper lives in the white cottage.", Support.SUPPORTED),
    ],
)
def test_another_word_in_its_place_is_not_supported(said: str, support: Support) -> None:
    assert weigh(said, [passage(LOCK)]).support is support


@pytest.mark.parametrize(
    ("said", "lines", "expected"),
    [
        ("The gates are made of oak.", ["The gates are made of larch."], True),
        ("The gates were built of oak.", ["The gates are built of larch."], True),
        ("The gates are made of oak.", ["The gates are made of old larch."], False),
        ("The gates are made of oak.", ["The gates are made of larch.", "Oak is used."], False),
        ("The gates rest on oak.", ["The gates stand on larch."], False),  # nothing of it is left
        ("The ferry takes bicycles.", ["The ferry carries bicycles."], False),
        ("The ferry sails to the isle.", ["The ferry crosses to the isle."], False),  # verbs
        ("The crew painted the ferry in May.", ["The crew painted it in May."], False),
        (
            "The ferry leaves at 9.",
            ["The ferry leaves at 8."],
            False,
        ),  # the rule for figures has it
        ("The tolls of the bridge rose.", ["The charges of the bridge rose."], True),
        ("June tolls rose again.", ["March tolls rose again."], True),
        ("May tolls rose again.", ["March tolls rose again."], True),
        ("All tolls rose again.", ["The tolls rose again."], False),
    ],
)
def test_only_one_word_in_a_clause_that_is_else_the_same(
    said: str, lines: list[str], expected: bool
) -> None:
    assert replaces([align(said, line) for line in lines]) is expected


@pytest.mark.parametrize("month", ["May", "June"])
@pytest.mark.parametrize(
    "text",
    [
        "The ferry runs from {} to October.",
        "The {} report tells of higher tolls.",
        "{} tolls rose by 4 percent.",
        "The ferry was painted in {}.",
    ],
)
def test_another_month_is_never_supported_whichever_it_is(text: str, month: str) -> None:
    said = text.format(month)
    assert weigh(said, [passage(said.replace("The", "Here, the"))]).support.holds
    assert not weigh(said, [passage(text.format("March"))]).support.holds


DEPOSITS = "Deposits are returned within sixty days."


@pytest.mark.parametrize(
    ("said", "other", "is_borrowed"),
    [
        ("Deposits are returned within three months.", "The lease ends after three months.", True),
        ("Deposits are returned within one month.", "The lease ends after one month.", True),
        ("Deposits are returned within sixty days.", "The lease ends after three months.", False),
        (
            "Deposits are returned within three months.",
            "Larger deposits are returned to all within three months.",
            False,
        ),
    ],
    ids=["of something else", "one of them", "its own", "of the same"],
)
def test_a_span_of_time_is_borrowed_from_a_line_about_something_else(
    said: str, other: str, *, is_borrowed: bool
) -> None:
    found = weigh(said, [source(f"{DEPOSITS} {other}")])
    assert (found.note == Kind.LABELLED) is is_borrowed
    assert (found.support is Support.NOT_JUDGED) is is_borrowed


FERRY = "The old ferry sails from Hask on Mondays. The market of the town opens in {}."
MILL = "The mill was built by Bo Marsh. A school is named after {}."


@pytest.mark.parametrize(
    ("said", "text", "is_borrowed"),
    [
        ("The old ferry sails from Brell on Mondays.", FERRY.format("Brell"), True),
        ("The old ferry sails from Hask on Mondays.", FERRY.format("Brell"), False),
        ("The mill was built by Ada Finch.", MILL.format("Ada Finch"), True),
        ("The mill was built by Bo Marsh.", MILL.format("Ada Finch"), False),
        (
            "The old ferry sails from Brell on Mondays.",
            f"{FERRY.format('Brell')} In summer the ferry sails from Brell.",
            False,
        ),
    ],
    ids=["a place", "its own place", "a person", "its own person", "told of the same as well"],
)
def test_a_name_is_borrowed_from_a_line_that_has_nothing_else_of_the_sentence(
    said: str, text: str, *, is_borrowed: bool
) -> None:
    """Its own words are in every line that names it, and are no sign of what the line is about."""
    found = weigh(said, [source(text)])
    assert (found.note == Kind.LABELLED) is is_borrowed
    assert found.support.holds is not is_borrowed


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Il molino fu costruito da {}.", "Il molino fu costruito da {}. La scuola ricorda {}."),
        ("De molen werd gebouwd door {}.",
         "De molen werd gebouwd door ingenieur {}. De school is naar {} genoemd."),
    ],
    ids=["it", "nl"],
)  # fmt: skip
def test_so_is_one_in_another_language_after_the_same_preposition(said: str, text: str) -> None:
    page = source(text.format("Bo Marsh", "Ada Finch"))
    assert weigh(said.format("Ada Finch"), [page]).note == Kind.LABELLED
    assert weigh(said.format("Bo Marsh"), [page]).support.holds


DOOR = "The tower has an iron door of 1790."


@pytest.mark.parametrize(
    ("said", "borrowed"),
    [
        ("The tower by the gate lost its door in 1804.", True),
        ("The tower by the gate lost its vane and door in 1804.", False),
        ("The tower burnt down in 1804.", False),
    ],
    ids=["half of it", "less than half", "one word"],
)
def test_a_line_is_what_a_sentence_is_about_from_half_of_its_words(
    said: str, *, borrowed: bool
) -> None:
    source_text = ground(f"{DOOR} The bell was cast in 1804.")
    assert is_borrowed(align(said, DOOR), [source_text]) is borrowed
