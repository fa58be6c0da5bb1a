"""What a source answers to a question that it asks itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere import research
from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.faq import (
    answer_below,
    find_answered,
    find_section,
    is_asked_there,
)

MANUAL: Text = (
    "gully",
    (
        "# gully\n\nbuild version\n\nA copier of log files for small machines.\n\n"
        "## What is a drain?\n\n"
        "It takes what gully copies. There is one for each disk.\n\n## Where are drains kept?\n\n"
        "In `/var/gully`.\n"
    ),
)
LETTERS: Text = (
    "Gully FAQ",
    (
        "Q:  Does gully read compressed files?\n\nA:  No. Unpack them first.\n\n"
        "Q:  Are copies never deleted?\n\nA:  Yes, they stay.\n\n"
        "Q:  I keep long names. Why are they cut?\n\nA:  The column has room for twelve letters.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is a drain?", "It takes what gully copies."),
        ("Where are the drains kept?", "In `/var/gully`."),
        ("What is gully?", "A copier of log files for small machines."),
        ("Why are long names cut?", "The column has room for twelve letters."),
        ("Who wrote gully?", None),
        ("Where are the copies of Tarnholm kept?", None),
    ],
)
def test_what_stands_under_the_same_question_answers(question: str, first: str | None) -> None:
    found = find_answered(question, pool(MANUAL, LETTERS))
    assert (found.lines[0].text if found else None) == first


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does gully read compressed files?", "No"),
        ("Can gully not read compressed files?", "Yes"),
        ("Are copies never deleted?", "Yes"),
        ("Are copies deleted?", "No"),
    ],
)
def test_a_reply_is_turned_where_only_one_of_the_questions_denies(question: str, said: str) -> None:
    first = answer(question, LETTERS)[0]
    assert first.direct is not None
    assert (first.direct.kind, first.direct.text) == (DirectKind.YES_NO, said)
    assert not first.text.startswith("A:")
    assert first.quotes[0].text in LETTERS[1]


TWICE: Text = (
    "Gully FAQ",
    (
        "Does gully read tapes of the Orrin Works?\n\nYes. See the notes on tapes.\n\n"
        "Does gully read tapes?\n\nNo, only disks.\n\n"
        "Does gully turn disks of the Orrin Works?\n\nYes. It turns them by hand.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Does gully turn disks?", "It turns them by hand."),
        ("Does gully read tapes?", "No, only disks."),
        ("Does gully turn disks of Tarnholm?", None),
    ],
)
def test_a_source_may_ask_of_more_than_the_question_does(question: str, first: str | None) -> None:
    """The nearest of several is meant; a bare yes is not repeated as the first line."""
    found = find_answered(question, pool(TWICE))
    assert (found.lines[0].text if found else None) == first
    assert found is None or found.says is not None


def test_files_of_changes_define_nothing() -> None:
    changes: Text = ("changelog.Debian", "# gully\n\nA new release of it was packed at last.")
    assert find_answered("What is gully?", pool(changes)) is None
    first = answer("What is gully?", changes, MANUAL)[0]
    assert first.text == "A copier of log files for small machines."


@pytest.mark.parametrize(
    ("answered", "lines"),
    [
        ("Yes. It reads them. And more. And tapes. And disks.", ["It reads them.", "And more."]),
        ("Yes.", ["Yes."]),
        ("Yes, all. And more.", ["Yes, all.", "And more."]),
        ("Mostly. And more.", ["Mostly.", "And more."]),
        ("Yes, it reads them.", ["Yes, it reads them."]),
        ("It reads them.", ["It reads them."]),
    ],
)
def test_the_first_lines_answer_without_a_bare_yes(answered: str, lines: list[str]) -> None:
    text = f"## Does gully read tapes?\n\n{answered}\n\n## Who?\n\nBo."
    found = find_answered("Does gully read tapes?", pool(("gully", text)))
    assert found is not None
    assert [line.text for line in found.lines] == lines
    assert found.says is (True if answered.startswith("Yes") else None)


def test_of_two_that_ask_alike_the_first_answers() -> None:
    one, other = "## Who wrote gully?\n\nBo did.\n", "## Who wrote gully?\n\nAda did.\n"
    found = find_answered("Who wrote gully?", pool(("a", one), ("b", other)))
    assert found is not None
    assert found.lines[0].text == "Bo did."


def test_a_question_without_an_answer_and_one_in_a_row_answer_nothing() -> None:
    bare = "## Who wrote gully?\n\n## Who reads it?\n\nBo."
    row = "| Who wrote gully? | When? |\n|---|---|\n| Bo | 1999 |\n"
    assert find_answered("Who wrote gully?", pool(("a", bare))) is None
    assert find_answered("Who wrote gully?", pool(("a", row))) is None


def test_a_heading_that_asks_nothing_is_not_answered_below_it() -> None:
    text = "## Writers of gully\n\nBo and Ada.\n"
    assert find_answered("Who are the writers of gully?", pool(("a", text))) is None


@pytest.mark.parametrize(("of", "first"), [("Orrin", None), ("Hask", "In a barn.")])
def test_what_a_source_asks_of_something_else_by_name_is_another_question(
    of: str, first: str | None
) -> None:
    text = f"## Where are drains of {of} kept?\n\nIn a barn.\n"
    found = find_answered("Where are the gully drains of Hask kept?", pool(("gully", text)))
    assert (found.lines[0].text if found else None) == first


def test_what_something_is_begins_where_its_name_does() -> None:
    text = (
        "## What is libtide?\n\nTides come twice. Few can tell when.\n\nThe libtide library can.\n"
    )
    found = find_answered("What is libtide?", pool(("libtide", text)))
    assert found is not None
    assert [line.text for line in found.lines] == ["The libtide library can."]


SECTIONS: Text = (
    "gully",
    (
        "# gully\n\n## Read tapes without a clock\n\nLet the clock be, and call this:\n\n"
        "from gully import read\nread(clock=None)\n\n## Read tapes\n\nTurn the wheel.\n"
    ),
)


def test_a_section_that_is_headed_by_what_is_asked_answers_how_to_do_it() -> None:
    lead, block = find_section("How do I read tapes without a clock?", pool(SECTIONS))
    assert lead.text == "Let the clock be, and call this:"
    assert block.text == "from gully import read\nread(clock=None)"
    (turn,) = find_section("How do I read tapes?", pool(SECTIONS))
    assert turn.text == "Turn the wheel."
    assert find_section("How do I wash tapes without a clock?", pool(SECTIONS)) == ()
    assert find_section("Who reads tapes without a clock?", pool(SECTIONS)) == ()


@pytest.mark.parametrize("heading", ["Read tapes", "Read five old long tapes by hand"])
def test_a_heading_answers_that_has_all_that_is_asked_and_little_else(heading: str) -> None:
    question = f"How do I {heading.removesuffix(' by hand').lower()}?"
    (turn,) = find_section(question, pool(("Tapes", f"# Tapes\n\n## {heading}\n\nTurn it.\n")))
    assert turn.text == "Turn it."


def test_a_section_on_what_is_not_to_be_used_any_more_answers_nothing() -> None:
    gone = "## TAPE_READ\n\nThis is deprecated and has no effect.\n"
    text = f"# Reader\n\n{gone}\n## Tapes\n\nA tape is read."
    assert find_section("How is a tape read?", pool(("Reader", text))) == ()
    told = text.replace("is deprecated and has no effect", "turns the tape on")
    (line,) = find_section("How is a tape read?", pool(("Reader", told)))
    assert line.text == "This turns the tape on."


@pytest.mark.parametrize("order", [1, -1])
def test_the_section_whose_heading_says_nothing_else_answers(order: int) -> None:
    sections = ["## Read tapes slowly\n\nTake the small wheel.", "## Read tapes\n\nTurn the wheel."]
    text = "\n\n".join(["# gully", *sections[::order], ""])
    (first,) = find_section("How do I read tapes?", pool(("gully", text)))
    assert first.text == "Turn the wheel."


def test_a_section_on_what_something_is_that_does_not_name_it_answers_nothing() -> None:
    text = "## What is libtide?\n\nTides come twice. Few can tell when.\n"
    assert find_answered("What is libtide?", pool(("libtide", text))) is None


def test_an_answer_ends_where_the_next_item_of_the_list_begins() -> None:
    first = "7. Why is gully small?\n\nIt reads tapes alone.\n\n"
    text = f"{first}8. I found a fault in gully.\n\nTell us.\n"
    found = find_answered("Why is gully small?", pool(("gully", text)))
    assert found is not None
    assert [line.text for line in found.lines] == ["It reads tapes alone."]


ROWS: Text = (
    "Gully questions",
    (
        "1.1. How is gully spoken?\n1.2. Where does the word gully come from?\n\n"
        "| 1.1. | How is gully spoken? |\n\nLike gulley. Nearly all get it wrong.\n\n"
        "| 1.2. | Where does the word gully come from? |\n\nFrom the drains of Tarnholm.\n"
    ),
)


def test_a_question_in_a_row_with_its_number_is_answered_below_it() -> None:
    found = find_answered("Where does the word gully come from?", pool(ROWS))
    assert found is not None
    assert [line.text for line in found.lines] == ["From the drains of Tarnholm."]


def test_a_section_that_is_headed_by_a_case_answers_why_it_is_and_what_to_do() -> None:
    sections = "## The lamp flickers red\n\nThe wick is wet. Dry it.\n\n## The lamp\n\nIt is lit."
    manual = ("Hask 3", f"# Hask 3\n\n{sections}\n")
    for question in ("Why is the lamp of my Hask red?", "What can I do if the lamp is red?"):
        first, then = find_section(question, pool(manual))
        assert (first.text, then.text) == ("The wick is wet.", "Dry it.")
    assert find_section("Who made the lamp red?", pool(manual)) == ()
    assert find_section("Why is the pump of my Hask red?", pool(manual)) == ()


def test_the_name_of_a_page_alone_makes_no_question_the_same() -> None:
    page: Text = ("Mend kelp", "# Mend kelp\n\n## What does kelp do?\n\nIt reads tides.\n")
    assert find_answered("How do I mend kelp?", pool(page)) is None
    assert find_answered("What does kelp do?", pool(page)) is not None


def test_a_heading_made_of_words_heads_what_is_asked_in_these() -> None:
    page: Text = ("Alerts", "# Alerts\n\n### TankOverflows\n\nOpen the lower gate at once.\n")
    found = find_section("What should I do when the tank overflows?", pool(page))
    assert [line.text for line in found] == ["Open the lower gate at once."]
    assert {"tank", "overflow"} <= found[0].under


_THREADS: Text = (
    "Sluice FAQ",
    (
        "Q:  I told sluice to use many gates but it is using only one or two of them. What is"
        " wrong?\n\nA:  A tank that is too small is emptied through one gate. Larger tanks take"
        " more.\n\n\nQ:  May I paint it?\n\nA:  Yes.\n"
    ),
)


def test_what_leads_in_to_a_question_of_the_source_is_answered_by_what_is_below_it() -> None:
    told = answer("Why does sluice use only one gate although I asked for many?", _THREADS)
    assert told[0].text.startswith("A tank that is too small is emptied through one gate.")


def test_a_line_that_leads_in_to_no_question_has_no_answer_below_it() -> None:
    shelf = pool(_THREADS)
    found = {line.text: answer_below(line, shelf) for line in shelf.lines}
    assert [text[:8] for text, told in found.items() if told] == ["Q: I tol", "Q: May I"]


TROUBLE: Text = (
    "Tern",
    (
        "# Tern\n\n## Trouble\n\nThe pump is slow. Clean the sieve. Look for weed.\n\n"
        "The lamp is dim. It was made so.\n\nThe end.\n"
    ),
)


def test_a_sentence_may_head_the_paragraph_that_says_what_to_do() -> None:
    found = find_section("Why is the pump slow?", pool(TROUBLE))
    assert [line.text for line in found] == ["Clean the sieve.", "Look for weed."]
    assert find_section("Why is the lamp dim?", pool(TROUBLE)) == ()
    assert find_section("Why is the brass pump slow?", pool(TROUBLE)) == ()


HELP: Text = (
    "Help",
    (
        "# Help\n\n## Which pumps need no key?\n\nTern and Plover.\n\n## How does a pump stop?\n\n"
        "It runs dry.\n\n## Pumps\n\n| Pump | Key | Notes |\n| --- | --- | --- |\n"
        "| Gull | needs one | no pump needs more |\n| Ruff | none | needs no key |\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "is_there"),
    [
        ("Which pumps need no key?", True),
        ("What pumps need no key?", True),
        ("Which pumps need a key?", False),
        ("Which brass pumps need no key?", False),
        ("How does one stop a pump?", True),
    ],
)
def test_what_a_heading_asks_is_answered_there(question: str, is_there: bool) -> None:
    assert is_asked_there(question, pool(HELP)) is is_there


def test_what_is_asked_there_goes_before_rows_of_tables(tmp_path: Path) -> None:
    (tmp_path / "help.md").write_text(HELP[1])
    report = research("Which pumps need no key?", docs=[tmp_path])
    assert report.direct is not None
    assert report.direct.text == "Tern and Plover."
