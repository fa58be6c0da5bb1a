"""When a question is worth a team."""

from __future__ import annotations

import pytest

from quaere.domain.budget import ProfileName
from quaere.domain.team import Strategy
from quaere.plan.delegation import choose_strategy, is_team_work

TWO = ("Where was Odile Varga born?", "How many arches has the bridge?")


@pytest.mark.parametrize(
    ("topics", "worth"),
    [
        ((), False),
        (TWO[:1], False),
        (TWO, True),
        (("costs of tide power", "tide power costs"), False),
        (("costs of tide power", "tide power costs", "who owns the reef"), True),
    ],
)
def test_several_distinct_topics_are_worth_a_team(topics: tuple[str, ...], *, worth: bool) -> None:
    assert is_team_work(topics) is worth


@pytest.mark.parametrize("requested", [Strategy.LOOP, Strategy.SUPERVISOR])
def test_what_is_requested_is_done(requested: Strategy) -> None:
    assert choose_strategy(requested, None, ()) is requested
    assert choose_strategy(requested, ProfileName.DEEP, TWO) is requested


def test_a_loop_that_is_switched_off_is_not_supervised_either_r3_1() -> None:
    for requested in Strategy:
        chosen = choose_strategy(requested, ProfileName.DEEP, TWO, single_pass=True)
        assert chosen is Strategy.LOOP


@pytest.mark.parametrize(
    ("profile", "topics", "chosen"),
    [
        (ProfileName.DEEP, TWO, Strategy.SUPERVISOR),
        (ProfileName.DEEP, TWO[:1], Strategy.LOOP),
        (ProfileName.STANDARD, TWO, Strategy.LOOP),
        (ProfileName.CHAT, TWO, Strategy.LOOP),
        (None, TWO, Strategy.LOOP),
    ],
)
def test_left_to_the_engine_only_deep_questions_of_several_parts_start_a_team(
    profile: ProfileName | None, topics: tuple[str, ...], chosen: Strategy
) -> None:
    assert choose_strategy(Strategy.AUTO, profile, topics) is chosen
