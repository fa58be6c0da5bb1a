"""R6.3: items are judged under their lead-in, and rows of a table by their own label."""

import pytest

from quaere.domain.report import Support
from quaere.domain.source import Passage, passage_id
from quaere.verify.ground import ground, is_item, under_lead_in
from quaere.verify.support import Finding, weigh
from quaere.verify.table_cells import is_of_another_label

RESTRICTED = """A restricted shell is like any other, except that the following are not performed:

   * Changing directories with the cd builtin.
   * Redirecting output to files, whatever
     the operator.

The restrictions hold after startup.
"""
ALLOWED = RESTRICTED.replace("are not performed", "are still performed")
VERDICTS = """| verdict | meaning |
|---|---|
| quoted | a source has it word for word |
| open | nobody could tell, as the wording differs |
| opposed | a source says the opposite of it |
"""


def found(source: str, said: str) -> Finding:
    """Return what words alone find of ``said``."""
    page = Passage(
        id=passage_id("a", 0, source), url="a", title="", text=source, start=0, end=len(source)
    )
    return weigh(said, [page])


@pytest.mark.parametrize("said", ["Directories are not changed with the cd builtin.",
                                  "Output is not redirected to files."])  # fmt: skip
def test_an_item_is_denied_by_what_leads_it_in(said: str) -> None:
    assert found(RESTRICTED, said).support is Support.SUPPORTED
    assert not found(ALLOWED, said).support.holds


def test_an_item_whose_lead_in_is_not_there_contradicts_nothing() -> None:
    items = RESTRICTED.partition(":\n\n")[2]
    said = "Changing directories with the cd builtin is not possible."
    assert found(items, said).support is not Support.CONTRADICTED


def test_a_label_does_not_get_the_words_of_another_row() -> None:
    other = found(VERDICTS, "**open**: a source says the opposite of it")
    assert other.support is Support.NOT_JUDGED
    assert other.note == "its source says this of something else"
    assert found(VERDICTS, "**opposed**: a source says the opposite").support.holds


def test_a_name_in_code_is_that_of_its_row() -> None:
    limits = "| limit | option |\n|---|---|\n| loops | `MAX_LOOPS` |\n| citations | `MAX_CITES` |\n"
    assert found(limits, "MAX_LOOPS limits the loops.").support.holds
    assert not found(limits, "MAX_LOOPS limits the citations.").support.holds


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("A full disk ends the log, and not the run.", "A full disk ends the run."),
        ("It sees marks that are new, and never sees an address.", "It sees an address."),
        ("Calls are retried (transient errors only).", "Calls are retried after all errors."),
    ],
)  # fmt: skip
def test_what_the_end_of_a_sentence_takes_back_is_not_supported(source: str, said: str) -> None:
    assert not found(source, said).support.holds


def test_a_share_is_the_percentage_that_it_comes_to() -> None:
    source = "Of the true ones .82 were called supported by words alone."
    assert not found(source, "Words alone called 82 % of the true ones supported.").figures
    assert found(source, "Words alone called 83 % of the true ones supported.").figures


def test_a_short_sentence_of_small_words_is_english() -> None:
    source = "A chat run takes 20 seconds at most, and a deep one 120 seconds."
    assert "language" not in found(source, "A chat run may take up to 60 seconds.").note


def test_a_label_may_stand_in_any_cell_of_its_row() -> None:
    rows = "| no text of pages | `KEEP_PAGES` |\n| nothing that was asked | `KEEP_ASKED` |"
    source = [ground(rows)]
    assert is_of_another_label("`KEEP_ASKED`: no text of pages", source)
    assert not is_of_another_label("`KEEP_PAGES`: no text of pages", source)


KEYLESS = "- Wikipedia\n- OpenAlex\n- arXiv, with a pause between requests\n- Crossref\n- PubMed"


@pytest.mark.parametrize(
    ("said", "support"),
    [
        ("PubMed needs no key.", Support.SUPPORTED),
        ("No key is needed for OpenAlex.", Support.SUPPORTED),
        ("Crossref needs a key.", Support.CONTRADICTED),
    ],
)
def test_an_item_says_what_leads_it_in_though_that_is_in_another_passage(
    said: str, support: Support
) -> None:
    alone = Passage(id="a", url="a", title="", text=KEYLESS, start=0, end=len(KEYLESS))
    below = alone.model_copy(update={"lead_in": "The following services need no key:"})
    assert weigh(said, [alone]).support is Support.NOT_JUDGED
    assert weigh(said, [below]).support is support
    assert found(f"Most ask for one. {below.lead_in}\n\n{KEYLESS}", said).support is support


def test_how_many_things_are_named_is_counted() -> None:
    source = "The speed can be set. The depth can be set. So can the width; these are settings."
    assert not found(source, "The three settings are speed, depth and width.").figures
    assert found(source, "The four settings are speed, depth and width.").figures == ("four",)


def under(text: str, line: str, known: str = "") -> list[str]:
    """Return the words of ``line`` in ``text`` with what leads it in."""
    return under_lead_in(ground(text), line, text.index(line), known).split()


