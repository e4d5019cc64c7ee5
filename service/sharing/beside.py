"""What somebody who signs in can do beside a link: copy a task, comment, propose a change, ask for more."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from graph_schema.context.words import FeedbackTarget, FeedbackVerdict
from graph_schema.learning.design_words import CreationMode
from graph_schema.learning.proposal_words import Operation, ProposalKind
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH, DataClass
from graph_schema.sharing.words import ShareEventKind, SharePermission, ShareRequestKind
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid, TextTooLong
from service.errors import TaskloreError
from service.learning.creation.risk import risky
from service.learning.errors import NotWanted, ProposedAlready, RejectedBefore
from service.learning.proposals.inputs import ProposalInput, ProposalStep
from service.learning.proposals.propose import origin_of, propose
from service.library.commands import content_of
from service.library.graphs import CableInput, GraphInput, ModuleInput
from service.library.snapshots import plan_graph
from service.memory.audit.load import Story
from service.records import Hooks, rules
from service.records.lifecycle import prepared
from service.sharing.commands import check_person
from service.sharing.errors import DEFERRED, CopyNeedsMatter, CopyTellsTooLittle, ProposalKnown, ProposalNotTold
from service.sharing.events import note
from service.sharing.opening import Open, Reader, SharedDoor
from service.sharing.permissions import COMMENT, COPY, PROPOSE, check_action
from service.views import Id, OrNull

_REQUESTED: Mapping[ShareRequestKind, ShareEventKind] = {
    ShareRequestKind.run_task: ShareEventKind.task_run_requested,
    ShareRequestKind.file_access: ShareEventKind.file_access_requested,
    ShareRequestKind.memory_access: ShareEventKind.memory_access_requested,
    ShareRequestKind.capability_mount: ShareEventKind.capability_mount_requested,
    ShareRequestKind.external_send: ShareEventKind.external_send_requested,
}
_ABOUT = {
    "Run": FeedbackTarget.shared_run,
    "Task": FeedbackTarget.shared_task,
    "Artifact": FeedbackTarget.shared_artifact,
}
_VALUES = frozenset({Operation.set_value, Operation.add_to_list, Operation.remove_from_list})


@dataclass(frozen=True, slots=True, kw_only=True)
class CopySharedTaskInput:
    """A task of your own, made of what a share tells of one."""

    secret: Annotated[str, "The secret of the link."]
    name: Annotated[str | None, "What to call it; as the shared one, unless given."] = None
    matter_ids: Annotated[OrNull[tuple[Id, ...]], "Your matters that it belongs to."] = ()
    matters: Annotated[OrNull[tuple[RecordRef, ...]], "The same by what their owner calls them."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCommentInput:
    """What you think of what a share tells; its sender reads it."""

    secret: Annotated[str, "The secret of the link."]
    comment: Annotated[str, "What you say."]
    feedback: Annotated[FeedbackVerdict | None, "In a word, if one fits."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedProposalInput:
    """A change of the shared task that you propose; its sender's people decide about it."""

    secret: Annotated[str, "The secret of the link."]
    steps: Annotated[tuple[ProposalStep, ...], "Values of fields that the share tells, or a patch of its graph."]
    rationale: Annotated[str, "Why."]
    expected_effect: Annotated[str | None, "What it is hoped to bring about."] = None


