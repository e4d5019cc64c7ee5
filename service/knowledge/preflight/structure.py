"""Whether a graph can be run at all: types, ports, cables, loops and configuration, by the catalogue."""

import math
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from service.knowledge.preflight.facts import CONTROL, NONE, Cable, Facts, ModuleFacts, Raw
from service.knowledge.preflight.issues import FixOp, FixOperation, PreflightCheck, PreflightFix, PreflightIssue, fix

_CONTENT = ("data", "file", "candidate", "claims", "evaluation", "trigger_payload", "context", "instruction")
ACCEPTS: Mapping[str, tuple[str, ...]] = {
    "any": (*_CONTENT, "comparison_bundle", "signal", "error"),
    "data": _CONTENT,
    "context": _CONTENT,
    "instruction": ("instruction", "data", "context", "trigger_payload", "candidate"),
    "file": ("file",),
    "candidate": ("candidate", "data", "file"),
    "comparison_bundle": ("comparison_bundle",),
    "claims": ("claims",),
    "evaluation": ("evaluation", "data"),
    "signal": ("signal", "error"),
    "error": ("error",),
    "trigger_payload": ("trigger_payload", "data"),
}
"""What a port takes, by its kind. A pulse is no content, and variants go only where they can be compared."""


def structure(facts: Facts) -> Iterator[PreflightIssue]:
    for module in facts.enabled:
        if module.type is None:
            yield _unknown(module)
        else:
            yield from _configuration(module)
    for cable in facts.active_cables:
        yield from _ports(cable)
    for module in facts.enabled:
        yield from _inputs(facts, module)
    yield from _cycles(facts)
    yield from _unreachable(facts)


def _unknown(module: ModuleFacts) -> PreflightIssue:
    return PreflightIssue(
        check=PreflightCheck.module_type_unknown,
        message=f"The catalogue has no type {module.type_name}: nobody knows what {module.key} takes or does.",
        module_key=module.key,
    )


def _ports(cable: Cable) -> Iterator[PreflightIssue]:
    for module, port, side in ((cable.tail, cable.from_port, "outputs"), (cable.head, cable.to_port, "inputs")):
        known = getattr(module.type, side) if module.type else None
        own = module.named_outputs if side == "outputs" else frozenset(module.told.get("input_ports") or ())
        if known is not None and port is not None and port not in known and port not in own:
            yield PreflightIssue(
                check=PreflightCheck.port_unknown,
                message=f"{module.key} has no {side[:-1]} port {port}.",
                module_key=module.key,
                evidence=(str(cable), f"{module.type_name} has {', '.join(known) or 'none'}."),
                fix=_renamed(cable, module, port, known),
            )
    carried, into = cable.carries, cable.into
    if carried and into and carried != "any" and carried not in ACCEPTS[into]:
        yield PreflightIssue(
            check=PreflightCheck.port_mismatch,
            message=f"{cable} carries {carried}, and {cable.head.key}.{cable.to_port} takes {into}.",
            module_key=cable.head.key,
            evidence=(str(cable),),
            fix=_recable(cable),
        )


def _renamed(cable: Cable, module: ModuleFacts, port: str, known: Mapping[str, Raw]) -> PreflightFix | None:
    """The port that is called nearly so, of those that fit the other end; else the only one that fits."""
    leaves = module is cable.tail
    other = cable.into if leaves else cable.carries
    fitting = [name for name, one in known.items() if other is None or _passes(one["port_kind"], other, leaves=leaves)]
    meant = get_close_matches(port, fitting, n=1) or (fitting if len(fitting) == 1 else [])
    if not meant:
        return None
    ends = {"module_key": cable.tail.key, "head_key": cable.head.key}
    before = {"from_port": cable.from_port, "to_port": cable.to_port}
    after = before | {"from_port" if leaves else "to_port": meant[0]}
    return fix(
        f"Take {module.key}.{meant[0]} for {module.key}.{port}",
        FixOperation(op=FixOp.remove_cable, **ends, **before),
        FixOperation(op=FixOp.add_cable, **ends, **after),
    )


def _passes(kind: str, other: str, *, leaves: bool) -> bool:
    out, into = (kind, other) if leaves else (other, kind)
    return out == "any" or out in ACCEPTS[into]


