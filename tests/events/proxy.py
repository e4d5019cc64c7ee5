"""A way to the real database that can be cut and mended, or held up."""

import asyncio
from types import TracebackType
from urllib.parse import urlsplit


class Proxy:
    def __init__(self, uri: str) -> None:
        parts = urlsplit(uri)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 7687)
        self._server: asyncio.Server | None = None
        self._port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._open = asyncio.Event()
        self._open.set()

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._port}"

    async def __aenter__(self) -> "Proxy":
        await self.mend()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.let_go()
        await self.cut()

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        if self._server:
            self._server.close()
        for writer in [*self._writers]:
            writer.transport.abort()
        await asyncio.sleep(0)

    def hold(self) -> None:
        """From now on nothing passes, and nobody is told."""
        self._open.clear()

    def let_go(self) -> None:
        self._open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._target)
        except OSError:  # the database is away
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        await asyncio.gather(self._pass_on(reader, far_writer), self._pass_on(far_reader, writer))
        self._writers -= {writer, far_writer}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while some := await reader.read(65536):
                await self._open.wait()
                writer.write(some)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.close()
