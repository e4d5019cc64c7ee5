"""What a good agent would answer to the requests of the evaluation suite: test data, and no part of the product."""

from dataclasses import replace
from typing import Any

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.memory.continuation_words import Entrypoint
from graph_schema.memory.words import IntakeLevel
from graph_schema.routing.decision_words import ExecutionMode
from service.knowledge.evaluation.proposals import EvalProposal
from service.knowledge.evaluation.suite import sample_suite
from service.knowledge.pack.authored import authored_cards
from service.library.graphs import GraphInput, canonical, graph_hash
from tests.knowledge.desk import graph

WORKED = {one["about"]: one for one in authored_cards()["examples"]}
MORE: dict[str, dict[str, Any]] = {
    "complaint_from_file": {
        "template": "Draft a complaint",
        "artifact_level": IntakeLevel.doc25_work_product_ingestion,
        "explanation": "It reads the file, drafts, and attacks the draft before the partner decides.",
    },
    "strength_of_complaint": {
        "artifact_level": IntakeLevel.doc72_summary_reference,
        "explanation": "The claims are taken one by one and judged; the result is a table.",
    },
    "attack_this_draft": {"explanation": "It attacks the draft and ranks the attacks."},
    "watched_docket": {"capabilities": ("PACER docket search",), "questions": ("At what hour?",)},
    "watched_field": {"artifact_level": IntakeLevel.run_only},
    "which_prompt": {"explanation": "A judge compares the two variants."},
    "into_the_library": {"artifact_level": IntakeLevel.doc73_library_ingestion},
    "plain_question": {"mode": ExecutionMode.direct_chat},
    "named_saved_task": {"mode": ExecutionMode.suggest_existing_saved_task},
    "duplicate_of_template": {
        "template": "Summarise attachments",
        "mode": ExecutionMode.invoke_task_agent_for_design,
        "entrypoint": Entrypoint.adapt_task_template,
    },
    "question_about_a_run": {"mode": ExecutionMode.inspect_saved_task_run, "entrypoint": Entrypoint.inspect_task_run},
    "prompt_of_a_module": {
        "mode": ExecutionMode.invoke_task_agent_for_review,
        "entrypoint": Entrypoint.improve_task_prompt,
        "explanation": "It should say one purpose, and what to do when something is missing.",
    },
    "one_sentence_prompt": {"mode": ExecutionMode.direct_chat},
    "prompt_test_for_reuse": {"entrypoint": Entrypoint.test_prompt_variants},
    "within_its_packet": {
        "entrypoint": Entrypoint.answer_task_system_question,
        "explanation": "The module hold does.",
        "context_tokens": 900,
    },
    "without_its_parts": {"degraded_reasons": ("The capability registry is missing.", "The memory is missing.")},
}
GRAPHS: dict[str, dict[str, Any]] = {
    "designed_graph_is_valid": {
        "modules": {
            "mail": "trigger.email",
            "write": "step.agent_task",
            "look": "step.human_review",
            "send": "output.email",
        },
        "cables": ["mail.body > write.data_in", "write.data_out > look.data_in", "look.data_out > send.content"],
    },
    "sources_are_context": {
        "modules": {"text": "source.file", "cases": "source.documents", "write": "step.agent_task"},
        "cables": ["text.file > write.files_in", "cases.documents > write.context_in"],
    },
}


def answers() -> list[EvalProposal]:
    found: list[EvalProposal] = []
    for example in sample_suite().examples:
        told = WORKED[example.taught_by] if example.taught_by else GRAPHS.get(example.key)
        told = told or (WORKED["judge_experiment"] if example.key == "prompt_test_for_reuse" else None)
        drawn = graph(dict(told)) if told else None
        found.append(EvalProposal(example=example.key, graph=drawn, **_examined(drawn), **MORE.get(example.key, {})))
    return found


def without(key: str, **values: Any) -> list[EvalProposal]:
    """The same, but for one of them."""
    return [replace(one, **values) if one.example == key else one for one in answers()]


def _examined(drawn: GraphInput | None) -> dict[str, Any]:
    if drawn is None:
        return {}
    return {"preflight_graph_hash": graph_hash(canonical(drawn)), "preflight_status": PreflightStatus.ready}
