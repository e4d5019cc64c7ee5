"""Assessing runs, tasks and all tasks, and attaching what assessors outside say."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph_schema.learning.assessment_words import PortfolioScope
from resolvers.engine.loading import RecordInfo, may_read
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import enum_type
from resolvers.generated.inputs import RecordRefInput, input_type
from resolvers.generated.naming import id_of, ids_of
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.records.commands import CommandId
from service.commands import Outcome
from service.learning.assessments.notes import AssessorNoteInput, AssessorNotes
from service.learning.assessments.portfolio import PortfolioAssessments
from service.learning.assessments.propose_action import ProposedActions
from service.learning.assessments.runs import RunAssessments
from service.learning.assessments.tasks import TaskAssessments

Proposing = Annotated[
    bool, strawberry.argument(description="Whether the changes that findings suggest are proposed; they wait.")
]
Scope = Annotated[
    PortfolioScope,
    strawberry.argument(description="Which tasks.", graphql_type=enum_type(PortfolioScope)),
]
Tasks = Annotated[list[RecordRefInput] | None, strawberry.argument(description="The tasks, for selected_tasks.")]
Note = Annotated[
    AssessorNoteInput, strawberry.argument(description="What is said.", graphql_type=input_type(AssessorNoteInput))
]

if TYPE_CHECKING:
    OfAssessment = NotePayload = RecordPayload
    ActionPayload = RecordPayload
else:
    OfAssessment = payload_of("Assessment")
    ActionPayload = payload_of("Proposal", "ProposedActionPayload", "The proposal that was made of it.")
    NotePayload = payload_of("AssessorNote", "AssessorNotePayload", "The text, as it was attached.")


@strawberry.type(description="The assessment, with its findings.")
class AssessmentPayload(OfAssessment):
    known: bool = strawberry.field(default=False, description="Whether the same was found before; that is told then.")
    unproposed: strawberry.Private[tuple[str, ...]] = ()

    @strawberry.field(
        description="What was suggested and could not be proposed, and why; nothing for a key that may not read."
    )
    def refused(self, info: RecordInfo) -> list[str]:
        return [*self.unproposed] if may_read(info) else []


@strawberry.type
class AssessmentMutation:
    @strawberry.mutation(
        description="Assess a run by rules: what went well, what did not, each with the records that show it and what "
        "would be better. What it suggests waits as proposals. Needs curate."
    )
    async def assess_run(
        self,
        info: RecordInfo,
        run: Annotated[RecordRefInput, strawberry.argument(description="The run.")],
        proposing: Proposing = True,
        command_id: CommandId = None,
    ) -> AssessmentPayload:
        found = await id_of(info, run.ref(), "run", "Run")
        outcome = await service_of(info, RunAssessments).assess(
            viewer_of(info), found, proposing=proposing, command_id=command_id
        )
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Review a task without a run of its own: its preflight, how its last runs went, and what they had "
        "in common. What it suggests waits as proposals. Needs curate."
    )
    async def assess_task(
        self,
        info: RecordInfo,
        task: Annotated[RecordRefInput, strawberry.argument(description="The task.")],
        proposing: Proposing = True,
        command_id: CommandId = None,
    ) -> AssessmentPayload:
        found = await id_of(info, task.ref(), "task", "Task")
        outcome = await service_of(info, TaskAssessments).assess(
            viewer_of(info), found, proposing=proposing, command_id=command_id
        )
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Look at all tasks of a scope together: what fails, what is stale, doubled, unused, not judged, "
        "not kept, and what is worth more than it is. It says what would be better, and proposes nothing. Needs curate."
    )
    async def assess_portfolio(
        self,
        info: RecordInfo,
        scope: Scope = PortfolioScope.all_tasks,
        tasks: Tasks = None,
        command_id: CommandId = None,
    ) -> AssessmentPayload:
        selected = await ids_of(info, [one.ref() for one in tasks or ()], "tasks", "Task")
        outcome = await service_of(info, PortfolioAssessments).assess(
            viewer_of(info), scope, selected, command_id=command_id
        )
        return _payload(await settle(info, outcome))

    @strawberry.mutation(
        description="Propose a change that a finding recommends, with the finding as evidence. Nothing of it holds "
        "until it is applied. Needs curate."
    )
    async def propose_action(
        self,
        info: RecordInfo,
        action: Annotated[RecordRefInput, strawberry.argument(description="The recommended change.")],
        rationale: Annotated[str | None, strawberry.argument(description="Why; what was found, when left out.")] = None,
        command_id: CommandId = None,
    ) -> ActionPayload:
        found = await id_of(info, action.ref(), "action", "AssessmentAction")
        outcome = await service_of(info, ProposedActions).propose(
            viewer_of(info), found, rationale, command_id=command_id
        )
        return record_payload(await settle(info, outcome), ActionPayload)

    @strawberry.mutation(
        description="Attach what an assessor outside says, in its own words. No finding is made of it. Needs curate."
    )
    async def attach_assessor_note(
        self,
        info: RecordInfo,
        assessment: Annotated[RecordRefInput, strawberry.argument(description="The assessment that it is on.")],
        note: Note,
        command_id: CommandId = None,
    ) -> NotePayload:
        outcome = await service_of(info, AssessorNotes).attach(
            viewer_of(info), assessment.ref(), note, command_id=command_id
        )
        return record_payload(await settle(info, outcome), NotePayload)


def _payload(outcome: Outcome) -> AssessmentPayload:
    result = outcome.result
    return record_payload(
        outcome, AssessmentPayload, known=result.get("known", False), unproposed=tuple(result.get("refused", ()))
    )
