"""The field of an event or of a letter's head leads the answer."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.fields import find_field
from quaere.text.languages.language import language_of, speaking

CHOIR: Text = (
    "Choir rehearsal",
    (
        "event: Choir rehearsal; when: 2031-03-05 18:00 to 20:30 (Europe/Oslo); repeats: monthly;"
        " where: Café Nord; with: Vera Holt, Kim Vos\n\nBring the blue folders."
    ),
)
TAX: Text = ("Send tax return", "task: Send tax return; due: 2031-04-01")
MAIL: Text = (
    "Keys for the allotment",
    (
        "# Keys for the allotment\n\nFrom: Rosa Klein <rosa@example.org>\nTo: tim@example.org\n"
        "Date: Tue, 04 Nov 2031 08:12:00 +0100\n\nHi Tim,\n\nthe keys are with Mr Bell in the"
        " shop. Please bring them back by 20 November."
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When is the choir rehearsal?", "2031-03-05 18:00 to 20:30 (Europe/Oslo)"),
        ("When does the choir rehearsal end?", "20:30 (Europe/Oslo)"),
        ("Where is the choir rehearsal?", "Café Nord"),
        ("How often is the choir rehearsal?", "monthly"),
        ("Who attends the choir rehearsal?", "Vera Holt, Kim Vos"),
        ("When is the tax return due?", "2031-04-01"),
        ("When is the boat race?", None),
        ("When is the choir rehearsal in Orrin?", None),
        ("Who wrote the mail about the keys?", "Rosa Klein"),
        ("Who got the mail about the keys?", "tim@example.org"),
        ("When did Rosa write about the keys?", "Tue, 04 Nov 2031 08:12:00 +0100"),
        ("When was the mail about the sofa sent?", None),
        ("Who has the keys?", None),
        ("Wann ist die choir rehearsal?", None),
        ("", None),
    ],
)
def test_the_field_that_is_asked_for_is_found(question: str, told: str | None) -> None:
    with speaking(language_of(question)):
        found = find_field(question, pool(CHOIR, TAX, MAIL))
    assert (found.text if found else None) == told


def test_of_several_that_take_part_nobody_is_said_to_lead() -> None:
    found = find_field("Who leads the choir rehearsal?", pool(CHOIR))
    assert found is not None
    assert not found.is_clear


def test_events_called_alike_are_not_chosen_from() -> None:
    other = (CHOIR[0], CHOIR[1].replace("2031-03-05", "2031-03-12"))
    assert find_field("When is the choir rehearsal?", pool(CHOIR, other)) is None


def test_the_field_leads_the_answer_for_certain() -> None:
    direct = answer("Where is the choir rehearsal?", CHOIR, TAX)[0].direct
    assert direct is not None
    assert (direct.kind, direct.text) == (DirectKind.NAME, "Café Nord")
    assert direct.confidence >= SURE
    following = answer("When is the next choir rehearsal?", CHOIR, TAX)[0].direct
    assert following is not None
    assert following.confidence < SURE
