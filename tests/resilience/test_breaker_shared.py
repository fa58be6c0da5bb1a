"""What a process tells others of a service that fails, and what it makes of what they tell."""

from __future__ import annotations

import asyncio

import pytest
from tests.resilience.fake_time import FakeTime

from quaere.errors import CircuitOpen, SearchError, StoreError, UsageError
from quaere.resilience import breaker
from quaere.resilience.breaker import (
    AWAY_S,
    LOOK_S,
    Breaker,
    BreakerPolicy,
    CircuitState,
    OpenHints,
    SharedBreakers,
)

pytestmark = pytest.mark.anyio

POLICY = BreakerPolicy(consecutive=2, cool_down_s=2.0, longest_cool_down_s=30.0)


class Board:
    """Where hints are kept: in this process, and sometimes out of reach."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.told: list[tuple[str, float]] = []
        self.looks = 0
        self.is_away = False
        self.hangs = False

    async def tell_down(self, name: str, *, for_s: float) -> None:
        await self._reach()
        self.told.append((name, for_s))

    async def down(self) -> frozenset[str]:
        await self._reach()
        return frozenset(self.names)

    async def _reach(self) -> None:
        self.looks += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_away:
            raise StoreError("the database is away")


class Process:
    """One that calls a service which answers or does not."""

    def __init__(self, board: Board | None) -> None:
        self.time = FakeTime()
        self.breaker = Breaker("pubmed", POLICY, self.time.timing.monotonic)
        self.is_down = False
        self.calls = 0
        self._board = board
        self._shared = SharedBreakers(self._hints, self.time.timing)

    async def _hints(self) -> Board | None:
        return self._board

    async def _service(self) -> str:
        self.calls += 1
        if self.is_down:
            raise SearchError("503")
        return "found"

    async def call(self) -> str:
        return await self._shared.run(self.breaker, self._service)

    async def fail(self, times: int) -> None:
        self.is_down = True
        for _ in range(times):
            with pytest.raises(SearchError):
                await self.call()


@pytest.fixture
def board() -> Board:
    return Board()


async def test_who_finds_a_service_down_tells_it_once(board: Board) -> None:
    process = Process(board)
    await process.fail(1)
    assert board.told == [], "one failure says nothing"
    await process.fail(1)
    assert board.told == [("pubmed", POLICY.longest_cool_down_s)]
    with pytest.raises(CircuitOpen):
        await process.call()
    assert len(board.told) == 1


async def test_a_probe_that_fails_tells_it_again_and_one_that_is_answered_takes_it_back(
    board: Board,
) -> None:
    process = Process(board)
    await process.fail(2)
    process.time.now += POLICY.cool_down_s
    await process.fail(1)
    assert board.told == 2 * [("pubmed", POLICY.longest_cool_down_s)]
    process.time.now += 2 * POLICY.cool_down_s
    process.is_down = False
    assert await process.call() == "found"
    assert board.told[2:] == [("pubmed", 0.0)]
    assert await process.call() == "found"
    assert len(board.told) == 3, "who is well tells nothing"


async def test_a_call_to_what_others_found_down_is_a_probe_of_ones_own(board: Board) -> None:
    board.names = {"pubmed"}
    process = Process(board)
    await process.fail(1)
    assert process.breaker.state is CircuitState.OPEN
    with pytest.raises(CircuitOpen, match="503"):
        await process.call()
    assert process.calls == 1


async def test_what_others_tell_of_another_service_does_not_matter(board: Board) -> None:
    board.names = {"arxiv"}
    process = Process(board)
    await process.fail(1)
    assert process.breaker.state is CircuitState.CLOSED


async def test_a_service_that_answers_is_not_doubted_again_at_once(board: Board) -> None:
    board.names = {"pubmed"}
    process = Process(board)
    assert await process.call() == "found"
    assert board.told == [("pubmed", 0.0)]
    await process.fail(1)
    assert process.breaker.state is CircuitState.CLOSED


async def test_hints_are_looked_at_from_time_to_time(board: Board) -> None:
    process = Process(board)
    for _ in range(3):
        await process.call()
    process.time.now += LOOK_S - 0.1
    await process.call()
    assert board.looks == 1
    process.time.now += 0.1
    await process.call()
    assert board.looks == 2


async def test_a_database_that_is_away_is_left_alone_and_costs_no_call(board: Board) -> None:
    board.is_away = True
    process = Process(board)
    assert await process.call() == "found"
    process.time.now += AWAY_S - POLICY.cool_down_s - 0.1
    await process.fail(2)
    board.is_away = process.is_down = False
    process.time.now += POLICY.cool_down_s
    assert await process.call() == "found"
    assert (board.looks, board.told) == (1, [])
    process.time.now += 0.1
    assert await process.call() == "found"
    assert board.looks == 2


async def test_what_was_told_before_the_database_went_away_is_forgotten(board: Board) -> None:
    board.names = {"pubmed"}
    process = Process(board)
    await process.fail(1)
    board.is_away = True
    process.time.now += LOOK_S + POLICY.cool_down_s
    process.is_down = False
    assert await process.call() == "found"
    await process.fail(1)
    assert process.breaker.state is CircuitState.CLOSED


async def test_a_database_that_does_not_answer_is_not_waited_for(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "WAITS_S", 0.01)
    board.hangs = True
    process = Process(board)
    assert await process.call() == "found"
    assert await process.call() == "found"
    assert board.looks == 1


async def test_a_process_on_its_own_has_nobody_to_tell() -> None:
    process = Process(None)
    await process.fail(2)
    with pytest.raises(CircuitOpen):
        await process.call()


async def test_what_is_the_callers_own_fault_is_passed_on_and_told_to_nobody(board: Board) -> None:
    shared = SharedBreakers(_given(board), FakeTime().timing)

    async def misuse() -> None:
        raise UsageError("no such field")

    breaker = Breaker("pubmed", POLICY)
    for _ in range(3):
        with pytest.raises(UsageError):
            await shared.run(breaker, misuse)
    assert board.told == []


def _given(board: Board) -> OpenHints:
    async def hints() -> Board:
        return board

    return hints
