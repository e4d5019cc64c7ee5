"""From sources to a pack that can be stored: pure, with its decision and the reason for it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from graph_schema.knowledge.words import ActivationDecision, CardFamily, PackState
from graph_schema.memory.words import MemoryMode
from service.knowledge.evaluation.evaluate import EvalReport, taught
from service.knowledge.evaluation.proposals import EvalProposal
from service.knowledge.evaluation.suite import sample_suite
from service.knowledge.pack.cards import CardContent, Sources, cards_of, hashed
from service.knowledge.pack.readiness import Ready, readiness
from service.knowledge.preflight.examine import examine
from service.library.graphs import CableInput, GraphInput, ModuleInput


@dataclass(frozen=True, slots=True)
class Against:
    """What a pack is held against: what the one in use fails in, and whether an agent that was taught it has passed."""

    failures: Collection[str] | None = None
    """Names of the checks that the worked examples of the pack in use do not meet; None when no pack is in use."""
    agent_passed: bool = False


ALONE = Against()


@dataclass(frozen=True, slots=True)
class Compiled:
    cards: Mapping[str, CardContent]
    """By the hash of their content."""
    hashes: Mapping[str, str]
    versions: Mapping[str, int]
    types: tuple[str, ...]
    faults: tuple[str, ...]
    """Worked examples that the catalogue of now does not allow."""
    evaluation: EvalReport
    """What the suite says of its own worked examples."""
    graphs: Mapping[str, GraphInput]
    """The graphs of worked examples, by the hash of their card."""

    @property
    def pack_hash(self) -> str:
        return hashed(sorted(self.cards))

    def ready(self, against: Against = ALONE) -> Ready:
        held = ((one.family.value, one.subject) for one in self.cards.values())
        return readiness(held, self.types, self.evaluation.failures, agent_passed=against.agent_passed)

    def worse(self, against: Against) -> list[str]:
        """Checks that the pack in use meets and this one does not."""
        if against.failures is None:
            return []
        return [one.told() for one in self.evaluation.checks if not one.met and one.name not in against.failures]

    def decision(self, *, activate: bool, against: Against = ALONE) -> tuple[ActivationDecision, PackState, str]:
        if self.faults:
            return ActivationDecision.blocked_validation_failure, PackState.rejected, " ".join(self.faults)[:2_000]
        if not self.types:
            return ActivationDecision.blocked_source_drift, PackState.rejected, "There is no module type to tell of."
        if worse := self.worse(against):
            said = f"It is worse than the pack in use: {'; '.join(worse)}"
            return ActivationDecision.blocked_eval_regression, PackState.rejected, said[:2_000]
        if activate:
            return ActivationDecision.activated, PackState.active, "A person had it activated."
        return ActivationDecision.staged, PackState.staged, "It waits for somebody to activate it."

    def values(self, *, activate: bool, against: Against = ALONE) -> dict[str, Any]:
        decision, state, reason = self.decision(activate=activate, against=against)
        families = Counter(one.family.value for one in self.cards.values())
        carded = {one.source_ref for one in self.cards.values()}
        return {
            "name": f"Knowledge pack {self.pack_hash[:12]}",
            "pack_hash": self.pack_hash,
            "pack_state": state.value,
            "decision": decision.value,
            "reason": reason,
            **ready_values(self.ready(against)),
            "eval_failures": list(self.evaluation.failures),
            "card_count": len(self.cards),
            "coverage": _json(families),
            "source_hashes": _json(_by_kind(self.hashes)),
            "sources": _json({ref: one for ref, one in self.hashes.items() if ref not in carded}),
        }

    def card_values(self, digest: str) -> dict[str, Any]:
        card = self.cards[digest]
        return card.values(digest, self.hashes[card.source_ref], self.versions.get(card.source_ref))


def ready_values(ready: Ready) -> dict[str, Any]:
    return {
        "readiness_state": ready.state.value,
        "activated_for": [one.value for one in ready.activated_for],
        "missing_required_cards": list(ready.missing),
        "missing_by_state": _json(ready.by_state),
    }


def compiled(sources: Sources) -> Compiled:
    hashes, worked = sources.hashes(), _worked(sources)
    cards = {one.hash(hashes): one for one in cards_of(sources)}
    drawn = {digest: worked[one.subject].graph for digest, one in cards.items() if one.family in _DRAWN}
    return Compiled(
        cards,
        hashes,
        sources.versions(),
        tuple(sorted(one["module_type"] for one in sources.types)),
        tuple(_faults(sources)),
        taught(sample_suite(), worked, sources.types),
        {digest: graph for digest, graph in drawn.items() if graph is not None},
    )


_DRAWN = frozenset({CardFamily.worked_example})


def _worked(sources: Sources) -> dict[str, EvalProposal]:
    """The worked examples, as proposals for what the suite asks."""
    return {one["about"]: _proposal(one) for one in sources.authored.get("examples", ())}


def _proposal(one: Mapping[str, Any]) -> EvalProposal:
    told = _graph(one)
    modules = [ModuleInput(**each) for each in told["modules"]]
    graph = GraphInput(modules, [CableInput(**each) for each in told["cables"]])
    return EvalProposal(example=one["about"], graph=graph, explanation=one["says"])


def _by_kind(hashes: Mapping[str, str]) -> dict[str, str]:
    """One hash for all sources of a kind, as a manifest has them."""
    kinds: dict[str, dict[str, str]] = {}
    for ref, one in hashes.items():
        kinds.setdefault(ref.partition(" ")[0], {})[ref] = one
    return {kind: hashed(some) for kind, some in kinds.items()}


def _faults(sources: Sources) -> list[str]:
    found: list[str] = []
    for one in sources.authored.get("examples", ()):
        raw = {"types": sources.types, "graph": _graph(one), "memory_mode": MemoryMode.standard}
        found += [f"Worked example {one['about']}: {each.message}" for each in examine(raw, "").blocking_issues]
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
