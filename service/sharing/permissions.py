"""What each permission of a share lets its recipients do, what of that works, and which policies it has to be given."""

from collections.abc import Mapping

from graph_schema.sharing.words import (
    DeliveryAccess,
    FileAccess,
    MemoryAccess,
    SavePlace,
    ShareGrounding,
    ShareMode,
    SharePermission,
    ShareProfile,
)
from service.commands.errors import InputInvalid
from service.sharing.errors import Deferred, NotPermitted, SharePolicyMissing
from service.sharing.inputs import POLICIES, ShareInput

RULES = "sharing/1"

COMMENT, COPY, PROPOSE, RUN, EDIT = "comment", "copy", "propose", "run", "edit"

_P = SharePermission
WORKING: Mapping[SharePermission, tuple[str, ...]] = {
    _P.view_only: (),
    _P.comment_only: (COMMENT,),
    _P.copy_task: (COPY,),
    _P.edit_proposal_only: (PROPOSE,),
}
_DEFERRED: Mapping[SharePermission, tuple[str, ...]] = {
    _P.run_with_sender_approval: (RUN,),
    _P.run_within_limits: (RUN,),
    _P.edit_and_run_within_limits: (RUN, EDIT),
    _P.trusted_collaborator: (COMMENT, COPY, PROPOSE, RUN, EDIT),
    _P.high_risk_warned_full_access: (COMMENT, COPY, PROPOSE, RUN, EDIT),
}

_EVERY = tuple(POLICIES)
_NEEDED: Mapping[SharePermission, tuple[str, ...]] = {
    _P.run_with_sender_approval: ("output", "cost", "approval"),
    _P.run_within_limits: ("memory", "file", "output", "email", "capability", "cost"),
    _P.edit_and_run_within_limits: ("memory", "file", "output", "email", "capability", "cost", "approval"),
    _P.trusted_collaborator: _EVERY,
    _P.high_risk_warned_full_access: _EVERY,
}
"""What a permission must be told beside: what is not said is not granted, so it would permit nothing."""

_OF_A_RUN = frozenset({
    ShareMode.specific_run_summary, ShareMode.specific_run_with_artifacts, ShareMode.audit_packet
})  # fmt: skip


def working_actions(permission: SharePermission) -> tuple[str, ...]:
    return WORKING.get(permission, ())


def deferred_actions(permission: SharePermission) -> tuple[str, ...]:
    return _DEFERRED.get(permission, ())


def check_action(permission: SharePermission, action: str) -> None:
    """Refuse what the share does not permit, and what it permits in vain."""
    if action in deferred_actions(permission):
        raise Deferred(action, permission)
    if action not in working_actions(permission):
        raise NotPermitted(action, permission)


def is_full(given: ShareInput) -> bool:
    full = given.redaction_profile is ShareProfile.full_access_warned
    return full or given.permission is SharePermission.high_risk_warned_full_access


def check_input(given: ShareInput) -> None:
    for name, ref, kinds in given.refs():
        ref.check(name, *kinds)
    _check_subject(given)
    _check_policies(given)
    _check_agent(given)
    if missing := given.missing(_NEEDED.get(given.permission, ())):
        raise SharePolicyMissing(f"The permission {given.permission}", missing)
    if is_full(given):
        _check_full(given)


def asks_for_deferred(given: ShareInput) -> bool:
    """Whether it grants anything that nothing here carries out yet."""
    return bool(
        deferred_actions(given.permission)
        or given.policy("memory").access is not MemoryAccess.none
        or given.policy("output") != POLICIES["output"]()
        or given.policy("email").delivery is not DeliveryAccess.not_allowed
        or given.policy("capability").keys
        or given.policy("agent").enabled
    )


def _check_subject(given: ShareInput) -> None:
    mode = given.share_mode
    if mode in _OF_A_RUN and given.run is None:
        raise InputInvalid("run", f"{mode} tells of a run: name it")
    if mode is ShareMode.task_design_only and (given.task is None or given.run is not None):
        raise InputInvalid("task", f"{mode} tells of a task and of no run: name the task alone")
    if given.run is not None and given.task is not None:
        raise InputInvalid("task", "a run tells of its task: name the run alone")
    if mode is ShareMode.collaborative_task_workspace and given.task is None and given.run is None:
        raise InputInvalid("task", f"{mode} tells of a task or a run: name it")
    if mode is ShareMode.specific_artifacts_only and not given.files:
        raise InputInvalid("file_policy", f"{mode} tells of the files that are selected: select some")
    if mode is ShareMode.specific_artifacts_only and (given.task is not None or given.run is not None):
        raise InputInvalid("task", f"{mode} tells of no task and no run: name none")


def _check_policies(given: ShareInput) -> None:
    for policy, name, selected in (
        ("file", "files", FileAccess.selected),
        ("memory", "memories", MemoryAccess.selected),
    ):
        said = given.policy(policy)
        if bool(getattr(said, name)) != (said.access == selected):
            raise InputInvalid(f"{policy}_policy", f"{name} are named where access is selected, and only there")
    email, cost = given.policy("email"), given.policy("cost")
    if bool(email.channels) == (email.delivery is DeliveryAccess.not_allowed):
        raise InputInvalid("email_policy", "channels are named where something may be sent, and only there")
    for name in ("max_runs", "max_usd"):
        limit = getattr(cost, name)
        if limit is not None and limit < 0:
            raise InputInvalid("cost_policy", f"{name} cannot be less than nothing")
    output = given.policy("output")
    if output.save_to is SavePlace.nowhere and (output.may_write_sender_memory or output.may_write_sender_libraries):
        raise InputInvalid("output_policy", "what is saved nowhere goes into no memory and no library")


def _check_agent(given: ShareInput) -> None:
    agent = given.policy("agent")
    grants = (
        *(agent.may_query_sender_private_memory, agent.may_query_unshared_task_history),
        *(agent.may_modify_task_directly, bool(agent.allowed_entrypoints)),
    )
    if not agent.enabled and any(grants):
        raise InputInvalid("agent_policy", "an agent that is not enabled is granted nothing")
    if agent.enabled and not agent.allowed_entrypoints:
        raise InputInvalid("agent_policy", "an agent that is enabled has entrypoints: name them")
    private = agent.may_query_sender_private_memory or agent.may_query_unshared_task_history
    if private and agent.grounding_mode is ShareGrounding.shared_manifest_only:
        raise InputInvalid("agent_policy", "with shared_manifest_only it draws on nothing beyond what is told")


def _check_full(given: ShareInput) -> None:
    said = {"acknowledge_full_access": given.acknowledge_full_access, "expires_at": given.expires_at is not None}
    if missing := [name for name, one in said.items() if not one]:
        raise SharePolicyMissing("Full access", missing)
