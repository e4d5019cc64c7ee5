"""The asynchronous front of a model: callers wait, one thread works, and what waits together is embedded together."""

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from embeddings.errors import EmbeddingQueueClosed, EmbeddingQueueFull
from embeddings.port import Embedder, Vectors, checked

DEFAULT_MAX_WAITING = 1024
BATCH_TEXTS = 32
# A fifth of a second of work for MiniLM on two cores: the longest that a query waits behind somebody's bulk.
BATCH_CHARACTERS = 8_000


@dataclass(frozen=True, eq=False)
class _Job:
    texts: Sequence[str]
    answer: asyncio.Future[Vectors]

    @property
    def characters(self) -> int:
        return sum(len(text) for text in self.texts)


class EmbeddingQueue:
    """Belongs to one event loop. Queries go first; a bulk moves on by one batch between two batches of queries.

    A second model beside the first has a queue of its own, so that the two embed side by side.
    """

    def __init__(
        self, embedder: Embedder, *, second: Embedder | None = None, max_waiting: int = DEFAULT_MAX_WAITING
    ) -> None:
        self._embedder = embedder
        self._second = EmbeddingQueue(second, max_waiting=max_waiting) if second else None
        self._max_waiting = max_waiting
        self._callers = 0
        self._closed = False
        self._queries: deque[_Job] = deque()
        self._bulk: deque[_Job] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embedding-queue")

    @property
    def embedder(self) -> Embedder:
        return self._embedder

    @property
    def second(self) -> "EmbeddingQueue | None":
        """The queue of the second model, which compares what has a card and no phrases."""
        return self._second

    @property
    def depth(self) -> int:
        """Calls that have not been answered yet, the ones in work included."""
        return self._callers

    async def embed_query(self, text: str) -> list[float]:
        with self._admitted():
            vectors = await self._submit(self._queries, [checked(text)])
            return vectors[0].tolist()

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        with self._admitted():
            parts = [await self._submit(self._bulk, part) for part in _parts([checked(text) for text in texts])]
            return np.concatenate(parts) if parts else np.empty((0, self._embedder.dimensions), dtype=np.float32)

    async def aclose(self) -> None:
        """Refuse new calls, finish the ones that were admitted, and let the thread go."""
        self._closed = True
        if self._second is not None:
            await self._second.aclose()
        await self._idle.wait()
        if self._worker is not None:
            await self._worker
        self._thread.shutdown()

    @contextmanager
    def _admitted(self) -> Generator[None]:
        if self._closed:
            raise EmbeddingQueueClosed
        if self._callers >= self._max_waiting:
            raise EmbeddingQueueFull(self._max_waiting)
        self._callers += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._callers -= 1
            if not self._callers:
                self._idle.set()

    def _submit(self, line: deque[_Job], texts: Sequence[str]) -> asyncio.Future[Vectors]:
        answer = asyncio.get_running_loop().create_future()
        line.append(_Job(texts, answer))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name="embedding-queue")
        return answer

    async def _work(self) -> None:
        await asyncio.sleep(0)  # what is asked for in the same moment goes along: a text of several is embedded once
        while self._queries or self._bulk:
            await self._embed(self._embedder.embed_queries, _batch(self._queries))
            await self._embed(self._embedder.embed_texts, _batch(self._bulk))

    async def _embed(self, embed: Callable[[Sequence[str]], Vectors], jobs: list[_Job]) -> None:
        if not jobs:
            return
        places: dict[str, int] = {}  # a text that several ask about is embedded once
        for text in (text for job in jobs for text in job.texts):
            places.setdefault(text, len(places))
        try:
            vectors = await asyncio.get_running_loop().run_in_executor(self._thread, embed, list(places))
        except Exception as error:
            await self._embed_apart(embed, jobs, error)
            return
        for job in jobs:
            _answer(job, vectors[[places[text] for text in job.texts]])

    async def _embed_apart(self, embed: Callable[[Sequence[str]], Vectors], jobs: list[_Job], error: Exception) -> None:
        """One caller's text must not fail the others that happened to wait beside it."""
        if len(jobs) > 1:
            for job in jobs:
                await self._embed(embed, [job])
        elif not jobs[0].answer.done():
            jobs[0].answer.set_exception(error)


def _answer(job: _Job, vectors: Vectors) -> None:
    if not job.answer.done():  # its caller may have given up meanwhile
        job.answer.set_result(vectors)


def _batch(line: deque[_Job]) -> list[_Job]:
    """What is taken from the line at once: at least one job whose caller still waits, then what fits beside it."""
    jobs: list[_Job] = []
    texts = characters = 0
    while line:
        job = line[0]
        fits = texts + len(job.texts) <= BATCH_TEXTS and characters + job.characters <= BATCH_CHARACTERS
        if jobs and not fits:
            break
        line.popleft()
        if not job.answer.cancelled():
            jobs.append(job)
            texts += len(job.texts)
            characters += job.characters
    return jobs


def _parts(texts: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    characters = 0
    for text in texts:
        if part and (len(part) == BATCH_TEXTS or characters + len(text) > BATCH_CHARACTERS):
            yield part
            part, characters = [], 0
        part.append(text)
        characters += len(text)
    if part:
        yield part
