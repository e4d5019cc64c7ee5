"""The files of an export. The same graph and the same profile give the same bytes, apart from the manifest's head."""

import hashlib
import io
import zipfile
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.memory.audit import AuditFormat, AuditProfile, AuditSection
from graph_schema.model.registry import Registry
from service.memory.audit.load import Story
from service.memory.audit.page import page
from service.memory.audit.redaction import PROFILES, LeftOut, Redactor
from service.memory.audit.sections import ALL_LINKS, SECTIONS, Design, Section
from service.memory.reporting.findings import Finding, findings

MANIFEST = "manifest.json"
REPORT = "report.md"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_OWNER_ONLY = 0o600 << 16

Part = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bundle:
    profile: AuditProfile
    sections: tuple[AuditSection, ...]
    files: dict[str, bytes]
    left_out: LeftOut
    skipped: dict[str, str]
    found: tuple[Finding, ...]

    @property
    def content_hash(self) -> str:
        """Over names and hashes of all files but the manifest."""
        lines = [f"{sha256(self.files[name])}  {name}\n" for name in sorted(self.files)]
        return sha256("".join(lines).encode())

    @property
    def size(self) -> int:
        return sum(len(one) for one in self.files.values())

    def manifest(self, head: dict[str, Any]) -> bytes:
        """What the export holds, what it leaves out and why, and the hash of every file."""
        return _json(
            {
                **head,
                "redaction_profile": self.profile,
                "included_sections": list(self.sections),
                "left_out": {**self.left_out.shown(), "sections": self.skipped},
                "findings": [{"code": one.code, "record_id": one.record_id} for one in self.found],
                "content_hash": self.content_hash,
                "files": [
                    {"name": name, "sha256": sha256(self.files[name]), "bytes": len(self.files[name])}
                    for name in sorted(self.files)
                ],
            }
        )


def make(
    registry: Registry,
    story: Story,
    profile: AuditProfile,
    formats: tuple[AuditFormat, ...],
    wanted: tuple[AuditSection, ...],
) -> Bundle:
    rules = PROFILES[profile]
    redactor = Redactor(registry, rules)
    skipped = {name.value: "not_wanted" if name in rules.sections else "profile"
               for name in AuditSection if name not in wanted or name not in rules.sections}  # fmt: skip
    parts = [part(redactor, story, section) for section in SECTIONS if section.name.value not in skipped]
    found = tuple(findings(story))
    files: dict[str, bytes] = {}
    if {AuditFormat.folder, AuditFormat.zip} & {*formats}:
        files |= {f"{part['section']}.json": _json(part) for part in parts}
    if AuditFormat.markdown in formats:
        files[REPORT] = page(profile, parts, found, redactor.left_out.shown()).encode()
    names = tuple(AuditSection(part["section"]) for part in parts)
    return Bundle(profile, names, files, redactor.left_out, skipped, found)


def zipped(files: dict[str, bytes]) -> bytes:
    """Without times and in the order of names, so that the same files are the same archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = _OWNER_ONLY
            archive.writestr(info, files[name])
    return buffer.getvalue()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def part(redactor: Redactor, story: Story, section: Section) -> Part:
    """What a section tells of a story."""
    records: list[dict[str, Any]] = []
    for label, picks in section.records.items():
        for state in story.of(label):
            shown = redactor.record(state) if picks(state.properties) else None
            if shown is not None:
                records.append(shown)
    told: Part = {"section": section.name.value, "records": records, "links": _links(redactor, story, section)}
    if section.adds_up is not None:
        told["totals"] = section.adds_up(records)
    if section.design is not None:
        told["notes"] = _notes(story, section.design)
    return told


def _notes(story: Story, design: Design) -> list[str]:
    """What must be known of a graph or a blueprint that is shown as the one that was run."""
    of_label = story.of(design.label)
    if not of_label:
        return [design.missing]
    return [design.later] if any(one.id in story.designed_later for one in of_label) else []


def _links(redactor: Redactor, story: Story, section: Section) -> list[dict[str, Any]]:
    wanted = [one for one in story.links if one.type in section.links or section.links == ALL_LINKS]
    known = {**story.beside, **story.records}
    shown = [redactor.link(one, (known.get(one.tail), known.get(one.head))) for one in wanted]
    return [one for one in shown if one is not None]


def _json(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
