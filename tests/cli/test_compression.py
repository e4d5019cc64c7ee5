"""Compression: what is large is compressed for those who ask for it; streams arrive as they are sent."""

import asyncio
import gzip
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Message

from service.observe.compression import IN_LOOP_BYTES, MOST_PLAIN_BYTES, Compressed, accepts_gzip

LARGE = "All work and no play. " * (IN_LOOP_BYTES // 10)
SMALL = "x" * (MOST_PLAIN_BYTES - 1)


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("br, zstd;q=0.9, gzip ; q = 0.2", True),
        ("*", True),
        ("gzip, *;q=0", True),
        ("x-gzip", True),
        ("gzip;q=0", False),
        ("gzip;q=0.0, br", False),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("gzip;q=much", False),
        ("identity", False),
        ("br", False),
        ("gzipped", False),
        ("", False),
    ],
)
def test_the_header_is_read_whole(header: str, wanted: bool) -> None:
    assert accepts_gzip(header) is wanted


async def _text(request: Request) -> Response:
    return PlainTextResponse(SMALL if request.url.path == "/small" else LARGE)


async def _packed(_request: Request) -> Response:
    return Response(gzip.compress(LARGE.encode()), headers={"content-encoding": "gzip"})


APP = Compressed(Starlette(routes=[Route("/large", _text), Route("/small", _text), Route("/packed", _packed)]))


async def _get(path: str, encoding: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(APP), base_url="http://test") as client:
        return await client.get(path, headers={"accept-encoding": encoding})


async def test_a_large_answer_is_compressed_for_those_who_ask() -> None:
    packed, plain = await _get("/large", "gzip"), await _get("/large", "gzip;q=0")
    assert packed.text == plain.text == LARGE
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(LARGE) / 10
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


async def test_a_small_answer_is_left_alone() -> None:
    assert "content-encoding" not in (await _get("/small", "gzip")).headers


async def test_what_is_compressed_is_not_compressed_again() -> None:
    assert (await _get("/packed", "gzip")).text == LARGE


@pytest.mark.parametrize("media_type", ["text/event-stream", "multipart/mixed; boundary=-", "application/x-ndjson"])
async def test_each_part_of_a_stream_goes_out_before_the_next_is_made(media_type: str) -> None:
    sent: asyncio.Queue[Message] = asyncio.Queue()
    made: asyncio.Queue[str | None] = asyncio.Queue()

    async def parts() -> AsyncGenerator[str]:
        while (part := await made.get()) is not None:
            yield part

    async def stream(_request: Request) -> Response:
        return StreamingResponse(parts(), media_type=media_type)

    app = Compressed(Starlette(routes=[Route("/", stream)]))
    headers = [(b"accept-encoding", b"gzip")]
    scope: Any = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    serving = asyncio.ensure_future(app(scope, asyncio.Event().wait, sent.put))  # pyright: ignore[reportArgumentType]
    await made.put("first")
    start, first = await sent.get(), await sent.get()
    as_it_is = (b"content-encoding", b"gzip") not in start["headers"]
    assert as_it_is is (media_type != "application/x-ndjson")
    assert first["body"]
    assert not as_it_is or first["body"] == b"first"
    await made.put(None)
    assert (await sent.get())["more_body"] is False
    await serving
