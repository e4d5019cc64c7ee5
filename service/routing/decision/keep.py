"""Kept decisions: stored with the facts they rest on, and compared with what the same request becomes now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, TEXT_LENGTH, DataClass
from graph_schema.routing.decision_words import ExecutionMode, OpportunityLevel
from service import clock
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.commands.work import State
from service.graph.database import Database
from service.matching.keep import Keeping
from service.matching.kept import Question, waits_for_vectors
from service.routing.decision import cypher
from service.routing.decision.answer import MeantRecord, TaskModeDecision
from service.routing.decision.decide import decide
from service.routing.decision.errors import DecisionTooLarge
from service.routing.decision.fits import calibration
from service.routing.decision.frozen import differing, frozen, places, thawed
from service.routing.decision.grounds import Grounds
from service.routing.decision.read import TaskModes
from service.routing.decision.request import TaskModeRequest
from service.views import Id

RECORDED = "task.mode.decision_recorded"
PACKET_READY = "task.opportunity.packet_ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskModeComparison:
    """A kept decision beside the same request, decided again."""

    decision_id: Annotated[Id, "Id of the kept decision."]
    same: Annotated[bool, "Whether mode, level, fits, signals, vetoes and what was meant are the same."]
    same_ranker: Annotated[bool, "Whether rules, words and model are the same; else fits do not compare."]
    kept_mode: Annotated[ExecutionMode, "What the request became then."]
    kept_level: Annotated[OpportunityLevel, "How much spoke for a task then."]
    differences: Annotated[tuple[str, ...], "What differs, by the names of the fields."]
    now: Annotated[TaskModeDecision, "What it becomes now, from the facts as they were given then."]
    replayed_mode: Annotated[
        ExecutionMode | None, "What the rules of now make of what was weighed then. Null where it keeps nothing of it."
    ]
    replayed_level: Annotated[OpportunityLevel | None, "How much spoke for a task, by the same."]
    weighed_otherwise: Annotated[
        tuple[str, ...], "What would be weighed otherwise now: kinds of evidence that came or went, and other facts."
    ]


class KeptModes:
    def __init__(self, commands: Commands, database: Database, modes: TaskModes) -> None:
        self._commands = commands
        self._database = database
        self._modes = modes

    async def keep(self, viewer: Viewer, request: TaskModeRequest, *, command_id: str | None = None) -> Outcome:
        """Decide, and store the decision with what it rests on."""
        at = clock.now()
        decision, grounds = await self._modes.decided(viewer, request, clock.parse(at))
        values = _values(request, decision, grounds, at)
        linked = _linked(decision)
        evidence = [RecordRef(id=one) for one in _evidence(decision) if one not in {each.id for _, each, _ in linked}]
        about = [one for one in (*request.entities, request.open_task, request.open_run) if one is not None]
        keeping = _keeping(viewer, grounds, at)

        async def plan(work: Work) -> dict[str, Any]:
            states = [work.need(RecordRef(id=one.id), "request") for _, one, _ in linked]
            sources = [state for ref in (*evidence, *about) if (state := work.find(ref, "request"))]
            made = work.create(work.registry.types["ModeDecision"], values | _own_access(sources), states)
            for (kind, one, rank), state in zip(linked, states, strict=True):
                work.link(made, kind, state, {**_link(one, rank, state), "facts": _json(places(grounds, one.id))})
            if keeping is not None:
                work.link(made, "COMPARED", await keeping.kept(work))
            work.event(RECORDED, made)
            if decision.should_inject_task_packet:
                work.event(PACKET_READY, made, other=decision.opportunity_packet_ref)
            return {"id": made.id, "version": made.version}

        reads = [*(RecordRef(id=one.id) for _, one, _ in linked), *evidence, *about]
        reads += keeping.reads if keeping else []
        content = {"text": request.text, "facts": _plain(request.facts())}
        command = Request("recordTaskMode", KeyScope.curate, content, reads=reads, command_id=command_id)
        return await self._commands.execute(viewer, command, plan)

    async def compare(self, viewer: Viewer, decision_id: str) -> TaskModeComparison:
        """The kept decision and that of today. On an unchanged graph they are the same."""
        row = await self._database.read_one(cypher.KEPT, id=decision_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=decision_id), "decision")
        kept = row["kept"]
        request = TaskModeRequest.of_facts(kept["request"], orjson.loads(kept["facts"]))
        now, grounds = await self._modes.decided(viewer, request, clock.parse(kept["decided_at"]))
        weighed = orjson.loads(kept["weighed"]) if kept.get("weighed") else None
        replayed = decide(thawed(weighed), calibration()) if weighed else None
        before, after = orjson.loads(kept["answer"]), _plain(_told(now))
        differences = tuple(name for name in before if before[name] != after.get(name))
        return TaskModeComparison(
            decision_id=decision_id,
            same=not differences,
            same_ranker=kept["ranker"] == _ranker(now) and kept.get("embedding_model") == now.ranker.model,
            kept_mode=ExecutionMode(kept["selected_mode"]),
            kept_level=OpportunityLevel(kept["task_opportunity_level"]),
            differences=differences,
            now=now,
            replayed_mode=replayed.mode if replayed else None,
            replayed_level=replayed.level if replayed else None,
            weighed_otherwise=differing(weighed, _plain(frozen(grounds))) if weighed else (),
        )


def _keeping(viewer: Viewer, grounds: Grounds, at: str) -> Keeping | None:
    """The comparison with templates, to be kept with all that was known of them then."""
    found = grounds.compared
    if found is None or not found.answer.weighed:
        return None
    answer = found.answer
    return Keeping(
        viewer, Question("Template", found.request, at, answer.ranker.model, waits_for_vectors(answer)), answer
    )


def _values(request: TaskModeRequest, decision: TaskModeDecision, grounds: Grounds, at: str) -> dict[str, Any]:
    facts, answer, weighed = _json(request.facts()), _json(_told(decision)), _json(frozen(grounds))
    for name, text in (("facts", facts), ("answer", answer), ("weighed", weighed)):
        if len(text) > LONG_TEXT_LENGTH:
            raise DecisionTooLarge(name, LONG_TEXT_LENGTH, len(text))
    return {
        "name": _shortened(request.text.strip() or "(empty request)", NAME_LENGTH),
        "user_request_ref": decision.user_request_ref,
        "request": request.text,
        "resolved_intent_summary": _shortened(decision.resolved_intent_summary, TEXT_LENGTH),
        "selected_mode": decision.selected_mode.value,
        "task_opportunity_level": decision.task_opportunity_level.value,
        "task_agent_consult_policy": decision.task_agent_consult_policy.value,
        "task_fit_score": decision.task_fit_score,
        "direct_answer_fit_score": decision.direct_answer_fit_score,
        "existing_template_match_score": decision.existing_template_match_score,
        "positive_task_signals": [one.signal.value for one in decision.positive_task_signals],
        "task_veto_signals": [one.veto.value for one in decision.task_veto_signals],
        "should_inject_task_packet": decision.should_inject_task_packet,
        "should_inject_knowledge_cards": decision.should_inject_knowledge_cards,
        "visible_to_llm": decision.visible_to_llm,
        "visible_to_user": decision.visible_to_user,
        "opportunity_packet_ref": decision.opportunity_packet_ref,
        "context_class": decision.context_class,
        "said": decision.say,
        "facts": facts,
        "answer": answer,
        "weighed": weighed,
        "ranker": _ranker(decision),
        "embedding_model": decision.ranker.model,
        "decided_at": at,
    }


def _told(decision: TaskModeDecision) -> dict[str, Any]:
    """What a comparison needs: everything that was decided, with the evidence by its words."""
    return {
        "selected_mode": decision.selected_mode,
        "task_opportunity_level": decision.task_opportunity_level,
        "task_agent_consult_policy": decision.task_agent_consult_policy,
        "task_fit_score": decision.task_fit_score,
        "direct_answer_fit_score": decision.direct_answer_fit_score,
        "existing_template_match_score": decision.existing_template_match_score,
        "positive_task_signals": {
            one.signal.value: [each.kind.value for each in one.evidence] for one in decision.positive_task_signals
        },
        "task_veto_signals": {
            one.veto.value: [each.kind.value for each in one.evidence] for one in decision.task_veto_signals
        },
        "because": decision.because,
        "context_class": decision.context_class,
        "meant": [[kind, one.id, one.score] for kind, one, _ in _linked(decision)],
        "missing": [one.code for one in decision.missing],
    }


def _linked(decision: TaskModeDecision) -> list[tuple[str, MeantRecord, int]]:
    matched = (
        decision.matched_task_templates,
        decision.matched_module_presets,
        decision.matched_invocation_directives,
    )
    meant = (decision.tasks, decision.runs, decision.outputs)
    return [
        (kind, one, rank)
        for kind, lists in (("RESTED_ON", matched), ("MEANT", meant))
        for some in lists
        for rank, one in enumerate(some, 1)
    ]


def _evidence(decision: TaskModeDecision) -> list[str]:
    held = (*decision.positive_task_signals, *decision.task_veto_signals)
    return sorted({each.record_id for one in held for each in one.evidence if each.record_id})


def _own_access(sources: Sequence[State]) -> dict[str, Any]:
    """Its own, not inherited: no link leads to these, and the answer tells of them."""
    read: list[Mapping[str, Any]] = [one.properties for one in sources]
    data_class = strictest([DataClass.internal, *(one["data_class"] for one in read)])
    return {"data_class": data_class.value, "matter_ids": sorted({one for each in read for one in each["matter_ids"]})}


def _link(one: MeantRecord, rank: int, state: State) -> dict[str, Any]:
    return {"rank": rank, "score": one.score, "record_version": state.version}


def _ranker(decision: TaskModeDecision) -> str:
    return f"{decision.ranker.name} {decision.ranker.version}, words {decision.ranker.words}"


def _json(given: Any) -> str:
    return orjson.dumps(given).decode()


def _plain(given: Any) -> Any:
    return orjson.loads(orjson.dumps(given))


def _shortened(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"
