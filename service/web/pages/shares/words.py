"""What the choices of a share mean, in plain words. Every word that there is has its sentence."""

from collections.abc import Mapping
from enum import StrEnum

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
from service.web.pages.engine.page import Data
from service.web.pages.engine.rendering import money, words

Said = Mapping[StrEnum, str]

LATER = "Not carried out yet."

MODES: Said = {
    ShareMode.specific_run_summary: "How the run went: when, how long, what it cost, by which models, what went wrong.",
    ShareMode.specific_run_with_artifacts: "The same, with its steps, its graph, what it made and where that went.",
    ShareMode.specific_artifacts_only: "Chosen files, and nothing of the run that they come from.",
    ShareMode.task_design_only: "How the task is built: its graph and its blueprint, and no run.",
    ShareMode.collaborative_task_workspace: "The design with steps and files, always as they are now.",
    ShareMode.audit_packet: "All sections of an audit of the run.",
}
PROFILES: Said = {
    ShareProfile.public_safe: "States, times, counts and ids; no names, no words. Of privileged things nothing.",
    ShareProfile.external_professional: "Names and summaries as well; of privileged things states and keys alone. No "
    "people, places or prompts.",
    ShareProfile.firm_collaborator: "The words of privileged things too, and people where nothing is privileged.",
    ShareProfile.trusted_internal: "Everything but prompts, people and places included.",
    ShareProfile.full_access_warned: "Everything, prompts included. An administrator must do it, with an end and with "
    "the warning acknowledged.",
}
PERMISSIONS: Said = {
    SharePermission.view_only: "They look.",
    SharePermission.comment_only: "Signed in, they may leave a comment that you read.",
    SharePermission.copy_task: "Signed in, they may make a task of their own of what they see.",
    SharePermission.edit_proposal_only: "Signed in, they may propose a change; your people decide.",
    SharePermission.run_with_sender_approval: f"They might run it once you approve. {LATER}",
    SharePermission.run_within_limits: f"They might run it within limits. {LATER}",
    SharePermission.edit_and_run_within_limits: f"They might change and run it within limits. {LATER}",
    SharePermission.trusted_collaborator: f"They might do nearly all that you can. {LATER}",
    SharePermission.high_risk_warned_full_access: f"They might do all of it, with the warning acknowledged. {LATER}",
}
MEMORIES: Said = {
    MemoryAccess.none: "No memory of yours is drawn on.",
    MemoryAccess.selected: f"Memories that you select. {LATER}",
    MemoryAccess.sender_approved: f"Memories, each once you approve. {LATER}",
}
FILES: Said = {
    FileAccess.all_shared: "All files that what is told brings along.",
    FileAccess.selected: "Only the files that you tick below.",
    FileAccess.none: "No file at all.",
}
SAVES: Said = {
    SavePlace.nowhere: "What is made under it is saved nowhere.",
    SavePlace.recipient_only: f"With the recipient. {LATER}",
    SavePlace.sender_task: f"With your task. {LATER}",
}
SENDS: Said = {
    DeliveryAccess.not_allowed: "Nothing is sent.",
    DeliveryAccess.draft_only: f"Drafts are made and not sent. {LATER}",
    DeliveryAccess.sender_approved: f"Sent once you approve. {LATER}",
}
GROUNDS: Said = {
    ShareGrounding.shared_manifest_only: "What the share tells, and nothing more.",
    ShareGrounding.shared_manifest_plus_selected_memory: "That, and the memories that you selected.",
    ShareGrounding.shared_manifest_plus_sender_approved_context: "That, and what you approve.",
}
OPENS: Said = {
    OpensKept.each: "Every opening is kept.",
    OpensKept.daily: "The first of a day by each who signed in; all others are kept each.",
}
CHANNELS, ENTRYPOINTS, APPROVALS = tuple(ShareChannel), tuple(ShareEntrypoint), tuple(ApprovalPoint)


def said_of(share: Data) -> list[tuple[str, str, str]]:
    """The nine policies of a share: what each is about, what it grants, and what that means."""
    runs, usd = share["costMaxRuns"], share["costMaxUsd"]
    limits = [f"{runs} runs" if runs is not None else "", money(usd) if usd is not None else ""]
    return [
        ("Memories", words(share["memoryAccess"]), MEMORIES[MemoryAccess(share["memoryAccess"])]),
        ("Files", words(share["fileAccess"]), FILES[FileAccess(share["fileAccess"])]),
        ("Outputs", words(share["outputSaveTo"]), SAVES[SavePlace(share["outputSaveTo"])]),
        ("Sending", words(share["emailDelivery"]), SENDS[DeliveryAccess(share["emailDelivery"])]),
        ("Capabilities", ", ".join(share["capabilityKeys"]) or "none", LATER if share["capabilityKeys"] else ""),
        ("Task Agent", *_agent(share)),
        ("Costs", ", ".join(filter(None, limits)) or "no limit", "Of runs under it, which there are none of yet."),
        ("Your approval", ", ".join(map(words, share["approvalRequiredFor"])) or "for nothing", ""),
        ("Openings", words(share["auditOpens"]), OPENS[OpensKept(share["auditOpens"])]),
    ]


def _agent(share: Data) -> tuple[str, str]:
    if not share["agentEnabled"]:
        return "not asked", "Nobody asks it anything under this share."
    asked = ", ".join(map(words, share["agentAllowedEntrypoints"]))
    return f"may be asked: {asked}", f"{GROUNDS[ShareGrounding(share['agentGroundingMode'])]} {LATER}"
