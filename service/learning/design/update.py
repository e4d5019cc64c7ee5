"""What happens in a design session: questions, answers, statements, proposals, and its end. One transaction each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_schema.learning.design_relations import LOOKED_AT
from graph_schema.learning.design_words import (
    ConsideredAs,
    DesignSlot,
    QuestionVerdict,
    SuggestionAnswer,
)
from graph_schema.learning.words import DesignSignalKind, SignalOrigin
from graph_schema.model.fields import KEY_LENGTH, NAME_LENGTH, TEXT_LENGTH
from graph_schema.registry import REGISTRY
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid, RecordMissing
from service.graph.database import Database
from service.learning.design import slots
from service.learning.design.drafts import GraphDraft, draft
from service.learning.design.ending import end
from service.learning.design.errors import QuestionUnknown, SessionEnded, SuggestionUnknown
from service.learning.design.facts import SessionFacts
from service.learning.design.inputs import DesignUpdate, SlotAnswer
from service.learning.design.judged import judged
from service.learning.design.load import facts_of
from service.learning.design.noting import note
from service.learning.signals.emit import emit
from service.library.blueprints import BlueprintInput
from service.library.commands import content_of
from service.records import rules
from service.words import stems


@dataclass(frozen=True, slots=True)
class Brought:
    """All that comes with one update."""

    update: DesignUpdate
    blueprint: BlueprintInput | None = None
    graph: GraphDraft | None = None


class UpdateDesign:
    def __init__(self, commands: Commands, database: Database) -> None:
        self._commands = commands
        self._database = database

    async def update(
        self, viewer: Viewer, session: RecordRef, brought: Brought, *, command_id: str | None = None
    ) -> Outcome:
        session.check("session", "DesignSession")
        brought.update.check()
        known = await self._known(viewer, session)
        blueprint = _own_blueprint(brought.blueprint, known)
        if blueprint is not None:
            kind = REGISTRY.types["Blueprint"]
            rules.check_fields(kind, blueprint.values)
            rules.check_access(viewer, blueprint.values)
        given = replace(brought, blueprint=blueprint)
        own = [RecordRef(id=blueprint.record_id)] if blueprint and blueprint.record_id else []
        reads = [*(ref for _, ref in brought.update.refs()), *(blueprint.refs() if blueprint else ())]
        reads += [RecordRef(id=one) for one in (blueprint.values.get("matter_ids") or () if blueprint else ())]
        reads += [RecordRef(id=brought.update.preflight_report_ref)] if brought.update.preflight_report_ref else []
        reads += given.graph.ties.refs() if given.graph else []
        reads += [RecordRef(id=one["record"]["id"]) for one in known.row["considered"]]
        reads += [RecordRef(id=one) for one in (*known.judged, *([known.taken] if known.taken else []))]
        asked = Request(
            "updateDesignSession",
            KeyScope.curate,
            {"session": str(session), **content_of(brought)},
            reads=list({str(one): one for one in reads}.values()),
            changes=[session, *own],
            command_id=command_id,
        )
        return await self._commands.execute(viewer, asked, _Update(session, given))

    async def _known(self, viewer: Viewer, session: RecordRef) -> SessionFacts:
        if session.id is None:
            raise RecordMissing(session, "session")
        found = await facts_of(self._database.read, viewer, session.id)
        if found is None:
            raise RecordMissing(session, "session")
        return found


def _own_blueprint(asked: BlueprintInput | None, known: SessionFacts) -> BlueprintInput | None:
    """A session has one blueprint: what is proposed again is a new version of it."""
    if asked is None:
        return None
    drafted = str(known.blueprint["id"]) if known.blueprint else None
    if asked.of is not None:
        raise InputInvalid("blueprint", "a proposal is of nothing yet; it is given to the task when that is saved")
    if asked.record_id is not None and asked.record_id != drafted:
        raise InputInvalid("blueprint.id", "leave it out: the session has a blueprint of its own")
    access = {name: known.session[name] for name in ("data_class", "matter_ids")} if drafted is None else {}
    return replace(asked, record_id=drafted, values={**access, **asked.values})


class _Update:
    def __init__(self, session: RecordRef, brought: Brought) -> None:
        self._ref = session
        self._brought = brought

    async def __call__(self, work: Work) -> dict[str, Any]:
        session = work.find(self._ref, "session", ["DesignSession"])
        facts = await facts_of(work.transaction.run, work.viewer, session.id) if session else None
        if session is None or facts is None:
            raise RecordMissing(self._ref, "session")
        if session.properties.get("outcome"):
            raise SessionEnded(session.id, session.properties["outcome"])
        given = self._brought.update
        changing = _Changing(work, session, facts)
        asked = [changing.ask(one.slot, one.text) for one in given.questions]
        for one in given.answers:
            changing.answer(one)
        for one in given.question_feedback:
            changing.judge(changing.question(one.question, "question_feedback"), one.verdict)
        heard = note(work, session, given.said, changing.considered())
        for one in given.suggestions:
            changing.suggestion(one.record, one.text, accepted=one.accepted)
        for ref in given.looked_up:
            changing.look_up(ref)
        drafted = await draft(
            work, session, changing.facts(), self._brought.blueprint, self._brought.graph, given.rationale
        )
        changing.values |= drafted.values
        if given.preflight_report_ref is not None:
            changing.values["preflight_report_ref"] = given.preflight_report_ref
            changing.preflighted(given.preflight_report_ref)
        ended = await end(work, session, drafted.facts or changing.facts(), given)
        changing.values |= ended.values
        after = changing.settled()
        return {
            "id": after.id,
            "version": after.version,
            "questions": [one.id for one in asked],
            "statements": [one.id for one in heard],
            "blueprint": drafted.blueprint,
            "graph": drafted.graph,
            "errors": [one.written() for one in drafted.findings.errors],
            "findings": [one.written() for one in drafted.findings.warnings],
            "outcome": ended.values.get("outcome"),
            "edit_trace": ended.edit_trace,
        }


class _Changing:
    """A session on its way: what it will say, and the records that were made for it."""

    def __init__(self, work: Work, session: State, facts: SessionFacts) -> None:
        self._work = work
        self._session = session
        self._facts = facts
        self._questions: dict[str, State] = {}
        self.values: dict[str, Any] = {}
        kind = work.registry.types["DesignQuestion"]
        for one in facts.row["questions"]:
            self._questions[one["id"]] = State(kind, tuple(kind.model.labels(one)), dict(one))

    def facts(self) -> SessionFacts:
        """As the rules see the session with what it will say."""
        told = {**self._facts.session, **{name: value for name, value in self.values.items() if value is not None}}
        return replace(self._facts, row={**self._facts.row, "session": told})

    def considered(self) -> list[State]:
        refs = [RecordRef(id=one["record"]["id"]) for one in self._facts.row["considered"]]
        return [state for ref in refs if (state := self._work.find(ref, "session")) is not None]

    def ask(self, slot: DesignSlot, text: str) -> State:
        said = " ".join(text.split())
        if not said or len(said) > TEXT_LENGTH:
            raise InputInvalid("questions", f"a question has from 1 to {TEXT_LENGTH:,} characters")
        made = self._new_question(slot, {"text": said, "asked": True, "asked_at": self._work.at})
        self._questions[made.id] = made
        return made

    def answer(self, one: SlotAnswer) -> None:
        value = slots.checked(one.slot, one.values, "answers")
        before = slots.presumed(self.facts(), one.slot)
        field = slots.field_of(one.slot)
        told = list(one.values)
        changed = {*map(_plain, told)} != {*map(_plain, before)}
        said = {"answer": told, "answered_at": self._work.at, "changed_design": changed}
        question = self._answered(one)
        if question is None:
            question = self._new_question(one.slot, {"asked": False, **said})
        else:
            question = self._changed(question, said)
        if one.verdict is not None:
            self.judge(question, one.verdict)
        if field is not None:
            self.values[field] = value
        answered = {*self._session.properties["answered_slots"], *self.values.get("answered_slots", ()), one.slot.value}
        self.values["answered_slots"] = [each.value for each in DesignSlot if each.value in answered]
        if one.slot is DesignSlot.expected_outputs and _confirms(before, told):
            self._confirm(question, told)

    def _confirm(self, question: State, told: Sequence[str]) -> None:
        """What is wanted as presumed, one signal for each output, on the template that would make it."""
        taken = self.facts().basis
        template = self._work.find(RecordRef(id=taken["id"]), "session") if taken else None
        about = [question, *([template] if template else [])]
        for each in dict.fromkeys(" ".join(one.split()) for one in told):
            self._signal(
                DesignSignalKind.output_preference_confirmed,
                about,
                f"Wanted as presumed: {each}.",
                subject_key=each[:KEY_LENGTH],
            )

    def judge(self, question: State, verdict: QuestionVerdict) -> None:
        if question.properties.get("verdict") == verdict:
            return
        after = self._changed(question, {"verdict": verdict.value})
        kind = (
            DesignSignalKind.question_helpful
            if verdict is QuestionVerdict.helpful
            else DesignSignalKind.question_annoying
        )
        about = after.properties["text"] or f"Asked about {after.properties['slot']}."
        self._signal(kind, [after], about, subject_key=after.properties["slot"])

    def question(self, question_id: str, field: str) -> State:
        found = self._questions.get(question_id)
        if found is None:
            raise QuestionUnknown(question_id, field)
        return found

    def suggestion(self, ref: RecordRef | None, text: str | None, *, accepted: bool) -> None:
        if ref is not None:
            self._respond(ref, accepted=accepted)
            return
        said = " ".join((text or "").split())
        if not said or len(said) > TEXT_LENGTH:
            raise InputInvalid("suggestions", f"a suggestion has from 1 to {TEXT_LENGTH:,} characters")
        for name, is_it in (("accepted_suggestions", accepted), ("rejected_suggestions", not accepted)):
            held = self.values.get(name, self._session.properties[name])
            others = [one for one in held if one != said]
            self.values[name] = [*others, said] if is_it else others

    def look_up(self, ref: RecordRef) -> None:
        state = self._work.existing(ref, "looked_up", LOOKED_AT)
        if any(one["record"]["id"] == state.id for one in self._facts.row["considered"]):
            return
        rank = len(self._facts.considered(ConsideredAs.looked_up)) + 1
        told = {"role": ConsideredAs.looked_up.value, "rank": rank, "record_version": state.version}
        self._work.link(self._session, "CONSIDERED", state, told)

    def preflighted(self, place: str) -> None:
        """A report that is kept here is linked, and not only named."""
        found = self._work.find(RecordRef(id=place), "preflight_report_ref")
        if found is not None and found.type.label == "Preflight":
            self._work.link(self._session, "PREFLIGHTED", found)

    def settled(self) -> State:
        changed = {name: value for name, value in self.values.items() if value is not None}
        cleared = {name: None for name, value in self.values.items() if value is None}
        return self._work.update(self._session, {**changed, **cleared})

    def _respond(self, ref: RecordRef, *, accepted: bool) -> None:
        state = self._work.find(ref, "suggestions")
        held = next((one for one in self._facts.row["considered"] if state and one["record"]["id"] == state.id), None)
        if state is None or held is None:
            raise SuggestionUnknown(ref)
        answer = SuggestionAnswer.accepted if accepted else SuggestionAnswer.rejected
        told = {name: held[name] for name in ("role", "rank", "score", "because", "record_version")}
        kept = {name: value for name, value in told.items() if value is not None}
        self._work.link(self._session, "CONSIDERED", state, {**kept, "response": answer.value})
        held_rows = [
            {**one, "response": answer.value} if one["record"]["id"] == state.id else one
            for one in self._facts.row["considered"]
        ]
        self._facts = replace(self._facts, row={**self._facts.row, "considered": held_rows})
        if state.type.label == "Template" and held["response"] != answer:
            kind = DesignSignalKind.template_selected if accepted else DesignSignalKind.template_rejected
            self._signal(
                kind, [state, *judged(self._work, self._facts)], f"{state.properties['name']} was {answer.value}."
            )

    def _answered(self, one: SlotAnswer) -> State | None:
        """The question that is answered: the one that is named, else the latest open one about the slot."""
        if one.question is not None:
            found = self.question(one.question, "answers")
            if found.properties["slot"] != one.slot:
                raise InputInvalid("answers", f"the question is about {found.properties['slot']}, not {one.slot.value}")
            return found
        opened = [
            each
            for each in self._questions.values()
            if each.properties["slot"] == one.slot and not each.properties.get("answered_at")
        ]
        return opened[-1] if opened else None

    def _new_question(self, slot: DesignSlot, told: Mapping[str, Any]) -> State:
        said = self._session.properties
        values = {
            **told,
            "name": str(told.get("text") or slot.value)[:NAME_LENGTH],
            "slot": slot.value,
            "context_class_key": said["context_class_key"],
            "task_type": said.get("inferred_task_type"),
            "data_class": said["data_class"],
            "matter_ids": said["matter_ids"],
        }
        given = {name: value for name, value in values.items() if value is not None}
        made = self._work.create(self._work.registry.types["DesignQuestion"], given, [self._session])
        self._work.link(self._session, "ASKED", made)
        return made

    def _changed(self, question: State, told: Mapping[str, Any]) -> State:
        """One that this command made is only said otherwise: a record is changed once."""
        if any(one["properties"] is question.properties for one in self._work.changes.creates):
            question.properties.update(told)
            return question
        before = self._questions.get(question.id, question)
        pending = next((one for one in self._work.changes.updates if one["id"] == question.id), None)
        if pending is not None:
            pending["properties"].update(told)
            question.properties.update(told)
            return question
        after = self._work.update(before, told)
        self._questions[question.id] = after
        return after

    def _signal(self, kind: DesignSignalKind, about: list[State], summary: str, **more: Any) -> None:
        said = self._session.properties
        values = {
            "summary": summary[:TEXT_LENGTH],
            "context_class_key": said["context_class_key"],
            "task_type": said.get("inferred_task_type"),
            **more,
        }
        emit(self._work, SignalOrigin.design_session, [self._session, *about], values, kind=kind)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split())


def _confirms(before: tuple[str, ...], told: list[str]) -> bool:
    """Whether what is wanted is what would have been presumed, or some of it."""
    held = [stems(one.replace("_", " ")) for one in before]
    return bool(told) and all(any(stems(one.replace("_", " ")) & each for each in held) for one in told)
