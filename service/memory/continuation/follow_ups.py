"""Recording a follow-up: a question, or new work, on what a module did. The run itself stays as it is."""

from typing import Any

from graph_schema.model.record import RecordType
from service.commands import RecordRef, State, Work
from service.commands.card_text import file_words
from service.commands.errors import InputInvalid
from service.memory.continuation import rules
from service.memory.continuation.inputs import FollowUpArtifact, FollowUpInput
from service.memory.continuation.steps import Step, found, step_of
from service.memory.reporting.policy import POLICY_FIELDS, Rules

STARTED = "task.module.followup.started"


class RecordFollowUp:
    def __init__(self, asked: FollowUpInput) -> None:
        self._asked = asked

    async def __call__(self, work: Work) -> dict[str, Any]:
        asked = self._asked
        step = await step_of(work, asked.step)
        rules.check_linkable(step.run)
        rules.check_effect(asked.values, artifacts=len(asked.artifacts), forks=int(asked.fork is not None))
        ties = self._ties(work, step)
        sources = [step.activation, *(head for _, head in ties)]
        follow_up = work.create(work.registry.types["FollowUp"], self._values(work, step, ties), sources)
        work.event(STARTED, follow_up, other=step.run.id)
        work.link(follow_up, "FOLLOWS", step.activation)
        for kind, head in ties:
            work.link(follow_up, kind, head)
        self._link_conversation(work, step)
        made = [self._artifact(work, step, follow_up, one) for one in asked.artifacts]
        for artifact in made:
            work.link(follow_up, "PRODUCED", artifact)
        return {"id": follow_up.id, "version": follow_up.version, "artifacts": [one.id for one in made]}

    def _ties(self, work: Work, step: Step) -> list[tuple[str, State]]:
        session = rules.continued(step, self._asked.values)
        found_ones = [
            ("CONTINUES", session),
            ("HELD_IN", _optional(work, self._asked.thread, "thread", "Thread")),
            ("PROPOSED", _optional(work, self._asked.fork, "fork", "Fork")),
        ]
        return [(kind, state) for kind, state in found_ones if state is not None]

    def _values(self, work: Work, step: Step, ties: list[tuple[str, State]]) -> dict[str, Any]:
        continued = next((state.properties["session_key"] for kind, state in ties if kind == "CONTINUES"), None)
        given = {name: one for name, one in self._asked.values.items() if one is not None}
        known = {
            "source_run_id": step.run.id,
            "source_task_key": step.run.properties.get("task_key"),
            "source_module_key": step.activation.properties["module_key"],
            "source_activation_seq": step.activation.properties["activation_seq"],
            "session_key": continued or given.get("session_key"),
            "asked_by": work.viewer.principal_id,
        }
        values = {"name": f"Follow-up on {step.name}"[:200], **given, **known}
        return {name: one for name, one in values.items() if one is not None}

    def _link_conversation(self, work: Work, step: Step) -> None:
        """A later chat, where it was held. It knows what it speaks of, so it is as sensitive from now on."""
        if self._asked.conversation is None or not step.run.properties["entity_linking_enabled"]:
            return
        chat = work.need(self._asked.conversation, "conversation", ["Entity"])
        if not chat.properties.get("stub") and chat.properties.get("kind") != "conversation":
            raise InputInvalid("conversation", "is no conversation")
        work.link(chat, "FOLLOWS", step.activation)
        work.changes.access_changed.add(chat.id)

    def _artifact(self, work: Work, step: Step, follow_up: State, made: FollowUpArtifact) -> State:
        kind = work.registry.types["Artifact"]
        if made.ref is None:
            return work.create(kind, _kept(work, step, kind, made), [follow_up])
        artifact = found(work, made.ref, "artifacts", "Artifact")
        if artifact.properties.get("run_id") == step.run.id:
            raise InputInvalid("artifacts", "names an output of the run itself; a follow-up makes new ones")
        work.changes.access_changed.add(artifact.id)
        return artifact


def _kept(work: Work, step: Step, kind: RecordType, made: FollowUpArtifact) -> dict[str, Any]:
    """What the policy of the run lets be kept of something that was made from it."""
    policy = Rules({name: step.run.properties[name] for name in POLICY_FIELDS})
    values = policy.kept(kind.label, dict(made.values), work.registry)
    named = {"name": values.get("source_key") or "Follow-up artifact", "produced_at": work.at}
    given = {name: one for name, one in values.items() if one is not None}
    own_class = policy.own_class(kind.label, given)
    made_values = {**named, **given, **({"data_class": own_class} if own_class else {})}
    words = file_words(kind.label, made_values)
    return {**made_values, **({"name_words": words} if words else {})}


def _optional(work: Work, ref: RecordRef | None, field: str, kind: str) -> State | None:
    return found(work, ref, field, kind) if ref is not None else None
