"""Saving blueprints: the inputs of a blueprint and its parts are made from the registry."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.registry import REGISTRY
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.generated.construction import Member, optional
from resolvers.generated.inputs import RecordRefInput, fields_input, values_of
from resolvers.generated.naming import placed
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.library.blueprints import LINKS, PARTS, STEPS, BlueprintInput, PartInput, PartKind
from service.library.commands import Library
from service.library.diffs import BlueprintDiff, BlueprintDiffs

_ACCESS = {"data_class", "matter_ids", "source", "source_key"}
_STEP_MORE: dict[str, tuple[Any, str]] = {
    "bound_modules": (list[str], "Keys of the modules that do it, of the graph of the task or template."),
    "checked_by": (list[str], "Statements of the criteria that it is judged by."),
    "requires": (list[RecordRefInput], "Capabilities that it cannot do without."),
    "allows": (list[RecordRefInput], "Capabilities that it may use."),
    "denies": (list[RecordRefInput], "Capabilities that it must not use."),
    "goals": (list[RecordRefInput], "Goals that it serves."),
}
_TOLD = {
    "steps": "Its steps, in order.",
    "contracts": "What it takes and makes.",
    "criteria": "What its result is judged by.",
    "review_points": "Where a person looks.",
    "side_effects": "What it does to the outside world.",
    "goals": "Goals that it states.",
    "requires": "Capabilities that it cannot do without.",
    "allows": "Capabilities that it may use.",
    "denies": "Capabilities that it must not use.",
}


def _own(kind: PartKind) -> list[str]:
    return [name for name, one in REGISTRY.types[kind.label].fields.items() if one.authored and name not in _ACCESS]


def _part_input(kind: PartKind) -> Any:
    model = REGISTRY.types[kind.label]
    own = _own(kind)
    more = _STEP_MORE if kind.name == "steps" else {}
    return fields_input(model, f"{kind.label}Input", f"What to save of: {model.description}", own, _members(more))


def _revision_input() -> Any:
    told = "What a step says otherwise. Left out stays as it is, and so does what the step leads to."
    return fields_input(REGISTRY.types[STEPS.label], "StepRevisionInput", told, _own(STEPS), [])


def _blueprint_input() -> Any:
    model = REGISTRY.types["Blueprint"]
    own = [name for name, one in model.fields.items() if one.authored]
    more: dict[str, tuple[Any, str]] = {"id": (strawberry.ID, "Id of the blueprint to change.")}
    more |= {kind.name: (list[_part_input(kind)], _TOLD[kind.name]) for kind in PARTS}
    more |= {name: (list[RecordRefInput], _TOLD[name]) for name in LINKS.values()}
    more["revised_steps"] = (
        list[_revision_input()],
        "Steps that say something else, by their key; the others stay. Not beside `steps`.",
    )
    more["matters"] = (list[RecordRefInput], "Matters by what their owner calls them, beside the ids or instead.")
    more["rationale"] = (str, "Why it is changed; kept with the difference.")
    more["evidence_refs"] = (list[str], "Where the evidence for the change is kept.")
    told = "What to save of a blueprint. Left out stays as it is; a list that is given is the whole of it."
    return fields_input(model, "BlueprintInput", told, own, _members(more))


def _members(more: dict[str, tuple[Any, str]]) -> list[Member]:
    return [Member(name, optional(kind), told) for name, (kind, told) in more.items()]


BLUEPRINT_INPUT: Any = _blueprint_input()

if TYPE_CHECKING:
    Blueprint = Any
    OfBlueprint = RecordPayload
else:
    OfBlueprint = payload_of("Blueprint")
    Blueprint = Annotated[BLUEPRINT_INPUT, strawberry.argument(description="What to save.")]


@strawberry.type(description="The blueprint that was saved.")
class SaveBlueprintPayload(OfBlueprint):
    blueprint_hash: str | None = strawberry.field(default=None, description="Hash of the blueprint and its parts.")


@strawberry.type
class BlueprintQuery:
    @strawberry.field(
        graphql_type=view_type(BlueprintDiff),
        description="How two blueprints differ, or two versions of one; each as it is now unless a version is given.",
    )
    async def blueprint_diff(
        self,
        info: RecordInfo,
        prior: Annotated[RecordRefInput, strawberry.argument(description="The Blueprint to compare with.")],
        candidate: Annotated[RecordRefInput, strawberry.argument(description="The Blueprint that is compared.")],
        prior_version: Annotated[int | None, strawberry.argument(description="Which version of the prior one.")] = None,
        candidate_version: Annotated[
            int | None, strawberry.argument(description="Which version of the candidate.")
        ] = None,
    ) -> Any:
        found = await service_of(info, BlueprintDiffs).between(
            viewer_of(info), prior.ref(), candidate.ref(), (prior_version, candidate_version)
        )
        return shaped(info, found)


@strawberry.type
class BlueprintMutation:
    @strawberry.mutation(
        description="Create or change a blueprint with its parts; its difference to before is kept. Needs curate."
    )
    async def save_blueprint(
        self,
        info: RecordInfo,
        input: Blueprint,  # noqa: A002 - the name in GraphQL
        of: Annotated[
            RecordRefInput | None,
            strawberry.argument(
                description="The Task or Template that it is the intent of. Without an id or source key "
                "the blueprint that it has is changed."
            ),
        ] = None,
        command_id: CommandId = None,
    ) -> SaveBlueprintPayload:
        asked = await asked_blueprint(info, input, of)
        outcome = await service_of(info, Library).save_blueprint(viewer_of(info), asked, command_id=command_id)
        await settle(info, outcome)
        digest = outcome.result.get("blueprint_hash")
        return record_payload(outcome, SaveBlueprintPayload, blueprint_hash=digest)


async def asked_blueprint(info: RecordInfo, given: Any, of: RecordRefInput | None = None) -> BlueprintInput:
    """What is to be saved, as the library takes it."""
    values = await placed(info, values_of(given))
    parts = {kind.name: [_part(one) for one in values.pop(kind.name) or ()] for kind in PARTS if kind.name in values}
    links = {name: _refs(values.pop(name)) for name in LINKS.values() if name in values}
    return BlueprintInput(
        record_id=values.pop("id", None),
        of=of.ref() if of else None,
        parts=parts,
        links=links,
        revised=[values_of(one) for one in values.pop("revised_steps", None) or ()],
        rationale=values.pop("rationale", None),
        evidence_refs=values.pop("evidence_refs", None) or (),
        values=values,
    )


def _part(given: Any) -> PartInput:
    values = values_of(given)
    return PartInput(
        bound_modules=values.pop("bound_modules", None) or (),
        checked_by=values.pop("checked_by", None) or (),
        requires=_refs(values.pop("requires", None)),
        allows=_refs(values.pop("allows", None)),
        denies=_refs(values.pop("denies", None)),
        goals=_refs(values.pop("goals", None)),
        values=values,
    )


def _refs(given: list[RecordRefInput] | None) -> list[Any]:
    return [one.ref() for one in given or ()]
