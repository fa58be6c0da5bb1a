"""Paragraphs of code, and labels with what is said of them below."""

from __future__ import annotations

import pytest

from quaere.text.layout import described, hanging, is_code, is_label, label_over
from quaere.text.sentences import sentences


@pytest.mark.parametrize(
    "text",
    [
        "weir init --gates 4\nweir gates list",
        "$ weir open\n$ weir shut",
        "from weir import Gate\nGate(9).open()",
        "import weir",
        "# the first gate\nweir open north --now",
        "export WEIR_GATES=4   # what is left of the old ones\nweir start &",
        '```sh\nweir say "it is the end of the day"\n```',
    ],
)
def test_commands_and_programs_are_code(text: str) -> None:
    assert is_code(text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "the weir is open\nwhen the river is high",
        "# The weir",
        "- weir open --now",
        "weir and lock",
        "from the weir to the lock",
        "It holds nine gates.",
        "open the weir with --now when the river is high",
        "weir gate",
        "Weirs of Hask\nweir open --now",
        "depth = the level of the river.",
        "",
    ],
)
def test_prose_headings_and_items_are_not(text: str) -> None:
    assert not is_code(text.split("\n"))


def test_each_line_of_code_stands_alone() -> None:
    text = "Type this:\n\nweir init --gates 4\nweir open\n\nthe water\nthen rises"
    told = [text[span.start : span.end] for span in sentences(text)]
    assert told == [
        "Type this:",
        "weir init --gates 4",
        "weir open",
        "the water\nthen rises",
    ]


def test_a_heading_with_a_number_is_one_line() -> None:
    text = "### 2. Gates (north)\n\nThere are nine. They open."
    told = [text[span.start : span.end] for span in sentences(text)]
    assert told == ["### 2. Gates (north)", "There are nine.", "They open."]


MANUAL = """OPTIONS
       -d, --deep
           Look below the keel. Logs of an earlier dive are kept as they
           are, and none is read.

       Depth=, Width=,
       Height=
           Bounds of the dive, in fathoms.

       dry
           do not dive at all

       These options may be joined.
"""


def labels(text: str) -> list[str]:
    return [text[label.start : label.end] for label in hanging(text)]


def test_each_option_is_a_label_of_what_is_indented_below_it() -> None:
    assert labels(MANUAL) == ["OPTIONS", "-d, --deep", "Depth=, Width=,\n       Height=", "dry"]


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Look below", "-d, --deep"),
        ("none is read", "-d, --deep"),
        ("Bounds", "Depth=, Width=,\n       Height="),
        ("do not dive", "dry"),
        ("These options", "OPTIONS"),
    ],
)
def test_a_place_is_under_the_innermost_label(words: str, label: str) -> None:
    found = label_over(hanging(MANUAL), MANUAL.index(words))
    assert found is not None
    assert MANUAL[found.start : found.end] == label


def test_nothing_is_over_a_label_at_the_margin() -> None:
    assert label_over(hanging(MANUAL), 0) is None


@pytest.mark.parametrize(
    ("line", "following", "first"),
    [
        ("- Dive where the water is deep and still enough for", "  a lamp", False),
        ("- Dive", "  with a lamp", False),
        ("For example:", "    dive --deep", False),
        ("of the keel", "           is what is seen", True),
        ("The keel", "the hull", False),
        ("The keel", "", False),
        ("one two three four five six seven eight nine ten eleven twelve more", "    On", False),
        ("one two three four five six seven", "    on", False),
    ],
)
def test_a_line_that_goes_on_is_no_label(line: str, following: str, first: bool) -> None:
    assert not is_label(line, following, 100, first=first)


NAMES = "one two three four five six seven eight nine ten eleven twelve"


@pytest.mark.parametrize(
    ("line", "following", "first"),
    [
        (NAMES, "    On", False),
        ("one two three four five six", "    on", False),
        ("- Dive", "  With a lamp", False),
        ("dry", "  do not dive", True),
        ("--depth FATHOMS:", "    how deep", False),
        (
            "drain(tank, speed=3, until=None, and_then=stop_at_once, or_else=None, tries=9)",
            "    Empty it.",
            False,
        ),
    ],
)
def test_a_line_is_a_label_of_what_is_further_in(line: str, following: str, first: bool) -> None:
    assert is_label(line, following, 100, first=first)


@pytest.mark.parametrize(("columns", "is_one"), [(36, True), (37, False)])
def test_a_label_leaves_a_fifth_of_the_width_free(columns: int, is_one: bool) -> None:
    assert is_label("Keel ".ljust(columns, "x"), "    It is deep.", 50, first=False) is is_one


def test_what_is_said_of_an_option_may_come_after_a_blank_line() -> None:
    assert labels("       --keep\n\n           keep the log\n\n       Now\n\n           go\n") == [
        "--keep"
    ]
    assert labels("--keep\n\n    keep the log") == ["--keep"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dive", []),
        ("of the keel\n           is what is seen", []),
        ("Dive\n    Deep into the dark\nEbb", ["Dive"]),
        ("--keep\n\tkeep the log", ["--keep"]),
        ("--ask  ask first\n--keep\n    keep the log", ["--ask", "--keep"]),
        ("--keep\nNow\n    Go into the dark", ["Now"]),
        ("Depth=,\n    Height=\n        Bounds of the dive", ["Depth=,", "Height="]),
    ],
)
def test_a_label_is_made_of_lines_of_one_kind(text: str, names: list[str]) -> None:
    assert labels(text) == names


@pytest.mark.parametrize("end", ["", "\n\nAt all", "\nAt all"])
def test_a_label_is_over_all_that_is_further_in(end: str) -> None:
    text = f"Dry\n    Do not dive\n\n    or swim{end}"
    (label,) = found = hanging(text)
    assert text[label.end : label.until] == "\n    Do not dive\n\n    or swim"
    assert label_over(found, label.end) == label
    assert label_over(found, label.until) is None


