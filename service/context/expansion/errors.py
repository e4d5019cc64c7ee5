"""Why a capability is not added to a module while it runs."""

from collections.abc import Iterable

from graph_schema.context.words import ExpansionBasis
from service.errors import TaskloreError


class OutsideAllowlist(TaskloreError):
    code = "validation.runtime_expansion_outside_allowlist"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is not among the capabilities that the module may use, and its policy asks nobody about others.",
            field="capabilities",
            remedy="Allow it (ALLOWS, from the module or a policy that holds for it), or have the policy ask a person.",
        )


class CapabilityDenied(TaskloreError):
    code = "validation.capability_denied_but_requested"

    def __init__(self, name: str, kinds: Iterable[str]) -> None:
        who = " and ".join(sorted(kinds)) or "a policy that gives the module no capabilities"
        super().__init__(
            f"{name} is denied by {who}. What is denied is never mounted.",
            field="capabilities",
            remedy="Do without it, or have whoever denies it change that.",
        )


class ServerNotAllowed(TaskloreError):
    code = "mcp_server_not_allowed"

    def __init__(self, name: str, server: str) -> None:
        super().__init__(
            f"{name} comes from the server {server}, which the module's policies do not name.",
            field="capabilities",
            remedy="Ask for one of a server that they name, or add it to their `allowed_mcp_servers`.",
        )


class ConnectorNotAllowed(TaskloreError):
    code = "connector_not_allowed"

    def __init__(self, name: str, connector: str) -> None:
        super().__init__(
            f"{name} goes through the connector {connector}, which the module's policies do not name.",
            field="capabilities",
            remedy="Ask for one of a connector that they name, or add it to their `connector_refs`.",
        )


class SideEffectsBlocked(TaskloreError):
    code = "side_effects_blocked"

    def __init__(self, name: str, classes: Iterable[str]) -> None:
        super().__init__(
            f"{name} acts on the outside world ({', '.join(sorted(classes))}), and the module is to do nothing there.",
            field="capabilities",
            remedy="Do without it, or have the `side_effect_policy` of the module's policies allow it.",
        )


class RequiredUnavailable(TaskloreError):
    code = "validation.capability_required_unavailable"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(
            f"The module requires {name}, which is {state}.",
            field="capabilities",
            remedy="Bring it up, report that (reportCapabilityState) and ask again.",
        )


class CapabilityUnavailable(TaskloreError):
    code = "capability_unavailable"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(
            f"{name} cannot be used: it is {state}.",
            field="capabilities",
            remedy="Bring it up, report that (reportCapabilityState) and ask again.",
        )


class CapabilityRetired(TaskloreError):
    code = "capability_retired"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(
            f"{name} is {state}.", field="capabilities", remedy="Ask for one that is in use, or restore it."
        )


class ExpansionDisabled(TaskloreError):
    code = "expansion_not_enabled"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} was not added: the module's policy adds nothing while it runs.",
            field="capabilities",
            remedy="Have the module require it from the start, or enable expansion in its capability policy.",
        )


class BasisNotAllowed(TaskloreError):
    code = "expansion_basis_not_allowed"

    def __init__(self, name: str, basis: ExpansionBasis, allowed: Iterable[ExpansionBasis]) -> None:
        known = ", ".join(sorted(allowed)) or "none"
        super().__init__(
            f"{name} was not added: {basis.value} is no ground for it. Grounds that hold: {known}.",
            field="basis",
            remedy="Ask on a ground that holds, or change the `expansion_bases` of the policies.",
        )


class LimitReached(TaskloreError):
    code = "expansion_limit_reached"

    def __init__(self, name: str, limit: int) -> None:
        super().__init__(
            f"{name} was not added: at most {limit} may be added to an activation.",
            field="capabilities",
            remedy="Ask for fewer, the most needed first, or raise `max_added_capabilities`.",
        )


class PersonRefused(TaskloreError):
    code = "approval_not_given"

    def __init__(self, name: str, status: str) -> None:
        super().__init__(
            f"{name} was not added: the gate that asked about it is {status}.",
            field="capabilities",
            remedy="Do without it, or open the gate again and have somebody decide.",
        )


class RunOver(TaskloreError):
    code = "run_is_finished"

    def __init__(self, run: str, status: str) -> None:
        super().__init__(
            f"The run {run} is {status}; nothing is added to it any more.",
            field="run",
            remedy="Ask in a run that is under way; a fork of this one can be requested.",
        )


class RunUnremembered(TaskloreError):
    code = "run_not_remembered"

    def __init__(self) -> None:
        super().__init__(
            "A full_ephemeral_test run keeps no receipts, and nothing is mounted without one.",
            field="run",
            remedy="Test the expansion in a run of the mode memory_incognito.",
        )


class ModuleMissing(TaskloreError):
    code = "not_found"

    def __init__(self, module_key: str) -> None:
        super().__init__(
            f"The run has no module {module_key!r} that you can see.",
            field="module_key",
            remedy="Report its activation first, or save the graph of its task.",
        )


class NothingFits(TaskloreError):
    code = "capability_not_found"

    def __init__(self) -> None:
        super().__init__(
            "No capability that you may see in the matters of the run fits this need.",
            field="detected_need",
            remedy="Name the capabilities, or save one (saveCapability) whose name or summary says what it does.",
        )
