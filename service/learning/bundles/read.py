"""What was drawn from one source, as far as its reader may see: an extraction bundle. A query: it stores nothing."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import orjson

from graph_schema.learning.proposal_words import ProposalState
from graph_schema.model.record import LifecycleState
from graph_schema.registry import REGISTRY
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing, WrongKind
from service.graph.database import Database
from service.learning.bundles import cypher
from service.views import Id, Linked

MOST = 500


class ExtractionSource(StrEnum):
    """What something is drawn from."""

    task_creation_session = "task_creation_session"
    task_run = "task_run"
    task_assessment = "task_assessment"
    user_refined_task = "user_refined_task"
    template_update = "template_update"
    manual_architect_note = "manual_architect_note"


SOURCES: Mapping[str, ExtractionSource] = {
    "DesignSession": ExtractionSource.task_creation_session,
    "Run": ExtractionSource.task_run,
    "Assessment": ExtractionSource.task_assessment,
    "Task": ExtractionSource.user_refined_task,
    "Template": ExtractionSource.user_refined_task,
    "Proposal": ExtractionSource.template_update,
    "AssessorNote": ExtractionSource.manual_architect_note,
}
_OF_TEMPLATES = frozenset({"Template", "Task", "Blueprint", "TemplateGroup"})
_WAITING = frozenset({ProposalState.candidate.value, ProposalState.staged.value, ProposalState.approved.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDesignExtractionBundle:
    """What was drawn from one source, and whether somebody has to look at it yet."""

    bundle_id: Annotated[str, "The same content has the same id."]
    source_kind: Annotated[ExtractionSource, "What it was drawn from."]
    source_id: Annotated[Id, "Id of that."]
    case_ids: Annotated[tuple[Id, ...], "Ids of the cases of design."]
    pattern_ids: Annotated[tuple[Id, ...], "Ids of the shapes that its signals speak of."]
    user_preference_ids: Annotated[tuple[Id, ...], "Ids of what the user said that they like."]
    goal_link_ids: Annotated[tuple[Id, ...], "Ids of the goals that it serves, states or tells about."]
    template_update_ids: Annotated[tuple[Id, ...], "Ids of proposals about templates, tasks, groups and blueprints."]
    preset_update_ids: Annotated[tuple[Id, ...], "Ids of proposals about presets."]
    other_update_ids: Annotated[tuple[Id, ...], "Ids of proposals about anything else."]
    signal_ids: Annotated[tuple[Id, ...], "Ids of the signals that it gave."]
    confidence: Annotated[
        float, "How much of the evidence of its proposals speaks for them, smoothed; one half of none."
    ]
    review_required: Annotated[bool, "Whether any of it waits for a person."]
    source: ClassVar = Linked("source_id", "What it was drawn from.")
    records: ClassVar = Linked("linked_ids", "All records of the bundle.", many=True)

    @property
    def linked_ids(self) -> list[str]:
        lists = (self.case_ids, self.pattern_ids, self.user_preference_ids, self.goal_link_ids, self.signal_ids)
        lists += (self.template_update_ids, self.preset_update_ids, self.other_update_ids)
        return list(dict.fromkeys(one for some in lists for one in some))


class ExtractionBundles:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, ref: RecordRef) -> TaskDesignExtractionBundle:
        row = await self._database.read_one(cypher.BUNDLE, id=ref.id, most=MOST, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(ref, "of")
        label = REGISTRY.label_of(row["labels"])
        if label not in SOURCES:
            raise WrongKind(ref, "of", " or ".join(SOURCES), label)
        return _bundle(str(ref.id), SOURCES[label], row)


def _bundle(source_id: str, kind: ExtractionSource, row: Mapping[str, Any]) -> TaskDesignExtractionBundle:
    proposals: Sequence[Mapping[str, Any]] = row["proposals"]
    found = TaskDesignExtractionBundle(
        bundle_id="",
        source_kind=kind,
        source_id=source_id,
        case_ids=_ids(row["cases"]),
        pattern_ids=tuple(row["patterns"]),
        user_preference_ids=_ids(row["statements"]),
        goal_link_ids=tuple(row["goals"]),
        template_update_ids=_ids(one for one in proposals if one["target_kind"] in _OF_TEMPLATES),
        preset_update_ids=_ids(one for one in proposals if one["target_kind"] == "Preset"),
        other_update_ids=_ids(one for one in proposals if one["target_kind"] not in {*_OF_TEMPLATES, "Preset"}),
        signal_ids=tuple(row["signals"]),
        confidence=_confidence(proposals),
        review_required=_waits(row),
    )
    digest = hashlib.sha256(orjson.dumps(asdict(found), option=orjson.OPT_SORT_KEYS)).hexdigest()
    return replace(found, bundle_id=f"bundle_{digest[:32]}")


def _ids(rows: Any) -> tuple[str, ...]:
    return tuple(one["id"] for one in rows)


def _confidence(proposals: Sequence[Mapping[str, Any]]) -> float:
    support, counter = (sum(one[name] for one in proposals) for name in ("support_count", "counter_count"))
    return round((support + 1) / (support + counter + 2), 4)


def _waits(row: Mapping[str, Any]) -> bool:
    learned = (*row["cases"], *row["statements"])
    return any(one["lifecycle_state"] == LifecycleState.candidate for one in learned) or any(
        one["proposal_state"] in _WAITING for one in row["proposals"]
    )