def test_what_stands_below_a_row_is_not_said_of_it() -> None:
    text = "Options:\n  -x    dive\nThat is all."
    assert label_over(hanging(text), text.index("That")) is None


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        (["  -d, --deep    look", "  and at the hu see"], [(12, 16), (0, 0)]),
        (["  -d, --deep    look", f"{'--ebb':>21}"], [(12, 16), (0, 0)]),
        (["  -d, --deep    look", "  --ebb-and-flow go"], [(12, 16), (0, 0)]),
        (["  -d, --deep    look", "  --ebb-and-flo go"], [(12, 16), (15, 16)]),
        (["Dive with", "  --deep  or", "    ebb"], [(0, 0), (0, 0), (0, 0)]),
        (["Dive with", "--deep  or", "ebb"], [(0, 0), (0, 0), (0, 0)]),
    ],
)
def test_a_row_has_a_label_and_what_is_said_in_the_column_of_others(
    lines: list[str], rows: list[tuple[int, int]]
) -> None:
    assert described(lines) == rows


def test_a_label_is_no_part_of_the_sentence_below_it() -> None:
    told = [MANUAL[span.start : span.end] for span in sentences(MANUAL)]
    assert "dry" in told
    assert "do not dive at all" in told
    assert "Look below the keel." in told


HELP = """Options:
  -d, --deep           look below the keel
      --lamp=NAME      light the lamp of that name, and
                       keep it lit
  --echo-limit=COUNT__ give up after so many
  -x                   dive
"""


def test_an_option_is_a_label_of_what_is_said_in_its_row() -> None:
    assert labels(HELP) == ["-d, --deep", "--lamp=NAME", "--echo-limit=COUNT__", "-x"]


@pytest.mark.parametrize(
    ("words", "label"),
    [("look below", "-d, --deep"), ("keep it lit", "--lamp=NAME"), ("give up", "--echo-limit")],
)
def test_what_is_said_in_a_row_is_under_its_label(words: str, label: str) -> None:
    found = label_over(hanging(HELP), HELP.index(words))
    assert found is not None
    assert HELP[found.start : found.end].startswith(label)


def test_each_row_of_options_is_a_sentence_of_its_own() -> None:
    said = [" ".join(HELP[span.start : span.end].split()) for span in sentences(HELP)]
    assert "look below the keel" in said
    assert "light the lamp of that name, and keep it lit" in said


def test_prose_that_begins_with_an_option_is_no_row() -> None:
    text = "Dive\n       deeper with either of the two, which are\n       --deep  or  --ebb.\n"
    assert labels(text) == ["Dive"]


TABBED = """OPTIONS
       -d, --deep
\t   Look below the keel.

       -e, --ebb
\t   Wait for the ebb.

       -w, --wait\tHold for the wind
\t\t\tand the tide.
"""


def test_a_tab_goes_on_to_the_next_eighth_column() -> None:
    assert labels(TABBED) == ["OPTIONS", "-d, --deep", "-e, --ebb", "-w, --wait"]
    for said, name in (("Wait for", "-e, --ebb"), ("and the tide", "-w, --wait")):
        label = label_over(hanging(TABBED), TABBED.index(said))
        assert label is not None
        assert TABBED[label.start : label.end] == name
    assert "Hold for the wind\n\t\t\tand the tide." in [
        TABBED[each.start : each.end] for each in sentences(TABBED)
    ]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["make setup", "make test"], True),
        (["tern stop", "tern drain fast"], True),
        (["make setup"], False),
        (["tern stops", "plover drains"], False),
        (["make it and", "make it well"], False),
        (["tern stops.", "tern drains."], False),
    ],
)
def test_lines_that_call_one_program_are_code(lines: list[str], *, code: bool) -> None:
    assert is_code(lines) is code


@pytest.mark.parametrize(
    ("lines", "is_typed"),
    [
        (["cd pump", "make", "./start"], True),
        (["mkdir notes", "touch"], True),
        (["py -m venv .venv", ".venv\\Scripts\\activate"], True),
        (["pears", "apples"], False),
        (["pears of the", "north"], False),
        (["make"], False),
        (["keeper@orrin.example", "mate@orrin.example"], False),
    ],
)
def test_short_commands_below_each_other_are_code_where_one_calls_a_known_program(
    lines: list[str], *, is_typed: bool
) -> None:
    assert is_code(lines) == is_typed


def test_options_that_are_paragraphs_are_labels_of_those_below() -> None:
    text = (
        "To drain it:\n\n-o file\n\n--output=file\n\nWrite the log to file.\n\nIt is closed.\n\n"
        "-a\n\nAppend to it.\n\n## Tides\n\nThey come.\n"
    )
    labels = hanging(text)
    assert [text[each.start : each.end] for each in labels] == ["-o file\n\n--output=file", "-a"]
    said = [text[each.end : each.until].strip() for each in labels]
    assert said == ["Write the log to file.\n\nIt is closed.", "Append to it."]


def test_an_option_with_nothing_below_it_is_no_label() -> None:
    assert hanging("To drain it:\n\n-a\n\n--all\n") == []


def test_what_is_said_of_a_name_of_code_may_come_after_a_blank_line() -> None:
    text = "TIDE_KEYS\n\n    Keys of old tides.\n\n    Default: none\n\nMASTS\n\n    All of them.\n"
    labels = hanging(text)
    assert [text[each.start : each.end] for each in labels] == ["TIDE_KEYS", "MASTS"]
    assert hanging("Tides\n\n    They come and go.\n") == []
