"""What a section adds up, from records as they are shown: it cannot tell more than they do."""

from collections import defaultdict
from typing import Any

Shown = dict[str, Any]
MICROS = 1_000_000


def costs(records: list[Shown]) -> Shown:
    steps = [one for one in records if one["kind"] == "Activation"]
    run = next((one for one in records if one["kind"] == "Run"), Shown())
    return {
        "cost_usd": run.get("cost_usd"),
        "duration_ms": run.get("duration_ms"),
        "steps_cost_usd": _cost(steps),
        "by_module": _grouped(steps, "module_key"),
        "by_model": _grouped(steps, "model_ref"),
    }


def models(records: list[Shown]) -> list[Shown]:
    """Each pair of model and agent, and what they did."""
    steps = [one for one in records if one["kind"] == "Activation"]
    pairs: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    for one in steps:
        pairs[one.get("model_ref") or "", one.get("agent_ref") or ""].append(one)
    return [
        {"model_ref": model or None, "agent_ref": agent or None, **_sum(pairs[model, agent])}
        for model, agent in sorted(pairs)
        if model or agent
    ]


def _grouped(steps: list[Shown], name: str) -> list[Shown]:
    groups: dict[str, list[Shown]] = defaultdict(list)
    for one in steps:
        groups[one.get(name) or ""].append(one)
    return [{name: key or None, **_sum(groups[key])} for key in sorted(groups)]


def _sum(steps: list[Shown]) -> Shown:
    return {
        "activations": len(steps),
        "cost_usd": _cost(steps),
        "duration_ms": sum(one.get("duration_ms", 0) for one in steps),
        "input_tokens": sum(one.get("input_tokens", 0) for one in steps),
        "output_tokens": sum(one.get("output_tokens", 0) for one in steps),
        "fallbacks": sum(bool(one.get("fallback_used")) for one in steps),
    }


def _cost(steps: list[Shown]) -> float:
    """In whole millionths: a sum of floats would depend on their order."""
    return sum(round(one.get("cost_usd", 0) * MICROS) for one in steps) / MICROS
