import asyncio
import threading
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
import pytest_asyncio

from embeddings import EmbeddingQueue, EmbeddingQueueClosed, EmbeddingQueueFull, TextNotUnicode, Vectors
from embeddings.onnx import OnnxEmbedder

POISON = "poison"


class Watched:
    """The real model behind a gate, with a record of the batches that it was given."""

    def __init__(self, model: OnnxEmbedder) -> None:
        self._model = model
        self._loop = asyncio.get_running_loop()
        self.name, self.version, self.key = model.name, model.version, model.key
        self.dimensions, self.max_tokens, self.unrelated = model.dimensions, model.max_tokens, model.unrelated
        self.entered = asyncio.Event()
        self.gate = threading.Event()
        self.queries: list[list[str]] = []
        self.bulk: list[list[str]] = []

    def embed_query(self, text: str) -> list[float]:
        return self._model.embed_query(text)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.queries.append(list(texts))
        return self._behind_the_gate(texts)

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        self.bulk.append(list(texts))
        return self._behind_the_gate(texts)

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)

    def _behind_the_gate(self, texts: Sequence[str]) -> Vectors:
        self._loop.call_soon_threadsafe(self.entered.set)
        assert self.gate.wait(timeout=30)
        if POISON in texts:
            raise RuntimeError(POISON)
        return self._model.embed_texts(texts)


@pytest_asyncio.fixture
async def watched(minilm: OnnxEmbedder) -> Watched:
    return Watched(minilm)


@pytest_asyncio.fixture
async def queue(watched: Watched) -> AsyncIterator[EmbeddingQueue]:
    queue = EmbeddingQueue(watched, max_waiting=64)
    yield queue
    watched.gate.set()
    await queue.aclose()


def texts(count: int) -> list[str]:
    return [f"clause {number}" for number in range(count)]


async def asking(queue: EmbeddingQueue, asked: Sequence[str]) -> list[asyncio.Task[list[float]]]:
    """Callers that have joined the queue."""
    tasks = [asyncio.create_task(queue.embed_query(text)) for text in asked]
    await asyncio.sleep(0)
    return tasks


async def first_in_work(queue: EmbeddingQueue, watched: Watched) -> asyncio.Task[list[float]]:
    [task] = await asking(queue, ["first"])
    await watched.entered.wait()
    return task


async def test_every_caller_gets_the_vector_of_its_own_text(
    queue: EmbeddingQueue, watched: Watched, minilm: OnnxEmbedder
) -> None:
    watched.gate.set()
    bulk = asyncio.create_task(queue.embed_texts(texts(100)))
    found = await asyncio.gather(*(queue.embed_query(text) for text in texts(50)))
    expected = minilm.embed_texts(texts(100))
    assert found == expected[:50].tolist()
    assert np.array_equal(await bulk, expected)
    assert queue.depth == 0


async def test_queries_that_wait_together_are_embedded_together(queue: EmbeddingQueue, watched: Watched) -> None:
    first = await first_in_work(queue, watched)
    waiting = await asking(queue, texts(40))
    assert queue.depth == 41
    watched.gate.set()
    await asyncio.gather(first, *waiting)
    assert watched.queries == [["first"], texts(40)[:32], texts(40)[32:]]


async def test_a_text_that_several_ask_about_at_once_is_embedded_once(
    queue: EmbeddingQueue, watched: Watched, minilm: OnnxEmbedder
) -> None:
    first = await first_in_work(queue, watched)
    waiting = await asking(queue, ["one", "other", "one"])
    watched.gate.set()
    found = await asyncio.gather(*waiting)
    await first
    assert watched.queries == [["first"], ["one", "other"]]
    assert found == minilm.embed_texts(["one", "other", "one"]).tolist()


async def test_what_is_asked_for_in_one_moment_is_embedded_once_however_it_comes(
    queue: EmbeddingQueue, watched: Watched
) -> None:
    async def by_another_way() -> list[float]:
        return (await asyncio.gather(queue.embed_query("one")))[0]  # its task begins after the queue's own

    watched.gate.set()
    one, other = await asyncio.gather(queue.embed_query("one"), by_another_way())
    assert watched.queries == [["one"]]
    assert one == other


