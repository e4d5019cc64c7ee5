"""What must hold of a domain's rules beyond their model: they can be read, and do no more than rules may."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graph_schema.attention.words import AttentionMoment, AttentionRuleKind
from service.attention.errors import RuleInvalid
from service.attention.rules.language import RuleUnreadable, check_command, check_text, condition, conditional
from service.attention.rules.policies import our_rules

Values = Mapping[str, Any]

_NAME = re.compile(r"[A-Z][A-Z0-9_]*_v\d+")
_TEXTS = ("summary", "detail", "hint", "why", "focus_id")


def check_rule(_before: Values | None, after: Values) -> None:
    ours = our_rules()
    if not _NAME.fullmatch(after["rule_id"]):
        raise RuleInvalid("rule_id", "a rule is named with its version, such as POLICY_LOW_STOCK_v1")
    if after["rule_id"] in {one.rule_id for one in (*ours.detections, *ours.policies)}:
        raise RuleInvalid("rule_id", "this is a rule that comes with us")
    if after["rule_kind"] == AttentionRuleKind.detect:
        _check_detection(after)
    else:
        _check_policy(after)


def _check_detection(rule: Values) -> None:
    if not rule["components"]:
        raise RuleInvalid("components", "what makes a moment is said for components; ours hold for all")
    if rule.get("seconds") is None and rule.get("least") is None:
        raise RuleInvalid("seconds", "say the window, or how many events make it one")


def _check_policy(rule: Values) -> None:
    if not rule["summary"].strip():
        raise RuleInvalid("summary", "a rule says something")
    if rule["finding_kinds"] and rule["moment"] != AttentionMoment.finding:
        raise RuleInvalid("finding_kinds", "only findings have kinds")
    for name in _TEXTS:
        _read(name, [rule.get(name) or ""], check_text)
    _read("evidence_refs", rule["evidence_refs"], check_text)
    _read("conditions", rule["conditions"], condition)
    _read("view_commands", rule["view_commands"], lambda text: check_command(conditional(text).text))
    _read("urgency", rule["urgency"], _check_urgency)


def _check_urgency(text: str) -> None:
    try:
        value = float(conditional(text).text)
    except ValueError:
        raise RuleUnreadable(f"{text[:60]!r} is no number such as 0.5, or 0.7 if confidence > 0.8") from None
    if not 0 <= value <= 1:
        raise RuleUnreadable(f"{value:g} is not between 0 and 1")


def _read(field: str, texts: Sequence[str], check: Callable[[str], object]) -> None:
    for one in texts:
        try:
            check(one)
        except RuleUnreadable as error:
            raise RuleInvalid(field, str(error)) from None
