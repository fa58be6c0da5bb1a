"""What pages of packages and programs say of themselves, and what they only seem to say."""

from __future__ import annotations

from functools import partial

import pytest
from tests.reason.extractive.passages import Text, answer, filed, pool
from tests.timing import cpu_s

from quaere.domain.report import SURE, Direct
from quaere.reason.extractive.answer_fit import tells_means
from quaere.reason.extractive.comparisons.contrast import find_told_apart
from quaere.reason.extractive.contrary import is_left_out
from quaere.reason.extractive.held import object_of
from quaere.reason.extractive.manuals.commands import find_commands
from quaere.reason.extractive.manuals.configured import find_configured
from quaere.reason.extractive.manuals.defaults import lacks_default
from quaere.reason.extractive.manuals.definitions import find_definition
from quaere.reason.extractive.manuals.faq import find_answered
from quaere.reason.extractive.manuals.lists import find_list
from quaere.reason.extractive.manuals.needs import find_needed_version
from quaere.reason.extractive.other_things import is_in_contrast
from quaere.reason.extractive.plain_answers import lacks_agent, lacks_price
from quaere.reason.extractive.tables.cell import find_cell
from quaere.reason.extractive.yes_no import decide_yes_no

PLOVER: Text = (
    "plover",
    (
        "# plover\n\nThe only purpose of plover is to detect rising tides.\n\n"
        "- Documentation: plover.example\n- Source code: code.example\n- Licence: MIT\n"
    ),
)


def direct(question: str, *texts: Text) -> Direct:
    told = answer(question, *texts)[0].direct
    assert told is not None
    return told


def test_a_paragraph_before_a_list_does_not_lead_in_to_it() -> None:
    assert find_list("What does plover detect?", pool(PLOVER)) == ()
    assert direct("What does plover detect?", PLOVER).text.endswith("to detect rising tides.")


@pytest.mark.parametrize(
    "lead",
    ["These are the tides that plover detects:", "The tides that plover detects are as follows."],
)
def test_a_colon_or_its_like_leads_in_to_a_list(lead: str) -> None:
    text = f"# plover\n\n{lead}\n\n- spring tides\n- neap tides\n"
    found = find_list("Which tides does plover detect?", pool(("plover", text)))
    assert [line.text for line in found] == ["spring tides", "neap tides"]


def test_a_list_of_one_thing_does_not_tell_how_it_differs_from_another() -> None:
    text = "# plover\n\nPlover is like tern, and has:\n\n- a beak\n- two wings\n"
    assert not find_list("What is the difference between plover and tern?", pool(("plover", text)))


@pytest.mark.parametrize(
    ("told", "lacks"),
    [
        ("The mode is set with the option `--mode`.", True),
        ("The default mode is calm.", False),
        ("It is calm unless you set another.", False),
        ("If none is given, the mode is calm.", False),
        ("The mode is calm if it is not set.", False),
    ],
)
def test_a_default_is_told_as_one(told: str, *, lacks: bool) -> None:
    assert lacks_default("What is the default mode of plover?", told) is lacks
    assert not lacks_default("What is the mode of plover?", told)


def test_how_something_is_set_is_no_certain_answer_to_what_its_default_is() -> None:
    text = "# plover\n\nThe tide method of plover is set with `plover method calm` at sea.\n"
    told = direct("What is the default tide method of plover?", ("plover", text))
    assert told.confidence < SURE


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("The mill is well maintained and depends on its visitors.", True),
        ("The mill continues to be maintained.", True),
        ("The mill is maintained by the Tarn Trust.", False),
        ("The Tarn Trust maintains the mill.", False),
        ("The Tarn Trust wrote a plan for the mill.", False),
    ],
)
def test_what_is_done_does_not_say_by_whom(sentence: str, *, lacks: bool) -> None:
    assert lacks_agent("Who maintains the mill?", sentence) is lacks


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("Bo Lind wrote an article about plover, and plover has a page of its own.", True),
        ("Bo Lind wrote a song for the plover.", True),
        ("Bo Lind wrote plover for her brother.", False),
        ("Bo Lind wrote most of plover.", False),
    ],
)
def test_who_wrote_about_a_thing_did_not_write_it(sentence: str, *, lacks: bool) -> None:
    assert lacks_agent("Who wrote plover?", sentence) is lacks


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Does plover support neap tides?", True),
        ("Does plover support spring tides?", None),
    ],
)
def test_what_is_supported_is_named(question: str, *, says: bool | None) -> None:
    text = "Plover supports both neap and dead tides for its calm mode at sea."
    found = decide_yes_no(question, pool(("Plover", text)))
    assert (found and found.says) is says


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Does the plover module support neap tides?", {"neap", "tide"}),
        ("Can plover handle neap tides in a storm?", {"neap", "tide"}),
        ("Does plover sleep?", set[str]()),
        ("Does plover support one or the other of four kinds of tides?", set[str]()),
    ],
)
def test_what_a_thing_supports_comes_after_the_verb(question: str, named: set[str]) -> None:
    assert object_of(question) == named


