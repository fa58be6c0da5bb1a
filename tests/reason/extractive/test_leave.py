"""A permission on a condition is no bare yes: the condition is the answer."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.leave import (
    is_on_condition,
    is_so_with_more,
    needs_consent,
    spares_another,
)
from quaere.text.languages.language import language_of, speaking


@pytest.mark.parametrize(
    ("question", "said", "is_bound"),
    [
        ("May I keep a goat?", "Goats may be kept with the approval of the warden.", True),
        ("Can I borrow books?", "Books may be borrowed by staff only.", True),
        ("Can my child row?", "Children may row when accompanied by an adult.", True),
        ("Can I use the hose?", "The hose may be used unless a ban is in force.", True),
        ("May tenants drill holes?", "Tenants may drill holes, except in tiles.", True),
        ("May I keep a cat?", "One cat may be kept; dogs need my consent.", False),
        ("May I keep a dog?", "One dog may be kept; for two, ask.", False),
        ("May I keep a goat with your consent?", "Goats may be kept with consent.", False),
        ("Can goats swim?", "Goats swim if they must.", False),
        ("Can I use the hose?", "The hose leaks in May if it is old.", False),
        ("Can I use the hose?", "The hose leaks if it is old.", False),
        ("Darf ich Ziegen halten?", "Goats may be kept with consent.", False),
        ("", "", False),
    ],
)
def test_a_condition_is_known_by_its_form(question: str, said: str, *, is_bound: bool) -> None:
    with speaking(language_of(question)):
        assert is_on_condition(said, question) is is_bound


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        ("May I bring guests", "Members may bring guests"),
        ("Can guests use the bar", "Guests can use the bar"),
    ],
)
def test_a_condition_for_some_days_is_told_of_these(asked: str, allowed: str) -> None:
    club: Text = ("Club", f"{allowed} on weekdays; at weekends guests need the keeper's consent.")
    on_weekends, on_tuesdays = (
        answer(f"{asked} {days}?", club)[0].direct for days in ("at weekends", "on Tuesdays")
    )
    assert on_weekends is not None
    assert on_tuesdays is not None
    assert on_weekends.kind is DirectKind.SENTENCE
    assert on_tuesdays.text == "Yes"


RULES: Text = (
    "House rules",
    (
        "You may keep one cat; dogs need my consent. Prams can be left in the hall. Satellite"
        " dishes may be put up only if the owner agrees in writing."
    ),
)


@pytest.mark.parametrize(
    ("question", "kind", "said"),
    [
        ("May I keep a dog?", DirectKind.SENTENCE, "dogs need my consent"),
        ("May I keep a cat?", DirectKind.YES_NO, "Yes"),
        ("Can I leave my pram in the hall?", DirectKind.YES_NO, "Yes"),
        ("May I put up a satellite dish?", DirectKind.SENTENCE, "only if the owner agrees"),
    ],
)
def test_the_condition_is_told_for_certain(question: str, kind: DirectKind, said: str) -> None:
    direct = answer(question, RULES)[0].direct
    assert direct is not None
    assert direct.kind is kind
    assert said in direct.text
    assert direct.confidence >= SURE


def test_consent_is_needed_for_the_thing_that_is_asked_of() -> None:
    lines = list(pool(RULES).lines)
    assert needs_consent("May I keep a dog?", lines) is lines[0]
    assert needs_consent("May I keep a goat?", lines) is None
    assert needs_consent("Does a dog need your consent?", lines) is None


@pytest.mark.parametrize(
    ("question", "said", "left_open"),
    [
        ("Does the pump run at sea?", "The pump will not run at sea without a filter.", True),
        ("Does the pump run without a filter?", "It does not run without a filter.", False),
        ("Does the pump run at sea?", "The pump does not run at sea.", False),
    ],
)
def test_what_is_not_so_without_something_else_is_left_open(
    question: str, said: str, *, left_open: bool
) -> None:
    assert is_so_with_more(said, question) == left_open


@pytest.mark.parametrize(
    ("question", "said", "left_open"),
    [
        ("Are parcels typed?", "It is not necessary to name the type of a parcel.", True),
        ("Are parcels weighed?", "It is not necessary to weigh parcels.", False),
        ("Is there a scale?", "There is no need to weigh parcels on the scale.", True),
    ],
)
def test_what_one_need_not_do_leaves_open_what_is_so(
    question: str, said: str, *, left_open: bool
) -> None:
    assert spares_another(said, question) == left_open