class BesideShares:
    def __init__(self, door: SharedDoor, hooks: Hooks) -> None:
        self._door = door
        self._hooks = hooks

    async def copy(self, viewer: Viewer, given: CopySharedTaskInput, *, command_id: str | None = None) -> Outcome:
        """A new task, with the graph as far as the share tells it, and a receipt. It is the copier's alone."""
        found, reader = await self._permitted(viewer, given.secret, COPY)
        matters = _matters(viewer, found.values["matter_ids"], given.matter_ids)
        rules.check_access(viewer, {"matter_ids": matters})
        request = _request("copySharedTask", found, given, command_id, [RecordRef(id=one) for one in matters])
        plan = _Copy(self._door, found, given, matters, self._hooks)
        return await self._door.within(viewer, request, plan, found, reader)

    async def comment(self, viewer: Viewer, given: ShareCommentInput, *, command_id: str | None = None) -> Outcome:
        """Feedback on what is shared, which its sender reads."""
        if not given.comment.strip():
            raise InputInvalid("comment", "say something")
        if len(given.comment) > TEXT_LENGTH:
            raise TextTooLong("comment", TEXT_LENGTH, len(given.comment))
        found, reader = await self._permitted(viewer, given.secret, COMMENT)

        async def plan(work: Work) -> dict[str, Any]:
            about = (await self._door.story(work, found)).run
            made = _feedback(work, about, given)
            note(work, found.state, ShareEventKind.comment_made, viewer.principal_id, target=made.id)
            return {"id": made.id, "version": made.version}

        request = _request("commentOnShare", found, given, command_id)
        return await self._door.within(viewer, request, plan, found, reader)

    async def propose(self, viewer: Viewer, given: SharedProposalInput, *, command_id: str | None = None) -> Outcome:
        """A proposal like any other, of what the share tells of its task. Nothing of it holds until it is applied."""
        found, reader = await self._permitted(viewer, given.secret, PROPOSE)
        task = RecordRef(id=found.values.get("task_id") or found.state.id)

        async def plan(work: Work) -> dict[str, Any]:
            story = await self._door.story(work, found)
            _check_steps(work, story, found, given.steps)
            made = await propose(work, _proposal(task, given), origin_of(work))
            note(work, found.state, ShareEventKind.graph_patch_proposed, viewer.principal_id, target=made.id)
            return {"id": made.id, "version": made.version}

        request = _request("proposeUnderShare", found, given, command_id, [task])
        try:
            return await self._door.within(_with_eyes_of(viewer, found.sender), request, plan, found, reader)
        except (ProposedAlready, RejectedBefore, NotWanted):
            raise ProposalKnown from None  # whose they are is not told here

    async def ask(
        self, viewer: Viewer, secret: str, asked: ShareRequestKind, *, command_id: str | None = None
    ) -> Outcome:
        """Keep that more was asked for than the share tells. Nothing here grants it yet."""
        check_person(viewer)
        reader = Reader("", viewer)
        found = await self._door.found(secret, reader)

        async def plan(work: Work) -> dict[str, Any]:
            await self._door.story(work, found)
            made = note(work, found.state, _REQUESTED[asked], viewer.principal_id, reason=DEFERRED)
            return {"id": made.id, "version": made.version, "warnings": [DEFERRED]}

        request = Request(
            "requestUnderShare", KeyScope.curate, {"share": found.state.id, "asked": asked}, command_id=command_id
        )
        return await self._door.within(viewer, request, plan, found, reader)

    async def _permitted(self, viewer: Viewer, secret: str, action: str) -> tuple[Open, Reader]:
        check_person(viewer)
        reader = Reader("", viewer)
        found = await self._door.found(secret, reader)
        try:
            check_action(SharePermission(found.values["permission"]), action)
        except TaskloreError as refused:
            await self._door.blocked(found, reader, refused.code)
            raise
        return found, reader


def _request(
    name: str, found: Open, given: Any, command_id: str | None, reads: list[RecordRef] | None = None
) -> Request:
    """Its content has the share's id for the secret, which is written nowhere."""
    content = {**content_of(replace(given, secret="")), "share": found.state.id}
    return Request(name, KeyScope.curate, content, reads or (), command_id=command_id)


def _with_eyes_of(viewer: Viewer, sender: Viewer) -> Viewer:
    """Whoever proposes under a share sees, for this one command, what its sender does: it is checked what they name."""
    return replace(
        viewer,
        audiences=sender.audiences,
        clearance=sender.clearance,
        matter_ids=sender.matter_ids,
        all_matters=sender.all_matters,
        hashed=sender.hashed,
    )


def _feedback(work: Work, about: State, given: ShareCommentInput) -> State:
    kind = _ABOUT.get(about.type.label)
    if kind is None:
        raise InputInvalid("secret", "what is shared takes no comments")
    values = {
        "name": f"Comment on a shared {about.type.label.lower()}",
        "run_id": about.id if about.type.label == "Run" else about.properties.get("run_id"),
        "target_kind": kind.value,
        "target_ref": about.id,
        "feedback": given.feedback,
        "user_comment": given.comment,
        "given_by": work.viewer.principal_id,
    }
    told = {name: one for name, one in values.items() if one is not None}
    made = work.create(work.registry.types["Feedback"], told, [about])
    work.link(made, "FEEDBACK_ON", about, {"target_kind": kind.value})
    return made


def _proposal(task: RecordRef, given: SharedProposalInput) -> ProposalInput:
    return ProposalInput(
        proposal_kind=ProposalKind.task_template_update,
        target=task,
        steps=given.steps,
        rationale=given.rationale,
        expected_effect=given.expected_effect,
    )


def _check_steps(work: Work, story: Story, found: Open, steps: tuple[ProposalStep, ...]) -> None:
    """Only of what is told: an answer must not tell what else there is."""
    task = next(iter(story.of("Task")), None)
    told = found.told.redactor(work.registry).tells(task) if task else frozenset[str]()
    for number, one in enumerate(steps, 1):
        if one.operation is Operation.patch_graph:
            if not story.of("GraphSnapshot"):
                raise ProposalNotTold(number, "the share tells of no graph")
        elif one.operation not in _VALUES or one.head is not None or one.relation is not None:
            raise ProposalNotTold(number, f"{one.operation} is not proposed under a share")
        elif one.field not in told:
            raise ProposalNotTold(number, f"the share tells of no {one.field}")


