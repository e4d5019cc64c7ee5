"""The manifest of a share: what its recipients are told."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from graph_schema.model.fields import Timestamp
from graph_schema.model.registry import Registry
from graph_schema.sharing.words import ShareMode, SharePermission, ShareProfile
from service.memory.audit.bundle import part
from service.memory.audit.load import Story
from service.sharing.permissions import deferred_actions, working_actions
from service.sharing.profiles import LIVE, hidden_by
from service.sharing.story import Told
from service.views import Id, Json


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedManifest:
    """What a share tells: its sections with their records and links, as an audit has them, and what can be done."""

    share_id: Annotated[Id, "Id of the share."]
    task_id: Annotated[str | None, "Id of the task, where one is shared."]
    run_id: Annotated[str | None, "Id of the run, where one is shared."]
    share_mode: Annotated[ShareMode, "What is told."]
    live: Annotated[bool, "Whether it is told as it is now; else as it was when it was shared."]
    redaction_profile: Annotated[ShareProfile, "How much is told of it."]
    hides: Annotated[tuple[str, ...], "Kinds of things that this profile never tells."]
    permission: Annotated[SharePermission, "What its recipients may do."]
    can: Annotated[tuple[str, ...], "What can be done under it by whoever signs in beside the link."]
    deferred: Annotated[tuple[str, ...], "What it permits, and nothing here carries out yet."]
    shared_at: Annotated[Timestamp, "When it was shared."]
    expires_at: Annotated[Timestamp, "Until when it can be opened."]
    sections: Annotated[Json, "Its parts, each with `section`, `records`, `links` and, where there are, `totals`."]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def manifest_of(registry: Registry, share: Mapping[str, Any], told: Told, story: Story) -> SharedManifest:
    permission = SharePermission(share["permission"])
    redactor = told.redactor(registry)
    return SharedManifest(
        share_id=share["id"],
        task_id=_if_told(share.get("task_id"), story),
        run_id=_if_told(share.get("shared_run_id"), story),
        share_mode=told.mode,
        live=told.mode in LIVE,
        redaction_profile=told.profile,
        hides=hidden_by(told.profile),
        permission=permission,
        can=working_actions(permission),
        deferred=deferred_actions(permission),
        shared_at=share["created_at"],
        expires_at=share["expires_at"],
        sections=[part(redactor, story, one) for one in told.sections],
    )


def records_in(manifest: SharedManifest) -> dict[str, dict[str, Any]]:
    """The records that it tells of, by their ids."""
    return {one["id"]: one for section in manifest.sections for one in section["records"]}


def _if_told(record_id: str | None, story: Story) -> str | None:
    return record_id if record_id in story.records else None
