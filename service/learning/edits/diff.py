"""How a saved graph differs from the one that was proposed: the single edits, each of one of the fourteen kinds.

Pure: the same two graphs give the same edits, and a graph compared with itself gives none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, cast

import orjson

from graph_schema.learning.design_words import EditKind as Kind
from service.learning.edits.reading import is_deepening, is_gate, is_grounding, is_judge, is_loop
from service.library.graphs import CableInput, GraphInput, ModuleInput

PROMPTS = ("prompt", "instruction", "instructions", "system_prompt", "user_prompt", "prompt_template", "rubric")
CAPABILITIES = ("capabilities", "tools", "connectors", "mcp_servers", "allowed_capabilities", "skills")
ARTIFACTS = ("artifact_policy", "artifact_intake", "intake_level", "capture_mode", "output_policy", "save_as")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalEdit:
    """One thing that was changed of a proposal."""

    kind: Annotated[Kind, "What kind of change it is."]
    of: Annotated[str, "The module, step or capability that was changed."]
    detail: Annotated[str, "What was changed, in a sentence."]
    before: Annotated[str | None, "What was proposed."] = None
    after: Annotated[str | None, "What was saved."] = None

    def plain(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Design:
    """One side of a comparison. `presets` by module, `needs` by what they are, `policies` by step."""

    graph: GraphInput
    presets: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    content: Mapping[str, Any] | None = None
    """All that the blueprint says, if there is one."""
    template: str | None = None


def edits(proposed: Design, saved: Design) -> tuple[ProposalEdit, ...]:
    """All of them, in a fixed order: by kind, then by what was changed."""
    held, wanted = _modules(proposed.graph), _renamed(proposed.graph, saved.graph)
    found = [
        *_came_and_went(held, wanted),
        *_rewired(proposed.graph, saved.graph, held, wanted),
        *_loops(proposed.graph, saved.graph, held, wanted),
        *(edit for key in sorted(held.keys() & wanted.keys()) for edit in _changed(held[key], wanted[key])),
        *_blueprints(proposed.content, saved.content),
        *_template(proposed.template, saved.template),
    ]
    order = tuple(Kind)
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (order.index(one.kind), one.of, one.detail)))


def kinds_of(found: Iterable[ProposalEdit]) -> tuple[Kind, ...]:
    present = {one.kind for one in found}
    return tuple(one for one in Kind if one in present)


def preset_changes(proposed: Design, saved: Design) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Presets that came, and those that went."""
    held = {one for some in proposed.presets.values() for one in some}
    wanted = {one for some in saved.presets.values() for one in some}
    return tuple(sorted(wanted - held)), tuple(sorted(held - wanted))


def _modules(graph: GraphInput) -> dict[str, ModuleInput]:
    return {one.module_key: one for one in graph.modules}


def _renamed(proposed: GraphInput, saved: GraphInput) -> dict[str, ModuleInput]:
    """The saved modules by what the proposal calls them: one that only has another key is the same."""
    held, wanted = _modules(proposed), _modules(saved)
    left = {key: held[key] for key in sorted(held.keys() - wanted.keys())}
    found: dict[str, ModuleInput] = {}
    for key, one in sorted(wanted.items()):
        same = key if key in held else next((old for old, was in left.items() if _same(was, one)), None)
        if same is not None:
            left.pop(same, None)
        found[same or key] = one
    return found


def _same(one: ModuleInput, other: ModuleInput) -> bool:
    told = (one.purpose, one.config) != (None, None)
    return told and (one.module_type, one.purpose, one.config) == (other.module_type, other.purpose, other.config)


def _came_and_went(held: Mapping[str, ModuleInput], wanted: Mapping[str, ModuleInput]) -> Iterator[ProposalEdit]:
    for key in sorted(wanted.keys() - held.keys()):
        one = wanted[key]
        yield ProposalEdit(kind=Kind.module_added, of=key, detail=f"{_called(one)} was added.", after=one.module_type)
        for kind, is_one in _ROLES:
            if is_one(asdict(one)):
                yield ProposalEdit(kind=kind, of=key, detail=f"{_called(one)} was added.", after=one.module_type)
    for key in sorted(held.keys() - wanted.keys()):
        one = held[key]
        yield ProposalEdit(
            kind=Kind.module_removed, of=key, detail=f"{_called(one)} was taken out.", before=one.module_type
        )


