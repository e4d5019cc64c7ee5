"""Examining: pure, from facts to a report. The same facts give the same report."""

from collections.abc import Iterator
from typing import Any, cast

import orjson

from graph_schema.context.words import Binding, ContextLayer, ExclusionReason
from graph_schema.knowledge.words import PreflightStatus
from graph_schema.memory.words import CheckpointStrategy, MemoryMode
from service.context.packets.profiles import layers_of
from service.knowledge.preflight.artifacts import artifacts, previews
from service.knowledge.preflight.asking import unasked
from service.knowledge.preflight.capabilities import Readiness, capabilities, readiness
from service.knowledge.preflight.effects import effects
from service.knowledge.preflight.facts import NONE, STARTING, Facts, Raw, facts_of
from service.knowledge.preflight.intent import intent
from service.knowledge.preflight.issues import (
    CODES,
    FixOp,
    FixOperation,
    IssueSeverity,
    PreflightCheck,
    PreflightIssue,
    fix,
)
from service.knowledge.preflight.report import (
    CheckpointCoverage,
    CountedWord,
    EstimateBasis,
    ModuleTest,
    ModuleTestResult,
    PreflightContext,
    PreflightEffect,
    PreflightEstimate,
    PreflightExclusion,
    PreflightInput,
    PreflightItem,
    PreflightReport,
    PreflightValidation,
)
from service.knowledge.preflight.simulate import simulate
from service.knowledge.preflight.structure import structure
from service.knowledge.preflight.wiring import wiring
from service.views import word
from service.words import spoken

RULES = "preflight 2"
_ENOUGH = 3
"""Runs from which a cost is worth a warning."""


def examine(raw: Raw, at: str) -> PreflightReport:
    facts = facts_of(raw)
    issues = [*_issues(facts)]
    blocking = tuple(one for one in issues if one.severity is IssueSeverity.blocking)
    warnings = tuple(one for one in issues if one.severity is IssueSeverity.warning)
    subject, graph, blueprint = raw.get("subject") or NONE, raw.get("graph") or NONE, facts.blueprint or NONE
    return PreflightReport(
        status=_status(blocking, warnings),
        record_id=subject.get("id"),
        name=subject.get("name") or "a graph that is not saved",
        graph_hash=graph.get("graph_hash"),
        blueprint_id=blueprint.get("id"),
        blueprint_hash=blueprint.get("blueprint_hash"),
        memory_mode=MemoryMode(raw["memory_mode"]),
        ready=tuple(_ready(facts, blocking)),
        static_validation=PreflightValidation(
            valid=not blocking, modules=len(facts.modules), cables=len(facts.cables), checks=len(CODES)
        ),
        input_readiness=tuple(_inputs(facts)),
        capability_readiness=tuple(readiness(facts)),
        context_preview=tuple(_context(facts)),
        policy_and_side_effects=tuple(_effects(facts)),
        artifact_intake_preview=tuple(previews(facts)),
        cost_estimate=estimate(raw, "cost", raw.get("max_cost_usd")),
        duration_estimate=estimate(raw, "ms", None),
        checkpoint_coverage=_checkpoints(facts),
        test_results=tuple(_tests(facts)),
        simulation=simulate(facts) if facts.modules else None,
        blocking_issues=blocking,
        warnings=warnings,
        rules=RULES,
        generated_at=at,
    )


def _issues(facts: Facts) -> Iterator[PreflightIssue]:
    for check in (structure, wiring, intent, effects, capabilities, artifacts, _cost):
        yield from check(facts)


def _status(blocking: tuple[PreflightIssue, ...], warnings: tuple[PreflightIssue, ...]) -> PreflightStatus:
    if blocking:
        return PreflightStatus.blocked
    return PreflightStatus.warning if warnings else PreflightStatus.ready


def _ready(facts: Facts, blocking: tuple[PreflightIssue, ...]) -> Iterator[str]:
    if facts.modules and not blocking:
        yield "The graph can be run and does what its blueprint says." if facts.blueprint else "The graph can be run."
    inputs = [*_inputs(facts)]
    if inputs and all(one.readiness is Readiness.ready for one in inputs if one.required):
        yield f"Everything that goes in is there: {', '.join(one.name for one in inputs if one.required)}."
    up = {one.name for one in readiness(facts) if one.readiness is Readiness.ready}
    if up:
        yield f"Available: {', '.join(sorted(up))}."
    told = estimate(facts.raw, "cost", None)
    if told.runs and told.p50 is not None and told.p90 is not None:
        yield f"It usually costs ${told.p50:.2f}, and rarely more than ${told.p90:.2f} ({told.runs} runs)."


def _inputs(facts: Facts) -> Iterator[PreflightInput]:
    given = facts.raw.get("inputs")
    brings = any(one.family in STARTING for one in facts.enabled)
    for one in facts.contracts("input"):
        names = {spoken(one["name"]), spoken(one["kind"])}
        if given is not None:
            known = Readiness.ready if names & {spoken(each) for each in given} else Readiness.missing
        else:
            known = Readiness.unknown if brings or not facts.modules else Readiness.missing
        yield PreflightInput(name=one["name"], kind=one["kind"], required=one["required"], readiness=known)


