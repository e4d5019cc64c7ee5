"""The four profiles, and records as each of them shows them."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

from graph_schema.memory.audit import AuditProfile, AuditSection
from graph_schema.model.fields import DataClass
from graph_schema.model.registry import Registry
from service.commands.work import State
from service.memory.audit.load import POINTING, Link, is_classed
from service.memory.audit.sensitivity import TABLE, Sensitivity, classes_of, link_classes

_S = Sensitivity
_BARE = frozenset({_S.fact})
_NAMED = frozenset({_S.fact, _S.process})
_TOLD = frozenset({*_NAMED, _S.subject, _S.content, _S.person, _S.location})
_ALL = frozenset({*_TOLD, _S.prompt})
_OPEN = frozenset({DataClass.public, DataClass.internal})
_CODE = re.compile(r"[\w.:/@+#=-]{1,200}")
"""A key or a code: one word. Whoever writes a sentence where a code belongs has it read by nobody outside."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is shown of a record that is open, of one that is privileged, and in which sections."""

    open: frozenset[Sensitivity]
    privileged: frozenset[Sensitivity]
    sections: frozenset[AuditSection]

    def shows(self, data_class: str) -> frozenset[Sensitivity]:
        if data_class == DataClass.local_only:
            return frozenset()
        return self.open if data_class in _OPEN else self.privileged

    @property
    def is_redacted(self) -> bool:
        """Whether it can be passed on to whoever may not read the run itself."""
        return self.open <= _NAMED


_BUT_RAW = frozenset(AuditSection) - {AuditSection.raw_trace}
_OUTLINE = frozenset(
    {
        AuditSection.run_summary,
        AuditSection.cost_duration_summary,
        AuditSection.models_and_agents,
        AuditSection.errors_retries_fallbacks,
    }
)
PROFILES: dict[AuditProfile, Profile] = {
    AuditProfile.summary_only: Profile(_NAMED, _BARE, _OUTLINE),
    AuditProfile.external_redacted: Profile(_NAMED, _BARE, _BUT_RAW),
    AuditProfile.professional_internal: Profile(_TOLD, _TOLD, _BUT_RAW),
    AuditProfile.full_local_audit: Profile(_ALL, _ALL, frozenset(AuditSection)),
}


@dataclass(slots=True)
class LeftOut:
    """How much is not there, by reason."""

    records: Counter[str] = field(default_factory=Counter[str])
    fields: Counter[str] = field(default_factory=Counter[str])
    links: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])

    def shown(self) -> dict[str, Any]:
        return {"records": dict(self.records), "fields": dict(self.fields), "links": len(self.links)}


class Redactor:
    """Shows records and links as a profile lets it, and counts what it leaves out, each once."""

    def __init__(self, registry: Registry, profile: Profile, withheld: frozenset[str] = frozenset()) -> None:
        """`withheld`: fields that are told of no record, whatever the profile says of their kind."""
        self._registry = registry
        self._profile = profile
        self._withheld = withheld
        self._classes: dict[str, dict[str, Sensitivity]] = {}
        self._link_classes: dict[str, dict[str, Sensitivity]] = {}
        self._known: dict[str, dict[str, Any] | None] = {}
        self.left_out = LeftOut()

    def record(self, state: State) -> dict[str, Any] | None:
        if state.id not in self._known:
            self._known[state.id] = self._shown(state)
        return self._known[state.id]

    def link(self, link: Link, ends: tuple[State | None, State | None]) -> dict[str, Any] | None:
        """Without its facts, unless both ends show as much."""
        tail, head = ends
        if tail is None or head is None or self.record(tail) is None or not self._leads_to(link, head):
            self.left_out.links.add((link.tail, link.type, link.head))
            return None
        kept = self._kept(tail) & self._kept(head)
        if link.type not in self._link_classes:
            self._link_classes[link.type] = link_classes(self._registry, link.type)
        classes = self._link_classes[link.type]
        facts = {name: _outward(value, kept) for name, value in link.facts.items() if classes.get(name) in kept}
        facts = {name: value for name, value in facts.items() if value is not None}
        return {"tail": link.tail, "type": link.type, "head": link.head, **({"facts": facts} if facts else {})}

    def _leads_to(self, link: Link, head: State) -> bool:
        """What is only pointed at need not be of a kind that is exported: of it the id alone is told."""
        if link.type not in POINTING:
            return self.record(head) is not None
        return bool(self._kept(head)) and is_classed(head)

    def tells(self, state: State) -> frozenset[str]:
        """The names of its fields that the profile shows; none of what it does not show at all."""
        kept = self._kept(state) if state.type.label in TABLE and is_classed(state) else frozenset[Sensitivity]()
        classes = self._classes_for(state) if kept else dict[str, Sensitivity]()
        told = {name for name, one in classes.items() if one in kept}
        return frozenset(told - self._withheld)

    def _kept(self, state: State) -> frozenset[Sensitivity]:
        return self._profile.shows(state.properties["data_class"])

    def _counts(self, label: str, name: str) -> bool:
        """What is stored counts the hidden, too. What there is, is told in the sections."""
        field = self._registry.types[label].fields.get(name)
        return field is not None and bool(field.counts)

    def _shown(self, state: State) -> dict[str, Any] | None:
        label, values = state.type.label, state.properties
        if label not in TABLE:
            self.left_out.records["unclassified"] += 1
            return None
        if not is_classed(state):
            self.left_out.records["class_unknown"] += 1
            return None
        kept = self._kept(state)
        if not kept:
            self.left_out.records["local_only"] += 1
            return None
        shown: dict[str, Any] = {"kind": label}
        classes = self._classes_for(state)
        for name in sorted(values.keys() - self._withheld):
            one = classes.get(name, Sensitivity.system)
            if one in kept and not self._counts(label, name):
                self._show(shown, name, values[name], kept)
            elif one is not Sensitivity.system and one not in kept:
                self.left_out.fields[one.value] += 1
        return shown

    def _classes_for(self, state: State) -> dict[str, Sensitivity]:
        """What a person is called is about people. So may be what nobody has described yet."""
        classes = self._classes_of(state.type.label)
        if state.type.label != "Entity" or state.properties.get("kind") not in {None, "person"}:
            return classes
        return {name: Sensitivity.person if one in _WORDS else one for name, one in classes.items()}

    def _classes_of(self, label: str) -> dict[str, Sensitivity]:
        if label not in self._classes:
            self._classes[label] = classes_of(self._registry, label)
        return self._classes[label]

    def _show(self, shown: dict[str, Any], name: str, value: Any, kept: frozenset[Sensitivity]) -> None:
        """`kind` says what kind of record it is; what a record itself calls so is `entity_kind`, `contract_kind`."""
        outward = _outward(value, kept)
        if outward is not None:
            shown[f"{shown['kind'].lower()}_kind" if name == "kind" else name] = outward
        if outward != value:
            self.left_out.fields[Sensitivity.content.value] += 1


_WORDS = frozenset({Sensitivity.subject, Sensitivity.content})
"""What tells in words of what a record is about."""


def _outward(value: Any, kept: frozenset[Sensitivity]) -> Any:
    """A value as it is passed on where so much is told; None for what is none of outsiders' business."""
    if not kept <= _NAMED:
        return value
    if isinstance(value, list):
        listed = [one for one in (_outward(one, kept) for one in cast("list[Any]", value)) if one is not None]
        return listed or None
    return None if isinstance(value, str) and not _CODE.fullmatch(value) else value
