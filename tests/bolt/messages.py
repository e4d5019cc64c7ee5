"""Bolt 5.4 on the wire: the handshake, messages in chunks, and what is in them, by the driver's own packing."""

import asyncio
import struct
from typing import Any

from neo4j._codec.packstream.v1 import Packer, Unpacker

MAGIC = b"\x60\x60\xb0\x17"
VERSION = b"\x00\x00\x04\x05"
_NO_VERSION = b"\x00\x00\x00\x00"
_CHUNK = 0xFFFF

NAMES = {
    b"\x01": "HELLO",
    b"\x02": "GOODBYE",
    b"\x0f": "RESET",
    b"\x10": "RUN",
    b"\x11": "BEGIN",
    b"\x12": "COMMIT",
    b"\x13": "ROLLBACK",
    b"\x2f": "DISCARD",
    b"\x3f": "PULL",
    b"\x54": "TELEMETRY",
    b"\x66": "ROUTE",
    b"\x6a": "LOGON",
    b"\x6b": "LOGOFF",
}
SUCCESS, RECORD, IGNORED, FAILURE = b"\x70", b"\x71", b"\x7e", b"\x7f"


async def greeted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a client's handshake: every driver of Bolt 5 offers this version among others."""
    greeting = await reader.readexactly(20)
    if not greeting.startswith(MAGIC):
        raise ConnectionError("this is no Bolt")
    writer.write(VERSION)


async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(MAGIC + VERSION + _NO_VERSION * 3)
    if await reader.readexactly(4) != VERSION:
        raise ConnectionError("the server does not speak Bolt 5.4")


async def received(reader: asyncio.StreamReader) -> bytes:
    """The next message, out of its chunks."""
    message = b""
    while True:
        (size,) = struct.unpack(">H", await reader.readexactly(2))
        if size:
            message += await reader.readexactly(size)
        elif message:
            return message


def chunked(message: bytes) -> bytes:
    parts = [message[start : start + _CHUNK] for start in range(0, len(message), _CHUNK)]
    return b"".join(struct.pack(">H", len(part)) + part for part in parts) + b"\x00\x00"


def packed(tag: bytes, *fields: Any) -> bytes:
    buffer: Any = Packer.new_packable_buffer()
    packer: Any = Packer(buffer)
    packer.pack_struct(tag, fields)
    return chunked(bytes(buffer.data))


def unpacked(message: bytes) -> tuple[str, list[Any]]:
    """The name of a request, and its fields."""
    buffer: Any = Unpacker.new_unpackable_buffer()
    buffer.data, buffer.used = bytearray(message), len(message)
    unpacker: Any = Unpacker(buffer)
    size, tag = unpacker.unpack_structure_header()
    return NAMES[bytes(tag)], [unpacker.unpack() for _ in range(size)]
