"""Opening the scope of a run: gathered in one reading, settled by plain rules, stored once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import orjson

from graph_schema.model.fields import LIST_LENGTH, TEXT_LENGTH
from graph_schema.model.registry import Registry
from graph_schema.output.ddl import NAMES_INDEX
from graph_schema.registry import REGISTRY
from service import clock
from service.access.viewer import KeyScope, Viewer
from service.commands import Commands, Outcome, RecordRef, Request
from service.commands.errors import InputInvalid, NotAllowed, RecordMissing, SourceKeyTaken, TextTooLong
from service.context.scope import cypher, rules
from service.context.scope.binding import (
    OF_SURFACES,
    Row,
    Tie,
    explicit,
    matters_of,
    parts_of,
    settled,
    source_sets,
    via_of,
)
from service.context.scope.errors import RunHasEnded, RunNotReported, ScopeReused
from service.context.scope.evidence import Matches, Texts, matches, queries, texts_of
from service.context.scope.inputs import RunScopeInput
from service.context.scope.resolve import Near, Resolving
from service.context.scope.store import Opened, StoreScope
from service.graph.database import Database
from service.ids import new_id
from service.memory.intake import Policies
from service.memory.reporting.fold import ENDED
from service.memory.reporting.policy import PRIVATE
from service.search import Search, SearchRequest
from service.search.request import HIDDEN_STATES, LONGEST_TEXT

NEIGHBOURS = 20
NAME = "openRunScope"


class Scopes:
    """`search` compares by meaning what is not named outright; without it that stays open."""

    def __init__(
        self, commands: Commands, database: Database, search: Search | None = None, registry: Registry = REGISTRY
    ) -> None:
        self._commands = commands
        self._database = database
        self._search = search
        self._registry = registry

    async def open(self, viewer: Viewer, asked: RunScopeInput, *, command_id: str | None = None) -> Outcome:
        """Settle what a run is about. Asked again with the same content, it answers with the same envelope."""
        if KeyScope.report not in viewer.scopes:
            raise NotAllowed(KeyScope.report, viewer.scopes)
        surface = rules.launch_surface(asked)
        rules.check_surfaces(asked, surface)
        _check_input(asked)
        asked = replace(asked, launch_surface=surface)
        gathered = await self._gathered(viewer, asked)
        ids = {
            str(asked.run): gathered["run"]["id"],
            **{one["handle"]: one["record"]["id"] for one in gathered["named"]},
        }
        request = Request(NAME, KeyScope.report, asked.content(ids), changes=[asked.run], command_id=command_id)
        if gathered["existing"]:
            return _opened_before(gathered, request)
        opened = await self._settled(viewer, asked, gathered, request.hash())
        try:
            return await self._commands.execute(viewer, request, StoreScope(asked, opened))
        except SourceKeyTaken:
            # Somebody opened it at this very moment.
            return _opened_before(await self._gathered(viewer, asked), request)

    async def _gathered(self, viewer: Viewer, asked: RunScopeInput) -> Row:
        run, schedule = asked.run, asked.trigger.schedule if asked.trigger else None
        row = await self._database.read_one(
            cypher.GATHERED,
            asked={
                "run": {"id": run.id, "source": run.source, "key": run.key},
                "trigger_module": asked.trigger.module_key if asked.trigger else None,
                "refs": [_ref(one) for one in {str(ref): ref for _field, ref, _kinds in asked.named()}.values()],
                "queries": queries(texts_of(asked.trigger)),
                "carry": schedule is not None,
                "of_surfaces": [one.value for one in OF_SURFACES],
                "private": list(PRIVATE),
            },
            names_index=NAMES_INDEX,
            hidden_states=HIDDEN_STATES,
            audiences=viewer.audiences,
        )
        if row is None:
            raise RecordMissing(run, "run") if run.id else RunNotReported(run)
        return row if _carries(asked, row) else {**row, "prior": []}

    async def _settled(self, viewer: Viewer, asked: RunScopeInput, gathered: Row, request_hash: str) -> Opened:
        run = gathered["run"]
        if run["status"] in ENDED:
            raise RunHasEnded(run["name"], run["status"])
        rules.check_named(asked, gathered, self._label)
        held = _holding(run, gathered["policies"])
        policy, source = rules.surface_policy(
            asked,
            rules.launch_surface(asked),
            mapped=any(one["part"] == "module" for one in gathered["saved"]),
            forbidden=_forbids(held),
        )
        ties = await self._ties(viewer, asked, gathered)
        broad = rules.broad_scope(asked, gathered["blueprints"])
        excluded = _ids(asked, gathered, "exclude")
        bound = [one for one in ties if one.is_bound]
        # A library of the task's says what may be looked up, and not whom the run is about.
        trigger = via_of(asked.trigger.kind) if asked.trigger else None
        about = [one for one in bound if one.record["kind"] != "library" or one.via is trigger]
        doubtful = len(bound) < len(ties) or (asked.trigger is not None and not about)
        return Opened(
            run=run,
            surface_policy=policy,
            policy_source=source,
            policies=held,
            ties=ties,
            excluded=excluded,
            matters=sorted({*run["matter_ids"], *matters_of(ties)}.difference(excluded)),
            ceiling=rules.ceiling(asked, viewer, run, bound),
            broad_scope=broad,
            reaches=_ids(asked, gathered, "broad_bounds.entities", "broad_bounds.libraries"),
            task_type=asked.task_type or _task_type(gathered),
            domains=list(asked.domains) if asked.domains is not None else _domains(gathered),
            warnings=_warnings(doubtful=doubtful, broad=broad is not None),
            origins=_ids(asked, gathered, "trigger.schedule.schedule", "trigger.run"),
            request_hash=request_hash,
        )

    async def _ties(self, viewer: Viewer, asked: RunScopeInput, gathered: Row) -> list[Tie]:
        run, texts = gathered["run"], texts_of(asked.trigger)
        excluded = _ids(asked, gathered, "exclude")
        ties = explicit(asked, gathered)
        named: list[Row] = gathered["exact"]
        records = [*(one.record for one in ties), *(one["record"] for one in named)]
        excluded = await self._kept_out(viewer, excluded, records)
        said = settled(ties, excluded)
        frame = frozenset({*run["matter_ids"], *matters_of(said)} - excluded)
        via = via_of(asked.trigger.kind if asked.trigger else None)
        resolving = Resolving(frame, via, quote=not rules.is_private(run))
        found = matches(texts, [one for one in named if one["record"]["id"] not in excluded])
        ties = [*said, *resolving.exact(found)]
        if self._search and _is_open(asked, texts, found):
            near = await self._near(self._search, viewer, texts.text)
            excluded |= await self._kept_out(viewer, excluded, [one.record for one in near])
            ties += resolving.near([one for one in near if one.record["id"] not in excluded])
        return await self._with_parts(viewer, settled(ties, excluded), excluded)

    async def _kept_out(self, viewer: Viewer, excluded: Iterable[str], records: Iterable[Row]) -> set[str]:
        """What the user keeps out, with those of the records that are in it."""
        named = {*excluded}
        if not named:
            return named
        asked = {"excluded": sorted(named), "ids": sorted({one["id"] for one in records})}
        row = await self._database.read_one(cypher.KEPT_OUT, asked=asked, audiences=viewer.audiences)
        return named.union(row["ids"] if row else ())

    async def _with_parts(self, viewer: Viewer, ties: list[Tie], excluded: set[str]) -> list[Tie]:
        sets = source_sets(ties)
        if not sets:
            return ties
        row = await self._database.read_one(
            cypher.PARTS, ids=sets, most=LIST_LENGTH, hidden_states=HIDDEN_STATES, audiences=viewer.audiences
        )
        parts = parts_of(ties, row["found"] if row else ())
        return settled([*ties, *parts], await self._kept_out(viewer, excluded, [one.record for one in parts]))

    async def _near(self, search: Search, viewer: Viewer, text: str) -> list[Near]:
        readable = "".join(one if one.isprintable() else " " for one in text)[:LONGEST_TEXT]
        answer = await search.search(viewer, SearchRequest(readable, ("Entity",), NEIGHBOURS))
        scores = {hit.id: hit.score for hit in answer.hits}
        row = await self._database.read_one(
            cypher.FOUND, ids=list(scores), hidden_states=HIDDEN_STATES, audiences=viewer.audiences
        )
        return [Near(one, scores[one["id"]]) for one in (row["found"] if row else ())]

    def _label(self, record: Row) -> str:
        return self._registry.label_of(record["labels"])


def _check_input(asked: RunScopeInput) -> None:
    asked.run.check("run", "Run")
    named = list(asked.named())
    for field, ref, _kinds in named:
        ref.check(field)
        if sum(field == other for other, *_ in named) > LIST_LENGTH:
            raise InputInvalid(field, f"has more than {LIST_LENGTH} records")
    mail = asked.trigger.email if asked.trigger else None
    texts = {
        "trigger.payload_summary": asked.trigger.payload_summary if asked.trigger else None,
        "trigger.email.subject": mail.subject if mail else None,
    }
    for field, text in texts.items():
        if text is not None and len(text) > TEXT_LENGTH:
            raise TextTooLong(field, TEXT_LENGTH, len(text))
    if asked.environment is not None:
        try:
            orjson.loads(asked.environment)
        except orjson.JSONDecodeError:
            raise InputInvalid("environment", "is not JSON") from None


def _opened_before(gathered: Row, request: Request) -> Outcome:
    [envelope] = gathered["existing"]
    if envelope["request_hash"] != request.hash() or not envelope["seen"]:
        raise ScopeReused(gathered["run"]["name"])
    result: dict[str, Any] = {name: envelope[name] for name in ("id", "version", "warnings")}
    return Outcome(request.command_id or new_id("cmd"), result, replayed=True)


def _ref(ref: RecordRef) -> dict[str, Any]:
    return {"handle": str(ref), "id": ref.id, "source": ref.source, "key": ref.key}


def _carries(asked: RunScopeInput, gathered: Row) -> bool:
    """Whether the schedule says that the scope of the run before is taken over."""
    if asked.trigger is None or asked.trigger.schedule is None:
        return False
    named = str(asked.trigger.schedule.schedule)
    return any(row["handle"] == named and row["carries"] for row in gathered["named"])


def _is_open(asked: RunScopeInput, texts: Texts, found: Matches) -> bool:
    """Whether what the trigger says names nothing outright, so that it is compared by meaning."""
    attached = asked.trigger.email.attachments if asked.trigger and asked.trigger.email else ()
    return bool(texts.text.strip()) and not (attached or found.ids or found.keys or found.names)


def _holding(run: Row, histories: list[list[dict[str, Any]]]) -> list[Row]:
    """The context policies that hold for the run as a whole, the most specific first."""
    told = {"task_key": run.get("task_key")}
    return list(Policies(histories).holding(run["source"], run, told, clock.now()).policies)


def _forbids(held: list[Row]) -> bool:
    """Policies of context only narrow: what one of them forbids, none gives back."""
    return any(one.get("surface_context_forbidden") for one in held)


def _ids(asked: RunScopeInput, gathered: Row, *fields: str) -> list[str]:
    ids = {row["handle"]: row["record"]["id"] for row in gathered["named"]}
    return list(dict.fromkeys(ids[str(ref)] for field, ref, _kinds in asked.named() if field in fields))


def _warnings(*, doubtful: bool, broad: bool) -> list[str]:
    told = {rules.ScopeWarning.low_confidence: doubtful, rules.ScopeWarning.broad_scope: broad}
    return [warning.value for warning, holds in told.items() if holds]


def _task_type(gathered: Row) -> str | None:
    assets = (*gathered["tasks"], *gathered["templates"], *gathered["blueprints"])
    return next((one["task_type"] for one in assets if one.get("task_type")), None)


def _domains(gathered: Row) -> list[str]:
    tags = [tag for one in gathered["templates"] for tag in one["domains"] or ()]
    return list(dict.fromkeys([*tags, *(one["domain"] for one in gathered["blueprints"] if one.get("domain"))]))
