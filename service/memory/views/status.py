"""The status of a run in words (§20C.4), written from its state whenever it is asked for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from graph_schema.model.fields import Timestamp
from service.memory.views.costs import total_usd
from service.memory.views.evidence import Evidence, cut_in_brief, evidence, graph_missing, steps_missing
from service.memory.views.facts import Activation, Gate, SavedModule
from service.memory.views.graph import Flow, coming
from service.memory.views.header import said
from service.memory.views.index import RunIndex
from service.memory.views.words import duration, listed, money, sentence

RECENT = 3
"""Steps that are told as done lately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNarrative:
    """Where a run stands, in sentences."""

    one_line_status: Annotated[str, "Where it stands, in one line."]
    current_work_summary: Annotated[str, "What goes on now."]
    next_work_summary: Annotated[
        str, "What comes next, as far as that is known: by the saved graph, and what goes on once a gate is decided."
    ]
    recent_completion_summary: Annotated[str, "What was done last."]
    current_module_keys: Annotated[tuple[str, ...], "Modules that run or wait now."]
    next_module_keys: Annotated[tuple[str, ...], "Modules that come next by the saved graph."]
    waiting_reasons: Annotated[tuple[str, ...], "What it waits for, a sentence each."]
    generated_from_state_version: Annotated[str, "The state that this was written from: changes with every report."]
    generated_at: Annotated[Timestamp, "When it was written."]
    evidence: Annotated[Evidence, "What it rests on."]


def status(index: RunIndex) -> RunNarrative:
    current = active(index)
    return RunNarrative(
        one_line_status=one_line(index),
        current_work_summary=_current(index, current),
        next_work_summary=_next(index, current),
        recent_completion_summary=_recent(index),
        current_module_keys=_modules(current),
        next_module_keys=tuple(one.module_key for one in next_modules(index)),
        waiting_reasons=tuple(waiting_reasons(index)),
        generated_from_state_version=index.run.updated_at,
        generated_at=index.now,
        evidence=evidence(
            index, ("activations", "gates"), steps_missing(index), graph_missing(index), cut_in_brief(index, "at_work")
        ),
    )


def active(index: RunIndex) -> list[Activation]:
    """Steps that run or wait. When a run has ended nothing does, whatever a step last said."""
    if index.has_ended:
        return []
    found = [one for one in index.facts.activations if one.status in {"running", "waiting"}]
    return sorted(found, key=lambda one: one.place)


def one_line(index: RunIndex) -> str:
    run, cost = index.run, total_usd(index)
    parts: list[str] = [run.status]
    if run.status == "failed":
        parts = [f"failed ({run.failure_summary or run.failure_code or 'no reason was given'})"]
    if run.duration_ms is not None and index.has_ended:
        parts.append(f"after {duration(run.duration_ms)}")
    told = [" ".join(parts), listed(said(index), most=7)]
    if cost is not None:
        told.append(money(cost))
    return sentence(f"{index.title}: {'; '.join(one for one in told if one)}")


def _current(index: RunIndex, current: list[Activation]) -> str:
    if index.has_ended:
        return f"Nothing: the run {_ENDINGS[index.run.status]}."
    if not current:
        return "Nothing is reported to be at work."
    running = [index.label(one) for one in current if one.status == "running"]
    told = [f"{listed(running)} {'is' if len(running) == 1 else 'are'} running."] if running else []
    told += [f"{index.label(one)} is waiting. {_why(index, one)}".strip() for one in current if one.status == "waiting"]
    return " ".join(told)


_ENDINGS = {"completed": "is completed", "failed": "has failed", "cancelled": "was cancelled"}


def _next(index: RunIndex, current: list[Activation]) -> str:
    """What a gate holds is known to go on; what else comes, the saved graph says, if there is one."""
    if index.has_ended:
        return "Nothing more will run."
    held = [index.label(one) for one in current if _open_gates(index, one)]
    told = [f"{listed(held)} will go on once {'it is' if len(held) == 1 else 'they are'} decided."] if held else []
    if index.flow:
        told.append(_by_graph(index, index.flow, current))
    return " ".join(told) or "What comes next has not been reported."


