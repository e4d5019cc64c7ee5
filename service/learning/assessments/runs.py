"""Assessing a run: its facts are read as its asker sees them, examined by the rules, and what was found is kept."""

from graph_schema.learning.assessment_words import AssessmentKind
from graph_schema.library.words import CaseGround
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from service.access.viewer import Viewer
from service.commands import Commands, Outcome, RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.assessments import cypher
from service.learning.assessments.examine import Examined, examine_run
from service.learning.assessments.facts import Assessed, load
from service.learning.assessments.keep import Whole
from service.learning.assessments.rules.every import RULES
from service.learning.assessments.store import Asked, store
from service.learning.errors import NothingToAssess, RunNotRemembered
from service.learning.signals.gate import PRIVATE
from service.routing.decision.context_class import context_class

MOST_WAITING = 200


class RunAssessments:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def assess(
        self, viewer: Viewer, run_id: str, *, proposing: bool = True, command_id: str | None = None
    ) -> Outcome:
        """Assess a run. The same evidence is kept once: asked again, the first assessment is told."""
        about = await self.about(viewer, run_id)
        asked = Asked(
            command="assessRun",
            kind=AssessmentKind.run,
            rules=RULES,
            content={"run": run_id},
            proposing=proposing,
            command_id=command_id,
        )
        examined = examine_run(about)
        return await store(self._commands, viewer, asked, examined, _whole(about, examined))

    async def waiting(self, viewer: Viewer) -> list[str]:
        """Runs that have ended, and whose blueprint has each of its runs assessed."""
        rows = await self._database.read(cypher.TO_ASSESS, most=MOST_WAITING, audiences=viewer.audiences)
        return [row["id"] for row in rows]

    async def examined(self, viewer: Viewer, run_id: str) -> Examined:
        """What would be found, without keeping any of it."""
        return examine_run(await self.about(viewer, run_id))

    async def about(self, viewer: Viewer, run_id: str) -> Assessed:
        loaded = await load(self._database, viewer, run_id)
        if loaded is None:
            raise RecordMissing(RecordRef(id=run_id), "run")
        if loaded.memory_mode in PRIVATE:
            raise RunNotRemembered(loaded.memory_mode)
        facts = loaded.assessed.index.facts
        if not facts.activations and not facts.spans:
            raise NothingToAssess(run_id)
        return loaded.assessed


def _whole(about: Assessed, examined: Examined) -> Whole:
    run, template, task = about.index.run, about.template, about.task
    return Whole(
        name=f"Assessment of {about.index.title}",
        values={
            "run_id": run.id,
            "task_id": task.id if task else None,
            "template_id": template.id if template else None,
            "blueprint_id": run.blueprint_id,
            "graph_version": about.graph.version if about.graph else None,
            "looked_at": _looked_at(about),
        },
        of=[run.id, *(one.id for one in (task, template) if one)],
        signal_values={
            "run_id": run.id,
            "task_id": task.id if task else None,
            "task_type": about.task_type,
            "context_class_key": context_class(about.task_type) if about.task_type else None,
            "emitted_at": run.completed_at,
        },
        signal_key=run.id,
        case=_case(about, examined),
    )


_GROUNDS = (
    *(CaseGround.assessed_highly, CaseGround.intermediate_artifact_reused, CaseGround.edits_reveal_preference),
    *(CaseGround.accepted_with_few_edits, CaseGround.user_created_or_refined, CaseGround.user_reused),
)
"""What says most of a design first."""
_OF_RUN = frozenset({CaseGround.assessed_highly, CaseGround.intermediate_artifact_reused})
"""Grounds that one run has; the others are of its task, which gives one case."""


def _case(about: Assessed, examined: Examined) -> dict[str, str] | None:
    """What a case of it would say, where it is worth one and enough is known."""
    found = {one.found.ground for one in examined.findings}
    ground = next((one for one in _GROUNDS if one in found), None)
    task = f" for {about.task.name}" if about.task else ""
    wanted = about.index.run.workflow_summary or about.index.run.trigger_summary or f"A run{task}."
    if about.task_type is None or ground is None:
        return None
    of = about.id if ground in _OF_RUN or about.task is None else f"{about.task.id}/{ground}"
    return {
        "key": of,
        "active_because": ground.value,
        "name": f"How {about.index.title} was made"[:NAME_LENGTH],
        "task_type": about.task_type,
        "user_intent_summary": wanted,
        "final_blueprint_summary": ", then ".join(about.index.label(one) for one in about.index.steps)[:TEXT_LENGTH],
        "context_class_key": context_class(about.task_type),
    }


def _looked_at(about: Assessed) -> int:
    facts = about.index.facts
    lists = (facts.activations, facts.spans, facts.artifacts, facts.deliveries, facts.snapshots, facts.packets)
    return 1 + sum(len(one) for one in lists)
