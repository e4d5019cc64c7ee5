"""Beginning a design: what is looked up is kept at once, with the search for reuse, in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graph_schema.learning.design_words import DesignSlot
from graph_schema.model.fields import NAME_LENGTH, TEXT_LENGTH
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, State, Work
from service.commands.errors import InputInvalid
from service.learning.design import slots
from service.learning.design.inputs import DesignRequest, SlotValue
from service.learning.design.look import Found, Looking
from service.learning.design.noting import note
from service.library.commands import content_of
from service.records import rules
from service.routing.agent.read import AgentProfiles
from service.routing.feedback.read import check_class

STARTED = ("task.agent.design_session.started", "task.agent.design_started")
"""§21.4 and §21A.2 each have a name for it."""
RULES = f"{slots.VERSION}"


class StartDesign:
    def __init__(self, commands: Commands, looking: Callable[[], Looking], profiles: AgentProfiles) -> None:
        """`looking` is asked for when something is to be compared: that needs a model."""
        self._commands = commands
        self._looking = looking
        self._profiles = profiles

    async def start(self, viewer: Viewer, request: DesignRequest, *, command_id: str | None = None) -> Outcome:
        """Look up all that a design begins with, and keep it."""
        _check(viewer, request)
        return await self.begin(viewer, request, await self._looking().found(viewer, request), command_id=command_id)

    async def begin(
        self, viewer: Viewer, request: DesignRequest, found: Found, *, command_id: str | None = None
    ) -> Outcome:
        """The same from what was looked up already."""
        _check(viewer, request)
        told = slot_values(request.known, "known")
        profile = (await self._profiles.now(viewer)).profile
        begin = _Begin(request, found, told, profile.max_repair_iterations)
        asked = Request(
            "startDesignSession", KeyScope.curate, content_of(request), reads=begin.reads, command_id=command_id
        )
        return await self._commands.execute(viewer, asked, begin)


def _check(viewer: Viewer, request: DesignRequest) -> None:
    request.check()
    slot_values(request.known, "known")
    rules.check_access(viewer, {"matter_ids": [*request.matter_ids], "data_class": request.data_class})
    if request.context_class is not None:
        check_class(request.context_class, "context_class")


def slot_values(given: Sequence[SlotValue], field: str) -> dict[DesignSlot, Any]:
    """What a session keeps of slots that are told, each once."""
    found: dict[DesignSlot, Any] = {}
    for one in given:
        if one.slot in found:
            raise InputInvalid(field, f"{one.slot.value} is told twice")
        found[one.slot] = slots.checked(one.slot, one.values, field)
    return found


class _Begin:
    def __init__(self, request: DesignRequest, found: Found, told: Mapping[DesignSlot, Any], repairs: int) -> None:
        self._request = request
        self._found = found
        self._told = told
        self._repairs = repairs

    @property
    def reads(self) -> list[RecordRef]:
        request, found = self._request, self._found
        named = [ref for _, ref, _ in request.refs() if ref not in request.about]
        matters = [RecordRef(id=one) for one in request.matter_ids]
        considered = [RecordRef(id=one.id) for one in found.considered]
        kept = found.keeping.reads if found.keeping else ()
        return list({str(one): one for one in (*named, *matters, *found.about, *considered, *kept)}.values())

    async def __call__(self, work: Work) -> dict[str, Any]:
        request, found = self._request, self._found
        rules.check_matters(work, {"matter_ids": request.matter_ids})
        about = [work.need(one, "about", ("Entity", "Goal")) for one in found.about]
        decision = _known(work, request.decision, "decision", "ModeDecision")
        adapts = _known(work, request.adapts, "adapts", "Template")
        match = await found.keeping.kept(work) if found.keeping else None
        sources = [one for one in (*about, decision, adapts, match) if one is not None]
        session = work.create(work.registry.types["DesignSession"], self._values(about, decision, work), sources)
        for one in about:
            work.link(session, "ABOUT", one)
        for kind, head in (("OF", decision), ("ADAPTS", adapts), ("SEARCHED", match)):
            if head is not None:
                work.link(session, kind, head)
        looked = [(one, work.find(RecordRef(id=one.id), "considered")) for one in found.considered]
        for candidate, state in looked:
            if state is not None:
                work.link(session, "CONSIDERED", state, candidate.link())
        heard = note(work, session, [request.text], [state for _, state in looked if state is not None])
        for name in STARTED:
            work.event(name, session)
        return {
            "id": session.id,
            "version": session.version,
            "match": match.id if match else None,
            "statements": [one.id for one in heard],
            "warnings": sorted({one.code for one in found.notices if one.code.startswith("warning.")}),
        }

    def _values(self, about: Sequence[State], decision: State | None, work: Work) -> dict[str, Any]:
        request, found = self._request, self._found
        told = {name: value for slot, value in self._told.items() if (name := slots.field_of(slot)) is not None}
        task_type = told.pop("inferred_task_type", None) or found.task_type
        kept = (decision.properties.get("context_class") if decision else None) if not request.context_class else None
        values = {
            **told,
            "name": _shortened(request.text, NAME_LENGTH),
            "user_initial_request": request.text,
            "user_request_ref": request.user_request_ref
            or (decision.properties.get("user_request_ref") if decision else None),
            "resolved_intent": _intent(request, task_type, about),
            "inferred_task_type": task_type,
            "inferred_domain": found.domain,
            "context_class_key": kept or found.context_class,
            "new_graph_requested": request.blank,
            "told_slots": [one.value for one in DesignSlot if one in self._told],
            "denied_capabilities": [*request.denied_capabilities],
            "max_repair_iterations": self._repairs,
            "rules": RULES,
            "started_by": work.viewer.principal_id,
            "data_class": request.data_class.value if request.data_class else None,
            "matter_ids": [*request.matter_ids],
        }
        return {name: value for name, value in values.items() if value is not None}


def _intent(request: DesignRequest, task_type: str | None, about: Sequence[State]) -> str:
    """In the words of the request and of what it is about; what only could be reused is not told here."""
    kind = f"A task of type {task_type}" if task_type else "A task of a type that is not known yet"
    names = ", ".join(str(one.properties["name"]) for one in about[:5])
    return _shortened(f"{kind}{f', about {names}' if names else ''}: {request.text}", TEXT_LENGTH)


def _known(work: Work, ref: RecordRef | None, field: str, label: str) -> State | None:
    if ref is None:
        return None
    return work.existing(ref, field, [label])


def _shortened(text: str, most: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"
