"""Why a module was given something, or was not: from the receipt that its packet keeps, or from what there is of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from graph_schema.context.relations import OPENABLE
from graph_schema.context.words import ExclusionReason, Stage
from graph_schema.model.record import HIDDEN_STATES, LifecycleState
from graph_schema.registry import REGISTRY
from service.context.inspection.errors import InputsErased
from service.context.inspection.kept import inputs_of
from service.context.packets.facts import Facts, Ground, facts_of
from service.context.packets.gates import Refusal, refusals
from service.context.packets.kinds import STANDING, kind_and_layer
from service.context.packets.receipts import without_names
from service.views import Id

Row = Mapping[str, Any]
_SOUGHT = STANDING | {"Agent", "Capability", "Run"}
"""Labels whose records are sought by their matters, so that those of other matters are not even read."""


_NEVER = "~"
"""After every time."""


class WhyOutcome(StrEnum):
    """What became of a record when a packet was made."""

    injected = "injected"
    excluded = "excluded"
    covered_by_container = "covered_by_container"
    never_a_candidate = "never_a_candidate"


class NeverBecause(StrEnum):
    """Why something was not even considered."""

    archived = "archived"
    lifecycle_hidden = "lifecycle_hidden"
    made_since = "made_since"
    own_run = "own_run"
    other_matter = "other_matter"
    not_earlier = "not_earlier"
    kind_never_held = "kind_never_held"
    nothing_led_to_it = "nothing_led_to_it"


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedGate:
    """A gate that a record does not pass."""

    stage: Annotated[Stage, "The gate."]
    code: Annotated[ExclusionReason, "Why it does not pass."]
    message: Annotated[str, "The same in a sentence."]
    would_have_needed: Annotated[str, "What would have had to be true."]


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketWhy:
    """Why a module was given a record, or was not."""

    packet_id: Annotated[Id, "The packet that was asked about."]
    record_id: Annotated[Id, "The record that was asked about."]
    name: Annotated[str, "What people call it."]
    outcome: Annotated[WhyOutcome, "What became of it."]
    sentence: Annotated[str, "The answer in a sentence or two."]
    stage: Annotated[Stage | None, "The gate that decided."]
    code: Annotated[ExclusionReason | None, "Why it was kept out."]
    never_because: Annotated[NeverBecause | None, "Why it was not considered at all."]
    score: Annotated[float | None, "How relevant it was, from 0 to 1."]
    threshold: Annotated[float | None, "What was asked of it."]
    version: Annotated[int | None, "Its version when it was considered."]
    evidence: Annotated[tuple[str, ...], "What this rests on, a sentence each."]
    also_failed: Annotated[tuple[FailedGate, ...], "Other gates that it would not have passed either, in their order."]
    would_have_needed: Annotated[tuple[str, ...], "All that would have had to be true for the module to be given it."]
    container_id: Annotated[Id | None, "The library, set or task whose receipt covers it."]


def answer(row: Row) -> PacketWhy:
    receipts, containers = ([without_names(one, row["hidden_names"]) for one in row[name]] for name in _RECEIPTS)
    ground = _ground(row)
    if receipts and receipts[0]["injected"]:
        return _injected(row, receipts[0])
    if receipts:
        return _excluded(row, receipts[0], ground)
    if containers:
        return _covered(row, containers[0])
    return _never(row, ground)


_RECEIPTS = ("receipts", "containers")


def _ground(row: Row) -> Ground | None:
    """The ground of the packet; none where it went with something that was erased. Its receipts still tell."""
    try:
        return inputs_of(row["packet"], has_receipts=row["has_receipts"])[1]
    except InputsErased:
        return None


def _answer(row: Row, outcome: WhyOutcome, sentence: str, **more: Any) -> PacketWhy:
    silent: dict[str, Any] = {
        **dict.fromkeys(("stage", "code", "never_because", "score", "threshold", "version", "container_id")),
        **dict.fromkeys(("evidence", "also_failed", "would_have_needed"), ()),
    }
    record: Row = row["record"]
    about: dict[str, Any] = {"packet_id": row["packet"]["id"], "record_id": record["id"], "name": record["name"]}
    return PacketWhy(**about, outcome=outcome, sentence=sentence, **{**silent, **more})


def _of_receipt(receipt: Row) -> dict[str, Any]:
    kept = {name: receipt.get(name) for name in ("score", "threshold", "version")}
    return {**kept, "stage": Stage(receipt["stage"])}


def _injected(row: Row, receipt: Row) -> PacketWhy:
    sentence = (
        f"“{row['record']['name']}” was given to the module, at place {receipt['rank']} in {receipt['layer']}: "
        f"{receipt['explanation']}"
    )
    came = [] if receipt["via"] == "none" else [f"It was bound by {receipt['via']}."]
    facts = facts_of(receipt["facts"]) if receipt.get("facts") else None
    return _answer(
        row,
        WhyOutcome.injected,
        sentence,
        **_of_receipt(receipt),
        evidence=(*came, *(_told(facts) if facts else ()), f"It takes {receipt['tokens']:,} tokens.", *_since(row)),
    )


def _excluded(row: Row, receipt: Row, ground: Ground | None) -> PacketWhy:
    decided = Stage(receipt["stage"])
    facts = facts_of(receipt["facts"]) if receipt.get("facts") else None
    failed = [*refusals(facts, ground)] if facts and ground else []
    first = next((one.remedy for one in failed if one.stage is decided), None) or _remedy(row, decided)
    others = tuple(_gate(one) for one in failed if one.stage is not decided)
    return _answer(
        row,
        WhyOutcome.excluded,
        f"“{row['record']['name']}” was kept out by the gate {decided}: {receipt['explanation']}",
        **_of_receipt(receipt),
        code=ExclusionReason(receipt["reason"]),
        evidence=(*(_told(facts) if facts else ()), *_since(row)),
        also_failed=others,
        would_have_needed=_each_once(first, others),
    )


def _remedy(row: Row, decided: Stage) -> str:
    if decided is Stage.budget:
        return f"The budget would have had to hold {row['packet']['requested_tokens']:,} tokens for everything."
    return "What was known of it then is no longer kept."


def _covered(row: Row, receipt: Row) -> PacketWhy:
    whole = receipt["name"]
    if receipt["injected"]:
        return _answer(
            row,
            WhyOutcome.covered_by_container,
            f"“{row['record']['name']}” was given to the module as part of “{whole}”, at place {receipt['rank']}.",
            **_of_receipt(receipt),
            evidence=(receipt["explanation"], *_since(row)),
            container_id=receipt["id"],
        )
    return _answer(
        row,
        WhyOutcome.covered_by_container,
        f"“{row['record']['name']}” is part of “{whole}”, which was kept out by the gate {receipt['stage']}: "
        f"{receipt['explanation']}",
        **_of_receipt(receipt),
        code=ExclusionReason(receipt["reason"]),
        evidence=(f"One receipt on “{whole}” stands for {receipt.get('count') or 1:,} records.", *_since(row)),
        would_have_needed=(f"“{whole}” would have had to be let in, and it itself bound or named.",),
        container_id=receipt["id"],
    )


def _never(row: Row, ground: Ground | None) -> PacketWhy:
    record, label = row["record"], REGISTRY.label_of(row["labels"])
    because, told, needed = _unconsidered(row, label, ground)
    placed = kind_and_layer(label, record)
    failed: tuple[FailedGate, ...] = ()
    if placed is not None and ground is not None and because is not NeverBecause.own_run:
        facts = _as_it_is(record, label, placed[0].value, placed[1].value, linked=row["linked"])
        # Nobody compared it with the module's work, so nothing is known of its relevance.
        failed = tuple(_gate(one) for one in refusals(facts, ground) if one.stage is not Stage.relevance)
    return _answer(
        row,
        WhyOutcome.never_a_candidate,
        f"“{record['name']}” was not considered: {told}",
        never_because=because,
        evidence=("This tells of it as it is now; no receipt tells what it was then.", *_since(row)),
        also_failed=failed,
        would_have_needed=_each_once(needed, failed),
    )


def _unconsidered(row: Row, label: str, ground: Ground | None) -> tuple[NeverBecause, str, str]:
    """Why nothing brought it up, the most telling reason first."""
    record: Row = row["record"]
    state = record.get("lifecycle_state") or LifecycleState.active
    if record["id"] == row["run_id"]:
        return NeverBecause.own_run, "it is the run itself.", "A run is no context of its own."
    if kind_and_layer(label, record) is None:
        return NeverBecause.kind_never_held, f"no packet ever holds a {label}.", "It would have to be another kind."
    if record["created_at"] > row["packet"]["created_at"]:
        return NeverBecause.made_since, "it was made after the packet.", "It would have had to be there."
    if state in HIDDEN_STATES:
        because = NeverBecause.archived if state == LifecycleState.archived else NeverBecause.lifecycle_hidden
        return because, f"it is {state}, and what is so is never a candidate.", "It would have to be active."
    return _unsought(row, label, ground)


def _unsought(row: Row, label: str, ground: Ground | None) -> tuple[NeverBecause, str, str]:
    """Why what could be in a packet was not found for this one."""
    record: Row = row["record"]
    outside = ground is not None and not {*(record.get("matter_ids") or ())} <= {*ground.matter_ids}
    if ground and outside and label in _SOUGHT and not (ground.broad and label in OPENABLE):
        told = "it belongs to a matter that this run is not about, and such records are not even read."
        return NeverBecause.other_matter, told, "Its matter would have to be bound to the run."
    if label == "Run" and (record.get("completed_at") or _NEVER) > row["began_at"]:
        return NeverBecause.not_earlier, "it was not over before this run began.", "It would have had to end before."
    told = "it was neither bound, named nor offered, it is shown on no open surface, and it is no standing rule."
    return NeverBecause.nothing_led_to_it, told, "The run's scope, an input or a surface would have to lead to it."


def _as_it_is(record: Row, label: str, kind: str, layer: str, *, linked: bool) -> Facts:
    return Facts(
        id=record["id"],
        label=label,
        kind=kind,
        layer=layer,
        name=record["name"],
        version=record["version"],
        data_class=record["data_class"],
        matter_ids=tuple(sorted(record.get("matter_ids") or ())),
        everywhere=bool(record.get("global")),
        linked=linked,
        task_types=tuple(record.get("task_types") or ()),
        domains=tuple(record.get("domains") or ()),
        trigger_kinds=tuple(record.get("trigger_kinds") or ()),
        side_effects=tuple(record.get("side_effect_classes") or ()),
        state=record.get("state") if label == "Capability" else None,
        memory_mode=record.get("memory_mode"),
    )


def _gate(one: Refusal) -> FailedGate:
    return FailedGate(stage=one.stage, code=one.reason, message=one.explanation, would_have_needed=one.remedy)


def _each_once(first: str, others: tuple[FailedGate, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([first, *(one.would_have_needed for one in others)]))


def _told(facts: Facts) -> Iterator[str]:
    """What was known of it that speaks for it or against it."""
    said = (
        (facts.evidence is not None, str(facts.evidence)),
        (facts.named, "An input of the module named it."),
        (facts.own, "It belongs to the run's own task."),
        (facts.of_matter, "It is of an earlier run of the same matter."),
        (facts.offered, "It was offered."),
        (facts.surface is not None, f"It was shown on “{facts.surface}”."),
        (facts.excluded, "The user kept it out of the run."),
        (facts.forbidden_by is not None, f"The restriction “{facts.forbidden_by}” forbade it."),
        (bool(facts.task_types), f"Its task_types were {', '.join(facts.task_types)}."),
        (bool(facts.domains), f"Its domains were {', '.join(facts.domains)}."),
        (facts.link is not None, f"It applied to “{facts.link}”."),
        (facts.everywhere, "It holds everywhere."),
        (facts.standing is not None, f"For this module it was {facts.standing}."),
        (facts.state is not None, f"Its last reported state was {facts.state}."),
    )
    return (told for holds, told in said if holds)


def _since(row: Row) -> list[str]:
    """Whether it is another now than what was considered."""
    record: Row = row["record"]
    if record["updated_at"] <= row["packet"]["created_at"]:
        return []
    return [f"It was changed since the packet was made; it is at version {record['version']} now."]
