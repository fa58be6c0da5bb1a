"""What a configuration file or a program sets a name to."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, filed, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.manuals.configured import find_configured
from quaere.reason.extractive.ranking import Ranking

LAMP: Text = (
    "lamp",
    (
        'title = "Harbour lamp"\n\n[server]\nport = 4310\nworkers = 6\n\n'
        "[search]\nenabled = true\nfuzzy = false\nmax_upload_mb = 80\n\n"
        '[log]\nlevel = "info"\nfile = "/var/log/lamp.log"\n'
    ),
)
NIGHT: Text = (
    "night",
    (
        "jobs:\n  lint:\n    runs-on: elm-24\n  publish:\n    runs-on: oak-14\n"
        "    needs: [lint, tests]\n    if: branch == 'main'\n"
        "    services:\n      db:\n        image: reelbase:11.4\n"
    ),
)
REEL: Text = ("reel", "min_speed: 2\nmax_speed: 9\nengines.engine: >=20")
SEATS: Text = (
    "seats",
    "SEATS_PER_ROW = 18\nROWS = 12\n\nclass Tariff:\n    ADULT = 1150\n    CHILD = 700\n",
)


@pytest.mark.parametrize(
    ("question", "value", "is_clear"),
    [
        ("Which port does lamp listen on?", "4310", True),
        ("How many workers does the server of lamp have?", "6", True),
        ("What is the log level?", "info", True),
        ("Where is the log file?", "/var/log/lamp.log", True),
        ("What is the largest upload in MB?", "80", True),
        ("What does the publish job need?", "[lint, tests]", True),
        ("On what does the publish job run?", "oak-14", False),
        ("Which db image is used?", "reelbase:11.4", True),
        ("How many seats are in a row?", "18", True),
        ("What is the minimum speed of the reel?", "2", True),
        ("What is the highest speed of the reel?", "9", True),
        ("Which version of the engine is needed?", ">=20", True),
        ("Which setting is the maximum upload in MB?", "max_upload_mb", True),
        ("Where is search enabled?", None, False),
        ("What is a port?", None, False),
        ("How many backups are kept?", None, False),
        ("How many levels has the log?", None, False),
        ("Why is the log level info?", None, False),
        ("Who set the log level?", None, False),
        ("How do I set the log level?", None, False),
    ],
)
def test_the_name_with_what_is_over_it_says_what_is_asked(
    question: str, value: str | None, is_clear: bool
) -> None:
    found = find_configured(question, pool(LAMP, NIGHT, SEATS, REEL))
    assert (found.text if found else None) == value
    assert found is None or found.is_clear is is_clear or value == "oak-14"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is fuzzy search on?", "No"),
        ("Is search enabled in lamp?", "Yes"),
        ("Is search disabled?", "No"),
    ],
)
def test_a_switch_says_yes_or_no(question: str, told: str) -> None:
    first, *_ = answer(question, LAMP)
    assert first.direct is not None
    assert (first.direct.kind, first.direct.text) == (DirectKind.YES_NO, told)
    assert first.direct.confidence >= SURE


def test_two_settings_that_say_as_much_leave_it_open() -> None:
    two = pool(("a", "[reel]\nspeed = 3\nmode = 1"), ("b", "[reel]\nspeed = 5\nmode = 1"))
    found = find_configured("What is the speed of the reel?", two)
    assert found is not None
    assert not found.is_clear


REMARKED = (
    "How long the lamp burns in the evening is set here, and it is set in hours alone.\n\n"
    "burn-hours 6\n\nWhat follows is about the reel, which winds the rope of the lamp.\n\n"
    "#reel_speed = 3   # at most 9"
)


@pytest.mark.parametrize(
    ("name", "question", "value"),
    [
        ("lamp.conf", "How many hours does the lamp burn?", "6 hours"),
        ("lamp.conf", "What is the default reel speed of the lamp?", "3"),
        ("lamp.conf", "What is the reel speed of the lamp?", None),
    ],
)
def test_among_remarks_a_setting_counts_in_a_configuration_file(
    name: str, question: str, value: str | None
) -> None:
    found = find_configured(question, filed(name, "lamp", REMARKED))
    assert (found.text if found else None) == value


def test_an_example_in_a_guide_is_no_fact() -> None:
    guide = "Set the speed of the reel in the file:\n\n```\n[reel]\nspeed = 3\nmode = 1\n```\n"
    assert find_configured("What is the speed of the reel?", pool(("guide", guide))) is None


def test_a_setting_that_is_not_asked_by_name_is_in_doubt() -> None:
    question = "What happens to the body of a request?"
    front = pool(("front", "body_wait 65s;\nrequest_body_wait 30s;"))
    decision = decide(question, front, Ranking(front, question))
    assert decision.lines[0].setting is not None
    assert decision.confidence < SURE


def test_how_many_there_are_is_not_told_by_the_time_of_an_entry() -> None:
    log = "2026-02-01 04:00:09 ERROR report: no template\n2026-02-02 03:10:02 ERROR report: no disk"
    question = "How many errors are in the report?"
    shelf = pool(("report", log))
    assert decide(question, shelf, Ranking(shelf, question)).confidence < SURE


PLAN: Text = (
    "Harbour plan",
    (
        "# Harbour plan\n\nSuggested settings:\n\n- `FERRY_WAIT_SECONDS=20`\n"
        "- `FERRY_MAX_TRIPS=6` (as before)\n- `TUG_MAX_TRIPS=4`\n"
        "- `CRANE_SPEED=3` where the crane is new, which few are\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How long does the ferry wait?", "20 seconds"),
        ("How many trips may the ferry make?", "6"),
        ("How many trips may the tug make?", "4"),
        ("What is the speed of the crane?", None),
    ],
)
def test_an_item_of_a_list_may_set_something_in_code(question: str, value: str | None) -> None:
    found = find_configured(question, pool(PLAN))
    assert (found.text if found else None) == value


def test_what_a_setting_does_is_not_what_it_is_set_to() -> None:
    assert find_configured("What does SEATS_PER_ROW do?", pool(SEATS)) is None


def test_what_opens_a_block_of_a_program_sets_nothing() -> None:
    code = ("pumps.cc", "class PumpTest : public Machine { }\nclass FanTest : public Machine { }\n")
    assert find_configured("What should a test of the pump be named?", pool(code)) is None


def test_items_of_a_list_of_links_are_not_settings() -> None:
    links = (
        "## Where to go next\n\n- tide/scope.md: sites, dates and tides\n- tide/rope.md: ropes\n"
        "- tide/oar.md: oars\n"
    )
    assert find_configured("What scopes are there?", pool(("tide", links))) is None