@pytest.mark.parametrize(
    ("lead", "said"),
    [
        ("These services need a key:", "These services need a key PubMed"),
        # Its last clause speaks of the items, if it is not too short for that.
        ("Most cost nothing, but these ask for a key:", "these ask for a key PubMed"),
        ("Most cost nothing, these do:", "Most cost nothing these do PubMed"),
        ("Most cost nothing, these all do:", "these all do PubMed"),
        # A denial goes to the front, wherever it stands.
        ("These services need no key:", "not These services need key PubMed"),
        ("Most ask for a key, but not these:", "not Most ask for a key but these PubMed"),
        # One of another clause denies nothing here.
        ("Most need no key; these ask for one:", "these ask for one PubMed"),
    ],
)
def test_an_item_is_read_as_one_statement_with_its_lead_in(lead: str, said: str) -> None:
    assert under(f"{lead}\n\n- PubMed\n", "- PubMed") == said.split()
    assert under("- OpenAlex\n- PubMed\n", "- PubMed", known=lead) == said.split()


def test_an_item_loses_its_mark_unless_something_unknown_may_lead_it_in() -> None:
    items = "- OpenAlex\n- PubMed, too\n"
    assert under(f"Prices differ.\n\n{items}", "- PubMed, too") == ["PubMed,", "too"]
    assert under(items, "- PubMed, too") == ["-", "PubMed,", "too"]
    assert under(f"These need no key:\n\n{items}", "These need") == ["These", "need"]


@pytest.mark.parametrize(
    ("line", "item"), [("- a", True), ("* a", True), ("1. a", True), ("-a", False), ("a", False)]
)
def test_an_item_begins_with_a_mark_and_a_gap(line: str, item: bool) -> None:
    assert is_item(line) is item


RED, GREEN = "| red | stop and wait here |", "| green | drive on slowly ahead |"
RULE = "|---|---|"
SWAPPED = "Red: drive on slowly ahead"


@pytest.mark.parametrize(
    ("said", "sources", "other"),
    [
        (SWAPPED, [f"{RED}\n{GREEN}"], True),
        (SWAPPED, [f"{GREEN}\n{RED}"], True),
        (SWAPPED, [RED, GREEN], True),
        ("Green: drive on slowly ahead", [f"{RED}\n{GREEN}"], False),
        ("Red drive on slowly ahead", [f"{RED}\n{GREEN}"], False),
        # Without a row of its own the label is not the table's.
        ("Blue: drive on slowly ahead", [f"{RED}\n{GREEN}"], False),
        (SWAPPED, [RED], False),
        # The heads of columns are no row, and neither is a single cell.
        (SWAPPED, [f"{RED}\n{RULE}\n{GREEN}"], False),
        (SWAPPED, [f"{GREEN}\n{RULE}\n{RED}"], False),
        (SWAPPED, [f"{RED}\n| drive on slowly ahead |"], False),
    ],
)
def test_another_row_is_one_of_a_table_that_has_the_label_too(
    said: str, sources: list[str], other: bool
) -> None:
    assert is_of_another_label(said, map(ground, sources)) is other


PARTS = ["lamp", "wheel", "brake", "gear", "clutch", "horn", "seat", "mirror", "pedal", "door"]


@pytest.mark.parametrize(
    ("own", "elsewhere", "other"),
    [(0, 3, True), (0, 2, False), (7, 10, True), (8, 10, False), (10, 10, False)],
)
def test_another_row_has_far_more_of_the_words_than_the_own(
    own: int, elsewhere: int, other: bool
) -> None:
    """Of ten words, three more; of several other rows the best counts."""
    rows = [
        f"| green | {' '.join(PARTS[:elsewhere])} |",
        f"| red | {' '.join(PARTS[:own]) or 'none'} |",
        "| blue | none |",
    ]
    assert is_of_another_label(f"Red: {' '.join(PARTS)}", [ground("\n".join(rows))]) is other


def test_a_label_has_at_most_forty_characters() -> None:
    """What is longer is a clause that ends with a colon."""
    for length in (40, 41):
        label = "x" * length
        table = ground(f"| {label} | stop and wait here |\n{GREEN}")
        assert is_of_another_label(f"{label}: drive on slowly ahead", [table]) is (length == 40)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("DEPTH is the loops of citations.", True),
        ("DEPTH is the loops per run.", False),
        ("DEPTH_MAX is the loops per run.", True),
        ("DEPTH and DEPTH_MAX are loops of citations.", False),
        ("The loops of citations.", False),
    ],
)
def test_a_name_in_code_labels_if_it_stands_alone_and_whole(said: str, other: bool) -> None:
    options = "| `DEPTH` | loops per run |\n| `DEPTH_MAX` | loops of citations |"
    assert is_of_another_label(said, [ground(options)]) is other


@pytest.mark.parametrize(
    ("said", "supported"),
    [
        ("Not supported: slanted letters.", True),
        ("Slanted letters are not supported.", True),
        ("Supported: slanted letters.", False),
    ],
)
def test_a_label_that_denies_is_of_what_follows(said: str, *, supported: bool) -> None:
    text = (
        "Tern is a terminal.\n\nCurrently not supported:\n\n"
        "- Slanted (italic) letters;\n- wide ones;\n"
    )
    assert (found(text, said).support is Support.SUPPORTED) is supported