def _by_graph(index: RunIndex, flow: Flow, current: list[Activation]) -> str:
    after = f"After {listed(list(dict.fromkeys(index.name(one) for one in current)))}" if current else "Now"
    following = [one.name + (" again" if one.begun else "") for one in next_modules(index)]
    if not following:
        return f"{after} {_nothing(index, flow)}"
    return f"{after} {'comes' if len(following) == 1 else 'come'} {listed(following)}, by the saved graph."


def _nothing(index: RunIndex, flow: Flow) -> str:
    """That nothing more comes is said only where the graph leads no further from anything that has begun."""
    rest = [one.name for one in flow.in_order() if not one.begun]
    if rest:
        return f"it is not known what comes: {listed(rest)} {'has' if len(rest) == 1 else 'have'} not begun."
    if not active(index) and flow.after(_done(index)[:1]):
        return "it is not known whether more comes: the saved graph goes round."
    return "nothing more comes by the saved graph."


def next_modules(index: RunIndex) -> list[SavedModule]:
    """The modules of the saved graph that come next."""
    if index.flow is None or index.has_ended:
        return []
    return coming(index.flow, _modules(active(index)), _done(index))


def _done(index: RunIndex) -> tuple[str, ...]:
    """Modules that did their work last."""
    done = [one for one in index.facts.activations if one.status == "success"]
    done.sort(key=lambda one: (one.completed_at or "", one.place), reverse=True)
    return _modules(done[:RECENT])


def _recent(index: RunIndex) -> str:
    done = [one for one in index.facts.activations if one.status in {"success", "error"} and one.completed_at]
    done.sort(key=lambda one: (one.completed_at or "", one.place))
    if not done:
        return "No step has been reported as done."
    latest = done[-RECENT:]
    good = [index.label(one) for one in latest if one.status == "success"]
    bad = [index.label(one) for one in latest if one.status == "error"]
    told = [f"{listed(good)} completed."] if good else []
    return " ".join([*told, *([f"{listed(bad)} failed."] if bad else [])])


def waiting_reasons(index: RunIndex) -> Iterable[str]:
    for step in active(index):
        if step.status == "waiting":
            reason = _why(index, step) or "It did not say what for."
            yield f"{index.label(step)}: {reason}"


def _why(index: RunIndex, step: Activation) -> str:
    if (gate := decided_gate(index, step)) is not None:
        return f"Its gate was {gate.status.replace('_', ' ')}; it has not been reported to go on."
    told = [sentence(step.waiting_reason)] if step.waiting_reason else []
    return " ".join([*told, *(_asked(index, gate) for gate in _open_gates(index, step))])


def decided_gate(index: RunIndex, step: Activation) -> Gate | None:
    """The gate that a step waited on, where that is decided and it has not said since that it waits."""
    gates = index.gates.get(step.id, [])
    last = max(gates, key=lambda one: (one.decided_at or "", one.gate_key), default=None)
    if last is None or any(one.status == "open" for one in gates):
        return None
    return None if (step.waiting_since or "") > (last.decided_at or "") else last


def _open_gates(index: RunIndex, step: Activation) -> list[Gate]:
    return [gate for gate in index.gates.get(step.id, ()) if gate.status == "open"]


def _asked(index: RunIndex, gate: Gate) -> str:
    what = (gate.gate_kind or "gate").replace("_", " ").capitalize()
    asked = f": {gate.question}" if gate.question else " is open"
    late = ""
    if gate.deadline_at is not None:
        late = f" It {'was' if gate.deadline_at < index.now else 'is'} due by {gate.deadline_at}."
    return f"{sentence(what + asked)}{late}"


def _modules(steps: Iterable[Activation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.module_key for one in steps))
