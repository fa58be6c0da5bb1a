"""Which commands answer how something is done."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import Opens
from quaere.reason.extractive.manuals.commands import find_commands

TOOL: Text = (
    "gully",
    (
        "# gully\n\ngully copies log files.\n\n## Installation\n\n"
        "Use apt or pip to install it.\n\n"
        "$ apt install gully\n\nor\n\n$ pip install gully\n\n"
        "## Building\n\nTo build it with support for tapes, run:\n\n"
        "    make TAPES=yes\n\n    make check\n\nTo clean up, `gully sweep --all` is enough.\n\n"
        "For example, `gully whistle --loud` whistles.\n\n"
        "    with client.tape.stream(to=[\n\n"
        "To copy to all disks, `gully pair add --scope barge` is enough.\n\n"
        "## gully drain\n\nUsage: gully drain [OPTIONS] DISK\n\nEmpty a disk that is full.\n\n"
        "## History\n\nIt was built by hand at first. A full disk that waits\n"
        "is emptied with an answer, which is a "
        '`{"name": DISK}` to empty the full disk.\n'
    ),
)
TAPES = "To build it with support for tapes, run:"


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I install gully with pip?", ["`$ pip install gully`"]),
        ("How can I build gully with support for tapes?",
         [TAPES, "make TAPES=yes", "`make check`"]),
        ("How do I clean up with gully?", ["To clean up, `gully sweep --all` is enough."]),
        ("How do I empty a full disk?",
         ["Usage: gully drain [OPTIONS] DISK", "Empty a disk that is full."]),
        ("Which command empties a full disk?",
         ["Usage: gully drain [OPTIONS] DISK", "Empty a disk that is full."]),
        ("Which command whistles?", ["For example, `gully whistle --loud` whistles."]),
        ("How do I remove gully?", []),
        ("How do I add a barge?", []),
        ("How do I stream a tape to a client?", []),
        ("How was the observatory built?", []),
        ("What does gully copy?", []),
    ],
)  # fmt: skip
def test_commands_answer_where_what_is_around_them_says_what_is_asked(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(TOOL))] == lines


def test_a_command_is_a_block_of_code_under_what_leads_in_to_it() -> None:
    lead, block, other = answer("How can I build gully with support for tapes?", TOOL)
    assert (lead.text, block.text, other.text) == (TAPES, "make TAPES=yes", "`make check`")
    assert (lead.opens, block.opens, other.opens) == (None, Opens.CODE, None)
    assert block.quotes[0].text == "make TAPES=yes"


SEVERAL: Text = (
    "weir",
    (
        "# weir\n\n## Set-up\n\nTo set up a [weir](https://weir.example), type:\n\n"
        "weir init --gates 4\nweir gates list\nweir open north   # the first gate\n\n"
        "Then wait for rain.\n"
    ),
)


def test_commands_below_each_other_keep_their_lines() -> None:
    lead, block = answer("How do I set up a weir?", SEVERAL)
    assert lead.text == "To set up a weir, type:"
    assert block.opens is Opens.CODE
    assert block.text == ("weir init --gates 4\nweir gates list\nweir open north # the first gate")
    assert lead.direct is not None
    assert lead.direct.text == f"{lead.text}\n{block.text}"


def test_what_says_something_by_itself_has_no_colon_before_code() -> None:
    text = "A gate that sticks raises `GateError`:\n\nfrom weir import Gate\nGate(9).open()\n"
    said, block = answer("What does a gate that sticks raise?", ("weir", text))
    assert said.text == "A gate that sticks raises `GateError`"
    assert said.direct is not None
    assert said.direct.text == f"{said.text}:\n{block.text}"
    assert len(said.direct.quotes) == 2
    assert block.text == "from weir import Gate\nGate(9).open()"


def test_a_package_called_like_another_is_not_that() -> None:
    extras = (
        "hask-extras",
        "Use apt.\n\n## Installing\n\nIf you have Hask:\n\napt install hask-extras\n",
    )
    hask = ("Hask", "Use apt.\n\n## Installing\n\nFor all of it:\n\napt install hask\n")
    found = find_commands("How do I install hask with apt?", pool(extras, hask))
    assert [line.text for line in found] == ["For all of it", "apt install hask"]


def test_a_sentence_with_a_command_has_to_say_itself_what_is_asked() -> None:
    text = "# gully\n\n## Copying logs\n\nBesides, `gully drain --now` stops copying of logs.\n"
    assert find_commands("How do I copy logs without stopping gully?", pool(("gully", text))) == ()


SERVICE: Text = (
    "gully serve",
    (
        "# gully\n\nA gully server that stopped at the start says why.\n\n"
        "## gully serve\n\nUsage: gully serve [OPTIONS]\n\nAnswer over HTTP.\n\n"
        "## From a program\n\nfrom gully import Client\n\n"
        'key = client.keys.create(api_key="none", create=True)\n\n'
        "## Keys\n\nAn API key is created by `gully keys create NAME`.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I start the server?", ["Usage: gully serve [OPTIONS]", "Answer over HTTP."]),
        ("How do I create an API key?", ["An API key is created by `gully keys create NAME`."]),
    ],
)
def test_a_verb_starts_what_does_it_and_a_program_is_no_command(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(SERVICE))] == lines


CHOICE: Text = (
    "kelp",
    (
        "# kelp\n\nAll is done by make:\n\nmake tide     # ask for the tides of a port.\n"
        "make shore    # the same, on paper\nmake check    # weigh, measure and try every buoy\n\n"
        "A buoy that `make check-far-buoys`, a part of `make check`, cannot reach is left out.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I try the buoys?", ["`make check # weigh, measure and try every buoy`"]),
        ("How do I ask for the tides?", ["`make tide # ask for the tides of a port.`"]),
        ("How do I check?", ["`make check # weigh, measure and try every buoy`"]),
    ],
)
def test_of_commands_that_each_say_what_they_do_the_one_that_is_asked_for_answers(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(CHOICE))] == lines


BARGE: Text = (
    "barge",
    (
        "# barge\n\n`barge -j4 test` does a full check of the hull, with the painters.\n\n"
        "To run the painters without testing, use `barge paint`.\n\n"
        "To weigh the hull without the painters, use `barge weigh`.\n\n"
        "Delete all leading empty crates at the bow (only).\n\n    barge drop --bow\n\n"
        "Delete all empty crates.\n\n    barge drop --each\n\n"
        "(... set the sails as above ...)\n\n    barge turn --port\n\n"
        "Painters wait (see `barge wait --painters`):\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I run only the painters?",
         ["To run the painters without testing, use `barge paint`."]),
        ("How do I weigh the painters?", []),
        ("How do I delete empty crates?", ["Delete all empty crates.", "barge drop --each"]),
        ("How do I set the sails?", []),
        ("How do I make the painters wait?", []),
    ],
)  # fmt: skip
def test_what_leads_in_to_a_command_says_what_it_does_and_little_else(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(BARGE))] == lines


def test_what_leads_in_is_told_with_the_command_and_ends_in_one_mark() -> None:
    first = answer("How do I delete empty crates?", BARGE)[0]
    assert first.direct is not None
    assert first.direct.text == "Delete all empty crates:\nbarge drop --each"


def test_of_commands_below_each_other_one_in_which_all_is_typed_answers_alone() -> None:
    start = ("start", "# Start\n\n    pump install kelp\n    kelp weigh\n    kelp set --boats 4\n")
    found = find_commands("How do I install kelp?", pool(start))
    assert [line.text for line in found] == ["`pump install kelp`"]
    assert find_commands("How do I set a colour for the boats?", pool(start)) == ()


READY: Text = (
    "Hask",
    (
        "# Hask\n\nTo keep it in all folders: `rope add --all hask`.\n\n"
        "A Hask that was built twice needs a `make clean` at the root.\n\n"
        "## Running Hask\n\nWith its own settings:\n\n    cd pump\n    ./hask-server\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I run Hask?", ["With its own settings", "cd pump\n./hask-server"]),
        ("How do I keep Hask in all folders?",
         ["To keep it in all folders: `rope add --all hask`."]),
    ],
)  # fmt: skip
def test_commands_that_do_the_deed_itself_go_first(question: str, lines: list[str]) -> None:
    assert [line.text for line in find_commands(question, pool(READY))] == lines


def test_words_of_prose_around_a_command_are_not_typed() -> None:
    serve = ("serve", "# kelp\n\nUsage: kelp serve [OPTIONS]\n\nAnswer all boats.\n")
    boats = ("boats", "# kelp\n\nTo have the server on all boats: `rope add kelp --boats`.\n")
    found = find_commands("How do I start the server?", pool(boats, serve))
    assert found[0].text == "Usage: kelp serve [OPTIONS]"


def test_each_command_of_a_block_keeps_its_line() -> None:
    hask = ("Hask", "# Hask\n\nTo build the hull, type:\n\ncd hull\nmake\n./paint\n")
    _, block = answer("How do I build the hull?", hask)
    assert block.text == "cd hull\nmake\n./paint"


TERN: Text = (
    "Tern",
    (
        "# Tern\n\n## Installation\n\npython -m venv .venv\nsource .venv/bin/activate\n"
        "pip install tern\n\nOn Windows:\n\npy -m venv .venv\n.venv\\Scripts\\activate\n"
        "pip install tern\n\n## A box\n\nboxer run --rm \\\n  -v /data:/data \\\n  tern serve\n\n"
        "## Updating\n\npip install -U tern\n\n"
        "## Uninstalling\n\npip uninstall tern\nrm -rf ~/.tern\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "typed"),
    [
        ("How do I install Tern?",
         "python -m venv .venv\nsource .venv/bin/activate\npip install tern"),
        ("How do I install Tern on Windows?",
         "py -m venv .venv\n.venv\\Scripts\\activate\npip install tern"),
        ("How do I run Tern in a box?", "boxer run --rm \\\n  -v /data:/data \\\n  tern serve"),
        ("How do I uninstall Tern?", "pip uninstall tern\nrm -rf ~/.tern"),
    ],
)  # fmt: skip
def test_all_commands_below_a_heading_that_says_so_are_told_as_they_are_typed(
    question: str, typed: str
) -> None:
    assert find_commands(question, pool(TERN))[-1].text == typed


def test_a_long_list_of_words_takes_no_time() -> None:
    listed = "\n".join(f"oar{chr(97 + n % 26)}" for n in range(4_000))
    page = pool(("Words", f"{listed}\ncd pump\nmake\n"))
    assert page.lines_of[0]
    began = time.process_time()
    find_commands("How do I make the pump?", page)
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How do I revoke a key?", ["`tern keys revoke k_1`"]),
        ("How do I list the keys?", ["`tern keys list`"]),
    ],
)
def test_of_commands_of_one_program_the_one_with_the_deed_answers(
    question: str, told: list[str]
) -> None:
    block = "tern keys create ann\ntern keys list\ntern keys revoke k_1\n"
    found = find_commands(question, pool(("Users", f"## Keys\n\n{block}\nKeys are long.")))
    assert [line.text for line in found] == told


def test_what_is_typed_may_have_no_word() -> None:
    block = "tern keys revoke k_1\n$ ---\n"
    found = find_commands("How do I revoke a key?", pool(("Users", f"## Keys\n\n{block}\nAll.")))
    assert all("revoke" in line.text for line in found)


def test_commands_of_several_programs_are_typed_in_turn() -> None:
    block = "tern build\nmake revoke key\n"
    found = find_commands("How do I revoke a key?", pool(("Users", f"## Keys\n\n{block}\nAll.")))
    assert [line.text for line in found] == ["tern build\nmake revoke key"]


MIXED: Text = (
    "Runs",
    (
        "# Runs\n\nThese are in use here:\n\n"
        "$ gully bench --limit 100 one\n\n$ gully bench two --total-cost 20\n\n"
        "`gully ask --by hand` puts the steps of people in its place (`evals/rewind.py`).\n\n"
        "It is empty.\n\nmake demo   # answer a question\n\n"
        "It is full.\n\n$ gully --list [ARCHIVE]\n\n$ gully --delete [ARCHIVE] [FILE]\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How do I limit the cost?", []),  # each word in another command
        ("How do I rewind a run?", []),  # but the name of a file
        ("How do I make the answer shorter?", []),  # no program that is called so
        ("How do I list an archive?", ["`$ gully --list [ARCHIVE]`"]),
    ],
)
def test_what_one_command_says_and_another_is_not_said_together(
    question: str, lines: list[str]
) -> None:
    assert [line.text for line in find_commands(question, pool(MIXED))] == lines


RINSED: Text = (
    "Works",
    (
        "# Works\n\nA tank is filled first:\n\n```console\n$ gully fill \\\n    --tank 4\n"
        "rinse tank 4 and wait\n\nrinse done\n$ gully seal\n```\n\nAsk what there is:\n\n"
        "```console\n$ gully help\nAvailable commands:\n  rinse   Rinse a tank with air\n"
        "  rest    Let a tank rest\n```\n"
    ),
)


def test_what_a_command_prints_is_none_and_says_of_none_what_it_does() -> None:
    found = find_commands("How do I fill a tank?", pool(RINSED))
    assert [line.text for line in found] == [
        "A tank is filled first", "$ gully fill \\\n    --tank 4", "`$ gully seal`",
    ]  # fmt: skip
    assert find_commands("How do I rinse a tank?", pool(RINSED)) == ()


def test_a_command_in_a_listing_is_told_with_what_it_does() -> None:
    (first, *_) = answer("How do I rinse a tank?", RINSED)
    assert first.text == "`rinse`: Rinse a tank with air"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How do I install gully?", ["Install gully with tape", "$ tape add gully"]),
        ("How do I install a lamp?", ["Install a lamp", "$ gully lamp install mast"]),
        ("How do I update gully?", ["All at once", "$ gully self update"]),
        ("How do I uninstall gully?", []),
        ("How do I change the lamp?", []),
        ("How do I pause the feed?", ["Or wait, till it is resumed", "$ gully pause feed"]),
        ("How do I resume the feed?", []),
    ],
)
def test_a_program_that_does_it_to_another_thing_does_not_do_it_to_itself(
    question: str, told: list[str]
) -> None:
    page = (
        "# Lamps\n\nInstall a lamp:\n\n$ gully lamp install mast\n\nInstall gully with tape:\n\n"
        "$ tape add gully\n\nTake a lamp away:\n\n$ gully lamp uninstall mast\n\n"
        "All at once:\n\n$ gully self update\n\nOr wait, till it is resumed:\n\n"
        "$ gully pause feed\n\n> Change the lamp:\n>     > ```\n"
    )
    assert [line.text for line in find_commands(question, pool(("Lamps", page)))] == told


def test_what_leads_in_and_says_it_goes_before_what_is_typed() -> None:
    page = (
        "# Nets\n\nIf all nets of a list are wet, the list says so:\n\n$ hask list nets --wet\n\n"
        "List all nets:\n\n$ hask nets\n"
    )
    found = find_commands("How do I list all nets?", pool(("Hask", page)))
    assert [line.text for line in found] == ["List all nets", "$ hask nets"]
