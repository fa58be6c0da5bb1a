"""Which proposed topics are researched (R1.2)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.plan.delegation import screen

TOPICS = st.lists(st.sampled_from(["tide power", "power of tides", "tide power costs", "a", "b"]))


def test_what_is_new_goes_out_in_its_order() -> None:
    screening = screen(["tides", "dunes", "reefs"], ["cliffs"], threshold=0.75, at_once=2)
    assert screening.admitted == (0, 1)
    assert screening.postponed == (2,)
    assert not screening.refused


def test_a_refusal_names_what_is_repeated_and_how_far() -> None:
    screening = screen(["costs of tide power"], ["tide power costs"], threshold=0.75, at_once=5)
    refusal = screening.refused[0]
    assert (refusal.topic, refusal.repeats) == ("costs of tide power", "tide power costs")
    assert refusal.similarity == 1.0


def test_the_first_of_a_batch_is_kept_and_what_repeats_it_is_refused() -> None:
    screening = screen(["tide power", "power tide", "tide"], [], threshold=0.75, at_once=5)
    assert screening.admitted == (0, 2)
    assert screening.refused[1].repeats == "tide power"


def test_a_threshold_of_one_refuses_only_the_same_words() -> None:
    screening = screen(
        ["power of tide", "tide power costs"], ["tide power"], threshold=1, at_once=5
    )
    assert screening.admitted == (1,)


@given(proposed=TOPICS, dispatched=TOPICS, at_once=st.integers(1, 4))
def test_every_topic_has_one_fate(proposed: list[str], dispatched: list[str], at_once: int) -> None:
    screening = screen(proposed, dispatched, threshold=0.75, at_once=at_once)
    fates = [*screening.admitted, *screening.refused, *screening.postponed]
    assert sorted(fates) == list(range(len(proposed)))
    assert len(screening.admitted) <= at_once
