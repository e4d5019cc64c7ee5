"""How two reports differ, section by section: pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, cast

from service.knowledge.preflight.report import PreflightReport

SECTIONS = (
    *("graph_hash", "blueprint_hash", "memory_mode", "static_validation", "input_readiness", "capability_readiness"),
    *("context_preview", "policy_and_side_effects", "artifact_intake_preview", "cost_estimate", "duration_estimate"),
    *("checkpoint_coverage", "test_results", "simulation"),
)
_CALLED = ("module_key", "capability_id", "name", "side_effect_class", "test", "word")
"""What tells an entry of a section from the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightChange:
    """Something that a report says otherwise than another."""

    section: Annotated[str, "The section of the report."]
    of: Annotated[str | None, "The module, input, capability or other entry that it is about; null for the whole."]
    what: Annotated[str, "What is said of it."]
    then: Annotated[str | None, "What was said; null where nothing was."]
    now: Annotated[str | None, "What is said now; null where nothing is."]


def changes(then: PreflightReport, now: PreflightReport) -> tuple[PreflightChange, ...]:
    """What the sections say otherwise. Issues are compared by their codes, and for themselves."""
    return tuple(one for section in SECTIONS for one in _of_section(section, then, now))


def _of_section(section: str, then: PreflightReport, now: PreflightReport) -> Iterator[PreflightChange]:
    before, after = dict(_said(getattr(then, section))), dict(_said(getattr(now, section)))
    for place in sorted(before.keys() | after.keys()):
        if before.get(place) != after.get(place):
            of, what = place
            yield PreflightChange(
                section=section, of=of or None, what=what or section, then=before.get(place), now=after.get(place)
            )


def _said(told: Any, of: str = "") -> Iterator[tuple[tuple[str, str], str]]:
    """Every value by the entry that it is of and what it is called."""
    if parts := _parts(told):
        for one in parts:
            yield from _said(one, " ".join(filter(None, (of, _called(one)))))
    elif is_dataclass(told):
        for name, value in _values(told).items():
            if name not in _CALLED:
                yield from _said(value, of) if _parts(value) else [((of, name), _shown(value))]
    elif told is not None:
        yield (of, ""), _shown(told)


def _parts(value: Any) -> tuple[Any, ...]:
    """The entries of a list of them."""
    several = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else ()
    return several if any(is_dataclass(one) for one in several) else ()


def _values(told: Any) -> Mapping[str, Any]:
    return {one.name: value for one in fields(told) if (value := getattr(told, one.name)) is not None}


def _called(one: Any) -> str:
    return " ".join(str(value) for name in _CALLED if (value := getattr(one, name, None)) is not None)


def _shown(value: Any) -> str:
    return ", ".join(map(str, cast("tuple[Any, ...]", value))) if isinstance(value, tuple) else str(value)
