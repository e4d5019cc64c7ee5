"""What a module reads of a record: a few lines from its own fields, never a document's body."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from embeddings.tokens import Counter
from service.context.packets.rendering import block
from service.words import stems

MOST = 2_000
_CUT = "…"
Values = Mapping[str, Any]


def text_of(label: str, values: Values) -> str:
    """The lines about a record, bounded. Its name stands apart."""
    lines = _BY_LABEL.get(label, _summary)(values)
    said = "\n".join(line for line in lines if line)
    return said if len(said) <= MOST else said[: MOST - 1] + _CUT


def is_cut(text: str) -> bool:
    """Whether a text is only the beginning of what there was."""
    return len(text) == MOST and text.endswith(_CUT)


class Said(NamedTuple):
    """What is known of a text: what it takes, and the words of its name and of the whole."""

    tokens: int
    text_hash: str
    of_name: frozenset[str]
    of_text: frozenset[str]


@lru_cache(maxsize=10_000)
def said_by(counter: Counter, label: str, name: str, record_id: str, text: str) -> Said:
    """The same records are considered for module after module, so this is worth keeping."""
    return Said(
        counter.count(block(name, label, record_id, text)),
        hashlib.sha256(text.encode()).hexdigest()[:16],
        stems(name),
        stems(f"{name}\n{text}"),
    )


def _summary(values: Values) -> list[str]:
    return [values.get("summary") or values.get("description") or values.get("purpose") or ""]


def _entity(values: Values) -> list[str]:
    kind = str(values.get("kind", "")).replace("_", " ")
    pages = f"{values['page_count']} pages" if values.get("page_count") else ""
    kept = f"kept at {values['storage_ref']}" if values.get("storage_ref") else ""
    facts = ", ".join(one for one in (kind, str(values.get("media_type") or ""), pages, kept) if one)
    held: list[Values] = values.get("parts") or []
    parts = [f"- {one['name']} ({one['id']}): {_entity(one)[0]}" for one in held]
    return [facts, values.get("summary") or "", _also(values.get("aliases")), *parts]


def _also(aliases: Sequence[str] | None) -> str:
    return f"also called {', '.join(aliases)}" if aliases else ""


def _standing(values: Values) -> list[str]:
    steps = [f"{place}. {step}" for place, step in enumerate(values.get("steps") or [], 1)]
    why = f"because: {values['rationale']}" if values.get("rationale") else ""
    return [values.get("statement") or "", *steps, why]


def _capability(values: Values) -> list[str]:
    effects: list[str] = values.get("side_effect_classes") or []
    return [
        str(values.get("capability_kind", "")).replace("_", " "),
        values.get("summary") or "",
        f"acts on the outside world: {', '.join(effects)}" if effects else "",
    ]


def _goal(values: Values) -> list[str]:
    return [values.get("goal_statement") or "", *(values.get("success_criteria") or [])]


def _blueprint(values: Values) -> list[str]:
    reviews = [f"a person looks: {one}" for one in values.get("reviews") or ()]
    return [values.get("business_or_personal_goal") or "", values.get("description") or "", *reviews]


def _run(values: Values) -> list[str]:
    when = str(values.get("started_at") or "")[:10]
    return [" ".join(one for one in (str(values.get("status", "")), when) if one), values.get("workflow_summary") or ""]


def _trigger(values: Values) -> list[str]:
    sender = f"sent by {values['sender']}" if values.get("sender") else ""
    key = f"correlation key {values['correlation_key']}" if values.get("correlation_key") else ""
    return [
        str(values.get("trigger_kind", "")),
        values.get("email_account") or "",
        sender,
        values.get("thread_subject") or "",
        key,
        values.get("payload_summary") or "",
        _turn(values),
    ]


def _turn(values: Values) -> str:
    """The turn of a schedule that began the run."""
    start, end = values.get("run_window_start"), values.get("run_window_end")
    return f"for the turn from {start}{f' to {end}' if end else ''}" if start else ""


def _schedule(values: Values) -> list[str]:
    carried = "what the run before was about is taken over" if values.get("carry_forward_scope_from_prior_run") else ""
    return [f"recurs: {values['recurrence_rule']}", values.get("summary") or "", carried]


def _policy(values: Values) -> list[str]:
    levels = [f"{name}: {values[name]}" for name in ("task_default", "final_output_default") if values.get(name)]
    review = "a person is asked before outputs go beyond the run" if values.get("review_required") else ""
    return [*levels, review, values.get("rationale") or ""]


_BY_LABEL: dict[str, Callable[[Values], list[str]]] = {
    "Entity": _entity,
    "Preference": _standing,
    "Restriction": _standing,
    "Procedure": _standing,
    "Memory": _standing,
    "Criterion": _standing,
    "Capability": _capability,
    "Goal": _goal,
    "Blueprint": _blueprint,
    "Run": _run,
    "Trigger": _trigger,
    "Schedule": _schedule,
    "Policy": _policy,
}