_ROLES = (
    (Kind.human_gate_added, is_gate),
    (Kind.loop_added, is_loop),
    (Kind.judge_added, is_judge),
    (Kind.second_pass_deepening_added, is_deepening),
    (Kind.source_grounding_added, is_grounding),
)


def _rewired(
    proposed: GraphInput, saved: GraphInput, held: Mapping[str, ModuleInput], wanted: Mapping[str, ModuleInput]
) -> Iterator[ProposalEdit]:
    """Cables between modules that both have. What a new or a missing module brings or takes is no rewiring."""
    names = {one.module_key: key for key, one in wanted.items()}
    before = {_ends(one, {}) for one in proposed.cables if one.tail in wanted and one.head in wanted}
    after = {_ends(one, names) for one in saved.cables if {names[one.tail], names[one.head]} <= held.keys()}
    for came, ends in (*((False, one) for one in before - after), *((True, one) for one in after - before)):
        tail, from_port, head, to_port = ends
        told = f"{tail}{f'.{from_port}' if from_port else ''} -> {head}{f'.{to_port}' if to_port else ''}"
        if came or not _bypassed(tail, head, saved, names, held):
            yield ProposalEdit(
                kind=Kind.module_rewired,
                of=f"{tail} -> {head}",
                detail=f"The cable {told} was {'added' if came else 'taken out'}.",
                **{"after" if came else "before": told},
            )


def _bypassed(
    tail: str, head: str, saved: GraphInput, names: Mapping[str, str], held: Mapping[str, ModuleInput]
) -> bool:
    """Whether a cable was only replaced by a way through what was put in between: that is the added module's doing."""
    onwards: dict[str, set[str]] = {}
    for one in saved.cables:
        onwards.setdefault(names[one.tail], set()).add(names[one.head])
    ahead, seen = [one for one in onwards.get(tail, ()) if one not in held], set[str]()
    while ahead:
        here = ahead.pop()
        if here in seen:
            continue
        seen.add(here)
        if head in onwards.get(here, ()):
            return True
        ahead += [one for one in onwards.get(here, ()) if one not in held]
    return False


def _ends(one: CableInput, names: Mapping[str, str]) -> tuple[str, str, str, str]:
    tail, head = names.get(one.tail, one.tail), names.get(one.head, one.head)
    return (tail, one.from_port or "", head, one.to_port or "")


def _loops(
    proposed: GraphInput, saved: GraphInput, held: Mapping[str, ModuleInput], wanted: Mapping[str, ModuleInput]
) -> Iterator[ProposalEdit]:
    names = {one.module_key: key for key, one in wanted.items()}
    before = _in_circles({key: key for key in held}, proposed.cables)
    for circle in _in_circles(names, saved.cables) - before:
        if not any(circle & other for other in before):
            told = ", ".join(sorted(circle))
            yield ProposalEdit(kind=Kind.loop_added, of=min(circle), detail=f"A loop was added: {told}.", after=told)


def _in_circles(names: Mapping[str, str], cables: Sequence[CableInput]) -> set[frozenset[str]]:
    """The sets of modules that lead back to themselves."""
    onwards: dict[str, set[str]] = {}
    for one in cables:
        onwards.setdefault(names[one.tail], set()).add(names[one.head])
    reach = {key: _reached(key, onwards) for key in onwards}
    return {
        frozenset(other for other in reach[key] if key in reach.get(other, ())) for key in reach if key in reach[key]
    }


def _reached(start: str, onwards: Mapping[str, set[str]]) -> set[str]:
    seen, ahead = set[str](), [*onwards.get(start, ())]
    while ahead:
        here = ahead.pop()
        if here not in seen:
            seen.add(here)
            ahead += onwards.get(here, ())
    return seen


