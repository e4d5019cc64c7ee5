"""Directives as they are raised, for the user who is asked."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.attention.words import DirectiveState, OperatingMode
from service import clock
from service.attention import cypher
from service.attention.deciding.commands import REMINDED
from service.attention.deciding.view import AttentionOutput, output_view
from service.events import Events, ViewerNow
from service.graph.database import Database
from service.views import Id, Linked, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectiveRaised:
    """A directive that was raised, or came back."""

    cursor: Annotated[str, "Go on from here with `after`."]
    directive_id: Annotated[Id, "Its id."]
    session_id: Annotated[Id, "Id of the session."]
    state: Annotated[DirectiveState, "What became of it since."]
    raised_at: Annotated[Time, "When it was raised first."]
    expires_at: Annotated[Time, "Until when it holds, unless its session ends before."]
    output: Annotated[AttentionOutput, "What it says, and what to do to the view."]
    directive: ClassVar = Linked("directive_id", "The record.", "AttentionDirective")


class RaisedDirectives:
    def __init__(self, database: Database, events: Events) -> None:
        self._database = database
        self._events = events

    async def follow(self, viewer_now: ViewerNow, *, after: str | None = None) -> AsyncGenerator[DirectiveRaised]:
        """Without end: each directive of the viewer once, and once more when it comes back."""
        source = self._events.follow(viewer_now, after=after, kinds=(REMINDED,))
        async with aclosing(source) as found:
            async for event in found:
                viewer = await viewer_now()
                row = await self._database.read_one(
                    cypher.DIRECTIVE, id=event.about, owner=viewer.principal_id, audiences=viewer.audiences
                )
                if row is not None:
                    yield _raised(event.cursor, row["directive"])


def _raised(cursor: str, directive: Mapping[str, Any]) -> DirectiveRaised:
    return DirectiveRaised(
        cursor=cursor,
        directive_id=directive["id"],
        session_id=directive["session_id"],
        state=state_of(directive),
        raised_at=directive["raised_at"],
        expires_at=directive["expires_at"],
        output=output_of(directive),
    )


def state_of(directive: Mapping[str, Any]) -> DirectiveState:
    """As it is now: what nobody answered in time holds no longer."""
    state = DirectiveState(directive["directive_state"])
    waits = state in {DirectiveState.open, DirectiveState.snoozed}
    return DirectiveState.expired if waits and directive["expires_at"] <= clock.now() else state


def output_of(directive: Mapping[str, Any]) -> AttentionOutput:
    """A stored directive in the shape that decisions tell it in."""
    told = {
        "focus_type": None,
        "focus_id": None,
        "fell_back": False,
        **directive,
        "component": directive["surface"],
        "mode": OperatingMode(directive["mode"]),
        "view_commands": [orjson.loads(one) for one in directive["view_commands"]],
    }
    return output_view(told)