def test_an_exception_that_opens_a_sentence_ends_at_its_comma() -> None:
    told = "Apart from the neap tide, plover supports the spring tide."
    assert not is_left_out("Does plover support the spring tide?", told)
    assert is_left_out("Does plover support the neap tide?", told)
    assert is_left_out("Does plover swim at night?", "Plover swims, except at night.")


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("Plover used to depend on tern.", None),
        ("Plover is used to depend on tern.", True),
        ("Plover still depends on tern.", True),
    ],
)
def test_what_used_to_be_is_not_any_more(said: str, *, says: bool | None) -> None:
    found = decide_yes_no("Does plover depend on tern?", pool(("Plover", said)))
    assert (found and found.says) is says


def test_two_pages_tell_how_things_differ_by_saying_what_each_is() -> None:
    question = "What is the difference between plover and tern?"
    plover = ("plover", "Plover is a reader of tides.")
    assert len(find_told_apart(question, pool(plover, ("tern", "Tern is a map of winds.")))) == 2
    assert not find_told_apart(question, pool(plover, ("tern", "Tern sleeps at sea.")))
    both = ("birds", "Plover reads tides at sea. Tern sleeps at sea for a week.")
    assert len(find_told_apart(question, pool(both))) == 2


@pytest.mark.parametrize(
    "question",
    ["What is plover?", "What does plover do?", "What is plover for?", "What is plover used for?"],
)
def test_a_summary_says_what_its_page_is_about(question: str) -> None:
    text = "Name: plover\nSummary: Reads tides from tapes\nVersion: 1.4\n"
    line = find_definition(question, filed("plover.txt", "plover", text))
    assert line is not None
    assert line.text == "Reads tides from tapes"
    assert text[line.start : line.end] == line.text
    assert find_definition("What is tern?", filed("plover.txt", "plover", text)) is None


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("Fast reader of rising tides.", True),
        ("Fast reader of rising tides. Few can tell when.", False),
        ("Tides are told by wind.", False),
        ("See the page on tides.", False),
    ],
)
def test_a_line_without_a_verb_below_a_name_says_what_it_is(below: str, *, told: bool) -> None:
    text = f"# plover\n\n{below}\n\n## Set-up\n\nPut it on the pier.\n"
    assert (find_answered("What is plover?", pool(("plover", text))) is not None) is told


def test_a_name_that_heads_a_row_and_a_column_asks_for_no_cell() -> None:
    table = "| Reader | ms | vs. plover |\n|---|---|---|\n| plover | 0.3 | 1 |\n| tern | 6 | 20 |\n"
    assert find_cell("What is plover?", pool(("Speed", table))) is None
    assert find_cell("How many ms does tern take?", pool(("Speed", table))) is not None


def test_what_is_set_against_a_thing_is_another() -> None:
    text = "Plover costs 4 p a tide. By comparison, the old reader costs 90 p a tide."
    read = pool(("Plover", text))
    first, second = read.lines
    question = "What does plover cost?"
    assert not is_in_contrast(question, first, read)
    assert is_in_contrast(question, second, read)
    assert not is_in_contrast("What does the old reader cost?", second, read)


