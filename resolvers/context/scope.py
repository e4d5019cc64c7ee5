"""What a run is about: opening its scope, and reading it."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from graph_schema.context.words import LaunchSurface, SurfacePolicy, TriggerKind
from graph_schema.model.fields import DataClass
from resolvers.engine.loading import RecordInfo, shaped
from resolvers.engine.request import service_of, settle, viewer_of
from resolvers.engine.scalars import Timestamp
from resolvers.generated.construction import optional
from resolvers.generated.inputs import RecordRefInput
from resolvers.generated.payloads import RecordPayload, payload_of, record_payload
from resolvers.generated.views import view_type
from resolvers.records.commands import CommandId
from service.commands import RecordRef
from service.context.scope import (
    EmailEvidence,
    RunScope,
    RunScopes,
    ScheduleEvidence,
    ScopeInput,
    Scopes,
    TriggerEvidence,
)

for _words in (LaunchSurface, SurfacePolicy, TriggerKind, DataClass):
    strawberry.enum(_words, description=(_words.__doc__ or "").strip())


def _said(description: str) -> Any:
    return strawberry.field(default=None, description=description)


@strawberry.input(description="The email that began a run.")
class EmailEvidenceInput:
    account: str | None = _said("The account that it came to: its address or its name. Needed.")
    mailbox: str | None = _said("The folder.")
    message_id: str | None = _said("The message. Needed.")
    thread_id: str | None = _said("The thread.")
    subject: str | None = _said("Its subject.")
    sender: str | None = _said("Who sent it: an address, or a name with an address.")
    recipients: list[str] | None = _said("Who it was sent to.")
    attachments: list[RecordRefInput] | None = _said("Its attachments, entities of the kind document.")
    ingestion_result_refs: list[str] | None = _said("Where the results of reading the attachments are kept.")

    def evidence(self) -> EmailEvidence:
        return EmailEvidence(
            account=self.account,
            mailbox=self.mailbox,
            message_id=self.message_id,
            thread_id=self.thread_id,
            subject=self.subject,
            sender=self.sender,
            recipients=tuple(self.recipients or ()),
            attachments=_refs(self.attachments),
            ingestion_result_refs=tuple(self.ingestion_result_refs or ()),
        )


@strawberry.input(description="The turn of a schedule that began a run.")
class ScheduleEvidenceInput:
    schedule: RecordRefInput = strawberry.field(description="The schedule.")
    run_window_start: Timestamp | None = _said("From when its turn counts. Needed.")
    run_window_end: Timestamp | None = _said("Until when.")

    def evidence(self) -> ScheduleEvidence:
        return ScheduleEvidence(self.schedule.ref(), self.run_window_start, self.run_window_end)


@strawberry.input(description="What began a run. Its evidence decides what the run is about.")
class TriggerEvidenceInput:
    kind: TriggerKind = strawberry.field(description="What kind of event it was.")
    module_key: str | None = _said("The module that took it, as the executor calls it.")
    correlation_key: str | None = _said("What ties it to other events.")
    payload_ref: str | None = _said("Where its payload is kept.")
    payload_summary: str | None = _said("What it said, in a few sentences; of an email, what its body says.")
    source_classification_refs: list[str] | None = _said("Where its classification is kept.")
    email: EmailEvidenceInput | None = _said("The email, when it was one.")
    schedule: ScheduleEvidenceInput | None = _said("The schedule, when it was one.")
    run: RecordRefInput | None = _said("The run whose end began this one.")

    def evidence(self) -> TriggerEvidence:
        return TriggerEvidence(
            kind=self.kind,
            module_key=self.module_key,
            correlation_key=self.correlation_key,
            payload_ref=self.payload_ref,
            payload_summary=self.payload_summary,
            source_classification_refs=tuple(self.source_classification_refs or ()),
            email=self.email.evidence() if self.email else None,
            schedule=self.schedule.evidence() if self.schedule else None,
            run=self.run.ref() if self.run else None,
        )


@strawberry.input(description="What is known of a run's scope when it starts.")
class RunScopeInput:
    run: RecordRefInput = strawberry.field(description="The run. Its start must have been reported.")
    launch_surface: LaunchSurface | None = _said(
        "What it was launched from; without it, what the trigger says, else unknown."
    )
    launch_surface_ref: str | None = _said("Where that surface is kept.")
    surface_context_policy: SurfacePolicy | None = _said(
        "What it takes over from a surface; without it, the default of its launch surface."
    )
    inherited_surfaces: list[RecordRefInput] | None = _said("Surfaces that it inherits; goes with explicit_inherit.")
    selected_surfaces: list[RecordRefInput] | None = _said("Surfaces that the user selected, with explicit_selected.")
    select: list[RecordRefInput] | None = _said("Records that the user picked for it.")
    exclude: list[RecordRefInput] | None = _said(
        "Records that the user keeps out of it; of a matter, all that is in it."
    )
    directives: list[RecordRefInput] | None = _said("Directives that it was invoked by.")
    broad_scope: str | None = _said("What a task of broad scope looks at across matters and libraries.")
    environment: str | None = _said("The task's environment.config, as JSON.")
    task_type: str | None = _said("What type of task it is; without it, that of the task or its template.")
    domains: list[str] | None = _said("Fields of work; without them, those of the template.")
    visibility_ceiling: DataClass | None = _said(
        "The strictest class that its modules may be given; without it, that of the run and of what is bound."
    )
    trigger: TriggerEvidenceInput | None = _said("What began it. Runs that a trigger launched need it.")

    def asked(self) -> ScopeInput:
        return ScopeInput(
            run=self.run.ref(),
            launch_surface=self.launch_surface,
            launch_surface_ref=self.launch_surface_ref,
            surface_context_policy=self.surface_context_policy,
            inherited_surfaces=_refs(self.inherited_surfaces),
            selected_surfaces=_refs(self.selected_surfaces),
            select=_refs(self.select),
            exclude=_refs(self.exclude),
            directives=_refs(self.directives),
            broad_scope=self.broad_scope,
            environment=self.environment,
            task_type=self.task_type,
            domains=tuple(self.domains) if self.domains is not None else None,
            visibility_ceiling=self.visibility_ceiling,
            trigger=self.trigger.evidence() if self.trigger else None,
        )


ScopeArgument = Annotated[RunScopeInput, strawberry.argument(description="What is known of the run's scope.")]
RunArgument = Annotated[RecordRefInput, strawberry.argument(description="The run.")]


if TYPE_CHECKING:
    OpenRunScopePayload = RecordPayload
else:
    OpenRunScopePayload = payload_of("ScopeEnvelope", "OpenRunScopePayload", "The scope that was opened.")


@strawberry.type
class ScopeMutation:
    @strawberry.mutation(
        description="Settle what a run is about, when it starts. A run has one scope: asked again with the same "
        "content, it answers with the same envelope. Needs report."
    )
    async def open_run_scope(
        self,
        info: RecordInfo,
        input: ScopeArgument,  # noqa: A002 - the name in GraphQL
        command_id: CommandId = None,
    ) -> OpenRunScopePayload:
        outcome = await service_of(info, Scopes).open(viewer_of(info), input.asked(), command_id=command_id)
        return record_payload(await settle(info, outcome), OpenRunScopePayload)


@strawberry.type
class ScopeQuery:
    @strawberry.field(
        graphql_type=optional(view_type(RunScope)),
        description="What a run is about, in groups, with what is doubtful and what began it. Null when you may not "
        "see the run or the matters of its scope, and when no scope was opened.",
    )
    async def run_scope(self, info: RecordInfo, run: RunArgument) -> Any:
        found = await service_of(info, RunScopes).of_run(viewer_of(info), run.ref())
        return shaped(info, found)


def _refs(given: list[RecordRefInput] | None) -> tuple[RecordRef, ...]:
    return tuple(one.ref() for one in given or ())