def _changed(before: ModuleInput, after: ModuleInput) -> Iterator[ProposalEdit]:
    key, name = before.module_key, _called(after)
    held, wanted = _config(before), _config(after)
    for entry in sorted(held.keys() | wanted.keys()):
        if held.get(entry) == wanted.get(entry):
            continue
        kind = _kind_of(entry)
        if kind is None:
            yield from _listed(key, name, held.get(entry), wanted.get(entry))
        else:
            yield ProposalEdit(
                kind=kind,
                of=key,
                detail=f"{entry} of {name} was changed.",
                before=_told(held.get(entry)),
                after=_told(wanted.get(entry)),
            )
    for entry in ("module_type", "purpose", "autonomy", "disabled"):
        was, is_ = getattr(before, entry), getattr(after, entry)
        if was != is_:
            yield ProposalEdit(
                kind=Kind.config_changed,
                of=key,
                detail=f"{entry.replace('_', ' ')} of {name} was changed.",
                before=_told(was),
                after=_told(is_),
            )
    if is_deepening(asdict(after)) and not is_deepening(asdict(before)):
        yield ProposalEdit(kind=Kind.second_pass_deepening_added, of=key, detail=f"{name} was told to look deeper.")


def _kind_of(entry: str) -> Kind | None:
    """Which kind a setting is of; none for a list of capabilities, of which each is an edit."""
    if entry in CAPABILITIES:
        return None
    if entry in PROMPTS:
        return Kind.prompt_changed
    return Kind.artifact_policy_changed if entry in ARTIFACTS else Kind.config_changed


def _listed(key: str, name: str, before: Any, after: Any) -> Iterator[ProposalEdit]:
    held, wanted = _names(before), _names(after)
    for one in sorted(wanted - held):
        yield ProposalEdit(kind=Kind.capability_added, of=key, detail=f"{name} was given {one}.", after=one)
    for one in sorted(held - wanted):
        yield ProposalEdit(kind=Kind.capability_removed, of=key, detail=f"{one} was taken from {name}.", before=one)


def _names(value: Any) -> set[str]:
    if value is None:
        return set()
    listed = cast("list[Any]", value) if isinstance(value, list) else [value]
    return {one if isinstance(one, str) else orjson.dumps(one, option=orjson.OPT_SORT_KEYS).decode() for one in listed}


def _blueprints(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> Iterator[ProposalEdit]:
    """What the blueprint says otherwise of capabilities and of how far outputs go."""
    if before is None or after is None:
        return
    for name in ("requires", "allows"):
        held, wanted = {*before["links"][name]}, {*after["links"][name]}
        for one in sorted(wanted - held):
            yield ProposalEdit(kind=Kind.capability_added, of=one, detail=f"The blueprint {name} it now.", after=one)
        for one in sorted(held - wanted):
            yield ProposalEdit(
                kind=Kind.capability_removed, of=one, detail=f"The blueprint {name} it no more.", before=one
            )
    pairs = [("blueprint", before["fields"].get("artifact_policy"), after["fields"].get("artifact_policy"))]
    for key in sorted({*before["steps"], *after["steps"]}):
        step = (before["steps"].get(key, {}), after["steps"].get(key, {}))
        pairs.append((key, *(one.get("artifact_policy_override") for one in step)))
    for of, was, is_ in pairs:
        if was != is_:
            yield ProposalEdit(
                kind=Kind.artifact_policy_changed,
                of=of,
                detail="How far its outputs go was changed.",
                before=was,
                after=is_,
            )


def _template(before: str | None, after: str | None) -> Iterator[ProposalEdit]:
    if before is not None and before != after:
        yield ProposalEdit(
            kind=Kind.template_changed,
            of=before,
            detail="The task was made from another template." if after else "The task was made without the template.",
            before=before,
            after=after,
        )


def _config(one: ModuleInput) -> dict[str, Any]:
    value: object = orjson.loads(one.config) if one.config else {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {"config": value}


def _called(one: ModuleInput) -> str:
    return one.name or one.module_key


def _told(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


_MOST = 300
