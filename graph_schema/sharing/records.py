"""Share capsules: that one task or run is shown to somebody, to whom and how far; and what was done with it."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field as PydanticField
from pydantic import StringConstraints

from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Timestamp, field
from graph_schema.model.record import Record
from graph_schema.model.texts import PLAIN
from graph_schema.sharing.words import (
    ApprovalPoint,
    DeliveryAccess,
    FileAccess,
    MemoryAccess,
    OpensKept,
    SavePlace,
    ShareChannel,
    ShareEntrypoint,
    ShareEventKind,
    ShareGrounding,
    ShareMode,
    SharePermission,
    ShareProfile,
)

MANIFEST_LENGTH = 2_000_000

Frozen = Annotated[str, StringConstraints(max_length=MANIFEST_LENGTH, pattern=PLAIN)]
Channels = Annotated[list[ShareChannel], PydanticField(max_length=len(ShareChannel))]
Entrypoints = Annotated[list[ShareEntrypoint], PydanticField(max_length=len(ShareEntrypoint))]
Approvals = Annotated[list[ApprovalPoint], PydanticField(max_length=len(ApprovalPoint))]


class ShareCapsule(Record):
    """That a task, a run or artifacts are shown to somebody who has a link, how far, and until when."""

    label = "ShareCapsule"
    plural = "shares"
    prefix = "shr"
    layer = EvidenceLayer.run_truth
    colour = "#e0a458"
    events: ClassVar[Mapping[str, str]] = {"created": "task.share_capsule.created"}

    task_id: Key | None = field("The task, if one is known.", default=None, filtered=True, authored=False)
    task_version: int | None = field("Its version when it was shared.", default=None, authored=False)
    graph_snapshot_id: Key | None = field("The graph that is shown.", default=None, authored=False)
    shared_run_id: Key | None = field("The run, if one is shared.", default=None, filtered=True, authored=False)
    shared_by: Key = field("Id of the principal who shares it.", filtered=True, authored=False)
    recipients: Keys = field(
        "Ids of the principals that it is for; with any, nobody else can open it.", make=list, hidden=True
    )
    permission: SharePermission = field("What recipients may do.", filtered=True, authored=False)
    share_mode: ShareMode = field("What is told.", filtered=True, authored=False)
    redaction_profile: ShareProfile = field("How much is told of it.", filtered=True, authored=False)
    expires_at: Timestamp = field("Until when it can be opened.", ordered=True, authored=False)
    revoked_at: Timestamp | None = field("Since when it cannot be opened.", default=None, filtered=True, authored=False)
    revoked_by: Key | None = field("Id of the principal who revoked it.", default=None, authored=False)
    revoked_because: Text | None = field("Why.", default=None, hidden=True)
    acknowledged_at: Timestamp | None = field(
        "When the sender acknowledged what full access means.", default=None, authored=False
    )
    note: Text | None = field("What the sender noted for themselves.", default=None, hidden=True)
    rules: Key = field("Name and version of the rules that it was made by.", authored=False)

    memory_access: MemoryAccess = field("Memories that recipients may draw on.", authored=False)
    memory_ids: Keys = field("The selected ones.", make=list, authored=False)
    file_access: FileAccess = field("Files that are told of.", authored=False)
    file_ids: Keys = field("The selected ones.", make=list, authored=False)
    output_save_to: SavePlace = field("Where outputs may be saved.", authored=False)
    output_may_write_sender_memory: bool = field("Whether outputs may go into the sender's memory.", authored=False)
    output_may_write_sender_libraries: bool = field("Or into the sender's libraries.", authored=False)
    email_delivery: DeliveryAccess = field("Whether anything may be sent.", authored=False)
    email_channels: Channels = field("By which ways.", make=list, authored=False)
    capability_keys: Keys = field("Capabilities that may be used, by their keys.", make=list, authored=False)
    agent_enabled: bool = field("Whether the Task Agent may be asked.", authored=False)
    agent_allowed_entrypoints: Entrypoints = field("For what.", make=list, authored=False)
    agent_grounding_mode: ShareGrounding = field("What it may draw on.", authored=False)
    agent_may_query_sender_private_memory: bool = field("Whether it may search the sender's memory.", authored=False)
    agent_may_query_unshared_task_history: bool = field("Or runs that are not shared.", authored=False)
    agent_may_modify_task_directly: bool = field("Whether it may change the task.", authored=False)
    agent_may_propose_task_patch: bool = field("Whether it may propose changes.", authored=False)
    agent_require_sender_approval_for_task_agent_generated_patch: bool = field(
        "Whether its changes need the sender.", authored=False
    )
    cost_max_runs: int | None = field("At most so many runs.", default=None, authored=False, ge=0)
    cost_max_usd: float | None = field("At most this much, in US dollars.", default=None, authored=False, ge=0)
    approval_required_for: Approvals = field("What the sender has to approve.", make=list, authored=False)
    audit_opens: OpensKept = field("How openings are kept.", authored=False)

    secret_hash: Key = field("Hash of the link's secret.", hidden=True, indexed=True)
    manifest: Frozen | None = field("What is told, as it was when it was shared, as JSON.", default=None, hidden=True)


class ShareEvent(Record):
    """Something that was done under a share, or tried."""

    label = "ShareEvent"
    plural = "share_events"
    prefix = "she"
    layer = EvidenceLayer.run_truth
    colour = "#c98a3d"
    events: ClassVar[Mapping[str, str]] = {"created": "task.share.audit_event_recorded"}

    share_id: Key = field("The share.", indexed=True, authored=False)
    event_kind: ShareEventKind = field("What was done.", filtered=True, authored=False)
    actor_id: Key | None = field(
        "Id of the principal who did it; null for somebody who had the link alone.",
        default=None,
        filtered=True,
        authored=False,
    )
    target_ref: Key | None = field("Id of what it was done with.", default=None, indexed=True, authored=False)
    reason_code: Key | None = field("Why it was refused, where it was.", default=None, filtered=True, authored=False)
    rules: Key = field("Name and version of the rules that decided.", authored=False)
    happened_at: Timestamp = field("When.", ordered=True, authored=False)
