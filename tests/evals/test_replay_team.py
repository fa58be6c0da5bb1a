"""The perfect planner as a supervisor."""

from __future__ import annotations

import pytest

from quaere_evals.replay import Step
from quaere_evals.replay_team import chains_of


def _step(*after: int) -> Step:
    return Step(wordings=("?",), after=frozenset(after))


@pytest.mark.parametrize(
    ("steps", "chains"),
    [
        ([_step()], ((0,),)),
        ([_step(), _step(0), _step(1)], ((0, 1, 2),)),
        ([_step(), _step(), _step(0, 1)], ((0,), (1,))),
        ([_step(), _step(0), _step(), _step(2), _step(1, 3)], ((0, 1), (2, 3))),
        ([_step(), _step(0), _step(0)], ((0, 1, 2),)),
    ],
)
def test_steps_that_build_on_each_other_are_one_chain_and_a_join_is_in_none(
    steps: list[Step], chains: tuple[tuple[int, ...], ...]
) -> None:
    assert chains_of(steps) == chains
