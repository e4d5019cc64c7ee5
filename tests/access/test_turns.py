"""One principal's work waits for its own: what others ask is under way at once, however much the first has sent."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access.errors import TooManyOpen, TooMuchWaiting
from service.access.turns import Open, Turns
from tests.laws import law


class Works:
    """Pieces of work that last until they are let go."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.running: list[tuple[str, int]] = []
        self.begun: list[int] = []
        self.gates: dict[int, asyncio.Event] = {}

    async def one(self, name: str, cost: int, number: int = 0) -> None:
        async with self._turns.one(name, cost):
            self.running.append((name, cost))
            self.begun.append(number)
            try:
                await self.gates.setdefault(number, asyncio.Event()).wait()
            finally:
                self.running.remove((name, cost))

    def of(self, name: str) -> list[int]:
        return [cost for one, cost in self.running if one == name]


async def _settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_another_principal_begins_at_once_whatever_one_has_sent() -> None:
    works = Works(Turns(cost_at_once=100, most_waiting=1_000))
    tasks = [
        asyncio.create_task(works.one("greedy", cost, n)) for n, cost in enumerate([60, 250, 40, 100, *[30] * 200])
    ]
    await _settled()
    assert works.of("greedy") == [60]
    tasks.append(asyncio.create_task(works.one("modest", 1, 1_000)))
    await _settled()
    assert works.of("modest") == [1]
    for number in range(1_001):
        works.gates.setdefault(number, asyncio.Event()).set()
    await asyncio.gather(*tasks)


@law(30)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 150), st.booleans()), max_size=30))
async def test_within_a_name_the_cost_holds_the_order_stays_and_nobody_is_forgotten(
    asked: list[tuple[str, int, bool]],
) -> None:
    works = Works(Turns(cost_at_once=100))
    tasks = [asyncio.create_task(works.one(name, cost, number)) for number, (name, cost, _) in enumerate(asked)]
    await _settled()
    for task, (_, _, gives_up) in zip(tasks, asked, strict=True):
        if gives_up:
            task.cancel()
            await _settled()
        for name in "ab":
            costs = works.of(name)
            assert len(costs) <= 1 or sum(costs) <= 100
    for number in range(len(asked)):
        works.gates.setdefault(number, asyncio.Event()).set()
        await _settled()
    await asyncio.gather(*tasks, return_exceptions=True)
    for name in "ab":
        begun = [number for number in works.begun if asked[number][0] == name]
        assert begun == sorted(begun)
    assert {number for number, one in enumerate(asked) if not one[2]} <= {*works.begun}
    assert works._turns._queues == {}  # pyright: ignore[reportPrivateUsage]


async def test_who_would_wait_behind_too_many_is_told_so() -> None:
    turns = Turns(cost_at_once=10, most_waiting=2)
    works = Works(turns)
    tasks = [asyncio.create_task(works.one("a", 10, n)) for n in range(3)]
    await _settled()
    with pytest.raises(TooMuchWaiting) as caught:
        async with turns.one("a", 1):
            pass
    assert (caught.value.code, caught.value.status) == ("too_much_at_once", 429)
    async with turns.one("b", 1):
        pass
    for number in range(3):
        works.gates.setdefault(number, asyncio.Event()).set()
        await _settled()
    await asyncio.gather(*tasks)


async def test_so_many_are_open_for_each_name() -> None:
    sockets = Open("sockets", 2)
    async with AsyncExitStack() as stack:
        for name in ("a", "a", "b"):
            stack.enter_context(sockets.one(name))
        with pytest.raises(TooManyOpen, match="2 sockets"):
            stack.enter_context(sockets.one("a"))
        stack.enter_context(sockets.one("b"))
    with sockets.one("a"):
        pass
