"""Making a task that is seen: the task, its graph, its blueprint and its receipt in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.learning.design_words import CreationMode
from graph_schema.model.fields import TEXT_LENGTH, DataClass
from service.access.agents import is_agent
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.approval import approval_required
from service.commands.errors import RecordMissing
from service.learning.creation import cypher
from service.learning.creation.inputs import TrackedTaskInput
from service.learning.creation.risk import risky
from service.learning.creation.rules import Creation, check, may_run
from service.learning.design.ending import check_preflighted
from service.learning.design.errors import SessionEnded
from service.learning.design.facts import SessionFacts
from service.learning.design.load import facts_of
from service.library.commands import content_of
from service.library.graphs import canonical, graph_hash
from service.library.snapshots import load_graph, plan_graph
from service.library.ties import tie_graphs
from service.records import Hooks, rules
from service.records.lifecycle import is_guarded, prepared
from service.routing.agent.read import AgentProfiles


class TrackedTasks:
    def __init__(self, commands: Commands, hooks: Hooks, profiles: AgentProfiles) -> None:
        self._commands = commands
        self._hooks = hooks
        self._profiles = profiles

    async def track(self, viewer: Viewer, given: TrackedTaskInput, *, command_id: str | None = None) -> Outcome:
        """Make a task, or take one that is there, and keep its receipt."""
        given.check()
        rules.check_access(viewer, {"matter_ids": given.matter_ids, "data_class": given.data_class})
        profile = (await self._profiles.now(viewer)).profile
        accepts = not profile.require_user_confirmation_before_save
        reads = [ref for _, ref, _ in given.refs() if ref is not given.session]
        reads += [RecordRef(id=one) for one in given.matter_ids]
        changes = [one for one in (given.task, given.session) if one is not None]
        request = Request(
            "trackTask", KeyScope.curate, content_of(given), reads=reads, changes=changes, command_id=command_id
        )
        return await self._commands.execute(viewer, request, _Track(given, self._hooks, accepts=accepts))


@dataclass(slots=True)
class _Known:
    """What the task is made of."""

    session: State | None
    facts: SessionFacts | None
    decision: State | None
    template: State | None
    run: State | None
    about: list[State]

    def all(self) -> list[State]:
        single = (self.session, self.decision, self.template, self.run)
        return [*(one for one in single if one is not None), *self.about]


class _Track:
    def __init__(self, given: TrackedTaskInput, hooks: Hooks, *, accepts: bool) -> None:
        self._given = given
        self._hooks = hooks
        self._accepts = accepts

    async def __call__(self, work: Work) -> dict[str, Any]:
        given, by_agent = self._given, is_agent(work.viewer)
        rules.check_matters(work, {"matter_ids": given.matter_ids})
        known = await self._known(work)
        request_ref = self._request_ref(known)
        level = known.decision.properties["task_opportunity_level"] if known.decision else None
        check(
            Creation(
                given.creation_mode,
                by_agent,
                level,
                known.session is not None,
                known.template is not None,
                request_ref,
            )
        )
        if known.facts is not None and given.task is None:
            check_preflighted(work, known.facts)
        effects = risky(await self._effects(work, known))
        policy = by_agent and self._accepts and not effects
        accepted = policy and given.creation_mode is not CreationMode.scratch_draft_not_run
        task = self._task(work, known, accepted=accepted)
        if accepted:
            work.accepted.add(task.id)
        receipt = self._receipt(work, task, known, request_ref, effects, accepted=accepted)
        if given.task is None:
            await self._equip(work, task, known)
            for step in self._hooks.after_save:
                await step(work, None, task)
        return {"id": receipt.id, "version": receipt.version, "task": task.id}

    async def _known(self, work: Work) -> _Known:
        given = self._given
        session = _found(work, given.session, "session", "DesignSession")
        facts = await facts_of(work.transaction.run, work.viewer, session.id) if session else None
        if session is not None and session.properties.get("outcome") and given.task is None:
            raise SessionEnded(session.id, session.properties["outcome"])
        decision = _found(work, given.decision, "decision", "ModeDecision")
        if decision is None and facts is not None and facts.row["decision"]:
            decision = await _read(work, facts.row["decision"])
        template = _found(work, given.template, "template", "Template")
        if template is None and facts is not None and facts.taken is not None:
            template = await _read(work, facts.taken)
        about = {one.id: one for ref in given.about if (one := work.need(ref, "about", ("Entity", "Goal")))}
        for one in facts.row["about"] if facts else ():
            state = about.get(one["id"]) or await _read(work, one["id"])
            if state is not None:
                about[state.id] = state
        run = _found(work, given.run, "run", "Run")
        return _Known(session, facts, decision, template, run, list(about.values()))

    def _request_ref(self, known: _Known) -> str | None:
        for one in (known.session, known.decision):
            told = one.properties.get("user_request_ref") if one and not self._given.request_ref else None
            if told:
                return str(told)
        return self._given.request_ref

    async def _effects(self, work: Work, known: _Known) -> Sequence[str]:
        """Of what the task has, or is about to get."""
        given, facts = self._given, known.facts
        if given.task is not None:
            task = _found(work, given.task, "task", "Task")
            row = await work.transaction.one(
                cypher.OF_TASK, id=task.id if task else None, audiences=work.viewer.audiences
            )
            of = {name: row[name] for name in ("graphs", "blueprints", "templates")} if row else {}
        else:
            of = {
                "graphs": [facts.graph["id"]] if facts and facts.graph else [],
                "blueprints": [facts.blueprint["id"]] if facts and facts.blueprint else [],
                "templates": [known.template.id] if known.template and not (facts and facts.graph) else [],
            }
        found = await work.transaction.one(
            cypher.SIDE_EFFECTS, **{"graphs": [], "blueprints": [], "templates": [], **of}
        )
        return found["classes"] if found else ()

    def _task(self, work: Work, known: _Known, *, accepted: bool) -> State:
        given = self._given
        if given.task is not None:
            task = _found(work, given.task, "task", "Task")
            if task is None:
                raise RecordMissing(given.task, "task")
            if is_guarded(work.viewer, task):
                raise approval_required("Task")("receipt")
            return task
        source = known.session or known.template
        own = source.properties if source else {}
        task_type = given.task_type or (known.session.properties.get("inferred_task_type") if known.session else None)
        values: dict[str, Any] = {
            "name": given.name,
            "description": given.user_visible_description,
            "task_type": task_type or (known.template.properties.get("task_type") if known.template else None),
            "data_class": _data_class(given.data_class, own),
            "matter_ids": sorted({*given.matter_ids, *own.get("matter_ids", ())}),
        }
        kind = work.registry.types["Task"]
        rules.check_fields(kind, values)
        stored = prepared(work.viewer, kind, {name: one for name, one in values.items() if one is not None}, None)
        if accepted:
            stored["lifecycle_state"] = "active"
        elif self._given.creation_mode is CreationMode.scratch_draft_not_run:
            stored["lifecycle_state"] = "draft"
        return work.create(kind, {name: one for name, one in stored.items() if one is not None})

    async def _equip(self, work: Work, task: State, known: _Known) -> None:
        """Give the task its graph, its blueprint and the template that it is made from."""
        facts = known.facts
        if known.template is not None:
            work.link(task, "INSTANTIATES", known.template)
        graph = facts.graph["id"] if facts and facts.graph else await self._of_template(work, known)
        if graph is not None:
            whole = canonical(await load_graph(work, graph), stored=True)
            for check in self._hooks.on_graph:
                await check(work, task, graph_hash(whole))
            saved = await plan_graph(work, task, whole)
            if graph != saved.snapshot.id:
                await tie_graphs(work, [replace(saved, former=(*saved.former, graph))])
        if facts and facts.row["match"]:
            work.link_id(task, "DESIGNED_AFTER", facts.row["match"]["id"])
        if facts and facts.blueprint:
            await _intend(work, task, facts)

    async def _of_template(self, work: Work, known: _Known) -> str | None:
        if known.template is None:
            return None
        row = await work.transaction.one(cypher.OF_TEMPLATE, id=known.template.id, audiences=work.viewer.audiences)
        return row["graph"] if row else None

    def _receipt(
        self, work: Work, task: State, known: _Known, request_ref: str | None, effects: list[str], *, accepted: bool
    ) -> State:
        given, by_agent = self._given, is_agent(work.viewer)
        said = known.session.properties["user_initial_request"] if known.session else None
        decided = known.decision.properties["resolved_intent_summary"] if known.decision else None
        summary = given.request_summary or said or decided or given.user_visible_description
        values = {
            "name": f"Receipt: {task.properties['name']}"[:200],
            "creation_mode": given.creation_mode.value,
            "reason_for_task_mode": given.reason_for_task_mode,
            "originating_user_request_ref": request_ref,
            "semantic_request_summary": summary[:TEXT_LENGTH],
            "user_visible_description": given.user_visible_description,
            "graph_inspector_url": given.graph_inspector_url,
            "run_inspector_url": given.run_inspector_url,
            "task_memory_ref": given.task_memory_ref,
            "risky_side_effects": effects,
            "runnable": may_run(given.creation_mode, by_agent=by_agent, risky=effects, accepted=accepted),
            "recorded_by": work.viewer.principal_id,
            "data_class": task.properties["data_class"],
            "matter_ids": task.properties["matter_ids"],
        }
        told = {name: value for name, value in values.items() if value is not None}
        receipt = work.create(work.registry.types["TaskReceipt"], told, [task, *known.all()])
        work.link(receipt, "FOR", task)
        directive = _found(work, given.directive, "directive", "InvocationDirective")
        for kind, head in (
            ("FOR", known.run),
            ("DESIGNED_IN", known.session),
            ("OF", known.decision),
            ("SUGGESTS", directive),
        ):
            if head is not None:
                work.link(receipt, kind, head)
        for one in known.about:
            work.link(receipt, "ABOUT", one)
        return receipt


async def _intend(work: Work, task: State, facts: SessionFacts) -> None:
    """The blueprint that was proposed becomes the task's, and is measured by the graph that the task gets."""
    blueprint = await _read(work, facts.blueprint["id"]) if facts.blueprint else None
    if blueprint is None:
        return
    measured = {name: one for name, one in (facts.complexity or {}).items() if name != "output_stakes"}
    version = {"current_graph_version": 1} if facts.graph else {}
    after = work.update(blueprint, {**measured, **version})
    work.link(task, "HAS_BLUEPRINT", after)
    work.changes.access_changed.add(blueprint.id)


def _data_class(given: DataClass | None, own: Any) -> str:
    held = [one for one in (given, own.get("data_class")) if one]
    return strictest(held).value if held else DataClass.internal.value


def _found(work: Work, ref: RecordRef | None, field: str, label: str) -> State | None:
    if ref is None:
        return None
    return work.existing(ref, field, [label])


async def _read(work: Work, record_id: str) -> State | None:
    row = await work.transaction.one(cypher.RECORD, id=record_id, audiences=work.viewer.audiences)
    if row is None:
        return None
    return State(work.registry.types[work.registry.label_of(row["labels"])], tuple(row["labels"]), row["properties"])
