"""Invocation directives: when a request is to be met with a saved task, and when not."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.library.assets import Phrased
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.model.fields import EvidenceLayer, Key, Keys, Text, Texts, Words, field
from graph_schema.routing.words import (
    DIRECTIVE_STATES,
    AuthoritySource,
    ConfirmationPolicy,
    InvocationPolicy,
    RecommendedLifecycle,
)

Entrypoints = Annotated[list[Entrypoint], PydanticField(max_length=len(Entrypoint))]


class InvocationDirective(Phrased):
    """When to suggest, run, adapt or design a saved task, or to leave it. It is guidance, and no graph.

    What was taught about choosing among templates and presets is a Directive. A candidate that was learned from traces
    says on what evidence, and what it is proposed to become.
    """

    label = "InvocationDirective"
    plural = "invocation_directives"
    prefix = "invd"
    layer = EvidenceLayer.memory
    colour = "#d4719b"
    saved = True
    ordered_by = ("name", "updated_at")
    states = DIRECTIVE_STATES

    description: Text = field("What it is for, in a sentence or two.", default="")
    invocation_policy: InvocationPolicy = field("What it asks for.", filtered=True)
    task_agent_entrypoint: Entrypoint | None = field("What the Task Agent is asked to do.", default=None)
    gather_matter_context: bool = field("Whether the matter is looked up first.", default=False)
    gather_background_documents: bool = field("Whether background documents are gathered first.", default=False)
    required_source_sets: Words = field("Sets of sources that have to be at hand first.", make=list)
    document_processing_required: bool = field("Whether documents have to be processed first.", default=False)
    library_refs: Keys = field("Libraries that are looked into first.", make=list)
    default_artifact_policy_ref: Key | None = field("Where the policy for what comes of it is kept.", default=None)
    confirmation_policy: ConfirmationPolicy = field(
        "What has to be asked before anything runs.", default=ConfirmationPolicy.confirm_before_run, filtered=True
    )
    prior_task_use_summary: Text | None = field("How tasks were used for it before.", default=None)
    evidence_refs: Keys = field("Where the evidence for it is kept.", make=list)
    learned_from_refs: Keys = field("What it was learned from, as others call it.", make=list)
    authority_source: AuthoritySource = field(
        "On whose word it stands.", default=AuthoritySource.user_taught, filtered=True
    )
    confidence: float = field("How sure its source is, from 0 to 1.", default=1.0, ge=0, le=1)
    context_class: Key | None = field(
        "The class of context that it was learned in.", default=None, filtered=True, authored=False
    )
    user_request_patterns: Texts = field("Requests that it was learned from.", make=list, authored=False)
    evidence_summary: Text | None = field("On what evidence it is proposed.", default=None, authored=False)
    acceptance_count: int | None = field("Traces that speak for it.", default=None, authored=False, ge=0)
    rejection_count: int | None = field("Traces that speak against a task.", default=None, authored=False, ge=0)
    edit_count_after_acceptance: int | None = field(
        "How often what was accepted was edited afterwards.", default=None, authored=False, ge=0
    )
    recommended_lifecycle: RecommendedLifecycle | None = field(
        "What it is proposed to become.", default=None, filtered=True, authored=False
    )
    review_required: bool | None = field("Whether a person has to look at it first.", default=None, authored=False)
