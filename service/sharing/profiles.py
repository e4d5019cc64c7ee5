"""The five profiles of shares, as profiles of audits are made; and which parts each mode tells."""

from collections.abc import Mapping

from graph_schema.memory.audit import AuditSection
from graph_schema.sharing.words import ShareMode, ShareProfile
from service.memory.audit.redaction import Profile
from service.memory.audit.sections import SECTIONS, Section
from service.memory.audit.sensitivity import Sensitivity

_S = Sensitivity
_NOTHING: frozenset[Sensitivity] = frozenset()
_BARE = frozenset({_S.fact})
_NAMED = _BARE | {_S.process}
_TOLD = _NAMED | {_S.subject, _S.content}
_OF_PEOPLE = _TOLD | {_S.person}
_PLACED = _OF_PEOPLE | {_S.location}
_ALL = _PLACED | {_S.prompt}

_EVERY = frozenset(AuditSection)
_BUT_RAW = _EVERY - {AuditSection.raw_trace}

PROFILES: Mapping[ShareProfile, Profile] = {
    ShareProfile.public_safe: Profile(_BARE, _NOTHING, _BUT_RAW),
    ShareProfile.external_professional: Profile(_TOLD, _NAMED, _BUT_RAW),
    ShareProfile.firm_collaborator: Profile(_OF_PEOPLE, _TOLD, _BUT_RAW),
    ShareProfile.trusted_internal: Profile(_PLACED, _PLACED, _BUT_RAW),
    ShareProfile.full_access_warned: Profile(_ALL, _ALL, _EVERY),
}
"""From least to most: each tells all that the one before it does. What is local_only none of them tells."""

WITHHELD = frozenset({"matter_ids", "legal_hold"})
"""Facts that no share tells: what else there is that belongs together, and what a court may want."""

_OF_PROMPTS = frozenset({"prompt_hash"})
"""Whoever guesses a prompt could make sure of it by its hash."""
_OF_STEPS = frozenset({"input_summary", "output_summary"})
"""What went into each step and came out of it is more than a summary of the run."""

_DESIGN = (AuditSection.run_summary, AuditSection.graph_snapshot, AuditSection.blueprint_snapshot)
_OUTLINE = (
    *(AuditSection.run_summary, AuditSection.cost_duration_summary),
    *(AuditSection.models_and_agents, AuditSection.errors_retries_fallbacks),
)
_FILES = AuditSection.input_output_artifact_manifest
_MODES: Mapping[ShareMode, tuple[AuditSection, ...]] = {
    ShareMode.task_design_only: _DESIGN,
    ShareMode.specific_run_summary: _OUTLINE,
    ShareMode.specific_run_with_artifacts: (
        *_OUTLINE,
        *(AuditSection.graph_snapshot, AuditSection.module_activation_list, _FILES, AuditSection.delivery_receipts),
    ),
    ShareMode.specific_artifacts_only: (_FILES,),
    ShareMode.collaborative_task_workspace: (*_DESIGN, AuditSection.module_activation_list, _FILES),
    ShareMode.audit_packet: tuple(AuditSection),
}

LIVE = frozenset({ShareMode.collaborative_task_workspace})
"""Modes that tell what is there now. The others tell it as it was when it was shared."""


def sections_of(mode: ShareMode, profile: ShareProfile) -> tuple[Section, ...]:
    """The parts that are told, in their order."""
    wanted = {*_MODES[mode]} & PROFILES[profile].sections
    return tuple(one for one in SECTIONS if one.name in wanted)


def withheld(mode: ShareMode, profile: ShareProfile) -> frozenset[str]:
    """Fields that are told of no record."""
    prompts = frozenset[str]() if _S.prompt in PROFILES[profile].open else _OF_PROMPTS
    steps = _OF_STEPS if mode is ShareMode.specific_run_summary else frozenset[str]()
    return WITHHELD | prompts | steps


def hidden_by(profile: ShareProfile) -> tuple[str, ...]:
    """What kind of thing a profile never tells."""
    told = PROFILES[profile].open
    return tuple(one.value for one in Sensitivity if one not in told and one is not Sensitivity.system)
