"""The two clients: the same questions, sent and waited for, or sent and awaited."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

import httpx2

from service.client.answers import Event
from service.client.asks import Ask, Reference
from service.client.errors import Unreachable
from service.client.exchange import BOOKMARK, Came, Next, Send, exchange, is_forgotten, wait_for
from service.client.follow import SILENCE_S, Following, head, is_stream
from service.client.operations import Operations
from service.client.place import address, key_for
from service.client.runs import STANDARD, Step, Story, Told

T = TypeVar("T")
Talk = Generator[Next, Came, T]

RETRIES = 4
SECONDS = 30.0


class _Common(Operations):
    def __init__(
        self, url: str | None = None, key: str | None = None, *, retries: int = RETRIES, timeout: float = SECONDS
    ) -> None:
        self.url = address(url)
        self.retries = retries
        self._options: dict[str, Any] = {
            "base_url": self.url,
            "headers": {"authorization": f"Bearer {key_for(key)}"},
            "timeout": timeout,
        }
        self._bookmark: str | None = None

    def asked(self, ask: Ask[T]) -> Talk[T]:
        return exchange(ask, self.url, self.retries)

    def _again(self, followed: Following, came: httpx2.TransportError) -> float:
        """How long to wait before following on, unless it has failed too often in a row."""
        followed.failures += 1
        if followed.failures > self.retries:
            raise Unreachable(self.url, str(came) or "the stream of events broke off")
        return wait_for(followed.failures - 1, came)

    def _sending(self, ask: Ask[Any]) -> dict[str, Any]:
        """With the bookmark of what was written last: whichever process answers has it by then."""
        written = {BOOKMARK: self._bookmark} if self._bookmark else {}
        return {"method": "POST", "url": ask.path, "content": ask.body, "headers": {**ask.headers, **written}}

    def _heard(self, came: httpx2.Response) -> httpx2.Response:
        """One that the database no longer knows (it was restored, say) is of no use to anybody."""
        if bookmark := came.headers.get(BOOKMARK):
            self._bookmark = bookmark
        elif is_forgotten(came):
            self._bookmark = None
        return came


class Tasklore(_Common):
    """Asks a running service, and waits for its answers. Close it, or use it with `with`."""

    def __init__(
        self, url: str | None = None, key: str | None = None, *, retries: int = RETRIES, timeout: float = SECONDS
    ) -> None:
        super().__init__(url, key, retries=retries, timeout=timeout)
        self._http = httpx2.Client(**self._options)

    def __enter__(self) -> "Tasklore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def send(self, ask: Ask[T]) -> T:
        return self.carry_out(self.asked(ask))

    def carry_out(self, talk: Talk[T]) -> T:
        came: Came = None
        while True:
            try:
                step = talk.send(came)
            except StopIteration as end:
                return end.value
            came = self._sent(step.ask) if isinstance(step, Send) else time.sleep(step.seconds)

    def _sent(self, ask: Ask[Any]) -> Came:
        try:
            return self._heard(self._http.request(**self._sending(ask)))
        except httpx2.TransportError as error:
            return error

    def follow(
        self, kinds: Sequence[str] | None = None, *, about: Reference | None = None, after: str | None = None
    ) -> Generator[Event]:
        """Each event once, as it happens, without end. `after` is the cursor of the last one that was seen."""
        followed = Following(kinds, about, after or self.send(head())["events"]["head"])
        while True:
            try:
                with self._http.stream(**self._sending(followed.asked), timeout=SILENCE_S) as came:
                    if not is_stream(came):
                        came.read()
                        followed.check(came)
                    for line in came.iter_lines():
                        if (event := followed.event_in(line)) is not None:
                            yield event
                raise httpx2.ReadError("the service ended the stream")
            except httpx2.TransportError as error:
                time.sleep(self._again(followed, error))

    @contextmanager
    def run(
        self,
        task: str,
        *,
        source: str = "python",
        key: str | None = None,
        policy: Mapping[str, Any] | None = STANDARD,
        **more: Any,
    ) -> Generator["Run"]:
        """Report what happens within as a run of a task. Also a decorator: then every call is a run."""
        run = Run(self, Story(task, source, key, policy))
        run.story.tell_start(**more)
        run.flush()
        try:
            yield run
        except BaseException as error:
            self.carry_out(run.story.ended(error, self.asked))
            raise
        self.carry_out(run.story.ended(None, self.asked))


class Run(Told):
    """A run that is being reported."""

    def __init__(self, client: Tasklore, story: Story) -> None:
        super().__init__(story)
        self._client = client

    @contextmanager
    def step(self, module: str, **more: Any) -> Generator[Step]:
        with self.story.step(module, **more) as step:
            yield step
        self.flush()

    def flush(self) -> None:
        """Send what waits."""
        self._client.carry_out(self.story.flushed(self._client.asked))


class AsyncTasklore(_Common):
    """The same for code that awaits. Close it, or use it with `async with`."""

    def __init__(
        self, url: str | None = None, key: str | None = None, *, retries: int = RETRIES, timeout: float = SECONDS
    ) -> None:
        super().__init__(url, key, retries=retries, timeout=timeout)
        self._http = httpx2.AsyncClient(**self._options)

    async def __aenter__(self) -> "AsyncTasklore":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def send(self, ask: Ask[T]) -> T:
        return await self.carry_out(self.asked(ask))

    async def carry_out(self, talk: Talk[T]) -> T:
        came: Came = None
        while True:
            try:
                step = talk.send(came)
            except StopIteration as end:
                return end.value
            came = await (self._sent(step.ask) if isinstance(step, Send) else asyncio.sleep(step.seconds))

    async def _sent(self, ask: Ask[Any]) -> Came:
        try:
            return self._heard(await self._http.request(**self._sending(ask)))
        except httpx2.TransportError as error:
            return error

    async def follow(
        self, kinds: Sequence[str] | None = None, *, about: Reference | None = None, after: str | None = None
    ) -> AsyncGenerator[Event]:
        """Each event once, as it happens, without end. `after` is the cursor of the last one that was seen."""
        followed = Following(kinds, about, after or (await self.send(head()))["events"]["head"])
        while True:
            try:
                async with self._http.stream(**self._sending(followed.asked), timeout=SILENCE_S) as came:
                    if not is_stream(came):
                        await came.aread()
                        followed.check(came)
                    async for line in came.aiter_lines():
                        if (event := followed.event_in(line)) is not None:
                            yield event
                raise httpx2.ReadError("the service ended the stream")
            except httpx2.TransportError as error:
                await asyncio.sleep(self._again(followed, error))

    @asynccontextmanager
    async def run(
        self,
        task: str,
        *,
        source: str = "python",
        key: str | None = None,
        policy: Mapping[str, Any] | None = STANDARD,
        **more: Any,
    ) -> AsyncGenerator["AsyncRun"]:
        """Report what happens within as a run of a task. Also a decorator: then every call is a run."""
        run = AsyncRun(self, Story(task, source, key, policy))
        run.story.tell_start(**more)
        await run.flush()
        try:
            yield run
        except BaseException as error:
            await self.carry_out(run.story.ended(error, self.asked))
            raise
        await self.carry_out(run.story.ended(None, self.asked))


class AsyncRun(Told):
    """A run that is being reported."""

    def __init__(self, client: AsyncTasklore, story: Story) -> None:
        super().__init__(story)
        self._client = client

    @asynccontextmanager
    async def step(self, module: str, **more: Any) -> AsyncGenerator[Step]:
        with self.story.step(module, **more) as step:
            yield step
        await self.flush()

    async def flush(self) -> None:
        """Send what waits."""
        await self._client.carry_out(self.story.flushed(self._client.asked))
