"""A run that is made again continues its log, however often the progress of indexing was told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.events import Event, IndexProgress, WarningRaised
from quaere.domain.report import RunWarning
from quaere.store.traces.continuation import Continuation


def numbered(kinds: list[str]) -> list[Event]:
    """Return events as an engine numbers them: letters are steps, dots the progress of indexing."""
    made: list[Event] = []
    for seq, kind in enumerate(kinds, 1):
        if kind == ".":
            made.append(IndexProgress(folder="f", done=seq, total=9, seq=seq))
        else:
            made.append(WarningRaised(warning=RunWarning(kind="read", message=kind), seq=seq))
    return made


def steps(events: list[Event]) -> list[str]:
    return [each.warning.message for each in events if isinstance(each, WarningRaised)]


PROGRESS = st.lists(st.just("."), max_size=5)


@given(st.text(alphabet="abcdef", max_size=6), PROGRESS, PROGRESS, st.integers(0, 12))
def test_no_step_is_lost_or_doubled(
    run: str, before: list[str], again: list[str], stopped: int
) -> None:
    log = numbered([*before, *run])[:stopped]
    continuation = Continuation(log)
    for event in numbered([*again, *run]):
        placed, fresh = continuation.placed(event)
        if fresh:
            log.append(placed)
        elif isinstance(event, WarningRaised):
            known = next(each for each in log if each.seq == placed.seq)
            assert steps([known]) == steps([event]), "a step keeps its number"
    assert steps(log) == list(run)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))


def test_a_log_that_nothing_precedes_is_as_the_engine_numbers_it() -> None:
    continuation, events = Continuation(()), numbered([".", "a", ".", "b"])
    assert [continuation.placed(event) for event in events] == [(each, True) for each in events]
