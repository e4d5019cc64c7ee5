"""Words of sharing."""

from enum import StrEnum


class SharePermission(StrEnum):
    """What a share lets its recipients do. Four of them work; the others are kept, and refused in use."""

    view_only = "view_only"
    comment_only = "comment_only"
    copy_task = "copy_task"
    edit_proposal_only = "edit_proposal_only"
    run_with_sender_approval = "run_with_sender_approval"
    run_within_limits = "run_within_limits"
    edit_and_run_within_limits = "edit_and_run_within_limits"
    trusted_collaborator = "trusted_collaborator"
    high_risk_warned_full_access = "high_risk_warned_full_access"


class ShareMode(StrEnum):
    """What a share tells of. All but the workspace tell it as it was when it was shared."""

    task_design_only = "task_design_only"
    specific_run_summary = "specific_run_summary"
    specific_run_with_artifacts = "specific_run_with_artifacts"
    specific_artifacts_only = "specific_artifacts_only"
    collaborative_task_workspace = "collaborative_task_workspace"
    audit_packet = "audit_packet"


class ShareProfile(StrEnum):
    """How much a share tells, from least to most."""

    public_safe = "public_safe"
    external_professional = "external_professional"
    firm_collaborator = "firm_collaborator"
    trusted_internal = "trusted_internal"
    full_access_warned = "full_access_warned"


class ShareEventKind(StrEnum):
    """What was done under a share, or tried."""

    share_opened = "share_opened"
    task_copied = "task_copied"
    graph_viewed = "graph_viewed"
    graph_patch_proposed = "graph_patch_proposed"
    graph_patch_applied = "graph_patch_applied"
    task_run_requested = "task_run_requested"
    task_run_approved = "task_run_approved"
    task_run_started = "task_run_started"
    task_run_completed = "task_run_completed"
    artifact_opened = "artifact_opened"
    artifact_downloaded = "artifact_downloaded"
    file_access_requested = "file_access_requested"
    memory_access_requested = "memory_access_requested"
    capability_mount_requested = "capability_mount_requested"
    email_draft_created = "email_draft_created"
    external_send_requested = "external_send_requested"
    external_send_approved = "external_send_approved"
    policy_blocked = "policy_blocked"
    share_revoked = "share_revoked"
    comment_made = "comment_made"


class MemoryAccess(StrEnum):
    """Which memories recipients may draw on."""

    none = "none"
    selected = "selected"
    sender_approved = "sender_approved"


class FileAccess(StrEnum):
    """Which artifacts, documents and work products a share tells of."""

    none = "none"
    selected = "selected"
    all_shared = "all_shared"


class SavePlace(StrEnum):
    """Where outputs made under a share may be saved."""

    nowhere = "nowhere"
    recipient_only = "recipient_only"
    sender_task = "sender_task"


class DeliveryAccess(StrEnum):
    """Whether anything may be sent to the outside under a share."""

    not_allowed = "not_allowed"
    draft_only = "draft_only"
    sender_approved = "sender_approved"


class ShareChannel(StrEnum):
    """By which way something may be sent."""

    email = "email"
    imessage = "imessage"
    calendar = "calendar"
    webhook = "webhook"


class ShareEntrypoint(StrEnum):
    """What the Task Agent may be asked for under a share."""

    review_existing_task = "review_existing_task"
    design_task_patch = "design_task_patch"
    inspect_task_run = "inspect_task_run"
    retrieve_task_output = "retrieve_task_output"
    explain_task_graph = "explain_task_graph"
    assess_task = "assess_task"
    improve_task_prompt = "improve_task_prompt"


class ShareGrounding(StrEnum):
    """What the Task Agent may draw on under a share."""

    shared_manifest_only = "shared_manifest_only"
    shared_manifest_plus_selected_memory = "shared_manifest_plus_selected_memory"
    shared_manifest_plus_sender_approved_context = "shared_manifest_plus_sender_approved_context"


class ApprovalPoint(StrEnum):
    """What the sender has to approve."""

    first_run = "first_run"
    every_run = "every_run"
    graph_edits = "graph_edits"
    prompt_edits = "prompt_edits"
    capability_mounting = "capability_mounting"
    memory_expansion = "memory_expansion"
    file_expansion = "file_expansion"
    external_sends = "external_sends"
    output_saves = "output_saves"


class OpensKept(StrEnum):
    """How openings of a share are kept."""

    each = "each"
    daily = "daily"


class ShareRequestKind(StrEnum):
    """What a recipient may ask for beyond what a share tells. All of it is kept as asked, and refused."""

    run_task = "run_task"
    file_access = "file_access"
    memory_access = "memory_access"
    capability_mount = "capability_mount"
    external_send = "external_send"
