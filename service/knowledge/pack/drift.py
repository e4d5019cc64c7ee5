"""What has changed since a pack was compiled: pure, from the hashes of its sources and those of now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from service.views import Id


class DriftKind(StrEnum):
    """What has changed."""

    module_added = "module_added"
    module_removed = "module_removed"
    port_changed = "port_changed"
    config_field_changed = "config_field_changed"
    validation_rule_changed = "validation_rule_changed"
    route_changed = "route_changed"
    capability_registry_changed = "capability_registry_changed"
    template_changed = "template_changed"
    preset_changed = "preset_changed"
    spec_hash_changed_without_card_update = "spec_hash_changed_without_card_update"
    card_source_missing = "card_source_missing"
    eval_regression = "eval_regression"


class DriftSeverity(StrEnum):
    """How much it matters."""

    info = "info"
    warning = "warning"
    blocking = "blocking"


class DriftRemedy(StrEnum):
    """What to do about it."""

    regenerate_pack = "regenerate_pack"
    manual_card_review = "manual_card_review"
    run_eval_suite = "run_eval_suite"
    block_activation = "block_activation"
    accept_noop = "accept_noop"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeDrift:
    """A source that is not as it was when the pack was compiled."""

    kind: Annotated[DriftKind, "What has changed."]
    source_ref: Annotated[str, "The source."]
    severity: Annotated[DriftSeverity, "How much it matters."]
    remediation: Annotated[DriftRemedy, "What to do about it."]
    affected_cards: Annotated[tuple[Id, ...], "Cards of the pack that were made from it."]


_K, _S, _R = DriftKind, DriftSeverity, DriftRemedy
SEVERITY = {
    _K.module_added: (_S.warning, _R.regenerate_pack),
    _K.module_removed: (_S.blocking, _R.regenerate_pack),
    _K.port_changed: (_S.blocking, _R.regenerate_pack),
    _K.config_field_changed: (_S.warning, _R.regenerate_pack),
    _K.validation_rule_changed: (_S.warning, _R.regenerate_pack),
    _K.route_changed: (_S.info, _R.accept_noop),
    _K.capability_registry_changed: (_S.info, _R.regenerate_pack),
    _K.template_changed: (_S.info, _R.regenerate_pack),
    _K.preset_changed: (_S.info, _R.regenerate_pack),
    _K.spec_hash_changed_without_card_update: (_S.warning, _R.manual_card_review),
    _K.card_source_missing: (_S.warning, _R.manual_card_review),
    _K.eval_regression: (_S.warning, _R.run_eval_suite),
}
_BY_KIND = {
    "ports": _K.port_changed,
    "fields": _K.config_field_changed,
    "code": _K.validation_rule_changed,
    "operations": _K.route_changed,
    "control": _K.route_changed,
    "capability": _K.capability_registry_changed,
    "template": _K.template_changed,
    "preset": _K.preset_changed,
}


def drift(
    before: Mapping[str, str], now: Mapping[str, str], cards: Mapping[str, tuple[str, ...]]
) -> Iterator[KnowledgeDrift]:
    """`cards`: ids of cards by the source that they were made from."""
    for ref in sorted(before.keys() | now.keys()):
        if before.get(ref) != now.get(ref):
            kind = _kind(ref, ref in before, ref in now, before, now)
            if kind is not None:
                # Nothing was made from a document: it is only looked up.
                severity, remedy = (_S.info, _R.accept_noop) if ref.startswith("document ") else SEVERITY[kind]
                yield KnowledgeDrift(
                    kind=kind,
                    source_ref=ref,
                    severity=severity,
                    remediation=remedy,
                    affected_cards=cards.get(ref, ()),
                )


def evaluated(run: Mapping[str, Any]) -> Iterator[KnowledgeDrift]:
    """What the latest run of a suite on this pack met less than the one before."""
    if run["regressions"]:
        severity, remedy = SEVERITY[_K.eval_regression]
        yield KnowledgeDrift(
            kind=_K.eval_regression,
            source_ref=f"evaluation {run['id']}",
            severity=severity,
            remediation=remedy,
            affected_cards=(),
        )


def _kind(
    ref: str, was: bool, there: bool, before: Mapping[str, str], now: Mapping[str, str]
) -> DriftKind | None:  # fmt: skip
    part, _, subject = ref.partition(" ")
    if part == "module":
        changed = _K.spec_hash_changed_without_card_update
        return changed if was and there else _K.module_removed if was else _K.module_added
    if part in ("ports", "fields") and not (f"module {subject}" in before and f"module {subject}" in now):
        return _K.module_removed if was else None  # the module itself came or went, which is told once
    if not there and part not in ("template", "preset", "capability"):
        return _K.card_source_missing
    return _BY_KIND.get(part, _K.spec_hash_changed_without_card_update)