def _matters(viewer: Viewer, shared: Iterable[str], own: Iterable[str]) -> list[str]:
    """Those of a copy. A member's stays in the matters that it comes from; a stranger's goes into theirs."""
    if {*shared} <= {*viewer.matter_ids} or viewer.all_matters:
        return sorted({*shared, *own})
    if not {*own}:
        raise CopyNeedsMatter
    return sorted({*own})


class _Copy:
    """The plan of a copy; carried out again when its transaction is retried."""

    def __init__(
        self, door: SharedDoor, found: Open, given: CopySharedTaskInput, matters: list[str], hooks: Hooks
    ) -> None:
        self._door = door
        self._found = found
        self._given = given
        self._matters = matters
        self._hooks = hooks

    async def __call__(self, work: Work) -> dict[str, Any]:
        story = await self._door.story(work, self._found)
        shown = _shown(work, story, self._found)
        graph = _graph(shown, story, self._found, work)
        task = self._task(work, story, shown)
        await plan_graph(work, task, graph)
        for step in self._hooks.after_save:
            await step(work, None, task)
        receipt = self._receipt(work, task, shown)
        note(work, self._found.state, ShareEventKind.task_copied, work.viewer.principal_id, target=task.id)
        return {"id": task.id, "version": task.version, "receipt": receipt.id}

    def _task(self, work: Work, story: Story, shown: Mapping[str, Mapping[str, Any]]) -> State:
        rules.check_matters(work, {"matter_ids": self._matters})
        none: Mapping[str, Any] = {}
        original = next((one for one in shown.values() if one["kind"] == "Task"), none)
        told = {name: original[name] for name in ("description", "task_type") if name in original}
        name = self._given.name or original.get("name")
        if not name:
            raise CopyTellsTooLittle("a name; give one")
        data_class = strictest([DataClass.internal, *_classes(story, shown)])
        values = {**told, "name": name, "data_class": data_class.value, "matter_ids": self._matters}
        rules.check_access(work.viewer, values)
        kind = work.registry.types["Task"]
        stored = prepared(work.viewer, kind, values, None)
        return work.create(kind, {name: one for name, one in stored.items() if one is not None})

    def _receipt(self, work: Work, task: State, shown: Mapping[str, Mapping[str, Any]]) -> State:
        name = task.properties["name"]
        effects = [one["side_effect_class"] for one in shown.values() if "side_effect_class" in one]
        values = {
            "name": f"Receipt: {name}"[:NAME_LENGTH],
            "creation_mode": CreationMode.user_authored.value,
            "reason_for_task_mode": "It was copied from a share.",
            "originating_user_request_ref": self._found.state.id,
            "semantic_request_summary": f"Copy of a shared task, as {name}"[:TEXT_LENGTH],
            "user_visible_description": task.properties.get("description") or name,
            "risky_side_effects": risky(effects),
            "runnable": True,
            "recorded_by": work.viewer.principal_id,
            "data_class": task.properties["data_class"],
            "matter_ids": task.properties["matter_ids"],
        }
        receipt = work.create(work.registry.types["TaskReceipt"], values, [task])
        work.link(receipt, "FOR", task)
        return receipt


def _shown(work: Work, story: Story, found: Open) -> dict[str, Mapping[str, Any]]:
    """The records of a story as the share tells them: no copy has more."""
    redactor = found.told.redactor(work.registry)
    told = {one.id: redactor.record(one) for one in story.records.values()}
    return {name: one for name, one in told.items() if one is not None}


def _classes(story: Story, shown: Mapping[str, Any]) -> list[str]:
    return [one.properties["data_class"] for name, one in story.records.items() if name in shown]


def _graph(shown: Mapping[str, Mapping[str, Any]], story: Story, found: Open, work: Work) -> GraphInput:
    modules = {name: one for name, one in shown.items() if one["kind"] == "Module"}
    if not modules:
        raise CopyTellsTooLittle("a graph")
    if any("module_type" not in one or "module_key" not in one for one in modules.values()):
        raise CopyTellsTooLittle("what its modules are")
    keys = {name: one["module_key"] for name, one in modules.items()}
    redactor, ends = found.told.redactor(work.registry), story.records
    cables = [
        CableInput(tail=keys[one.tail], head=keys[one.head], **link.get("facts", {}))
        for one in story.links
        if one.type == "CABLE" and one.tail in keys and one.head in keys
        and (link := redactor.link(one, (ends[one.tail], ends[one.head])))
    ]  # fmt: skip
    return GraphInput([_module(one) for one in modules.values()], cables)


_OF_MODULE = ("module_key", "module_type", "name", "purpose", "config", "autonomy", "input_ports", "output_ports")


def _module(shown: Mapping[str, Any]) -> ModuleInput:
    told = {name: shown[name] for name in _OF_MODULE if shown.get(name) is not None}
    return ModuleInput(**told, disabled=bool(shown.get("disabled", False)))
