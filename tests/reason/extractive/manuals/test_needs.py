"""Whether something is needed."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.manuals.needs import find_need

KELP: Text = (
    "kelp",
    (
        "# kelp\n\nkelp reads tides from a file with no buoy and no licence.\n\n"
        "A pump requires a sea licence. Skippers need not be seen.\n\n"
        "The gauge does not need any dependencies. A log book is optional.\n\n"
        "Without a compass, kelp can't find the pier. Lamps are required at night.\n\n"
        "Is a flag needed?\n\n"
        "Boats don't require an oar.\n\n- Light: no anchors\n- No sailor has anchors of wood.\n"
        "- Boats that need a keel\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Can I use kelp without a sea licence?", True),
        ("Does kelp work without buoys?", True),
        ("Do I need a licence to run kelp?", False),
        ("Does a pump need a licence?", True),
        ("Can I use a pump without a licence?", False),
        ("Are dependencies needed for the gauge?", False),
        ("Is a log book required?", False),
        ("Do I need lamps at night?", True),
        ("Can kelp find the pier without a compass?", None),
        ("Can I use the ferry without a licence?", None),
        ("Do I need a flag?", None),
        ("Does kelp have any anchors?", False),
        ("Can I use boats without an oar?", True),
        ("Does kelp have a sailor?", None),
        ("Does a boat need a keel?", None),
        ("Who needs a licence?", None),
    ],
)
def test_a_line_says_whether_it_is_needed(question: str, *, says: bool | None) -> None:
    found = find_need(question, pool(KELP))
    assert (found.says if found else None) is says


def test_lines_that_contradict_each_other_decide_nothing() -> None:
    other = ("Rules of kelp", "kelp needs a licence.\n")
    assert find_need("Do I need a licence for kelp?", pool(KELP, other)) is None


def test_the_line_follows_yes_or_no() -> None:
    (said,) = answer("Can I use kelp without a licence?", KELP)
    assert said.direct is not None
    assert (said.direct.kind, said.direct.text) == (DirectKind.YES_NO, "Yes")
    assert said.text == "kelp reads tides from a file with no buoy and no licence."


def test_what_is_needed_at_times_is_told_with_them() -> None:
    page = ("Kelp", "A mask is needed only when spraying. Lamps are needed.")
    assert find_need("Is a mask needed?", pool(page)) is None
    told = find_need("Are lamps needed?", pool(page))
    assert told is not None
    assert told.says
    assert answer("Is a mask needed?", page)[0].text == "A mask is needed only when spraying."
