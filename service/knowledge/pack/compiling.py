"""From sources to a pack that can be stored: pure, with its decision and the reason for it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.knowledge.words import ActivationDecision, PackReadiness, PackState
from service.knowledge.pack.cards import CardContent, Sources, cards_of, hashed
from service.knowledge.pack.readiness import Ready, readiness
from service.knowledge.preflight.facts import facts_of
from service.knowledge.preflight.structure import structure


@dataclass(frozen=True, slots=True)
class Compiled:
    cards: Mapping[str, CardContent]
    """By the hash of their content."""
    hashes: Mapping[str, str]
    ready: Ready
    faults: tuple[str, ...]
    """Worked examples that the catalogue of now does not allow."""

    @property
    def pack_hash(self) -> str:
        return hashed(sorted(self.cards))

    def decision(self, *, activate: bool) -> tuple[ActivationDecision, PackState, str]:
        if self.faults:
            return ActivationDecision.blocked_validation_failure, PackState.rejected, " ".join(self.faults)[:2_000]
        if self.ready.state is PackReadiness.schema_only:
            return ActivationDecision.blocked_source_drift, PackState.rejected, "There is no module type to tell of."
        if activate:
            return ActivationDecision.activated, PackState.active, "A person had it activated."
        return ActivationDecision.staged, PackState.staged, "It waits for somebody to activate it."

    def values(self, *, activate: bool) -> dict[str, Any]:
        decision, state, reason = self.decision(activate=activate)
        families = Counter(one.family.value for one in self.cards.values())
        return {
            "name": f"Knowledge pack {self.pack_hash[:12]}",
            "pack_hash": self.pack_hash,
            "pack_state": state.value,
            "decision": decision.value,
            "reason": reason,
            "readiness_state": self.ready.state.value,
            "activated_for": [one.value for one in self.ready.activated_for],
            "missing_required_cards": list(self.ready.missing),
            "card_count": len(self.cards),
            "coverage": _json(families),
            "source_hashes": _json(_by_kind(self.hashes)),
            "sources": _json(self.hashes),
        }


def compiled(sources: Sources) -> Compiled:
    hashes = sources.hashes()
    cards = {one.hash(hashes): one for one in cards_of(sources)}
    ready = readiness(
        ((one.family.value, one.subject) for one in cards.values()), (one["module_type"] for one in sources.types)
    )
    return Compiled(cards, hashes, ready, tuple(_faults(sources)))


def _by_kind(hashes: Mapping[str, str]) -> dict[str, str]:
    """One hash for all sources of a kind, as a manifest has them."""
    kinds: dict[str, dict[str, str]] = {}
    for ref, one in hashes.items():
        kinds.setdefault(ref.partition(" ")[0], {})[ref] = one
    return {kind: hashed(some) for kind, some in kinds.items()}


def _faults(sources: Sources) -> list[str]:
    found: list[str] = []
    for one in sources.authored.get("examples", ()):
        raw = {"types": sources.types, "graph": _graph(one)}
        blocking = [each for each in structure(facts_of(raw)) if each.code.startswith("validation.")]
        found += [f"Worked example {one['about']}: {each.message}" for each in blocking]
    return found


def _graph(one: Mapping[str, Any]) -> dict[str, Any]:
    """Modules as key and type, with what is set; cables as `tail.port > head.port`."""
    modules = [
        {"module_key": key, "module_type": told}
        if isinstance(told, str)
        else {"module_key": key, "module_type": told[0], "config": orjson.dumps(told[1]).decode()}
        for key, told in one["modules"].items()
    ]
    return {"modules": modules, "cables": [_cable(text) for text in one["cables"]]}


def _cable(text: str) -> dict[str, str]:
    tail, _, head = text.partition(" > ")
    (tail, _, out), (head, _, into) = tail.partition("."), head.partition(".")
    return {"tail": tail, "head": head, "from_port": out, "to_port": into}


def _json(value: Mapping[str, Any]) -> str:
    return orjson.dumps(dict(value), option=orjson.OPT_SORT_KEYS).decode()
