"""What the heading over a line says of when it was so."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.releases import find_release

LOG: Text = (
    "kelp",
    (
        "# kelp\n\nAs of `v19` kelp supports sirens:\n\nkelp reads tides.\n\nIt has support for "
        "lunar clocks.\n\n## Changes\n\n"
        "### 2.1.0 - 2031-04-02\n\n#### Removed\n\n- Dropped support for tidal clocks.\n\n"
        "- Dropped fog horns, as they were sold on 1 May 2030.\n\n"
        "- Pier charts were dropped on 3 May 2029 already.\n\n"
        "### [2.0.1] - 9 March 2030\n\n- Buoys ring in fog.\n- Buoys do not ring at night.\n\n"
        "### 2.0.0 (2029-01-07)\n\n- Lamps turn red.\n\n### 1.9.0 - 2028-01-07\n\n"
        "- Lamps turn red.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told", "heading"),
    [
        ("When did kelp drop support for tidal clocks?", "2031-04-02", "2.1.0 - 2031-04-02"),
        ("Which version dropped support for tidal clocks?", "2.1.0", "2.1.0 - 2031-04-02"),
        ("Since which release do buoys ring in fog?", "2.0.1", "[2.0.1] - 9 March 2030"),
        ("When did buoys ring in fog?", "9 March 2030", "[2.0.1] - 9 March 2030"),
        ("Since which version does kelp support sirens?", "v19", ""),
        ("When did kelp drop fog horns?", "2031-04-02", "2.1.0 - 2031-04-02"),
        ("When were pier charts dropped?", None, ""),
        ("When did lamps turn red?", None, ""),
        ("When did buoys ring at night?", None, ""),
        ("When does kelp read tides?", None, ""),
        ("When was 2.0.1 released?", "9 March 2030", ""),
        ("When did version 2.0.0 of kelp come out?", "2029-01-07", ""),
        ("When was 2.0 released?", None, ""),
        ("When was 3.0.0 released?", None, ""),
        ("When was the bug in 2.0.1 found?", None, ""),
        ("In which release did tidal clocks arrive?", None, ""),
        ("In which release did buoys that ring in fog appear?", "2.0.1", "[2.0.1] - 9 March 2030"),
        ("Who dropped support for tidal clocks?", None, ""),
    ],
)
def test_a_heading_tells_when_or_since_which_version(
    question: str, told: str | None, heading: str
) -> None:
    found = find_release(question, pool(LOG))
    assert (found.text if found else None, found.heading if found else "") == (told, heading)


def test_the_line_is_read_under_its_heading() -> None:
    (said,) = answer("When did kelp drop support for tidal clocks?", LOG)
    assert said.text == "2.1.0 - 2031-04-02: Dropped support for tidal clocks."
    assert said.direct is not None
    assert (said.direct.kind, said.direct.text) == (DirectKind.DATE, "2031-04-02")


@pytest.mark.parametrize(
    ("question", "page", "told"),
    [
        (
            "What is the latest version?",
            "## 2.10.0 - 2031-04-02\n\n- Red.\n\n## 2.9.1\n\n- Blue.",
            "2.10.0",
        ),
        ("What's the newest release of hull?", "## v1.2\n\n- Red.\n\n## v1.1\n\n- Blue.", "v1.2"),
        ("What is the latest version of kelp?", "## v1.2\n\n- Red.\n\n## v1.1\n\n- Blue.", None),
        ("What is the latest version?", "## 1.1\n\n- Red.\n\n## 1.2\n\n- Blue.", None),
        ("What is the latest version?", "The current version is 3.\n\n## 1.2\n\n- Blue.", None),
        (
            "What is the latest version?",
            "## 3.0 (unreleased)\n\n- Red.\n\n## 2.1\n\n- Blue.",
            "2.1",
        ),
        ("What is the latest version?", "## Hull 2.1\n\n- Blue.", "2.1"),
        ("What is the latest version?", "## 2.1 Kestrel, 2 May 2031\n\n- Blue.", "2.1"),
        ("What is the latest version?", "## 1.2 Installation\n\n- Red.\n\n## 1.1\n\n- Blue.", None),
        ("What is the latest version?", "## Upgrading from 2.1 to 3.0\n\n- Red.", None),
        ("What is the latest version?", "## Needs Python 3.12\n\n- Red.", None),
        ("What is the latest version?", f"## {'9' * 5000}.1\n\n- Red.", None),
        ("What is the latest version?", "It is red.", None),
        ("What was the latest release date of bread?", "## 1.2\n\n- Blue.", None),
    ],
)
def test_the_latest_version_is_that_with_which_a_log_of_changes_begins(
    question: str, page: str, told: str | None
) -> None:
    found = find_release(question, pool(("Hull", f"# Hull\n\n{page}\n")))
    assert (found.text if found else None) == told


PLAIN: Text = (
    "notes.txt",
    (
        "KELP NOTES\n\nVersion 2.1.0 (2 April 2031)\n\nNew: tidal clocks can ring.\n\n"
        "Version 2.0.1 (9 March 2030)\n\nFixed: a fog leak in the lamps.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which version fixed the fog leak?", "2.0.1"),
        ("When was the fog leak fixed?", "9 March 2030"),
        ("In which version could tidal clocks ring?", "2.1.0"),
        ("When were tidal clocks added?", "2 April 2031"),
    ],
)
def test_a_line_of_a_version_alone_heads_what_is_below_it(question: str, told: str) -> None:
    found = find_release(question, pool(PLAIN))
    assert found is not None
    assert found.text == told


def test_a_line_without_any_version_does_not_tell_which_for_certain() -> None:
    (said, *_) = answer("Which version fixed the fog leak?", ("Kelp", "Fixed: the fog leak."))
    assert said.direct is not None
    assert not said.direct.is_sure


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("Which hask release was the first that could read tapes?", "1.14"),
        ("Since which version does hask read tapes?", "1.14"),
        ("In which tern version did quiet become the default?", "10.0"),
        ("In which version did hask paint tapes?", None),
    ],
)
def test_a_version_is_told_by_what_heads_its_changes(question: str, version: str | None) -> None:
    news = (
        "* Changes in Hask 1.14\n\n** Add support to read tapes.\n\n* Changes in Hask 1.13\n\n"
        "** Fix the valves of the pump.\n"
    )
    terns = "The default of tern is `quiet`. This was changed in tern 10.0 as loud was bad.\n"
    found = find_release(question, pool(("hask", news), ("tern", terns)))
    assert (found.text if found else None) == version


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("Since which version does TIDE_KEYS exist?", "3.1"),
        ("In which version was the drying folder added?", "0.14.50"),
        ("In which version was the --ebb option added?", "10.1.0"),
        ("In which version was the drying rack added?", None),
    ],
)
def test_notes_and_first_headings_tell_a_version(question: str, version: str | None) -> None:
    names = "TIDE_KEYS\n\n    Keys of old tides.\n\n    New in version 3.1\n\nMASTS\n\n    All.\n"
    folders = "## Drying Folder\n\nNew in version 0.14.50\n\nIt is the opposite of a wet folder.\n"
    log = "# 10.1.0\n\n## Features\n\n- Add an `--ebb` option which lets water out.\n"
    texts = (("settings", names), ("folders", folders), ("log", log))
    found = find_release(question, pool(*texts))
    assert (found.text if found else None) == version
