"""Somebody with all scopes who saves policies and decides about artifacts."""

from dataclasses import dataclass
from typing import Any

from graph_schema.registry import REGISTRY
from service.commands import Commands, Outcome, RecordRef
from service.graph.database import Database
from service.memory.intake.preview import ArtifactIntake, Previews
from service.memory.intents import LibraryIntents
from service.memory.promotion import Promotions, Wish
from service.records import Records
from service.runtime.compose import hooks
from tests.memory.conftest import Executor
from tests.memory.stories import POLICY, Event, Story, step
from tests.viewers import viewer_of

LONG_AGO = "2020-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Desk:
    database: Database
    records: Records
    promotions: Promotions
    intents: LibraryIntents
    previews: Previews

    async def policy(self, **values: Any) -> str:
        given = {"name": "Policy", "policy_kind": "artifact", "valid_from": LONG_AGO, **values}
        return (await self.records.save(await viewer_of(self.database), "Policy", given)).result["id"]

    async def rule(self, condition: str = "true", **values: Any) -> str:
        of_rule = {"applies_to": "final_output", "suggested_level": "doc72_reference", "condition": condition}
        return await self.policy(**{"policy_kind": "artifact_candidate", **of_rule, **values})

    async def library(self, kind: str = "library") -> str:
        values = {"name": "Precedents", "kind": kind}
        return (await self.records.save(await viewer_of(self.database), "Entity", values)).result["id"]

    async def promote(self, artifact: str, level: Any, *, command_id: str | None = None, **wish: Any) -> Outcome:
        viewer = await viewer_of(self.database)
        return await self.promotions.promote(
            viewer, RecordRef(id=artifact), Wish(level=level, **wish), command_id=command_id
        )

    async def review(self, artifact: str, *, approve: bool, **wish: Any) -> Outcome:
        viewer = await viewer_of(self.database)
        return await self.promotions.review(viewer, RecordRef(id=artifact), Wish(**wish), approve=approve)

    async def preview(self, event: Event, **viewer: Any) -> ArtifactIntake:
        return await self.previews.of_event(await viewer_of(self.database, **viewer), event)


def desk_of(database: Database) -> Desk:
    commands = Commands(database, REGISTRY, lambda _new: None)
    return Desk(
        database, Records(commands, hooks()), Promotions(commands), LibraryIntents(commands), Previews(database)
    )


def produced(key: str = "a", mode: str = "standard", **values: Any) -> Event:
    """The event of one artifact of a run in this mode."""
    story = Story({"source": "exec", "key": f"run-{mode}"}, {**POLICY, "memory_mode": mode})
    given = {"artifact_kind": "document", **step("m"), **values}
    event = story.tell("artifact_produced", artifact_key=key, **given).events[0]
    return {**event, "event_id": key}


async def made(executor: Executor, key: str = "a", mode: str = "standard", **values: Any) -> dict[str, Any]:
    """Report an artifact; what came of it."""
    assert await executor.told([produced(key, mode, **values)]) == ["accepted"]
    return await executor.one("Artifact", source_key=key)