def _recable(cable: Cable) -> Any:
    """Another port of the same module that has what is needed."""
    outputs = cable.tail.type.outputs if cable.tail.type else NONE
    fitting = (name for name, one in outputs.items() if one["port_kind"] in ACCEPTS[str(cable.into)])
    better = next(fitting, None)
    if better is None:
        return None
    ends = {"module_key": cable.tail.key, "head_key": cable.head.key, "to_port": cable.to_port}
    return fix(
        f"Take {cable.tail.key}.{better} instead",
        FixOperation(op=FixOp.remove_cable, from_port=cable.from_port, **ends),
        FixOperation(op=FixOp.add_cable, from_port=better, **ends),
    )


def _inputs(facts: Facts, module: ModuleFacts) -> Iterator[PreflightIssue]:
    """A cable without a port may feed any. A module that nothing leads to is told of as a whole."""
    entering = facts.entering.get(module.key, ())
    if module.type is None or any(one.to_port is None for one in entering):
        return
    fed = {one.to_port for one in entering}
    for name, port in module.type.inputs.items():
        if port["required"] and name not in fed:
            yield PreflightIssue(
                check=PreflightCheck.required_input_missing,
                message=f"{module.key} cannot do without {name}, and nothing feeds it.",
                module_key=module.key,
                evidence=(f"{module.type_name}.{name} takes {port['port_kind']}.",),
                fix=_fed(facts, module, name, port["port_kind"]),
            )


def _fed(facts: Facts, module: ModuleFacts, port: str, kind: str) -> PreflightFix | None:
    """A cable from the only output that fits, of modules whose results nobody takes and that do not wait for it."""
    behind = facts.reached([module.key])
    idle = [one for one in facts.enabled if one.type and not facts.leaving.get(one.key) and one.key not in behind]
    fitting = [
        (one.key, name)
        for one in idle
        for name, out in (one.type.outputs if one.type else NONE).items()
        if (out["port_kind"] in CONTROL) is (kind in CONTROL) and _passes(out["port_kind"], kind, leaves=True)
    ]
    if len(fitting) != 1:
        return None
    [(tail, out)] = fitting
    told = FixOperation(op=FixOp.add_cable, module_key=tail, head_key=module.key, from_port=out, to_port=port)
    return fix(f"Feed {module.key}.{port} from {tail}.{out}", told)


def _cycles(facts: Facts) -> Iterator[PreflightIssue]:
    """Loops in which nothing comes to an end: what is left when every module that bounds loops is taken out."""
    free = {one.key for one in facts.enabled if not (one.type and one.type.says("bounds_loops"))}
    # What only signals lead back to waits for them; content that comes round for ever is what must be bounded.
    edges = {key: sorted({one.head.key for one in facts.leaving.get(key, ())} & free) for key in sorted(free)}
    for loop in _components(edges):
        yield PreflightIssue(
            check=PreflightCheck.cycle_unbounded,
            message=f"{', '.join(loop)} feed each other, and nothing says when that ends.",
            module_key=loop[0],
            evidence=tuple(str(one) for one in facts.active_cables if {one.tail.key, one.head.key} <= {*loop}),
            fix=_bounded(facts, {*loop}),
        )


def _bounded(facts: Facts, loop: set[str]) -> PreflightFix | None:
    """A loop controller on the only cable that leads back to where the loop is entered."""
    entered = {key for key in loop if any(one.tail.key not in loop for one in facts.entering.get(key, ()))}
    back = [one for key in sorted(entered) for one in facts.entering[key] if one.tail.key in loop]
    if len(entered) != 1 or len(back) != 1 or not _passes("data", back[0].into or "any", leaves=True):
        return None
    [one], key = back, f"rounds-of-{back[0].head.key}"
    return fix(
        f"Bound the rounds of {one.head.key}",
        FixOperation(op=FixOp.remove_cable, module_key=one.tail.key, head_key=one.head.key,
                     from_port=one.from_port, to_port=one.to_port),
        FixOperation(op=FixOp.add_module, module_key=key, value=CONTROLLER),
        FixOperation(op=FixOp.set_config, module_key=key, field_name="max_iterations", value=ROUNDS),
        FixOperation(op=FixOp.add_cable, module_key=one.tail.key, head_key=key,
                     from_port=one.from_port, to_port="data_in"),
        FixOperation(op=FixOp.add_cable, module_key=key, head_key=one.head.key,
                     from_port="round_out", to_port=one.to_port),
    )  # fmt: skip


