"""Whether modules have what they need: what is required and denied, what is down, and how it did before."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, cast

from service.knowledge.preflight.facts import NONE, Facts, ModuleFacts, Raw
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightCheck, PreflightIssue, fix
from service.views import Id
from service.words import spoken

BROAD_FROM = 12
"""So many capabilities at one module are more than a model chooses well from."""
UNUSED_AFTER = 5
"""Runs in which it was never used."""
TRIED = 5
UNRELIABLE_FROM = 0.3
"""Share of calls that failed, with one failure and two successes added, so that few calls say little."""


class Readiness(StrEnum):
    """Whether something is there, or can be had."""

    ready = "ready"
    missing = "missing"
    unknown = "unknown"
    unavailable = "unavailable"
    denied = "denied"
    not_allowed = "not_allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightCapability:
    """How a module stands to a capability."""

    module_key: Annotated[str | None, "The module; none where the whole task needs it."]
    capability_id: Annotated[Id, "The capability."]
    name: Annotated[str, "What people call it."]
    required: Annotated[bool, "Whether it cannot do without."]
    readiness: Annotated[Readiness, "Whether it can have it now."]
    runs: Annotated[int, "Runs of this task that the module was in."]
    calls: Annotated[int, "Calls in these runs."]
    errors: Annotated[int, "How many of them failed."]


def capabilities(facts: Facts) -> Iterator[PreflightIssue]:
    for one in readiness(facts):
        yield from _issues(facts, one)
    for module in facts.enabled:
        yield from _unknown(facts, module)
        held = facts.standing(module.key)
        named = {*held.get("required", ()), *({*held.get("allowed", ())} & {*held.get("own", ())})}
        asked = named.union(_asked(facts, module)) - {*held.get("denied", ())}
        if len(asked) >= BROAD_FROM:
            yield PreflightIssue(
                check=PreflightCheck.tool_pack_broad,
                message=f"{module.key} may use or asks for {len(asked)} capabilities: more than a model chooses well "
                "from.",
                module_key=module.key,
            )


def readiness(facts: Facts) -> list[PreflightCapability]:
    found = [_stands(facts, module, one) for module in facts.enabled for one in _of_module(facts, module)]
    found += [one for module in facts.enabled for one in _model(facts, module)]
    whole = facts.standing("*")
    needed = {one.capability_id for one in found if one.required}
    of_task = sorted(one for one in whole.get("required", ()) if one in facts.capabilities)
    asked = (one for one in of_task if one not in needed or one in whole.get("denied", ()))
    return [*found, *(_stands(facts, None, one) for one in asked)]


def _model(facts: Facts, module: ModuleFacts) -> Iterator[PreflightCapability]:
    """The model that a module is set to ask: it cannot do without, and nobody has to allow it."""
    wanted = _id_of(facts, model) if (model := model_of(module)) else None
    if wanted is None or wanted in _of_module(facts, module):
        return
    one = _stands(facts, module, wanted)
    free = _state(facts.capabilities[wanted]) if one.readiness is Readiness.not_allowed else one.readiness
    yield replace(one, required=True, readiness=free)


def model_of(module: ModuleFacts) -> str | None:
    told = module.config.get("model")
    return told if isinstance(told, str) and told.strip() else None


def _of_module(facts: Facts, module: ModuleFacts) -> list[str]:
    held = facts.standing(module.key)
    own = {*held.get("allowed", ())} & {*held.get("own", ())}
    named = {*held.get("required", ()), *own, *_asked(facts, module)}
    return sorted(one for one in named if one in facts.capabilities)


def _asked(facts: Facts, module: ModuleFacts) -> set[str]:
    """Capabilities that the module would like to have: by its configuration, or by what its steps say would help."""
    return {id_ for word in wishes(facts, module) if (id_ := _id_of(facts, word)) is not None}


def wishes(facts: Facts, module: ModuleFacts) -> list[str]:
    told = module.config.get("requested_capabilities")
    own = [str(one) for one in cast("list[Any]", told)] if isinstance(told, list) else []
    steps = (one for one in facts.steps() if module.key in one["modules"])
    return [*own, *(str(word) for one in steps for word in one.get("optional_capabilities") or ())]


def _id_of(facts: Facts, word: str) -> str | None:
    said = spoken(word)
    return next((one["id"] for one in facts.capabilities.values() if said in _names(one)), None)


def _names(one: Raw) -> set[str]:
    return {spoken(str(name)) for name in (one["id"], one["name"], one.get("key")) if name}


def _stands(facts: Facts, module: ModuleFacts | None, capability_id: str) -> PreflightCapability:
    key = module.key if module else "*"
    held, known = facts.standing(key), facts.capabilities[capability_id]
    used = _used(facts, key, capability_id)
    required = capability_id in held.get("required", ())
    return PreflightCapability(
        module_key=module.key if module else None,
        capability_id=capability_id,
        name=known["name"],
        required=required,
        readiness=_readiness(held, known),
        runs=used.get("runs", 0),
        calls=used.get("calls", 0),
        errors=used.get("errors", 0),
    )


def _readiness(held: Raw, known: Raw) -> Readiness:
    if held.get("mode") == "none" or known["id"] in held.get("denied", ()):
        return Readiness.denied
    if known["id"] not in {*held.get("required", ()), *held.get("allowed", ())}:
        return Readiness.not_allowed
    return _state(known)


def _state(known: Raw) -> Readiness:
    if known.get("lifecycle_state", "active") != "active":
        return Readiness.unavailable
    state = known.get("state")
    return Readiness.unknown if state is None else _BY_STATE.get(state, Readiness.unavailable)


_BY_STATE = {"up": Readiness.ready}


def _used(facts: Facts, module_key: str, capability_id: str) -> Raw:
    """What a module never used has no row of its own: then the runs that it was in are known."""
    rows = facts.raw.get("use") or ()
    found = next((one for one in rows if (one["module_key"], one["capability"]) == (module_key, capability_id)), None)
    return found or {"runs": (facts.raw.get("module_runs") or NONE).get(module_key, 0)}


def _issues(facts: Facts, one: PreflightCapability) -> Iterator[PreflightIssue]:
    where = one.module_key or "the task"
    about: dict[str, Any] = {"module_key": one.module_key, "record_id": one.capability_id}
    if one.readiness is Readiness.denied:
        by = facts.standing(one.module_key or "*").get("denied", {}).get(one.capability_id, ())
        yield PreflightIssue(
            check=PreflightCheck.capability_denied,
            message=f"{where} needs {one.name}, and is denied it.",
            evidence=(f"Denied by {', '.join(by)}.",) if by else (),
            fix=_allow(FixOp.lift_denial, f"Lift the denial of {one.name} for {where}", one),
            **about,
        )
    elif one.readiness is Readiness.not_allowed:
        yield PreflightIssue(
            check=PreflightCheck.capability_not_allowed,
            message=f"{where} asks for {one.name}, which its policy does not allow.",
            fix=_allow(FixOp.allow_capability, f"Allow {one.name} for {where}", one),
            **about,
        )
    elif one.readiness is Readiness.unavailable and one.required:
        yield PreflightIssue(
            check=PreflightCheck.capability_unavailable,
            message=f"{where} cannot do without {one.name}, which cannot be used now.",
            evidence=(f"Its state is {facts.capabilities[one.capability_id].get('state') or 'put away'}.",),
            **about,
        )
    yield from _past(one, where, about)


def _allow(op: FixOp, title: str, one: PreflightCapability) -> Any:
    return fix(title, FixOperation(op=op, module_key=one.module_key, record_id=one.capability_id))


def _past(one: PreflightCapability, where: str, about: dict[str, Any]) -> Iterator[PreflightIssue]:
    if one.calls >= TRIED and (one.errors + 1) / (one.calls + 3) >= UNRELIABLE_FROM:
        yield PreflightIssue(
            check=PreflightCheck.capability_unreliable,
            message=f"{one.name} failed in {one.errors} of {one.calls} calls of {where}.",
            evidence=(f"{one.runs} runs were looked at.",),
            **about,
        )
    if one.runs >= UNUSED_AFTER and not one.calls:
        yield PreflightIssue(
            check=PreflightCheck.capability_unused,
            message=f"{where} has {one.name}, and used it in none of {one.runs} runs.",
            **about,
        )


def _unknown(facts: Facts, module: ModuleFacts) -> Iterator[PreflightIssue]:
    model = model_of(module)
    for word in [*wishes(facts, module), *([model] if model else [])]:
        if _id_of(facts, word) is None:
            yield PreflightIssue(
                check=PreflightCheck.capability_unknown,
                message=f"{module.key} asks for {word!r}, and no capability is called so.",
                module_key=module.key,
            )