def _context(facts: Facts) -> Iterator[PreflightContext]:
    packets = {one["module_key"]: one for one in facts.raw.get("packets") or ()}
    would = {one["module_key"]: one for one in facts.raw.get("context") or ()}
    for module in facts.enabled:
        said = module.packet
        if not said.applicable:
            continue
        last, told = packets.get(module.key, {}), would.get(module.key, {})
        yield PreflightContext(
            module_key=module.key,
            applicable=True,
            profile=said.profile,
            explanation=said.explanation,
            layers=tuple(sorted(layers_of(said.profile), key=tuple(ContextLayer).index)),
            binding=word(Binding, told.get("binding")),
            tokens=told.get("tokens"),
            max_tokens=told.get("max_tokens"),
            injected=tuple(CountedWord(word=one["layer"], count=one["count"]) for one in told.get("injected", ())),
            excluded=tuple(CountedWord(word=one["reason"], count=one["count"]) for one in told.get("excluded", ())),
            items=tuple(_item(one) for one in told.get("items", ())),
            kept_out=tuple(_kept_out(one) for one in told.get("kept_out", ())),
            notices=tuple(told.get("warnings", ())),
            packet_id=last.get("id"),
            packet_tokens=last.get("actual_tokens"),
        )


def _item(one: Raw) -> PreflightItem:
    return PreflightItem(
        record_id=one["id"],
        name=one["name"],
        kind=one["kind"],
        layer=ContextLayer(one["layer"]),
        tokens=one["tokens"],
        why=one["why"],
    )


def _kept_out(one: Raw) -> PreflightExclusion:
    return PreflightExclusion(
        record_id=one["id"],
        name=one["name"],
        kind=one["kind"],
        reason=ExclusionReason(one["reason"]),
        why=one["why"],
    )


def _tests(facts: Facts) -> Iterator[ModuleTestResult]:
    told = (one for one in facts.raw.get("tests") or () if one["module_key"] in facts.modules)
    for one in sorted(told, key=lambda one: (one["module_key"], one["test"])):
        values: dict[str, Any] = {**one, "test": ModuleTest(one["test"])}
        yield ModuleTestResult(**values)


def _effects(facts: Facts) -> Iterator[PreflightEffect]:
    ungated = unasked(facts)
    for module in facts.enabled:
        for effect in sorted(module.effects):
            yield PreflightEffect(
                module_key=module.key,
                side_effect_class=effect,
                declared=effect in facts.declared,
                review_required=facts.declared.get(effect, False),
                reviewed=module.key not in ungated,
            )


def estimate(raw: Raw, what: str, limit: float | None) -> PreflightEstimate:
    """By the runs of the same graph, else of the task, else of the template; else it is unknown, and says so."""
    counted = {"cost": "costed", "ms": "timed"}[what]
    for basis in (EstimateBasis.graph, EstimateBasis.task, EstimateBasis.template):
        found = (raw.get("estimates") or NONE).get(basis.value) or NONE
        if found.get(counted):
            return PreflightEstimate(
                basis=basis, runs=found[counted], p50=found[f"p50_{what}"], p90=found[f"p90_{what}"], limit=limit
            )
    return PreflightEstimate(basis=EstimateBasis.unknown, runs=0, p50=None, p90=None, limit=limit)


def _cost(facts: Facts) -> Iterator[PreflightIssue]:
    limit = facts.raw.get("max_cost_usd")
    told = estimate(facts.raw, "cost", limit)
    if limit is None or told.p50 is None or told.p90 is None:
        return
    if told.p90 > limit and told.runs >= _ENOUGH:
        yield PreflightIssue(
            check=PreflightCheck.cost_high,
            message=f"It usually costs ${told.p50:.2f} to ${told.p90:.2f}, and may cost ${limit:.2f}.",
            evidence=(f"{told.runs} runs of the same {told.basis}.",),
            fix=fix(f"Set the cost cap to ${limit:.2f}", FixOperation(op=FixOp.set_cost_limit, value=f"{limit:g}")),
        )


def _checkpoints(facts: Facts) -> CheckpointCoverage:
    durable = _durable(facts)
    covered = {one["module_key"] for one in facts.raw.get("checkpoints") or () if one["module_key"] in facts.modules}
    acting = [one.key for one in facts.enabled if one.effects]
    strategy = durable.get("checkpoint_strategy")
    known = {one.value for one in CheckpointStrategy}
    return CheckpointCoverage(
        strategy=CheckpointStrategy(strategy) if strategy in known else None,
        idempotency_required=durable.get("side_effect_idempotency_key_required") is True,
        runs=facts.raw.get("recent_runs", 0),
        modules=tuple(sorted(covered)),
        uncovered_effects=tuple(sorted(one for one in acting if not covered & {one, *_feeding(facts, one)})),
        gates=tuple(sorted(one.key for one in facts.enabled if one.waits)),
    )


def _feeding(facts: Facts, key: str) -> set[str]:
    return {one.tail.key for one in facts.entering.get(key, ())}


def _durable(facts: Facts) -> Raw:
    held: Any = orjson.loads((facts.raw.get("graph") or NONE).get("settings") or "{}")
    told: Any = cast("Raw", held).get("durable_execution") if isinstance(held, dict) else None
    return cast("Raw", told) if isinstance(told, dict) else {}