CONTROLLER, ROUNDS = "utility.loop_controller", "3"


def _components(edges: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """Groups of which each member leads to every other, in order; one alone only when it leads to itself."""
    back: dict[str, list[str]] = {}
    for key, heads in edges.items():
        for head in heads:
            back.setdefault(head, []).append(key)
    seen: set[str] = set()
    order: list[str] = []
    for start in edges:
        order += _finished(start, edges, seen)
    placed: set[str] = set()
    for start in reversed(order):
        group = sorted(_finished(start, back, placed))
        if len(group) > 1 or (group and group[0] in edges[group[0]]):
            yield group


def _finished(start: str, edges: Mapping[str, list[str]], seen: set[str]) -> Iterator[str]:
    """What is reached from here and was not seen, each after all that it leads to."""
    if start in seen:
        return
    seen.add(start)
    stack = [(start, iter(edges.get(start, ())))]
    while stack:
        key, heads = stack[-1]
        following = next((one for one in heads if one not in seen), None)
        if following is None:
            stack.pop()
            yield key
        else:
            seen.add(following)
            stack.append((following, iter(edges.get(following, ()))))


def _unreachable(facts: Facts) -> Iterator[PreflightIssue]:
    for one in facts.enabled:
        if not one.passive and one.key not in facts.running:
            told = "Nothing that ever runs leads to" if facts.entering.get(one.key) else "Nothing leads to"
            yield PreflightIssue(
                check=PreflightCheck.module_unreachable,
                message=f"{told} {one.key}, so it never runs.",
                module_key=one.key,
                fix=_led_to(facts, one),
            )


def _led_to(facts: Facts, module: ModuleFacts) -> PreflightFix | None:
    """What its first input that takes content could be fed from, where nothing leads to it at all."""
    if module.type is None or facts.entering.get(module.key):
        return None
    taking = [(name, one) for name, one in module.type.inputs.items() if one["port_kind"] not in CONTROL]
    first = next(iter(sorted(taking, key=lambda one: not one[1]["required"])), None)
    return _fed(facts, module, first[0], first[1]["port_kind"]) if first else None


def _configuration(module: ModuleFacts) -> Iterator[PreflightIssue]:
    assert module.type is not None  # noqa: S101 - asked only of modules that have one
    for name, known in module.type.fields.items():
        problem = _problem(known, module.config.get(name), given=name in module.config)
        if problem:
            yield PreflightIssue(
                check=PreflightCheck.config_invalid,
                message=f"{name} of {module.key} {problem}.",
                module_key=module.key,
                evidence=(known.get("description") or name,),
                fix=_setting(module, name, known),
            )


def _problem(known: Raw, value: Any, *, given: bool) -> str | None:
    if not given or value is None:
        return "must be set" if known["required"] else None
    if not _fits(known, value):
        wanted = f"one of {', '.join(known['choices'])}" if known["config_kind"] == "choice" else known["config_kind"]
        return f"is {value!r}, and must be {wanted}"
    if isinstance(value, int | float) and not _within(value, known):
        return f"is {value}, and must be {_range(known)}"
    return None


def _setting(module: ModuleFacts, name: str, known: Raw) -> Any:
    """The default, or the first choice: only where the catalogue says one."""
    value = known.get("default_value") or next(iter(known.get("choices") or ()), None)
    if value is None:
        return None
    return fix(
        f"Set {name} to {value}",
        FixOperation(op=FixOp.set_config, module_key=module.key, field_name=name, value=value),
    )


def _within(value: float, known: Raw) -> bool:
    low, high = known.get("minimum"), known.get("maximum")
    return (low is None or value >= low) and (high is None or value <= high)


def _range(known: Raw) -> str:
    low, high = known.get("minimum"), known.get("maximum")
    bounds = [f"at least {low:g}" if low is not None else "", f"at most {high:g}" if high is not None else ""]
    return " and ".join(one for one in bounds if one)


def _fits(known: Raw, value: Any) -> bool:
    kind = known["config_kind"]
    if kind == "choice":
        return value in known["choices"]
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind]) and not (isinstance(value, float) and not math.isfinite(value))


_TYPES: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "reference": (str, dict),
    "object": (dict,),
}
