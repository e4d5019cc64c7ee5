"""Answers to documents that ask only for the schema: made once, beside the event loop, and kept as bytes.

Such an answer is the same for every viewer, and takes a third of a second to write. It is written by a thread, which
shares the interpreter with the event loop: so it works in short turns and rests between them (see `_Turns`), and
there is only one such thread, however many ask.
"""

import asyncio
import hashlib
import time
import zlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import orjson
from graphql import GraphQLError, GraphQLSchema
from graphql.execution.values import VariableValues

from resolvers.engine.documents import Document, DocumentRefused
from resolvers.engine.schema_json import rendered
from service.errors import TaskloreError

KEPT_BYTES = 32_000_000
MOST_WAITING = 64
"""Answers that may wait to be made."""

TURN_SECONDS = 0.0002
REST_SECONDS = 0.0003
"""An echo through the event loop took 0.2 ms alone and 0.3 ms meanwhile (p95); without rests it took 12 ms."""

GZIP = 16 + zlib.MAX_WBITS
_LEVEL = 6
_HEAD, _TAIL = b'{"data":', b',"extensions":{"cost":0}}'


class IntrospectionQueueFull(TaskloreError):
    code = "introspection_queue_full"

    def __init__(self, waiting: int) -> None:
        super().__init__(
            f"{waiting} other documents about the schema wait for their answers.",
            remedy="Try again later. A document that was answered before is answered at once.",
            facts={"waiting": waiting},
        )


@dataclass(frozen=True, slots=True)
class SchemaAnswer:
    """The whole answer, as it is and compressed by gzip."""

    plain: bytes
    packed: bytes

    @property
    def data(self) -> bytes:
        return self.plain[len(_HEAD) : -len(_TAIL)]

    @property
    def size(self) -> int:
        return len(self.plain) + len(self.packed)


class Introspection:
    def __init__(self, schema: GraphQLSchema, kept_bytes: int = KEPT_BYTES) -> None:
        self._schema = schema
        self._kept = _Kept(kept_bytes)
        self._making: dict[bytes, asyncio.Future[SchemaAnswer]] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="introspection")

    async def answer(self, document: Document, variables: VariableValues) -> SchemaAnswer:
        asked = orjson.dumps([document.key[0].hex(), document.name, variables.coerced], option=orjson.OPT_SORT_KEYS)
        key = hashlib.sha256(asked).digest()
        known = self._kept.get(key)
        if known is not None:
            return known
        making = self._making.get(key) or self._begun(key, document, variables)
        try:
            return await asyncio.shield(making)  # others may wait for it when this caller no longer does
        except GraphQLError as error:
            raise DocumentRefused([error], "invalid_variables") from None

    def _begun(self, key: bytes, document: Document, variables: VariableValues) -> asyncio.Future[SchemaAnswer]:
        if len(self._making) >= MOST_WAITING:
            raise IntrospectionQueueFull(len(self._making))
        loop = asyncio.get_running_loop()
        making = loop.run_in_executor(self._worker, _made, self._schema, document, variables)
        self._making[key] = making
        making.add_done_callback(partial(self._ended, key))
        return making

    def _ended(self, key: bytes, made: asyncio.Future[SchemaAnswer]) -> None:
        del self._making[key]
        if not made.cancelled() and made.exception() is None:
            self._kept.put(key, made.result())


class _Kept:
    """The answers used last, up to so many bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._size = 0
        self._answers: OrderedDict[bytes, SchemaAnswer] = OrderedDict()

    def get(self, key: bytes) -> SchemaAnswer | None:
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def put(self, key: bytes, answer: SchemaAnswer) -> None:
        self._answers[key] = answer
        self._size += len(key) + answer.size
        while self._size > self._most:
            oldest, dropped = self._answers.popitem(last=False)
            self._size -= len(oldest) + dropped.size


class _Turns:
    """Lets go of the interpreter after each short turn: unasked, a thread holds it for 5 ms."""

    def __init__(self) -> None:
        self._end = time.perf_counter() + TURN_SECONDS

    def __call__(self) -> None:
        if time.perf_counter() > self._end:
            time.sleep(REST_SECONDS)
            self._end = time.perf_counter() + TURN_SECONDS


def _made(schema: GraphQLSchema, document: Document, variables: VariableValues) -> SchemaAnswer:
    plain = _HEAD + rendered(schema, document, variables, _Turns()) + _TAIL
    return SchemaAnswer(plain, zlib.compress(plain, _LEVEL, GZIP))  # zlib lets go of the interpreter by itself
