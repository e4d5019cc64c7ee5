"""Reading a design session. A query: it stores nothing; what is worth asking is worked out from what is known now."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import orjson

from graph_schema.learning.design_words import (
    ConsideredAs,
    DesignOutcome,
    DesignSlot,
    QuestionVerdict,
    StatementKind,
    StatementPolarity,
    SuggestionAnswer,
)
from graph_schema.library.words import AutonomyLevel, Complexity, OutputStakes, SourceDependency
from graph_schema.model.fields import DataClass
from graph_schema.model.record import LifecycleState
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.commands.errors import RecordMissing
from service.graph.database import Database
from service.learning.creation.risk import risky
from service.learning.design import cypher, questions, validation
from service.learning.design.answer import (
    CapabilityPlan,
    ConsideredRecord,
    DesignComplexity,
    DesignProposal,
    DesignReadiness,
    DesignSessionState,
    HeardStatement,
    SessionQuestion,
    SideEffectPlan,
    TaskDesignIntakeBundle,
    Values,
)
from service.learning.design.facts import SessionFacts
from service.learning.design.load import facts_of
from service.learning.design.questions import NextQuestion
from service.learning.design.slots import SlotState, slots
from service.learning.design.validation import Findings, findings, read_finding
from service.memory.views.words import counted
from service.views import word

TEACHING = [DataClass.public.value, DataClass.internal.value]
"""Of these classes what became of a question teaches about the next."""


class DesignReader:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self, viewer: Viewer, ref: RecordRef) -> DesignSessionState:
        facts = await self._facts(viewer, ref)
        said = facts.session
        counts = questions.counts_of(
            await self._database.read(
                cypher.QUESTION_COUNTS,
                context_class=said["context_class_key"],
                task_type=said.get("inferred_task_type"),
                classes=TEACHING,
                audiences=viewer.audiences,
            )
        )
        return state_of(facts, counts)

    async def bundle(self, viewer: Viewer, ref: RecordRef) -> TaskDesignIntakeBundle:
        return bundle_of(await self._facts(viewer, ref))

    async def _facts(self, viewer: Viewer, ref: RecordRef) -> SessionFacts:
        ref.check("session", "DesignSession")
        found = await facts_of(self._database.read, viewer, ref.id) if ref.id else None
        if found is None:
            raise RecordMissing(ref, "session")
        return found


def state_of(facts: SessionFacts, counts: questions.Counts) -> DesignSessionState:
    said, known, found = facts.session, slots(facts), findings(facts)
    asking, skipped = _next(facts, known, counts)
    readiness = _readiness(facts, known, found)
    return DesignSessionState(
        session_id=said["id"],
        user_initial_request=said["user_initial_request"],
        resolved_intent=said["resolved_intent"],
        task_type=next((one.values[0] for one in known if one.slot is DesignSlot.task_type and one.values), None),
        domain=said.get("inferred_domain"),
        context_class=said["context_class_key"],
        readiness=readiness,
        say=_say(readiness, asking, found, facts),
        complexity=_complexity(facts),
        slots=known,
        next_question=asking,
        not_worth_asking=skipped,
        considered=tuple(_considered(one) for one in facts.row["considered"]),
        questions=tuple(_question(one) for one in facts.row["questions"]),
        statements=tuple(_statement(one) for one in facts.row["statements"]),
        proposals=tuple(_proposals(facts)),
        findings=found.errors,
        advice=found.warnings,
        unresolved=found.errors if readiness is DesignReadiness.unresolved else (),
        repair_iterations=said["repair_iterations"],
        max_repair_iterations=said["max_repair_iterations"],
        outcome=word(DesignOutcome, said.get("outcome")),
        saved_ids=tuple(one["id"] for one in facts.row["saved"]),
        edit_trace_ids=tuple(facts.row["edits"]),
        later_run_ids=tuple(facts.row["runs"]),
        rules=(said["rules"], questions.VERSION, validation.VERSION),
    )


def _next(
    facts: SessionFacts, known: Sequence[SlotState], counts: questions.Counts
) -> tuple[NextQuestion | None, tuple[questions.SkippedQuestion, ...]]:
    if facts.session.get("outcome"):
        return None, ()
    waiting = frozenset(
        DesignSlot(one["slot"]) for one in facts.row["questions"] if one["asked"] and not one.get("answered_at")
    )
    said = facts.session
    unasked = questions.unasked_slots(facts.wishes)
    return questions.next_question(
        known, counts, said["context_class_key"], said.get("inferred_task_type"), waiting=waiting, unasked=unasked
    )


def _readiness(facts: SessionFacts, known: Sequence[SlotState], found: Findings) -> DesignReadiness:
    said = facts.session
    if said.get("outcome"):
        return DesignReadiness.ended
    proposed = facts.graph is not None or facts.blueprint is not None
    if proposed and found.errors:
        spent = said["repair_iterations"] > said["max_repair_iterations"]
        return DesignReadiness.unresolved if spent else DesignReadiness.needs_repair
    if any(one.open and one.required for one in known):
        return DesignReadiness.needs_answer
    return (
        DesignReadiness.proposed
        if facts.graph is not None and facts.blueprint is not None
        else DesignReadiness.ready_to_propose
    )


def _say(readiness: DesignReadiness, asking: NextQuestion | None, found: Findings, facts: SessionFacts) -> str:
    if readiness is DesignReadiness.needs_answer and asking:
        return f"Ask about {asking.slot.value.replace('_', ' ')}: {asking.why}"
    told = {
        DesignReadiness.needs_answer: "A question that it cannot do without waits for its answer.",
        DesignReadiness.ready_to_propose: "Enough is known: propose a blueprint and a graph.",
        DesignReadiness.needs_repair: f"The proposal has to be revised: {found.errors[0].message}"
        if found.errors
        else "",
        DesignReadiness.unresolved: f"{counted(len(found.errors), 'finding is', 'findings are')} left after all "
        "revisions: "
        "a person has to look.",
        DesignReadiness.proposed: "The proposal passed its checks: show it to the user.",
        DesignReadiness.ended: f"It ended: {facts.session.get('outcome')}.",
    }
    return told[readiness]


def _complexity(facts: SessionFacts) -> DesignComplexity | None:
    told = facts.complexity
    if told is None:
        return None
    return DesignComplexity(
        modules_count=told["modules_count"],
        outcome_count=told["outcome_count"],
        source_dependency=SourceDependency(told["source_dependency"]),
        output_stakes=OutputStakes(told["output_stakes"]),
        autonomy_level=AutonomyLevel(told["autonomy_level"]),
        overall_complexity=Complexity(told["overall_complexity"]),
    )


def _considered(one: Values) -> ConsideredRecord:
    record = one["record"]
    return ConsideredRecord(
        id=record["id"],
        kind=record["kind"],
        name=record["name"],
        role=ConsideredAs(one["role"]),
        rank=one["rank"],
        score=one["score"],
        because=one["because"],
        response=word(SuggestionAnswer, one["response"]),
    )


def _question(one: Values) -> SessionQuestion:
    return SessionQuestion(
        id=one["id"],
        slot=DesignSlot(one["slot"]),
        text=one["text"],
        asked=one["asked"],
        answer=tuple(one["answer"]),
        answered_at=one.get("answered_at"),
        verdict=word(QuestionVerdict, one.get("verdict")),
        changed_design=one.get("changed_design"),
    )


def _statement(one: Values) -> HeardStatement:
    return HeardStatement(
        id=one["id"],
        quote=one["quote"],
        statement_kind=StatementKind(one["statement_kind"]),
        polarity=StatementPolarity(one["polarity"]),
        subject=one["subject"],
        condition=one.get("condition"),
        because=one.get("because"),
        rule=one["rule"],
        state=LifecycleState(one["lifecycle_state"]),
        bears_on_ids=tuple(one["bears_on"]),
        made_into_ids=tuple(one["made_into"]),
    )


def _proposals(facts: SessionFacts) -> Iterator[DesignProposal]:
    listed = [("Blueprint", one) for one in facts.row["blueprints"]]
    listed += [("GraphSnapshot", one) for one in facts.row["graphs"]]
    for kind, one in sorted(listed, key=lambda each: -each[1]["link"]["iteration"]):
        link = one["link"]
        yield DesignProposal(
            id=one["id"],
            kind=kind,
            iteration=link["iteration"],
            drafted_at=link["drafted_at"],
            valid=not link.get("errors"),
            errors=tuple(read_finding(each) for each in link.get("errors") or ()),
            warnings=tuple(read_finding(each) for each in link.get("warnings") or ()),
            rationale=link.get("rationale"),
        )


def bundle_of(facts: SessionFacts) -> TaskDesignIntakeBundle:
    said, row, content = facts.session, facts.row, facts.content or {}
    fields, links = content.get("fields", {}), content.get("links", {})
    heard = tuple(_statement(one) for one in row["statements"])
    routing, instructing = StatementKind.template_routing_directive, StatementKind.task_agent_instruction_candidate
    selected = [row["adapts"]["id"]] if row["adapts"] else []
    selected += _accepted(facts, ConsideredAs.template)
    bundle = TaskDesignIntakeBundle(
        bundle_id="",
        design_session_id=said["id"],
        outcome=word(DesignOutcome, said.get("outcome")),
        user_intent_text=said["user_initial_request"],
        resolved_intent_summary=said["resolved_intent"],
        inferred_task_type=fields.get("task_type") or said.get("inferred_task_type"),
        work_context_ids=tuple(one["id"] for one in row["about"] if one["kind"] == "Entity"),
        matter_or_project_ids=tuple(
            one["id"] for one in row["about"] if one.get("entity_kind") in {"matter", "project"}
        ),
        goal_ids=tuple(
            dict.fromkeys([one["id"] for one in row["about"] if one["kind"] == "Goal"] + _of(facts, ConsideredAs.goal))
        ),
        template_match_id=row["match"]["id"] if row["match"] else None,
        task_mode_decision_id=row["decision"],
        selected_template_ids=tuple(dict.fromkeys(selected)),
        selected_preset_ids=tuple(_accepted(facts, ConsideredAs.preset)),
        considered_pattern_ids=tuple(_of(facts, ConsideredAs.pattern)),
        considered_case_ids=tuple(_of(facts, ConsideredAs.case)),
        task_blueprint_id=facts.blueprint["id"] if facts.blueprint else None,
        graph_proposal_id=facts.graph["id"] if facts.graph else None,
        capability_plan=CapabilityPlan(
            requires_ids=tuple(one["id"] for one in facts.needed),
            allows_ids=tuple(links.get("allows", ())),
            denies_ids=tuple(links.get("denies", ())),
        ),
        artifact_intake_policy=fields.get("artifact_policy"),
        artifact_policy_ids=tuple(_of(facts, ConsideredAs.policy)),
        telemetry_memory_policy=fields.get("telemetry_policy"),
        side_effect_review_plan=SideEffectPlan(
            side_effects=tuple(facts.side_effects),
            risky=tuple(risky(facts.side_effects)),
            review_points=tuple(str(one["statement"]) for one in content.get("review_points", {}).values()),
        ),
        assessment_plan=fields.get("assessment_plan"),
        preflight_report_ref=said.get("preflight_report_ref") or next(iter(row["preflights"]), None),
        preflight_ids=tuple(row["preflights"]),
        guidance_card_ids=(*_of(facts, ConsideredAs.doctrine), *_of(facts, ConsideredAs.card)),
        looked_up_ids=tuple(_of(facts, ConsideredAs.looked_up)),
        question_ids=tuple(one["id"] for one in row["questions"]),
        extracted_instruction_candidates=tuple(one for one in heard if one.statement_kind is instructing),
        extracted_user_preferences=tuple(one for one in heard if one.statement_kind is not routing),
        extracted_goal_links=tuple(
            dict.fromkeys([*links.get("goals", ()), *(one for each in row["statements"] for one in each["goals"])])
        ),
        extracted_template_routing_directives=tuple(one for one in heard if one.statement_kind is routing),
        extracted_design_learning_signal_ids=tuple(row["signals"]),
        saved_ids=tuple(one["id"] for one in row["saved"]),
        receipt_ids=tuple(row["receipts"]),
        edit_trace_ids=tuple(row["edits"]),
        later_run_ids=tuple(row["runs"]),
    )
    return replace(bundle, bundle_id=_digest(asdict(bundle)))


def _digest(content: dict[str, Any]) -> str:
    return "bundle_" + hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def _of(facts: SessionFacts, role: ConsideredAs) -> list[str]:
    return [one["record"]["id"] for one in facts.considered(role)]


def _accepted(facts: SessionFacts, role: ConsideredAs) -> list[str]:
    return [one["record"]["id"] for one in facts.considered(role) if one["response"] == SuggestionAnswer.accepted]
