"""Whether a run may be exported in this way. The decision is stored with the export, allowed or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from graph_schema.memory.audit import AuditFormat, AuditProfile, AuditSection
from graph_schema.memory.words import PolicyDecision
from graph_schema.model.fields import DataClass
from service.access.viewer import KeyScope, Viewer
from service.memory.audit.errors import FormatUnavailable, WordUnknown
from service.memory.audit.redaction import PROFILES, LeftOut

W = TypeVar("W", bound=StrEnum)

GENERATION = "audit-export/2"
REDACTION_REQUIRED = "warning.audit_export_redaction_required"

LOCAL_ONLY_RUN = "run_is_local_only"
NEEDS_ADMIN = "full_local_audit_needs_admin"
LOCAL_ONLY_LEFT_OUT = "local_only_records_left_out"
UNCLASSIFIED_LEFT_OUT = "unclassified_records_left_out"
CLASS_UNKNOWN_LEFT_OUT = "records_of_unknown_class_left_out"
PROFILE_ALLOWS = "profile_allows"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, as words that are known."""

    profile: AuditProfile
    formats: tuple[AuditFormat, ...]
    sections: tuple[AuditSection, ...]


def read(profile: str, formats: Sequence[str], sections: Sequence[str] | None) -> Wish:
    known = _word(AuditProfile, "profile", profile)
    written = tuple(sorted({_word(AuditFormat, "formats", one) for one in formats}))
    if AuditFormat.pdf_packet in written:
        raise FormatUnavailable(AuditFormat.pdf_packet)
    wanted = [_word(AuditSection, "sections", one) for one in (sections or list(AuditSection))]
    return Wish(known, written or (AuditFormat.folder,), tuple(one for one in AuditSection if one in wanted))


def refusal(viewer: Viewer, data_class: str, profile: AuditProfile) -> str | None:
    """The reason against it, if there is one."""
    if data_class == DataClass.local_only:
        return LOCAL_ONLY_RUN
    if profile is AuditProfile.full_local_audit and KeyScope.admin not in viewer.scopes:
        return NEEDS_ADMIN
    return None


def decided(left_out: LeftOut) -> tuple[PolicyDecision, list[str]]:
    """Allowed as asked, or with less than was asked for."""
    told = {"local_only": LOCAL_ONLY_LEFT_OUT, "class_unknown": CLASS_UNKNOWN_LEFT_OUT,
            "unclassified": UNCLASSIFIED_LEFT_OUT}  # fmt: skip
    reasons = [reason for name, reason in told.items() if left_out.records[name]]
    return (PolicyDecision.degraded, reasons) if reasons else (PolicyDecision.allowed, [PROFILE_ALLOWS])


def warnings(profile: AuditProfile) -> list[str]:
    return [] if PROFILES[profile].is_redacted else [REDACTION_REQUIRED]


def _word(words: type[W], field: str, value: str) -> W:
    if value not in {*words}:
        raise WordUnknown(field, value, [one.value for one in words])
    return words(value)
