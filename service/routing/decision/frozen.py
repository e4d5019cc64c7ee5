"""What a decision weighed, as it is kept with it: enough for the rules to decide it again, without today's graph.

No name and no id of a record is in it: who may see the decision need not see all that was weighed.
"""

from collections.abc import Mapping
from typing import Any

from graph_schema.routing.words import InvocationPolicy
from service.routing.decision.grounds import CalledBecause, Grounds, TaughtPhrase
from service.routing.evidence.kinds import EvidenceKind, ModeEvidence
from service.routing.evidence.scene import Target

NOTHING = CalledBecause(frozenset(), frozenset())
_CALLED = ("kind", "whole", "size", "share", "misspelt", "bare")


def frozen(grounds: Grounds) -> dict[str, Any]:
    """Records are told apart by numbers: those that are called alike have the same."""
    names = {name: place for place, name in enumerate(dict.fromkeys(one.name.casefold() for one in grounds.targets))}
    return {
        "evidence": [one.kind.value for one in grounds.evidence],
        "targets": [
            {"called": names[one.name.casefold()], **{name: getattr(one, name) for name in _CALLED}}
            for one in grounds.targets
        ],
        "work_open": grounds.work_open,
        "task_open": grounds.task_open,
        "template": grounds.template,
        "policy": grounds.policy.value if grounds.policy else None,
        "directed": [one.kind for one in grounds.directed],
        "phrases": [[one.policy.value, [*one.targets]] for one in grounds.phrases],
        "contested": grounds.contested,
    }


def places(grounds: Grounds, record_id: str) -> dict[str, list[int]]:
    """Where a record stands in what was weighed: kept on the link to it, so that only who sees it is told."""
    because = grounds.because.get(record_id, NOTHING)
    listed = {
        "evidence": [one.record_id == record_id or one in because.evidence for one in grounds.evidence],
        "targets": [one.id == record_id or one.id in because.targets for one in grounds.targets],
        "phrases": [one.id == record_id for one in grounds.phrases],
    }
    return {name: [place for place, its in enumerate(held) if its] for name, held in listed.items()}


def thawed(kept: Mapping[str, Any]) -> Grounds:
    targets = tuple(
        Target(str(place), name=str(one["called"]), **{name: one[name] for name in _CALLED if name in one})
        for place, one in enumerate(kept["targets"])
    )
    return Grounds(
        evidence=tuple(ModeEvidence(EvidenceKind(one)) for one in kept["evidence"]),
        targets=targets,
        work_open=kept["work_open"],
        task_open=kept["task_open"],
        template=kept["template"],
        policy=InvocationPolicy(kept["policy"]) if kept["policy"] else None,
        directed=tuple(Target(str(place), kind, kind) for place, kind in enumerate(kept["directed"])),
        phrases=tuple(
            TaughtPhrase(InvocationPolicy(policy), tuple(kinds)) for policy, kinds in kept.get("phrases", ())
        ),
        contested=kept.get("contested", False),
    )


def differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """What was weighed otherwise, by the names of the facts; evidence by its kinds."""
    kinds = sorted({*before["evidence"]} ^ {*now["evidence"]})
    return (*kinds, *(name for name in before if name != "evidence" and before[name] != now[name]))