def test_what_is_so_with_one_version_does_not_tell_which_are_supported() -> None:
    text = "On Tern 3.11+, the calm mode of plover now supports neap tides."
    assert (
        find_needed_version("Which Tern versions does plover support?", pool(("p", text))) is None
    )
    told = direct("Which Tern versions does plover support?", ("plover", text))
    assert told.confidence < SURE
    needed = find_needed_version(
        "Which Tern versions does plover support?", pool(("p", "Plover needs Tern 3+."))
    )
    assert needed is not None


def test_written_in_does_not_ask_for_an_author() -> None:
    read = filed("plover.toml", "plover", 'name = "plover"\nauthor_email = "bo@tern.example"\n')
    assert find_configured("Which language is plover written in?", read) is None
    assert find_configured("What is the author email of plover?", read) is not None


@pytest.mark.parametrize(
    ("question", "command"),
    [
        ("How do I create a pool?", None),
        ("How do I drop a pool?", "`drop_pool old`"),
    ],
)
def test_a_command_that_undoes_what_is_asked_is_none_for_it(
    question: str, command: str | None
) -> None:
    text = "# Pools\n\nDrop the pool that was just created:\n\n    drop_pool old\n"
    found = find_commands(question, pool(("Pools", text)))
    assert (found[-1].text.strip("`") if found else None) == (command and command.strip("`"))


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("The cache is disabled by passing `--bare`.", True),
        ("The cache can be quickly disabled with `--bare`.", True),
        ("The cache is disabled by Bo.", False),
        ("The cache is disabled.", False),
    ],
)
def test_by_what_something_is_done_is_told_in_the_passive(sentence: str, *, tells: bool) -> None:
    assert tells_means("How do I disable the cache?", sentence) is tells


def test_a_line_that_tells_how_is_not_passed_over_for_one_on_what_comes_of_it() -> None:
    text = (
        "## Disabling the cache of plover\n\n"
        "The cache of plover is disabled by passing `--bare`.\n\n"
        "Doing so can slow down plover, as its cache holds all that was read, and result in more "
        "reading.\n"
    )
    told = direct("How do I disable the cache of plover?", ("Caching", text))
    assert told.text.startswith("The cache of plover is disabled by passing")


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("# Costs of plover\n\nThe cost of a plover is told by `plover cost tide`.\n", False),
        ("# Limits\n\nThe cost of a plover is limited with `plover --cost 3`.\n", True),
        ("## Limiting the cost of a plover\n\nThe cost is set with `plover --cost 3`.\n", True),
    ],
)
def test_how_to_do_something_is_told_by_what_has_a_word_for_it(text: str, *, is_sure: bool) -> None:
    told = direct("How do I limit the cost of a plover?", ("plover", text))
    assert told.is_sure is is_sure


def test_a_summary_is_of_the_file_that_is_called_so_as_well() -> None:
    text = "Summary: Reads tides from tapes\nVersion: 1.4\n"
    line = find_definition("What is plover?", filed("plover.txt", "A reader of tides", text))
    assert line is not None
    assert line.text == "Reads tides from tapes"


def test_two_commands_are_one_block_after_what_leads_in_to_them() -> None:
    text = "# Plover\n\nEmpty the tank of plover:\n\n    plover stop\n    plover drain\n"
    read = pool(("Plover", text))
    lead, block = find_commands("How do I empty the tank of plover?", read)
    assert lead.text == "Empty the tank of plover"
    assert read.passages[0].text[lead.start : lead.end] == lead.text
    assert block.is_block
    assert block.text == "plover stop\nplover drain"


def test_what_weighs_pounds_has_no_price() -> None:
    assert lacks_price("What does plover cost?", "Plover weighs 5 lb.")
    assert not lacks_price("What does plover cost?", "Plover costs 5 pounds.")


def test_a_long_paragraph_before_a_list_is_read_in_time() -> None:
    text = f"# plover\n\n{'these ' * 8_000}. x\n\n- spring tides\n- neap tides\n"
    read = pool(("plover", text))
    look = partial(find_list, "Which tides does plover detect?", read)
    assert cpu_s(look, enough_s=2.0) <= 2.0
