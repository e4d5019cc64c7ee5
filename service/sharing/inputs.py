"""What the sender of a share says: what it tells of, to whom, how far, until when; and its nine policies."""

from dataclasses import dataclass, fields
from typing import Annotated, Any

from graph_schema.sharing.words import (
    ApprovalPoint,
    DeliveryAccess,
    FileAccess,
    MemoryAccess,
    OpensKept,
    SavePlace,
    ShareChannel,
    ShareEntrypoint,
    ShareGrounding,
    ShareMode,
    SharePermission,
    ShareProfile,
)
from service.commands import RecordRef
from service.views import OrNull, Time


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskMemoryAccessPolicy:
    """Which memories recipients may draw on. Anything but none is kept as asked for, and refused in use."""

    access: Annotated[MemoryAccess, "Which."] = MemoryAccess.none
    memories: Annotated[OrNull[tuple[RecordRef, ...]], "The selected ones."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskFileAccessPolicy:
    """Which artifacts, documents and work products are told of."""

    access: Annotated[FileAccess, "Which."] = FileAccess.all_shared
    files: Annotated[OrNull[tuple[RecordRef, ...]], "The selected ones."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskOutputPolicy:
    """Where outputs may be saved. Anything but nowhere is kept as asked for, and refused in use."""

    save_to: Annotated[SavePlace, "Where."] = SavePlace.nowhere
    may_write_sender_memory: Annotated[bool, "Whether they may go into the sender's memory."] = False
    may_write_sender_libraries: Annotated[bool, "Or into the sender's libraries."] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskEmailPolicy:
    """Whether anything may be sent. Anything but not_allowed is kept as asked for, and refused in use."""

    delivery: Annotated[DeliveryAccess, "Whether, and who approves."] = DeliveryAccess.not_allowed
    channels: Annotated[OrNull[tuple[ShareChannel, ...]], "By which ways."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskCapabilityPolicy:
    """Which capabilities may be used. Any is kept as asked for, and refused in use."""

    keys: Annotated[OrNull[tuple[str, ...]], "Their keys: tools, connectors, servers, agents."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskAgentAccessPolicy:
    """How far the Task Agent may be asked. Where it is enabled, that is kept as asked for, and refused in use."""

    enabled: Annotated[bool, "Whether it may be asked at all."] = False
    allowed_entrypoints: Annotated[OrNull[tuple[ShareEntrypoint, ...]], "For what."] = ()
    grounding_mode: Annotated[ShareGrounding, "What it may draw on."] = ShareGrounding.shared_manifest_only
    may_query_sender_private_memory: Annotated[bool, "Whether it may search the sender's memory."] = False
    may_query_unshared_task_history: Annotated[bool, "Or runs that are not shared."] = False
    may_modify_task_directly: Annotated[bool, "Whether it may change the task."] = False
    may_propose_task_patch: Annotated[bool, "Whether it may propose changes."] = True
    require_sender_approval_for_task_agent_generated_patch: Annotated[bool, "Whether its changes need the sender."] = (
        True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskCostPolicy:
    """What runs under the share may cost."""

    max_runs: Annotated[int | None, "At most so many runs."] = None
    max_usd: Annotated[float | None, "At most this much, in US dollars."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskApprovalPolicy:
    """What the sender has to approve."""

    required_for: Annotated[OrNull[tuple[ApprovalPoint, ...]], "What."] = tuple(ApprovalPoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTaskAuditPolicy:
    """How openings are kept: each, or the first of a day by each principal. All else is always kept."""

    opens: Annotated[OpensKept, "How."] = OpensKept.each


POLICIES: dict[str, type[Any]] = {
    "memory": SharedTaskMemoryAccessPolicy,
    "file": SharedTaskFileAccessPolicy,
    "output": SharedTaskOutputPolicy,
    "email": SharedTaskEmailPolicy,
    "capability": SharedTaskCapabilityPolicy,
    "agent": SharedTaskAgentAccessPolicy,
    "cost": SharedTaskCostPolicy,
    "approval": SharedTaskApprovalPolicy,
    "audit": SharedTaskAuditPolicy,
}
"""By the first word of their fields on a capsule: `memory_access`, `file_access`."""

_LINKED = frozenset({"memories", "files"})
"""What a capsule leads to by links instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareInput:
    """What to share, with whom, how far and until when. A policy that is left out is its closed default."""

    task: Annotated[RecordRef | None, "The Task; of a run, the one that it was a run of."] = None
    run: Annotated[RecordRef | None, "The Run, where the mode tells of one."] = None
    recipients: Annotated[
        OrNull[tuple[str, ...]], "Ids or names of principals. With any, nobody else can open it, and they sign in."
    ] = ()
    permission: Annotated[SharePermission, "What recipients may do beside looking."] = SharePermission.view_only
    share_mode: Annotated[ShareMode, "What is told."]
    redaction_profile: Annotated[ShareProfile, "How much is told of it."] = ShareProfile.external_professional
    expires_at: Annotated[Time | None, "Until when; 30 days from now, unless told."] = None
    acknowledge_full_access: Annotated[bool, "That you know what full access gives away. Needed for it alone."] = False
    note: Annotated[str | None, "A note to yourself; recipients do not see it."] = None
    memory_policy: Annotated[SharedTaskMemoryAccessPolicy | None, "Memories."] = None
    file_policy: Annotated[SharedTaskFileAccessPolicy | None, "Artifacts, documents, work products."] = None
    output_policy: Annotated[SharedTaskOutputPolicy | None, "Where outputs are saved."] = None
    email_policy: Annotated[SharedTaskEmailPolicy | None, "What may be sent."] = None
    capability_policy: Annotated[SharedTaskCapabilityPolicy | None, "What may be used."] = None
    agent_policy: Annotated[SharedTaskAgentAccessPolicy | None, "The Task Agent."] = None
    cost_policy: Annotated[SharedTaskCostPolicy | None, "What it may cost."] = None
    approval_policy: Annotated[SharedTaskApprovalPolicy | None, "What the sender approves."] = None
    audit_policy: Annotated[SharedTaskAuditPolicy | None, "What is kept of it."] = None

    def missing(self, wanted: tuple[str, ...]) -> list[str]:
        """Those of these policies that are not given."""
        return [f"{one}_policy" for one in wanted if getattr(self, f"{one}_policy") is None]

    def policy(self, name: str) -> Any:
        given = getattr(self, f"{name}_policy")
        return POLICIES[name]() if given is None else given

    @property
    def files(self) -> tuple[RecordRef, ...]:
        return self.policy("file").files

    @property
    def memories(self) -> tuple[RecordRef, ...]:
        return self.policy("memory").memories

    def refs(self) -> list[tuple[str, RecordRef, tuple[str, ...]]]:
        """All records that it names, with the field and the kinds that it takes."""
        named = [("task", self.task, ("Task",)), ("run", self.run, ("Run",))]
        return [
            *((name, ref, kinds) for name, ref, kinds in named if ref is not None),
            *(("file_policy.files", one, FILES) for one in self.files),
            *(("memory_policy.memories", one, ("Memory",)) for one in self.memories),
        ]

    def stored(self) -> dict[str, Any]:
        """The policies as fields of the capsule: `<policy>_<field>`."""
        return {
            f"{name}_{one.name}": _plain(getattr(self.policy(name), one.name))
            for name, policy in POLICIES.items()
            for one in fields(policy)
            if one.name not in _LINKED
        }


FILES = ("Artifact", "Entity", "WorkProduct")
"""What a file policy speaks of."""


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
