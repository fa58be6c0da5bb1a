"""Where a list of references begins and ends in a text, and what its entries say."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s

from quaere.audit.reference_list import (
    Reference,
    addresses,
    first_address,
    first_path,
    normalized_label,
    reference_list,
)
from quaere.read.formats import Format

BODY = "The mill was built in 1788 [1].\n\n"
LISTED = "## References\n\n[1] https://a.test/mill The mill\n[2] https://b.test/barge The barge"


def entries(text: str) -> list[tuple[str, str, str]]:
    """Return the label, the address and the title of every reference in ``text``."""
    found = reference_list(text).references
    return [(each.label, each.address, each.title) for each in found]


def taken(text: str) -> list[str]:
    """Return the parts of ``text`` that are lists and no prose."""
    return [text[start:end] for start, end in reference_list(text).spans]


def test_a_list_takes_up_its_heading_and_all_of_its_lines() -> None:
    found = reference_list(f"{BODY}{LISTED}")
    assert [each.label for each in found.references] == ["1", "2"]
    ((start, end),) = found.spans
    assert (start, end) == (len(BODY), len(BODY) + len(LISTED))


@pytest.mark.parametrize("path", ["../docs/mill.md", "./mill.md", "../../a/b.csv", "mill.md"])
@pytest.mark.parametrize("mark", ["[1] ", "[1]: ", "[1]. ", "【1】 ", "^1 "])
def test_a_path_keeps_the_dots_that_it_begins_with(path: str, mark: str) -> None:
    for text in (f"{BODY}{mark}{path}", f"{BODY}## Sources\n\n{mark}{path}\n"):
        assert [each.address for each in reference_list(text).references] == [path]


def test_a_reference_by_itself_takes_up_its_line_alone() -> None:
    line = "[1]: https://a.test/mill"
    found = reference_list(f"{BODY}{line}\n\nIt ground barley.")
    assert found.spans == ((len(BODY), len(BODY) + len(line)),)


@pytest.mark.parametrize(
    ("said", "found", "target"),
    [
        ("See https://a.test/x.", "https://a.test/x", "https://a.test/x"),
        ("(https://a.test/x).", "https://a.test/x", "https://a.test/x"),
        ("(https://a.test/x_(y))", "https://a.test/x_(y)", "https://a.test/x_(y)"),
        ("https://a.test/x)))...", "https://a.test/x", "https://a.test/x"),
        ("<https://a.test/q,>", "<https://a.test/q,>", "https://a.test/q,"),
        ("at www.mill.test/a, too", "www.mill.test/a", "https://www.mill.test/a"),
        ("doi: 10.1234/ab(c)1). So", "doi: 10.1234/ab(c)1", "https://doi.org/10.1234/ab(c)1"),
        ("arXiv:2401.01234v2.", "arXiv:2401.01234v2", "https://arxiv.org/abs/2401.01234v2"),
        ("arxiv:math.AG/0101001", "arxiv:math.AG/0101001", "https://arxiv.org/abs/math.AG/0101001"),
    ],
)
def test_an_address_in_a_sentence_ends_where_the_sentence_goes_on(
    said: str, found: str, target: str
) -> None:
    (address,) = addresses(said)
    assert (said[address.start : address.end], address.target) == (found, target)
    assert address.words is None
    assert first_address(said) == target


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[the mill](https://a.test/x)", "https://a.test/x"),
        ("[the mill](HTTPS://A.test)", "HTTPS://A.test"),
        ("[the mill](ftp://a.test/f)", "ftp://a.test/f"),
        ("[the mill](//a.test/x)", "https://a.test/x"),
        ("[the mill](<a b.md>)", "a b.md"),
        ("[the mill](x.md 'A title')", "x.md"),
        (r"[the mill](notes\_a.md)", "notes_a.md"),
        ("[the mill](#history)", ""),
        ("[the mill](mailto:m@a.test)", ""),
    ],
)
def test_a_link_leads_to_its_target_and_shows_its_words(link: str, target: str) -> None:
    (address,) = addresses(link)
    assert address.target == target
    assert address.words
    assert link[slice(*address.words)] == "the mill"


def test_a_picture_leads_nowhere() -> None:
    picture = "![mill](https://a.test/x.png)"
    (address,) = addresses(picture)
    assert (address.start, address.end, address.target) == (0, len(picture), "")


def test_an_address_goes_before_a_path_and_what_leads_nowhere_counts_for_nothing() -> None:
    assert first_address("notes/mill.md, [above](#mill), https://a.test/x") == "https://a.test/x"
    assert first_address("[above](#mill), see notes/mill.md") == "notes/mill.md"
    assert first_address("nothing to see") == first_path("nothing to see") == ""


NAMES = {
    Format.HTML: "weir.html", Format.PDF: "weir.pdf", Format.DOCX: "weir.docx",
    Format.XLSX: "fees.xlsx", Format.PPTX: "talk.pptx", Format.ODT: "weir.odt",
    Format.ODS: "fees.ods", Format.ODP: "talk.odp", Format.EPUB: "salt-road.epub",
    Format.RTF: "old.rtf", Format.MARKDOWN: "notes.md", Format.TEXT: "notes.txt",
    Format.RST: "guide.rst", Format.CSV: "fees.csv", Format.TSV: "fees.tsv",
    Format.JSON: "fees.json", Format.JSONL: "fees.jsonl", Format.NOTEBOOK: "trial.ipynb",
    Format.SUBTITLES: "talk.srt", Format.CALENDAR: "tides.ics", Format.MAIL: "arrears.eml",
    Format.MBOX: "arrears.mbox", Format.XML: "weir.xml",
}  # fmt: skip


def test_there_is_a_file_here_of_every_format() -> None:
    assert set(NAMES) == set(Format) - {Format.UNSUPPORTED}


@pytest.mark.parametrize("name", [*NAMES.values(), "tides.mhtml", "talk.vtt"])
def test_files_of_every_format_that_is_read_are_paths(name: str) -> None:
    assert first_path(f"See {name}, page 2.") == name
    assert [(label, to) for label, to, _ in entries(f"{BODY}[1] {name}")] == [("1", name)]


def test_a_file_in_a_folder_of_the_service_is_a_path() -> None:
    assert (
        first_path("The mill, folder:notes-2/old/mill.odt, page 2") == "folder:notes-2/old/mill.odt"
    )
    assert first_path("in folder: mill.odt") == "mill.odt"


def test_backslashes_of_markdown_are_no_part_of_a_path() -> None:
    assert first_path(r"see notes\_of\_1788.md") == "notes_of_1788.md"


@pytest.mark.parametrize(
    ("label", "normal"),
    [
        ("¹²", "12"),
        ("@Mill  2020", "mill 2020"),
        ("^007", "7"),
        ("000", "0"),
        ("0a", "0a"),
    ],
)
def test_labels_are_compared_however_they_are_written(label: str, normal: str) -> None:
    assert normalized_label(label) == normal


@pytest.mark.parametrize("level", ["#", "##", "###"])
def test_a_list_below_a_heading_ends_at_the_next_one_that_is_not_below_it(level: str) -> None:
    listed = f"{level} Sources\n1. A\n{level}# On paper\n2. B"
    text = f"{BODY}{listed}\n{level} More\n3. C"
    assert taken(text) == [listed]
    assert [label for label, _, _ in entries(text)] == ["1", "2"]
    assert taken(f"# Mill\n\n{listed}\n# More") == [listed]


def test_a_heading_without_an_entry_begins_no_list() -> None:
    assert taken("## Sources\n\nThey were lost.\n\n## More\n1. One") == []
    assert taken("The mill.\n\nSources") == taken("## Sources") == []


@pytest.mark.parametrize(
    ("between", "begins"),
    [("", True), ("\n", True), ("\n" * 4, True), ("\n" * 5, False), ("# Head\n", False)],
)
def test_a_list_begins_within_a_few_lines_of_a_plain_title(between: str, begins: bool) -> None:
    entry = "1. https://a.test/1"
    title = f"Sources:\n{between}"
    assert taken(f"{BODY}{title}{entry}") == ([f"{title}{entry}"] if begins else [])


def test_a_long_line_is_no_title_whatever_it_says() -> None:
    title = f"Sources{' ' * 193}"
    assert len(title) == 200
    assert taken(f"{title}\n1. https://a.test/1")
    assert not taken(f"{title} \n1. https://a.test/1")


@pytest.mark.parametrize(
    "goes_on", ["more of it", "\n2. B", "\n  indented", "\n\n3. C", "\n- https://a.test/2"]
)
def test_a_list_below_a_plain_title_goes_on_for_entries_and_the_rest_of_one(goes_on: str) -> None:
    listed = f"Sources\n-------\n1. A\n{goes_on}"
    text = f"{BODY}{listed}\n\nIt ground barley.\n1. Still prose"
    assert taken(text) == [f"{listed}\n"]


def test_a_heading_ends_a_list_below_a_plain_title() -> None:
    assert taken("Sources:\n1. A\n# Next\n2. B") == ["Sources:\n1. A"]


def test_an_entry_goes_on_until_the_next_one_begins() -> None:
    text = "## Sources\n1. A\nmore at https://a.test/1\n\n2. B at\n https://a.test/2"
    assert entries(text) == [("1", "https://a.test/1", "A"), ("2", "https://a.test/2", "B at")]
    first, second = reference_list(text).references
    assert text[first.start : first.end] == "1. A\nmore at https://a.test/1\n"
    assert text[second.start : second.end] == "2. B at\n https://a.test/2"


def test_items_without_a_number_are_counted_from_one_and_only_where_none_has_one() -> None:
    plain = "## Sources\n- A https://a.test/1\n- B\n* C in notes/c.md"
    assert [entry[:2] for entry in entries(plain)] == [
        ("1", "https://a.test/1"),
        ("2", ""),
        ("3", "notes/c.md"),
    ]
    assert [label for label, _, _ in entries("## Sources\n- A https://a.test\n[7] B")] == ["7"]


@pytest.mark.parametrize(
    "form",
    ["[7]: {}", "[^7]: {}", "[7] {}", "[[7]] {}", r"\[7\] {}", "- [7] {}", "| [7] | {}", "7. {}",
     "(7) {}", "7 | {}", "【7†source】 {}", "⁷ {}", "^7^ {}", "**[7]** {}", "007. {}"],
)  # fmt: skip
def test_every_way_to_number_an_entry_is_read(form: str) -> None:
    assert entries("## Sources\n" + form.format("The mill, https://a.test/x")) == [
        ("7", "https://a.test/x", "The mill")
    ]


def test_a_title_is_what_is_said_besides_the_addresses() -> None:
    listed = r"1. [The *mill*](https://a.test/x), Wray \& Sons. https://a.test/y ↩"
    assert entries(f"## Sources\n{listed}") == [
        ("1", "https://a.test/x", "The *mill*, Wray & Sons")
    ]
    (long,) = reference_list("## Sources\n1. " + "x" * 300).references
    assert long.title == "x" * 200


def test_a_definition_takes_the_indented_lines_below_it() -> None:
    note = "[^1]: The mill\n  https://a.test/1\n   and more"
    text = f"{BODY}{note}\nProse\n  indented"
    assert reference_list(text).references == (
        Reference("1", "https://a.test/1", "The mill", len(BODY), len(BODY) + len(note)),
    )
    assert taken(text) == [note]


def test_several_definitions_below_each_other_are_all_read() -> None:
    assert entries("[1]: https://a.test/1\n[b]: https://a.test/b 'B'") == [
        ("1", "https://a.test/1", ""),
        ("b", "https://a.test/b", "'B'"),
    ]


def test_several_references_on_one_line_are_read_if_all_have_an_address() -> None:
    line = "Sources: [1] https://a.test/1 The mill [2] https://a.test/2"
    assert entries(f"{line}\n\nProse") == [
        ("1", "https://a.test/1", "The mill"),
        ("2", "https://a.test/2", ""),
    ]
    assert taken(f"{line}\nProse") == [line]
    assert entries("Sources: [1] https://a.test/1 [2] on paper") == []


@pytest.mark.parametrize(
    ("line", "is_reference"),
    [
        ("[7] https://a.test/7", True),
        ("[7] The mill, https://a.test/7", True),
        ("[7] mill.md", True),
        (r"[7] old\_mill.md", True),
        ("[7] mill.pptx, slide 47", True),
        ("[7] letters.mbox, message 7, row 3", True),
        ("[7] folder:4f-2a/old/mill.odt, p. 3", True),
        ("[7] the old mill.md", True),
        ("[7] Letters, all letters.mbox, message 7", True),
        ("[7] as mill.md says", False),
        ("[7] This is told in mill.md.", False),
        ("[7] mill.md, which says 3", False),
        ("[7] The mill was built of oak.", False),
        ("[x] https://a.test/7", False),
        ("The mill [7] https://a.test/7", False),
    ],
)
def test_a_numbered_line_outside_any_list_is_a_reference_if_it_is_an_address(
    line: str, is_reference: bool
) -> None:
    assert taken(f"{BODY}{line}\n\nProse") == ([line] if is_reference else [])


def test_references_by_themselves_are_found_in_time_that_grows_with_the_text() -> None:
    lines = "[^1]: x\n" * 40_000
    assert cpu_s(lambda: reference_list(lines), enough_s=1.5) < 1.5
