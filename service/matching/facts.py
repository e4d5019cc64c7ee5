"""One asset, from what a statement says of it."""

from collections.abc import Iterable
from typing import Any

from graph_schema.library_words import CapabilityState, ContractSide, DirectiveKind
from graph_schema.record import LifecycleState
from service import clock
from service.graph.database import Row
from service.matching.records import Asset, Condition, Directive, Likeness, Preference, Request
from service.matching.words import lexical, shared, word_profile
from service.search.words import spoken

_SUPPORTS = ("prefer", "require")


def asset_of(row: Row, request: Request) -> Asset:
    likeness, nearest_phrase = _likeness(row, request)
    inputs, outputs, archetypes, effects = _contracts(row)
    return Asset(
        id=row["id"],
        kind=row["kind"],
        name=row["name"],
        likeness=likeness,
        version=row["version"],
        lifecycle=LifecycleState(row["lifecycle_state"]),
        author_id=row["author_id"],
        nearest_phrase=nearest_phrase,
        task_types=_distinct([row["task_type"]], row["task_types"], row["compatible_task_types"]),
        wrong_task_types=_distinct(row["incompatible_task_types"]),
        expected_inputs=inputs or None,
        expected_outputs=outputs or None,
        output_archetypes=archetypes,
        side_effects=effects,
        requires=_distinct((name for name, _ in row["requires"]), row["connector_requirements"]),
        capability_states=tuple((name, CapabilityState(state)) for name, state in row["requires"] if state),
        memory_modes=tuple(row["memory_modes"]) if row["memory_modes"] else None,
        entity_ids=_distinct(row["entities"]),
        non_use=tuple(Condition(text, _cosine(similarity)) for text, similarity in row["non_use"]),
        directives=tuple(_directive(one) for one in row["directives"]),
        preferences=tuple(_preferences(row, request)),
        usage_count=row["usage_count"] or 0,
        last_used_at=clock.parse(row["last_used_at"]) if row["last_used_at"] else None,
        group=tuple(row["group"]),
    )


def _likeness(row: Row, request: Request) -> tuple[Likeness, str | None]:
    """`nearest` is the likest of all members, the card among them; the phrase is named when it is likest."""
    if row["text"] is None:
        words = shared(row["words"], len(request.said.stems))
    else:
        words = lexical(request.said.stems, word_profile([row["text"], *row["phrases"]]).as_map())
    if not row["current"]:
        return Likeness(None, None, words, 1 + len(row["phrases"]), None), None
    cosine = _cosine(row["similarity"])
    own = _cosine(row["own"]) if row["own"] is not None else cosine
    by_phrase = _cosine(row["nearest"][0]) if row["nearest"] else None
    phrase_wins = by_phrase is not None and own is not None and by_phrase >= own
    nearest = by_phrase if phrase_wins else own
    likeness = Likeness(cosine, nearest, words, row["members"] or 1, row["cohesion"])
    return likeness, row["nearest"][1] if phrase_wins else None


def _cosine(similarity: float | None) -> float | None:
    """Neo4j gives cosines as (1 + cosine) / 2."""
    return None if similarity is None else 2 * similarity - 1


def _contracts(row: Row) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Inputs, outputs, their shapes and side effects: those that the record lists, and those of its blueprint."""
    parts: list[dict[str, Any]] = row["parts"]
    inputs = [one["kind"] for one in parts if one["side"] == ContractSide.input]
    made = [one for one in parts if one["side"] == ContractSide.output]
    return (
        _distinct(row["expected_inputs"], row["expected_input_kinds"], inputs),
        _distinct(row["expected_outputs"], row["expected_output_kinds"], (one["kind"] for one in made)),
        _distinct(row["default_output_archetypes"], (one["archetype"] for one in made)),
        _distinct(row["side_effect_classes"], (one["side_effect_class"] for one in parts)),
    )


def _directive(row: Row) -> Directive:
    return Directive(
        row["id"],
        DirectiveKind(row["directive_kind"]),
        row["phrase_or_condition"],
        row["confidence"],
        LifecycleState(row["lifecycle_state"]),
    )


def _preferences(row: Row, request: Request) -> Iterable[Preference]:
    asked = spoken(request.task_type or "")
    for one in row["preferences"]:
        types = {spoken(type_) for type_ in one["task_types"] or ()}
        if not types or asked in types:
            yield Preference(one["statement"], one["polarity"] in _SUPPORTS)


def _distinct(*lists: Iterable[str | None] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for given in lists for one in given or () if one))
