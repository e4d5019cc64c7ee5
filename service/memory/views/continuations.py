"""What came after a run: requests to fork it, the runs that came of them, and follow-ups of its modules."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.memory.words import RunStatus
from graph_schema.model.fields import Timestamp
from service.memory.views.index import RunIndex
from service.memory.views.words import like
from service.views import Id, Of


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkRef:
    """A request to run part of a run again, with its policies."""

    fork_id: Annotated[Id, "Id of the request."]
    requested_at: Annotated[Timestamp, "When it was made."]
    created_by: Annotated[str | None, Of("Fork")]
    module_key: Annotated[str | None, Of("Fork")]
    activation_seq: Annotated[int | None, Of("Fork")]
    output_port_id: Annotated[str | None, Of("Fork")]
    branch_scope: Annotated[str | None, Of("Fork")]
    rerun_scope: Annotated[str | None, Of("Fork")]
    upstream_state_policy: Annotated[str | None, Of("Fork")]
    graph_policy: Annotated[str | None, Of("Fork")]
    context_policy: Annotated[str | None, Of("Fork")]
    source_document_policy: Annotated[str | None, Of("Fork")]
    side_effect_replay_policy: Annotated[str | None, Of("Fork")]
    user_patch_refs: Annotated[tuple[str, ...], Of("Fork")]
    child_run_ids: Annotated[tuple[Id, ...], "Ids of the runs that carry it out."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpRef:
    """A question or piece of work that took up what a module had done."""

    follow_up_id: Annotated[Id, "Id of the follow-up."]
    asked_at: Annotated[Timestamp, "When it was recorded."]
    mode: Annotated[str | None, Of("FollowUp")]
    user_question: Annotated[str | None, Of("FollowUp")]
    durable_effect: Annotated[str | None, Of("FollowUp")]
    output_ref: Annotated[str | None, Of("FollowUp")]
    session_key: Annotated[str | None, Of("FollowUp")]
    context_seed_refs: Annotated[tuple[str, ...], Of("FollowUp")]
    module_key: Annotated[str | None, "The module that it follows."]
    activation_seq: Annotated[int | None, "Which activation of it."]
    artifact_ids: Annotated[tuple[Id, ...], "Ids of what came of it."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkedRunRef:
    """A run that a fork ties to this one."""

    run_id: Annotated[Id, "Id of the run."]
    name: Annotated[str, Of("Run")]
    status: Annotated[RunStatus, Of("Run")]
    is_parent: Annotated[bool, "Whether this one was forked from it; else it was forked from this one."]


def forks(index: RunIndex) -> tuple[ForkRef, ...]:
    return tuple(like(ForkRef, one, fork_id=one.id, requested_at=one.created_at) for one in index.facts.forks)


def follow_ups(index: RunIndex) -> tuple[FollowUpRef, ...]:
    return tuple(like(FollowUpRef, one, follow_up_id=one.id, asked_at=one.created_at) for one in index.facts.follow_ups)


def forked_runs(index: RunIndex) -> tuple[ForkedRunRef, ...]:
    return tuple(like(ForkedRunRef, one, run_id=one.id) for one in index.facts.forked_runs)