async def test_small_bulks_that_wait_together_are_embedded_together(queue: EmbeddingQueue, watched: Watched) -> None:
    first = await first_in_work(queue, watched)
    calls = [asyncio.create_task(queue.embed_texts([f"a{number}", f"b{number}"])) for number in range(3)]
    await asyncio.sleep(0)
    watched.gate.set()
    await asyncio.gather(first, *calls)
    assert watched.bulk == [["a0", "b0", "a1", "b1", "a2", "b2"]]


async def test_the_loop_is_free_while_the_model_works(queue: EmbeddingQueue, watched: Watched) -> None:
    task = await first_in_work(queue, watched)
    for _ in range(100):
        await asyncio.sleep(0)
    assert not task.done()


async def test_a_full_queue_refuses_and_recovers(watched: Watched) -> None:
    queue = EmbeddingQueue(watched, max_waiting=3)
    tasks = await asking(queue, texts(3))
    with pytest.raises(EmbeddingQueueFull, match="3 requests") as caught:
        await queue.embed_query("one more")
    with pytest.raises(EmbeddingQueueFull):
        await queue.embed_texts(["one more"])
    assert caught.value.code == "embedding_queue_full"
    assert caught.value.remedy
    watched.gate.set()
    await asyncio.gather(*tasks)
    assert len(await queue.embed_query("one more")) == 384
    await queue.aclose()


async def test_a_bulk_does_not_hold_up_queries(queue: EmbeddingQueue, watched: Watched) -> None:
    bulk = asyncio.create_task(queue.embed_texts(texts(320)))
    await watched.entered.wait()
    [query] = await asking(queue, ["urgent"])
    watched.gate.set()
    await query
    assert len(watched.bulk) <= 2
    assert not bulk.done()
    assert (await bulk).shape == (320, 384)


async def test_long_texts_make_short_batches(queue: EmbeddingQueue, watched: Watched) -> None:
    watched.gate.set()
    long = "duty of care " * 500
    await queue.embed_texts([f"{long}1", f"{long}2", "short", "shorter", f"{long}3"])
    assert [len(batch) for batch in watched.bulk] == [1, 3, 1]


async def test_a_caller_that_gives_up_disturbs_nobody(queue: EmbeddingQueue, watched: Watched) -> None:
    first = await first_in_work(queue, watched)
    before, leaving, after = await asking(queue, ["before", "leaving", "after"])
    first.cancel()  # in work already
    leaving.cancel()  # still waiting
    await asyncio.wait([first, leaving])
    assert queue.depth == 2
    watched.gate.set()
    assert await before == watched.embed_query("before")
    assert await after == watched.embed_query("after")
    assert watched.queries == [["first"], ["before", "after"]]
    assert queue.depth == 0


async def test_a_cancelled_bulk_stops(queue: EmbeddingQueue, watched: Watched) -> None:
    bulk = asyncio.create_task(queue.embed_texts(texts(320)))
    await watched.entered.wait()
    bulk.cancel()
    await asyncio.wait([bulk])
    watched.gate.set()
    await queue.embed_query("next")
    assert [len(batch) for batch in watched.bulk] == [32]


async def test_one_bad_text_fails_its_caller_alone(queue: EmbeddingQueue, watched: Watched) -> None:
    first = await first_in_work(queue, watched)
    tasks = await asking(queue, ["good", POISON, "fine"])
    with pytest.raises(TextNotUnicode):
        await queue.embed_query("\ud800")
    watched.gate.set()
    await first
    good, poisoned, fine = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(poisoned, RuntimeError)
    assert [good, fine] == [watched.embed_query("good"), watched.embed_query("fine")]


async def test_closing_finishes_what_was_admitted(watched: Watched) -> None:
    queue = EmbeddingQueue(watched)
    first = await first_in_work(queue, watched)
    [waiting] = await asking(queue, ["waiting"])
    bulk = asyncio.create_task(queue.embed_texts(texts(80)))
    await asyncio.sleep(0)
    closing = asyncio.create_task(queue.aclose())
    await asyncio.sleep(0)
    with pytest.raises(EmbeddingQueueClosed):
        await queue.embed_query("too late")
    watched.gate.set()
    await closing
    assert all(task.done() for task in (first, waiting, bulk))
    assert (await bulk).shape == (80, 384)
    await queue.aclose()


async def test_no_texts_need_no_model(queue: EmbeddingQueue, watched: Watched) -> None:
    assert (await queue.embed_texts([])).shape == (0, 384)
    assert not watched.bulk
