"""What something is by default, as its manual tells."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, answer, filed, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.defaults import find_default

ITEMS: Text = (
    "gully",
    (
        "# gully\n\n- `keepDays`: how long copies are kept.\n  Default: `30`.\n"
        "- `target`: where copies are put. Defaults to '/var/gully'.\n"
        "- `speed`: lines a second.\n- `mode` may be changed. Defaults to `slow`, else `fast`.\n"
    ),
)
SECTIONS: Text = (
    "drain",
    (
        "# drain\n\n## drain.open\n\n### limit\n\nHow much is read. Defaults to `100kb`.\n\n"
        "### strict\n\nWhether more is refused. The default is `true`.\n\n## drain.close\n\n"
        "### limit\n\nHow long it waits. Defaults to `5s`.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the default of keepDays in gully?", "30"),
        ("What is the default target of gully?", "'/var/gully'"),
        ("What is the default limit of drain.open?", "100kb"),
        ("What is the default limit of drain.close?", "5s"),
        ("Is drain.open strict by default?", "true"),
        ("What is the default speed of gully?", None),
        ("What is the default colour of gully?", None),
        ("What is the limit of drain.open?", None),
    ],
)
def test_a_default_is_told_in_the_entry_or_section_of_its_name(
    question: str, value: str | None
) -> None:
    found = find_default(question, pool(ITEMS, SECTIONS))
    assert (found.text if found else None) == value


def test_the_value_is_followed_by_the_line_that_tells_it_and_by_what_has_it() -> None:
    first, second = answer("What is the default of keepDays in gully?", ITEMS)
    assert first.direct is not None
    assert (first.direct.kind, first.direct.text) == (DirectKind.NAME, "30")
    assert (first.text, second.text) == (
        "Default: `30`.",
        "`keepDays`: how long copies are kept.",
    )


RULES: Text = (
    "Rules",
    (
        "| Id | Rule |\n| --- | --- |\n"
        "| R1 | A field `copy_share` shall be added with a default of `0.15` (15% of all). |\n"
        "| R2 | The default value of `max_copies` shall be reduced from 9 to 4. |\n"
        "| R3 | Copying ends at `max_copies` (default 9). It ends at `min_free` (default 2). |"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the default of copy_share?", "0.15"),
        ("What is the new default of max_copies?", "4"),
        ("What is the default of max_copies?", None),
        ("What is the default of min_free?", "2"),
        ("What is the default of max_free?", None),
    ],
)
def test_the_default_of_a_name_of_code_is_told_by_one_clause_or_not_at_all(
    question: str, value: str | None
) -> None:
    found = find_default(question, pool(RULES))
    assert (found.text if found else None) == value


DIVES: Text = (
    "diver",
    (
        "       -E, --echo-limit number\n"
        "           The count of echoes after which a dive is given up. The default value is 4.\n\n"
        "       -w, --wait\n"
        "           Wait for light. The default timeout is 5 minutes.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("After how many echoes does diver give up by default?", "4"),
        ("How long does diver wait for light by default?", "5 minutes"),
        ("How many lamps does diver carry by default?", None),
    ],
)
def test_what_hangs_under_an_option_tells_its_default(question: str, value: str | None) -> None:
    found = find_default(question, pool(DIVES))
    assert (found.text if found else None) == value


def test_the_default_after_a_change_is_the_new_one() -> None:
    found = find_default("What is the default of max_copies after the change?", pool(RULES))
    assert found is not None
    assert found.text == "4"


SYNC: Text = (
    "gullyd.conf",
    (
        "OPTIONS\n"
        "       FlushIntervalSec=\n"
        "           The pause before flushing the buoys to the shore. After flushing, buoys are\n"
        "           dry. The default pause, which is short, is told in the log. The default limit\n"
        "           is 7 minutes.\n\n"
        "       BellCount=\n"
        "           Rings. A pause, buoys, or a flush of the shore. The default limit is 3.\n"
    ),
)


def test_an_option_is_known_by_the_sentence_that_says_what_it_is() -> None:
    found = find_default(
        "What is the default pause before gullyd flushes buoys to the shore?", pool(SYNC)
    )
    assert found is not None
    assert found.text == "7 minutes"


def test_a_name_in_place_of_a_value_is_told_with_what_stands_behind_it() -> None:
    text: Text = (
        "gullyd",
        (
            "OPTIONS\n       tries:n\n           Sets how many times gullyd rings. The default is"
            " RES_RING (now 4, see <bell.h>).\n\n       End of the page.\n"
        ),
    )
    found = find_default("How many times does gullyd ring by default?", pool(text))
    assert found is not None
    assert found.text == "RES_RING (now 4, see <bell.h>)"


PASSING: Text = (
    "kelp",
    (
        "# kelp\n\nAn optional salt (default is 7) changes the order of the tides predictably.\n\n"
        "The depth (default: 4 fathoms) is measured, and the speed (default 3) as well. "
        "A slower speed (default 2) is for ebbs.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the default salt of kelp?", "7"),
        ("What salt does kelp use by default?", "7"),
        ("What is the default order of kelp?", None),
        ("What is the default speed of kelp?", None),
        ("What is the default colour of kelp?", None),
    ],
)
def test_a_default_in_brackets_is_of_the_word_before_them(question: str, value: str | None) -> None:
    found = find_default(question, pool(PASSING))
    assert (found.text if found else None) == value


@pytest.mark.parametrize(
    ("things", "value"), [("buoys, bells and lamps", "5s"), ("buoys, bells, horns and lamps", None)]
)
def test_the_word_before_the_brackets_is_a_quarter_of_what_is_asked_at_least(
    things: str, value: str | None
) -> None:
    text = f"The {things} have a wait (default 5s)."
    found = find_default(f"What is the default wait for {things}?", pool(("kelp", text)))
    assert (found and found.text) == value


def test_the_default_is_of_the_name_after_it_and_not_of_where_that_is() -> None:
    runs = ("Runs", "Of each run is kept:\n\nmax_runs INTEGER DEFAULT 12,\nname TEXT\n")
    tools = ("Tools", "The make_run tool makes runs.\n")
    found = find_default("What is the default of max_runs in the make_run tool?", pool(runs, tools))
    assert found is not None
    assert found.text == "12"
    assert find_default("Has max_runs a default in the make_run tool?", pool(runs, tools)) is None


def test_what_leads_in_to_code_that_is_not_told_ends_without_a_colon() -> None:
    text = "# kelp\n\nA salt (default 7) changes the order:\n\nkelp --salt 9 --sort\n"
    (said,) = answer("What is the default salt of kelp?", ("kelp", text))
    assert said.text == "A salt (default 7) changes the order"


STATES: Text = (
    "kelp",
    (
        "# kelp\n\n## Options\n\n### tide negation\n\n* default: `true`\n* key: `tide-negation`\n\n"
        "### pier flags\n\n* default: `false`\n* key: `pier-flags`\n\n"
        "### lamp\n\n* default: `red`\n* key: `lamp`\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is tide negation on by default?", "Yes"),
        ("Is tide negation disabled by default?", "No"),
        ("Are pier flags enabled by default?", "No"),
        ("Are pier flags off by default?", "Yes"),
        ("What is the default of pier flags?", "false"),
        ("What lamp is there by default?", "red"),
    ],
)
def test_a_default_that_is_on_or_off_says_yes_or_no(question: str, said: str) -> None:
    direct = answer(question, STATES)[0].direct
    assert direct is not None
    assert direct.text == said


def test_a_default_that_says_nothing_else_is_told_under_its_heading() -> None:
    (said,) = answer("Is tide negation on by default?", STATES)
    assert said.text == "tide negation: default: `true`"


SETTINGS: Text = (
    "gully.conf",
    (
        "The depth of ditches at the yard.\nDefault: DEPTH=7\n\n"
        "The depth of ditches at the non-yard side.\nThe default is 9.\n\n"
        "Ditches are dug in spring.\n\nThe default is to dig none.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the default depth of ditches at the yard?", "DEPTH=7"),
        ("What is the default depth of ditches at the non-yard side?", "9"),
        ("What is the default spring of ditches?", None),
    ],
)
def test_a_paragraph_tells_the_default_of_its_subject(question: str, value: str | None) -> None:
    found = find_default(question, pool(SETTINGS))
    assert (found and found.text) == value


def test_what_has_a_default_may_be_called_by_two_words() -> None:
    told = ("tags", "A tag has a weight and a name. The default weight value is 50.")
    found = find_default("What is the default weight of a tag?", pool(told))
    assert found is not None
    assert found.text == "50"


API: Text = (
    "sluice",
    (
        "FUNCTIONS\n    drain(tank, speed=3, *, slow=False)\n        Empty the tank.\n\n"
        "    fill(tank, speed=5)\n        Fill the tank.\n\n"
        "    Call it so:\n\n    stir(tank, speed=9)\n\n"
        "* `depth` {number} How deep a tank may be, in metres.\n  **Default:** `7`.\n\n"
        "  --gates <num>\n      How many gates are opened. By default, the number is set to 4.\n\n"
        "  --mode <name>\n      Default: chosen to fit the tank.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the default speed of drain?", "3"),
        ("What is the default speed of fill?", "5"),
        ("What is the default speed of stir?", None),
        ("What is the default of `depth` in sluice?", "7"),
        ("What is the default number of gates of sluice?", "4"),
        ("What is the default mode of sluice?", None),
    ],
)
def test_a_default_stands_in_a_signature_an_entry_or_a_sentence(
    question: str, value: str | None
) -> None:
    found = find_default(question, pool(API))
    assert (found.text if found else None) == value


def test_a_default_is_of_what_its_file_is_called() -> None:
    read = filed(
        "sluice-gates.md", "Gates", "# Gates\n\n- `depth` {number} Gates.\n  Default: `7`.\n"
    )
    found = find_default("What is the default of depth in sluice?", read)
    assert found is not None
    assert found.text == "7"


_TIERS: Text = (
    "tiers",
    (
        "# Sluice\n\n## Choice of tiers\n\n- **Override**: a request may name its tier.\n"
        "- **Default**: use **Slow flow** tier if unspecified.\n"
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "Which tier is used when none is specified?",
        "Which tier is used if I don't specify one?",
        "Which tier is used by default?",
    ],
)
def test_what_is_so_where_nothing_is_said_is_the_default(question: str) -> None:
    found = find_default(question, pool(_TIERS))
    assert found is not None
    assert found.text == "Slow flow"


def test_a_condition_with_more_to_it_asks_for_no_default() -> None:
    assert find_default("Which tier is used when the sluice is set to flood?", pool(_TIERS)) is None


SERVE: Text = (
    "The command line",
    (
        "# The command line\n\n## hask serve\n\nUsage: hask serve [OPTIONS]\n\n"
        "Start the server. The server waits. Then the server tells what it serves.\n\nOptions:\n"
        "  --berth BERTH  Berth to wait at.  [default: 4310; 0<=x<=65535]\n"
        "  --name NAME  Name of the server.  [default: hask]\n"
        "  --tides  Tides to print. When not given, it defaults to all known tides.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the default berth of the server?", "4310"),
        ("What is the default name of the server?", "hask"),
        ("Which crane does the server use by default?", None),
        ("Which tides are printed by default?", None),
    ],
)
def test_what_a_command_is_called_heads_what_does_it_and_a_default_is_a_value(
    question: str, value: str | None
) -> None:
    found = find_default(question, pool(SERVE))
    assert (found.text if found else None) == value


@pytest.mark.parametrize("repeated", ["`aaa`", "a-", "a b (default "])
def test_a_hostile_sentence_takes_no_time(repeated: str) -> None:
    hostile = pool(("Pump", repeated * (50_000 // len(repeated))))
    began = time.process_time()
    assert find_default("What is the default speed of the pump?", hostile) is None
    assert time.process_time() - began < 0.5


def test_what_defaults_are_to_be_is_no_value() -> None:
    page = ("Lamps", "# Lamps\n\nAn option allows some lamp defaults to be set by the owner.\n")
    assert find_default("What is the default lamp?", pool(page)) is None
