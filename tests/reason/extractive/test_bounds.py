"""A rule for one place, time, group or sort alone is told as it is, and not as a yes or a no."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.bounds import asks_rule, is_bounded
from quaere.text.languages.language import language_of, speaking

QUAY: Text = ("Tarnholm quay", "")


@pytest.mark.parametrize(
    ("question", "said", "is_within"),
    [
        ("Are kites allowed?", "Kites are not allowed on the pier.", True),
        ("Are kites allowed on the pier?", "Kites are not allowed on the pier.", False),
        ("Are kites allowed?", "Kites are allowed on all piers.", False),
        ("Are kites allowed?", "Kites are not allowed at Tarnholm.", False),
        ("Are kites forbidden?", "From May to July kites are forbidden.", True),
        ("Are kites forbidden?", "Box kites are forbidden.", True),
        ("Are kites and flags forbidden?", "Kites and flags are forbidden.", False),
        ("Are kites forbidden?", "The use of kites is forbidden.", False),
        ("Are kites forbidden?", "Kites are forbidden, except in May.", False),
        ("Is a deposit needed for the oars?", "A deposit of £50 is needed for the oars.", False),
        ("Is a deposit needed?", "A deposit of £50 is needed for the oars.", True),
        ("Can I fly a kite?", "Silver members may fly a kite.", True),
        ("Can I fly a kite?", "Guests may fly a kite.", False),
        ("Can I fly a kite?", "They may fly a kite.", False),
        ("Is tar free?", "Tar is free for skippers; oars are free.", True),
        ("Is tar free?", "Tar is free twice a year.", True),
        ("Are kites forbidden?", "Kites are forbidden when the flag flies.", True),
        ("Are kites forbidden when the flag flies?", "Kites are forbidden when it flies.", False),
        ("Is tar free?", "Tar is free for everybody.", False),
        ("Is tar free?", "A request for tar was rejected.", False),
        ("Are flags allowed?", "Berth: 4; Length: 9; Note: flags allowed", True),
        ("Are flags allowed at berth 4?", "Berth: 4; Length: 9; Note: flags allowed", False),
        ("Do kites fly?", "Kites fly on the pier.", False),
        ("Sind Drachen erlaubt?", "Kites are not allowed on the pier.", False),
        ("", "", False),
    ],
)
def test_bounds_are_what_the_question_is_silent_about(
    question: str, said: str, *, is_within: bool
) -> None:
    read = pool((QUAY[0], said or "."))
    with speaking(language_of(question)):
        assert is_bounded(next(iter(read.lines)), question, read) is is_within
        assert asks_rule(question) or not is_within


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("Are kites allowed?", "Kites are not allowed on the pier.", "Kites are not"),
        ("Are kites forbidden?", "Kites are allowed on the pier.", "Kites are allowed"),
        ("Are kites forbidden?", "Kites are allowed.", "No"),
        ("Are kites forbidden?", "Kites may not be flown.", "Yes"),
        ("Are kites forbidden?", "Kites are not forbidden.", "No"),
        ("Are kites forbidden?", "Flags are allowed, kites are not.", "Yes"),
        ("Are kites allowed?", "Kites are allowed, flags are forbidden.", "Yes"),
        ("Are flags allowed?", "Kites are allowed, flags are forbidden.", "No"),
        ("Are kites allowed at the crane?", "Kites are allowed but not at the crane.", "No"),
        ("Are kites allowed in May?", "Kites are allowed at sea, but never in May.", "No"),
        ("Are kites allowed at sea?", "Kites are allowed at sea but not at the crane.", "Yes"),
    ],
)
def test_what_is_allowed_is_not_forbidden(question: str, said: str, told: str) -> None:
    direct = answer(question, (QUAY[0], f"{said} Oars are stored upright."))[0].direct
    assert direct is not None
    assert direct.text.startswith(told)


def test_a_rule_that_says_all_with_its_bounds_is_a_certain_answer() -> None:
    quay: Text = (QUAY[0], "Diving is permitted at the steps.")
    direct = answer("Is diving forbidden?", quay)[0].direct
    assert direct is not None
    assert direct.kind is DirectKind.SENTENCE
    assert direct.confidence >= SURE


@pytest.mark.parametrize("note", ["dogs allowed", "ground floor; dogs allowed"])
def test_a_row_rules_on_a_thing_for_itself(note: str) -> None:
    rows = [("rooms.csv", f"Room: Elm; Beds: 4; Note: {note}"), ("rooms.csv", "Room: Ash; Beds: 2")]
    any_room = answer("Are dogs allowed?", *rows)[0].direct
    assert any_room is not None
    assert (any_room.text, any_room.is_sure) == (rows[0][1], False)
    this_room = answer("Are dogs allowed in Elm?", *rows)[0].direct
    assert this_room is not None
    assert (this_room.text, this_room.is_sure) == ("Yes", True)
