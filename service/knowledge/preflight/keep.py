"""Keeping a preflight with what it rests on; examining it again from that, and comparing it with today."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from graph_schema.knowledge.words import PreflightStatus
from graph_schema.memory.words import MemoryMode
from graph_schema.model.fields import LONG_TEXT_LENGTH, NAME_LENGTH, OPAQUE_LENGTH, DataClass
from service import clock
from service.access.audience import strictest
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request, Work
from service.commands.errors import RecordMissing
from service.commands.work import State
from service.graph.database import Database, Row
from service.knowledge.errors import PreflightTooLarge
from service.knowledge.preflight import cypher
from service.knowledge.preflight.changes import PreflightChange, changes
from service.knowledge.preflight.examine import RULES, examine
from service.knowledge.preflight.facts import NONE
from service.knowledge.preflight.load import PreflightRequest, Raw, Subject, keepable
from service.knowledge.preflight.read import Preflights, graph_in
from service.knowledge.preflight.report import PreflightReport
from service.library.commands import content_of
from service.library.graphs import GraphInput
from service.replay import ReplayOutcome
from service.views import Id

COMPLETED = "task.agent.preflight.completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightComparison:
    """A kept preflight beside another look: from the facts that it keeps, or at what is there today."""

    preflight_id: Annotated[Id, "The kept preflight."]
    outcome: Annotated[ReplayOutcome, "Whether it comes out the same."]
    same_rules: Annotated[bool, "Whether the same rules examined it then."]
    kept_status: Annotated[PreflightStatus, "What it came to then."]
    mended: Annotated[tuple[str, ...], "What was found then and is not now, as codes with their modules."]
    added: Annotated[tuple[str, ...], "What is found now and was not then."]
    changes: Annotated[tuple[PreflightChange, ...], "What its sections say otherwise."]
    now: Annotated[PreflightReport, "What it comes to now."]


class KeptPreflights:
    def __init__(self, commands: Commands, database: Database, preflights: Preflights) -> None:
        self._commands = commands
        self._database = database
        self._preflights = preflights

    async def keep(
        self, viewer: Viewer, subject: Subject, asked: PreflightRequest, *, command_id: str | None = None
    ) -> Outcome:
        at = clock.now()
        report, raw = await self._preflights.examined(viewer, subject, asked, at)
        values = {**_values(report, keepable(raw), viewer), "examined_at": at}
        examined = [RecordRef(id=one) for one in _examined(report, raw)]
        sources = [RecordRef(id=one["id"]) for one in raw.get("capabilities") or ()]

        async def plan(work: Work) -> dict[str, Any]:
            heads = [work.need(one, "of") for one in examined]
            read = [state for one in sources if (state := work.find(one, "of"))]
            made = work.create(work.registry.types["Preflight"], values | _own_access(read), heads)
            for head in heads:
                work.link(made, "EXAMINED", head)
            work.event(COMPLETED, made)
            return {"id": made.id, "version": made.version}

        content = {"of": subject.of, "graph": content_of(subject.graph), "asked": content_of(asked)}
        request = Request(
            "recordPreflight", KeyScope.curate, content, reads=[*examined, *sources], command_id=command_id
        )
        return await self._commands.execute(viewer, request, plan)

    async def replay(self, viewer: Viewer, preflight_id: str) -> PreflightComparison:
        """Examined again from the facts that it keeps, by the rules of today."""
        kept = (await self._kept(viewer, preflight_id))["kept"]
        report = _examined_again(kept)
        return _compared(kept, report, report)

    async def compare(self, viewer: Viewer, preflight_id: str, other_id: str | None = None) -> PreflightComparison:
        """The kept answer beside another kept one, else beside one of what is there today, asked in the same way. A
        graph that was not saved then is examined as it was, by what holds today."""
        row = await self._kept(viewer, preflight_id)
        kept = row["kept"]
        if other_id is not None:
            other = _examined_again((await self._kept(viewer, other_id, "other"))["kept"])
            return _compared(kept, other, other)
        facts = orjson.loads(kept["facts"])
        if row["of"] is None and facts["subject"]:  # it is there, and this viewer may not see it
            return _compared(kept, _examined_again(kept), _examined_again(kept))
        subject = Subject(row["of"], _graph_given(facts))
        report, raw = await self._preflights.examined(viewer, subject, _asked_then(facts), clock.now())
        return _compared(kept, report, examine(keepable(raw), report.generated_at))

    async def _kept(self, viewer: Viewer, preflight_id: str, field: str = "preflight") -> Row:
        row = await self._database.read_one(cypher.KEPT, id=preflight_id, audiences=viewer.audiences)
        if row is None:
            raise RecordMissing(RecordRef(id=preflight_id), field)
        return row


def _examined_again(kept: Row) -> PreflightReport:
    return examine(orjson.loads(kept["facts"]), kept["examined_at"])


def _asked_then(facts: Raw) -> PreflightRequest:
    """How it was asked. What was kept before that was kept too is asked again by what came of it."""
    asked: Raw = facts.get("asked") or {}
    return PreflightRequest(
        memory_mode=MemoryMode(facts["memory_mode"]),
        inputs=_tuple(facts["inputs"]),
        max_cost_usd=asked.get("max_cost_usd"),
    )


def _graph_given(facts: Raw) -> GraphInput | None:
    asked: Raw = facts.get("asked") or {}
    given = not facts["subject"] or asked.get("graph_given")
    return graph_in(facts) if given and facts["graph"] else None


def _examined(report: PreflightReport, raw: Raw) -> list[str]:
    named: list[str | None] = [report.record_id, (raw.get("owner") or NONE).get("id"), report.blueprint_id]
    return list(dict.fromkeys(one for one in named if one))


def _own_access(sources: Sequence[State]) -> dict[str, Any]:
    """Its own, not inherited: no link leads to these, and the answer tells of them."""
    read = [one.properties for one in sources]
    data_class = strictest([DataClass.internal, *(one["data_class"] for one in read)])
    return {"data_class": data_class.value, "matter_ids": sorted({one for each in read for one in each["matter_ids"]})}


def _values(report: PreflightReport, raw: Raw, viewer: Viewer) -> dict[str, Any]:
    answer, facts = orjson.dumps(_told(report)).decode(), orjson.dumps(raw).decode()
    for name, text, limit in (("answer", answer, LONG_TEXT_LENGTH), ("facts", facts, OPAQUE_LENGTH)):
        if len(text) > limit:
            raise PreflightTooLarge(name, limit, len(text))
    return {
        "name": f"Preflight of {report.name}"[:NAME_LENGTH],
        "status": report.status.value,
        "graph_hash": report.graph_hash,
        "blueprint_hash": report.blueprint_hash,
        "blocking_codes": _codes(report.blocking_issues),
        "warning_codes": _codes(report.warnings),
        "rules": RULES,
        "answer": answer,
        "facts": facts,
        "examined_by": viewer.principal_id,
    }


def _codes(issues: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(one.code for one in issues))


def _told(report: PreflightReport) -> dict[str, Any]:
    """What was found, by code and place; the sentences are made again from the facts."""
    return {"status": report.status.value, "found": _places(report)}


def _places(report: PreflightReport) -> list[str]:
    """The code of each issue, with its module, its step or its record."""
    found = (*report.blocking_issues, *report.warnings)
    places = ((one, one.module_key or one.step_key or one.record_id) for one in found)
    return [f"{one.code} ({where})" if where else one.code for one, where in places]


def _compared(kept: Row, now: PreflightReport, as_kept: PreflightReport) -> PreflightComparison:
    """`as_kept`: what it comes to now, from as much of the facts as would be kept of them."""
    before, after = {*orjson.loads(kept["answer"])["found"]}, {*_places(now)}
    differ = changes(_examined_again(kept), as_kept)
    same = before == after and kept["status"] == now.status and not differ
    return PreflightComparison(
        preflight_id=kept["id"],
        outcome=ReplayOutcome.identical if same else ReplayOutcome.different,
        same_rules=kept["rules"] == RULES,
        kept_status=PreflightStatus(kept["status"]),
        mended=tuple(sorted(before - after)),
        added=tuple(sorted(after - before)),
        changes=differ,
        now=now,
    )


def _tuple(given: list[str] | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(given)
