"""One asset, from what a statement says of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from graph_schema.library.words import CapabilityState, CaseGround, ContractSide, DirectiveKind
from graph_schema.memory.words import RunStatus
from graph_schema.model.record import LifecycleState
from service import clock
from service.graph.database import Row
from service.lexical import lexical, words_of
from service.matching.assets import Asset, Condition, Directive, Likeness, Preference, Purpose
from service.matching.request import Asked
from service.words import spoken

_SUPPORTS = ("prefer", "require")
_Said: TypeAlias = tuple[float | None, str]
_ENDS = frozenset({RunStatus.completed, RunStatus.failed})
_GOALS = ("SERVES_GOAL", "IMPLEMENTS_GOAL", "SUPPORTS_GOAL", "EXPRESSES_GOAL")


def _worth(ended: Sequence[Row]) -> float | None:
    """What its runs came to together, of one each: as they were assessed, else as they ended. None: none was."""
    if not any(one["assessed"] for one in ended):
        return None
    each = (
        one["assessed"]["quality_score"] if one["assessed"] else one["status"] == RunStatus.completed for one in ended
    )
    return round(sum(each), 6)


def _assessed(one: Row) -> Iterator[Row]:
    if one.get("assessed"):
        yield one["assessed"]


def asset_of(row: Row, asked: Asked) -> Asset:
    links = _Links(row)
    likeness, nearest_phrase = _likeness(row, links.phrases(), asked)
    ended = [one for one in row["runs"] if one["status"] in _ENDS]
    ends = [one["status"] for one in ended]
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
        expected_inputs=links.inputs() or None,
        expected_outputs=links.outputs() or None,
        output_archetypes=links.archetypes(),
        side_effects=links.side_effects(),
        possible_side_effects=_distinct(row["possible_side_effect_classes"]),
        steps=tuple(row["steps"] or ()),
        requires=_distinct((one["name"] for one in links.of("REQUIRES")), row["connector_requirements"]),
        capability_states=links.capability_states(),
        memory_modes=tuple(row["memory_modes"]) if row["memory_modes"] else None,
        entity_ids=_distinct(row["matter_ids"], (one["id"] for one in links.of("SCOPED_TO", "CONCERNS", *_GOALS))),
        non_use=tuple(Condition(one["text"], _cosine(one["similarity"])) for one in links.of("REPELS")),
        directives=tuple(_directive(one) for one in links.of("STEERS")),
        preferences=tuple(_preferences(links.of("APPLIES_TO"), asked)),
        completed=ends.count(RunStatus.completed),
        ended=len(ends),
        assessed=sum(one["assessed"] is not None for one in ended),
        worth=_worth(ended),
        assessed_highly=row["active_because"] == CaseGround.assessed_highly,
        usage_count=len(row["runs"]),
        last_used_at=clock.parse(row["runs"][0]["started_at"]) if row["runs"] else None,
        group=links.siblings(),
        imported=row["imported_hash"] is not None,
        sources=links.sources(),
        purpose=purpose_of(row),
    )


def purpose_of(row: Row) -> Purpose:
    lists = (tuple(row[name] or ()) for name in ("document_archetypes", "domain_tags", "expected_outputs"))
    return Purpose(row["task_type"], *lists)


def _likeness(row: Row, phrases: list[_Said], asked: Asked) -> tuple[Likeness, str | None]:
    """`nearest` is the likest of all members, the card among them; the phrase is named when it is likest."""
    known = row["words"] if row["text"] is None else words_of([row["text"], *(text for _, text in phrases)])
    words = lexical(asked.stems, known)
    if not row["current"]:
        return Likeness(None, None, words, 1 + len(phrases), None), None
    own: float = row["similarity"] if row["own"] is None else row["own"]
    by_phrase = max(((one, text) for one, text in phrases if one is not None), default=(0.0, ""))
    nearest = max(own, by_phrase[0])
    likeness = Likeness(
        _cosine(row["similarity"]),
        _cosine(nearest),
        words,
        row["members"] or 1,
        row["cohesion"],
        _cosine(row["second"]),
    )
    return likeness, by_phrase[1] if by_phrase[0] >= own else None


class _Links:
    """What hangs on an asset, or on its blueprint, its graph, its group and its goals."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._of: dict[str, list[Row]] = {}
        for one in row["links"]:
            self._of.setdefault(one["link"], []).append(one)
        # What a directive is limited to is no matter of the asset.
        for one in [further for link in row["links"] if link["link"] != "STEERS" for further in _beyond(link)]:
            self._of.setdefault(one["link"], []).append(one)

    def of(self, *types: str) -> list[Row]:
        return [one for type_ in types for one in self._of.get(type_, ())]

    def phrases(self) -> list[_Said]:
        return [(one["similarity"], one["text"]) for one in self.of("INVOKES")]

    def inputs(self) -> tuple[str, ...]:
        return self._listed("expected_inputs", "expected_input_kinds", more=self._contracts(ContractSide.input, "kind"))

    def outputs(self) -> tuple[str, ...]:
        made = self._contracts(ContractSide.output, "kind")
        return self._listed("expected_outputs", "expected_output_kinds", more=made)

    def archetypes(self) -> tuple[str, ...]:
        return self._listed("default_output_archetypes", more=self._contracts(ContractSide.output, "archetype"))

    def side_effects(self) -> tuple[str, ...]:
        own = [one["side_effect_class"] for one in self.of("HAS_SIDE_EFFECT")]
        of_modules = [effect for one in self.of("OF_TYPE") for effect in one["side_effect_classes"]]
        return self._listed("side_effect_classes", more=[*own, *of_modules])

    def siblings(self) -> tuple[str, ...]:
        return _distinct(one["name"] for group in self.of("IN_GROUP") for one in group["siblings"] or ())

    def sources(self) -> tuple[tuple[str, str], ...]:
        """One record for each audience that anything told of the asset was read from: those have its access."""
        read: dict[str, str] = {}
        for one in [*self._row["links"], *self._row["runs"]]:
            for source in (one, *_assessed(one), *_beyond(one), *(one.get("siblings") or ())):
                if "audience" in source:
                    read.setdefault(source["audience"], source["id"])
        return tuple(sorted(read.items()))

    def capability_states(self) -> tuple[tuple[str, CapabilityState], ...]:
        return tuple((one["name"], CapabilityState(one["state"])) for one in self.of("REQUIRES") if one["state"])

    def _contracts(self, side: ContractSide, field: str) -> Iterable[str | None]:
        return (one[field] for one in self.of("HAS_CONTRACT") if one["side"] == side)

    def _listed(self, *fields: str, more: Iterable[str | None]) -> tuple[str, ...]:
        return _distinct(*(self._row[field] for field in fields), more)


def _beyond(link: Row) -> list[Row]:
    return link.get("beyond") or []


def _cosine(similarity: float | None) -> float | None:
    """Neo4j gives cosines as (1 + cosine) / 2."""
    return None if similarity is None else 2 * similarity - 1


def _directive(row: Row) -> Directive:
    return Directive(
        row["id"],
        DirectiveKind(row["directive_kind"]),
        row["phrase_or_condition"],
        row["confidence"],
        LifecycleState(row["lifecycle_state"]),
        tuple(one["id"] for one in _beyond(row) if one["link"] == "SCOPED_TO") if row["limited"] else None,
        row["meant"],
    )


def _preferences(rows: Iterable[Row], asked: Asked) -> Iterator[Preference]:
    wanted = spoken(asked.request.task_type or "")
    for one in rows:
        types = {spoken(type_) for type_ in one["task_types"] or ()}
        liked = one["statement"] and one["lifecycle_state"] == LifecycleState.active
        if liked and (not types or wanted in types):
            yield Preference(one["statement"], one["polarity"] in _SUPPORTS)


def _distinct(*lists: Iterable[str | None] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for given in lists for one in given or () if one))
