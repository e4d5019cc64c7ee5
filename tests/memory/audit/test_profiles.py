"""What each profile tells and leaves out, by a mark in every field."""

import re

import pytest

from graph_schema.memory.audit import AuditProfile, AuditSection
from graph_schema.model.fields import KEY_LENGTH, Kind
from graph_schema.registry import REGISTRY
from service.memory.audit import cypher
from service.memory.audit.redaction import PROFILES
from service.memory.audit.sections import SECTIONS
from service.memory.audit.sensitivity import (
    LINKS,
    NOT_EXPORTED,
    TABLE,
    WORDS_FOR_ALL,
    Sensitivity,
    classes_of,
    link_classes,
)
from tests.memory.audit import marked
from tests.memory.audit.conftest import Auditor, told

pytestmark = pytest.mark.slow

MARK = re.compile(r"mark:\w+\.\w+:")
S = Sensitivity

# Written out by hand, so that a slip in the table of profiles is seen.
SHOWN: dict[str, dict[str, set[Sensitivity]]] = {
    "internal": {
        "summary_only": {S.fact, S.process},
        "external_redacted": {S.fact, S.process},
        "professional_internal": {S.fact, S.process, S.subject, S.content, S.person, S.location},
        "full_local_audit": {S.fact, S.process, S.subject, S.content, S.person, S.location, S.prompt},
    },
    "privileged": {
        "summary_only": {S.fact},
        "external_redacted": {S.fact},
        "professional_internal": {S.fact, S.process, S.subject, S.content, S.person, S.location},
        "full_local_audit": {S.fact, S.process, S.subject, S.content, S.person, S.location, S.prompt},
    },
}
OUTLINE = {"Run", "Task", "Template", "Fork", "Activation", "Span", "Delivery"}


def test_every_field_of_every_exported_label_is_classified() -> None:
    assert {*TABLE} | {*NOT_EXPORTED} == {*REGISTRY.types}
    assert not {*TABLE} & {*NOT_EXPORTED}
    for label in TABLE:
        missing = {*REGISTRY.types[label].fields} - {*classes_of(REGISTRY, label)}
        assert not missing, f"say in service/memory/audit/sensitivity.py how sensitive {label}.{missing} are"
        named = {name for names in TABLE[label].values() for name in names.split()}
        assert named <= {*REGISTRY.types[label].fields}


def test_outsiders_read_keys_and_codes_and_no_other_text() -> None:
    """By the registry: whatever may hold more than a key is told to outsiders only where the table names it."""
    for label in TABLE:
        for name, one in classes_of(REGISTRY, label).items():
            field = REGISTRY.types[label].fields[name]
            if field.kind is Kind.string and field.max_length != KEY_LENGTH and one in {S.fact, S.process}:
                assert name in WORDS_FOR_ALL, f"{label}.{name} is free text: it is not for outsiders"


@pytest.mark.parametrize("profile", ["external_redacted", "summary_only"])
@pytest.mark.parametrize("data_class", ["public", "privileged"])
async def test_no_sentence_reaches_outsiders_by_any_field(auditor: Auditor, profile: str, data_class: str) -> None:
    """Executors write what they like where a key or a code belongs, too."""
    await marked.make(auditor.database, data_class, said=" Dr. Halvorsen said so.")
    files = await auditor.exported(marked.RUN, profile, "folder", "zip", "markdown")
    assert not MARK.findall(told(files).replace("\\", ""))
    assert "Halvorsen" not in told(files)


def test_every_link_of_a_run_is_classified() -> None:
    for relation in REGISTRY.relations:
        told_by = {*REGISTRY.members(relation.tails)} & {"Run", "Activation", "Artifact", "Span", "Delivery"}
        if told_by and relation.type != "PART_OF":
            assert {*relation.fields} == {*link_classes(REGISTRY, relation.type)}, relation.type
    assert {*LINKS} <= {one.type for one in REGISTRY.relations}


def test_every_label_of_a_run_is_loaded_and_in_a_section() -> None:
    parts = {label for label, kind in REGISTRY.types.items() if "run_id" in kind.fields} - {*NOT_EXPORTED}
    assert parts == {*re.findall(r"MATCH \(n:(\w+) \{run_id", cypher.PARTS)}
    assert {label for section in SECTIONS for label in section.records} == {*TABLE}
    assert [section.name for section in SECTIONS] == list(AuditSection)


@pytest.mark.parametrize("profile", list(AuditProfile))
@pytest.mark.parametrize("data_class", ["internal", "privileged"])
async def test_a_profile_tells_what_it_must_and_nothing_else(
    auditor: Auditor, profile: AuditProfile, data_class: str
) -> None:
    await marked.make(auditor.database, data_class)
    files = await auditor.exported(marked.RUN, profile, "folder", "zip", "markdown")
    allowed = SHOWN[data_class][profile]
    outlined = profile is AuditProfile.summary_only
    expected = marked.marks(allowed, OUTLINE if outlined else TABLE)
    expected |= set() if outlined else marked.link_marks(allowed)
    json = {name: data for name, data in files.items() if name != "report.md"}
    assert {*MARK.findall(told(json))} == _without_raw(expected, profile)
    plain = files["report.md"].decode().replace("\\", "")
    assert {*MARK.findall(plain)} == _without_raw(expected, profile)
    assert "stamps" not in told(files)
    assert "audience" not in told(files)


def _without_raw(expected: set[str], profile: AuditProfile) -> set[str]:
    """Checkpoints and native events are told in the raw trace alone."""
    if AuditSection.raw_trace in PROFILES[profile].sections:
        return expected
    return {one for one in expected if not one.startswith(("mark:Checkpoint.", "mark:NativeEvent."))}


async def test_facts_are_told_in_every_profile(auditor: Auditor) -> None:
    await marked.make(auditor.database)
    for profile in AuditProfile:
        words = told(await auditor.exported(marked.RUN, profile))
        assert all(f'"{name}"' in words for name in ("status", "started_at", "cost_usd", "duration_ms"))
    assert REGISTRY.types["Run"].fields["status"].kind is Kind.enum


OUTSIDERS_NEVER = (
    ("Delivery", "delivered_to"),
    ("Delivery", "saved_path"),
    ("Delivery", "destination_summary"),
    ("Artifact", "sender"),
    ("Artifact", "recipients"),
    ("Artifact", "summary"),
    ("Artifact", "storage_ref"),
    ("Artifact", "name"),
    ("Gate", "decided_by"),
    ("Gate", "question"),
    ("Snapshot", "prompt_text_ref"),
    ("Snapshot", "context_bundle_ref"),
    ("Entity", "name"),
    ("Run", "task_name"),
    ("Run", "workflow_summary"),
    ("Session", "session_key"),
    ("Activation", "error_message"),
)


async def test_what_outsiders_must_never_read_is_not_there(auditor: Auditor) -> None:
    """Some fields by name, whatever the table says."""
    await marked.make(auditor.database)
    outside = told(await auditor.exported(marked.RUN, "external_redacted"))
    inside = told(await auditor.exported(marked.RUN, "full_local_audit"))
    for label, name in OUTSIDERS_NEVER:
        assert marked.mark(label, name) not in outside
        assert marked.mark(label, name) in inside
