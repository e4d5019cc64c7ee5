"""The methods of both clients, written once: a function makes the question, each client sends it its own way."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from service.client import asks
from service.client.asks import Ask

if TYPE_CHECKING:
    from service.client.clients import AsyncTasklore, Tasklore

P = ParamSpec("P")
T = TypeVar("T")


class Operation(Generic[P, T]):
    """On a `Tasklore` a method that answers, on an `AsyncTasklore` one that is awaited."""

    def __init__(self, ask: Callable[P, Ask[T]]) -> None:
        self._ask = ask
        self.__doc__ = ask.__doc__

    @overload
    def __get__(self, client: "Tasklore", owner: Any) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: "AsyncTasklore", owner: Any) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, client: None, owner: Any) -> "Operation[P, T]": ...
    def __get__(self, client: Any, owner: Any) -> Any:
        if client is None:
            return self

        @wraps(self._ask)
        def asking(*args: P.args, **kwargs: P.kwargs) -> Any:
            return client.send(self._ask(*args, **kwargs))

        return asking


class Operations:
    match = Operation(asks.match)
    scope = Operation(asks.scope)
    packet = Operation(asks.packet)
    lineage = Operation(asks.lineage)
    report = Operation(asks.report)
    query = Operation(asks.query)
