"""The parts of a blueprint that a proposal changes: read where a step patches them, and saved as any blueprint is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.learning.proposal_words import Operation
from service.commands import RecordRef, State, Work
from service.learning.errors import StepInvalid
from service.learning.proposals.blueprint_patch import (
    BLUEPRINT,
    KINDS,
    LED,
    NEEDS,
    Parts,
    PatchUnfit,
    operations_of,
    parts_of,
    read_parts,
    text_of,
)
from service.learning.proposals.steps import Content, Step, patched
from service.library.blueprint_saving import opened
from service.library.blueprints import LINKS, BlueprintInput, PartInput

LABEL = "Blueprint"
_NOTHING = BlueprintInput({})


def check_patch(target: State, number: int, value: object) -> None:
    if target.type.label != LABEL:
        raise StepInvalid(number, f"a {target.type.label} is no blueprint", "Name the blueprint that it has.")
    try:
        operations_of(value)
    except PatchUnfit as error:
        raise StepInvalid(number, str(error), "docs/learning.md shows a patch of a blueprint.") from None


def is_saved(target: State, relation: str | None) -> bool:
    """Whether this link of it is in a blueprint's hash, and saved with it."""
    return target.type.label == LABEL and relation in LINKS


async def with_parts(work: Work, target: State, steps: Sequence[Step], content: Content) -> Content:
    """What a blueprint says, with its parts where a step is about them."""
    if not any(one.operation is Operation.patch_blueprint for one in steps):
        return content
    held = (await opened(work, target, _NOTHING)).content_held()
    return replace(content, values={**content.values, BLUEPRINT: text_of(parts_of(held))})


def check_fits(before: Content, steps: Sequence[Step]) -> None:
    """A patch is about the parts that are there."""
    content = before
    for number, one in enumerate(steps, 1):
        try:
            content = patched(content, [one])
        except PatchUnfit as error:
            raise StepInvalid(number, str(error), "Look at the blueprint as it is now.") from None


async def check_saving(work: Work, target: State, before: Content, after: Content) -> None:
    """What a save of the blueprint would refuse is refused when it is proposed."""
    if target.type.label == LABEL and before.values.get(BLUEPRINT) != after.values.get(BLUEPRINT):
        await opened(work, target, _asked({}, read_parts(before.values[BLUEPRINT]), after.values[BLUEPRINT]))


@dataclass(frozen=True, slots=True)
class BlueprintChange:
    """What is to be saved: fields, the parts as text, and links that are made or taken away, by relation and id."""

    values: Mapping[str, Any]
    parts: str | None = None
    made: Sequence[tuple[str, str]] = ()
    gone: Sequence[tuple[str, str]] = ()

    def links(self, held: Mapping[str, Sequence[str]]) -> dict[str, list[RecordRef]]:
        """All that it leads to by each relation that changes."""
        names = {LINKS[relation] for relation, _ in (*self.made, *self.gone)}
        gone = {(LINKS[relation], head) for relation, head in self.gone}
        wanted = {(LINKS[relation], head) for relation, head in self.made}
        wanted |= {(name, head) for name in names for head in held[name]} - gone
        return {name: [RecordRef(id=head) for each, head in sorted(wanted) if each == name] for name in names}


async def save(work: Work, target: State, change: BlueprintChange) -> State:
    """As `saveBlueprint` does, with hash and difference; parts that go stay reachable."""
    held = (await opened(work, target, _NOTHING)).content_held()
    asked = _asked(change.values, parts_of(held), change.parts)
    after, _ = (await opened(work, target, replace(asked, links=change.links(held["links"])))).stored()
    return after


def _asked(values: Mapping[str, Any], held: Parts, text: str | None) -> BlueprintInput:
    """The kinds of parts that differ, each of them whole."""
    wanted = read_parts(text) if text else held
    differ = [name for name in KINDS if [*wanted[name].items()] != [*held[name].items()]]
    return BlueprintInput(dict(values), parts={name: [_part(one) for one in wanted[name].values()] for name in differ})


def _part(told: Mapping[str, Any]) -> PartInput:
    values = {name: one for name, one in told.items() if name not in LED}
    needs = {name: [RecordRef(id=one) for one in told.get(name, ())] for name in NEEDS}
    return PartInput(
        values, bound_modules=told.get("bound_modules", ()), checked_by=told.get("checked_by", ()), **needs
    )
