"""What the Task Agent can be asked to do: the one table of its entrypoints."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.routing.words import InvocationMode


class AgentPart(StrEnum):
    """What the Task Agent stands on. Each can be missing."""

    task_agent = "task_agent"
    named_agent_runtime = "named_agent_runtime"
    session_spawn = "session_spawn"
    model = "model"
    knowledge_pack = "knowledge_pack"
    capability_registry = "capability_registry"
    documents = "documents"
    task_memory = "task_memory"
    learning = "learning"
    prompt_advisor = "prompt_advisor"
    evaluation = "evaluation"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrypointDescriptor:
    """What the Task Agent can be asked to do, and what that needs."""

    entrypoint: Annotated[Entrypoint, "The entrypoint."]
    user_facing_label: Annotated[str, "What users read."]
    may_run_without_llm: Annotated[bool, "Whether it is answered without a model."]
    may_spawn_background_session: Annotated[bool, "Whether it may go on in the background."]
    requires_knowledge_pack: Annotated[bool, "Whether it needs the knowledge pack."]
    requires_run_truth: Annotated[bool, "Whether it needs to know what runs did."]
    requires_task_memory: Annotated[bool, "Whether it needs the memory of tasks."]
    internal: Annotated[bool, "Whether it is for the system alone, and no button."]
    invocation_modes: Annotated[tuple[InvocationMode, ...], "How it may be used."]
    operations: Annotated[tuple[str, ...], "Our operations that answer it, or that give the agent what it needs."]
    parts: tuple[AgentPart, ...] = ()
    """What it cannot do without, beside the agent itself."""


_PACK = "agentContextPack"
_READ, _CONSULT = InvocationMode.read_model_only, InvocationMode.synchronous_consult
_SESSION, _BACKGROUND = InvocationMode.visible_design_session, InvocationMode.async_background_design
_JOB = InvocationMode.assessment_job


def _read(
    entrypoint: Entrypoint, label: str, *operations: str, internal: bool = False, truth: bool = True
) -> EntrypointDescriptor:
    """Answered by what we keep, without a model."""
    return EntrypointDescriptor(
        entrypoint=entrypoint,
        user_facing_label=label,
        may_run_without_llm=True,
        may_spawn_background_session=False,
        requires_knowledge_pack=False,
        requires_run_truth=truth,
        requires_task_memory=False,
        internal=internal,
        invocation_modes=(_READ, _CONSULT) if internal else (_READ,),
        operations=operations,
    )


def _thought(
    entrypoint: Entrypoint,
    label: str,
    *modes: InvocationMode,
    operations: tuple[str, ...] = (),
    pack: bool = True,
    truth: bool = False,
    memory: bool = True,
    parts: tuple[AgentPart, ...] = (),
) -> EntrypointDescriptor:
    """Needs a model. What we give is the pack that the agent starts from, and what it looks up or proposes with."""
    return EntrypointDescriptor(
        entrypoint=entrypoint,
        user_facing_label=label,
        may_run_without_llm=False,
        may_spawn_background_session=bool({_BACKGROUND, _JOB} & {*modes}),
        requires_knowledge_pack=pack,
        requires_run_truth=truth,
        requires_task_memory=memory,
        internal=False,
        invocation_modes=modes,
        operations=(_PACK, *operations),
        parts=(AgentPart.named_agent_runtime, AgentPart.model, *parts),
    )


_E = Entrypoint
_TABLE = (
    _read(_E.consult_task_opportunity, "Check whether a saved task fits", "taskMode", internal=True, truth=False),
    _thought(
        _E.design_task,
        "Design task",
        _SESSION,
        _BACKGROUND,
        operations=("startDesignSession", "updateDesignSession", "designSession", "trackTask"),
    ),
    _thought(
        _E.adapt_task_template,
        "Adapt template",
        _CONSULT,
        _SESSION,
        operations=("startDesignSession", "updateDesignSession", "designSession", "trackTask"),
    ),
    _thought(
        _E.review_existing_task,
        "Review task",
        _CONSULT,
        _SESSION,
        operations=("tasks", "preflight", "assessTask"),
        truth=True,
    ),
    _read(_E.inspect_task_run, "Inspect run", "runQuestions", "taskQuestions", "run"),
    _read(_E.retrieve_task_output, "Retrieve output", "runQuestions", "taskQuestions", "searchArtifacts"),
    _read(_E.explain_task_graph, "Explain graph", "explainGraph", "tasks", "blueprints", truth=False),
    _thought(
        _E.assess_task,
        "Assess task",
        _JOB,
        operations=("assessRun", "assessTask", "operationalStatistics", "taskHistory"),
        truth=True,
    ),
    _thought(
        _E.assess_task_portfolio,
        "Review my tasks",
        _BACKGROUND,
        _JOB,
        operations=("assessPortfolio", "savedTasks"),
        truth=True,
    ),
    _thought(
        _E.answer_task_system_question,
        "Answer task-system question",
        _CONSULT,
        operations=("specLookup", "findModules", "moduleGuide", "decisionGuide"),
        memory=False,
    ),
    _thought(
        _E.improve_task_prompt,
        "Improve prompt",
        _CONSULT,
        operations=("promptCheck", "recordPromptCandidates"),
        memory=False,
    ),
    _thought(
        _E.review_prompt_quality,
        "Review prompt quality",
        _CONSULT,
        operations=("promptCheck", "recordPromptCheck"),
        memory=False,
    ),
    _thought(
        _E.generate_prompt_variants,
        "Generate prompt variants",
        _CONSULT,
        operations=("promptMethods", "recordPromptCandidates"),
        memory=False,
    ),
    _thought(
        _E.test_prompt_variants,
        "Test prompt variants",
        _BACKGROUND,
        _JOB,
        operations=("startPromptEvaluation", "completePromptEvaluation"),
        parts=(AgentPart.evaluation,),
        truth=True,
    ),
    _thought(_E.propose_prompt_update, "Propose prompt update", _CONSULT, operations=("proposePrompt",), truth=True),
)
ENTRYPOINTS: Mapping[Entrypoint, EntrypointDescriptor] = {one.entrypoint: one for one in _TABLE}
"""Every entrypoint, in the order of the specification. It needs no graph."""
