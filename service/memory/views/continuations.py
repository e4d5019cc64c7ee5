"""What came after a run: requests to fork it, the runs that came of them, and follow-ups of its modules."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import RunStatus
from graph_schema.model.fields import Timestamp
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkRef:
    """A request to run part of a run again, with its policies."""

    fork_id: Annotated[Id, "Id of the request."]
    requested_at: Annotated[Timestamp, "When it was made."]
    created_by: Annotated[str | None, "Who asked for it: a user, the task agent or a repair."]
    module_key: Annotated[str | None, "The module that it forks from."]
    activation_seq: Annotated[int | None, "Which activation of it."]
    output_port_id: Annotated[str | None, "The port whose output it goes on from."]
    branch_scope: Annotated[str | None, "How much of what follows is meant."]
    rerun_scope: Annotated[str | None, "What is run again."]
    upstream_state_policy: Annotated[str | None, "Where the state before it comes from."]
    graph_policy: Annotated[str | None, "Which graph is run."]
    context_policy: Annotated[str | None, "Which context its modules are given."]
    source_document_policy: Annotated[str | None, "Which versions of the documents are read."]
    side_effect_replay_policy: Annotated[str | None, "What it may do to the outside world again."]
    user_patch_refs: Annotated[tuple[str, ...], "Where the changes that a person made for it are kept."]
    child_run_ids: Annotated[tuple[Id, ...], "Ids of the runs that carry it out."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpRef:
    """A question or piece of work that took up what a module had done."""

    follow_up_id: Annotated[Id, "Id of the follow-up."]
    asked_at: Annotated[Timestamp, "When it was recorded."]
    mode: Annotated[str | None, "How the module's work was taken up."]
    user_question: Annotated[str | None, "What was asked."]
    durable_effect: Annotated[str | None, "What it left behind."]
    output_ref: Annotated[str | None, "Where the answer is kept."]
    session_key: Annotated[str | None, "The session that it continued or started."]
    context_seed_refs: Annotated[tuple[str, ...], "Where what it started from is kept."]
    module_key: Annotated[str | None, "The module that it follows."]
    activation_seq: Annotated[int | None, "Which activation of it."]
    artifact_ids: Annotated[tuple[Id, ...], "Ids of what came of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkedRunRef:
    """A run that a fork ties to this one."""

    run_id: Annotated[Id, "Id of the run."]
    name: Annotated[str, "What people call it."]
    status: Annotated[RunStatus, "Where it stands."]
    is_parent: Annotated[bool, "Whether this one was forked from it; else it was forked from this one."]


def forks(index: RunIndex) -> tuple[ForkRef, ...]:
    return tuple(like(ForkRef, one, fork_id=one.id, requested_at=one.created_at) for one in index.facts.forks)


def follow_ups(index: RunIndex) -> tuple[FollowUpRef, ...]:
    return tuple(like(FollowUpRef, one, follow_up_id=one.id, asked_at=one.created_at) for one in index.facts.follow_ups)


def forked_runs(index: RunIndex) -> tuple[ForkedRunRef, ...]:
    return tuple(
        ForkedRunRef(run_id=one.id, name=one.name, status=RunStatus(one.status), is_parent=one.is_parent)
        for one in index.facts.forked_runs
    )
